//! What graphs with the vertices 0 to n − 1 have in common.

use crate::sketch::{Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// An edge between two numbered vertices.
pub type Edge = (u32, u32);

/// Refuses a vertex that the graph does not have.
pub(super) fn check_vertex(vertex: u32, vertices: u32) -> Result<()> {
    if vertex < vertices {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a graph of {vertices} vertices has those below {vertices}, got vertex {vertex}; make the graph larger or check \
         the number"
    )))
}

/// Refuses an edge with an end that the graph does not have.
pub(super) fn check_edge((from, to): Edge, vertices: u32) -> Result<()> {
    check_vertex(from, vertices)?;
    check_vertex(to, vertices)
}

/// Refuses an edge from a vertex to itself, which this structure cannot hold.
pub(super) fn check_no_loop((from, to): Edge) -> Result<()> {
    if from != to {
        return Ok(());
    }
    Err(Error::invalid(format!("vertex {from} is joined to itself, which is no edge here; leave it out")))
}

/// The bits of a number below `count`, as ⌈log₂ count⌉; 1 at least, so that there is something to keep.
pub(super) fn width_of(count: u64) -> u32 {
    (64 - count.saturating_sub(1).leading_zeros()).max(1)
}

/// The size of a frozen graph of numbered vertices with one array.
#[derive(Clone)]
pub(crate) struct Vertices(pub(super) u32);

impl Params for Vertices {
    const NAMES: &[&str] = &["vertices"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        narrow(numbers[0]).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_rounded_logarithms() {
        let widths = [
            (0, 1),
            (1, 1),
            (2, 1),
            (3, 2),
            (4, 2),
            (5, 3),
            (1 << 20, 20),
            ((1 << 20) + 1, 21),
            (1 << 32, 32),
        ];
        for (count, width) in widths {
            assert_eq!(width_of(count), width, "{count}");
        }
    }
}
