//! How exact a profile is.

use crate::cardinality::K;
use crate::quantile::ERROR_TIMES_K;
use crate::sketch::{Fact, Params, narrow};
use crate::{KMinValues, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, sqrt};

/// How exact the answers about a column are, and so how much memory a column takes.
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
    /// Counts of different values are off by at most this share, with 95 %, in columns with more values than
    /// [`counters`](Self::counters).
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00192.
    pub fn for_error(error: f64) -> Result<Self> {
        Ok(Self { kept: KMinValues::for_error(error)?.k() })
    }

    /// How many hashes a column keeps, to count its different values and to compare them with those of others.
    pub fn kept(&self) -> u32 {
        self.kept
    }

    /// How many different values a column counts one by one: a column with no more is known exactly. A power of two.
    pub fn counters(&self) -> u32 {
        1 << self.kept.ilog2()
    }

    /// The share of all values by which a rank is off at most, with 95 %, beyond that.
    pub fn rank_error(&self) -> f64 {
        ERROR_TIMES_K / self.ranks_kept() as f64
    }

    /// The k of the sketch of ranks: the error of ranks is a quarter of that of counts.
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

    /// They are told after the rows and columns.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
}

impl Default for ProfileParams {
    /// Counts of different values within 2 %, ranks within 0.5 %.
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
