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

/// A counting Bloom filter: a small counter in place of every bit, so that items can be removed.
///
/// # Use when / not when
/// Use it for sets whose items come and go, which merge by sums, and from which a plain [`BloomFilter`] is
/// exported ([`to_bloom`](Self::to_bloom)). Not if size matters most: a cuckoo filter supports deletion too,
/// at a quarter of the memory. To find out how often an item is inside, use a spectral filter, which has
/// wider counters.
///
/// # Guarantee
/// No false negatives for items inside, as long as only inserted items are removed. Every copy counts: an
/// item inserted twice must be removed twice. The false-positive rate is that of a Bloom filter with as many
/// bits: [`fpr`](Self::fpr) is exact at the present fill. A counter that reaches its maximum saturates and
/// never changes again, since its true value is unknown: its position stays set, which may cause a false
/// positive but never a false negative. With *distinct* items, one copy of each, some counter saturates with
/// at most the probability [`CountingParams::overflow_probability`]; copies of one item saturate its counters
/// at 2ᵇ − 1.
///
/// # Space
/// b bits for every bit of a Bloom filter; b is 4 by default and can be 2 to 16:
///
/// | rate | bits per item | functions | 1 million items | a counter saturates |
/// |---|---|---|---|---|
/// | 10 % | 19.2 | 3 | 2.40 MB | 2·10⁻⁹ |
/// | 1 % | 38.5 | 6 | 4.81 MB | 3·10⁻⁹ |
/// | 0.1 % | 57.7 | 9 | 7.21 MB | 5·10⁻⁹ |
///
/// # Time
/// k scattered counters for an insertion, a removal or a positive query; two for a negative one.
/// [`insert_hashes`](Self::insert_hashes) and [`contains_hashes`](Self::contains_hashes) overlap the cache
/// misses of many items.
///
/// # Merge
/// Exact: the counters are added, and a saturated counter stays saturated. Commutative and associative, not
/// idempotent, since it counts copies.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that saturate the counters of others, or remove a false
/// positive and so cause false negatives for others. Use [`HashSpec::keyed`], and remove only items that you
/// inserted.
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
/// insert "ana" → hash → positions  2     4        9      an insertion adds 1 to its k counters,
///                                  ↓     ↓        ↓      a removal subtracts 1 again;
///                     0  0  0  1  [2] 0 [1] 0  0 [1] 3   inside: no counter of the item is 0
/// ```
/// An item whose positions coincide counts once there, both when it is inserted and when it is removed.
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
    /// The number of copies inside: insertions less removals. It saturates at the maximum.
    len: u64,
}

impl CountingBloom {
    /// Creates an empty filter for `items` items at a false-positive rate of at most `fpr`, with 4-bit
    /// counters.
    ///
    /// # Errors
    /// The errors of [`CountingParams::for_fpr`].
    pub fn for_fpr(items: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_params(CountingParams::for_fpr(items, fpr)?))
    }

    /// Inserts a copy of an item; returns true if it was certainly new.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> bool {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts a copy of the item with this hash; returns true if it was certainly new.
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
    /// Removing an item that was never inserted but is a false positive decrements the counters of other
    /// items, which may then become false negatives.
    ///
    /// # Errors
    /// `InvalidArgument` if the item is certainly not inside; nothing changes then.
    #[inline]
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.remove_hash(self.spec.hash(item))
    }

    /// Removes a copy of the item with this hash.
    ///
    /// # Errors
    /// The errors of [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> Result<()> {
        // Saturated counters may remain after the last item.
        if self.len == 0 || !self.counters.contains(hash) {
            return Err(Error::invalid(
                "the item to remove is certainly not inside: one of its counters is 0; remove only what was inserted",
            ));
        }
        self.len -= 1;
        self.counters.remove(hash, 1);
        Ok(())
    }

    /// Returns whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.counters.contains(hash)
    }

    /// Returns whether each of many items may be inside, overlapping the cache misses.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.counters.prefetch(batch), |hash| self.contains_hash(hash))
    }

    /// Returns the probability that an item that is not inside is reported: exact at the present fill.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.counters.shape().places().occupancy(self.counters.ones()).fpr())
    }

    /// Returns the number of copies inside: insertions less removals.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the [`BloomFilter`] of the items inside: a bit is set if its counter is above 0.
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

    /// Returns the counters, position 0 first.
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
        // Another copy is a change, whether the item is new or not.
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

    /// A saturated counter keeps its item, and reports so.
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
