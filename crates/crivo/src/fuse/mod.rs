//! The basis of static structures (binary fuse filters): each hash has three cells, and the cells are filled
//! for the whole set at once so that the three cells of every hash of the set combine to a chosen value.

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
