//! The size of a spectral Bloom filter.

use super::SpectralBloom;
use crate::membership::FilterPlan;
use crate::membership::counters::Shape;
use crate::sketch::{Fact, Params};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::pow;

/// A packed array holds numbers of up to 32 bits.
const WIDTHS: RangeInclusive<u32> = 2..=32;
/// Counters of this width count to 65,534 without saturating.
const USUAL_WIDTH: u32 = 16;

/// The size of a [`SpectralBloom`]: counters, hash functions, the width of a counter, and the update rule.
///
/// ```
/// use crivo::membership::SpectralParams;
/// let params = SpectralParams::for_fpr(100_000, 0.01)?;
/// assert!(params.fpr_at(100_000) <= 0.01);
/// assert_eq!((params.hashes(), params.counter_bits()), (6, 16));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpectralParams {
    shape: Shape,
    minimal_increase: bool,
}

impl SpectralParams {
    /// Returns the smallest table with 16-bit counters in which, with `items` distinct items inside, an item
    /// is counted too high, or an absent one is reported, with probability at most `fpr`.
    ///
    /// # Errors
    /// The errors of [`BloomParams::for_fpr`](crate::BloomParams::for_fpr), with a limit of 128 GiB.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self { shape: Shape::for_fpr(items, fpr, USUAL_WIDTH)?, minimal_increase: false })
    }

    /// Returns the best table of at most `bytes` bytes for `items` distinct items, with 16-bit counters.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bytes` is below 136 or beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        Ok(Self { shape: Shape::for_memory(bytes, items, USUAL_WIDTH)?, minimal_increase: false })
    }

    /// Creates params with exactly these numbers and 16-bit counters.
    ///
    /// # Errors
    /// `InvalidArgument` when `counters` is 0 or takes more than 128 GiB, or `hashes` is not 1 to 64.
    pub fn exact(counters: u64, hashes: u32) -> Result<Self> {
        Ok(Self { shape: Shape::exact(counters, hashes, USUAL_WIDTH)?, minimal_increase: false })
    }

    /// Returns the params with counters of 2 to 32 bits. Counters saturate; answers from saturated ones have
    /// no upper bound.
    ///
    /// # Errors
    /// `InvalidArgument` for another width, or when the table would exceed 128 GiB.
    pub fn with_counter_bits(self, bits: u32) -> Result<Self> {
        Ok(Self { shape: self.shape.with_counter_bits(bits, &WIDTHS)?, ..self })
    }

    /// Returns the params with minimal increase: an item raises only those of its counters that its new count
    /// requires. Answers are closer to the true value, but nothing can be removed, and merges are bounded
    /// instead of exact.
    #[must_use]
    pub fn minimal_increase(self) -> Self {
        Self { minimal_increase: true, ..self }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of counters, m.
    pub fn counters(&self) -> u64 {
        self.shape.places().bits()
    }

    /// Returns the number of hash functions, k.
    pub fn hashes(&self) -> u32 {
        self.shape.places().hashes()
    }

    /// Returns the width of a counter in bits, b. A counter saturates at 2ᵇ − 1.
    pub fn counter_bits(&self) -> u32 {
        self.shape.counter_bits()
    }

    /// Returns whether an item raises only the counters that its new count requires.
    pub fn is_minimal_increase(&self) -> bool {
        self.minimal_increase
    }

    /// Returns the bytes that the counters take.
    pub fn memory_bytes(&self) -> u64 {
        self.shape.memory_bytes()
    }

    /// Returns the exact probability that an absent item is reported with `items` distinct items inside,
    /// which is the rate of a [`BloomFilter`](crate::BloomFilter) with as many bits as there are counters. An
    /// item inside is counted too high no more often.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.shape.places().fpr_at(items)
    }

    /// Returns t = (1 − confidence)^(−1/k): all k counters of an item are among the highest m/t with
    /// probability 1 − confidence.
    pub(super) fn factor(&self, confidence: f64) -> f64 {
        pow(1.0 - confidence, -1.0 / f64::from(self.hashes()))
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        self.shape.plan(items, size_of::<SpectralBloom>())
    }
}

impl Params for SpectralParams {
    const NAMES: &[&str] = &["counters", "hashes", "counter_bits", "increase"];

    fn numbers(&self) -> Vec<u64> {
        let [counters, hashes, counter_bits] = self.shape.numbers();
        vec![counters, hashes, counter_bits, self.minimal_increase.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let minimal_increase = yes_or_no(numbers[3], "the increase")?;
        Ok(Self { shape: Shape::of(numbers, &WIDTHS)?, minimal_increase })
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.named();
        facts[3] = Fact::text("increase", if self.minimal_increase { "minimal" } else { "plain" });
        facts
    }
}

pub(super) fn yes_or_no(number: u64, what: &str) -> Result<bool> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::malformed(format!("{what} is 0 or 1, got {number}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        for (items, fpr, counters, hashes) in
            [(1, 0.5, 63, 1), (10_000, 0.01, 96_191, 6), (1_000_000, 0.001, 14_425_023, 9)]
        {
            let params = SpectralParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.counters(), params.hashes(), params.counter_bits()), (counters, hashes, 16));
            assert_eq!(params.memory_bytes(), 2 * (counters + 1) + 8);
        }
    }
}
