//! How many different? Counting distinct items in fixed memory.

mod entries;
mod exaloglog;
mod hyperloglog;
mod joint;
mod k_min_values;
mod martingale;
mod precision;
mod sets;
mod sliding;

pub use exaloglog::ExaLogLog;
pub use hyperloglog::{Estimator, HyperLogLog};
pub use joint::Joint;
pub use k_min_values::KMinValues;
pub use martingale::{Evolving, Martingale};
pub use sets::{Sets, compare_sets};
pub use sliding::SlidingHyperLogLog;
