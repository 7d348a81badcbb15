use super::*;

#[test]
fn items_without_weight_are_never_taken() {
    let mut sample = WeightedReservoir::for_k(3, 1).unwrap();
    for _ in 0..10 {
        sample.insert('-', 0.0).unwrap();
        sample.insert('-', -0.0).unwrap();
    }
    assert!(sample.sample().is_empty() && !sample.is_empty());
    assert_eq!((sample.total(), sample.total_weight()), (20, 0.0));
    for i in 0..100 {
        sample.insert('+', f64::from(i)).unwrap();
        sample.insert('-', 0.0).unwrap();
    }
    assert!(sample.sample().iter().all(|(item, weight)| **item == '+' && *weight > 0.0));
    sample.clear();
    assert_eq!(sample, WeightedReservoir::for_k(3, 1).unwrap());
}

#[test]
fn bad_weights_change_nothing() {
    let mut sample = WeightedReservoir::for_k(3, 1).unwrap();
    sample.insert(1u64, 2.0).unwrap();
    let before = sample.clone();
    for bad in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5e-324] {
        let error = sample.insert(2, bad).unwrap_err();
        assert!(format!("{error}").contains(&format!("{bad}")), "{error}");
    }
    assert_eq!(sample, before);
}

/// The smallest and the largest numbers mixed: the heavier items are always taken.
#[test]
fn extreme_weights_keep_their_order() {
    for scale in [5e-324, 1e-308, 1e-200, 1.0, 1e200, 1e290] {
        for seed in 0..50 {
            let mut sample = WeightedReservoir::for_k(5, seed).unwrap();
            for i in 0..1000u64 {
                let is_heavy = i % 200 == 199;
                // 10¹⁷ times as heavy: a light item is taken once in 10¹⁴ samples.
                sample.insert(i, if is_heavy { scale * 1e17 } else { scale }).unwrap();
            }
            assert!(sample.sample().iter().all(|(item, _)| *item % 200 == 199), "{scale} {sample:?}");
            assert_eq!(WeightedReservoir::from_bytes(&sample.to_bytes()).unwrap(), sample);
        }
    }
    let mut sample = WeightedReservoir::for_k(2, 1).unwrap();
    for _ in 0..100 {
        sample.insert(0u64, 5e-324).unwrap();
        sample.insert(1u64, f64::MAX).unwrap();
    }
    assert!(sample.sample().iter().all(|(item, _)| **item == 1));
    assert_eq!(sample.total_weight(), f64::INFINITY);
    assert_eq!(WeightedReservoir::from_bytes(&sample.to_bytes()).unwrap(), sample);
}

#[test]
fn the_heap_stays_one_and_waits_are_sorted() {
    let mut sample = WeightedReservoir::for_k(20, 3).unwrap();
    for i in 0..3000u64 {
        sample.insert(i, 1.0 + (i % 10) as f64).unwrap();
        assert!(sample.entries.len() < 20 || is_heap(&sample.entries));
    }
    let waits: Vec<f64> = {
        let find = |item: u64| sample.entries.iter().find(|entry| entry.item == item).unwrap().log_wait;
        sample.sample().iter().map(|(item, _)| find(**item)).collect()
    };
    assert!(waits.is_sorted());
}

#[test]
fn sums_keep_what_rounding_takes() {
    let mut sum = Sum::default();
    sum.add(1e16);
    (0..1000).for_each(|_| sum.add(1.0));
    assert_eq!(sum.value(), 1e16 + 1000.0);
    let mut other = Sum::default();
    other.add(0.5);
    other.merge(&sum);
    assert_eq!(other.value(), 1e16 + 1000.0);
    other.add(f64::MAX);
    other.add(f64::MAX);
    assert_eq!(other.value(), f64::INFINITY);
    assert!(other.is_sound() && !Sum::from_parts([-0.0, 0.0]).is_sound());
}

#[test]
fn merges_of_few_keep_all() {
    let (mut left, mut right) =
        (WeightedReservoir::for_k(10, 1).unwrap(), WeightedReservoir::for_k(10, 2).unwrap());
    (0..4).for_each(|item| left.insert(item, 1.0).unwrap());
    (4..10).for_each(|item| right.insert(item, 2.0).unwrap());
    left.merge(&right).unwrap();
    let mut items: Vec<i32> = left.sample().iter().map(|(item, _)| **item).collect();
    items.sort_unstable();
    assert!(items.into_iter().eq(0..10));
    assert_eq!(left.total_weight(), 16.0);
    assert!(left.left > 0.0, "full, so it waits for a weight");
    let mut other = WeightedReservoir::for_k(11, 3).unwrap();
    other.insert(1, 1.0).unwrap();
    assert!(format!("{}", left.merge(&other).unwrap_err()).contains("k: 10 and 11"));
    // Items of weight 0 add only to the length of the stream.
    let mut idle = WeightedReservoir::for_k(10, 5).unwrap();
    idle.insert(1, 0.0).unwrap();
    let sample = left.clone();
    left.merge(&idle).unwrap();
    assert_eq!(left.total(), 11);
    assert_eq!((left.sample(), left.left), (sample.sample(), sample.left));
}
