//! The block-partitioned Bloom filter: see [`PartitionedBloom`].

mod params;

pub use params::PartitionedParams;

use super::bloom_filter::BloomFilter;
use crate::bits::BitVec;
use crate::hash::Probes;
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Core, Empty, Fact, Fold, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A partitioned Bloom filter: blocks, each of which is a small Bloom filter of *all* items. Without some of
/// its blocks it is still a filter.
///
/// # Use when / not when
/// Use it to keep or send filters of one set in several sizes: the first blocks of a filter *are* the smaller
/// filter ([`fold`](Self::fold)), so a peer may request as many as it can hold, and filters with different
/// numbers of blocks merge on their common ones. Not if one size is enough ([`BloomFilter`] is simpler), and
/// not to have one cache miss per query: these blocks are not the blocks of a blocked filter, and every one
/// of them is checked.
///
/// # Guarantee
/// No false negatives, ever. An item that was not inserted is reported if it is a false positive of all
/// blocks: with the product of their rates, [`fpr`](Self::fpr), known exactly from the fill; with `n` items
/// inside it is [`PartitionedParams::fpr_at`]`(n)` on average over the hash functions.
///
/// # Space
/// The space of a Bloom filter, and 72 bytes per block. With one function per block, as
/// [`PartitionedParams::for_fpr`] chooses, each omitted block multiplies the rate by about 2:
///
/// | rate | bits per item | blocks | the rate with one block fewer |
/// |---|---|---|---|
/// | 10 % | 4.80 | 3 | 21.5 % |
/// | 1 % | 9.62 | 6 | 2.15 % |
/// | 0.1 % | 14.43 | 9 | 0.215 % |
///
/// # Time
/// k scattered bits in every block for an insertion or a positive query, two blocks for a negative one.
/// [`insert_hashes`](Self::insert_hashes) and [`contains_hashes`](Self::contains_hashes) process one block
/// after the other, which keeps a block in the cache.
///
/// # Merge
/// Exact: the union, block by block, equals the filter of both streams, bit for bit; commutative, associative
/// and idempotent. If the numbers of blocks differ, fold the larger filter first.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill the filter early or that are all false
/// positives. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::membership::{PartitionedBloom, PartitionedParams};
/// let mut large = PartitionedBloom::with_params(PartitionedParams::for_fpr(10_000, 0.001)?);
/// large.extend(0..9_000u32);
/// // The peer has room for four of the nine blocks.
/// let mut small = PartitionedBloom::with_params(large.params().fold(4)?);
/// small.insert(&12_345u32);
/// small.merge(&large.fold(4)?)?;
/// assert!(small.contains(&12_345u32) && small.contains(&8_999u32));
/// assert!(large.fpr().value() < 0.001 && small.fpr().value() < 0.05);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// "sieve" → hash → positions 2 │ 4 │ 1      each block has its own k of the item's positions;
///                            ↓ │ ↓ │ ↓      reported: all bits of all blocks are set
///                   0 0 1 0 1 0│1 1 0 0 1 0│0 1 0 0 1 1
///                   block 0    │block 1    │block 2         drop block 2: the filter of 2 blocks
/// ```
///
/// # References
/// Papapetrou, Siberski and Nejdl, doi:10.1007/s10619-010-7067-2.
///
/// # Measured
/// `crivo-lab run c-partitioned-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct PartitionedBloom {
    params: PartitionedParams,
    spec: HashSpec,
    /// The factor by which the hash is multiplied from block to block, so that each takes the next positions.
    leap: u64,
    blocks: Vec<BloomFilter>,
}

impl PartitionedBloom {
    fn of(params: PartitionedParams, spec: HashSpec, blocks: Vec<BloomFilter>) -> Self {
        Self { params, spec, leap: Probes::leap(params.bits(), params.hashes()), blocks }
    }

    /// Creates an empty filter for `items` items at a false-positive rate of at most `fpr`, with one function
    /// per block.
    ///
    /// # Errors
    /// The errors of [`PartitionedParams::for_fpr`].
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_params(PartitionedParams::for_fpr(items, fpr)?))
    }

    /// Inserts the item with this hash; returns true if it was certainly new.
    #[inline]
    pub fn insert_hash(&mut self, mut hash: u64) -> bool {
        let mut is_new = false;
        for block in &mut self.blocks {
            is_new |= block.insert_hash(hash);
            hash = hash.wrapping_mul(self.leap);
        }
        is_new
    }

    /// Inserts many items by their hashes, block by block.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        let mut states = [0; BATCH];
        for batch in hashes.chunks(BATCH) {
            let states = &mut states[..batch.len()];
            states.copy_from_slice(batch);
            for block in &mut self.blocks {
                block.insert_hashes(states);
                for state in &mut *states {
                    *state = state.wrapping_mul(self.leap);
                }
            }
        }
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, mut hash: u64) -> bool {
        self.blocks.iter().all(|block| {
            let is_inside = block.contains_hash(hash);
            hash = hash.wrapping_mul(self.leap);
            is_inside
        })
    }

    /// Returns whether each of many items may have been inserted, block by block.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        let mut answers = vec![true; hashes.len()];
        let mut states = [0; BATCH];
        for (batch, answers) in hashes.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
            let states = &mut states[..batch.len()];
            states.copy_from_slice(batch);
            for block in &self.blocks {
                block.prefetch(states);
                for (state, answer) in states.iter_mut().zip(&mut *answers) {
                    *answer = *answer && block.contains_hash(*state);
                    *state = state.wrapping_mul(self.leap);
                }
            }
        }
        answers
    }

    /// Returns the probability that an item that was not inserted is reported: the product over the blocks,
    /// which is exact at the present fill, plus the probability that its 64-bit hash equals that of an item
    /// inside.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params.fpr_of_ones(self.blocks.iter().map(|block| block.bits().count_ones())))
    }

    /// Returns the filter of the first `blocks` blocks, which equals a filter that was made with that number.
    ///
    /// # Errors
    /// `InvalidArgument` if `blocks` is 0 or more than there are.
    pub fn fold(&self, blocks: u32) -> Result<Self> {
        let params = self.params.fold(blocks)?;
        Ok(Self::of(params, self.spec, self.blocks[..blocks as usize].to_vec()))
    }

    /// Returns the blocks, each of which is a filter of all items with its own positions.
    pub fn blocks(&self) -> &[BloomFilter] {
        &self.blocks
    }

    fn fill(&self) -> f64 {
        let ones: u64 = self.blocks.iter().map(|block| block.bits().count_ones()).sum();
        ones as f64 / (self.params.bits() * u64::from(self.params.blocks())) as f64
    }
}

shell!(PartitionedBloom: hashes, empty(PartitionedParams), merges, set, filter, collects_at_one_percent, inserts);

impl Core for PartitionedBloom {
    const KIND: Kind = Kind::PartitionedBloom;

    fn heap_bytes(&self) -> usize {
        self.blocks.iter().map(BloomFilter::memory_bytes).sum()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.blocks.iter().for_each(|block| block.bits().to_bytes(payload));
    }

    fn read(params: PartitionedParams, file: &mut Payload<'_>) -> Result<Self> {
        let (count, bits) = (params.blocks() as usize, params.bits());
        let block_bytes = bits.div_ceil(8) as usize;
        if file.bytes.rest().len() != count * block_bytes {
            return Err(Error::malformed(format!("the payload is not {count} blocks of {bits} bits")));
        }
        let mut blocks = Vec::with_capacity(count);
        for block in file.bytes.take_rest().chunks(block_bytes) {
            let block = BitVec::from_bytes(bits, block)
                .ok_or_else(|| Error::malformed(format!("a block is not {bits} bits")))?;
            blocks.push(BloomFilter::from_bits(params.block(), file.spec, block));
        }
        Ok(Self::of(params, file.spec, blocks))
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::number("fill", self.fill()), Fact::rate("fpr", self.fpr())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.blocks.iter_mut().zip(&other.blocks).try_for_each(|(block, theirs)| block.merge(theirs))
    }
}

impl Fold for PartitionedBloom {
    fn fold_to(&self, other: &Self) -> Option<Self> {
        let has_equal_blocks = self.params.block() == other.params.block();
        let folds = has_equal_blocks && other.params.blocks() < self.params.blocks();
        if folds { self.fold(other.params.blocks()).ok() } else { None }
    }
}

impl Empty for PartitionedBloom {
    fn empty(params: PartitionedParams, spec: HashSpec) -> Self {
        let blocks = (0..params.blocks()).map(|_| BloomFilter::empty(params.block(), spec)).collect();
        Self::of(params, spec, blocks)
    }

    fn has_nothing(&self) -> bool {
        self.blocks.iter().all(BloomFilter::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BloomParams, ErrorKind};

    /// The blocks take consecutive parts of the positions of one Bloom filter.
    #[test]
    fn blocks_take_their_positions_in_turn() {
        for bits in [64, 1003] {
            let mut filter = PartitionedBloom::with_params(PartitionedParams::exact(3, bits, 2).unwrap());
            let mut twins = vec![BloomFilter::with_params(BloomParams::exact(bits, 2).unwrap()); 3];
            for item in 0..20u32 {
                let positions: Vec<u64> = Probes::new(filter.hash_spec().hash(&item), bits).take(6).collect();
                filter.insert(&item);
                for (twin, pair) in twins.iter_mut().zip(positions.chunks(2)) {
                    twin.insert_positions(pair).unwrap();
                }
            }
            assert_eq!(filter.blocks(), twins);
        }
    }

    #[test]
    fn unlike_filters_do_not_merge() {
        let make = |blocks, bits, hashes, seed| {
            let params = PartitionedParams::exact(blocks, bits, hashes).unwrap();
            PartitionedBloom::with_params(params).with_hash(HashSpec::seeded(seed))
        };
        let mut filter = make(3, 128, 2, 1);
        filter.insert("kept");
        let before = filter.clone();
        for (other, field) in [
            (make(4, 128, 2, 1), "blocks"),
            (make(3, 192, 2, 1), "bits"),
            (make(3, 128, 1, 1), "hashes"),
            (make(3, 128, 2, 2), "hash"),
        ] {
            let error = filter.merge(&other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
            assert_eq!(filter, before);
        }
    }
}
