//! How many different? Counting distinct items in fixed memory.

mod entries;
mod exaloglog;
mod hyperloglog;
mod k_min_values;
mod precision;

pub use exaloglog::ExaLogLog;
pub use hyperloglog::{Estimator, HyperLogLog};
pub use k_min_values::KMinValues;
