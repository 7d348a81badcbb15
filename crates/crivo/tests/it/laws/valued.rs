//! Filters of values: the values of their answers, and decay.

use crate::structures::linear_bloom::ValueForHash;
use crate::structures::{FromHash, OPTIONS, Subject, distinct};
use crivo::hash::Probes;
use crivo::rng::Rng;
use crivo::valued::{CellValue, DecayingBloom, LinearBloomParams, QuantisedBloom};
use crivo::valued::{Level, Verdict};
use crivo::{BloomFilter, BloomParams, HashSpec, LinearBloom};
use std::collections::HashMap;
use std::fmt::Debug;

/// A filter of values under test.
pub(super) trait Valued: Subject + ValueForHash<Value: Copy + PartialOrd + Debug> {
    fn size(&self) -> LinearBloomParams;
    fn insert_value(&mut self, hash: u64, value: Self::Value);
    fn value_of(&self, hash: u64) -> Option<Self::Value>;
    fn verdict_on(&self, hash: u64, claimed: Self::Value) -> Verdict<Self::Value>;
    /// Fill, false-positive rate, number of items.
    fn occupancy(&self) -> (f64, f64, f64);
    /// Returns whether an answer is not below a value.
    fn covers(answer: Self::Value, value: Self::Value) -> bool;
}

macro_rules! valued {
    (impl[$($generics:tt)*] $type:ty, $covers:expr) => {
        impl<$($generics)*> Valued for $type {
            fn size(&self) -> LinearBloomParams {
                self.params()
            }

            fn insert_value(&mut self, hash: u64, value: Self::Value) {
                self.insert_hash(hash, value).unwrap();
            }

            fn value_of(&self, hash: u64) -> Option<Self::Value> {
                self.value_hash(hash)
            }

            fn verdict_on(&self, hash: u64, claimed: Self::Value) -> Verdict<Self::Value> {
                self.verdict_hash(hash, claimed).unwrap()
            }

            fn occupancy(&self) -> (f64, f64, f64) {
                (self.fill(), self.fpr().value(), self.cardinality().value())
            }

            fn covers(answer: Self::Value, value: Self::Value) -> bool {
                $covers(answer, value)
            }
        }
    };
}
valued!(impl[V: CellValue + FromHash] LinearBloom<V>, |answer, value| answer >= value);
valued!(impl[L: Level] QuantisedBloom<L>, |answer, value| answer >= value);
// Logarithms are rounded.
valued!(impl[] DecayingBloom, |answer, value| answer >= value * (1.0 - 1e-7));

fn greater<V: PartialOrd>(one: V, other: V) -> V {
    if other > one { other } else { one }
}

/// Compares with cells kept in a map: the answer is the least of an item's cells, each the greatest of all values
/// inserted into it, as a filter of that item alone rounds them. So it is never below the item's own value, the
/// verdicts follow, and the occupied cells form a Bloom filter.
pub(super) fn least_of_the_greatest<S: Valued>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(120);
    let spec = HashSpec::seeded(120);
    let empty = make(spec);
    let size = empty.size();
    let cells_of = |hash: u64| Probes::new(hash, size.cells()).take(size.hashes() as usize);
    for length in [1, 2, size.cells() as usize / 4, size.cells() as usize, 3 * size.cells() as usize] {
        let items = distinct(&mut rng, length);
        let mut filter = empty.clone();
        let bits = BloomParams::exact(size.cells(), size.hashes()).unwrap();
        let mut bloom = BloomFilter::with_params(bits).with_hash(spec);
        let mut cells: HashMap<u64, S::Value> = HashMap::new();
        let mut own: HashMap<u64, S::Value> = HashMap::new();
        for item in &items {
            let hash = spec.hash(item);
            bloom.insert_hash(hash);
            // Some items come again, with another value.
            for _ in 0..=rng.below(2) {
                let value = empty.value_for(rng.next_u64());
                let mut alone = empty.clone();
                alone.insert_value(hash, value);
                let kept = alone.value_of(hash).unwrap();
                assert!(S::covers(kept, value), "{kept:?} for {value:?}");
                filter.insert_value(hash, value);
                for cell in cells_of(hash) {
                    cells.entry(cell).and_modify(|cell| *cell = greater(*cell, kept)).or_insert(kept);
                }
                own.entry(hash).and_modify(|own| *own = greater(*own, value)).or_insert(value);
            }
        }
        for item in items.iter().copied().chain(distinct(&mut rng, 200)) {
            let hash = spec.hash(&item);
            let lowest = cells_of(hash).map(|cell| cells.get(&cell).copied());
            let expected = lowest.reduce(|one, other| {
                let (one, other) = (one?, other?);
                Some(if other < one { other } else { one })
            });
            let answer = filter.value_of(hash);
            assert_eq!(answer, expected.flatten(), "{length} items");
            if let Some(&value) = own.get(&hash) {
                assert!(answer.is_some_and(|answer| S::covers(answer, value)), "{answer:?} for {value:?}");
                assert!(!filter.verdict_on(hash, value).is_refuted());
            }
            let Some(answer) = answer else {
                assert_eq!(filter.verdict_on(hash, empty.value_for(item)), Verdict::Absent);
                continue;
            };
            assert_eq!(filter.verdict_on(hash, answer), Verdict::Equal);
            let claimed = empty.value_for(item);
            match filter.verdict_on(hash, claimed) {
                Verdict::Above(value) => assert!(value == answer && claimed < answer),
                Verdict::Below(value) => assert!(value == answer && claimed > answer),
                Verdict::Equal => assert!(S::covers(answer, claimed)),
                Verdict::Absent => panic!("{answer:?} is there"),
            }
        }
        let of_bits = (bloom.fill(), bloom.fpr().value(), bloom.cardinality().value());
        assert_eq!(filter.occupancy(), of_bits, "{length} items");
    }
}

/// Decay and merge commute, with or without a round trip, and no answer is below the decayed value of the item.
pub(super) fn fading_commutes(make: impl Fn(HashSpec) -> DecayingBloom) {
    let mut rng = Rng::new(121);
    let spec = HashSpec::seeded(121);
    let share = 0.6;
    for round in 0..60 {
        let mut tables = [make(spec), make(spec)];
        let fading = tables[0].fading();
        // The present value of each item in each table.
        let mut worth = [const { Vec::<(u64, f64)>::new() }; 2];
        for _ in 0..rng.below(60) {
            let which = rng.below(2) as usize;
            if rng.below(5) == 0 {
                let steps = rng.below(6) << rng.below(8);
                tables[which].advance(steps);
                worth[which].iter_mut().for_each(|(_, value)| *value *= fading.factor().powf(steps as f64));
            } else {
                let (hash, value) = (spec.hash(&rng.below(40)), fading.floor() * rng.unit() * 300.0 + 1e-9);
                tables[which].insert_hash(hash, value).unwrap();
                worth[which].push((hash, value));
            }
        }
        let [ours, theirs] = tables;
        let theirs = if round % 2 == 0 {
            theirs
        } else {
            DecayingBloom::from_bytes_with(&theirs.to_bytes(), &OPTIONS).unwrap()
        };
        let advanced = |table: &DecayingBloom, steps| {
            let mut table = table.clone();
            table.advance(steps);
            table
        };
        let taken_in = |table: &DecayingBloom, other: &DecayingBloom, share| {
            let mut table = table.clone();
            table.merge_attenuated(other, share).unwrap();
            table
        };
        let steps = rng.below(10);
        let together = taken_in(&ours, &theirs, share);
        let before = taken_in(&advanced(&ours, steps), &advanced(&theirs, steps), share);
        assert_eq!(advanced(&together, steps), before);
        assert_eq!(advanced(&together, steps).to_bytes(), before.to_bytes());
        assert_eq!(ours.clone().merged_with(&theirs), taken_in(&ours, &theirs, 1.0));
        assert_eq!(ours.clone().merged_with(&theirs), theirs.clone().merged_with(&ours));
        let pieces = [(1, 1), (3, 2), (0, 7)];
        for (first, second) in pieces {
            assert_eq!(advanced(&advanced(&ours, first), second), advanced(&ours, first + second));
        }
        for (share, worth) in [1.0, share].into_iter().zip(worth) {
            for (hash, value) in worth {
                let value = value * share * fading.factor().powf(steps as f64) * (1.0 - 1e-7);
                let answer = before.value_hash(hash);
                assert!(
                    answer.is_some_and(|answer| answer >= value) || value < fading.floor(),
                    "{answer:?} for {value}"
                );
            }
        }
    }
}
