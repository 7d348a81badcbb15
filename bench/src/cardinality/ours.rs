//! Our counters, and the ways to feed them.

use super::Distinct;
use crate::keys::in_batches;
use crivo::cardinality::Martingale;
use crivo::{ExaLogLog, HashSpec, HyperLogLog, Item};
use std::marker::PhantomData;

type Join<S> = fn(&mut S, &S) -> crivo::Result<()>;

/// A counter of ours with `PRECISION` bits of precision.
pub(crate) trait Counter: Sized {
    /// Its name fed in each way: one by one, in batches, in batches of hashes.
    const NAMES: [&'static str; 3];
    /// Its merge, where it has one.
    const JOIN: Option<Join<Self>>;

    fn make(precision: u8) -> Self;

    fn spec(&self) -> HashSpec;

    fn insert<K: Item>(&mut self, key: &K);

    fn insert_hashes(&mut self, hashes: &[u64]);

    fn value(&self) -> f64;

    fn bytes(&self) -> Vec<u8>;
}

macro_rules! counter {
    ($sketch:ty, $name:literal, $make:expr, $join:expr) => {
        impl Counter for $sketch {
            const NAMES: [&'static str; 3] = [
                concat!("crivo ", $name),
                concat!("crivo ", $name, " (batch)"),
                concat!("crivo ", $name, " (batch, hash given)"),
            ];
            const JOIN: Option<Join<Self>> = $join;

            fn make(precision: u8) -> Self {
                $make(precision).expect("this precision is valid")
            }

            fn spec(&self) -> HashSpec {
                *self.hash_spec()
            }

            #[inline]
            fn insert<K: Item>(&mut self, key: &K) {
                self.insert(key);
            }

            #[inline]
            fn insert_hashes(&mut self, hashes: &[u64]) {
                self.insert_hashes(hashes);
            }

            fn value(&self) -> f64 {
                self.estimate().value()
            }

            fn bytes(&self) -> Vec<u8> {
                self.to_bytes()
            }
        }
    };
}

counter!(HyperLogLog, "HyperLogLog", HyperLogLog::for_precision, Some(HyperLogLog::merge));
counter!(ExaLogLog, "ExaLogLog", ExaLogLog::for_precision, Some(ExaLogLog::merge));
counter!(
    Martingale<HyperLogLog>,
    "Martingale<HyperLogLog>",
    |p| Martingale::new(HyperLogLog::for_precision(p)?),
    None
);
counter!(
    Martingale<ExaLogLog>,
    "Martingale<ExaLogLog>",
    |p| Martingale::new(ExaLogLog::for_precision(p)?),
    None
);

/// A counter of ours, fed in the way `F`.
pub(crate) struct Crivo<S, F, const PRECISION: u8>(pub(crate) S, PhantomData<F>);

/// A way to feed a counter.
pub(crate) trait Feed<K> {
    /// The place of its name among [`Counter::NAMES`].
    const WAY: usize;

    fn feed(sketch: &mut impl Counter, keys: &[K]);
}

/// One item at a time.
pub(crate) struct Single;

impl<K: Item> Feed<K> for Single {
    const WAY: usize = 0;

    #[inline]
    fn feed(sketch: &mut impl Counter, keys: &[K]) {
        for key in keys {
            sketch.insert(key);
        }
    }
}

/// Many items at once; hashing them is part of the time.
pub(crate) struct Batch;

impl<K: Item> Feed<K> for Batch {
    const WAY: usize = 1;

    #[inline]
    fn feed(sketch: &mut impl Counter, keys: &[K]) {
        let spec = sketch.spec();
        in_batches(&spec, keys, |hashes| sketch.insert_hashes(hashes));
    }
}

/// Many items at once, hashed beforehand: the keys are the hashes.
pub(crate) struct HashBatch;

impl Feed<u64> for HashBatch {
    const WAY: usize = 2;

    #[inline]
    fn feed(sketch: &mut impl Counter, hashes: &[u64]) {
        sketch.insert_hashes(hashes);
    }
}

impl<K: Copy, S: Counter, F: Feed<K>, const PRECISION: u8> Distinct<K> for Crivo<S, F, PRECISION> {
    const NAME: &'static str = S::NAMES[F::WAY];
    const MERGES: bool = S::JOIN.is_some();

    fn new() -> Self {
        Self(S::make(PRECISION), PhantomData)
    }

    #[inline]
    fn insert(&mut self, key: K) {
        F::feed(&mut self.0, &[key]);
    }

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        F::feed(&mut self.0, keys);
    }

    fn estimate(&mut self) -> f64 {
        self.0.value()
    }

    fn merge(&mut self, other: &Self) {
        let join = S::JOIN.expect("this counter merges");
        join(&mut self.0, &other.0).expect("equal precision and hash");
    }
}
