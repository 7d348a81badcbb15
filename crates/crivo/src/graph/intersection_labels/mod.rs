//! Labels for any graph by the similarity of sets: see [`IntersectionLabels`].

use super::Direction;
use super::edge::edge_hash;
use super::labels::{LabelParams, LabelScheme, Labels, LabelsSize, Signature, elements, label_methods};
use super::numbered_vertices::{Edge, check_edge, check_no_loop};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of common elements: more would take long without separating the similarities.
const MAX_COMMON: u64 = 1 << 24;
/// The owner of the elements that all sets have; no vertex has this number.
const ALL: u64 = u64::MAX;

/// The sizes of the sets behind [`IntersectionLabels`]: elements that are common to all sets, and elements of each
/// vertex, some of which are replaced by its edges.
///
/// ```
/// use crivo::graph::IntersectionSets;
/// // Lopes 2017, figure 35: δ = 1/2 and a greatest degree of 3.
/// let sets = IntersectionSets::new((1, 2), 3)?;
/// assert_eq!((sets.common(), sets.own()), (6, 3));
/// assert_eq!((sets.not_edge(), sets.edge()), (1.0 / 2.0, 7.0 / 11.0));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntersectionSets {
    common: u32,
    own: u32,
}

impl IntersectionSets {
    /// Returns the smallest sets of a graph with this greatest degree in which non-adjacent vertices have a Jaccard
    /// similarity of exactly δ = x/y.
    ///
    /// With a common elements and b own ones, a/(a+2b) is x/y if a is 2x/(y−x)·b. So b is the least number that is not
    /// smaller than the greatest degree and makes a an integer: each multiple of y−x does.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless x < y, and the sets have at most 2²⁴ common elements.
    pub fn new((x, y): (u32, u32), greatest_degree: u32) -> Result<Self> {
        if x >= y {
            return Err(Error::invalid(format!(
                "the similarity of non-adjacent vertices must be a fraction below 1, got {x}/{y}; 0/1 has the smallest \
                 labels"
            )));
        }
        let (twice, rest) = (2 * u64::from(x), u64::from(y - x));
        let step = rest / greatest_common_divisor(twice, rest);
        let own = u64::from(greatest_degree.max(1)).next_multiple_of(step);
        let common = twice * (own / step) / (rest / step);
        match (u32::try_from(common), u32::try_from(own)) {
            (Ok(common), Ok(own)) if u64::from(common) <= MAX_COMMON => Ok(Self { common, own }),
            _ => Err(Error::invalid(format!(
                "sets of {common} common and {own} own elements are too large, the limits are {MAX_COMMON} and {}; take a smaller or simpler \
                 fraction than {x}/{y}",
                u32::MAX
            ))),
        }
    }

    /// Returns the sizes for a graph given by its edges.
    ///
    /// # Errors
    /// Fails as [`new`](Self::new) does, and returns `InvalidArgument` if an edge has an unknown end or is a loop.
    pub fn for_graph(vertices: u32, edges: &[Edge], delta: (u32, u32)) -> Result<Self> {
        let degrees = incidences(vertices, edges)?;
        let greatest = degrees.chunk_by(|one, other| one.0 == other.0).map(<[Edge]>::len).max().unwrap_or(0);
        Self::new(delta, greatest as u32)
    }

    /// Returns the smallest labels with at most these rates of false positives and false negatives.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless both lie strictly between 0 and 1 and labels of 65,536 slots or fewer reach
    /// them.
    pub fn params_for(&self, scheme: LabelScheme, fpr: f64, fnr: f64) -> Result<LabelParams> {
        let (not_edge, edge) = self.similarities(scheme);
        LabelParams::for_rates(scheme, (not_edge, fpr), (edge, fnr))
    }

    /// Returns the number of elements that all sets have.
    pub fn common(&self) -> u32 {
        self.common
    }

    /// Returns the number of other elements of a set: those of its vertex, and its edges.
    pub fn own(&self) -> u32 {
        self.own
    }

    /// Returns Jaccard's similarity of non-adjacent vertices: a/(a+2b).
    pub fn not_edge(&self) -> f64 {
        self.similarities(LabelScheme::MinHash).0
    }

    /// Returns Jaccard's similarity of adjacent vertices: (a+1)/(a+2b−1), since the edge is one element of both.
    pub fn edge(&self) -> f64 {
        self.similarities(LabelScheme::MinHash).1
    }

    fn similarities(self, scheme: LabelScheme) -> (f64, f64) {
        let (a, b) = (f64::from(self.common), f64::from(self.own));
        match scheme {
            LabelScheme::MinHash => (a / (a + 2.0 * b), (a + 1.0) / (a + 2.0 * b - 1.0)),
            LabelScheme::SimHash => (a / (a + b), (a + 1.0) / (a + b)),
        }
    }
}

pub(super) fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

/// Adjacency labels for any graph, by the similarity of sets that share an element for each edge.
///
/// # Use when / not when
/// Use it to study the cost of adjacency labels, and for graphs of a small greatest degree whose labels are distributed
/// separately. Not to save memory: a label grows with the greatest degree Δ, and an
/// [`AdjacencyList`](super::AdjacencyList) takes ⌈log₂ n⌉ bits per entry and is exact. Trees have labels of constant
/// size: [`TreeLabels`](super::TreeLabels).
///
/// # Guarantee
/// Non-adjacent vertices have the similarity δ exactly, adjacent ones (a+1)/(a+2b−1). So [`fpr`](Self::fpr) and
/// [`fnr`](Self::fnr) are exact, over the choice of the hash.
///
/// # Space
/// Bits per vertex at 1 % of false positives and false negatives, by the greatest degree:
///
/// | δ | Δ = 3 | Δ = 10 | Δ = 30 | Δ = 100 |
/// |---|---|---|---|---|
/// | 0 | 240 | 1,376 | 4,320 | 21,040 |
/// | 1/3 | 646 | 8,943 | 85,766 | refused |
/// | 1/2 | 790 | 10,702 | 112,960 | refused |
///
/// With δ = 0, slots of non-adjacent vertices agree by collision only, and labels grow about as Δ; otherwise as Δ².
///
/// # Time
/// An edge compares two labels, 64 bits at a time. Neighbours and degrees compare with all vertices. Freezing takes a
/// step for each slot and own element.
///
/// # Merge
/// Not supported: freeze the edges of both.
///
/// # Hostile input
/// An attacker who knows the seed and the numbers of vertices can find graphs with more errors. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::HashSpec;
/// use crivo::graph::{IntersectionLabels, IntersectionSets, LabelScheme};
/// let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let sets = IntersectionSets::for_graph(4, &square, (0, 1))?;
/// let params = sets.params_for(LabelScheme::MinHash, 0.001, 0.001)?;
/// let graph = IntersectionLabels::freeze(4, &square, sets, params, HashSpec::default())?;
/// assert!(graph.has_edge(3, 0)? && !graph.has_edge(0, 2)?);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///               common         own                  δ = 1/2, Δ = 2: b = 2 and a = 4
/// 0       c1 c2 c3 c4      01  0a
/// 1       c1 c2 c3 c4      01  12            0–1: 5 of 7 in common
/// 2       c1 c2 c3 c4      2a  12            0 and 2: 4 of 8
/// ```
///
/// # References
/// Lopes 2017, section 3.4.1, where the size of the union of adjacent vertices is one too large. New here: δ = 0 with
/// few bits per slot, sizes from targets.
///
/// # Measured
/// `crivo-lab run c-intersection-labels`, `e-g6`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct IntersectionLabels {
    labels: Labels,
    sets: IntersectionSets,
}

impl IntersectionLabels {
    /// Builds the labels of the graph with these edges.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end or is a loop, if a vertex has more edges than `sets`
    /// have room for, or if all labels take more than 2⁴⁰ bits.
    pub fn freeze(
        vertices: u32,
        edges: &[Edge],
        sets: IntersectionSets,
        params: LabelParams,
        spec: HashSpec,
    ) -> Result<Self> {
        let mut labels = Labels::new(vertices, params, spec)?;
        let mut common = Signature::new(&params);
        common.insert(&common_elements(sets, &spec));
        for_each_own(vertices, edges, sets, &spec, |vertex, own| {
            let mut signature = common.clone();
            signature.insert(own);
            labels.set(vertex, &signature);
        })?;
        Ok(Self { labels, sets })
    }

    #[inline]
    fn is_joined(&self, one: u32, other: u32) -> bool {
        one != other && self.labels.agree(one, other)
    }

    /// Returns the sizes of the sets.
    pub fn sets(&self) -> IntersectionSets {
        self.sets
    }

    /// Returns the false-positive rate: the share of non-adjacent pairs that are reported as edges.
    pub fn fpr(&self) -> f64 {
        self.params().fpr(self.sets.similarities(self.params().scheme()).0)
    }

    /// Returns the false-negative rate: the share of edges that are missed.
    pub fn fnr(&self) -> f64 {
        self.params().fnr(self.sets.similarities(self.params().scheme()).1)
    }

    /// Returns the bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.params().bits_per_vertex()
    }
}

/// Returns the sets behind [`IntersectionLabels`], as hashes of their elements.
///
/// # Errors
/// Fails as [`IntersectionLabels::freeze`] does.
pub fn intersection_sets(
    vertices: u32,
    edges: &[Edge],
    sets: IntersectionSets,
    spec: HashSpec,
) -> Result<Vec<Vec<u64>>> {
    let common = common_elements(sets, &spec);
    let mut all = vec![common; vertices as usize];
    for_each_own(vertices, edges, sets, &spec, |vertex, own| all[vertex as usize].extend_from_slice(own))?;
    Ok(all)
}

fn common_elements(sets: IntersectionSets, spec: &HashSpec) -> Vec<u64> {
    elements(spec.hash(&ALL), 0..sets.common.into()).collect()
}

/// Returns each edge once from each of its ends, sorted by that end.
fn incidences(vertices: u32, edges: &[Edge]) -> Result<Vec<Edge>> {
    let mut both = Vec::with_capacity(2 * edges.len());
    for &(one, other) in edges {
        check_edge((one, other), vertices)?;
        check_no_loop((one, other))?;
        both.extend([(one, other), (other, one)]);
    }
    both.sort_unstable();
    both.dedup();
    Ok(both)
}

/// Passes the elements of each vertex other than the common ones: its edges, and its own elements as far as there is
/// room.
fn for_each_own(
    vertices: u32,
    edges: &[Edge],
    sets: IntersectionSets,
    spec: &HashSpec,
    mut show: impl FnMut(u32, &[u64]),
) -> Result<()> {
    let incidences = incidences(vertices, edges)?;
    let mut rest = &incidences[..];
    let mut own = Vec::new();
    for vertex in 0..vertices {
        let degree = rest.iter().take_while(|edge| edge.0 == vertex).count();
        let (of_it, others) = rest.split_at(degree);
        rest = others;
        let room = sets.own.checked_sub(degree as u32).ok_or_else(|| {
            Error::invalid(format!(
                "vertex {vertex} has {degree} edges, but the sets have room for {}; plan them for the greatest degree",
                sets.own
            ))
        })?;
        let owner = spec.hash(&vertex);
        own.clear();
        own.extend(of_it.iter().map(|(_, other)| edge_hash(owner, spec.hash(other), Direction::Undirected)));
        own.extend(elements(owner, 0..room.into()));
        show(vertex, &own);
    }
    Ok(())
}

label_methods!(IntersectionLabels);

impl OfSize for IntersectionLabels {
    type Params = IntersectionSize;

    fn params(&self) -> IntersectionSize {
        IntersectionSize { labels: self.labels.size(), sets: self.sets }
    }
}

impl Core for IntersectionLabels {
    const KIND: Kind = Kind::IntersectionLabels;

    fn heap_bytes(&self) -> usize {
        self.labels.heap_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.labels.write(payload);
    }

    fn read(size: IntersectionSize, file: &mut Payload<'_>) -> Result<Self> {
        Ok(Self { labels: Labels::read(size.labels, file)?, sets: size.sets })
    }

    fn state(&self) -> Vec<Fact> {
        let mut facts = self.rates();
        facts.push(Fact::count("common", self.sets.common.into()));
        facts.push(Fact::count("own", self.sets.own.into()));
        facts
    }
}

#[derive(Clone)]
pub(crate) struct IntersectionSize {
    labels: LabelsSize,
    sets: IntersectionSets,
}

impl Params for IntersectionSize {
    const NAMES: &[&str] = &["vertices", "scheme", "slots", "bits", "threshold", "common", "own"];

    fn numbers(&self) -> Vec<u64> {
        let mut numbers = self.labels.numbers();
        numbers.extend([u64::from(self.sets.common), u64::from(self.sets.own)]);
        numbers
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let sets = IntersectionSets { common: narrow(numbers[5])?, own: narrow(numbers[6])? };
        if u64::from(sets.common) > MAX_COMMON || sets.own == 0 {
            let IntersectionSets { common, own } = sets;
            return Err(Error::malformed(format!(
                "the file is corrupt: {common} common and {own} own elements"
            )));
        }
        Ok(Self { labels: LabelsSize::of(numbers)?, sets })
    }

    fn memory_bytes(&self) -> u64 {
        self.labels.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        self.labels.facts()
    }
}

#[cfg(test)]
mod tests;
