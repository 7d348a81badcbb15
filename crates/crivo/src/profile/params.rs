//! The accuracy of a profile.

use crate::cardinality::K;
use crate::codec::{Reader, put_u64_varint};
use crate::quantile::{ERROR_TIMES_K, LogQuantilesParams};
use crate::sketch::{Fact, Params, narrow};
use crate::{KMinValues, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, sqrt};

/// What the number of kept hashes is increased by in a file, if there are quantiles by value.
const BY_VALUE: u64 = 1 << 21;
/// The octaves below the largest magnitude in which quantiles by value keep their error.
const OCTAVES: u32 = 64;

/// The accuracy of the answers about a column, which determines the memory of a column.
///
/// ```
/// use crivo::profile::ProfileParams;
/// let usual = ProfileParams::default();
/// assert_eq!(usual, ProfileParams::for_error(0.02)?);
/// assert_eq!((usual.counters(), usual.kept()), (8192, 9800));
/// assert!(usual.rank_error() <= 0.005 && usual.relative_error().unwrap() <= 0.01);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileParams {
    kept: u32,
    by_value: bool,
}

impl ProfileParams {
    /// Returns parameters with which numbers of distinct values are off by at most this share, with 95 % confidence, in
    /// columns with more values than [`counters`](Self::counters).
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is a number and possible: at least 0.00192.
    pub fn for_error(error: f64) -> Result<Self> {
        Ok(Self { kept: KMinValues::for_error(error)?.k(), by_value: true })
    }

    /// Returns parameters whose quantiles have a bound on the rank only, as profiles in early files, which merge with no
    /// others.
    ///
    /// ```
    /// use crivo::profile::ProfileParams;
    /// let early = ProfileParams::default().without_quantiles_by_value();
    /// assert_eq!((early.relative_error(), early.kept()), (None, 9800));
    /// ```
    #[must_use]
    pub fn without_quantiles_by_value(self) -> Self {
        Self { by_value: false, ..self }
    }

    /// Returns the number of hashes that a column keeps, to count its distinct values and to compare them with those of
    /// others.
    pub fn kept(&self) -> u32 {
        self.kept
    }

    /// Returns how many distinct values a column counts one by one, a power of two: a column with no more is known
    /// exactly.
    pub fn counters(&self) -> u32 {
        1 << self.kept.ilog2()
    }

    /// Returns the bound on the rank error beyond that, at 95 % confidence, as a share of all values.
    pub fn rank_error(&self) -> f64 {
        ERROR_TIMES_K / self.ranks_kept() as f64
    }

    /// Returns the bound on the relative error of the value of a quantile, where it is shorter than the bound on the rank.
    pub fn relative_error(&self) -> Option<f64> {
        self.values_kept().map(|values| values.relative_error())
    }

    /// Returns the size of the sketch of quantiles by value, if there is one: its error is a half of that of counts.
    pub(super) fn values_kept(self) -> Option<LogQuantilesParams> {
        let per_octave = ceil(0.36 * sqrt(f64::from(self.kept))) as u32;
        let size = || LogQuantilesParams::exact(per_octave, OCTAVES * per_octave).ok();
        self.by_value.then(size).flatten()
    }

    /// Returns the k of the sketch of ranks: the error of ranks is a quarter of that of counts.
    pub(super) fn ranks_kept(self) -> u64 {
        ceil(4.25 * sqrt(f64::from(self.kept))) as u64
    }
}

impl Params for ProfileParams {
    const REMEDY: &str = "profile both with the same error and the same version";
    const NAMES: &[&str] = &["kept_hashes", "quantiles_by_value"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.kept.into(), self.by_value.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let kept = narrow(numbers[0])?;
        K::new(kept)?;
        Ok(Self { kept, by_value: numbers[1] == 1 })
    }

    /// The parameters are listed after the rows and columns.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// One number, since early files have no second one.
    fn write(&self, params: &mut Vec<u8>) {
        put_u64_varint(params, u64::from(self.kept) + u64::from(self.by_value) * BY_VALUE);
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        let number = params.u64_varint()?;
        params.finish()?;
        let by_value = number >= BY_VALUE;
        Self::of(&[number - u64::from(by_value) * BY_VALUE, by_value.into()])
    }
}

impl Default for ProfileParams {
    /// Returns numbers of distinct values within 2 %, and quantiles within 0.5 % of the ranks or 1 % of the value.
    fn default() -> Self {
        Self { kept: 9800, by_value: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sizes_follow_from_the_error() {
        assert_eq!(ProfileParams::for_error(0.02).unwrap(), ProfileParams::default());
        for error in [0.00193, 0.01, 0.05, 0.5, 10.0] {
            let params = ProfileParams::for_error(error).unwrap();
            assert!(params.counters() <= params.kept() && params.kept() < 2 * params.counters());
            assert!(crate::Kll::<f64>::for_k(params.ranks_kept()).is_ok());
            assert!(params.relative_error().unwrap() <= 0.5 * error, "{error}");
        }
        for bad in [0.0, -1.0, 0.001, f64::NAN, f64::INFINITY] {
            assert!(ProfileParams::for_error(bad).is_err(), "{bad}");
        }
    }
}
