//! Queries of a [`Kll`]: ranks, quantiles, histograms, and their errors.

use super::{Kll, Spread};
use crate::estimate::{check_confidence, count_down, count_up};
use crate::quantile::{check_ascending, check_share_of_all, shares_of, target_rank};
use crate::{DEFAULT_CONFIDENCE, Element, Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::vec::Vec;
use libm::{floor, log, sqrt};

/// The estimated number of values ≤ a given one, and whether it is exact.
struct Rank {
    value: u64,
    is_exact: bool,
}

impl<T: Element> Kll<T> {
    /// Estimates the inclusive rank of `value`, the number of values ≤ `value`, with a 95 % interval. NaN is above all
    /// numbers.
    pub fn rank(&self, value: &T) -> Estimate {
        self.rank_within(value, self.radius(DEFAULT_CONFIDENCE))
    }

    /// Like [`rank`](Self::rank), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.rank_within(value, self.radius(confidence)))
    }

    fn rank_within(&self, value: &T, (radius, guarantee): (u64, Guarantee)) -> Estimate {
        let Rank { value: rank, is_exact } = self.kept_rank(value);
        if is_exact {
            return Estimate::new(rank as f64, count_down(rank), count_up(rank), Guarantee::Certain);
        }
        rank_of(rank, self.total(), (radius, guarantee))
    }

    /// Estimates the rank of a value from the kept values. It is exact below the least value and from the greatest
    /// value on.
    fn kept_rank(&self, value: &T) -> Rank {
        if let Some(value) = self.kept.rank_outside(value) {
            return Rank { value, is_exact: true };
        }
        let up_to = |level| (self.kept.kept_up_to(level, value) as u64) << level;
        let rank: u64 = (0..self.kept.levels.count()).map(up_to).sum();
        Rank { value: rank.clamp(1, self.total() - 1), is_exact: false }
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
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(100)?;
    /// (0..100_000u64).try_for_each(|value| sketch.insert(value))?;
    /// let (usual, surer) = (sketch.quantile(0.5)?, sketch.quantile_at(0.5, 0.9999)?);
    /// assert!(surer.lower() < usual.lower() && usual.upper() < surer.upper());
    /// # Ok::<(), crivo::Error>(())
    /// ```
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
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(200)?;
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
        let mut rank = 0;
        let ranks: Vec<(u64, &T)> = self
            .kept
            .levels
            .in_order()
            .into_iter()
            .map(|(value, weight)| {
                rank += weight;
                (rank, value)
            })
            .collect();
        let radius = self.radius(confidence);
        Ok(qs.iter().map(|&q| quantile_of(&ranks, (min, max), q, radius)).collect())
    }

    /// Estimates the share of values ≤ each of `splits`, with 95 % intervals. All shares are 0 if the sketch is empty.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(200)?;
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
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(200)?;
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
        let total = self.total();
        let of_rank = self.radius(DEFAULT_CONFIDENCE);
        let of_range = self.range_spread().radius(DEFAULT_CONFIDENCE);
        let mut below = Rank { value: 0, is_exact: true };
        let mut classes = Vec::with_capacity(edges.len() + 1);
        let ranks = edges.iter().map(|edge| self.kept_rank(edge));
        for rank in ranks.chain([Rank { value: total, is_exact: true }]) {
            // An exact rank adds no error.
            let (reach, guarantee) = match (below.is_exact, rank.is_exact) {
                (true, true) => (0, Guarantee::Certain),
                (false, false) => of_range,
                _ => of_rank,
            };
            let value = rank.value.saturating_sub(below.value);
            classes.push(Estimate::new(
                value as f64,
                count_down(value.saturating_sub(reach)),
                count_up(value.saturating_add(reach).min(total)),
                guarantee,
            ));
            below = rank;
        }
        Ok(classes)
    }

    /// Returns the bound on the error of a [`rank`](Self::rank) at 95 % confidence, as a share of all values.
    pub fn rank_error(&self) -> f64 {
        self.radius(DEFAULT_CONFIDENCE).0 as f64 / self.total().max(1) as f64
    }

    /// Like [`rank_error`](Self::rank_error), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_error_at(&self, confidence: f64) -> Result<f64> {
        check_confidence(confidence)?;
        Ok(self.radius(confidence).0 as f64 / self.total().max(1) as f64)
    }

    /// Returns the bound on the errors of all ranks at once, at `confidence`, as a share of all values.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(100)?;
    /// (0..100_000u64).try_for_each(|value| sketch.insert(value))?;
    /// assert!(sketch.rank_error() < 0.021 && sketch.rank_error_at(0.999)? < 0.03);
    /// assert!(sketch.rank_error_of_all_at(0.95)? < 0.04);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_error_of_all_at(&self, confidence: f64) -> Result<f64> {
        check_confidence(confidence)?;
        let total = self.total().max(1) as f64;
        // If the ranks of m evenly spread values hold, every rank between them holds within total/m more.
        let with_marks = |bits: i32| {
            let marks = libm::ldexp(1.0, bits);
            self.radius(1.0 - (1.0 - confidence) / marks).0 as f64 / total + 1.0 / marks
        };
        let most = self.spread().most.min(self.total()) as f64 / total;
        Ok((0..40).map(with_marks).fold(most, f64::min))
    }

    /// Returns an upper bound on the root mean square error of a [`rank`](Self::rank), as a share of all values. The
    /// error is smaller where compactions have an even number of values ≤ the queried one: by √2 around the median of
    /// values in random order.
    ///
    /// ```
    /// use crivo::Kll;
    /// let mut sketch = Kll::for_k(100)?;
    /// (0..100_000u64).try_for_each(|value| sketch.insert(value))?;
    /// assert!(sketch.rank_deviation() < 0.5 * sketch.rank_error());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn rank_deviation(&self) -> f64 {
        sqrt(self.spread().variance) / self.total().max(1) as f64
    }

    /// Returns the error of a rank at this confidence.
    pub(super) fn radius(&self, confidence: f64) -> (u64, Guarantee) {
        self.spread().radius(confidence)
    }

    /// Sums the errors of all levels. One coin decides two consecutive compactions of a level, which keep opposite
    /// halves: together they move a rank by 2^h or not at all.
    pub(super) fn spread(&self) -> Spread {
        self.spread_of(1)
    }

    /// Sums the errors of the number of values between two ends. One compaction moves it by 2^h or not at all, like a
    /// rank. But the two compactions that one coin decides can move it in the same direction, by 2^(h + 1) together: if
    /// the first has an odd number of values up to one end only, and the second up to the other end only.
    pub(super) fn range_spread(&self) -> Spread {
        self.spread_of(2)
    }

    /// Sums errors of which the two compactions of a coin cause at most `pair` times 2^h. The last coin of a level may
    /// have decided only one compaction so far.
    fn spread_of(&self, pair: u64) -> Spread {
        let Spread { variance, most } = self.inherited;
        let square = (pair * pair) as f64;
        let mut spread = Spread { variance: square * variance, most: most.saturating_mul(pair) };
        for (height, level) in self.kept.levels.states().iter().enumerate() {
            let single = u64::from(level.next_half.is_some());
            let pairs = level.coins - single;
            spread.variance += libm::ldexp(square * pairs as f64 + single as f64, 2 * height as i32);
            let moves = pairs.saturating_mul(pair).saturating_add(single);
            spread.most = spread.most.saturating_add(moves.saturating_mul(1 << height));
        }
        spread
    }
}

impl Spread {
    /// Returns the error at this confidence.
    fn radius(self, confidence: f64) -> (u64, Guarantee) {
        radius_of(self.variance, self.most, confidence)
    }
}

/// Returns the rank of a value that is at least the least and less than the greatest value, with its interval.
pub(crate) fn rank_of(rank: u64, total: u64, (radius, guarantee): (u64, Guarantee)) -> Estimate {
    // The least value is always ≤ the queried one and the greatest never is, whatever was kept.
    let rank = rank.clamp(1, total - 1);
    let lower = count_down(rank.saturating_sub(radius).max(1));
    let upper = count_up(rank.saturating_add(radius).min(total - 1));
    Estimate::new(rank as f64, lower, upper, guarantee)
}

/// Returns the quantile of kept values, given in ascending order with the weight of all values up to each, whose ranks are off by at
/// most `radius`. No value is below or above the ends, which are exact.
pub(crate) fn quantile_of<T: Clone>(
    ranks: &[(u64, &T)],
    (min, max): (&T, &T),
    q: f64,
    (radius, guarantee): (u64, Guarantee),
) -> QuantileEstimate<T> {
    let total = ranks.last().map_or(0, |&(rank, _)| rank);
    let target = target_rank(q, total);
    if target <= 1 {
        return QuantileEstimate::new(min.clone(), min.clone(), min.clone(), Guarantee::Certain);
    }
    if target == total {
        return QuantileEstimate::new(max.clone(), max.clone(), max.clone(), Guarantee::Certain);
    }
    // The kept values up to the true quantile have a weight of at least target − radius, and those below it of less than
    // target + radius.
    let first_from =
        |rank: u64| ranks.get(ranks.partition_point(|&(up_to, _)| up_to < rank)).map_or(max, |&(_, v)| v);
    let lower = if target <= radius { min } else { first_from(target - radius) };
    let upper = first_from(target.saturating_add(radius));
    QuantileEstimate::new(first_from(target).clone(), lower.clone(), upper.clone(), guarantee)
}

/// Returns the error of a sub-Gaussian variance at this confidence: Hoeffding's bound, or the largest possible error if that is
/// smaller.
pub(crate) fn radius_of(variance: f64, most: u64, confidence: f64) -> (u64, Guarantee) {
    let bound = floor(sqrt(2.0 * variance * log(2.0 / (1.0 - confidence))));
    if most as f64 <= bound || most == 0 {
        (most, Guarantee::Certain)
    } else {
        (bound as u64, Guarantee::Proven { confidence })
    }
}
