//! Moves slots up or down by one, and updates the offsets.

use super::{BLOCK, HEAD, Table};
use crate::bits::{move_down, move_up, read_bits, write_bits};

impl Table {
    /// Moves the slots of `slot..free` up by one and fills the first.
    #[inline]
    pub(super) fn open(&mut self, slot: usize, free: usize, is_runend: bool, remainder: u64) {
        let (first, last) = (slot / BLOCK, free / BLOCK);
        let count = free - slot;
        if first == last && count < self.per_word {
            // In most cases these are a few slots of one block.
            let slot = self.wrap(slot);
            let (bit, width) = (self.bit_of(slot), (count as u32 + 1) * self.width);
            let old = read_bits(&self.words, bit, width);
            write_bits(
                &mut self.words,
                bit,
                width,
                (old << self.width | remainder) & u64::MAX >> (64 - width),
            );
            let word = self.base(slot) + 1;
            let runends = self.words[word];
            let mask = (u64::MAX >> (63 - count)) << (slot % BLOCK);
            let moved = (runends & mask) << 1 & mask | u64::from(is_runend) << (slot % BLOCK);
            self.words[word] = runends & !mask | moved;
            return;
        }
        for block in (first..=last).rev() {
            let low = if block == first { slot % BLOCK } else { 0 };
            let high = if block == last { free % BLOCK } else { BLOCK - 1 };
            self.move_in_block(self.wrap(block * BLOCK), low, high, true);
            if block > first {
                let (before, here) = (self.wrap(block * BLOCK - 1), self.wrap(block * BLOCK));
                let remainder = self.remainder(before);
                self.set_remainder(here, remainder);
                if self.is_runend(before) {
                    self.flip_runend(here);
                }
            }
        }
        let slot = self.wrap(slot);
        self.set_remainder(slot, remainder);
        if is_runend {
            self.flip_runend(slot);
        }
    }

    /// Moves the slots `low..high` of a block up by one, or `low + 1..=high` down by one. The slot that is
    /// left over is no runend, and its remainder must be written.
    #[inline]
    fn move_in_block(&mut self, first_slot: usize, low: usize, high: usize, is_up: bool) {
        let (base, width) = (self.base(first_slot), self.width as usize);
        let block = &mut self.words[base + 1..base + HEAD + width];
        let mask = u64::MAX << low & u64::MAX >> (BLOCK - 1 - high);
        let moved = if is_up { (block[0] & mask) << 1 } else { (block[0] & mask) >> 1 };
        block[0] = block[0] & !mask | moved & mask;
        let remainders = &mut block[1..];
        if is_up {
            move_up(remainders, low * width, high * width, self.width);
        } else {
            move_down(remainders, (low + 1) * width, (high + 1) * width, self.width);
        }
    }

    /// Increments the offsets of all blocks that start in `quotient + 1..=free`.
    #[inline]
    pub(super) fn raise_offsets(&mut self, quotient: usize, free: usize) {
        for block in quotient / BLOCK + 1..=free / BLOCK {
            let block = self.wrap(block * BLOCK) / BLOCK;
            self.offsets[block] += 1;
        }
    }

    /// Decrements the offsets of all blocks that start in `quotient + 1..=free`.
    pub(super) fn lower_offsets(&mut self, quotient: usize, free: usize) {
        for block in quotient / BLOCK + 1..=free / BLOCK {
            let block = self.wrap(block * BLOCK) / BLOCK;
            self.offsets[block] -= 1;
        }
    }

    /// Moves the slots of `slot + 1..stop` down by one; the last becomes empty.
    pub(super) fn close(&mut self, slot: usize, stop: usize) {
        let (first, last) = (slot / BLOCK, (stop - 1) / BLOCK);
        for block in first..=last {
            let low = if block == first { slot % BLOCK } else { 0 };
            let high = if block == last { (stop - 1) % BLOCK } else { BLOCK - 1 };
            self.move_in_block(self.wrap(block * BLOCK), low, high, false);
            let here = self.wrap(block * BLOCK + high);
            if block == last {
                self.set_remainder(here, 0);
            } else {
                let behind = self.wrap(block * BLOCK + BLOCK);
                let remainder = self.remainder(behind);
                self.set_remainder(here, remainder);
                if self.is_runend(behind) {
                    self.flip_runend(here);
                }
            }
        }
    }
}
