//! The accuracy of a profile.

use crate::cardinality::K;
use crate::quantile::ERROR_TIMES_K;
use crate::sketch::{Fact, Params, narrow};
use crate::{KMinValues, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, sqrt};

/// The accuracy of the answers about a column, which determines the memory of a column.
///
/// ```
/// use crivo::profile::ProfileParams;
/// let usual = ProfileParams::default();
/// assert_eq!(usual, ProfileParams::for_error(0.02)?);
/// assert_eq!((usual.counters(), usual.kept()), (8192, 9800));
/// assert!(usual.rank_error() <= 0.005);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileParams {
    kept: u32,
}

impl ProfileParams {
    /// Returns parameters with which numbers of distinct values are off by at most this share, with 95 % confidence, in
    /// columns with more values than [`counters`](Self::counters).
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is a number and possible: at least 0.00192.
    pub fn for_error(error: f64) -> Result<Self> {
        Ok(Self { kept: KMinValues::for_error(error)?.k() })
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

    /// Returns the k of the sketch of ranks: the error of ranks is a quarter of that of counts.
    pub(super) fn ranks_kept(self) -> u64 {
        ceil(4.25 * sqrt(f64::from(self.kept))) as u64
    }
}

impl Params for ProfileParams {
    const REMEDY: &str = "profile both with the same error";
    const NAMES: &[&str] = &["kept_hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.kept.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let kept = narrow(numbers[0])?;
        K::new(kept)?;
        Ok(Self { kept })
    }

    /// The parameters are listed after the rows and columns.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
}

impl Default for ProfileParams {
    /// Returns numbers of distinct values within 2 % and ranks within 0.5 %.
    fn default() -> Self {
        Self { kept: 9800 }
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
        }
        for bad in [0.0, -1.0, 0.001, f64::NAN, f64::INFINITY] {
            assert!(ProfileParams::for_error(bad).is_err(), "{bad}");
        }
    }
}
