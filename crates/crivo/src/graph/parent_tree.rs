//! The parent of each vertex: see [`ParentTree`].

use super::forest::Forest;
use super::numbered_vertices::{Edge, Vertices, check_edge, check_vertex, width_of};
use crate::bits::{BitVec, PackedArray};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A parent array: an exact tree or forest in ⌈log₂ n⌉ bits per vertex.
///
/// # Use when / not when
/// Use it for trees: it is the smallest structure here, exact, and reads only two numbers per query. Not for other
/// graphs, which it refuses: use an [`AdjacencyList`](super::AdjacencyList). [`TreeLabels`](super::TreeLabels) have
/// labels whose size does not grow with the tree, but they have errors, and are larger than these for all trees that
/// fit a machine.
///
/// # Guarantee
/// Exact: every answer is correct.
///
/// # Space
/// ⌈log₂ n⌉ bits per vertex. The number of a vertex, which a label that is distributed separately must contain too,
/// takes as many again.
///
/// | vertices | bits per vertex | memory |
/// |---|---|---|
/// | 1,000 | 10 | 1.3 kB |
/// | 13,217 | 14 | 23 kB |
/// | 1,000,000 | 20 | 2.5 MB |
///
/// # Time
/// An edge takes two reads. Neighbours and degrees scan all vertices.
///
/// # Merge
/// Not supported: freeze the edges of both.
///
/// # Hostile input
/// Nothing is hashed, so no choice of edges causes errors or slowness.
///
/// # Example
/// ```
/// use crivo::graph::ParentTree;
/// let tree = ParentTree::freeze(&[None, Some(0), Some(0), Some(1)])?;
/// assert!(tree.has_edge(3, 1)? && tree.has_edge(0, 2)? && !tree.has_edge(2, 3)?);
/// assert_eq!(tree.parent(3)?, Some(1));
/// assert!(ParentTree::freeze(&[Some(1), Some(0)]).is_err()); // a cycle
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///        0            vertex   0  1  2  3
///       / \           parent   0  0  0  1          a root is its own parent
///      1   2
///      |              u and v are joined when one is the parent of the other
///      3
/// ```
///
/// # References
/// Muller 1988, Local structure in graph classes · Kannan, Naor and Rudich 1992, doi:10.1137/0405049 · Lopes 2017,
/// section 3.1.
///
/// # Measured
/// `crivo-lab run c-parent-tree`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct ParentTree {
    parents: PackedArray,
    edges: u32,
}

impl ParentTree {
    /// Builds the forest in which the parent of vertex v is `parents[v]`; `None` is a root.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if a parent is unknown, if a vertex is its own ancestor, or if there are more than
    /// 2³²−1 vertices.
    pub fn freeze(parents: &[Option<u32>]) -> Result<Self> {
        let vertices = u32::try_from(parents.len()).map_err(|_| {
            Error::invalid(format!(
                "a tree has at most {} vertices, got {}; split it",
                u32::MAX,
                parents.len()
            ))
        })?;
        let mut packed = PackedArray::new(width_of(vertices.into()), parents.len());
        for (vertex, parent) in (0..vertices).zip(parents) {
            let parent = parent.unwrap_or(vertex);
            check_vertex(parent, vertices)?;
            if parents[vertex as usize] == Some(vertex) {
                return Err(ancestor_of_itself(vertex));
            }
            packed.set(vertex as usize, parent);
        }
        match own_ancestor(&packed) {
            Some(vertex) => Err(ancestor_of_itself(vertex)),
            None => Ok(Self::counted(packed)),
        }
    }

    /// Builds the forest with these edges; the smallest vertex of each tree becomes its root.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end or is a loop, or if the edges close a cycle.
    pub fn from_edges(vertices: u32, edges: &[Edge]) -> Result<Self> {
        let forest = Forest::new(vertices, edges)?;
        let mut parents = PackedArray::new(width_of(vertices.into()), vertices as usize);
        for root in forest.smallest_of_each() {
            for (vertex, parent) in forest.tree_of(root) {
                parents.set(vertex as usize, parent);
            }
        }
        Ok(Self::counted(parents))
    }

    fn counted(parents: PackedArray) -> Self {
        let edges = (0..).zip(parents.iter()).filter(|(vertex, parent)| vertex != parent).count() as u32;
        Self { parents, edges }
    }

    /// Returns whether two vertices are adjacent.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn has_edge(&self, one: u32, other: u32) -> Result<bool> {
        check_edge((one, other), self.vertices())?;
        Ok(self.is_joined(one, other))
    }

    fn is_joined(&self, one: u32, other: u32) -> bool {
        one != other && (self.parents.get(one as usize) == other || self.parents.get(other as usize) == one)
    }

    /// Returns the parent of a vertex; `None` for a root.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn parent(&self, vertex: u32) -> Result<Option<u32>> {
        check_vertex(vertex, self.vertices())?;
        Ok(Some(self.parents.get(vertex as usize)).filter(|&parent| parent != vertex))
    }

    /// Returns the neighbours of a vertex, sorted.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn neighbours(&self, vertex: u32) -> Result<impl Iterator<Item = u32> + '_> {
        check_vertex(vertex, self.vertices())?;
        Ok((0..self.vertices()).filter(move |&other| self.is_joined(vertex, other)))
    }

    /// Returns the number of [`neighbours`](Self::neighbours) of a vertex.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn degree(&self, vertex: u32) -> Result<u32> {
        Ok(self.neighbours(vertex)?.count() as u32)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Returns the exact number of edges.
    pub fn edges(&self) -> u64 {
        self.edges.into()
    }

    /// Returns the bits of a vertex.
    pub fn bits_per_vertex(&self) -> u32 {
        self.parents.width()
    }
}

fn ancestor_of_itself(vertex: u32) -> Error {
    Error::invalid(format!(
        "vertex {vertex} is its own ancestor, so this is not a tree; give roots no parent, or use another representation"
    ))
}

/// Returns a vertex that is its own ancestor, if there is one. All parents are vertices.
fn own_ancestor(parents: &PackedArray) -> Option<u32> {
    // A passed vertex is known to lead to a root, or is on the path being walked.
    let (mut passed, mut ends) = (BitVec::new(parents.len() as u64), BitVec::new(parents.len() as u64));
    for start in 0..parents.len() as u32 {
        let mut vertex = start;
        while passed.set(vertex.into()) && parents.get(vertex as usize) != vertex {
            vertex = parents.get(vertex as usize);
        }
        if parents.get(vertex as usize) != vertex && !ends.get(vertex.into()) {
            return Some(vertex);
        }
        let mut walked = start;
        while ends.set(walked.into()) {
            walked = parents.get(walked as usize);
        }
    }
    None
}

shell!(ParentTree: hashes_nothing);

impl OfSize for ParentTree {
    type Params = Vertices;

    fn params(&self) -> Vertices {
        Vertices(self.vertices())
    }
}

impl Core for ParentTree {
    const KIND: Kind = Kind::ParentTree;

    fn heap_bytes(&self) -> usize {
        self.parents.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.parents.to_bytes(payload);
    }

    fn read(Vertices(vertices): Vertices, file: &mut Payload<'_>) -> Result<Self> {
        let parents = file.packed(width_of(vertices.into()), vertices.into())?;
        if parents.iter().all(|parent| parent < vertices) && own_ancestor(&parents).is_none() {
            return Ok(Self::counted(parents));
        }
        Err(Error::malformed("the file is corrupt: the payload is not the parents of a forest"))
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("edges", self.edges()),
            Fact::count("bits_per_vertex", self.bits_per_vertex().into()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AdjacencyList, Direction};
    use super::*;
    use crate::rng::Rng;

    /// ⌈log₂ n⌉ bits per vertex, and the answers of the adjacency list.
    #[test]
    fn the_tree_is_the_list() {
        for vertices in [1u32, 2, 3, 64, 65, 300] {
            let mut rng = Rng::new(vertices.into());
            // Includes some roots, so that there are several trees.
            let parents: Vec<Option<u32>> = (0..vertices)
                .map(|vertex| {
                    Some(rng.below(vertex.into()) as u32).filter(|_| vertex > 0 && rng.below(9) > 0)
                })
                .collect();
            let edges: Vec<Edge> = (0..)
                .zip(&parents)
                .filter_map(|(vertex, parent)| parent.map(|parent| (vertex, parent)))
                .collect();
            let tree = ParentTree::freeze(&parents).unwrap();
            let from_edges = ParentTree::from_edges(vertices, &edges).unwrap();
            let list = AdjacencyList::freeze(vertices, Direction::Undirected, &edges).unwrap();
            assert_eq!(
                f64::from(tree.bits_per_vertex()),
                libm::ceil(libm::log2(f64::from(vertices))).max(1.0)
            );
            assert_eq!((tree.edges(), from_edges.edges()), (list.edges(), list.edges()));
            for one in 0..vertices {
                assert_eq!(tree.parent(one), Ok(parents[one as usize]));
                assert_eq!(tree.degree(one), list.degree(one));
                assert!(from_edges.neighbours(one).unwrap().eq(list.neighbours(one).unwrap()));
                assert!((0..vertices).all(|other| tree.has_edge(one, other) == list.has_edge(one, other)));
            }
        }
    }

    #[test]
    fn graphs_with_cycles_are_refused() {
        for bad in [&[Some(0)][..], &[Some(1)], &[Some(1), Some(0)], &[None, Some(2), Some(3), Some(1)]] {
            assert!(ParentTree::freeze(bad).is_err(), "{bad:?}");
        }
        // A path into a cycle, and one to a root that was walked before.
        assert!(ParentTree::freeze(&[None, Some(0), Some(3), Some(4), Some(3)]).is_err());
        assert!(ParentTree::freeze(&[Some(4), Some(0), Some(1), Some(1), None]).is_ok());
        assert!(ParentTree::from_edges(3, &[(0, 1), (1, 2), (2, 0)]).is_err());
        let tree = ParentTree::freeze(&[None]).unwrap();
        assert!(tree.has_edge(0, 0) == Ok(false) && tree.has_edge(0, 1).is_err() && tree.parent(1).is_err());
        assert_eq!(ParentTree::freeze(&[]).unwrap().vertices(), 0);
    }

    /// Every parent array of four vertices is refused exactly if some path up does not end.
    #[test]
    fn all_small_tables_are_judged_right() {
        for code in 0..4u32.pow(4) {
            let parent = |vertex: u32| code / 4u32.pow(vertex) % 4;
            let mut packed = PackedArray::new(2, 4);
            (0..4).for_each(|vertex| packed.set(vertex as usize, parent(vertex)));
            let top = |mut vertex: u32| {
                (0..4).for_each(|_| vertex = parent(vertex));
                vertex
            };
            let is_forest = (0..4).all(|vertex| parent(top(vertex)) == top(vertex));
            assert_eq!(own_ancestor(&packed).is_none(), is_forest, "{code}");
        }
    }

    /// Two vertices that are each other's parent, and a parent that does not exist.
    #[test]
    fn files_of_no_forest_are_refused() {
        let file = |payload: u8| {
            ParentTree::from_bytes(&crate::codec::seal(Kind::ParentTree, None, &[3], &[payload]))
        };
        assert!(file(0b01_00_00).is_ok());
        for bad in [0b00_00_01, 0b11_00_00, 0b1000_0000] {
            assert_eq!(file(bad).unwrap_err().kind(), crate::ErrorKind::Malformed, "{bad:b}");
        }
    }
}
