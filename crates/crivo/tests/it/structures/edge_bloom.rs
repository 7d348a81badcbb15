use super::*;
use crivo::BloomParams;
use crivo::graph::{Direction, EdgeBloom};

pub(crate) fn make(bits: u64, hashes: u32, direction: Direction) -> impl Fn(HashSpec) -> EdgeBloom {
    let params = BloomParams::exact(bits, hashes).unwrap();
    move |spec| EdgeBloom::with_params(params, direction).with_hash(spec)
}

/// An edge is made of a hash, by turning it.
fn edges(hashes: &[u64]) -> Vec<(u64, u64)> {
    hashes.iter().map(|&hash| (hash, hash.rotate_left(32))).collect()
}

impl Subject for EdgeBloom {
    type Answer = bool;
    verbs!();

    fn scale(&self) -> usize {
        (self.params().bits() / 5) as usize + 1
    }

    fn see_hash(&mut self, hash: u64) {
        let was_there = self.ask_hash(hash);
        assert_eq!(self.add_edge_hash(hash, hash.rotate_left(32)), !was_there);
        assert!(self.ask_hash(hash));
        if self.direction() == Direction::Undirected {
            assert!(self.has_edge_hash(hash.rotate_left(32), hash));
        }
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.add_edge_hashes(&edges(hashes));
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.has_edge_hash(hash, hash.rotate_left(32))
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.has_edge_hashes(&edges(hashes))
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let vertex = rng.next_u64();
        self.add_edge_hash(vertex, vertex);
    }
}

#[test]
fn files() {
    check("directed", &filled(make(1003, 5, Direction::Directed)(HashSpec::default()), 20));
}
