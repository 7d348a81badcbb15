//! The size of a counting Bloom filter, and the probability that a counter saturates.

use super::CountingBloom;
use crate::Result;
use crate::membership::FilterPlan;
use crate::membership::counters::Shape;
use crate::sketch::Params;
use crate::stats::binomial_sf;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::{exp, expm1, log, log1p};

/// A counter of one bit could not be decremented; more than 16 bits are for a spectral filter, which counts copies.
const WIDTHS: RangeInclusive<u32> = 2..=16;
/// With four bits, saturation is negligible (see [`overflow_bound`](CountingParams::overflow_bound)).
const USUAL_WIDTH: u32 = 4;

/// The size of a [`CountingBloom`]: counters, hash functions, and the width of a counter.
///
/// ```
/// use crivo::membership::CountingParams;
/// let params = CountingParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01);
/// assert_eq!((params.hashes(), params.counter_bits()), (6, 4));
/// assert!(params.overflow_probability(1_000_000) < 1e-6);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingParams {
    pub(super) shape: Shape,
}

impl CountingParams {
    /// Returns the smallest table whose exact false-positive rate at `items` items is at most `fpr`, with
    /// 4-bit counters: as many as a [`BloomFilter`](crate::BloomFilter) has bits.
    ///
    /// # Errors
    /// The errors of [`BloomParams::for_fpr`](crate::BloomParams::for_fpr), with a limit of 128 GiB.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self { shape: Shape::for_fpr(items, fpr, USUAL_WIDTH)? })
    }

    /// Returns the best table of at most `bytes` bytes for `items` items, with 4-bit counters.
    ///
    /// ```
    /// use crivo::membership::CountingParams;
    /// let params = CountingParams::for_memory(1 << 20, 100_000)?;
    /// assert!(params.memory_bytes() <= 1 << 20);
    /// assert!(params.fpr_at(100_000) < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bytes` is below 40 or beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        Ok(Self { shape: Shape::for_memory(bytes, items, USUAL_WIDTH)? })
    }

    /// Creates params with exactly these numbers and 4-bit counters.
    ///
    /// # Errors
    /// `InvalidArgument` when `counters` is 0 or takes more than 128 GiB, or `hashes` is not 1 to 64.
    pub fn exact(counters: u64, hashes: u32) -> Result<Self> {
        Ok(Self { shape: Shape::exact(counters, hashes, USUAL_WIDTH)? })
    }

    /// Returns the params with counters of 2 to 16 bits.
    ///
    /// # Errors
    /// `InvalidArgument` for another width, or when the table would exceed 128 GiB.
    pub fn with_counter_bits(self, bits: u32) -> Result<Self> {
        Ok(Self { shape: self.shape.with_counter_bits(bits, &WIDTHS)? })
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

    /// Returns the bytes that the counters take.
    pub fn memory_bytes(&self) -> u64 {
        self.shape.memory_bytes()
    }

    /// Returns the exact false-positive rate with `items` distinct items inside, which is the rate of a
    /// [`BloomFilter`](crate::BloomFilter) with as many bits as there are counters.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.shape.places().fpr_at(items)
    }

    /// Returns a bound on the probability that any counter saturates, with `items` *distinct* items inside,
    /// one copy of each: m·P\[Binomial(n, 1 − (1 − 1/m)ᵏ) ≥ 2ᵇ − 1\], the exact mean number of saturated
    /// counters. One item alone saturates its counters with 2ᵇ − 1 copies.
    ///
    /// ```
    /// use crivo::membership::CountingParams;
    /// let narrow = CountingParams::for_fpr(1000, 0.01)?.with_counter_bits(3)?;
    /// assert!((0.03..0.05).contains(&narrow.overflow_probability(1000)));
    /// assert_eq!(narrow.overflow_probability(100_000), 1.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn overflow_probability(&self, items: u64) -> f64 {
        self.saturated_at(items).min(1.0)
    }

    /// Returns the mean number of saturated counters with `items` distinct items inside.
    fn saturated_at(&self, items: u64) -> f64 {
        let m = self.counters() as f64;
        let hit = -expm1(f64::from(self.hashes()) * log1p(-1.0 / m));
        m * binomial_sf(self.shape.max() - 1, items, hit)
    }

    /// Returns the classical bound of Fan and others, m·(eλ/2ᵇ)^(2ᵇ) with λ = kn/m. It is simple, but about
    /// twenty times too high, although it is for one count more, 2ᵇ. At the best number of functions λ is ln
    /// 2, and 4-bit counters give 1.37·10⁻¹⁵·m.
    ///
    /// ```
    /// use crivo::membership::CountingParams;
    /// let params = CountingParams::exact(10_000, 7)?; // λ = 0.693 with 990 items
    /// assert!((params.overflow_bound(990) / (1.37e-15 * 10_000.0) - 1.0).abs() < 0.01);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn overflow_bound(&self, items: u64) -> f64 {
        let m = self.counters() as f64;
        let load = f64::from(self.hashes()) * items as f64 / m;
        let needed = self.shape.max() as f64 + 1.0;
        // The bound holds beyond the mean; below it a counter is expected to saturate.
        if load >= needed {
            return 1.0;
        }
        exp(log(m) + needed * (1.0 + log(load / needed))).min(1.0)
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        self.shape.plan(items, size_of::<CountingBloom>())
    }
}

impl Params for CountingParams {
    const NAMES: &[&str] = &["counters", "hashes", "counter_bits"];

    fn numbers(&self) -> Vec<u64> {
        self.shape.numbers().into()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Ok(Self { shape: Shape::of(numbers, &WIDTHS)? })
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B4: m (e ln 2 / 2ᵇ)^(2ᵇ) with k ≤ (m/n) ln 2; b = 4 gives 1.37·10⁻¹⁵·m.
    #[test]
    fn overflow_of_the_founding_documents() {
        let load = core::f64::consts::LN_2;
        let classical = libm::pow(core::f64::consts::E * load / 16.0, 16.0);
        assert!((classical / 1.37e-15 - 1.0).abs() < 0.005, "{classical:e}");
        let params = CountingParams::exact(1 << 20, 7).unwrap();
        let items = (load * f64::from(1 << 20) / 7.0) as u64;
        assert!((params.overflow_bound(items) / (classical * f64::from(1 << 20)) - 1.0).abs() < 1e-3);
        // The exact tail, at the same 16: less, but not by much more than a factor of 17.
        let m = f64::from(1 << 20);
        let tail = binomial_sf(15, items, -expm1(7.0 * log1p(-1.0 / m)));
        assert!(tail < classical && tail > classical / 20.0, "{tail:e}");
        // At 15, where a counter saturates, it is 23 times that.
        let ratio = params.overflow_probability(items) / (m * tail);
        assert!((ratio - 23.0).abs() < 1.0, "{ratio}");
    }

    #[test]
    fn overflow_grows_with_items_and_shrinks_with_width() {
        for items in [1, 10, 1000, 1 << 40] {
            let params = CountingParams::exact(1000, 5).unwrap();
            assert!(params.overflow_probability(items) <= params.overflow_probability(items + 1));
            assert!(params.overflow_bound(items) <= params.overflow_bound(items + 1));
            let mut wider = (2..=16).map(|bits| params.with_counter_bits(bits).unwrap());
            assert!(wider.clone().is_sorted_by_key(|p| -p.overflow_probability(items)), "{items}");
            assert!(wider.all(|p| (0.0..=1.0).contains(&p.overflow_bound(items))), "{items}");
        }
        // With a single counter, it saturates at the fifteenth item.
        let one = CountingParams::exact(1, 3).unwrap();
        assert_eq!((one.overflow_probability(14), one.overflow_probability(15)), (0.0, 1.0));
    }

    /// Checks the last column of the table on the page.
    #[test]
    fn overflow_at_the_planned_number_of_items() {
        for (fpr, overflow) in [(0.1, 2e-9), (0.01, 3e-9), (0.001, 5e-9)] {
            let params = CountingParams::for_fpr(1_000_000, fpr).unwrap();
            let exact = params.overflow_probability(1_000_000);
            assert!((exact / overflow - 1.0).abs() < 0.2, "{fpr}: {exact:e}");
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        for (items, fpr, counters, hashes) in
            [(1, 0.5, 63, 1), (10_000, 0.01, 96_191, 6), (1_000_000, 0.001, 14_425_023, 9)]
        {
            let params = CountingParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.counters(), params.hashes(), params.counter_bits()), (counters, hashes, 4));
            assert_eq!(params.memory_bytes(), counters.div_ceil(2) + 8);
        }
    }
}
