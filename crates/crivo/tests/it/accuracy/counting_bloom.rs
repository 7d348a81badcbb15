//! The counting Bloom filter: false positives, also after removals, and saturated counters.

use super::{COVERAGE_TRIALS, FALSE_ALARM, Sample, assert_rate};
use crivo::membership::CountingParams;
use crivo::stats::{binomial_band, binomial_sf};
use crivo::{CountingBloom, HashSpec};

fn filter(params: CountingParams, spec: HashSpec) -> CountingBloom {
    CountingBloom::with_params(params).with_hash(spec)
}

/// At half, full and double load.
#[test]
fn false_positive_rate_is_the_exact_one() {
    for (items, fpr, filters, queries) in
        [(10, 0.1, 5000, 1000), (100, 0.02, 500, 10_000), (1000, 0.01, 100, 20_000)]
    {
        let params = CountingParams::for_fpr(items, fpr).unwrap();
        for inside in [items / 2, items, 2 * items] {
            let context = format!("{inside} of {items} items at {fpr}");
            assert_rate(
                |spec| filter(params, spec),
                inside,
                params.fpr_at(inside),
                (filters, queries),
                &context,
            );
        }
    }
}

/// Removed items leave no trace: three times as many items were inserted, and two thirds of them removed.
#[test]
fn false_positive_rate_is_that_of_the_remaining_items() {
    let params = CountingParams::for_fpr(100, 0.02).unwrap().with_counter_bits(6).unwrap();
    let visited = |spec| {
        let mut filter = filter(params, spec);
        let visitors = 1_000_000..1_000_200u64;
        filter.extend(visitors.clone());
        visitors.for_each(|item| filter.remove(&item).unwrap());
        filter
    };
    assert_rate(visited, 100, params.fpr_at(100), (500, 10_000), "after removals");
}

/// A counter is saturated if 2ᵇ − 1 items or more fell on it, a binomial number: Binomial(n, 1 − (1 − 1/m)ᵏ).
#[test]
fn counters_saturate_as_theory_says() {
    for (counters, hashes, bits, items) in
        [(200, 4, 2, 30), (200, 4, 2, 100), (500, 7, 3, 200), (37, 3, 4, 80), (3, 5, 2, 3)]
    {
        let params = CountingParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap();
        let context = format!("{items} items on {counters} counters of {bits} bits");
        let max = (1u32 << bits) - 1;
        let (mut stopped, mut with_any) = (Sample::default(), 0.0);
        for seed in 0..COVERAGE_TRIALS {
            let mut filter = filter(params, HashSpec::seeded(seed));
            filter.extend(0..items);
            let count = filter.counters().iter().filter(|&value| value == max).count();
            stopped.push(count as f64);
            with_any += f64::from(u8::from(count > 0));
        }
        let hit = 1.0 - (1.0 - 1.0 / counters as f64).powi(hashes as i32);
        let mean = counters as f64 * binomial_sf(u64::from(max) - 1, items, hit);
        stopped.assert_mean(mean, stopped.moment(stopped.mean(), 2).sqrt(), &context);
        let bound = params.overflow_probability(items);
        assert!((bound - mean.min(1.0)).abs() <= 1e-12, "{context}");
        let (_, most) = binomial_band(COVERAGE_TRIALS, bound, FALSE_ALARM);
        assert!(with_any <= most, "{context}: {with_any} filters with stopped counters, at most {most}");
    }
}
