//! HyperLogLog: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::counters::{
    assert_accuracy, assert_coverage, assert_simulated_accuracy, assert_simulated_coverage,
    assert_simulation, for_each_stream, with_largest_ranks,
};
use super::sets::{Sizes, coverage_of};
use super::{COVERAGE_TRIALS, Sample};
use crivo::cardinality::{Estimator, Sets};
use crivo::{Estimate, HashSpec, HyperLogLog, compare_sets};

fn make(precision: u8) -> impl Fn(HashSpec) -> HyperLogLog {
    move |spec| HyperLogLog::for_precision(precision).unwrap().with_hash(spec)
}

fn standard_error(precision: u8) -> impl Fn(u64) -> f64 {
    move |items| HyperLogLog::standard_error_at(precision, items).unwrap()
}

/// Simulates the sketch of `items` random hashes.
fn simulated(precision: u8) -> impl Fn(u64, u64) -> HyperLogLog {
    move |items, seed| {
        with_largest_ranks(HyperLogLog::for_precision(precision).unwrap(), precision, items, seed)
    }
}

#[test]
fn bias_and_spread_up_to_a_hundred_thousand() {
    let checkpoints: Vec<u64> =
        [1, 2, 10, 100, 500, 682, 683, 700, 1000, 2000, 4096, 7000, 10_000, 14_000, 20_000]
            .into_iter()
            .chain([40_000, 100_000])
            .collect();
    assert_accuracy(make(12), &checkpoints, 10_000, standard_error(12), "precision 12");
}

fn assert_simulated_errors(items: u64, trials: u64) {
    assert_simulated_accuracy(simulated(12), items, trials, standard_error(12)(items), "precision 12");
}

#[test]
fn bias_and_spread_at_a_billion() {
    assert_simulated_errors(1_000_000_000, 10_000);
}

#[test]
#[ignore = "long tier: 10,000 sketches at each of six sizes"]
fn bias_and_spread_from_a_hundred_thousand_to_an_exabyte() {
    for items in [100_000, 300_000, 1_000_000, 10_000_000, 100_000_000, 1 << 60] {
        assert_simulated_errors(items, 10_000);
    }
}

/// The simulation has the distribution of real inserts.
#[test]
fn simulated_sketches_are_like_real_ones() {
    let items = 30_000;
    let deviation = HyperLogLog::standard_error_at(10, items).unwrap() * items as f64;
    assert_simulation(make(10), simulated(10), items, deviation);
}

/// Coverage from empty to `furthest` items per register, over `trials` seeds.
fn assert_coverage_up_to(precision: u8, furthest: u64, trials: u64) {
    let m = 1u64 << precision;
    let limit = (m / 6).min(4096);
    let mut checkpoints =
        vec![0, 1, 2, m / 8, limit, limit + 1, m / 4, m / 2, m, 2 * m, 5 * m / 2, 3 * m, 5 * m, 10 * m];
    checkpoints.sort_unstable();
    checkpoints.dedup();
    checkpoints.retain(|&items| items <= furthest * m);
    // One more empty register in use moves the estimate by e^λ while λ = n/m is small (linear counting);
    // later a register that rises moves it by about a share 1/m.
    let step = |items: u64| {
        let load = items as f64 / m as f64;
        if load < 1.0 { load.exp() } else { load }
    };
    assert_coverage(make(precision), &checkpoints, trials, step, &format!("precision {precision}"));
}

fn assert_coverage_at_a_billion(precision: u8) {
    let step = 1e9 / f64::from(1u32 << precision);
    assert_simulated_coverage(simulated(precision), 1_000_000_000, step, &format!("precision {precision}"));
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for precision in [4, 5, 6, 7, 8, 10, 12] {
        assert_coverage_up_to(precision, 10, COVERAGE_TRIALS);
        assert_coverage_at_a_billion(precision);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 650,000 items"]
fn intervals_cover_at_the_highest_precisions() {
    for precision in [9, 11, 14, 16] {
        assert_coverage_up_to(precision, 10, COVERAGE_TRIALS);
    }
    assert_coverage_at_a_billion(14);
    // With a few thousand items in this many registers the estimator moves by whole items, and covers 96 %: closer to
    // the limit, so more seeds.
    assert_coverage_up_to(18, 1, 4 * COVERAGE_TRIALS);
}

/// m times the mean of 2^−M at λ items per register is the denominator of the raw estimator.
fn mean_weight(load: f64) -> f64 {
    let at_most = |rank: i32| (-load * 2f64.powi(-rank)).exp();
    (1..64).map(|rank| 2f64.powi(-rank) * (at_most(rank) - at_most(rank - 1))).sum::<f64>() + at_most(0)
}

/// The bias and the deviation of linear counting (Whang, Vander-Zanden and Taylor), relative.
fn law_of_linear_counting(items: u64, registers: f64) -> (f64, f64) {
    let load = items as f64 / registers;
    let excess = load.exp() - load - 1.0;
    (excess / 2.0 / items as f64, (registers * excess).sqrt() / items as f64)
}

/// Precision 12: the claims of each estimator against the errors of all four.
fn assert_estimators(items: u64, errors: &[Sample; 4]) {
    let (m, context) = (4096.0f64, format!("{items} items"));
    let [linear, original, corrected, ertl] = errors;
    let deviation = HyperLogLog::standard_error_at(12, items).unwrap().max((0.5 / m).sqrt());
    ertl.assert_mean(0.0, deviation, &format!("Ertl, {context}"));
    // Without the corrections of Ertl the spread is up to a tenth larger below 5m.
    corrected.assert_mean(0.0, 1.1 * deviation, &format!("bias-corrected, {context}"));
    // There are plenty of empty registers.
    if items <= 3 * 4096 {
        let (bias, deviation) = law_of_linear_counting(items, m);
        linear.assert_mean(bias, deviation, &format!("linear counting, {context}"));
        // A sample of rare shared registers cannot judge their spread.
        if deviation * items as f64 > 1.0 {
            linear.assert_deviation(bias, deviation, &format!("linear counting, {context}"));
        }
    }
    // Far from its switch at 5m/2 the original estimator is one of its two formulas.
    let context = format!("original, {context}");
    if items <= 4096 {
        let (bias, deviation) = law_of_linear_counting(items, m);
        original.assert_mean(bias, deviation, &context);
    }
    if items >= 5 * 4096 {
        let load = items as f64 / m;
        let raw_bias = 0.5 / std::f64::consts::LN_2 / (load * mean_weight(load)) - 1.0;
        original.assert_mean(raw_bias, 1.1 * deviation, &context);
    }
    // Near the switch it is too high.
    if (5 * 4096 / 2..12_000).contains(&items) {
        let noise = super::sigmas() * deviation / original.count().sqrt();
        assert!(original.mean() > noise, "{context}: {}", original.mean());
    }
}

const ESTIMATORS: [Estimator; 4] =
    [Estimator::LinearCounting, Estimator::Original, Estimator::BiasCorrected, Estimator::Ertl];

/// Every estimator, around the switch of the original at 5m/2 and from one item to a billion.
#[test]
fn every_estimator_keeps_to_its_law() {
    let checkpoints = [1, 10, 100, 1000, 4096, 8192, 10_240, 11_000, 20_480, 40_960];
    let mut errors = checkpoints.map(|_| ESTIMATORS.map(|_| Sample::default()));
    let judge = |errors: &mut [Sample; 4], sketch: &HyperLogLog, items: u64| {
        for (errors, estimator) in errors.iter_mut().zip(ESTIMATORS) {
            errors.push(sketch.estimate_with(estimator) / items as f64 - 1.0);
        }
    };
    for_each_stream(make(12), &checkpoints, 0..2000, |i, sketch| {
        judge(&mut errors[i], sketch, checkpoints[i]);
    });
    for (items, errors) in checkpoints.into_iter().zip(&errors) {
        assert_estimators(items, errors);
    }
    for items in [1_000_000, 1_000_000_000] {
        let mut errors = ESTIMATORS.map(|_| Sample::default());
        (0..1000).for_each(|seed| judge(&mut errors, &simulated(12)(items, seed), items));
        assert_estimators(items, &errors);
    }
}

/// What two sketches say about two sets: of unlike sizes, of any overlap, and where one is still sparse.
#[test]
fn sets_are_covered() {
    for (precision, sizes) in [
        (10, Sizes::alike(3000, 0.0)),
        (10, Sizes::alike(3000, 0.4)),
        (10, Sizes::alike(4000, 0.9)),
        (10, Sizes::alike(2000, 1.0)),
        (10, Sizes { first: 300, second: 2700, both: 300 }),
        (10, Sizes { first: 50, second: 9000, both: 50 }),
        (8, Sizes::alike(3000, 0.2)),
        (12, Sizes::alike(5000, 0.02)),
    ] {
        let coverages = coverage_of(sizes, |sizes, seed| {
            let spec = HashSpec::seeded(seed);
            let [first, second] = sizes.hashes(spec).map(|hashes| {
                let mut sketch = HyperLogLog::for_precision(precision).unwrap().with_hash(spec);
                sketch.insert_hashes(&hashes);
                sketch
            });
            let sets = compare_sets(&first, &second).unwrap();
            [sets.intersection, sets.only_first, sets.similarity]
        });
        // A part that is nothing or all of a set cannot be missed on one side. Else a register more that differs is a step, and
        // the upper limit applies from ten steps on.
        let step = 2.0 * sizes.all() as f64 / f64::from(1u32 << precision);
        let is_inside = |part: u64, whole: u64| 10 * part > whole && 10 * part < 9 * whole;
        let smaller = sizes.both + sizes.first.min(sizes.second);
        let inside =
            [is_inside(sizes.both, smaller), is_inside(sizes.first, sizes.first + sizes.both), false];
        let steps = inside.map(|is_inside| if is_inside { step } else { f64::INFINITY });
        for ((coverage, name), step) in
            coverages.iter().zip(["intersection", "difference", "similarity"]).zip(steps)
        {
            coverage.assert_rule(step, &format!("{name} at precision {precision} of {sizes:?}"));
        }
    }
}

/// Intervals that know how the three errors go together are about half as long as bars that add up, or less.
#[test]
fn sets_have_close_intervals() {
    let sizes = Sizes::alike(40_000, 0.1);
    let [first, second] = sizes.hashes(HashSpec::default()).map(|hashes| {
        let mut sketch = HyperLogLog::for_precision(12).unwrap();
        sketch.insert_hashes(&hashes);
        sketch
    });
    let mut union = first.clone();
    union.merge(&second).unwrap();
    let sum = Sets::by_inclusion_exclusion(first.estimate(), second.estimate(), union.estimate());
    let sets = compare_sets(&first, &second).unwrap();
    let pairs = [
        (sets.intersection, sum.intersection),
        (sets.only_first, sum.only_first),
        (sets.similarity, sum.similarity),
    ];
    for (close, sum) in pairs {
        let length = |answer: Estimate| answer.upper() - answer.lower();
        assert_eq!(close.value(), sum.value());
        assert!(length(close) < 0.6 * length(sum), "{close:.3} {sum:.3}");
    }
}
