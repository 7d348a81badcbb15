//! `LogLog`: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::COVERAGE_TRIALS;
use super::counters::{
    assert_accuracy, assert_coverage, assert_simulated_accuracy, assert_simulated_coverage,
    with_largest_ranks,
};
use crivo::HashSpec;
use crivo::baseline::LogLog;

fn make(precision: u8) -> impl Fn(HashSpec) -> LogLog {
    move |spec| LogLog::for_precision(precision).unwrap().with_hash(spec)
}

fn standard_error(precision: u8) -> impl Fn(u64) -> f64 {
    move |items| LogLog::standard_error_at(precision, items).unwrap()
}

/// Simulates the sketch of `items` random hashes.
fn simulated(precision: u8) -> impl Fn(u64, u64) -> LogLog {
    move |items, seed| with_largest_ranks(LogLog::for_precision(precision).unwrap(), precision, items, seed)
}

#[test]
fn bias_and_spread_up_to_ten_thousand() {
    let checkpoints = [1, 10, 256, 1000, 10_000];
    assert_accuracy(make(8), &checkpoints, 10_000, standard_error(8), "precision 8");
}

fn assert_simulated_errors(items: u64) {
    assert_simulated_accuracy(simulated(8), items, 10_000, standard_error(8)(items), "precision 8");
}

#[test]
fn bias_and_spread_at_a_billion() {
    assert_simulated_errors(1_000_000_000);
}

#[test]
#[ignore = "long tier: 10,000 sketches at each of five sizes"]
fn bias_and_spread_from_a_hundred_thousand_to_an_exabyte() {
    for items in [100_000, 1_000_000, 10_000_000, 100_000_000, 1 << 60] {
        assert_simulated_errors(items);
    }
}

/// Coverage from one item to ten per register, and at a billion.
fn assert_coverage_at(precision: u8) {
    let m = 1u64 << precision;
    let mut checkpoints = [0, 1, 3, m / 8, m / 2, m, 3 * m, 10 * m];
    checkpoints.sort_unstable();
    // A register that rises by one moves the estimate by the share (ln 2)/m, and by at least half an item.
    let step = |items: u64| (items as f64 / m as f64).max(0.5);
    let context = format!("precision {precision}");
    assert_coverage(make(precision), &checkpoints, COVERAGE_TRIALS, step, &context);
    assert_simulated_coverage(simulated(precision), 1_000_000_000, step(1_000_000_000), &context);
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for precision in [4, 8] {
        assert_coverage_at(precision);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 41,000 items"]
fn intervals_cover_at_other_precisions() {
    for precision in [5, 6, 7, 10, 12] {
        assert_coverage_at(precision);
    }
}
