//! How often? Tables of counters that say what they may be wrong by.

mod count_min;
mod count_sketch;
mod moments;
mod signed_count_min;
mod signed_table;
mod table;

pub use count_min::{CountMin, CountMinParams};
pub use count_sketch::{CountSketch, CountSketchParams};
pub use moments::Moments;
pub use signed_count_min::{SignedCountMin, SignedCountMinParams};
