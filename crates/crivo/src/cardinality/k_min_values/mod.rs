//! K minimum values: see [`KMinValues`].

mod overlap;
mod smallest;
mod wire;

pub(crate) use overlap::{Overlap, Owner};

use crate::cardinality::entries::most_shared;
use crate::sketch::{Empty, OfSize, Params, check_same, narrow, shell};
use crate::stats::gamma_p_inverse;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp2, sqrt};
use overlap::count_below;
use smallest::Smallest;

const MIN_K: u32 = 16;

/// How many different items a stream has, and how many of them another stream has too: the k smallest hashes.
///
/// # Use when / not when
/// Use it to compare sets: how many items two streams share, how many only one has, how alike they are, each with a
/// proven error bar that shrinks with the answer. Not to count alone: a [`HyperLogLog`](crate::HyperLogLog) of the
/// same error takes an eighth of the memory. Where the sets are alike and the count matters too, a
/// [`Joint`](crate::Joint) has both.
///
/// # Guarantee
/// Fewer than k items are counted one by one. Beyond, the count has no bias and a standard error of 1/√(k−2), and its
/// interval is exact, from the law of the k-th smallest of n random numbers. [`Guarantee::Proven`], as far as the
/// hashes are random and different: two of n items share one with probability n²/2⁶⁵, so up to 10⁹ items hardly ever.
/// Of a part of the union that c kept hashes belong to, the error is about 1/√c.
///
/// # Space
/// | k | standard error | 95 % interval | memory | file | exact up to |
/// |---|---|---|---|---|---|
/// | 256 | 6.3 % | −11.5 to +13.1 % | 2 kB | 1.5 kB | 255 |
/// | 1,024 | 3.1 % | −5.9 to +6.3 % | 8 kB | 5.9 kB | 1,023 |
/// | 4,096 | 1.6 % | −3.0 to +3.1 % | 32 kB | 23 kB | 4,095 |
/// | 16,384 | 0.78 % | −1.5 to +1.5 % | 128 kB | 94 kB | 16,383 |
///
/// Files are those of a million items: the gaps between the hashes, in fewer bits the more items there were.
///
/// # Time
/// One comparison for most items: of n only about k·ln(n/k) are ever among the k smallest. One that is takes two
/// searches and moves about √k hashes. A merge or a question about two sketches reads both once.
///
/// # Merge
/// Exact: the merged sketch equals that of one pass over both streams, in bytes too; commutative, associative,
/// idempotent. Unlike k: [`fold`](Self::fold) the larger one first.
///
/// # Hostile input
/// Whoever knows the seed can choose items with small hashes and count for millions, or with large ones and not count
/// at all. Use [`HashSpec::keyed`].
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
///                     h: where one of the sketches has its k hashes. Up to here both know all of theirs.
/// ```
/// With k hashes up to h, there are about (k−1)/h in all, as they are spread evenly. Of the items in both sets two are
/// seen up to h, the last of them at h itself: about 1/h of them in all.
///
/// # References
/// Bar-Yossef et al. 2002, doi:10.1007/3-540-45726-7_1 · Beyer et al. 2007, doi:10.1145/1247480.1247504 · Giroire
/// 2009, doi:10.1016/j.dam.2008.06.020 · Dasgupta, Lang, Rhodes and Thaler 2016, doi:10.4230/LIPIcs.ICDT.2016.6, that
/// all hashes below the smaller of both ends count, not only the k smallest of the union. Beyond them: the intervals
/// are exact (`overlap.rs` has the proof).
///
/// # Measured
/// `crivo-lab run c-k-min-values`, `e-f21`, `e-f28`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct KMinValues {
    smallest: Smallest,
    spec: HashSpec,
}

impl KMinValues {
    pub(crate) const MAX_K: u32 = 1 << 20;

    /// The smallest sketch whose 95 % interval reaches at most `error` (relative) to either side.
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

    /// The smallest sketch whose relative standard error is at most `error`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00098.
    pub fn for_standard_error(error: f64) -> Result<Self> {
        Self::first_k(|k| standard_error(k) <= error && error.is_finite())
            .ok_or_else(|| unreachable_error("standard error", error, standard_error(Self::MAX_K)))
    }

    /// The largest sketch that never takes more than `bytes` bytes of memory.
    ///
    /// ```
    /// # use crivo::KMinValues;
    /// let sketch = KMinValues::for_memory(8192)?;
    /// assert_eq!(sketch.k(), 1015); // eight bytes a hash, and the sketch itself
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when not even the smallest fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let needed = |k: u32| size_of::<Self>() as u64 + u64::from(k) * size_of::<u64>() as u64;
        if bytes < needed(MIN_K) {
            let least = needed(MIN_K);
            return Err(Error::invalid(format!(
                "a sketch takes {least} bytes at least, got {bytes}; give more"
            )));
        }
        let too_many = Self::first(|k| needed(k) > bytes);
        Self::for_k(too_many.map_or(Self::MAX_K, |k| k - 1))
    }

    fn first_k(fine_enough: impl Fn(u32) -> bool) -> Option<Self> {
        Self::for_k(Self::first(fine_enough)?).ok()
    }

    /// The smallest k at which `reached`, which goes from false to true once.
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

    /// Inserts the item with this hash; true when the sketch changed.
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

    /// Inserts many items that are new for the most part: sorted once, not searched one by one.
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
            // Items that share all 64 bits of their hashes are hardly to be expected, but not impossible.
            let shared = most_shared(exact * exact * exp2(-65.0), confidence);
            return Estimate::new(exact, exact, exact + shared, guarantee).with_hashes(exact, exp2(64.0));
        };
        let (value, lower, upper) = count_below(count - 1, count, last, confidence);
        Estimate::new(value, lower, upper, guarantee)
    }

    /// The relative standard error of the estimate of `items` different items: none below k, 1/√(k−2) far out.
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

    /// The standard error of the similarity of two streams of this similarity, with so many different items together, when it
    /// is read from the k smallest hashes of both, as Broder does: √(J(1−J)/k · (n−k)/(n−1)), none up to k items.
    /// [`similarity`](Self::similarity) reads all hashes that both sketches know, k or more, and errs no more than that.
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

    /// How many different items both streams have, at 95 %. Exact while both have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` when k or hash differ.
    pub fn intersection(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.count(Owner::Both))
    }

    /// How many different items this stream has and `other` has not, at 95 %. Exact while both have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` when k or hash differ.
    pub fn difference(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.count(Owner::First))
    }

    /// Jaccard's similarity at 95 %, from 0 to 1: the share that the common items are of all. Two empty streams are
    /// alike.
    ///
    /// # Errors
    /// `Incompatible` when k or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        Ok(self.overlap(other)?.similarity())
    }

    pub(crate) fn overlap(&self, other: &Self) -> Result<Overlap> {
        check_same(self, other)?;
        Ok(Overlap::of(&self.smallest, &other.smallest))
    }

    /// The sketch that this stream would have made with a smaller k, state for state.
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
    /// `InvalidArgument` unless `k` is 16 up to that of the sketch.
    pub fn fold(&self, k: u32) -> Result<Self> {
        if k < MIN_K || k > self.k() {
            let ours = self.k();
            return Err(Error::invalid(format!("a sketch of k {ours} folds to {MIN_K} up to that, got {k}")));
        }
        Ok(Self { smallest: self.smallest.fold(k as usize), spec: self.spec })
    }

    /// How many hashes it keeps at most.
    pub fn k(&self) -> u32 {
        self.smallest.k() as u32
    }

    /// Whether it still has all hashes, since there were fewer than k.
    pub fn has_all(&self) -> bool {
        self.smallest.last_of_full().is_none()
    }

    /// The hashes it keeps, the smallest first.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.smallest.iter()
    }
}

/// How many hashes a sketch keeps at most.
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
    const REMEDY: &str = "fold the larger one to the k of the other first";
    const NAMES: &[&str] = &["k"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?)
    }
}

/// 1/√(k−2), for many more than k items.
fn standard_error(k: u32) -> f64 {
    1.0 / sqrt(f64::from(k) - 2.0)
}

/// How far the 95 % interval reaches from the value, relative to it, for many more than k items. Its bounds are
/// quantiles of the gamma law, and the upper one is farther away.
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
    for_numbers(for_k, K(k: u32), "An empty sketch of the `k` smallest hashes.", "`k` is 16 to 2²⁰"),
    collects(Self::for_k(4096), "A sketch of k 4,096: 1.6 % standard error."));

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
