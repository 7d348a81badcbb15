//! The cuckoo filter: false positives.

use super::{assert_wrong_answers, sigmas};
use crivo::membership::CuckooParams;
use crivo::{CuckooFilter, HashSpec};

/// Builds filters with `inside` items each, with their own seeds: the number of false positives among `queries` absent
/// items is what the contents predict, and the number of items that share a cell with others is what the exact rate
/// predicts. Both are sums of independent rare events, at worst Poisson.
fn assert_rate(params: CuckooParams, inside: u64, filters: u64, queries: u64) {
    let context = format!("{inside} items in {params:?}");
    let cells = (params.windows() / 2 * ((1 << params.fingerprint_bits()) - 1)) as f64;
    let (mut expected, mut false_positives, mut shared) = (0.0, 0u64, 0.0);
    for seed in 0..filters {
        let mut filter = CuckooFilter::with_params(params).with_hash(HashSpec::seeded(seed ^ inside << 32));
        (0..inside).try_for_each(|item| filter.insert(&item)).unwrap();
        assert_eq!(filter.len(), inside);
        let rate = filter.fpr().value();
        expected += rate * queries as f64;
        shared += inside as f64 - rate * cells;
        false_positives += (inside..inside + queries).filter(|item| filter.contains(item)).count() as u64;
    }
    assert_wrong_answers(false_positives, expected, &context);
    let expected = (inside as f64 - params.fpr_at(inside) * cells) * filters as f64;
    let margin = sigmas() * expected.sqrt() + 5.0;
    assert!(
        (shared - expected).abs() < margin,
        "{context}: {shared:.1} share, expected {expected:.1} ± {margin:.1}"
    );
}

fn assert_rates(items: u64, fpr: f64, filters: u64, queries: u64) {
    let params = CuckooParams::for_fpr(items, fpr).unwrap();
    for inside in [items.div_ceil(2), items] {
        assert_rate(params, inside, filters, queries);
    }
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    assert_rates(3, 0.1, 10_000, 200);
    assert_rates(10, 0.2, 5000, 1000);
    assert_rates(10, 0.01, 5000, 1000);
    assert_rates(100, 0.001, 1000, 20_000);
    assert_rates(1000, 0.01, 200, 20_000);
    assert_rates(1000, 1e-4, 100, 50_000);
    assert_rates(30_000, 0.01, 10, 100_000);
    // Up to the last slots.
    let params = CuckooParams::exact(5000, 8).unwrap();
    assert_rate(params, 9500, 20, 20_000);
}

#[test]
#[ignore = "long tier: half a billion queries"]
fn false_positive_rate_of_tiny_filters_is_the_exact_one() {
    assert_rates(10, 1e-4, 10_000, 10_000);
}
