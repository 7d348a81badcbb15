//! The common ground of frozen structures: three cells for each hash, found for a whole set at once such that what
//! they add up to is as wished for every hash of the set.

mod cells;
mod peel;
mod probe;
mod shape;

#[cfg(test)]
pub(crate) use peel::ATTEMPTS;
pub(crate) use peel::Peeled;
#[cfg(test)]
pub(crate) use probe::spread;
pub(crate) use probe::{FuseProbe, cell_bytes, fpr, memory_bytes};
pub(crate) use shape::Shape;
