//! The spectral Bloom filter: see [`SpectralBloom`].

mod params;

pub use params::SpectralParams;

use super::counters::Counters;
use crate::bits::PackedArray;
use crate::codec::put_u64_varint;
use crate::estimate::{check_confidence, count_down, count_up};
use crate::hash::{Item, for_each_block};
use crate::kind::{Kind, MergeLaw};
use crate::memory::{BATCH, answer_in_batches};
use crate::sketch::{Core, Empty, Fact, Insert, Payload, Remove, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use params::yes_or_no;

/// A spectral Bloom filter: a Bloom filter of a multiset that returns how often an item was added. Answers
/// are nearly always exact and never too low.
///
/// # Use when / not when
/// Use it for a multiset whose number of *distinct* items is known beforehand: most answers are then exact,
/// even for rare items, and items can be removed. Not for streams with an unbounded number of distinct items
/// ([`CountMin`](crate::CountMin), whose error is a share of the total), and not for plain sets, which need
/// one bit instead of a counter ([`BloomFilter`](crate::BloomFilter)).
///
/// # Guarantee
/// [`frequency`](Self::frequency) is never below the true value, as long as only added items are removed.
/// With at most the planned number of distinct items, it is too high (by any amount) with a probability of at
/// most the planned rate, and [`contains`](Self::contains) has the same false-positive rate:
/// [`fpr`](Self::fpr). The lower bound is proven at 95 %: while the fill is below 0.05^(1/k), which is 61 %
/// for six functions, it equals the answer; beyond that it follows from the total as for a Count-Min sketch.
/// Counters saturate: then `upper()` is infinite. If occurrences are removed while counters are saturated,
/// the lower bounds are 0 from then on.
///
/// # Space
/// b bits for every bit of a Bloom filter; b is 16 by default and can be 2 to 32:
///
/// | rate | bits per item | functions | 1 million items |
/// |---|---|---|---|
/// | 10 % | 76.8 | 3 | 9.60 MB |
/// | 1 % | 154 | 6 | 19.2 MB |
/// | 0.1 % | 231 | 9 | 28.9 MB |
///
/// # Time
/// k scattered counters for an update or a query; with minimal increase, an update reads them first.
///
/// # Merge
/// Plain: exact (the counters are added), commutative and associative, not idempotent, since it is a
/// multiset. Minimal increase: bounded. It is never too low and at most what the plain filter of both streams
/// would return, but differs from one pass.
///
/// # Hostile input
/// An attacker who knows the seed can add counts to a victim's counters, or remove items that were never
/// added. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::membership::SpectralBloom;
/// let mut basket = SpectralBloom::for_fpr(1000, 0.01)?;
/// basket.add("egg", 12);
/// basket.add("flour", 1);
/// basket.remove("egg", 3)?;
/// assert_eq!(basket.frequency("egg").value(), 9.0);
/// assert_eq!(basket.frequency("salt").upper(), 0.0);
/// assert_eq!(basket.total(), 10);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// add("egg", 12) → hash → positions  1        5     8     an item adds its count to its k counters;
///                                    ↓        ↓     ↓     a query takes the smallest: it is too high
///                                0 [12]  0 1 [13] 0[15] 3   only if other items share all of them
/// ```
/// An item whose positions coincide counts once at that position.
///
/// # References
/// Cohen and Matias, doi:10.1145/872757.872787. The interval: given the other items, the item's k positions
/// are random, and all lie among the r·m highest counters with probability rᵏ; at most k·N/v counters reach
/// v.
///
/// # Measured
/// `crivo-lab run c-spectral-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct SpectralBloom {
    params: SpectralParams,
    spec: HashSpec,
    counters: Counters,
    /// The number of occurrences inside: added less removed. It saturates at the maximum.
    total: u64,
    /// True if a removal has met a saturated counter.
    is_worn: bool,
    /// The factor t at the default confidence, cached since every query needs it.
    factor: f64,
}

impl SpectralBloom {
    fn of(params: SpectralParams, spec: HashSpec, counters: Counters, total: u64, is_worn: bool) -> Self {
        Self { params, spec, counters, total, is_worn, factor: params.factor(DEFAULT_CONFIDENCE) }
    }

    /// Creates an empty filter for `items` distinct items. The share of items that it counts too high, and of
    /// absent items that it reports, is at most `fpr`.
    ///
    /// # Errors
    /// The errors of [`SpectralParams::for_fpr`].
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_params(SpectralParams::for_fpr(items, fpr)?))
    }

    /// Adds `count` occurrences of an item.
    #[inline]
    pub fn add<T: Item + ?Sized>(&mut self, item: &T, count: u64) {
        self.add_hash(self.spec.hash(item), count);
    }

    /// Adds `count` occurrences of the item with this hash.
    #[inline]
    pub fn add_hash(&mut self, hash: u64, count: u64) {
        self.total = self.total.saturating_add(count);
        if self.params.is_minimal_increase() {
            self.counters.add_minimally(hash, count);
        } else {
            self.counters.add(hash, count);
        }
    }

    /// Adds one occurrence of each of many items by their hashes, overlapping the cache misses.
    pub fn add_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.counters.prefetch(block);
            for &hash in block {
                self.add_hash(hash, 1);
            }
        }
    }

    /// Removes `count` occurrences of an item that were added before.
    ///
    /// Removing more than were added, which is possible if the filter counts too high, decrements the
    /// counters of other items: answers may then be too low.
    ///
    /// # Errors
    /// `InvalidArgument` if the item certainly occurs less often, `Unsupported` with minimal increase;
    /// nothing changes then.
    #[inline]
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T, count: u64) -> Result<()> {
        self.remove_hash(self.spec.hash(item), count)
    }

    /// Removes `count` occurrences of the item with this hash.
    ///
    /// # Errors
    /// The errors of [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64, count: u64) -> Result<()> {
        if self.params.is_minimal_increase() {
            return Err(Error::unsupported(
                "a filter with minimal increase cannot remove items: a shared counter is not raised for \
                 every item, so lowering it could cause false negatives; use a plain spectral filter",
            ));
        }
        let smallest = self.counters.smallest(hash);
        let most = if smallest == self.params.shape().max() { self.total } else { smallest.min(self.total) };
        if count > most {
            return Err(Error::invalid(format!(
                "cannot remove {count} occurrences, since at most {most} are inside; remove only what was added"
            )));
        }
        self.total -= count;
        self.is_worn |= self.counters.remove(hash, count);
        Ok(())
    }

    /// Returns how often an item was added, at 95 % confidence.
    #[inline]
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency_hash(self.spec.hash(item))
    }

    /// Returns how often the item with this hash was added, at 95 % confidence.
    #[inline]
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        self.answer(self.counters.smallest(hash), self.factor, DEFAULT_CONFIDENCE)
    }

    /// Returns how often each of many items was added, overlapping the cache misses.
    pub fn frequency_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        let mut answers = Vec::with_capacity(hashes.len());
        for block in hashes.chunks(BATCH) {
            self.counters.prefetch(block);
            answers.extend(block.iter().map(|&hash| self.frequency_hash(hash)));
        }
        answers
    }

    /// Returns [`frequency`](Self::frequency) at another confidence.
    ///
    /// ```
    /// # use crivo::membership::{SpectralBloom, SpectralParams};
    /// let mut filter = SpectralBloom::with_params(SpectralParams::exact(2000, 3)?);
    /// (0..500u32).for_each(|i| filter.add(&i, 1));
    /// filter.add("often", 100);
    /// let (usual, surer) = (filter.frequency("often"), filter.frequency_at("often", 0.9999)?);
    /// assert!(surer.lower() < usual.lower() && surer.upper() == usual.upper());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_at<T: Item + ?Sized>(&self, item: &T, confidence: f64) -> Result<Estimate> {
        self.frequency_hash_at(self.spec.hash(item), confidence)
    }

    /// Returns [`frequency_hash`](Self::frequency_hash) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_hash_at(&self, hash: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.answer(self.counters.smallest(hash), self.params.factor(confidence), confidence))
    }

    /// Returns the estimate for the smallest counter of an item. The over-count reaches v only if all k
    /// positions have v from other items. If the share of counters above 0 is at most 1/t, that is unlikely
    /// even for v = 1. Otherwise the counts of other items, k(N − a) in all, reach v at no more than k(N −
    /// a)/v counters, a share of at most 1/t from v = t·k(N − a)/m on.
    #[inline]
    fn answer(&self, smallest: u64, factor: f64, confidence: f64) -> Estimate {
        if smallest == 0 {
            return Estimate::exact(0.0);
        }
        let value = count_up(smallest);
        let upper = if smallest == self.params.shape().max() { f64::INFINITY } else { value };
        let counters = self.params.counters() as f64;
        let width = counters / f64::from(self.params.hashes());
        let lower = if self.is_worn {
            0.0
        } else if self.counters.ones() as f64 * factor <= counters {
            value
        } else if self.total == u64::MAX || width <= factor {
            0.0
        } else {
            let others = count_up(self.total.saturating_sub(smallest));
            count_down(smallest) - factor / (width - factor) * others
        };
        Estimate::new(value, lower.max(0.0), upper, Guarantee::Proven { confidence })
    }
    /// Returns whether the item with this hash may have been added.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.counters.contains(hash)
    }

    /// Returns whether each of many items may have been added, overlapping the cache misses.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.counters.prefetch(batch), |hash| self.contains_hash(hash))
    }

    /// Returns the probability that an item that is not inside is reported: exact at the present fill. An
    /// item inside is counted too high no more often.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params.shape().places().occupancy(self.counters.ones()).fpr())
    }

    /// Returns the number of occurrences inside: added less removed; it saturates at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the counters, position 0 first.
    pub fn counters(&self) -> &PackedArray {
        self.counters.cells()
    }
}

shell!(SpectralBloom: hashes, empty(SpectralParams), merges, filter);

impl<T: Item> Extend<T> for SpectralBloom {
    /// Adds one occurrence of each item.
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for_each_block(self.spec, items, |hashes| self.add_hashes(hashes));
    }
}

impl Core for SpectralBloom {
    const KIND: Kind = Kind::SpectralBloom;

    fn heap_bytes(&self) -> usize {
        self.counters.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.total);
        payload.push(u8::from(self.is_worn));
        self.counters.write(payload);
    }

    fn read(params: SpectralParams, file: &mut Payload<'_>) -> Result<Self> {
        let total = file.bytes.u64_varint()?;
        let is_worn = yes_or_no(file.bytes.u8()?.into(), "the wear")?;
        let counters = Counters::read(params.shape(), file.bytes.take_rest())?;
        if is_worn && (params.is_minimal_increase() || counters.saturated() == 0) {
            return Err(Error::malformed("a removal is recorded, but no counter is saturated"));
        }
        Ok(Self::of(params, file.spec, counters, total, is_worn))
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("total", self.total),
            Fact::count("saturated_counters", self.counters.saturated()),
            Fact::number("fill", self.counters.ones() as f64 / self.params.counters() as f64),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn law(&self) -> Option<MergeLaw> {
        Some(if self.params.is_minimal_increase() { MergeLaw::Bounded } else { MergeLaw::Exact })
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.counters.merge(&other.counters);
        self.total = self.total.saturating_add(other.total);
        self.is_worn |= other.is_worn;
        Ok(())
    }
}

impl Empty for SpectralBloom {
    fn empty(params: SpectralParams, spec: HashSpec) -> Self {
        Self::of(params, spec, Counters::new(params.shape()), 0, false)
    }

    fn has_nothing(&self) -> bool {
        self.total == 0
    }
}

impl Insert for SpectralBloom {
    fn try_insert_hash(&mut self, hash: u64) -> Result<bool> {
        self.add_hash(hash, 1);
        Ok(true)
    }

    fn try_insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        self.add_hashes(hashes);
        Ok(())
    }
}

impl Remove for SpectralBloom {
    fn remove_hash(&mut self, hash: u64) -> Result<()> {
        self.remove_hash(hash, 1)
    }
}

#[cfg(test)]
mod tests;
