use super::Subject;
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::graph::{Direction, EdgeBloom};
use crivo::rng::Rng;
use crivo::{BloomParams, HashSpec, Kind};

pub(crate) fn make(bits: u64, hashes: u32, direction: Direction) -> impl Fn(HashSpec) -> EdgeBloom {
    let params = BloomParams::exact(bits, hashes).unwrap();
    move |spec| EdgeBloom::with_params(params, direction).with_hash(spec)
}

/// An edge is made of a hash, by turning it.
impl Subject for EdgeBloom {
    type Answer = bool;
    super::common_methods!();

    fn scale(&self) -> usize {
        (self.params().bits() / 5) as usize + 1
    }

    fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
        self.see_hash(self.spec().hash(item));
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
        let edges: Vec<(u64, u64)> = hashes.iter().map(|&hash| (hash, hash.rotate_left(32))).collect();
        self.add_edge_hashes(&edges);
    }

    fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> bool {
        self.ask_hash(self.spec().hash(item))
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.has_edge_hash(hash, hash.rotate_left(32))
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        let pairs: Vec<(u64, u64)> = hashes.iter().map(|&hash| (hash, hash.rotate_left(32))).collect();
        self.has_edge_hashes(&pairs)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let vertex = rng.next_u64();
        self.add_edge_hash(vertex, vertex);
    }
}

#[test]
fn files() {
    check_cases(make(1003, 5, Direction::Undirected), 20, 100);
    check("directed", &filled(make(1003, 5, Direction::Directed)(HashSpec::default()), 20));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> EdgeBloom; 3] = [
        &make(1, 1, Direction::Directed),
        &make(130, 3, Direction::Directed),
        &make(100, 7, Direction::Undirected),
    ];
    assert_fingerprint(Kind::EdgeBloom, &makes, 0xbb85_6c08_f822_12f5);
}
