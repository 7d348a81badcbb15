//! Windows of a stream: each equals a sketch of its items alone.

use crate::structures::{OPTIONS, Subject};
use crivo::cardinality::Estimator;
use crivo::rng::Rng;
use crivo::{HashSpec, HyperLogLog, SlidingHyperLogLog};

/// In any order, in parts that are merged, and through bytes: a window of any width answers like a `HyperLogLog` of the
/// items in it.
pub(super) fn windows_are_sketches(make: impl Fn(HashSpec) -> SlidingHyperLogLog) {
    let mut rng = Rng::new(110);
    let spec = HashSpec::seeded(110);
    let (limit, precision) = (make(spec).limit(), make(spec).precision());
    for round in 0..40 {
        let span = 1 + rng.below(limit.saturating_mul(2).min(5000));
        let start = rng.next_u64() >> 1;
        let items: Vec<(u64, u64)> = (0..rng.below(8 << precision))
            .map(|_| (rng.below(4 << precision), start + rng.below(span)))
            .collect();
        let (mut sketch, mut part) = (make(spec), make(spec));
        for &(item, time) in &items {
            if rng.below(2) == 0 { &mut sketch } else { &mut part }.insert(&item, time);
        }
        if round % 2 == 0 {
            part = SlidingHyperLogLog::from_bytes_with(&part.to_bytes(), &OPTIONS).unwrap();
        }
        let mut sketch = sketch.merged_with(&part);
        if round % 3 == 0 {
            sketch.advance(sketch.latest() + rng.below(limit.min(5000)));
        }
        let latest = sketch.latest();
        for _ in 0..20 {
            let window = 1 + rng.below(limit.min(2 * span));
            let mut expected = HyperLogLog::for_precision(precision).unwrap().with_hash(spec);
            for (item, _) in items.iter().filter(|&&(_, time)| latest - time < window) {
                expected.insert(item);
            }
            let estimate = sketch.estimate(window).unwrap();
            assert_eq!(
                estimate.value(),
                expected.estimate_with(Estimator::Ertl),
                "the last {window} of {limit}"
            );
            if !expected.is_sparse() {
                assert_eq!(estimate, expected.estimate());
            }
        }
    }
}
