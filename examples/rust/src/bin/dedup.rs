//! Drops the documents of a stream that are near-duplicates of a document that was kept.

use crivo::similarity::{OnePermutation, Shingles};
use crivo::{HashSpec, LshIndex, Result};

const THRESHOLD: f64 = 0.7;

struct Deduplicator {
    shingles: Shingles,
    kept: LshIndex,
}

impl Deduplicator {
    fn new() -> Result<Self> {
        let kept = LshIndex::for_recall(THRESHOLD, 0.99, &OnePermutation::for_slots(256)?)?;
        Ok(Self { shingles: Shingles::words(3)?, kept })
    }

    /// Returns the document that this one repeats, or keeps it.
    fn check(&mut self, id: u64, text: &str) -> Result<Option<u64>> {
        let mut signature = OnePermutation::for_slots(256)?;
        signature.insert_hashes(&self.shingles.hashes(text, &HashSpec::default()));
        let repeated = self.kept.similar(&signature, THRESHOLD)?.first().map(|(id, _)| *id);
        if repeated.is_none() {
            self.kept.insert(id, &signature)?;
        }
        Ok(repeated)
    }
}

/// Every third document is an edition of an earlier one with a few words changed.
fn documents() -> impl Iterator<Item = String> {
    (0..300u64).map(|id| {
        let (original, edition) = if id % 3 == 2 { (id - 1, id) } else { (id, 0) };
        let word =
            |place: u64| format!("w{}", (original * 1000 + place).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48);
        let words =
            (0..120).map(|place| if edition > 0 && place == 60 { "edited".into() } else { word(place) });
        words.collect::<Vec<String>>().join(" ")
    })
}

fn main() -> Result<()> {
    let mut stream = Deduplicator::new()?;
    let mut kept = 0;
    for (id, text) in (0..).zip(documents()) {
        match stream.check(id, &text)? {
            Some(original) if id < 10 => println!("document {id} repeats document {original}"),
            Some(_) => {}
            None => kept += 1,
        }
    }
    println!("{kept} of 300 documents kept");
    Ok(())
}

#[test]
fn editions_are_dropped_and_originals_are_kept() {
    let mut stream = Deduplicator::new().unwrap();
    for (id, text) in (0..).zip(documents()) {
        let expected = (id % 3 == 2).then(|| id - 1);
        assert_eq!(stream.check(id, &text).unwrap(), expected, "document {id}");
    }
}
