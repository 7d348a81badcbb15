//! An edge as one item, hashed from the hashes of its ends.

use crate::hash::mix;
use crate::{Error, Result};
use alloc::format;

/// Whether the edges of a graph have a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// (u, v) and (v, u) are two edges.
    Directed,
    /// (u, v) and (v, u) are one edge.
    Undirected,
}

impl Direction {
    /// Returns `directed` or `undirected`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Undirected => "undirected",
        }
    }

    /// Returns the byte for this direction in files.
    pub(super) fn tag(self) -> u8 {
        match self {
            Self::Directed => 0,
            Self::Undirected => 1,
        }
    }

    pub(super) fn from_tag(tag: u64) -> Result<Self> {
        match tag {
            0 => Ok(Self::Directed),
            1 => Ok(Self::Undirected),
            _ => Err(Error::malformed(format!("the file is corrupt: a direction must be 0 or 1, got {tag}"))),
        }
    }

    /// Refuses to merge a directed graph with an undirected one.
    pub(super) fn check_same(self, other: Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let remedy = "build both with the same direction";
        Err(Error::incompatible("direction", self.name(), other.name(), remedy))
    }

    /// Refuses a query that only undirected graphs support.
    pub(super) fn check_undirected(self) -> Result<()> {
        match self {
            Self::Undirected => Ok(()),
            Self::Directed => Err(Error::unsupported(
                "triangles are only defined for undirected graphs, and this one is directed; build it undirected",
            )),
        }
    }
}

/// An odd constant without a pattern: the fractional part of √2, in 64 bits.
const TURN: u64 = 0x6a09_e667_f3bc_c909;

/// Returns the hash of the edge between two vertices with these hashes.
///
/// Undirected edges are taken with the smaller hash first. The hashes of the ends are already random: a multiple of one
/// plus the other distinguishes two edges except with probability 2⁻⁶⁴, and the mixing makes all its bits equally
/// random.
///
/// ```
/// use crivo::graph::{Direction, edge_hash};
/// assert_eq!(edge_hash(1, 2, Direction::Undirected), edge_hash(2, 1, Direction::Undirected));
/// assert_ne!(edge_hash(1, 2, Direction::Directed), edge_hash(2, 1, Direction::Directed));
/// ```
#[inline]
pub fn edge_hash(from: u64, to: u64, direction: Direction) -> u64 {
    let (from, to) = match direction {
        Direction::Directed => (from, to),
        Direction::Undirected => (from.min(to), from.max(to)),
    };
    mix(from.wrapping_mul(TURN).wrapping_add(to))
}
