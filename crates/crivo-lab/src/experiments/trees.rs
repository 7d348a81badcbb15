//! Trees as labels: how alike the labels of each pair of vertices are, and how alike they should be.

use std::collections::BTreeMap;

use crivo::HashSpec;
use crivo::graph::{LabelParams, LabelScheme, TreeLabels, tree_sets};
use crivo::rng::Rng;

use super::prelude::*;
use crate::summary::{Summary, student};

pub(super) type Edges = Vec<(u32, u32)>;

/// Every vertex but the first is joined to any one before it.
pub(super) fn random_tree(vertices: u32, rng: &mut Rng) -> Edges {
    (1..vertices).map(|vertex| (rng.below(vertex.into()) as u32, vertex)).collect()
}

/// What two sets have in common, and how large both are, the smaller first.
pub(super) type Likeness = (usize, usize, usize);

pub(super) fn jaccard((common, one, other): Likeness) -> f64 {
    common as f64 / (one + other - common) as f64
}

fn similarity(scheme: LabelScheme, likeness: Likeness) -> f64 {
    let (common, one, other) = likeness;
    match scheme {
        LabelScheme::SimHash => common as f64 / libm::sqrt((one * other) as f64),
        _ => jaccard(likeness),
    }
}

/// How alike two sets are; the elements of both are in order.
pub(super) fn likeness(one: &[u64], other: &[u64]) -> Likeness {
    let common = one.iter().filter(|element| other.binary_search(element).is_ok()).count();
    (common, one.len().min(other.len()), one.len().max(other.len()))
}

/// The pairs of a tree's vertices of one sort, edges or not.
#[derive(Clone, Default)]
pub(super) struct Pairs {
    /// The number of pairs by the number of slots that agree.
    agreeing: Vec<u64>,
    /// How many pairs have sets so alike.
    alike: BTreeMap<Likeness, u64>,
}

impl Pairs {
    fn total(&self) -> f64 {
        self.agreeing.iter().sum::<u64>() as f64
    }

    /// The share of pairs with at least this number of slots that agree.
    pub(super) fn taken(&self, threshold: u32) -> f64 {
        self.agreeing.iter().skip(threshold as usize).sum::<u64>() as f64 / self.total()
    }

    /// The mean share of slots that agree.
    pub(super) fn mean_agreement(&self) -> f64 {
        let slots = self.agreeing.len() - 1;
        let sum: f64 =
            self.agreeing.iter().enumerate().map(|(count, &pairs)| count as f64 * pairs as f64).sum();
        sum / (slots as f64 * self.total())
    }
}

/// A tree's pairs: its edges; the others; and of the others those that are most alike, siblings and grandparents.
pub(super) struct Tree {
    pub(super) edges: Pairs,
    pub(super) others: Pairs,
    pub(super) nearest: Pairs,
}

impl Tree {
    pub(super) fn new(
        vertices: u32,
        edges: &Edges,
        scheme: LabelScheme,
        slots: u32,
        seed: u64,
    ) -> Result<Self> {
        let spec = HashSpec::seeded(seed);
        let params = params(scheme, slots, 1)?;
        let labels = TreeLabels::freeze(vertices, edges, params, spec)?;
        let mut sets = tree_sets(vertices, edges, spec)?;
        for set in &mut sets {
            set.sort_unstable();
        }
        let mut joined: Edges = edges.iter().map(|&(one, other)| (one.min(other), one.max(other))).collect();
        joined.sort_unstable();
        let empty = || Pairs { agreeing: vec![0; slots as usize + 1], ..Pairs::default() };
        let mut tree = Self { edges: empty(), others: empty(), nearest: empty() };
        for one in 0..vertices {
            for other in one + 1..vertices {
                let likeness = likeness(&sets[one as usize], &sets[other as usize]);
                let agreeing = params.agreeing(labels.label(one)?, labels.label(other)?)?;
                let count = |pairs: &mut Pairs| {
                    pairs.agreeing[agreeing as usize] += 1;
                    *pairs.alike.entry(likeness).or_default() += 1;
                };
                if joined.binary_search(&(one, other)).is_ok() {
                    count(&mut tree.edges);
                } else {
                    count(&mut tree.others);
                    if 3 * likeness.0 == likeness.1 + likeness.2 - likeness.0 {
                        count(&mut tree.nearest);
                    }
                }
            }
        }
        Ok(tree)
    }
}

/// Slots of 16 bits by smallest values, as good as whole ones; of one bit by signs.
pub(super) fn params(scheme: LabelScheme, slots: u32, threshold: u32) -> Result<LabelParams> {
    let bits = if scheme == LabelScheme::SimHash { 1 } else { 16 };
    Ok(LabelParams::exact(scheme, slots, bits, threshold)?)
}

/// The least number of slots that are more than this share of all.
pub(super) fn threshold(slots: u32, share: f64) -> u32 {
    libm::floor(share * f64::from(slots)) as u32 + 1
}

pub(super) fn name(scheme: LabelScheme) -> &'static str {
    if scheme == LabelScheme::SimHash { "SimHash" } else { "MinHash" }
}

/// A rate over many trees: as seen, as expected from the likeness of the sets, and by how much it may differ.
pub(super) struct Rate {
    pub(super) seen: Summary,
    pub(super) expected: f64,
    pub(super) stray: f64,
    /// Whether the trees are expected to have enough pairs of either answer for Student's t.
    pub(super) is_common: bool,
}

/// The number of pairs of either answer in all trees: the mean over the trees is then nearly normal.
const COMMON: f64 = 200.0;

impl Rate {
    /// The share of pairs that are taken for edges at this number of slots, or of those that are not if `missed`; `params` say what
    /// is expected.
    pub(super) fn of<'a>(
        trees: impl Iterator<Item = &'a Pairs> + Clone,
        threshold: u32,
        params: &LabelParams,
        missed: bool,
        false_alarm: f64,
    ) -> Self {
        let share = |taken: f64| if missed { 1.0 - taken } else { taken };
        let mut known: BTreeMap<Likeness, f64> = BTreeMap::new();
        let mut expected_of = |pairs: &Pairs| {
            let taken = pairs.alike.iter().map(|(&likeness, &count)| {
                let taken = known
                    .entry(likeness)
                    .or_insert_with(|| params.fpr(similarity(params.scheme(), likeness)));
                *taken * count as f64
            });
            share(taken.sum::<f64>() / pairs.total())
        };
        let expected: Vec<f64> = trees.clone().map(&mut expected_of).collect();
        let seen: Vec<f64> = trees.clone().map(|pairs| share(pairs.taken(threshold))).collect();
        let off: Vec<f64> = seen.iter().zip(&expected).map(|(seen, expected)| seen - expected).collect();
        let (off, count) = (Summary::of(&off), expected.len() as f64);
        let expected = expected.iter().sum::<f64>() / count;
        let pairs = trees.map(Pairs::total).sum::<f64>();
        let is_common = pairs * expected.min(1.0 - expected) >= COMMON;
        let stray = student(count - 1.0, false_alarm) * off.standard_error;
        Self { seen: Summary::of(&seen), expected, stray, is_common }
    }

    pub(super) fn check(&self, place: String) -> Check {
        let (value, expected) = (self.seen.mean, self.expected);
        Check { place, value, expected, lower: expected - self.stray, upper: expected + self.stray }
    }

    /// In percent, with a 95 % interval.
    pub(super) fn point(&self, x: f64) -> Point {
        let Summary { mean, standard_error, .. } = self.seen;
        let bar = 1.96 * standard_error;
        Point::new(x, 100.0 * mean).with_bounds(100.0 * (mean - bar), 100.0 * (mean + bar))
    }
}
