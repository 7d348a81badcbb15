use super::*;
use alloc::string::{String, ToString};

#[test]
fn up_to_k_items_are_kept_in_order() {
    let mut sample = Reservoir::for_k(5, 1).unwrap();
    for (count, item) in ('a'..='e').enumerate() {
        assert_eq!(sample.skip(), 0);
        sample.insert(item);
        assert_eq!(sample.total(), count as u64 + 1);
        assert_eq!(sample.inclusion_probability(), 1.0);
    }
    assert_eq!(sample.sample(), ['a', 'b', 'c', 'd', 'e']);
    let vowels = sample.estimate_if(|item| "aeiou".contains(*item));
    assert_eq!((vowels.value(), vowels.guarantee()), (2.0, Guarantee::Certain));
    assert_eq!(sample.share(|item| "aeiou".contains(*item)).value(), 0.4);
    sample.clear();
    assert!(sample.is_empty() && sample.sample().is_empty());
    let nothing = sample.share(|_| true);
    assert_eq!((nothing.lower(), nothing.upper()), (0.0, 1.0));
    assert_eq!(sample.estimate_if(|_| true), Estimate::exact(0.0));
}

/// Skipping, inserting and extending give the same sample.
#[test]
fn ways_to_insert_agree() {
    for k in [1, 2, 7, 100] {
        let mut one_by_one = Reservoir::for_k(k, 9).unwrap();
        let (mut lazily, mut by_skips) = (one_by_one.clone(), one_by_one.clone());
        let (mut extended, mut from_unknown) = (one_by_one.clone(), one_by_one.clone());
        (0..5000u32).for_each(|item| one_by_one.insert(item));
        (0..5000u32).for_each(|item| lazily.insert_with(|| item));
        extended.extend(0..2000u32);
        extended.extend(2000..5000u32);
        from_unknown.extend((0..10_000u32).filter(|item| item % 2 == 0).map(|item| item / 2));
        let mut item = 0;
        while item < 5000 {
            let passed = by_skips.skip().min(u64::from(5000 - item));
            by_skips.advance(passed).unwrap();
            item += passed as u32;
            if item < 5000 {
                by_skips.insert(item);
                item += 1;
            }
        }
        assert_eq!(by_skips.skip(), one_by_one.skip());
        for other in [lazily, by_skips, extended, from_unknown] {
            assert_eq!(other, one_by_one, "k {k}");
        }
    }
}

#[test]
fn passing_over_a_wanted_item_is_refused() {
    let mut sample = Reservoir::for_k(3, 1).unwrap();
    let before = sample.clone();
    assert!(sample.advance(1).unwrap_err().to_string().contains("the sample needs the one after 0"));
    sample.advance(0).unwrap();
    assert_eq!(sample, before);
    sample.extend(0..1000);
    let skip = sample.skip();
    assert!(sample.advance(skip + 1).is_err() && sample.advance(skip).is_ok());
}

/// Up to the largest possible count, nothing overflows, repeats or hangs.
#[test]
fn streams_of_any_length_end_well() {
    for seed in 0..200 {
        let mut sample = Reservoir::for_k(1 + seed as u32 % 3, seed).unwrap();
        let mut taken = 0u64;
        while sample.total() < u64::MAX {
            sample.advance(sample.skip()).unwrap();
            taken += u64::from(sample.total() < u64::MAX);
            sample.insert(sample.total());
        }
        // About k·64·ln 2 are taken; ten times as many never.
        assert!((5..1400).contains(&taken), "{taken}");
        sample.insert(0);
        assert_eq!((sample.total(), sample.skip()), (u64::MAX, 0));
        let copy = Reservoir::<u64>::from_bytes(&sample.to_bytes()).unwrap();
        assert_eq!(copy, sample);
        let mut other = Reservoir::for_k(sample.k(), seed + 1000).unwrap();
        other.insert(1);
        assert_eq!(sample.merge(&other).unwrap_err().kind(), crate::ErrorKind::Full);
        assert_eq!(copy, sample);
    }
}

#[test]
fn merges_of_few_keep_all() {
    let (mut left, mut right) = (Reservoir::for_k(10, 1).unwrap(), Reservoir::for_k(10, 2).unwrap());
    left.extend(0..4);
    right.extend(4..10);
    left.merge(&right).unwrap();
    assert!(left.sample().iter().copied().eq(0..10));
    assert!(left.log_w < 0.0, "full, so it has a threshold");
    let mut other = Reservoir::for_k(11, 3).unwrap();
    other.insert(1);
    assert!(left.merge(&other).unwrap_err().to_string().contains("k: 10 and 11"));
    let mut empty = Reservoir::for_k(10, 1).unwrap();
    empty.merge(&left).unwrap();
    assert_eq!(empty, left);
    let error = left.merge(&empty).unwrap_err();
    assert!(error.to_string().contains("its own seed"), "{error}");
}

#[test]
fn texts_take_the_memory_they_take() {
    let mut sample = Reservoir::for_k(3, 1).unwrap();
    sample.extend((0..100).map(|i| String::from("text ") + &i.to_string()));
    let texts: usize = sample.sample().iter().map(String::capacity).sum();
    assert_eq!(sample.memory_bytes(), size_of::<Reservoir<String>>() + 3 * size_of::<String>() + texts);
    let copy = Reservoir::<String>::from_bytes(&sample.to_bytes()).unwrap();
    assert_eq!(copy, sample);
    assert!(Reservoir::<u64>::from_bytes(&sample.to_bytes()).is_err());
}
