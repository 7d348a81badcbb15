//! The Bloom filter: see [`BloomFilter`].

mod count;
mod fold;
pub(super) mod params;
mod questions;
pub(super) mod rate;

pub use params::BloomParams;

use crate::bits::BitVec;
use crate::kind::Kind;
use crate::membership::probed_bits::{Words, prefetch_probed_bits, probed_bits_are_set, set_probed_bits};
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches};
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
pub(crate) use count::Occupancy;
pub(super) use params::MAX_BITS;

/// A Bloom filter: a compact set that answers *certainly not inserted* or *probably inserted*.
///
/// # Use when / not when
/// Use it for sets that grow, are merged and are sent over a network, if false positives at a small chosen
/// rate are harmless. Not if items must be removed (a counting or cuckoo filter), if the set never changes (a
/// fuse filter is smaller), or if a cache miss for each bit of a query is too slow (a blocked filter has
/// one).
///
/// # Guarantee
/// No false negatives, ever. An item that was not inserted is reported with the probability
/// [`fpr`](Self::fpr), known exactly from the fill; with `n` items inside it is [`BloomParams::fpr_at`]`(n)`
/// on average over the hash functions. Beyond the planned number of items the rate grows, and `fpr` shows it.
///
/// # Space
/// 1.44·log₂(1/rate) bits per item, whatever the size of the item:
///
/// | rate | bits per item | functions | 1 million items |
/// |---|---|---|---|
/// | 10 % | 4.80 | 3 | 0.60 MB |
/// | 1 % | 9.62 | 6 | 1.20 MB |
/// | 0.1 % | 14.43 | 9 | 1.80 MB |
///
/// [`fold`](Self::fold) halves a filter that turned out too large.
///
/// # Time
/// k scattered bits for an insertion or a positive query, three or four for a negative one.
/// [`contains_hashes`](Self::contains_hashes) and [`insert_hashes`](Self::insert_hashes) overlap the cache
/// misses of many items.
///
/// # Merge
/// Exact: the union of two filters equals the filter of both streams, bit for bit; commutative, associative
/// and idempotent. [`intersect`](Self::intersect) keeps the common items of two filters.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill the filter early or that are all false
/// positives. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::BloomFilter;
/// let mut seen = BloomFilter::for_fpr(10_000, 0.01)?;
/// for page in 0..10_000u32 {
///     seen.insert(&page);
/// }
/// assert!(seen.contains(&1234u32));
/// let wrong = (10_000..110_000u32).filter(|page| seen.contains(page)).count();
/// assert!((900..1100).contains(&wrong), "{wrong} false positives in 100,000");
/// assert!(seen.cardinality().contains(10_000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// "sieve" → hash → positions  2        9   12         an insertion sets its k bits;
///                             ↓        ↓   ↓          a query checks that all k are set,
///            0  0  1  0  1  0 0  0  0  1 0 0  1  0    which bits of other items may be by chance
/// ```
///
/// # References
/// Bloom, doi:10.1145/362686.362692 · exact rate: Bose et al., doi:10.1016/j.ipl.2008.05.018 · number of
/// items and union: Papapetrou, Siberski and Nejdl, doi:10.1007/s10619-010-7067-2 · one hash for all
/// positions: Kirsch and Mitzenmacher, doi:10.1002/rsa.20208, with a stronger derivation
/// ([`Probes`](crate::hash::Probes)).
///
/// # Measured
/// `crivo-lab run c-bloom-filter`, `e-f5`, `e-f6`, `e-f9`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BloomFilter {
    params: BloomParams,
    spec: HashSpec,
    bits: BitVec,
}

impl BloomFilter {
    /// Creates a filter from bits, whose number must match the params.
    pub(crate) fn from_bits(params: BloomParams, spec: HashSpec, bits: BitVec) -> Self {
        assert_eq!(params.bits(), bits.len());
        Self { params, spec, bits }
    }

    /// Inserts the item with this hash; returns true if it was certainly new.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        if self.params.folds() > 0 {
            return self.insert_folded(hash);
        }
        set_probed_bits(self.bits.words_mut(), self.params.range(), hash, self.params.hashes()) > 0
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.insert_hash(hash);
            }
        }
    }

    /// Inserts an item whose positions the caller has computed, by setting these bits.
    ///
    /// ```
    /// # use crivo::{BloomFilter, BloomParams};
    /// let mut filter = BloomFilter::with_params(BloomParams::exact(16, 2)?);
    /// filter.insert_positions(&[5, 10])?;
    /// assert!(filter.contains_positions(&[10, 5])?);
    /// assert!(filter.insert_positions(&[16]).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if a position lies beyond the last bit; nothing is inserted then.
    pub fn insert_positions(&mut self, positions: &[u64]) -> Result<bool> {
        self.check_positions(positions)?;
        Ok(positions.iter().fold(false, |is_new, &position| self.bits.set(position) | is_new))
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        Self::contains_in(self.bits.words(), self.params, hash)
    }

    /// Answers a query on words in memory or in a file.
    #[inline]
    pub(crate) fn contains_in<W: Words + ?Sized>(words: &W, params: BloomParams, hash: u64) -> bool {
        if params.folds() > 0 {
            return fold::contains(words, params, hash);
        }
        probed_bits_are_set(words, params.range(), hash, params.hashes())
    }

    /// Returns whether each of many items may have been inserted, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let mut filter = BloomFilter::for_fpr(100, 0.0001)?;
    /// filter.insert_hashes(&[1 << 40, 2 << 40]);
    /// assert_eq!(filter.contains_hashes(&[2 << 40, 3 << 40]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    /// Returns whether all these bits are set.
    ///
    /// # Errors
    /// `InvalidArgument` when a position lies beyond the last bit.
    pub fn contains_positions(&self, positions: &[u64]) -> Result<bool> {
        self.check_positions(positions)?;
        Ok(positions.iter().all(|&position| self.bits.get(position)))
    }

    /// Prefetches the cache lines of these items, unless the filter stays in the cache by itself.
    #[inline]
    pub(crate) fn prefetch(&self, hashes: &[u64]) {
        if self.bits.memory_bytes() < CACHED_BYTES || self.params.folds() > 0 {
            return;
        }
        for &hash in hashes {
            prefetch_probed_bits(self.bits.words(), self.params.range(), hash, self.params.hashes());
        }
    }

    fn check_positions(&self, positions: &[u64]) -> Result<()> {
        match positions.iter().find(|&&position| position >= self.params.bits()) {
            None => Ok(()),
            Some(position) => Err(Error::invalid(format!(
                "position {position} is beyond the {} bits of the filter; positions count from 0",
                self.params.bits()
            ))),
        }
    }

    /// Returns the probability that an item that was not inserted is reported: (ones/m)ᵏ, which is exact at
    /// the present fill, plus the probability that its 64-bit hash equals that of an item inside.
    ///
    /// ```
    /// # use crivo::BloomFilter;
    /// let mut filter = BloomFilter::for_fpr(1000, 0.01)?;
    /// assert_eq!(filter.fpr().value(), 0.0);
    /// filter.extend(0..1000u32);
    /// assert!((0.008..0.012).contains(&filter.fpr().value()));
    /// filter.extend(0..10_000u32); // ten times too many: the rate shows it
    /// assert!(filter.fpr().value() > 0.9);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.occupancy().fpr())
    }

    /// Returns the share of bits that are set. A filter made for a target is full at about one half.
    pub fn fill(&self) -> f64 {
        self.bits.count_ones() as f64 / self.params.bits() as f64
    }

    /// Returns the bits, position 0 first, as the worked examples print them.
    pub fn bits(&self) -> &BitVec {
        &self.bits
    }
}

shell!(BloomFilter: hashes, empty(BloomParams), merges, set, filter, collects_at_one_percent, inserts, for_fpr(BloomParams),
    parallel(Self::insert_hashes));

impl Core for BloomFilter {
    const KIND: Kind = Kind::BloomFilter;

    fn heap_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.bits.to_bytes(payload);
    }

    fn read(params: BloomParams, file: &mut Payload<'_>) -> Result<Self> {
        check_bits(&params, file.bytes.rest())?;
        let bits = BitVec::from_bytes(params.bits(), file.bytes.take_rest())
            .ok_or_else(|| Error::malformed("the padding bits of the filter are not 0"))?;
        Ok(Self { params, spec: file.spec, bits })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.fill()),
            Fact::estimate("cardinality", self.cardinality()),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.bits.union_with(&other.bits);
        Ok(())
    }
}

impl Empty for BloomFilter {
    fn empty(params: BloomParams, spec: HashSpec) -> Self {
        Self { params, spec, bits: BitVec::new(params.bits()) }
    }

    fn has_nothing(&self) -> bool {
        self.bits.words().iter().all(|&word| word == 0)
    }
}

/// Refuses a payload whose number of bits does not match the params.
pub(crate) fn check_bits(params: &BloomParams, payload: &[u8]) -> Result<()> {
    if payload.len() as u64 == params.bits().div_ceil(8) {
        return Ok(());
    }
    Err(Error::malformed(format!("the payload is not {} bits", params.bits())))
}

#[cfg(test)]
mod tests;
