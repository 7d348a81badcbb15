//! The merge laws.

use super::frequency::Conservative;
use crate::structures::{Subject, distinct, shuffled};
use crivo::rng::Rng;
use crivo::{ErrorKind, HashSpec};

/// The sketches of some parts, merged in this order, are the sketch of the whole: in state and in bytes.
fn assert_whole<S: Subject>(empty: &S, parts: &[S], order: &[usize], whole: &S, whole_bytes: &[u8]) {
    let merged = order.iter().fold(empty.clone(), |merged, &i| merged.merged_with(&parts[i]));
    assert_eq!(&merged, whole, "order {order:?}");
    assert_eq!(merged.to_bytes(), whole_bytes, "order {order:?}");
}

/// Every order of `0..count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![vec![]];
    }
    let insert_last = |order: Vec<usize>| {
        (0..count).map(move |place| [&order[..place], &[count - 1], &order[place..]].concat())
    };
    orders(count - 1).into_iter().flat_map(insert_last).collect()
}

/// Cuts at random places: parts of very different sizes, some of them empty.
pub(super) fn cut(rng: &mut Rng, items: &[u64], parts: usize) -> Vec<Vec<u64>> {
    let mut places: Vec<usize> = (1..parts).map(|_| rng.below(items.len() as u64 + 1) as usize).collect();
    places.extend([0, items.len()]);
    places.sort_unstable();
    places.windows(2).map(|ends| items[ends[0]..ends[1]].to_vec()).collect()
}

/// The sketch of each part.
fn sketches<S: Subject>(empty: &S, parts: &[Vec<u64>]) -> Vec<S> {
    parts.iter().map(|part| empty.clone().having_seen(part)).collect()
}

/// About this share of the items, in any order.
fn some_of(rng: &mut Rng, items: &[u64], share: f64) -> Vec<u64> {
    let kept: Vec<u64> = items.iter().copied().filter(|_| rng.unit() < share).collect();
    shuffled(rng, &kept)
}

/// Merging the sketches of the parts of a stream, in any order and grouping, gives the state and the bytes of
/// one pass over the whole, and leaves the sources alone.
pub(super) fn exact_merge<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(1);
    let empty = make(HashSpec::default());
    for length in empty.lengths() {
        for part_count in 2..=5 {
            // Repetitions in one round, distinct items in the next: these reach every size exactly.
            let items =
                if part_count % 2 == 0 { distinct(&mut rng, length) } else { S::stream(&mut rng, length) };
            let whole = empty.clone().having_seen(&items);
            let whole_bytes = whole.to_bytes();
            let parts = sketches(&empty, &cut(&mut rng, &items, part_count));
            let before = parts.clone();
            for order in orders(part_count) {
                assert_whole(&empty, &parts, &order, &whole, &whole_bytes);
            }
            let from_the_right =
                parts.iter().rfold(empty.clone(), |merged, part| part.clone().merged_with(&merged));
            assert_eq!(from_the_right, whole);
            assert_eq!(from_the_right.to_bytes(), whole_bytes);
            for (part, state) in parts.iter().zip(&before) {
                assert_eq!(part, state, "a merge changed its source");
                assert_eq!(part.to_bytes(), state.to_bytes(), "a merge changed its source");
                assert_eq!(&part.clone().merged_with(&empty), part, "merging nothing changed something");
                assert_eq!(&empty.clone().merged_with(part), part, "merging into nothing is not a copy");
            }
        }
    }
}

/// A set sketch ignores items that it has seen: overlapping parts merge to the whole, and a merge with itself changes
/// nothing.
pub(super) fn idempotent_merge<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(2);
    let empty = make(HashSpec::keyed([1; 16]));
    for length in empty.lengths() {
        let items = distinct(&mut rng, length);
        let whole = empty.clone().having_seen(&items);
        assert_eq!(whole.clone().merged_with(&whole), whole);
        for share in [0.05, 0.5, 0.95] {
            let some = empty.clone().having_seen(&some_of(&mut rng, &items, share));
            let others = empty.clone().having_seen(&some_of(&mut rng, &items, 1.0));
            assert_eq!(some.clone().merged_with(&others), whole, "{length} items, {share} of them twice");
            assert_eq!(others.merged_with(&some).to_bytes(), whole.to_bytes(), "{length} items");
        }
    }
}

/// A structure whose merge does not equal one pass, but keeps a bound.
pub(super) trait Bounded: Subject {
    /// Checks that `merged`, made of the parts of `items`, keeps the bound.
    fn assert_bounded(empty: &Self, items: &[u64], merged: &Self);
}

/// Conservative sketches of parts merge to one that is never too low and never above the plain sketch of the
/// whole.
impl<S: Conservative> Bounded for S {
    fn assert_bounded(empty: &Self, items: &[u64], merged: &Self) {
        let plain = empty.plain().having_seen(items);
        assert_eq!(merged.total(), items.len() as u64);
        for item in items {
            let truth = items.iter().filter(|&other| other == item).count() as f64;
            let answer = merged.ask(item);
            assert!(answer.upper() >= truth, "{answer}, but it came {truth} times");
            assert!(answer.value() <= plain.ask(item).value(), "{answer}");
        }
        assert!(merged.cells().iter().zip(plain.cells()).all(|(&merged, plain)| merged <= plain));
    }
}

/// Sketches of parts merge to one that keeps its bound. The sources do not change, and which one absorbs the other does
/// not matter.
pub(super) fn bounded_merge<S: Bounded>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(3);
    let empty = make(HashSpec::default());
    for length in empty.lengths() {
        for part_count in 2..=5 {
            let items = S::stream(&mut rng, length);
            let parts = sketches(&empty, &cut(&mut rng, &items, part_count));
            let before = parts.clone();
            let merged = parts.iter().fold(empty.clone(), S::merged_with);
            assert_eq!(parts, before, "a merge changed its source");
            S::assert_bounded(&empty, &items, &merged);
            let (last, others) = parts.split_last().unwrap();
            let others = others.iter().fold(empty.clone(), S::merged_with);
            assert_eq!(last.clone().merged_with(&others), merged, "the other way round");
        }
    }
}

/// Randomised sketches of parts merge if their seeds differ. The accuracy tests check the distribution of the result;
/// here the sources do not change, empty sketches merge to an empty one, and equal seeds are refused, since the parts
/// would have made the same random choices.
pub(super) fn distribution_merge<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(4);
    let empty = make(HashSpec::seeded(4));
    for length in empty.lengths().into_iter().filter(|&length| length > 0) {
        let items = S::stream(&mut rng, length);
        let one = empty.clone().having_seen(&items);
        let other = one.apart().having_seen(&items);
        let before = (one.clone(), other.clone());
        let mut merged = one.clone();
        merged.merge_any(&other).unwrap();
        assert_eq!((&one, &other), (&before.0, &before.1), "a merge changed its source");
        assert!(!merged.is_empty());
        let mut alone = one.clone();
        alone.merge_any(&one.apart()).unwrap();
        assert_eq!(alone, one, "merging nothing changed something");
        let mut twice = one.clone();
        assert_eq!(twice.merge_any(&one).unwrap_err().kind(), ErrorKind::Incompatible, "one seed for both");
        assert_eq!(twice, one, "a refused merge changed something");
    }
}
