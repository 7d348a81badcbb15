//! A table of signed sums that never overflow.

mod sketch;

pub(super) use sketch::signed_table;

use super::shape::{MAX_DEPTH, Shape};
use crate::codec::{put_i64_varint, put_u64_varint};
use crate::estimate::{count_down, count_up};
use crate::hash::Probes;
use crate::memory::BATCH;
use crate::sketch::Payload;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The number of bytes of a cell.
pub(super) const CELL_BYTES: u32 = 8;
/// The largest volume: within it, no sum of counts overflows an `i64`.
const MAX_VOLUME: u64 = i64::MAX as u64;

/// The answers of the rows of a table for an item, in ascending order.
pub(super) struct RowAnswers {
    values: [i64; MAX_DEPTH as usize],
    count: usize,
}

impl RowAnswers {
    /// Returns the median; for an even number of answers, the mean of the middle two.
    #[inline]
    pub(super) fn median(&self) -> f64 {
        let half = self.count / 2;
        let upper = self.values[half] as f64;
        if self.count % 2 == 1 { upper } else { f64::midpoint(self.values[half - 1] as f64, upper) }
    }

    /// Returns the lowest and the highest answer after omitting `outer` at either end, rounded outwards.
    #[inline]
    pub(super) fn without(&self, outer: usize) -> (f64, f64) {
        let outwards = |count: i64, down: bool| {
            let size = count.unsigned_abs();
            let size = if down == (count >= 0) { count_down(size) } else { count_up(size) };
            if count < 0 { -size } else { size }
        };
        (outwards(self.values[outer], true), outwards(self.values[self.count - 1 - outer], false))
    }
}

/// Rows of sums. With `SIGNS`, each item has a random sign in each row, by which its counts are multiplied.
#[derive(Clone, PartialEq)]
pub(super) struct SignedTable<const SIGNS: bool> {
    shape: Shape,
    spec: HashSpec,
    cells: Vec<i64>,
    /// The sum of all counts.
    total: i64,
    /// The sum of the absolute values of all counts, at most `i64::MAX`: no cell is larger.
    volume: u64,
}

impl<const SIGNS: bool> SignedTable<SIGNS> {
    pub(super) fn new(shape: Shape, spec: HashSpec) -> Self {
        Self { shape, spec, cells: vec![0; shape.cells()], total: 0, volume: 0 }
    }

    pub(super) fn spec(&self) -> &HashSpec {
        &self.spec
    }

    pub(super) fn total(&self) -> i64 {
        self.total
    }

    pub(super) fn volume(&self) -> u64 {
        self.volume
    }

    /// Returns the heap memory of the cells in bytes.
    pub(super) fn cell_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }

    /// Returns the volume increased by `more`, if it stays within the limit.
    fn volume_with(&self, more: u64) -> Result<u64> {
        let volume = self.volume.checked_add(more).filter(|&volume| volume <= MAX_VOLUME);
        volume.ok_or_else(|| {
            Error::full(format!(
                "the counts add up to {} and may add up to {MAX_VOLUME}, got {more} more; start a new sketch",
                self.volume
            ))
        })
    }

    #[inline]
    pub(super) fn add_hash(&mut self, hash: u64, count: i64) -> Result<()> {
        self.volume = self.volume_with(count.unsigned_abs())?;
        self.total += count;
        self.add_to_rows(hash, count);
        Ok(())
    }

    /// Adds a count that is not negative.
    #[inline]
    pub(super) fn add_count(&mut self, hash: u64, count: u64) -> Result<()> {
        self.volume_with(count)?;
        self.add_hash(hash, count as i64)
    }

    pub(super) fn add_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        self.volume = self.volume_with(hashes.len() as u64)?;
        self.total += hashes.len() as i64;
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.add_to_rows(hash, 1);
            }
        }
        Ok(())
    }

    #[inline]
    fn add_to_rows(&mut self, hash: u64, count: i64) {
        let rows = self.cells.chunks_exact_mut(self.shape.width as usize);
        for (row, position) in rows.zip(positions::<SIGNS>(hash, self.shape)) {
            let (column, sign) = cell_of::<SIGNS>(position);
            row[column] += times(count, sign);
        }
    }

    pub(super) fn prefetch(&self, hashes: &[u64]) {
        self.shape.prefetch(&self.cells, hashes, SIGNS.into());
    }

    /// Returns the answer of each row for an item, in ascending order.
    #[inline]
    pub(super) fn row_answers(&self, hash: u64) -> RowAnswers {
        let mut answers = RowAnswers { values: [0; MAX_DEPTH as usize], count: self.shape.depth as usize };
        let rows = self.cells.chunks_exact(self.shape.width as usize);
        let rows = rows.zip(positions::<SIGNS>(hash, self.shape));
        for (answer, (row, position)) in answers.values.iter_mut().zip(rows) {
            let (column, sign) = cell_of::<SIGNS>(position);
            *answer = times(row[column], sign);
        }
        answers.values[..answers.count].sort_unstable();
        answers
    }

    /// Returns the cells of one row.
    pub(super) fn row(&self, row: u32) -> Result<Vec<i64>> {
        self.shape.check_row(row)?;
        Ok(self.rows().nth(row as usize).unwrap_or_default().to_vec())
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.cells.chunks_exact(self.shape.width as usize)
    }

    /// Returns the product of each row with the row of the other table: less than the product of the volumes,
    /// 2¹²⁶.
    pub(super) fn row_products<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = f64> + 'a {
        self.rows().zip(other.rows()).map(|(ours, theirs)| {
            let products = ours.iter().zip(theirs).map(|(&a, &b)| i128::from(a) * i128::from(b));
            products.sum::<i128>() as f64
        })
    }

    pub(super) fn absorb(&mut self, other: &Self) -> Result<()> {
        self.volume = self.volume_with(other.volume)?;
        self.total += other.total;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
        Ok(())
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.volume);
        put_i64_varint(payload, self.total);
        self.cells.iter().for_each(|&cell| put_i64_varint(payload, cell));
    }

    pub(super) fn read(shape: Shape, file: &mut Payload<'_>) -> Result<Self> {
        let payload = &mut file.bytes;
        let (volume, total) = (payload.u64_varint()?, payload.i64_varint()?);
        // Each cell takes at least one byte, so that a short payload cannot allocate a large table.
        if payload.rest().len() < shape.cells() {
            return Err(Error::malformed(format!("the payload is too short for {} cells", shape.cells())));
        }
        let mut table = Self { total, volume, ..Self::new(shape, file.spec) };
        table.cells.iter_mut().try_for_each(|cell| payload.i64_varint().map(|value| *cell = value))?;
        table.check_sums()?;
        Ok(table)
    }

    /// Checks the cells against the total and the volume. Every count was added once in every row, with
    /// either sign: neither changes the parity of the sum, and nothing exceeds the volume.
    fn check_sums(&self) -> Result<()> {
        let total = i128::from(self.total);
        let is_possible =
            |sum: i128, size: u128| size <= self.volume.into() && (sum ^ i128::from(self.volume)) & 1 == 0;
        let fits = |row: &[i64]| {
            let sum: i128 = row.iter().map(|&cell| i128::from(cell)).sum();
            let size = row.iter().map(|cell| u128::from(cell.unsigned_abs())).sum();
            is_possible(sum, size) && (SIGNS || sum == total)
        };
        if self.volume <= MAX_VOLUME && is_possible(total, total.unsigned_abs()) && self.rows().all(fits) {
            return Ok(());
        }
        Err(Error::malformed(format!(
            "the cells do not add up to a total of {total} and a volume of {}",
            self.volume
        )))
    }
}

/// Returns the positions of an item, one per row: twice as many as columns if the lowest bit is the sign.
#[inline]
fn positions<const SIGNS: bool>(hash: u64, shape: Shape) -> Probes {
    Probes::new(hash, shape.width << u32::from(SIGNS))
}

/// Returns the column, and −1 for a negative sign, otherwise 0.
#[inline]
fn cell_of<const SIGNS: bool>(position: u64) -> (usize, i64) {
    if SIGNS { ((position >> 1) as usize, -((position & 1) as i64)) } else { (position as usize, 0) }
}

/// Returns the count, negated if `sign` is −1.
#[inline]
fn times(count: i64, sign: i64) -> i64 {
    (count ^ sign) - sign
}
