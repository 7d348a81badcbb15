//! The cost of a filter before it is made.

use alloc::vec::Vec;

/// The cost of a filter for a target.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterPlan {
    /// The memory of the filter in bytes, as [`memory_bytes`](crate::sketch::Sketch::memory_bytes) returns it
    /// when the filter exists.
    pub memory_bytes: u64,
    /// The false-positive rate with all items inside.
    pub fpr: f64,
    /// The mean number of cache lines that a query for an item inside touches.
    pub cache_lines: f64,
    /// The parameters, by name.
    pub parameters: Vec<(&'static str, u64)>,
}
