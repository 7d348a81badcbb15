use super::*;
use crate::DEFAULT_CONFIDENCE;
use crate::ErrorKind;
use alloc::format;

/// The largest counts of the literature for a few bits.
#[test]
fn registers_reach_what_the_literature_says() {
    let reach = |bits| MorrisParams::exact(2.0, bits).unwrap().largest();
    assert_eq!(reach(4), 32_767.0);
    assert_eq!(reach(8), libm::exp2(255.0) - 1.0);
    assert_eq!(reach(10), libm::exp2(1023.0));
    assert!(MorrisParams::exact(2.0, 11).is_err(), "beyond the largest number");
}

/// The base for a count is the least that is enough: the next smaller one fills the register too often.
#[test]
fn a_count_takes_the_smallest_base() {
    for (largest, bits) in [(100, 4), (5000, 8), (1_000_000_000, 8), (u64::MAX, 12), (u64::MAX, 2)] {
        let params = MorrisParams::for_count(largest, bits).unwrap();
        let full = |excess: f64| {
            let params = MorrisParams::exact(1.0 + excess, bits).unwrap();
            law::reached_early(&params, params.max(), 1e-6)
        };
        let excess = params.base() - 1.0;
        assert!(full(excess) > largest as f64, "{largest} {bits}: {params:?}");
        assert!(full(excess * 0.999) <= largest as f64, "{largest} {bits}: {params:?}");
    }
    let exact = MorrisParams::for_count(200, 8).unwrap();
    assert!(exact.standard_error() < 1e-5, "a register that holds the count is exact: {exact:?}");
    for (largest, bits) in [(0, 8), (9, 1), (9, 33)] {
        assert_eq!(MorrisParams::for_count(largest, bits).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn the_first_increment_always_counts() {
    for base in [1.000_001, 1.5, 2.0, 1e10] {
        let mut counter = MorrisCounter::with_params(MorrisParams::exact(base, 3).unwrap(), 5);
        assert_eq!(counter.estimate(), Estimate::exact(0.0));
        counter.increment();
        assert_eq!((counter.register(), counter.estimate().value()), (1, 1.0));
        assert_eq!(counter.estimate().lower(), 1.0);
        let mut counter = MorrisCounter::with_params(counter.params(), 5);
        counter.increment_by(1);
        assert_eq!(counter.register(), 1);
        counter.clear();
        assert!(counter.is_empty());
    }
}

/// A full register stops, and reports it.
#[test]
fn full_registers_stay_full() {
    let mut counter = MorrisCounter::with_params(MorrisParams::exact(2.0, 2).unwrap(), 1);
    counter.increment_by(u64::MAX);
    assert!(counter.is_saturated());
    let estimate = counter.estimate();
    assert_eq!((estimate.value(), estimate.upper()), (7.0, f64::INFINITY));
    assert!(estimate.lower() >= 3.0);
    (0..1000).for_each(|_| counter.increment());
    let mut other = MorrisCounter::with_params(counter.params(), 2);
    other.increment_by(u64::MAX);
    counter.merge(&other).unwrap();
    assert_eq!(counter.register(), 3);
}

#[test]
fn targets_are_met_or_refused() {
    for (error, largest) in [(0.02, 1000), (0.1, 1_000_000_000), (0.5, 1 << 40), (2.0, u64::MAX)] {
        let params = MorrisParams::for_error(error, largest).unwrap();
        assert!(reached_early(&params, params.max(), 1e-6) > largest as f64);
        if let Ok(narrower) = MorrisParams::exact(params.base(), params.bits() - 1) {
            assert!(reached_early(&narrower, narrower.max(), 1e-6) <= largest as f64);
        }
        // At large counts the interval is that of the target, or a little narrower.
        for register in [params.max() / 2, params.max() - 1] {
            let estimate = estimate(&params, register, DEFAULT_CONFIDENCE);
            let reach =
                (estimate.upper() / estimate.value() - 1.0).max(1.0 - estimate.lower() / estimate.value());
            let whole = 1.0 / estimate.value();
            assert!(reach <= error * 1.000_001 + whole && reach > error * 0.9 - whole, "{error}: {reach}");
        }
    }
    let params = MorrisParams::for_standard_error(0.1, 1_000_000).unwrap();
    assert!((params.standard_error() - 0.1).abs() < 1e-12);
    for (error, largest) in [(1e-5, u64::MAX), (1e-9, 10), (0.1, 0), (-1.0, 10), (f64::NAN, 10)] {
        for refused in
            [MorrisParams::for_error(error, largest), MorrisParams::for_standard_error(error, largest)]
        {
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument, "{error} {largest}");
        }
    }
}

#[test]
fn counting_by_predicate() {
    let params = MorrisParams::exact(1.000_000_1, 20).unwrap();
    let counter = MorrisCounter::count_if(params, 1, 1..=1000, |number| number % 7 == 0);
    assert_eq!(counter.register(), 142, "a base so near 1 counts nearly all");
    assert_eq!(crate::counting::count_if(1..=1000, |number| number % 7 == 0), 142);
}

/// At counts of every size the distribution behind the bounds has a solution, and more confidence widens the bounds.
#[test]
fn bounds_are_in_order_everywhere() {
    for (base, bits) in
        [(1.0 + 1e-12, 32), (1.0001, 16), (1.01, 12), (1.5, 8), (2.0, 10), (9.0, 8), (1e20, 3)]
    {
        let params = MorrisParams::exact(base, bits).unwrap();
        let max = params.max();
        for register in [1, 2, 3, 5, max / 3, max / 2, max - 1, max] {
            let bars = [0.5, 0.95, 0.999_999].map(|confidence| estimate(&params, register, confidence));
            for pair in bars.windows(2) {
                assert!(pair[1].lower() <= pair[0].lower(), "{base} {register} {pair:?}");
                assert!(pair[0].upper() <= pair[1].upper(), "{base} {register} {pair:?}");
            }
            assert!(bars[0].lower() >= f64::from(register) && bars[0].lower() <= bars[0].value());
        }
    }
}

#[test]
fn incompatible_counters_do_not_merge() {
    let mut counter = MorrisCounter::with_params(MorrisParams::exact(2.0, 8).unwrap(), 1);
    for (base, bits, field) in [(1.5, 8, "base: 2 and 1.5"), (2.0, 7, "bits: 8 and 7")] {
        let other = MorrisCounter::with_params(MorrisParams::exact(base, bits).unwrap(), 2);
        let error = counter.merge(&other).unwrap_err();
        assert!(format!("{error}").contains(field), "{error}");
    }
    let params = MorrisParams::exact(2.0, 8).unwrap();
    let mut array = MorrisArray::with_params(3, params, 1).unwrap();
    let error = array.merge(&MorrisArray::with_params(4, params, 2).unwrap()).unwrap_err();
    assert!(format!("{error}").contains("counters: 3 and 4"), "{error}");
    assert!(MorrisArray::with_params(3, MorrisParams::exact(1.0001, 17).unwrap(), 1).is_err());
}

/// A million counters of eight bits take a megabyte.
#[test]
fn a_million_in_a_megabyte() {
    let mut array = MorrisArray::with_params(1_000_000, MorrisParams::exact(1.1, 8).unwrap(), 1).unwrap();
    array.increment(999_999).unwrap();
    assert!(array.memory_bytes() < 1_003_000, "{}", array.memory_bytes());
    assert!(array.to_bytes().len() < 1_000_100);
    assert_eq!((array.register(999_999), array.register(0), array.len()), (Ok(1), Ok(0), 1_000_000));
    assert!(array.increment(1_000_000).is_err() && array.estimate_at(0, 1.5).is_err());
}
