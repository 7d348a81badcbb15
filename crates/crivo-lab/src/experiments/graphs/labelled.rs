//! Labels of any graph, of trees and of graphs of two sides.

use crivo::HashSpec;
use crivo::graph::{BipartiteLabels, IntersectionLabels, TreeLabels};
use crivo::graph::{Edge, IntersectionSets, LabelParams, LabelScheme, Sides};
use crivo::rng::Rng;

use super::labels::{Labelled, Sample, experiment};
use crate::experiments::prelude::*;

pub(in crate::experiments) const INTERSECTION_LABELS: Experiment = experiment::<IntersectionLabels>();
pub(in crate::experiments) const TREE_LABELS: Experiment = experiment::<TreeLabels>();
pub(in crate::experiments) const BIPARTITE_LABELS: Experiment = experiment::<BipartiteLabels>();

/// The methods that all labels have alike.
macro_rules! label_answers {
    () => {
        fn joined(&self, (one, other): Edge) -> Result<bool> {
            Ok(self.has_edge(one, other)?)
        }

        fn rates(&self) -> [f64; 2] {
            [self.fpr(), self.fnr()]
        }

        fn bits(&self) -> u32 {
            self.bits_per_vertex()
        }
    };
}

/// A circle of vertices, each joined to the next two: all have four neighbours.
const REACH: u32 = 2;

impl Labelled for IntersectionLabels {
    const ID: &'static str = "c-intersection-labels";
    const TITLE: &'static str = "Labels of any graph: both errors, and bits per vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.1, carried on";
    const THEORY: &'static str = "\
Vertices that are not joined have sets without a common element (δ = 0), joined ones share one of 2Δ − 1: slots of labels agree \
with probabilities that follow, and both errors are tails of a binomial (`LabelParams::fpr`, `fnr`). Here all vertices have \
Δ = 4 neighbours. Pairs of one graph share labels, so graphs are compared, by Student's t.";
    const COST: Cost = Cost { quick: 0.1, full: 2.5 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        let edges = (0..n).flat_map(|one| (1..=REACH).map(move |step| (one, (one + step) % n))).collect();
        let apart = |one: u32, rng: &mut Rng| {
            (one, (one + REACH + 1 + rng.below(u64::from(n - 2 * REACH - 1)) as u32) % n)
        };
        Sample { edges, others: (0..2 * n).map(|i| apart(i % n, rng)).collect() }
    }

    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams> {
        let sets = IntersectionSets::for_graph(n, &sample.edges, (0, 1))?;
        Ok(sets.params_for(LabelScheme::MinHash, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        let sets = IntersectionSets::for_graph(n, &sample.edges, (0, 1))?;
        Ok(Self::freeze(n, &sample.edges, sets, params, spec)?)
    }

    label_answers!();
}

impl Labelled for TreeLabels {
    const ID: &'static str = "c-tree-labels";
    const TITLE: &'static str = "Labels of trees: both errors, and bits per vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.2, carried on";
    const THEORY: &'static str = "\
The sets of joined vertices have Jaccard's similarity 1/2, those of siblings 1/3, and other pairs less: both errors are tails \
of a binomial (`TreeLabels::fpr` of siblings, `fnr`). Random trees in which each vertex hangs from an earlier one; the pairs that \
are no edges are siblings, the hardest to tell.";
    const COST: Cost = Cost { quick: 0.4, full: 12.6 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        // Few parents, so that there are siblings.
        let edges: Vec<Edge> =
            (1..n).map(|later| (later, rng.below(u64::from(later.div_ceil(3))) as u32)).collect();
        let mut children = edges.clone();
        children.sort_by_key(|&(child, parent)| (parent, child));
        let siblings =
            children.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| (pair[0].0, pair[1].0));
        Sample { others: siblings.collect(), edges }
    }

    fn params(_n: u32, _sample: &Sample, rate: f64) -> Result<LabelParams> {
        Ok(Self::params_for(LabelScheme::MinHash, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        Ok(Self::freeze(n, &sample.edges, params, spec)?)
    }

    label_answers!();
}

/// Neighbours of each vertex across.
const DEGREE: u32 = 3;

/// The first half of the vertices on one side.
fn sides(n: u32) -> Vec<bool> {
    (0..n).map(|vertex| vertex >= n / 2).collect()
}

impl Labelled for BipartiteLabels {
    const ID: &'static str = "c-bipartite-labels";
    const TITLE: &'static str = "Labels of bipartite graphs: both errors, and bits per vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.3, carried on";
    const THEORY: &'static str = "\
A vertex of one side lists its d neighbours, one of the other is its own only element: an edge has the similarity 1/d, other \
pairs across have none, and both errors are tails of a binomial (`BipartiteLabels::fpr`, `fnr`). Here all vertices have three \
neighbours.";
    const COST: Cost = Cost { quick: 0.1, full: 1.2 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        let half = n / 2;
        let across = move |one: u32, steps: u32| (one, half + (one + steps) % half);
        let edges = (0..half).flat_map(|one| (0..DEGREE).map(move |step| across(one, step))).collect();
        let apart =
            |one: u32, rng: &mut Rng| across(one, DEGREE + rng.below(u64::from(half - DEGREE)) as u32);
        Sample { edges, others: (0..2 * n).map(|i| apart(i % half, rng)).collect() }
    }

    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams> {
        Ok(Self::params_for(&sides(n), &sample.edges, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        Ok(Self::freeze(Sides::Bipartite, &sides(n), &sample.edges, params, spec)?)
    }

    label_answers!();
}
