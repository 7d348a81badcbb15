//! The common part of tables of rows and columns: their shape, and the cells of an item.

use crate::hash::Probes;
use crate::memory::{CACHED_BYTES, prefetch};
use crate::{Error, Result};
use alloc::format;

/// The largest table: 128 GiB, or 1 GiB on platforms with 32-bit addresses.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };
/// More rows than any useful confidence needs.
pub(super) const MAX_DEPTH: u32 = 64;

/// The width and depth of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) width: u64,
    pub(super) depth: u32,
}

impl Shape {
    /// Creates the shape of a table of cells of this many bytes, or returns why it is impossible.
    pub(super) fn new(width: u64, depth: u32, cell_bytes: u32) -> Result<Self> {
        if width == 0 || depth == 0 || depth > MAX_DEPTH {
            return Err(Error::invalid(format!(
                "a table has at least 1 column and 1 to {MAX_DEPTH} rows, got {width} and {depth}; 2719 and 5 are usual"
            )));
        }
        let bytes = u128::from(width) * u128::from(depth) * u128::from(cell_bytes);
        if bytes > u128::from(MAX_BYTES) {
            return Err(Error::invalid(format!(
                "a table of {width} by {depth} counters exceeds {} GiB; choose a smaller one",
                MAX_BYTES >> 30
            )));
        }
        Ok(Self { width, depth })
    }

    /// Creates the shape of a table for an error, from the computed width.
    pub(super) fn for_error(error: f64, width: f64, depth: u32, cell_bytes: u32) -> Result<Self> {
        if width > MAX_BYTES as f64 {
            return Err(Error::invalid(format!(
                "an error of {error} needs more than {} GiB; choose a larger error",
                MAX_BYTES >> 30
            )));
        }
        Self::new(width as u64, depth, cell_bytes)
    }

    pub(super) fn cells(self) -> usize {
        self.width as usize * self.depth as usize
    }

    pub(super) fn bytes(self, cell_bytes: u32) -> u64 {
        self.width * u64::from(self.depth) * u64::from(cell_bytes)
    }

    pub(super) fn check_row(self, row: u32) -> Result<()> {
        if row < self.depth {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "there is no row {row} in a table of {} rows; rows count from 0",
            self.depth
        )))
    }

    pub(super) fn check_columns(self, columns: &[u64]) -> Result<()> {
        if columns.len() == self.depth as usize && columns.iter().all(|&column| column < self.width) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "expected {} columns below {}, got {columns:?}; pass one for each row",
            self.depth, self.width
        )))
    }

    /// Prefetches the cache lines of a table too large for the cache. A position leads to the column
    /// `position >> shift`.
    #[inline]
    pub(super) fn prefetch<C>(self, cells: &[C], hashes: &[u64], shift: u32) {
        if size_of_val(cells) < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            let mut positions = Probes::new(hash, self.width << shift);
            for row in 0..self.depth as usize {
                let column = (positions.next_position() >> shift) as usize;
                prefetch(cells, row * self.width as usize + column);
            }
        }
    }
}

pub(super) fn check_share(name: &str, value: f64, usual: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "the {name} must lie strictly between 0 and 1, got {value}; {usual} is usual"
    )))
}
