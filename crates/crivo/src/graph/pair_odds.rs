//! Sums of the ratios p/(1 − p) of spurious edges over all pairs, without enumerating the pairs.
//!
//! The probability that a pair is reported although it is not an edge is p = `r_u·r_v`, so its ratio p/(1 − p) is the
//! sum of the powers `(r_u·r_v)ʲ`. A sum of products of ratios is therefore a sum of products of the power sums `Σ r_vᵐ`.

use alloc::vec;
use alloc::vec::Vec;
use libm::{ceil, log, pow};

/// Above this probability of a spurious edge, the ratio carries no information.
const HIGHEST: f64 = 0.9;
/// The largest truncation error of a ratio.
const LEFT_OUT: f64 = 1e-10;

/// The ratios of all pairs of vertices.
pub(super) struct PairOdds<'a> {
    roots: &'a [f64],
    /// The number of powers in the ratio of a pair.
    terms: usize,
    /// `Σ r_vᵐ` for every m up to twice as many, from m = 0.
    power_sums: Vec<f64>,
}

impl<'a> PairOdds<'a> {
    /// Returns `None` if a pair is too likely to be spurious.
    pub(super) fn new(roots: &'a [f64]) -> Option<Self> {
        let (mut first, mut second) = (0.0, 0.0);
        for &root in roots {
            if root > first {
                (first, second) = (root, first);
            } else if root > second {
                second = root;
            }
        }
        let highest: f64 = first * second;
        if highest > HIGHEST {
            return None;
        }
        // The truncation error of the highest ratio is less than the first omitted power, over 1 − p.
        let terms = match highest {
            0.0 => 1,
            p => ceil(log(LEFT_OUT * (1.0 - p)) / log(p)).max(1.0) as usize,
        };
        let mut power_sums = vec![0.0; 2 * terms + 1];
        for root in roots {
            let mut power = 1.0;
            for sum in &mut power_sums {
                *sum += power;
                power *= root;
            }
        }
        Some(Self { roots, terms, power_sums })
    }

    /// Returns p/(1 − p) for a pair.
    pub(super) fn of(&self, u: usize, v: usize) -> f64 {
        let p = self.roots[u] * self.roots[v];
        p / (1.0 - p)
    }

    /// Returns the terms of one vertex that [`through`](Self::through) needs.
    pub(super) fn row(&self, u: usize) -> Row {
        let root = self.roots[u];
        let term = |i: usize| -> f64 {
            let (mut power, mut sum) = (1.0, 0.0);
            for j in 1..=self.terms {
                power *= root;
                sum += self.power_sums[i + j] * power;
            }
            sum
        };
        Row { vertex: u, terms: (1..=self.terms).map(term).collect() }
    }

    /// Returns the sum over all other vertices v of the ratio of (u, v) times that of (v, w), for the vertex u of the
    /// row.
    pub(super) fn through(&self, row: &Row, w: usize) -> f64 {
        let (u, root) = (row.vertex, self.roots[w]);
        let (mut power, mut sum) = (1.0, 0.0);
        for term in &row.terms {
            power *= root;
            sum += term * power;
        }
        let ends = self.summed(self.roots[u] * self.roots[u]) + self.summed(root * root);
        (sum - ends * self.summed(self.roots[u] * root)).max(0.0)
    }

    /// Returns the sum over all triples of the product of their three ratios.
    pub(super) fn of_triples(&self) -> f64 {
        let (sums, terms) = (&self.power_sums, self.terms);
        let mut ordered = 0.0;
        for i in 1..=terms {
            for j in 1..=terms {
                let twice: f64 = (1..=terms).map(|k| sums[i + k] * sums[k + j]).sum();
                ordered += sums[i + j] * twice;
            }
        }
        // Subtracts the triples in which a vertex occurs twice or three times.
        let (mut twice, mut thrice) = (0.0, 0.0);
        for &root in self.roots {
            let own = self.summed(root * root);
            let mut power = root;
            let mut squares = 0.0;
            for (m, sum) in sums.iter().enumerate().take(2 * terms + 1).skip(2) {
                power *= root;
                squares += (m - 1).min(2 * terms + 1 - m) as f64 * power * sum;
            }
            twice += own * squares;
            thrice += own * own * own;
        }
        ((ordered - 3.0 * twice + 2.0 * thrice) / 6.0).max(0.0)
    }

    /// Returns the ratio of a probability, as a sum of this many powers, also where the probability is 1.
    fn summed(&self, p: f64) -> f64 {
        let terms = self.terms as f64;
        if p < 1.0 { p * (1.0 - pow(p, terms)) / (1.0 - p) } else { terms }
    }
}

/// The terms of one vertex.
pub(super) struct Row {
    vertex: usize,
    terms: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_pairs_and_triples() {
        for roots in [&[0.5, 0.1, 0.9, 0.0, 0.9, 0.3][..], &[0.2, 1.0, 0.7, 0.4], &[0.0; 4], &[0.3], &[]] {
            let odds = PairOdds::new(roots).unwrap();
            let of = |u: usize, v: usize| roots[u] * roots[v] / (1.0 - roots[u] * roots[v]);
            let all = 0..roots.len();
            let mut triples = 0.0;
            for u in all.clone() {
                let row = odds.row(u);
                for w in all.clone().filter(|&w| w != u) {
                    let others = all.clone().filter(|&v| v != u && v != w);
                    let through: f64 = others.map(|v| of(u, v) * of(v, w)).sum();
                    triples += through * of(u, w) / 6.0;
                    let found = odds.through(&row, w);
                    assert!((found - through).abs() < 1e-6 * (1.0 + through), "{found} for {through}");
                    assert!((odds.of(u, w) - of(u, w)).abs() < 1e-12);
                }
            }
            let found = odds.of_triples();
            assert!((found - triples).abs() < 1e-6 * (1.0 + triples), "{found} for {triples}");
        }
        assert!(PairOdds::new(&[0.97, 0.2, 0.97]).is_none() && PairOdds::new(&[1.0, 1.0]).is_none());
    }
}
