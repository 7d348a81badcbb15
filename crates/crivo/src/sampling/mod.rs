//! A fair part of a stream.

mod reservoir;
mod weighted;

pub use reservoir::Reservoir;
pub use weighted::WeightedReservoir;

/// The size of a sample.
type SampleSize<T> = crate::element::KeptSize<T, 1, { u32::MAX as u64 }>;
