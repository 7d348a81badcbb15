//! Which similarities can tell a graph: see [`feasibility()`].

mod demands;

use super::intersection_labels::greatest_common_divisor;
use super::numbered_vertices::Edge;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use demands::Demands;

/// A share of whole numbers, such as (1, 3) for a third.
pub type Fraction = (u32, u32);

/// The largest denominator: what is nearer together the solver does not tell apart.
const MAX_DENOMINATOR: u32 = 10_000;
/// The most vertices of a side of a complete bipartite graph: more would not fit the fractions.
const MAX_SIDE: u32 = 100_000;

/// What [`feasibility()`] found, with what proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There are such sets: these.
    Feasible(SetSizes),
    /// There are none, as these weights show.
    Infeasible(Refutation),
}

/// Sets of vertices by the sizes of their regions: how many elements are in just these sets and in no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetSizes {
    vertices: u32,
    /// By region, a bit for each vertex; those that are not empty.
    regions: Vec<(u32, u64)>,
}

impl SetSizes {
    fn new(vertices: u32, sizes: &[u64]) -> Self {
        let regions = (1..).zip(sizes).filter(|(_, size)| **size > 0).map(|(region, &size)| (region, size));
        Self { vertices, regions: regions.collect() }
    }

    /// The regions that are not empty, a bit for each vertex, and how many elements they have.
    pub fn regions(&self) -> &[(u32, u64)] {
        &self.regions
    }

    /// How many elements there are.
    pub fn total(&self) -> u64 {
        self.regions.iter().map(|region| region.1).sum()
    }

    /// The elements of two sets that both have, and those that either has. Vertices that do not exist have none.
    pub fn similarity(&self, one: u32, other: u32) -> (u64, u64) {
        let bit = |vertex: u32| 1u32.checked_shl(vertex).unwrap_or(0);
        let (one, other) = (bit(one), bit(other));
        let size = |is_in: &dyn Fn(u32) -> bool| {
            self.regions.iter().filter(|region| is_in(region.0)).map(|region| region.1).sum()
        };
        (
            size(&|region| region & one != 0 && region & other != 0),
            size(&|region| region & (one | other) != 0),
        )
    }

    /// The sets themselves, of the numbers from 1 on.
    pub fn sets(&self) -> Vec<Vec<u64>> {
        let mut sets = vec![Vec::new(); self.vertices as usize];
        let mut next = 1;
        for &(region, size) in &self.regions {
            for (vertex, set) in sets.iter_mut().enumerate() {
                if region >> vertex & 1 == 1 {
                    set.extend(next..next + size);
                }
            }
            next += size;
        }
        sets
    }
}

/// Why there are no such sets: weights of the demands on all pairs. By them, an element of any region adds at least as
/// much as it has sets of weight, so that all demands together cannot hold unless the sets with a weight are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    pairs: Vec<(Edge, u64)>,
    vertices: Vec<u64>,
}

impl Refutation {
    /// The weight of the demand on each pair.
    pub fn pairs(&self) -> &[(Edge, u64)] {
        &self.pairs
    }

    /// The weight of each set.
    pub fn vertices(&self) -> &[u64] {
        &self.vertices
    }
}

/// Whether there are sets for the vertices of a graph of ten vertices or fewer, none of them empty, such that Jaccard's
/// similarity is `not_edge` at most for all pairs that are not joined, and `edge` at least for those that are.
///
/// Only the sizes of the 2ⁿ−1 regions matter, as whether J reaches a fraction is a linear inequality in them. Either
/// answer comes with a proof in whole numbers that was checked exactly: the solver works in floating point, and is not
/// believed.
///
/// ```
/// use crivo::graph::{Verdict, feasibility};
/// // A path of three vertices, for which {1,3}, {1,2,3} and {2,3} would do.
/// let verdict = feasibility(3, &[(0, 1), (1, 2)], (4, 10), (6, 10))?;
/// let Verdict::Feasible(sizes) = verdict else { panic!("{verdict:?}") };
/// let (common, all) = sizes.similarity(0, 1);
/// assert!(10 * common >= 6 * all);
/// let (common, all) = sizes.similarity(0, 2);
/// assert!(10 * common <= 4 * all);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `InvalidArgument` when there are no vertices or more than ten, an edge has an unknown end or joins a vertex to
/// itself, or a fraction is above 1 or has a denominator beyond 10,000. `Unsupported` when no proof of either was
/// found.
pub fn feasibility(vertices: u32, edges: &[Edge], not_edge: Fraction, edge: Fraction) -> Result<Verdict> {
    let demands = Demands::new(vertices, edges, not_edge, edge)?;
    if let Some(sizes) = demands.sizes() {
        return Ok(Verdict::Feasible(SetSizes::new(vertices, &sizes)));
    }
    if let Some((of_pairs, of_vertices)) = demands.refutation() {
        let pairs = demands.rows.iter().map(|row| row.pair).zip(of_pairs).filter(|pair| pair.1 > 0).collect();
        return Ok(Verdict::Infeasible(Refutation { pairs, vertices: of_vertices }));
    }
    Err(Error::unsupported(format!(
        "no proof was found whether {not_edge:?} and {edge:?} can be reached; take simpler fractions"
    )))
}

/// The largest `edge` that [`feasibility()`] finds feasible with this `not_edge`, among the fractions with denominators
/// up to `largest_denominator`, and its sets.
///
/// ```
/// use crivo::graph::largest_edge;
/// // A square: what is not joined has a third in common, and what is joined three fifths.
/// let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let (edge, _) = largest_edge(4, &square, (1, 3), 20)?;
/// assert_eq!(edge, (3, 5));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`feasibility()`], and `InvalidArgument` unless the denominator is 1 to 200.
pub fn largest_edge(
    vertices: u32,
    edges: &[Edge],
    not_edge: Fraction,
    largest_denominator: u32,
) -> Result<(Fraction, SetSizes)> {
    let shares = shares(largest_denominator)?;
    let search = Search { vertices, edges };
    // Nothing is asked of edges at 0.
    let none = search.reaches(not_edge, shares[0])?.ok_or_else(|| unreached(not_edge))?;
    let (place, sizes) = search.largest(not_edge, &shares, 0, none)?;
    Ok((shares[place], sizes))
}

/// The widest gap: the fractions `not_edge` and `edge` with denominators up to `largest_denominator` that lie farthest
/// apart among those that [`feasibility()`] finds feasible, and their sets.
///
/// | graph | not an edge | edge | gap |
/// |---|---|---|---|
/// | path of 3 vertices | 0 | 1/2 | 0.5 |
/// | path of 4 | 0 | 12/29 | 0.414 |
/// | path of 5 | 0 | 8/21 | 0.381 |
/// | star of 4 | 0 | 1/3 | 0.333 |
/// | star of 5 | 1/5 | 1/2 | 0.3 |
/// | star of 6 | 3/11 | 6/11 | 0.273 |
/// | cycle of 4, which is K₂,₂, of 5 and of 6 | 0 | 1/3 | 0.333 |
/// | K₃,₃ | 0 | 1/5 | 0.2 |
/// | K₄,₄ | 0 | 1/7 | 0.143 |
///
/// These are with denominators up to 30, of K₄,₄ up to 20. The limits of paths are no fractions: 12/29 is next to √2 − 1, and
/// 8/21 to (3 − √5)/2. The cycles and the complete bipartite graphs have the gap 1/(2Δ−1) that
/// [`IntersectionSets`](super::IntersectionSets) with δ = 0 have for any graph, and no wider one.
///
/// ```
/// use crivo::graph::widest_gap;
/// let path = [(0, 1), (1, 2), (2, 3)];
/// let (not_edge, edge, _) = widest_gap(4, &path, 12)?;
/// assert_eq!((not_edge, edge), ((0, 1), (2, 5))); // below √2 − 1
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`largest_edge`].
pub fn widest_gap(
    vertices: u32,
    edges: &[Edge],
    largest_denominator: u32,
) -> Result<(Fraction, Fraction, SetSizes)> {
    let shares = shares(largest_denominator)?;
    let search = Search { vertices, edges };
    let mut widest: Option<(Fraction, Fraction, SetSizes)> = None;
    for &not_edge in &shares {
        // The first that would be wider.
        let is_wider = |&edge: &Fraction| {
            widest.as_ref().is_none_or(|widest| gap(not_edge, edge) > gap(widest.0, widest.1) + 1e-12)
        };
        let Some(place) = shares.iter().position(is_wider) else { break };
        if let Some(sizes) = search.reaches(not_edge, shares[place])? {
            let (place, sizes) = search.largest(not_edge, &shares, place, sizes)?;
            widest = Some((not_edge, shares[place], sizes));
        }
    }
    widest.ok_or_else(|| unreached((0, 1)))
}

/// The largest `edge` that is feasible for the complete bipartite graph Kₙ,ₙ with this `not_edge`, exactly: with a = `not_edge`
/// and n = `side`, it is (1 + (2n−1)a) / (a + 2n−1).
///
/// Of an element that is in i sets of one side and j of the other, i·j ≤ (i² + j²)/2. Added up over all elements that says: the
/// pairs with an element in common are, on both sides together, at least as many as between the sides, less half of all elements
/// of sets. If J is a at most on the sides and b at least between them, then b/(1+b) ≤ (1 + 2(n−1)·a/(1+a)) / 2n, which is this
/// b. Elements that are in one set of each side, and some in all sets, reach it.
///
/// As n grows, it comes down to a. So for any two similarities a < b there is a bipartite graph that they cannot tell: Kₙ,ₙ with
/// 2n − 1 > (1 − ab)/(b − a), and every graph that has it inside. That answers the question which LOPES 3.4.3 leaves open.
///
/// ```
/// use crivo::graph::{complete_bipartite_edge, largest_edge};
/// assert_eq!(complete_bipartite_edge(3, (1, 3))?, (1, 2)); // as tight as LOPES 3.4.3 has it
/// assert_eq!(complete_bipartite_edge(4, (1, 3))?, (5, 11)); // below 1/2
/// let square = [(0, 2), (0, 3), (1, 2), (1, 3)];
/// assert_eq!(complete_bipartite_edge(2, (1, 3))?, largest_edge(4, &square, (1, 3), 20)?.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `InvalidArgument` unless the side has 1 to 100,000 vertices and the fraction is as in [`feasibility()`].
pub fn complete_bipartite_edge(side: u32, not_edge: Fraction) -> Result<Fraction> {
    check_fraction(not_edge)?;
    if !(1..=MAX_SIDE).contains(&side) {
        return Err(Error::invalid(format!("a side must have 1 to {MAX_SIDE} vertices, got {side}")));
    }
    let (x, y, most) = (u64::from(not_edge.0), u64::from(not_edge.1), 2 * u64::from(side) - 1);
    let (above, below) = (y + most * x, x + most * y);
    let common = greatest_common_divisor(above, below);
    // 2·10⁵·10⁴ at most.
    Ok(((above / common) as u32, (below / common) as u32))
}

fn gap(not_edge: Fraction, edge: Fraction) -> f64 {
    share_of(edge) - share_of(not_edge)
}

fn check_fraction((x, y): Fraction) -> Result<()> {
    if x > y || !(1..=MAX_DENOMINATOR).contains(&y) {
        return Err(Error::invalid(format!(
            "a similarity must be a fraction from 0 to 1 with a denominator of 1 to {MAX_DENOMINATOR}, got {x}/{y}"
        )));
    }
    Ok(())
}

fn share_of(fraction: Fraction) -> f64 {
    f64::from(fraction.0) / f64::from(fraction.1)
}

fn unreached(not_edge: Fraction) -> Error {
    Error::unsupported(format!(
        "no sets were found with {not_edge:?} for pairs that are no edges; take a simpler fraction"
    ))
}

/// All fractions from 0 to 1 with denominators up to this, in order.
fn shares(largest_denominator: u32) -> Result<Vec<Fraction>> {
    if !(1..=200).contains(&largest_denominator) {
        return Err(Error::invalid(format!(
            "the largest denominator must be 1 to 200, got {largest_denominator}; 20 is usual"
        )));
    }
    // Farey: the neighbours of a fraction tell the next.
    let mut shares = vec![(0, 1), (1, largest_denominator)];
    while let [.., (a, b), (c, d)] = shares[..] {
        if c == d {
            break;
        }
        let times = (largest_denominator + b) / d;
        shares.push((times * c - a, times * d - b));
    }
    Ok(shares)
}

/// A search for what is still feasible.
struct Search<'a> {
    vertices: u32,
    edges: &'a [Edge],
}

impl Search<'_> {
    fn reaches(&self, not_edge: Fraction, edge: Fraction) -> Result<Option<SetSizes>> {
        let demands = Demands::new(self.vertices, self.edges, not_edge, edge)?;
        Ok(demands.sizes().map(|sizes| SetSizes::new(self.vertices, &sizes)))
    }

    /// By bisection: what is feasible for a larger share of edges is so for a smaller.
    fn largest(
        &self,
        not_edge: Fraction,
        shares: &[Fraction],
        from: usize,
        sizes: SetSizes,
    ) -> Result<(usize, SetSizes)> {
        let (mut reached, mut sizes, mut beyond) = (from, sizes, shares.len());
        while beyond - reached > 1 {
            let middle = usize::midpoint(reached, beyond);
            match self.reaches(not_edge, shares[middle])? {
                Some(found) => (reached, sizes) = (middle, found),
                None => beyond = middle,
            }
        }
        Ok((reached, sizes))
    }
}

#[cfg(test)]
mod tests;
