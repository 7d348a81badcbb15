//! The spectral Bloom filter: how often its counts are too high, and its bounds.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, assert_rate};
use crivo::HashSpec;
use crivo::membership::{SpectralBloom, SpectralParams};
use crivo::stats::binomial_band;

fn filter(params: SpectralParams, seed: u64) -> SpectralBloom {
    SpectralBloom::with_params(params).with_hash(HashSpec::seeded(seed))
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    for (items, fpr, filters, queries) in [(10, 0.1, 5000, 1000), (100, 0.02, 500, 10_000)] {
        let plain = SpectralParams::for_fpr(items, fpr).unwrap();
        for params in [plain, plain.minimal_increase()] {
            for inside in [items / 2, items, 2 * items] {
                let make = |spec| SpectralBloom::with_params(params).with_hash(spec);
                let context = format!("{inside} of {items} items at {fpr}, {params:?}");
                assert_rate(make, inside, params.fpr_at(inside), (filters, queries), &context);
            }
        }
    }
}

/// The count of an item is too high if others use all its counters: as often as an absent item is reported.
#[test]
fn answers_are_too_high_as_often_as_planned() {
    let trials = 20_000;
    for (counters, hashes, others) in [(60, 3, 10), (60, 3, 40), (200, 5, 30), (10, 1, 5), (5, 4, 2)] {
        let params = SpectralParams::exact(counters, hashes).unwrap();
        let too_high = (0..trials)
            .filter(|&seed| {
                let mut filter = filter(params, seed);
                (0..=others).for_each(|item| filter.add(&item, 1 + item % 3));
                filter.frequency(&0u64).value() > 1.0
            })
            .count() as f64;
        let (low, high) = binomial_band(trials, params.fpr_at(others), FALSE_ALARM);
        assert!(
            (low..=high).contains(&too_high),
            "{params:?}, {others} others: {too_high} answers too high, {low} to {high} expected"
        );
    }
}

/// Intervals of frequent, rare and absent items, from empty to far beyond the plan, by plain and minimal increase and
/// after removals: one answer per seed, since the answers of one filter share its hash.
#[test]
fn frequencies_are_covered() {
    for (counters, hashes) in [(200, 4), (20, 2), (100, 1), (7, 3)] {
        let plain = SpectralParams::exact(counters, hashes).unwrap();
        let planned = counters / u64::from(hashes);
        let narrow = plain.with_counter_bits(5).unwrap();
        for (params, removes) in [
            (plain, false),
            (plain.minimal_increase(), false),
            (plain, true),
            (narrow, false),
            (narrow, true),
        ] {
            for items in [1, planned / 2, planned, 5 * planned] {
                for (queried, truth) in [(0, 20.0), (1, 1.0), (u64::MAX, 0.0)] {
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        let mut filter = filter(params, seed);
                        let extra = if removes { 15 } else { 0 };
                        filter.add(&0u64, 20 + extra);
                        (1..items)
                            .for_each(|item| filter.add(&item, 1 + item % 3 * (item - 1).min(1) + extra));
                        if removes {
                            (0..items).for_each(|item| filter.remove(&item, extra).unwrap());
                        }
                        let answer = filter.frequency(&queried);
                        let truth = if queried < items { truth } else { 0.0 };
                        assert!(answer.upper() >= truth, "too low");
                        coverage.push(&answer, truth);
                    }
                    coverage.assert_rule(1.0, &format!("{params:?}, {items} items, item {queried}"));
                }
            }
        }
    }
}
