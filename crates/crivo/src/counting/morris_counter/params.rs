//! Parameters of a Morris counter: its base and its bits.

use super::law::{limit_reach, reached_early};
use crate::counting::ALWAYS;
use crate::counting::counter_shell::Law;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp, expm1, log1p, pow, rint, sqrt};

/// The largest probability that a register is full at the count that it was planned for.
const FULL: f64 = 1e-6;

/// The least excess of a base over 1 that is chosen for a count: with it, a register of 32 bits still counts one by one.
const LEAST_EXCESS: f64 = 1e-12;

/// Probabilities below this are taken as zero, well before `f64` loses digits.
const NEVER: f64 = 1e-290;

/// The parameters of a [`MorrisCounter`](crate::MorrisCounter): the base and the bits of the register.
///
/// ```
/// use crivo::counting::MorrisParams;
/// let classic = MorrisParams::exact(2.0, 8)?;
/// assert_eq!(classic.largest(), 2f64.powi(255) - 1.0);
/// let finer = MorrisParams::for_error(0.1, 1_000_000_000)?;
/// assert_eq!(finer.bits(), 12);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorrisParams {
    base: f64,
    bits: u32,
    log_base: f64,
}

impl MorrisParams {
    /// Returns a counter with exactly this base and this many bits.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `base` is a number above 1, `bits` is 2 to 32, and the largest count is below
    /// 10³⁰⁸.
    pub fn exact(base: f64, bits: u32) -> Result<Self> {
        if !(2..=32).contains(&bits) {
            return Err(Error::invalid(format!(
                "a Morris counter has 2 to 32 bits, got {bits}; 8 are usual"
            )));
        }
        if !(base > 1.0 && base < f64::INFINITY) {
            return Err(Error::invalid(format!(
                "the base must be a number above 1, got {base}; 1.1 is usual"
            )));
        }
        let params = Self { base, bits, log_base: log1p(base - 1.0) };
        if params.largest().is_finite() {
            return Ok(params);
        }
        Err(Error::invalid(format!(
            "{bits} bits in base {base} count beyond the largest number; choose a base closer to 1 or fewer bits"
        )))
    }

    /// Returns the fewest bits for counts up to `largest`, and the base whose 95 % interval reaches at most `error`
    /// (relative) to either side, or to the next integer where that is more. At `largest` the register is full with a
    /// probability of at most 10⁻⁶.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is above 0 and possible with 32 bits, and `largest` is at least 1.
    pub fn for_error(error: f64, largest: u64) -> Result<Self> {
        let reachable = |excess: f64| limit_reach(excess) <= error;
        if !(error > 0.0 && error < f64::INFINITY && reachable(1e-15)) {
            return Err(refused(error));
        }
        // The reach of the interval grows with the base, so bisect the logarithm of the base.
        let (mut low, mut high) = (1e-15f64, 1e15f64);
        for _ in 0..200 {
            let middle = sqrt(low * high);
            if reachable(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::for_base(1.0 + low, largest).ok_or_else(|| refused(error))
    }

    /// Returns the fewest bits for counts up to `largest`, and the base whose relative standard error is `error`: 1 +
    /// 2·error².
    ///
    /// ```
    /// use crivo::counting::MorrisParams;
    /// let params = MorrisParams::for_standard_error(0.05, 1_000_000)?;
    /// assert_eq!((params.base(), params.bits()), (1.005, 11));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is above 0 and possible with 32 bits, and `largest` is at least 1.
    pub fn for_standard_error(error: f64, largest: u64) -> Result<Self> {
        let base = 1.0 + 2.0 * error * error;
        if error > 0.0 && base > 1.0 && base < f64::INFINITY {
            return Self::for_base(base, largest).ok_or_else(|| refused(error));
        }
        Err(refused(error))
    }

    /// Returns the most accurate counter of `bits` bits for counts up to `largest`, which is the one with the smallest
    /// base: at `largest` it is full with a probability of at most 10⁻⁶.
    ///
    /// ```
    /// use crivo::counting::MorrisParams;
    /// let byte = MorrisParams::for_count(1_000_000_000, 8)?;
    /// assert!((byte.standard_error() - 0.197).abs() < 0.001);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `largest` is at least 1 and `bits` is 2 to 32.
    pub fn for_count(largest: u64, bits: u32) -> Result<Self> {
        Self::exact(1.0 + LEAST_EXCESS, bits)?;
        let counter = |excess: f64| Self::exact(1.0 + excess, bits).ok();
        // A base whose largest count is beyond all doubles is large enough.
        let is_enough = |excess: f64| counter(excess).is_none_or(|params| params.is_enough(largest));
        let (mut low, mut high) = (LEAST_EXCESS, 1e30);
        for _ in 0..200 {
            let middle = sqrt(low * high);
            if is_enough(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        counter(high).filter(|_| largest > 0).ok_or_else(|| {
            Error::invalid(format!(
                "no Morris counter of {bits} bits counts up to {largest}; give a largest count of at least 1"
            ))
        })
    }

    fn for_base(base: f64, largest: u64) -> Option<Self> {
        let params = (2..=32).map_while(|bits| Self::exact(base, bits).ok());
        params.filter(|_| largest > 0).find(|params| params.is_enough(largest))
    }

    /// Returns whether a register at this count is full with a probability of at most [`FULL`].
    fn is_enough(&self, largest: u64) -> bool {
        reached_early(self, self.max(), FULL) > largest as f64
    }

    /// Returns the base b: a counter at n takes a step with probability b⁻ⁿ.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// Returns the bits of the register.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the largest count that the register can represent: (b^m − 1)/(b − 1) with m = 2^bits − 1.
    pub fn largest(&self) -> f64 {
        self.value(self.max())
    }

    /// Returns the relative standard error of a large count, √((b − 1)/2).
    pub fn standard_error(&self) -> f64 {
        sqrt((self.base - 1.0) / 2.0)
    }

    /// Returns the probabilities of the registers 0, 1, … after `count` increments, by Morris's recurrence; registers
    /// beyond the last have probability 0. It takes `count` passes over as many numbers as it returns.
    ///
    /// ```
    /// use crivo::counting::MorrisParams;
    /// let params = MorrisParams::exact(2.0, 8)?;
    /// let expected = [0.0, 0.25, 0.625, 0.125];
    /// assert!(params.register_chances(3).iter().zip(expected).all(|(chance, it)| (chance - it).abs() < 1e-12));
    /// let mean: f64 = params.register_chances(100).iter().zip(0..).map(|(chance, n)| chance * 2f64.powi(n)).sum();
    /// assert!((mean - 101.0).abs() < 1e-9); // unbiased: 2ⁿ − 1 is 100 on average
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn register_chances(&self, count: u64) -> Vec<f64> {
        let step = |register: u32| if register < self.max() { self.probability(register) } else { 0.0 };
        let (mut chances, mut steps, mut last) = (vec![1.0], vec![step(0)], 0u32);
        for _ in 0..count {
            if chances[last as usize] * steps[last as usize] > NEVER {
                last += 1;
                chances.push(0.0);
                steps.push(step(last));
            }
            for n in (1..chances.len()).rev() {
                let chance = chances[n] * (1.0 - steps[n]) + chances[n - 1] * steps[n - 1];
                chances[n] = if chance > NEVER { chance } else { 0.0 };
            }
            chances[0] *= 1.0 - steps[0];
        }
        chances
    }

    /// Returns the largest register.
    pub(super) fn max(&self) -> u32 {
        ((1u64 << self.bits) - 1) as u32
    }

    /// Returns b^n − 1.
    pub(super) fn growth(&self, register: u32) -> f64 {
        let log = f64::from(register) * self.log_base;
        // The power of an integer base is exact; near 1, `expm1` keeps the digits.
        if log > 1.0 { pow(self.base, f64::from(register)) - 1.0 } else { expm1(log) }
    }

    /// Returns (b^n − 1)/(b − 1), an integer for an integer base.
    pub(super) fn value(&self, register: u32) -> f64 {
        if register <= 1 {
            return f64::from(register);
        }
        let value = self.growth(register) / (self.base - 1.0);
        if self.base == rint(self.base) && value < 9e15 { rint(value) } else { value }
    }

    /// Returns b⁻ⁿ in units of 2⁻⁶³.
    pub(super) fn chance(&self, register: u32) -> u64 {
        rint(exp(-f64::from(register) * self.log_base) * ALWAYS as f64) as u64
    }

    /// Returns b⁻ⁿ.
    pub(super) fn probability(&self, register: u32) -> f64 {
        exp(-f64::from(register) * self.log_base)
    }
}

impl Law for MorrisParams {
    const NAME: &'static str = "base";
    /// Wider counters would need too large a table of probabilities.
    const MOST_BITS: u32 = 16;

    fn number(&self) -> f64 {
        self.base
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn word(&self) -> u64 {
        self.base.to_bits()
    }

    fn of_word(word: u64, bits: u32) -> Result<Self> {
        Self::exact(f64::from_bits(word), bits)
    }

    fn table_bytes(&self) -> u64 {
        8 * (u64::from(self.max()) + 1)
    }
}

fn refused(error: f64) -> Error {
    Error::invalid(format!(
        "no counter of 32 bits has an error of {error} up to this count; ask for more than 0.0001 and a largest count of at least 1"
    ))
}
