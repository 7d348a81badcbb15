//! Is it there? Filters answer *certainly not* or *probably*, in a few bits an item.

#[cfg(target_has_atomic = "64")]
mod atomic_bloom;
mod binary_fuse;
mod blocked_bloom;
mod bloom;
mod compaction;
mod compressed;
mod counters;
mod counting;
mod cuckoo;
pub(crate) mod cuckoo_table;
pub(crate) mod direct;
pub mod exchange;
mod layered;
mod partitioned;
mod plan;
mod probed_bits;
mod quotient;
mod routing;
mod spectral;
mod target;
mod view;

#[cfg(target_has_atomic = "64")]
pub use atomic_bloom::{AtomicBloom, AtomicParams};
pub use binary_fuse::{BinaryFuse, BinaryFuseParams};
pub use blocked_bloom::{BlockedBloom, BlockedParams};
pub(crate) use bloom::Occupancy;
pub use bloom::{BloomFilter, BloomParams};
pub use compaction::{HashCompaction, HashCompactionParams};
pub use compressed::{CompressedBloom, CompressedParams};
pub use counting::{CountingBloom, CountingParams};
pub use cuckoo::{CuckooFilter, CuckooParams};
pub(crate) use cuckoo_table::CuckooTable;
pub(crate) use direct::DirectTable;
pub use layered::{DynamicBloom, DynamicParams};
pub use layered::{ScalableBloom, ScalableParams};
pub use layered::{WindowedBloom, WindowedParams};
pub use partitioned::{PartitionedBloom, PartitionedParams};
pub use plan::FilterPlan;
pub use quotient::{QuotientFilter, QuotientParams};
pub use routing::{Route, RoutingTree};
pub use spectral::{SpectralBloom, SpectralParams};
pub use view::FilterView;
