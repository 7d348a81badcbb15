//! Graphs in Bloom filters: edges are never lost, and some pairs seem joined.

use std::ops::Range;

use crivo::graph::Direction;
use crivo::graph::VertexBlooms;
use crivo::rng::Rng;
use crivo::{BloomParams, EdgeBloom, HashSpec};
use libm::{floor, log2, round, sqrt};

use crate::coverage::Coverage;
use crate::experiments::errors::{FALSE_ALARM, Told};
use crate::experiments::filters::measure::{INTERVALS, Plan, Subject, experiment};
use crate::experiments::prelude::*;

pub(in crate::experiments) const EDGE_BLOOM: Experiment = experiment::<EdgeBloom>();
pub(in crate::experiments) const VERTEX_BLOOMS: Experiment = experiment::<VertexBlooms>();

/// All pairs of vertices, numbered: those of the first vertices first.
pub(super) fn pair(number: u64) -> (u64, u64) {
    let mut larger = floor(f64::midpoint(1.0, sqrt(1.0 + 8.0 * number as f64))) as u64;
    // The root may be off by one.
    larger -= u64::from(larger * (larger - 1) / 2 > number);
    larger += u64::from(larger * (larger + 1) / 2 <= number);
    (number - larger * (larger - 1) / 2, larger)
}

fn hashed(spec: HashSpec, number: u64) -> (u64, u64) {
    let (one, other) = pair(number);
    (spec.hash(&one), spec.hash(&other))
}

/// Vertices among whose pairs spurious edges are counted: half of them are edges, in full.
const VERTICES: u64 = 200;

impl Subject for EdgeBloom {
    type Filter = Self;
    type Params = BloomParams;
    const ID: &'static str = "c-edge-bloom";
    const TITLE: &'static str = "Edges in a Bloom filter: spurious edges, bits and the rate it states";
    const REFERENCE: &'static str = "Lopes 2017, section 3.3, carried on";
    const THEORY: &'static str = "\
An edge is one item of a Bloom filter: pairs that are not joined are reported at its rate (`BloomParams::fpr_at`, \
`EdgeBloom::fpr`), however their vertices are joined to others. Here the first pairs of few vertices are edges, a graph as \
dense as can be. `spurious_edges` is an interval for the number of pairs among n vertices that are reported and are no edges.";
    const COST: Cost = Cost { quick: 0.2, full: 12.1 };

    fn sized(capacity: u64, rate: f64) -> Result<BloomParams> {
        Ok(BloomParams::for_fpr(capacity, rate)?)
    }

    fn filled(params: BloomParams, spec: HashSpec, items: u64) -> Result<Self> {
        let mut graph = Self::with_params(params, Direction::Undirected).with_hash(spec);
        graph.add_edge_hashes(&(0..items).map(|item| hashed(spec, item)).collect::<Vec<_>>());
        Ok(graph)
    }

    /// Edges are asked for from their other end.
    fn ask(graph: &Self, items: Range<u64>) -> Vec<bool> {
        let turned = |(one, other): (u64, u64)| (other, one);
        graph.has_edge_hashes(&items.map(|item| turned(hashed(*graph.hash_spec(), item))).collect::<Vec<_>>())
    }

    fn told(graph: &Self) -> Told {
        graph.fpr().into()
    }

    fn fpr_at(params: BloomParams, items: u64) -> f64 {
        params.fpr_at(items)
    }

    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let (mut spurious, mut edges) = (Coverage::default(), Coverage::default());
        for _ in 0..INTERVALS {
            let spec = HashSpec::seeded(rng.next_u64());
            let graph = Self::filled(params, spec, plan.capacity)?;
            let others = Self::ask(&graph, plan.capacity..VERTICES * (VERTICES - 1) / 2);
            let seen = others.into_iter().filter(|&joined| joined).count();
            spurious.add(&graph.spurious_edges(VERTICES), seen as f64 / plan.overstated);
            edges.add(&graph.edges(), plan.capacity as f64 / plan.overstated);
        }
        let place = format!("{} edges", plan.capacity);
        let checks = [
            spurious.check(format!("spurious edges of {place}"), FALSE_ALARM),
            edges.check(place, FALSE_ALARM),
        ];
        outcome.verdicts.push(Verdict::within(
            "The intervals of the number of spurious edges and of the number of edges have the promised coverage.",
            " %",
            checks,
        ));
        Ok(())
    }
}

/// Vertices of the graph of many small filters: at the capacity of 10000 edges each has 40 neighbours.
const SMALL_FILTERS: u64 = 500;

/// The edges of a graph in which all vertices have as many neighbours: first those a step apart, then two steps, and so on.
fn around(spec: HashSpec, number: u64) -> (u64, u64) {
    let (one, steps) = (number % SMALL_FILTERS, 1 + number / SMALL_FILTERS);
    (spec.hash(&one), spec.hash(&((one + steps) % SMALL_FILTERS)))
}

impl Subject for VertexBlooms {
    type Filter = Self;
    /// Of the filter of one vertex.
    type Params = BloomParams;
    const ID: &'static str = "c-vertex-blooms";
    const TITLE: &'static str =
        "A Bloom filter for each vertex: spurious edges, bits and the rate they state";
    const REFERENCE: &'static str = "Lopes 2017, section 3.3, with both ends asked; Besta and others 2022";
    const THEORY: &'static str = "\
A graph of 500 vertices of equal degree. Both ends must report an edge, so pairs that are not joined are reported with \
probability p·p of two independent small filters (`BloomParams::fpr_at` of the degree, squared), given the bits \
p(u)·p(v) (`VertexBlooms::fpr`). Each edge is kept twice, and a vertex takes 16 bytes in addition to its filter.";
    const COST: Cost = Cost { quick: 0.3, full: 15.2 };
    /// All vertices have as many neighbours at each of them.
    const LOADS: &'static [f64] = &[0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

    fn sized(capacity: u64, rate: f64) -> Result<BloomParams> {
        // A filter of whole words would be far better than asked for: these lie side by side without gaps.
        let (degree, hashes) = (2 * capacity / SMALL_FILTERS, round(-log2(rate) / 2.0).max(1.0) as u32);
        let mut params = BloomParams::exact(degree, hashes)?;
        while params.fpr_at(degree) > sqrt(rate) {
            params = BloomParams::exact(params.bits() + 1, hashes)?;
        }
        Ok(params)
    }

    fn filled(params: BloomParams, spec: HashSpec, items: u64) -> Result<Self> {
        let sizes = (0..SMALL_FILTERS).map(|vertex| (spec.hash(&vertex), params.bits()));
        let mut graph = Self::with_sizes(sizes, params.hashes(), Direction::Undirected, spec)?;
        for (one, other) in (0..items).map(|item| around(spec, item)) {
            graph.add_edge_hash(one, other)?;
        }
        Ok(graph)
    }

    fn ask(graph: &Self, items: Range<u64>) -> Vec<bool> {
        graph.has_edge_hashes(&items.map(|item| around(*graph.hash_spec(), item)).collect::<Vec<_>>())
    }

    /// The mean over all pairs. The rate of a vertex with itself is the square of its own rate.
    fn told(graph: &Self) -> Told {
        let squares: Vec<f64> =
            graph.vertices().iter().map(|&vertex| graph.fpr_hash(vertex, vertex).value()).collect();
        let (sum, of_squares) =
            (squares.iter().map(|&square| sqrt(square)).sum::<f64>(), squares.iter().sum::<f64>());
        let vertices = squares.len() as f64;
        ((sum * sum - of_squares) / (vertices * (vertices - 1.0))).into()
    }

    fn fpr_at(params: BloomParams, items: u64) -> f64 {
        let degree = 2.0 * items as f64 / SMALL_FILTERS as f64;
        let [below, above] = [floor(degree), floor(degree) + 1.0].map(|degree| {
            let of_one = params.fpr_at(degree as u64);
            of_one * of_one
        });
        below + (degree - floor(degree)) * (above - below)
    }

    fn more(plan: &Plan, rng: &mut Rng, outcome: &mut Outcome) -> Result<()> {
        let params = Self::sized(plan.capacity, plan.rate())?;
        let mut degrees = Coverage::default();
        for _ in 0..INTERVALS {
            let spec = HashSpec::seeded(rng.next_u64());
            let graph = Self::filled(params, spec, plan.capacity)?;
            let degree = 2.0 * plan.capacity as f64 / SMALL_FILTERS as f64;
            degrees.add(&graph.degree(&0u64)?, degree / plan.overstated);
        }
        outcome.verdicts.push(Verdict::within(
            "The interval of a degree, one in each graph, has the promised coverage.",
            " %",
            [degrees.check(format!("{} edges", plan.capacity), FALSE_ALARM)],
        ));
        Ok(())
    }
}
