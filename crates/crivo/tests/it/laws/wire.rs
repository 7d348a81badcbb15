//! A round trip through bytes does not change a sketch or its later behaviour.

use crate::structures::{OPTIONS, Subject, distinct, specs};
use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use std::fmt::Debug;

/// Returns the copy that was read from the compact bytes; it equals the one that was read from the usual bytes.
pub(super) fn copy_of<S: Sketch + PartialEq + Debug>(sketch: &S) -> S {
    let bytes = sketch.to_bytes();
    let copy = S::from_bytes_with(&bytes, &OPTIONS).unwrap();
    assert_eq!(&copy, sketch);
    assert_eq!(copy.to_bytes(), bytes);
    let compact = sketch.to_compact_bytes();
    assert!(compact == bytes || compact.len() < bytes.len(), "{} and {}", compact.len(), bytes.len());
    let copy = S::from_bytes_with(&compact, &OPTIONS).unwrap();
    assert_eq!(&copy, sketch);
    assert_eq!(copy.to_compact_bytes(), compact);
    copy
}

/// Compares two sketches in every possible way.
fn assert_alike<S: Subject>(copy: &S, original: &S, probes: &[u64]) {
    assert_eq!(copy, original);
    assert_eq!(copy.to_bytes(), original.to_bytes());
    assert_eq!(copy.facts(), original.facts());
    assert_eq!(copy.is_empty(), original.is_empty());
    if S::MEMORY_IS_CANONICAL {
        assert_eq!(copy.memory_bytes(), original.memory_bytes());
    }
    assert_eq!(copy.ask_hashes(probes), original.ask_hashes(probes));
}

/// Applies the same random operation to both sketches.
fn operate<S: Subject>(sketch: S, mut rng: Rng) -> S {
    let length = rng.below(sketch.scale() as u64 + 2) as usize;
    let mut sketch = sketch;
    match rng.below(8) {
        0 => sketch.see(&rng.next_u64()),
        1 => sketch.see_hash(rng.next_u64()),
        2 => sketch.see_hashes(&distinct(&mut rng, length)),
        3 => {
            let other = sketch.apart().having_seen(&S::stream(&mut rng, length));
            return sketch.merged_with(&other);
        }
        4 => {
            let other = sketch.apart().having_seen(&S::stream(&mut rng, length));
            return other.merged_with(&sketch);
        }
        5 => {
            let itself = sketch.clone();
            return sketch.merged_with(&itself);
        }
        6 => sketch.peculiar(&mut rng),
        _ => sketch.clear(),
    }
    sketch
}

pub(super) fn copies_behave_alike<S: Subject>(make: impl Fn(HashSpec) -> S) {
    for (round, spec) in specs().into_iter().enumerate() {
        let mut rng = Rng::new(10 + round as u64);
        let probes = distinct(&mut rng, 50);
        for length in make(spec).lengths() {
            let mut original = make(spec).having_seen(&S::stream(&mut rng, length));
            assert_alike(&copy_of(&original), &original, &probes);
            for _ in 0..20 {
                let copy = copy_of(&original);
                let seed = Rng::new(rng.next_u64());
                original = operate(original, seed.clone());
                let copy = operate(copy, seed);
                assert_alike(&copy, &original, &probes);
            }
        }
    }
}
