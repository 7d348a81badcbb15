//! Graphs of intervals that overlap: see [`IntervalGraph`].

use super::numbered_vertices::{Vertices, check_edge, check_vertex, width_of};
use crate::bits::{BitVec, PackedArray};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of vertices: their ends, twice as many, are numbered in 32 bits.
const MAX_VERTICES: u32 = 1 << 31;

/// An interval graph: intervals that are adjacent if they overlap, stored exactly in 2⌈log₂ 2n⌉ bits per vertex.
///
/// # Use when / not when
/// Use it for things that last from one time or place to another and are adjacent to those that they overlap: bookings,
/// genes, lifetimes of variables. There may be n² edges without any further bits. Not for other graphs: use an
/// [`AdjacencyList`](super::AdjacencyList).
///
/// # Guarantee
/// Exact: closed intervals are adjacent if they have a point in common, even if only an end.
///
/// # Space
/// Two numbers below 2n for each vertex, whatever the ends of the intervals are.
///
/// | vertices | bits per vertex | memory |
/// |---|---|---|
/// | 1,000 | 22 | 2.8 kB |
/// | 1,000,000 | 42 | 5.3 MB |
///
/// # Time
/// An edge takes four reads. Neighbours and degrees scan all vertices.
///
/// # Merge
/// Not supported: freeze the intervals of both.
///
/// # Hostile input
/// Nothing is hashed, so no choice of intervals causes errors or slowness.
///
/// # Example
/// ```
/// use crivo::graph::IntervalGraph;
/// let meetings = IntervalGraph::freeze(&[(9.0, 10.0), (10.0, 11.5), (11.0, 12.0)])?;
/// assert!(meetings.has_edge(0, 1)?); // they touch
/// assert!(meetings.has_edge(1, 2)? && !meetings.has_edge(0, 2)?);
/// assert_eq!(meetings.edges(), 2);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// 0   [-----]                     ends in order   [0  [1  0]  [2  1]  2]
/// 1         [-------]             rank             0   1   2   3   4   5
/// 2              [------]
///                                 0 is from 0 to 2, 1 from 1 to 4, 2 from 3 to 5:
///                                 u and v meet when each begins before the other ends
/// ```
/// Among ends at the same point, the beginnings come first, so that intervals that touch overlap.
///
/// # References
/// Muller 1988, Local structure in graph classes · Kannan, Naor and Rudich 1992, doi:10.1137/0405049 · Lopes 2017,
/// section 3.1.
///
/// # Measured
/// `crivo-lab run c-interval-graph`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct IntervalGraph {
    /// The ranks of the beginning and the end of each interval among all ends.
    ends: PackedArray,
    edges: u64,
}

impl IntervalGraph {
    /// Builds the graph of closed intervals, each from the first number to the second.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an interval ends before it begins or has an end that is not a number, or if there
    /// are more than 2³¹.
    pub fn freeze(intervals: &[(f64, f64)]) -> Result<Self> {
        if intervals.len() > MAX_VERTICES as usize {
            let count = intervals.len();
            return Err(Error::invalid(format!(
                "a graph has at most {MAX_VERTICES} intervals, got {count}; split them"
            )));
        }
        let mut ends = Vec::with_capacity(2 * intervals.len());
        for (vertex, &(from, to)) in (0u32..).zip(intervals) {
            let (true, false) = (from <= to, from.is_nan() || to.is_nan()) else {
                return Err(Error::invalid(format!(
                    "interval {vertex} goes from {from} to {to}; it must begin with a number and end with one that is no \
                     smaller"
                )));
            };
            // Removes the sign of zero, so that the order is that of the numbers.
            ends.extend([(from + 0.0, false, vertex), (to + 0.0, true, vertex)]);
        }
        ends.sort_unstable_by(|one, other| {
            one.0.total_cmp(&other.0).then((one.1, one.2).cmp(&(other.1, other.2)))
        });
        let mut ranks = PackedArray::new(width_of(ends.len() as u64), ends.len());
        for (rank, &(_, is_end, vertex)) in (0u32..).zip(&ends) {
            ranks.set(2 * vertex as usize + usize::from(is_end), rank);
        }
        Ok(Self::counted(ranks))
    }

    /// Counts the edges. Two intervals are not adjacent if one ends before the other begins: an end before a number of
    /// beginnings lies before as many intervals.
    fn counted(ends: PackedArray) -> Self {
        let vertices = ends.len() as u64 / 2;
        let mut is_end = BitVec::new(ends.len() as u64);
        for place in (1..ends.len()).step_by(2) {
            is_end.set(ends.get(place).into());
        }
        let (mut begun, mut apart) = (0, 0);
        for rank in 0..ends.len() as u64 {
            if is_end.get(rank) {
                apart += vertices - begun;
            } else {
                begun += 1;
            }
        }
        let edges = vertices * vertices.saturating_sub(1) / 2 - apart;
        Self { ends, edges }
    }

    fn span(&self, vertex: u32) -> (u32, u32) {
        (self.ends.get(2 * vertex as usize), self.ends.get(2 * vertex as usize + 1))
    }

    fn is_joined(&self, one: u32, other: u32) -> bool {
        let ((from, to), (its_from, its_to)) = (self.span(one), self.span(other));
        one != other && from < its_to && its_from < to
    }

    /// Returns whether two intervals overlap.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn has_edge(&self, one: u32, other: u32) -> Result<bool> {
        check_edge((one, other), self.vertices())?;
        Ok(self.is_joined(one, other))
    }

    /// Returns the intervals that overlap with this one, sorted by number.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn neighbours(&self, vertex: u32) -> Result<impl Iterator<Item = u32> + '_> {
        check_vertex(vertex, self.vertices())?;
        Ok((0..self.vertices()).filter(move |&other| self.is_joined(vertex, other)))
    }

    /// Returns the number of [`neighbours`](Self::neighbours) of an interval.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn degree(&self, vertex: u32) -> Result<u32> {
        Ok(self.neighbours(vertex)?.count() as u32)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> u32 {
        (self.ends.len() / 2) as u32
    }

    /// Returns the exact number of edges.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Returns the bits of a vertex.
    pub fn bits_per_vertex(&self) -> u32 {
        2 * self.ends.width()
    }
}

/// Returns whether these are the ranks of all ends of intervals.
fn are_ranks(ends: &PackedArray) -> bool {
    let mut taken = BitVec::new(ends.len() as u64);
    let all_differ = ends.iter().all(|rank| (rank as usize) < ends.len() && taken.set(rank.into()));
    all_differ && (0..ends.len()).step_by(2).all(|place| ends.get(place) < ends.get(place + 1))
}

shell!(IntervalGraph: hashes_nothing);

impl OfSize for IntervalGraph {
    type Params = Vertices;

    fn params(&self) -> Vertices {
        Vertices(self.vertices())
    }
}

impl Core for IntervalGraph {
    const KIND: Kind = Kind::IntervalGraph;

    fn heap_bytes(&self) -> usize {
        self.ends.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.ends.to_bytes(payload);
    }

    fn read(Vertices(vertices): Vertices, file: &mut Payload<'_>) -> Result<Self> {
        let count = 2 * u64::from(vertices);
        let ends = file.packed(width_of(count), count)?;
        if vertices <= MAX_VERTICES && are_ranks(&ends) {
            return Ok(Self::counted(ends));
        }
        Err(Error::malformed("the file is corrupt: the payload is not the ranks of intervals"))
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("edges", self.edges), Fact::count("bits_per_vertex", self.bits_per_vertex().into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// 2⌈log₂ 2n⌉ bits per vertex, and the answers of the intervals themselves, with many ends at the same point.
    #[test]
    fn overlapping_intervals_are_adjacent() {
        for vertices in [0u32, 1, 2, 5, 40, 64, 65] {
            let mut rng = Rng::new(vertices.into());
            let intervals: Vec<(f64, f64)> = (0..vertices)
                .map(|_| {
                    let [one, other] = [(); 2].map(|()| rng.below(20) as f64 - 10.0);
                    (one.min(other), one.max(other))
                })
                .collect();
            let graph = IntervalGraph::freeze(&intervals).unwrap();
            let mut edges = 0;
            for one in 0..vertices {
                let meets = |other: u32| {
                    let ((from, to), (its_from, its_to)) =
                        (intervals[one as usize], intervals[other as usize]);
                    one != other && from <= its_to && its_from <= to
                };
                let neighbours: Vec<u32> = (0..vertices).filter(|&other| meets(other)).collect();
                assert!((0..vertices).all(|other| graph.has_edge(one, other) == Ok(meets(other))));
                assert_eq!(graph.degree(one), Ok(neighbours.len() as u32));
                assert!(graph.neighbours(one).unwrap().eq(neighbours.iter().copied()));
                edges += neighbours.len() as u64;
            }
            assert_eq!(graph.edges(), edges / 2);
            let bits = 2.0 * libm::ceil(libm::log2(2.0 * f64::from(vertices.max(1)))).max(1.0);
            assert_eq!(f64::from(graph.bits_per_vertex()), bits);
        }
    }

    #[test]
    fn only_the_order_of_ends_counts() {
        let meetings = IntervalGraph::freeze(&[(9.0, 10.0), (10.0, 11.5), (11.0, 12.0)]).unwrap();
        let others =
            IntervalGraph::freeze(&[(f64::NEG_INFINITY, -0.0), (0.0, 2.0), (1.0, f64::INFINITY)]).unwrap();
        assert_eq!(meetings, others);
        for bad in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert!(IntervalGraph::freeze(&[(0.0, 0.0), bad]).is_err(), "{bad:?}");
        }
        assert!(meetings.has_edge(0, 3).is_err() && meetings.degree(3).is_err());
    }

    /// Ranks that are repeated, too large, or end before they begin.
    #[test]
    fn files_of_no_intervals_are_refused() {
        let file = |ranks: [u8; 4]| {
            let payload = ranks.iter().rev().fold(0, |bits, rank| bits << 2 | rank);
            IntervalGraph::from_bytes(&crate::codec::seal(Kind::IntervalGraph, None, &[2], &[payload]))
        };
        assert_eq!(file([0, 2, 1, 3]).unwrap().edges(), 1);
        for bad in [[0, 2, 1, 2], [1, 0, 2, 3], [0, 0, 0, 0]] {
            assert_eq!(file(bad).unwrap_err().kind(), crate::ErrorKind::Malformed, "{bad:?}");
        }
    }
}
