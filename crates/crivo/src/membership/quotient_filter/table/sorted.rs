//! Sorted pairs: iteration over a table, and construction of a table.

use super::{BLOCK, REACH, Table};

impl Table {
    /// Returns an iterator over all pairs, sorted.
    pub(in super::super) fn pairs(&self) -> Pairs<'_> {
        Pairs { table: self, block: 0, quotients: self.words[0], run: None, position: self.offset(0) }
    }
}

/// An iterator over the pairs of a table, sorted.
#[derive(Clone)]
pub(in super::super) struct Pairs<'a> {
    table: &'a Table,
    block: usize,
    /// The occupied quotients of the block that are still to come.
    quotients: u64,
    /// The quotient of the current run.
    run: Option<usize>,
    position: usize,
}

impl Pairs<'_> {
    /// Advances to the run of the next occupied quotient.
    fn next_run(&mut self) -> Option<usize> {
        while self.quotients == 0 {
            if self.block + 1 == self.table.offsets.len() {
                return None;
            }
            self.block += 1;
            self.quotients = self.table.words[self.table.base(self.block * BLOCK)];
        }
        let quotient = self.block * BLOCK + self.quotients.trailing_zeros() as usize;
        self.quotients &= self.quotients - 1;
        self.position = self.position.max(quotient);
        Some(quotient)
    }
}

impl Iterator for Pairs<'_> {
    type Item = (usize, u64);

    fn next(&mut self) -> Option<(usize, u64)> {
        let quotient = match self.run {
            Some(quotient) => quotient,
            None => self.next_run()?,
        };
        let slot = self.table.wrap(self.position);
        self.position += 1;
        self.run = (!self.table.is_runend(slot)).then_some(quotient);
        Some((quotient, self.table.remainder(slot)))
    }
}

/// Returns how many pairs wrap around the end of a table of `slots`, given the sorted quotients and the
/// number of pairs of each.
pub(in super::super) fn spill(slots: usize, runs: impl Iterator<Item = (usize, usize)>) -> usize {
    let end = runs.fold(0, |end: usize, (quotient, pairs)| end.max(quotient) + pairs);
    end.saturating_sub(slots)
}

/// Fills a table from sorted pairs.
pub(in super::super) struct Builder {
    table: Table,
    spill: usize,
    position: usize,
    last: Option<usize>,
    /// True if every pair is within reach of the slot of its quotient.
    is_within_reach: bool,
}

impl Builder {
    /// Creates a builder; the first `spill` slots are for the last pairs.
    pub(in super::super) fn new(blocks: usize, width: u32, spill: usize) -> Self {
        Self { table: Table::new(blocks, width), spill, position: spill, last: None, is_within_reach: true }
    }

    pub(in super::super) fn push(&mut self, quotient: usize, remainder: u64) {
        let table = &mut self.table;
        if self.last == Some(quotient) {
            table.flip_runend(table.wrap(self.position - 1));
        } else {
            table.flip_occupied(quotient);
            self.position = self.position.max(quotient);
            self.last = Some(quotient);
        }
        self.is_within_reach &= self.position - quotient < REACH;
        let slot = table.wrap(self.position);
        table.set_remainder(slot, remainder);
        table.flip_runend(slot);
        self.position += 1;
    }

    /// Returns the table, or `None` if too many pairs crowd around one slot.
    pub(in super::super) fn finish(mut self) -> Option<Table> {
        let mut offset = self.spill;
        for block in 0..self.table.offsets.len() {
            self.table.offsets[block] = u16::try_from(offset).ok().filter(|_| self.is_within_reach)?;
            offset = self.table.next_offset(block, offset);
        }
        Some(self.table)
    }
}
