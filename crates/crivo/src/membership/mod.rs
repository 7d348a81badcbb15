//! Is it there? Filters answer *certainly not* or *probably*, in a few bits an item.

mod bloom;

pub use bloom::{BloomFilter, BloomParams};
