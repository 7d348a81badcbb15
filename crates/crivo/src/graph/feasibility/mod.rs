//! Which similarities can represent a graph: see [`feasibility()`].

mod demands;
mod fewest;

use super::intersection_labels::greatest_common_divisor;
use super::numbered_vertices::Edge;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use demands::Demands;

/// A fraction of integers, such as (1, 3) for a third.
pub type Fraction = (u32, u32);

/// The largest denominator: the solver cannot distinguish fractions that are closer together.
const MAX_DENOMINATOR: u32 = 10_000;
/// The largest side of a complete bipartite graph: the fractions of larger ones do not fit.
const MAX_SIDE: u32 = 100_000;

/// The result of [`feasibility()`], with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Such sets exist: these.
    Feasible(SetSizes),
    /// No such sets exist, as these weights show.
    Infeasible(Refutation),
}

/// The sets of all vertices, given by the sizes of their regions: the number of elements that are in exactly these
/// sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetSizes {
    vertices: u32,
    /// The non-empty regions; a region has one bit for each vertex.
    regions: Vec<(u32, u64)>,
}

impl SetSizes {
    fn new(vertices: u32, sizes: &[u64]) -> Self {
        let regions = (1..).zip(sizes).filter(|(_, size)| **size > 0).map(|(region, &size)| (region, size));
        Self { vertices, regions: regions.collect() }
    }

    /// Returns the non-empty regions, with one bit for each vertex, and their numbers of elements.
    pub fn regions(&self) -> &[(u32, u64)] {
        &self.regions
    }

    /// Returns the number of elements of a region.
    fn size(&self, region: u32) -> u64 {
        self.regions.iter().find(|(other, _)| *other == region).map_or(0, |(_, size)| *size)
    }

    /// Returns the number of elements.
    pub fn total(&self) -> u64 {
        self.regions.iter().map(|region| region.1).sum()
    }

    /// Returns the sizes of the intersection and of the union of two sets. Unknown vertices have empty sets.
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

    /// Returns the sets themselves, as sets of the numbers from 1 on.
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

/// A proof that no such sets exist: weights of the conditions on all pairs. With these weights, an element of any
/// region adds at least the weights of its sets, so all conditions together cannot hold unless the sets with a weight
/// are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    pairs: Vec<(Edge, u64)>,
    vertices: Vec<u64>,
}

impl Refutation {
    /// Returns the weight of the condition on each pair.
    pub fn pairs(&self) -> &[(Edge, u64)] {
        &self.pairs
    }

    /// Returns the weight of each set.
    pub fn vertices(&self) -> &[u64] {
        &self.vertices
    }
}

/// Decides whether there are non-empty sets for the vertices of a graph of at most ten vertices such that Jaccard's
/// similarity is at most `not_edge` for all pairs that are not edges, and at least `edge` for all edges.
///
/// Only the sizes of the 2ⁿ−1 regions matter, because J ≥ x/y is a linear inequality in them. Either answer comes with
/// a proof in integers that is checked exactly: the solver works in floating point and is not trusted.
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
/// Returns `InvalidArgument` if there are no vertices or more than ten, if an edge has an unknown end or is a loop, or
/// if a fraction is above 1 or has a denominator beyond 10,000. Returns `Unsupported` if no proof of either answer is
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
        "no proof was found for or against {not_edge:?} and {edge:?}; take simpler fractions"
    )))
}

/// Sets with few elements, and a bound for all such sets: see [`fewest_elements`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FewestElements {
    sets: SetSizes,
    at_least: u64,
}

impl FewestElements {
    /// Returns the sets.
    pub fn sets(&self) -> &SetSizes {
        &self.sets
    }

    /// Returns a number of elements below which no sets exist.
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Returns whether it is proven that no sets have fewer elements.
    pub fn is_proven(&self) -> bool {
        self.sets.total() == self.at_least
    }
}

/// Reduces sets that [`feasibility()`], [`largest_edge`] or [`widest_gap`] found to the fewest elements.
///
/// Lopes 2017, section 3.4.3, states the search as an integer programme that minimises the number of distinct elements.
/// This function tries the totals 1, 2, 3, … in turn. For each it searches by branch and bound over the sizes of the
/// regions. The sets are checked exactly, and so is each proof that a part of the search contains no sets: weights of
/// the conditions from the dual linear programme, rounded to integers. A search that takes too long ends; then the sets
/// may have more elements than necessary, and [`FewestElements::at_least`] is the bound that was reached.
///
/// ```
/// use crivo::graph::{Verdict, feasibility, fewest_elements};
/// let path = [(0, 1), (1, 2)];
/// let Verdict::Feasible(found) = feasibility(3, &path, (4, 10), (6, 10))? else { panic!("it is feasible") };
/// let fewest = fewest_elements(3, &path, (4, 10), (6, 10), &found)?;
/// assert!(fewest.is_proven() && fewest.sets().total() == 3);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Fails as [`feasibility()`] does, and returns `InvalidArgument` if the sets do not satisfy the conditions.
pub fn fewest_elements(
    vertices: u32,
    edges: &[Edge],
    not_edge: Fraction,
    edge: Fraction,
    found: &SetSizes,
) -> Result<FewestElements> {
    let demands = Demands::new(vertices, edges, not_edge, edge)?;
    let known: Vec<u64> = demands.regions().map(|region| found.size(region)).collect();
    if found.vertices != vertices || !demands.are_sizes(&known) {
        return Err(Error::invalid(format!(
            "the sets must represent the graph at {not_edge:?} and {edge:?}, and they do not; pass those that feasibility found"
        )));
    }
    let (sizes, at_least) = fewest::fewest(vertices, edges, not_edge, edge, known)?;
    Ok(FewestElements { sets: SetSizes::new(vertices, &sizes), at_least })
}

/// Returns the largest `edge` that [`feasibility()`] finds feasible with this `not_edge`, among the fractions with
/// denominators up to `largest_denominator`, and its sets.
///
/// ```
/// use crivo::graph::largest_edge;
/// // A square: pairs that are not edges have a third in common, and edges three fifths.
/// let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let (edge, _) = largest_edge(4, &square, (1, 3), 20)?;
/// assert_eq!(edge, (3, 5));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Fails as [`feasibility()`] does, and returns `InvalidArgument` unless the denominator is 1 to 200.
pub fn largest_edge(
    vertices: u32,
    edges: &[Edge],
    not_edge: Fraction,
    largest_denominator: u32,
) -> Result<(Fraction, SetSizes)> {
    let shares = shares(largest_denominator)?;
    let search = Search { vertices, edges };
    // At 0 there is no condition on edges.
    let none = search.reaches(not_edge, shares[0])?.ok_or_else(|| unreached(not_edge))?;
    let (place, sizes) = search.largest(not_edge, &shares, 0, none)?;
    Ok((shares[place], sizes))
}

/// Returns the widest gap: the fractions `not_edge` and `edge` with denominators up to `largest_denominator` that lie
/// farthest apart among those that [`feasibility()`] finds feasible, and their sets.
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
/// The denominators are at most 30, and at most 20 for K₄,₄. The limits of paths are irrational: 12/29 is close to √2 −
/// 1, and 8/21 to (3 − √5)/2. The cycles and the complete bipartite graphs have the gap 1/(2Δ−1) that
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
/// Fails as [`largest_edge`] does.
pub fn widest_gap(
    vertices: u32,
    edges: &[Edge],
    largest_denominator: u32,
) -> Result<(Fraction, Fraction, SetSizes)> {
    let shares = shares(largest_denominator)?;
    let search = Search { vertices, edges };
    let mut widest: Option<(Fraction, Fraction, SetSizes)> = None;
    for &not_edge in &shares {
        // The first fraction that would give a wider gap.
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

/// Returns the largest `edge` that is feasible for the complete bipartite graph Kₙ,ₙ with this `not_edge`, exactly:
/// with a = `not_edge` and n = `side`, it is (1 + (2n−1)a) / (a + 2n−1).
///
/// Proof: an element that is in i sets of one side and j of the other satisfies i·j ≤ (i² + j²)/2. Summed over all
/// elements: the pairs with an element in common on both sides together are at least as many as between the sides,
/// minus half of all elements of sets. If J is at most a on the sides and at least b between them, then b/(1+b) ≤ (1 +
/// 2(n−1)·a/(1+a)) / 2n, which is this b. Elements that are in one set of each side, and some in all sets, attain it.
///
/// As n grows, the limit approaches a. So for any two similarities a < b there is a bipartite graph that they cannot
/// represent: Kₙ,ₙ with 2n − 1 > (1 − ab)/(b − a), and every graph that contains it as an induced subgraph. This
/// answers a question that Lopes 2017 leaves open (section 3.4.3).
///
/// ```
/// use crivo::graph::{complete_bipartite_edge, largest_edge};
/// assert_eq!(complete_bipartite_edge(3, (1, 3))?, (1, 2)); // as tight as in Lopes 2017, section 3.4.3
/// assert_eq!(complete_bipartite_edge(4, (1, 3))?, (5, 11)); // below 1/2
/// let square = [(0, 2), (0, 3), (1, 2), (1, 3)];
/// assert_eq!(complete_bipartite_edge(2, (1, 3))?, largest_edge(4, &square, (1, 3), 20)?.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` unless the side has 1 to 100,000 vertices and the fraction is as in [`feasibility()`].
pub fn complete_bipartite_edge(side: u32, not_edge: Fraction) -> Result<Fraction> {
    check_fraction(not_edge)?;
    if !(1..=MAX_SIDE).contains(&side) {
        return Err(Error::invalid(format!("a side must have 1 to {MAX_SIDE} vertices, got {side}")));
    }
    let (x, y, most) = (u64::from(not_edge.0), u64::from(not_edge.1), 2 * u64::from(side) - 1);
    let (above, below) = (y + most * x, x + most * y);
    let common = greatest_common_divisor(above, below);
    // At most 2·10⁵·10⁴.
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
        "no sets were found with {not_edge:?} for pairs that are not edges; take a simpler fraction"
    ))
}

/// Returns all fractions from 0 to 1 with denominators up to this, in order.
fn shares(largest_denominator: u32) -> Result<Vec<Fraction>> {
    if !(1..=200).contains(&largest_denominator) {
        return Err(Error::invalid(format!(
            "the largest denominator must be 1 to 200, got {largest_denominator}; 20 is usual"
        )));
    }
    // In a Farey sequence two neighbours determine the next fraction.
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

/// A search for feasible fractions.
struct Search<'a> {
    vertices: u32,
    edges: &'a [Edge],
}

impl Search<'_> {
    fn reaches(&self, not_edge: Fraction, edge: Fraction) -> Result<Option<SetSizes>> {
        let demands = Demands::new(self.vertices, self.edges, not_edge, edge)?;
        Ok(demands.sizes().map(|sizes| SetSizes::new(self.vertices, &sizes)))
    }

    /// Finds the largest feasible share of edges by bisection: if one is feasible, so are all smaller ones.
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
