//! A fair part of a stream.

mod reservoir;
mod weighted;

pub use reservoir::Reservoir;
pub use weighted::WeightedReservoir;
