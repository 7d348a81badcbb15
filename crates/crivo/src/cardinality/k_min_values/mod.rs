//! K minimum values: see [`KMinValues`].

mod overlap;
mod smallest;
mod wire;

pub(crate) use overlap::{Overlap, Owner};

use crate::cardinality::entries::most_shared;
use crate::sketch::{Empty, Fold, OfSize, Params, check_same, narrow, shell};
use crate::stats::gamma_p_inverse;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp2, sqrt};
use overlap::count_below;
use smallest::Smallest;

/// The smallest k: with fewer hashes the standard error would exceed 27 %.
const MIN_K: u32 = 16;

/// K minimum values: the k smallest hashes of a stream, to estimate the number of its distinct items and to
/// compare it with other streams.
///
/// # Use when / not when
/// Use it to compare sets: how many items two streams share, how many only one has, and how similar they are,
/// each with a proven interval that shrinks with the answer. Not to count only: a
/// [`HyperLogLog`](crate::HyperLogLog) with the same error takes an eighth of the memory. If the sets are
/// similar and the count matters too, a [`Joint`](crate::Joint) has both.
///
/// # Guarantee
/// Fewer than k items are counted exactly. Beyond, the count is unbiased with a standard error of 1/√(k−2),
/// and its interval is exact, from the law of the k-th smallest of n random numbers. [`Guarantee::Proven`],
/// provided that the hashes are random and distinct: two of n items share one with probability n²/2⁶⁵, which
/// is negligible up to 10⁹ items. For a part of the union that has c of the kept hashes, the error is about
/// 1/√c.
///
/// # Space
/// | k | standard error | 95 % interval | memory | file | exact up to |
/// |---|---|---|---|---|---|
/// | 256 | 6.3 % | −11.5 to +13.1 % | 2 kB | 1.5 kB | 255 |
/// | 1,024 | 3.1 % | −5.9 to +6.3 % | 8 kB | 5.9 kB | 1,023 |
/// | 4,096 | 1.6 % | −3.0 to +3.1 % | 32 kB | 23 kB | 4,095 |
/// | 16,384 | 0.78 % | −1.5 to +1.5 % | 128 kB | 94 kB | 16,383 |
///
/// File sizes are for a million items: a file stores the gaps between the hashes, in fewer bits the more
/// items there are.
///
/// # Time
/// One comparison for most items: of n items only about k·ln(n/k) are ever among the k smallest. Such an item
/// takes two searches and moves about √k hashes. A merge or a query about two sketches reads both once.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in bytes too; commutative,
/// associative, idempotent. If k differs, [`fold`](Self::fold) the larger sketch first.
///
/// # Hostile input
/// An attacker who knows the seed can choose items with small hashes that count for millions, or with large
/// ones that do not count at all. Use [`HashSpec::keyed`].
///
/// # Example
/// Visitors of two days:
/// ```
/// use crivo::KMinValues;
/// let mut monday = KMinValues::for_k(4096)?;
/// let mut tuesday = KMinValues::for_k(4096)?;
/// monday.extend(0..40_000u32);
/// tuesday.extend(30_000..70_000u32);
///
/// let came_back = monday.intersection(&tuesday)?;
/// assert!(came_back.contains(10_000.0), "{came_back}");
/// let only_monday = monday.difference(&tuesday)?;
/// assert!(only_monday.contains(30_000.0), "{only_monday}");
/// let alike = monday.similarity(&tuesday)?;
/// assert!(alike.contains(1.0 / 7.0), "{alike:.3}");
///
/// monday.merge(&tuesday)?;
/// let visitors = monday.estimate();
/// assert!(visitors.contains(70_000.0), "{visitors}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// 0   a  b ab  a   b ab     a                 1
/// |---o--o--o--o---o--o-----o-- - - - - - - - |     all hashes of two sets, on a line
///                     ^
///                     h: where one of the sketches has its k hashes. Up to here both sketches are complete.
/// ```
/// With k hashes up to h, there are about (k−1)/h in all, since they are uniformly distributed. Two items of
/// both sets are seen up to h, the last of them at h itself: about 1/h of them in all.
///
/// # References
/// Bar-Yossef et al. 2002, doi:10.1007/3-540-45726-7_1 · Beyer et al. 2007, doi:10.1145/1247480.1247504 ·
/// Giroire 2009, doi:10.1016/j.dam.2008.06.020 · Dasgupta, Lang, Rhodes and Thaler 2016,
/// doi:10.4230/LIPIcs.ICDT.2016.6, that all hashes below the smaller of both ends count, not only the k
/// smallest of the union. New here: the intervals are exact (`overlap.rs` has the proof).
///
/// # Measured
/// `crivo-lab run c-k-min-values`, `e-f21`, `e-f28`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct KMinValues {
    smallest: Smallest,
    spec: HashSpec,
}

impl KMinValues {
    /// The largest k: 8 MiB of hashes, for a standard error of 0.1 %.
    pub(crate) const MAX_K: u32 = 1 << 20;

    /// Returns the smallest sketch whose 95 % interval extends at most `error` (relative) to either side.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// assert_eq!(KMinValues::for_error(0.02)?.k(), 9800);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00192.
    pub fn for_error(error: f64) -> Result<Self> {
        Self::first_k(|k| limit_reach(k) <= error && error.is_finite())
            .ok_or_else(|| unreachable_error("error", error, limit_reach(Self::MAX_K)))
    }

    /// Returns the smallest sketch whose relative standard error is at most `error`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00098.
    pub fn for_standard_error(error: f64) -> Result<Self> {
        Self::first_k(|k| standard_error(k) <= error && error.is_finite())
            .ok_or_else(|| unreachable_error("standard error", error, standard_error(Self::MAX_K)))
    }

    /// Returns the largest sketch that never takes more than `bytes` bytes of memory.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// let sketch = KMinValues::for_memory(8192)?;
    /// assert_eq!(sketch.k(), 1015); // eight bytes per hash, and the struct itself
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if not even the smallest sketch fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let needed = |k: u32| size_of::<Self>() as u64 + u64::from(k) * size_of::<u64>() as u64;
        if bytes < needed(MIN_K) {
            let least = needed(MIN_K);
            return Err(Error::invalid(format!(
                "a sketch takes at least {least} bytes, got {bytes}; allow more"
            )));
        }
        let too_many = Self::first(|k| needed(k) > bytes);
        Self::for_k(too_many.map_or(Self::MAX_K, |k| k - 1))
    }

    fn first_k(fine_enough: impl Fn(u32) -> bool) -> Option<Self> {
        Self::for_k(Self::first(fine_enough)?).ok()
    }

    /// Returns the smallest k for which `reached`, a monotone condition, holds.
    pub(crate) fn first(reached: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut low, mut high) = (MIN_K, Self::MAX_K + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if reached(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        (low <= Self::MAX_K).then_some(low)
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.smallest.insert(hash)
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.smallest.insert(hash);
        }
    }

    /// Inserts many items most of which are new: they are sorted once instead of searched one by one.
    pub(crate) fn insert_new_hashes(&mut self, mut hashes: Vec<u64>) {
        let last = self.smallest.last_of_full().unwrap_or(u64::MAX);
        hashes.retain(|&hash| hash <= last);
        hashes.sort_unstable();
        hashes.dedup();
        self.smallest = self.smallest.union(&Smallest::of_sorted(self.smallest.k(), &hashes));
    }

    pub(in crate::cardinality) fn estimate_within(&self, confidence: f64) -> Estimate {
        let count = self.smallest.len() as u64;
        if count == 0 {
            return Estimate::exact(0.0);
        }
        let guarantee = Guarantee::Proven { confidence };
        let Some(last) = self.smallest.last_of_full() else {
            let exact = count as f64;
            // Items that share all 64 bits of their hashes are very unlikely, but possible.
            let shared = most_shared(exact * exact * exp2(-65.0), confidence);
            return Estimate::new(exact, exact, exact + shared, guarantee).with_hashes(exact, exp2(64.0));
        };
        let (value, lower, upper) = count_below(count - 1, count, last, confidence);
        Estimate::new(value, lower, upper, guarantee)
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 0 below k, 1/√(k−2) for
    /// many items.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// assert!((KMinValues::standard_error_at(4096, 1_000_000)? - 0.0156).abs() < 1e-4);
    /// assert!(KMinValues::standard_error_at(4096, 5000)? < 0.0067);
    /// assert_eq!(KMinValues::standard_error_at(4096, 4000)?, 0.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `k` is 16 to 2²⁰.
    pub fn standard_error_at(k: u32, items: u64) -> Result<f64> {
        K::new(k)?;
        if items < u64::from(k) {
            return Ok(0.0);
        }
        let (n, k) = (items as f64, f64::from(k));
        Ok(sqrt((n - k + 1.0) / (n * (k - 2.0))))
    }

    /// Returns the standard error of the similarity of two streams of this similarity, with `items` distinct
    /// items together, if it is computed from the k smallest hashes of both, as Broder does: √(J(1−J)/k ·
    /// (n−k)/(n−1)), and 0 up to k items. [`similarity`](Self::similarity) uses all hashes that both sketches
    /// know, k or more, and its error is no larger.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// assert!((KMinValues::similarity_error_at(100, 0.5, 1_000_000)? - 0.05).abs() < 1e-5);
    /// assert!((KMinValues::similarity_error_at(100, 0.5, 201)? - 0.0355).abs() < 1e-4);
    /// assert_eq!(KMinValues::similarity_error_at(100, 0.5, 100)?, 0.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `k` is 16 to 2²⁰ and `similarity` 0 to 1.
    pub fn similarity_error_at(k: u32, similarity: f64, items: u64) -> Result<f64> {
        K::new(k)?;
        if !(0.0..=1.0).contains(&similarity) {
            return Err(Error::invalid(format!("a similarity must be 0 to 1, got {similarity}")));
        }
        let drawn = sqrt(similarity * (1.0 - similarity) / f64::from(k));
        if items <= u64::from(k) {
            return Ok(0.0);
        }
        let n = items as f64;
        Ok(drawn * sqrt((n - f64::from(k)) / (n - 1.0)))
    }

    /// Returns the estimated number of distinct items in both streams, at 95 % confidence. Exact while both
    /// have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` if k or hash differ.
    pub fn intersection(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.count(Owner::Both))
    }

    /// Returns the estimated number of distinct items in this stream but not in `other`, at 95 % confidence.
    /// Exact while both have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` if k or hash differ.
    pub fn difference(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.count(Owner::First))
    }

    /// Returns the Jaccard similarity, at 95 % confidence: the share of the common items among all, from 0 to
    /// 1. Two empty streams have the similarity 1.
    ///
    /// # Errors
    /// `Incompatible` if k or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.similarity())
    }

    pub(crate) fn overlap(&self, other: &Self) -> Result<Overlap> {
        check_same(self, other)?;
        Ok(Overlap::of(&self.smallest, &other.smallest))
    }

    /// Returns the sketch that this stream would have made with a smaller k, in an identical state.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// let (mut fine, mut coarse) = (KMinValues::for_k(4096)?, KMinValues::for_k(100)?);
    /// fine.extend(0..50_000u32);
    /// coarse.extend(0..50_000u32);
    /// assert_eq!(fine.fold(100)?, coarse);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `k` is at least 16 and at most the k of the sketch.
    pub fn fold(&self, k: u32) -> Result<Self> {
        if k < MIN_K || k > self.k() {
            let ours = self.k();
            return Err(Error::invalid(format!(
                "a sketch of k {ours} folds to a k from {MIN_K} to {ours}, got {k}; choose one in between"
            )));
        }
        Ok(Self { smallest: self.smallest.fold(k as usize), spec: self.spec })
    }

    /// Returns the maximum number of hashes that it keeps.
    pub fn k(&self) -> u32 {
        self.smallest.k() as u32
    }

    /// Returns whether it has all hashes, because there were fewer than k.
    pub fn has_all(&self) -> bool {
        self.smallest.last_of_full().is_none()
    }

    /// Returns an iterator over the kept hashes, in ascending order.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.smallest.iter()
    }
}

impl Fold for KMinValues {
    fn fold_to(&self, other: &Self) -> Option<Self> {
        if other.k() < self.k() { self.fold(other.k()).ok() } else { None }
    }
}

/// The maximum number of hashes that a sketch keeps.
#[derive(Clone, Copy)]
pub(crate) struct K(u32);

impl K {
    pub(crate) fn new(k: u32) -> Result<Self> {
        if (MIN_K..=KMinValues::MAX_K).contains(&k) {
            return Ok(Self(k));
        }
        Err(Error::invalid(format!("k must be {MIN_K} to {}, got {k}; 4096 gives ±3.1 %", KMinValues::MAX_K)))
    }
}

impl Params for K {
    const REMEDY: &str = "fold the larger one to the k of the other first (crivo merge --fold)";
    const NAMES: &[&str] = &["k"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?)
    }
}

/// Returns 1/√(k−2), the relative standard error for many more than k items.
fn standard_error(k: u32) -> f64 {
    1.0 / sqrt(f64::from(k) - 2.0)
}

/// Returns the length of the longer side of the 95 % interval, relative to the value, for many more than k
/// items. The bounds are quantiles of the gamma law, and the upper one is farther away.
fn limit_reach(k: u32) -> f64 {
    let k = f64::from(k);
    gamma_p_inverse(k, 0.5 + DEFAULT_CONFIDENCE / 2.0) / (k - 1.0) - 1.0
}

fn unreachable_error(name: &str, error: f64, least: f64) -> Error {
    Error::invalid(format!(
        "a relative {name} must be a number of at least {least:.5}, got {error}; 0.02 is usual"
    ))
}

shell!(KMinValues: hashes, starts, merges, set, counts,
    for_numbers(for_k, K(k: u32), "Creates an empty sketch of the `k` smallest hashes.", "`k` is 16 to 2²⁰"),
    collects(Self::for_k(4096), "Creates a sketch of k 4,096: 1.6 % standard error."));

impl OfSize for KMinValues {
    type Params = K;

    fn params(&self) -> K {
        K(self.k())
    }
}

impl Empty for KMinValues {
    fn empty(K(k): K, spec: HashSpec) -> Self {
        Self { smallest: Smallest::new(k as usize), spec }
    }

    fn has_nothing(&self) -> bool {
        self.smallest.len() == 0
    }
}

#[cfg(test)]
mod tests;
