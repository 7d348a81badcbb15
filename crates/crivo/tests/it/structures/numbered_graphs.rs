//! Graphs of numbered vertices, made from the hashes of a set, independently of order and repetition.

use super::*;
use crivo::baseline::AdjacencyList;
use crivo::graph::{
    BipartiteLabels, Direction, Edge, IntersectionLabels, IntersectionSets, IntervalGraph, LabelParams,
    LabelScheme, ParentTree, Sides, TreeLabels,
};

fn sorted(hashes: &[u64]) -> Vec<u64> {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// A pair of vertices below `vertices`, which is not 0.
pub(crate) fn pair(hash: u64, vertices: u32) -> Edge {
    ((hash % u64::from(vertices)) as u32, ((hash >> 32) % u64::from(vertices)) as u32)
}

/// The answer of a graph about pairs; empty if it has no vertices.
macro_rules! graphs {
    ($($graph:ident empty by $size:ident),*) => {$(
        impl Frozen for $graph {
            type Answer = Vec<bool>;

            fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
                let asked = hashes.iter().filter(|_| self.vertices() > 0).map(|&hash| pair(hash, self.vertices()));
                asked.map(|(one, other)| self.has_edge(one, other).unwrap()).collect()
            }

            fn is_empty(&self) -> bool {
                self.$size() == 0
            }
        }
    )*};
}
graphs!(
    AdjacencyList empty by edges,
    ParentTree empty by vertices,
    IntervalGraph empty by vertices,
    IntersectionLabels empty by vertices,
    TreeLabels empty by vertices,
    BipartiteLabels empty by vertices
);

/// A vertex for each hash, whose parent is an earlier one, except for a few roots.
fn forest(hashes: &[u64]) -> Vec<Option<u32>> {
    let parent = |(vertex, hash): (u64, u64)| (vertex > 0 && hash >> 60 > 0).then(|| (hash % vertex) as u32);
    (0..).zip(sorted(hashes)).map(parent).collect()
}

fn edges_of(parents: &[Option<u32>]) -> Vec<Edge> {
    (0..).zip(parents).filter_map(|(vertex, parent)| parent.map(|parent| (vertex, parent))).collect()
}

pub(crate) fn list(vertices: u32, direction: Direction) -> impl Fn(&[u64], HashSpec) -> AdjacencyList {
    move |hashes, _| {
        let edges: Vec<Edge> = hashes.iter().map(|&hash| pair(hash, vertices)).collect();
        AdjacencyList::freeze(vertices, direction, &edges).unwrap()
    }
}

pub(crate) fn parent_tree(hashes: &[u64], _: HashSpec) -> ParentTree {
    ParentTree::freeze(&forest(hashes)).unwrap()
}

pub(crate) fn rooted_tree(hashes: &[u64], _: HashSpec) -> ParentTree {
    let parents = forest(hashes);
    ParentTree::from_edges(parents.len() as u32, &edges_of(&parents)).unwrap()
}

/// Intervals below `end` and slightly beyond: the smaller `end`, the more of them overlap.
pub(crate) fn intervals(end: u64) -> impl Fn(&[u64], HashSpec) -> IntervalGraph {
    move |hashes, _| {
        let interval = |hash: u64| {
            let from = (hash >> 32) % end;
            (from as f64, (from + hash % 7) as f64)
        };
        let intervals: Vec<(f64, f64)> = sorted(hashes).into_iter().map(interval).collect();
        IntervalGraph::freeze(&intervals).unwrap()
    }
}

pub(crate) fn intersection(
    delta: (u32, u32),
    (slots, bits, threshold): (u32, u32, u32),
) -> impl Fn(&[u64], HashSpec) -> IntersectionLabels {
    let params = LabelParams::exact(LabelScheme::MinHash, slots, bits, threshold).unwrap();
    move |hashes, spec| {
        let parents = forest(hashes);
        let (vertices, edges) = (parents.len() as u32, edges_of(&parents));
        let sets = IntersectionSets::for_graph(vertices, &edges, delta).unwrap();
        IntersectionLabels::freeze(vertices, &edges, sets, params, spec).unwrap()
    }
}

pub(crate) fn tree_labels(
    scheme: LabelScheme,
    (slots, bits, threshold): (u32, u32, u32),
) -> impl Fn(&[u64], HashSpec) -> TreeLabels {
    let params = LabelParams::exact(scheme, slots, bits, threshold).unwrap();
    move |hashes, spec| {
        let parents = forest(hashes);
        TreeLabels::freeze(parents.len() as u32, &edges_of(&parents), params, spec).unwrap()
    }
}

pub(crate) fn bipartite(
    class: Sides,
    (slots, bits, threshold): (u32, u32, u32),
) -> impl Fn(&[u64], HashSpec) -> BipartiteLabels {
    let params = LabelParams::exact(LabelScheme::MinHash, slots, bits, threshold).unwrap();
    move |hashes, spec| {
        let parents = forest(hashes);
        let sides: Vec<bool> = sorted(hashes).into_iter().map(|hash| hash >> 20 & 1 == 1).collect();
        let is_across = |edge: &Edge| sides[edge.0 as usize] != sides[edge.1 as usize];
        let edges: Vec<Edge> = edges_of(&parents).into_iter().filter(is_across).collect();
        BipartiteLabels::freeze(class, &sides, &edges, params, spec).unwrap()
    }
}

#[test]
fn files() {
    let plain = HashSpec::default();
    check("directed", &list(11, Direction::Directed)(&[1, 5 << 32, 7 << 32 | 3, 4], plain));
    check("no-vertices", &AdjacencyList::freeze(0, Direction::Directed, &[]).unwrap());
    check("rooted", &rooted_tree(&[5, 1 << 63, 1 << 62, 7 << 61], plain));
    check("all-meet", &intervals(1)(&[0, 7, 14, 21, 28], plain));
}

#[test]
fn files_of_labels() {
    let plain = HashSpec::default();
    let hashes = [1 << 63, 3 << 61, 7 << 60, 1];
    check("half-alike", &intersection((1, 2), (64, 1, 50))(&hashes, plain));
    check("signs", &tree_labels(LabelScheme::SimHash, (100, 1, 71))(&hashes, plain));
    check("wide", &tree_labels(LabelScheme::MinHash, (9, 16, 4))(&hashes, plain));
    let hashes = [1 << 63, 3 << 61 | 1 << 20, 7 << 60, 1];
    check("co-bipartite", &bipartite(Sides::CoBipartite, (3, 16, 1))(&hashes, plain));
    check("split", &bipartite(Sides::Split, (9, 2, 4))(&hashes, plain));
}
