//! The common code of graphs with the vertices 0 to n − 1.

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
        "the vertices of this graph are the numbers below {vertices}, got {vertex}; make the graph larger or check \
         the number"
    )))
}

/// Refuses an edge with an end that the graph does not have.
pub(super) fn check_edge((from, to): Edge, vertices: u32) -> Result<()> {
    check_vertex(from, vertices)?;
    check_vertex(to, vertices)
}

/// Refuses an edge from a vertex to itself, which this structure cannot store.
pub(super) fn check_no_loop((from, to): Edge) -> Result<()> {
    if from != to {
        return Ok(());
    }
    Err(Error::invalid(format!("the edge from vertex {from} to itself cannot be stored; leave loops out")))
}

/// Returns the bits of a number below `count`, ⌈log₂ count⌉, but at least 1.
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
