//! Many edges: filters of edges compared with exact graphs.

use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::EdgeBloom;
use crivo::baseline::{AdjacencyList, AdjacencyMatrix};
use crivo::graph::VertexBlooms;
use crivo::graph::{Direction, edge_hash};
use crivo::{BloomFilter, HashSpec};
use petgraph::csr::Csr;
use std::collections::{BTreeMap, HashSet};

const FPR: f64 = 0.01;
const FILTER: &str = "crivo BloomFilter of edge hashes";
const EDGES: &str = "crivo EdgeBloom";
const COLUMNS: [Column; 5] = [
    Column::Time("build"),
    Column::Time("hit"),
    Column::Time("miss"),
    Column::Value("false positives %"),
    Column::Value("bits/edge"),
];

/// A random graph, and pairs that are not joined.
struct Graph {
    vertices: u32,
    edges: Vec<(u32, u32)>,
    others: Vec<(u32, u32)>,
}

impl Graph {
    /// Undirected, with `edges` edges and ten times fewer vertices.
    fn new(edges: usize) -> Self {
        let vertices = u32::try_from(edges / 10).expect("a few million");
        let mut random = SplitMix64::new(90);
        let mut seen = HashSet::new();
        let mut pairs = || loop {
            let [one, other] = [0; 2].map(|_| {
                u32::try_from((u128::from(random.next()) * u128::from(vertices)) >> 64).expect("below a u32")
            });
            let pair = (one.min(other), one.max(other));
            if one != other && seen.insert(pair) {
                return pair;
            }
        };
        let edges = (0..edges).map(|_| pairs()).collect();
        let others = (0..1_000_000.min(vertices)).map(|_| pairs()).collect();
        Self { vertices, edges, others }
    }
}

/// Vertices as their hashes.
fn hashed(pairs: &[(u32, u32)]) -> Vec<(u64, u64)> {
    let spec = HashSpec::default();
    pairs.iter().map(|(one, other)| (spec.hash(one), spec.hash(other))).collect()
}

/// Edges as their hashes.
fn joined(pairs: &[(u32, u32)]) -> Vec<u64> {
    hashed(pairs).iter().map(|&(one, other)| edge_hash(one, other, Direction::Undirected)).collect()
}

/// Builds a graph, then asks for edges and others; `count` gives how many of them are joined.
fn contender<'a, P: Copy, G>(
    name: &'static str,
    edges: &'a [P],
    others: &'a [P],
    build: impl Fn(&[P]) -> G + 'a,
    count: impl Fn(&G, &[P]) -> usize + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let (graph, held) = heap_held(|| samples.time("build", edges.len(), || build(edges)));
        let asked = &edges[..edges.len().min(others.len())];
        let found = samples.time("hit", asked.len(), || count(&graph, asked));
        assert_eq!(found, asked.len(), "{name}: a graph may not lose an edge");
        let wrong = samples.time("miss", others.len(), || count(&graph, others));
        samples.record("false positives %", 100.0 * wrong as f64 / others.len() as f64);
        samples.record("bits/edge", 8.0 * held as f64 / edges.len() as f64);
    })
}

fn count(answers: Vec<bool>) -> usize {
    answers.into_iter().filter(|&answer| answer).count()
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let sizes: &[usize] = if options.quick { &[10_000] } else { &[10_000, 10_000_000] };
    for &size in sizes {
        let graph = Graph::new(size);
        let (edges, others) = (&graph.edges[..], &graph.others[..]);
        let (hashed_edges, hashed_others) = (hashed(edges), hashed(others));
        let (joined_edges, joined_others) = (joined(edges), joined(others));
        let mut contenders = vec![
            contender(
                FILTER,
                &joined_edges,
                &joined_others,
                |edges| {
                    let mut filter = BloomFilter::for_fpr(edges.len() as u64, FPR).expect("a filter");
                    filter.insert_hashes(edges);
                    filter
                },
                |filter, edges| edges.chunks(1024).map(|edges| count(filter.contains_hashes(edges))).sum(),
            ),
            contender(
                EDGES,
                &hashed_edges,
                &hashed_others,
                |edges| {
                    let graph = EdgeBloom::for_fpr(edges.len() as u64, FPR, Direction::Undirected);
                    let mut graph = graph.expect("a filter");
                    graph.add_edge_hashes(edges);
                    graph
                },
                |graph, pairs| pairs.chunks(1024).map(|pairs| count(graph.has_edge_hashes(pairs))).sum(),
            ),
            contender(
                "crivo VertexBlooms",
                &hashed_edges,
                &hashed_others,
                |edges| {
                    let mut degrees = BTreeMap::new();
                    for &(one, other) in edges {
                        *degrees.entry(one).or_insert(0u64) += 1;
                        *degrees.entry(other).or_insert(0) += 1;
                    }
                    let mut graph =
                        VertexBlooms::for_degrees(degrees, 10, Direction::Undirected, HashSpec::default())
                            .expect("filters");
                    for &(one, other) in edges {
                        graph.add_edge_hash(one, other).expect("both are known");
                    }
                    graph
                },
                |graph, pairs| pairs.chunks(1024).map(|pairs| count(graph.has_edge_hashes(pairs))).sum(),
            ),
            contender(
                "crivo AdjacencyList",
                edges,
                others,
                |edges| AdjacencyList::freeze(graph.vertices, Direction::Undirected, edges).expect("a graph"),
                |list, pairs| pairs.iter().filter(|pair| list.has_edge(pair.0, pair.1) == Ok(true)).count(),
            ),
            contender(
                "petgraph Csr",
                edges,
                others,
                |edges| {
                    let mut sorted = edges.to_vec();
                    sorted.extend(edges.iter().map(|&(one, other)| (other, one)));
                    sorted.sort_unstable();
                    Csr::<(), (), petgraph::Directed>::from_sorted_edges(&sorted).expect("sorted edges")
                },
                |list, pairs| pairs.iter().filter(|pair| list.contains_edge(pair.0, pair.1)).count(),
            ),
            contender(
                "std HashSet of pairs",
                edges,
                others,
                |edges| edges.iter().copied().collect::<HashSet<_>>(),
                |set, pairs| pairs.iter().filter(|pair| set.contains(pair)).count(),
            ),
        ];
        if size <= 10_000 {
            contenders.push(contender(
                "crivo AdjacencyMatrix",
                edges,
                others,
                |edges| {
                    let matrix = AdjacencyMatrix::for_vertices(graph.vertices, Direction::Undirected);
                    let mut matrix = matrix.expect("a small matrix");
                    for &(one, other) in edges {
                        matrix.add_edge(one, other).expect("both are known");
                    }
                    matrix
                },
                |matrix, pairs| {
                    pairs.iter().filter(|pair| matrix.has_edge(pair.0, pair.1) == Ok(true)).count()
                },
            ));
        }
        interleave(&mut contenders, options.rounds);
        let title = format!("{size} edges, {} vertices", graph.vertices);
        print_contenders(&format!("Edges: {title}, hashes of vertices given"), &COLUMNS, &contenders);
        for metric in ["hit", "miss"] {
            let what = format!("EdgeBloom {metric} vs BloomFilter::contains_hashes: {title}");
            targets.at_most(what, best(&contenders, EDGES, metric), best(&contenders, FILTER, metric), 1.3);
        }
    }
}
