//! Detects attacks by login frequency: logins per source are counted in a Count-Min sketch that is halved every minute,
//! so that old ones decay. A source whose count is far above the mean, interval included, is an attack.
//!
//! Detection by frequency: Lopes 2017, section 2.2.5. The sketch has a fixed size, however many sources there are, and
//! an attacker with many addresses cannot fill it.
//!
//! ```sh
//! cargo run --release -p crivo --example attack
//! ```

use crivo::frequency::CountMinParams;
use crivo::rng::Rng;
use crivo::{CountMin, HashSpec, Result};
use std::collections::{BTreeMap, HashMap};

const MINUTES: u64 = 20;
/// The number of honest sources, each of which logs in now and then.
const SOURCES: u64 = 40_000;
const LOGINS_A_MINUTE: u64 = 20_000;
/// Attackers: source, first minute, logins per minute.
const ATTACKERS: [(u64, u64, u64); 3] = [(900_001, 4, 900), (900_002, 9, 400), (900_003, 12, 2500)];
/// A source with a count above this multiple of the mean over all sources is an attack.
const TOO_OFTEN: f64 = 300.0;

/// The sources that log in during a minute, in random order.
fn minute(rng: &mut Rng, minute: u64) -> Vec<u64> {
    let mut logins: Vec<u64> = (0..LOGINS_A_MINUTE).map(|_| rng.below(SOURCES)).collect();
    for &(source, _, rate) in ATTACKERS.iter().filter(|(_, start, _)| *start <= minute) {
        for _ in 0..rate {
            logins.insert(rng.below(logins.len() as u64 + 1) as usize, source);
        }
    }
    logins
}

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    // An attacker who knows the key could inflate the counts of others, so it is secret.
    let spec = HashSpec::keyed(*b"a key of 16 byte");
    let mut counts = CountMin::with_params(CountMinParams::for_error(0.001, 0.01)?).with_hash(spec);
    let mut exact: HashMap<u64, f64> = HashMap::new();
    let mut found: BTreeMap<u64, (u64, f64, f64, f64)> = BTreeMap::new();
    for now in 0..MINUTES {
        for source in minute(&mut rng, now) {
            counts.add(&source, 1);
            *exact.entry(source).or_default() += 1.0;
            let mean = counts.total() as f64 / SOURCES as f64;
            let count = counts.frequency(&source);
            if count.lower() > TOO_OFTEN * mean.max(1.0) && !found.contains_key(&source) {
                found.insert(source, (now, count.lower(), count.upper(), exact[&source]));
            }
        }
        for &(source, ..) in &ATTACKERS {
            // Never too low; halving rounds up, by less than 1 in all.
            assert!(counts.frequency(&source).upper() + 1e-9 >= *exact.get(&source).unwrap_or(&0.0));
        }
        counts.halve();
        for count in exact.values_mut() {
            *count /= 2.0;
        }
    }
    println!("{} logins of {} sources in {MINUTES} minutes", MINUTES * LOGINS_A_MINUTE, exact.len());
    println!("{} bytes of counters; exact counts take {}\n", counts.memory_bytes(), 16 * exact.len());
    println!("source  per minute  since  noticed  counted then   exactly");
    for &(source, start, rate) in &ATTACKERS {
        let (noticed, lower, upper, truth) = found[&source];
        println!("{source}  {rate:10}  {start:5}  {noticed:7}  {lower:5.0} to {upper:5.0}  {truth:8.1}");
        assert!(lower <= truth && truth <= upper, "{source}: {lower} to {upper}, but it is {truth}");
        assert!(noticed <= start + 3, "noticed within minutes");
    }
    assert_eq!(found.len(), ATTACKERS.len(), "no honest source is accused: {found:?}");
    Ok(())
}
