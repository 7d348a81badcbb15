//! Parameters of a binomial counter: its probability and its bits.

use crate::counting::ALWAYS;
use crate::counting::counter_shell::Law;
use crate::stats::beta_i_inverse;
use crate::{Error, Result};
use alloc::format;
use libm::{exp2, floor, rint, sqrt};

/// The largest probability that a register is full at the count that it was planned for.
const FULL: f64 = 1e-6;
/// The smallest probability; smaller ones would be rounded too much.
const LEAST: f64 = 1.0 / (1u64 << 32) as f64;

/// The parameters of a [`BinomialCounter`](crate::counting::BinomialCounter): the sampling probability and the bits of
/// the register.
///
/// ```
/// use crivo::counting::BinomialParams;
/// let half = BinomialParams::exact(0.5, 16)?;
/// assert_eq!((half.probability(), half.largest()), (0.5, 131_070.0));
/// let byte = BinomialParams::for_count(5000, 8)?;
/// assert_eq!(byte.probability(), 0.037_475_585_937_5);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinomialParams {
    /// The probability, in units of 2⁻⁶³.
    chance: u64,
    bits: u32,
}

impl BinomialParams {
    /// Returns a counter with this `probability`, rounded to a multiple of 2⁻⁶³, in `bits` bits.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `probability` is 2⁻³² to 1 and `bits` is 1 to 32.
    pub fn exact(probability: f64, bits: u32) -> Result<Self> {
        if !(1..=32).contains(&bits) {
            return Err(Error::invalid(format!(
                "a binomial counter has 1 to 32 bits, got {bits}; 8 are usual"
            )));
        }
        if !(LEAST..=1.0).contains(&probability) {
            return Err(Error::invalid(format!(
                "the counting probability must be 2^-32 to 1, got {probability}; 0.5 halves the register"
            )));
        }
        Ok(Self { chance: rint(probability * ALWAYS as f64) as u64, bits })
    }

    /// Returns the most accurate counter of `bits` bits for counts up to `largest`: at `largest` it is full with a
    /// probability of at most 10⁻⁶.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `largest` is at least 1, `bits` is 1 to 32, and the probability is at least
    /// 2⁻³².
    pub fn for_count(largest: u64, bits: u32) -> Result<Self> {
        let full = Self::exact(1.0, bits)?.max();
        if largest < u64::from(full) {
            return if largest > 0 { Self::exact(1.0, bits) } else { Err(refused(largest, bits)) };
        }
        let full = f64::from(full);
        let most = beta_i_inverse(full, largest as f64 - full + 1.0, FULL);
        // Twelve significant bits are enough, and rounding down keeps the guarantee.
        let unit = exp2(floor(libm::log2(most)) - 11.0);
        Self::exact(floor(most / unit) * unit, bits).map_err(|_| refused(largest, bits))
    }

    /// Returns the probability that an increment counts.
    pub fn probability(&self) -> f64 {
        self.chance as f64 / ALWAYS as f64
    }

    /// Returns the bits of the register.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the largest count that the register can represent.
    pub fn largest(&self) -> f64 {
        f64::from(self.max()) / self.probability()
    }

    /// Returns the relative standard error of a count that does not fill the register: √((1 − p)/(p·count)).
    ///
    /// ```
    /// use crivo::counting::BinomialParams;
    /// assert_eq!(BinomialParams::exact(0.5, 16)?.standard_error_at(10_000), 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn standard_error_at(&self, count: u64) -> f64 {
        let p = self.probability();
        sqrt((1.0 - p) / (p * count as f64))
    }

    /// Returns the largest register.
    pub(super) fn max(&self) -> u32 {
        ((1u64 << self.bits) - 1) as u32
    }

    /// Returns the probability, in units of 2⁻⁶³.
    pub(super) fn chance(&self) -> u64 {
        self.chance
    }
}

impl Law for BinomialParams {
    const NAME: &'static str = "probability";
    const MOST_BITS: u32 = 32;

    fn number(&self) -> f64 {
        self.probability()
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn word(&self) -> u64 {
        self.chance
    }

    fn of_word(chance: u64, bits: u32) -> Result<Self> {
        let params = Self::exact(chance as f64 / ALWAYS as f64, bits)?;
        if params.chance == chance {
            return Ok(params);
        }
        Err(Error::malformed("the file is corrupt: a probability is not exact as a double"))
    }
}

fn refused(largest: u64, bits: u32) -> Error {
    Error::invalid(format!(
        "no counter of {bits} bits counts up to {largest}; give more bits, and a largest count of at least 1"
    ))
}
