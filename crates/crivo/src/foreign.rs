//! What `crivo-interop` needs in order to read the sketches of others: checked reading, errors, and answers in this library's own
//! types, which `crivo-tables` makes too. It is no part of the documented interface.

use crate::cardinality::{Counts, estimate_of_hashes as of_hashes};
use crate::{Error, Estimate, Guarantee, QuantileEstimate, Result, quantile};
use alloc::borrow::Cow;

pub use crate::codec::Reader;
pub use crate::estimate::check_confidence;
pub use crate::stats::trial_bounds;

/// Creates an estimate; its interval is widened to contain the value.
pub fn estimate(value: f64, lower: f64, upper: f64, guarantee: Guarantee) -> Estimate {
    Estimate::new(value, lower, upper, guarantee)
}

/// Creates an estimate of a quantile; its ends must contain the value.
pub fn quantile<T>(value: T, lower: T, upper: T, guarantee: Guarantee) -> QuantileEstimate<T> {
    QuantileEstimate::new(value, lower, upper, guarantee)
}

/// Checks a share of all values.
///
/// # Errors
/// Returns `InvalidArgument` unless `q` is 0 to 1.
pub fn check_share_of_all(q: f64) -> Result<()> {
    quantile::check_share_of_all(q)
}

/// Returns the error of ranks that are off by independent errors of this sum of squares, by `most` together at most.
pub fn rank_radius(variance: f64, most: u64, confidence: f64) -> (u64, Guarantee) {
    quantile::radius_of(variance, most, confidence)
}

/// Returns the rank of a value that is at least the least and less than the greatest of `total` values.
pub fn rank_of(rank: u64, total: u64, radius: (u64, Guarantee)) -> Estimate {
    quantile::rank_of(rank, total, radius)
}

/// Returns a quantile of kept values, given in ascending order with the weight of all up to each, between two exact ends.
///
/// # Errors
/// Returns `InvalidArgument` unless `q` is 0 to 1.
pub fn quantile_of<T: Clone>(
    ranks: &[(u64, &T)],
    ends: (&T, &T),
    q: f64,
    radius: (u64, Guarantee),
) -> Result<QuantileEstimate<T>> {
    quantile::check_share_of_all(q)?;
    Ok(quantile::quantile_of(ranks, ends, q, radius))
}

/// Estimates the number of items from the registers of a `HyperLogLog` of any origin: the rank of an item is r with probability 2⁻ʳ
/// for r < `most`, and `most` otherwise. Greater ranks count as `most`, which is 65 − `precision` at most.
pub fn estimate_of_ranks(
    ranks: impl Iterator<Item = u8>,
    precision: u8,
    most: u8,
    confidence: f64,
) -> Estimate {
    let most = usize::from(most).min(65 - usize::from(precision));
    Counts::of_capped_ranks(ranks, precision, most).estimate(confidence)
}

/// Estimates the number of items from the number of their distinct hashes, of which two are equal with probability 1/`places`.
pub fn estimate_of_hashes(count: u64, places: f64, confidence: f64) -> Estimate {
    of_hashes(count, places, confidence)
}

/// A parameter is out of range.
pub fn invalid(message: impl Into<Cow<'static, str>>) -> Error {
    Error::invalid(message)
}

/// The bytes violate their format.
pub fn malformed(message: impl Into<Cow<'static, str>>) -> Error {
    Error::malformed(message)
}

/// The bytes need something that is not implemented.
pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Error {
    Error::unsupported(message)
}

/// `question` has no answer where nothing was inserted.
pub fn empty(question: &str) -> Error {
    Error::empty(question)
}

/// Two sketches differ in `field`; `what_to_do` completes the sentence.
pub fn incompatible(
    field: &str,
    ours: impl core::fmt::Display,
    theirs: impl core::fmt::Display,
    what_to_do: &str,
) -> Error {
    Error::incompatible(field, ours, theirs, what_to_do)
}
