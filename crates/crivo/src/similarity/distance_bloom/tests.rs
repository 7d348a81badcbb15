use super::*;
use crate::similarity::Scheme;
use crate::{ErrorKind, MinHash, OnePermutation};

const HAMMING_100: Metric = Metric::Hamming { bits: 100 };

fn filter(metric: Metric) -> DistanceBloom {
    DistanceBloom::with_params(DistanceParams::exact(metric, 20, 4, 12, 500).unwrap())
}

#[test]
fn inserted_items_are_close() {
    let mut bits = filter(HAMMING_100);
    assert!(!bits.insert_bits(&[5, 9]).unwrap());
    assert!(bits.contains_bits(&[5, 9]).unwrap() && bits.insert_bits(&[5, 9]).unwrap());
    assert!(!bits.contains_bits(&[!5, 9]).unwrap());
    let mut sets = filter(Metric::Jaccard { scheme: Scheme::Functions, slots: 80 });
    let (mut one, mut other) = (MinHash::for_slots(80).unwrap(), MinHash::for_slots(80).unwrap());
    one.extend(0..1000u32);
    other.extend(1000..2000u32);
    assert!(!sets.insert(&one).unwrap());
    assert!(sets.contains(&one).unwrap() && !sets.contains(&other).unwrap());
}

#[test]
fn incompatible_inputs_are_refused() {
    let mut bits = filter(HAMMING_100);
    let signature = MinHash::for_slots(80).unwrap();
    let kind = |result: Result<bool>| result.unwrap_err().kind();
    assert_eq!(kind(bits.insert(&signature)), ErrorKind::Incompatible);
    assert_eq!(kind(bits.contains_slots(&[0; 80])), ErrorKind::Incompatible);
    assert_eq!(kind(bits.insert_bits(&[0])), ErrorKind::Incompatible);
    assert_eq!(kind(bits.insert_bits(&[0; 3])), ErrorKind::Incompatible);
    assert_eq!(kind(bits.insert_bits(&[0, 1 << 36])), ErrorKind::InvalidArgument);
    assert!(bits.is_empty());
    let mut sets = filter(Metric::Jaccard { scheme: Scheme::Functions, slots: 80 });
    assert_eq!(kind(sets.insert_bits(&[0, 0])), ErrorKind::Incompatible);
    assert_eq!(kind(sets.insert(&OnePermutation::for_slots(80).unwrap())), ErrorKind::Incompatible);
    assert_eq!(kind(sets.insert(&MinHash::for_slots(81).unwrap())), ErrorKind::Incompatible);
    let seeded = MinHash::for_slots(80).unwrap().with_hash(HashSpec::seeded(1));
    assert_eq!(kind(sets.insert(&seeded)), ErrorKind::Incompatible);
    assert!(sets.is_empty());
}

#[test]
fn incompatible_filters_do_not_merge() {
    let make = |metric, functions, samples, threshold, cells, spec| {
        let params = DistanceParams::exact(metric, functions, samples, threshold, cells).unwrap();
        DistanceBloom::with_params(params).with_hash(spec)
    };
    let spec = HashSpec::default();
    let mut ours = make(HAMMING_100, 20, 4, 12, 500, spec);
    for (other, field) in [
        (make(Metric::Hamming { bits: 101 }, 20, 4, 12, 500, spec), "metric"),
        (make(HAMMING_100, 21, 4, 12, 500, spec), "functions"),
        (make(HAMMING_100, 20, 5, 12, 500, spec), "samples"),
        (make(HAMMING_100, 20, 4, 11, 500, spec), "threshold"),
        (make(HAMMING_100, 20, 4, 12, 501, spec), "cells"),
        (make(HAMMING_100, 20, 4, 12, 500, HashSpec::seeded(1)), "hash"),
    ] {
        let error = ours.merge(&other).unwrap_err();
        assert!(error.kind() == ErrorKind::Incompatible && format!("{error}").contains(field), "{error}");
    }
}

#[test]
fn an_empty_filter_reports_nothing_and_a_full_one_everything() {
    let bits = filter(HAMMING_100);
    assert_eq!(bits.false_positive_rate(50.0).unwrap(), 0.0);
    assert_eq!(bits.false_negative_rate(0.0).unwrap(), 0.0);
    assert!((bits.false_negative_rate(100.0).unwrap() - 1.0).abs() < 1e-12);
    let mut bits = DistanceBloom::with_params(DistanceParams::exact(HAMMING_100, 20, 8, 12, 3).unwrap());
    let mut rng = crate::rng::Rng::new(1);
    for _ in 0..200 {
        bits.insert_bits(&[rng.next_u64(), rng.next_u64() >> 28]).unwrap();
    }
    assert_eq!(bits.fill(), 1.0);
    assert!((bits.false_positive_rate(100.0).unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(bits.false_negative_rate(100.0).unwrap(), 0.0);
    for bad in [-1.0, 101.0, f64::NAN] {
        assert!(bits.false_positive_rate(bad).is_err() && bits.false_negative_rate(bad).is_err(), "{bad}");
    }
}
