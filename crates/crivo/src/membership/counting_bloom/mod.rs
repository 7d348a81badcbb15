//! The counting Bloom filter: see [`CountingBloom`].

mod params;

pub use params::CountingParams;

use super::bloom_filter::BloomFilter;
use super::counters::Counters;
use crate::bits::PackedArray;
use crate::codec::put_u64_varint;
use crate::hash::{Item, for_each_block};
use crate::kind::Kind;
use crate::memory::{BATCH, answer_in_batches};
use crate::sketch::{Core, Empty, Fact, Insert, OfSize, Payload, Remove, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// A Bloom filter with a small counter in place of every bit, so that items can be removed again.
///
/// # Use when / not when
/// Use it for sets whose items come and go, that merge by sum, and whose plain [`BloomFilter`] is to be handed
/// out ([`to_bloom`](Self::to_bloom)). Not when size matters most: a cuckoo filter removes too, at a quarter of
/// the memory. How often an item is inside is the question of a spectral filter, which has wider counters.
///
/// # Guarantee
/// No false negatives for what is inside, as long as only what was inserted is removed. Every copy counts: an
/// item inserted twice must be removed twice. Wrong yeses as a Bloom filter with as many bits:
/// [`fpr`](Self::fpr) is exact at the present fill. A counter that reaches its maximum stops for ever, since
/// nobody knows how far it should have gone: its place stays set, which costs a wrong yes now and then and
/// never a wrong no. With *different* items, one copy of each, some counter stops with at most the probability
/// [`CountingParams::overflow_probability`]; copies of one item stop its counters at 2ᵇ − 1.
///
/// # Space
/// b bits where a Bloom filter has one; b is 4, unless you choose 2 to 16:
///
/// | rate | bits an item | functions | 1 million items | a counter stops |
/// |---|---|---|---|---|
/// | 10 % | 19.2 | 3 | 2.40 MB | 2·10⁻⁹ |
/// | 1 % | 38.5 | 6 | 4.81 MB | 3·10⁻⁹ |
/// | 0.1 % | 57.7 | 9 | 7.21 MB | 5·10⁻⁹ |
///
/// # Time
/// k scattered counters for an insert, a removal or a yes; two for a no. [`insert_hashes`](Self::insert_hashes)
/// and [`contains_hashes`](Self::contains_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Exact: counter by counter the sum, where the maximum stays the maximum. Commutative and associative, not
/// idempotent: it holds copies.
///
/// # Hostile input
/// Whoever knows the seed can choose items that stop the counters of others, or remove a false positive to make
/// the filter deny others. Use [`HashSpec::keyed`], and remove only what you inserted.
///
/// # Example
/// ```
/// use crivo::CountingBloom;
/// let mut online = CountingBloom::for_fpr(10_000, 0.01)?;
/// online.insert("ana");
/// online.insert("rui");
/// online.remove("ana")?;
/// assert!(online.contains("rui") && !online.contains("ana"));
/// assert!(online.remove("ana").is_err()); // certainly not inside, and nothing changed
/// assert_eq!(online.len(), 1);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// insert "ana" → hash → positions  2     4        9      each insert adds 1 to its k counters,
///                                  ↓     ↓        ↓      each removal takes it away again;
///                     0  0  0  1  [2] 0 [1] 0  0 [1] 3   inside: no counter of the item is 0
/// ```
/// An item whose positions coincide counts once there, when it comes and when it goes.
///
/// # References
/// Fan, Cao, Almeida and Broder, doi:10.1109/90.851975.
///
/// # Measured
/// `crivo-lab run c-counting-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct CountingBloom {
    spec: HashSpec,
    counters: Counters,
    /// Copies inside: inserts less removals, stopping at the maximum.
    len: u64,
}

impl CountingBloom {
    /// An empty filter for `items` items at a false positive rate of at most `fpr`, with 4-bit counters.
    ///
    /// # Errors
    /// As [`CountingParams::for_fpr`].
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_params(CountingParams::for_fpr(items, fpr)?))
    }

    /// Inserts a copy of an item; true when it was certainly new.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> bool {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts a copy of the item with this hash; true when it was certainly new.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.len = self.len.saturating_add(1);
        self.counters.add(hash, 1)
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.counters.prefetch(block);
            for &hash in block {
                self.insert_hash(hash);
            }
        }
    }

    /// Removes a copy of an item that was inserted.
    ///
    /// An item that was never inserted, but is reported, takes the counts of others away: they may be denied
    /// then.
    ///
    /// # Errors
    /// `InvalidArgument` when the item is certainly not inside; nothing changes then.
    #[inline]
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.remove_hash(self.spec.hash(item))
    }

    /// Removes a copy of the item with this hash.
    ///
    /// # Errors
    /// As [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> Result<()> {
        // Stopped counters may outlive the last item.
        if self.len == 0 || !self.counters.contains(hash) {
            return Err(Error::invalid(
                "the item to remove is certainly not inside: one of its counters is 0; remove only what was inserted",
            ));
        }
        self.len -= 1;
        self.counters.remove(hash, 1);
        Ok(())
    }

    /// Whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.counters.contains(hash)
    }

    /// Whether each of many items may be inside, overlapping the cache misses.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.counters.prefetch(batch), |hash| self.contains_hash(hash))
    }

    /// The probability that an item which is not inside is reported: exact at the present fill.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.counters.shape().places().occupancy(self.counters.ones()).fpr())
    }

    /// The copies inside: inserts less removals.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The [`BloomFilter`] of what is inside: a bit is set where a counter is above 0.
    ///
    /// ```
    /// use crivo::CountingBloom;
    /// let mut filter = CountingBloom::for_fpr(1000, 0.01)?;
    /// filter.extend(0..1000u32);
    /// assert!(filter.to_bloom().cardinality().contains(1000.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn to_bloom(&self) -> BloomFilter {
        BloomFilter::from_bits(self.counters.shape().places(), self.spec, self.counters.to_bits())
    }

    /// The counters, position 0 first.
    pub fn counters(&self) -> &PackedArray {
        self.counters.cells()
    }
}

shell!(CountingBloom: hashes, made(CountingParams), merges, filter);

impl OfSize for CountingBloom {
    type Params = CountingParams;

    fn params(&self) -> CountingParams {
        CountingParams { shape: self.counters.shape() }
    }
}

impl Core for CountingBloom {
    const KIND: Kind = Kind::CountingBloom;

    fn heap_bytes(&self) -> usize {
        self.counters.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.len);
        self.counters.write(payload);
    }

    fn read(params: CountingParams, file: &mut Payload<'_>) -> Result<Self> {
        let len = file.bytes.u64_varint()?;
        let counters = Counters::read(params.shape, file.bytes.take_rest())?;
        Ok(Self { spec: file.spec, counters, len })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("len", self.len),
            Fact::count("saturated_counters", self.counters.saturated()),
            Fact::number("fill", self.counters.ones() as f64 / self.params().counters() as f64),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.counters.merge(&other.counters);
        self.len = self.len.saturating_add(other.len);
        Ok(())
    }
}

impl Empty for CountingBloom {
    fn empty(params: CountingParams, spec: HashSpec) -> Self {
        Self { spec, counters: Counters::new(params.shape), len: 0 }
    }

    fn has_nothing(&self) -> bool {
        self.len == 0
    }
}

impl Insert for CountingBloom {
    fn try_insert_hash(&mut self, hash: u64) -> Result<bool> {
        // A copy more is a change, whether the item is new or not.
        self.insert_hash(hash);
        Ok(true)
    }

    fn try_insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        self.insert_hashes(hashes);
        Ok(())
    }
}

impl Remove for CountingBloom {
    fn remove_hash(&mut self, hash: u64) -> Result<()> {
        self.remove_hash(hash)
    }
}

impl<T: Item> Extend<T> for CountingBloom {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for_each_block(self.spec, items, |hashes| self.insert_hashes(hashes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;
    use crate::{BloomParams, ErrorKind};
    use alloc::format;

    #[test]
    fn it_is_a_bloom_filter_with_counters() {
        let mut counting = CountingBloom::with_params(CountingParams::exact(1003, 5).unwrap());
        let mut bloom = BloomFilter::with_params(BloomParams::exact(1003, 5).unwrap());
        counting.extend(0..150u32);
        bloom.extend(0..150u32);
        assert_eq!(counting.to_bloom(), bloom);
        assert_eq!(counting.fpr(), bloom.fpr());
        assert!((0..2000u32).all(|item| counting.contains(&item) == bloom.contains(&item)));
        (0..150u32).for_each(|item| counting.remove(&item).unwrap());
        assert_eq!(counting, CountingBloom::with_params(counting.params()));
    }

    #[test]
    fn what_is_certainly_absent_is_not_removed() {
        let mut filter = CountingBloom::with_params(CountingParams::exact(1003, 5).unwrap());
        filter.extend(0..50u32);
        let before = filter.clone();
        let mut refused = 0;
        for item in 50..1050u32 {
            if !filter.contains(&item) {
                assert_eq!(filter.remove(&item).unwrap_err().kind(), ErrorKind::InvalidArgument);
                assert_eq!(filter, before);
                refused += 1;
            }
        }
        assert!(refused > 900);
    }

    /// A counter that stopped keeps its item, and says so.
    #[test]
    fn stopped_counters_never_move() {
        for bits in [2, 4, 5] {
            let params = CountingParams::exact(1003, 5).unwrap().with_counter_bits(bits).unwrap();
            let mut filter = CountingBloom::with_params(params);
            let max = (1 << bits) - 1;
            for _ in 1..max {
                filter.insert("x");
            }
            (0..max - 1).for_each(|_| filter.remove("x").unwrap());
            assert_eq!(filter, CountingBloom::with_params(params));
            for _ in 0..max {
                filter.insert("x");
            }
            (0..max).for_each(|_| filter.remove("x").unwrap());
            assert!(filter.contains("x") && filter.is_empty());
            assert!(filter.facts().contains(&Fact::count("saturated_counters", filter.counters.ones())));
            assert_eq!(filter.remove("x").unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
    }

    #[test]
    fn unlike_filters_do_not_merge() {
        let make = |counters, hashes, bits, seed| {
            let params = CountingParams::exact(counters, hashes).unwrap().with_counter_bits(bits).unwrap();
            CountingBloom::with_params(params).with_hash(HashSpec::seeded(seed))
        };
        let mut filter = make(128, 3, 4, 1);
        filter.insert("kept");
        let before = filter.clone();
        for (other, field) in [
            (make(192, 3, 4, 1), "counters"),
            (make(128, 4, 4, 1), "hashes"),
            (make(128, 3, 5, 1), "counter bits"),
            (make(128, 3, 4, 2), "hash"),
        ] {
            let error = filter.merge(&other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
            assert_eq!(filter, before);
        }
    }
}
