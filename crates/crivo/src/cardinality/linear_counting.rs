//! Linear counting: see [`LinearCounting`].

use super::mean_law::{Cell, MeanLaw};
use crate::bits::BitVec;
use crate::hash::reduce;
use crate::kind::Kind;
use crate::memory::{BATCH, CACHED_BYTES, prefetch};
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp, expm1};

/// The largest bitmap: half a gigabyte.
const MOST_BITS: u64 = 1 << 32;

/// Linear counting: estimates the number of distinct items from a bitmap. It is the most accurate counter
/// until the bitmap is full.
///
/// # Use when / not when
/// Use it if the number of items is known within a factor, and is at most four times the number of bits: then
/// no other sketch is as accurate in as many bits. At one item per bit the error is 0.85/√m; the error of a
/// [`HyperLogLog`](crate::HyperLogLog) of as many bits is 2.9/√m. Not if the number of items is unknown: the
/// bits fill up, and beyond m·ln m items only a lower bound is left.
///
/// # Guarantee
/// A standard error of √(m(eˡ − l − 1)) items with m bits and l = n/m items per bit. The 95 % interval
/// follows the law of the number of empty bits, including skewness; computed from the exact distribution of
/// that number, its coverage is at least 95 % for every number of items, at every tested size. If all bits
/// are set, the value is a lower bound and the upper bound is infinite.
/// [`Guarantee::Approximate`](crate::Guarantee::Approximate).
///
/// # Space
/// One bit per cell, in memory and in a file. For an interval of ±1 %:
///
/// | items | bits | memory | items per bit |
/// |---|---|---|---|
/// | 10,000 | 23,151 | 2.9 kB | 0.43 |
/// | 100,000 | 46,428 | 5.9 kB | 2.2 |
/// | 1 million | 206,360 | 26 kB | 4.8 |
/// | 10 million | 1,328,290 | 166 kB | 7.5 |
///
/// # Time
/// One bit per insertion, located with one multiplication; an estimate counts the bits; a merge is a
/// vectorised union. [`insert_hashes`](Self::insert_hashes) overlaps the cache misses of many items.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes;
/// commutative, associative, idempotent. Both sketches must have the same number of bits.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that share one bit and count as one. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::cardinality::LinearCounting;
/// let mut visitors = LinearCounting::for_error(50_000, 0.01)?; // ±1 % of 50,000 at 95 % confidence
/// visitors.extend(0..40_000u32);
/// assert!(visitors.estimate().contains(40_000.0), "{}", visitors.estimate());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// items      a   b   c   d                a and d share a bit: three bits are set, five are not
/// bits     0 1 0 1 0 0 1 0                n ≈ −8 · ln(5/8) = 3.8
/// ```
///
/// # References
/// Whang, Vander-Zanden and Taylor, doi:10.1145/78922.78925. New here: the remaining bias is removed, the
/// interval is derived (`mean_law.rs`), and a full bitmap gives a lower bound instead of an infinite answer.
///
/// # Measured
/// `crivo-lab run c-linear-counting`, `e-f7`, `e-f10`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct LinearCounting {
    bits: BitVec,
    spec: HashSpec,
}

impl LinearCounting {
    /// Returns the smallest sketch whose 95 % interval extends at most `error` (relative) to either side at
    /// `items` items, on average, and that keeps a few empty bits there. With fewer items the absolute error
    /// is smaller, with more it is larger.
    ///
    /// ```
    /// # use crivo::cardinality::LinearCounting;
    /// let sketch = LinearCounting::for_error(1_000_000, 0.01)?;
    /// assert!(sketch.bits() < 300_000); // less than a third of a bit per item
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `items` is at least 1, and `error` is a number and reachable: at least about
    /// half an item, with at most 2³² bits.
    pub fn for_error(items: u64, error: f64) -> Result<Self> {
        Self::for_bits(fewest_bits(items, "error", error, |bits| law(bits).reach(items as f64))?)
    }

    /// Returns the smallest sketch whose relative standard error at `items` items is at most `error`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `items` is at least 1, and `error` is a number and reachable with 2³² bits.
    pub fn for_standard_error(items: u64, error: f64) -> Result<Self> {
        let error_at = |bits| law(bits).standard_error(items as f64);
        Self::for_bits(fewest_bits(items, "standard error", error, error_at)?)
    }

    /// Returns the largest sketch that takes at most `bytes` bytes of memory.
    ///
    /// ```
    /// # use crivo::cardinality::LinearCounting;
    /// assert!((8192..8800).contains(&LinearCounting::for_memory(1100)?.bits()));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if not even the smallest sketch fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let words = bytes.saturating_sub(size_of::<Self>() as u64) / 8;
        if words == 0 {
            let least = size_of::<Self>() + 8;
            return Err(Error::invalid(format!(
                "a sketch takes at least {least} bytes, got {bytes}; allow more"
            )));
        }
        Self::for_bits(words.saturating_mul(64).min(MOST_BITS))
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.bits.set(reduce(hash, self.bits.len()))
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        let is_large = self.bits.memory_bytes() >= CACHED_BYTES;
        for batch in hashes.chunks(BATCH) {
            if is_large {
                for &hash in batch {
                    prefetch(self.bits.words(), (reduce(hash, self.bits.len()) / 64) as usize);
                }
            }
            for &hash in batch {
                self.insert_hash(hash);
            }
        }
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        let (bits, ones) = (self.bits.len(), self.bits.count_ones());
        let empty = (bits - ones) as f64 / bits as f64;
        law(bits).estimate(empty, ones as f64, confidence)
    }

    /// Returns the relative standard error of the estimate of `items` distinct items in `bits` bits: √(m(eˡ −
    /// l − 1))/n with l items per bit.
    ///
    /// ```
    /// # use crivo::cardinality::LinearCounting;
    /// assert!((LinearCounting::standard_error_at(10_000, 10_000)? - 0.0085).abs() < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `bits` is 1 to 2³².
    pub fn standard_error_at(bits: u64, items: u64) -> Result<f64> {
        Bits::new(bits)?;
        Ok(law(bits).standard_error(items as f64))
    }

    /// Returns the number of bits.
    pub fn bits(&self) -> u64 {
        self.bits.len()
    }

    /// Returns the share of bits that are set.
    pub fn fill(&self) -> f64 {
        self.bits.count_ones() as f64 / self.bits.len() as f64
    }

    /// Returns whether all bits are set: more items change nothing, and the estimate is a lower bound.
    pub fn is_saturated(&self) -> bool {
        self.bits.count_ones() == self.bits.len()
    }
}

/// The number of bits.
#[derive(Clone, Copy)]
pub(crate) struct Bits(u64);

impl Bits {
    fn new(bits: u64) -> Result<Self> {
        if (1..=MOST_BITS).contains(&bits) {
            return Ok(Self(bits));
        }
        Err(Error::invalid(format!(
            "linear counting takes 1 to {MOST_BITS} bits, got {bits}; one bit per item is usual"
        )))
    }
}

impl Params for Bits {
    const REMEDY: &str = "build both with the same number of bits";
    const NAMES: &[&str] = &["bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(numbers[0])
    }

    fn memory_bytes(&self) -> u64 {
        size_of::<LinearCounting>() as u64 + self.0.div_ceil(64) * 8
    }
}

/// Returns the fewest bits at which the error, called `name`, is at most the target. More bits have a smaller
/// error.
fn fewest_bits(items: u64, name: &str, error: f64, error_at: impl Fn(u64) -> f64) -> Result<u64> {
    if items == 0 {
        return Err(Error::invalid(
            "a counter needs room for at least 1 item, got 0; give the number of items",
        ));
    }
    let least = error_at(MOST_BITS);
    if !(least <= error && error.is_finite()) {
        return Err(Error::invalid(format!(
            "a relative {name} must be a number of at least {least:.5} with {items} items, got {error}; 0.01 is usual"
        )));
    }
    // Four bits are left empty on average: with fewer, none would be left too often.
    let lasts = |bits: u64| bits as f64 * exp(-(items as f64) / bits as f64) >= 4.0;
    let (mut too_few, mut enough) = (0, MOST_BITS);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if error_at(middle) <= error && lasts(middle) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    Ok(enough)
}

/// Returns the law of the share of empty bits.
fn law(bits: u64) -> MeanLaw<impl Fn(f64) -> Cell> {
    let cell = |load: f64| {
        let empty = exp(-load);
        // e^−λ (e^λ − λ − 1): with few items the variance and the third moment are small differences of large
        // terms.
        let rest = -expm1(-load) - load * empty;
        let third = empty * (rest * rest - (1.0 + load) * empty * rest + load * load * empty * empty);
        Cell { mean: empty, slope: -empty, curvature: empty, variance: empty * rest, third }
    };
    MeanLaw { cells: bits as f64, step: 1.0, cell }
}

shell!(LinearCounting: hashes, starts, merges, set, counts,
    for_numbers(for_bits, Bits(bits: u64), "Creates an empty sketch of `bits` bits.", "`bits` is 1 to 2³²"),
    collects(Self::for_bits(1 << 17), "Creates a sketch of 2¹⁷ bits, 16 kB, which is suitable for a million items."));

impl OfSize for LinearCounting {
    type Params = Bits;

    fn params(&self) -> Bits {
        Bits(self.bits())
    }
}

impl Core for LinearCounting {
    const KIND: Kind = Kind::LinearCounting;

    fn heap_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.bits.to_bytes(payload);
    }

    fn read(Bits(bits): Bits, file: &mut Payload<'_>) -> Result<Self> {
        let bits = BitVec::from_bytes(bits, file.bytes.take_rest())
            .ok_or_else(|| Error::malformed(format!("the payload is not {bits} bits")))?;
        Ok(Self { bits, spec: file.spec })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.fill()),
            Fact::text("saturated", if self.is_saturated() { "yes" } else { "no" }),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.bits.union_with(&other.bits);
        Ok(())
    }
}

impl Empty for LinearCounting {
    fn empty(Bits(bits): Bits, spec: HashSpec) -> Self {
        Self { bits: BitVec::new(bits), spec }
    }

    fn has_nothing(&self) -> bool {
        self.bits.words().iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean_law::assert_derived;
    use super::*;
    use crate::{DEFAULT_CONFIDENCE, ErrorKind};
    use libm::log;

    /// LOPES Fig. 25: sixteen cells, chosen by the first four bits.
    #[test]
    fn worked_example_of_lopes() {
        let mut sketch = LinearCounting::for_bits(16).unwrap();
        for first_bits in [0b1100, 0b0011, 0b1111, 0b0011, 0b1111, 0b1001, 0b0111, 0b0010u64] {
            sketch.insert_hash(first_bits << 60);
        }
        assert_eq!(sketch.fill(), 6.0 / 16.0);
        let published = -16.0 * log(1.0 - sketch.fill());
        assert!((published - 7.52).abs() < 0.005, "{published}");
        let estimate = sketch.estimate();
        assert!(estimate.contains(8.0) && (estimate.value() - 7.2).abs() < 0.05, "{estimate:.3}");
    }

    #[test]
    fn the_law_is_that_of_one_bit() {
        assert_derived(&law(4096), |items| [if items == 0 { 1.0 } else { 0.0 }; 3]);
    }

    /// The published estimate is −m ln ρ. Its bias of (e^λ − 1)/2 items is removed here.
    #[test]
    fn the_value_is_the_published_one_without_its_bias() {
        for load in [0.1, 1.0, 3.0, 5.0] {
            let bits = 1 << 20;
            let empty = exp(-load);
            let published = -(bits as f64) * log(empty);
            let value = law(bits).estimate(empty, 1.0, 0.95).value();
            let bias = expm1(load) / 2.0;
            assert!((published - bias - value).abs() < 1e-3 * bias, "{load}: {published} {value} {bias}");
        }
    }

    /// This is not a sample: the distribution of the number of empty bits is computed item by item, to far
    /// beyond saturation.
    #[test]
    fn intervals_cover_at_every_number_of_items() {
        for bits in [1u64, 2, 3, 8, 16, 37, 64, 100, 256] {
            let m = bits as f64;
            let estimate =
                |empty: usize| law(bits).estimate(empty as f64 / m, m - empty as f64, DEFAULT_CONFIDENCE);
            let intervals: Vec<Estimate> = (0..=bits as usize).map(estimate).collect();
            let mut chances = vec![0.0; bits as usize + 1];
            chances[bits as usize] = 1.0;
            for items in 1..=(m * (log(m) + 8.0)) as u64 {
                for empty in 0..=bits as usize {
                    let taken = chances.get(empty + 1).map_or(0.0, |chance| chance * (empty as f64 + 1.0));
                    chances[empty] = (chances[empty] * (m - empty as f64) + taken) / m;
                }
                let holds = |empty: &usize| intervals[*empty].contains(items as f64);
                let coverage: f64 = (0..=bits as usize).filter(holds).map(|empty| chances[empty]).sum();
                assert!(coverage >= 0.95, "{bits} bits, {items} items: {coverage}");
            }
        }
    }

    #[test]
    fn saturation_is_told() {
        let mut sketch = LinearCounting::for_bits(100).unwrap();
        for item in 0..1000u32 {
            assert_eq!(sketch.estimate().upper().is_infinite(), sketch.is_saturated());
            sketch.insert(&item);
        }
        assert!(sketch.is_saturated() && !sketch.insert(&1000u32));
        let estimate = sketch.estimate();
        assert_eq!((estimate.value(), estimate.upper()), (estimate.lower(), f64::INFINITY));
        assert!((200.0..1000.0).contains(&estimate.lower()), "{estimate}");
        assert!(sketch.state().contains(&Fact::text("saturated", "yes")));
    }

    #[test]
    fn targets_choose_the_bits() {
        for (items, error) in [(100, 0.02), (10_000, 0.01), (1_000_000, 0.003)] {
            let bits = LinearCounting::for_error(items, error).unwrap().bits();
            let reach = |bits| law(bits).reach(items as f64);
            assert!(reach(bits) <= error && reach(bits - 1) > error, "{items} {error}: {bits}");
        }
        let bits = LinearCounting::for_standard_error(10_000, 0.0085).unwrap().bits();
        assert!((9900..10_100).contains(&bits), "{bits}");
        assert!(LinearCounting::for_memory(39).is_err());
        assert_eq!(LinearCounting::for_memory(u64::MAX).map(|sketch| sketch.bits()), Ok(MOST_BITS));
        for (items, error) in [(0, 0.01), (100, 0.0), (100, f64::NAN), (100, f64::INFINITY), (10, 1e-3)] {
            let refused = LinearCounting::for_error(items, error).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::InvalidArgument, "{items} {error}");
        }
        assert!(LinearCounting::for_standard_error(u64::MAX, 0.5).is_err());
    }

    #[test]
    fn unlike_sketches_do_not_merge() {
        let mut sketch = LinearCounting::for_bits(100).unwrap();
        sketch.insert("kept");
        let before = sketch.clone();
        let seeded = LinearCounting::for_bits(100).unwrap().with_hash(HashSpec::seeded(9));
        for other in [LinearCounting::for_bits(101).unwrap(), seeded] {
            assert_eq!(sketch.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
            assert_eq!(sketch, before);
        }
    }
}
