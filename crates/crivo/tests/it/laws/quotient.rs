//! Guarantees of the quotient filter alone.

use crate::structures::{Subject, distinct, shuffled};
use crivo::rng::Rng;
use crivo::{ErrorKind, HashSpec, QuotientFilter};

/// Copies are never under-counted, and their total is exact.
pub(super) fn copies_are_counted(make: impl Fn(HashSpec) -> QuotientFilter) {
    let mut rng = Rng::new(53);
    for length in make(HashSpec::default()).lengths() {
        let items = QuotientFilter::stream(&mut rng, length);
        let filter = make(HashSpec::seeded(53)).having_seen(&items);
        assert_eq!(filter.len(), length as u64);
        for item in &items {
            let truth = items.iter().filter(|&other| other == item).count() as f64;
            let answer = filter.frequency(item);
            assert!(answer.value() >= truth && answer.upper() >= truth, "{answer}, but there are {truth}");
            assert_eq!(filter.frequency_hash(filter.spec().hash(item)), answer);
        }
    }
}

/// Removing inserted items restores the previous state, in any order.
pub(super) fn removing_undoes(make: impl Fn(HashSpec) -> QuotientFilter) {
    let mut rng = Rng::new(54);
    for length in make(HashSpec::default()).lengths() {
        let items = QuotientFilter::stream(&mut rng, length);
        let (kept, taken) = items.split_at(rng.below(length as u64 + 1) as usize);
        let mut filter = make(HashSpec::seeded(54)).having_seen(&items);
        for item in shuffled(&mut rng, taken) {
            filter.remove(&item).unwrap();
        }
        let expected = make(HashSpec::seeded(54)).having_seen(kept);
        assert_eq!(filter, expected, "{length} items");
        assert_eq!(filter.to_bytes(), expected.to_bytes(), "{length} items");
        let absent = distinct(&mut rng, 100);
        for item in absent.iter().filter(|item| !expected.contains(*item)) {
            assert_eq!(filter.remove(item).unwrap_err().kind(), ErrorKind::InvalidArgument);
            assert_eq!(filter, expected, "a refused removal changed something");
        }
    }
}

/// A grown filter gives the same answers and equals a filter that was created in that size.
pub(super) fn growing_keeps_answers(make: impl Fn(HashSpec) -> QuotientFilter) {
    let mut rng = Rng::new(55);
    let mut grown_empty = make(HashSpec::seeded(55));
    grown_empty.grow().unwrap();
    for length in make(HashSpec::default()).lengths() {
        let items = QuotientFilter::stream(&mut rng, length);
        let small = make(HashSpec::seeded(55)).having_seen(&items);
        let mut large = small.clone();
        large.grow().unwrap();
        assert_eq!(large, grown_empty.clone().having_seen(&items), "{length} items");
        assert_eq!((large.len(), large.fpr()), (small.len(), small.fpr()));
        for hash in distinct(&mut rng, 1000).into_iter().map(|i| i << 40 ^ i) {
            assert_eq!(large.contains_hash(hash), small.contains_hash(hash));
            assert_eq!(large.frequency_hash(hash), small.frequency_hash(hash));
        }
        // Up to the last bit, and not beyond.
        while large.params().remainder_bits() > 1 && large.params().quotients() < 3000 {
            large.grow().unwrap();
        }
        if large.params().remainder_bits() == 1 {
            let before = large.clone();
            assert_eq!(large.grow().unwrap_err().kind(), ErrorKind::InvalidArgument);
            assert_eq!(large, before);
        }
    }
}

/// A full filter refuses more items, one by one and by merging, and does not change.
pub(super) fn full_changes_nothing(make: impl Fn(HashSpec) -> QuotientFilter) {
    let empty = make(HashSpec::seeded(56));
    let mut filter = empty.clone();
    let capacity = empty.params().capacity();
    for item in 0..capacity {
        filter.insert(&item).unwrap();
    }
    let before = filter.clone();
    assert_eq!(filter.insert("one more").unwrap_err().kind(), ErrorKind::Full);
    assert_eq!(filter.insert_hashes(&[1, 2]).unwrap_err().kind(), ErrorKind::Full);
    let other = empty.having_seen(&[1]);
    assert_eq!(filter.merge(&other).unwrap_err().kind(), ErrorKind::Full);
    assert_eq!(filter, before);
    assert!(filter.fill() <= 0.95);
}
