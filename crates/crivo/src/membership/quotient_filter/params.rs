//! The size of a quotient filter, and its false-positive rate.

use super::QuotientFilter;
use super::table::{BLOCK, Table};
use crate::hash::reduce;
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_rate};
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, expm1, log1p};

/// The largest filter: 128 GiB, or 1 GiB on platforms with 32-bit addresses.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };
/// The maximum width of a remainder.
const MAX_REMAINDER_BITS: u32 = 56;
/// Up to this many fingerprints, 64-bit hashes are spread over them evenly: the rate is accurate to one part
/// in a thousand.
const MAX_FINGERPRINTS: u64 = 1 << 60;
/// The maximum share of slots in use: beyond it an insertion moves hundreds of others.
const MOST_FILL: (u64, u64) = (19, 20);
/// The share of slots in use when the planned items are inside: an insertion moves few others, and a twelfth
/// more items fits.
const PLANNED_FILL: (u64, u64) = (7, 8);
/// The number of slots in a block.
const SLOTS: u64 = BLOCK as u64;

/// The size of a [`QuotientFilter`]: the number of quotients and the bits of a remainder.
///
/// ```
/// use crivo::membership::QuotientParams;
/// let params = QuotientParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01);
/// assert_eq!(params.remainder_bits(), 7);
/// assert!(params.capacity() >= 1_000_000);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotientParams {
    quotients: u64,
    remainder_bits: u32,
}

impl QuotientParams {
    /// Returns the smallest filter that is at most 7/8 full with `items` items and then has an exact
    /// false-positive rate of at most `fpr`.
    ///
    /// # Errors
    /// `InvalidArgument` if `items` is 0, `fpr` is not strictly between 0 and 1, or the filter would need
    /// more than 2⁶⁰ fingerprints or 128 GiB.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_items(items)?;
        check_rate(fpr)?;
        // 1 − (1 − 1/R)ⁿ = fpr, solved for R.
        let fingerprints = -1.0 / expm1(log1p(-fpr) / items as f64);
        let refused = || {
            Error::invalid(format!(
                "a quotient filter for {items} items at a false-positive rate of {fpr} needs more than 2^60 \
                 fingerprints or {} GiB; choose fewer items or a higher rate",
                MAX_BYTES >> 30
            ))
        };
        let slots = slots_for(items, PLANNED_FILL).ok_or_else(refused)?;
        let with_width = |remainder_bits: u32| {
            let quotients = ceil(fingerprints / (1u64 << remainder_bits) as f64);
            let quotients = if quotients < MAX_FINGERPRINTS as f64 { quotients as u64 } else { return None };
            let quotients = quotients.max(slots).next_multiple_of(SLOTS);
            let mut params = Self::exact(quotients, remainder_bits).ok()?;
            // Rounding may make the formula slightly too small.
            while params.fpr_at(items) > fpr {
                params = Self::exact(params.quotients + SLOTS, remainder_bits).ok()?;
            }
            Some(params)
        };
        (1..=MAX_REMAINDER_BITS).filter_map(with_width).min_by_key(Self::memory_bytes).ok_or_else(refused)
    }

    /// Returns the best filter of at most `bytes` bytes that has room for `items` items.
    ///
    /// ```
    /// use crivo::membership::QuotientParams;
    /// let params = QuotientParams::for_memory(1 << 20, 500_000)?;
    /// assert!(params.memory_bytes() <= 1 << 20 && params.capacity() >= 500_000);
    /// assert!(params.fpr_at(500_000) < 2e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0 or does not fit, or `bytes` is beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        let least = slots_for(items, MOST_FILL).and_then(|slots| Self::exact(slots, 1).ok());
        let room =
            least.filter(|params| params.memory_bytes() <= bytes && bytes <= MAX_BYTES).ok_or_else(|| {
                Error::invalid(format!(
                    "a quotient filter for {items} items takes from {} bytes to {} GiB, got {bytes} bytes; \
                 choose a size in between, or fewer items",
                    least.map_or(MAX_BYTES, |params| params.memory_bytes()),
                    MAX_BYTES >> 30
                ))
            })?;
        let with_width = |remainder_bits: u32| {
            let blocks = (bytes - 8) / block_bytes(remainder_bits);
            Self::exact(blocks * SLOTS, remainder_bits).ok().filter(|params| params.capacity() >= items)
        };
        let best = (1..=MAX_REMAINDER_BITS).filter_map(with_width).max_by_key(Self::fingerprints);
        Ok(best.unwrap_or(room))
    }

    /// Creates params with exactly these numbers. There are as many slots as quotients, rounded up to a
    /// multiple of 64.
    ///
    /// # Errors
    /// `InvalidArgument` when `quotients` is 0, `remainder_bits` is not 1 to 56, or together they exceed 2⁶⁰
    /// fingerprints or 128 GiB.
    pub fn exact(quotients: u64, remainder_bits: u32) -> Result<Self> {
        if quotients == 0 {
            return Err(Error::invalid(format!(
                "a quotient filter has at least 1 quotient, got {quotients}; choose one per item"
            )));
        }
        if !(1..=MAX_REMAINDER_BITS).contains(&remainder_bits) {
            return Err(Error::invalid(format!(
                "a remainder has from 1 to {MAX_REMAINDER_BITS} bits, got {remainder_bits}; 7 is usual"
            )));
        }
        let params = Self { quotients, remainder_bits };
        if quotients > MAX_FINGERPRINTS >> remainder_bits || params.memory_bytes() > MAX_BYTES {
            return Err(Error::invalid(format!(
                "{quotients} quotients with remainders of {remainder_bits} bits exceed 2^60 fingerprints \
                 or {} GiB; choose fewer quotients or shorter remainders",
                MAX_BYTES >> 30
            )));
        }
        Ok(params)
    }

    /// Returns the number of quotients.
    pub fn quotients(&self) -> u64 {
        self.quotients
    }

    /// Returns the bits of a remainder.
    pub fn remainder_bits(&self) -> u32 {
        self.remainder_bits
    }

    /// Returns the number of distinct fingerprints: quotients · 2^remainder bits.
    pub fn fingerprints(&self) -> u64 {
        self.quotients << self.remainder_bits
    }

    /// Returns the number of items that fit: 95 % of the slots.
    pub fn capacity(&self) -> u64 {
        capacity(self.blocks() as u64 * SLOTS)
    }

    /// Returns the bytes of memory that the slots take.
    pub fn memory_bytes(&self) -> u64 {
        self.quotients.div_ceil(SLOTS) * block_bytes(self.remainder_bits) + 8
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: 1 − (1 − 1/R)ⁿ with R
    /// fingerprints.
    pub fn fpr_at(&self, items: u64) -> f64 {
        -expm1(items as f64 * log1p(-1.0 / self.fingerprints() as f64))
    }

    pub(super) fn blocks(&self) -> usize {
        self.quotients.div_ceil(SLOTS) as usize
    }

    /// Returns params with twice the quotients and one remainder bit less: the fingerprints stay the same.
    pub(super) fn doubled(&self) -> Result<Self> {
        let refused = || {
            Error::invalid(format!(
                "a filter of {} quotients with remainders of {} bits cannot grow; create one with longer \
                 remainders, or a second filter",
                self.quotients, self.remainder_bits
            ))
        };
        Self::exact(self.quotients.saturating_mul(2), self.remainder_bits - 1).map_err(|_| refused())
    }

    /// Returns the quotient and the remainder of a hash.
    #[inline]
    pub(super) fn pair(&self, hash: u64) -> (usize, u64) {
        let fingerprint = reduce(hash, self.fingerprints());
        let remainder = fingerprint & ((1 << self.remainder_bits) - 1);
        ((fingerprint >> self.remainder_bits) as usize, remainder)
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        let fill = items.min(self.capacity()) as f64 / (self.blocks() as u64 * SLOTS) as f64;
        // The mean distance of an item from its own slot (linear probing).
        let distance = (fill / (2.0 - 2.0 * fill)) as usize;
        FilterPlan {
            memory_bytes: size_of::<QuotientFilter>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: Table::lines(self.remainder_bits, distance),
            parameters: vec![
                ("quotients", self.quotients),
                ("remainder_bits", u64::from(self.remainder_bits)),
            ],
        }
    }
}

impl Params for QuotientParams {
    const REMEDY: &str = "build both with the same params, or grow the smaller one";
    const NAMES: &[&str] = &["quotients", "remainder_bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.quotients(), self.remainder_bits().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// Returns the bytes of a block: occupied bits, runends, remainders, and the offset.
fn block_bytes(remainder_bits: u32) -> u64 {
    8 * (2 + u64::from(remainder_bits)) + 2
}

fn capacity(slots: u64) -> u64 {
    (u128::from(slots) * u128::from(MOST_FILL.0) / u128::from(MOST_FILL.1)) as u64
}

/// Returns the fewest slots of which `items` take at most a share of `fill`; `None` if that is too many.
fn slots_for(items: u64, fill: (u64, u64)) -> Option<u64> {
    let slots = (u128::from(items) * u128::from(fill.1)).div_ceil(u128::from(fill.0));
    u64::try_from(slots)
        .ok()
        .filter(|&slots| slots < MAX_FINGERPRINTS)
        .map(|slots| slots.next_multiple_of(SLOTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_with_no_block_to_spare() {
        for items in [1, 2, 10, 60, 61, 100, 10_000, 1_000_000, 1 << 33] {
            for fpr in [0.9, 0.5, 0.2, 0.1, 0.01, 1e-3, 1e-6] {
                let params = QuotientParams::for_fpr(items, fpr).unwrap();
                assert!(
                    params.fpr_at(items) <= fpr && params.quotients() >= items + items / 7,
                    "{items} {fpr}"
                );
                if params.quotients() > SLOTS {
                    let width = params.remainder_bits();
                    let smaller = QuotientParams::exact(params.quotients() - SLOTS, width).unwrap();
                    let is_too_full = smaller.quotients() * 7 < items * 8;
                    assert!(smaller.fpr_at(items) > fpr || is_too_full, "{items} {fpr}");
                }
            }
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(26 + 8, 60), (100, 60), (1 << 20, 700_000), (1 << 20, 10), (1 << 30, 1 << 20)]
        {
            let params = QuotientParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.capacity() >= items, "{bytes} {items}");
            for width in 1..=MAX_REMAINDER_BITS {
                let slots = (bytes - 8) / block_bytes(width) * SLOTS;
                if let Ok(other) = QuotientParams::exact(slots, width) {
                    assert!(
                        other.capacity() < items || other.fpr_at(items) >= params.fpr_at(items),
                        "{width}"
                    );
                }
            }
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 64, 1),
            (10_000, 0.01, 11_456, 7),
            (1_000_000, 0.01, 1_142_912, 7),
            (1_000_000, 0.001, 1_142_912, 10),
            (10_000_000, 0.001, 11_428_608, 10),
        ];
        for (items, fpr, quotients, width) in golden {
            let params = QuotientParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.quotients(), params.remainder_bits()), (quotients, width), "{items} {fpr}");
        }
    }

    #[test]
    fn nothing_overflows_at_the_ends() {
        assert!(QuotientParams::exact(u64::MAX, 56).is_err());
        assert!(QuotientParams::exact(1 << 59, 1).is_err());
        assert!(QuotientParams::for_fpr(u64::MAX, 0.5).is_err());
        assert!(QuotientParams::for_fpr(1, f64::MIN_POSITIVE).is_err());
        let widest = QuotientParams::exact(16, 56).unwrap();
        assert_eq!(widest.fingerprints(), MAX_FINGERPRINTS);
        assert_eq!(widest.pair(u64::MAX), (15, (1 << 56) - 1));
        assert!(QuotientParams::exact(17, 56).is_err());
    }
}
