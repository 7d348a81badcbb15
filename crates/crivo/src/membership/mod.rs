//! Is it there? Filters answer *certainly not* or *probably*, in a few bits an item.

mod bloom;
mod layered;

pub use bloom::{BloomFilter, BloomParams};
pub use layered::{DynamicBloom, DynamicParams};
pub use layered::{ScalableBloom, ScalableParams};
