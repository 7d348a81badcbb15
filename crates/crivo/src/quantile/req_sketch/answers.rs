//! Queries of a [`ReqSketch`]: ranks, quantiles and histograms.

use super::{ReqSketch, Tail};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::quantile::{check_ascending, check_share_of_all, shares_of, target_rank};
use crate::{DEFAULT_CONFIDENCE, Element, Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// An estimated rank with its bounds.
struct Rank {
    value: u64,
    lower: u64,
    upper: u64,
    guarantee: Guarantee,
}

impl Rank {
    fn exact(value: u64) -> Self {
        Self { value, lower: value, upper: value, guarantee: Guarantee::Certain }
    }

    fn estimate(&self) -> Estimate {
        Estimate::new(self.value as f64, count_down(self.lower), count_up(self.upper), self.guarantee)
    }
}

impl<T: Element> ReqSketch<T> {
    /// Estimates the inclusive rank of `value`, the number of values ≤ `value`, with a 95 % interval. NaN is above all
    /// numbers.
    pub fn rank(&self, value: &T) -> Estimate {
        self.rank_within(value, DEFAULT_CONFIDENCE).estimate()
    }

    /// Like [`rank`](Self::rank), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.rank_within(value, confidence).estimate())
    }

    fn rank_within(&self, value: &T, confidence: f64) -> Rank {
        if let Some(rank) = self.kept.rank_outside(value) {
            return Rank::exact(rank);
        }
        let up_to: Vec<u64> =
            (0..self.kept.levels.count()).map(|level| self.kept.kept_up_to(level, value) as u64).collect();
        self.rank_of(&up_to, confidence)
    }

    /// Returns the rank of a value, at least the least and below the greatest one, of which each level keeps this many
    /// values up to it.
    fn rank_of(&self, up_to: &[u64], confidence: f64) -> Rank {
        let (levels, plan) = (&self.kept.levels, self.kept.levels.plan());
        let total = self.total();
        let in_tail: Vec<u64> = match plan.tail {
            Tail::Low => up_to.to_vec(),
            Tail::High => {
                (0..).zip(up_to).map(|(level, up_to)| levels.of(level).len() as u64 - up_to).collect()
            }
        };
        let tail: u64 = in_tail.iter().enumerate().map(|(level, kept)| kept << level).sum();
        let reach = plan.reach(levels.states(), &in_tail);
        let (few, many, guarantee) = plan.bounds(tail, &reach, self.lineage.sharing, confidence);
        let [lower, value, upper] = match plan.tail {
            Tail::Low => [few, tail, many],
            Tail::High => [many, tail, few].map(|tail| total.saturating_sub(tail)),
        };
        // The least value is always ≤ the queried one and the greatest never is, whatever was kept.
        let [lower, value, upper] = [lower, value, upper].map(|rank| rank.clamp(1, total - 1));
        Rank { value, lower, upper, guarantee }
    }

    /// Estimates the smallest value whose rank is at least `q` times the number of values, with a 95 % interval. The bounds
    /// are inserted values. `q` = 0 gives the least and `q` = 1 the greatest value, exactly.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<T>> {
        self.quantile_at(q, DEFAULT_CONFIDENCE)
    }

    /// Like [`quantile`](Self::quantile), at another confidence.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1 and `confidence` lies strictly between
    /// 0 and 1.
    pub fn quantile_at(&self, q: f64, confidence: f64) -> Result<QuantileEstimate<T>> {
        Ok(self.quantiles_at(&[q], confidence)?.remove(0))
    }

    /// Estimates several quantiles in the time of one.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert_all(&[10, 20, 30, 40])?;
    /// let quartiles = sketch.quantiles(&[0.25, 0.5, 0.75])?;
    /// assert!(quartiles.iter().map(|answer| *answer.value()).eq([10u64, 20, 30]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless each `q` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<T>>> {
        self.quantiles_at(qs, DEFAULT_CONFIDENCE)
    }

    /// Like [`quantiles`](Self::quantiles), at another confidence, which holds for each quantile separately.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless each `q` is 0 to 1 and `confidence` lies strictly
    /// between 0 and 1.
    pub fn quantiles_at(&self, qs: &[f64], confidence: f64) -> Result<Vec<QuantileEstimate<T>>> {
        check_confidence(confidence)?;
        qs.iter().try_for_each(|&q| check_share_of_all(q))?;
        let (Some(min), Some(max)) = (self.min(), self.max()) else { return Err(Error::empty("quantile")) };
        let (total, ranks) = (self.total(), self.ranks(min, max, confidence));
        let value_at = |place: usize| ranks.get(place).map_or(max, |&(value, _)| value);
        let answer = |&q: &f64| {
            let target = target_rank(q, total);
            let exact = |value: &T| {
                QuantileEstimate::new(value.clone(), value.clone(), value.clone(), Guarantee::Certain)
            };
            if target <= 1 {
                return exact(min);
            }
            if target == total {
                return exact(max);
            }
            // The rank of the true quantile is at least the target, and the rank just below it is less.
            let lower = ranks.iter().position(|(_, rank)| rank.upper >= target).unwrap_or(ranks.len());
            let upper = ranks.iter().rposition(|(_, rank)| rank.lower < target).map_or(0, |place| place + 1);
            let value = ranks.partition_point(|(_, rank)| rank.value < target).clamp(lower, upper.max(lower));
            let is_certain = ranks[lower..(upper + 1).min(ranks.len())]
                .iter()
                .chain(&ranks[lower.saturating_sub(1)..lower])
                .all(|(_, rank)| rank.guarantee == Guarantee::Certain);
            let guarantee = if is_certain { Guarantee::Certain } else { Guarantee::Proven { confidence } };
            let [value, lower, upper] = [value, lower, upper.max(lower)].map(|place| value_at(place).clone());
            QuantileEstimate::new(value, lower, upper, guarantee)
        };
        Ok(qs.iter().map(answer).collect())
    }

    /// Returns the least and each greater kept value below the greatest one, with its rank.
    fn ranks<'a>(&'a self, min: &'a T, max: &'a T, confidence: f64) -> Vec<(&'a T, Rank)> {
        let mut up_to = vec![0; self.kept.levels.count()];
        let mut ranks = Vec::new();
        let kept = self.kept.levels.in_order();
        let mut next = 0;
        let mut value = min;
        while value.order(max) == Ordering::Less {
            while let Some(&(equal, weight)) =
                kept.get(next).filter(|(kept, _)| kept.order(value) != Ordering::Greater)
            {
                up_to[weight.ilog2() as usize] += 1;
                value = equal;
                next += 1;
            }
            ranks.push((value, self.rank_of(&up_to, confidence)));
            value = kept.get(next).map_or(max, |&(value, _)| value);
        }
        ranks
    }

    /// Estimates the share of values ≤ each of `splits`, with 95 % intervals. All shares are 0 if the sketch is empty.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert_all(&[10u64, 20, 30, 40])?;
    /// assert_eq!(sketch.shares(&[5, 20])?[1].value(), 0.5);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `splits` ascend and have a rank.
    pub fn shares(&self, splits: &[T]) -> Result<Vec<Estimate>> {
        shares_of(splits, self.total(), |split| self.rank(split))
    }

    /// Estimates the number of values in each class, with 95 % intervals. The classes are: up to the first edge, above
    /// each edge up to the next, and above the last edge.
    ///
    /// ```
    /// use crivo::{ReqSketch, quantile::Tail};
    /// let mut sketch = ReqSketch::for_k(32, Tail::High)?;
    /// sketch.insert_all(&[10u64, 20, 30, 40])?;
    /// let classes = sketch.histogram(&[20, 35])?;
    /// assert!(classes.iter().map(|class| class.value()).eq([2.0, 1.0, 1.0]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `edges` ascend and have a rank.
    pub fn histogram(&self, edges: &[T]) -> Result<Vec<Estimate>> {
        check_ascending(edges)?;
        // Each of the two ranks may fail in half of the cases in which the class may.
        let confidence = f64::midpoint(1.0, DEFAULT_CONFIDENCE);
        let mut below = Rank::exact(0);
        let ranks = edges.iter().map(|edge| self.rank_within(edge, confidence));
        let class = |rank: Rank| {
            let value = rank.value.saturating_sub(below.value);
            let lower = rank.lower.saturating_sub(below.upper);
            let upper = rank.upper.saturating_sub(below.lower);
            let are_certain = [&below, &rank].iter().all(|rank| rank.guarantee == Guarantee::Certain);
            let confidence = DEFAULT_CONFIDENCE;
            let guarantee = if are_certain { Guarantee::Certain } else { Guarantee::Proven { confidence } };
            below = rank;
            Estimate::new(value as f64, count_down(lower), count_up(upper), guarantee)
        };
        Ok(ranks.chain([Rank::exact(self.total())]).map(class).collect())
    }
}
