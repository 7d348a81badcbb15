//! What the graph that filters tell of says about the graph that they were given, which is a part of it.

use crate::stats::{binomial_band, normal_quantile};
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use alloc::vec;
use alloc::vec::Vec;
use libm::{pow, sqrt};

const APPROXIMATE: Guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };

/// A graph with spurious edges, each by a chance of its own.
pub(super) trait Joined {
    /// Whether the vertex may be joined to each of the others, all known by their hashes.
    fn joined(&self, vertex: u64, others: &[u64]) -> Vec<bool>;

    /// The chance that the vertex is reported to be joined to each of the others, where it is not.
    fn pair_fprs(&self, vertex: u64, others: &[u64]) -> Vec<f64>;
}

/// How many of `vertices`, all different, are joined to both `one` and `other`.
///
/// All that are reported for both hold all that are. Those reported by error are about binomial, with the mean that
/// follows from the answers: a pair that is joined counts as 1, and one that is not as 0 on average, when a yes is taken
/// for 1 and a no for −p/(1 − p).
pub(super) fn common_neighbours(graph: &impl Joined, one: u64, other: u64, vertices: &[u64]) -> Estimate {
    let (mut both, mut spurious, mut is_blind) = (0.0, 0.0, false);
    let answers = |end| graph.joined(end, vertices).into_iter().zip(graph.pair_fprs(end, vertices));
    for ((&vertex, (to_one, p)), (to_other, q)) in vertices.iter().zip(answers(one)).zip(answers(other)) {
        if vertex == one || vertex == other {
            continue;
        }
        both += f64::from(u8::from(to_one && to_other));
        // A full filter says yes to all.
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

/// How many triangles there are among `vertices`, all different, where the chance p of a spurious edge is the product of a
/// `root` for either end.
///
/// With 1 for a pair that is reported and −q = −p/(1 − p) for one that is not, the product over the three pairs of a triple
/// is 1 for a triangle and 0 on average for others. Its sum over all triples needs those with three, two, one and no
/// reported edges. The variance is that of spurious edges that close c paths of true edges at once, q·c² each, and of two or
/// three spurious edges in one triple.
pub(super) fn triangles(graph: &impl Joined, vertices: &[u64], roots: &[f64]) -> Estimate {
    let neighbours = reported_graph(graph, vertices);
    let trust = Trust::new(&neighbours, roots);
    let squares: Vec<f64> = roots.iter().map(|root| root * root).collect();
    let all_squares: f64 = squares.iter().sum();
    let near: Vec<f64> =
        neighbours.iter().map(|of| of.iter().map(|&v| squares[v as usize]).sum::<f64>()).collect();
    let (mut corners, mut open, mut single, mut variance) = (0u64, 0.0, 0.0, 0.0);
    let mut paths = vec![Paths::default(); vertices.len()];
    for (u, of_u) in neighbours.iter().enumerate() {
        let above = |&&w: &&u32| w as usize > u;
        for &v in of_u {
            let v = v as usize;
            for &w in neighbours[v].iter().filter(above) {
                let is_true = trust.of_edge(u, v) * trust.of_edge(v, w as usize);
                paths[w as usize].add(is_true, squares[v]);
            }
        }
        for &w in of_u.iter().filter(above) {
            let w = w as usize;
            let closed = core::mem::take(&mut paths[w]);
            corners += u64::from(closed.count);
            single += roots[u] * roots[w] * (all_squares - near[u] - near[w] + closed.squares).max(0.0);
        }
        for &v in of_u {
            for &w in neighbours[v as usize].iter().filter(above) {
                let through = core::mem::take(&mut paths[w as usize]);
                let p = (roots[u] * roots[w as usize]).min(0.999);
                open += f64::from(through.count) * p / (1.0 - p);
                // Of the pairs that are not joined a share of 1 − p is found here.
                variance += through.true_square() * p / ((1.0 - p) * (1.0 - p));
            }
        }
    }
    let reported = corners as f64 / 3.0;
    // Two full filters, or one of all edges, say yes whatever is asked.
    if roots.iter().filter(|&&root| root >= 1.0).count() > 1 {
        return Estimate::new(0.0, 0.0, reported, APPROXIMATE);
    }
    let single = single * pow(1.0 - trust.fpr, -2.0);
    let none = sum_of_triples(&squares) * pow((1.0 - trust.density) / (1.0 - trust.fpr), 3.0);
    let value = (reported - open + single - none).clamp(0.0, reported);
    let deviation = sqrt(variance + single * trust.share + none);
    let margin = normal_quantile(0.5 + DEFAULT_CONFIDENCE / 2.0) * deviation;
    Estimate::new(value, (value - margin).max(0.0), (value + margin).min(reported), APPROXIMATE)
}

/// The paths of two reported edges between two vertices.
#[derive(Clone, Copy, Default)]
struct Paths {
    count: u32,
    /// How many are of true edges, on average, and the sum of the squares of their chances.
    is_true: f64,
    chances: f64,
    /// The sum of the squared roots of the vertices in the middle.
    squares: f64,
}

impl Paths {
    fn add(&mut self, is_true: f64, square: f64) {
        self.count += 1;
        self.is_true += is_true;
        self.chances += is_true * is_true;
        self.squares += square;
    }

    /// The mean of the square of how many are true.
    fn true_square(&self) -> f64 {
        self.is_true * self.is_true + self.is_true - self.chances
    }
}

/// How far the reported edges can be trusted.
struct Trust<'a> {
    roots: &'a [f64],
    /// About the true degree of each vertex.
    degrees: Vec<f64>,
    all_degrees: f64,
    /// The share of reported edges that are true.
    share: f64,
    /// The mean chance of a spurious edge, and the share of all pairs that are reported.
    fpr: f64,
    density: f64,
}

impl<'a> Trust<'a> {
    fn new(neighbours: &[Vec<u32>], roots: &'a [f64]) -> Self {
        let vertices = roots.len() as f64;
        let all: f64 = roots.iter().sum();
        let degree = |(of, root): (&Vec<u32>, &f64)| (of.len() as f64 - root * (all - root)).max(0.1);
        let degrees: Vec<f64> = neighbours.iter().zip(roots).map(degree).collect();
        let all_degrees = degrees.iter().sum::<f64>().max(1.0);
        let reported = neighbours.iter().map(Vec::len).sum::<usize>() as f64;
        let pairs = (vertices * (vertices - 1.0)).max(1.0);
        let spurious = all * all - roots.iter().map(|root| root * root).sum::<f64>();
        let share = ((reported - spurious) / reported.max(1.0)).clamp(0.0, 1.0);
        let (fpr, density) = ((spurious / pairs).min(0.999), reported / pairs);
        Self { roots, degrees, all_degrees, share, fpr, density }
    }

    /// The chance that a reported edge is true, where vertices are joined in proportion to their degrees.
    fn of_edge(&self, u: usize, v: usize) -> f64 {
        let joined = (self.degrees[u] * self.degrees[v] / self.all_degrees).min(1.0);
        joined / (joined + self.roots[u] * self.roots[v] * (1.0 - joined)).max(f64::MIN_POSITIVE)
    }
}

/// The neighbours of each vertex, by place.
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

/// The sum of xyz over all triples of different terms, by Newton's identities.
fn sum_of_triples(terms: &[f64]) -> f64 {
    let power = |exponent: i32| terms.iter().map(|&x| pow(x, f64::from(exponent))).sum::<f64>();
    let (first, second, third) = (power(1), power(2), power(3));
    (first * first * first - 3.0 * first * second + 2.0 * third) / 6.0
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
    fn triples_are_summed() {
        assert!((sum_of_triples(&[1.0, 2.0, 3.0, 4.0]) - 50.0).abs() < 1e-12);
        assert_eq!(sum_of_triples(&[1.0, 2.0]), 0.0);
    }
}
