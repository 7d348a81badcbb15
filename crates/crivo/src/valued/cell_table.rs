//! Cells that keep the greatest value inserted into them, the storage of all filters of values.

use super::answer::Census;
use super::params::LinearBloomParams;
use super::value::Cell;
use crate::hash::Probes;
use crate::memory::{CACHED_BYTES, answer_in_batches, prefetch};
use crate::sketch::Payload;
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The cells of a filter. The owner defines which cells count as empty: where values decay, those that are low enough.
#[derive(Clone, PartialEq)]
pub(super) struct CellTable<C> {
    params: LinearBloomParams,
    spec: HashSpec,
    cells: Vec<C>,
}

impl<C: Cell> CellTable<C> {
    pub(super) fn new(params: LinearBloomParams, spec: HashSpec) -> Self {
        Self { params, spec, cells: vec![C::default(); params.cells() as usize] }
    }

    #[inline]
    pub(super) fn params(&self) -> LinearBloomParams {
        self.params
    }

    #[inline]
    pub(super) fn spec(&self) -> &HashSpec {
        &self.spec
    }

    pub(super) fn cells(&self) -> &[C] {
        &self.cells
    }

    pub(super) fn cells_mut(&mut self) -> &mut [C] {
        &mut self.cells
    }

    /// Returns the bytes outside the table itself.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }

    /// Raises the cells of an item, and returns whether any cell was lower.
    #[inline]
    pub(super) fn raise(&mut self, hash: u64, to: C) -> bool {
        if self.params.cells() % 2 == 1 {
            self.raise_of_parity::<true>(hash, to)
        } else {
            self.raise_of_parity::<false>(hash, to)
        }
    }

    #[inline]
    fn raise_of_parity<const ODD: bool>(&mut self, hash: u64, to: C) -> bool {
        let mut probes = Probes::new(hash, self.params.cells());
        let mut is_raised = false;
        for _ in 0..self.params.hashes() {
            let cell = &mut self.cells[probes.next_of_parity::<ODD>() as usize];
            is_raised |= *cell < to;
            *cell = to.max(*cell);
        }
        is_raised
    }

    /// Returns the lowest cell of an item.
    #[inline]
    pub(super) fn lowest(&self, hash: u64) -> C {
        if self.params.cells() % 2 == 1 {
            self.lowest_of_parity::<true>(hash)
        } else {
            self.lowest_of_parity::<false>(hash)
        }
    }

    #[inline]
    fn lowest_of_parity<const ODD: bool>(&self, hash: u64) -> C {
        let mut probes = Probes::new(hash, self.params.cells());
        let mut lowest = self.cells[probes.next_of_parity::<ODD>() as usize];
        for _ in 1..self.params.hashes() {
            lowest = lowest.min(self.cells[probes.next_of_parity::<ODD>() as usize]);
        }
        lowest
    }

    /// Returns the lowest cell of each of many items, overlapping the cache misses.
    pub(super) fn lowest_of_all<R>(&self, hashes: &[u64], answer: impl Fn(C) -> R) -> Vec<R> {
        answer_in_batches(
            hashes,
            |batch| self.prefetch(batch.iter().copied()),
            |hash| answer(self.lowest(hash)),
        )
    }

    /// Prefetches the cache lines of these items, unless the cells are small enough to stay in the cache.
    #[inline]
    pub(super) fn prefetch(&self, hashes: impl Iterator<Item = u64>) {
        if self.heap_bytes() < CACHED_BYTES {
            return;
        }
        for hash in hashes {
            let mut probes = Probes::new(hash, self.params.cells());
            for _ in 0..self.params.hashes() {
                prefetch(&self.cells, probes.next_position() as usize);
            }
        }
    }

    /// Raises the cells at these positions, which the caller computed.
    pub(super) fn raise_positions(&mut self, positions: &[u64], to: C) -> Result<bool> {
        self.check_positions(positions)?;
        let mut is_raised = false;
        for &position in positions {
            let cell = &mut self.cells[position as usize];
            is_raised |= *cell < to;
            *cell = to.max(*cell);
        }
        Ok(is_raised)
    }

    /// Returns the lowest of these cells.
    pub(super) fn lowest_position(&self, positions: &[u64]) -> Result<C> {
        self.check_positions(positions)?;
        Ok(positions.iter().map(|&position| self.cells[position as usize]).min().unwrap_or_default())
    }

    fn check_positions(&self, positions: &[u64]) -> Result<()> {
        match positions.iter().find(|&&position| position >= self.params.cells()) {
            None => Ok(()),
            Some(position) => Err(Error::invalid(format!(
                "position {position} is beyond the {} cells of the filter; positions are numbered from 0",
                self.params.cells()
            ))),
        }
    }

    /// Raises each cell to the corresponding cell of a table of equal size and hash.
    pub(super) fn raise_to(&mut self, other: &Self) {
        for (cell, &theirs) in self.cells.iter_mut().zip(&other.cells) {
            *cell = theirs.max(*cell);
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells.fill(C::default());
    }

    /// Returns the number of cells above `empty`.
    pub(super) fn occupied(&self, empty: C) -> u64 {
        self.cells.iter().filter(|&&cell| cell > empty).count() as u64
    }

    /// Estimates the number of items from the cells in use, with a 95 % interval.
    pub(super) fn cardinality(&self, empty: C) -> Estimate {
        self.params.as_bloom().occupancy(self.occupied(empty)).approximate(crate::DEFAULT_CONFIDENCE)
    }

    /// Returns the false-positive rate, exact for the present fill.
    pub(super) fn fpr(&self, empty: C) -> Estimate {
        Estimate::exact(self.params.as_bloom().occupancy(self.occupied(empty)).fpr())
    }

    /// Counts the cells that are empty, below an answer, and at most the answer.
    pub(super) fn census(&self, empty: C, answer: C) -> Census {
        let count = |test: &dyn Fn(C) -> bool| self.cells.iter().filter(|&&cell| test(cell)).count() as u64;
        Census {
            cells: self.params.cells(),
            empty: count(&|cell| cell <= empty),
            below: count(&|cell| cell < answer),
            at_most: count(&|cell| cell <= answer),
        }
    }

    /// Returns [`census`](Self::census) for many answers: sorts the cells once and finds each answer by bisection.
    pub(super) fn censuses(&self, empty: C) -> impl Fn(C) -> Census {
        let cells = self.params.cells();
        let mut ordered = self.cells.clone();
        ordered.sort_unstable();
        let empty = ordered.partition_point(|&cell| cell <= empty) as u64;
        move |answer| Census {
            cells,
            empty,
            below: ordered.partition_point(|&cell| cell < answer) as u64,
            at_most: ordered.partition_point(|&cell| cell <= answer) as u64,
        }
    }

    /// Writes each cell, converted by `as_written`, in little-endian order.
    pub(super) fn put(&self, payload: &mut Vec<u8>, as_written: impl Fn(C) -> C) {
        payload.reserve(self.heap_bytes());
        self.cells.iter().for_each(|&cell| as_written(cell).put(payload));
    }

    /// Reads the bytes of [`put`](Self::put); `is_possible` checks each occupied cell.
    pub(super) fn read(
        params: LinearBloomParams,
        file: &mut Payload<'_>,
        is_possible: impl Fn(C) -> bool,
    ) -> Result<Self> {
        let payload = file.bytes.take_rest();
        if payload.len() as u64 != params.cell_bytes::<C>() {
            return Err(Error::malformed(format!(
                "the file is corrupt: the payload does not hold {} cells",
                params.cells()
            )));
        }
        let cells: Vec<C> = payload.chunks_exact(size_of::<C>()).map(C::read).collect();
        if cells.iter().all(|&cell| cell == C::default() || is_possible(cell)) {
            return Ok(Self { params, spec: file.spec, cells });
        }
        Err(Error::malformed("the file is corrupt: a cell holds a value that cannot be inserted"))
    }
}
