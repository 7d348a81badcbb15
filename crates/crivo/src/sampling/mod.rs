//! Random samples of a stream.

mod reservoir;
mod sum;
mod var_opt;
mod weighted_reservoir;

pub use reservoir::Reservoir;
pub use var_opt::VarOpt;
pub use weighted_reservoir::WeightedReservoir;

/// The size of a sample.
type SampleSize<T> = crate::element::KeptSize<T, 1, { u32::MAX as u64 }>;
