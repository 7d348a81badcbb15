//! The distinct counters, all at precision 12.

use crate::keys::{SEED, in_batches};
use crivo::{HyperLogLog, Item};
use datasketches::hll::{HllSketch, HllType, HllUnion};
use foldhash::fast::FixedState;
use hyperloglogplus::HyperLogLog as _;
use std::hash::Hash;
use std::marker::PhantomData;

pub(crate) const PRECISION: u8 = 12;

/// A sketch that counts distinct keys of type `K`.
pub(crate) trait Distinct<K: Copy>: Sized {
    const NAME: &'static str;

    fn new() -> Self;

    fn insert(&mut self, key: K);

    fn estimate(&mut self) -> f64;

    fn merge(&mut self, other: &Self);

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        for &key in keys {
            self.insert(key);
        }
    }
}

/// Ours, fed in the way `F`.
pub(crate) struct Crivo<F>(pub(crate) HyperLogLog, PhantomData<F>);

/// A way to feed [`Crivo`].
pub(crate) trait Feed<K> {
    const NAME: &'static str;

    fn feed(sketch: &mut HyperLogLog, keys: &[K]);
}

/// One item at a time.
pub(crate) struct Single;

impl<K: Item> Feed<K> for Single {
    const NAME: &'static str = "crivo";

    #[inline]
    fn feed(sketch: &mut HyperLogLog, keys: &[K]) {
        for key in keys {
            sketch.insert(key);
        }
    }
}

/// Many items at once; hashing them is part of the time.
pub(crate) struct Batch;

impl<K: Item> Feed<K> for Batch {
    const NAME: &'static str = "crivo (batch)";

    #[inline]
    fn feed(sketch: &mut HyperLogLog, keys: &[K]) {
        let spec = *sketch.hash_spec();
        in_batches(&spec, keys, |hashes| sketch.insert_hashes(hashes));
    }
}

/// Many items at once, hashed beforehand: the keys are the hashes.
pub(crate) struct HashBatch;

impl Feed<u64> for HashBatch {
    const NAME: &'static str = "crivo (batch, hash given)";

    #[inline]
    fn feed(sketch: &mut HyperLogLog, hashes: &[u64]) {
        sketch.insert_hashes(hashes);
    }
}

impl<K: Copy, F: Feed<K>> Distinct<K> for Crivo<F> {
    const NAME: &'static str = F::NAME;

    fn new() -> Self {
        Self(HyperLogLog::new(PRECISION).expect("this precision is valid"), PhantomData)
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
        self.0.estimate().value()
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0).expect("equal precision and hash");
    }
}

pub(crate) struct SimpleHll(simple_hll::HyperLogLog<{ PRECISION as usize }>);

impl<K: Copy + Hash> Distinct<K> for SimpleHll {
    const NAME: &'static str = "simple_hll";

    fn new() -> Self {
        Self(simple_hll::HyperLogLog::new())
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.add_object(&key);
    }

    fn estimate(&mut self) -> f64 {
        self.0.count() as f64
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
}

/// The two sketches of hyperloglockless share their methods, but no trait.
macro_rules! lockless {
    ($contender:ident, $sketch:ident, $name:literal) => {
        pub(crate) struct $contender(hyperloglockless::$sketch<FixedState>);

        impl<K: Copy + Hash> Distinct<K> for $contender {
            const NAME: &'static str = $name;

            fn new() -> Self {
                Self(hyperloglockless::$sketch::with_hasher(PRECISION, FixedState::with_seed(SEED)))
            }

            #[inline]
            fn insert(&mut self, key: K) {
                self.0.insert(&key);
            }

            fn estimate(&mut self) -> f64 {
                self.0.raw_count()
            }

            fn merge(&mut self, other: &Self) {
                self.0.union(&other.0).expect("equal precision");
            }
        }
    };
}

lockless!(Lockless, HyperLogLog, "hyperloglockless (foldhash)");
lockless!(LocklessPlus, HyperLogLogPlus, "hyperloglockless Plus (foldhash)");

/// The two sketches of hyperloglogplus: their trait has neither `new` nor `merge`.
macro_rules! plus {
    ($contender:ident, $sketch:ident, $name:literal) => {
        pub(crate) struct $contender<K: Hash>(hyperloglogplus::$sketch<K, FixedState>);

        impl<K: Copy + Hash> Distinct<K> for $contender<K> {
            const NAME: &'static str = $name;

            fn new() -> Self {
                let sketch = hyperloglogplus::$sketch::new(PRECISION, FixedState::with_seed(SEED));
                Self(sketch.expect("the crate accepts this precision"))
            }

            #[inline]
            fn insert(&mut self, key: K) {
                self.0.insert(&key);
            }

            fn estimate(&mut self) -> f64 {
                self.0.count()
            }

            fn merge(&mut self, other: &Self) {
                self.0.merge(&other.0).expect("equal precision");
            }
        }
    };
}

plus!(PlusPlus, HyperLogLogPlus, "hyperloglogplus (HLL++, foldhash)");
plus!(PlainPacked, HyperLogLogPF, "hyperloglogplus (HLLPF, foldhash)");

pub(crate) struct Estimator<K: Hash>(cardinality_estimator::CardinalityEstimator<K>);

impl<K: Copy + Hash> Distinct<K> for Estimator<K> {
    const NAME: &'static str = "cardinality-estimator";

    fn new() -> Self {
        Self(cardinality_estimator::CardinalityEstimator::new())
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(&key);
    }

    fn estimate(&mut self) -> f64 {
        self.0.estimate() as f64
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
}

/// `BITS` is the width of a register.
pub(crate) struct Datasketches<const BITS: u8>(HllSketch);

impl<const BITS: u8> Datasketches<BITS> {
    const TYPE: HllType = if BITS == 4 { HllType::Hll4 } else { HllType::Hll8 };
}

impl<K: Copy + Hash, const BITS: u8> Distinct<K> for Datasketches<BITS> {
    const NAME: &'static str = if BITS == 4 { "datasketches Hll4" } else { "datasketches Hll8" };

    fn new() -> Self {
        Self(HllSketch::new(PRECISION, Self::TYPE).expect("the crate accepts this precision"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.update(key);
    }

    fn estimate(&mut self) -> f64 {
        self.0.estimate()
    }

    /// The crate merges through a union object only.
    fn merge(&mut self, other: &Self) {
        let mut union = HllUnion::new(PRECISION).expect("the crate accepts this precision");
        union.update(&self.0);
        union.update(&other.0);
        self.0 = union.to_sketch(Self::TYPE);
    }
}
