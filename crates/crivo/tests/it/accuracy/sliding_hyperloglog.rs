//! `SlidingHyperLogLog`: bias, spread and coverage of windows of every width, and the number of times kept.

use super::counters::assert_errors;
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::{HashSpec, HyperLogLog, SlidingHyperLogLog};

/// A stream of distinct items, one at a time.
fn stream(precision: u8, items: u64, seed: u64) -> SlidingHyperLogLog {
    let spec = HashSpec::seeded(seed);
    let mut sketch = SlidingHyperLogLog::for_precision(precision, items).unwrap().with_hash(spec);
    for item in 0..items {
        sketch.insert(&item, item);
    }
    sketch
}

/// The relative standard error of a window of this many items.
fn standard_error(precision: u8, items: u64) -> f64 {
    let m = f64::from(1u32 << precision);
    let load = items as f64 / m;
    if load > 1.0 / 6.0 {
        return HyperLogLog::standard_error_at(precision, items).unwrap();
    }
    // Linear counting's: Whang et al.
    ((load.exp() - load - 1.0) / m).sqrt() / load
}

/// One stream per seed, in which a window of a number of time units has as many items.
fn assert_windows(precision: u8, furthest: u64, trials: u64) {
    let m = 1u64 << precision;
    let mut windows = vec![1, 2, 3, m / 16, m / 8, m / 6, m / 4, m / 2, m, 2 * m, 3 * m, 5 * m, 10 * m];
    windows.sort_unstable();
    windows.dedup();
    windows.retain(|&window| window <= furthest);
    let mut coverage: Vec<Coverage> = windows.iter().map(|_| Coverage::default()).collect();
    let mut errors: Vec<Sample> = windows.iter().map(|_| Sample::default()).collect();
    for seed in 0..trials {
        let sketch = stream(precision, furthest, seed);
        for (i, &window) in windows.iter().enumerate() {
            let estimate = sketch.estimate(window).unwrap();
            coverage[i].push(&estimate, window as f64);
            errors[i].push(estimate.value() / window as f64 - 1.0);
        }
    }
    for ((&window, coverage), errors) in windows.iter().zip(&coverage).zip(&errors) {
        let context = format!("precision {precision}, the last {window}");
        let load = window as f64 / m as f64;
        // The ends of an interval move by whole items: with five to eight to either side this alone can add 2 %, and
        // does with 128 items in 1,024 registers. The upper limit holds from eight on.
        let step = if load < 1.0 { 1.6 * load.exp() } else { load };
        coverage.assert_rule(step, &context);
        // The distribution of the estimator is asymptotic in the number of registers.
        if precision >= 10 {
            assert_errors(errors, window, standard_error(precision, window), &context);
        }
    }
}

#[test]
fn windows_of_every_width() {
    for precision in [4, 5, 6, 7, 8] {
        assert_windows(precision, 10 << precision, COVERAGE_TRIALS);
    }
    assert_windows(10, 1 << 9, COVERAGE_TRIALS);
}

#[test]
#[ignore = "long tier: 3,000 streams of up to 20,000 items"]
fn windows_of_every_width_at_higher_precisions() {
    assert_windows(10, 10 << 10, COVERAGE_TRIALS);
    assert_windows(12, 5 << 12, COVERAGE_TRIALS);
}

/// A register keeps half as many times as its rank, on average.
#[test]
fn memory_is_as_documented() {
    let (precision, items) = (8u8, 20_000u64);
    let m = 1 << precision;
    let mut times = Sample::default();
    for seed in 0..500 {
        let sketch = stream(precision, items, seed);
        let of_registers =
            sketch.memory_bytes() - SlidingHyperLogLog::for_precision(precision, 1).unwrap().memory_bytes();
        // Each also has a word of ranks in addition to the times.
        times.push(of_registers as f64 / f64::from(8 * m) - 1.0);
    }
    let load = items as f64 / f64::from(m);
    let mean_rank: f64 = (0..57).map(|rank| 1.0 - (-load * 2f64.powi(-rank)).exp()).sum();
    let deviation = times.moment(times.mean(), 2).sqrt();
    times.assert_mean(mean_rank / 2.0, deviation, "times a register");
    assert!((mean_rank - (load.log2() + 1.33)).abs() < 0.01, "{mean_rank}");
}
