//! Our filters: one item at a time, by hashes made beforehand, and in batches.

use super::filter::{Filter, SharedFilter};
use crate::keys::in_batches;
use crivo::baseline::CuckooTable;
use crivo::membership::CompressedBloom;
use crivo::membership::{DynamicBloom, HashCompaction};
use crivo::membership::{PartitionedBloom, WindowedParams};
use crivo::{AtomicBloom, BlockedBloom, BloomFilter, CountingBloom, CuckooFilter};
use crivo::{Item, QuotientFilter, ScalableBloom, WindowedBloom};

/// A filter one item at a time, hashing included.
macro_rules! by_item {
    ($wrapper:ident, $name:literal, $type:ty, $new:expr) => {
        pub(crate) struct $wrapper($type);

        impl<K: Copy + Item> Filter<K> for $wrapper {
            const NAME: &'static str = $name;

            fn new(n: usize, fpr: f64) -> Self {
                let new: fn(u64, f64) -> crivo::Result<$type> = $new;
                Self(new(n as u64, fpr).expect("every size and rate measured here is valid"))
            }

            #[inline]
            fn insert(&mut self, key: K) {
                // A full filter would be found out by the count of hits.
                let _ = self.0.insert(&key);
            }

            #[inline]
            fn contains(&self, key: K) -> bool {
                self.0.contains(&key)
            }
        }
    };
}

/// A filter one item at a time, hashed beforehand: the keys are the hashes.
macro_rules! by_hash {
    ($wrapper:ident, $name:literal, $type:ty) => {
        pub(crate) struct $wrapper($type);

        impl Filter<u64> for $wrapper {
            const NAME: &'static str = $name;

            fn new(n: usize, fpr: f64) -> Self {
                Self(<$type>::for_fpr(n as u64, fpr).expect("every size and rate measured here is valid"))
            }

            #[inline]
            fn insert(&mut self, hash: u64) {
                let _ = self.0.insert_hash(hash);
            }

            #[inline]
            fn contains(&self, hash: u64) -> bool {
                self.0.contains_hash(hash)
            }
        }
    };
}

/// Many items at once; hashing them is part of the time.
macro_rules! by_batch {
    ($wrapper:ident, $name:literal, $type:ty) => {
        pub(crate) struct $wrapper($type);

        impl<K: Copy + Item> Filter<K> for $wrapper {
            const NAME: &'static str = $name;

            fn new(n: usize, fpr: f64) -> Self {
                Self(<$type>::for_fpr(n as u64, fpr).expect("every size and rate measured here is valid"))
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
                in_batches(&spec, keys, |hashes| {
                    let _ = self.0.insert_hashes(hashes);
                });
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
    };
}

by_item!(Bloom, "crivo", BloomFilter, BloomFilter::for_fpr);
by_hash!(BloomHash, "crivo (hash given)", BloomFilter);
by_batch!(BloomBatch, "crivo (batch)", BloomFilter);

by_item!(Blocked, "crivo blocked", BlockedBloom, BlockedBloom::for_fpr);
by_hash!(BlockedHash, "crivo blocked (hash given)", BlockedBloom);
by_batch!(BlockedBatch, "crivo blocked (batch)", BlockedBloom);

by_item!(Cuckoo, "crivo cuckoo", CuckooFilter, CuckooFilter::for_fpr);
by_batch!(CuckooBatch, "crivo cuckoo (batch)", CuckooFilter);
by_item!(Quotient, "crivo quotient", QuotientFilter, QuotientFilter::for_fpr);
by_batch!(QuotientBatch, "crivo quotient (batch)", QuotientFilter);
by_item!(Counting, "crivo counting", CountingBloom, CountingBloom::for_fpr);
by_batch!(CountingBatch, "crivo counting (batch)", CountingBloom);

by_item!(Partitioned, "crivo partitioned", PartitionedBloom, PartitionedBloom::for_fpr);
by_item!(Compressed, "crivo compressed", CompressedBloom, CompressedBloom::for_fpr);
by_item!(Scalable, "crivo scalable", ScalableBloom, ScalableBloom::for_fpr);
by_item!(Dynamic, "crivo dynamic", DynamicBloom, DynamicBloom::for_fpr);
by_item!(Compaction, "crivo hash compaction", HashCompaction, HashCompaction::for_fpr);
by_item!(Table, "crivo cuckoo table (exact)", CuckooTable, |_, _| Ok(CuckooTable::new()));

/// One key a time unit, and a window of all of them.
pub(crate) struct Windowed {
    filter: WindowedBloom,
    time: u64,
}

impl<K: Copy + Item> Filter<K> for Windowed {
    const NAME: &'static str = "crivo windowed (4 generations)";

    fn new(n: usize, fpr: f64) -> Self {
        let params = WindowedParams::for_fpr(n as u64, fpr, n as u64, 4)
            .expect("every size and rate measured here is valid");
        Self { filter: WindowedBloom::with_params(params), time: 0 }
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.filter.insert_at(&key, self.time);
        self.time += 1;
    }

    #[inline]
    fn contains(&self, key: K) -> bool {
        self.filter.contains_at(&key, self.time)
    }
}

pub(crate) struct Atomic(AtomicBloom);

impl Atomic {
    pub(crate) const NAME: &'static str = "crivo atomic";

    pub(crate) fn new(n: usize, fpr: f64) -> Self {
        Self(AtomicBloom::for_fpr(n as u64, fpr).expect("every size and rate measured here is valid"))
    }
}

impl SharedFilter for Atomic {
    #[inline]
    fn insert(&self, key: u64) {
        self.0.insert(&key);
    }

    #[inline]
    fn contains(&self, key: u64) -> bool {
        self.0.contains(&key)
    }
}
