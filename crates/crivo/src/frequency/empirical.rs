//! Answers with intervals from the cells of the whole table: see [`Empirical`].

use super::count_min::{CountMin, OverCount};
use super::count_sketch::CountSketch;
use crate::{Estimate, Item};
use alloc::vec::Vec;

/// The frequencies of a [`CountMin`] or a [`CountSketch`], with intervals that follow from the cells in the table
/// instead of the worst table of this size.
///
/// [`CountMin::empirical`] and [`CountSketch::empirical`] read the table once; each answer then takes as long as
/// an answer of the sketch. The intervals are shorter than those of `frequency`, often by a large factor, and
/// proven too.
///
/// ```
/// use crivo::CountMin;
/// let mut visits = CountMin::for_error(0.01, 0.01)?;
/// (0..50_000u32).for_each(|page| visits.add(&(page % 10_000), 1));
/// visits.add("/home", 900);
/// let (markov, empirical) = (visits.frequency("/home"), visits.empirical().frequency("/home"));
/// assert!(markov.contains(900.0) && empirical.contains(900.0));
/// assert!(empirical.upper() - empirical.lower() < 0.5 * (markov.upper() - markov.lower()), "{empirical}, {markov}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Why it holds
/// Consider the table without the item. Its cells follow from the other items alone, and the hash chooses the
/// columns of the item independently of them: the error of a row is a cell drawn at random from that row. The
/// table with the item differs in one cell per row, and the bounds allow for any content of that cell. So the
/// distribution of the error is known without an assumption about the stream. The idea to estimate the error
/// from the sketch itself is due to Ting (KDD 2018, arXiv:1811.04150); `docs/STATISTICS.md` has the derivation.
#[derive(Clone, Debug)]
pub struct Empirical<'a> {
    table: Table<'a>,
}

#[derive(Clone, Debug)]
enum Table<'a> {
    Min(&'a CountMin, OverCount),
    /// The largest error of a median in either direction, and the confidence.
    Sketch(&'a CountSketch, f64, f64),
}

impl<'a> Empirical<'a> {
    pub(super) fn of_min(sketch: &'a CountMin, over_count: OverCount) -> Self {
        Self { table: Table::Min(sketch, over_count) }
    }

    pub(super) fn of_sketch(sketch: &'a CountSketch, reach: f64, confidence: f64) -> Self {
        Self { table: Table::Sketch(sketch, reach, confidence) }
    }

    /// Estimates how often an item was added.
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        let spec = match &self.table {
            Table::Min(sketch, _) => sketch.hash_spec(),
            Table::Sketch(sketch, ..) => sketch.hash_spec(),
        };
        self.frequency_hash(spec.hash(item))
    }

    /// Estimates how often the item with this hash was added.
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        match &self.table {
            Table::Min(sketch, over_count) => sketch.less(over_count, hash),
            Table::Sketch(sketch, reach, confidence) => sketch.median_within(hash, *reach, *confidence),
        }
    }

    /// Estimates how often each of several items was added.
    pub fn frequency_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        hashes.iter().map(|&hash| self.frequency_hash(hash)).collect()
    }

    /// Returns the mean error of `frequency`, estimated from the cells: the mean over-count of a plain
    /// [`CountMin`], and 0 for a [`CountSketch`]. The smallest counter minus this mean is unbiased, except for the
    /// share of the item itself in the table (`docs/STATISTICS.md`). The values of `frequency` here are this
    /// difference, clamped to their intervals. Returns 0 for conservative updates, whose mean error does not
    /// follow from the cells.
    pub fn mean_error(&self) -> f64 {
        match &self.table {
            Table::Min(_, over_count) => over_count.mean,
            Table::Sketch(..) => 0.0,
        }
    }
}

/// The absolute values of the cells of each row, in ascending order.
pub(super) struct CellSizes {
    rows: Vec<Vec<u64>>,
}

impl CellSizes {
    pub(super) fn new(rows: impl Iterator<Item = Vec<u64>>) -> Self {
        let sorted = rows.map(|mut row| {
            row.sort_unstable();
            row
        });
        Self { rows: sorted.collect() }
    }

    /// Returns the number of cells in each row that are at least this large.
    pub(super) fn from(&self, size: u64) -> impl Iterator<Item = usize> + Clone {
        self.rows.iter().map(move |row| row.len() - row.partition_point(|&cell| cell < size))
    }

    /// Returns the mean of the smallest of several cells, one drawn from each row: the sum over all sizes of the
    /// probability that all cells are at least this large.
    pub(super) fn mean_of_least(&self) -> f64 {
        let mut below = alloc::vec![0; self.rows.len()];
        let (mut mean, mut size) = (0.0, 0);
        loop {
            let mut share = 1.0;
            let mut next = u64::MAX;
            for (row, below) in self.rows.iter().zip(&mut below) {
                while row.get(*below).is_some_and(|&cell| cell <= size) {
                    *below += 1;
                }
                let Some(&cell) = row.get(*below) else { return mean };
                share *= (row.len() - *below) as f64 / row.len() as f64;
                next = next.min(cell);
            }
            mean += share * (next - size) as f64;
            size = next;
        }
    }
}

/// Returns the smallest number from 1 to `most` from which on a condition holds, if it holds at `most`.
pub(super) fn first_from_one(most: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(most) {
        return None;
    }
    let (mut below, mut at) = (0, most);
    while at - below > 1 {
        let middle = below + (at - below) / 2;
        if holds(middle) { at = middle } else { below = middle }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_found() {
        for most in [1, 2, 3, 100, u64::MAX] {
            for first in [1, 2, 3, 77, 100, u64::MAX] {
                let found = first_from_one(most, |number| number >= first);
                assert_eq!(found, (first <= most).then_some(first), "{first} of {most}");
            }
        }
    }

    /// Against all pairs of cells.
    #[test]
    fn the_mean_of_the_least_cell() {
        let rows = [[5, 0, 9, 3, 9], [2, 7, 2, 40, 1]];
        let mean = CellSizes::new(rows.iter().map(|row| row.to_vec())).mean_of_least();
        let least = |a: &u64| rows[1].iter().map(|b| *a.min(b)).sum::<u64>();
        assert!((mean - rows[0].iter().map(least).sum::<u64>() as f64 / 25.0).abs() < 1e-12, "{mean}");
    }
}
