//! The similarity of two sets.

use super::wire::copy_of;
use crate::golden::one_of_each;
use crate::structures::{FROZEN_SIZES, Frozen, Subject, distinct, hashes, specs};
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::{ErrorKind, Estimate, HashSpec, Kind, Result};
use std::fmt::Debug;

fn similarity(first: &dyn Sketch, second: &dyn Sketch) -> Result<Estimate> {
    first.kind().info().similarity.unwrap()(first, second)
}

/// Similarity is reflexive and symmetric, and is refused for sets that were hashed differently. Neither a round trip
/// nor a query changes an answer, and every answer is possible.
fn assert_alike<S: Sketch + Clone + PartialEq + Debug>(first: &S, second: &S) {
    let before = (first.clone(), second.clone());
    let alike = similarity(first, second).unwrap();
    let ordered = 0.0 <= alike.lower() && alike.lower() <= alike.value();
    assert!(ordered && alike.value() <= alike.upper() && alike.upper() <= 1.0, "{alike:.3}");
    assert_eq!(similarity(second, first).unwrap(), alike);
    assert_eq!(similarity(&copy_of(first), &copy_of(second)).unwrap(), alike);
    for sketch in [first, second] {
        let itself = similarity(sketch, sketch).unwrap();
        assert!(itself.value() == 1.0 && itself.contains(1.0), "{itself:.3}");
    }
    for other in one_of_each().iter().filter(|other| other.kind() != first.kind()) {
        assert_eq!(similarity(first, &**other).unwrap_err().kind(), ErrorKind::Incompatible);
    }
    assert_eq!((first.clone(), second.clone()), before);
}

fn assert_strangers(first: &dyn Sketch, second: &dyn Sketch) {
    let error = similarity(first, second).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(error.to_string().contains("hash"), "{error}");
}

pub(super) fn tells_alike<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(74);
    for spec in specs() {
        let empty = make(spec);
        for length in empty.lengths() {
            let items = distinct(&mut rng, length);
            let (from, to) = (length / 3, length - length / 4);
            let (first, second) =
                (make(spec).having_seen(&items[..to]), make(spec).having_seen(&items[from..]));
            assert_alike(&first, &second);
            assert_strangers(&first, &make(HashSpec::seeded(75)).having_seen(&items));
            // An empty set is similar only to an empty one; a zero vector has no direction, and is at a right angle to
            // all others.
            let unlike = if empty.kind() == Kind::SimHash { 0.5 } else { 0.0 };
            let nothing = similarity(&first, &empty).unwrap().value();
            assert_eq!(nothing, if first.is_empty() { 1.0 } else { unlike });
            // Directions add up: items in both count twice.
            if empty.merge_law().is_some() && empty.kind() != Kind::SimHash {
                let union = first.clone().merged_with(&second);
                assert_eq!(similarity(&union, &make(spec).having_seen(&items)).unwrap().value(), 1.0);
            }
        }
    }
}

pub(super) fn frozen_tells_alike<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(75);
    for spec in specs() {
        let empty = make(&[], spec);
        for length in FROZEN_SIZES {
            let hashes = hashes(spec, &distinct(&mut rng, length));
            let (from, to) = (length / 3, length - length / 4);
            let (first, second) = (make(&hashes[..to], spec), make(&hashes[from..], spec));
            assert_alike(&first, &second);
            assert_strangers(&first, &make(&hashes, HashSpec::seeded(75)));
            let nothing = similarity(&first, &empty).unwrap().value();
            assert_eq!(nothing, if first.is_empty() { 1.0 } else { 0.0 });
        }
    }
}
