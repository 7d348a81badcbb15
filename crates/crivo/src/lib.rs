#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bits;
pub mod cardinality;
mod codec;
pub mod counting;
mod element;
mod error;
mod estimate;
pub mod frequency;
pub mod hash;
mod kind;
pub mod membership;
mod memory;
pub mod quantile;
pub mod rng;
pub mod sampling;
pub mod similarity;
pub mod sketch;
pub mod stats;

pub use cardinality::ExaLogLog;
pub use cardinality::Joint;
pub use cardinality::KMinValues;
pub use cardinality::LinearCounting;
pub use cardinality::LogLog;
pub use cardinality::MinimumHash;
pub use cardinality::ProbabilisticCounting;
pub use cardinality::SlidingHyperLogLog;
pub use cardinality::{Estimator, HyperLogLog};
pub use cardinality::{Evolving, Martingale};
pub use cardinality::{Sets, compare_sets};
pub use codec::{DecodeOptions, Header, peek};
pub use counting::{BinomialArray, BinomialCounter, BinomialParams};
pub use counting::{MorrisArray, MorrisCounter, MorrisParams};
pub use element::Element;
pub use error::{Error, ErrorKind, Result};
pub use estimate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, QuantileEstimate};
pub use frequency::Hitter;
pub use frequency::MisraGries;
pub use frequency::Moments;
pub use frequency::SpaceSaving;
pub use frequency::{Confirmation, Majority};
pub use frequency::{CountMin, CountMinParams};
pub use frequency::{CountSketch, CountSketchParams};
pub use frequency::{SignedCountMin, SignedCountMinParams};
pub use hash::{HashSpec, Item};
pub use kind::{Family, FilterPlan, FilterTarget, KINDS, Kind, KindInfo, MakeFilter, MergeLaw, decode};
pub use membership::CuckooTable;
pub use membership::DirectTable;
pub use membership::FilterView;
#[cfg(target_has_atomic = "64")]
pub use membership::{AtomicBloom, AtomicParams};
pub use membership::{BinaryFuse, BinaryFuseParams};
pub use membership::{BlockedBloom, BlockedParams};
pub use membership::{BloomFilter, BloomParams};
pub use membership::{CompressedBloom, CompressedParams};
pub use membership::{CountingBloom, CountingParams};
pub use membership::{CuckooFilter, CuckooParams};
pub use membership::{DynamicBloom, DynamicParams};
pub use membership::{HashCompaction, HashCompactionParams};
pub use membership::{PartitionedBloom, PartitionedParams};
pub use membership::{QuotientFilter, QuotientParams};
pub use membership::{ScalableBloom, ScalableParams};
pub use membership::{SpectralBloom, SpectralParams};
pub use quantile::Kll;
pub use quantile::{DyadicCountMin, DyadicParams, Ordinal};
pub use sampling::Reservoir;
pub use sampling::WeightedReservoir;
pub use similarity::BBitMinHash;
pub use similarity::LshParams;
pub use similarity::MinHash;
pub use similarity::OnePermutation;
pub use similarity::{Scheme, Signature};
