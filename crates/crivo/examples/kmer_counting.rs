//! Counts the k-mers in the reads of a genome. A Bloom filter keeps out the k-mers that occur only once, most of which
//! are read errors; a Count-Min sketch counts the others.
//!
//! Lopes 2017, section 2.2.5. Counts are never too low; how much they are too high is bounded, and compared with exact
//! counts.
//!
//! ```sh
//! cargo run --release -p crivo --example kmer_counting
//! ```

use crivo::frequency::CountMinParams;
use crivo::graph::Kmer;
use crivo::graph::kmers;
use crivo::rng::Rng;
use crivo::{BloomFilter, CountMin, Result};
use std::collections::HashMap;

const K: u32 = 21;
const GENOME: u64 = 60_000;
const READS: u64 = 9000;
const READ_LENGTH: u64 = 100;
/// One base in this many is read wrongly.
const ONE_ERROR_IN: u64 = 100;

fn base(rng: &mut Rng) -> u8 {
    b"ACGT"[rng.below(4) as usize]
}

/// Generates reads of a random genome with errors: each place is read fifteen times on average. A repeat of 300 bases
/// occurs in it ten times.
fn reads(rng: &mut Rng) -> Vec<Vec<u8>> {
    let mut genome: Vec<u8> = (0..GENOME).map(|_| base(rng)).collect();
    let repeat = genome[..300].to_vec();
    for copy in 1..10 {
        genome[copy * 5000..][..300].copy_from_slice(&repeat);
    }
    let read = |rng: &mut Rng| {
        let start = rng.below(GENOME - READ_LENGTH) as usize;
        let mut read = genome[start..start + READ_LENGTH as usize].to_vec();
        for letter in &mut read {
            if rng.below(ONE_ERROR_IN) == 0 {
                *letter = base(rng);
            }
        }
        read
    };
    (0..READS).map(|_| read(rng)).collect()
}

fn main() -> Result<()> {
    let reads = reads(&mut Rng::new(1));
    let words = READS * (READ_LENGTH - u64::from(K) + 1);
    let mut once = BloomFilter::for_fpr(words / 3, 0.01)?;
    let params = CountMinParams::exact(1 << 17, 4)?.with_counter_bits(16)?;
    let mut more = CountMin::with_params(params.conservative());
    let mut exact: HashMap<Kmer, u64> = HashMap::new();
    for read in &reads {
        for word in kmers(read, K)? {
            *exact.entry(word).or_default() += 1;
            if !once.insert(&word) {
                more.add(&word, 1);
            }
        }
    }
    let different = exact.len();
    let singles = exact.values().filter(|count| **count == 1).count();
    println!("{words} words of {K} bases in {READS} reads, {different} distinct, {singles} of them once");
    let (filter, sketch, table) = (once.memory_bytes(), more.memory_bytes(), 24 * different);
    println!("{filter} bytes of filter, {sketch} of sketch; an exact table takes {table}\n");
    assert!(2 * (filter + sketch) < table, "half the memory");

    // The first occurrence is in the filter, all later ones are in the sketch.
    let count = |word: &Kmer| if once.contains(word) { 1 + more.frequency(word).value() as u64 } else { 0 };
    // A count is too high on a false positive of the filter, or if others collide with the word in every row of the
    // sketch.
    let counted = (different - singles) as f64 + once.fpr().value() * singles as f64;
    let meets = (1.0 - (-counted / params.width() as f64).exp()).powi(4);
    let rate = once.fpr().value() + meets;
    println!("times       words  too high  expected at most  by at most");
    for (low, high) in [(1, 1), (2, 4), (5, 9), (10, 19), (20, 49), (50, u64::MAX)] {
        let class = || exact.iter().filter(|(_, truth)| (low..=high).contains(*truth));
        assert!(class().all(|(word, truth)| count(word) >= *truth), "never too low");
        let excess = || class().map(|(word, truth)| count(word) - truth).filter(|excess| *excess > 0);
        let (words, wrong, most) = (class().count(), excess().count(), excess().max().unwrap_or(0));
        let name = if high == u64::MAX { format!("{low} or more") } else { format!("{low} to {high}") };
        let expected = rate * words as f64;
        println!("{name:10} {words:6}  {wrong:8}  {expected:16.0}  {most:10}");
        assert!((wrong as f64) < expected + 5.0 * expected.sqrt() + 1.0, "{wrong} of {words} words");
    }
    Ok(())
}
