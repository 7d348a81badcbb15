use super::*;
use crate::ErrorKind;

#[test]
fn windows_end_at_the_latest_time() {
    let mut sketch = SlidingHyperLogLog::for_precision(12, 10).unwrap();
    for time in 100..110u64 {
        assert!(sketch.insert(&time, time));
    }
    let count = |sketch: &SlidingHyperLogLog, window| sketch.estimate(window).unwrap().value().round();
    assert_eq!((count(&sketch, 1), count(&sketch, 4), count(&sketch, 10)), (1.0, 4.0, 10.0));
    // A late item counts at its own time, and one that is too late not at all.
    assert!(sketch.insert("late", 103) && !sketch.insert("too late", 99));
    assert_eq!((count(&sketch, 6), count(&sketch, 7)), (6.0, 8.0));
    assert!(sketch.advance(112) && !sketch.advance(112));
    assert_eq!((count(&sketch, 3), count(&sketch, 10)), (0.0, 8.0));
    sketch.advance(200);
    assert!(sketch.is_empty());
    assert_eq!(sketch.latest(), 200);
    for bad in [0, 11, u64::MAX] {
        assert_eq!(sketch.estimate(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
}

#[test]
fn times_reach_their_ends() {
    let mut sketch = SlidingHyperLogLog::for_precision(4, u64::MAX).unwrap();
    for (hash, time) in [(0, 0), (1, 1), (u64::MAX, u64::MAX - 1), (u64::MAX, u64::MAX)] {
        sketch.insert_hash(hash, time);
    }
    assert_eq!(SlidingHyperLogLog::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    assert!(sketch.estimate(1).unwrap().contains(1.0));
}

#[test]
fn memory_stays_within_its_bound() {
    let mut sketch = SlidingHyperLogLog::for_precision(4, u64::MAX).unwrap();
    for rank in (1..=61u64).rev() {
        for register in 0..16u64 {
            sketch.insert_hash(register << 60 | if rank > 60 { 0 } else { 1 << (60 - rank) }, 62 - rank);
        }
    }
    assert_eq!(Some(sketch.memory_bytes()), sketch.memory_bound());
    assert_eq!(SlidingHyperLogLog::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    let bytes = sketch.memory_bytes() as u64;
    assert_eq!(SlidingHyperLogLog::for_memory(bytes, 1).unwrap().precision(), 4);
    assert!(SlidingHyperLogLog::for_memory(bytes - 1, 1).is_err());
}

#[test]
fn unlike_sketches_do_not_merge() {
    let mut sketch = SlidingHyperLogLog::for_precision(10, 60).unwrap();
    sketch.insert("kept", 5);
    let before = sketch.clone();
    let others = [
        (SlidingHyperLogLog::for_precision(11, 60).unwrap(), "precision: 10 and 11"),
        (SlidingHyperLogLog::for_precision(10, 61).unwrap(), "limit: 60 and 61"),
        (SlidingHyperLogLog::for_precision(10, 60).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        let error = sketch.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(sketch, before);
    }
}
