//! The counters of other crates, at precision 12 unless they have none.

use super::{Distinct, PRECISION};
use crate::keys::SEED;
use datasketches::cpc::{CpcSketch, CpcUnion};
use datasketches::hll::{HllSketch, HllType, HllUnion};
use foldhash::fast::FixedState;
use hyperloglogplus::HyperLogLog as _;
use std::hash::{BuildHasher, Hash};

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
pub(crate) struct Datasketches<const BITS: u8, const PRECISION: u8>(HllSketch);

impl<const BITS: u8, const PRECISION: u8> Datasketches<BITS, PRECISION> {
    const TYPE: HllType = if BITS == 4 { HllType::Hll4 } else { HllType::Hll8 };
}

impl<K: Copy + Hash, const BITS: u8, const PRECISION: u8> Distinct<K> for Datasketches<BITS, PRECISION> {
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

/// Coupons, with the historic estimator until it is merged.
pub(crate) struct Cpc<const PRECISION: u8>(CpcSketch);

impl<K: Copy + Hash, const PRECISION: u8> Distinct<K> for Cpc<PRECISION> {
    const NAME: &'static str = "datasketches CPC";

    fn new() -> Self {
        Self(CpcSketch::new(PRECISION).expect("the crate accepts this precision"))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.update(key);
    }

    fn estimate(&mut self) -> f64 {
        self.0.estimate()
    }

    fn merge(&mut self, other: &Self) {
        let mut union = CpcUnion::new(PRECISION).expect("the crate accepts this precision");
        union.update(&self.0).expect("equal seeds");
        union.update(&other.0).expect("equal seeds");
        self.0 = union.to_sketch();
    }
}

/// Both sketches of exaloglog take hashes; foldhash makes them.
macro_rules! exaloglog {
    ($contender:ident, $sketch:ident, $name:literal) => {
        pub(crate) struct $contender<const PRECISION: u8>(exaloglog::$sketch, FixedState);

        impl<K: Copy + Hash, const PRECISION: u8> Distinct<K> for $contender<PRECISION> {
            const NAME: &'static str = $name;

            fn new() -> Self {
                Self(exaloglog::$sketch::new(PRECISION.into()), FixedState::with_seed(SEED))
            }

            #[inline]
            fn insert(&mut self, key: K) {
                self.0.add_hash(self.1.hash_one(key));
            }

            fn estimate(&mut self) -> f64 {
                self.0.estimate()
            }

            fn merge(&mut self, other: &Self) {
                self.0.merge(&other.0).expect("equal precision");
            }
        }
    };
}

exaloglog!(Exa, ExaLogLog, "exaloglog (foldhash)");
exaloglog!(ExaFast, ExaLogLogFast, "exaloglog Fast (foldhash)");

pub(crate) struct Ultra<const PRECISION: u8>(ultraloglog::UltraLogLog, FixedState);

impl<K: Copy + Hash, const PRECISION: u8> Distinct<K> for Ultra<PRECISION> {
    const NAME: &'static str = "ultraloglog (foldhash)";

    fn new() -> Self {
        let sketch = ultraloglog::UltraLogLog::new(PRECISION.into());
        Self(sketch.expect("the crate accepts this precision"), FixedState::with_seed(SEED))
    }

    #[inline]
    fn insert(&mut self, key: K) {
        self.0.add(self.1.hash_one(key));
    }

    fn estimate(&mut self) -> f64 {
        self.0.get_distinct_count_estimate()
    }

    fn merge(&mut self, other: &Self) {
        self.0.add_sketch(&other.0).expect("equal precision");
    }
}
