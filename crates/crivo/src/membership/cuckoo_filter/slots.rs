//! Packed slots without gaps, read two at a time.

use crate::codec::Reader;
use crate::memory::prefetch;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Spare bytes after the last slot, so that a window can be loaded at once wherever it starts.
pub(super) const SPARE_BYTES: usize = 7;

/// A fixed number of fingerprints of equal width; 0 is an empty slot. Slot s takes the bits from s·width on,
/// lowest first.
#[derive(Clone, PartialEq)]
pub(super) struct Slots {
    bytes: Vec<u8>,
    width: u32,
}

impl Slots {
    /// Creates empty slots of 4 to 28 bits.
    pub(super) fn new(count: usize, width: u32) -> Self {
        Self { bytes: vec![0; stored_bytes(count, width) + SPARE_BYTES], width }
    }

    #[inline]
    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Returns slot `start` in the low bits and its successor above it; higher bits have no meaning.
    #[inline]
    fn window(&self, start: usize) -> u64 {
        let bit = start * self.width as usize;
        let bytes = &self.bytes[bit / 8..bit / 8 + 8];
        u64::from_le_bytes(bytes.try_into().expect("eight bytes")) >> (bit % 8)
    }

    /// Marks the two slots of the window at `start` that hold `fingerprint`, in the highest bit of each slot.
    /// If the first is marked, the mark of the second has no meaning.
    #[inline]
    fn marks(&self, start: usize, fingerprint: u32) -> u64 {
        let ones = 1 | 1 << self.width;
        let difference = self.window(start) ^ (u64::from(fingerprint) * ones);
        // Subtracting one sets the highest bit of a slot anew only if the slot was zero; the subtraction then
        // borrows from the next slot.
        difference.wrapping_sub(ones) & !difference & ones << (self.width - 1)
    }

    /// Returns whether the fingerprint is in one of the four slots of the windows at `starts`.
    #[inline]
    pub(super) fn hold(&self, starts: [usize; 2], fingerprint: u32) -> bool {
        let [one, other] = starts.map(|start| self.marks(start, fingerprint));
        one | other != 0
    }

    /// Returns the first slot of the window at `start` that holds `fingerprint`; 0 finds an empty slot.
    #[inline]
    pub(super) fn find(&self, start: usize, fingerprint: u32) -> Option<usize> {
        let marks = self.marks(start, fingerprint);
        (marks != 0).then(|| start + usize::from(marks >> (self.width - 1) & 1 == 0))
    }

    /// Returns the fingerprints in the two slots of the window at `start`.
    #[inline]
    pub(super) fn pair(&self, start: usize) -> [u32; 2] {
        let window = self.window(start);
        [window, window >> self.width].map(|slot| (slot & self.mask()) as u32)
    }

    #[inline]
    pub(super) fn get(&self, slot: usize) -> u32 {
        (self.window(slot) & self.mask()) as u32
    }

    #[inline]
    pub(super) fn set(&mut self, slot: usize, fingerprint: u32) {
        let bit = slot * self.width as usize;
        let (mask, shift) = (self.mask(), bit % 8);
        let bytes: &mut [u8; 8] = (&mut self.bytes[bit / 8..bit / 8 + 8]).try_into().expect("eight bytes");
        let word = u64::from_le_bytes(*bytes) & !(mask << shift) | u64::from(fingerprint) << shift;
        *bytes = word.to_le_bytes();
    }

    /// Returns the occupied slots in order, with their fingerprints.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        // Spare bits of the last byte may look like one more slot, which is empty.
        let count = self.stored().len() * 8 / self.width as usize;
        (0..count).map(|slot| (slot, self.get(slot))).filter(|&(_, fingerprint)| fingerprint != 0)
    }

    /// Prefetches the cache line of the window at `start`.
    #[inline]
    pub(super) fn prefetch(&self, start: usize) {
        prefetch(&self.bytes, start * self.width as usize / 8);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns the bytes of the slots, without the spare ones.
    pub(super) fn stored(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - SPARE_BYTES]
    }

    /// Reads [`stored`](Self::stored) bytes: all that are left.
    pub(super) fn read(reader: &mut Reader<'_>, count: usize, width: u32) -> Result<Self> {
        let stored = reader.take_rest();
        let spare_bits = stored_bytes(count, width) * 8 - count * width as usize;
        let is_clean = stored.last().is_none_or(|&last| last.leading_zeros() as usize >= spare_bits);
        if stored.len() != stored_bytes(count, width) || !is_clean {
            return Err(Error::malformed(format!("the payload is not {count} slots of {width} bits")));
        }
        let mut bytes = Vec::with_capacity(stored.len() + SPARE_BYTES);
        bytes.extend_from_slice(stored);
        bytes.resize(stored.len() + SPARE_BYTES, 0);
        Ok(Self { bytes, width })
    }
}

/// Returns the number of bytes that the slots take.
pub(super) fn stored_bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn slots_of_every_width_keep_what_they_hold() {
        let mut rng = Rng::new(1);
        for width in 4..=28 {
            for count in [5, 9, 13, 101] {
                let mut slots = Slots::new(count, width);
                let mut twin = vec![0u32; count];
                for _ in 0..500 {
                    let slot = rng.below(count as u64) as usize;
                    let fingerprint = (rng.next_u64() & slots.mask()) as u32;
                    slots.set(slot, fingerprint);
                    twin[slot] = fingerprint;
                    let start = rng.below(count as u64 - 1) as usize;
                    let pair = [twin[start], twin[start + 1]];
                    assert_eq!(slots.pair(start), pair);
                    let other = rng.below(count as u64 - 1) as usize;
                    let four = [start, start + 1, other, other + 1];
                    for asked in [pair[0], pair[1], 0, 1, slots.mask() as u32] {
                        assert_eq!(
                            slots.hold([start, other], asked),
                            four.iter().any(|&slot| twin[slot] == asked)
                        );
                        let place = pair.iter().position(|&fingerprint| fingerprint == asked);
                        assert_eq!(slots.find(start, asked), place.map(|i| start + i));
                    }
                }
                assert!(
                    (0..count).all(|slot| slots.get(slot) == twin[slot]),
                    "{count} slots of {width} bits"
                );
                let read =
                    Slots::read(&mut Reader::new(slots.stored()), count, width).expect("its own bytes");
                assert!(read == slots && read.memory_bytes() == slots.memory_bytes());
            }
        }
    }
}
