//! The most frequent items: bounds that hold for any stream.

use super::merge::Bounded;
use crate::allocator::kept_by;
use crate::structures::{OPTIONS, Subject, specs};
use crivo::frequency::{Hitter, Majority};
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::{Estimate, Guarantee, HashSpec, MisraGries, SpaceSaving};
use std::collections::HashMap;

/// Below this, counts are exact as `f64`; above, one `f64` may stand for several counts and hide a difference.
const EXACT: u128 = 1 << 53;

/// The frequency of each item.
type Truth = HashMap<u64, u128>;

/// A subject sees the hashes of items.
fn truth_of(items: &[u64], spec: HashSpec) -> Truth {
    let mut truth = Truth::new();
    for item in items {
        *truth.entry(spec.hash(item)).or_default() += 1;
    }
    truth
}

/// A sketch of the most frequent numbers.
pub(super) trait Hitters: Subject<Answer = Estimate> {
    /// d such that the floor is at most the total over d.
    fn divisor(&self) -> u128;
    fn counters(&self) -> usize;
    fn len(&self) -> usize;
    fn floor(&self) -> u64;
    fn total(&self) -> u64;
    fn add(&mut self, item: u64, count: u64);
    fn top(&self, most: usize) -> Vec<Hitter<u64>>;
    fn certainly_above(&self, threshold: u64) -> Vec<Hitter<u64>>;
    fn possibly_above(&self, threshold: u64) -> crivo::Result<Vec<Hitter<u64>>>;
}

macro_rules! hitters {
    ($type:ident, $counters:ident => $divisor:expr) => {
        impl Hitters for $type<u64> {
            fn divisor(&self) -> u128 {
                let $counters = u128::from(self.counters());
                $divisor
            }

            fn counters(&self) -> usize {
                self.counters() as usize
            }

            fn len(&self) -> usize {
                self.len()
            }

            fn floor(&self) -> u64 {
                self.floor()
            }

            fn total(&self) -> u64 {
                self.total()
            }

            fn add(&mut self, item: u64, count: u64) {
                self.add(&item, count);
            }

            fn top(&self, most: usize) -> Vec<Hitter<u64>> {
                self.top(most)
            }

            fn certainly_above(&self, threshold: u64) -> Vec<Hitter<u64>> {
                self.certainly_above(threshold)
            }

            fn possibly_above(&self, threshold: u64) -> crivo::Result<Vec<Hitter<u64>>> {
                self.possibly_above(threshold)
            }
        }

        impl Bounded for $type<u64> {
            fn assert_bounded(_: &Self, items: &[u64], merged: &Self) {
                assert_true(merged, &truth_of(items, merged.spec()));
            }
        }
    };
}
hitters!(MisraGries, counters => counters / 2 + 1);
hitters!(SpaceSaving, counters => counters);

impl Bounded for Majority<u64> {
    fn assert_bounded(_: &Self, items: &[u64], merged: &Self) {
        assert_majority(merged, &truth_of(items, merged.spec()));
    }
}

fn assert_majority(vote: &Majority<u64>, truth: &Truth) {
    let total: u128 = truth.values().sum();
    assert_eq!(u128::from(vote.total()), total);
    for (item, &truth) in truth {
        assert!(vote.frequency(item).contains(truth as f64), "{truth} of {total}: {vote:?}");
        assert!(2 * truth <= total || vote.candidate() == Some(item), "{truth} of {total}: {vote:?}");
    }
    let source = truth.iter().map(|(item, &count)| (item, count as u64));
    let confirmed = vote.confirm(source).unwrap();
    let candidate = vote.candidate().map_or(0, |item| truth[item]);
    assert_eq!(u128::from(confirmed.count()), candidate);
    assert_eq!(confirmed.is_majority(), 2 * candidate > total);
}

/// Compares all answers of a sketch with the exact counts.
fn assert_true<S: Hitters>(sketch: &S, truth: &Truth) {
    let total: u128 = truth.values().sum();
    assert_eq!(u128::from(sketch.total()), total.min(u64::MAX.into()));
    let floor = u128::from(sketch.floor());
    assert!(floor * sketch.divisor() <= total, "floor {floor} of {total}: {sketch:?}");
    for (&item, &count) in truth {
        let answer = sketch.ask_hash(item);
        assert_eq!(answer.guarantee(), Guarantee::Certain);
        assert!(answer.contains(count as f64), "{answer}, but it came {count} times: {sketch:?}");
        assert!(total >= EXACT || answer.upper() - answer.lower() <= floor as f64, "{answer}: {sketch:?}");
    }
    assert!(sketch.ask_hash(u64::MAX).contains(0.0), "an item that never came");
    let all = sketch.top(usize::MAX);
    assert_eq!(all.len(), sketch.len());
    assert!(all.len() <= sketch.counters());
    assert_ranks(sketch, &all, truth);
    for most in [0, 1, all.len() / 2, all.len()] {
        assert_eq!(sketch.top(most), all[..most.min(all.len())], "the first {most}");
    }
    for threshold in [0, sketch.floor(), sketch.floor() / 2, sketch.floor().saturating_add(2)] {
        assert_above(sketch, threshold, truth);
    }
}

fn assert_ranks<S: Hitters>(sketch: &S, all: &[Hitter<u64>], truth: &Truth) {
    for pair in all.windows(2) {
        let key = |hitter: &Hitter<u64>| (-hitter.count().lower(), -hitter.count().upper(), *hitter.item());
        assert!(key(&pair[0]) < key(&pair[1]), "{pair:?}");
    }
    for (rank, hitter) in all.iter().enumerate() {
        assert_eq!(hitter.count(), sketch.ask_hash(*hitter.item()));
        let count = hitter.count();
        let others = || all.iter().enumerate().filter(|&(other, _)| other != rank);
        let (before, behind) = (others().filter(|o| o.0 < rank), others().filter(|o| o.0 > rank));
        let is_guaranteed = before.map(|(_, o)| o.count().lower()).all(|lower| lower >= count.upper())
            && behind.map(|(_, o)| o.count().upper()).all(|upper| upper <= count.lower())
            && sketch.floor() as f64 <= count.lower();
        if u128::from(sketch.total()) < EXACT {
            assert_eq!(hitter.is_rank_guaranteed(), is_guaranteed, "rank {rank} of {sketch:?}");
        }
        if hitter.is_rank_guaranteed() {
            let own = truth[hitter.item()];
            let more = truth.values().filter(|&&count| count > own).count();
            let no_less = truth.values().filter(|&&count| count >= own).count() - 1;
            assert!(more <= rank && rank <= no_less, "rank {rank}, but {more} to {no_less} come before it");
        }
    }
}

fn assert_above<S: Hitters>(sketch: &S, threshold: u64, truth: &Truth) {
    for hitter in sketch.certainly_above(threshold) {
        assert!(truth[hitter.item()] > u128::from(threshold), "{hitter:?} is not above {threshold}");
    }
    let Ok(possible) = sketch.possibly_above(threshold) else {
        assert!(sketch.floor() > threshold || sketch.floor() == u64::MAX);
        return;
    };
    assert!(sketch.floor() <= threshold);
    for (item, _) in truth.iter().filter(|(_, count)| **count > u128::from(threshold)) {
        assert!(possible.iter().any(|hitter| hitter.item() == item), "{item} above {threshold} is missing");
    }
}

/// The next item of a stream and its count, from its number and that of the counters.
type Order = fn(u64, u64, &mut Rng) -> (u64, u64);

/// The orders that are hard for such sketches.
fn orders() -> [Order; 8] {
    [
        // A few frequent items, many rare ones.
        |_, counters, rng| {
            let most = 1 + rng.below(8 * counters);
            (rng.below(most) * rng.below(most) / most, 1)
        },
        // Sorted.
        |i, _, _| (i / 3, 1),
        // Round-robin, with one more item than there are counters.
        |i, counters, _| (i % (counters + 1), 1),
        // All distinct.
        |i, _, _| (i, 1),
        // First many rare ones, then frequent ones.
        |i, counters, rng| if i < 5 * counters { (i, 1) } else { (rng.below(3), 1) },
        // Weights that grow, so that the newest is the largest.
        |i, counters, _| (i % (2 * counters), i + 1),
        // Weights of every size.
        |_, counters, rng| (rng.below(3 * counters), rng.next_u64() >> (24 + rng.below(40))),
        // Weights that overflow.
        |_, counters, rng| (rng.below(3 * counters), rng.next_u64() >> rng.below(64)),
    ]
}

/// Bounds, ranks and thresholds against exact counts, for hard orders, by adds, merges and trips through bytes.
pub(super) fn bounds_are_certain<S: Hitters>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(63);
    for spec in specs() {
        let counters = make(spec).counters() as u64;
        for order in orders() {
            let (mut sketch, mut truth) = (make(spec), Truth::new());
            for i in 0..12 * counters {
                let (item, count) = order(i, counters, &mut rng);
                sketch.add(item, count);
                *truth.entry(item).or_default() += u128::from(count);
                if truth.len() as u64 <= counters && u128::from(sketch.total()) < EXACT {
                    let answer = sketch.ask_hash(item);
                    assert_eq!((answer.lower(), sketch.floor()), (answer.upper(), 0), "exact while few");
                }
                if rng.below(counters) == 0 {
                    assert_true(&sketch, &truth);
                }
            }
            assert_true(&sketch, &truth);
            let other = sketch.emptied().having_seen(&S::stream(&mut rng, 3));
            assert_eq!(sketch.clone().merged_with(&other), other.merged_with(&sketch));
            let itself = sketch.clone();
            let doubled = sketch.merged_with(&itself);
            let double: Truth = truth.iter().map(|(&item, count)| (item, 2 * count)).collect();
            assert_true(&doubled, &double);
        }
    }
}

/// The next item is always the one that was dropped last: the sketch never contains the item it is asked for.
pub(super) fn what_just_left_comes_again<S: Hitters>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(64);
    let mut sketch = make(HashSpec::default());
    let universe = 2 * sketch.counters() as u64 + 1;
    let mut truth = Truth::new();
    for i in 0..8 * universe {
        let start = rng.below(universe);
        let absent = (start..start + universe).map(|item| item % universe);
        let item = absent.clone().find(|item| sketch.ask_hash(*item).lower() == 0.0).unwrap();
        let count = 1 + i % 2 * rng.below(9);
        sketch.add(item, count);
        *truth.entry(item).or_default() += u128::from(count);
        if i % universe == 0 {
            assert_true(&sketch, &truth);
        }
    }
    assert_true(&sketch, &truth);
}

/// The vote against exact counts, including weights and merges.
#[test]
fn the_majority_is_the_candidate() {
    let mut rng = Rng::new(65);
    for round in 0..2000u64 {
        let (mut vote, mut truth) = (Majority::<u64>::new(), Truth::new());
        for _ in 0..rng.below(20) {
            let (item, count) = (rng.below(2 + round % 4), rng.below(1 + round % 7));
            vote.add(&item, count);
            *truth.entry(item).or_default() += u128::from(count);
            if rng.below(4) == 0 {
                let again = vote.clone();
                vote = Majority::from_bytes(&vote.to_bytes()).unwrap().merged_with(&again);
                for count in truth.values_mut() {
                    *count *= 2;
                }
            }
            assert_majority(&vote, &truth);
        }
    }
}

/// Texts of different lengths come and go: their buffers are neither forgotten nor kept for ever.
fn texts_are_told<S: Sketch + PartialEq + std::fmt::Debug>(
    make: impl Fn() -> S,
    add: impl Fn(&mut S, &str),
    memory: impl Fn(&S) -> usize,
) {
    let mut rng = Rng::new(66);
    // Not whole multiples, so that some buffers are left over.
    for length in [0, 1, 13, 105, 1003] {
        let (sketch, kept) = kept_by(|| {
            let mut sketch = make();
            for _ in 0..length {
                let most = 1 + rng.below(300);
                let text = "x".repeat(rng.below(most) as usize) + &rng.below(99).to_string();
                add(&mut sketch, &text);
            }
            (0..length).for_each(|i| add(&mut sketch, &i.to_string()));
            sketch
        });
        assert_eq!(memory(&sketch), size_of::<S>() + kept, "{length} texts: {sketch:?}");
        let bytes = sketch.to_bytes();
        let (read, kept) = kept_by(|| S::from_bytes_with(&bytes, &OPTIONS).unwrap());
        assert_eq!((memory(&read), &read), (size_of::<S>() + kept, &sketch));
        assert_eq!(read.to_bytes(), bytes);
        assert!(memory(&sketch) < 100 * 50, "short texts hold {} bytes", memory(&sketch));
    }
}

#[test]
fn buffers_of_texts_are_reported() {
    texts_are_told(
        || MisraGries::<String>::for_counters(20).unwrap(),
        |sketch, text| sketch.add(text, 1),
        MisraGries::memory_bytes,
    );
    texts_are_told(
        || SpaceSaving::<String>::for_counters(20).unwrap(),
        |sketch, text| sketch.add(text, 1),
        SpaceSaving::memory_bytes,
    );
    texts_are_told(Majority::<String>::new, |sketch, text| sketch.add(text, 1), Majority::memory_bytes);
}
