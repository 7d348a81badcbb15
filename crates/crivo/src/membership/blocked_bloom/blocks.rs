//! Sets and tests the bits of hashes in their blocks, eight lanes at once if the processor supports it.

use crate::bits::SplitBlock;
use crate::memory::{BATCH, CACHED_BYTES, prefetch, with_avx2};
use alloc::vec;
use alloc::vec::Vec;

with_avx2! {
    /// Sets the bits of a hash in its block; returns whether any of them was clear.
    fn set_block_bits(blocks: &mut [SplitBlock], hash: u64) -> bool {
        let index = SplitBlock::index(hash, blocks.len());
        blocks[index].set(hash)
    }
}

with_avx2! {
    /// Returns whether the bits of a hash are all set in its block.
    fn block_bits_are_set(blocks: &[SplitBlock], hash: u64) -> bool {
        blocks[SplitBlock::index(hash, blocks.len())].has(hash)
    }
}

with_avx2! {
    /// Sets the bits of many hashes.
    fn set_bits_in_blocks(blocks: &mut [SplitBlock], hashes: &[u64]) {
        for batch in hashes.chunks(BATCH) {
            prefetch_blocks(blocks, batch);
            for &hash in batch {
                let index = SplitBlock::index(hash, blocks.len());
                blocks[index].set(hash);
            }
        }
    }
}

with_avx2! {
    /// Returns whether the bits of each of many hashes are all set.
    fn bits_in_blocks_are_set(blocks: &[SplitBlock], hashes: &[u64]) -> Vec<bool> {
        let mut answers = vec![false; hashes.len()];
        for (batch, answers) in hashes.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
            prefetch_blocks(blocks, batch);
            for (answer, &hash) in answers.iter_mut().zip(batch) {
                *answer = blocks[SplitBlock::index(hash, blocks.len())].has(hash);
            }
        }
        answers
    }
}

#[inline]
fn prefetch_blocks(blocks: &[SplitBlock], hashes: &[u64]) {
    if size_of_val(blocks) >= CACHED_BYTES {
        for &hash in hashes {
            prefetch(blocks, SplitBlock::index(hash, blocks.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Compares with the checked version, which is compiled for every processor.
    #[test]
    fn blocks_are_the_same_with_and_without_avx2() {
        let mut rng = Rng::new(4);
        for count in [1usize, 2, 7, 100] {
            let mut blocks = vec![SplitBlock::EMPTY; count];
            let mut twins = blocks.clone();
            for _ in 0..30 * count {
                let (hash, asked) = (rng.next_u64(), rng.next_u64());
                let has = |hash| twins[SplitBlock::index(hash, count)].has(hash);
                assert_eq!(block_bits_are_set(&blocks, asked), has(asked));
                assert_eq!(bits_in_blocks_are_set(&blocks, &[asked, hash]), [has(asked), has(hash)]);
                let was_clear = twins[SplitBlock::index(hash, count)].set(hash);
                let mut in_batch = blocks.clone();
                set_bits_in_blocks(&mut in_batch, &[hash]);
                assert_eq!(set_block_bits(&mut blocks, hash), was_clear);
                assert_eq!((&blocks, &in_batch), (&twins, &twins));
                assert!(block_bits_are_set(&blocks, hash));
            }
        }
    }
}
