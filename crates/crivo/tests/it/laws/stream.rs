//! The order and the repetitions of a stream must not matter.

use crate::structures::{Subject, distinct, shuffled};
use crivo::HashSpec;
use crivo::rng::Rng;

/// A set sketch depends only on the set.
pub(super) fn repeats_are_nothing<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(20);
    let empty = make(HashSpec::seeded(20));
    for length in empty.lengths() {
        let items = distinct(&mut rng, length);
        let once = empty.clone().having_seen(&items);
        let thrice = shuffled(&mut rng, &items.repeat(3));
        let often = empty.clone().having_seen(&thrice);
        assert_eq!(often, once, "{length} items");
        assert_eq!(often.to_bytes(), once.to_bytes(), "{length} items");
        assert_eq!(once.clone().having_seen(&items), once, "{length} items");
    }
}

/// A set sketch whose state depends on the order of its items ignores repetitions.
pub(super) fn later_repeats_are_nothing<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(22);
    let empty = make(HashSpec::seeded(22));
    for length in empty.lengths() {
        let items = distinct(&mut rng, length);
        let once = empty.clone().having_seen(&items);
        let mut often = empty.clone();
        for (place, item) in items.iter().enumerate() {
            often.see(item);
            often.see(&items[rng.below(place as u64 + 1) as usize]);
        }
        assert_eq!(often, once, "{length} items");
        assert_eq!(often.to_bytes(), once.to_bytes(), "{length} items");
        assert_eq!(once.clone().having_seen(&shuffled(&mut rng, &items)), once, "{length} items");
    }
}

/// A multiset sketch depends only on the counts.
pub(super) fn order_is_nothing<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(21);
    let empty = make(HashSpec::seeded(21));
    for length in empty.lengths() {
        let items = S::stream(&mut rng, length);
        let one = empty.clone().having_seen(&items);
        let other = empty.clone().having_seen(&shuffled(&mut rng, &items));
        assert_eq!(one, other, "{length} items");
        assert_eq!(one.to_bytes(), other.to_bytes(), "{length} items");
    }
}
