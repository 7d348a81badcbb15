//! The blocked Bloom filter: see [`BlockedBloom`].

mod blocks;
mod params;

pub use params::BlockedParams;

use crate::bits::SplitBlock;
use crate::hash::Item;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use blocks::{bits_in_blocks_are_set, block_bits_are_set, set_bits_in_blocks, set_block_bits};
use libm::log1p;

/// A blocked Bloom filter: all bits of an item lie in one block of 256 bits, so that every query reads one
/// cache line.
///
/// # Use when / not when
/// Use it for sets that grow and merge, if speed matters more than the last tenth of the memory, and to read
/// and write the filters of Parquet files. Not if memory is scarce or the rate is below 0.1 % (a plain
/// [`BloomFilter`](crate::BloomFilter) is smaller, and goes below 10⁻⁸), if items must be removed (a counting
/// or cuckoo filter), or if the set never changes (a fuse filter is smaller).
///
/// # Guarantee
/// No false negatives, ever. An item that was not inserted is reported with the probability
/// [`fpr`](Self::fpr), known from the fill of every block; with `n` items inside it is
/// [`BlockedParams::fpr_at`]`(n)` on average over the hash functions. Beyond the planned number of items the
/// rate grows, and `fpr` shows it.
///
/// # Space
/// Some blocks get more items than others and have a higher false-positive rate. The cost of this grows as
/// the rate falls:
///
/// | rate | bits per item | plain Bloom filter | 1 million items |
/// |---|---|---|---|
/// | 10 % | 5.99 | 4.81 | 0.75 MB |
/// | 1 % | 10.53 | 9.62 | 1.32 MB |
/// | 0.1 % | 16.89 | 14.43 | 2.11 MB |
/// | 0.01 % | 26.34 | 19.23 | 3.29 MB |
///
/// # Time
/// One cache line for an insertion and for every query, and eight bits at once if the processor has AVX2,
/// which is detected at run time. [`contains_hashes`](Self::contains_hashes) and
/// [`insert_hashes`](Self::insert_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Exact: the union of two filters equals the filter of both streams, bit for bit; commutative,
/// associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill one block, or that are all false positives. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::BlockedBloom;
/// let mut seen = BlockedBloom::for_fpr(10_000, 0.01)?;
/// for page in 0..10_000u32 {
///     seen.insert(&page);
/// }
/// assert!(seen.contains(&1234u32));
/// let wrong = (10_000..110_000u32).filter(|page| seen.contains(page)).count();
/// assert!((850..1150).contains(&wrong), "{wrong} false positives in 100,000");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// "sieve" → hash → upper half: the block; lower half × 8 salts: a bit in each of its 8 words of 32
///
///   block 0      block 1      block 2                              an insert sets the 8 bits;
///  ┌────────┐   ┌────────┐   ┌──────────────────────────────┐      a query asks whether all 8
///  │        │   │        │   │ ...1. .1... 1.... ..1.. ...  │      are set
///  └────────┘   └────────┘   └──────────────────────────────┘
/// ```
///
/// # References
/// Putze, Sanders and Singler, doi:10.1145/1498698.1594230 · the layout: Apache Parquet's specification of the
/// split-block Bloom filter, and Apple, arXiv:2101.01719 · the exact rate is derived at
/// [`BlockedParams::fpr_at`].
///
/// # Measured
/// `crivo-lab run c-blocked-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BlockedBloom {
    spec: HashSpec,
    blocks: Vec<SplitBlock>,
}

impl BlockedBloom {
    /// Inserts the item with this hash; returns true if it was certainly new.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        set_block_bits(&mut self.blocks, hash)
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        set_bits_in_blocks(&mut self.blocks, hashes);
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        block_bits_are_set(&self.blocks, hash)
    }

    /// Returns whether each of many items may have been inserted, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::BlockedBloom;
    /// let mut filter = BlockedBloom::for_fpr(100, 0.0001)?;
    /// filter.insert_hashes(&[1 << 40, 2 << 40]);
    /// assert_eq!(filter.contains_hashes(&[2 << 40, 3 << 60]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        bits_in_blocks_are_set(&self.blocks, hashes)
    }

    /// Returns the probability that an item that was not inserted is reported: the mean over the blocks of
    /// the product of their words' shares of ones, which is exact at the present fill, plus the probability
    /// that the half of its hash that chooses the bits equals that of an item in its block.
    ///
    /// ```
    /// # use crivo::BlockedBloom;
    /// let mut filter = BlockedBloom::for_fpr(1000, 0.01)?;
    /// assert_eq!(filter.fpr().value(), 0.0);
    /// filter.extend(0..1000u32);
    /// assert!((0.006..0.014).contains(&filter.fpr().value()));
    /// filter.extend(0..10_000u32); // ten times too many: the rate shows it
    /// assert!(filter.fpr().value() > 0.9);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        let params = self.params();
        let mut reported = 0.0;
        for (index, block) in self.blocks.iter().enumerate() {
            let all_set: f64 = block.ones().iter().map(|&ones| f64::from(ones) / 32.0).product();
            reported += all_set * params.width(index as u64) as f64;
        }
        let fill = self.count_ones() as f64 / params.bits() as f64;
        // The number of items that follows from the ones: each item sets one of the 32 × blocks bits of each
        // of the eight words.
        let items = log1p(-fill) / log1p(-8.0 / params.bits() as f64);
        Estimate::exact((reported / 4_294_967_296.0 + params.twin_chance(items)).min(1.0))
    }

    fn count_ones(&self) -> u64 {
        self.blocks.iter().flat_map(SplitBlock::ones).map(u64::from).sum()
    }

    /// Returns the bitset of a Bloom filter in a Parquet file, without the header that precedes it there.
    ///
    /// Parquet's `BLOCK` algorithm is this filter over the XXH64 hash, with seed 0, of a value in plain
    /// encoding. So insert those hashes with [`insert_hash`](Self::insert_hash), and write the number of
    /// bytes, `BLOCK`, `XXHASH` and `UNCOMPRESSED` to the header.
    ///
    /// ```
    /// use crivo::{BlockedBloom, HashSpec};
    /// use crivo::membership::BlockedParams;
    /// let mut column = BlockedBloom::with_params(BlockedParams::for_fpr(1000, 0.01)?);
    /// column.insert_hash(0xd24e_c4f1_a98c_6e5b); // XXH64 of "a"
    /// let bitset = column.to_parquet_bitset();
    /// let read = BlockedBloom::from_parquet_bitset(&bitset, HashSpec::default())?;
    /// assert!(read.contains_hash(0xd24e_c4f1_a98c_6e5b));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn to_parquet_bitset(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.blocks.len() * SplitBlock::BYTES);
        self.write(&mut bytes);
        bytes
    }

    /// Creates the filter with this bitset, which follows the header in a Parquet file.
    ///
    /// `spec` is the hash for items that are inserted from now on. This library does not implement Parquet's
    /// hash: query a filter that Parquet wrote with [`contains_hash`](Self::contains_hash) alone (see
    /// [`to_parquet_bitset`](Self::to_parquet_bitset)).
    ///
    /// # Errors
    /// `InvalidArgument` unless the bytes are whole blocks of 32 bytes, at least one and at most 2²⁶ blocks.
    pub fn from_parquet_bitset(bytes: &[u8], spec: HashSpec) -> Result<Self> {
        let (blocks, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(Error::invalid(format!(
                "a bitset consists of whole blocks of 32 bytes, got {} bytes; pass the bytes after the header",
                bytes.len()
            )));
        }
        BlockedParams::exact(blocks.len() as u64)?;
        Ok(Self { spec, blocks: blocks.iter().map(SplitBlock::from_bytes).collect() })
    }
}

shell!(BlockedBloom: hashes, made(BlockedParams), merges, set, filter, inserts, for_fpr(BlockedParams),
    parallel(Self::insert_hashes));

impl OfSize for BlockedBloom {
    type Params = BlockedParams;

    fn params(&self) -> BlockedParams {
        BlockedParams::of_blocks(&self.blocks)
    }
}

impl Core for BlockedBloom {
    const KIND: Kind = Kind::BlockedBloom;

    fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * SplitBlock::BYTES
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.blocks.iter().for_each(|block| payload.extend_from_slice(&block.to_bytes()));
    }

    fn read(params: BlockedParams, file: &mut Payload<'_>) -> Result<Self> {
        let payload = file.bytes.take_rest();
        if payload.len() as u64 != params.memory_bytes() {
            return Err(Error::malformed(format!(
                "the payload is not {} blocks of 32 bytes",
                params.blocks()
            )));
        }
        Self::from_parquet_bitset(payload, file.spec)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.count_ones() as f64 / self.params().bits() as f64),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        for (block, theirs) in self.blocks.iter_mut().zip(&other.blocks) {
            block.union_with(theirs);
        }
        Ok(())
    }
}

impl Empty for BlockedBloom {
    fn empty(params: BlockedParams, spec: HashSpec) -> Self {
        Self { spec, blocks: vec![SplitBlock::EMPTY; params.blocks() as usize] }
    }

    fn has_nothing(&self) -> bool {
        self.blocks.iter().all(SplitBlock::is_empty)
    }
}

impl<T: Item> FromIterator<T> for BlockedBloom {
    /// Creates a filter with a false-positive rate of 1 %, sized for the number of items; only their hashes
    /// are kept meanwhile. Beyond 1.6 billion items it is the largest possible filter, with a higher rate,
    /// which [`fpr`](Self::fpr) returns.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let spec = HashSpec::default();
        let hashes: Vec<u64> = items.into_iter().map(|item| spec.hash(&item)).collect();
        let params = BlockedParams::for_fpr((hashes.len() as u64).max(1), 0.01);
        let mut filter = Self::with_params(params.unwrap_or(BlockedParams::LARGEST));
        filter.insert_hashes(&hashes);
        filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh64::xxh64;

    fn parquet_hash(value: &[u8]) -> u64 {
        xxh64(value, 0)
    }

    /// A bitset that parquet-mr wrote for the texts `a0` to `a9`; the tests of other readers use it too.
    #[test]
    fn the_bitset_is_that_of_parquet() {
        #[rustfmt::skip]
        let bitset = [
            200, 1, 80, 20, 64, 68, 8, 109, 6, 37, 4, 67, 144, 80, 96, 32,
            8, 132, 43, 33, 0, 5, 99, 65, 2, 0, 224, 44, 64, 78, 96, 4,
        ];
        let hashes: Vec<u64> = (0..10).map(|i| parquet_hash(format!("a{i}").as_bytes())).collect();
        let read = BlockedBloom::from_parquet_bitset(&bitset, HashSpec::default()).unwrap();
        assert_eq!(read.contains_hashes(&hashes), [true; 10]);
        let mut written = BlockedBloom::with_params(BlockedParams::exact(1).unwrap());
        written.insert_hashes(&hashes);
        assert_eq!(written.to_parquet_bitset(), bitset);
        assert_eq!(written, read);
    }

    /// Checks a filter of several blocks against the text of the specification.
    #[test]
    fn a_value_sets_the_bits_that_the_specification_says() {
        // XXH64 of `a` is 0xd24ec4f1a98c6e5b: block (0xd24ec4f1 · 5) >> 32 = 4, and
        // (0xa98c6e5b · salt) >> 27 for the eight salts of the specification.
        let hash = parquet_hash(b"a");
        assert_eq!(hash, 0xd24e_c4f1_a98c_6e5b);
        let mut filter = BlockedBloom::with_params(BlockedParams::exact(5).unwrap());
        filter.insert_hash(hash);
        let mut expected = [0u8; 5 * 32];
        for (word, bit) in [18, 17, 1, 12, 17, 24, 27, 31].into_iter().enumerate() {
            expected[4 * 32 + word * 4 + bit / 8] = 1 << (bit % 8);
        }
        assert_eq!(filter.to_parquet_bitset(), expected);
    }

    #[test]
    fn a_bitset_must_be_whole_blocks() {
        for length in [0, 1, 31, 33, 63] {
            let error = BlockedBloom::from_parquet_bitset(&vec![0; length], HashSpec::default()).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument);
            assert!(format!("{error}").contains(&format!("{length}")), "{error}");
        }
    }

    #[test]
    fn unlike_filters_do_not_merge() {
        let make = |blocks, seed| {
            BlockedBloom::with_params(BlockedParams::exact(blocks).unwrap()).with_hash(HashSpec::seeded(seed))
        };
        let mut filter = make(3, 1);
        filter.insert("kept");
        let before = filter.clone();
        for (other, field) in [(make(4, 1), "blocks"), (make(3, 2), "hash")] {
            let error = filter.merge(&other).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
            assert_eq!(filter, before);
        }
    }

    #[test]
    fn a_full_filter_says_so() {
        let mut filter = BlockedBloom::with_params(BlockedParams::exact(1).unwrap());
        filter.extend(0..10_000u32);
        assert_eq!(filter.fpr().value(), 1.0);
    }
}
