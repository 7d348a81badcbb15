//! Finds addresses that serve too many domains: distinct domains per address, from the answers of name servers.
//! Lopes 2017, section 2.4.5.
//!
//! ```sh
//! cargo run -p crivo --example fast_flux
//! ```

use crivo::rng::Rng;
use crivo::{Estimate, HyperLogLog, Result};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The number of addresses in the log; the first few belong to a network that changes addresses all the time.
const ADDRESSES: u64 = 3000;
const FLUX: u64 = 6;
/// A hosting provider that honestly serves many domains.
const HOSTER: u64 = 10;
const ANSWERS: u64 = 600_000;
/// An address with a hundred times as many domains as the median is suspicious.
const SUSPICIOUS: f64 = 100.0;

/// Generates an answer: a domain and its address.
fn answer(rng: &mut Rng) -> (String, u64) {
    match rng.below(100) {
        // A domain of the network has any of its addresses, and there are always new ones.
        0..4 => (format!("x{}.example", rng.below(5000)), rng.below(FLUX)),
        4..9 => (format!("site{}.example", rng.below(150)), HOSTER),
        _ => {
            let address = FLUX + rng.below(ADDRESSES - FLUX);
            (format!("www{}.host{address}.example", rng.below(1 + address % 12)), address)
        }
    }
}

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    let mut domains: HashMap<u64, HyperLogLog> = HashMap::new();
    let mut exact: HashMap<u64, HashSet<String>> = HashMap::new();
    let empty = HyperLogLog::for_error(0.1)?;
    for _ in 0..ANSWERS {
        let (domain, address) = answer(&mut rng);
        domains.entry(address).or_insert_with(|| empty.clone()).insert(domain.as_str());
        exact.entry(address).or_default().insert(domain);
    }
    let mut counts: Vec<(Estimate, u64)> =
        domains.iter().map(|(&address, sketch)| (sketch.estimate(), address)).collect();
    counts.sort_by(|(a, x), (b, y)| b.value().total_cmp(&a.value()).then(x.cmp(y)));
    let usual = counts[counts.len() / 2].0.value();
    let found: BTreeMap<u64, Estimate> = counts
        .iter()
        .filter(|(estimate, _)| estimate.lower() > SUSPICIOUS * usual)
        .map(|&(estimate, address)| (address, estimate))
        .collect();

    println!("address  domains");
    for (estimate, address) in counts.iter().take(10) {
        let mark = if found.contains_key(address) { "!" } else { " " };
        let bar = "#".repeat(estimate.value() as usize / 100);
        println!("{address:7}{mark} {:28} {bar}", estimate.to_string());
    }
    let bytes: usize = domains.values().map(HyperLogLog::memory_bytes).sum();
    let text: usize = exact.values().flatten().map(String::len).sum();
    println!("half of all addresses have {usual} or fewer; {bytes} bytes of sketches, {text} of names alone");

    assert_eq!(found.keys().copied().collect::<Vec<_>>(), (0..FLUX).collect::<Vec<_>>());
    for (address, estimate) in &found {
        assert!(estimate.contains(exact[address].len() as f64), "{address}: {estimate}");
    }
    assert!(domains[&HOSTER].estimate().contains(exact[&HOSTER].len() as f64));
    Ok(())
}
