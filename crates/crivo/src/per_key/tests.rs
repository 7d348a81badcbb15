use super::*;
use crate::rng::Rng;
use crate::{ExaLogLog, Kll};
use std::collections::BTreeMap;

/// Keys of very unequal sizes, in random order.
fn visits(seed: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut rng = Rng::new(seed);
    (0..60_000).map(move |_| {
        let bits = rng.below(12);
        let key = rng.below(1 << bits);
        (key, rng.below(4000))
    })
}

fn exact(visits: impl Iterator<Item = (u64, u64)>) -> BTreeMap<u64, ExaLogLog> {
    let mut sketches = BTreeMap::new();
    for (key, item) in visits {
        sketches.entry(key).or_insert_with(|| ExaLogLog::for_precision(8).unwrap()).insert(&item);
    }
    sketches
}

/// Kept keys have the sketch of all their items, and the rest has all items of all others.
fn check(table: &PerKey<u64, ExaLogLog>, sketches: &BTreeMap<u64, ExaLogLog>) {
    let mut others = ExaLogLog::for_precision(8).unwrap();
    let mut count = 0.0;
    for (key, sketch) in sketches {
        if let Some(kept) = table.get(key) {
            assert_eq!(kept, sketch, "key {key}");
        } else {
            others.merge(sketch).unwrap();
            count += 1.0;
        }
    }
    match table.rest() {
        Some((rest, keys)) => {
            assert_eq!(rest, &others);
            assert!(keys.contains(count), "{keys}, not {count}");
        }
        None => assert_eq!(count, 0.0),
    }
}

#[test]
fn the_limit_is_held_and_nothing_is_lost() {
    let sketches = exact(visits(1));
    for (kib, expects_rest) in [(96, true), (200, true), (4096, false)] {
        let mut table = PerKey::new(ExaLogLog::for_precision(8).unwrap(), kib << 10).unwrap();
        for (step, (key, item)) in visits(1).enumerate() {
            table.insert(&key, &item).unwrap();
            if step % 997 == 0 {
                assert!(table.memory_bytes() <= kib << 10, "{} bytes of {kib} KiB", table.memory_bytes());
            }
        }
        assert_eq!(table.rest().is_some(), expects_rest, "{kib}");
        assert!(table.len() > 10);
        check(&table, &sketches);
    }
}

#[test]
fn tables_of_parts_merge() {
    let sketches = exact(visits(1).chain(visits(2)));
    for (one, other) in [(96, 96), (96, 4096), (4096, 200), (4096, 4096)] {
        let mut tables = [(one, 1), (other, 2)].map(|(kib, seed)| {
            let mut table = PerKey::new(ExaLogLog::for_precision(8).unwrap(), kib << 10).unwrap();
            visits(seed).for_each(|(key, item)| {
                table.insert(&key, &item).unwrap();
            });
            table
        });
        let second = tables[1].clone();
        tables[0].merge(second).unwrap();
        check(&tables[0], &sketches);
        assert!(tables[0].memory_bytes() <= one << 10);
    }
}

#[test]
fn sketches_that_do_not_merge_exactly_reserve_their_bound() {
    let empty = Kll::<f64>::for_k(64).unwrap();
    let bound = Sketch::memory_bound(&empty).unwrap();
    let mut table = PerKey::<u64, _>::new(empty, 20 * bound).unwrap();
    for step in 0..100_000u64 {
        table.update(&(step % 40), |sketch| sketch.insert(step as f64)).unwrap();
    }
    assert!((5..20).contains(&table.len()), "{} keys", table.len());
    assert!(table.memory_bytes() <= 20 * bound);
    let kept: u64 = table.iter().map(|(_, sketch)| sketch.total()).sum();
    let (rest, keys) = table.rest().unwrap();
    assert_eq!(kept + rest.total(), 100_000);
    assert_eq!(keys.rounded() as usize + table.len(), 40);
}

#[test]
fn keys_are_limited_in_number_and_can_be_dropped() {
    let empty = ExaLogLog::for_precision(8).unwrap();
    let mut table = PerKey::<alloc::string::String, _>::new(empty, 1 << 20).unwrap().with_max_keys(3);
    for key in ["a", "b", "c", "a", "d", "e", "d"] {
        table.insert(key, &1u64).unwrap();
    }
    assert_eq!((table.len(), table.rest().unwrap().1.rounded()), (3, 2));
    let before = table.memory_bytes();
    table.retain(|sketch| {
        sketch.insert(&2u64);
        sketch.estimate().rounded() == 1
    });
    assert!(table.is_empty() && !table.is_full() && table.memory_bytes() < before);
    table.insert("d", &1u64).unwrap();
    assert!(table.get("d").is_some());
}

#[test]
fn long_keys_count() {
    let empty = ExaLogLog::for_precision(8).unwrap();
    let mut table = PerKey::<alloc::string::String, _>::new(empty, 1 << 18).unwrap();
    for key in 0..1000u64 {
        table.insert(format!("{key:01000}").as_str(), &key).unwrap();
        assert!(table.memory_bytes() <= 1 << 18);
    }
    assert!((100..240).contains(&table.len()), "{} keys of 1000 bytes", table.len());
}

#[test]
fn what_cannot_be_limited_is_refused() {
    let error = PerKey::<u64, _>::new(Kll::<alloc::string::String>::for_k(64).unwrap(), 1 << 20).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Unsupported);
    let error = PerKey::<u64, _>::new(ExaLogLog::for_precision(8).unwrap(), 1000).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
}
