//! The common accuracy tests of all counters of distinct items: bias, spread and coverage at every number of items.

use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::HashSpec;
use crivo::rng::Rng;
use crivo::sketch::Cardinality;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Binomial, Distribution};

/// One stream per seed, evaluated at every checkpoint (numbers of distinct items, increasing).
pub(super) fn for_each_stream<C: Cardinality>(
    make: impl Fn(HashSpec) -> C,
    checkpoints: &[u64],
    seeds: std::ops::Range<u64>,
    mut judge: impl FnMut(usize, &C),
) {
    for seed in seeds {
        let spec = HashSpec::seeded(seed);
        let mut sketch = make(spec);
        let mut inserted = 0u64;
        for (i, &count) in checkpoints.iter().enumerate() {
            let hashes: Vec<u64> = (inserted..count).map(|item| spec.hash(&item)).collect();
            sketch.try_insert_hashes(&hashes).unwrap();
            inserted = count;
            judge(i, &sketch);
        }
    }
}

/// The relative errors of one stream per seed have mean zero and the deviation of `standard_error`, at each checkpoint.
pub(super) fn assert_accuracy<C: Cardinality>(
    make: impl Fn(HashSpec) -> C,
    checkpoints: &[u64],
    trials: u64,
    standard_error: impl Fn(u64) -> f64,
    context: &str,
) {
    let mut errors: Vec<Sample> = checkpoints.iter().map(|_| Sample::default()).collect();
    for_each_stream(make, checkpoints, 0..trials, |i, sketch| {
        errors[i].push(sketch.estimate().value() / checkpoints[i] as f64 - 1.0);
    });
    for (&items, errors) in checkpoints.iter().zip(&errors) {
        assert_errors(errors, items, standard_error(items), context);
    }
}

/// Relative errors without bias and with this deviation.
pub(super) fn assert_errors(errors: &Sample, items: u64, deviation: f64, context: &str) {
    let context = format!("{context}, {items} items");
    errors.assert_mean(0.0, deviation, &context);
    // The error of a sketch that keeps the hashes themselves is a rare missing item, and a sample of this size cannot
    // judge its spread.
    if deviation * items as f64 > 1.0 {
        errors.assert_deviation(0.0, deviation, &context);
    }
}

/// The intervals of one stream per seed contain the true value as often as the rule requires, at each checkpoint;
/// `step` is the step by which the estimate moves at this many items.
pub(super) fn assert_coverage<C: Cardinality>(
    make: impl Fn(HashSpec) -> C,
    checkpoints: &[u64],
    trials: u64,
    step: impl Fn(u64) -> f64,
    context: &str,
) {
    let mut coverage: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
    for_each_stream(make, checkpoints, 0..trials, |i, sketch| {
        coverage[i].push(&sketch.estimate(), checkpoints[i] as f64);
    });
    for (&items, coverage) in checkpoints.iter().zip(&coverage) {
        coverage.assert_rule(step(items), &format!("{context}, {items} items"));
    }
}

/// Draws how many of `items` random hashes fall on each of 2^`bits` cells (multinomial), and visits each non-empty
/// cell.
pub(super) fn for_each_cell(bits: u8, items: u64, seed: u64, mut visit: impl FnMut(u64, u64, &mut SmallRng)) {
    let mut random = SmallRng::seed_from_u64(seed);
    let cells = 1u64 << bits;
    let mut left = items;
    for cell in 0..cells {
        let here = match cells - cell {
            1 => left,
            others => Binomial::new(left, 1.0 / others as f64).unwrap().sample(&mut random),
        };
        left -= here;
        if here > 0 {
            visit(cell, here, &mut random);
        }
    }
}

/// Simulates the sketch of `items` random hashes where a cell keeps its largest rank: the largest of c is at most k
/// with probability (1 − 2⁻ᵏ)ᶜ. Only the hash that sets each register is inserted.
pub(super) fn with_largest_ranks<C: Cardinality>(mut sketch: C, precision: u8, items: u64, seed: u64) -> C {
    let mut uniform = Rng::new(seed);
    for_each_cell(precision, items, seed, |register, here, _| {
        // 2⁻ᵏ ≥ 1 − u^(1/c) has the largest rank k; u is never 0.
        let u = (uniform.unit() + f64::EPSILON).min(1.0 - f64::EPSILON);
        let beyond = -(u.ln() / here as f64).exp_m1();
        let rank = (-beyond.log2()).floor() as u32 + 1;
        let rest = 64 - u32::from(precision);
        let first_one = if rank <= rest { 1 << (rest - rank) } else { 0 };
        sketch.try_insert_hash(register << rest | first_one).unwrap();
    });
    sketch
}

/// The relative errors of simulated sketches have mean zero and this deviation.
pub(super) fn assert_simulated_accuracy<C: Cardinality>(
    simulate: impl Fn(u64, u64) -> C,
    items: u64,
    trials: u64,
    standard_error: f64,
    context: &str,
) {
    let mut errors = Sample::default();
    for seed in 0..trials {
        errors.push(simulate(items, seed).estimate().value() / items as f64 - 1.0);
    }
    assert_errors(&errors, items, standard_error, context);
}

/// The intervals of simulated sketches contain the true value as often as the rule requires.
pub(super) fn assert_simulated_coverage<C: Cardinality>(
    simulate: impl Fn(u64, u64) -> C,
    items: u64,
    step: f64,
    context: &str,
) {
    let mut coverage = Coverage::default();
    for seed in 0..COVERAGE_TRIALS {
        coverage.push(&simulate(items, seed).estimate(), items as f64);
    }
    coverage.assert_rule(step, &format!("{context}, {items} items"));
}

/// Simulated sketches have the mean and the variance of real ones, in 4,000 trials. The `deviation` is that of the
/// estimates.
pub(super) fn assert_simulation<C: Cardinality>(
    make: impl Fn(HashSpec) -> C,
    simulate: impl Fn(u64, u64) -> C,
    items: u64,
    deviation: f64,
) {
    let (mut real, mut drawn) = (Sample::default(), Sample::default());
    for_each_stream(make, &[items], 0..4000, |_, sketch| real.push(sketch.estimate().value()));
    (0..4000).for_each(|seed| drawn.push(simulate(items, seed).estimate().value()));
    drawn.assert_mean(real.mean(), deviation * 2f64.sqrt(), "simulated mean");
    let ratio = drawn.moment(drawn.mean(), 2) / real.moment(real.mean(), 2);
    // A ratio of two sample variances: each has a relative noise of √(2/trials), a little more for the tails.
    let margin = super::sigmas() * (2.0 * 2.4 / 4000.0f64).sqrt();
    assert!((ratio - 1.0).abs() < margin, "ratio of variances {ratio}");
}
