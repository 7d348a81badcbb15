//! The width of the fingerprints, and the false-positive rate.

use super::BinaryFuse;
use crate::fuse::{FuseProbe, Shape, cell_bytes, fpr, memory_bytes};
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_rate};
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The fast path reads cells of up to four bytes, and a rate of 2⁻³² is low enough for any use.
const MAX_WIDTH: u32 = 32;

/// The size of a [`BinaryFuse`]: the bits of a fingerprint. The number of cells follows from the set.
///
/// ```
/// use crivo::membership::BinaryFuseParams;
/// let params = BinaryFuseParams::for_fpr(1_000_000, 0.01)?;
/// assert_eq!(params.width(), 7);
/// assert!(params.fpr_at(1_000_000) <= 0.01);
/// assert!(params.memory_bytes(1_000_000)? < 990_000); // 7.91 bits per item
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryFuseParams {
    width: u32,
}

impl BinaryFuseParams {
    /// Returns the narrowest fingerprints whose false-positive rate with `items` items is at most `fpr`.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `fpr` is not strictly between 0 and 1 or out of reach of 32 bits and
    /// 64-bit hashes.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_rate(fpr)?;
        check_items(items)?;
        let mut widths = (1..=MAX_WIDTH).map(|width| Self { width });
        widths.find(|params| params.fpr_at(items) <= fpr).ok_or_else(|| {
            Error::invalid(format!(
                "a false-positive rate of {fpr} is out of reach for {items} items: fingerprints have at \
                 most {MAX_WIDTH} bits, and 64-bit hashes collide; choose at least {:e}",
                Self { width: MAX_WIDTH }.fpr_at(items)
            ))
        })
    }

    /// Returns the widest fingerprints with which a filter of `items` items takes at most `bytes` bytes.
    ///
    /// ```
    /// use crivo::membership::BinaryFuseParams;
    /// let params = BinaryFuseParams::for_memory(1 << 20, 1_000_000)?;
    /// assert_eq!(params.width(), 7);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if not even one bit per fingerprint fits, or there are too many items.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        let least = Self { width: 1 }.memory_bytes(items)?;
        let mut widths = (1..=MAX_WIDTH).rev().map(|width| Self { width });
        let fits = |params: &Self| params.memory_bytes(items).is_ok_and(|needed| needed <= bytes);
        widths.find(fits).ok_or_else(|| {
            Error::invalid(format!(
                "a binary fuse filter of {items} items takes at least {least} bytes, got {bytes} bytes; \
                 allow more"
            ))
        })
    }

    /// Creates params with fingerprints of exactly this many bits.
    ///
    /// # Errors
    /// `InvalidArgument` unless `bits` is 1 to 32.
    pub fn with_width(bits: u32) -> Result<Self> {
        if (1..=MAX_WIDTH).contains(&bits) {
            return Ok(Self { width: bits });
        }
        Err(Error::invalid(format!("fingerprints have from 1 to {MAX_WIDTH} bits, got {bits}; 8 is usual")))
    }

    /// Creates params from a width that has already been checked.
    pub(super) fn of_width(width: u32) -> Self {
        Self { width }
    }

    /// Returns the bits of a fingerprint.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the false-positive rate with `items` distinct items inside: 2^−width, plus the probability
    /// that an item's 64-bit hash equals that of an item inside. An empty filter has no false positives.
    pub fn fpr_at(&self, items: u64) -> f64 {
        fpr(self.width, items)
    }

    /// Returns the bytes of memory that the cells of `items` distinct items take.
    ///
    /// # Errors
    /// `InvalidArgument` if there are too many items: more than about 3.8 billion.
    pub fn memory_bytes(&self, items: u64) -> Result<u64> {
        Ok(memory_bytes(Shape::for_items(items)?, self.width))
    }

    /// Returns the cost of a filter of `items` items.
    pub(crate) fn plan(self, items: u64) -> Result<FilterPlan> {
        let lines = cell_bytes(Shape::for_items(items)?, self.width).div_ceil(64);
        // A cell that ends in the next cache line touches two lines. The three cells lie in different
        // segments.
        let width = f64::from(self.width);
        let lines_a_cell = 1.0 + if self.width.is_power_of_two() { 0.0 } else { (width - 1.0) / 512.0 };
        Ok(FilterPlan {
            memory_bytes: size_of::<BinaryFuse>() as u64 + self.memory_bytes(items)?,
            fpr: self.fpr_at(items),
            cache_lines: (3.0 * lines_a_cell).min(lines as f64),
            parameters: vec![("width", u64::from(self.width))],
        })
    }
}

/// The params of a filter in a file: the cells of its items.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(crate) probe: FuseProbe,
    pub(super) items: u64,
}

impl Params for Frozen {
    const NAMES: &[&str] = &["width", "attempt", "segment_bits", "segments", "items"];

    fn numbers(&self) -> Vec<u64> {
        let mut numbers = vec![self.probe.width().into()];
        numbers.extend(self.probe.numbers(self.items));
        numbers
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let params = BinaryFuseParams::with_width(narrow(numbers[0])?)?;
        Ok(Self { probe: FuseProbe::of(params.width, &numbers[1..])?, items: numbers[4] })
    }

    fn memory_bytes(&self) -> u64 {
        size_of::<BinaryFuse>() as u64 + self.probe.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("width", self.probe.width().into()),
            Fact::count("cells", self.probe.cells()),
            Fact::count("items", self.items),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_fingerprint_that_meets_the_target() {
        for items in [1, 1000, 1_000_000, 1 << 31] {
            for (fpr, width) in [(0.9, 1), (0.5, 1), (0.1, 4), (0.01, 7), (0.001, 10), (1e-6, 20), (1e-9, 30)]
            {
                let params = BinaryFuseParams::for_fpr(items, fpr).unwrap();
                assert!(params.fpr_at(items) <= fpr, "{items} {fpr}");
                // For many hashes, collisions may require one more bit than the rate alone.
                assert!((width..=width + 1).contains(&params.width()), "{items} {fpr}: {params:?}");
                let narrower = BinaryFuseParams::with_width(params.width() - 1);
                assert!(narrower.is_err() || narrower.unwrap().fpr_at(items) > fpr, "{items} {fpr}");
            }
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for items in [1, 10, 1000, 1_000_000] {
            for width in 1..=32 {
                let params = BinaryFuseParams::with_width(width).unwrap();
                let bytes = params.memory_bytes(items).unwrap();
                assert_eq!(BinaryFuseParams::for_memory(bytes, items).unwrap(), params);
                let less = BinaryFuseParams::for_memory(bytes - 1, items);
                assert!(less.is_err() || less.unwrap().width() == width - 1);
            }
        }
    }

    /// Checks the sizes in the table of the page.
    #[test]
    fn bits_an_item() {
        let bits = |items: u64, width| {
            BinaryFuseParams::with_width(width).unwrap().memory_bytes(items).unwrap() as f64 * 8.0
                / items as f64
        };
        for (items, width, expected) in [
            (1_000_000, 4, 4.52),
            (1_000_000, 7, 7.91),
            (1_000_000, 10, 11.31),
            (10_000, 8, 10.04),
            (1_000_000, 8, 9.04),
            (10_000_000, 8, 8.89),
        ] {
            assert!((bits(items, width) - expected).abs() < 0.006, "{items} {width}: {}", bits(items, width));
        }
    }
}
