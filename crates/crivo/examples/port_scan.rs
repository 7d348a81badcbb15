//! Detects port scans: distinct ports per source in the last five minutes of a log, in bounded memory.
//! Lopes 2017, section 2.4.5.
//!
//! ```sh
//! cargo run -p crivo --example port_scan
//! ```

use crivo::rng::Rng;
use crivo::{Result, SlidingHyperLogLog};
use std::collections::{BTreeMap, HashMap};

/// Five minutes, in seconds.
const WINDOW: u64 = 300;
/// The number of sources that are watched at once, which bounds the memory.
const MOST_SOURCES: usize = 200;
/// No honest source needs this many ports in five minutes.
const TOO_MANY_PORTS: f64 = 100.0;
/// The source that scans in the log below, and one that is busy and honest.
const SCANNER: u32 = 77;
const BUSIEST: u32 = 1;

/// Generates an hour of connections (second, source, port): thousands of sources that come and go with a few ports
/// each, and one that tries two more ports every second for a while.
fn log(rng: &mut Rng) -> Vec<(u64, u32, u16)> {
    let usual = [22, 25, 53, 80, 123, 143, 443, 587, 993, 3306, 5432, 8080];
    let mut connections = Vec::new();
    for second in 0..3600 {
        for _ in 0..30 {
            // Draws a source out of a hundred thousand: each is half as likely as the one of half its number.
            let source = 1e5f64.powf(rng.unit()) as u32;
            let port = usual[rng.below(usual.len() as u64) as usize];
            connections.push((second, source, if source == SCANNER { 443 } else { port }));
        }
        if (1200..1800).contains(&second) {
            let next = 1 + 2 * (second as u16 - 1200);
            connections.extend([(second, SCANNER, next), (second, SCANNER, next + 1)]);
        }
    }
    connections
}

fn main() -> Result<()> {
    let mut ports: HashMap<u32, SlidingHyperLogLog> = HashMap::new();
    let mut found: BTreeMap<u32, u64> = BTreeMap::new();
    let mut most_memory = 0;
    let mut next_report = 300;
    println!("minute  scanner's ports in the last five");
    for (second, source, port) in log(&mut Rng::new(1)) {
        if !ports.contains_key(&source) {
            if ports.len() == MOST_SOURCES {
                // The source that has been silent for longest is dropped.
                let silent = ports.iter().map(|(&source, sketch)| (sketch.latest(), source)).min();
                ports.remove(&silent.expect("the table is full").1);
            }
            ports.insert(source, SlidingHyperLogLog::for_precision(6, WINDOW)?);
        }
        let sketch = ports.get_mut(&source).expect("it was just put there");
        sketch.insert(&port, second);
        // Once in ten seconds is often enough.
        if second % 10 == 0
            && !found.contains_key(&source)
            && sketch.estimate(WINDOW)?.lower() > TOO_MANY_PORTS
        {
            found.insert(source, second);
        }
        if second == next_report {
            let estimate = ports.get_mut(&SCANNER).map_or(Ok(None), |sketch| {
                sketch.advance(second);
                sketch.estimate(WINDOW).map(Some)
            })?;
            let ports = estimate.map_or("none".into(), |estimate| estimate.to_string());
            let bar = "#".repeat(estimate.map_or(0, |estimate| estimate.value() as usize / 20));
            println!("{:6}  {ports:25} {bar}", second / 60);
            next_report += 300;
        }
        if second % 60 == 59 {
            most_memory = most_memory.max(ports.values().map(SlidingHyperLogLog::memory_bytes).sum());
        }
    }
    for (source, second) in &found {
        println!("source {source} scans: noticed after {} seconds of it", second - 1200);
    }
    let bound = MOST_SOURCES
        * SlidingHyperLogLog::for_precision(6, WINDOW)?.memory_bound().expect("a window is bounded");
    println!("{most_memory} bytes of sketches at most, never more than {bound}");

    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [SCANNER]);
    assert!(found[&SCANNER] - 1200 < 150, "noticed while it goes on");
    let busiest = ports[&BUSIEST].estimate(WINDOW)?;
    assert!(busiest.value() < 20.0, "many connections are not many ports: {busiest}");
    assert!(most_memory <= bound);
    Ok(())
}
