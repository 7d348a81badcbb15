//! How many different? Counting distinct items in fixed memory.

mod entries;
mod exaloglog;
mod hyperloglog;
mod joint;
mod k_min_values;
mod precision;
mod sets;

pub use exaloglog::ExaLogLog;
pub use hyperloglog::{Estimator, HyperLogLog};
pub use joint::Joint;
pub use k_min_values::KMinValues;
pub use sets::{Sets, compare_sets};
