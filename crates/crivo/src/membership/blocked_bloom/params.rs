//! The size of a blocked Bloom filter, and its false-positive rate.

use super::BlockedBloom;
use crate::bits::SplitBlock;
use crate::membership::FilterPlan;
use crate::membership::target::check_target;
use crate::sketch::Params;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, log1p, pow};

/// The largest filter: 2²⁶ blocks, 2 GiB, or half of that on platforms with 32-bit addresses. The block comes
/// from 32 bits of the hash, so some blocks get one part in 2³²/blocks more items than others: here one in
/// 64.
const MAX_BLOCKS: u64 = if usize::BITS < 64 { 1 << 25 } else { 1 << 26 };
/// The 32 bits of a hash that choose the bits of a block allow no lower rate.
const LEAST_FPR: f64 = 1e-8;
const TWO_TO_32: f64 = 4_294_967_296.0;
/// (1 − x)⁸ = Σ `SIGNED_CHOICES`ₛ xˢ.
const SIGNED_CHOICES: [f64; 9] = [1.0, -8.0, 28.0, -56.0, 70.0, -56.0, 28.0, -8.0, 1.0];

/// The size of a [`BlockedBloom`](super::BlockedBloom): a number of blocks of 256 bits.
///
/// ```
/// use crivo::membership::BlockedParams;
/// let params = BlockedParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // the exact rate is met
/// assert!(params.bits() < 10_600_000); // a plain Bloom filter would take 9,620,000
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedParams {
    blocks: u32,
}

impl BlockedParams {
    pub(super) const LARGEST: Self = Self { blocks: MAX_BLOCKS as u32 };

    /// Returns the smallest filter whose exact false-positive rate at `items` items is at most `fpr`.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1 or below 10⁻⁸, or the filter
    /// would exceed 2 GiB.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_target(items, fpr)?;
        if fpr < LEAST_FPR {
            return Err(Error::invalid(format!(
                "a false-positive rate of {fpr} is out of reach: 32 bits of a hash choose the bits of a \
                 block; choose {LEAST_FPR} or more, or use a Bloom filter"
            )));
        }
        let meets = |blocks: u64| Self { blocks: blocks as u32 }.fpr_at(items) <= fpr;
        if !meets(MAX_BLOCKS) {
            return Err(Error::invalid(format!(
                "{items} items at a false-positive rate of {fpr} need more than {MAX_BLOCKS} blocks; \
                 choose fewer items or a higher rate, or use a Bloom filter"
            )));
        }
        let (mut too_few, mut enough) = (0, MAX_BLOCKS);
        while enough - too_few > 1 {
            let middle = u64::midpoint(too_few, enough);
            if meets(middle) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        Ok(Self { blocks: enough as u32 })
    }

    /// Returns the largest filter of at most `bytes` bytes.
    ///
    /// ```
    /// use crivo::membership::BlockedParams;
    /// let params = BlockedParams::for_memory(1 << 20)?;
    /// assert_eq!(params.memory_bytes(), 1 << 20);
    /// assert!(params.fpr_at(400_000) < 0.001);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `bytes` is below 32 or beyond 2 GiB.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        if !(Self::BLOCK_BYTES..=MAX_BLOCKS * Self::BLOCK_BYTES).contains(&bytes) {
            return Err(Error::invalid(format!(
                "a blocked Bloom filter takes from 32 to {} bytes, got {bytes}; choose a size in between",
                MAX_BLOCKS * Self::BLOCK_BYTES
            )));
        }
        Self::exact(bytes / Self::BLOCK_BYTES)
    }

    /// Creates params with exactly this number of blocks.
    ///
    /// # Errors
    /// `InvalidArgument` when `blocks` is 0 or beyond 2²⁶.
    pub fn exact(blocks: u64) -> Result<Self> {
        if blocks == 0 || blocks > MAX_BLOCKS {
            return Err(Error::invalid(format!(
                "a blocked Bloom filter has from 1 to {MAX_BLOCKS} blocks, got {blocks}; choose a size in between"
            )));
        }
        Ok(Self { blocks: blocks as u32 })
    }

    /// Creates the params of existing blocks, whose number has been checked.
    pub(super) fn of_blocks(blocks: &[SplitBlock]) -> Self {
        Self { blocks: blocks.len() as u32 }
    }

    const BLOCK_BYTES: u64 = SplitBlock::BYTES as u64;

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u64 {
        u64::from(self.blocks)
    }

    /// Returns the number of bits: 256 per block.
    pub fn bits(&self) -> u64 {
        self.blocks() * 256
    }

    /// Returns the bytes of memory that the blocks take.
    pub fn memory_bytes(&self) -> u64 {
        self.blocks() * Self::BLOCK_BYTES
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(self, items: u64) -> FilterPlan {
        FilterPlan {
            memory_bytes: size_of::<BlockedBloom>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: 1.0,
            parameters: vec![("blocks", self.blocks())],
        }
    }

    /// Returns the number of the 2³² upper halves of a hash that map to block `index`.
    pub(super) fn width(self, index: u64) -> u64 {
        let start = |index: u64| (index << 32).div_ceil(self.blocks());
        start(index + 1) - start(index)
    }

    /// Returns the probability that the lower half of a hash, which chooses the bits, equals that of an item
    /// in the same block.
    pub(super) fn twin_chance(self, items: f64) -> f64 {
        items / (f64::from(self.blocks) * TWO_TO_32)
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: the mean over all hash
    /// functions.
    ///
    /// With j items in a block, a bit is set with probability 1 − (31/32)ʲ in each of the eight words, and j
    /// is binomially distributed. The mean of the eighth power is a sum of nine terms.
    pub fn fpr_at(&self, items: u64) -> f64 {
        // The nine coefficients add up to zero: subtracting one from every power changes nothing, and
        // preserves precision.
        let at_share = |share: f64| -> f64 {
            let term = |(s, choices): (usize, &f64)| {
                let hit = 1.0 - pow(31.0 / 32.0, s as f64);
                choices * expm1(items as f64 * log1p(-share * hit))
            };
            SIGNED_CHOICES.iter().enumerate().map(term).sum()
        };
        // A block gets ⌊2³²/blocks⌋ upper halves of a hash, or one more.
        let (narrow, wide_blocks) = ((1 << 32) / self.blocks(), (1 << 32) % self.blocks());
        let part = |width: u64, blocks: u64| {
            let share = width as f64 / TWO_TO_32;
            if blocks == 0 { 0.0 } else { blocks as f64 * share * at_share(share) }
        };
        let rate = part(narrow, self.blocks() - wide_blocks) + part(narrow + 1, wide_blocks);
        // Rounding may make the result slightly negative if the structure is nearly empty.
        (rate.max(0.0) + self.twin_chance(items as f64)).min(1.0)
    }
}

impl Params for BlockedParams {
    const NAMES: &[&str] = &["blocks"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.blocks()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0])
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parquet's specification lists the bits for each distinct value.
    #[test]
    fn published_sizes() {
        for (fpr, bits) in [(0.1, 6.0), (0.01, 10.5), (0.001, 16.9), (1e-4, 26.4), (1e-5, 41.0)] {
            let params = BlockedParams::for_fpr(1_000_000, fpr).unwrap();
            let ours = params.bits() as f64 / 1e6;
            assert!((ours - bits).abs() <= 0.1, "{fpr}: {ours}");
        }
    }

    /// Compares the nine terms with the sum over the number of items in a block.
    #[test]
    fn rate_is_the_mean_over_loads() {
        for (blocks, items) in [(1u64, 1u64), (1, 5), (1, 30), (4, 100), (64, 700), (1024, 30_000)] {
            let load = |j| crate::stats::binomial_pmf(j, items, 1.0 / blocks as f64);
            let all_set = |j| pow(1.0 - pow(31.0 / 32.0, j as f64), 8.0);
            let mean: f64 = (0..=items.min(300)).map(|j| load(j) * all_set(j)).sum();
            let params = BlockedParams::exact(blocks).unwrap();
            let rate = params.fpr_at(items) - params.twin_chance(items as f64);
            assert!((rate - mean).abs() < 1e-9 * mean + 1e-13, "{items} in {blocks}: {rate} {mean}");
        }
    }

    #[test]
    fn targets_are_met_with_no_block_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1_000_000, 1 << 28] {
            for fpr in [0.9, 0.5, 0.2, 0.1, 0.01, 1e-3, 1e-5] {
                let params = BlockedParams::for_fpr(items, fpr).unwrap();
                assert!(params.fpr_at(items) <= fpr, "{items} {fpr}");
                if params.blocks() > 1 {
                    let smaller = BlockedParams::exact(params.blocks() - 1).unwrap();
                    assert!(smaller.fpr_at(items) > fpr, "{items} {fpr}");
                }
            }
        }
    }

    #[test]
    fn more_blocks_or_fewer_items_never_err_more() {
        let rate = |blocks, items| BlockedParams::exact(blocks).unwrap().fpr_at(items);
        for items in [1u64, 50, 5000, 1_000_000] {
            let rates: Vec<f64> = (1..100).map(|blocks| rate(blocks, items)).collect();
            assert!(rates.windows(2).all(|pair| pair[1] <= pair[0] + 1e-13), "{items}");
            assert!(rate(10, items) <= rate(10, items + 1) + 1e-13);
        }
        assert_eq!(rate(1, 0), 0.0);
        assert_eq!(rate(1, u64::MAX), 1.0);
    }

    #[test]
    fn widths_add_up_and_are_those_of_the_index() {
        for blocks in [1u64, 2, 3, 7, 1000, (1 << 20) + 3] {
            let params = BlockedParams::exact(blocks).unwrap();
            let mut start = 0;
            for index in 0..blocks.min(1000) {
                assert_eq!(SplitBlock::index(start << 32, blocks as usize) as u64, index);
                start += params.width(index);
                assert_eq!(SplitBlock::index((start - 1) << 32, blocks as usize) as u64, index);
            }
            assert!(blocks > 1000 || start == 1 << 32);
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 1),
            (10_000, 0.01, 412),
            (1_000_000, 0.01, 41_130),
            (1_000_000, 0.001, 65_976),
            (10_000_000, 0.001, 659_759),
            (1_000_000_000, 0.01, 41_132_249),
            (1_000_000, 1e-8, 698_797),
        ];
        for (items, fpr, blocks) in golden {
            assert_eq!(BlockedParams::for_fpr(items, fpr).unwrap().blocks(), blocks, "{items} {fpr}");
        }
    }
}
