//! How many different? Counting distinct items in fixed memory.

mod hyperloglog;

pub use hyperloglog::{Estimator, HyperLogLog};
