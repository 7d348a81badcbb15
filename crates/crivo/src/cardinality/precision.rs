//! What sketches of 2^precision registers share: the range of precisions, and the choice of one for a target.

use crate::sketch::{Empty, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The lowest precision: 16 registers, with a standard error of 26 % for HyperLogLog. The published constants of
/// HyperLogLog start there, and so do the tests of the limit laws, whose corrections are of order 1/m.
pub(super) const MIN_PRECISION: u8 = 4;
/// The highest precision: 2¹⁸ registers, with a standard error of 0.2 % for HyperLogLog. The published thresholds of
/// HyperLogLog++ end there, and so do the tests of coverage. Errors below 0.2 % are rarely worth the memory.
pub(super) const MAX_PRECISION: u8 = 18;

/// Refuses a precision outside 4 to 18; `hint` describes the interval at 12.
pub(super) fn check(precision: u8, hint: &str) -> Result<()> {
    if (MIN_PRECISION..=MAX_PRECISION).contains(&precision) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a precision must be {MIN_PRECISION} to {MAX_PRECISION}, got {precision}; 12 gives {hint}"
    )))
}

/// Refuses to fold a sketch of precision `from` to a higher one, or below the minimum.
pub(super) fn check_fold(from: u8, to: u8) -> Result<()> {
    if (MIN_PRECISION..=from).contains(&to) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a sketch of precision {from} folds to {MIN_PRECISION} to {from}, got {to}; choose one in between"
    )))
}

/// Returns the lowest precision at which the error, called `name`, is at most the target.
pub(super) fn for_error(name: &str, error: f64, error_at: impl Fn(u8) -> f64) -> Result<u8> {
    let met = |&precision: &u8| error_at(precision) <= error && error.is_finite();
    (MIN_PRECISION..=MAX_PRECISION).find(met).ok_or_else(|| {
        let least = error_at(MAX_PRECISION);
        Error::invalid(format!(
            "a relative {name} must be a number of at least {least:.5}, got {error}; 0.01 is usual"
        ))
    })
}

/// Returns the highest precision at which a sketch takes at most `bytes` bytes.
pub(super) fn for_memory(bytes: u64, needed: impl Fn(u8) -> usize) -> Result<u8> {
    let fits = |&precision: &u8| needed(precision) as u64 <= bytes;
    (MIN_PRECISION..=MAX_PRECISION).rev().find(fits).ok_or_else(|| {
        let least = needed(MIN_PRECISION);
        Error::invalid(format!("a sketch takes at least {least} bytes, got {bytes}; allow more"))
    })
}

/// The precision of a sketch of 2^precision registers, from 4 to 18.
#[derive(Clone, Copy)]
pub(crate) struct Precision(pub(crate) u8);

impl Params for Precision {
    const REMEDY: &str = "fold the finer one to the precision of the other first (crivo merge --fold)";
    const NAMES: &[&str] = &["precision"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let precision = narrow(numbers[0])?;
        check(precision, "±3.2 %").map(|()| Self(precision))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// A sketch of 2^precision registers; [`of_precision!`] derives its constructors from this trait.
pub(super) trait OfPrecision: Empty<Params = Precision> {
    /// The half-width of the 95 % interval at precision 12, for messages.
    const REACH_AT_12: &str;

    /// Returns the length of the longer side of the 95 % interval, relative and far from empty.
    fn reach(precision: u8) -> f64;

    /// Returns the relative standard error far from empty.
    fn limit_error(precision: u8) -> f64;

    /// Returns the most memory that it takes, in bytes.
    fn most_bytes(precision: u8) -> usize;

    /// Returns the sketch at a lower precision.
    fn coarser(&self, precision: u8) -> Self;
}

/// Declares the constructors of an [`OfPrecision`] with a field `precision`. `$registers` names the
/// 2^precision registers, `$from` says when its errors hold, and `$reached` is the precision that
/// `for_error($error)` chooses.
macro_rules! of_precision {
    ($type:ident of $registers:literal, $from:literal,
     $error:literal => $reached:literal, at least $reach:literal and $standard_error:literal) => {
        impl crate::sketch::OfSize for $type {
            type Params = precision::Precision;

            fn params(&self) -> Self::Params {
                precision::Precision(self.precision)
            }
        }

        impl crate::sketch::Fold for $type {
            fn fold_to(&self, other: &Self) -> Option<Self> {
                (other.precision < self.precision).then(|| self.coarser(other.precision))
            }
        }

        impl $type {
            #[doc = concat!("Creates an empty sketch of 2^`precision` ", $registers, ".")]
            ///
            /// # Errors
            /// `InvalidArgument` unless `precision` is 4 to 18.
            pub fn for_precision(precision: u8) -> Result<Self> {
                precision::check(precision, Self::REACH_AT_12)?;
                Ok(Self::empty(precision::Precision(precision), HashSpec::default()))
            }

            #[doc = concat!("Returns the smallest sketch whose 95 % interval extends at most `error` (relative) to either side", $from, ".")]
            ///
            /// ```
            /// # use crivo::{baseline::*, cardinality::*};
            #[doc = concat!("let sketch = ", stringify!($type), "::for_error(", $error, ")?;")]
            #[doc = concat!("assert_eq!(sketch.precision(), ", $reached, ");")]
            /// # Ok::<(), crivo::Error>(())
            /// ```
            ///
            /// # Errors
            #[doc = concat!("`InvalidArgument` unless `error` is a number and reachable: at least ", $reach, ".")]
            pub fn for_error(error: f64) -> Result<Self> {
                Self::for_precision(precision::for_error("error", error, Self::reach)?)
            }

            #[doc = concat!("Returns the smallest sketch whose relative standard error is at most `error`", $from, ".")]
            ///
            /// # Errors
            #[doc = concat!("`InvalidArgument` unless `error` is a number and reachable: at least ", $standard_error, ".")]
            pub fn for_standard_error(error: f64) -> Result<Self> {
                Self::for_precision(precision::for_error("standard error", error, Self::limit_error)?)
            }

            /// Returns the finest sketch that never takes more than `bytes` bytes of memory.
            ///
            /// # Errors
            /// `InvalidArgument` if not even the coarsest sketch fits.
            pub fn for_memory(bytes: u64) -> Result<Self> {
                Self::for_precision(precision::for_memory(bytes, Self::most_bytes)?)
            }

            /// Returns the sketch that this stream would have made at a lower precision, in an identical
            /// state.
            ///
            /// ```
            /// # use crivo::{baseline::*, cardinality::*};
            #[doc = concat!("let (mut fine, mut coarse) = (", stringify!($type), "::for_precision(12)?, ", stringify!($type), "::for_precision(9)?);")]
            /// fine.extend(0..50_000u32);
            /// coarse.extend(0..50_000u32);
            /// assert_eq!(fine.fold(9)?, coarse);
            /// # Ok::<(), crivo::Error>(())
            /// ```
            ///
            /// # Errors
            /// `InvalidArgument` unless `precision` is 4 up to that of the sketch.
            pub fn fold(&self, precision: u8) -> Result<Self> {
                precision::check_fold(self.precision, precision)?;
                Ok(self.coarser(precision))
            }

            #[doc = concat!("Returns the precision: log₂ of the number of ", $registers, ".")]
            pub fn precision(&self) -> u8 {
                self.precision
            }
        }
    };
}
pub(super) use of_precision;
