//! Queries of a [`DyadicCountMin`]: ranges, ranks, quantiles and histograms.

use super::pieces::for_each_piece;
use super::{DyadicCountMin, Ordinal};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::quantile::{check_ascending, check_share_of_all, target_rank};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::format;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::floor;

/// The counts of a set of blocks.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// The count in blocks of exact levels.
    exact: u128,
    /// The count in blocks of hashed levels, which may be too high.
    hashed: u128,
    /// The number of blocks of hashed levels.
    blocks: u32,
}

impl Sum {
    fn all(&self) -> u128 {
        self.exact + self.hashed
    }
}

impl<T: Ordinal> DyadicCountMin<T> {
    /// Sums the counts from `first` to `last`; an empty range sums to zero.
    fn sum(&self, first: u64, last: u64) -> Sum {
        let mut sum = Sum::default();
        for_each_piece(first, last, self.params.bits(), |level, number| {
            let count = u128::from(self.count(level, number));
            if level < self.params.hashed_levels() {
                sum.hashed += count;
                sum.blocks += 1;
            } else {
                sum.exact += count;
            }
        });
        sum
    }

    /// Estimates the number of occurrences in a range, with a 95 % interval.
    ///
    /// ```
    /// use crivo::DyadicCountMin;
    /// use crivo::quantile::DyadicParams;
    /// let mut sketch = DyadicCountMin::with_params(DyadicParams::for_error(64, 0.05, 0.01)?)?;
    /// sketch.add(-1.5, 2)?;
    /// sketch.add(3.25, 4)?;
    /// assert!(sketch.range(-2.0..=3.0)?.contains(2.0));
    /// assert!(sketch.range_at(0.0..=f64::INFINITY, 0.999)?.contains(4.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the range is empty or leaves the universe.
    pub fn range(&self, range: RangeInclusive<T>) -> Result<Estimate> {
        self.range_at(range, DEFAULT_CONFIDENCE)
    }

    /// Like [`range`](Self::range), at another confidence.
    ///
    /// # Errors
    /// Fails as [`range`](Self::range) does, and if `confidence` does not lie strictly between 0 and 1.
    pub fn range_at(&self, range: RangeInclusive<T>, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let (first, last) = (self.place(range.start())?, self.place(range.end())?);
        if first > last {
            return Err(Error::invalid(format!("the range {range:?} is empty; give the lower end first")));
        }
        Ok(self.between(first, last, confidence))
    }

    /// Estimates the inclusive rank of `value`, the number of occurrences ≤ `value`, with a 95 % interval.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value outside the universe.
    pub fn rank(&self, value: &T) -> Result<Estimate> {
        self.rank_at(value, DEFAULT_CONFIDENCE)
    }

    /// Like [`rank`](Self::rank), at another confidence.
    ///
    /// # Errors
    /// Fails as [`rank`](Self::rank) does, and if `confidence` does not lie strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.between(0, self.place(value)?, confidence))
    }

    fn between(&self, first: u64, last: u64, confidence: f64) -> Estimate {
        let total = u128::from(self.total);
        let inside = self.sum(first, last);
        let below = if first > 0 { self.sum(0, first - 1) } else { Sum::default() };
        let above = if last < self.last() { self.sum(last + 1, self.last()) } else { Sum::default() };
        let outside = below.all() + above.all();
        // Neither side is ever under-counted, so each bounds the other.
        let upper = inside.all().min(total) as u64;
        let certain = total.saturating_sub(outside) as u64;
        if certain >= upper {
            return Estimate::new(count_up(upper), count_down(upper), count_up(upper), Guarantee::Certain);
        }
        let proven = self.proven_lower(&inside, confidence);
        let (lower, guarantee) = if proven > count_down(certain) {
            (proven, Guarantee::Proven { confidence })
        } else {
            (count_down(certain), Guarantee::Certain)
        };
        // The sum of all over-counts is known; each hashed block takes an equal part of it.
        let blocks = inside.blocks + below.blocks + above.blocks;
        let share = f64::from(inside.blocks) / f64::from(blocks.max(1));
        let value = inside.all() as f64 - (inside.all() + outside - total) as f64 * share;
        let upper = count_up(upper);
        Estimate::new(value.clamp(lower.min(upper), upper), lower, upper, guarantee)
    }

    /// Returns the proven lower bound. The p hashed blocks are over-counted by p·(N − a)/w in a row on average, and by
    /// more than t times that in all rows at once with probability at most 1 − confidence; this is solved for a, the
    /// true count.
    fn proven_lower(&self, inside: &Sum, confidence: f64) -> f64 {
        let factor = self.params.markov_factor(confidence) / self.params.width() as f64;
        if factor >= 1.0 {
            return inside.exact as f64;
        }
        let excess = factor * f64::from(inside.blocks) * self.total as f64;
        let hashed = (inside.hashed as f64 - excess) / (1.0 - factor);
        floor(inside.exact as f64 + hashed.max(0.0))
    }

    /// Estimates the smallest value whose rank is at least `q` times the total. The bounds are deterministic and, like the value,
    /// do not decrease with `q`.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<T>> {
        Ok(self.quantiles(&[q])?.remove(0))
    }

    /// Estimates several quantiles.
    ///
    /// ```
    /// use crivo::DyadicCountMin;
    /// use crivo::quantile::DyadicParams;
    /// let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::for_error(8, 0.05, 0.01)?)?;
    /// (0..100).try_for_each(|value| sketch.add(value, 1))?;
    /// assert_eq!(*sketch.quantiles(&[0.5, 0.9])?[1].value(), 89);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless each `q` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<T>>> {
        qs.iter().try_for_each(|&q| check_share_of_all(q))?;
        if self.is_empty() {
            return Err(Error::empty("quantile"));
        }
        let value_at = |place: u64| T::at(place, self.params.bits());
        let answer = |&q: &f64| {
            let rank = target_rank(q, self.total).max(1);
            let (lower, upper) = (self.lowest_of_rank(rank), self.highest_of_rank(rank));
            let place = self.likely_of_rank(rank).clamp(lower, upper);
            QuantileEstimate::new(value_at(place), value_at(lower), value_at(upper), Guarantee::Certain)
        };
        Ok(qs.iter().map(answer).collect())
    }

    /// Returns a place at or below the value of this rank. The descent goes right only where the upper bound of the
    /// left half is too small.
    fn lowest_of_rank(&self, mut rank: u64) -> u64 {
        self.descend(|level, left| {
            let counted = self.count(level, left);
            let goes_right = rank > counted;
            rank -= if goes_right { counted } else { 0 };
            goes_right
        })
    }

    /// Returns a place at or above the value of this rank: the descent of [`lowest_of_rank`](Self::lowest_of_rank),
    /// mirrored.
    fn highest_of_rank(&self, rank: u64) -> u64 {
        let mut from_above = self.total - rank + 1;
        self.descend(|level, left| {
            let counted = self.count(level, left + 1);
            let goes_left = from_above > counted;
            from_above -= if goes_left { counted } else { 0 };
            !goes_left
        })
    }

    /// Returns a place between the two bounds: the count of a block is split as if both halves were over-counted
    /// equally.
    fn likely_of_rank(&self, mut rank: u64) -> u64 {
        let mut inside = self.total;
        self.descend(|level, left| {
            let (counted, right) =
                (i128::from(self.count(level, left)), i128::from(self.count(level, left + 1)));
            let split = ((counted + i128::from(inside) - right) / 2).clamp(0, i128::from(inside)) as u64;
            let goes_right = rank > split;
            rank -= if goes_right { split } else { 0 };
            inside = if goes_right { inside - split } else { split };
            goes_right
        })
    }

    /// Descends from the whole universe to one value by halves. `goes_right` gets the level and the number of the left
    /// half.
    fn descend(&self, mut goes_right: impl FnMut(u32, u64) -> bool) -> u64 {
        (0..self.params.bits()).rev().fold(0, |node, level| 2 * node + u64::from(goes_right(level, 2 * node)))
    }

    /// Estimates the number of occurrences in each class, with 95 % intervals. The classes are: up to the first edge,
    /// above each edge up to the next, and above the last edge.
    ///
    /// ```
    /// use crivo::DyadicCountMin;
    /// use crivo::quantile::DyadicParams;
    /// let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::for_error(8, 0.05, 0.01)?)?;
    /// (0..100).try_for_each(|value| sketch.add(value, 1))?;
    /// let classes = sketch.histogram(&[9, 49])?; // so small a universe is exact
    /// assert!(classes.iter().map(|class| class.value()).eq([10.0, 40.0, 50.0]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `edges` ascend and lie in the universe.
    pub fn histogram(&self, edges: &[T]) -> Result<Vec<Estimate>> {
        check_ascending(edges)?;
        let mut first = 0;
        let mut classes = Vec::with_capacity(edges.len() + 1);
        for edge in edges {
            let last = self.place(edge)?;
            classes.push(self.between(first, last, DEFAULT_CONFIDENCE));
            first = last.saturating_add(1);
        }
        let all_are_below = edges.last().is_some_and(|edge| edge.place(self.params.bits()) == self.last());
        classes.push(if all_are_below {
            Estimate::exact(0.0)
        } else {
            self.between(first, self.last(), DEFAULT_CONFIDENCE)
        });
        Ok(classes)
    }
}
