//! Quantiles with a relative error at one end: see [`ReqSketch`].

mod answers;
mod convert;
mod error;
mod levels;
mod lineage;
mod params;
mod wire;

pub use params::Tail;

use crate::quantile::kept::{Kept, largest_within};
use crate::sketch::Empty;
use crate::{Element, Error, HashSpec, Result};
use alloc::format;
use levels::Compactors;
use libm::ceil;
use lineage::Lineage;
use params::ReqSize;

/// The range of k, the number of values in a section.
const K_RANGE: core::ops::RangeInclusive<u64> = 4..=1 << 16;
/// The seed of a sketch that was created without one.
const DEFAULT_SEED: u64 = 0x4352_4956_4f52_4551;
/// k − 2, times the relative error at 95 % confidence, at most, after one pass of any length; a test checks it.
const ERROR_TIMES_K: f64 = 0.41;

/// A REQ sketch: quantiles and ranks of a stream, with an error relative to the number of values beyond them.
///
/// # Use when / not when
/// Use it for far percentiles of any ordered type: p99.9, p99.99, or the lowest thousandth. Not for quantiles around the
/// median: [`Kll`](crate::Kll) has an error that is a share of all values, in a tenth of the memory. Not where the *value*
/// must be close instead of the rank, or where values are removed: [`LogQuantiles`](crate::LogQuantiles).
///
/// # Guarantee
/// One end is accurate, [`Tail::High`] or [`Tail::Low`]. The error of a rank is a share of the number of values in the
/// tail: those above the queried value, or those up to it. With 95 % confidence it is at most 0.41/(k − 2) of them after
/// one pass of any length (1 % at k = 43), for tails of at least 10⁻⁴ of all values; a tail of 10⁻⁵ has a fifth more. It is
/// proven, for any values in any order, from the compactions that can have reached into the tail; for random values the
/// error is about a third of the bound. Tails of fewer than 18k values are exact, and so are both ends and all answers until the
/// first compaction, after 54k values. The bounds of a quantile are the values whose ranks may be the queried one. The rank
/// of x is the number of values ≤ x; the quantile q is the smallest value whose rank is at least q times the number of
/// values.
///
/// # Space
/// Up to 36k values for each doubling of the stream beyond that many; after 10⁷ inserted `f64`:
///
/// | relative error | k | tail that is exact | values kept | memory |
/// |---|---|---|---|---|
/// | 5 % | 11 | 197 | 6,127 | 50 kB |
/// | 1 % | 43 | 773 | 20,713 | 168 kB |
///
/// # Time
/// An insertion appends to a list; some insertions sort it and merge a part of it upwards. A rank takes O(k log n), and many
/// quantiles together O(k log² n).
///
/// # Merge
/// Bounded: ranks stay within the intervals of the merged sketch, whatever the seeds and the order of merges; the number, the
/// least and the greatest value are exact. Parts with distinct seeds have independent errors, and the merged sketch has the
/// relative error of one pass. Of m parts with equal seeds, whose errors may be equal, the intervals are wider by √m: give
/// each part its own seed ([`with_seed`](Self::with_seed)). Both sketches need the same k and the same tail.
///
/// ```
/// use crivo::{ReqSketch, quantile::Tail};
/// let mut monday = ReqSketch::with_seed(32, Tail::High, 1)?;
/// let mut tuesday = ReqSketch::with_seed(32, Tail::High, 2)?;
/// monday.insert_all(&[3u64, 5])?;
/// tuesday.insert_all(&[1, 4])?;
/// monday.merge(&tuesday)?;
/// assert_eq!((monday.total(), monday.rank(&3).value()), (4, 2.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Hostile input
/// Nothing is hashed, and the bounds hold for every order of values chosen in advance. An attacker who knows the seed
/// while choosing values can drive ranks off, up to the largest possible error: use a secret seed where that matters.
///
/// # Example
/// ```
/// use crivo::{ReqSketch, quantile::Tail};
/// let mut latencies = ReqSketch::for_error(0.05, Tail::High)?;
/// for request in 0..1_000_000u64 {
///     latencies.insert(1e6 / (1 + request * 7919 % 1_000_000) as f64)?; // heavy-tailed
/// }
/// let p9999 = latencies.quantile(0.9999)?; // 100 values are greater
/// assert_eq!((*p9999.lower(), *p9999.upper()), (1e6 / 101.0, 1e6 / 101.0));
/// let slow = latencies.rank(&100.0); // all but 9,999 took at most 100
/// assert!(slow.contains(990_001.0) && slow.upper() - slow.lower() < 1_000.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///                   sections of k values            protected half
/// level 1  | 40 |  41  |  44  |  47  |  51   52   55   58   60   63     each of weight 2
/// level 0  | 31 |  33  |  38  |  42  |  50   53   54   57   61   62     full: a few sections leave,
///                                                                       every other value moves up
///   compaction   1  2  3  4  5  6  7  8
///   sections     1  2  1  3  1  2  1  4      the trailing ones of a counter, and one more
/// ```
/// A compaction moves the number of values above x by the weight of its level, or not at all, up or down by a coin; and not
/// at all if all its values are below x. Sections near the protected half are compacted rarely: before one leaves again, k
/// more values above x have come. So at most one compaction per k values above x matters, on few levels, and the error is
/// relative to their number. The next compaction of equally many sections keeps the other half.
///
/// # References
/// Cormode, Karnin, Liberty, Thaler and Veselý, arXiv:2004.01668 · adaptive compactors, and a simpler proof of merges: Domes
/// and Veselý, arXiv:2511.17396. The interval from the kept values, and its proof for all merges, are derived in
/// `docs/STATISTICS.md`.
///
/// # Measured
/// `crivo-lab run c-req-sketch`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct ReqSketch<T> {
    kept: Kept<T, Compactors>,
    lineage: Lineage,
}

impl<T: Element> ReqSketch<T> {
    /// Creates an empty sketch with `k` values in a section, accurate at `tail`, with the default seed.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let sketch = ReqSketch::<String>::for_k(32, Tail::High)?;
    /// assert!(sketch.is_empty() && sketch.quantile(0.5).is_err());
    /// assert!(ReqSketch::<u64>::for_k(3, Tail::Low).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 4 to 2¹⁶.
    pub fn for_k(k: u64, tail: Tail) -> Result<Self> {
        Self::with_seed(k, tail, DEFAULT_SEED)
    }

    /// Creates an empty sketch that draws its coins from `seed`. Equal values in equal order and an equal seed give
    /// equal bytes.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 4 to 2¹⁶.
    pub fn with_seed(k: u64, tail: Tail, seed: u64) -> Result<Self> {
        Ok(Self::empty(ReqSize::new(k, tail, seed)?, HashSpec::default()))
    }

    /// Creates the smallest sketch whose ranks are off by at most `error`, as a share of the number of values in the tail, at
    /// 95 % confidence, for any number of single insertions and tails of at least 10⁻⁴ of all values.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// assert_eq!(ReqSketch::<u64>::for_error(0.01, Tail::High)?.k(), 43);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is below 1 and at least 6.3·10⁻⁶, the error of the largest `k`.
    pub fn for_error(error: f64, tail: Tail) -> Result<Self> {
        let k = ceil(ERROR_TIMES_K / error) + 2.0;
        if !(error > 0.0 && error < 1.0) || k > *K_RANGE.end() as f64 {
            return Err(Error::invalid(format!(
                "the relative error must be below 1 and at least 0.0000063, got {error}; 0.01 is usual"
            )));
        }
        Self::for_k((k as u64).max(*K_RANGE.start()), tail)
    }

    /// Creates the largest sketch that takes at most `bytes` bytes of memory for up to 2⁴⁰ single insertions, not
    /// counting memory that the values own elsewhere.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let mut prices = ReqSketch::<f64>::for_memory(1 << 18, Tail::High)?;
    /// (0..100_000u32).try_for_each(|i| prices.insert(f64::from(i)))?;
    /// assert!(prices.k() > 20 && prices.memory_bytes() <= 1 << 18);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if even the smallest sketch needs more.
    pub fn for_memory(bytes: u64, tail: Tail) -> Result<Self> {
        let takes = |k: u64| {
            let plan = Compactors { k: k as usize, tail };
            // A highest level h is made from as many values of weight 2^(h − 1) as a level holds.
            let levels = (42 - (2 * plan.protected()).ilog2()) as usize;
            (size_of::<Self>() + Kept::<T, _>::heap_for(&plan, levels)) as u64
        };
        Self::for_k(largest_within(bytes, K_RANGE, takes)?, tail)
    }

    /// Inserts a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value without a rank (NaN), and `Full` after 2⁶⁴ − 2³² values. On error nothing
    /// changes.
    #[inline]
    pub fn insert(&mut self, value: T) -> Result<()> {
        self.kept.insert(value)
    }

    /// Inserts all of these values, or none.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert_all(&[2.5, 1.0])?;
    /// assert!(sketch.insert_all(&[4.0, f64::NAN]).is_err());
    /// assert_eq!(sketch.total(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn insert_all(&mut self, values: &[T]) -> Result<()> {
        self.kept.insert_all(values)
    }

    /// Inserts `count` copies of a value, in time proportional to the number of bits of `count`. The copies themselves
    /// add no error.
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn insert_weighted(&mut self, value: T, count: u64) -> Result<()> {
        self.kept.insert_weighted(value, count)
    }

    /// Returns the number of inserted values.
    pub fn total(&self) -> u64 {
        self.kept.total()
    }

    /// Returns the least inserted value.
    pub fn min(&self) -> Option<&T> {
        self.kept.min()
    }

    /// Returns the greatest inserted value.
    pub fn max(&self) -> Option<&T> {
        self.kept.max()
    }

    /// Returns k, the number of values in a section.
    pub fn k(&self) -> u64 {
        self.kept.levels.plan().k as u64
    }

    /// Returns the accurate end.
    pub fn tail(&self) -> Tail {
        self.kept.levels.plan().tail
    }

    /// Returns the seed of the coins.
    pub fn seed(&self) -> u64 {
        self.kept.seed
    }

    /// Returns the kept values by level, the lowest first: a value of level h stands for 2ʰ of the stream. The values of the
    /// lowest level are in no order, the others are sorted.
    pub fn levels(&self) -> impl Iterator<Item = &[T]> + '_ {
        self.kept.levels()
    }

    /// Returns the number of kept values.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }
}

impl<T: Element> PartialEq for ReqSketch<T> {
    fn eq(&self, other: &Self) -> bool {
        let size = |sketch: &Self| (sketch.k(), sketch.tail());
        size(self) == size(other) && self.kept == other.kept && self.lineage == other.lineage
    }
}

impl<T: Element> Empty for ReqSketch<T> {
    fn empty(ReqSize { k, tail, seed, .. }: ReqSize<T>, _: HashSpec) -> Self {
        Self { kept: Kept::new(Compactors { k: k as usize, tail }, seed), lineage: Lineage::new(seed) }
    }

    fn has_nothing(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests;
