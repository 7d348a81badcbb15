use super::numbered_graphs::pair;
use super::*;
use crivo::baseline::AdjacencyMatrix;
use crivo::graph::Direction;

/// It takes edges, not items: here edges made from hashes.
impl Subject for AdjacencyMatrix {
    type Answer = bool;

    fn scale(&self) -> usize {
        (self.vertices() * self.vertices()) as usize
    }

    fn see_hash(&mut self, hash: u64) {
        if self.vertices() > 0 {
            let (from, to) = pair(hash, self.vertices());
            self.add_edge(from, to).unwrap();
        }
    }

    fn ask_hash(&self, hash: u64) -> bool {
        let (from, to) = pair(hash, self.vertices().max(1));
        self.vertices() > 0 && self.has_edge(from, to).unwrap()
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn is_empty(&self) -> bool {
        self.edges() == 0
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let vertex = rng.below(self.vertices().into()) as u32;
        let neighbours: Vec<u32> = self.neighbours(vertex).unwrap().collect();
        assert_eq!(self.degree(vertex), Ok(neighbours.len() as u32));
        for other in neighbours {
            self.add_edge(other, vertex).unwrap();
        }
    }
}

pub(crate) fn make(vertices: u32, direction: Direction) -> impl Fn(HashSpec) -> AdjacencyMatrix {
    move |_| AdjacencyMatrix::for_vertices(vertices, direction).unwrap()
}

#[test]
fn files() {
    check("directed", &filled(make(11, Direction::Directed)(HashSpec::default()), 30));
    check("no-vertices", &make(0, Direction::Directed)(HashSpec::default()));
}
