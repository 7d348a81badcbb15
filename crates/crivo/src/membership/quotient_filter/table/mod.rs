//! The slots of a quotient filter: a sorted multiset of pairs of quotient and remainder.
//!
//! A pair goes into the slot of its quotient or the first free one after it, in sorted order: the pairs of
//! one quotient form a *run* of adjacent slots, and runs follow each other in the order of their quotients,
//! wrapping around the end of the table. Two bits per slot map runs to quotients: quotient q is *occupied*,
//! slot s is a *runend*. The n-th occupied quotient owns the n-th runend. Each block of 64 slots stores its
//! *offset*, the number of slots at its start that runs of earlier quotients take, so that counting starts at
//! the block.

mod moves;
mod sorted;

pub(super) use sorted::{Builder, spill};

use crate::bits::{read_bits, write_bits};
use crate::memory::{Bits, PlainBits, fast_bits, prefetch};
use alloc::vec;
use alloc::vec::Vec;

/// The number of slots in a block.
pub(super) const BLOCK: usize = 64;

/// The number of words of a block before its remainders: the occupied quotients and the runends.
const HEAD: usize = 2;

/// The maximum number of slots that an insertion moves, and the maximum distance of a pair from the slot of
/// its quotient. With hashes that nobody chose, a table that is 95 % full has such a crowd once in 10^18
/// slots: its clusters of s slots have the probability exp(−s·(0.95 − 1 − ln 0.95)). The limit bounds the
/// time of an insertion for any hashes, and lets an offset fit in 16 bits.
const REACH: usize = 1 << 15;

/// A circular table of slots. A position is *unwrapped* if it continues past the last slot instead of
/// restarting at 0.
#[derive(Clone, PartialEq)]
pub(super) struct Table {
    /// Blocks of two words and the remainders, and a spare word, so that two words can always be read.
    words: Vec<u64>,
    offsets: Vec<u16>,
    width: u32,
    /// The number of remainders that a word holds.
    per_word: usize,
    /// A one at the start of each remainder of a word.
    ones: u64,
}

impl Table {
    /// Creates `blocks` blocks of 64 empty slots for remainders of `width` bits.
    pub(super) fn new(blocks: usize, width: u32) -> Self {
        let stride = HEAD + width as usize;
        let ones = (0..64 / width).fold(0, |ones, i| ones | 1 << (i * width));
        let per_word = (64 / width) as usize;
        Self { words: vec![0; blocks * stride + 1], offsets: vec![0; blocks], width, per_word, ones }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8 + self.offsets.capacity() * 2
    }

    #[inline]
    fn slots(&self) -> usize {
        self.offsets.len() * BLOCK
    }

    #[inline]
    fn wrap(&self, position: usize) -> usize {
        if position < self.slots() { position } else { position - self.slots() }
    }

    /// Returns the first word of the block of this slot.
    #[inline]
    fn base(&self, slot: usize) -> usize {
        slot / BLOCK * (HEAD + self.width as usize)
    }

    #[inline]
    fn is_occupied(&self, quotient: usize) -> bool {
        self.words[self.base(quotient)] >> (quotient % BLOCK) & 1 == 1
    }

    #[inline]
    fn is_runend(&self, slot: usize) -> bool {
        self.words[self.base(slot) + 1] >> (slot % BLOCK) & 1 == 1
    }

    #[inline]
    fn flip_occupied(&mut self, quotient: usize) {
        let word = self.base(quotient);
        self.words[word] ^= 1 << (quotient % BLOCK);
    }

    #[inline]
    fn flip_runend(&mut self, slot: usize) {
        let word = self.base(slot) + 1;
        self.words[word] ^= 1 << (slot % BLOCK);
    }

    #[inline]
    fn bit_of(&self, slot: usize) -> usize {
        (self.base(slot) + HEAD) * 64 + slot % BLOCK * self.width as usize
    }

    #[inline]
    fn remainder(&self, slot: usize) -> u64 {
        read_bits(&self.words, self.bit_of(slot), self.width)
    }

    #[inline]
    fn set_remainder(&mut self, slot: usize, remainder: u64) {
        let bit = self.bit_of(slot);
        write_bits(&mut self.words, bit, self.width, remainder);
    }

    /// Prefetches the cache lines that a search for this quotient reads first.
    #[inline]
    pub(super) fn prefetch(&self, quotient: usize) {
        prefetch(&self.words, self.base(quotient));
        prefetch(&self.words, self.bit_of(quotient) / 64);
        prefetch(&self.offsets, quotient / BLOCK);
    }

    #[inline]
    fn offset(&self, block: usize) -> usize {
        self.offsets[block].into()
    }

    /// Returns the offset of the block after one whose offset is known.
    #[inline]
    fn next_offset(&self, block: usize, offset: usize) -> usize {
        let last = block * BLOCK + BLOCK - 1;
        self.reach_from(last, offset, PlainBits).saturating_sub(last + 1)
    }

    /// Returns the first slot from `quotient` on that runs of quotients up to it leave free, unwrapped.
    #[inline]
    fn reach(&self, quotient: usize, bits: impl Bits) -> usize {
        self.reach_from(quotient, self.offset(quotient / BLOCK), bits)
    }

    #[inline]
    fn reach_from(&self, quotient: usize, offset: usize, bits: impl Bits) -> usize {
        let (block, place) = (quotient / BLOCK, quotient % BLOCK);
        let head = &self.words[self.base(quotient)..][..HEAD];
        let runs = bits.ones(head[0] << (BLOCK - 1 - place));
        if offset <= place {
            // Runs of the block that end before the slot of the quotient do not matter.
            let below = (1 << place) - 1;
            let ended = bits.ones(head[1] & below & u64::MAX << offset);
            if runs == ended {
                return quotient;
            }
            return self.nth_runend(block, head[1] & !below, runs - ended, bits) + 1;
        }
        let start = block * BLOCK + offset;
        if runs == 0 {
            return start;
        }
        let block = start / BLOCK;
        let word = self.words[self.base(self.wrap(start)) + 1];
        self.nth_runend(block, word & u64::MAX << (start % BLOCK), runs, bits) + 1
    }

    /// Returns the position of the n-th runend, from 1, among `word` of this block and all later blocks.
    #[inline]
    fn nth_runend(&self, mut block: usize, mut word: u64, mut n: u32, bits: impl Bits) -> usize {
        loop {
            let place = bits.select(word, n - 1) as usize;
            if place < BLOCK {
                return block * BLOCK + place;
            }
            n -= bits.ones(word);
            block += 1;
            word = self.words[self.base(self.wrap(block * BLOCK)) + 1];
        }
    }

    /// Returns whether the pair is in the table.
    #[inline]
    pub(super) fn contains(&self, quotient: usize, remainder: u64) -> bool {
        self.is_occupied(quotient)
            && match fast_bits() {
                Some(bits) => self.is_in_run(quotient, remainder, bits),
                None => self.is_in_run(quotient, remainder, PlainBits),
            }
    }

    /// Returns whether the run of an occupied quotient contains this remainder.
    #[inline]
    fn is_in_run(&self, quotient: usize, remainder: u64, bits: impl Bits) -> bool {
        let end = self.reach(quotient, bits);
        let mut slot = self.run_start(quotient, end);
        // Compares as many remainders at a time as a word holds, all in one block.
        let width = self.width;
        loop {
            let here = self.wrap(slot);
            let count = (end - slot).min(self.per_word).min(BLOCK - here % BLOCK);
            let ones = self.ones & u64::MAX >> (64 - count as u32 * width);
            let differences = read_bits(&self.words, self.bit_of(here), 64) ^ (remainder * ones);
            // A field that is 0 borrows; the lowest one that does is exact, since no field below it borrowed.
            if differences.wrapping_sub(ones) & !differences & ones << (width - 1) != 0 {
                return true;
            }
            slot += count;
            if slot == end {
                return false;
            }
        }
    }

    /// Returns the first slot of the run of `quotient` that ends before `end`.
    #[inline]
    fn run_start(&self, quotient: usize, end: usize) -> usize {
        let mut first = (end - 1) / BLOCK * BLOCK;
        let mut before = self.words[self.base(self.wrap(first)) + 1] & ((1 << ((end - 1) % BLOCK)) - 1);
        while before == 0 && first > quotient {
            first -= BLOCK;
            before = self.words[self.base(self.wrap(first)) + 1];
        }
        (first + BLOCK - before.leading_zeros() as usize).max(quotient)
    }

    /// Returns the number of copies of the pair.
    pub(super) fn copies(&self, quotient: usize, remainder: u64) -> u64 {
        if !self.is_occupied(quotient) {
            return 0;
        }
        let end = self.reach(quotient, PlainBits);
        let run = self.run_start(quotient, end)..end;
        run.map(|slot| u64::from(self.remainder(self.wrap(slot)) == remainder)).sum()
    }

    /// Returns whether this slot of a run of `quotient` is the run's first.
    #[inline]
    fn is_start(&self, slot: usize, quotient: usize) -> bool {
        slot == quotient || self.is_runend(self.wrap(slot - 1))
    }

    /// Inserts a pair; returns whether it was new, or `None` if the slots around it are too crowded. There
    /// must be a free slot.
    #[inline]
    pub(super) fn insert(&mut self, quotient: usize, remainder: u64) -> Option<bool> {
        match fast_bits() {
            Some(bits) => self.insert_with(quotient, remainder, bits),
            None => self.insert_with(quotient, remainder, PlainBits),
        }
    }

    #[inline]
    fn insert_with(&mut self, quotient: usize, remainder: u64, bits: impl Bits) -> Option<bool> {
        let end = self.reach(quotient, bits);
        let free = if end == quotient { end } else { self.next_free(end, quotient + REACH, bits)? };
        if self.is_occupied(quotient) {
            let mut slot = end;
            let mut is_new = true;
            loop {
                let before = self.remainder(self.wrap(slot - 1));
                if before <= remainder {
                    is_new = before != remainder;
                    break;
                }
                slot -= 1;
                if self.is_start(slot, quotient) {
                    break;
                }
            }
            if slot == end {
                self.flip_runend(self.wrap(end - 1));
            }
            self.open(slot, free, slot == end, remainder);
            self.raise_offsets(quotient, free);
            Some(is_new)
        } else {
            self.flip_occupied(quotient);
            self.open(end, free, true, remainder);
            self.raise_offsets(quotient, free);
            Some(true)
        }
    }

    /// Returns the first free slot from `position` on and before `stop`, unwrapped like `position`.
    #[inline]
    fn next_free(&self, mut position: usize, stop: usize, bits: impl Bits) -> Option<usize> {
        while position < stop {
            let slot = self.wrap(position);
            let reach = self.reach(slot, bits);
            if reach == slot {
                return Some(position);
            }
            position += reach - slot;
        }
        None
    }

    /// Removes a pair, or one of its copies; returns whether it was the last copy, or `None` if there was
    /// none.
    pub(super) fn remove(&mut self, quotient: usize, remainder: u64) -> Option<bool> {
        if !self.is_occupied(quotient) {
            return None;
        }
        let end = self.reach(quotient, PlainBits);
        let mut slot = end - 1;
        while self.remainder(self.wrap(slot)) != remainder {
            if self.is_start(slot, quotient) || self.remainder(self.wrap(slot)) < remainder {
                return None;
            }
            slot -= 1;
        }
        let is_start = self.is_start(slot, quotient);
        let was_last = is_start || self.remainder(self.wrap(slot - 1)) != remainder;
        // Pairs in their own slots, and empty slots, do not move.
        let mut stop = end;
        loop {
            let reach = self.reach(self.wrap(stop - 1), PlainBits) + stop - 1 - self.wrap(stop - 1);
            if reach == stop {
                break;
            }
            stop = reach;
        }
        self.lower_offsets(quotient, stop - 1);
        if self.is_runend(self.wrap(slot)) {
            if is_start {
                self.flip_occupied(quotient);
            } else {
                self.flip_runend(self.wrap(slot - 1));
            }
        }
        self.close(slot, stop);
        Some(was_last)
    }

    /// Returns the mean number of cache lines needed to find a pair `distance` slots after its own slot, over
    /// all positions in a table: the head of the block, the runend, the remainder, and the offset.
    pub(super) fn lines(width: u32, distance: usize) -> f64 {
        const LINE_WORDS: usize = 8;
        let stride = HEAD + width as usize;
        // The alignment of blocks to cache lines repeats after this many slots.
        let slots = LINE_WORDS * BLOCK;
        let lines = |quotient: usize| {
            let slot = quotient + distance;
            let [home, there] = [quotient, slot].map(|slot| slot / BLOCK * stride);
            let bit = slot % BLOCK * width as usize;
            let ends = [bit, bit + width as usize - 1].map(|bit| there + HEAD + bit / 64);
            let mut touched = [home, home + 1, there + 1, ends[0], ends[1]].map(|word| word / LINE_WORDS);
            touched.sort_unstable();
            2 + touched.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        (0..slots).map(lines).sum::<usize>() as f64 / slots as f64
    }
}

#[cfg(test)]
mod tests;
