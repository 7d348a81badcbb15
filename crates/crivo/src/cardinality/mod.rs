//! How many different? Counting distinct items in fixed memory.

mod entries;
mod exaloglog;
mod hyperloglog;
mod precision;

pub use exaloglog::ExaLogLog;
pub use hyperloglog::{Estimator, HyperLogLog};
