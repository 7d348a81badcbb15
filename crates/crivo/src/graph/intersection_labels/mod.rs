//! Any graph by the likeness of sets: see [`IntersectionLabels`].

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

/// The most common elements: more would take long, and tell nothing apart.
const MAX_COMMON: u64 = 1 << 24;
/// Owns the elements that all sets have; no vertex has this number.
const ALL: u64 = u64::MAX;

/// How many elements the sets behind [`IntersectionLabels`] have: some common to all, and some of each vertex's own, of
/// which every edge takes one's place.
///
/// ```
/// use crivo::graph::IntersectionSets;
/// // LOPES, figure 35: δ = 1/2 and a greatest degree of 3.
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
    /// The smallest sets of a graph with this greatest degree, in which vertices that are not joined have Jaccard's
    /// similarity δ = x/y exactly.
    ///
    /// Of a elements in common and b of one's own, a/(a+2b) is x/y if a is 2x/(y−x)·b. So b is the least number that is
    /// no smaller than the greatest degree and makes a whole: each multiple of y−x does.
    ///
    /// # Errors
    /// `InvalidArgument` unless x < y, and the sets have 2²⁴ common elements at most.
    pub fn new((x, y): (u32, u32), greatest_degree: u32) -> Result<Self> {
        if x >= y {
            return Err(Error::invalid(format!(
                "the similarity of vertices that are not joined must be a fraction below 1, got {x}/{y}; 0/1 has the smallest \
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
                "sets of {common} common and {own} own elements are too large, {MAX_COMMON} and {} at most; take a smaller or simpler \
                 fraction than {x}/{y}",
                u32::MAX
            ))),
        }
    }

    /// The same for a graph by its edges.
    ///
    /// # Errors
    /// As [`new`](Self::new), and `InvalidArgument` when an edge has an unknown end or joins a vertex to itself.
    pub fn for_graph(vertices: u32, edges: &[Edge], delta: (u32, u32)) -> Result<Self> {
        let degrees = incidences(vertices, edges)?;
        let greatest = degrees.chunk_by(|one, other| one.0 == other.0).map(<[Edge]>::len).max().unwrap_or(0);
        Self::new(delta, greatest as u32)
    }

    /// The smallest labels with at most these rates of false positives and false negatives.
    ///
    /// # Errors
    /// `InvalidArgument` unless both lie strictly between 0 and 1 and labels of 65,536 slots or fewer reach them.
    pub fn params_for(&self, scheme: LabelScheme, fpr: f64, fnr: f64) -> Result<LabelParams> {
        let (not_edge, edge) = self.similarities(scheme);
        LabelParams::for_rates(scheme, (not_edge, fpr), (edge, fnr))
    }

    /// The elements that all sets have.
    pub fn common(&self) -> u32 {
        self.common
    }

    /// The elements of a set beside those: its vertex's own, and its edges.
    pub fn own(&self) -> u32 {
        self.own
    }

    /// Jaccard's similarity of vertices that are not joined: a/(a+2b).
    pub fn not_edge(&self) -> f64 {
        self.similarities(LabelScheme::MinHash).0
    }

    /// Jaccard's similarity of vertices that are joined: (a+1)/(a+2b−1), as the edge is one element of both.
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

/// Any graph in labels, as the likeness of sets that share an element for each edge.
///
/// # Use when / not when
/// Use it to study what labels of a graph cost, and for graphs of a small greatest degree whose labels travel alone.
/// Not to save memory: a label grows with the greatest degree Δ, and an [`AdjacencyList`](super::AdjacencyList) takes
/// ⌈log₂ n⌉ bits an entry and is exact. Trees have labels of constant size: [`TreeLabels`](super::TreeLabels).
///
/// # Guarantee
/// Vertices that are not joined have the similarity δ exactly, those that are (a+1)/(a+2b−1). So [`fpr`](Self::fpr) and
/// [`fnr`](Self::fnr) are what they say, over the choice of the hash.
///
/// # Space
/// Bits a vertex at 1 % of false positives and negatives, by the greatest degree:
///
/// | δ | Δ = 3 | Δ = 10 | Δ = 30 | Δ = 100 |
/// |---|---|---|---|---|
/// | 0 | 240 | 1,376 | 4,320 | 21,040 |
/// | 1/3 | 646 | 8,943 | 85,766 | refused |
/// | 1/2 | 790 | 10,702 | 112,960 | refused |
///
/// With δ = 0 slots of other vertices agree by accident only, and labels grow about as Δ; else as Δ².
///
/// # Time
/// An edge compares two labels, 64 bits at a time. Neighbours and degrees ask all vertices. Freezing takes a step for
/// each slot of the elements of one's own.
///
/// # Merge
/// None: freeze the edges of both.
///
/// # Hostile input
/// Whoever knows the seed and the numbers of vertices can find graphs that err more. Use [`HashSpec::keyed`].
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
/// LOPES 3.4.1 (G6), where the union of joined vertices is counted one too many. Beyond it: δ = 0 with few bits a slot,
/// sizes from targets.
///
/// # Measured
/// `crivo-lab run c-intersection-labels`, `e-g6`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct IntersectionLabels {
    labels: Labels,
    sets: IntersectionSets,
}

impl IntersectionLabels {
    /// The labels of the graph with these edges.
    ///
    /// # Errors
    /// `InvalidArgument` when an edge has an unknown end or joins a vertex to itself, a vertex has more edges than
    /// `sets` have room for, or all labels take more than 2⁴⁰ bits.
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

    /// How many elements the sets have.
    pub fn sets(&self) -> IntersectionSets {
        self.sets
    }

    /// The rate of pairs that are no edges, but taken for some.
    pub fn fpr(&self) -> f64 {
        self.params().fpr(self.sets.similarities(self.params().scheme()).0)
    }

    /// The rate of edges that are missed.
    pub fn fnr(&self) -> f64 {
        self.params().fnr(self.sets.similarities(self.params().scheme()).1)
    }

    /// The bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.params().bits_per_vertex()
    }
}

/// The sets behind [`IntersectionLabels`], as hashes of their elements.
///
/// # Errors
/// As [`IntersectionLabels::freeze`].
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

/// Each edge from both of its ends, by the end, once.
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

/// Shows what the set of each vertex has beside the common elements: its edges, and as many of its own as there is room
/// for.
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
                "vertex {vertex} has {degree} edges, but the sets have room for {}; make them for the greatest degree",
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
            return Err(Error::malformed(format!("{common} common and {own} own elements")));
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
