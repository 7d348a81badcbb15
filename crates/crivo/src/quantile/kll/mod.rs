//! Quantiles of an insert-only stream: see [`Kll`].

mod answers;
mod convert;
mod levels;
mod wire;

use crate::element::KeptSize;
use crate::quantile::kept::{Kept, largest_within};
use crate::sketch::Empty;
use crate::{Element, Error, HashSpec, Result};
use alloc::format;
pub(crate) use answers::{quantile_of, radius_of, rank_of};
use levels::Geometric;
use libm::ceil;

/// The range of k, the capacity of the highest level.
const K_RANGE: core::ops::RangeInclusive<u64> = 8..=1 << 20;
/// The size, with the seed of the coins.
type KllSize<T> = KeptSize<T, { *K_RANGE.start() }, { *K_RANGE.end() }>;
/// The seed of a sketch that was created without one.
const DEFAULT_SEED: u64 = 0x0043_5249_564f_4b4c;
/// k times the rank error at 95 % confidence, at most, after one pass of any length; a test checks it.
pub(crate) const ERROR_TIMES_K: f64 = 2.1;

/// A KLL sketch: quantiles, ranks and histograms of a stream that is too large to keep or sort.
///
/// # Use when / not when
/// Use it for medians, percentiles, ranks and histograms of an insert-only stream: latencies, prices, lengths of texts,
/// any ordered type. Not where values are deleted, nor where a merge must equal one pass:
/// [`DyadicCountMin`](crate::DyadicCountMin) supports both for numeric data, at about a thousand times the memory. Not
/// for relative accuracy in the far tail: the error is a share of all values, so at k = 200 the 99.9th percentile is
/// anywhere above the 98.9th.
///
/// # Guarantee
/// With 95 % confidence, a rank is off by at most [`rank_error`](Self::rank_error) × n: proven, for any values in any
/// order, from the coins that were drawn. After one pass the rank error is below 2.1/k at any length (1 % at k = 210);
/// for random values it is about a third of that. [`rank_error_of_all_at`](Self::rank_error_of_all_at) bounds all ranks
/// at once: 1.7 % there. The bounds of a quantile are the values at its rank plus and minus the error. Until the first
/// compaction (after k values), and at both ends, answers are exact. The rank of x is the number of values ≤ x; the
/// quantile q is the smallest value whose rank is at least q times the number of values.
///
/// # Space
/// About 3k values; after 10⁷ inserted `f64`:
///
/// | rank error | k | all ranks at once | values kept | memory |
/// |---|---|---|---|---|
/// | 5 % | 42 | 7.2 % | 182 | 2.0 kB |
/// | 1 % | 210 | 1.7 % | 670 | 5.8 kB |
/// | 0.1 % | 2,100 | 0.19 % | 6,291 | 51 kB |
///
/// # Time
/// An insertion appends to a list; some insertions sort that list and merge half of it upwards: O(log k) comparisons
/// each. A rank takes O(k), one quantile O(k log k), and many quantiles together O(k log k).
///
/// # Merge
/// Bounded: ranks stay within [`rank_error`](Self::rank_error) of the merged sketch, whatever the seeds and the order
/// of merges; the number, the least and the greatest value are exact. The errors of the parts are added as if they were
/// equal, since parts with the same seed may have drawn the same coins. Both sketches need the same k.
///
/// ```
/// use crivo::Kll;
/// let (mut monday, mut tuesday) = (Kll::for_k(200)?, Kll::for_k(200)?);
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
/// use crivo::Kll;
/// let mut latencies = Kll::for_error(0.01)?;
/// for request in 0..100_000u64 {
///     latencies.insert(20.0 + (request * 7919 % 1000) as f64 / 10.0)?;
/// }
/// let p99 = latencies.quantile(0.99)?;
/// assert!(*p99.lower() <= 118.9 && 118.9 <= *p99.upper() && p99.upper() - p99.lower() < 2.0);
/// let fast = latencies.rank(&29.95); // how many took at most 29.95?
/// assert!(fast.lower() <= 10_000.0 && 10_000.0 <= fast.upper());
/// assert!(latencies.rank_error() <= 0.01 && latencies.memory_bytes() < 10_000);
/// assert_eq!((latencies.min(), latencies.max()), (Some(&20.0), Some(&119.9)));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// level 2, each of weight 4      3  19  40
/// level 1, each of weight 2      8  12 [15] 33           full: sort, drop every other one,
/// level 0, unsorted              5  31   2  27  9  14     and merge the rest into the level above
///
///   2  5  9 14 27 31   a coin decides: keep the 1st, 3rd and 5th     2 9 27 → level 1
///                      next time this level keeps the others         the two errors cancel or halve
/// ```
/// Dropping every other value of weight 2ʰ moves a rank by 2ʰ or not at all, up or down by the coin. Since the next
/// compaction of a level takes the other side, two of them together move it by 2ʰ at most. Hoeffding's inequality for
/// the coins drawn gives the bound; the sizes of levels do not depend on the values, so neither does the bound.
///
/// # References
/// Karnin, Lang and Liberty, doi:10.1109/FOCS.2016.17 · alternating coins: Ivkin, Liberty, Lang, Karnin and Braverman,
/// arXiv:1907.00236. The interval from the coins drawn, and its sum over merges, are derived in `docs/STATISTICS.md`.
///
/// # Measured
/// `crivo-lab run c-kll`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct Kll<T> {
    kept: Kept<T, Geometric>,
    /// The error accumulated before the last merge.
    inherited: Spread,
}

/// The distribution of the rank error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spread {
    /// The error is sub-Gaussian with this variance.
    variance: f64,
    /// The error never exceeds this.
    most: u64,
}

impl<T: Element> Kll<T> {
    /// Creates an empty sketch whose highest level holds `k` values, with the default seed.
    ///
    /// ```
    /// use crivo::Kll;
    /// let sketch = Kll::<String>::for_k(200)?;
    /// assert!(sketch.is_empty() && sketch.quantile(0.5).is_err());
    /// assert!(Kll::<u64>::for_k(3).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 8 to 2²⁰.
    pub fn for_k(k: u64) -> Result<Self> {
        Self::with_seed(k, DEFAULT_SEED)
    }

    /// Creates an empty sketch that draws its coins from `seed`. Equal values in equal order and an equal seed give
    /// equal bytes.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 8 to 2²⁰.
    pub fn with_seed(k: u64, seed: u64) -> Result<Self> {
        if !K_RANGE.contains(&k) {
            return Err(Error::invalid(format!("k must be 8 to 1048576, got {k}; 200 is usual")));
        }
        Ok(Self::empty(KllSize::new(k, seed), HashSpec::default()))
    }

    /// Creates the smallest sketch whose [`rank_error`](Self::rank_error) stays below `error`, a share of all values at
    /// 95 % confidence, for any number of single insertions.
    ///
    /// ```
    /// use crivo::Kll;
    /// assert_eq!(Kll::<u64>::for_error(0.01)?.k(), 210);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is below 1 and at least 2.1·10⁻⁶, the error of the largest `k`.
    pub fn for_error(error: f64) -> Result<Self> {
        let k = ceil(ERROR_TIMES_K / error);
        if !(error > 0.0 && error < 1.0) || k > *K_RANGE.end() as f64 {
            return Err(Error::invalid(format!(
                "the rank error must be below 1 and at least 0.0000021, got {error}; 0.01 is usual"
            )));
        }
        Self::for_k((k as u64).max(*K_RANGE.start()))
    }

    /// Creates the largest sketch that takes at most `bytes` bytes of memory for up to 2⁴⁰ single insertions, not
    /// counting memory that the values own elsewhere.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut prices = Kll::<f64>::for_memory(8192)?;
    /// (0..100_000u32).try_for_each(|i| prices.insert(f64::from(i)))?;
    /// assert!(prices.k() > 250 && prices.memory_bytes() <= 8192);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if even the smallest sketch needs more.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let takes = |k: u64| {
            // A highest level h is made from k values of weight 2^(h − 1) each.
            let levels = (42 - k.ilog2()) as usize;
            (size_of::<Self>() + Kept::<T, _>::heap_for(&Geometric::new(k), levels)) as u64
        };
        Self::for_k(largest_within(bytes, K_RANGE, takes)?)
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
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(200)?;
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
    /// ```
    /// use crivo::Kll;
    /// let mut wealth = Kll::for_k(200)?;
    /// wealth.insert_weighted(10u64, 1_000_000_000)?;
    /// wealth.insert_weighted(1_000_000, 1)?;
    /// assert_eq!(wealth.rank(&10).value(), 1e9);
    /// assert_eq!(wealth.kept(), 14); // the number of 1 bits in both counts
    /// # Ok::<(), crivo::Error>(())
    /// ```
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

    /// Returns k, the capacity of the highest level.
    pub fn k(&self) -> u64 {
        u64::from(self.kept.levels.plan().k)
    }

    /// Returns the seed of the coins.
    pub fn seed(&self) -> u64 {
        self.kept.seed
    }

    /// Returns the kept values by level, the lowest first: a value of level h stands for 2ʰ of the stream. The values of the
    /// lowest level are in the order in which they came, the others are sorted.
    ///
    /// ```
    /// # use crivo::Kll;
    /// let mut sketch = Kll::for_k(8)?;
    /// sketch.insert_all(&(0..20u64).collect::<Vec<_>>())?;
    /// let weight: u64 = (0..).zip(sketch.levels()).map(|(level, values)| (values.len() as u64) << level).sum();
    /// assert_eq!(weight, sketch.total());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn levels(&self) -> impl Iterator<Item = &[T]> + '_ {
        self.kept.levels()
    }

    /// Returns the number of kept values.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }
}

impl<T: Element> PartialEq for Kll<T> {
    fn eq(&self, other: &Self) -> bool {
        self.k() == other.k() && self.kept == other.kept && self.inherited == other.inherited
    }
}

impl<T: Element> Empty for Kll<T> {
    fn empty(KllSize { k, seed, .. }: KllSize<T>, _: HashSpec) -> Self {
        Self { kept: Kept::new(Geometric::new(k), seed), inherited: Spread::default() }
    }

    fn has_nothing(&self) -> bool {
        self.kept.is_empty()
    }
}

#[cfg(test)]
mod tests;
