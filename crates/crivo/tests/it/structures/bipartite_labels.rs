use super::Frozen;
use super::numbered_graphs::{answers, bipartite};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::graph::{BipartiteLabels, Sides};
use crivo::{HashSpec, Kind};

impl Frozen for BipartiteLabels {
    type Answer = Vec<bool>;

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answers(hashes, self.vertices(), |one, other| self.has_edge(one, other))
    }

    fn is_empty(&self) -> bool {
        self.vertices() == 0
    }
}

#[test]
fn files() {
    check_cases(bipartite(Sides::Bipartite, (20, 8, 1)), 20, 200);
    let hashes = [1 << 63, 3 << 61 | 1 << 20, 7 << 60, 1];
    check("co-bipartite", &bipartite(Sides::CoBipartite, (3, 16, 1))(&hashes, HashSpec::default()));
    check("split", &bipartite(Sides::Split, (9, 2, 4))(&hashes, HashSpec::default()));
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, BipartiteLabels>; 3] = [
        &bipartite(Sides::Bipartite, (1, 1, 1)),
        &bipartite(Sides::CoBipartite, (37, 4, 8)),
        &bipartite(Sides::Split, (8, 16, 1)),
    ];
    assert_fingerprint(Kind::BipartiteLabels, &makes, 0x92c5_b054_5f7b_b40e);
}
