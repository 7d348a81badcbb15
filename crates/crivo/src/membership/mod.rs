//! Membership: filters answer *certainly not in the set* or *probably in the set*, with a few bits per item.

#[cfg(target_has_atomic = "64")]
mod atomic_bloom;
mod binary_fuse;
mod blocked_bloom;
mod bloom_filter;
mod compressed_bloom;
mod counters;
mod counting_bloom;
mod cuckoo_filter;
pub(crate) mod cuckoo_table;
pub(crate) mod direct_table;
pub mod exchange;
mod filter_plan;
mod filter_view;
mod hash_compaction;
mod layered;
mod partitioned_bloom;
mod probed_bits;
mod quotient_filter;
mod routing_tree;
mod spectral_bloom;
mod target;

#[cfg(target_has_atomic = "64")]
pub use atomic_bloom::{AtomicBloom, AtomicParams};
pub use binary_fuse::{BinaryFuse, BinaryFuseParams};
pub use blocked_bloom::{BlockedBloom, BlockedParams};
pub(crate) use bloom_filter::Occupancy;
pub use bloom_filter::{BloomFilter, BloomParams};
pub use compressed_bloom::{CompressedBloom, CompressedParams};
pub use counting_bloom::{CountingBloom, CountingParams};
pub use cuckoo_filter::{CuckooFilter, CuckooParams};
pub(crate) use cuckoo_table::CuckooTable;
pub(crate) use direct_table::DirectTable;
pub use filter_plan::FilterPlan;
pub use filter_view::FilterView;
pub use hash_compaction::{HashCompaction, HashCompactionParams};
pub use layered::{DynamicBloom, DynamicParams};
pub use layered::{ScalableBloom, ScalableParams};
pub use layered::{WindowedBloom, WindowedParams};
pub use partitioned_bloom::{PartitionedBloom, PartitionedParams};
pub use quotient_filter::{QuotientFilter, QuotientParams};
pub use routing_tree::{Route, RoutingTree};
pub use spectral_bloom::{SpectralBloom, SpectralParams};
