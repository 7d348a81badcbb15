//! Graphs of numbered vertices that never err.

use std::collections::HashSet;

use crivo::baseline::{AdjacencyList, AdjacencyMatrix};
use crivo::graph::Direction;
use crivo::graph::{IntervalGraph, ParentTree};
use crivo::rng::Rng;

use super::shuffled;
use crate::experiments::exact::{Answer, Exact, Weighed, experiment};
use crate::experiments::prelude::*;

pub(in crate::experiments) const ADJACENCY_MATRIX: Experiment = experiment::<AdjacencyMatrix>();
pub(in crate::experiments) const ADJACENCY_LIST: Experiment = experiment::<AdjacencyList>();
pub(in crate::experiments) const PARENT_TREE: Experiment = experiment::<ParentTree>();
pub(in crate::experiments) const INTERVAL_GRAPH: Experiment = experiment::<IntervalGraph>();

/// Neighbours on either side of a vertex in the graphs of a list.
const REACH: usize = 4;
/// Random pairs asked of each graph, in addition to its edges.
const PAIRS: usize = 20_000;

/// The number of random pairs of vertices.
fn pairs(n: u64, rng: &mut Rng) -> Vec<(u32, u32)> {
    (0..PAIRS).map(|_| (rng.below(n) as u32, rng.below(n) as u32)).collect()
}

/// Either order of an edge.
fn ordered((one, other): (u32, u32)) -> (u32, u32) {
    (one.min(other), one.max(other))
}

/// ⌈log₂ n⌉.
fn width(n: u64) -> f64 {
    f64::from((n - 1).ilog2() + 1)
}

/// Numbers of this width, in words, one of them to spare.
fn packed(bits: f64) -> f64 {
    64.0 * (libm::ceil(bits / 64.0) + 1.0)
}

/// A circle in which each vertex is joined to the next four, its vertices in a random order: 4n edges.
fn circle(n: u64, rng: &mut Rng) -> Vec<(u32, u32)> {
    let order = shuffled(n, rng);
    let ends = |i: usize| (1..=REACH).map(move |step| (i, i + step));
    (0..order.len()).flat_map(ends).map(|(i, j)| (order[i], order[j % order.len()])).collect()
}

const EXACT: [&[u64]; 2] =
    [&[30, 100, 300, 1000, 3000], &[30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]];

impl Exact for AdjacencyMatrix {
    const ID: &'static str = "c-adjacency-matrix";
    const TITLE: &'static str = "Adjacency matrix: exact answers, and bits per vertex";
    const REFERENCE: &'static str = "Spinrad 2003, chapter 1; Lopes 2017, section 3.1";
    const THEORY: &'static str = "\
A bit for each pair of vertices, and each with itself: n(n + 1)/2 bits of an undirected graph, in words of 64.";
    const COST: Cost = Cost { quick: 0.1, full: 0.2 };
    const UNIT: &'static str = "vertices";
    const SIZES: [&'static [u64]; 2] = [&[30, 100, 300, 1000], &[30, 100, 300, 1000, 3000, 10_000]];

    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let mut graph = Self::for_vertices(n as u32, Direction::Undirected)?;
        let mut edges = HashSet::new();
        for edge in circle(n, rng) {
            graph.add_edge(edge.0, edge.1)?;
            edges.insert(ordered(edge));
        }
        let asked = pairs(n, rng).into_iter().chain(edges.iter().map(|&(one, other)| (other, one)));
        let answer = |pair: (u32, u32)| {
            Ok(Answer::new(graph.has_edge(pair.0, pair.1)?, edges.contains(&ordered(pair))))
        };
        Ok(Weighed::new(asked.map(answer).collect::<Result<Vec<Answer>>>()?, &graph))
    }

    fn bits(n: u64) -> (f64, f64) {
        let bits = 8.0 * size_of::<Self>() as f64 + (n * (n + 1) / 2).next_multiple_of(64) as f64;
        (bits, bits)
    }
}

impl Exact for AdjacencyList {
    const ID: &'static str = "c-adjacency-list";
    const TITLE: &'static str = "Adjacency list: exact answers, and bits per vertex";
    const REFERENCE: &'static str = "Spinrad 2003, chapter 1; Lopes 2017, section 3.1";
    const THEORY: &'static str = "\
⌈log2 n⌉ bits for each entry, two of an edge, and ⌈log2 (entries + 1)⌉ for the offset of each vertex. Here each vertex has \
eight neighbours.";
    const COST: Cost = Cost { quick: 0.1, full: 1.3 };
    const UNIT: &'static str = "vertices";
    const SIZES: [&'static [u64]; 2] = EXACT;

    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let edges = circle(n, rng);
        let graph = Self::freeze(n as u32, Direction::Undirected, &edges)?;
        let truth: HashSet<(u32, u32)> = edges.iter().copied().map(ordered).collect();
        let asked = pairs(n, rng).into_iter().chain(edges.iter().map(|&(one, other)| (other, one)));
        let answer = |pair: (u32, u32)| {
            Ok(Answer::new(graph.has_edge(pair.0, pair.1)?, truth.contains(&ordered(pair))))
        };
        Ok(Weighed::new(asked.map(answer).collect::<Result<Vec<Answer>>>()?, &graph))
    }

    fn bits(n: u64) -> (f64, f64) {
        let entries = 2 * REACH as u64 * n;
        let offsets = packed((n + 1) as f64 * width(entries + 1));
        let bits = 8.0 * size_of::<Self>() as f64 + offsets + packed(entries as f64 * width(n));
        (bits, bits)
    }
}

impl Exact for ParentTree {
    const ID: &'static str = "c-parent-tree";
    const TITLE: &'static str = "Tree by parents: exact answers, and bits per vertex";
    const REFERENCE: &'static str = "Kannan, Naor and Rudich 1992; Lopes 2017, section 3.1";
    const THEORY: &'static str = "⌈log2 n⌉ bits per vertex: the number of its parent. Random trees, each vertex joined to an \
earlier one, with their vertices in a random order.";
    const COST: Cost = Cost { quick: 0.1, full: 0.3 };
    const UNIT: &'static str = "vertices";
    const SIZES: [&'static [u64]; 2] = EXACT;

    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let order = shuffled(n, rng);
        let joined = |later: usize, earlier: u64| (order[later], order[earlier as usize]);
        let edges: Vec<(u32, u32)> =
            (1..order.len()).map(|later| joined(later, rng.below(later as u64))).collect();
        let tree = Self::from_edges(n as u32, &edges)?;
        let truth: HashSet<(u32, u32)> = edges.iter().copied().map(ordered).collect();
        let asked = pairs(n, rng).into_iter().chain(edges.iter().copied());
        let answer = |pair: (u32, u32)| {
            Ok(Answer::new(tree.has_edge(pair.0, pair.1)?, truth.contains(&ordered(pair))))
        };
        Ok(Weighed::new(asked.map(answer).collect::<Result<Vec<Answer>>>()?, &tree))
    }

    fn bits(n: u64) -> (f64, f64) {
        let bits = 8.0 * size_of::<Self>() as f64 + packed(n as f64 * width(n));
        (bits, bits)
    }
}

impl Exact for IntervalGraph {
    const ID: &'static str = "c-interval-graph";
    const TITLE: &'static str = "Graph of intervals: exact answers, and bits per vertex";
    const REFERENCE: &'static str = "Kannan, Naor and Rudich 1992; Lopes 2017, section 3.1";
    const THEORY: &'static str = "Two numbers below 2n for each interval, 2·⌈log2 2n⌉ bits, however many meet. Random intervals, \
some of which touch at an end.";
    const COST: Cost = Cost { quick: 0.1, full: 0.3 };
    const UNIT: &'static str = "vertices";
    const SIZES: [&'static [u64]; 2] = EXACT;

    /// Ends are whole numbers, so that intervals touch.
    fn weigh(n: u64, rng: &mut Rng) -> Result<Weighed> {
        let mut interval = || {
            let (from, length) = (rng.below(2 * n) as f64, rng.below(20) as f64);
            (from, from + length)
        };
        let intervals: Vec<(f64, f64)> = (0..n).map(|_| interval()).collect();
        let graph = Self::freeze(&intervals)?;
        let meet = |one: u32, other: u32| {
            let ((from, to), (other_from, other_to)) = (intervals[one as usize], intervals[other as usize]);
            one != other && from <= other_to && other_from <= to
        };
        // Neighbours in the order of their beginnings meet often.
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by(|&one, &other| intervals[one as usize].0.total_cmp(&intervals[other as usize].0));
        let near = order.windows(2).map(|pair| (pair[0], pair[1]));
        let asked = pairs(n, rng).into_iter().chain(near);
        let answer =
            |(one, other): (u32, u32)| Ok(Answer::new(graph.has_edge(one, other)?, meet(one, other)));
        Ok(Weighed::new(asked.map(answer).collect::<Result<Vec<Answer>>>()?, &graph))
    }

    fn bits(n: u64) -> (f64, f64) {
        let bits = 8.0 * size_of::<Self>() as f64 + packed(2.0 * n as f64 * width(2 * n));
        (bits, bits)
    }
}
