//! Finds the most frequent words of a stream that is distributed over ten machines: each keeps a small table of its
//! part, and the tables are merged.
//!
//! Heavy hitters over nodes: Lopes 2017, section 2.2.5. The bounds of a merged `SpaceSaving` are deterministic: no
//! count lies outside, and no word that is more frequent than the floor is missing.
//!
//! ```sh
//! cargo run --release -p crivo --example heavy_hitters
//! ```

use crivo::rng::Rng;
use crivo::{Result, SpaceSaving};
use std::collections::HashMap;

const MACHINES: usize = 10;
const WORDS: usize = 1_000_000;
const COUNTERS: u32 = 150;
const SHOWN: usize = 12;

fn main() -> Result<()> {
    let mut rng = Rng::new(1);
    // Draws a word out of a hundred thousand: each is half as likely as the one of half its number. Some words occur on
    // one machine only.
    let mut machines: Vec<SpaceSaving<String>> = Vec::new();
    let mut exact: HashMap<String, u64> = HashMap::new();
    for machine in 0..MACHINES {
        let mut table = SpaceSaving::for_counters(COUNTERS)?;
        for _ in 0..WORDS / MACHINES {
            let word = match rng.below(12) {
                0 => format!("local{machine}"),
                _ => format!("word{}", 1e5f64.powf(rng.unit()) as u64),
            };
            table.add(&word, 1);
            *exact.entry(word).or_default() += 1;
        }
        machines.push(table);
    }
    let sent: usize = machines.iter().map(|table| table.to_bytes().len()).sum();
    let mut whole = machines.pop().expect("there is a machine");
    for table in &machines {
        whole.merge(table)?;
    }
    println!("{WORDS} words, {} different, on {MACHINES} machines", exact.len());
    println!(
        "{COUNTERS} counters each, {sent} bytes sent in all; a count is off by at most {}\n",
        whole.floor()
    );
    println!("word         exactly  at least  at most");
    for hitter in whole.top(SHOWN) {
        let (count, truth) = (hitter.count(), exact[hitter.item()]);
        println!("{:10}  {truth:8}  {:8}  {:7}", hitter.item(), count.lower(), count.upper());
        assert!(count.contains(truth as f64), "{}: {count}, but it is {truth}", hitter.item());
    }
    // The error of each table is at most its words over its counters, and that of the merged one at most their sum.
    let most = (WORDS / COUNTERS as usize) as u64;
    assert!(whole.floor() <= most, "{} of {most}", whole.floor());
    let frequent: Vec<&String> =
        exact.iter().filter(|(_, count)| **count > most).map(|(word, _)| word).collect();
    let certain = whole.possibly_above(most)?;
    let is_listed = |word: &&&String| certain.iter().any(|hitter| hitter.item() == **word);
    let found = frequent.iter().filter(is_listed).count();
    println!("\n{found} of the {} words with more than {most} are listed", frequent.len());
    assert_eq!(found, frequent.len(), "none is missing");
    assert!(
        whole.top(SHOWN).iter().any(|hitter| hitter.item().starts_with("local")),
        "one machine's word counts too"
    );
    Ok(())
}
