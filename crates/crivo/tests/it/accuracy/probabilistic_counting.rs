//! `ProbabilisticCounting`: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::COVERAGE_TRIALS;
use super::counters::{
    assert_accuracy, assert_coverage, assert_simulated_accuracy, assert_simulated_coverage,
    assert_simulation, for_each_cell,
};
use crivo::HashSpec;
use crivo::baseline::ProbabilisticCounting;
use rand::RngCore;
use rand_distr::{Binomial, Distribution};

fn make(precision: u8) -> impl Fn(HashSpec) -> ProbabilisticCounting {
    move |spec| ProbabilisticCounting::for_precision(precision).unwrap().with_hash(spec)
}

fn standard_error(precision: u8) -> impl Fn(u64) -> f64 {
    move |items| ProbabilisticCounting::standard_error_at(precision, items).unwrap()
}

/// Simulates the sketch of `items` random hashes. Of c items in a bitmap, the number of those with at least k zeros is
/// binomial, and only they are drawn: k is such that about a hundred are, and a bit below k is clear with probability
/// at most e⁻⁶⁴. Those bits are set outright.
fn simulated(precision: u8) -> impl Fn(u64, u64) -> ProbabilisticCounting {
    move |items, seed| {
        let mut sketch = ProbabilisticCounting::for_precision(precision).unwrap();
        let rest = 64 - u32::from(precision);
        for_each_cell(precision, items, seed, |bitmap, here, random| {
            let sure = (here / 64).checked_ilog2().unwrap_or(0);
            let drawn = Binomial::new(here, 0.5f64.powi(sure as i32)).unwrap().sample(random);
            for zeros in 0..sure {
                sketch.insert_hash(bitmap << rest | 1 << (rest - 1 - zeros));
            }
            for _ in 0..drawn {
                sketch.insert_hash(bitmap << rest | random.next_u64() >> (u32::from(precision) + sure));
            }
        });
        sketch
    }
}

#[test]
fn simulated_sketches_are_like_real_ones() {
    let items = 30_000;
    let deviation = standard_error(6)(items) * items as f64;
    assert_simulation(make(6), simulated(6), items, deviation);
}

#[test]
fn bias_and_spread_up_to_five_thousand() {
    // One item gives 0 or 2: two values have no noise from which to judge their spread.
    let checkpoints = [2, 40, 256, 5000];
    assert_accuracy(make(8), &checkpoints, 10_000, standard_error(8), "precision 8");
}

fn assert_simulated_errors(items: u64) {
    assert_simulated_accuracy(simulated(6), items, 10_000, standard_error(6)(items), "precision 6");
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

/// Coverage from one item to twenty per bitmap, and at a billion.
fn assert_coverage_at(precision: u8) {
    let m = 1u64 << precision;
    let mut checkpoints = [0, 1, 3, m / 8, m / 2, m, 4 * m, 20 * m];
    checkpoints.sort_unstable();
    // An R that rises by one moves the estimate by the share (ln 2)/m, and by at least two items: half of them have bit
    // 0.
    let step = |items: u64| (items as f64 / m as f64).max(2.0);
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
#[ignore = "long tier: 3,000 sketches of up to 82,000 items"]
fn intervals_cover_at_other_precisions() {
    for precision in [5, 6, 7, 10, 12] {
        assert_coverage_at(precision);
    }
}
