use super::*;
use alloc::format;

/// Mean and variance follow the literature, as the parameters state them.
#[test]
fn values_multiply_the_register() {
    for (probability, factor) in [(0.5, 2.0), (1.0 / 64.0, 64.0)] {
        let mut counter = BinomialCounter::with_params(BinomialParams::exact(probability, 20).unwrap(), 3);
        counter.increment_by(10_000);
        assert_eq!(counter.estimate().value(), f64::from(counter.register()) * factor);
    }
}

#[test]
fn with_probability_one_it_is_exact_until_full() {
    let mut counter = BinomialCounter::with_params(BinomialParams::exact(1.0, 4).unwrap(), 3);
    (0..14).for_each(|_| counter.increment());
    assert_eq!(counter.estimate(), Estimate::exact(14.0));
    counter.increment_by(100);
    assert!(counter.is_saturated());
    let estimate = counter.estimate();
    assert_eq!((estimate.lower(), estimate.upper()), (15.0, f64::INFINITY));
    counter.increment();
    counter.increment_by(u64::MAX);
    assert_eq!(counter.register(), 15);
    counter.clear();
    assert!(counter.is_empty() && !counter.is_saturated());
}

#[test]
fn a_register_of_zero_has_a_positive_upper_bound() {
    let mut counter = BinomialCounter::with_params(BinomialParams::exact(0.001, 8).unwrap(), 1);
    assert!(counter.is_empty());
    counter.increment();
    assert!(!counter.is_empty() && counter.register() == 0);
    let estimate = counter.estimate();
    assert!(estimate.lower() == 0.0 && estimate.upper() > 3000.0, "{estimate}");
}

#[test]
fn targets_are_met_or_refused() {
    for (largest, bits) in [(100, 8), (254, 8), (255, 8), (5000, 8), (1_000_000, 8), (1 << 40, 16)] {
        let params = BinomialParams::for_count(largest, bits).unwrap();
        let full = |p| crate::stats::binomial_sf(u64::from(params.max()) - 1, largest, p);
        assert!(full(params.probability()) <= 1e-6, "{largest} {bits}");
        if params.probability() < 1.0 {
            assert!(full(params.probability() * 1.001) > 1e-6, "{largest} {bits}");
        }
    }
    for (largest, bits) in [(0, 8), (u64::MAX, 2), (100, 0), (100, 33)] {
        assert!(BinomialParams::for_count(largest, bits).is_err(), "{largest} {bits}");
    }
}

#[test]
fn incompatible_counters_do_not_merge() {
    let mut counter = BinomialCounter::with_params(BinomialParams::exact(0.5, 8).unwrap(), 1);
    for (p, bits, field) in [(0.25, 8, "probability: 0.5 and 0.25"), (0.5, 7, "bits: 8 and 7")] {
        let other = BinomialCounter::with_params(BinomialParams::exact(p, bits).unwrap(), 2);
        let error = counter.merge(&other).unwrap_err();
        assert!(format!("{error}").contains(field), "{error}");
    }
}

#[test]
fn counters_of_an_array_are_separate() {
    let mut array = BinomialArray::with_params(100, BinomialParams::exact(1.0, 5).unwrap(), 1).unwrap();
    for index in 0..100 {
        array.increment_by(index, index as u64).unwrap();
        array.increment(index).unwrap();
    }
    for index in 0..100 {
        assert_eq!(array.register(index), Ok((index as u32 + 1).min(31)));
    }
    assert!(
        array.increment(100).is_err() && array.increment_by(100, 1).is_err() && array.estimate(100).is_err()
    );
    let mut other = BinomialArray::with_params(100, array.params(), 2).unwrap();
    other.increment_by(3, 5).unwrap();
    array.merge(&other).unwrap();
    assert_eq!(array.register(3), Ok(9));
}
