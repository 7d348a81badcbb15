//! Estimates the size of a join. Orders and visits lie on eight machines each. Every machine sends one sketch of its
//! part; the merged sketches give the size of the join by customer, Σ orders(c)·visits(c), before any data are moved.
//!
//! Lopes 2017, section 2.2.5. A Count-Min sketch never underestimates, a Count Sketch is unbiased; merging is exact, so
//! the answer is that of one machine that saw everything.
//!
//! ```sh
//! cargo run --release -p crivo --example join_size
//! ```

use crivo::frequency::{CountMinParams, CountSketchParams};
use crivo::rng::Rng;
use crivo::{CountMin, CountSketch, Estimate, Result};
use std::collections::HashMap;

const MACHINES: usize = 8;
const CUSTOMERS: f64 = 50_000.0;
const ROWS: usize = 400_000;

/// The customer of each row of a table: each is half as likely as the one of half its number.
fn table(seed: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..ROWS).map(|_| CUSTOMERS.powf(rng.unit()) as u64).collect()
}

/// Merges the sketches of the parts of a table.
fn merged<S>(
    table: &[u64],
    sketch: impl Fn(&[u64]) -> Result<S>,
    merge: impl Fn(&mut S, &S) -> Result<()>,
) -> Result<S> {
    let mut parts = table.chunks(ROWS.div_ceil(MACHINES)).map(sketch);
    let mut whole = parts.next().expect("there is a first part")?;
    parts.try_for_each(|part| merge(&mut whole, &part?))?;
    Ok(whole)
}

fn counts(table: &[u64]) -> HashMap<u64, u64> {
    let mut counts = HashMap::new();
    for &customer in table {
        *counts.entry(customer).or_default() += 1;
    }
    counts
}

fn main() -> Result<()> {
    let (orders, visits) = (table(1), table(2));
    let (exact_orders, exact_visits) = (counts(&orders), counts(&visits));
    let pairs = exact_orders.iter().map(|(customer, count)| count * exact_visits.get(customer).unwrap_or(&0));
    let truth = pairs.sum::<u64>();
    println!("{ROWS} orders, {ROWS} visits; the join has {truth} rows");
    println!("exact counts of one table: {} bytes\n", 16 * exact_orders.len());
    println!("sketch        kB / machine       off by  interval");
    for width in [1000, 4000, 16_000] {
        let params = CountMinParams::exact(width, 5)?;
        let sketch = |part: &[u64]| {
            let mut sketch = CountMin::with_params(params);
            for customer in part {
                sketch.add(customer, 1);
            }
            Ok(sketch)
        };
        let ours = merged(&orders, sketch, CountMin::merge)?;
        let size = ours.inner_product(&merged(&visits, sketch, CountMin::merge)?)?;
        report("Count-Min", width, ours.memory_bytes(), size, truth);
        assert!(size.value() >= truth as f64, "never too low");

        let params = CountSketchParams::exact(width, 5)?;
        let sketch = |part: &[u64]| {
            let mut sketch = CountSketch::with_params(params);
            part.iter().try_for_each(|customer| sketch.add(customer, 1))?;
            Ok(sketch)
        };
        let ours = merged(&orders, sketch, CountSketch::merge)?;
        let size = ours.inner_product(&merged(&visits, sketch, CountSketch::merge)?)?;
        report("Count sketch", width, ours.memory_bytes(), size, truth);
    }
    Ok(())
}

fn report(name: &str, width: u64, bytes: usize, size: Estimate, truth: u64) {
    let truth = truth as f64;
    let percent = |value: f64| 100.0 * (value - truth) / truth;
    println!(
        "{name:12}  {:12.1}  {:9.2} %  {:.2} % to {:.2} %, {width} counters per row",
        bytes as f64 / 1000.0,
        percent(size.value()),
        percent(size.lower()),
        percent(size.upper())
    );
    assert!(size.contains(truth), "{name}: {size}, but it is {truth}");
}
