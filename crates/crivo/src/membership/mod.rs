//! Is it there? Filters answer *certainly not* or *probably*, in a few bits an item.

mod binary_fuse;
mod bloom;
mod layered;
mod view;

pub use binary_fuse::{BinaryFuse, BinaryFuseParams};
pub(crate) use binary_fuse::{FuseProbe, Shape};
pub use bloom::{BloomFilter, BloomParams};
pub use layered::{DynamicBloom, DynamicParams};
pub use layered::{ScalableBloom, ScalableParams};
pub use view::FilterView;
