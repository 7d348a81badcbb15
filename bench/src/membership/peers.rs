//! What a user would pick instead.

use super::filter::{Filter, SharedFilter};
use crate::keys::SEED;
use foldhash::fast::FixedState;
use rapidhash::fast::RapidHasher;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};

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
        Self { filter: sbbf(n, fpr), hasher: FixedState::with_seed(SEED) }
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

/// The crate as it is, without a hash of its own: the keys are the hashes.
pub(crate) struct SbbfHash(sbbf_rs_safe::Filter);

impl Filter<u64> for SbbfHash {
    const NAME: &'static str = "sbbf-rs-safe (hash given)";

    fn new(n: usize, fpr: f64) -> Self {
        Self(sbbf(n, fpr))
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

/// The crate takes whole bits per key: the fewest that keep the two measured targets.
fn sbbf(n: usize, fpr: f64) -> sbbf_rs_safe::Filter {
    sbbf_rs_safe::Filter::new(if fpr >= 0.01 { 11 } else { 17 }, n)
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

pub(crate) struct FastbloomAtomic(fastbloom::AtomicBloomFilter<FixedState>);

impl FastbloomAtomic {
    pub(crate) const NAME: &'static str = "fastbloom Atomic (foldhash)";

    pub(crate) fn new(n: usize, fpr: f64) -> Self {
        Self(
            fastbloom::AtomicBloomFilter::with_false_pos(fpr)
                .hasher(FixedState::with_seed(SEED))
                .expected_items(n),
        )
    }
}

impl SharedFilter for FastbloomAtomic {
    #[inline]
    fn insert(&self, key: u64) {
        self.0.insert(&key);
    }

    #[inline]
    fn contains(&self, key: u64) -> bool {
        self.0.contains(&key)
    }
}

pub(crate) struct SketchesCuckoo(sketches::cuckoo_filter::CuckooFilter);

impl<K: Copy + Hash> Filter<K> for SketchesCuckoo {
    const NAME: &'static str = "sketches Cuckoo";

    fn new(n: usize, fpr: f64) -> Self {
        let filter = sketches::cuckoo_filter::CuckooFilter::new(n, fpr);
        Self(filter.expect("the crate accepts every size and rate measured here"))
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

/// Its fingerprints have 8 bits, whatever one asks.
pub(crate) struct Cuckoofilter(cuckoofilter::CuckooFilter<RapidHasher<'static>>);

impl<K: Copy + Hash> Filter<K> for Cuckoofilter {
    const NAME: &'static str = "cuckoofilter (rapidhash, 3 %)";

    fn new(n: usize, _: f64) -> Self {
        Self(cuckoofilter::CuckooFilter::with_capacity(n))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        // A full filter would be found out by the count of hits.
        let _ = self.0.add(&key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}

pub(crate) struct AutoscaleCuckoo<K>(autoscale_cuckoo_filter::CuckooFilter<K>);

impl<K: Copy + Hash> Filter<K> for AutoscaleCuckoo<K> {
    const NAME: &'static str = "autoscale_cuckoo_filter (museair)";

    fn new(n: usize, fpr: f64) -> Self {
        Self(autoscale_cuckoo_filter::CuckooFilter::new(n, fpr))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.add(&key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }
}

pub(crate) struct Qfilter(qfilter::Filter<Box<[u8]>, FixedState>);

impl<K: Copy + Hash> Filter<K> for Qfilter {
    const NAME: &'static str = "qfilter (foldhash)";

    fn new(n: usize, fpr: f64) -> Self {
        let filter = qfilter::Filter::new_with_hasher(n as u64, fpr, FixedState::with_seed(SEED));
        Self(filter.expect("the crate accepts every size and rate measured here"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        let _ = self.0.insert_duplicated(key);
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.0.contains(key)
    }
}
