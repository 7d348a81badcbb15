//! The block-partitioned Bloom filter: see [`PartitionedBloom`].

mod params;

pub use params::PartitionedParams;

use super::bloom::BloomFilter;
use crate::bits::BitVec;
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::hash::{Item, Probes};
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Fact, Sketch, Wire, collects_at_one_percent, filter_answers, set_sketch, wire_methods};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A Bloom filter in blocks, each a small Bloom filter of *all* items: leave blocks out, and it is still a filter.
///
/// # Use when / not when
/// Use it where filters of one set are kept or sent in several sizes: the first blocks of a filter *are* the smaller
/// filter ([`fold`](Self::fold)), so a peer may ask for as many as it can hold, and filters of unlike numbers of blocks
/// merge on their common ones. Not when one size is enough ([`BloomFilter`] is simpler), and not for one cache
/// miss a query: these blocks are not the blocks of a blocked filter, and every one of them is asked.
///
/// # Guarantee
/// No false negatives, ever. An item that was not inserted is reported when all blocks err: with the product of their
/// rates, [`fpr`](Self::fpr), known exactly from the fill; with `n` items inside it is
/// [`PartitionedParams::fpr_at`]`(n)` on average over the hash functions.
///
/// # Space
/// That of a Bloom filter, and 72 bytes a block. With one function a block, as [`PartitionedParams::for_fpr`] makes
/// them, each block left out multiplies the rate by about 2:
///
/// | rate | bits an item | blocks | the rate with one block fewer |
/// |---|---|---|---|
/// | 10 % | 4.80 | 3 | 21.5 % |
/// | 1 % | 9.62 | 6 | 2.15 % |
/// | 0.1 % | 14.43 | 9 | 0.215 % |
///
/// # Time
/// k scattered bits in every block for an insert or a yes, two blocks for a no.
/// [`insert_hashes`](Self::insert_hashes) and [`contains_hashes`](Self::contains_hashes) go block by block, which keeps a
/// block in the cache.
///
/// # Merge
/// Exact: block by block the union, bit for bit the filter of both streams; commutative, associative and idempotent.
/// Fold the larger of two filters with unlike numbers of blocks first.
///
/// # Hostile input
/// Whoever knows the seed can choose items that fill the filter early or that all answer yes. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::{PartitionedBloom, PartitionedParams};
/// let mut large = PartitionedBloom::new(PartitionedParams::for_fpr(10_000, 0.001)?);
/// large.extend(0..9_000u32);
/// // The peer has room for four of the nine blocks.
/// let mut small = PartitionedBloom::new(large.params().fold(4)?);
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
///                            ↓ │ ↓ │ ↓      inside: all bits of all blocks are set
///                   0 0 1 0 1 0│1 1 0 0 1 0│0 1 0 0 1 1
///                   block 0    │block 1    │block 2         drop block 2: the filter of 2 blocks
/// ```
///
/// # References
/// Papapetrou, Siberski and Nejdl, doi:10.1007/s10619-010-7067-2.
///
/// # Measured
/// `crivo lab run c-partitioned-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct PartitionedBloom {
    params: PartitionedParams,
    spec: HashSpec,
    /// What the hash is multiplied by from block to block: the next takes the positions that follow.
    leap: u64,
    blocks: Vec<BloomFilter>,
}

impl PartitionedBloom {
    /// An empty filter with the default hash.
    pub fn new(params: PartitionedParams) -> Self {
        Self::with_spec(params, HashSpec::default())
    }

    /// An empty filter with a hash of one's own.
    pub fn with_spec(params: PartitionedParams, spec: HashSpec) -> Self {
        let blocks = (0..params.blocks()).map(|_| BloomFilter::with_spec(params.block(), spec)).collect();
        Self::of(params, spec, blocks)
    }

    fn of(params: PartitionedParams, spec: HashSpec, blocks: Vec<BloomFilter>) -> Self {
        Self { params, spec, leap: Probes::leap(params.bits(), params.hashes()), blocks }
    }

    /// An empty filter for `items` items at a false positive rate of at most `fpr`, with one function a block.
    ///
    /// # Errors
    /// As [`PartitionedParams::for_fpr`].
    pub fn with_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::new(PartitionedParams::for_fpr(items, fpr)?))
    }

    /// Inserts an item; true when it was certainly new.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> bool {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts the item with this hash; true when it was certainly new.
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

    /// Whether the item may have been inserted: `false` is certain.
    #[inline]
    pub fn contains<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains_hash(self.spec.hash(item))
    }

    /// Whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, mut hash: u64) -> bool {
        self.blocks.iter().all(|block| {
            let is_inside = block.contains_hash(hash);
            hash = hash.wrapping_mul(self.leap);
            is_inside
        })
    }

    /// Whether each of many items may have been inserted, block by block.
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

    /// The probability that an item which was not inserted is reported: the product over the blocks, exact at the
    /// present fill, and the chance that its 64-bit hash is that of an item inside.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params.fpr_of_ones(self.blocks.iter().map(|block| block.bits().count_ones())))
    }

    /// The filter of the first `blocks` blocks: what one made with so many would be.
    ///
    /// # Errors
    /// `InvalidArgument` when `blocks` is 0 or more than there are.
    pub fn fold(&self, blocks: u32) -> Result<Self> {
        let params = self.params.fold(blocks)?;
        Ok(Self::of(params, self.spec, self.blocks[..blocks as usize].to_vec()))
    }

    /// Becomes the filter of the union of both streams.
    ///
    /// # Errors
    /// `Incompatible` when size or hash differ; `self` is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let (ours, theirs) = (self.params, other.params);
        if ours.blocks() != theirs.blocks() {
            let remedy = "fold the one with more blocks first";
            return Err(Error::incompatible("blocks", ours.blocks(), theirs.blocks(), remedy));
        }
        // The blocks of a filter are alike: when the first two merge, all do.
        self.blocks.iter_mut().zip(&other.blocks).try_for_each(|(block, theirs)| block.merge(theirs))
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.blocks.iter_mut().for_each(BloomFilter::clear);
    }

    /// Whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(BloomFilter::is_empty)
    }

    /// The size.
    pub fn params(&self) -> PartitionedParams {
        self.params
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.blocks.iter().map(BloomFilter::memory_bytes).sum::<usize>()
    }

    /// The blocks, each the filter of all items under positions of its own.
    pub fn blocks(&self) -> &[BloomFilter] {
        &self.blocks
    }

    fn fill(&self) -> f64 {
        let ones: u64 = self.blocks.iter().map(|block| block.bits().count_ones()).sum();
        ones as f64 / (self.params.bits() * u64::from(self.params.blocks())) as f64
    }
}

wire_methods!(PartitionedBloom);
set_sketch!(PartitionedBloom);
filter_answers!(PartitionedBloom);
collects_at_one_percent!(PartitionedBloom);

impl Wire for PartitionedBloom {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::with_capacity(9);
        put_u64_varint(&mut params, u64::from(self.params.blocks()));
        put_u64_varint(&mut params, self.params.bits());
        put_u64_varint(&mut params, u64::from(self.params.hashes()));
        let mut payload = Vec::new();
        self.blocks.iter().for_each(|block| block.bits().to_bytes(&mut payload));
        codec::seal(Kind::PartitionedBloom, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::PartitionedBloom, bytes, options)?;
        let count = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        let bits = envelope.params.u64_varint()?;
        let hashes = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        envelope.params.finish()?;
        let params = PartitionedParams::exact(count, bits, hashes)
            .map_err(|error| Error::malformed(format!("{error}")))?;
        codec::check_memory(params.allocated_bytes(), options)?;
        let block_bytes = bits.div_ceil(8) as usize;
        if envelope.payload.rest().len() != count as usize * block_bytes {
            return Err(Error::malformed(format!("the payload is not {count} blocks of {bits} bits")));
        }
        let mut blocks = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let block = envelope.payload.bytes(block_bytes)?;
            let block = BitVec::from_bytes(bits, block).ok_or_else(|| {
                Error::malformed(format!("a block is not {bits} bits; copy the file again"))
            })?;
            blocks.push(BloomFilter::from_bits(params.block(), envelope.spec, block));
        }
        Ok(Self::of(params, envelope.spec, blocks))
    }
}

impl Sketch for PartitionedBloom {
    fn kind(&self) -> Kind {
        Kind::PartitionedBloom
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        Some(&self.spec)
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("blocks", u64::from(self.params.blocks())),
            Fact::count("bits", self.params.bits()),
            Fact::count("hashes", u64::from(self.params.hashes())),
            Fact::number("fill", self.fill()),
            Fact::rate("fpr", self.fpr()),
        ]
    }
}

impl fmt::Debug for PartitionedBloom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "PartitionedBloom({} blocks of {} bits, {:.1} % set, {} hashes each, {})",
            self.params.blocks(),
            self.params.bits(),
            self.fill() * 100.0,
            self.params.hashes(),
            self.spec
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BloomParams, ErrorKind};

    /// The blocks share out the positions of one Bloom filter's sequence.
    #[test]
    fn blocks_take_their_positions_in_turn() {
        for bits in [64, 1003] {
            let mut filter = PartitionedBloom::new(PartitionedParams::exact(3, bits, 2).unwrap());
            let mut twins = vec![BloomFilter::new(BloomParams::exact(bits, 2).unwrap()); 3];
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
            PartitionedBloom::with_spec(params, HashSpec::seeded(seed))
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
