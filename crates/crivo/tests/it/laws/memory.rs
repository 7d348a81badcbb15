//! A sketch reports its memory exactly, to the byte, and never exceeds its bound.

use crate::allocator::kept_by;
use crate::structures::{OPTIONS, Subject};
use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use std::fmt::Debug;

/// The memory is what the allocator gave, and within the bound, if there is one.
pub(super) fn assert_told<S: Sketch + Debug>(how: &str, make: &dyn Fn() -> S) -> S {
    let (sketch, kept) = kept_by(make);
    assert_eq!(sketch.memory_bytes(), size_of::<S>() + kept, "{how}: {sketch:?}");
    assert!(sketch.memory_bound().is_none_or(|most| sketch.memory_bytes() <= most), "{how}: {sketch:?}");
    sketch
}

pub(super) fn memory_is_told<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(40);
    let empty = assert_told("made", &|| make(HashSpec::default()));
    for length in empty.lengths() {
        let items = S::stream(&mut rng, length);
        let sketch = assert_told("filled", &|| make(HashSpec::default()).having_seen(&items));
        assert_eq!(sketch.memory_bound(), empty.memory_bound(), "the bound holds from the start");
        let bytes = sketch.to_bytes();
        assert_told("read", &|| S::from_bytes_with(&bytes, &OPTIONS).unwrap());
        assert_told("merged", &|| make(HashSpec::default()).merged_with(&sketch));
        assert_told("merged with itself", &|| sketch.clone().merged_with(&sketch));
        assert_told("cleared", &|| sketch.emptied());
    }
}
