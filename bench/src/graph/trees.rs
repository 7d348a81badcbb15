//! Graphs of a class that a label of a vertex can tell.

use crate::Options;
use crate::harness::{Column, Contender, interleave, print_contenders};
use crate::keys::SplitMix64;
use crivo::HashSpec;
use crivo::graph::{BipartiteLabels, IntersectionLabels, IntervalGraph, ParentTree, TreeLabels};
use crivo::graph::{IntersectionSets, LabelScheme, Sides};

/// The rates that labels are made for.
const RATE: f64 = 0.01;
const VERTICES: u32 = 10_000;
const COLUMNS: [Column; 4] =
    [Column::Time("build"), Column::Time("query"), Column::Value("lost %"), Column::Value("bits/vertex")];

fn contender<'a, G>(
    name: &'static str,
    edges: &'a [(u32, u32)],
    build: impl Fn() -> G + 'a,
    has_edge: impl Fn(&G, u32, u32) -> bool + 'a,
    bits: impl Fn(&G) -> u32 + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let graph = samples.time("build", VERTICES as usize, &build);
        let found = samples.time("query", edges.len(), || {
            edges.iter().filter(|&&(one, other)| has_edge(&graph, one, other)).count()
        });
        samples.record("lost %", 100.0 * (edges.len() - found) as f64 / edges.len() as f64);
        samples.record("bits/vertex", bits(&graph).into());
    })
}

pub(crate) fn run(options: &Options) {
    let mut random = SplitMix64::new(91);
    // Every vertex hangs on one of the eight before it: few children each, as labels of intersections need.
    let edges: Vec<(u32, u32)> =
        (1..VERTICES).map(|child| (child, child - 1 - (random.next() % 8) as u32 % child)).collect();
    let edges = &edges[..];
    let sides: Vec<bool> = (0..VERTICES).map(|vertex| depth(edges, vertex) % 2 == 1).collect();
    let spec = HashSpec::default();
    let intervals: Vec<(f64, f64)> =
        (0..VERTICES).map(|start| (f64::from(start), f64::from(start) + 1.0)).collect();
    let meeting: Vec<(u32, u32)> = (1..VERTICES).map(|vertex| (vertex - 1, vertex)).collect();
    let tree = |name, scheme| {
        contender(
            name,
            edges,
            move || {
                let params = TreeLabels::params_for(scheme, RATE, RATE).expect("these rates can be had");
                TreeLabels::freeze(VERTICES, edges, params, spec).expect("a tree")
            },
            |graph, one, other| graph.has_edge(one, other) == Ok(true),
            TreeLabels::bits_per_vertex,
        )
    };
    let mut contenders = vec![
        contender(
            "crivo ParentTree",
            edges,
            || ParentTree::from_edges(VERTICES, edges).expect("a tree"),
            |graph, one, other| graph.has_edge(one, other) == Ok(true),
            ParentTree::bits_per_vertex,
        ),
        tree("crivo TreeLabels (MinHash)", LabelScheme::MinHash),
        tree("crivo TreeLabels (SimHash)", LabelScheme::SimHash),
        contender(
            "crivo IntersectionLabels (1/3)",
            edges,
            || {
                let sets = IntersectionSets::for_graph(VERTICES, edges, (1, 3)).expect("few children");
                let params =
                    sets.params_for(LabelScheme::MinHash, RATE, RATE).expect("these rates can be had");
                IntersectionLabels::freeze(VERTICES, edges, sets, params, spec).expect("a graph")
            },
            |graph, one, other| graph.has_edge(one, other) == Ok(true),
            IntersectionLabels::bits_per_vertex,
        ),
        contender(
            "crivo BipartiteLabels",
            edges,
            || {
                let params =
                    BipartiteLabels::params_for(&sides, edges, RATE, RATE).expect("these rates can be had");
                BipartiteLabels::freeze(Sides::Bipartite, &sides, edges, params, spec)
                    .expect("a bipartite graph")
            },
            |graph, one, other| graph.has_edge(one, other) == Ok(true),
            BipartiteLabels::bits_per_vertex,
        ),
        contender(
            "crivo IntervalGraph (a path)",
            &meeting,
            || IntervalGraph::freeze(&intervals).expect("intervals"),
            |graph, one, other| graph.has_edge(one, other) == Ok(true),
            IntervalGraph::bits_per_vertex,
        ),
    ];
    interleave(&mut contenders, options.rounds);
    let title =
        format!("Trees and intervals: {VERTICES} vertices, labels for {} % of either error", 100.0 * RATE);
    print_contenders(&title, &COLUMNS, &contenders);
}

/// The steps from a vertex to the first one; edge i − 1 is that of vertex i.
fn depth(edges: &[(u32, u32)], mut vertex: u32) -> u32 {
    let mut steps = 0;
    while vertex > 0 {
        vertex = edges[vertex as usize - 1].1;
        steps += 1;
    }
    steps
}
