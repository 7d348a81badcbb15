//! The quotient filter: false positives and numbers of copies.

use super::{COVERAGE_TRIALS, Coverage, assert_rate};
use crivo::membership::QuotientParams;
use crivo::{HashSpec, QuotientFilter};

/// At half, planned and double load; where there is no room for that, the filter grows.
fn assert_rates(planned: u64, fpr: f64, filters: u64, queries: u64) {
    let params = QuotientParams::for_fpr(planned, fpr).unwrap();
    let make = |spec| QuotientFilter::with_params(params).with_hash(spec);
    let grown = |spec| {
        let mut filter = make(spec);
        if filter.params().capacity() < 2 * planned {
            filter.grow().unwrap();
        }
        filter
    };
    for items in [planned / 2, planned] {
        let context = format!("{items} of {planned} items at {fpr}");
        assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
    }
    let items = 2 * planned;
    let context = format!("{items} of {planned} items at {fpr}");
    assert_rate(grown, items, params.fpr_at(items), (filters, queries), &context);
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    assert_rates(10, 0.1, 10_000, 1000);
    assert_rates(100, 0.01, 2000, 5000);
    assert_rates(1000, 0.001, 200, 50_000);
    assert_rates(100_000, 0.01, 5, 100_000);
}

/// Few fingerprints, many items: copies of others are counted too, and the interval allows for them.
#[test]
fn copies_are_covered() {
    for (quotients, bits, items) in [(64, 1, 50), (300, 2, 250), (64, 6, 40), (64, 2, 60), (1000, 12, 900)] {
        let params = QuotientParams::exact(quotients, bits).unwrap();
        for copies in [1u32, 2, 5] {
            let mut coverage = Coverage::default();
            for seed in 0..COVERAGE_TRIALS {
                let mut filter = QuotientFilter::with_params(params).with_hash(HashSpec::seeded(seed));
                for item in 0..items - copies {
                    filter.insert(&item).unwrap();
                }
                for _ in 0..copies {
                    filter.insert("asked").unwrap();
                }
                let answer = filter.frequency("asked");
                assert!(answer.value() >= f64::from(copies) && answer.upper() >= answer.value());
                coverage.push(&answer, copies.into());
            }
            let context = format!("{copies} of {items} in {quotients} quotients of {bits} bits");
            coverage.assert_rule(1.0, &context);
        }
    }
}
