//! The neighbours of each vertex as a list: see [`AdjacencyList`].

use super::Direction;
use super::numbered_vertices::{Edge, check_edge, check_vertex, width_of};
use crate::bits::PackedArray;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// An adjacency list: an exact graph, stored as the neighbours of each vertex.
///
/// # Use when / not when
/// Use it for sparse graphs that no longer change: it lists neighbours directly. Not for dense graphs, where an
/// [`AdjacencyMatrix`](super::AdjacencyMatrix) is smaller. Where a few spurious edges do no harm, an
/// [`EdgeBloom`](super::EdgeBloom) takes 10 bits per edge, however many vertices there are.
///
/// # Guarantee
/// Exact: every answer is correct.
///
/// # Space
/// ⌈log₂ n⌉ bits per entry, and an offset of ⌈log₂ (entries + 1)⌉ bits per vertex. An undirected edge has two entries.
///
/// | graph | vertices | edges | bits per vertex |
/// |---|---|---|---|
/// | the tree of all languages | 13,217 | 13,216 | 43.0 |
/// | autonomous systems | 6,474 | 12,572 | 65.5 |
///
/// # Time
/// An edge is found by bisection among the neighbours of its first end. Neighbours and degrees are read directly.
///
/// # Merge
/// Not supported: freeze the edges of both.
///
/// # Hostile input
/// Nothing is hashed, so no choice of edges causes errors or slowness.
///
/// # Example
/// ```
/// use crivo::baseline::AdjacencyList;
/// use crivo::graph::Direction;
/// let graph = AdjacencyList::freeze(4, Direction::Undirected, &[(0, 1), (3, 1), (1, 0)])?;
/// assert!(graph.has_edge(1, 3)? && !graph.has_edge(0, 3)?);
/// assert!(graph.neighbours(1)?.eq([0, 3]));
/// assert_eq!((graph.vertices(), graph.edges()), (4, 2));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// offsets    0     1     3  3  4         vertex 1 has the entries from 1 on, below 3
///            |     |     |  |  |
/// entries    1     0 3      1            0–1 and 1–3: each end lists the other
/// ```
///
/// # References
/// Spinrad 2003, Efficient Graph Representations, chapter 1 · Lopes 2017, section 3.1.
///
/// # Measured
/// `crivo-lab run c-adjacency-list`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct AdjacencyList {
    /// Where the neighbours of each vertex begin, and where the last ones end.
    offsets: PackedArray,
    entries: PackedArray,
    edges: u64,
    direction: Direction,
}

/// Entries are counted in 32 bits.
const MAX_ENTRIES: u64 = u32::MAX as u64;

impl AdjacencyList {
    /// Builds the graph with these edges. Repeated edges count once.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end, or if there are 2³² entries or more.
    pub fn freeze(vertices: u32, direction: Direction, edges: &[Edge]) -> Result<Self> {
        let mut entries = Vec::with_capacity(2 * edges.len());
        for &(from, to) in edges {
            check_edge((from, to), vertices)?;
            entries.push((from, to));
            if direction == Direction::Undirected {
                entries.push((to, from));
            }
        }
        entries.sort_unstable();
        entries.dedup();
        if entries.len() as u64 > MAX_ENTRIES {
            let count = entries.len();
            return Err(Error::invalid(format!(
                "an adjacency list has at most {MAX_ENTRIES} entries, got {count}; keep the edges in a filter"
            )));
        }
        let (offset_width, entry_width) = widths(vertices, entries.len() as u64);
        let mut offsets = PackedArray::new(offset_width, vertices as usize + 1);
        let mut packed = PackedArray::new(entry_width, entries.len());
        let mut place = 0;
        for vertex in 0..vertices {
            offsets.set(vertex as usize, place as u32);
            while let Some(&(_, to)) = entries.get(place).filter(|entry| entry.0 == vertex) {
                packed.set(place, to);
                place += 1;
            }
        }
        offsets.set(vertices as usize, place as u32);
        let loops = entries.iter().filter(|(from, to)| from == to).count();
        let edges = count_edges(direction, entries.len(), loops);
        Ok(Self { offsets, entries: packed, edges, direction })
    }

    /// Returns whether there is an edge from one vertex to the other.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn has_edge(&self, from: u32, to: u32) -> Result<bool> {
        check_edge((from, to), self.vertices())?;
        Ok(self.lists(from, to))
    }

    /// Returns whether `to` is among the entries of `from`.
    fn lists(&self, from: u32, to: u32) -> bool {
        let Range { mut start, mut end } = self.places(from);
        while start < end {
            let middle = usize::midpoint(start, end);
            let entry = self.entries.get(middle);
            if entry == to {
                return true;
            }
            if entry < to {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        false
    }

    fn places(&self, vertex: u32) -> Range<usize> {
        let offset = |vertex: usize| self.offsets.get(vertex) as usize;
        offset(vertex as usize)..offset(vertex as usize + 1)
    }

    /// Returns the vertices to which there is an edge, sorted.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn neighbours(&self, vertex: u32) -> Result<impl ExactSizeIterator<Item = u32> + '_> {
        check_vertex(vertex, self.vertices())?;
        Ok(self.places(vertex).map(|place| self.entries.get(place)))
    }

    /// Returns the number of [`neighbours`](Self::neighbours) of a vertex.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn degree(&self, vertex: u32) -> Result<u32> {
        Ok(self.neighbours(vertex)?.len() as u32)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// Returns the exact number of edges.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Returns whether edges have a direction.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the bits of offsets and entries per vertex.
    pub fn bits_per_vertex(&self) -> f64 {
        let bits = |array: &PackedArray| array.len() as f64 * f64::from(array.width());
        (bits(&self.offsets) + bits(&self.entries)) / f64::from(self.vertices().max(1))
    }

    /// Returns whether these are the offsets and entries of a graph: the lists ascend, their vertices exist, and
    /// undirected edges are listed at both ends.
    fn is_sound(&self) -> bool {
        let vertices = self.vertices();
        let total = self.entries.len();
        let offsets_rise = self.offsets.get(0) == 0
            && self.offsets.get(vertices as usize) as usize == total
            && (0..vertices).all(|vertex| self.places(vertex).start <= self.places(vertex).end);
        let lists_rise = |vertex: u32| {
            let entries = || self.places(vertex).map(|place| self.entries.get(place));
            entries().zip(entries().skip(1)).all(|(one, next)| one < next)
                && entries().all(|to| to < vertices)
        };
        let is_mutual = |vertex: u32| {
            self.direction == Direction::Directed
                || self.places(vertex).all(|place| self.lists(self.entries.get(place), vertex))
        };
        offsets_rise && (0..vertices).all(lists_rise) && (0..vertices).all(is_mutual)
    }

    fn count_loops(&self) -> usize {
        (0..self.vertices()).filter(|&vertex| self.lists(vertex, vertex)).count()
    }
}

/// Returns the bits of an offset and of an entry.
fn widths(vertices: u32, entries: u64) -> (u32, u32) {
    (width_of(entries + 1), width_of(vertices.into()))
}

fn count_edges(direction: Direction, entries: usize, loops: usize) -> u64 {
    match direction {
        Direction::Directed => entries as u64,
        Direction::Undirected => (entries + loops) as u64 / 2,
    }
}

shell!(AdjacencyList: hashes_nothing);

impl OfSize for AdjacencyList {
    type Params = ListSize;

    fn params(&self) -> ListSize {
        ListSize { vertices: self.vertices(), direction: self.direction, entries: self.entries.len() as u32 }
    }
}

impl Core for AdjacencyList {
    const KIND: Kind = Kind::AdjacencyList;

    fn heap_bytes(&self) -> usize {
        self.offsets.memory_bytes() + self.entries.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.offsets.to_bytes(payload);
        self.entries.to_bytes(payload);
    }

    fn read(size: ListSize, file: &mut Payload<'_>) -> Result<Self> {
        let [(offset_width, offsets), (entry_width, entries)] = size.arrays();
        let offsets = file.packed(offset_width, offsets)?;
        let entries = file.packed(entry_width, entries)?;
        let mut graph = Self { offsets, entries, edges: 0, direction: size.direction };
        if !graph.is_sound() {
            return Err(Error::malformed(
                "the file is corrupt: the payload is not the adjacency list of a graph",
            ));
        }
        graph.edges = count_edges(size.direction, graph.entries.len(), graph.count_loops());
        Ok(graph)
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("edges", self.edges), Fact::number("bits_per_vertex", self.bits_per_vertex())]
    }
}

#[derive(Clone)]
pub(crate) struct ListSize {
    vertices: u32,
    direction: Direction,
    entries: u32,
}

impl ListSize {
    /// Returns the width and the length of the offsets and of the entries.
    fn arrays(&self) -> [(u32, u64); 2] {
        let (offset_width, entry_width) = widths(self.vertices, self.entries.into());
        [(offset_width, u64::from(self.vertices) + 1), (entry_width, self.entries.into())]
    }
}

impl Params for ListSize {
    const NAMES: &[&str] = &["vertices", "direction", "entries"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.vertices.into(), self.direction.tag().into(), self.entries.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Ok(Self {
            vertices: narrow(numbers[0])?,
            direction: Direction::from_tag(numbers[1])?,
            entries: narrow(numbers[2])?,
        })
    }

    fn memory_bytes(&self) -> u64 {
        let words = self.arrays().map(|(width, len)| (len * u64::from(width)).div_ceil(64) + 1);
        size_of::<AdjacencyList>() as u64 + 8 * (words[0] + words[1])
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::text("direction", self.direction.name()), Fact::count("vertices", self.vertices.into())]
    }
}

#[cfg(test)]
mod tests {
    use super::super::AdjacencyMatrix;
    use super::*;
    use crate::rng::Rng;

    /// Both exact representations give the same answers.
    #[test]
    fn the_list_is_the_matrix() {
        for direction in [Direction::Directed, Direction::Undirected] {
            for vertices in [0, 1, 2, 9, 60] {
                let mut rng = Rng::new(vertices.into());
                let mut draw = || rng.below(vertices.into()) as u32;
                let edges: Vec<Edge> = (0..3 * vertices).map(|_| (draw(), draw())).collect();
                let mut matrix = AdjacencyMatrix::for_vertices(vertices, direction).unwrap();
                for &(from, to) in &edges {
                    matrix.add_edge(from, to).unwrap();
                }
                let list = AdjacencyList::freeze(vertices, direction, &edges).unwrap();
                assert_eq!((list.vertices(), list.edges()), (vertices, matrix.edges()));
                for from in 0..vertices {
                    assert!(list.neighbours(from).unwrap().eq(matrix.neighbours(from).unwrap()));
                    assert_eq!(list.degree(from), matrix.degree(from));
                    assert!((0..vertices).all(|to| list.has_edge(from, to) == matrix.has_edge(from, to)));
                }
            }
        }
    }

    #[test]
    fn unknown_vertices_are_refused() {
        assert!(AdjacencyList::freeze(3, Direction::Directed, &[(0, 3)]).is_err());
        let graph = AdjacencyList::freeze(3, Direction::Directed, &[(0, 2)]).unwrap();
        assert!(graph.has_edge(0, 3).is_err() && graph.neighbours(3).is_err() && graph.degree(9).is_err());
        assert_eq!(graph.bits_per_vertex(), (4.0 * 1.0 + 1.0 * 2.0) / 3.0);
    }

    /// Lists that do not ascend, contain unknown vertices, or have an edge at one end only.
    #[test]
    fn files_of_no_graph_are_refused() {
        let file = |direction: u8, offsets: [u8; 3], entries: [u8; 2]| {
            let pack = |numbers: &[u8], width: u32| {
                numbers.iter().rev().fold(0, |bits, number| bits << width | number)
            };
            let payload = [pack(&offsets, 2), pack(&entries, 1)];
            AdjacencyList::from_bytes(&crate::codec::seal(
                Kind::AdjacencyList,
                None,
                &[2, direction, 2],
                &payload,
            ))
        };
        assert_eq!(file(1, [0, 1, 2], [1, 0]).unwrap().edges(), 1);
        assert_eq!(file(1, [0, 1, 2], [0, 1]).unwrap().edges(), 2);
        assert_eq!(file(0, [0, 2, 2], [0, 1]).unwrap().edges(), 2);
        for (direction, offsets, entries) in [
            (1, [0, 2, 2], [0, 1]),
            (0, [0, 2, 2], [1, 0]),
            (0, [0, 2, 2], [1, 1]),
            (0, [1, 1, 2], [0, 1]),
            (0, [0, 2, 1], [0, 1]),
            (0, [0, 3, 2], [0, 1]),
            (2, [0, 1, 2], [1, 0]),
        ] {
            let error = file(direction, offsets, entries).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Malformed, "{direction} {offsets:?} {entries:?}");
        }
    }
}
