//! The error of a Count Sketch, estimated from its cells and rows.

use super::CountSketch;
use crate::estimate::{check_confidence, count_up};
use crate::frequency::empirical::{CellSizes, Empirical, first_from_one};
use crate::frequency::shape::MAX_DEPTH;
use crate::sketch::check_same;
use crate::stats::student_reach;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};
use alloc::vec::Vec;
use libm::sqrt;

impl CountSketch {
    /// Returns a view with intervals that follow from the cells in the table, at 95 %. The values are those of
    /// [`frequency`](Self::frequency), the medians of the rows. Reads the table once, which takes as long as sorting
    /// its cells.
    ///
    /// ```
    /// # use crivo::CountSketch;
    /// let mut words = CountSketch::for_error(0.05, 0.01)?;
    /// for word in 0..20_000u32 {
    ///     words.add(&word, 1 + i64::from(word % 7))?;
    /// }
    /// let (rows, cells) = (words.frequency(&5u32), words.empirical().frequency(&5u32));
    /// assert!(cells.contains(6.0) && cells.value() == rows.value());
    /// assert!(cells.upper() - cells.lower() < rows.upper() - rows.lower(), "{cells}, {rows}");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn empirical(&self) -> Empirical<'_> {
        Empirical::of_sketch(self, self.cell_reach(DEFAULT_CONFIDENCE), DEFAULT_CONFIDENCE)
    }

    /// [`empirical`](Self::empirical) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn empirical_at(&self, confidence: f64) -> Result<Empirical<'_>> {
        check_confidence(confidence)?;
        Ok(Empirical::of_sketch(self, self.cell_reach(confidence), confidence))
    }

    /// Returns the largest error of a median in either direction. The error of a row is a cell drawn at random from this
    /// row of the table without the item, with a random sign. If C of the w cells of the table have at least this
    /// size, then at most C + 1 cells of the table without the item have it: a row errs this far in one direction with
    /// probability at most (C + 1)/(2w), and the median errs this far only if half of the rows do.
    fn cell_reach(&self, confidence: f64) -> f64 {
        let sizes = |row: &[i64]| -> Vec<u64> { row.iter().map(|cell| cell.unsigned_abs()).collect() };
        let cells = CellSizes::new(self.table.rows().map(sizes));
        let half = self.params.depth().div_ceil(2) as usize;
        let width = self.params.width() as f64;
        let is_rare = |size: u64| {
            let chances = cells.from(size).map(|count| (0.5 * (count + 1) as f64 / width).min(0.5));
            chance_of(chances, half) <= (1.0 - confidence) / 2.0
        };
        let Some(size) = first_from_one(self.volume().saturating_add(1), is_rare) else {
            return f64::INFINITY;
        };
        // The error is less than `size`, and an integer if the number of rows is odd, else a multiple of one half.
        count_up(size) - if self.params.depth() % 2 == 1 { 1.0 } else { 0.5 }
    }

    /// Returns the median of an item's rows, whose error is at most `reach`; the volume bounds it, too.
    pub(in crate::frequency) fn median_within(&self, hash: u64, reach: f64, confidence: f64) -> Estimate {
        if self.is_empty() {
            return Estimate::exact(0.0);
        }
        let value = self.table.row_answers(hash).median();
        let volume = count_up(self.volume());
        let (lower, upper) = ((value - reach).max(-volume), (value + reach).min(volume));
        Estimate::new(value, lower, upper, Guarantee::Proven { confidence })
    }

    /// Like [`inner_product`](Self::inner_product), with an interval from the spread of the rows, at 95 %: the rows are
    /// independent, and Student's t bounds the error of their mean. If few items make up most of the streams, this
    /// interval is many times shorter than the proven interval, which holds for the worst streams. The answer is the
    /// proven interval if that is the shorter one, as it can be with two or three rows.
    ///
    /// ```
    /// # use crivo::CountSketch;
    /// let (mut a, mut b) = (CountSketch::for_error(0.05, 0.01)?, CountSketch::for_error(0.05, 0.01)?);
    /// for word in 1..10_000i64 {
    ///     a.add(&word, 100_000 / word)?;
    ///     b.add(&word, 50_000 / word)?;
    /// }
    /// let truth = (1..10_000i64).map(|word| (100_000 / word) * (50_000 / word)).sum::<i64>() as f64;
    /// let (proven, by_rows) = (a.inner_product(&b)?, a.inner_product_by_rows(&b)?);
    /// assert!(proven.contains(truth) && by_rows.contains(truth));
    /// assert!(by_rows.upper() - by_rows.lower() < 0.5 * (proven.upper() - proven.lower()), "{by_rows}, {proven}");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` when size or hash differ.
    pub fn inner_product_by_rows(&self, other: &Self) -> Result<Estimate> {
        self.inner_product_by_rows_at(other, DEFAULT_CONFIDENCE)
    }

    /// [`inner_product_by_rows`](Self::inner_product_by_rows) at another confidence.
    ///
    /// # Errors
    /// `Incompatible` when size or hash differ, `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn inner_product_by_rows_at(&self, other: &Self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        check_same(self, other)?;
        let proven = self.inner_product_at(other, confidence)?;
        let rows: Vec<f64> = self.table.row_products(&other.table).collect();
        let depth = rows.len() as f64;
        if rows.len() < 2 {
            return Ok(proven);
        }
        let value = rows.iter().sum::<f64>() / depth;
        let squares: f64 = rows.iter().map(|row| (row - value) * (row - value)).sum();
        let reach = student_reach(depth - 1.0, confidence) * sqrt(squares / (depth - 1.0) / depth);
        if 2.0 * reach >= proven.upper() - proven.lower() {
            return Ok(proven);
        }
        let guarantee = Guarantee::Approximate { confidence };
        Ok(Estimate::new(value, value - reach, value + reach, guarantee))
    }
}

/// Returns the probability that at least `least` of several independent events with these probabilities occur.
fn chance_of(chances: impl Iterator<Item = f64>, least: usize) -> f64 {
    // The probability of each number of events; `least` stands for all numbers from there on.
    let mut numbers = [0.0; MAX_DEPTH as usize + 1];
    numbers[0] = 1.0;
    for chance in chances {
        numbers[least] += numbers[least - 1] * chance;
        for number in (1..least).rev() {
            numbers[number] += (numbers[number - 1] - numbers[number]) * chance;
        }
        numbers[0] -= numbers[0] * chance;
    }
    numbers[least]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_sf;
    use core::iter::repeat_n;

    #[test]
    fn unequal_chances_are_as_binomial_ones_where_equal() {
        for depth in 1..=64usize {
            let half = depth.div_ceil(2);
            for chance in [0.01, 0.2, 0.5] {
                let expected = binomial_sf(half as u64 - 1, depth as u64, chance);
                let found = chance_of(repeat_n(chance, depth), half);
                assert!((found / expected - 1.0).abs() < 1e-9, "{depth} {chance}: {found}, {expected}");
            }
        }
        // Two of three: ab + ac + bc − 2abc.
        let found = chance_of([0.1, 0.3, 0.6].into_iter(), 2);
        assert!((found - (0.03 + 0.06 + 0.18 - 2.0 * 0.018)).abs() < 1e-15, "{found}");
    }
}
