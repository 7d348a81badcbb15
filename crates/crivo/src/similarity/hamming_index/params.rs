//! Parameters of a Hamming index: see [`HammingParams`].

use super::HammingIndex;
use crate::similarity::buckets::Buckets;
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::exp2;

/// The bits of a fingerprint.
pub(super) const BITS: u32 = 64;
/// The largest number of blocks. More would cost memory without saving time: with shorter blocks every document is a
/// candidate.
pub(super) const MAX_BLOCKS: u32 = 8;
/// The number of look-ups that take as long as one candidate: its link and its fingerprint are at random places in
/// memory, and one must be read before the next is known. Measured with a million documents.
const OF_A_CANDIDATE: f64 = 3.0;
/// The number of fingerprints that a linear scan compares in the time of one look-up.
const IN_A_ROW: f64 = 64.0;

/// The parameters of a [`HammingIndex`](super::HammingIndex): the largest distance, and the number of blocks.
///
/// Fingerprints are cut into m blocks. If two fingerprints differ in at most d = m·r + a bits (a < m), then they differ
/// in at most r bits in one of the first a + 1 blocks, or in at most r − 1 bits in one of the others: otherwise they
/// would differ in at least (a + 1)(r + 1) + (m − a − 1)r = d + 1 bits. So each block is looked up with up to r, or r −
/// 1, of its bits flipped. Without blocks, all fingerprints are compared.
///
/// ```
/// use crivo::similarity::HammingParams;
/// let params = HammingParams::for_distance(3, 1_000_000)?;
/// assert_eq!((params.blocks(), params.look_ups()), (3, 24));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HammingParams {
    distance: u32,
    blocks: u32,
}

impl HammingParams {
    /// Returns the blocks with the least expected [`work`](Self::work) to find all fingerprints within `distance` bits,
    /// among this many random fingerprints.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `distance` is above 64, or if the number of fingerprints is 0 or above 2³² − 1.
    pub fn for_distance(distance: u32, fingerprints: u64) -> Result<Self> {
        let most = Buckets::MAX_LEN as u64;
        if !(1..=most).contains(&fingerprints) {
            return Err(Error::invalid(format!(
                "the number of fingerprints must be 1 to {most}, got {fingerprints}; a rough guess is enough"
            )));
        }
        let scan = Self::exact(distance, 0)?;
        let choices = (1..=MAX_BLOCKS.min(distance + 1)).map(|blocks| Self { distance, blocks });
        let less = |best: Self, other: Self| {
            if other.work(fingerprints) < best.work(fingerprints) { other } else { best }
        };
        Ok(choices.fold(scan, less))
    }

    /// Returns exactly this many blocks.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if `distance` is above 64, or if `blocks` is above 8 or above `distance` + 1: further
    /// blocks would never be looked up.
    pub fn exact(distance: u32, blocks: u32) -> Result<Self> {
        if distance > BITS {
            return Err(Error::invalid(format!(
                "the distance must be at most {BITS} bits, got {distance}; 3 is usual for near-duplicates"
            )));
        }
        let most = MAX_BLOCKS.min(distance + 1);
        if blocks > most {
            return Err(Error::invalid(format!(
                "a distance of {distance} allows at most {most} blocks, got {blocks}; for_distance chooses the number"
            )));
        }
        Ok(Self { distance, blocks })
    }

    /// Returns the largest number of bits in which fingerprints may differ.
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// Returns the number of blocks of a fingerprint; 0 for a linear scan.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Returns the number of look-ups of a query.
    pub fn look_ups(&self) -> u64 {
        (0..self.blocks).map(|block| self.block(block).look_ups()).sum()
    }

    /// Returns the expected work of a query among this many random fingerprints: its look-ups, plus three times the
    /// number of candidates that they find. 64 fingerprints in a linear scan count as one look-up.
    pub fn work(&self, fingerprints: u64) -> f64 {
        if self.blocks == 0 {
            return fingerprints as f64 / IN_A_ROW;
        }
        let work = |block: Block| {
            block.look_ups() as f64
                * (1.0 + OF_A_CANDIDATE * fingerprints as f64 * exp2(-f64::from(block.width)))
        };
        (0..self.blocks).map(|block| work(self.block(block))).sum()
    }

    /// Returns the block with this number, which is below [`blocks`](Self::blocks).
    #[inline]
    pub(super) fn block(self, number: u32) -> Block {
        let start = number * BITS / self.blocks;
        let width = (number + 1) * BITS / self.blocks - start;
        let radius = self.distance / self.blocks;
        let is_among_first = number <= self.distance % self.blocks;
        // At radius 0 all blocks are among the first, because there are at most d + 1 blocks.
        Block { start, width, radius: if is_among_first { radius } else { radius.saturating_sub(1) } }
    }
}

/// A range of adjacent bits of fingerprints.
#[derive(Clone, Copy)]
pub(super) struct Block {
    start: u32,
    width: u32,
    radius: u32,
}

impl Block {
    /// Returns these bits of a fingerprint, or of the difference of two.
    #[inline]
    pub(super) fn of(self, fingerprint: u64) -> u64 {
        fingerprint >> self.start & u64::MAX >> (BITS - self.width)
    }

    /// Returns whether this block finds fingerprints that differ in these bits.
    #[inline]
    pub(super) fn finds(self, difference: u64) -> bool {
        self.of(difference).count_ones() <= self.radius
    }

    fn look_ups(self) -> u64 {
        let mut of_size = 1;
        let mut all = 1u64;
        for size in 1..=self.radius.min(self.width) {
            of_size = of_size * u128::from(self.width - size + 1) / u128::from(size);
            all = all.saturating_add(u64::try_from(of_size).unwrap_or(u64::MAX));
        }
        all
    }

    /// Returns all differences that this block finds: 0 first, then by the number of bits.
    pub(super) fn differences(self) -> impl Iterator<Item = u64> {
        let largest = u64::MAX >> (BITS - self.width);
        (0..=self.radius.min(self.width)).flat_map(move |size| {
            let first = if size == 0 { 0 } else { u64::MAX >> (BITS - size) };
            core::iter::successors(Some(first), move |&bits| next_of_size(bits, largest))
        })
    }
}

/// Returns the next larger number with as many ones, up to `largest` (all ones).
fn next_of_size(bits: u64, largest: u64) -> Option<u64> {
    let lowest = bits & bits.wrapping_neg();
    let carried = bits.checked_add(lowest).filter(|_| lowest != 0)?;
    let next = carried | (bits ^ carried) >> 2 >> lowest.trailing_zeros();
    (next <= largest).then_some(next)
}

impl Params for HammingParams {
    const REMEDY: &str = "build both indexes with the same parameters";
    const NAMES: &[&str] = &["distance", "blocks"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.distance.into(), self.blocks.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(narrow(numbers[0])?, narrow(numbers[1])?)
    }

    /// Returns the memory of an empty index.
    fn memory_bytes(&self) -> u64 {
        size_of::<HammingIndex>() as u64
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.named();
        facts.push(Fact::count("look_ups", self.look_ups()));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    #[test]
    fn blocks_tile_the_bits_and_enumerate_what_they_find() {
        for distance in 0..=64u32 {
            for blocks in 1..=MAX_BLOCKS.min(distance + 1) {
                let params = HammingParams::exact(distance, blocks).unwrap();
                let all: Vec<Block> = (0..blocks).map(|number| params.block(number)).collect();
                let end = all.iter().fold(0, |end, block| {
                    assert_eq!(block.start, end);
                    end + block.width
                });
                assert_eq!(end, BITS);
                // The least difference that no block finds.
                let least: u32 = all.iter().map(|block| block.radius + 1).sum();
                assert_eq!(least, distance + 1, "{params:?}");
                for block in all.into_iter().filter(|block| block.look_ups() < 3000) {
                    let differences: BTreeSet<u64> = block.differences().collect();
                    assert_eq!(differences.len() as u64, block.look_ups());
                    assert_eq!(block.differences().count() as u64, block.look_ups());
                    assert!(
                        differences.iter().all(|&bits| bits.count_ones() <= block.radius
                            && block.of(bits << block.start) == bits)
                    );
                }
            }
        }
    }

    #[test]
    fn the_choice_is_the_least_work() {
        let choose =
            |distance, fingerprints| HammingParams::for_distance(distance, fingerprints).unwrap().blocks();
        assert_eq!([1, 1000, 1_000_000].map(|fingerprints| choose(0, fingerprints)), [0, 1, 1]);
        assert_eq!(
            [10, 1000, 1_000_000, u64::from(u32::MAX)].map(|fingerprints| choose(3, fingerprints)),
            [0, 4, 3, 2]
        );
        assert_eq!([3, 7, 10, 16, 64].map(|distance| choose(distance, 1_000_000)), [3, 3, 3, 0, 0]);
        for distance in 0..=64 {
            for fingerprints in [1, 100, 10_000, 1_000_000, u64::from(u32::MAX)] {
                let best = HammingParams::for_distance(distance, fingerprints).unwrap().work(fingerprints);
                for blocks in 0..=MAX_BLOCKS.min(distance + 1) {
                    assert!(HammingParams::exact(distance, blocks).unwrap().work(fingerprints) >= best);
                }
            }
        }
    }
}
