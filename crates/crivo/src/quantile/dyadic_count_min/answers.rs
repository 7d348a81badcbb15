//! What a [`DyadicCountMin`] answers: ranges, ranks, quantiles and classes.

use super::pieces::for_each_piece;
use super::{DyadicCountMin, Ordinal};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::quantile::{check_ascending, check_share_of_all, target_rank};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::format;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::floor;

/// What the counters say of a set of blocks.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// In blocks whose number is known.
    exact: u128,
    /// In blocks whose number is over-counted.
    hashed: u128,
    /// How many blocks are over-counted.
    blocks: u32,
}

impl Sum {
    fn all(&self) -> u128 {
        self.exact + self.hashed
    }
}

impl<T: Ordinal> DyadicCountMin<T> {
    /// What is counted from `first` to `last`; nothing if that is empty.
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

    /// How many occurrences lie in a range, at 95 %.
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
    /// `InvalidArgument` unless the range is not empty and lies in the universe.
    pub fn range(&self, range: RangeInclusive<T>) -> Result<Estimate> {
        self.range_at(range, DEFAULT_CONFIDENCE)
    }

    /// [`range`](Self::range) at another confidence.
    ///
    /// # Errors
    /// As [`range`](Self::range), and unless `confidence` lies strictly between 0 and 1.
    pub fn range_at(&self, range: RangeInclusive<T>, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let (first, last) = (self.place(range.start())?, self.place(range.end())?);
        if first > last {
            return Err(Error::invalid(format!("the range {range:?} is empty; give the lower end first")));
        }
        Ok(self.between(first, last, confidence))
    }

    /// How many occurrences are at most `value`, at 95 %: its inclusive rank.
    ///
    /// # Errors
    /// `InvalidArgument` for a value outside the universe.
    pub fn rank(&self, value: &T) -> Result<Estimate> {
        self.rank_at(value, DEFAULT_CONFIDENCE)
    }

    /// [`rank`](Self::rank) at another confidence.
    ///
    /// # Errors
    /// As [`rank`](Self::rank), and unless `confidence` lies strictly between 0 and 1.
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
        // Neither side is ever counted too low, so each bounds the other.
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
        // All over-counts together are known: each block takes its part of them.
        let blocks = inside.blocks + below.blocks + above.blocks;
        let share = f64::from(inside.blocks) / f64::from(blocks.max(1));
        let value = inside.all() as f64 - (inside.all() + outside - total) as f64 * share;
        let upper = count_up(upper);
        Estimate::new(value.clamp(lower.min(upper), upper), lower, upper, guarantee)
    }

    /// The hashed blocks, p in all, are over-counted by p·(N − a)/w in a row on average, and by t times that in all
    /// rows at once with the probability that is left: solved for what they hold.
    fn proven_lower(&self, inside: &Sum, confidence: f64) -> f64 {
        let factor = self.params.markov_factor(confidence) / self.params.width() as f64;
        if factor >= 1.0 {
            return inside.exact as f64;
        }
        let excess = factor * f64::from(inside.blocks) * self.total as f64;
        let hashed = (inside.hashed as f64 - excess) / (1.0 - factor);
        floor(inside.exact as f64 + hashed.max(0.0))
    }

    /// The smallest value whose rank is at least `q` times the total. The bounds are certain, and rise with `q` as the value
    /// does.
    ///
    /// # Errors
    /// `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<T>> {
        Ok(self.quantiles(&[q])?.remove(0))
    }

    /// Many quantiles.
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
    /// `Empty` if there are no values, `InvalidArgument` unless each `q` is 0 to 1.
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

    /// A place at or below the value of this rank: it goes right only where all that may lie to the left is too little.
    fn lowest_of_rank(&self, mut rank: u64) -> u64 {
        self.descend(|level, left| {
            let counted = self.count(level, left);
            let goes_right = rank > counted;
            rank -= if goes_right { counted } else { 0 };
            goes_right
        })
    }

    /// A place at or above the value of this rank: the same from the other side.
    fn highest_of_rank(&self, rank: u64) -> u64 {
        let mut from_above = self.total - rank + 1;
        self.descend(|level, left| {
            let counted = self.count(level, left + 1);
            let goes_left = from_above > counted;
            from_above -= if goes_left { counted } else { 0 };
            !goes_left
        })
    }

    /// Between both: what a block holds is split so that both halves are over-counted alike.
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

    /// From all values to one, by halves; `goes_right` is asked with the level and the number of the left half.
    fn descend(&self, mut goes_right: impl FnMut(u32, u64) -> bool) -> u64 {
        (0..self.params.bits()).rev().fold(0, |node, level| 2 * node + u64::from(goes_right(level, 2 * node)))
    }

    /// How many occurrences lie in each of the classes that `edges` make, at 95 %: up to the first edge, then above one
    /// edge and up to the next, and above the last.
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
    /// `InvalidArgument` unless `edges` ascend and lie in the universe.
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
