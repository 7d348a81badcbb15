//! Cardinality: estimating the number of distinct items in fixed memory.

#[cfg(target_has_atomic = "64")]
mod atomic_hyperloglog;
mod cell_bytes;
mod entries;
mod entry_table;
mod exaloglog;
mod hyperloglog;
mod joint;
mod k_min_values;
mod linear_counting;
pub(crate) mod loglog;
mod martingale;
mod mean_law;
pub(crate) mod minimum_hash;
mod precision;
pub(crate) mod probabilistic_counting;
mod registers;
mod sets;
mod sliding_hyperloglog;

#[cfg(target_has_atomic = "64")]
pub use atomic_hyperloglog::AtomicHyperLogLog;
pub(crate) use entries::estimate_of_hashes;
pub use exaloglog::ExaLogLog;
pub(crate) use hyperloglog::Counts;
pub use hyperloglog::{Estimator, HyperLogLog};
pub use joint::Joint;
pub use k_min_values::KMinValues;
pub(crate) use k_min_values::{K, Owner};
pub use linear_counting::LinearCounting;
pub(crate) use loglog::LogLog;
pub use martingale::Martingale;
pub(crate) use minimum_hash::MinimumHash;
pub(crate) use precision::Precision;
pub(crate) use probabilistic_counting::ProbabilisticCounting;
pub use sets::Sets;
pub use sliding_hyperloglog::SlidingHyperLogLog;
