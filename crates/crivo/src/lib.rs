#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod baseline;
pub mod bits;
pub mod cardinality;
mod codec;
pub mod counting;
mod each_type;
mod element;
mod error;
mod estimate;
#[doc(hidden)]
pub mod foreign;
pub mod frequency;
mod fuse;
pub mod graph;
pub mod hash;
mod kind;
pub mod membership;
mod memory;
#[cfg(feature = "std")]
pub mod per_key;
mod places;
pub mod profile;
pub mod quantile;
mod registry;
pub mod rng;
pub mod sampling;
#[cfg(feature = "serde")]
mod serialized;
pub mod similarity;
pub mod sketch;
#[doc(hidden)]
pub mod stats;
pub mod valued;

pub use cardinality::{ExaLogLog, HyperLogLog, Joint, KMinValues, SlidingHyperLogLog};
pub use codec::{DecodeOptions, Header, peek};
pub use counting::{MorrisArray, MorrisCounter};
pub use element::{Element, Number};
pub use error::{Error, ErrorKind, Result};
pub use estimate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, QuantileEstimate};
pub use frequency::{CountMin, CountSketch, MisraGries, Moments, SpaceSaving};
pub use graph::{DeBruijn, EdgeBloom};
pub use hash::{HashSpec, Item, ItemForm};
pub use kind::{Family, Kind, MergeLaw};
pub use membership::{
    BinaryFuse, BlockedBloom, BloomFilter, BloomParams, CountingBloom, CuckooFilter, FilterView,
    QuotientFilter, ScalableBloom, WindowedBloom,
};
#[cfg(feature = "std")]
pub use per_key::PerKey;
pub use profile::TableProfile;
pub use quantile::{DyadicCountMin, Kll, LogQuantiles, ReqSketch};
pub use registry::{FilterTarget, KINDS, KindInfo, MakeFilter, compare_sets, decode};
pub use sampling::{Reservoir, VarOpt, WeightedReservoir};
pub use similarity::{HammingIndex, LshIndex, MinHash, OnePermutation, SimHash, WeightedMinHash};
#[cfg(feature = "rayon")]
pub use sketch::parallel;
pub use valued::{BloomierFilter, LinearBloom};
#[cfg(target_has_atomic = "64")]
pub use {cardinality::AtomicHyperLogLog, frequency::AtomicCountMin, membership::AtomicBloom};

/// The code of the guide's chapter about the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/rust-api.md")]
struct Guide;
