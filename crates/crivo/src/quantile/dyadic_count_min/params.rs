//! Parameters of a dyadic Count-Min sketch, and the layout of its counters.

use crate::{Error, Result};
use alloc::format;
use libm::{ceil, log, pow};

/// The largest sketch: 128 GiB, or 1 GiB where addresses have 32 bits.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };
/// The largest number of rows; no useful confidence needs more.
const MAX_DEPTH: u32 = 64;

/// The size of a [`DyadicCountMin`](super::DyadicCountMin): the bits of its universe, and the table size of a level.
///
/// ```
/// use crivo::quantile::DyadicParams;
/// let params = DyadicParams::for_error(32, 0.01, 0.01)?;
/// assert_eq!((params.width(), params.depth(), params.hashed_levels()), (9243, 5, 17));
/// assert!(params.error_at(0.99) <= 0.01);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DyadicParams {
    bits: u32,
    width: u64,
    depth: u32,
}

impl DyadicParams {
    /// Returns the smallest sketch of a universe of 2^`bits` values that over-counts any range by more than `error`
    /// times the total with probability at most `delta`. The depth is ⌈ln 1/δ⌉ and the width is the least w with
    /// 2·e·h/w ≤ ε, where h is the number of hashed levels at that width.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is 1 to 64, `error` and `delta` lie strictly between 0 and 1, and the
    /// sketch fits in 128 GiB.
    pub fn for_error(bits: u32, error: f64, delta: f64) -> Result<Self> {
        for (name, share) in [("error", error), ("failure probability", delta)] {
            if !(share > 0.0 && share < 1.0) {
                return Err(Error::invalid(format!(
                    "the {name} must lie strictly between 0 and 1, got {share}; 0.01 is usual"
                )));
            }
        }
        // Refuses bad `bits` before the search; any valid width will do.
        Self::exact(bits, 1, 1)?;
        let rows = ceil(-log(delta)).max(1.0);
        if rows > f64::from(MAX_DEPTH) {
            return Err(Error::invalid(format!(
                "a failure probability of {delta} needs {rows} rows, but at most {MAX_DEPTH} are possible; raise it"
            )));
        }
        let depth = rows as u32;
        let keeps = |width: u64| {
            let hashed = Self { bits, width, depth }.hashed_levels();
            2.0 * core::f64::consts::E * f64::from(hashed) <= error * width as f64
        };
        let (mut too_few, mut enough) = (0, MAX_BYTES);
        if !keeps(enough) {
            return Err(Error::invalid(format!(
                "an error of {error} needs more than {} GiB; ask for a larger error",
                MAX_BYTES >> 30
            )));
        }
        while enough - too_few > 1 {
            let middle = u64::midpoint(too_few, enough);
            if keeps(middle) { enough = middle } else { too_few = middle }
        }
        Self::exact(bits, enough, depth)
    }

    /// Returns a universe of 2^`bits` values, with `depth` rows of `width` counters for each level that has more blocks
    /// than that.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is 1 to 64, `width` at least 1 and `depth` 1 to 64, and the sketch fits
    /// in 128 GiB.
    pub fn exact(bits: u32, width: u64, depth: u32) -> Result<Self> {
        if !(1..=64).contains(&bits) || width == 0 || !(1..=MAX_DEPTH).contains(&depth) {
            return Err(Error::invalid(format!(
                "a dyadic sketch has 1 to 64 bits, at least 1 column and 1 to {MAX_DEPTH} rows, got {bits}, {width} and \
                 {depth}; 32, 9243 and 5 are usual"
            )));
        }
        let params = Self { bits, width, depth };
        if params.cells().saturating_mul(8) > u128::from(MAX_BYTES) {
            return Err(Error::invalid(format!(
                "{} levels of {width} by {depth} counters exceed {} GiB; choose fewer",
                params.hashed_levels(),
                MAX_BYTES >> 30
            )));
        }
        Ok(params)
    }

    /// Returns the bits of the universe, which has 2^bits values.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the columns of a hashed level.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Returns the rows of a hashed level.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of hashed levels, which are the finest ones: those with more blocks than width times depth.
    /// The other levels count each block exactly.
    pub fn hashed_levels(&self) -> u32 {
        let cells = u128::from(self.width) * u128::from(self.depth);
        self.bits.saturating_sub(cells.ilog2())
    }

    /// Returns the bits of the finest exact level.
    pub(super) fn exact_bits(&self) -> u32 {
        self.bits - self.hashed_levels()
    }

    /// Returns the counters of all levels. The exact ones, 2 + 4 + … + 2^e, are 2^(e + 1) − 2 in all.
    fn cells(&self) -> u128 {
        let hashed = u128::from(self.width) * u128::from(self.depth) * u128::from(self.hashed_levels());
        hashed + (2 << self.exact_bits()) - 2
    }

    /// Returns the bytes that the counters take.
    pub fn memory_bytes(&self) -> u64 {
        8 * self.cells() as u64
    }

    /// Returns the share of the total by which a range is over-counted at most, with this confidence: 2·h·t/w, with h
    /// hashed levels and t = (1 − confidence)^{−1/depth}.
    pub fn error_at(&self, confidence: f64) -> f64 {
        2.0 * f64::from(self.hashed_levels()) * self.markov_factor(confidence) / self.width as f64
    }

    /// Returns t: by Markov's inequality P\[over-count > t·mean\] < 1/t in each row, so t^{−depth} = α for all rows at
    /// once.
    pub(super) fn markov_factor(&self, confidence: f64) -> f64 {
        pow(1.0 - confidence, -1.0 / f64::from(self.depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_by_the_least_width() {
        for (bits, error, delta) in [(32, 0.01, 0.01), (64, 0.05, 0.001), (20, 0.001, 0.3), (8, 0.5, 0.5)] {
            let params = DyadicParams::for_error(bits, error, delta).unwrap();
            assert!(params.error_at(1.0 - delta) <= error, "{params:?}");
            let natural = 1.0 - libm::exp(-f64::from(params.depth()));
            assert!(params.error_at(natural) <= error * (1.0 + 1e-12), "{params:?}");
            if params.width() > 1 {
                let less = DyadicParams { width: params.width() - 1, ..params };
                assert!(less.error_at(natural) > error, "{params:?}");
            }
        }
    }

    #[test]
    fn small_universes_are_exact() {
        let params = DyadicParams::for_error(8, 0.01, 0.01).unwrap();
        assert_eq!((params.hashed_levels(), params.exact_bits()), (0, 8));
        assert_eq!(params.memory_bytes(), 8 * 510);
        let one = DyadicParams::exact(64, 1, 1).unwrap();
        assert_eq!((one.hashed_levels(), one.exact_bits(), one.memory_bytes()), (64, 0, 8 * 64));
    }
}
