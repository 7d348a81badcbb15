//! Labels for graphs with two sides: see [`BipartiteLabels`].

use super::labels::{LabelParams, LabelScheme, Labels, LabelsSize, Signature, label_methods};
use super::numbered_vertices::{Edge, check_edge};
use crate::bits::BitVec;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;

/// The edges within the two sides of a graph. The number is its id in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Sides {
    /// There are no edges within a side.
    Bipartite = 0,
    /// All vertices of a side are adjacent to each other.
    CoBipartite = 1,
    /// All vertices of the side `true` are adjacent to each other, and none of the side `false`.
    Split = 2,
}

impl Sides {
    /// Returns `bipartite`, `co-bipartite` or `split`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bipartite => "bipartite",
            Self::CoBipartite => "co-bipartite",
            Self::Split => "split",
        }
    }

    /// Returns whether two vertices of this side are adjacent.
    fn joins(self, side: bool) -> bool {
        match self {
            Self::Bipartite => false,
            Self::CoBipartite => true,
            Self::Split => side,
        }
    }
}

/// Adjacency labels for a bipartite, co-bipartite or split graph: one bit for the side, and a signature for the edges
/// between the sides.
///
/// # Use when / not when
/// Use it for graphs with two sides whose labels are distributed separately, if the vertices of one side have few
/// neighbours: only their degrees matter. The [double cover](double_cover) of any graph has two sides. Not to save
/// memory: an [`AdjacencyList`](super::AdjacencyList) is exact, and smaller.
/// [`IntersectionLabels`](super::IntersectionLabels) need one label per vertex for any graph, about twice as long.
///
/// # Guarantee
/// Pairs within a side are answered exactly. Between the sides, an edge at a vertex of degree d has the similarity 1/d,
/// and other pairs have nothing in common: so [`fpr`](Self::fpr) is exact, and [`fnr`](Self::fnr) is an upper bound,
/// the rate at the greatest degree.
///
/// # Space
/// Bits per vertex at 1 % of false positives and false negatives, by the greatest degree of the side where it is
/// smaller:
///
/// | Δ = 1 | Δ = 3 | Δ = 10 | Δ = 30 | Δ = 100 |
/// |---|---|---|---|---|
/// | 8 | 137 | 625 | 2,177 | 7,329 |
///
/// # Time
/// An edge compares two labels, 64 bits at a time. Neighbours and degrees compare with all vertices. Freezing takes a
/// step for each slot and edge.
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
/// use crivo::graph::{BipartiteLabels, Sides, double_cover};
/// // Two users, and three films that they saw.
/// let (sides, edges) = ([false, false, true, true, true], [(0, 2), (0, 3), (1, 3)]);
/// let params = BipartiteLabels::params_for(&sides, &edges, 0.001, 0.001)?;
/// let graph = BipartiteLabels::freeze(Sides::Bipartite, &sides, &edges, params, HashSpec::default())?;
/// assert!(graph.has_edge(3, 0)? && !graph.has_edge(1, 2)? && !graph.has_edge(2, 3)?);
///
/// // A triangle does not have two sides, but its double cover does: u and v are adjacent if u and n + v are.
/// let (sides, edges) = double_cover(3, &[(0, 1), (1, 2), (2, 0)])?;
/// let params = BipartiteLabels::params_for(&sides, &edges, 0.001, 0.001)?;
/// let cover = BipartiteLabels::freeze(Sides::Bipartite, &sides, &edges, params, HashSpec::default())?;
/// assert!(cover.has_edge(0, 3 + 1)? && !cover.has_edge(0, 3 + 0)?);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// side   set                      the side whose vertices have fewer neighbours lists them
///   0    {a, b}   --- 1/2 ---  {a}   1
///   0    {b}      ---  1  ---  {b}   1     a vertex of the other side is its own only element
/// ```
/// Sets of one side may look similar without harm, because the side is known. A construction for all pairs cannot do
/// this (the function `feasibility` decides for which graphs one exists).
///
/// # References
/// Lopes 2017, section 3.4.3, which does not specify the sets · Ford and Fulkerson 1962, Flows in Networks, for the
/// double cover.
///
/// # Measured
/// `crivo-lab run c-bipartite-labels`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BipartiteLabels {
    labels: Labels,
    sides: BitVec,
    class: Sides,
    /// The greatest degree between the sides, of the side where it is smaller; at least 1.
    greatest_degree: u32,
}

impl BipartiteLabels {
    /// Returns the smallest labels of the graph with these edges between the sides, with at most these rates of false
    /// positives and false negatives.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless both rates lie strictly between 0 and 1 and labels of 65,536 slots reach them,
    /// and fails as [`freeze`](Self::freeze) does.
    pub fn params_for(sides: &[bool], edges: &[Edge], fpr: f64, fnr: f64) -> Result<LabelParams> {
        let (_, greatest_degree) = listing(sides, edges)?;
        let edge = 1.0 / f64::from(greatest_degree);
        LabelParams::for_rates(LabelScheme::MinHash, (0.0, fpr), (edge, fnr))
    }

    /// Builds the labels of the graph whose vertices are on these sides, with these edges between the sides.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end or both ends on one side (where the class of the graph
    /// decides), if the params are of signs, if there are more than 2³²−1 vertices, or if all labels take more than 2⁴⁰
    /// bits.
    pub fn freeze(
        class: Sides,
        sides: &[bool],
        edges: &[Edge],
        params: LabelParams,
        spec: HashSpec,
    ) -> Result<Self> {
        check_scheme(params)?;
        let (lists, greatest_degree) = listing(sides, edges)?;
        let mut labels = Labels::new(sides.len() as u32, params, spec)?;
        let mut bits = BitVec::new(sides.len() as u64);
        let mut rest = &lists[..];
        for (vertex, &side) in (0u32..).zip(sides) {
            if side {
                bits.set(vertex.into());
            }
            let count = rest.iter().take_while(|edge| edge.0 == vertex).count();
            let (listed, others) = rest.split_at(count);
            rest = others;
            let mut signature = Signature::new(&params);
            let elements: Vec<u64> = listed.iter().map(|(_, element)| spec.hash(element)).collect();
            signature.insert(&elements);
            labels.set(vertex, &signature);
        }
        Ok(Self { labels, sides: bits, class, greatest_degree })
    }

    #[inline]
    fn is_joined(&self, one: u32, other: u32) -> bool {
        let side = self.sides.get(one.into());
        if side == self.sides.get(other.into()) {
            return one != other && self.class.joins(side);
        }
        self.labels.agree(one, other)
    }

    /// Returns the side of a vertex.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such vertex.
    pub fn side(&self, vertex: u32) -> Result<bool> {
        super::numbered_vertices::check_vertex(vertex, self.vertices())?;
        Ok(self.sides.get(vertex.into()))
    }

    /// Returns the class of the graph: the edges within the sides.
    pub fn class(&self) -> Sides {
        self.class
    }

    /// Returns the false-positive rate of pairs between the sides.
    pub fn fpr(&self) -> f64 {
        self.params().fpr(0.0)
    }

    /// Returns the false-negative rate of edges at a vertex of the greatest degree, which is the largest possible rate.
    pub fn fnr(&self) -> f64 {
        self.params().fnr(1.0 / f64::from(self.greatest_degree))
    }

    /// Returns the bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.params().bits_per_vertex() + 1
    }
}

/// Returns the double cover of any graph of n vertices, which has two sides: v becomes v and n + v, and an edge between
/// u and v becomes two, from u to n + v and from v to n + u. Returns the sides and the edges.
///
/// ```
/// use crivo::graph::double_cover;
/// let (sides, edges) = double_cover(2, &[(0, 1)])?;
/// assert_eq!((sides, edges), (vec![false, false, true, true], vec![(0, 3), (1, 2)]));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` if an edge has an unknown end, or if there are more than 2³¹−1 vertices.
pub fn double_cover(vertices: u32, edges: &[Edge]) -> Result<(Vec<bool>, Vec<Edge>)> {
    let Some(twice) = vertices.checked_mul(2) else {
        return Err(Error::invalid(format!(
            "a double cover has twice as many vertices, at most 2³²−2, got {vertices}; take a smaller graph"
        )));
    };
    let mut both = Vec::with_capacity(2 * edges.len());
    for &(one, other) in edges {
        check_edge((one, other), vertices)?;
        both.push((one, vertices + other));
        if one != other {
            both.push((other, vertices + one));
        }
    }
    Ok(((0..twice).map(|vertex| vertex >= vertices).collect(), both))
}

fn check_scheme(params: LabelParams) -> Result<()> {
    if params.scheme() == LabelScheme::MinHash {
        return Ok(());
    }
    Err(Error::invalid(
        "labels for two sides need the scheme of smallest values, got signs; take the params from params_for",
    ))
}

/// Returns the elements of all sets, by vertex, and the greatest degree of the side that lists its neighbours: the side
/// where that degree is smaller.
fn listing(sides: &[bool], edges: &[Edge]) -> Result<(Vec<Edge>, u32)> {
    let vertices = u32::try_from(sides.len()).map_err(|_| {
        Error::invalid(format!("a graph has at most {} vertices, got {}; split it", u32::MAX, sides.len()))
    })?;
    let mut across = Vec::with_capacity(edges.len());
    for &(one, other) in edges {
        check_edge((one, other), vertices)?;
        match (sides[one as usize], sides[other as usize]) {
            (false, true) => across.push((one, other)),
            (true, false) => across.push((other, one)),
            _ => {
                return Err(Error::invalid(format!(
                    "{one} and {other} are on one side, where the class of the graph tells who is joined; give the edges \
                     across only"
                )));
            }
        }
    }
    across.sort_unstable();
    across.dedup();
    let mut back: Vec<Edge> = across.iter().map(|&(one, other)| (other, one)).collect();
    back.sort_unstable();
    let greatest = |lists: &[Edge]| {
        lists.chunk_by(|one, other| one.0 == other.0).map(<[Edge]>::len).max().unwrap_or(0).max(1) as u32
    };
    let (of_false, of_true) = (greatest(&across), greatest(&back));
    let (mut lists, lister, least) =
        if of_true < of_false { (back, true, of_true) } else { (across, false, of_false) };
    lists.extend(
        (0..vertices).filter(|&vertex| sides[vertex as usize] != lister).map(|vertex| (vertex, vertex)),
    );
    lists.sort_unstable();
    Ok((lists, least))
}

label_methods!(BipartiteLabels);

impl OfSize for BipartiteLabels {
    type Params = BipartiteSize;

    fn params(&self) -> BipartiteSize {
        let Self { class, greatest_degree, .. } = *self;
        BipartiteSize { labels: self.labels.size(), class, greatest_degree }
    }
}

impl Core for BipartiteLabels {
    const KIND: Kind = Kind::BipartiteLabels;

    fn heap_bytes(&self) -> usize {
        self.labels.heap_bytes() + self.sides.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.labels.write(payload);
        self.sides.to_bytes(payload);
    }

    fn read(size: BipartiteSize, file: &mut Payload<'_>) -> Result<Self> {
        let BipartiteSize { labels, class, greatest_degree } = size;
        let labels = Labels::read(labels, file)?;
        let sides = BitVec::from_bytes(labels.vertices().into(), file.bytes.take_rest())
            .ok_or_else(|| Error::malformed("the file is corrupt: the sides of some vertices are missing"))?;
        Ok(Self { labels, sides, class, greatest_degree })
    }

    fn state(&self) -> Vec<Fact> {
        let mut facts = self.rates();
        facts.push(Fact::text("class", self.class.name()));
        facts.push(Fact::count("greatest_degree", self.greatest_degree.into()));
        facts
    }
}

#[derive(Clone)]
pub(crate) struct BipartiteSize {
    labels: LabelsSize,
    class: Sides,
    greatest_degree: u32,
}

impl Params for BipartiteSize {
    const NAMES: &[&str] = &["vertices", "scheme", "slots", "bits", "threshold", "class", "greatest_degree"];

    fn numbers(&self) -> Vec<u64> {
        let mut numbers = self.labels.numbers();
        numbers.extend([self.class as u64, self.greatest_degree.into()]);
        numbers
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let labels = LabelsSize::of(numbers)?;
        check_scheme(labels.label)
            .map_err(|_| Error::malformed("the file is corrupt: labels of signs for two sides"))?;
        let class = match numbers[5] {
            0 => Sides::Bipartite,
            1 => Sides::CoBipartite,
            2 => Sides::Split,
            _ => return Err(Error::malformed("the file is corrupt: unknown class of graphs")),
        };
        let greatest_degree = narrow(numbers[6])?;
        if greatest_degree == 0 {
            return Err(Error::malformed("the file is corrupt: the greatest degree is 0"));
        }
        Ok(Self { labels, class, greatest_degree })
    }

    fn memory_bytes(&self) -> u64 {
        self.labels.memory_bytes() + u64::from(self.labels.vertices).div_ceil(64) * 8
    }

    fn facts(&self) -> Vec<Fact> {
        self.labels.facts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;

    /// With rates so small that no error is expected, the answers are those of the graph, for each class.
    #[test]
    fn sides_are_known_and_the_rest_is_compared() {
        let mut rng = Rng::new(8);
        for class in [Sides::Bipartite, Sides::CoBipartite, Sides::Split] {
            let sides: Vec<bool> = (0..40).map(|_| rng.below(3) == 0).collect();
            let across = |edge: &Edge| sides[edge.0 as usize] != sides[edge.1 as usize];
            let edges: Vec<Edge> =
                (0..150).map(|_| (rng.below(40) as u32, rng.below(40) as u32)).filter(across).collect();
            let joined: BTreeSet<Edge> =
                edges.iter().flat_map(|&(one, other)| [(one, other), (other, one)]).collect();
            let params = BipartiteLabels::params_for(&sides, &edges, 1e-12, 1e-12).unwrap();
            let graph = BipartiteLabels::freeze(class, &sides, &edges, params, HashSpec::default()).unwrap();
            for one in 0..40u32 {
                for other in 0..40u32 {
                    let [side, its_side] = [one, other].map(|vertex| sides[vertex as usize]);
                    let within =
                        one != other && (class == Sides::CoBipartite || class == Sides::Split && side);
                    let truth = if side == its_side { within } else { joined.contains(&(one, other)) };
                    assert_eq!(graph.has_edge(one, other), Ok(truth), "{class:?}: {one} and {other}");
                }
                assert_eq!(graph.side(one), Ok(sides[one as usize]));
            }
            assert!(graph.fpr() <= 1e-12 && graph.fnr() <= 1e-12);
        }
    }

    #[test]
    fn the_side_with_fewer_neighbours_lists_them() {
        // A star: its centre has 9 neighbours, each leaf one.
        let sides: Vec<bool> = (0..10).map(|vertex| vertex > 0).collect();
        let star: Vec<Edge> = (1..10).map(|leaf| (leaf, 0)).collect();
        assert_eq!(listing(&sides, &star).unwrap().1, 1);
        let params = BipartiteLabels::params_for(&sides, &star, 0.01, 0.01).unwrap();
        assert!(params.bits_per_vertex() < 10, "{params}");
        for bad in [&[(1, 2)][..], &[(0, 10)], &[(3, 3)]] {
            assert!(listing(&sides, bad).is_err(), "{bad:?}");
        }
        let signs = LabelParams::exact(LabelScheme::SimHash, 64, 1, 40).unwrap();
        assert!(BipartiteLabels::freeze(Sides::Split, &sides, &star, signs, HashSpec::default()).is_err());
    }

    /// Every graph has a double cover with two sides: u and v are adjacent if u and n + v are, and v and n + u.
    #[test]
    fn the_double_cover_has_every_edge_twice() {
        let mut rng = Rng::new(7);
        let edges: Vec<Edge> = (0..60).map(|_| (rng.below(20) as u32, rng.below(20) as u32)).collect();
        let (sides, covered) = double_cover(20, &edges).unwrap();
        let cover: BTreeSet<Edge> = covered.into_iter().collect();
        assert_eq!(sides.len(), 40);
        for one in 0..20 {
            for other in 0..20 {
                let truth = edges.contains(&(one, other)) || edges.contains(&(other, one));
                assert_eq!(cover.contains(&(one, 20 + other)), truth);
                assert!(!truth || sides[one as usize] != sides[20 + other as usize]);
            }
        }
        assert!(double_cover(20, &[(0, 20)]).is_err() && double_cover(1 << 31, &[]).is_err());
    }
}
