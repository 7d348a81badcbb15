use super::Frozen;
use super::numbered_graphs::{answers, intervals};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::graph::IntervalGraph;
use crivo::{HashSpec, Kind};

impl Frozen for IntervalGraph {
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
    check_cases(intervals(100), 20, 400);
    check("all-meet", &intervals(1)(&[0, 7, 14, 21, 28], HashSpec::default()));
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, IntervalGraph>; 3] = [&intervals(1), &intervals(40), &intervals(100_000)];
    assert_fingerprint(Kind::IntervalGraph, &makes, 0x8d32_2be9_3aa9_b181);
}
