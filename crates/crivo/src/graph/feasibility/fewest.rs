//! The sets with the fewest elements, by branch and bound over the sizes of regions.

use super::Fraction;
use super::demands::{Demands, values};
use crate::Result;
use crate::graph::numbered_vertices::Edge;
use alloc::vec;
use alloc::vec::Vec;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// The number of parts of the search, times the number of regions, before it gives up: a linear programme takes at least
/// this long in proportion.
const MOST_WORK: usize = 60_000;
/// How far the solver's values may lie from integers.
const NEAR: f64 = 1e-6;

/// The largest weight of a condition: times 2⁴⁰, a coefficient of 10⁴, 45 rows and 10⁵ elements it fits into 127 bits.
const LARGEST_WEIGHT: f64 = 1e9;

/// A part of the search: the least and the largest size of each region.
type Part = Vec<(u64, u64)>;

/// The answer to whether sets have at most a number of elements.
enum Answer {
    Yes(Vec<u64>),
    No,
    Unknown,
}

/// Returns sizes with the fewest elements that are found, and a number of elements below which no sets exist. Known sizes
/// are returned if the search finds no better ones.
pub(super) fn fewest(
    vertices: u32,
    edges: &[Edge],
    not_edge: Fraction,
    edge: Fraction,
    known: Vec<u64>,
) -> Result<(Vec<u64>, u64)> {
    let most: u64 = known.iter().sum();
    let mut work = MOST_WORK / known.len();
    // Each total that is refuted raises the bound.
    for total in 1..most {
        let Ok(largest) = u32::try_from(total) else { return Ok((known, total)) };
        let tight = Demands::new(vertices, edges, below(not_edge, largest), above(edge, largest))?;
        match tight.within(total, &mut work) {
            Answer::Yes(sizes) => return Ok((sizes, total)),
            Answer::No => {}
            Answer::Unknown => return Ok((known, total)),
        }
    }
    Ok((known, most))
}

/// Returns the largest fraction up to this one with a denominator up to `largest`.
///
/// The similarity of two sets is the size of their intersection over the size of their union. So it has a denominator up
/// to the number of all elements, and a condition may demand the next such fraction at once.
fn below((x, y): Fraction, largest: u32) -> Fraction {
    let at = |denominator: u32| (u64::from(x) * u64::from(denominator) / u64::from(y)) as u32;
    let is_larger =
        |(a, b): Fraction, (c, d): Fraction| u64::from(a) * u64::from(d) > u64::from(c) * u64::from(b);
    let others = (1..=largest.min(y)).map(|denominator| (at(denominator), denominator));
    others.fold((0, 1), |best, other| if is_larger(other, best) { other } else { best })
}

/// Returns the smallest fraction from this one on with a denominator up to `largest`.
fn above((x, y): Fraction, largest: u32) -> Fraction {
    let (rest, denominator) = below((y - x, y), largest);
    (denominator - rest, denominator)
}

impl Demands {
    /// Decides whether sets with at most `total` elements exist. Sizes are checked exactly, and so is the weighted sum
    /// of the conditions that excludes a part.
    fn within(&self, total: u64, work: &mut usize) -> Answer {
        let mut parts: Vec<Part> = vec![vec![(0, total); self.regions().len()]];
        while let Some(part) = parts.pop() {
            let Some(left) = work.checked_sub(1) else { return Answer::Unknown };
            *work = left;
            if self.excludes(&part, total) {
                continue;
            }
            let Some(sizes) = self.relaxed(&part) else { return Answer::Unknown };
            let from_half = |size: f64| (size - libm::floor(size) - 0.5).abs();
            let halved = (0..sizes.len())
                .min_by(|&one, &other| from_half(sizes[one]).total_cmp(&from_half(sizes[other])));
            let Some(region) = halved.filter(|&region| from_half(sizes[region]) < 0.5 - NEAR) else {
                let whole: Vec<u64> = sizes.iter().map(|&size| libm::round(size).max(0.0) as u64).collect();
                let is_found = self.are_sizes(&whole) && whole.iter().sum::<u64>() <= total;
                return if is_found { Answer::Yes(whole) } else { Answer::Unknown };
            };
            let below = libm::floor(sizes[region]) as u64;
            let (least, largest) = part[region];
            let mut lower = part.clone();
            lower[region] = (least, below);
            let mut upper = part;
            upper[region] = (below + 1, largest);
            parts.extend([lower, upper]);
        }
        Answer::No
    }

    /// Returns the sizes of a part with the smallest sum, as real numbers.
    fn relaxed(&self, part: &Part) -> Option<Vec<f64>> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let sizes: Vec<Variable> = part
            .iter()
            .map(|&(least, largest)| problem.add_var(1.0, (least as f64, largest as f64)))
            .collect();
        self.constrain(&mut problem, &sizes, None);
        values(&problem, &sizes)
    }

    /// Returns whether no sizes of a part have at most `total` elements, exactly.
    ///
    /// The weights come from the dual of the linear programme, which finds the best lower bound of the total.
    fn excludes(&self, part: &Part, total: u64) -> bool {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let positive = (0.0, f64::INFINITY);
        let of_rows: Vec<Variable> = self.rows.iter().map(|_| problem.add_var(0.0, positive)).collect();
        let of_sets: Vec<Variable> = (0..self.vertices()).map(|_| problem.add_var(1.0, positive)).collect();
        // The dual has no largest value if the part is empty; any value above the total will do.
        let mut bound: Vec<(Variable, f64)> = of_sets.iter().map(|&set| (set, 1.0)).collect();
        for (region, &(least, largest)) in self.regions().zip(part) {
            let mut terms: Vec<(Variable, f64)> = self
                .rows
                .iter()
                .zip(&of_rows)
                .map(|(row, &weight)| (weight, -(row.of_region(region) as f64)))
                .collect();
            terms.retain(|term| term.1 != 0.0);
            let inside = (0..).zip(&of_sets).filter(|(vertex, _)| region >> vertex & 1 == 1);
            terms.extend(inside.map(|(_, &set)| (set, 1.0)));
            if least > 0 {
                let weight = problem.add_var(least as f64, positive);
                bound.push((weight, least as f64));
                terms.push((weight, 1.0));
            }
            if largest < total {
                let weight = problem.add_var(-(largest as f64), positive);
                bound.push((weight, -(largest as f64)));
                terms.push((weight, -1.0));
            }
            problem.add_constraint(&terms[..], ComparisonOp::Le, 1.0);
        }
        problem.add_constraint(&bound[..], ComparisonOp::Le, total as f64 + 1.0);
        let Some(weights) = values(&problem, &[of_rows, of_sets].concat()) else { return false };
        if weights.iter().any(|&weight| weight > LARGEST_WEIGHT) {
            return false;
        }
        // Rounded to multiples of 2⁻⁴⁰ the weights change less than the solver errs.
        let scale = 1i64 << 40;
        let whole: Vec<i128> =
            weights.iter().map(|&weight| libm::round(weight.max(0.0) * scale as f64) as i128).collect();
        self.is_excluded(part, total, &whole, i128::from(scale))
    }

    /// Returns whether weights of the rows, of the sets and of the total exclude a part, exactly.
    ///
    /// With these weights the rows add up to at most 0, every set has at least one element, and all sizes add up to at
    /// most the total. So the weighted sum of the sizes, `each` of a region times its size, is at most `most`; if even
    /// the smallest such sum of the part is larger, the part has no sizes.
    fn is_excluded(&self, part: &Part, total: u64, weights: &[i128], of_total: i128) -> bool {
        let (of_rows, of_sets) = weights.split_at(self.rows.len());
        let most = of_total * i128::from(total) - of_sets.iter().sum::<i128>();
        let smallest: i128 = self
            .regions()
            .zip(part)
            .map(|(region, &(least, largest))| {
                let rows: i128 = self
                    .rows
                    .iter()
                    .zip(of_rows)
                    .map(|(row, weight)| i128::from(row.of_region(region)) * weight)
                    .sum();
                let inside = (0..).zip(of_sets).filter(|(vertex, _)| region >> vertex & 1 == 1);
                let each = rows + of_total - inside.map(|(_, set)| set).sum::<i128>();
                each * i128::from(if each > 0 { least } else { largest })
            })
            .sum();
        smallest > most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest elements by trying all sizes of regions, in exact arithmetic.
    fn by_trying(demands: &Demands, most: u64) -> Option<u64> {
        fn sizes_of(
            total: u64,
            regions: usize,
            so_far: &mut Vec<u64>,
            is_sound: &dyn Fn(&[u64]) -> bool,
        ) -> bool {
            if regions == 1 {
                so_far.push(total);
                let found = is_sound(so_far);
                so_far.pop();
                return found;
            }
            (0..=total).any(|size| {
                so_far.push(size);
                let found = sizes_of(total - size, regions - 1, so_far, is_sound);
                so_far.pop();
                found
            })
        }
        let regions = demands.regions().len();
        (1..=most).find(|&total| sizes_of(total, regions, &mut Vec::new(), &|sizes| demands.are_sizes(sizes)))
    }

    #[test]
    fn the_search_agrees_with_trying_all() {
        let graphs: [(u32, &[(u32, u32)]); 5] = [
            (2, &[]),
            (2, &[(0, 1)]),
            (3, &[(0, 1)]),
            (3, &[(0, 1), (1, 2)]),
            (3, &[(0, 1), (1, 2), (0, 2)]),
        ];
        let similarities = [
            ((0, 1), (1, 2)),
            ((0, 1), (1, 3)),
            ((1, 5), (1, 2)),
            ((1, 4), (3, 7)),
            ((2, 5), (3, 5)),
            ((1, 2), (2, 3)),
            ((3, 5), (3, 4)),
        ];
        let mut compared = 0;
        for (vertices, edges) in graphs {
            for (not_edge, edge) in similarities {
                let demands = Demands::new(vertices, edges, not_edge, edge).unwrap();
                let Some(known) = demands.sizes() else { continue };
                let (sizes, bound) = fewest(vertices, edges, not_edge, edge, known).unwrap();
                assert!(demands.are_sizes(&sizes));
                assert_eq!(sizes.iter().sum::<u64>(), bound, "{edges:?} {not_edge:?} {edge:?}");
                assert_eq!(by_trying(&demands, 9), Some(bound).filter(|&bound| bound <= 9));
                compared += 1;
            }
        }
        assert!(compared >= 25, "{compared}");
    }

    #[test]
    fn similarities_have_small_denominators() {
        assert_eq!((below((12, 29), 28), above((12, 29), 28)), ((7, 17), (5, 12)));
        assert_eq!((below((12, 29), 29), above((12, 29), 30)), ((12, 29), (12, 29)));
        assert_eq!((below((4, 10), 4), above((6, 10), 4)), ((1, 3), (2, 3)));
        assert_eq!((below((1, 3), 1), above((1, 3), 1)), ((0, 1), (1, 1)));
        assert_eq!((below((0, 1), 9), above((0, 1), 9)), ((0, 1), (0, 1)));
        assert_eq!((below((5, 5), 9), above((5, 5), 9)), ((1, 1), (1, 1)));
    }

    #[test]
    fn a_part_is_excluded_by_sound_weights_only() {
        // Two sets that have nothing in common, and so two elements.
        let demands = Demands::new(2, &[], (0, 1), (1, 2)).unwrap();
        let part = vec![(0, 1); 3];
        // The row weighs 1 and each set 1: elements of one set add 0, and an element of both adds 0 too.
        assert!(demands.is_excluded(&part, 1, &[1, 1, 1], 1));
        assert!(!demands.is_excluded(&part, 2, &[1, 1, 1], 1));
        assert!(!demands.is_excluded(&part, 1, &[0, 1, 1], 1));
        assert!(!demands.is_excluded(&vec![(0, 2); 3], 1, &[0, 0, 0], 1));
        // A part in which one region has two elements has no total of one.
        assert!(demands.is_excluded(&vec![(2, 2), (0, 1), (0, 1)], 1, &[0, 0, 0], 1));
    }
}
