//! The Bloom filter: false positives and the number of items.

use super::{COVERAGE_TRIALS, Coverage, assert_false_positives, assert_wrong_answers};
use crivo::{BloomFilter, BloomParams, HashSpec};

fn filter(params: BloomParams, seed: u64) -> BloomFilter {
    BloomFilter::with_params(params).with_hash(HashSpec::seeded(seed))
}

/// Checks a target of `fpr`. Weak derivations of the positions show in small filters.
fn assert_rate(items: u64, fpr: f64, filters: u64, queries: u64) {
    assert_rate_of(BloomParams::for_fpr(items, fpr).unwrap(), items, filters, queries);
}

fn assert_rate_of(params: BloomParams, items: u64, filters: u64, queries: u64) {
    let make = |spec| BloomFilter::with_params(params).with_hash(spec);
    let context = format!("{items} items in {params:?}");
    super::assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
}

/// The size of a filter for `items` items at `fpr`, folded this many times.
fn folded(items: u64, fpr: f64, folds: u32) -> BloomParams {
    let filter = BloomFilter::for_fpr(items, fpr).unwrap();
    (0..folds).fold(filter, |filter, _| filter.fold().unwrap()).params()
}

#[test]
fn false_positive_rate_of_folded_filters_is_the_exact_one() {
    assert_rate_of(folded(100, 1e-4, 1), 100, 2000, 5000);
    assert_rate_of(folded(1000, 1e-6, 2), 1000, 200, 5000);
    assert_rate_of(folded(1000, 1e-6, 2), 2000, 200, 1000);
    assert_rate_of(BloomParams::exact(4 * 1003, 2).unwrap(), 300, 1000, 2000);
}

/// An item in neither set is reported at the rate of the common bits, an item in one set at the rate of the other.
#[test]
fn intersections_have_the_reported_rate() {
    let params = BloomParams::for_fpr(1000, 0.02).unwrap();
    let make = |spec| {
        let (mut a, mut b) = (
            BloomFilter::with_params(params).with_hash(spec),
            BloomFilter::with_params(params).with_hash(spec),
        );
        a.extend(0..700u64);
        b.extend(500..1500u64);
        (a, b)
    };
    let both = |spec| {
        let (mut a, b) = make(spec);
        a.intersect(&b).unwrap();
        a
    };
    assert_false_positives(both, 1500, 200, 100_000, "items in neither set");
    let (mut expected, mut reported) = (0.0, 0u64);
    for seed in 0..500 {
        let spec = HashSpec::seeded(seed);
        expected += 500.0 * make(spec).1.fpr().value();
        let both = both(spec);
        reported += (0..500u64).filter(|item| both.contains(item)).count() as u64;
    }
    assert_wrong_answers(reported, expected, "items in one set");
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    assert_rate(10, 0.1, 20_000, 1000);
    assert_rate(10, 0.01, 20_000, 1000);
    assert_rate(100, 0.001, 2000, 50_000);
    assert_rate(1000, 0.01, 500, 20_000);
    assert_rate(1000, 1e-4, 200, 100_000);
    assert_rate(100_000, 0.01, 20, 100_000);
}

#[test]
#[ignore = "long tier: a billion queries"]
fn false_positive_rate_is_the_exact_one_down_to_a_millionth() {
    assert_rate(10, 1e-4, 20_000, 20_000);
    assert_rate(10, 1e-6, 20_000, 20_000);
    assert_rate(100, 1e-6, 2000, 200_000);
    assert_rate(1000, 1e-6, 400, 1_000_000);
    assert_rate(1_000_000, 0.001, 4, 1_000_000);
}

/// From empty to ten times the planned number of items.
fn assert_item_count(params: BloomParams, planned: u64) {
    let checkpoints = [0, 1, 2, planned / 10, planned / 2, planned, 2 * planned, 5 * planned, 10 * planned];
    let mut approximate: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
    let mut proven: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
    for seed in 0..COVERAGE_TRIALS {
        let mut filter = filter(params, seed);
        let mut inserted = 0;
        for (i, &count) in checkpoints.iter().enumerate() {
            while inserted < count {
                filter.insert(&inserted);
                inserted += 1;
            }
            approximate[i].push(&filter.cardinality(), count as f64);
            proven[i].push(&filter.cardinality_proven_at(0.95).unwrap(), count as f64);
        }
    }
    for (i, &count) in checkpoints.iter().enumerate() {
        // One more set bit moves the estimate by e^λ/k items.
        let load = f64::from(params.hashes()) * count as f64 / params.bits() as f64;
        let step = load.exp() / f64::from(params.hashes());
        let context = format!("{count} items in {} bits", params.bits());
        approximate[i].assert_rule(step, &context);
        proven[i].assert_rule(step, &format!("{context}, proven"));
    }
}

#[test]
fn number_of_items_is_covered_from_empty_to_ten_times_full() {
    assert_item_count(BloomParams::for_fpr(1000, 0.01).unwrap(), 1000);
    assert_item_count(BloomParams::for_fpr(100, 0.2).unwrap(), 100);
    assert_item_count(BloomParams::exact(256, 3).unwrap(), 40);
    assert_item_count(BloomParams::exact(1 << 16, 1).unwrap(), 1 << 13);
    assert_item_count(folded(1000, 1e-4, 1), 1000);
}

#[test]
fn common_items_are_covered() {
    let params = BloomParams::for_fpr(2000, 0.01).unwrap();
    for (only_a, only_b, common) in
        [(0, 0, 1000), (500, 500, 0), (900, 100, 600), (1000, 1000, 30), (4000, 3000, 1000)]
    {
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            let (mut a, mut b) = (filter(params, seed), filter(params, seed));
            a.extend(0..only_a + common);
            b.extend(only_a..only_a + common + only_b);
            coverage.push(&a.intersection_estimate(&b).unwrap(), f64::from(common));
        }
        // The estimate is cut at 0 and at the smaller set: up to half of the noise may be cut away.
        let step = if common == 0 || only_a + only_b == 0 { f64::INFINITY } else { 1.0 };
        coverage.assert_rule(step, &format!("{only_a} | {common} | {only_b}"));
    }
}
