//! What sketches of 2^precision registers share: the range of precisions, and choosing one by a target.

use crate::{Error, Result};
use alloc::format;

pub(super) const MIN_PRECISION: u8 = 4;
pub(super) const MAX_PRECISION: u8 = 18;

/// Refuses a precision outside 4 to 18; `hint` tells what 12 gives.
pub(super) fn check(precision: u8, hint: &str) -> Result<()> {
    if (MIN_PRECISION..=MAX_PRECISION).contains(&precision) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a precision must be {MIN_PRECISION} to {MAX_PRECISION}, got {precision}; 12 gives {hint}"
    )))
}

/// Refuses to fold a sketch of precision `from` to one above, or below the least.
pub(super) fn check_fold(from: u8, to: u8) -> Result<()> {
    if (MIN_PRECISION..=from).contains(&to) {
        return Ok(());
    }
    Err(Error::invalid(format!("a sketch of precision {from} folds to {MIN_PRECISION} up to that, got {to}")))
}

/// Refuses to merge unlike precisions.
pub(super) fn check_same(ours: u8, theirs: u8) -> Result<()> {
    if ours == theirs {
        return Ok(());
    }
    let remedy = "fold the finer one to the precision of the other first";
    Err(Error::incompatible("precision", ours, theirs, remedy))
}

/// The lowest precision at which the error, called `name`, is at most the one asked for.
pub(super) fn for_error(name: &str, error: f64, error_at: impl Fn(u8) -> f64) -> Result<u8> {
    let met = |&precision: &u8| error_at(precision) <= error && error.is_finite();
    (MIN_PRECISION..=MAX_PRECISION).find(met).ok_or_else(|| {
        let least = error_at(MAX_PRECISION);
        Error::invalid(format!(
            "a relative {name} must be a number of at least {least:.5}, got {error}; 0.01 is usual"
        ))
    })
}

/// The highest precision at which a sketch takes at most `bytes` bytes.
pub(super) fn for_memory(bytes: u64, needed: impl Fn(u8) -> usize) -> Result<u8> {
    let fits = |&precision: &u8| needed(precision) as u64 <= bytes;
    (MIN_PRECISION..=MAX_PRECISION).rev().find(fits).ok_or_else(|| {
        let least = needed(MIN_PRECISION);
        Error::invalid(format!("a sketch takes {least} bytes at least, got {bytes}; give more"))
    })
}
