//! Parameters of a [`LogQuantiles`](super::LogQuantiles).

use super::scale::{OCTAVES, ROUNDING};
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::LN_2;
use core::ops::RangeInclusive;
use libm::{ceil, expm1, log1p};

/// The numbers of buckets of an octave. A cell of the table has 12 bits for the bucket.
pub(super) const PER_OCTAVE: RangeInclusive<u32> = 1..=1 << 12;
/// The smallest error that can be asked for.
const LEAST_ERROR: f64 = 0.0001;
/// The octaves that a sketch keeps unless another number of buckets is asked for.
const USUAL_OCTAVES: u32 = 64;

/// The size of a [`LogQuantiles`](super::LogQuantiles): the number of buckets of an octave, which decides the relative
/// error, and the largest number of buckets of either sign, which bounds the memory.
///
/// ```
/// use crivo::quantile::LogQuantilesParams;
/// let params = LogQuantilesParams::for_error(0.01)?;
/// assert_eq!((params.buckets_per_octave(), params.buckets()), (35, 64 * 35));
/// assert!(params.relative_error() <= 0.01);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogQuantilesParams {
    per_octave: u32,
    buckets: u32,
}

impl LogQuantilesParams {
    /// Returns the smallest size with a relative error of at most `error`. Its buckets span 64 octaves, a factor of 2⁶⁴
    /// or 1.8·10¹⁹, below the largest magnitude.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is below 1 and at least 0.0001.
    pub fn for_error(error: f64) -> Result<Self> {
        if !(LEAST_ERROR..1.0).contains(&error) {
            return Err(Error::invalid(format!(
                "the relative error must be below 1 and at least {LEAST_ERROR}, got {error}; 0.01 is usual"
            )));
        }
        // The ends of a bucket may have the ratio (1 + error)/(1 − error).
        let mut per_octave = ceil(LN_2 / log1p(2.0 * error / (1.0 - error))) as u32;
        while relative_error(per_octave) > error {
            per_octave += 1;
        }
        Self::exact(per_octave, USUAL_OCTAVES * per_octave)
    }

    /// Returns the size with these numbers of buckets. With 2,098 times as many buckets as an octave has, every finite
    /// number has its own bucket and nothing is ever collapsed.
    ///
    /// ```
    /// use crivo::quantile::LogQuantilesParams;
    /// let whole = LogQuantilesParams::exact(35, 2098 * 35)?;
    /// assert!(whole.relative_error() < 0.01);
    /// assert!(LogQuantilesParams::exact(0, 100).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless an octave has 1 to 4,096 buckets, and there are 1 to 2,098 times as many in
    /// all.
    pub fn exact(buckets_per_octave: u32, buckets: u32) -> Result<Self> {
        if !PER_OCTAVE.contains(&buckets_per_octave) {
            return Err(Error::invalid(format!(
                "an octave must have 1 to 4096 buckets, got {buckets_per_octave}; 35 give a relative error of 1 %"
            )));
        }
        let most = OCTAVES * buckets_per_octave;
        if !(1..=most).contains(&buckets) {
            return Err(Error::invalid(format!(
                "the largest number of buckets must be 1 to {most}, the number of all octaves, got {buckets}; {} is usual",
                USUAL_OCTAVES * buckets_per_octave
            )));
        }
        Ok(Self { per_octave: buckets_per_octave, buckets })
    }

    /// Returns the number of buckets of an octave, the numbers from one power of two to the next.
    pub fn buckets_per_octave(&self) -> u32 {
        self.per_octave
    }

    /// Returns the largest number of consecutive buckets that are kept, of either sign.
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    /// Returns the largest relative error of a quantile that is not in the collapsed buckets.
    pub fn relative_error(&self) -> f64 {
        relative_error(self.per_octave)
    }
}

/// Returns (r − 1)/(r + 1) for the ratio r of the ends of a bucket, with all roundings.
fn relative_error(per_octave: u32) -> f64 {
    let excess = expm1(LN_2 / f64::from(per_octave));
    excess / (excess + 2.0) + ROUNDING
}

impl Params for LogQuantilesParams {
    const NAMES: &[&str] = &["buckets_per_octave", "buckets"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.per_octave.into(), self.buckets.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(narrow(numbers[0])?, narrow(numbers[1])?)
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.named();
        facts.push(Fact::number("relative_error", self.relative_error()));
        facts
    }
}
