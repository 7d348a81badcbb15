use super::*;
use crivo::graph::{Direction, VertexBlooms};

/// Filters of sizes from `least` on, one bit more for each next vertex.
pub(crate) fn make(
    vertices: u64,
    least: u64,
    hashes: u32,
    direction: Direction,
) -> impl Fn(HashSpec) -> VertexBlooms {
    move |spec| {
        let sizes = (0..vertices).map(|vertex| (spec.hash(&vertex), least + vertex));
        VertexBlooms::with_sizes(sizes, hashes, direction, spec).unwrap()
    }
}

/// The two ends of the edge that a hash represents.
fn ends(graph: &VertexBlooms, hash: u64) -> (u64, u64) {
    let vertex = |number: u64| match graph.vertices() {
        [] => number,
        vertices => vertices[(number % vertices.len() as u64) as usize],
    };
    (vertex(hash >> 32), vertex(hash & 0xffff_ffff))
}

/// An edge is made of a hash, by its halves.
impl Subject for VertexBlooms {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        30
    }

    fn see_hash(&mut self, hash: u64) {
        let (from, to) = ends(self, hash);
        let was_there = self.has_edge_hash(from, to);
        // A file may contain vertices without room for neighbours, or no vertices.
        let Ok(is_new) = self.add_edge_hash(from, to) else { return assert!(!was_there) };
        assert_eq!(is_new, !was_there);
        assert!(self.has_edge_hash(from, to));
        if self.direction() == Direction::Undirected {
            assert!(self.has_edge_hash(to, from));
        }
    }

    fn ask_hash(&self, hash: u64) -> bool {
        let (from, to) = ends(self, hash);
        self.has_edge_hash(from, to)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let (vertex, _) = ends(self, rng.next_u64());
        let _ = self.add_edge_hash(vertex, vertex);
    }
}

#[test]
fn files() {
    check("directed", &filled(make(20, 30, 5, Direction::Directed)(HashSpec::default()), 20));
}
