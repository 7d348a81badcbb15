//! A Bloom filter of edges: see [`EdgeBloom`].

use super::reported_graph::{self, Joined};
use super::{Direction, edge_hash};
use crate::hash::Item;
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, shell};
use crate::stats::{binomial_band, trial_bounds};
use crate::{BloomFilter, BloomParams, DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::sqrt;

/// An edge Bloom filter: a graph in about ten bits per edge, without false negatives and with a chosen rate of spurious
/// edges.
///
/// # Use when / not when
/// Use it for a graph whose edges arrive one by one and whose vertices have names: vertices need no numbers, and parts
/// of the graph merge. Not where neighbours are listed often: each listing queries all vertices. An adjacency list
/// takes at least log₂ n bits per edge, and lists neighbours directly. To give each vertex its own part of the graph,
/// use [`VertexBlooms`](super::VertexBlooms).
///
/// # Guarantee
/// There are no false negatives. A pair that is not an edge is reported with the probability [`fpr`](Self::fpr), known
/// exactly from the fill. So p·(n(n − 1)/2 − m) spurious edges are expected: [`spurious_edges`](Self::spurious_edges).
/// The bounds of [`degree`](Self::degree) are proven; those of [`common_neighbours`](Self::common_neighbours) and
/// [`triangles`](Self::triangles) are approximate.
///
/// # Space
/// The space of a [`BloomFilter`], whatever the number of vertices:
///
/// | bits per edge | rate | 1 million edges |
/// |---|---|---|
/// | 5 | 9.2 % | 0.63 MB |
/// | 10 | 0.82 % | 1.25 MB |
/// | 20 | 0.0067 % | 2.50 MB |
///
/// # Time
/// One query of the filter. [`has_edge_hashes`](Self::has_edge_hashes) overlaps the cache misses of many pairs.
/// `neighbours`, `degree` and `common_neighbours` query every given vertex, `triangles` every pair of them.
///
/// # Merge
/// Exact: the filter of both sets of edges, bit for bit; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose edges that fill the filter early, or pairs that are all reported. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::graph::{Direction, EdgeBloom};
/// let mut roads = EdgeBloom::for_fpr(1000, 0.001, Direction::Undirected)?;
/// roads.extend([("Porto", "Braga"), ("Porto", "Aveiro"), ("Aveiro", "Coimbra")]);
/// assert!(roads.has_edge("Braga", "Porto"));
/// let towns = ["Aveiro", "Braga", "Coimbra", "Porto"];
/// assert_eq!(roads.neighbours(&"Aveiro", &towns), [&"Coimbra", &"Porto"]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// u ─→ hash ─┐
///            ├─→ hash of the edge ─→ k bits of one Bloom filter     undirected: the smaller hash first
/// v ─→ hash ─┘
/// ```
///
/// # References
/// Bloom, doi:10.1145/362686.362692 · estimates from the filters of a graph: Besta et al.,
/// doi:10.1109/SC41404.2022.00048. New here: degrees with proven bounds, and triangles without the bias of spurious
/// edges.
///
/// # Measured
/// `crivo-lab run c-edge-bloom`, `e-f33`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct EdgeBloom {
    direction: Direction,
    filter: BloomFilter,
}

impl EdgeBloom {
    /// Creates a graph without edges, in a filter of this size.
    pub fn with_params(params: BloomParams, direction: Direction) -> Self {
        Self::empty(EdgeSize { direction, filter: params }, HashSpec::default())
    }

    /// Creates a graph without edges, for `edges` edges at a false-positive rate of at most `fpr`.
    ///
    /// # Errors
    /// Fails as [`BloomParams::for_fpr`] does.
    pub fn for_fpr(edges: u64, fpr: f64, direction: Direction) -> Result<Self> {
        Ok(Self::with_params(BloomParams::for_fpr(edges, fpr)?, direction))
    }

    /// Returns the best size of at most `bits` bits per edge, rounded up to a whole word.
    ///
    /// ```
    /// use crivo::graph::EdgeBloom;
    /// let params = EdgeBloom::params_for_bits(10, 1_000_000)?;
    /// assert!((0.0081..0.0083).contains(&params.fpr_at(1_000_000)));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if either is 0, or if the filter would exceed 2⁴⁰ bits.
    pub fn params_for_bits(bits: u32, edges: u64) -> Result<BloomParams> {
        if bits == 0 {
            return Err(Error::invalid("an edge needs at least 1 bit, got 0; 10 is usual"));
        }
        // A saturated product is refused by the constructor.
        BloomParams::for_memory(edges.saturating_mul(bits.into()).div_ceil(64) * 8, edges)
    }

    /// Adds an edge, and returns true if it was certainly new.
    pub fn add_edge<T: Item + ?Sized, U: Item + ?Sized>(&mut self, from: &T, to: &U) -> bool {
        let spec = *self.hash_spec();
        self.add_edge_hash(spec.hash(from), spec.hash(to))
    }

    /// Adds the edge between the vertices with these hashes, and returns true if it was certainly new.
    #[inline]
    pub fn add_edge_hash(&mut self, from: u64, to: u64) -> bool {
        self.filter.insert_hash(edge_hash(from, to, self.direction))
    }

    /// Adds many edges by the hashes of their ends, overlapping the cache misses.
    pub fn add_edge_hashes(&mut self, edges: &[(u64, u64)]) {
        let mut hashes = [0; BATCH];
        for batch in edges.chunks(BATCH) {
            self.filter.insert_hashes(self.hash_batch(batch, &mut hashes));
        }
    }

    /// Returns whether there may be an edge between two vertices; `false` is certain.
    pub fn has_edge<T: Item + ?Sized, U: Item + ?Sized>(&self, from: &T, to: &U) -> bool {
        let spec = self.hash_spec();
        self.has_edge_hash(spec.hash(from), spec.hash(to))
    }

    /// Returns whether there may be an edge between the vertices with these hashes.
    #[inline]
    pub fn has_edge_hash(&self, from: u64, to: u64) -> bool {
        self.filter.contains_hash(edge_hash(from, to, self.direction))
    }

    /// Returns whether each of many pairs may be an edge, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::graph::{Direction, EdgeBloom};
    /// let mut graph = EdgeBloom::for_fpr(100, 0.0001, Direction::Directed)?;
    /// graph.add_edge_hashes(&[(1, 2), (2, 3)]);
    /// assert_eq!(graph.has_edge_hashes(&[(1, 2), (2, 1)]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn has_edge_hashes(&self, pairs: &[(u64, u64)]) -> Vec<bool> {
        let mut answers = Vec::with_capacity(pairs.len());
        let mut hashes = [0; BATCH];
        for batch in pairs.chunks(BATCH) {
            let hashes = self.hash_batch(batch, &mut hashes);
            self.filter.prefetch(hashes);
            answers.extend(hashes.iter().map(|&hash| self.filter.contains_hash(hash)));
        }
        answers
    }

    #[inline]
    fn hash_batch<'a>(&self, batch: &[(u64, u64)], hashes: &'a mut [u64; BATCH]) -> &'a [u64] {
        for (hash, &(from, to)) in hashes.iter_mut().zip(batch) {
            *hash = edge_hash(from, to, self.direction);
        }
        &hashes[..batch.len()]
    }

    /// Returns those of `vertices` that are reported as neighbours: all true neighbours, and a share of
    /// [`fpr`](Self::fpr) of the others.
    pub fn neighbours<'a, T: Item>(&self, vertex: &T, vertices: &'a [T]) -> Vec<&'a T> {
        let spec = self.hash_spec();
        let hashes: Vec<u64> = vertices.iter().map(|vertex| spec.hash(vertex)).collect();
        let answers = self.joined(spec.hash(vertex), &hashes);
        vertices.iter().zip(answers).filter(|(_, is_joined)| *is_joined).map(|(vertex, _)| vertex).collect()
    }

    /// Estimates how many of `vertices`, given by distinct hashes, are neighbours of this vertex.
    ///
    /// The number of reported neighbours is an upper bound. The number of spurious ones among them is binomial: the
    /// bounds are proven.
    ///
    /// ```
    /// # use crivo::graph::{Direction, EdgeBloom};
    /// # use crivo::HashSpec;
    /// let mut star = EdgeBloom::for_fpr(100, 0.01, Direction::Undirected)?;
    /// star.extend((1..=100u32).map(|leaf| (0u32, leaf)));
    /// let vertices: Vec<u64> = (0..1000u32).map(|vertex| star.hash_spec().hash(&vertex)).collect();
    /// assert!(star.degree(&0u32, &vertices).contains(100.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn degree<T: Item + ?Sized>(&self, vertex: &T, vertices: &[u64]) -> Estimate {
        let answers = self.joined(self.hash_spec().hash(vertex), vertices);
        let reported = answers.into_iter().filter(|&is_joined| is_joined).count() as f64;
        let guarantee = Guarantee::Proven { confidence: DEFAULT_CONFIDENCE };
        let (p, all) = (self.fpr().value(), vertices.len() as f64);
        if p >= 1.0 {
            return Estimate::new(0.0, 0.0, reported, guarantee);
        }
        // Each vertex that is not a neighbour is denied with probability 1 − p; this solves for their number, given how
        // many were denied.
        let told = vertices.len() as u64 - reported as u64;
        let (fewest, most) = if told == 0 && p == 0.0 {
            (0.0, 0.0)
        } else {
            trial_bounds(told, told, (1.0 - p, p), DEFAULT_CONFIDENCE)
        };
        let (lower, upper) = ((all - most).max(0.0), (all - fewest).clamp(0.0, reported));
        let value = ((reported - all * p) / (1.0 - p)).max(lower).min(upper);
        Estimate::new(value, lower, upper, guarantee)
    }

    /// Estimates how many of `vertices`, given by distinct hashes, are neighbours of both of two vertices.
    pub fn common_neighbours<T: Item + ?Sized>(&self, one: &T, other: &T, vertices: &[u64]) -> Estimate {
        let spec = self.hash_spec();
        reported_graph::common_neighbours(self, spec.hash(one), spec.hash(other), vertices)
    }

    /// Estimates the number of triangles among `vertices`, given by distinct hashes.
    ///
    /// This queries every pair: a few seconds for ten thousand vertices. Where a few vertices have very many
    /// neighbours, one spurious edge between two of them makes many triangles at once, and the interval covers less
    /// often than its confidence says: for 66 of 75 seeds on the graph of the Internet's autonomous systems at ten bits
    /// per edge.
    ///
    /// # Errors
    /// Returns `Unsupported` for a directed graph.
    pub fn triangles(&self, vertices: &[u64]) -> Result<Estimate> {
        self.direction.check_undirected()?;
        let root = sqrt(self.fpr().value());
        Ok(reported_graph::triangles(self, vertices, &vec![root; vertices.len()]))
    }

    /// Estimates the number of distinct edges, with the 95 % interval of the normal limit law.
    pub fn edges(&self) -> Estimate {
        self.filter.cardinality()
    }

    /// Estimates the number of spurious edges among the pairs of `vertices` vertices: p·(n(n − 1)/2 − m) are expected,
    /// from twice as many pairs in a directed graph. The interval is for the number itself, which is binomial, not only
    /// for its mean.
    ///
    /// ```
    /// # use crivo::graph::{Direction, EdgeBloom};
    /// let mut path = EdgeBloom::with_params(EdgeBloom::params_for_bits(10, 999)?, Direction::Undirected);
    /// path.extend((0..999u32).map(|i| (i, i + 1)));
    /// let pairs = (0..1000u32).flat_map(|u| (0..u).map(move |v| (u, v)));
    /// let spurious = pairs.filter(|&(u, v)| u - v > 1 && path.has_edge(&u, &v)).count();
    /// assert!(path.spurious_edges(1000).contains(spurious as f64));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn spurious_edges(&self, vertices: u64) -> Estimate {
        let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
        let ordered = u128::from(vertices) * u128::from(vertices.saturating_sub(1));
        let pairs = match self.direction {
            Direction::Directed => ordered,
            Direction::Undirected => ordered / 2,
        };
        let (p, pairs) = (self.fpr().value(), u64::try_from(pairs).unwrap_or(u64::MAX));
        // Half of the error probability is spent on the number of edges.
        let miss = (1.0 - DEFAULT_CONFIDENCE) / 2.0;
        let edges = self.filter.cardinality_at(1.0 - miss).unwrap_or_else(|_| self.edges());
        let others = |edges: f64| pairs.saturating_sub(edges as u64);
        let (fewest, most) = (others(edges.upper()), others(edges.lower()));
        Estimate::new(
            p * others(edges.value()) as f64,
            binomial_band(fewest, p, miss).0,
            binomial_band(most, p, miss).1,
            guarantee,
        )
    }

    /// Returns the probability that a pair that is not an edge is reported, exact for the present fill.
    pub fn fpr(&self) -> Estimate {
        self.filter.fpr()
    }

    /// Returns the share of set bits.
    pub fn fill(&self) -> f64 {
        self.filter.fill()
    }

    /// Returns whether edges have a direction.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the size.
    pub fn params(&self) -> BloomParams {
        self.filter.params()
    }
}

impl Joined for EdgeBloom {
    fn joined(&self, vertex: u64, others: &[u64]) -> Vec<bool> {
        let pairs: Vec<(u64, u64)> = others.iter().map(|&other| (vertex, other)).collect();
        self.has_edge_hashes(&pairs)
    }

    fn pair_fprs(&self, _: u64, others: &[u64]) -> Vec<f64> {
        vec![self.fpr().value(); others.len()]
    }
}

impl<T: Item, U: Item> Extend<(T, U)> for EdgeBloom {
    fn extend<I: IntoIterator<Item = (T, U)>>(&mut self, edges: I) {
        for (from, to) in edges {
            self.add_edge(&from, &to);
        }
    }
}

shell!(EdgeBloom: hashes_by(self => self.filter.hash_spec()), starts, merges);

impl OfSize for EdgeBloom {
    type Params = EdgeSize;

    fn params(&self) -> EdgeSize {
        EdgeSize { direction: self.direction, filter: self.filter.params() }
    }
}

impl Core for EdgeBloom {
    const KIND: Kind = Kind::EdgeBloom;

    fn heap_bytes(&self) -> usize {
        self.filter.heap_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.filter.write(payload);
    }

    fn read(size: EdgeSize, file: &mut Payload<'_>) -> Result<Self> {
        Ok(Self { direction: size.direction, filter: BloomFilter::read(size.filter, file)? })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.fill()),
            Fact::estimate("edges", self.edges()),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.filter.absorb(&other.filter)
    }
}

impl Empty for EdgeBloom {
    fn empty(size: EdgeSize, spec: HashSpec) -> Self {
        Self { direction: size.direction, filter: BloomFilter::empty(size.filter, spec) }
    }

    fn has_nothing(&self) -> bool {
        self.filter.has_nothing()
    }
}

#[derive(Clone)]
pub(crate) struct EdgeSize {
    direction: Direction,
    filter: BloomParams,
}

impl Params for EdgeSize {
    const NAMES: &[&str] = &["direction", "bits", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.direction.tag().into(), self.filter.bits(), self.filter.hashes().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let direction = Direction::from_tag(numbers[0])?;
        Ok(Self { direction, filter: BloomParams::of(&[0, numbers[2], numbers[1]])? })
    }

    fn memory_bytes(&self) -> u64 {
        self.filter.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("direction", self.direction.name()),
            Fact::count("bits", self.filter.bits()),
            Fact::count("hashes", self.filter.hashes().into()),
        ]
    }

    fn check_same(&self, other: &Self) -> Result<()> {
        self.direction.check_same(other.direction)?;
        self.filter.check_same(&other.filter)
    }
}

#[cfg(test)]
mod tests;
