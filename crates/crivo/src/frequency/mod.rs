//! Frequencies and heavy hitters: tables of counters with known errors, and counters of the most frequent
//! items.

#[cfg(target_has_atomic = "64")]
mod atomic_count_min;
mod count_min;
mod count_sketch;
mod empirical;
mod heavy;
mod majority;
mod moments;
mod shape;
mod signed_count_min;
mod signed_table;

#[cfg(target_has_atomic = "64")]
pub use atomic_count_min::AtomicCountMin;
pub use count_min::{CountMin, CountMinParams};
pub use count_sketch::{CountSketch, CountSketchParams};
pub use empirical::Empirical;
pub use heavy::Hitter;
pub use heavy::MisraGries;
pub use heavy::SpaceSaving;
pub use majority::{Confirmation, Majority};
pub use moments::Moments;
pub use signed_count_min::{SignedCountMin, SignedCountMinParams};
