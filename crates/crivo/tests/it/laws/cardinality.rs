//! Counters of different items: exact while few, and the same at every precision.

use crate::structures::{OPTIONS, Subject, distinct, shuffled};
use crivo::rng::Rng;
use crivo::sketch::{Cardinality, Insert};
use crivo::{ExaLogLog, HashSpec, HyperLogLog};
use std::collections::HashSet;

/// Against an exact set, through inserts by every means, merges and trips through bytes: exact as far as the
/// structure claims, and an ordered interval beyond. No two of these few items look alike.
pub(super) fn distinct_count<S: Subject + Insert + Cardinality>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(70);
    let mut sketch = make(HashSpec::seeded(70));
    let mut inside = HashSet::new();
    let limit = sketch.scale();
    while inside.len() < 4 * limit {
        let items = distinct(&mut rng, 1 + limit / 8);
        let hashes: Vec<u64> = items.iter().map(|item| sketch.spec().hash(item)).collect();
        match rng.below(5) {
            0 => items.iter().for_each(|item| sketch.see(item)),
            1 => Insert::insert_hashes(&mut sketch, &hashes).unwrap(),
            2 => {
                // Comparing bytes costs as much as the sketch is large: a few inserts must do.
                let (watched, rest) = hashes.split_at(hashes.len().min(20));
                for &hash in watched {
                    let before = sketch.to_bytes();
                    let changed = Insert::insert_hash(&mut sketch, hash).unwrap();
                    assert_eq!(changed, sketch.to_bytes() != before);
                }
                for &hash in rest {
                    sketch.see_hash(hash);
                }
            }
            3 => {
                let other = sketch.emptied().having_seen(&items);
                sketch = sketch.merged_with(&other);
            }
            _ => {
                sketch = sketch.emptied().having_seen(&items).merged_with(&sketch);
                sketch = S::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap();
            }
        }
        inside.extend(hashes);
        let estimate = Cardinality::estimate(&sketch);
        assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper(), "{estimate}");
        if inside.len() <= sketch.exact_up_to() {
            assert_eq!(estimate.value(), inside.len() as f64);
        }
    }
    sketch.clear();
    assert!(sketch.is_empty());
    assert_eq!(Cardinality::estimate(&sketch).upper(), 0.0);
}

/// A sketch of 2^precision registers.
pub(super) trait Foldable: Subject {
    fn at(precision: u8, spec: HashSpec) -> Self;
    fn precision(&self) -> u8;
    fn fold(&self, precision: u8) -> Self;
}

macro_rules! foldable {
    ($($sketch:ident)*) => {$(
        impl Foldable for $sketch {
            fn at(precision: u8, spec: HashSpec) -> Self {
                Self::with_spec(precision, spec).unwrap()
            }

            fn precision(&self) -> u8 {
                self.precision()
            }

            fn fold(&self, precision: u8) -> Self {
                self.fold(precision).unwrap()
            }
        }
    )*};
}
foldable!(ExaLogLog HyperLogLog);

/// A folded sketch is the one that the stream would have made at the lower precision.
pub(super) fn folds<S: Foldable>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(71);
    let spec = HashSpec::default();
    let empty = make(spec);
    let targets = shuffled(&mut rng, &(4..=empty.precision()).collect::<Vec<_>>());
    let at = |precision: u8| S::at(precision, spec);
    for &target in targets.iter().take(6) {
        // Lengths around the limits of both precisions: sparse and dense on either side.
        let lengths = [at(target).lengths(), empty.lengths()].concat();
        for length in lengths.into_iter().filter(|&length| length <= 200_000) {
            let mut items = distinct(&mut rng, length);
            // Hashes whose zeros reach as far as a sketch can tell are too rare to come by chance: zeros in front, or
            // after the first bits.
            let rare = |rng: &mut Rng| match rng.below(2) {
                0 => rng.next_u64() >> rng.below(64),
                _ => rng.next_u64() >> 44 << 44 & !(u64::MAX >> rng.below(64)) | rng.below(16),
            };
            let hashes: Vec<u64> = (0..length.min(40)).map(|_| rare(&mut rng)).collect();
            items.truncate(length - hashes.len());
            let make = |precision: u8| {
                let mut sketch = at(precision).having_seen(&items);
                sketch.see_hashes(&hashes);
                sketch
            };
            let (fine, native) = (make(empty.precision()), make(target));
            let before = fine.clone();
            let folded = fine.fold(target);
            assert_eq!(fine, before);
            assert_eq!(folded, native, "{length} items, {} to {target}", empty.precision());
            assert_eq!(folded.to_bytes(), native.to_bytes());
            assert_eq!(folded.memory_bytes(), native.memory_bytes());
            let more = distinct(&mut rng, length / 3 + 1);
            let other = at(target).having_seen(&more);
            let whole = native.having_seen(&more);
            assert_eq!(folded.clone().merged_with(&other), whole);
            assert_eq!(other.merged_with(&folded), whole);
        }
    }
}
