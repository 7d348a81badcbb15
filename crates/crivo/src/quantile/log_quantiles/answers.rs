//! Queries of a [`LogQuantiles`]: quantiles and ranks.

use super::{LogQuantiles, magnitude, side};
use crate::estimate::{count_down, count_up};
use crate::quantile::{check_ascending, check_share_of_all, target_rank};
use crate::{Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The place of a class of values in the order of all: 0 for zeros, the bucket for positive values, its negative for
/// negative ones. The collapsed buckets of a sign have the place of the highest of them.
type Place = i64;

impl LogQuantiles {
    /// Estimates the smallest value whose rank is at least `q` times the number of values. The interval is certain: it
    /// is the bucket of the true value, or goes from 0 to the largest collapsed magnitude if the true value is
    /// collapsed.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<f64>> {
        Ok(self.quantiles(&[q])?.remove(0))
    }

    /// Estimates several quantiles in the time of one.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let sketch: LogQuantiles = (1..=1000).map(f64::from).collect();
    /// let quartiles = sketch.quantiles(&[0.25, 0.5, 0.75])?;
    /// for (quartile, truth) in quartiles.iter().zip([250.0, 500.0, 750.0]) {
    ///     assert!((quartile.value() - truth).abs() <= 0.01 * truth);
    /// }
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless each `q` is 0 to 1.
    pub fn quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<f64>>> {
        qs.iter().try_for_each(|&q| check_share_of_all(q))?;
        if self.total == 0 {
            return Err(Error::empty("quantile"));
        }
        let mut rank = 0;
        let ranks: Vec<(u64, Place)> = self
            .classes()
            .map(|(place, count)| {
                rank += count;
                (rank, place)
            })
            .collect();
        let answer = |&q: &f64| {
            let target = target_rank(q, self.total).max(1);
            let (_, place) = ranks[ranks.partition_point(|&(up_to, _)| up_to < target)];
            let (lower, upper) = self.ends(place);
            QuantileEstimate::new(self.value(place), lower, upper, Guarantee::Certain)
        };
        Ok(qs.iter().map(answer).collect())
    }

    /// Estimates the inclusive rank of `value`, the number of values ≤ `value`. The interval is certain. NaN is above
    /// all numbers.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let sketch: LogQuantiles = [-5.0, 0.0, 3.0, 3.01, 900.0].into_iter().collect();
    /// assert_eq!(sketch.rank(100.0).value(), 4.0);
    /// let (rank, total) = (sketch.rank(3.0), sketch.rank(f64::INFINITY)); // 3 and 3.01 share a bucket
    /// assert!(rank.lower() == 2.0 && rank.upper() == 4.0 && total.is_exact());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn rank(&self, value: f64) -> Estimate {
        let place = self.place(value);
        let (mut below, mut inside) = (0, 0);
        for (class, count) in self.classes() {
            match class.cmp(&place) {
                Ordering::Less => below += count,
                Ordering::Equal => inside = count,
                Ordering::Greater => break,
            }
        }
        let (lower, upper) = if inside > 0 { self.ends(place) } else { (value, value) };
        if value >= upper || inside == 0 {
            let rank = below + inside;
            return Estimate::new(rank as f64, count_down(rank), count_up(rank), Guarantee::Certain);
        }
        // As if the values were spread evenly over their bucket.
        let share = (value - lower) / (upper - lower);
        let rank = below as f64 + share * inside as f64;
        Estimate::new(rank, count_down(below), count_up(below + inside), Guarantee::Certain)
    }

    /// Estimates the number of values in each class. The classes are: up to the first edge, above each edge up to the
    /// next, and above the last edge. The intervals are certain.
    ///
    /// ```
    /// use crivo::LogQuantiles;
    /// let sketch: LogQuantiles = [10.0, 20.0, 30.0, 40.0].into_iter().collect();
    /// let classes = sketch.histogram(&[21.0, 35.0])?;
    /// assert!(classes.iter().map(|class| class.value()).eq([2.0, 1.0, 1.0]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `edges` ascend and are no NaN.
    pub fn histogram(&self, edges: &[f64]) -> Result<Vec<Estimate>> {
        check_ascending(edges)?;
        let mut below = Estimate::exact(0.0);
        let class = |edge: f64| {
            let rank = self.rank(edge);
            let [least, most] = [rank.lower() - below.upper(), rank.upper() - below.lower()];
            let value = (rank.value() - below.value()).max(0.0);
            below = rank;
            Estimate::new(value, least.max(0.0), most, Guarantee::Certain)
        };
        Ok(edges.iter().copied().chain([f64::INFINITY]).map(class).collect())
    }

    /// Returns the classes that are not empty and their counts, in ascending order.
    fn classes(&self) -> impl Iterator<Item = (Place, u64)> + '_ {
        let [positive, negative] = &self.sides;
        let edge = Place::from(self.collapsed.up_to);
        let [above, below] = self.collapsed.counts;
        let middle = [(-edge, below), (0, self.zeros), (edge, above)];
        let negative = negative.filled().rev().map(|(bucket, count)| (-Place::from(bucket), count));
        let positive = positive.filled().map(|(bucket, count)| (Place::from(bucket), count));
        negative.chain(middle.into_iter().filter(|&(_, count)| count > 0)).chain(positive)
    }

    fn place(&self, value: f64) -> Place {
        if value == 0.0 {
            return 0;
        }
        if !value.is_finite() {
            return if value == f64::NEG_INFINITY { Place::MIN } else { Place::MAX };
        }
        let bucket = Place::from(self.scale.bucket(magnitude(value)).max(self.collapsed.up_to));
        if side(value) == 0 { bucket } else { -bucket }
    }

    /// Returns the least and the greatest number that a class can have.
    fn ends(&self, place: Place) -> (f64, f64) {
        if place == 0 {
            return (0.0, 0.0);
        }
        let bucket = place.unsigned_abs() as u32;
        let (low, high) = self.scale.ends(bucket);
        let low = if bucket <= self.collapsed.up_to { 0.0 } else { low };
        if place > 0 { (low, high) } else { (-high, -low) }
    }

    /// Returns the estimate of the values of a class: half the largest magnitude for collapsed ones, which has the
    /// least absolute error.
    fn value(&self, place: Place) -> f64 {
        if place == 0 {
            return 0.0;
        }
        let bucket = place.unsigned_abs() as u32;
        let is_collapsed = bucket <= self.collapsed.up_to;
        let value = if is_collapsed { 0.5 * self.scale.ends(bucket).1 } else { self.scale.middle(bucket) };
        if place > 0 { value } else { -value }
    }
}
