//! Is it there? Filters answer *certainly not* or *probably*, in a few bits an item.

mod binary_fuse;
mod bloom;
mod compressed;
mod counters;
mod counting;
mod layered;
mod partitioned;
mod spectral;
mod view;

pub use binary_fuse::{BinaryFuse, BinaryFuseParams};
pub(crate) use binary_fuse::{FuseProbe, Shape};
pub use bloom::{BloomFilter, BloomParams};
pub use compressed::{CompressedBloom, CompressedParams};
pub use counting::{CountingBloom, CountingParams};
pub use layered::{DynamicBloom, DynamicParams};
pub use layered::{ScalableBloom, ScalableParams};
pub use partitioned::{PartitionedBloom, PartitionedParams};
pub use spectral::{SpectralBloom, SpectralParams};
pub use view::FilterView;
