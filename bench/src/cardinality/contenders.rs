//! The distinct counters, all at precision 12.

use crate::keys::in_batches;
use crivo::{HyperLogLog, Item};
use datasketches::hll::{HllSketch, HllType, HllUnion};
use foldhash::fast::FixedState;
use hyperloglogplus::HyperLogLog as _;
use std::hash::Hash;

pub(crate) const PRECISION: u8 = 12;
const SEED: u64 = 0x5eed;

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

/// One item at a time.
pub(crate) struct Crivo(pub(crate) HyperLogLog);

impl<K: Copy + Item> Distinct<K> for Crivo {
    const NAME: &'static str = "crivo";

    fn new() -> Self {
        Self(HyperLogLog::new(PRECISION).expect("this precision is valid"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.insert(&key);
    }

    fn estimate(&mut self) -> f64 {
        self.0.estimate().value()
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0).expect("equal precision and hash");
    }
}

/// Many items at once; hashing them is part of the time.
pub(crate) struct CrivoBatch(HyperLogLog);

impl<K: Copy + Item> Distinct<K> for CrivoBatch {
    const NAME: &'static str = "crivo (batch)";

    fn new() -> Self {
        Self(HyperLogLog::new(PRECISION).expect("this precision is valid"))
    }

    fn insert(&mut self, key: K) {
        self.0.insert(&key);
    }

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        let spec = *self.0.hash_spec();
        in_batches(&spec, keys, |hashes| self.0.insert_hashes(hashes));
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

pub(crate) struct Lockless(hyperloglockless::HyperLogLog<FixedState>);

impl<K: Copy + Hash> Distinct<K> for Lockless {
    const NAME: &'static str = "hyperloglockless (foldhash)";

    fn new() -> Self {
        Self(hyperloglockless::HyperLogLog::with_hasher(PRECISION, FixedState::with_seed(SEED)))
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

pub(crate) struct LocklessPlus(hyperloglockless::HyperLogLogPlus<FixedState>);

impl<K: Copy + Hash> Distinct<K> for LocklessPlus {
    const NAME: &'static str = "hyperloglockless Plus (foldhash)";

    fn new() -> Self {
        Self(hyperloglockless::HyperLogLogPlus::with_hasher(PRECISION, FixedState::with_seed(SEED)))
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

pub(crate) struct PlusPlus<K: Hash>(hyperloglogplus::HyperLogLogPlus<K, FixedState>);

impl<K: Copy + Hash> Distinct<K> for PlusPlus<K> {
    const NAME: &'static str = "hyperloglogplus (HLL++, foldhash)";

    fn new() -> Self {
        let sketch = hyperloglogplus::HyperLogLogPlus::new(PRECISION, FixedState::with_seed(SEED));
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

pub(crate) struct PlainPacked<K: Hash>(hyperloglogplus::HyperLogLogPF<K, FixedState>);

impl<K: Copy + Hash> Distinct<K> for PlainPacked<K> {
    const NAME: &'static str = "hyperloglogplus (HLLPF, foldhash)";

    fn new() -> Self {
        let sketch = hyperloglogplus::HyperLogLogPF::new(PRECISION, FixedState::with_seed(SEED));
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
