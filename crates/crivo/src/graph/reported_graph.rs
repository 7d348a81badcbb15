//! Estimates about the true graph from the graph that filters report, which contains it.

use super::pair_odds::PairOdds;
use crate::stats::{binomial_band, normal_quantile};
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use alloc::vec;
use alloc::vec::Vec;
use libm::sqrt;

const APPROXIMATE: Guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };

/// A graph with spurious edges, each with its own probability.
pub(super) trait Joined {
    /// Returns whether the vertex may be adjacent to each of the others, all given by their hashes.
    fn joined(&self, vertex: u64, others: &[u64]) -> Vec<bool>;

    /// Returns the false-positive rate of the pair of the vertex with each of the others.
    fn pair_fprs(&self, vertex: u64, others: &[u64]) -> Vec<f64>;
}

/// Estimates how many of the distinct `vertices` are neighbours of both `one` and `other`.
///
/// The vertices reported for both include all true ones. The number of falsely reported ones is about binomial, with a
/// mean that follows from the answers: if a reported pair counts as 1 and any other as −p/(1 − p), then an edge counts
/// as 1, and any other pair as 0 on average.
pub(super) fn common_neighbours(graph: &impl Joined, one: u64, other: u64, vertices: &[u64]) -> Estimate {
    let (mut both, mut spurious, mut is_blind) = (0.0, 0.0, false);
    let answers = |end| graph.joined(end, vertices).into_iter().zip(graph.pair_fprs(end, vertices));
    for ((&vertex, (to_one, p)), (to_other, q)) in vertices.iter().zip(answers(one)).zip(answers(other)) {
        if vertex == one || vertex == other {
            continue;
        }
        both += f64::from(u8::from(to_one && to_other));
        // A full filter reports every pair.
        is_blind |= p >= 1.0 || q >= 1.0;
        let truth = |is_joined: bool, p: f64| if is_joined { 1.0 } else { -p / (1.0 - p) };
        let (a, b) = (truth(to_one, p), truth(to_other, q));
        spurious += a * (1.0 - b) * q + (1.0 - a) * b * p + (1.0 - a) * (1.0 - b) * p * q;
    }
    if is_blind {
        return Estimate::new(0.0, 0.0, both, APPROXIMATE);
    }
    let spurious = spurious.clamp(0.0, both);
    let trials = vertices.len().max(1) as u64;
    let (fewest, most) = binomial_band(trials, spurious / trials as f64, 1.0 - DEFAULT_CONFIDENCE);
    Estimate::new(both - spurious, (both - most).max(0.0), (both - fewest).max(0.0), APPROXIMATE)
}

/// Estimates the number of triangles among the distinct `vertices`, if the probability p of a spurious edge is the
/// product of a `root` for each end.
///
/// If a reported pair counts as 1 and any other as −q = −p/(1 − p), the product over the three pairs of a triple is 1
/// for a triangle and 0 on average for others. A pair counts as (1 + q)·reported − q, so the sum over all triples is a
/// sum over the reported triangles, the reported paths of two edges, the reported edges and all triples. The variance
/// is that of spurious edges that close c paths of true edges at once, q·c² each, and of two or three spurious edges in
/// one triple.
pub(super) fn triangles(graph: &impl Joined, vertices: &[u64], roots: &[f64]) -> Estimate {
    let neighbours = reported_graph(graph, vertices);
    let Some(odds) = PairOdds::new(roots) else {
        return Estimate::new(0.0, 0.0, closed_triples(&neighbours), APPROXIMATE);
    };
    let trust = Trust::new(&neighbours, roots);
    let (mut reported, mut triangles, mut paths, mut edges, mut variance) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let mut between = vec![Paths::default(); vertices.len()];
    for (u, of_u) in neighbours.iter().enumerate() {
        let above = |&&w: &&u32| w as usize > u;
        for &v in of_u {
            let v = v as usize;
            let to_v = 1.0 + odds.of(u, v);
            for &w in neighbours[v].iter().filter(above) {
                let w = w as usize;
                let is_true = trust.of_edge(u, v) * trust.of_edge(v, w);
                between[w].add(is_true, to_v * (1.0 + odds.of(v, w)));
            }
        }
        let row = odds.row(u);
        for &w in of_u.iter().filter(above) {
            let w = w as usize;
            let (closed, q) = (core::mem::take(&mut between[w]), odds.of(u, w));
            reported += f64::from(closed.count);
            triangles += (1.0 + q) * closed.weight;
            paths += q * closed.weight;
            let through = odds.through(&row, w);
            edges += (1.0 + q) * through;
            variance += trust.of_edge(u, w) * through;
        }
        for &v in of_u {
            for &w in neighbours[v as usize].iter().filter(above) {
                let w = w as usize;
                let (open, q) = (core::mem::take(&mut between[w]), odds.of(u, w));
                paths += q * open.weight;
                // A share of 1 − p of the pairs that are not edges is found here.
                variance += open.true_square() * q * (1.0 + q);
            }
        }
    }
    // Each triangle was found from all three edges.
    let (reported, triangles) = (reported / 3.0, triangles / 3.0);
    let triples = odds.of_triples();
    let value = (triangles - paths + edges - triples).clamp(0.0, reported);
    let margin = normal_quantile(0.5 + DEFAULT_CONFIDENCE / 2.0) * sqrt(variance + triples);
    Estimate::new(value, (value - margin).max(0.0), (value + margin).min(reported), APPROXIMATE)
}

/// Counts the reported triangles.
fn closed_triples(neighbours: &[Vec<u32>]) -> f64 {
    let mut is_near = vec![false; neighbours.len()];
    let mut corners = 0u64;
    for of_u in neighbours {
        for &v in of_u {
            is_near[v as usize] = true;
        }
        for &v in of_u {
            corners += neighbours[v as usize].iter().filter(|&&w| is_near[w as usize]).count() as u64;
        }
        for &v in of_u {
            is_near[v as usize] = false;
        }
    }
    corners as f64 / 6.0
}

/// The paths of two reported edges between two vertices.
#[derive(Clone, Copy, Default)]
struct Paths {
    count: u32,
    /// The mean number of paths of true edges, and the sum of the squares of their probabilities.
    is_true: f64,
    chances: f64,
    /// The sum of the products of 1 + q over their two edges.
    weight: f64,
}

impl Paths {
    fn add(&mut self, is_true: f64, weight: f64) {
        self.count += 1;
        self.is_true += is_true;
        self.chances += is_true * is_true;
        self.weight += weight;
    }

    /// Returns the mean square of the number of true paths.
    fn true_square(&self) -> f64 {
        self.is_true * self.is_true + self.is_true - self.chances
    }
}

/// The probabilities that reported edges are true.
struct Trust<'a> {
    roots: &'a [f64],
    /// The estimated true degree of each vertex.
    degrees: Vec<f64>,
    all_degrees: f64,
}

impl<'a> Trust<'a> {
    fn new(neighbours: &[Vec<u32>], roots: &'a [f64]) -> Self {
        let all: f64 = roots.iter().sum();
        let degree = |(of, root): (&Vec<u32>, &f64)| (of.len() as f64 - root * (all - root)).max(0.1);
        let degrees: Vec<f64> = neighbours.iter().zip(roots).map(degree).collect();
        let all_degrees = degrees.iter().sum::<f64>().max(1.0);
        Self { roots, degrees, all_degrees }
    }

    /// Returns the probability that a reported edge is true, if edges are distributed in proportion to the degrees of
    /// their ends.
    fn of_edge(&self, u: usize, v: usize) -> f64 {
        let joined = (self.degrees[u] * self.degrees[v] / self.all_degrees).min(1.0);
        joined / (joined + self.roots[u] * self.roots[v] * (1.0 - joined)).max(f64::MIN_POSITIVE)
    }
}

/// Returns the neighbours of each vertex, by place.
fn reported_graph(graph: &impl Joined, vertices: &[u64]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); vertices.len()];
    for (u, &vertex) in vertices.iter().enumerate() {
        for (step, is_joined) in graph.joined(vertex, &vertices[u + 1..]).into_iter().enumerate() {
            if is_joined {
                let v = u + 1 + step;
                neighbours[u].push(v as u32);
                neighbours[v].push(u as u32);
            }
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph without spurious edges.
    struct Known(Vec<(u64, u64)>);

    impl Joined for Known {
        fn joined(&self, vertex: u64, others: &[u64]) -> Vec<bool> {
            let has = |&other: &u64| self.0.contains(&(vertex, other)) || self.0.contains(&(other, vertex));
            others.iter().map(has).collect()
        }

        fn pair_fprs(&self, _: u64, others: &[u64]) -> Vec<f64> {
            vec![0.0; others.len()]
        }
    }

    #[test]
    fn without_spurious_edges_all_is_exact() {
        // Two triangles with an edge in common, and a tail.
        let graph = Known(vec![(1, 2), (2, 3), (3, 1), (2, 4), (4, 3), (4, 5)]);
        let vertices = [1, 2, 3, 4, 5];
        let two = triangles(&graph, &vertices, &[0.0; 5]);
        assert_eq!((two.value(), two.lower(), two.upper()), (2.0, 2.0, 2.0));
        for (u, v, expected) in [(2, 3, 2.0), (1, 4, 2.0), (1, 5, 0.0), (3, 5, 1.0)] {
            let common = common_neighbours(&graph, u, v, &vertices);
            assert_eq!((common.value(), common.lower(), common.upper()), (expected, expected, expected));
        }
    }

    #[test]
    fn full_filters_give_trivial_bounds() {
        let graph = Known(vec![(1, 2), (2, 3), (3, 1), (2, 4), (4, 3), (4, 5)]);
        let two = triangles(&graph, &[1, 2, 3, 4, 5], &[0.99; 5]);
        assert_eq!((two.lower(), two.upper()), (0.0, 2.0));
    }
}
