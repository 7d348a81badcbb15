use super::Frozen;
use super::numbered_graphs::{answers, tree_labels};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::graph::{LabelScheme, TreeLabels};
use crivo::{HashSpec, Kind};

impl Frozen for TreeLabels {
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
    check_cases(tree_labels(LabelScheme::MinHash, (100, 1, 71)), 20, 200);
    let hashes = [1 << 63, 3 << 61, 7 << 60, 1];
    check("signs", &tree_labels(LabelScheme::SimHash, (100, 1, 71))(&hashes, HashSpec::default()));
    check("wide", &tree_labels(LabelScheme::MinHash, (9, 16, 4))(&hashes, HashSpec::default()));
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, TreeLabels>; 4] = [
        &tree_labels(LabelScheme::MinHash, (1, 1, 1)),
        &tree_labels(LabelScheme::MinHash, (37, 4, 17)),
        &tree_labels(LabelScheme::SimHash, (64, 1, 45)),
        &tree_labels(LabelScheme::SimHash, (7, 1, 5)),
    ];
    assert_fingerprint(Kind::TreeLabels, &makes, 0xaf7b_071f_5c2a_b291);
}
