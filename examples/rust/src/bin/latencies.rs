//! Percentiles of latencies, up to p99.99, with error bars.

use crivo::{Kll, Result};

const PERCENTILES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 0.9999];

/// A long tail: most answers take milliseconds, some take seconds.
fn latencies() -> impl Iterator<Item = f64> {
    (0..1_000_000u32).map(|step| {
        let share = f64::from(step.wrapping_mul(2_654_435_761)) / f64::from(u32::MAX);
        0.002 / (1.0 - share).max(1e-6).sqrt()
    })
}

fn main() -> Result<()> {
    let mut sketch = Kll::<f64>::for_error(0.0005)?;
    sketch.extend(latencies());
    for (percentile, answer) in PERCENTILES.iter().zip(sketch.quantiles(&PERCENTILES)?) {
        println!(
            "p{}: {:.4} s, from {:.4} to {:.4}",
            percentile * 100.0,
            answer.value(),
            answer.lower(),
            answer.upper()
        );
    }
    println!("{} values in {} bytes", sketch.total(), sketch.memory_bytes());
    Ok(())
}

#[test]
fn the_true_percentiles_are_within_the_bars() {
    let mut sketch = Kll::<f64>::for_error(0.0005).unwrap();
    sketch.extend(latencies());
    let mut all: Vec<f64> = latencies().collect();
    all.sort_by(f64::total_cmp);
    for (share, answer) in PERCENTILES.iter().zip(sketch.quantiles(&PERCENTILES).unwrap()) {
        let truth = all[(share * all.len() as f64).ceil() as usize - 1];
        assert!(*answer.lower() <= truth && truth <= *answer.upper(), "{share}: {truth}, not {answer}");
    }
}
