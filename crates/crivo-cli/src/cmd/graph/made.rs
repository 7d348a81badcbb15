//! Labels or a tree that were made, and what is found by asking them.

use crivo::baseline::AdjacencyList;
use crivo::graph::{
    BipartiteLabels, Edge, IntersectionLabels, IntervalGraph, LabelParams, ParentTree, Sides, TreeLabels,
};
use crivo::rng::Rng;
use crivo::sketch::Sketch;

/// What was made.
pub(super) enum Made {
    Tree(TreeLabels),
    Intersection(IntersectionLabels),
    Parent(ParentTree),
    Interval(IntervalGraph),
    TwoSided(BipartiteLabels),
    /// With the number of vertices of the graph that it covers.
    DoubleCover(BipartiteLabels, u32),
}

impl Made {
    fn has_edge(&self, (one, other): Edge) -> bool {
        let answer = match self {
            Self::Tree(labels) => labels.has_edge(one, other),
            Self::Intersection(labels) => labels.has_edge(one, other),
            Self::Parent(tree) => tree.has_edge(one, other),
            Self::Interval(graph) => graph.has_edge(one, other),
            Self::TwoSided(labels) => labels.has_edge(one, other),
            Self::DoubleCover(labels, vertices) => labels.has_edge(one, vertices + other),
        };
        answer.expect("all vertices are known")
    }

    /// The rates of false positives and of false negatives that it states.
    pub(super) fn rates(&self) -> (f64, f64) {
        match self {
            Self::Tree(labels) => (labels.fpr(), labels.fnr()),
            Self::Intersection(labels) => (labels.fpr(), labels.fnr()),
            Self::TwoSided(labels) | Self::DoubleCover(labels, _) => (labels.fpr(), labels.fnr()),
            Self::Parent(_) | Self::Interval(_) => (0.0, 0.0),
        }
    }

    pub(super) fn bits_per_vertex(&self) -> u32 {
        match self {
            Self::Tree(labels) => labels.bits_per_vertex(),
            Self::Intersection(labels) => labels.bits_per_vertex(),
            Self::Parent(tree) => tree.bits_per_vertex(),
            Self::Interval(graph) => graph.bits_per_vertex(),
            Self::TwoSided(labels) => labels.bits_per_vertex(),
            // A vertex has a label on each side.
            Self::DoubleCover(labels, _) => 2 * labels.bits_per_vertex(),
        }
    }

    pub(super) fn params(&self) -> Option<LabelParams> {
        match self {
            Self::Tree(labels) => Some(labels.params()),
            Self::Intersection(labels) => Some(labels.params()),
            Self::TwoSided(labels) | Self::DoubleCover(labels, _) => Some(labels.params()),
            Self::Parent(_) | Self::Interval(_) => None,
        }
    }

    /// The class of a graph with two sides.
    pub(super) fn sides(&self) -> Option<Sides> {
        match self {
            Self::TwoSided(labels) | Self::DoubleCover(labels, _) => Some(labels.class()),
            _ => None,
        }
    }

    pub(super) fn sketch(&self) -> &dyn Sketch {
        match self {
            Self::Tree(labels) => labels,
            Self::Intersection(labels) => labels,
            Self::Parent(tree) => tree,
            Self::Interval(graph) => graph,
            Self::TwoSided(labels) | Self::DoubleCover(labels, _) => labels,
        }
    }
}

/// How many pairs were asked, and how many answers were wrong.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    pub(super) pairs: u64,
    pub(super) wrong: u64,
}

impl Asked {
    fn push(&mut self, is_wrong: bool) {
        self.pairs += 1;
        self.wrong += u64::from(is_wrong);
    }
}

/// What was found by asking.
#[derive(Default)]
pub(super) struct Found {
    /// Edges that were taken for none.
    pub(super) missed: u64,
    /// Pairs with a common neighbour that are no edges: in a tree those that err the most.
    pub(super) near: Asked,
    /// All pairs that are no edges, or some at random where there are many.
    pub(super) others: Asked,
}

/// The maximum number of pairs of each sort that are queried.
const MOST_PAIRS: u64 = 1_000_000;

/// All edges, pairs with a common neighbour, and pairs at random, as the seed draws them.
pub(super) fn ask(made: &Made, exact: &AdjacencyList, seed: u64) -> Found {
    let vertices = exact.vertices();
    let neighbours = |vertex: u32| exact.neighbours(vertex).expect("all vertices are known");
    let is_edge = |(one, other): Edge| exact.has_edge(one, other).expect("all vertices are known");
    let mut found = Found::default();
    for one in 0..vertices {
        for other in neighbours(one).filter(|&other| one < other) {
            found.missed += u64::from(!made.has_edge((one, other)));
        }
    }
    'all: for middle in 0..vertices {
        let around: Vec<u32> = neighbours(middle).collect();
        for (place, &one) in around.iter().enumerate() {
            for &other in &around[..place] {
                if found.near.pairs == MOST_PAIRS {
                    break 'all;
                }
                if !is_edge((one, other)) {
                    found.near.push(made.has_edge((one, other)));
                }
            }
        }
    }
    let mut ask = |pair: Edge| {
        if pair.0 != pair.1 && !is_edge(pair) {
            found.others.push(made.has_edge(pair));
        }
    };
    if has_few_pairs(vertices) {
        (0..vertices).for_each(|one| (0..one).for_each(|other| ask((one, other))));
    } else {
        let mut rng = Rng::new(seed);
        let mut draw = || rng.below(vertices.into()) as u32;
        (0..MOST_PAIRS).for_each(|_| ask((draw(), draw())));
    }
    found
}

/// Whether all pairs can be asked.
pub(super) fn has_few_pairs(vertices: u32) -> bool {
    u64::from(vertices) * u64::from(vertices) <= 2 * MOST_PAIRS
}
