//! The question, asked of cells in memory or in a file alike.

use super::shape::Shape;
use crate::hash::mix;
use crate::memory::{prefetch, xor_of_byte_cells, xor_of_cells};

/// So many times a filter is tried to be made, each time with other cells for every hash.
pub(super) const ATTEMPTS: u8 = 64;

/// Cells are read in whole words: behind the last one there are so many bytes more, in memory and in a file.
pub(crate) const BYTES_BEHIND: usize = 7;

/// All that a question needs beside the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FuseProbe {
    shape: Shape,
    width: u32,
    attempt: u8,
    /// Cell i starts at byte i << shift where cells are of 1, 2 or 4 bytes and the first attempt worked: the
    /// usual filter, whose question is short enough to be part of the caller's loop.
    quick_shift: Option<u32>,
}

impl FuseProbe {
    pub(super) fn new(shape: Shape, width: u32, attempt: u8) -> Self {
        let is_quick = shape.cells() > 0 && attempt == 0 && matches!(width, 8 | 16 | 32);
        Self { shape, width, attempt, quick_shift: is_quick.then_some(width / 16) }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    pub(super) fn attempt(&self) -> u8 {
        self.attempt
    }

    /// The bytes that the cells take in a file.
    pub(super) fn cell_bytes(&self) -> u64 {
        cell_bytes(self.shape, self.width)
    }

    /// Whether the cells of a hash agree with its fingerprint. `cells` has the `BYTES_BEHIND` too.
    #[inline]
    pub(crate) fn contains(&self, cells: &[u8], hash: u64) -> bool {
        let Some(shift) = self.quick_shift else { return self.contains_by_bits(cells, hash) };
        let found = xor_of_byte_cells(cells, &self.shape, shift, hash);
        (found ^ fingerprint(hash) as u32) & (u32::MAX >> (32 - self.width)) == 0
    }

    #[inline(never)]
    fn contains_by_bits(&self, cells: &[u8], hash: u64) -> bool {
        let spread = spread(hash, self.attempt);
        self.shape.cells() > 0
            && (xor_of_cells(cells, &self.shape, self.width, spread) ^ fingerprint(spread))
                << (64 - self.width)
                == 0
    }

    /// Asks for the cache lines of a hash's cells.
    #[inline]
    pub(crate) fn prefetch(&self, cells: &[u8], hash: u64) {
        for place in self.shape.places(spread(hash, self.attempt)) {
            prefetch(cells, (place * u64::from(self.width) / 8) as usize);
        }
    }
}

pub(super) fn cell_bytes(shape: Shape, width: u32) -> u64 {
    (shape.cells() * u64::from(width)).div_ceil(8)
}

/// The hash itself at the first attempt, and other bijections of it at the next ones.
#[inline]
pub(super) fn spread(hash: u64, attempt: u8) -> u64 {
    if attempt == 0 { hash } else { mix(hash ^ u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15)) }
}

/// What the three cells of a spread hash add up to, in the low bits. Both halves of the hash take part: the bits
/// that chose the cells would tell nothing new of a hash that has all three in common.
#[inline]
pub(super) fn fingerprint(spread: u64) -> u64 {
    spread ^ spread >> 32
}
