//! Quantiles of an insert-only stream: see [`Kll`].

mod levels;
mod wire;

use crate::estimate::{check_confidence, count_down, count_up};
use crate::kind::Kind;
use crate::quantile::{check_ascending, check_share_of_all, target_rank};
use crate::rng::Rng;
use crate::sketch::{Fact, Merge, Sketch};
use crate::{
    DEFAULT_CONFIDENCE, Element, Error, Estimate, Guarantee, HashSpec, QuantileEstimate, Result, element,
};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use levels::Levels;
use libm::{ceil, floor, log, sqrt};

/// The fewest and the most values that the highest level is planned for.
const K_RANGE: core::ops::RangeInclusive<u64> = 8..=1 << 20;
/// The coins of a sketch that was given no seed.
const DEFAULT_SEED: u64 = 0x0043_5249_564f_4b4c;
/// What may be inserted in all: more would leave no room for the lowest level below 2⁶⁴.
const MOST: u64 = u64::MAX - (1 << 32);
/// k times the error of a rank at 95 %, at most, after one pass of any length; a test holds it.
const ERROR_TIMES_K: f64 = 2.1;

/// Ranks and quantiles of a stream too large to keep or sort, from a few of its values.
///
/// # Use when / not when
/// Use it for medians, percentiles, ranks and histograms of values that only come: latencies, prices, lengths of texts,
/// anything with an order. Not where values are taken back, nor where a merge must equal one pass: a
/// [`DyadicCountMin`](crate::DyadicCountMin) can both, for numbers, in a thousand times the memory. Not for the far tail in
/// relative terms: the error is a share of all values, so at k = 200 the 99.9th percentile is anywhere above the 98.9th.
///
/// # Guarantee
/// A rank is off by at most [`rank_error`](Self::rank_error) of all values with 95 %: proven, for any values in any order, from
/// the coins that were drawn. After one pass that is below 2.1/k at any length (1 % at k = 210); of random values it is
/// about a third of that. For all ranks at once ask [`rank_error_of_all_at`](Self::rank_error_of_all_at): 1.7 % there. The
/// bounds of a quantile are the values at its rank plus and minus that error. While nothing was compacted (k
/// values), and at the ends, answers are exact. The rank of x is the number of values ≤ x; the quantile q is the smallest
/// value whose rank is at least q times the number of values.
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
/// An insertion appends to a list; a share of them sort that list and merge what is left of it upwards: O(log k) comparisons
/// each. A rank takes O(k), a quantile O(k log k), and many quantiles the same.
///
/// # Merge
/// Bounded: ranks stay within [`rank_error`](Self::rank_error) of the merged sketch, whatever the seeds and the order of
/// merges; the number, the least and the greatest value are exact. The errors of the parts are added up as if they were the
/// same, since parts with one seed may have drawn the same coins. Both need the same k.
///
/// # Hostile input
/// Nothing is hashed, and the bounds hold for every order chosen in advance. Who sees the coins (knows the seed) while choosing
/// values can drive ranks off, up to the largest error possible: give a secret seed where that matters.
///
/// # Example
/// ```
/// use crivo::Kll;
/// let mut latencies = Kll::for_error(0.01)?;
/// for request in 0..100_000u64 {
///     latencies.insert(20.0 + (request * 7919 % 1000) as f64 / 10.0)?;
/// }
/// let p99 = latencies.quantile(0.99)?.expect("there are values");
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
/// level 2, each stands for 4     3  19  40
/// level 1, each stands for 2     8  12 [15] 33           full: sort, drop every other one,
/// level 0, as they come          5  31   2  27  9  14     and merge the rest into the level above
///
///   2  5  9 14 27 31   a coin says: keep the 1st, 3rd and 5th     2 9 27 → level 1
///                      next time this level keeps the others      the two errors cancel or halve
/// ```
/// Dropping every other value of weight 2ʰ moves a rank by 2ʰ or not at all, up or down by the coin. Since the next compaction of
/// a level takes the other side, two of them together move it by 2ʰ at most. Hoeffding's inequality for the coins drawn gives
/// the bound; the sizes of levels do not depend on the values, so neither does the bound.
///
/// # References
/// Karnin, Lang and Liberty, doi:10.1109/FOCS.2016.17 · alternating coins: Ivkin, Liberty, Lang, Karnin and Braverman,
/// arXiv:1907.00236. The interval from the coins drawn, and its sum over merges, are derived in `docs/STATISTICS.md`.
#[derive(Clone)]
pub struct Kll<T> {
    seed: u64,
    rng: Rng,
    levels: Levels<T>,
    /// The least and the greatest value that ever left the lowest level.
    ends: Option<(T, T)>,
    /// The error from before the last merge.
    inherited: Spread,
}

/// How many values are at most a given one, and whether that is known for certain.
struct Rank {
    value: u64,
    is_exact: bool,
}

/// How far ranks may be off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spread {
    /// The error is sub-Gaussian with this variance.
    variance: f64,
    /// The error is never larger.
    most: u64,
}

impl<T: Element> Kll<T> {
    /// An empty sketch whose highest level holds `k` values, with the default seed.
    ///
    /// ```
    /// use crivo::Kll;
    /// let sketch = Kll::<String>::new(200)?;
    /// assert!(sketch.is_empty() && sketch.quantile(0.5)?.is_none());
    /// assert!(Kll::<u64>::new(3).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `k` is 8 to 2²⁰.
    pub fn new(k: u64) -> Result<Self> {
        Self::with_seed(k, DEFAULT_SEED)
    }

    /// An empty sketch that draws its coins from `seed`: same values, same seed, same bytes.
    ///
    /// # Errors
    /// `InvalidArgument` unless `k` is 8 to 2²⁰.
    pub fn with_seed(k: u64, seed: u64) -> Result<Self> {
        if !K_RANGE.contains(&k) {
            return Err(Error::invalid(format!("k must be 8 to 1048576, got {k}; 200 is usual")));
        }
        let levels = Levels::new(k as usize);
        Ok(Self { seed, rng: Rng::new(seed), levels, ends: None, inherited: Spread::default() })
    }

    /// The smallest sketch whose [`rank_error`](Self::rank_error) stays below `error` however many values are
    /// inserted one by one: the share of all by which a rank is off, at 95 %.
    ///
    /// ```
    /// use crivo::Kll;
    /// assert_eq!(Kll::<u64>::for_error(0.01)?.k(), 210);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is below 1 and at least 2.1·10⁻⁶, which the largest `k` reaches.
    pub fn for_error(error: f64) -> Result<Self> {
        let k = ceil(ERROR_TIMES_K / error);
        if !(error > 0.0 && error < 1.0) || k > *K_RANGE.end() as f64 {
            return Err(Error::invalid(format!(
                "the rank error must be below 1 and at least 0.0000021, got {error}; 0.01 is usual"
            )));
        }
        Self::new((k as u64).max(*K_RANGE.start()))
    }

    /// The largest sketch that takes at most `bytes` bytes of memory for up to 2⁴⁰ values inserted one by one, not counting
    /// what they hold outside themselves.
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
    /// `InvalidArgument` when not even the smallest does.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        // A highest level h was made from k values that stood for 2^(h − 1) each.
        let takes = |k: u64| {
            let levels = (42 - k.ilog2()) as usize;
            let slots = levels::room(k as usize, levels) * size_of::<T>();
            (size_of::<Self>() + slots + levels * size_of::<levels::Level>()) as u64
        };
        let (mut fits, mut too_large) = (K_RANGE.start() - 1, K_RANGE.end() + 1);
        while too_large - fits > 1 {
            let middle = u64::midpoint(fits, too_large);
            if takes(middle) <= bytes { fits = middle } else { too_large = middle }
        }
        if fits < *K_RANGE.start() {
            return Err(Error::invalid(format!(
                "{bytes} bytes are too few; the smallest sketch takes {}",
                takes(*K_RANGE.start())
            )));
        }
        Self::new(fits)
    }

    /// Takes a value in.
    ///
    /// # Errors
    /// `InvalidArgument` for a value without a rank (NaN), `Full` after 2⁶⁴ − 2³² values; nothing changes then.
    #[inline]
    pub fn insert(&mut self, value: T) -> Result<()> {
        check_rank(&value)?;
        if self.levels.is_full() {
            self.make_room()?;
        }
        self.levels.push(value);
        Ok(())
    }

    /// Takes all of these in, or none. There is no `extend`, which could not say that a value has no rank.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(200)?;
    /// sketch.insert_all(&[2.5, 1.0])?;
    /// assert!(sketch.insert_all(&[4.0, f64::NAN]).is_err());
    /// assert_eq!(sketch.total(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn insert_all(&mut self, values: &[T]) -> Result<()> {
        values.iter().try_for_each(check_rank)?;
        self.check_room_for(values.len() as u64)?;
        let mut rest = values;
        while !rest.is_empty() {
            if self.levels.is_full() {
                self.make_room()?;
            }
            rest = self.levels.push_some(rest);
        }
        Ok(())
    }

    /// Takes `count` copies of a value in, in time that grows with the digits of `count`: this adds no error of its
    /// own.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut wealth = Kll::new(200)?;
    /// wealth.insert_weighted(10u64, 1_000_000_000)?;
    /// wealth.insert_weighted(1_000_000, 1)?;
    /// assert_eq!(wealth.rank(&10).value(), 1e9);
    /// assert_eq!(wealth.kept(), 14); // the ones in the digits of both counts
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn insert_weighted(&mut self, value: T, count: u64) -> Result<()> {
        check_rank(&value)?;
        self.check_room_for(count)?;
        let Some(highest) = count.checked_ilog2() else { return Ok(()) };
        // A value of level h stands for 2^h: one for each bit.
        for level in (0..highest).filter(|level| count >> level & 1 == 1) {
            self.put(level as usize, value.clone())?;
        }
        self.put(highest as usize, value)
    }

    fn put(&mut self, level: usize, value: T) -> Result<()> {
        if level == 0 {
            return self.insert(value);
        }
        self.widen(&value, &value);
        self.levels.put(level, value);
        if self.levels.is_full() { self.make_room() } else { Ok(()) }
    }

    #[cold]
    fn make_room(&mut self) -> Result<()> {
        self.check_room_for(0)?;
        while self.levels.is_full() {
            if let Some((least, greatest)) = self.levels.compact(&mut self.rng) {
                self.widen(&least, &greatest);
            }
        }
        Ok(())
    }

    fn check_room_for(&self, count: u64) -> Result<()> {
        if self.total().checked_add(count).is_some_and(|total| total <= MOST) {
            return Ok(());
        }
        Err(Error::full(format!(
            "{} values and {count} more are beyond 2^64 - 2^32, the most that are counted; start another sketch",
            self.total()
        )))
    }

    fn widen(&mut self, least: &T, greatest: &T) {
        match &mut self.ends {
            None => self.ends = Some((least.clone(), greatest.clone())),
            Some((min, max)) => {
                if least.order(min) == Ordering::Less {
                    *min = least.clone();
                }
                if greatest.order(max) == Ordering::Greater {
                    *max = greatest.clone();
                }
            }
        }
    }

    /// How many values are at most `value`, at 95 %: its inclusive rank. NaN is above all numbers.
    pub fn rank(&self, value: &T) -> Estimate {
        self.rank_within(value, self.radius(DEFAULT_CONFIDENCE))
    }

    /// [`rank`](Self::rank) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.rank_within(value, self.radius(confidence)))
    }

    fn rank_within(&self, value: &T, (radius, guarantee): (u64, Guarantee)) -> Estimate {
        let Rank { value: rank, is_exact } = self.kept_rank(value);
        if is_exact {
            return Estimate::new(rank as f64, count_down(rank), count_up(rank), Guarantee::Certain);
        }
        // The least value is counted and the greatest is not, whatever was kept.
        let most = self.total() - 1;
        Estimate::new(
            rank as f64,
            count_down(rank.saturating_sub(radius).max(1)),
            count_up(rank.saturating_add(radius).min(most)),
            guarantee,
        )
    }

    /// The rank of a value by what was kept; exact below the least value and from the greatest on.
    fn kept_rank(&self, value: &T) -> Rank {
        let is_below = |end: Option<&T>| end.is_none_or(|end| value.order(end) == Ordering::Less);
        if is_below(self.min()) {
            return Rank { value: 0, is_exact: true };
        }
        if !is_below(self.max()) {
            return Rank { value: self.total(), is_exact: true };
        }
        Rank { value: self.kept_up_to(value).clamp(1, self.total() - 1), is_exact: false }
    }

    /// How many the kept values up to `value` stand for.
    fn kept_up_to(&self, value: &T) -> u64 {
        let is_up_to = |kept: &T| kept.order(value) != Ordering::Greater;
        let above = (1..self.levels.count())
            .map(|level| (self.levels.of(level).partition_point(is_up_to) as u64) << level)
            .sum::<u64>();
        above + self.levels.of(0).iter().filter(|kept| is_up_to(kept)).count() as u64
    }

    /// The smallest value whose rank is at least `q` times the number of values, at 95 %; `None` when there is none.
    /// The bounds are values that were inserted. `q` = 0 gives the least and `q` = 1 the greatest value, exactly.
    ///
    /// # Errors
    /// `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<Option<QuantileEstimate<T>>> {
        self.quantile_at(q, DEFAULT_CONFIDENCE)
    }

    /// [`quantile`](Self::quantile) at another confidence.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(100)?;
    /// (0..100_000u64).try_for_each(|value| sketch.insert(value))?;
    /// let (usual, surer) = (sketch.quantile(0.5)?.unwrap(), sketch.quantile_at(0.5, 0.9999)?.unwrap());
    /// assert!(surer.lower() < usual.lower() && usual.upper() < surer.upper());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `q` is 0 to 1 and `confidence` lies strictly between 0 and 1.
    pub fn quantile_at(&self, q: f64, confidence: f64) -> Result<Option<QuantileEstimate<T>>> {
        Ok(self.quantiles_at(&[q], confidence)?.pop())
    }

    /// Many quantiles, for the price of one; none when there are no values.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(200)?;
    /// sketch.insert_all(&[10, 20, 30, 40])?;
    /// let quartiles = sketch.quantiles(&[0.25, 0.5, 0.75])?;
    /// assert!(quartiles.iter().map(|answer| *answer.value()).eq([10u64, 20, 30]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless each `q` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<T>>> {
        self.quantiles_at(qs, DEFAULT_CONFIDENCE)
    }

    /// [`quantiles`](Self::quantiles) at another confidence, each by itself.
    ///
    /// # Errors
    /// `InvalidArgument` unless each `q` is 0 to 1 and `confidence` lies strictly between 0 and 1.
    pub fn quantiles_at(&self, qs: &[f64], confidence: f64) -> Result<Vec<QuantileEstimate<T>>> {
        check_confidence(confidence)?;
        qs.iter().try_for_each(|&q| check_share_of_all(q))?;
        let (Some(min), Some(max)) = (self.min(), self.max()) else { return Ok(Vec::new()) };
        let mut rank = 0;
        let ranks: Vec<(u64, &T)> = self
            .levels
            .in_order()
            .into_iter()
            .map(|(value, weight)| {
                rank += weight;
                (rank, value)
            })
            .collect();
        let first_from = |rank: u64| ranks.get(ranks.partition_point(|&(up_to, _)| up_to < rank));
        let (radius, guarantee) = self.radius(confidence);
        let answer = |&q: &f64| {
            let target = target_rank(q, rank);
            if target <= 1 {
                return QuantileEstimate::new(min.clone(), min.clone(), min.clone(), Guarantee::Certain);
            }
            if target == rank {
                return QuantileEstimate::new(max.clone(), max.clone(), max.clone(), Guarantee::Certain);
            }
            // The kept values up to the true one stand for target − radius at least, those below it for less than
            // target + radius.
            let value = first_from(target).map_or(max, |&(_, value)| value);
            let lower =
                if target <= radius { min } else { first_from(target - radius).map_or(max, |&(_, v)| v) };
            let upper = first_from(target.saturating_add(radius)).map_or(max, |&(_, value)| value);
            QuantileEstimate::new(value.clone(), lower.clone(), upper.clone(), guarantee)
        };
        Ok(qs.iter().map(answer).collect())
    }

    /// The share of values up to each of `splits`, at 95 %; all 0 when there are no values.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(200)?;
    /// sketch.insert_all(&[10u64, 20, 30, 40])?;
    /// assert_eq!(sketch.cdf(&[5, 20])?[1].value(), 0.5);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `splits` ascend and have a rank.
    pub fn cdf(&self, splits: &[T]) -> Result<Vec<Estimate>> {
        check_ascending(splits)?;
        let total = self.total().max(1) as f64;
        let share = |split| {
            let rank = self.rank(split);
            Estimate::new(rank.value() / total, rank.lower() / total, rank.upper() / total, rank.guarantee())
        };
        Ok(splits.iter().map(share).collect())
    }

    /// How many values lie in each of the classes that `edges` make, at 95 %: up to the first edge, then above one edge
    /// and up to the next, and above the last.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(200)?;
    /// sketch.insert_all(&[10u64, 20, 30, 40])?;
    /// let classes = sketch.histogram(&[20, 35])?;
    /// assert!(classes.iter().map(|class| class.value()).eq([2.0, 1.0, 1.0]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `edges` ascend and have a rank.
    pub fn histogram(&self, edges: &[T]) -> Result<Vec<Estimate>> {
        check_ascending(edges)?;
        let total = self.total();
        let (radius, guarantee) = self.radius(DEFAULT_CONFIDENCE);
        let mut below = Rank { value: 0, is_exact: true };
        let mut classes = Vec::with_capacity(edges.len() + 1);
        let ranks = edges.iter().map(|edge| self.kept_rank(edge));
        for rank in ranks.chain([Rank { value: total, is_exact: true }]) {
            // The errors of two ranks may point apart, and each that is known exactly adds none.
            let ends = [&below, &rank].iter().filter(|end| !end.is_exact).count() as u64;
            let (value, reach) = (rank.value.saturating_sub(below.value), ends.saturating_mul(radius));
            classes.push(Estimate::new(
                value as f64,
                count_down(value.saturating_sub(reach)),
                count_up(value.saturating_add(reach).min(total)),
                if reach == 0 { Guarantee::Certain } else { guarantee },
            ));
            below = rank;
        }
        Ok(classes)
    }

    /// How many values were inserted.
    pub fn total(&self) -> u64 {
        self.levels.weight()
    }

    /// The least value that was inserted.
    pub fn min(&self) -> Option<&T> {
        let ends = self.ends.iter().map(|(min, _)| min);
        ends.chain(self.levels.of(0)).min_by(|a, b| a.order(b))
    }

    /// The greatest value that was inserted.
    pub fn max(&self) -> Option<&T> {
        let ends = self.ends.iter().map(|(_, max)| max);
        ends.chain(self.levels.of(0)).max_by(|a, b| a.order(b))
    }

    /// How many values the highest level is planned for.
    pub fn k(&self) -> u64 {
        self.levels.k() as u64
    }

    /// The seed that it was made with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many values it keeps.
    pub fn kept(&self) -> usize {
        self.levels.items().len()
    }

    /// The share of all values by which a [`rank`](Self::rank) is off at most, at 95 %.
    pub fn rank_error(&self) -> f64 {
        self.radius(DEFAULT_CONFIDENCE).0 as f64 / self.total().max(1) as f64
    }

    /// [`rank_error`](Self::rank_error) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_error_at(&self, confidence: f64) -> Result<f64> {
        check_confidence(confidence)?;
        Ok(self.radius(confidence).0 as f64 / self.total().max(1) as f64)
    }

    /// The share of all values by which no rank of any value is off, at `confidence`: it holds for all of them at once.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::new(100)?;
    /// (0..100_000u64).try_for_each(|value| sketch.insert(value))?;
    /// assert!(sketch.rank_error() < 0.021 && sketch.rank_error_at(0.999)? < 0.03);
    /// assert!(sketch.rank_error_of_all_at(0.95)? < 0.04);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_error_of_all_at(&self, confidence: f64) -> Result<f64> {
        check_confidence(confidence)?;
        let total = self.total().max(1) as f64;
        // Ranks that hold at m evenly spread values hold between them within total/m more.
        let with_marks = |bits: i32| {
            let marks = libm::ldexp(1.0, bits);
            self.radius(1.0 - (1.0 - confidence) / marks).0 as f64 / total + 1.0 / marks
        };
        let most = self.spread().most.min(self.total()) as f64 / total;
        Ok((0..40).map(with_marks).fold(most, f64::min))
    }

    /// The error of a rank at this confidence: Hoeffding's bound, or the largest possible error if that is smaller.
    fn radius(&self, confidence: f64) -> (u64, Guarantee) {
        let spread = self.spread();
        let bound = floor(sqrt(2.0 * spread.variance * log(2.0 / (1.0 - confidence))));
        if spread.most as f64 <= bound || spread.most == 0 {
            (spread.most, Guarantee::Certain)
        } else {
            (bound as u64, Guarantee::Proven { confidence })
        }
    }

    /// One coin decides two compactions of a level, to opposite sides: they move a rank by 2^h or not at all.
    fn spread(&self) -> Spread {
        let mut spread = self.inherited;
        for (level, state) in self.levels.states().iter().enumerate() {
            spread.variance += libm::ldexp(state.coins as f64, 2 * level as i32);
            spread.most = spread.most.saturating_add(state.coins.saturating_mul(1 << level));
        }
        spread
    }

    /// Becomes the sketch of both streams.
    ///
    /// ```
    /// use crivo::Kll;
    /// let (mut monday, mut tuesday) = (Kll::new(200)?, Kll::new(200)?);
    /// monday.insert_all(&[3u64, 5])?;
    /// tuesday.insert_all(&[1, 4])?;
    /// monday.merge(&tuesday)?;
    /// assert_eq!((monday.total(), monday.rank(&3).value()), (4, 2.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` when `k` differs, `Full` beyond 2⁶⁴ − 2³² values; `self` is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.k() != other.k() {
            return Err(Error::incompatible("k", self.k(), other.k(), "build both with the same k"));
        }
        self.check_room_for(other.total())?;
        if other.is_empty() {
            return Ok(());
        }
        if self.is_empty() {
            *self = Self { seed: self.seed, ..other.clone() };
            return Ok(());
        }
        // Both may have drawn the same coins: their errors add up at worst. Those drawn from now on are new.
        let (ours, theirs) = (self.spread(), other.spread());
        let deviation = sqrt(ours.variance) + sqrt(theirs.variance);
        self.inherited =
            Spread { variance: deviation * deviation, most: ours.most.saturating_add(theirs.most) };
        self.rng = Rng::new(self.rng.next_u64() ^ other.rng.clone().next_u64().rotate_left(32));
        if let Some((least, greatest)) = &other.ends {
            self.widen(least, greatest);
        }
        self.levels.absorb(&other.levels);
        while self.levels.overflows() {
            if let Some((least, greatest)) = self.levels.compact(&mut self.rng) {
                self.widen(&least, &greatest);
            }
        }
        self.levels.shrink();
        Ok(())
    }

    /// Forgets everything: what comes next meets the same coins as at first.
    pub fn clear(&mut self) {
        self.levels = Levels::new(self.levels.k());
        self.rng = Rng::new(self.seed);
        self.ends = None;
        self.inherited = Spread::default();
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.levels.items().is_empty()
    }

    /// The memory it holds, in bytes, itself and what its values hold included.
    pub fn memory_bytes(&self) -> usize {
        let ends = self.ends.as_ref().map_or(0, |(min, max)| min.heap_bytes() + max.heap_bytes());
        size_of::<Self>() + self.levels.memory_bytes() + ends
    }
}

fn check_rank<T: Element>(value: &T) -> Result<()> {
    if value.has_rank() {
        return Ok(());
    }
    Err(no_rank(value))
}

#[cold]
fn no_rank<T: Element>(value: &T) -> Error {
    Error::invalid(format!("{value:?} has no rank among the others; leave it out"))
}

impl<T: Element> PartialEq for Kll<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &T, b: &T| a.order(b) == Ordering::Equal;
        let same_ends = match (&self.ends, &other.ends) {
            (None, None) => true,
            (Some((min, max)), Some((their_min, their_max))) => same(min, their_min) && same(max, their_max),
            _ => false,
        };
        let (ours, theirs) = (self.levels.items(), other.levels.items());
        (self.k(), self.seed, &self.rng, self.inherited, self.levels.states())
            == (other.k(), other.seed, &other.rng, other.inherited, other.levels.states())
            && same_ends
            && ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
    }
}

impl<T: Element> Sketch for Kll<T> {
    fn kind(&self) -> Kind {
        Kind::Kll
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        None
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("elements", element::name_of(T::TAG)),
            Fact::count("k", self.k()),
            Fact::count("total", self.total()),
            Fact::count("kept", self.kept() as u64),
            Fact::count("levels", self.levels.count() as u64),
            Fact::number("rank_error", self.rank_error()),
        ]
    }
}

impl<T: Element> Merge for Kll<T> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge(other)
    }
}

impl<T: Element> fmt::Debug for Kll<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Kll(k {}, {} of {} values kept in {} levels, {})",
            self.k(),
            self.kept(),
            self.total(),
            self.levels.count(),
            element::name_of(T::TAG)
        )
    }
}

#[cfg(test)]
mod tests;
