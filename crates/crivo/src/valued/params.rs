//! Parameters of a filter of values, and the share of answers that are too high.

use super::theory;
use crate::membership::BloomParams;
use crate::sketch::{Fact, narrow};
use crate::{Error, Result};
use alloc::format;

/// The largest number of cells: 128 GiB of the widest, or 1 GiB where addresses have 32 bits.
const MAX_CELLS: u64 = if usize::BITS < 64 { 1 << 27 } else { 1 << 34 };
/// The same limit as for a Bloom filter.
const MAX_HASHES: u32 = 64;
/// The number of 64-bit hashes.
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// The size of a [`LinearBloom`](crate::LinearBloom), a [`QuantisedBloom`](crate::valued::QuantisedBloom) or a
/// [`DecayingBloom`](crate::valued::DecayingBloom): cells and hash functions.
///
/// ```
/// use crivo::valued::LinearBloomParams;
/// let params = LinearBloomParams::for_distortion(100_000, 0.01)?;
/// assert!(params.distortion_at(100_000) <= 0.01);
/// assert_eq!((params.cells(), params.hashes()), (644_691, 5));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearBloomParams {
    cells: u64,
    hashes: u32,
}

impl LinearBloomParams {
    /// Returns a filter with exactly these numbers.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `cells` is 1 to 2³⁴ and `hashes` is 1 to 64.
    pub fn exact(cells: u64, hashes: u32) -> Result<Self> {
        if cells == 0 || cells > MAX_CELLS {
            return Err(Error::invalid(format!(
                "a filter of values has 1 to {MAX_CELLS} cells, got {cells}; choose a size in this range"
            )));
        }
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(Error::invalid(format!(
                "a filter of values has 1 to {MAX_HASHES} hash functions, got {hashes}; 7 is usual"
            )));
        }
        Ok(Self { cells, hashes })
    }

    /// Returns the smallest filter that answers too high for at most a share of `rate` of its items, with `items` items
    /// of distinct values, on average over the hash functions.
    ///
    /// As for a Bloom filter, this takes the least number of hash functions that needs at most 0.4 % more cells than
    /// the best. The number of cells is odd, which makes positions fastest to compute.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `items` is 0, if `rate` does not lie strictly between 0 and 1, or if the filter
    /// would exceed 2³⁴ cells or the rate is impossible with 64-bit hashes.
    pub fn for_distortion(items: u64, rate: f64) -> Result<Self> {
        check_items(items)?;
        if !(rate > 0.0 && rate < 1.0) {
            return Err(Error::invalid(format!(
                "the distortion rate must lie strictly between 0 and 1, got {rate}; 0.01 is usual"
            )));
        }
        if rate < items as f64 / TWO_TO_64 {
            return Err(Error::invalid(format!(
                "a distortion rate of {rate} is impossible for {items} items: their 64-bit hashes alone \
                 collide as often; ask for more"
            )));
        }
        let cells_with = |hashes: u32| items as f64 * f64::from(hashes) / theory::load_for(rate, hashes);
        let best = (1..=MAX_HASHES).map(cells_with).fold(f64::INFINITY, f64::min);
        let is_near_best = |hashes: &u32| cells_with(*hashes) <= best * (1.0 + 1.0 / 256.0);
        let hashes = (1..=MAX_HASHES).find(is_near_best).unwrap_or(MAX_HASHES);
        // The number of cells is 2·half + 1.
        let is_enough = |half: u64| Self { cells: 2 * half + 1, hashes }.distortion_at(items) <= rate;
        let (mut enough, mut fewest) = (MAX_CELLS / 2 - 1, 0);
        if !is_enough(enough) {
            return Err(Error::invalid(format!(
                "{items} items at a distortion rate of {rate} need more than {MAX_CELLS} cells; ask for a higher rate or fewer items"
            )));
        }
        while fewest < enough {
            let middle = fewest + (enough - fewest) / 2;
            if is_enough(middle) { enough = middle } else { fewest = middle + 1 }
        }
        Ok(Self { cells: 2 * enough + 1, hashes })
    }

    /// Returns the filter with the lowest distortion rate for `items` items in at most `bytes` bytes of cells. A cell
    /// takes as many bytes as a value in a [`LinearBloom`](crate::LinearBloom), 1 or 2 in a
    /// [`QuantisedBloom`](crate::valued::QuantisedBloom), and 4 in a [`DecayingBloom`](crate::valued::DecayingBloom).
    ///
    /// ```
    /// use crivo::valued::LinearBloomParams;
    /// let params = LinearBloomParams::for_memory(1 << 20, 8, 20_000)?;
    /// assert!(params.cells() * 8 <= 1 << 20);
    /// assert!(params.distortion_at(20_000) < 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `items` is 0, if `cell_bytes` is not 1, 2, 4 or 8, or if `bytes` is less than one
    /// cell or more than 2³⁴ cells.
    pub fn for_memory(bytes: u64, cell_bytes: u32, items: u64) -> Result<Self> {
        check_items(items)?;
        if !matches!(cell_bytes, 1 | 2 | 4 | 8) {
            return Err(Error::invalid(format!(
                "cells have 1, 2, 4 or 8 bytes, got {cell_bytes}; 8 is usual"
            )));
        }
        let cells = bytes / u64::from(cell_bytes);
        if cells == 0 || cells > MAX_CELLS {
            return Err(Error::invalid(format!(
                "a filter of values has 1 to {MAX_CELLS} cells of {cell_bytes} bytes, got {bytes} bytes; choose a \
                 size in between"
            )));
        }
        let odd = cells - u64::from(cells.is_multiple_of(2));
        let rate = |hashes: &u32| theory::distortion_rate(theory::load(items, odd, *hashes), *hashes);
        let best = (1..=MAX_HASHES).min_by(|a, b| rate(a).total_cmp(&rate(b))).unwrap_or(1);
        Ok(Self { cells: odd, hashes: best })
    }

    /// Returns the number of cells, m.
    #[inline]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Returns the number of hash functions, k.
    #[inline]
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Returns the share of items whose answer is too high, with `items` items of distinct values, on average over the
    /// hash functions.
    ///
    /// An answer is too high if the items of larger values fill all cells of the item, that is, if a Bloom filter of
    /// these items alone would report it. So the share is the mean false-positive rate of a Bloom filter with 0, 1, …
    /// and n − 1 items, exact for small filters as for large ones, whatever the distribution of the values.
    pub fn distortion_at(&self, items: u64) -> f64 {
        let collide = items.saturating_sub(1) as f64 / 2.0 / TWO_TO_64;
        (self.as_bloom().mean_all_set_below(items) + collide).min(1.0)
    }

    /// Returns the probability that an item that was not inserted is reported, with `items` items in the filter.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.as_bloom().fpr_at(items)
    }

    /// Returns the Bloom filter that the occupied cells form.
    pub(super) fn as_bloom(self) -> BloomParams {
        BloomParams::exact(self.cells, self.hashes).expect("the limits are narrower")
    }

    /// Returns the bytes of all cells.
    pub(super) fn cell_bytes<C>(&self) -> u64 {
        self.cells * size_of::<C>() as u64
    }

    /// Returns the numbers in a file.
    pub(super) fn numbers(&self) -> [u64; 2] {
        [self.cells, self.hashes.into()]
    }

    /// Reads [`numbers`](Self::numbers).
    pub(super) fn of([cells, hashes]: [u64; 2]) -> Result<Self> {
        Self::exact(cells, narrow(hashes)?)
    }

    pub(super) fn facts(&self) -> [Fact; 2] {
        [Fact::count("cells", self.cells), Fact::count("hashes", self.hashes.into())]
    }
}

fn check_items(items: u64) -> Result<()> {
    if items > 0 {
        return Ok(());
    }
    Err(Error::invalid("a filter needs room for at least 1 item, got 0; give the expected number of items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_with_no_cell_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1 << 28] {
            for rate in [0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9] {
                let params = LinearBloomParams::for_distortion(items, rate).unwrap();
                assert!(params.distortion_at(items) <= rate, "{items} {rate}");
                if params.cells() > 1 {
                    let smaller = LinearBloomParams::exact(params.cells() - 2, params.hashes()).unwrap();
                    assert!(smaller.distortion_at(items) > rate, "{items} {rate}");
                }
            }
        }
        assert_eq!(LinearBloomParams::for_distortion(1, 1e-9).unwrap().cells(), 1, "one item meets no other");
    }

    /// The exact rate of a filter that is large enough for the asymptotic formula.
    #[test]
    fn large_filters_obey_the_law_of_large_filters() {
        for (items, cells, hashes) in
            [(103_831, 1 << 20, 7), (830_648, 1 << 20, 7), (1_000_000, 3_000_000, 3)]
        {
            let exact = LinearBloomParams::exact(cells, hashes).unwrap().distortion_at(items);
            let law = theory::distortion_rate(theory::load(items, cells, hashes), hashes);
            assert!((exact / law - 1.0).abs() < 1e-4, "{exact} {law}");
        }
    }

    /// At the limit of the exact recurrence, where the moments are worst, both agree.
    #[test]
    fn both_ways_to_the_exact_rate_agree() {
        for (items, hashes) in [(20, 20), (60, 10), (100, 7), (300, 5), (600, 3)] {
            let balls = items * u64::from(hashes);
            let rate = |cells: u64| LinearBloomParams { cells, hashes }.distortion_at(items);
            let last = (1 << 21) / balls;
            let (recurrence, moments) = (rate(last), rate(last + 1));
            assert!(
                (moments / recurrence - 1.0).abs() < 0.01 + f64::from(hashes) / last as f64,
                "{items} {hashes}: {recurrence} {moments}"
            );
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, cell_bytes, items) in
            [(1, 1, 1), (100, 8, 10), (1 << 20, 8, 20_000), (1 << 20, 1, 1 << 40)]
        {
            let params = LinearBloomParams::for_memory(bytes, cell_bytes, items).unwrap();
            let used = params.cells() * u64::from(cell_bytes);
            assert!(used <= bytes && used + 2 * u64::from(cell_bytes) > bytes);
        }
    }
}
