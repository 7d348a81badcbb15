//! How many different? Counting distinct items in fixed memory.

mod entries;
mod hyperloglog;

pub use hyperloglog::{Estimator, HyperLogLog};
