//! Many Morris counters: see [`MorrisArray`].

use super::{MorrisParams, advance, estimate, merged};
use crate::Result;
use crate::counting::cells::Cells;
use crate::counting::counter_shell::{CounterSize, counter};
use crate::counting::happens;
use alloc::vec::Vec;

/// An array of Morris counters: many approximate counts of any size in a few bits each, a million in a megabyte.
///
/// # Use when / not when
/// Use it to count events by number, such as pages, ports, pixels or the cells of another table, where a `u64` or even
/// a `u32` each takes too much memory and an error of a fifth does no harm. Not for few counters: a `Vec<u64>` is
/// exact. For keys that are not numbers, or most of which never occur, use [`CountMin`](crate::CountMin). Where all
/// counts stay below a few times 2^bits, a [`BinomialArray`](crate::counting::BinomialArray) is more accurate.
///
/// # Guarantee
/// Each counter has the guarantee of a [`MorrisCounter`](crate::MorrisCounter). One generator draws for all counters,
/// so their errors are independent.
///
/// # Space
/// `bits` bits per counter, packed without gaps, and a table of 2^bits probabilities:
///
/// | counters | base | bits | largest count | standard error | memory |
/// |---|---|---|---|---|---|
/// | 10⁶ | 2 | 4 | 2¹⁵ − 1 | 71 % | 0.5 MB |
/// | 10⁶ | 1.1 | 8 | 3.6·10¹¹ | 22 % | 1.0 MB |
/// | 10⁶ | 1.005 | 12 | 1.5·10¹¹ | 5 % | 1.5 MB |
///
/// # Time
/// An increment takes one random number, one probability from the table and one update of a counter: a few nanoseconds
/// while the array fits in the cache.
///
/// # Merge
/// Equal in distribution, counter by counter, as for a [`MorrisCounter`](crate::MorrisCounter). Each part needs its own
/// seed; parts with equal seeds are refused.
///
/// # Hostile input
/// An attacker who knows the seed and the order of increments can predict which of them count. Use a secret seed if
/// that matters.
///
/// # Example
/// ```
/// use crivo::MorrisArray;
/// use crivo::counting::MorrisParams;
/// let mut ports = MorrisArray::with_params(65_536, MorrisParams::exact(1.1, 8)?, 42)?;
/// for _ in 0..10_000 {
///     ports.increment(443)?;
/// }
/// ports.increment_by(22, 1_000_000)?;
/// assert!(ports.estimate(443)?.contains(10_000.0));
/// assert!(ports.estimate(22)?.contains(1_000_000.0));
/// assert_eq!(ports.estimate(80)?.upper(), 0.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// increment(2) → register 2 is 5 → chance[5] = b⁻⁵ → a random number below it? → 6
///   registers   0 12 [5] 0 0 31 7 ...      8 bits each
/// ```
///
/// # References
/// See [`MorrisCounter`](crate::MorrisCounter): Morris 1978, doi:10.1145/359619.359627.
///
/// # Measured
/// `crivo-lab run c-morris-array`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct MorrisArray {
    params: MorrisParams,
    cells: Cells,
    /// The probability of the next step from every register, zero from the last; computed when first needed.
    chances: Vec<u64>,
}

impl MorrisArray {
    fn with_cells(params: MorrisParams, cells: Cells) -> Self {
        Self { params, cells, chances: Vec::new() }
    }

    /// Increments a counter by one.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such counter.
    #[inline]
    pub fn increment(&mut self, index: usize) -> Result<()> {
        self.cells.check(index)?;
        if self.chances.is_empty() {
            self.make_chances();
        }
        let (rng, chances) = (self.cells.lots.rng(), &self.chances);
        self.cells
            .registers
            .update(index, |register| register + u32::from(happens(rng, chances[register as usize])));
        Ok(())
    }

    #[cold]
    fn make_chances(&mut self) {
        let max = self.params.max();
        self.chances = (0..=max).map(|register| self.params.chance(register)).collect();
        self.chances[max as usize] = 0;
    }

    /// Increments a counter by `count`, with the same distribution as `count` single increments but other random
    /// numbers.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such counter.
    pub fn increment_by(&mut self, index: usize, count: u64) -> Result<()> {
        let register = self.cells.get(index)?;
        let register = advance(&self.params, self.cells.lots.rng(), register, count);
        self.cells.registers.set(index, register);
        Ok(())
    }

    fn add(&mut self, other: &Self) {
        self.make_chances();
        let (max, chances) = (self.params.max(), &self.chances);
        let Cells { registers, lots } = &mut self.cells;
        for (index, other) in other.cells.registers.iter().enumerate() {
            let register = registers.get(index);
            let register = merged(lots.rng(), register, other, max, |steps| chances[steps as usize]);
            registers.set(index, register);
        }
    }
}

/// The table is not compared, because it follows from the parameters.
impl PartialEq for MorrisArray {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params && self.cells == other.cells
    }
}

counter!(array MorrisArray, MorrisParams, chances);
