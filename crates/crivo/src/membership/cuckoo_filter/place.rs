//! The two windows of an item, computed from its fingerprint and one of them.

use super::CuckooParams;
use crate::hash::reduce;

/// A random odd multiplier. The shift after it is needed too: a multiplication alone preserves sums of
/// fingerprints, and the resulting short cycles of windows would stop fills early.
const SPREAD: u64 = 0xd134_2543_de82_ef95;

/// Everything that a filter knows about an item: its fingerprint, and the smaller number of its two windows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) window: u32,
    pub(super) fingerprint: u32,
}

/// A fingerprint and the first slots of its two windows.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) fingerprint: u32,
    pub(super) starts: [usize; 2],
}

impl Place {
    pub(super) fn cell(&self) -> Cell {
        Cell { window: (self.starts[0].min(self.starts[1]) / 2) as u32, fingerprint: self.fingerprint }
    }

    pub(super) fn slots(&self) -> [usize; 4] {
        let [one, other] = self.starts;
        [one, one + 1, other, other + 1]
    }
}

impl CuckooParams {
    /// Returns the place of the item with this hash: the window comes from its upper half, the fingerprint
    /// from the lower.
    #[inline]
    pub(super) fn place(&self, hash: u64) -> Place {
        let fingerprints = (1 << self.fingerprint_bits()) - 1;
        let fingerprint = 1 + ((u64::from(hash as u32) * fingerprints) >> 32) as u32;
        self.place_of(fingerprint, reduce(hash, self.windows()))
    }

    /// Returns the place of a fingerprint with one of its windows. The numbers of both windows add up to an
    /// odd number, modulo an even one, so the two windows are never the same.
    #[inline]
    pub(super) fn place_of(&self, fingerprint: u32, window: u64) -> Place {
        let spread = u64::from(fingerprint).wrapping_mul(SPREAD);
        let sum = reduce(spread ^ spread << 32, self.windows()) | 1;
        let other = if sum < window { sum + self.windows() - window } else { sum - window };
        let parity = fingerprint as usize & 1;
        Place { fingerprint, starts: [window, other].map(|window| 2 * window as usize + parity) }
    }

    /// Returns the place of the fingerprint in a slot.
    #[inline]
    pub(super) fn place_in_slot(&self, slot: usize, fingerprint: u32) -> Place {
        let start = slot - ((slot ^ fingerprint as usize) & 1);
        self.place_of(fingerprint, start as u64 / 2)
    }
}
