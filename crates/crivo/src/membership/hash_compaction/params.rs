//! The length of the fingerprints, and the false-positive rate.

use super::HashCompaction;
use crate::hash::reduce;
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_rate};
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, log1p};

/// The largest planned table: 128 GiB, or 1 GiB on platforms with 32-bit addresses.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };
/// With fewer bits, a few hundred items would make nearly every answer a false positive.
const MIN_BITS: u32 = 8;
/// A fingerprint is a part of a 64-bit hash.
const MAX_BITS: u32 = 64;
/// The share of cells in use when the planned items are inside.
const FILL: (u64, u64) = (7, 8);

/// The size of a [`HashCompaction`]: the planned number of items and the bits of a fingerprint.
///
/// ```
/// use crivo::membership::HashCompactionParams;
/// let params = HashCompactionParams::for_fpr(1_000_000, 0.01)?;
/// assert_eq!(params.fingerprint_bits(), 27); // log₂(1,000,000 / 0.01) = 26.6
/// assert!(params.fpr_at(1_000_000) <= 0.01);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashCompactionParams {
    items: u64,
    fingerprint_bits: u32,
}

impl HashCompactionParams {
    /// Returns the shortest fingerprints whose exact false-positive rate at `items` items is at most `fpr`.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1, 64 bits are not enough, or the
    /// table would exceed 128 GiB.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_rate(fpr)?;
        Self::exact(items, MIN_BITS)?;
        let meets = |&bits: &u32| Self { items, fingerprint_bits: bits }.fpr_at(items) <= fpr;
        let bits = (MIN_BITS..=MAX_BITS).find(meets).ok_or_else(|| {
            Error::invalid(format!(
                "a false-positive rate of {fpr} is out of reach for {items} items with fingerprints of \
                 {MAX_BITS} bits; choose a higher rate"
            ))
        })?;
        Self::exact(items, bits)
    }

    /// Returns the longest fingerprints for which a table of `items` items takes at most `bytes` bytes.
    ///
    /// ```
    /// use crivo::membership::HashCompactionParams;
    /// let params = HashCompactionParams::for_memory(1 << 20, 100_000)?;
    /// assert_eq!(params.fingerprint_bits(), 64);
    /// assert!(HashCompactionParams::for_memory(1 << 20, 1_000_000).is_err()); // not even 8 bits each
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if `items` is 0 or there is no room for 8 bits each.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        let least = Self::exact(items, MIN_BITS)?;
        let with_bits = |bits: u32| Self { items, fingerprint_bits: bits };
        let fitting =
            (MIN_BITS..=MAX_BITS).rev().map(with_bits).find(|params| params.memory_bytes() <= bytes);
        fitting.filter(|params| params.memory_bytes() <= MAX_BYTES).ok_or_else(|| {
            Error::invalid(format!(
                "fingerprints of {items} items take from {} bytes to {} GiB, got {bytes} bytes; choose a \
                 size in between, or fewer items",
                least.memory_bytes(),
                MAX_BYTES >> 30
            ))
        })
    }

    /// Creates params with exactly these numbers.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fingerprint_bits` is not 8 to 64, or the table would exceed 128 GiB.
    pub fn exact(items: u64, fingerprint_bits: u32) -> Result<Self> {
        check_items(items)?;
        if !(MIN_BITS..=MAX_BITS).contains(&fingerprint_bits) {
            return Err(Error::invalid(format!(
                "a fingerprint has from {MIN_BITS} to {MAX_BITS} bits, got {fingerprint_bits}; 32 is usual"
            )));
        }
        let params = Self { items, fingerprint_bits };
        if items > MAX_BYTES || params.memory_bytes() > MAX_BYTES {
            return Err(Error::invalid(format!(
                "{items} items with fingerprints of {fingerprint_bits} bits need more than {} GiB; choose fewer items or shorter fingerprints",
                MAX_BYTES >> 30
            )));
        }
        Ok(params)
    }

    /// Returns the number of items that the initial table is sized for.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the bits of a fingerprint, l.
    pub fn fingerprint_bits(&self) -> u32 {
        self.fingerprint_bits
    }

    /// Returns the number of distinct fingerprints: 2ˡ − 1, since one value marks an empty cell.
    pub fn fingerprints(&self) -> u64 {
        u64::MAX >> (64 - self.fingerprint_bits)
    }

    /// Returns the bytes of memory that the table takes for the planned items.
    pub fn memory_bytes(&self) -> u64 {
        let bits = u128::from(homes(self.items) + TAIL) * u128::from(self.fingerprint_bits);
        // A spare word lets two words be read at any cell.
        u64::try_from((bits.div_ceil(64) + 1) * 8).unwrap_or(u64::MAX)
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: 1 − (1 − 1/(2ˡ − 1))ⁿ,
    /// which is at most n/(2ˡ − 1).
    pub fn fpr_at(&self, items: u64) -> f64 {
        -expm1(items as f64 * log1p(-1.0 / self.fingerprints() as f64))
    }

    /// Returns the fingerprint of a hash; never 0.
    #[inline]
    pub(super) fn fingerprint(&self, hash: u64) -> u64 {
        reduce(hash, self.fingerprints()) + 1
    }

    /// Returns the cost of a table of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        let fill = items.min(self.items) as f64 / homes(self.items) as f64;
        // The mean number of cells from an item's own to the one where it is stored (linear probing).
        let cells = 1.0 + fill / (2.0 - 2.0 * fill);
        FilterPlan {
            memory_bytes: size_of::<HashCompaction>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: 1.0 + (cells * f64::from(self.fingerprint_bits) - 1.0) / 512.0,
            parameters: vec![("items", self.items), ("fingerprint_bits", u64::from(self.fingerprint_bits))],
        }
    }
}

impl Params for HashCompactionParams {
    const NAMES: &[&str] = &["items", "fingerprint_bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.items, self.fingerprint_bits.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// Overflow cells after the last home are added in groups of this size.
pub(super) const TAIL: u64 = 8;

/// Returns the number of cells that can be an item's own, in a table with room for `items`.
pub(super) fn homes(items: u64) -> u64 {
    (u128::from(items) * u128::from(FILL.1)).div_ceil(u128::from(FILL.0)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::{ceil, log2};

    /// B1: l = ⌈log₂(n/ε)⌉ is enough except for the value that marks an empty cell, and one bit less is not.
    #[test]
    fn fingerprints_are_as_long_as_the_textbook_says() {
        for (items, fpr) in [(1, 0.01), (10, 0.3), (1000, 0.01), (1_000_000, 0.001), (1 << 30, 1e-6)] {
            let params = HashCompactionParams::for_fpr(items, fpr).unwrap();
            let textbook = ceil(log2(items as f64 / fpr)) as u32;
            assert_eq!(params.fingerprint_bits(), textbook.max(MIN_BITS), "{items} {fpr}");
            assert!(params.fpr_at(items) <= fpr);
            assert!(params.fpr_at(items) <= items as f64 / params.fingerprints() as f64);
            if params.fingerprint_bits() > MIN_BITS {
                let shorter = HashCompactionParams::exact(items, params.fingerprint_bits() - 1).unwrap();
                assert!(shorter.fpr_at(items) > fpr);
            }
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 8, 24),
            (10_000, 0.01, 20, 28_608),
            (1_000_000, 0.01, 27, 3_857_184),
            (1_000_000, 0.001, 30, 4_285_760),
        ];
        for (items, fpr, bits, bytes) in golden {
            let params = HashCompactionParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.fingerprint_bits(), params.memory_bytes()), (bits, bytes), "{items} {fpr}");
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(24, 1), (1000, 500), (1 << 20, 300_000), (1 << 20, 10)] {
            let params = HashCompactionParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes, "{bytes} {items}");
            let longer = HashCompactionParams::exact(items, params.fingerprint_bits() + 1);
            assert!(longer.is_err() || longer.unwrap().memory_bytes() > bytes, "{bytes} {items}");
        }
    }
}
