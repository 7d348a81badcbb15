use super::Frozen;
use super::numbered_graphs::{answers, list};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::baseline::AdjacencyList;
use crivo::graph::Direction;
use crivo::{HashSpec, Kind};

impl Frozen for AdjacencyList {
    type Answer = Vec<bool>;

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answers(hashes, self.vertices(), |one, other| self.has_edge(one, other))
    }

    fn is_empty(&self) -> bool {
        self.edges() == 0
    }
}

#[test]
fn files() {
    check_cases(list(30, Direction::Undirected), 20, 400);
    check("directed", &list(11, Direction::Directed)(&[1, 5 << 32, 7 << 32 | 3, 4], HashSpec::default()));
    check("no-vertices", &AdjacencyList::freeze(0, Direction::Directed, &[]).unwrap());
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, AdjacencyList>; 4] = [
        &list(1, Direction::Undirected),
        &list(8, Direction::Directed),
        &list(40, Direction::Undirected),
        &list(100, Direction::Directed),
    ];
    assert_fingerprint(Kind::AdjacencyList, &makes, 0xd4b1_f10c_7240_9a2d);
}
