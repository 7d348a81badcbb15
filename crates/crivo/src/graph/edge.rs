//! An edge as one item, made of the hashes of its ends.

use crate::hash::mix;
use crate::{Error, Result};
use alloc::format;

/// Whether the edge from u to v is also the one from v to u.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// (u, v) and (v, u) are two edges.
    Directed,
    /// (u, v) and (v, u) are one edge.
    Undirected,
}

impl Direction {
    /// `directed` or `undirected`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Undirected => "undirected",
        }
    }

    /// The byte that stands for it in files.
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
            _ => Err(Error::malformed(format!("a direction is 0 or 1, got {tag}"))),
        }
    }

    /// Refuses to merge graphs of two sorts.
    pub(super) fn check_same(self, other: Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let remedy = "build both with the same direction";
        Err(Error::incompatible("direction", self.name(), other.name(), remedy))
    }

    /// Refuses a question that is about undirected graphs alone.
    pub(super) fn check_undirected(self) -> Result<()> {
        match self {
            Self::Undirected => Ok(()),
            Self::Directed => Err(Error::unsupported(
                "triangles are those of undirected graphs, and this one is directed; build it undirected",
            )),
        }
    }
}

/// An odd constant with no pattern: the fractional part of √2, in 64 bits.
const TURN: u64 = 0x6a09_e667_f3bc_c909;

/// The hash of the edge between two vertices with these hashes.
///
/// Undirected edges are taken with the smaller hash first. The hashes of the ends are random already: a multiple of one
/// plus the other tells two edges apart but for 1 in 2⁶⁴, and the mixing makes every bit of it as good as the next.
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
