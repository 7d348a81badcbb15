//! The dynamic Bloom filter: see [`DynamicBloom`].

use super::layering::Layering;
use super::{Layers, layer, layered_filter};
use crate::kind::Kind;
use crate::membership::FilterPlan;
use crate::sketch::{Core, Empty, Fact, Params, Payload, shell};
use crate::{Estimate, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// The size of each filter in a [`DynamicBloom`].
///
/// ```
/// use crivo::membership::DynamicParams;
/// let params = DynamicParams::for_fpr(1000, 0.01)?;
/// assert!(params.fpr_at(1000) <= 0.01);
/// assert!((0.09..0.0957).contains(&params.fpr_at(10_000))); // at most 1 − 0.99¹⁰
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DynamicParams {
    capacity: u64,
    fpr: f64,
}

impl DynamicParams {
    /// Creates params for filters of `items` items each, at a rate of at most `fpr` each.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1, or a filter would exceed
    /// 2⁴⁰ bits or what 64-bit hashes can distinguish.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        let params = Self { capacity: items, fpr };
        params.layering().check(fpr)?;
        Ok(params)
    }

    /// Returns the params with the lowest rate at which a filter of `items` items takes at most `bytes`
    /// bytes.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or too many for `bytes` at any rate.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        let at = |fpr| Self { capacity: items, fpr }.layering();
        Self::for_fpr(items, Layering::for_memory(bytes, items, at)?)
    }

    /// Returns the number of items of each filter.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Returns the highest false-positive rate of each filter.
    pub fn fpr(&self) -> f64 {
        self.fpr
    }

    /// Returns the memory of the bits of one filter, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.layering().layer(0).memory_bytes()
    }

    /// Returns the expected rate with `items` distinct items inside: 1 − (1 − f)ˢ with s full filters, and
    /// the last one as full as its items make it. The mean over the hash functions is at most this.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.layering().fpr_at(items)
    }

    /// Returns the cost of an empty filter of this size, and its rate with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        self.layering().plan(size_of::<DynamicBloom>(), items)
    }

    fn layering(&self) -> Layering {
        Layering { first: self.capacity, rate: self.fpr, growth: 1, tightening: 1.0 }
    }
}

impl Params for DynamicParams {
    const NAMES: &[&str] = &["capacity", "filter_fpr"];
    const REALS: &[&str] = &["filter_fpr"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.capacity, self.fpr.to_bits()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::for_fpr(numbers[0], f64::from_bits(numbers[1]))
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// A dynamic Bloom filter: a sequence of equal Bloom filters. A new one is added when the last is full, and
/// the false-positive rate grows with them.
///
/// # Use when / not when
/// Use it if each filter must have one size, for example a page or a message. Not if the rate must stay
/// constant: a [`ScalableBloom`](crate::ScalableBloom) keeps it, with far fewer layers. Not if the number of
/// items is known: use a [`BloomFilter`](crate::BloomFilter) of that size.
///
/// # Guarantee
/// No false negatives, ever. With s filters of a rate f the false-positive rate is at most 1 − (1 − f)ˢ,
/// whatever is inserted: [`fpr_limit`](Self::fpr_limit). [`fpr`](Self::fpr) is exact at the present fill.
/// (The probability that two 64-bit hashes are equal comes on top: 10⁻¹⁰ at two billion items.) For filters
/// of 1 %:
///
/// | filters | 1 | 2 | 5 | 10 | 100 |
/// |---|---|---|---|---|---|
/// | rate | 1.0 % | 2.0 % | 4.9 % | 9.6 % | 63.4 % |
///
/// # Space
/// 1.44·log₂(1/f) bits per item, like a [`BloomFilter`](crate::BloomFilter), and a margin of 4·√(n/k) items
/// so that n items fit; the same at 1×, 10×, 100× and 1000× the first capacity: at 1 % 9.78 for filters of
/// ten thousand items, 9.63 for filters of a million. A filter is allocated when it is needed.
///
/// # Time
/// An insertion and a query for an absent item check every filter, three or four bits of each; a query for an
/// item inside checks half of them on average. [`contains_hashes`](Self::contains_hashes) and
/// [`insert_hashes`](Self::insert_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Bounded: no item is lost, and at worst the limits of both filters add up. Filters at the same position in
/// the sequence are joined while their common fill keeps to the rate; otherwise both are kept, and take items
/// while they have room. The filter of an item depends on the order of insertions and merges, and so do the
/// bytes. Merging a filter with itself changes nothing.
///
/// # Hostile input
/// Items chosen to fill it make it grow early: each filter still has a rate of at most f, but there are more
/// of them. Items chosen to be false positives remain. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::membership::DynamicBloom;
/// let mut seen = DynamicBloom::for_fpr(1000, 0.01)?;
/// for page in 0..11_000u32 {
///     seen.insert(&page);
/// }
/// assert!((0..11_000u32).all(|page| seen.contains(&page)));
/// assert_eq!(seen.layers(), 10); // each has room for slightly more than its items
/// assert!(seen.fpr().value() > 0.09); // ten full filters of 1 %
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// ■■□■□■■□   □■■□■□■■   ■□■□□■■■   □□■□□□□■        a query checks all filters;
///   full       full       full     takes items     an item that one reports is not inserted again
/// ```
///
/// # References
/// Guo, Wu, Chen, Yuan and Luo, doi:10.1109/TKDE.2009.57. They count the items of a filter; here the fill
/// decides, which makes the rate certain.
///
/// # Measured
/// `crivo-lab run c-dynamic-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct DynamicBloom {
    params: DynamicParams,
    spec: HashSpec,
    layers: Layers,
}

layered_filter!(DynamicBloom, DynamicParams);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_rates() {
        let params = DynamicParams::for_fpr(10_000, 0.01).unwrap();
        for (filters, percent) in [(1, 1.0), (2, 2.0), (5, 4.9), (10, 9.6), (100, 63.4)] {
            let rate = 100.0 * (1.0 - libm::pow(0.99, filters as f64));
            assert!((rate - percent).abs() <= 0.05, "{filters} filters: {rate} %");
            let expected = 100.0 * params.fpr_at(10_000 * filters);
            assert!(expected <= rate && expected > 0.9 * rate, "{filters} filters: {expected} %");
        }
        for (items, printed) in [(10_000, 9.78), (1_000_000, 9.63)] {
            let bits =
                DynamicParams::for_fpr(items, 0.01).unwrap().memory_bytes() as f64 * 8.0 / items as f64;
            assert!((bits - printed).abs() <= 0.005, "{items}: {bits}");
        }
        assert!(params.fpr_at(u64::MAX) <= 1.0);
    }

    #[test]
    fn plans_are_what_filters_cost() {
        for (items, fpr) in [(1, 0.5), (100, 0.01), (100_000, 1e-6)] {
            let params = DynamicParams::for_fpr(items, fpr).unwrap();
            let plan = params.plan(items);
            assert_eq!(plan.memory_bytes, DynamicBloom::with_params(params).memory_bytes() as u64);
            assert!(plan.fpr <= fpr, "{items} {fpr}");
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(8, 1), (100, 100), (1 << 20, 1_000_000)] {
            let params = DynamicParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.memory_bytes() + 8 > bytes, "{bytes} {items}");
        }
        assert!(DynamicParams::for_memory(7, 1).is_err());
    }
}
