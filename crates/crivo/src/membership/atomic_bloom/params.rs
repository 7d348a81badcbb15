//! The size of an atomic Bloom filter, and its false-positive rate.

use super::{AtomicBloom, BITS_OF_WORD, WORDS};
use crate::hash::TWO_TO_64;
use crate::membership::FilterPlan;
use crate::membership::target::{check_items, check_target};
use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, log1p, pow};

/// The largest filter: 2³¹ blocks, 128 GiB, or 1 GiB on platforms with 32-bit addresses.
const MAX_BLOCKS: u64 = if usize::BITS < 64 { 1 << 24 } else { 1 << 31 };
const MAX_HASHES: u32 = 2 * AtomicParams::MAX_PER_WORD;
const BLOCK_BYTES: u64 = WORDS as u64 * 8;
/// A rate is computed as a sum of terms of either sign, accurate to 10⁻¹¹, so that this rate still has three
/// correct digits.
const LEAST_FPR: f64 = 1e-8;

/// The size of an [`AtomicBloom`](super::AtomicBloom): blocks of 512 bits, and the bits that an item sets in
/// its block.
///
/// ```
/// use crivo::membership::AtomicParams;
/// let params = AtomicParams::for_fpr(1_000_000, 0.01)?;
/// assert!(params.fpr_at(1_000_000) <= 0.01); // the exact rate is met
/// assert_eq!(params.hashes(), 6);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicParams {
    blocks: u64,
    hashes: u32,
}

impl AtomicParams {
    pub(super) const MAX_PER_WORD: u32 = 8;

    /// Returns the smallest filter whose exact false-positive rate at `items` items is at most `fpr`.
    ///
    /// Among the numbers of hash functions that need less than 0.4 % more blocks than the best, it takes the
    /// smallest.
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, `fpr` is not strictly between 0 and 1 or below 10⁻⁸, or the filter
    /// would exceed 128 GiB or what 64-bit hashes can distinguish.
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        check_target(items, fpr)?;
        if fpr < LEAST_FPR {
            return Err(Error::invalid(format!(
                "a false-positive rate of {fpr} is out of reach of an atomic Bloom filter; choose \
                 {LEAST_FPR} or more, or use a Bloom filter"
            )));
        }
        let choices = (2..=MAX_HASHES).step_by(2).filter_map(|hashes| Self::smallest(items, fpr, hashes));
        let choices: Vec<Self> = choices.collect();
        let fewest = choices.iter().map(|params| params.blocks).min().unwrap_or(0);
        choices.into_iter().find(|params| params.blocks <= fewest + fewest / 256).ok_or_else(|| {
            Error::invalid(format!(
                "{items} items at a false-positive rate of {fpr} need more than {MAX_BLOCKS} blocks; choose fewer items or a higher rate"
            ))
        })
    }

    /// Returns the smallest filter with this number of hash functions for a target, if there is one.
    fn smallest(items: u64, fpr: f64, hashes: u32) -> Option<Self> {
        let meets = |blocks: u64| Self { blocks, hashes }.fpr_at(items) <= fpr;
        if !meets(MAX_BLOCKS) {
            return None;
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
        Some(Self { blocks: enough, hashes })
    }

    /// Returns the best filter of at most `bytes` bytes for `items` items.
    ///
    /// ```
    /// use crivo::membership::AtomicParams;
    /// let params = AtomicParams::for_memory(1 << 20, 1_000_000)?;
    /// assert_eq!(params.memory_bytes(), 1 << 20);
    /// assert!(params.fpr_at(1_000_000) < 0.04);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when `items` is 0, or `bytes` is below 64 or beyond 128 GiB.
    pub fn for_memory(bytes: u64, items: u64) -> Result<Self> {
        check_items(items)?;
        if !(BLOCK_BYTES..=MAX_BLOCKS * BLOCK_BYTES).contains(&bytes) {
            return Err(Error::invalid(format!(
                "an atomic Bloom filter takes from 64 to {} bytes, got {bytes}; choose a size in between",
                MAX_BLOCKS * BLOCK_BYTES
            )));
        }
        let with = |hashes: u32| Self { blocks: bytes / BLOCK_BYTES, hashes };
        let better =
            |best: Self, next: Self| if next.fpr_at(items) < best.fpr_at(items) { next } else { best };
        Ok((4..=MAX_HASHES).step_by(2).map(with).fold(with(2), better))
    }

    /// Creates params with exactly these numbers.
    ///
    /// # Errors
    /// `InvalidArgument` when `blocks` is 0 or beyond 2³¹, or `hashes` is not an even number from 2 to 16.
    pub fn exact(blocks: u64, hashes: u32) -> Result<Self> {
        if blocks == 0 || blocks > MAX_BLOCKS {
            return Err(Error::invalid(format!(
                "an atomic Bloom filter has from 1 to {MAX_BLOCKS} blocks, got {blocks}; choose a size in between"
            )));
        }
        if hashes == 0 || hashes > MAX_HASHES || hashes % 2 == 1 {
            return Err(Error::invalid(format!(
                "an atomic Bloom filter has an even number of hash functions from 2 to {MAX_HASHES}, got \
                 {hashes}; 6 is usual"
            )));
        }
        Ok(Self { blocks, hashes })
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Returns the number of bits: 512 per block.
    pub fn bits(&self) -> u64 {
        self.blocks * BLOCK_BYTES * 8
    }

    /// Returns the number of hash functions, k: an item sets k/2 bits in each of two words.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Returns the number of bits that an item sets in a word.
    #[inline]
    pub(super) fn per_word(&self) -> u32 {
        self.hashes / 2
    }

    /// Returns the bytes of memory that the blocks take.
    pub fn memory_bytes(&self) -> u64 {
        self.blocks * BLOCK_BYTES
    }

    /// Returns the cost of a filter of this size with `items` items inside.
    pub(crate) fn plan(&self, items: u64) -> FilterPlan {
        FilterPlan {
            memory_bytes: size_of::<AtomicBloom>() as u64 + self.memory_bytes(),
            fpr: self.fpr_at(items),
            cache_lines: 1.0,
            parameters: vec![("blocks", self.blocks), ("hashes", u64::from(self.hashes))],
        }
    }

    /// Returns the exact false-positive rate with `items` distinct items inside: the mean over all hash
    /// functions.
    ///
    /// A query checks g = k/2 bits in each of two words. The probability that none of s given bits of a word
    /// is set is (1 − s/64)^gw with w items in the word. So the probability that all are set is a sum over s
    /// of such powers (inclusion and exclusion), for both words over s and t. Each item of the block uses
    /// both words with probability 1/28, only the one or only the other with 6/28, neither with 15/28. So the
    /// mean over the items turns each power into the power of a mean, and (g+1)² terms remain.
    pub fn fpr_at(&self, items: u64) -> f64 {
        let per_word = self.per_word();
        let weights = exclusion_weights(per_word);
        let clear = |s: usize| pow(1.0 - s as f64 / BITS_OF_WORD, f64::from(per_word));
        let mut rate = 0.0;
        // The weights add up to zero: subtracting one from every power changes nothing, and preserves
        // precision.
        for (s, a) in weights.iter().enumerate().take(per_word as usize + 1) {
            for (t, b) in weights.iter().enumerate().take(per_word as usize + 1) {
                let missed = (15.0 + 6.0 * (clear(s) + clear(t)) + clear(s) * clear(t)) / 28.0;
                rate += a * b * expm1(items as f64 * log1p((missed - 1.0) / self.blocks as f64));
            }
        }
        // Rounding may make the result slightly negative if the structure is nearly empty.
        (rate.max(0.0) + items as f64 / TWO_TO_64).min(1.0)
    }
}

/// Returns the weights with which the probability that s given bits of a word are clear enters the
/// probability that `count` random bits, which may coincide, are all set: ± the mean number of ways to choose
/// s of the distinct ones.
fn exclusion_weights(count: u32) -> [f64; AtomicParams::MAX_PER_WORD as usize + 1] {
    // The distribution of the number of distinct bits, after each bit.
    let mut different = [0.0; AtomicParams::MAX_PER_WORD as usize + 1];
    different[0] = 1.0;
    for _ in 0..count {
        for d in (0..different.len()).rev() {
            let stays = different[d] * (d as f64 / BITS_OF_WORD);
            let grows = if d == 0 { 0.0 } else { different[d - 1] * (1.0 - (d - 1) as f64 / BITS_OF_WORD) };
            different[d] = stays + grows;
        }
    }
    core::array::from_fn(|s| {
        let choices =
            |d: usize| (0..s).fold(1.0, |product, i| product * (d as f64 - i as f64) / (i + 1) as f64);
        let sign = if s % 2 == 0 { 1.0 } else { -1.0 };
        sign * different.iter().enumerate().map(|(d, p)| p * choices(d)).sum::<f64>()
    })
}

impl Params for AtomicParams {
    const NAMES: &[&str] = &["blocks", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.blocks, self.hashes.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the probability that `count` random bits of a word are all set after `others` other bits, from
    /// the distribution of the number of ones.
    fn all_set(count: u32, others: u32) -> f64 {
        let mut ones = [0.0; 65];
        ones[0] = 1.0;
        for _ in 0..others {
            for n in (0..65).rev() {
                let grows = if n == 0 { 0.0 } else { ones[n - 1] * (65 - n) as f64 / 64.0 };
                ones[n] = ones[n] * n as f64 / 64.0 + grows;
            }
        }
        ones.iter().enumerate().map(|(n, p)| p * pow(n as f64 / 64.0, f64::from(count))).sum()
    }

    /// Compares the closed form with a recurrence over the items of a block: each uses both, one or none of
    /// the words.
    #[test]
    fn rate_is_the_mean_over_all_ways() {
        const MOST: usize = 40;
        for per_word in 1..=8 {
            let chance: Vec<f64> = (0..=MOST as u32).map(|w| all_set(per_word, per_word * w)).collect();
            // The rate if the words have i and j items now, and a number of further items come.
            let mut rates: Vec<Vec<f64>> =
                chance.iter().map(|a| chance.iter().map(|b| a * b).collect()).collect();
            for items in 1..=MOST {
                let left = MOST - items;
                rates = (0..=left)
                    .map(|i| {
                        let mean = |j: usize| {
                            let one = rates[i + 1][j] + rates[i][j + 1];
                            (15.0 * rates[i][j] + 6.0 * one + rates[i + 1][j + 1]) / 28.0
                        };
                        (0..=left).map(mean).collect()
                    })
                    .collect();
                let rate = AtomicParams::exact(1, 2 * per_word).unwrap().fpr_at(items as u64);
                let truth = rates[0][0];
                // The absolute values of the weights of each word add up to 2^g.
                let rounding = 4 * 4u64.pow(per_word);
                let margin = 1e-9 * truth + rounding as f64 * f64::EPSILON;
                assert!((rate - truth).abs() < margin, "{items}, {per_word}: {rate} {truth}");
            }
        }
    }

    #[test]
    fn targets_are_met_with_no_block_to_spare() {
        for items in [1, 2, 10, 100, 10_000, 1_000_000, 1 << 33] {
            for fpr in [0.9, 0.5, 0.2, 0.1, 0.01, 1e-3, 1e-6] {
                let params = AtomicParams::for_fpr(items, fpr).unwrap();
                assert!(params.fpr_at(items) <= fpr, "{items} {fpr}");
                if params.blocks() > 1 {
                    let smaller = AtomicParams::exact(params.blocks() - 1, params.hashes()).unwrap();
                    assert!(smaller.fpr_at(items) > fpr, "{items} {fpr}");
                }
            }
        }
    }

    #[test]
    fn more_blocks_or_fewer_items_never_err_more() {
        for hashes in [2, 6, 16] {
            let rate = |blocks, items| AtomicParams::exact(blocks, hashes).unwrap().fpr_at(items);
            for items in [1u64, 50, 5000, 1_000_000] {
                let rates: Vec<f64> = (1..100).map(|blocks| rate(blocks, items)).collect();
                assert!(rates.windows(2).all(|pair| pair[1] <= pair[0] + 1e-11), "{items}");
                assert!(rate(10, items) <= rate(10, items + 1) + 1e-11);
            }
            assert_eq!(rate(1, 0), 0.0);
            assert_eq!(rate(1, u64::MAX), 1.0);
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for (bytes, items) in [(64, 1), (100, 100), (1 << 20, 1_000_000), (1 << 20, 1 << 40)] {
            let params = AtomicParams::for_memory(bytes, items).unwrap();
            assert!(params.memory_bytes() <= bytes && params.memory_bytes() + 64 > bytes);
            for hashes in (2..=16).step_by(2) {
                let other = AtomicParams::exact(params.blocks(), hashes).unwrap();
                assert!(params.fpr_at(items) <= other.fpr_at(items), "{bytes} {items} {hashes}");
            }
        }
    }

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 0.5, 1, 2),
            (10_000, 0.01, 199, 6),
            (1_000_000, 0.01, 19_886, 6),
            (1_000_000, 0.001, 32_725, 8),
            (10_000_000, 0.001, 327_251, 8),
            (1_000_000, 1e-8, 209_692, 16),
        ];
        for (items, fpr, blocks, hashes) in golden {
            let params = AtomicParams::for_fpr(items, fpr).unwrap();
            assert_eq!((params.blocks(), params.hashes()), (blocks, hashes), "{items} {fpr}");
        }
    }
}
