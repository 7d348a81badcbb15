//! Many binomial counters: see [`BinomialArray`].

use super::{BinomialParams, counted, estimate, plus};
use crate::Result;
use crate::counting::cells::Cells;
use crate::counting::counter_shell::{CounterSize, counter};
use crate::counting::happens;

/// An array of binomial counters: many approximate counts in a few bits each, for counts of a known size.
///
/// # Use when / not when
/// Use it to count events by number (pages, ports, cells of a table) when the largest count is known and somewhat above
/// what the bits hold: the relative error falls as a count grows. Not where counts may have any size: a
/// [`MorrisArray`](crate::MorrisArray) has the same relative error at all counts. For few counters a `Vec<u64>` is
/// exact; for keys that are not numbers, or most of which never occur, use [`CountMin`](crate::CountMin).
///
/// # Guarantee
/// Each counter has the guarantee of a [`BinomialCounter`](crate::counting::BinomialCounter). One generator draws for
/// all counters, so their errors are independent.
///
/// # Space
/// `bits` bits per counter, packed without gaps:
///
/// | counters | p | bits | largest count | memory |
/// |---|---|---|---|---|
/// | 10⁶ | 1/2 | 8 | 510 | 1.0 MB |
/// | 10⁶ | 1/64 | 8 | 16,320 | 1.0 MB |
/// | 10⁶ | 1/64 | 12 | 262,080 | 1.5 MB |
///
/// # Time
/// An increment takes one random number and, if it counts, one update of a counter: a few nanoseconds.
///
/// # Merge
/// Equal in distribution: the registers are added one by one. Each part needs its own seed; parts with equal seeds are
/// refused.
///
/// # Hostile input
/// An attacker who knows the seed and the order of increments can predict which of them count. Use a secret seed if
/// that matters.
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
/// See [`BinomialCounter`](crate::counting::BinomialCounter): Morris 1978, doi:10.1145/359619.359627.
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

    /// Increments a counter by one.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such counter.
    #[inline]
    pub fn increment(&mut self, index: usize) -> Result<()> {
        self.cells.check(index)?;
        if happens(self.cells.lots.rng(), self.params.chance()) {
            let params = self.params;
            self.cells.registers.update(index, |register| plus(&params, register, 1));
        }
        Ok(())
    }

    /// Increments a counter by `count`, with the same distribution as `count` single increments but other random
    /// numbers.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such counter.
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
