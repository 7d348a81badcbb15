//! Streams in orders that are hard for sketches of quantiles, and the coverage of bounds of values.

use super::FALSE_ALARM;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{Guarantee, QuantileEstimate};

/// The orders that a stream may have.
pub(super) const ORDERS: [&str; 7] =
    ["sorted", "reversed", "organ pipe", "constant", "heavy tailed", "few different", "random"];

/// `n` values in one of the orders.
pub(super) fn stream(order: &str, n: u64, rng: &mut Rng) -> Vec<u64> {
    let value = |i: u64, rng: &mut Rng| match order {
        "sorted" => i,
        "reversed" => n - i,
        "organ pipe" => i.min(n - i),
        "constant" => 7,
        "heavy tailed" => (1.0 / (1.0 - rng.unit()).powi(2)) as u64,
        "few different" => rng.below(5),
        _ => rng.below(2 * n),
    };
    (0..n).map(|i| value(i, rng)).collect()
}

pub(super) fn rank_of(sorted: &[u64], value: u64) -> f64 {
    sorted.partition_point(|&other| other <= value) as f64
}

/// Checks how often bounds in the type of the data contain the true value.
pub(super) fn assert_quantile_coverage(answers: &[QuantileEstimate<u64>], truth: u64, context: &str) {
    let covered =
        answers.iter().filter(|answer| (*answer.lower()..=*answer.upper()).contains(&truth)).count();
    let (least, _) = binomial_band(answers.len() as u64, 0.95, FALSE_ALARM);
    assert!(covered as f64 >= least, "{context}: {covered} of {} hold {truth}", answers.len());
    for answer in answers {
        assert!(answer.lower() <= answer.value() && answer.value() <= answer.upper(), "{context}: {answer}");
        let is_certain = answer.guarantee() == Guarantee::Certain;
        assert!(!is_certain || (*answer.lower()..=*answer.upper()).contains(&truth), "{context}: {answer}");
    }
}
