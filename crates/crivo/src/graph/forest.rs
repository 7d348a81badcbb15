//! A forest built from its edges, with the parent of each vertex.

use super::numbered_vertices::{Edge, check_edge, check_no_loop};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A forest of rooted trees.
pub(super) struct Forest {
    /// The neighbours of all vertices, vertex by vertex, sorted.
    entries: Vec<u32>,
    offsets: Vec<u32>,
}

impl Forest {
    /// Builds the forest. Repeated edges count once.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end or is a loop, or if the edges close a cycle.
    pub(super) fn new(vertices: u32, edges: &[Edge]) -> Result<Self> {
        let mut pairs = Vec::with_capacity(2 * edges.len());
        for &(one, other) in edges {
            check_edge((one, other), vertices)?;
            check_no_loop((one, other))?;
            pairs.extend([(one, other), (other, one)]);
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut sets: Vec<u32> = (0..vertices).collect();
        for &(one, other) in pairs.iter().filter(|(one, other)| one < other) {
            let (first, second) = (find(&mut sets, one), find(&mut sets, other));
            if first == second {
                return Err(Error::invalid(format!(
                    "the edge between {one} and {other} closes a cycle, but this structure holds trees only; use another representation"
                )));
            }
            sets[first as usize] = second;
        }
        let mut offsets = vec![0u32; vertices as usize + 1];
        for &(from, _) in &pairs {
            offsets[from as usize + 1] += 1;
        }
        for vertex in 0..vertices as usize {
            offsets[vertex + 1] += offsets[vertex];
        }
        Ok(Self { entries: pairs.into_iter().map(|(_, to)| to).collect(), offsets })
    }

    pub(super) fn vertices(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// Returns the neighbours of a vertex, sorted.
    pub(super) fn neighbours(&self, vertex: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|next| self.offsets[vertex as usize + next] as usize);
        &self.entries[start..end]
    }

    /// Returns the vertices of the tree of `root`, each after its parent, and the parent of each. The root is its own
    /// parent.
    pub(super) fn tree_of(&self, root: u32) -> Vec<(u32, u32)> {
        let mut tree = vec![(root, root)];
        let mut next = 0;
        while let Some(&(vertex, parent)) = tree.get(next) {
            tree.extend(
                self.neighbours(vertex)
                    .iter()
                    .filter(|&&other| other != parent)
                    .map(|&other| (other, vertex)),
            );
            next += 1;
        }
        tree
    }

    /// Returns the smallest vertex of each tree.
    pub(super) fn smallest_of_each(&self) -> Vec<u32> {
        let mut seen = vec![false; self.vertices() as usize];
        let mut smallest = Vec::new();
        for vertex in 0..self.vertices() {
            if !seen[vertex as usize] {
                smallest.push(vertex);
                self.tree_of(vertex).iter().for_each(|&(other, _)| seen[other as usize] = true);
            }
        }
        smallest
    }
}

/// Returns the representative of a vertex's set, with path halving.
fn find(sets: &mut [u32], mut vertex: u32) -> u32 {
    while sets[vertex as usize] != vertex {
        sets[vertex as usize] = sets[sets[vertex as usize] as usize];
        vertex = sets[vertex as usize];
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_loops_and_unknown_ends_are_refused() {
        for bad in [&[(0, 0)][..], &[(0, 4)], &[(0, 1), (1, 2), (2, 0)], &[(3, 1), (1, 0), (0, 2), (2, 3)]] {
            assert!(Forest::new(4, bad).is_err(), "{bad:?}");
        }
        let forest = Forest::new(6, &[(4, 1), (1, 4), (2, 4), (0, 5)]).unwrap();
        assert_eq!(forest.smallest_of_each(), [0, 1, 3]);
        assert_eq!(forest.tree_of(1), [(1, 1), (4, 1), (2, 4)]);
        assert_eq!(forest.neighbours(4), [1, 2]);
    }
}
