//! What a filter costs before it is made.

use alloc::vec::Vec;

/// What a filter for a target costs.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterPlan {
    /// The memory of the filter, in bytes: what
    /// [`memory_bytes`](crate::sketch::Sketch::memory_bytes) says of it when it is made.
    pub memory_bytes: u64,
    /// The false positive rate with all the items inside.
    pub fpr: f64,
    /// The cache lines that a query of an item inside touches, on average.
    pub cache_lines: f64,
    /// The parameters, by name.
    pub parameters: Vec<(&'static str, u64)>,
}
