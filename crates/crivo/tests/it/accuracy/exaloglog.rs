//! ExaLogLog: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::counters::{assert_accuracy, assert_coverage, assert_errors, for_each_stream};
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::{ExaLogLog, HashSpec};
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng};
use rand_distr::{Binomial, Distribution};

fn make(precision: u8) -> impl Fn(HashSpec) -> ExaLogLog {
    move |spec| ExaLogLog::for_precision(precision).unwrap().with_hash(spec)
}

fn standard_error(precision: u8) -> impl Fn(u64) -> f64 {
    move |items| ExaLogLog::standard_error_at(precision, items).unwrap()
}

/// Simulates the sketch of `items` random hashes, many more than registers: the numbers of hashes with each number of
/// leading zeros are multinomial, and these fall uniformly on all pairs of register and lowest bits, which are the low
/// bits of a hash. One hash for each pair that is hit is inserted, from the most zeros on, until all windows have
/// passed.
fn simulated(precision: u8, items: u64, seed: u64) -> ExaLogLog {
    let mut sketch = ExaLogLog::for_precision(precision).unwrap();
    let mut rng = SmallRng::seed_from_u64(seed);
    let pairs = 4usize << precision;
    // All bits above those of the register may be zero.
    let most_zeros = 62 - i32::from(precision);
    let mut left = items;
    let mut passed = 0;
    for zeros in (0..=most_zeros).rev() {
        let first_one = if zeros == most_zeros { 0 } else { 1u64 << (63 - zeros) };
        // This many zeros, among hashes with at most this many.
        let beyond = 0.5f64.powi(zeros + 1);
        let chance = if zeros == most_zeros { 2.0 * beyond } else { beyond / (1.0 - beyond) };
        let here = if zeros == 0 { left } else { Binomial::new(left, chance).unwrap().sample(&mut rng) };
        left -= here;
        // With thirty hashes per pair none is missed: one would be once in 10⁹ sketches.
        let all = here >= 30 * pairs as u64;
        let mut hit = vec![all; pairs];
        if !all {
            // Three pairs from one random number: numbers of 20 bits are enough.
            for first in (0..here).step_by(3) {
                let random = rng.random::<u64>() as usize;
                for i in 0..3.min(here - first) {
                    hit[random >> (20 * i) & (pairs - 1)] = true;
                }
            }
        }
        let hashes: Vec<u64> =
            (0..pairs as u64).filter(|&pair| hit[pair as usize]).map(|pair| first_one | pair).collect();
        sketch.insert_hashes(&hashes);
        passed += u32::from(all);
        if passed > 5 {
            break;
        }
    }
    sketch
}

#[test]
fn bias_and_spread_up_to_forty_items_a_register() {
    let checkpoints = [1, 2, 10, 100, 500, 768, 769, 800, 1000, 2000, 4096, 7000, 10_000, 20_000, 40_000];
    assert_accuracy(make(10), &checkpoints, 2000, standard_error(10), "precision 10");
}

fn assert_simulated_accuracy(items: u64, trials: u64) {
    let mut errors = Sample::default();
    for seed in 0..trials {
        errors.push(simulated(10, items, seed).estimate().value() / items as f64 - 1.0);
    }
    assert_errors(&errors, items, standard_error(10)(items), "precision 10");
}

#[test]
fn bias_and_spread_at_a_billion() {
    assert_simulated_accuracy(1_000_000_000, 1000);
}

#[test]
#[ignore = "long tier: 4,000 sketches at each of four sizes"]
fn bias_and_spread_from_a_million_to_a_quarter_of_all_hashes() {
    for items in [10_000_000, 100_000_000, 1 << 60, 1 << 62] {
        assert_simulated_accuracy(items, 4000);
    }
}

/// The simulation has the distribution of real inserts.
#[test]
fn simulated_sketches_are_like_real_ones() {
    let items = 8000;
    let (mut real, mut drawn) = (Sample::default(), Sample::default());
    for_each_stream(make(8), &[items], 0..3000, |_, sketch| real.push(sketch.estimate().value()));
    (0..3000).for_each(|seed| drawn.push(simulated(8, items, seed).estimate().value()));
    let deviation = ExaLogLog::standard_error_at(8, items).unwrap() * items as f64;
    drawn.assert_mean(real.mean(), deviation * 2f64.sqrt(), "simulated mean");
    let ratio = drawn.moment(drawn.mean(), 2) / real.moment(real.mean(), 2);
    // A ratio of two sample variances: each has a relative noise of √(2/trials), a little more for the tails.
    let margin = super::sigmas() * (2.0 * 2.4 / 3000.0f64).sqrt();
    assert!((ratio - 1.0).abs() < margin, "ratio of variances {ratio}");
}

/// Memory times relative variance, the efficiency of a sketch: 3.70 for the registers alone, a little more for the
/// object and the file. HyperLogLog has 8.6 in memory and 6.5 in a file.
#[test]
#[ignore = "long tier: 20,000 sketches of a million items"]
fn memory_times_variance_is_small() {
    let mut errors = Sample::default();
    let mut sizes = (0, 0);
    for seed in 0..20_000 {
        let sketch = simulated(10, 1_000_000, seed);
        errors.push(sketch.estimate().value() / 1e6 - 1.0);
        sizes = (sketch.memory_bytes(), sketch.to_bytes().len());
    }
    assert_errors(&errors, 1_000_000, standard_error(10)(1_000_000), "precision 10");
    let variance = standard_error(10)(1_000_000).powi(2);
    let [memory, file] = [sizes.0, sizes.1].map(|bytes| 8.0 * bytes as f64 * variance);
    assert!(memory <= 4.0 && file <= 3.8, "{memory} {file}");
    // The sample confirms the theory to 5 %.
    let noise = (errors.moment(0.0, 4) - variance * variance) / errors.count();
    assert!(super::sigmas() * noise.sqrt() < 0.05 * variance);
}

/// The step by which the estimate moves at this many items: about one item while few share a value, later the share of
/// a value among all in the window.
fn step(precision: u8) -> impl Fn(u64) -> f64 {
    let registers = f64::from(1u32 << precision);
    move |items| (items as f64 / (8.0 * registers)).max(1.0)
}

/// Coverage from empty to `furthest` items per register, over `trials` seeds.
fn assert_coverage_up_to(precision: u8, furthest: u64, trials: u64) {
    let m = 1u64 << precision;
    let limit = (3 * m / 4).min(4096);
    let mut checkpoints =
        vec![0, 1, 2, m / 8, limit, limit + 1, limit + limit / 4, m, 2 * m, 5 * m, 10 * m, 30 * m];
    checkpoints.sort_unstable();
    checkpoints.dedup();
    checkpoints.retain(|&items| items <= furthest * m);
    assert_coverage(
        make(precision),
        &checkpoints,
        trials,
        step(precision),
        &format!("precision {precision}"),
    );
}

fn assert_simulated_coverage(precision: u8, items: u64) {
    let mut coverage = Coverage::default();
    for seed in 0..COVERAGE_TRIALS {
        coverage.push(&simulated(precision, items, seed).estimate(), items as f64);
    }
    coverage.assert_rule(step(precision)(items), &format!("precision {precision}, {items} items"));
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for precision in [4, 5, 6, 7, 8] {
        assert_coverage_up_to(precision, 30, COVERAGE_TRIALS);
    }
    for (precision, items) in [(4, 1_000_000_000), (4, 1 << 60), (4, 1 << 62), (6, 1_000_000_000)] {
        assert_simulated_coverage(precision, items);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 30,000 items"]
fn intervals_cover_at_high_precisions() {
    for (precision, furthest) in [(9, 30), (10, 30), (11, 10), (12, 5), (13, 2), (14, 1)] {
        assert_coverage_up_to(precision, furthest, COVERAGE_TRIALS);
    }
    // Few items on many registers: the estimate moves by whole items.
    for (precision, items) in [(16, 4097), (16, 20_000), (18, 4097)] {
        let context = format!("precision {precision}");
        assert_coverage(make(precision), &[items], COVERAGE_TRIALS, step(precision), &context);
    }
    assert_simulated_coverage(8, 1_000_000_000);
    assert_simulated_coverage(10, 1 << 60);
}
