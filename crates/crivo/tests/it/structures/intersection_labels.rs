use super::Frozen;
use super::numbered_graphs::{answers, intersection};
use crate::golden::check;
use crate::golden::frozen::{Make, assert_fingerprint, check_cases};
use crivo::graph::IntersectionLabels;
use crivo::{HashSpec, Kind};

impl Frozen for IntersectionLabels {
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
    check_cases(intersection((0, 1), (40, 4, 6)), 20, 200);
    check(
        "half-alike",
        &intersection((1, 2), (64, 1, 50))(&[1 << 63, 3 << 61, 7 << 60, 1], HashSpec::default()),
    );
}

#[test]
fn fingerprint() {
    let makes: [Make<'_, IntersectionLabels>; 3] = [
        &intersection((0, 1), (1, 1, 1)),
        &intersection((1, 2), (37, 2, 20)),
        &intersection((2, 7), (8, 16, 3)),
    ];
    assert_fingerprint(Kind::IntersectionLabels, &makes, 0x1f2e_889b_c2ce_8e90);
}
