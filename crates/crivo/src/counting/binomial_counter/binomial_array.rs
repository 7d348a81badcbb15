//! Many binomial counters: see [`BinomialArray`].

use super::{BinomialParams, counted, estimate, plus};
use crate::Result;
use crate::counting::cells::Cells;
use crate::counting::counter_shell::{CounterSize, counter};
use crate::counting::happens;

/// Very many counts of like sizes in a few bits each, of which each counts a share of its increments.
///
/// # Use when / not when
/// Use it for counts of numbered things whose largest size is known, somewhat above what the bits hold: its relative error
/// falls as the counts grow. Not where counts may be of any size: a [`BinomialArray`](crate::counting::BinomialArray) has the same
/// relative error at all of them. For few counters a `Vec<u64>` is exact; for keys that are not numbers, or of which most
/// never come, there is [`CountMin`](crate::CountMin).
///
/// # Guarantee
/// Of every counter as of a [`BinomialCounter`](crate::counting::BinomialCounter). One generator draws for all, so their errors are
/// independent.
///
/// # Space
/// `bits` for each counter without gaps:
///
/// | counters | p | bits | largest count | memory |
/// |---|---|---|---|---|
/// | 10⁶ | 1/2 | 8 | 510 | 1.0 MB |
/// | 10⁶ | 1/64 | 8 | 16,320 | 1.0 MB |
/// | 10⁶ | 1/64 | 12 | 262,080 | 1.5 MB |
///
/// # Time
/// One random number and, where it counts, one counter an increment: a few nanoseconds.
///
/// # Merge
/// By distribution: registers add up, one by one. Each part needs a seed of its own; parts with one seed are refused.
///
/// # Hostile input
/// Whoever knows the seed and the order of increments can tell which of them count. Seed it with a secret number then.
///
/// # Example
/// ```
/// use crivo::counting::{BinomialArray, BinomialParams};
/// let mut pages = BinomialArray::with_params(1000, BinomialParams::for_count(5000, 8)?, 42)?;
/// for _ in 0..3000 {
///     pages.increment(7)?;
/// }
/// pages.increment_by(8, 5000)?;
/// assert!(pages.estimate(7)?.contains(3000.0));
/// assert!(pages.estimate(8)?.contains(5000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// increment(2) → a random number below p? → register 2 from 5 to 6
///   registers   0 12 [5] 0 0 31 7 ...      8 bits each, about register/p
/// ```
///
/// # References
/// As [`BinomialCounter`](crate::counting::BinomialCounter): Morris 1978, doi:10.1145/359619.359627.
///
/// # Measured
/// `crivo-lab run c-binomial-array`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BinomialArray {
    params: BinomialParams,
    cells: Cells,
}

impl BinomialArray {
    fn with_cells(params: BinomialParams, cells: Cells) -> Self {
        Self { params, cells }
    }

    /// Counts one at a counter.
    ///
    /// # Errors
    /// `InvalidArgument` when there is no such counter.
    #[inline]
    pub fn increment(&mut self, index: usize) -> Result<()> {
        self.cells.check(index)?;
        if happens(self.cells.lots.rng(), self.params.chance()) {
            let params = self.params;
            self.cells.registers.update(index, |register| plus(&params, register, 1));
        }
        Ok(())
    }

    /// Counts `count` at a counter: with the probabilities of as many increments, but not with their random numbers.
    ///
    /// # Errors
    /// `InvalidArgument` when there is no such counter.
    pub fn increment_by(&mut self, index: usize, count: u64) -> Result<()> {
        let register = self.cells.get(index)?;
        let counted = counted(&self.params, self.cells.lots.rng(), count);
        self.cells.registers.set(index, plus(&self.params, register, counted));
        Ok(())
    }

    fn add(&mut self, other: &Self) {
        for (index, other) in other.cells.registers.iter().enumerate() {
            self.cells.registers.update(index, |register| plus(&self.params, register, u64::from(other)));
        }
    }
}

counter!(array BinomialArray, BinomialParams);
