//! The registers of a HyperLogLog of any origin.

use crivo::Estimate;
use crivo::foreign::estimate_of_ranks;

/// Registers that hold the greatest rank of the items that fell into each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ranks {
    ranks: Box<[u8]>,
    /// The greatest rank that a register can hold.
    most: u8,
}

impl Ranks {
    /// Creates 2^`precision` empty registers.
    pub(crate) fn new(precision: u8, most: u8) -> Self {
        Self { ranks: vec![0; 1 << precision].into(), most }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.ranks
    }

    /// Returns log₂ of the number of registers.
    pub(crate) fn precision(&self) -> u8 {
        self.ranks.len().ilog2() as u8
    }

    /// Returns the greatest rank that a register can hold.
    pub(crate) fn most(&self) -> u8 {
        self.most
    }

    /// Raises a register to at least this rank.
    #[inline]
    pub(crate) fn raise(&mut self, register: usize, rank: u8) {
        let place = &mut self.ranks[register];
        *place = rank.max(*place);
    }

    /// Takes in registers of the same number.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (ours, &theirs) in self.ranks.iter_mut().zip(&other.ranks) {
            *ours = theirs.max(*ours);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ranks.iter().all(|&rank| rank == 0)
    }

    pub(crate) fn estimate(&self, confidence: f64) -> Estimate {
        estimate_of_ranks(self.ranks.iter().copied(), self.precision(), self.most, confidence)
    }
}
