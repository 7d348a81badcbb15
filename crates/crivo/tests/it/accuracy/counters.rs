//! What all counters of different items are held to: bias, spread and coverage at every number of items.

use super::{Coverage, Sample};
use crivo::HashSpec;
use crivo::sketch::Cardinality;

/// One stream a seed, judged at every checkpoint (numbers of different items, increasing).
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
            sketch.insert_hashes(&hashes).unwrap();
            inserted = count;
            judge(i, &sketch);
        }
    }
}

/// The relative errors of one stream a seed have no mean and the deviation that `standard_error` gives, at
/// each checkpoint.
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
    // The error of a sketch that keeps the hashes themselves is a rare missing item, whose spread a sample
    // of this size cannot judge.
    if deviation * items as f64 > 1.0 {
        errors.assert_deviation(0.0, deviation, &context);
    }
}

/// The intervals of one stream a seed hold the truth as often as the rule wants, at each checkpoint; `step` is by how much
/// the estimate of so many items moves at a time.
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
