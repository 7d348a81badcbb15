//! Signed Count-Min: errors on both sides, and their bounds.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::HashSpec;
use crivo::frequency::{CountMinParams, SignedCountMin, SignedCountMinParams};
use crivo::stats::binomial_band;

fn sketch(params: SignedCountMinParams, seed: u64, counts: &[i64]) -> SignedCountMin {
    let mut sketch = SignedCountMin::with_params(params).with_hash(HashSpec::seeded(seed));
    for (item, &count) in counts.iter().enumerate() {
        sketch.add(&item, count).unwrap();
    }
    sketch
}

/// Some counts of either sign, one of them large.
fn counts(items: usize) -> Vec<i64> {
    let count = |item: usize| [25, -3, 1, 7, -11][item % 5] * if item % 97 == 1 { 10 } else { 1 };
    (0..items).map(count).collect()
}

/// In one row of width w each of the other counts falls on the item's cell with probability 1/w: the error has mean
/// Σ b/w and variance Σ b²·(1/w)(1 − 1/w).
#[test]
fn one_row_errs_as_chance_does() {
    let params = SignedCountMinParams::exact(37, 1).unwrap();
    let counts = counts(100);
    let others: f64 = counts[1..].iter().sum::<i64>() as f64;
    let squares: f64 = counts[1..].iter().map(|&b| (b * b) as f64).sum();
    let mut errors = Sample::default();
    for seed in 0..20_000 {
        errors.push(sketch(params, seed, &counts).frequency(&0usize).value() - counts[0] as f64);
    }
    let chance = 1.0 / 37.0;
    let deviation = (squares * chance * (1.0 - chance)).sqrt();
    errors.assert_mean(others * chance, deviation, "error");
    errors.assert_deviation(others * chance, deviation, "error");
}

/// Intervals of items with positive, negative and no counts, from empty to far beyond the width.
#[test]
fn frequencies_are_covered() {
    for (width, depth) in [(50, 5), (10, 3), (40, 4), (7, 1)] {
        let params = SignedCountMinParams::exact(width, depth).unwrap();
        for items in [0, 1, width as usize, 10 * width as usize] {
            let counts = counts(items);
            for queried in [0, 1, usize::MAX] {
                let mut coverage = Coverage::default();
                let truth = if queried < items { counts[queried] } else { 0 };
                for seed in 0..COVERAGE_TRIALS {
                    let mut sketch = sketch(params, seed, &counts);
                    // Counts that were added and subtracted again have no effect.
                    sketch.add("gone", 50).unwrap();
                    sketch.add("gone", -50).unwrap();
                    coverage.push(&sketch.frequency(&queried), truth as f64);
                }
                coverage.assert_rule(1.0, &format!("{params:?}, {items} items, item {queried}"));
            }
        }
    }
}

/// Counts how many of many sketches are off by more than `limit`: at most the share `miss`, within the noise of the
/// trials.
fn assert_promise(params: SignedCountMinParams, counts: &[i64], limit: f64, miss: f64, context: &str) {
    let is_off = |seed: &u64| {
        let answer = sketch(params, *seed, counts).frequency(&0usize).value();
        (answer - counts[0] as f64).abs() > limit
    };
    let broken = (0..COVERAGE_TRIALS).filter(is_off).count() as f64;
    let (_, most) = binomial_band(COVERAGE_TRIALS, miss, FALSE_ALARM);
    assert!(broken <= most, "{context}: {broken} of {COVERAGE_TRIALS} beyond, at most {most}");
}

/// A few heavy items that the rows can collide with are the worst case for Markov's inequality.
fn rivals(width: u64, share: f64) -> Vec<i64> {
    let rivals = (width as f64 * share).ceil() as usize;
    [vec![1], vec![1000; rivals], vec![-1; width as usize]].concat()
}

/// An error above ε of the volume has probability at most δ.
#[test]
fn the_promised_error_is_kept() {
    for (epsilon, delta) in [(0.1, 0.1), (0.05, 0.3), (0.2, 0.01)] {
        let params = SignedCountMinParams::for_error(epsilon, delta).unwrap();
        let counts = rivals(params.width(), 0.9 / params.width() as f64 / epsilon);
        let volume: i64 = counts.iter().map(|count| count.abs()).sum();
        assert_promise(params, &counts, epsilon * volume as f64, delta, &format!("ε {epsilon}, δ {delta}"));
    }
}

/// The bound of the literature: in a table of ⌈e/ε⌉ by ⌈ln 1/δ⌉ an error above 3ε‖A‖₁ has probability at most δ^(1/4).
#[test]
fn the_bound_of_the_literature_holds() {
    for (epsilon, delta) in [(0.1f64, 0.1f64), (0.05, 0.3), (0.2, 0.01)] {
        let like = CountMinParams::for_error(epsilon, delta).unwrap();
        let params = SignedCountMinParams::exact(like.width(), like.depth()).unwrap();
        let counts = rivals(params.width(), 0.3 / params.width() as f64 / epsilon);
        let norm: i64 = counts.iter().map(|count| count.abs()).sum();
        let limit = 3.0 * epsilon * norm as f64;
        assert_promise(params, &counts, limit, delta.powf(0.25), &format!("ε {epsilon}, δ {delta}"));
    }
}

#[test]
fn products_are_covered() {
    let params = SignedCountMinParams::exact(60, 5).unwrap();
    for size in [1, 60, 600] {
        let (a, b) = (counts(size), counts(size + size / 2)[size / 2..].to_vec());
        let truth: i64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            let product = sketch(params, seed, &a).inner_product(&sketch(params, seed, &b)).unwrap();
            coverage.push(&product, truth as f64);
        }
        coverage.assert_rule(1.0, &format!("product of {size} items"));
    }
}
