//! The size of a cuckoo filter, and its false-positive rate.

use super::CuckooFilter;
use super::slots::SPARE_BYTES;
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_rate};
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::{ceil, expm1, log1p, sqrt};

/// The largest number of windows of either parity: their numbers must fit in half a hash, and the slots in
/// memory.
const MAX_WINDOWS: u64 = if usize::BITS < 64 { 1 << 26 } else { 1 << 32 };
/// With fewer bits there are too few distinct fingerprints for evictions to succeed; with more a window would
/// not fit in one load.
const WIDTHS: RangeInclusive<u32> = 4..=28;

/// The size of a [`CuckooFilter`](super::CuckooFilter): the number of slots and the bits of a fingerprint.
///
/// ```
/// use crivo::membership::CuckooParams;
/// let params = CuckooParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // the exact rate
/// assert_eq!(params.fingerprint_bits(), 9);
/// assert!(params.slots() < 1_060_000);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CuckooParams {
    windows: u64,
    fingerprint_bits: u32,
}

impl CuckooParams {
    /// Returns the smallest filter that has room for `items` distinct items and whose exact false-positive
    /// rate with them inside is at most `fpr`.
    ///
    /// # Errors
    /// `InvalidArgument` if `items` is 0, `fpr` is not strictly between 0 and 1, or no filter of up to 2³³
    /// slots and fingerprints of up to 28 bits meets the target.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_items(items)?;
        check_rate(fpr)?;
        let least = windows_for(items);
        let size_with = |fingerprint_bits: u32| {
            // With fewer fingerprint bits, more windows are needed to have enough cells for the rate.
            let cells = -1.0 / expm1(log1p(-fpr) / items as f64);
            let needed = 2.0 * cells / fingerprints(fingerprint_bits);
            if needed > MAX_WINDOWS as f64 {
                return None;
            }
            let mut params = Self { windows: even_above(needed).max(least?), fingerprint_bits };
            while params.fpr_at(items) > fpr {
                params.windows += 2;
            }
            (params.windows <= MAX_WINDOWS).then_some(params)
        };
        let smallest = WIDTHS.filter_map(size_with).min_by_key(Self::memory_bytes);
        smallest.ok_or_else(|| {
            Error::invalid(format!(
                "no cuckoo filter holds {items} items at a false-positive rate of {fpr}: it would need \
                 more than {MAX_WINDOWS} windows or 28 bits per fingerprint; choose fewer items or a \
                 higher rate"
            ))
        })
    }

    /// Returns the best filter of at most `bytes` bytes for `items` items.
    ///
    /// ```
    /// use crivo::membership::CuckooParams;
    /// let params = CuckooParams::for_memory(1 << 20, 800_000)?;
    /// assert!(params.memory_bytes() <= 1 << 20 && params.most_items() >= 800_000);
    /// assert!(params.fpr_at(800_000) < 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if `items` is 0, or `bytes` are too few for them or more than any filter can take.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        let size_with = |fingerprint_bits: u32| {
            let bits = u128::from(bytes.saturating_sub(SPARE_BYTES as u64)) * 8;
            let slots = u64::try_from(bits / u128::from(fingerprint_bits)).ok()?;
            let params = Self { windows: slots.saturating_sub(1) / 4 * 2, fingerprint_bits };
            (params.windows <= MAX_WINDOWS && params.most_items() >= items).then_some(params)
        };
        // Another bit doubles the number of cells, so the widest fingerprints are the best.
        WIDTHS.rev().find_map(size_with).ok_or_else(|| {
            Error::invalid(format!(
                "no cuckoo filter for {items} items uses {bytes} bytes: it takes 4.2 to 29.4 bits per \
                 item, and has at most {MAX_WINDOWS} windows; choose a size in between"
            ))
        })
    }

    /// Creates params with exactly these numbers: windows of either parity, and bits of a fingerprint.
    ///
    /// # Errors
    /// `InvalidArgument` when `windows` is odd, 0 or beyond 2³², or `fingerprint_bits` is not 4 to 28.
    pub fn exact(windows: u64, fingerprint_bits: u32) -> Result<Self> {
        if windows == 0 || windows > MAX_WINDOWS || windows % 2 == 1 {
            return Err(Error::invalid(format!(
                "a cuckoo filter has an even number of windows from 2 to {MAX_WINDOWS}, got {windows}; choose one \
                 in between"
            )));
        }
        if !WIDTHS.contains(&fingerprint_bits) {
            return Err(Error::invalid(format!(
                "a fingerprint has from 4 to 28 bits, got {fingerprint_bits}; 9 are usual"
            )));
        }
        Ok(Self { windows, fingerprint_bits })
    }

    /// Returns the number of windows that start at even slots, M; as many start at odd ones.
    pub fn windows(&self) -> u64 {
        self.windows
    }

    /// Returns the number of slots, 2M + 1: each holds a fingerprint.
    pub fn slots(&self) -> u64 {
        2 * self.windows + 1
    }

    /// Returns the bits of a fingerprint.
    pub fn fingerprint_bits(&self) -> u32 {
        self.fingerprint_bits
    }

    /// Returns the number of distinct items that fit, except with a probability far below one in a million:
    /// 94.7 % of the slots, and fewer in small filters, whose fill varies more.
    pub fn most_items(&self) -> u64 {
        most_items(self.slots())
    }

    /// Returns the bytes of memory that the slots take.
    pub fn memory_bytes(&self) -> u64 {
        (self.slots() * u64::from(self.fingerprint_bits)).div_ceil(8) + SPARE_BYTES as u64
    }

    /// Returns the number of copies and items that may lie outside the slots if these have no room.
    pub(super) fn most_overflow(&self) -> usize {
        8 + (self.slots() / 4096) as usize
    }

    /// Returns the number of cells, that is, of items that a filter can distinguish.
    pub(super) fn cells(&self) -> f64 {
        (self.windows / 2) as f64 * fingerprints(self.fingerprint_bits)
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: 1 − (1 − 1/cells)ⁿ.
    pub fn fpr_at(&self, items: u64) -> f64 {
        -expm1(items as f64 * log1p(-1.0 / self.cells()))
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        // Two loads of 8 bytes, each from any byte of a cache line on.
        let lines = self.memory_bytes().div_ceil(64) as f64;
        FilterPlan {
            memory_bytes: size_of::<CuckooFilter>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: lines.min(2.0 * (1.0 + 7.0 / 64.0)),
            parameters: vec![("slots", self.slots()), ("fingerprint_bits", u64::from(self.fingerprint_bits))],
        }
    }
}

impl Params for CuckooParams {
    const NAMES: &[&str] = &["windows", "fingerprint_bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.windows, self.fingerprint_bits.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }

    /// Facts show slots instead of windows, since people count slots.
    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.named();
        facts[0] = Fact::count("slots", self.slots());
        facts
    }
}

/// Returns the number of distinct fingerprints.
fn fingerprints(bits: u32) -> f64 {
    ((1u64 << bits) - 1) as f64
}

/// Returns the number of items for which there is room. Fills with many seeds stop at 96 % of the slots, with
/// a standard deviation of 0.24/√slots, and the overflow takes eight more: this is six standard deviations
/// below at every size. Close to the limit insertions take long, so large filters stay 1 % away from it.
fn most_items(slots: u64) -> u64 {
    let slots = slots as f64;
    (0.955 * slots - 0.8 * sqrt(slots)).min(0.947 * slots).max(1.0) as u64
}

/// Returns the fewest windows with room for `items`; `None` if that is too many.
fn windows_for(items: u64) -> Option<u64> {
    let root = (0.8 + sqrt(0.64 + 4.0 * 0.955 * items as f64)) / (2.0 * 0.955);
    let start = (root * root).max(items as f64 / 0.947);
    if start > 4.0 * MAX_WINDOWS as f64 {
        return None;
    }
    // Rounding may make the closed form too low or too high.
    let mut windows = even_above((start - 5.0) / 2.0);
    while most_items(2 * windows + 1) < items {
        windows += 2;
    }
    Some(windows)
}

/// Returns the smallest even number from `x` on, at least 2.
fn even_above(x: f64) -> u64 {
    2 * (ceil(x / 2.0).max(1.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_with_no_window_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1_000_000, 1 << 32] {
            for fpr in [0.9, 0.5, 0.2, 0.1, 0.014, 0.01, 1e-3, 1e-6, 2e-8] {
                let params = CuckooParams::for_fpr(items, fpr).unwrap();
                assert!(params.fpr_at(items) <= fpr && params.most_items() >= items, "{items} {fpr}");
                for fingerprint_bits in WIDTHS {
                    // The next smaller number of slots that would take less memory.
                    let less = params.memory_bytes() - 1;
                    let slots = (less - SPARE_BYTES as u64) * 8 / u64::from(fingerprint_bits);
                    let Ok(smaller) = CuckooParams::exact(slots.saturating_sub(1) / 4 * 2, fingerprint_bits)
                    else {
                        continue;
                    };
                    assert!(smaller.memory_bytes() < params.memory_bytes());
                    let is_enough = smaller.fpr_at(items) <= fpr && smaller.most_items() >= items;
                    assert!(!is_enough, "{items} {fpr}: {params:?}, but {smaller:?}");
                }
            }
        }
    }

    #[test]
    fn the_rate_is_the_usual_bound_less_what_repeats() {
        for (windows, fingerprint_bits, items) in [(5282, 9, 10_000), (500, 12, 900), (50_000, 4, 90_000)] {
            let params = CuckooParams::exact(windows, fingerprint_bits).unwrap();
            let fill = items as f64 / params.slots() as f64;
            let bound = 1.0 - (1.0 - fill / (f64::from(1u32 << fingerprint_bits) - 1.0)).powi(4);
            let rate = params.fpr_at(items);
            assert!(rate <= bound * 1.001 && rate > 0.9 * bound, "{rate} {bound}");
        }
    }

    #[test]
    fn at_one_percent_an_item_takes_9_6_bits_in_all() {
        for items in [10_000, 10_001, 16_000, 16_385, 100_000, 1_000_000, 10_000_000] {
            let plan = CuckooParams::for_fpr(items, 0.01).unwrap().plan(items);
            let bits = plan.memory_bytes as f64 * 8.0 / items as f64;
            assert!(bits <= 9.6, "{bits} bits an item for {items}");
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in
            [(20, 1), (100, 50), (1 << 20, 800_000), (1 << 20, 1_900_000), (1 << 30, 1 << 30)]
        {
            let params = CuckooParams::for_memory(bytes, items).unwrap();
            assert!(
                params.memory_bytes() <= bytes && params.most_items() >= items,
                "{bytes} {items}: {params:?}"
            );
            let spare = bytes - params.memory_bytes();
            assert!(spare * 8 < 4 * u64::from(params.fingerprint_bits()) + 8, "{bytes} {items}: {params:?}");
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 2, 4),
            (10_000, 0.01, 5280, 9),
            (1_000_000, 0.01, 527_984, 9),
            (1_000_000, 0.014, 556_294, 8),
            (1_000_000, 0.001, 527_984, 12),
            (10_000_000, 1e-6, 5_279_832, 22),
        ];
        for (items, fpr, windows, fingerprint_bits) in golden {
            let params = CuckooParams::for_fpr(items, fpr).unwrap();
            assert_eq!(
                (params.windows(), params.fingerprint_bits()),
                (windows, fingerprint_bits),
                "{items} {fpr}"
            );
        }
    }

    #[test]
    fn absurd_targets_are_refused() {
        for fpr in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-300] {
            assert!(CuckooParams::for_fpr(1000, fpr).is_err(), "{fpr}");
        }
        assert!(CuckooParams::for_fpr(0, 0.01).is_err());
        assert!(CuckooParams::for_fpr(u64::MAX, 0.01).is_err());
        assert!(CuckooParams::for_memory(8, 10).is_err());
        assert!(CuckooParams::for_memory(u64::MAX, 10).is_err());
        assert!(CuckooParams::for_memory(100, 0).is_err());
        assert!(CuckooParams::for_memory(100, u64::MAX).is_err());
        assert!(CuckooParams::exact(0, 9).is_err());
        assert!(CuckooParams::exact(7, 9).is_err());
        assert!(CuckooParams::exact(u64::MAX - 1, 9).is_err());
        assert!(CuckooParams::exact(100, 3).is_err());
        assert!(CuckooParams::exact(100, 29).is_err());
    }
}
