//! One bit for each pair of vertices: see [`AdjacencyMatrix`].

use super::Direction;
use super::numbered_vertices::{check_edge, check_vertex};
use crate::bits::BitVec;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest matrix: 2⁴⁰ bits (128 GiB), or 1 GiB where addresses have 32 bits.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// An adjacency matrix: an exact graph, with one bit for each pair of vertices.
///
/// # Use when / not when
/// Use it for dense graphs: no representation of all graphs takes fewer bits, and edges can be added one by one. Not
/// for sparse graphs: an [`AdjacencyList`](super::AdjacencyList) is smaller as long as fewer than one pair in 2·⌈log₂
/// n⌉ is an edge, and lists neighbours without scanning all vertices.
///
/// # Guarantee
/// Exact: every answer is correct.
///
/// # Space
/// n² bits for a directed graph of n vertices, n(n−1)/2 + n for an undirected one; the n bits are for loops.
///
/// | vertices | undirected | bits per vertex |
/// |---|---|---|
/// | 1,000 | 63 kB | 500.5 |
/// | 13,217 | 10.9 MB | 6,609 |
/// | 100,000 | 625 MB | 50,000.5 |
///
/// # Time
/// An edge is one bit: one cache line. Neighbours and degrees scan all vertices.
///
/// # Merge
/// Exact: the edges of both, bit for bit; commutative, associative and idempotent.
///
/// # Hostile input
/// Nothing is hashed, so no choice of edges causes errors or slowness.
///
/// # Example
/// ```
/// use crivo::baseline::AdjacencyMatrix;
/// use crivo::graph::Direction;
/// let mut graph = AdjacencyMatrix::for_vertices(4, Direction::Undirected)?;
/// assert!(graph.add_edge(0, 1)?);
/// assert!(graph.add_edge(3, 1)?);
/// assert!(graph.has_edge(1, 3)? && !graph.has_edge(0, 3)?);
/// assert!(graph.neighbours(1)?.eq([0, 3]));
/// assert_eq!((graph.vertices(), graph.edges()), (4, 2));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///        0  1  2  3
///    0   .                 0–1 and 1–3 are edges; the half above the diagonal
///    1   1  .              would say the same again
///    2   .  .  .
///    3   .  1  .  .        rows one after the other: bit v(v+1)/2 + u, u the smaller end
/// ```
///
/// # References
/// Spinrad 2003, Efficient Graph Representations, chapter 1 · Lopes 2017, section 3.1.
///
/// # Measured
/// `crivo-lab run c-adjacency-matrix`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct AdjacencyMatrix {
    bits: BitVec,
    vertices: u32,
    edges: u64,
    direction: Direction,
}

impl AdjacencyMatrix {
    /// Creates a graph without edges.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if it would take more than 2⁴⁰ bits.
    pub fn for_vertices(vertices: u32, direction: Direction) -> Result<Self> {
        let bits = BitVec::new(bits_for(vertices, direction)?);
        Ok(Self { bits, vertices, edges: 0, direction })
    }

    /// Adds an edge, and returns whether it is new.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex. On error nothing changes.
    pub fn add_edge(&mut self, from: u32, to: u32) -> Result<bool> {
        check_edge((from, to), self.vertices)?;
        let is_new = self.bits.set(self.place(from, to));
        self.edges += u64::from(is_new);
        Ok(is_new)
    }

    fn place(&self, from: u32, to: u32) -> u64 {
        let (from, to) = (u64::from(from), u64::from(to));
        match self.direction {
            Direction::Directed => from * u64::from(self.vertices) + to,
            Direction::Undirected => {
                let (smaller, larger) = (from.min(to), from.max(to));
                larger * (larger + 1) / 2 + smaller
            }
        }
    }

    /// Returns whether there is an edge from one vertex to the other.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn has_edge(&self, from: u32, to: u32) -> Result<bool> {
        check_edge((from, to), self.vertices)?;
        Ok(self.bits.get(self.place(from, to)))
    }

    /// Returns the vertices to which there is an edge, sorted.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn neighbours(&self, vertex: u32) -> Result<impl Iterator<Item = u32> + '_> {
        check_vertex(vertex, self.vertices)?;
        Ok((0..self.vertices).filter(move |&other| self.bits.get(self.place(vertex, other))))
    }

    /// Returns the number of [`neighbours`](Self::neighbours) of a vertex.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn degree(&self, vertex: u32) -> Result<u32> {
        Ok(self.neighbours(vertex)?.count() as u32)
    }

    /// Removes all edges.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.edges = 0;
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// Returns the exact number of edges.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Returns whether edges have a direction.
    pub fn direction(&self) -> Direction {
        self.direction
    }
}

fn bits_for(vertices: u32, direction: Direction) -> Result<u64> {
    let vertices = u64::from(vertices);
    // At most 2⁶⁴ − 2³³ + 1, so this does not overflow.
    let bits = match direction {
        Direction::Directed => vertices * vertices,
        Direction::Undirected => vertices * (vertices + 1) / 2,
    };
    if bits <= MAX_BITS {
        return Ok(bits);
    }
    Err(Error::invalid(format!(
        "an adjacency matrix has at most {MAX_BITS} bits, but {vertices} vertices need {bits}; use an adjacency list"
    )))
}

shell!(AdjacencyMatrix: hashes_nothing, merges);

impl OfSize for AdjacencyMatrix {
    type Params = MatrixSize;

    fn params(&self) -> MatrixSize {
        MatrixSize { vertices: self.vertices, direction: self.direction }
    }
}

impl Core for AdjacencyMatrix {
    const KIND: Kind = Kind::AdjacencyMatrix;

    fn heap_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.bits.to_bytes(payload);
    }

    fn read(size: MatrixSize, file: &mut Payload<'_>) -> Result<Self> {
        let MatrixSize { vertices, direction } = size;
        let len = bits_for(vertices, direction)?;
        let bits = BitVec::from_bytes(len, file.bytes.take_rest()).ok_or_else(|| {
            Error::malformed(format!("the file is corrupt: the payload does not hold {len} bits"))
        })?;
        Ok(Self { edges: bits.count_ones(), bits, vertices, direction })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("edges", self.edges),
            Fact::number("bits_per_vertex", self.bits.len() as f64 / f64::from(self.vertices.max(1))),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.bits.union_with(&other.bits);
        self.edges = self.bits.count_ones();
        Ok(())
    }
}

#[derive(Clone)]
pub(crate) struct MatrixSize {
    vertices: u32,
    direction: Direction,
}

impl Params for MatrixSize {
    const REMEDY: &str = "create both with the same vertices and direction";
    const NAMES: &[&str] = &["vertices", "direction"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.vertices.into(), self.direction.tag().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let size = Self { vertices: narrow(numbers[0])?, direction: Direction::from_tag(numbers[1])? };
        bits_for(size.vertices, size.direction)?;
        Ok(size)
    }

    fn memory_bytes(&self) -> u64 {
        let bits = bits_for(self.vertices, self.direction).unwrap_or(u64::MAX);
        size_of::<AdjacencyMatrix>() as u64 + bits.div_ceil(64).saturating_mul(8)
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::text("direction", self.direction.name()), Fact::count("vertices", self.vertices.into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;

    #[test]
    fn behaves_as_a_set_of_pairs() {
        for direction in [Direction::Directed, Direction::Undirected] {
            for vertices in [1, 2, 7, 64, 65] {
                let mut rng = Rng::new(vertices.into());
                let mut graph = AdjacencyMatrix::for_vertices(vertices, direction).unwrap();
                let mut pairs = BTreeSet::new();
                for _ in 0..2 * vertices {
                    let [from, to] = [(); 2].map(|()| rng.below(vertices.into()) as u32);
                    let is_new = pairs.insert((from, to));
                    if direction == Direction::Undirected {
                        pairs.insert((to, from));
                    }
                    assert_eq!(graph.add_edge(from, to), Ok(is_new));
                }
                for from in 0..vertices {
                    for to in 0..vertices {
                        assert_eq!(graph.has_edge(from, to), Ok(pairs.contains(&(from, to))));
                    }
                    let of_it = pairs.range((from, 0)..=(from, u32::MAX)).map(|pair| pair.1);
                    assert_eq!(graph.degree(from), Ok(of_it.clone().count() as u32));
                    assert!(graph.neighbours(from).unwrap().eq(of_it));
                }
                let once = pairs.iter().filter(|(from, to)| direction == Direction::Directed || from <= to);
                assert_eq!(graph.edges(), once.count() as u64);
            }
        }
    }

    #[test]
    fn unknown_vertices_are_refused_and_graphs_of_other_shape_do_not_merge() {
        let mut graph = AdjacencyMatrix::for_vertices(3, Direction::Directed).unwrap();
        assert!(graph.add_edge(0, 3).is_err() && graph.add_edge(3, 0).is_err());
        assert!(graph.has_edge(3, 3).is_err() && graph.degree(3).is_err() && graph.neighbours(3).is_err());
        assert_eq!(graph.edges(), 0);
        let (larger, other) = (
            AdjacencyMatrix::for_vertices(4, Direction::Directed),
            AdjacencyMatrix::for_vertices(3, Direction::Undirected),
        );
        for other in [larger.unwrap(), other.unwrap()] {
            assert_eq!(graph.merge(&other).unwrap_err().kind(), crate::ErrorKind::Incompatible);
        }
        assert_eq!(AdjacencyMatrix::for_vertices(0, Direction::Undirected).unwrap().edges(), 0);
    }

    /// n(n−1)/2 bits for pairs, and n for loops.
    #[test]
    fn bits_are_those_of_the_pairs() {
        assert_eq!(bits_for(1000, Direction::Undirected), Ok(1000 * 999 / 2 + 1000));
        assert_eq!(bits_for(1000, Direction::Directed), Ok(1_000_000));
        assert!(bits_for(u32::MAX, Direction::Directed).is_err());
    }
}
