//! The conditions on the sets as linear inequalities, and proofs of either answer from a solver.

use super::{Fraction, check_fraction};
use crate::graph::numbered_vertices::{Edge, check_edge, check_no_loop};
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// The largest number of vertices; there are a thousand regions then.
const MAX_VERTICES: u32 = 10;
/// The largest common denominator of solutions.
const MAX_SCALE: u32 = 20_000;

/// The condition on a pair: `one` times the number of elements in exactly one of the two sets, plus `both` times the
/// number in both, is at most 0.
pub(super) struct Row {
    pub(super) pair: Edge,
    one: i64,
    both: i64,
}

impl Row {
    pub(super) fn of_region(&self, region: u32) -> i64 {
        match (region >> self.pair.0 & 1) + (region >> self.pair.1 & 1) {
            0 => 0,
            1 => self.one,
            _ => self.both,
        }
    }
}

/// All conditions on the sets: a row for each pair, and no set is empty.
pub(super) struct Demands {
    vertices: u32,
    pub(super) rows: Vec<Row>,
}

impl Demands {
    pub(super) fn new(vertices: u32, edges: &[Edge], not_edge: Fraction, edge: Fraction) -> Result<Self> {
        if !(1..=MAX_VERTICES).contains(&vertices) {
            return Err(Error::invalid(format!(
                "the graph must have 1 to {MAX_VERTICES} vertices, got {vertices}; each subset of the vertices needs a variable"
            )));
        }
        check_fraction(not_edge)?;
        check_fraction(edge)?;
        for &pair in edges {
            check_edge(pair, vertices)?;
            check_no_loop(pair)?;
        }
        let is_edge = |one: u32, other: u32| edges.contains(&(one, other)) || edges.contains(&(other, one));
        let pairs = (0..vertices).flat_map(|other| (0..other).map(move |one| (one, other)));
        let row = |pair: Edge| {
            // J ≤ x/y is y·common − x·union ≤ 0, and J ≥ x/y the opposite.
            let ((x, y), sign) = if is_edge(pair.0, pair.1) { (edge, -1) } else { (not_edge, 1) };
            let (x, y) = (i64::from(x), i64::from(y));
            Row { pair, one: sign * -x, both: sign * (y - x) }
        };
        Ok(Self { vertices, rows: pairs.map(row).collect() })
    }

    pub(super) fn regions(&self) -> core::ops::Range<u32> {
        1..1 << self.vertices
    }

    pub(super) fn vertices(&self) -> u32 {
        self.vertices
    }

    /// Returns sizes of regions that satisfy all conditions, if some are found: with as few elements as possible,
    /// otherwise with some slack, if there is.
    pub(super) fn sizes(&self) -> Option<Vec<u64>> {
        let fewest = self.solve_sizes(None)?;
        let is_sound = |sizes: &[u64]| self.are_sizes(sizes);
        whole_multiple(&fewest, is_sound).or_else(|| {
            let total: f64 = fewest.iter().sum();
            rounded_multiple(&self.solve_sizes(Some(total))?, is_sound)
        })
    }

    /// Returns the smallest sizes as real numbers, or, given a total, those of at most four times as many elements with
    /// the most slack.
    fn solve_sizes(&self, total: Option<f64>) -> Option<Vec<f64>> {
        let direction =
            if total.is_some() { OptimizationDirection::Maximize } else { OptimizationDirection::Minimize };
        let mut problem = Problem::new(direction);
        let each = if total.is_some() { 0.0 } else { 1.0 };
        let sizes: Vec<Variable> =
            self.regions().map(|_| problem.add_var(each, (0.0, f64::INFINITY))).collect();
        let room = total.map(|_| problem.add_var(1.0, (0.0, f64::INFINITY)));
        self.constrain(&mut problem, &sizes, room);
        if let Some(total) = total {
            let terms: Vec<(Variable, f64)> = sizes.iter().map(|&size| (size, 1.0)).collect();
            problem.add_constraint(&terms[..], ComparisonOp::Le, 4.0 * total);
        }
        values(&problem, &sizes)
    }

    /// Adds the conditions on the sizes of regions to a linear programme, the pairs with this slack.
    pub(super) fn constrain(&self, problem: &mut Problem, sizes: &[Variable], room: Option<Variable>) {
        for row in &self.rows {
            let mut terms: Vec<(Variable, f64)> = self
                .regions()
                .zip(sizes)
                .map(|(region, &size)| (size, row.of_region(region) as f64))
                .collect();
            terms.retain(|term| term.1 != 0.0);
            terms.extend(room.map(|room| (room, 1.0)));
            problem.add_constraint(&terms[..], ComparisonOp::Le, 0.0);
        }
        for vertex in 0..self.vertices {
            let in_set = self.regions().zip(sizes).filter(|(region, _)| region >> vertex & 1 == 1);
            let terms: Vec<(Variable, f64)> = in_set.map(|(_, &size)| (size, 1.0)).collect();
            problem.add_constraint(&terms[..], ComparisonOp::Ge, 1.0);
        }
    }

    /// Returns whether the sets with these sizes of regions satisfy all conditions, exactly.
    pub(super) fn are_sizes(&self, sizes: &[u64]) -> bool {
        let obeys = |row: &Row| {
            let sum: i128 = self
                .regions()
                .zip(sizes)
                .map(|(region, &size)| i128::from(row.of_region(region)) * i128::from(size))
                .sum();
            sum <= 0
        };
        let has_elements = |vertex: u32| {
            self.regions().zip(sizes).any(|(region, &size)| region >> vertex & 1 == 1 && size > 0)
        };
        self.rows.iter().all(obeys) && (0..self.vertices).all(has_elements)
    }

    /// Returns weights of rows and of sets that prove infeasibility (Farkas), if some are found.
    pub(super) fn refutation(&self) -> Option<(Vec<u64>, Vec<u64>)> {
        let is_sound = |weights: &[u64]| self.refutes(weights);
        let least = self.solve_weights(None)?;
        let weights = whole_multiple(&least, is_sound).or_else(|| {
            let total: f64 = least.iter().sum();
            rounded_multiple(&self.solve_weights(Some(total))?, is_sound)
        })?;
        let (of_rows, of_sets) = weights.split_at(self.rows.len());
        Some((of_rows.to_vec(), of_sets.to_vec()))
    }

    /// Returns weights of rows, then of sets: the smallest, or those with the most slack.
    fn solve_weights(&self, total: Option<f64>) -> Option<Vec<f64>> {
        let direction =
            if total.is_some() { OptimizationDirection::Maximize } else { OptimizationDirection::Minimize };
        let mut problem = Problem::new(direction);
        let each = if total.is_some() { 0.0 } else { 1.0 };
        let of_rows: Vec<Variable> =
            self.rows.iter().map(|_| problem.add_var(each, (0.0, f64::INFINITY))).collect();
        let of_sets: Vec<Variable> =
            (0..self.vertices).map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
        let room = total.map(|_| problem.add_var(1.0, (0.0, f64::INFINITY)));
        for region in self.regions() {
            let mut terms: Vec<(Variable, f64)> = self
                .rows
                .iter()
                .zip(&of_rows)
                .map(|(row, &weight)| (weight, row.of_region(region) as f64))
                .collect();
            terms.retain(|term| term.1 != 0.0);
            terms.extend(
                (0..)
                    .zip(&of_sets)
                    .filter(|(vertex, _)| region >> vertex & 1 == 1)
                    .map(|(_, &set)| (set, -1.0)),
            );
            terms.extend(room.map(|room| (room, -1.0)));
            problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
        }
        let sum: Vec<(Variable, f64)> = of_sets.iter().map(|&set| (set, 1.0)).collect();
        problem.add_constraint(&sum[..], ComparisonOp::Eq, 1.0);
        if let Some(total) = total {
            let terms: Vec<(Variable, f64)> = of_rows.iter().map(|&weight| (weight, 1.0)).collect();
            problem.add_constraint(&terms[..], ComparisonOp::Le, 4.0 * total);
        }
        values(&problem, &[of_rows, of_sets].concat())
    }

    /// Returns whether these weights of rows and sets prove infeasibility, exactly: in every region the rows add up to
    /// at least the weights of its sets, and some set has a weight. All rows together are at most 0, so this set would
    /// be empty.
    pub(super) fn refutes(&self, weights: &[u64]) -> bool {
        let (of_rows, of_sets) = weights.split_at(self.rows.len());
        let holds = |region: u32| {
            let rows: i128 = self
                .rows
                .iter()
                .zip(of_rows)
                .map(|(row, &weight)| i128::from(row.of_region(region)) * i128::from(weight))
                .sum();
            let sets: i128 = (0..)
                .zip(of_sets)
                .filter(|(vertex, _)| region >> vertex & 1 == 1)
                .map(|(_, &set)| i128::from(set))
                .sum();
            rows >= sets
        };
        self.regions().all(holds) && of_sets.iter().any(|&set| set > 0)
    }
}

/// Returns the solver's values of the variables; `None` if it finds none.
pub(super) fn values(problem: &Problem, variables: &[Variable]) -> Option<Vec<f64>> {
    let solution = problem.solve().ok()?.into_solution().ok()?;
    Some(variables.iter().map(|&variable| solution.var_value(variable)).collect())
}

/// Returns the least multiple of the values that is close to integers that are sound.
fn whole_multiple(values: &[f64], is_sound: impl Fn(&[u64]) -> bool) -> Option<Vec<u64>> {
    (1..=MAX_SCALE).find_map(|scale| {
        let scaled = || values.iter().map(|value| value * f64::from(scale));
        let is_near = scaled().all(|value| (value - libm::round(value)).abs() < 1e-3);
        let whole = || scaled().map(|value| libm::round(value).max(0.0) as u64).collect::<Vec<u64>>();
        is_near.then(whole).filter(|whole| is_sound(whole))
    })
}

/// Returns a multiple of the values so large that rounding does no harm, if they leave slack.
fn rounded_multiple(values: &[f64], is_sound: impl Fn(&[u64]) -> bool) -> Option<Vec<u64>> {
    (1..=9).find_map(|power| {
        let scale = libm::pow(10.0, f64::from(power));
        let whole =
            values.iter().map(|value| libm::round(value * scale).max(0.0) as u64).collect::<Vec<u64>>();
        is_sound(&whole).then_some(whole)
    })
}
