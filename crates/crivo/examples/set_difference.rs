//! Finds the files that one party lacks. Two parties hold nearly the same files. One sends a Bloom filter of its set,
//! the other answers with the files that the filter denies: the difference, for a few bits per file. The bytes on the
//! wire are counted.
//!
//! Silva 2022, sections 3.5.3 and 3.5.4. A false positive hides a missing file, and the answer estimates how many it
//! hides; for the intersection, one more message of one bit per file makes the result exact.
//!
//! ```sh
//! cargo run --release -p crivo --example set_difference
//! ```

use crivo::membership::exchange::{difference, intersection, keep, question, read_reply, verdict};
use crivo::rng::Rng;
use crivo::{DecodeOptions, HashSpec, Result};
use std::collections::HashSet;

const SHARED: u64 = 50_000;
const OURS_ALONE: u64 = 500;
const THEIRS_ALONE: u64 = 2000;

/// File names in the form of checksums.
fn names(rng: &mut Rng, count: u64) -> Vec<String> {
    (0..count).map(|_| format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64())).collect()
}

fn main() -> Result<()> {
    let mut rng = Rng::new(2);
    let shared = names(&mut rng, SHARED);
    let ours = [shared.clone(), names(&mut rng, OURS_ALONE)].concat();
    let theirs = [shared, names(&mut rng, THEIRS_ALONE)].concat();
    let all: usize = ours.iter().map(|name| name.len() + 1).sum();
    println!("we have {} files, they have {}, of which we lack {THEIRS_ALONE}", ours.len(), theirs.len());
    println!("to send all our names takes {all} bytes\n");

    println!("rate    question    answer       sum  of all  found  missed  they say");
    let options = DecodeOptions::default();
    let mut cheapest = usize::MAX;
    for rate in [0.2, 0.05, 0.01, 0.001] {
        let asked = question(&ours, rate, HashSpec::default())?;
        let reply = difference(&asked, &options, &theirs)?;
        let answer = reply.to_bytes();
        let found = read_reply(&answer)?.len() as u64;
        let (missed, sum) = (THEIRS_ALONE - found, asked.len() + answer.len());
        let share = 100.0 * sum as f64 / all as f64;
        println!(
            "{rate:<6}  {:8}  {:8}  {sum:8}  {share:4.1} %  {found:5}  {missed:6}  {}",
            asked.len(),
            answer.len(),
            reply.wrong()
        );
        // A number of rare events is close to its mean, within a few times its root.
        let expected = reply.wrong().value();
        assert!((missed as f64 - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{missed}, not {expected}");
        cheapest = cheapest.min(sum);
    }
    assert!(10 * cheapest < all, "a tenth of the names will do");

    let asked = question(&ours, 0.01, HashSpec::default())?;
    let reply = intersection(&asked, &options, &theirs)?;
    let answer = reply.to_bytes();
    let own: HashSet<&[u8]> = ours.iter().map(String::as_bytes).collect();
    let verdict = verdict(&read_reply(&answer)?, |name| own.contains(name));
    let common = keep(reply.items(), &verdict)?;
    println!(
        "\nthe intersection: {} candidates, {} too many (they say {})",
        reply.items().len(),
        reply.items().len() - common.len(),
        reply.wrong()
    );
    println!("after a verdict of {} bytes both know the {} common files", verdict.len(), common.len());
    assert_eq!(common.len() as u64, SHARED);
    Ok(())
}
