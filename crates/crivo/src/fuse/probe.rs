//! Queries on the cells, in memory or in a file.

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

/// What a query needs in addition to the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FuseProbe {
    shape: Shape,
    width: u32,
    attempt: u8,
    /// Set if cells have 1, 2 or 4 bytes and the first attempt succeeded: then cell i starts at byte i <<
    /// shift. This is the usual case, and its query is short enough to be inlined into the caller's loop.
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

    /// Returns the number of bytes that the cells take in a file.
    pub(crate) fn cell_bytes(&self) -> u64 {
        cell_bytes(self.shape, self.width)
    }

    /// Returns whether the cells of a hash equal its fingerprint, for cells of up to 32 bits that hold
    /// nothing else. `cells` must include the `bytes_behind`.
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

    /// Returns the xor of the cells of a hash and its fingerprint, if cells have 1, 2 or 4 bytes and the
    /// first attempt succeeded. Bits beyond the width have no meaning. `cells` must include the
    /// `bytes_behind`.
    #[inline]
    pub(crate) fn quick_rest(&self, cells: &[u8], hash: u64) -> Option<u32> {
        let shift = self.quick_shift?;
        Some(xor_of_byte_cells(cells, &self.shape, shift, hash) ^ fingerprint(hash) as u32)
    }

    /// Like [`quick_rest`](Self::quick_rest), for any cells that fit in a word; `None` if there are no cells.
    #[inline]
    pub(crate) fn rest_by_bits(&self, cells: &[u8], hash: u64) -> Option<u64> {
        let spread = spread(hash, self.attempt);
        let rest = || xor_of_cells(cells, &self.shape, self.width, spread) ^ fingerprint(spread);
        (self.cells() > 0).then(rest)
    }

    /// Like [`quick_rest`](Self::quick_rest), for wide cells; `None` if there are no cells.
    #[inline]
    pub(crate) fn rest_of_wide(&self, cells: &[u8], hash: u64) -> Option<u128> {
        let spread = spread(hash, self.attempt);
        let rest =
            || xor_of_wide_cells(cells, &self.shape, self.width, spread) ^ u128::from(fingerprint(spread));
        (self.cells() > 0).then(rest)
    }

    /// Returns whether a cell may not fit in a word.
    pub(crate) fn is_wide(&self) -> bool {
        is_wide(self.width)
    }

    /// Prefetches the cache lines of a hash's cells.
    #[inline]
    pub(crate) fn prefetch(&self, cells: &[u8], hash: u64) {
        for place in self.shape.places(spread(hash, self.attempt)) {
            prefetch(cells, (place * u64::from(self.width) / 8) as usize);
        }
    }

    /// Returns the numbers that a file stores about the cells of `items` hashes, after their width.
    pub(crate) fn numbers(&self, items: u64) -> [u64; 4] {
        [self.attempt.into(), self.shape.segment_bits().into(), self.shape.segments(), items]
    }

    /// Creates a probe from these [numbers](Self::numbers).
    pub(crate) fn of(width: u32, numbers: &[u64]) -> Result<Self> {
        let impossible = || Error::malformed("no set has cells of these sizes");
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

    /// Refuses a payload whose length is not that of the cells.
    pub(crate) fn check_length(&self, payload: &[u8]) -> Result<()> {
        if payload.len() as u64 == self.cell_bytes() {
            return Ok(());
        }
        Err(Error::malformed(format!("the payload is not {} cells of {} bits", self.cells(), self.width)))
    }

    /// Returns the cells of a payload of the right length, with the bytes behind them.
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

    /// Returns the memory of the cells in bytes.
    pub(crate) fn memory_bytes(&self) -> u64 {
        memory_bytes(self.shape, self.width)
    }
}

/// Returns whether a cell may not fit in a word, at any bit offset.
pub(super) fn is_wide(width: u32) -> bool {
    width > 57 && width != 64
}

/// Returns the number of extra bytes after the last cell, in memory and in a file: cells are read in whole
/// words.
fn bytes_behind(width: u32) -> u64 {
    if is_wide(width) { 15 } else { 7 }
}

pub(crate) fn cell_bytes(shape: Shape, width: u32) -> u64 {
    (shape.cells() * u64::from(width)).div_ceil(8)
}

/// Returns the memory that cells take, in bytes.
pub(crate) fn memory_bytes(shape: Shape, width: u32) -> u64 {
    if shape.cells() == 0 { 0 } else { cell_bytes(shape, width) + bytes_behind(width) }
}

/// Returns the probability that an absent hash matches its fingerprint of `width` bits, or equals one of the
/// `items` hashes.
pub(crate) fn fpr(width: u32, items: u64) -> f64 {
    if items == 0 {
        return 0.0;
    }
    let same_hash = items as f64 / TWO_TO_64;
    same_hash + (1.0 - same_hash) * exp2(-f64::from(width))
}

/// Returns the hash itself for the first attempt, and another bijection of it for each later one.
#[inline]
pub(crate) fn spread(hash: u64, attempt: u8) -> u64 {
    if attempt == 0 { hash } else { mix(hash ^ u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15)) }
}

/// Returns the value, in the low bits, that the three cells of a spread hash combine to if nothing is stored
/// with it. Both halves of the hash contribute: the bits that choose the cells alone could not distinguish
/// two hashes with the same three cells.
#[inline]
pub(super) fn fingerprint(spread: u64) -> u64 {
    spread ^ spread >> 32
}
