//! The question, asked of cells in memory or in a file alike.

use super::cells::{xor_of_byte_cells, xor_of_cells, xor_of_wide_cells};
use super::peel::ATTEMPTS;
use super::shape::Shape;
use crate::hash::{TWO_TO_64, mix};
use crate::memory::prefetch;
use crate::sketch::narrow;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use libm::exp2;

/// All that a question needs beside the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FuseProbe {
    shape: Shape,
    width: u32,
    attempt: u8,
    /// Cell i starts at byte i << shift where cells are of 1, 2 or 4 bytes and the first attempt worked: the
    /// usual case, whose question is short enough to be part of the caller's loop.
    quick_shift: Option<u32>,
}

impl FuseProbe {
    pub(super) fn new(shape: Shape, width: u32, attempt: u8) -> Self {
        let is_quick = shape.cells() > 0 && attempt == 0 && matches!(width, 8 | 16 | 32);
        Self { shape, width, attempt, quick_shift: is_quick.then_some(width / 16) }
    }

    pub(crate) fn cells(&self) -> u64 {
        self.shape.cells()
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    #[cfg(test)]
    pub(crate) fn attempt(&self) -> u8 {
        self.attempt
    }

    /// The bytes that the cells take in a file.
    pub(crate) fn cell_bytes(&self) -> u64 {
        cell_bytes(self.shape, self.width)
    }

    /// Whether the cells of a hash agree with its fingerprint, where that is all they hold: of up to 32 bits. `cells`
    /// has the `bytes_behind` too.
    #[inline]
    pub(crate) fn contains(&self, cells: &[u8], hash: u64) -> bool {
        match self.quick_rest(cells, hash) {
            Some(rest) => rest & (u32::MAX >> (32 - self.width)) == 0,
            None => self.contains_by_bits(cells, hash),
        }
    }

    #[inline(never)]
    fn contains_by_bits(&self, cells: &[u8], hash: u64) -> bool {
        self.rest_by_bits(cells, hash).is_some_and(|rest| rest << (64 - self.width) == 0)
    }

    /// What the cells of a hash add up to beside its fingerprint, where cells are of 1, 2 or 4 bytes and the first
    /// attempt worked; bits beyond the width mean nothing. `cells` has the `bytes_behind` too.
    #[inline]
    pub(crate) fn quick_rest(&self, cells: &[u8], hash: u64) -> Option<u32> {
        let shift = self.quick_shift?;
        Some(xor_of_byte_cells(cells, &self.shape, shift, hash) ^ fingerprint(hash) as u32)
    }

    /// The same of any cells that fit into a word, if there are any.
    #[inline]
    pub(crate) fn rest_by_bits(&self, cells: &[u8], hash: u64) -> Option<u64> {
        let spread = spread(hash, self.attempt);
        let rest = || xor_of_cells(cells, &self.shape, self.width, spread) ^ fingerprint(spread);
        (self.cells() > 0).then(rest)
    }

    /// The same of wide cells, if there are any.
    #[inline]
    pub(crate) fn rest_of_wide(&self, cells: &[u8], hash: u64) -> Option<u128> {
        let spread = spread(hash, self.attempt);
        let rest =
            || xor_of_wide_cells(cells, &self.shape, self.width, spread) ^ u128::from(fingerprint(spread));
        (self.cells() > 0).then(rest)
    }

    /// Whether a cell may not fit into a word.
    pub(crate) fn is_wide(&self) -> bool {
        is_wide(self.width)
    }

    /// Asks for the cache lines of a hash's cells.
    #[inline]
    pub(crate) fn prefetch(&self, cells: &[u8], hash: u64) {
        for place in self.shape.places(spread(hash, self.attempt)) {
            prefetch(cells, (place * u64::from(self.width) / 8) as usize);
        }
    }

    /// What a file says of the cells of `items` hashes, behind their width.
    pub(crate) fn numbers(&self, items: u64) -> [u64; 4] {
        [self.attempt.into(), self.shape.segment_bits().into(), self.shape.segments(), items]
    }

    /// Of these [numbers](Self::numbers).
    pub(crate) fn of(width: u32, numbers: &[u64]) -> Result<Self> {
        let impossible = || Error::malformed("no set has these cells");
        let [segments, items] = [numbers[2], numbers[3]];
        let shape = Shape::from_parts(narrow(numbers[1])?, segments).ok_or_else(impossible)?;
        let is_empty = segments == 0;
        let attempt = narrow(numbers[0])?;
        if (items == 0) != is_empty || items > shape.cells() || attempt >= if is_empty { 1 } else { ATTEMPTS }
        {
            return Err(impossible());
        }
        Ok(Self::new(shape, width, attempt))
    }

    /// Refuses a payload of another length than the cells have.
    pub(crate) fn check_length(&self, payload: &[u8]) -> Result<()> {
        if payload.len() as u64 == self.cell_bytes() {
            return Ok(());
        }
        Err(Error::malformed(format!("the payload is not {} cells of {} bits", self.cells(), self.width)))
    }

    /// The cells of a payload of the right length, with the bytes behind them.
    pub(crate) fn read_cells(&self, payload: &[u8]) -> Result<Vec<u8>> {
        let used = self.cells() * u64::from(self.width) % 8;
        if used > 0 && payload.last().is_some_and(|last| last >> used != 0) {
            return Err(Error::malformed("bits beyond the last cell are not 0"));
        }
        let mut cells = Vec::with_capacity(self.memory_bytes() as usize);
        cells.extend_from_slice(payload);
        cells.resize(self.memory_bytes() as usize, 0);
        Ok(cells)
    }

    /// The bytes of the cells in memory.
    pub(crate) fn memory_bytes(&self) -> u64 {
        memory_bytes(self.shape, self.width)
    }
}

/// Whether a cell does not fit into a word, wherever in a byte it starts.
pub(super) fn is_wide(width: u32) -> bool {
    width > 57 && width != 64
}

/// Cells are read in whole words: behind the last one there are so many bytes more, in memory and in a file.
fn bytes_behind(width: u32) -> u64 {
    if is_wide(width) { 15 } else { 7 }
}

pub(crate) fn cell_bytes(shape: Shape, width: u32) -> u64 {
    (shape.cells() * u64::from(width)).div_ceil(8)
}

/// The bytes that cells take in memory.
pub(crate) fn memory_bytes(shape: Shape, width: u32) -> u64 {
    if shape.cells() == 0 { 0 } else { cell_bytes(shape, width) + bytes_behind(width) }
}

/// The chance that another hash agrees with its fingerprint of `width` bits where `items` do, or is one of them.
pub(crate) fn fpr(width: u32, items: u64) -> f64 {
    if items == 0 {
        return 0.0;
    }
    let same_hash = items as f64 / TWO_TO_64;
    same_hash + (1.0 - same_hash) * exp2(-f64::from(width))
}

/// The hash itself at the first attempt, and other bijections of it at the next ones.
#[inline]
pub(crate) fn spread(hash: u64, attempt: u8) -> u64 {
    if attempt == 0 { hash } else { mix(hash ^ u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15)) }
}

/// What the three cells of a spread hash add up to, in the low bits, where nothing is kept with it. Both halves of the
/// hash take part: the bits that chose the cells would tell nothing new of a hash that has all three in common.
#[inline]
pub(super) fn fingerprint(spread: u64) -> u64 {
    spread ^ spread >> 32
}
