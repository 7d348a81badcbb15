//! The filters, each behind the same few methods.

use crate::keys::{SEED, in_batches};
use crivo::{BloomFilter, Item};
use foldhash::fast::FixedState;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};

/// A filter over keys of type `K`.
///
/// The loops over many keys, here and in the other families, are never inlined: next to the constructor the
/// compiler would see the parameters as constants and build a loop for these alone, which no program that
/// keeps or reads its filters gets.
pub(crate) trait Filter<K: Copy>: Sized {
    const NAME: &'static str;

    fn new(n: usize, fpr: f64) -> Self;

    fn insert(&mut self, key: K);

    fn contains(&self, key: K) -> bool;

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        for &key in keys {
            self.insert(key);
        }
    }

    #[inline(never)]
    fn count_present(&self, keys: &[K]) -> usize {
        keys.iter().filter(|&&key| self.contains(key)).count()
    }
}

fn crivo(n: usize, fpr: f64) -> BloomFilter {
    BloomFilter::with_fpr(n as u64, fpr).expect("every size and rate measured here is valid")
}

/// One item at a time.
pub(crate) struct CrivoItem(BloomFilter);

impl<K: Copy + Item> Filter<K> for CrivoItem {
    const NAME: &'static str = "crivo";

    fn new(n: usize, fpr: f64) -> Self {
        Self(crivo(n, fpr))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(&key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}

/// One item at a time, hashed beforehand: the keys are the hashes.
pub(crate) struct CrivoHash(BloomFilter);

impl Filter<u64> for CrivoHash {
    const NAME: &'static str = "crivo (hash given)";

    fn new(n: usize, fpr: f64) -> Self {
        Self(crivo(n, fpr))
    }

    #[inline]
    fn insert(&mut self, hash: u64) {
        self.0.insert_hash(hash);
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        self.0.contains_hash(hash)
    }
}

/// Many items at once; hashing them is part of the time.
pub(crate) struct CrivoBatch(BloomFilter);

impl<K: Copy + Item> Filter<K> for CrivoBatch {
    const NAME: &'static str = "crivo (batch)";

    fn new(n: usize, fpr: f64) -> Self {
        Self(crivo(n, fpr))
    }

    fn insert(&mut self, key: K) {
        self.insert_all(&[key]);
    }

    fn contains(&self, key: K) -> bool {
        self.count_present(&[key]) == 1
    }

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        let spec = *self.0.hash_spec();
        in_batches(&spec, keys, |hashes| self.0.insert_hashes(hashes));
    }

    #[inline(never)]
    fn count_present(&self, keys: &[K]) -> usize {
        let mut present = 0;
        in_batches(self.0.hash_spec(), keys, |hashes| {
            present += self.0.contains_hashes(hashes).into_iter().filter(|&answer| answer).count();
        });
        present
    }
}

pub(crate) struct Fastbloom<S>(fastbloom::BloomFilter<S>);

/// A choice of hash function for [`Fastbloom`].
pub(crate) trait FastbloomHasher: BuildHasher {
    const FILTER: &'static str;

    fn fixed() -> Self;
}

impl FastbloomHasher for FixedState {
    const FILTER: &'static str = "fastbloom (foldhash)";

    fn fixed() -> Self {
        Self::with_seed(SEED)
    }
}

impl FastbloomHasher for fastbloom::DefaultHasher {
    const FILTER: &'static str = "fastbloom (SipHash, its default)";

    fn fixed() -> Self {
        Self::seeded(&u128::from(SEED).to_be_bytes())
    }
}

impl<K: Copy + Hash, S: FastbloomHasher> Filter<K> for Fastbloom<S> {
    const NAME: &'static str = S::FILTER;

    fn new(n: usize, fpr: f64) -> Self {
        Self(fastbloom::BloomFilter::with_false_pos(fpr).hasher(S::fixed()).expected_items(n))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(&key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}

pub(crate) struct Sbbf {
    filter: sbbf_rs_safe::Filter,
    hasher: FixedState,
}

impl<K: Copy + Hash> Filter<K> for Sbbf {
    const NAME: &'static str = "sbbf-rs-safe (foldhash)";

    fn new(n: usize, fpr: f64) -> Self {
        // The crate takes whole bits per key: the fewest that keep the two measured targets.
        let bits_per_key = if fpr >= 0.01 { 11 } else { 17 };
        Self { filter: sbbf_rs_safe::Filter::new(bits_per_key, n), hasher: FixedState::with_seed(SEED) }
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.filter.insert_hash(self.hasher.hash_one(key));
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.filter.contains_hash(self.hasher.hash_one(key))
    }
}

pub(crate) struct Bloomfilter<K>(bloomfilter::Bloom<K>);

impl<K: Copy + Hash> Filter<K> for Bloomfilter<K> {
    const NAME: &'static str = "bloomfilter";

    fn new(n: usize, fpr: f64) -> Self {
        let filter =
            bloomfilter::Bloom::new_for_fp_rate_with_seed(n, fpr, b"one seed for each of two hashes.");
        Self(filter.expect("the crate accepts every size and rate measured here"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.set(&key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.check(&key)
    }
}

pub(crate) struct Datasketches(datasketches::bloom::BloomFilter);

impl<K: Copy + Hash> Filter<K> for Datasketches {
    const NAME: &'static str = "datasketches Bloom";

    fn new(n: usize, fpr: f64) -> Self {
        let filter = datasketches::bloom::BloomFilterBuilder::with_accuracy(n as u64, fpr).seed(SEED).build();
        Self(filter.expect("the crate accepts every size and rate measured here"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}

pub(crate) struct Exact<K>(HashSet<K, FixedState>);

impl<K: Copy + Hash + Eq> Filter<K> for Exact<K> {
    const NAME: &'static str = "std HashSet (foldhash, exact)";

    fn new(n: usize, _: f64) -> Self {
        Self(HashSet::with_capacity_and_hasher(n, FixedState::with_seed(SEED)))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}
