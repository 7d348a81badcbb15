//! The over-count of a Count-Min sketch, estimated from its counters.

use super::CountMin;
use crate::estimate::{check_confidence, count_down, count_up};
use crate::frequency::empirical::{CellSizes, Empirical, first_from_one};
use crate::hash::Probes;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};

/// The over-count of an item: the smallest of its counters minus its count.
#[derive(Clone, Debug)]
pub(in crate::frequency) struct OverCount {
    least: f64,
    pub(in crate::frequency) mean: f64,
    /// Infinite if too many counters are saturated.
    most: f64,
    confidence: f64,
}

impl CountMin {
    /// Returns a view with intervals that follow from the counters in the table, at 95 %: bounded on both sides,
    /// and with an unbiased value instead of an upper bound. Reads the table once, which takes as long as sorting
    /// its counters.
    ///
    /// With conservative updates the upper bound and the value remain the smallest counter, because the counters
    /// of an early item are not raised by later items. The lower bound still follows from the counters.
    ///
    /// ```
    /// # use crivo::CountMin;
    /// let mut words = CountMin::for_error(0.01, 0.01)?;
    /// (0..100_000u32).for_each(|word| words.add(&word, 1));
    /// let absent = words.empirical().frequency("absent");
    /// assert!(absent.contains(0.0) && absent.upper() < 50.0, "{absent}");
    /// assert!(words.frequency("absent").upper() > 300.0);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn empirical(&self) -> Empirical<'_> {
        Empirical::of_min(self, self.over_count(DEFAULT_CONFIDENCE))
    }

    /// [`empirical`](Self::empirical) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn empirical_at(&self, confidence: f64) -> Result<Empirical<'_>> {
        check_confidence(confidence)?;
        Ok(Empirical::of_min(self, self.over_count(confidence)))
    }

    /// Computes the quantiles of the over-count. No cell of the table without an item exceeds the same cell of the
    /// table itself, so the item's cells all reach `size` with probability at most Π C/w, where C of the w counters of
    /// a row do. It is lower in at most one cell per row if updates are plain, so the probability is at least
    /// Π (C − 1)/w.
    fn over_count(&self, confidence: f64) -> OverCount {
        let width = self.params.width() as usize;
        let rows = (0..self.counters.len()).step_by(width);
        let cells =
            CellSizes::new(rows.map(|row| (row..row + width).map(|cell| self.counters.get(cell)).collect()));
        let (miss, limit) = ((1.0 - confidence) / 2.0, self.counters.max());
        let share = |count: usize| count as f64 / width as f64;
        let most = first_from_one(limit, |size| cells.from(size).map(share).product::<f64>() <= miss);
        // Counts are integers, and an over-count below `size` is at most `size` − 1; halved counts are fractions.
        let whole = u64::from(self.rounding == 0);
        let mut over_count = OverCount {
            least: 0.0,
            mean: 0.0,
            most: most.map_or(f64::INFINITY, |size| count_up(size - whole)),
            confidence,
        };
        // The true content of a saturated counter that was halved is unknown.
        let is_unknown = self.rounding > 0 && cells.from(limit).any(|count| count > 0);
        if self.params.is_conservative() || is_unknown {
            return over_count;
        }
        let is_beyond = |size: u64| {
            let counts = cells.from(size.saturating_add(self.rounding));
            counts.map(|count| share(count.saturating_sub(1))).product::<f64>() < 1.0 - miss
        };
        let beyond = first_from_one(limit, is_beyond).unwrap_or(limit);
        over_count.least = count_down(beyond - 1);
        over_count.mean = cells.mean_of_least();
        over_count
    }

    /// Returns the smallest counter of an item minus its over-count.
    pub(in crate::frequency) fn less(&self, over_count: &OverCount, hash: u64) -> Estimate {
        let smallest = self.smallest(Probes::new(hash, self.params.width()));
        if smallest == 0 {
            return Estimate::exact(0.0);
        }
        let guarantee = Guarantee::Proven { confidence: over_count.confidence };
        let is_saturated = smallest == self.counters.max();
        let lower = (count_down(smallest.saturating_sub(self.rounding)) - over_count.most).max(0.0);
        if is_saturated {
            let lower = if self.rounding > 0 { 0.0 } else { lower };
            return Estimate::new(count_up(smallest), lower, f64::INFINITY, guarantee);
        }
        let upper = (count_up(smallest) - over_count.least).max(lower);
        Estimate::new((smallest as f64 - over_count.mean).clamp(lower, upper), lower, upper, guarantee)
    }
}
