use super::*;
use crate::ErrorKind;
use alloc::string::ToString;

fn filter(window: u64, generations: u32) -> WindowedBloom {
    WindowedBloom::with_params(WindowedParams::for_fpr(100, 1e-9, window, generations).unwrap())
}

/// At every age, and for every time of the insertion within its generation.
#[test]
fn items_stay_for_the_window_and_go_with_their_generation() {
    for (window, generations) in [(1, 1), (7, 1), (7, 3), (12, 4), (12, 12)] {
        let span = filter(window, generations).params().span();
        for start in 100..100 + span {
            let mut filter = filter(window, generations);
            assert!(filter.insert_at("it", start));
            let forgotten = (start / span + u64::from(generations) + 1) * span;
            assert!(forgotten > start + window && forgotten <= start + filter.params().forgets_after());
            for at in start..start + 5 * window {
                let mut later = filter.clone();
                assert_eq!(filter.contains_at("it", at), at < forgotten, "{window} {generations} {at}");
                assert_eq!(later.insert_at("it", at), at >= forgotten);
                later = filter.clone();
                later.advance(at);
                assert_eq!(later.is_empty(), at >= forgotten);
            }
        }
    }
}

#[test]
fn a_repeat_is_refreshed() {
    let mut filter = filter(10, 2);
    for at in (0..1000).step_by(10) {
        assert_eq!(filter.insert_at("often", at), at == 0);
    }
    assert!(filter.contains_at("often", 1000) && !filter.contains_at("often", 1005));
}

#[test]
fn time_does_not_go_back() {
    let mut filter = filter(10, 2);
    filter.insert_at("now", 100);
    assert!(filter.insert_at("late", 3) && !filter.insert_at("now", 0));
    assert_eq!(filter.latest(), 100);
    assert!(filter.contains_at("late", 0) && filter.contains_at("late", 110));
    assert!(!filter.advance(100) && filter.advance(101));
}

#[test]
fn times_reach_their_ends() {
    for window in [1, 10, u64::MAX] {
        let mut filter = filter(window, 1);
        for at in [0, 1, u64::MAX - 1, u64::MAX] {
            filter.insert_at(&at, at);
            assert!(filter.contains_at(&at, u64::MAX) || at < 2);
            assert_eq!(WindowedBloom::from_bytes(&filter.to_bytes()).unwrap(), filter);
        }
        assert_eq!(filter.contains_at(&0, u64::MAX), window == u64::MAX);
    }
}

#[test]
fn a_pause_gives_the_memory_back() {
    let mut filter = filter(40, 4);
    let empty = filter.memory_bytes();
    for at in 0..50 {
        filter.insert_at(&at, at);
    }
    assert_eq!(filter.generations.len(), 5);
    assert!(filter.advance(99) && filter.is_empty());
    assert_eq!((filter.memory_bytes(), filter.fpr().value()), (empty, 0.0));
    assert_eq!(WindowedBloom::from_bytes(&filter.to_bytes()).unwrap(), filter);
}

#[test]
fn batches_are_one_by_one() {
    let hashes: Vec<u64> = (0..500u64).map(|i| HashSpec::default().hash(&(i % 300))).collect();
    let (mut one, mut all) = (filter(10, 2), filter(10, 2));
    for at in [5, 9, 10, 31, 17] {
        let (some, _) = hashes.split_at(100 * at as usize % 450 + 50);
        let news: Vec<bool> = some.iter().map(|&hash| one.insert_hash_at(hash, at)).collect();
        assert_eq!(all.insert_hashes_at(some, at), news);
        assert!(one == all);
        let found: Vec<bool> = hashes.iter().map(|&hash| one.contains_hash_at(hash, at + 6)).collect();
        assert_eq!(all.contains_hashes_at(&hashes, at + 6), found);
    }
}

#[test]
fn merges_line_up() {
    let (mut one, mut two) = (filter(10, 2), filter(10, 2));
    for at in 0..20u64 {
        one.insert_at(&at, at);
        two.insert_at(&(100 + at), at + 7);
    }
    let before = two.clone();
    one.merge(&two).unwrap();
    assert!(two == before);
    assert_eq!((one.latest(), one.generations.len()), (26, 3));
    assert!((16..20).all(|item| one.contains_at(&item, 0)) && (0..15).all(|item| !one.contains_at(&item, 0)));
    assert!((109..120).all(|item| one.contains_at(&item, 26)));
    // An older filter adds only what is still in the window.
    let mut older = filter(10, 2);
    older.insert_at("old", 14);
    older.insert_at("young", 16);
    one.merge(&older).unwrap();
    assert!(!one.contains_at("old", 26) && one.contains_at("young", 26) && one.latest() == 26);
}

#[test]
fn unlike_filters_do_not_merge() {
    let make = |items, fpr, window, generations| {
        WindowedBloom::with_params(WindowedParams::for_fpr(items, fpr, window, generations).unwrap())
    };
    let mut ours = make(10, 0.01, 60, 4);
    ours.insert_at("kept", 5);
    let before = ours.clone();
    let seeded = WindowedBloom::with_params(ours.params()).with_hash(HashSpec::seeded(9));
    let others = [
        (make(11, 0.01, 60, 4), "items: 10 and 11"),
        (make(10, 0.02, 60, 4), "fpr: 0.01 and 0.02"),
        (make(10, 0.01, 61, 4), "window: 60 and 61"),
        (make(10, 0.01, 60, 5), "generations: 4 and 5"),
        (seeded, "hash"),
    ];
    for (mut other, field) in others {
        other.advance(1000);
        let error = ours.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(error.to_string().contains(field), "{error}");
        assert!(ours == before);
    }
}
