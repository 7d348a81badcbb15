//! How alike two sets are.

use super::wire::copy_of;
use crate::golden::one_of_each;
use crate::structures::{FROZEN_SIZES, Frozen, Subject, distinct, hashes, specs};
use crivo::rng::Rng;
use crivo::sketch::{AnySketch, Similarity, Wire};
use crivo::{ErrorKind, HashSpec, Kind};
use std::fmt::Debug;

/// A set is like itself, as like another as the other is like it, and like no set that was hashed otherwise. Neither
/// bytes nor asking changes an answer, and an answer is possible.
fn assert_alike<S: AnySketch + Wire + Clone + PartialEq + Debug + Similarity>(first: &S, second: &S) {
    let before = (first.clone(), second.clone());
    let alike = first.similarity(second).unwrap();
    let ordered = 0.0 <= alike.lower() && alike.lower() <= alike.value();
    assert!(ordered && alike.value() <= alike.upper() && alike.upper() <= 1.0, "{alike:.3}");
    assert_eq!(second.similarity(first).unwrap(), alike);
    assert_eq!(copy_of(first).similarity(&copy_of(second)).unwrap(), alike);
    for sketch in [first, second] {
        let itself = sketch.similarity(sketch).unwrap();
        assert!(itself.value() == 1.0 && itself.contains(1.0), "{itself:.3}");
    }
    let compare = first.kind().info().similarity.unwrap();
    assert_eq!(compare(first, second).unwrap(), alike);
    for other in one_of_each().iter().filter(|other| other.kind() != first.kind()) {
        assert_eq!(compare(first, &**other).unwrap_err().kind(), ErrorKind::Incompatible);
    }
    assert_eq!((first.clone(), second.clone()), before);
}

fn assert_strangers<S: Similarity>(first: &S, second: &S) {
    let error = first.similarity(second).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(error.to_string().contains("hash"), "{error}");
}

pub(super) fn tells_alike<S: Subject + Similarity>(make: impl Fn(HashSpec) -> S) {
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
            // An empty set is like an empty one alone; nothing has no direction, and is at a right angle to all others.
            let unlike = if empty.kind() == Kind::SimHash { 0.5 } else { 0.0 };
            let nothing = first.similarity(&empty).unwrap().value();
            assert_eq!(nothing, if first.is_empty() { 1.0 } else { unlike });
            // Directions add up: what both have seen counts twice.
            if empty.kind().info().merge.is_some() && empty.kind() != Kind::SimHash {
                let union = first.clone().merged_with(&second);
                assert_eq!(union.similarity(&make(spec).having_seen(&items)).unwrap().value(), 1.0);
            }
        }
    }
}

pub(super) fn frozen_tells_alike<S: Frozen + Similarity>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(75);
    for spec in specs() {
        let empty = make(&[], spec);
        for length in FROZEN_SIZES {
            let hashes = hashes(spec, &distinct(&mut rng, length));
            let (from, to) = (length / 3, length - length / 4);
            let (first, second) = (make(&hashes[..to], spec), make(&hashes[from..], spec));
            assert_alike(&first, &second);
            assert_strangers(&first, &make(&hashes, HashSpec::seeded(75)));
            let nothing = first.similarity(&empty).unwrap().value();
            assert_eq!(nothing, if first.is_empty() { 1.0 } else { 0.0 });
        }
    }
}
