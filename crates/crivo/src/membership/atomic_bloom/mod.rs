//! The atomic Bloom filter: see [`AtomicBloom`].

mod params;

pub use params::AtomicParams;

use crate::hash::TWO_TO_64;
use crate::hash::{Item, reduce};
use crate::kind::Kind;
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches, prefetch};
use crate::sketch::{Core, Empty, Fact, Payload, check_same, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};
use libm::{log1p, pow};

/// The number of words in a block.
const WORDS: usize = 8;
const BITS_OF_WORD: f64 = 64.0;

/// A Bloom filter that many threads can fill at once, through a shared reference.
///
/// # Use when / not when
/// Use it for one set that several threads insert into and query at the same time, without a lock. Not for
/// one thread, or if each thread can have its own filter and the filters are merged at the end: a
/// [`BlockedBloom`](crate::BlockedBloom) is faster, a [`BloomFilter`](crate::BloomFilter) smaller.
///
/// # Guarantee
/// No false negatives: a query sees every insertion that happens before it. The items of a thread are visible
/// to all threads that joined it, received a message from it, or took a lock after it. Without such
/// synchronisation another thread sees the insertion soon, but no order is guaranteed (all accesses are
/// relaxed), not even between the two words of an item. An item that was not inserted is reported with the
/// probability [`fpr`](Self::fpr), known from the fill of every word; with `n` items inside it is
/// [`AtomicParams::fpr_at`]`(n)` on average over the hash functions. The state does not depend on the order
/// of the insertions or on the number of threads.
///
/// # Space
/// Some blocks and words get more items than others and have a higher false-positive rate:
///
/// | rate | bits per item | functions | plain Bloom filter | 1 million items |
/// |---|---|---|---|---|
/// | 10 % | 4.90 | 4 | 4.81 | 0.61 MB |
/// | 1 % | 10.18 | 6 | 9.62 | 1.27 MB |
/// | 0.1 % | 16.76 | 8 | 14.43 | 2.09 MB |
/// | 0.01 % | 25.26 | 10 | 19.23 | 3.16 MB |
///
/// # Time
/// One cache line for an insertion and for every query. An insertion takes two atomic operations, each of
/// which is skipped if its bits are already set. [`contains_hashes`](Self::contains_hashes) and
/// [`insert_hashes`](Self::insert_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Exact: the union of two filters equals the filter of both streams, bit for bit; commutative, associative
/// and idempotent. Other threads may continue to insert meanwhile.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill one block, or that are all false positives. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::AtomicBloom;
/// let seen = AtomicBloom::for_fpr(10_000, 0.01)?;
/// std::thread::scope(|scope| {
///     for part in 0..4u32 {
///         let seen = &seen;
///         scope.spawn(move || (0..2500).for_each(|page| { seen.insert(&(part * 2500 + page)); }));
///     }
/// });
/// assert!((0..10_000u32).all(|page| seen.contains(&page)));
/// let wrong = (10_000..110_000u32).filter(|page| seen.contains(page)).count();
/// assert!((850..1150).contains(&wrong), "{wrong} false positives in 100,000");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// "sieve" → hash → a block, two of its words, k/2 bits in each
///
///  block 41, one cache line:  w0   w1   w2   w3   w4   w5   w6   w7
///                                  ↑                   ↑
///                             or ..1..1.1.         or 1....1..1      one atomic or for each word
/// ```
///
/// # References
/// Blocks: Putze, Sanders and Singler, doi:10.1145/1498698.1594230 · words of a block: Lang et al.,
/// doi:10.14778/3303753.3303757 · the exact rate is derived at [`AtomicParams::fpr_at`].
///
/// # Measured
/// `crivo-lab run c-atomic-bloom`; the last full run is in `docs/lab`.
pub struct AtomicBloom {
    params: AtomicParams,
    spec: HashSpec,
    blocks: Vec<Block>,
}

/// A block of one cache line.
#[repr(C, align(64))]
struct Block([AtomicU64; WORDS]);

impl Block {
    fn new(words: [u64; WORDS]) -> Self {
        Self(words.map(AtomicU64::new))
    }

    fn load(&self) -> [u64; WORDS] {
        core::array::from_fn(|i| self.0[i].load(Ordering::Relaxed))
    }
}

/// The bits of an item: two distinct words of a block, and the bits in each.
struct Place {
    words: [usize; 2],
    masks: [u64; 2],
}

impl Place {
    /// Computes the place of a hash. Two bijective mixes of the hash each give a word and its bits, as digits
    /// in base 64 from the lowest on. The hash itself will not do, since its upper bits have chosen the
    /// block.
    #[inline]
    fn of(hash: u64, per_word: u32) -> Self {
        let first = mix(hash);
        let second = mix(first);
        let word = first >> 61;
        // One of the seven other words.
        let other = (word + 1 + reduce(second, 7)) % WORDS as u64;
        let mut masks = [0; 2];
        // With a constant bound the compiler unrolls the loop, which is faster.
        for digit in 0..AtomicParams::MAX_PER_WORD {
            if digit == per_word {
                break;
            }
            masks[0] |= 1 << (first >> (6 * digit) & 63);
            masks[1] |= 1 << (second >> (6 * digit) & 63);
        }
        Self { words: [word as usize, other as usize], masks }
    }
}

/// Returns a bijective mix: a multiplication carries every bit upwards, a shift carries the upper half down.
#[inline]
fn mix(value: u64) -> u64 {
    let product = value.wrapping_mul(0xd134_2543_de82_ef95);
    product ^ product >> 32
}

impl AtomicBloom {
    /// Inserts an item; returns true if it was certainly new. If threads insert the same new item at once, at
    /// least one of them gets true.
    ///
    /// ```
    /// # use crivo::AtomicBloom;
    /// let filter = AtomicBloom::for_fpr(100, 0.01)?;
    /// assert!(filter.insert("new"));
    /// assert!(!filter.insert("new"));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    #[inline]
    pub fn insert<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts the item with this hash; returns true if it was certainly new.
    #[inline]
    pub fn insert_hash(&self, hash: u64) -> bool {
        let place = Place::of(hash, self.params.per_word());
        let block = &self.blocks[self.block_index(hash)];
        let mut was_clear = false;
        for (word, mask) in place.words.into_iter().zip(place.masks) {
            let word = &block.0[word];
            // An atomic OR takes the cache line away from all other threads, so it is done only if it changes
            // something.
            if word.load(Ordering::Relaxed) & mask != mask {
                was_clear |= word.fetch_or(mask, Ordering::Relaxed) & mask != mask;
            }
        }
        was_clear
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&self, hashes: &[u64]) {
        for batch in hashes.chunks(BATCH) {
            self.prefetch(batch);
            for &hash in batch {
                self.insert_hash(hash);
            }
        }
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let place = Place::of(hash, self.params.per_word());
        let block = &self.blocks[self.block_index(hash)];
        let missing = |i: usize| place.masks[i] & !block.0[place.words[i]].load(Ordering::Relaxed);
        missing(0) | missing(1) == 0
    }

    /// Returns whether each of many items may have been inserted, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::AtomicBloom;
    /// let filter = AtomicBloom::for_fpr(100, 0.0001)?;
    /// filter.insert_hashes(&[1 << 40, 2 << 40]);
    /// assert_eq!(filter.contains_hashes(&[2 << 40, 3 << 40]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    #[inline]
    fn block_index(&self, hash: u64) -> usize {
        reduce(hash, self.blocks.len() as u64) as usize
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.params.memory_bytes() >= CACHED_BYTES as u64 {
            for &hash in hashes {
                prefetch(&self.blocks, self.block_index(hash));
            }
        }
    }

    /// Returns the probability that an item that was not inserted is reported: the mean over the blocks, and
    /// over the pairs of words in each, of the product of their shares of ones to the power of k/2, which is
    /// exact at the present fill; plus the probability that its 64-bit hash equals that of an item inside.
    ///
    /// ```
    /// # use crivo::AtomicBloom;
    /// let mut filter = AtomicBloom::for_fpr(1000, 0.01)?;
    /// assert_eq!(filter.fpr().value(), 0.0);
    /// filter.extend(0..1000u32);
    /// assert!((0.006..0.014).contains(&filter.fpr().value()));
    /// filter.extend(0..10_000u32); // ten times too many: the rate shows it
    /// assert!(filter.fpr().value() > 0.9);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        let per_word = f64::from(self.params.per_word());
        let chances: [f64; 65] = core::array::from_fn(|ones| pow(ones as f64 / BITS_OF_WORD, per_word));
        let mut reported = 0.0;
        for block in &self.blocks {
            let words = block.load().map(|word| chances[word.count_ones() as usize]);
            let sum: f64 = words.iter().sum();
            let squares: f64 = words.iter().map(|chance| chance * chance).sum();
            reported += (sum * sum - squares) / (WORDS * (WORDS - 1)) as f64;
        }
        let fill = self.count_ones() as f64 / self.params.bits() as f64;
        // The number of items that follows from the number of ones.
        let items =
            log1p(-fill) / (f64::from(self.params.hashes()) * log1p(-1.0 / self.params.bits() as f64));
        Estimate::exact((reported / self.blocks.len() as f64 + items / TWO_TO_64).min(1.0))
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().flat_map(Block::load)
    }

    fn count_ones(&self) -> u64 {
        self.words().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Merges another filter: `self` becomes the filter of both streams. Items that other threads insert into
    /// either filter meanwhile stay in that filter, and may or may not be merged.
    ///
    /// # Errors
    /// `Incompatible` if size or hash differ, or if `other` is marked and `self` is not: a shared filter cannot
    /// change its [form](crate::ItemForm). `self` is unchanged then.
    pub fn merge(&self, other: &Self) -> Result<()> {
        check_same(self, other)?;
        let [ours, theirs] = [self.spec.form(), other.spec.form()];
        if ours.join(theirs)? != ours {
            let advice = "make the filter that takes the other in with the marked hash spec";
            return Err(Error::incompatible("form of items", ours.name(), theirs.name(), advice));
        }
        self.union_with(other);
        Ok(())
    }

    fn union_with(&self, other: &Self) {
        let words = self.blocks.iter().flat_map(|block| &block.0);
        for (word, theirs) in words.zip(other.words()) {
            word.fetch_or(theirs, Ordering::Relaxed);
        }
    }
}

shell!(AtomicBloom: hashes, empty(AtomicParams), set, filter, collects_at_one_percent, for_fpr(AtomicParams));

impl Core for AtomicBloom {
    const KIND: Kind = Kind::AtomicBloom;

    fn heap_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.words().for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
    }

    fn read(params: AtomicParams, file: &mut Payload<'_>) -> Result<Self> {
        let (words, rest) = file.bytes.take_rest().as_chunks();
        let (blocks, spare) = words.as_chunks::<WORDS>();
        if blocks.len() as u64 != params.blocks() || !spare.is_empty() || !rest.is_empty() {
            return Err(Error::malformed(format!(
                "the payload is not {} blocks of 64 bytes",
                params.blocks()
            )));
        }
        let blocks = blocks.iter().map(|words| Block::new(words.map(u64::from_le_bytes))).collect();
        Ok(Self { params, spec: file.spec, blocks })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.count_ones() as f64 / self.params.bits() as f64),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.union_with(other);
        Ok(())
    }
}

impl Empty for AtomicBloom {
    fn empty(params: AtomicParams, spec: HashSpec) -> Self {
        Self { params, spec, blocks: (0..params.blocks()).map(|_| Block::new([0; WORDS])).collect() }
    }

    fn has_nothing(&self) -> bool {
        self.words().all(|word| word == 0)
    }
}

impl Clone for AtomicBloom {
    /// Copies the present contents; concurrent insertions of other threads may or may not be included.
    fn clone(&self) -> Self {
        let blocks = self.blocks.iter().map(|block| Block::new(block.load())).collect();
        Self { params: self.params, spec: self.spec, blocks }
    }
}

impl PartialEq for AtomicBloom {
    fn eq(&self, other: &Self) -> bool {
        (self.params, self.spec) == (other.params, other.spec) && self.words().eq(other.words())
    }
}

#[cfg(test)]
mod tests;
