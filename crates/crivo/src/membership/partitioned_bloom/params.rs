//! The size of a partitioned Bloom filter, and its false-positive rate.

use super::PartitionedBloom;
use crate::hash::TWO_TO_64;
use crate::membership::FilterPlan;
use crate::membership::bloom_filter::params::{MAX_BITS, MAX_HASHES, bits_for};
use crate::membership::bloom_filter::params::{lines_touched, too_large, whole_words};
use crate::membership::bloom_filter::{BloomFilter, BloomParams};
use crate::membership::target::{check_items, check_target};
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{pow, round};

/// The size of a [`PartitionedBloom`]: the number of blocks, and the bits and hash functions of each.
///
/// ```
/// use crivo::membership::PartitionedParams;
/// let params = PartitionedParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01);
/// assert_eq!((params.blocks(), params.hashes()), (6, 1));
/// // With half of the blocks the rate is the square root.
/// assert!((params.fold(3)?.fpr_at(1_000_000) - 0.1).abs() < 1e-4);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionedParams {
    block: BloomParams,
    blocks: u32,
}

impl PartitionedParams {
    /// Returns the smallest filter of blocks with one hash function each whose exact false-positive rate at
    /// `items` items is at most `fpr`: it has the most blocks possible, at the size of a
    /// [`BloomFilter`](crate::BloomFilter).
    ///
    /// # Errors
    /// The errors of [`BloomParams::for_fpr`](crate::BloomParams::for_fpr).
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Self::for_blocks(items, fpr, BloomParams::for_fpr(items, fpr)?.hashes())
    }

    /// Returns the smallest filter of this number of blocks whose exact false-positive rate at `items` items
    /// is at most `fpr`.
    ///
    /// ```
    /// use crivo::membership::PartitionedParams;
    /// let params = PartitionedParams::for_blocks(1_000_000, 1e-4, 4)?;
    /// assert_eq!((params.blocks(), params.hashes()), (4, 3));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if `blocks` is not 1 to 64; otherwise the errors of [`for_fpr`](Self::for_fpr).
    pub fn for_blocks(items: u64, fpr: f64, blocks: u32) -> Result<Self> {
        check_target(items, fpr)?;
        check_blocks(blocks, 1)?;
        let bits_with = |hashes: u32| bits_for(items, fpr, blocks * hashes);
        let hashes = 1..=MAX_HASHES / blocks;
        let fewest_bits = hashes.clone().map(bits_with).fold(f64::INFINITY, f64::min);
        let hashes = hashes.into_iter().find(|&k| bits_with(k) <= fewest_bits * (1.0 + 1.0 / 256.0));
        let hashes = hashes.unwrap_or(1);
        let start = bits_with(hashes) / f64::from(blocks);
        let refused = || too_large(&format!("{items} items at a false-positive rate of {fpr}"));
        if start > MAX_BITS as f64 {
            return Err(refused());
        }
        let mut bits = whole_words(start);
        loop {
            let params = Self::exact(blocks, bits, hashes).map_err(|_| refused())?;
            if params.fpr_at(items) <= fpr {
                return Ok(params);
            }
            bits += 64;
        }
    }

    /// Returns the best filter of at most `bytes` bytes for `items` items, of blocks with one hash function
    /// each.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bytes` is below 8 or beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        if !(8..=MAX_BITS / 8).contains(&bytes) {
            return Err(Error::invalid(format!(
                "a partitioned Bloom filter takes from 8 bytes to {} GiB, got {bytes} bytes; choose a size in between",
                MAX_BITS >> 33
            )));
        }
        let best = round(bytes as f64 * 8.0 / items as f64 * core::f64::consts::LN_2);
        let near = best.clamp(1.0, (bytes / 8).min(MAX_HASHES.into()) as f64) as u32;
        let with = |blocks: u32| {
            let bits = bytes / u64::from(blocks) / 8 * 64 - 1;
            Self::exact(blocks, bits, 1)
        };
        let (params, fewer) = (with(near)?, with((near - 1).max(1))?);
        Ok(if fewer.fpr_at(items) < params.fpr_at(items) { fewer } else { params })
    }

    /// Creates params with exactly this number of blocks, and of bits and hash functions of each.
    ///
    /// # Errors
    /// `InvalidArgument` when `bits` is 0, all blocks together exceed 2⁴⁰ bits, or `blocks` times `hashes` is not 1
    /// to 64.
    pub fn exact(blocks: u32, bits: u64, hashes: u32) -> Result<Self> {
        check_blocks(blocks, hashes)?;
        let block = BloomParams::exact(bits, hashes)?;
        if bits > MAX_BITS / u64::from(blocks) {
            return Err(Error::invalid(format!(
                "{blocks} blocks of {bits} bits have more than {MAX_BITS}; choose fewer or smaller ones"
            )));
        }
        Ok(Self { block, blocks })
    }

    /// Returns the params with only the first `blocks` blocks.
    ///
    /// # Errors
    /// `InvalidArgument` if `blocks` is 0 or more than there are.
    pub fn fold(self, blocks: u32) -> Result<Self> {
        if blocks == 0 || blocks > self.blocks {
            return Err(Error::invalid(format!(
                "a filter of {} blocks folds to 1 to {} of them, got {blocks}; choose a number in between",
                self.blocks, self.blocks
            )));
        }
        Ok(Self { blocks, ..self })
    }

    /// Returns the number of blocks, s.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Returns the number of bits of a block, m.
    pub fn bits(&self) -> u64 {
        self.block.bits()
    }

    /// Returns the number of hash functions of a block, k.
    pub fn hashes(&self) -> u32 {
        self.block.hashes()
    }

    pub(super) fn block(&self) -> BloomParams {
        self.block
    }

    /// Returns the bytes of memory that the bits of all blocks take.
    pub fn memory_bytes(&self) -> u64 {
        u64::from(self.blocks) * self.block.memory_bytes()
    }

    /// Returns the bytes that a filter of this size allocates.
    fn allocated_bytes(&self) -> u64 {
        u64::from(self.blocks) * size_of::<BloomFilter>() as u64 + self.memory_bytes()
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: blocks are independent, so
    /// it is the rate of one to the power of their number, plus the probability that two 64-bit hashes are
    /// equal.
    pub fn fpr_at(&self, items: u64) -> f64 {
        let all_err = pow(self.block.all_set_at(items), f64::from(self.blocks));
        (all_err + items as f64 / TWO_TO_64).min(1.0)
    }

    /// Returns the false-positive rate if the blocks have these numbers of ones.
    pub(super) fn fpr_of_ones(&self, ones: impl Iterator<Item = u64>) -> f64 {
        let (mut all_err, mut sum) = (1.0, 0);
        for ones in ones {
            all_err *= pow(ones as f64 / self.bits() as f64, f64::from(self.hashes()));
            sum += ones;
        }
        let items = self.block.occupancy(sum / u64::from(self.blocks)).items();
        (all_err + items / TWO_TO_64).min(1.0)
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        FilterPlan {
            memory_bytes: size_of::<PartitionedBloom>() as u64 + self.allocated_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: f64::from(self.blocks) * lines_touched(self.block.memory_bytes(), self.hashes()),
            parameters: vec![
                ("blocks", self.blocks.into()),
                ("bits", self.bits()),
                ("hashes", self.hashes().into()),
            ],
        }
    }
}

impl Params for PartitionedParams {
    const REMEDY: &str =
        "build both with the same params, or fold the one with more blocks first (crivo merge --fold)";
    const NAMES: &[&str] = &["blocks", "bits", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.blocks.into(), self.bits(), self.hashes().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(narrow(numbers[0])?, numbers[1], narrow(numbers[2])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.allocated_bytes()
    }
}

/// Limits the number of positions to the maximum of other filters.
fn check_blocks(blocks: u32, hashes: u32) -> Result<()> {
    if (1..=u64::from(MAX_HASHES)).contains(&(u64::from(blocks) * u64::from(hashes))) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "blocks times hash functions must be 1 to {MAX_HASHES}, got {blocks} times {hashes}; 7 times 1 is usual"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_met_with_no_word_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1_000_000, 1 << 33] {
            for fpr in [0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9] {
                for blocks in [1, 2, 3, 8, 64] {
                    let params = PartitionedParams::for_blocks(items, fpr, blocks).unwrap();
                    assert!(params.fpr_at(items) <= fpr, "{items} {fpr} {blocks}");
                    if params.bits() > 63 {
                        let smaller = PartitionedParams::exact(blocks, params.bits() - 64, params.hashes());
                        assert!(smaller.unwrap().fpr_at(items) > fpr, "{items} {fpr} {blocks}");
                    }
                }
            }
        }
    }

    /// One block is a Bloom filter; having one function per block costs next to nothing.
    #[test]
    fn sizes_are_those_of_a_bloom_filter() {
        for (items, fpr) in [(10_000, 0.1), (1_000_000, 0.01), (1_000_000, 0.001)] {
            let bloom = BloomParams::for_fpr(items, fpr).unwrap();
            let one = PartitionedParams::for_blocks(items, fpr, 1).unwrap();
            assert_eq!((one.bits(), one.hashes()), (bloom.bits(), bloom.hashes()));
            let fine = PartitionedParams::for_fpr(items, fpr).unwrap();
            assert_eq!((fine.blocks(), fine.hashes()), (bloom.hashes(), 1));
            assert!(fine.memory_bytes().abs_diff(bloom.memory_bytes()) <= 8 * u64::from(bloom.hashes()));
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(8, 1), (8, 1 << 40), (100, 100), (1 << 20, 1_000_000)] {
            let params = PartitionedParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes, "{bytes}");
            assert!(params.memory_bytes() + 8 * u64::from(params.blocks()) > bytes, "{bytes}");
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, (1, 63, 1)),
            (10_000, 0.01, (6, 16_063, 1)),
            (1_000_000, 0.01, (6, 1_602_815, 1)),
            (1_000_000, 0.001, (9, 1_602_815, 1)),
        ];
        for (items, fpr, expected) in golden {
            let params = PartitionedParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.blocks(), params.bits(), params.hashes()), expected, "{items} {fpr}");
        }
    }
}
