//! The scalable Bloom filter: see [`ScalableBloom`].

use super::layering::Layering;
use super::{Layers, layer, layered_filter};
use crate::kind::Kind;
use crate::membership::FilterPlan;
use crate::sketch::{Core, Empty, Fact, Params, Payload, narrow, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Of the growths and tightenings that the tests try, these two need the fewest bits per item, on average
/// over 1 to 1000 times the first capacity.
const GROWTH: u32 = 2;
const TIGHTENING: f64 = 0.8;

/// The size of a [`ScalableBloom`]: the items of its first layer, the rate that it keeps, and the growth of
/// its layers.
///
/// ```
/// use crivo::membership::ScalableParams;
/// let params = ScalableParams::for_fpr(1000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // far beyond the first capacity
/// assert_eq!((params.growth(), params.tightening()), (2, 0.8));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalableParams {
    capacity: u64,
    fpr: f64,
    growth: u32,
    tightening: f64,
}

impl ScalableParams {
    /// Creates params with a first layer for `items` items; the rate stays at or below `fpr` whatever the
    /// number of items.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1, or the first layer would
    /// exceed 2⁴⁰ bits or what 64-bit hashes can distinguish.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Self::exact(items, fpr, GROWTH, TIGHTENING)
    }

    /// Returns the params with the lowest rate at which a first layer for `items` items takes at most `bytes`
    /// bytes.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or too many for `bytes` at any rate.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        let at = |fpr| Self { capacity: items, fpr, growth: GROWTH, tightening: TIGHTENING };
        Self::for_fpr(items, Layering::for_memory(bytes, items, |fpr| at(fpr).layering())?)
    }

    /// Creates params with a first layer for `capacity` items. Each further layer has `growth` times the
    /// items and `tightening` times the rate of the one before. The rates of all layers, however many, add up
    /// to `fpr`.
    ///
    /// # Errors
    /// The errors of [`for_fpr`](Self::for_fpr), and `InvalidArgument` unless `growth` is 2 to 16 and
    /// `tightening` 0.5 to 0.95.
    pub fn exact(capacity: u64, fpr: f64, growth: u32, tightening: f64) -> Result<Self> {
        if !(2..=16).contains(&growth) {
            return Err(Error::invalid(format!(
                "layers grow by a factor from 2 to 16, got {growth}; 2 is usual"
            )));
        }
        if !(0.5..=0.95).contains(&tightening) {
            return Err(Error::invalid(format!(
                "layers tighten by a ratio from 0.5 to 0.95, got {tightening}; 0.8 is usual"
            )));
        }
        let params = Self { capacity, fpr, growth, tightening };
        params.layering().check(fpr)?;
        Ok(params)
    }

    /// Returns the number of items of the first layer.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Returns the rate that the filter keeps.
    pub fn fpr(&self) -> f64 {
        self.fpr
    }

    /// Returns the factor by which the number of items grows from layer to layer.
    pub fn growth(&self) -> u32 {
        self.growth
    }

    /// Returns the factor by which the rate falls from layer to layer.
    pub fn tightening(&self) -> f64 {
        self.tightening
    }

    /// Returns the memory of the bits of the first layer, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.layering().layer(0).memory_bytes()
    }

    /// Returns the expected rate with `items` distinct items inside: full layers have their highest rate, and
    /// the last one is as full as its items make it. The mean over the hash functions is at most this.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.layering().fpr_at(items)
    }

    /// Returns the cost of an empty filter of this size, and its rate with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        self.layering().plan(size_of::<ScalableBloom>(), items)
    }

    pub(super) fn layering(&self) -> Layering {
        Layering {
            first: self.capacity,
            rate: self.fpr * (1.0 - self.tightening),
            growth: self.growth,
            tightening: self.tightening,
        }
    }
}

impl Params for ScalableParams {
    const NAMES: &[&str] = &["capacity", "target_fpr", "growth", "tightening"];
    const REALS: &[&str] = &["target_fpr", "tightening"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.capacity, self.fpr.to_bits(), self.growth.into(), self.tightening.to_bits()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let [fpr, tightening] = [numbers[1], numbers[3]].map(f64::from_bits);
        Self::exact(numbers[0], fpr, narrow(numbers[2])?, tightening)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// A scalable Bloom filter, for an unknown number of items: it grows, and its false-positive rate holds at
/// any size.
///
/// # Use when / not when
/// Use it for a set that grows by orders of magnitude, or whose size is unknown. Not if the size is known
/// within a factor of 2: a [`BloomFilter`](crate::BloomFilter) for the larger size is as small, checks one
/// filter instead of several, and merges exactly.
///
/// # Guarantee
/// No false negatives, ever. The rate never exceeds the target, whatever is inserted and however much: each
/// layer stops at the fill where its share of the target is used up, and the shares add up to the target.
/// (The probability that two 64-bit hashes are equal comes on top: 10⁻¹⁰ at two billion items.)
/// [`fpr`](Self::fpr) is exact at the present fill. Only merges can raise the rate:
/// [`fpr_limit`](Self::fpr_limit) returns by how much.
///
/// # Space
/// Each layer has twice the items of the one before and 0.8 times its rate, so 0.46 bits per item more. The
/// table shows bits per item, by the ratio of inserted items to the items of the first layer:
///
/// | rate | 1× | 10× | 100× | 1000× | a [`BloomFilter`](crate::BloomFilter) of that size |
/// |---|---|---|---|---|---|
/// | 1 % | 13.1 | 21.2 | 19.5 | 17.1 | 9.62 |
/// | 0.1 % | 18.0 | 28.4 | 25.6 | 22.0 | 14.43 |
///
/// Between these sizes it depends on how full the last layer is: up to 40 bits at 1 %, just after a layer was
/// added. Layers are allocated when they are needed.
///
/// # Time
/// An insertion and a query for an absent item check every layer, three or four bits of each: at 1000 times
/// the first capacity there are 10 layers. The last one, which is checked first, has about half of all items.
/// [`contains_hashes`](Self::contains_hashes) and [`insert_hashes`](Self::insert_hashes) overlap the cache
/// misses of many items.
///
/// # Merge
/// Bounded: no item is lost, and at worst the limits of both filters add up. Layers of the same level are
/// joined while their common fill keeps to the rate of the level; otherwise both are kept, and take items
/// while they have room. The layer of an item depends on the order of insertions and merges, and so do the
/// bytes. Merging a filter with itself changes nothing.
///
/// # Hostile input
/// Items chosen to fill it make it grow early, but never raise its rate for other items. Items chosen to be
/// false positives remain: use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::ScalableBloom;
/// let mut seen = ScalableBloom::for_fpr(100, 0.01)?; // a guess that is far too low
/// for page in 0..100_000u32 {
///     seen.insert(&page);
/// }
/// assert!((0..100_000u32).all(|page| seen.contains(&page)));
/// assert!(seen.fpr().value() <= 0.01);
/// let wrong = (100_000..200_000u32).filter(|page| seen.contains(page)).count();
/// assert!(wrong < 1000, "{wrong} false positives in 100,000");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// level 0  ■■□■□■■□                            full: rate P(1−r)
/// level 1  □■■□■□■■□■■□■□□■■■□□                full: rate P(1−r)r
/// level 2  □□■□□□■□□□□□■□□□□□□■□□□□□□□□□■□□…   takes new items, until its rate is P(1−r)r²
///
/// a query checks all levels, the largest first;    P(1−r)(1 + r + r² + …) = P
/// an item that one of them reports is not inserted again
/// ```
///
/// # References
/// Almeida, Baquero, Preguiça and Hutchison, doi:10.1016/j.ipl.2006.10.007. They count the items of a layer;
/// here the fill decides, which makes the rate certain.
///
/// # Measured
/// `crivo-lab run c-scalable-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct ScalableBloom {
    params: ScalableParams,
    spec: HashSpec,
    layers: Layers,
}

layered_filter!(ScalableBloom, ScalableParams);

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bits of all layers that `items` items need, per item.
    fn bits_an_item(params: ScalableParams, items: f64) -> f64 {
        let layering = params.layering();
        let (mut room, mut bits, mut level) = (0.0, 0.0, 0);
        while room < items {
            room += layering.items(level);
            bits += layering.layer(level).memory_bytes() as f64 * 8.0;
            level += 1;
        }
        bits / items
    }

    #[test]
    fn the_table_of_space() {
        for (fpr, bits) in [(0.01, [13.1, 21.2, 19.5, 17.1]), (0.001, [18.0, 28.4, 25.6, 22.0])] {
            let params = ScalableParams::for_fpr(10_000, fpr).unwrap();
            let computed = [1e4, 1e5, 1e6, 1e7].map(|items| bits_an_item(params, items));
            assert!(fpr < 0.01 || (40.0..40.5).contains(&bits_an_item(params, 10_001.0)));
            for (computed, printed) in computed.iter().zip(bits) {
                assert!((computed - printed).abs() <= 0.05, "{fpr}: {computed}, printed {printed}");
            }
        }
    }

    /// The mean over 1 to 1000 times the first capacity, evenly spaced on a logarithmic scale.
    #[test]
    fn the_default_growth_is_the_smallest() {
        let mean = |growth, tightening| {
            let params = ScalableParams::exact(10_000, 0.01, growth, tightening).unwrap();
            (0..=300).map(|i| bits_an_item(params, 1e4 * libm::pow(10.0, f64::from(i) / 100.0))).sum::<f64>()
        };
        let usual = mean(GROWTH, TIGHTENING);
        for growth in [2, 3, 4, 8] {
            for tightening in [0.5, 0.6, 0.7, 0.75, 0.85, 0.9] {
                assert!(mean(growth, tightening) > usual, "{growth} {tightening}");
            }
        }
    }

    #[test]
    fn the_rates_of_all_layers_add_up_to_the_target() {
        for (fpr, growth, tightening) in [(0.01, 2, 0.8), (0.9, 2, 0.5), (1e-9, 16, 0.95)] {
            let layering = ScalableParams::exact(10, fpr, growth, tightening).unwrap().layering();
            let sum: f64 =
                (0..=super::super::layering::LAST_TIGHTER_LEVEL).map(|level| layering.rate(level)).sum();
            assert!(sum <= fpr && sum > 0.9 * fpr, "{sum} of {fpr}");
        }
    }

    #[test]
    fn plans_are_what_filters_cost() {
        for (items, fpr) in [(1, 0.5), (100, 0.01), (100_000, 1e-6)] {
            let params = ScalableParams::for_fpr(items, fpr).unwrap();
            let plan = params.plan(items);
            assert_eq!(plan.memory_bytes, ScalableBloom::with_params(params).memory_bytes() as u64);
            assert!(plan.fpr <= fpr && params.fpr_at(1000 * items) <= fpr, "{items} {fpr}");
        }
        assert!(ScalableParams::for_fpr(1, 0.5).unwrap().fpr_at(u64::MAX) <= 0.5);
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(8, 1), (100, 100), (1 << 20, 1_000_000)] {
            let params = ScalableParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.memory_bytes() + 8 > bytes, "{bytes} {items}");
        }
        assert!(ScalableParams::for_memory(7, 1).is_err());
        assert!(ScalableParams::for_memory(8, 1 << 40).is_err());
    }
}
