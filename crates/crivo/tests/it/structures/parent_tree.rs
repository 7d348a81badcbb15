use super::Frozen;
use super::numbered_graphs::{answers, parent_tree, rooted_tree};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::graph::ParentTree;
use crivo::{HashSpec, Kind};

impl Frozen for ParentTree {
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
    check_cases(parent_tree, 20, 400);
    check("rooted", &rooted_tree(&[5, 1 << 63, 1 << 62, 7 << 61], HashSpec::default()));
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, ParentTree>; 2] = [&parent_tree, &rooted_tree];
    assert_fingerprint(Kind::ParentTree, &makes, 0xb557_e0d8_6f9a_5c39);
}
