//! Counters of distinct items: exact for small sets, and consistent across precisions.

use crate::structures::{OPTIONS, Subject, distinct, hashes, shuffled};
use crivo::rng::Rng;
use crivo::sketch::{Cardinality, Insert};

use crivo::{Estimate, ExaLogLog, HashSpec, HyperLogLog, Joint, KMinValues, compare_sets};
use std::collections::HashSet;

/// Compares with an exact set, after all kinds of inserts, merges and round trips through bytes: exact as far as the
/// structure claims, and an ordered interval beyond. These few items have no collisions.
pub(super) fn distinct_count<S: Subject + Insert + Cardinality>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(70);
    let mut sketch = make(HashSpec::seeded(70));
    let mut inside = HashSet::new();
    let limit = sketch.scale();
    while inside.len() < 4 * limit {
        let items = distinct(&mut rng, 1 + limit / 8);
        let hashes = hashes(sketch.spec(), &items);
        let ways = if sketch.merge_law().is_some() { 5 } else { 3 };
        match rng.below(ways) {
            0 => items.iter().for_each(|item| sketch.see(item)),
            1 => Insert::try_insert_hashes(&mut sketch, &hashes).unwrap(),
            2 => {
                // Comparing bytes takes time proportional to the size of the sketch: a few inserts suffice.
                let (watched, rest) = hashes.split_at(hashes.len().min(20));
                for &hash in watched {
                    let before = sketch.to_bytes();
                    let changed = Insert::try_insert_hash(&mut sketch, hash).unwrap();
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
        if ways == 3 {
            sketch = S::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap();
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
                Self::for_precision(precision).unwrap().with_hash(spec)
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

/// A folded sketch equals the sketch of the stream at the lower precision.
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
            // Hashes with as many zeros as a sketch can represent are too rare to occur by chance: zeros in front, or
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

/// A folded sketch equals the sketch of the stream with the smaller k.
pub(super) fn folds_to_fewer(make: impl Fn(HashSpec) -> KMinValues) {
    let mut rng = Rng::new(72);
    let spec = HashSpec::default();
    let empty = make(spec);
    for length in empty.lengths() {
        let items = KMinValues::stream(&mut rng, length);
        let fine = empty.clone().having_seen(&items);
        for k in [16, empty.k() / 2 + 8, empty.k() - 1, empty.k()].map(|k| k.max(16)) {
            let native = KMinValues::for_k(k).unwrap().with_hash(spec).having_seen(&items);
            let folded = fine.fold(k).unwrap();
            assert_eq!(folded, native, "{length} items, {} to {k}", empty.k());
            assert_eq!(folded.to_bytes(), native.to_bytes());
            assert_eq!(folded.memory_bytes(), native.memory_bytes());
            let more = distinct(&mut rng, length / 3 + 1);
            let other = native.emptied().having_seen(&more);
            assert_eq!(folded.merged_with(&other), native.having_seen(&more));
        }
    }
}

/// A sketch that answers queries about two sets.
pub(super) trait Comparable: Subject<Answer = Estimate> {
    fn intersection(&self, other: &Self) -> Estimate;
    fn difference(&self, other: &Self) -> Estimate;
    fn similarity(&self, other: &Self) -> Estimate;
}

macro_rules! comparable {
    ($type:ty) => {
        impl Comparable for $type {
            fn intersection(&self, other: &Self) -> Estimate {
                self.intersection(other).unwrap()
            }

            fn difference(&self, other: &Self) -> Estimate {
                self.difference(other).unwrap()
            }

            fn similarity(&self, other: &Self) -> Estimate {
                self.similarity(other).unwrap()
            }
        }
    };
}
comparable!(KMinValues);
comparable!(Joint);

/// Queries about two sets: exact while both are, never impossible, symmetric, and without side effects.
pub(super) fn compares<S: Comparable>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(73);
    let empty = make(HashSpec::seeded(73));
    for length in empty.lengths() {
        for share in [0.0, 0.1, 0.6, 1.0] {
            let items = distinct(&mut rng, length);
            let common = (length as f64 * share) as usize;
            let cut = common + rng.below((length - common) as u64 + 1) as usize;
            let second: Vec<u64> = [&items[..common], &items[cut..]].concat();
            let (first, second) =
                (empty.clone().having_seen(&items[..cut]), empty.clone().having_seen(&second));
            let before = (first.clone(), second.clone());
            let (both, alike) = (first.intersection(&second), first.similarity(&second));
            let only_first = first.difference(&second);
            assert_eq!(second.intersection(&first), both);
            assert_eq!(second.similarity(&first), alike);
            for (answer, most) in [(both, f64::INFINITY), (only_first, f64::INFINITY), (alike, 1.0)] {
                let ordered = answer.lower() <= answer.value() && answer.value() <= answer.upper();
                assert!(0.0 <= answer.lower() && ordered && answer.upper() <= most, "{answer}");
            }
            if cut <= empty.exact_up_to() && common + length - cut <= empty.exact_up_to() {
                assert_eq!((both.value(), only_first.value()), (common as f64, (cut - common) as f64));
                assert_eq!(alike.value(), if length == 0 { 1.0 } else { common as f64 / length as f64 });
            }
            let sets = compare_sets(&first, &second).unwrap();
            assert_eq!((sets.intersection, sets.only_first, sets.similarity), (both, only_first, alike));
            assert_eq!(sets.union, first.clone().merged_with(&second).ask_hash(0));
            assert_eq!(first.similarity(&first).value(), 1.0);
            assert_eq!(first.difference(&first).value(), 0.0);
            assert_eq!(first.difference(&empty).value(), first.ask_hash(0).value());
            assert_eq!((first, second), before);
        }
    }
}
