//! A Bloom filter for each vertex: see [`VertexBlooms`].

mod wire;

use super::reported_graph::{self, Joined};
use super::{Direction, edge_hash};
use crate::bits::BitVec;
use crate::hash::{Item, Probes};
use crate::membership::Occupancy;
use crate::sketch::shell;
use crate::{BloomParams, DEFAULT_CONFIDENCE, Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use libm::{exp, pow};

/// The largest size of all filters together, as for a Bloom filter.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// A Bloom filter of neighbours for each vertex: a graph in separate parts, in which the filters of two vertices
/// determine whether they are adjacent.
///
/// # Use when / not when
/// Use it where every vertex must carry its own part of the graph, or where degrees are needed: each filter gives the
/// degree of its vertex. The vertices, and preferably their degrees, must be known before the edges arrive. Otherwise
/// use an [`EdgeBloom`](super::EdgeBloom), which takes any edge, and is smaller where degrees are small, since it has
/// no table of vertices.
///
/// # Guarantee
/// There are no false negatives. In an undirected graph both filters must agree: two non-adjacent vertices u and v are
/// reported with the probability [`fpr`](Self::fpr) = p(u)·p(v), exact for the present fill, about 0.008² = 0.00007 at
/// ten bits per neighbour. In a directed graph the filter of the first vertex decides, with p(u). The bounds of
/// [`degree`](Self::degree), [`common_neighbours`](Self::common_neighbours) and [`triangles`](Self::triangles) are
/// approximate.
///
/// # Space
/// The bits of the filters, packed without gaps, and 16 bytes per vertex for its hash and the place of its filter. At
/// ten bits per neighbour an undirected edge takes 20 bits, since both ends store it.
///
/// | bits per neighbour | hash functions | p of a filter of 100 | p(u)·p(v) |
/// |---|---|---|---|
/// | 5 | 3 | 9.2 % | 0.85 % |
/// | 10 | 7 | 0.83 % | 0.0068 % |
/// | 20 | 14 | 0.0068 % | 0.0000005 % |
///
/// # Time
/// A binary search for each vertex, and the bits of one or two filters. `neighbours` and `common_neighbours` query
/// every given vertex, `triangles` every pair of all vertices.
///
/// # Merge
/// Exact, for graphs with the same vertices and sizes: the filters of both sets of edges, bit for bit; commutative,
/// associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose edges that fill filters early, or pairs that are all reported. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::HashSpec;
/// use crivo::graph::{Direction, VertexBlooms};
/// let spec = HashSpec::default();
/// let degrees = [("Porto", 2), ("Braga", 1), ("Aveiro", 2), ("Coimbra", 1)].map(|(town, d)| (spec.hash(town), d));
/// let mut roads = VertexBlooms::for_degrees(degrees, 20, Direction::Undirected, spec)?;
/// for (from, to) in [("Porto", "Braga"), ("Porto", "Aveiro"), ("Aveiro", "Coimbra")] {
///     roads.add_edge(from, to)?;
/// }
/// assert!(roads.has_edge("Braga", "Porto") && !roads.has_edge("Braga", "Coimbra"));
/// assert!(roads.degree("Aveiro")?.contains(2.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///             Aveiro    Braga  Coimbra    Porto
///            ┌─────────┬─────┬───────┬─────────┐    "Porto–Braga" sets bits in the filter of Porto
///            │0110 1001│01 01│0 1 1 0│1011 0010│    and "Braga–Porto" in that of Braga:
///            └─────────┴─────┴───────┴─────────┘    the two answers are independent
/// ```
///
/// # References
/// Bloom, doi:10.1145/362686.362692 · the filters of neighbourhoods: Besta et al., doi:10.1109/SC41404.2022.00048. New
/// here: filters as large as their vertex needs, and the agreement of both ends.
///
/// # Measured
/// `crivo-lab run c-vertex-blooms`, `e-f33`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct VertexBlooms {
    direction: Direction,
    hashes: u32,
    spec: HashSpec,
    /// The hashes of the vertices, ascending.
    vertices: Vec<u64>,
    /// Where the filter of each vertex starts, and where the last one ends.
    starts: Vec<u64>,
    bits: BitVec,
}

impl VertexBlooms {
    /// Creates a graph without edges, for vertices given by their hashes under `spec` and their degrees, with filters
    /// of `bits` bits per neighbour. In a directed graph the degrees are out-degrees.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is 1 to 64, if a vertex has two degrees, or if all filters would exceed
    /// 2⁴⁰ bits.
    pub fn for_degrees(
        degrees: impl IntoIterator<Item = (u64, u64)>,
        bits: u32,
        direction: Direction,
        spec: HashSpec,
    ) -> Result<Self> {
        if !(1..=64).contains(&bits) {
            return Err(Error::invalid(format!("a neighbour takes 1 to 64 bits, got {bits}; 10 is usual")));
        }
        let sizes = degrees.into_iter().map(|(vertex, degree)| (vertex, degree.saturating_mul(bits.into())));
        Self::with_sizes(sizes, best_hashes(bits), direction, spec)
    }

    /// Creates a graph without edges, for vertices given by their hashes under `spec` and the bits of their filters,
    /// with this many hash functions. If degrees are unknown, all filters can have the same size.
    ///
    /// ```
    /// # use crivo::HashSpec;
    /// # use crivo::graph::{Direction, VertexBlooms};
    /// let spec = HashSpec::default();
    /// let sizes = (0..100u32).map(|vertex| (spec.hash(&vertex), 128));
    /// let mut circle = VertexBlooms::with_sizes(sizes, 4, Direction::Directed, spec)?;
    /// for vertex in 0..100u32 {
    ///     circle.add_edge(&vertex, &((vertex + 1) % 100))?;
    /// }
    /// assert!(circle.has_edge(&99u32, &0u32) && !circle.has_edge(&0u32, &99u32));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `hashes` is 1 to 64, if a vertex has two sizes, or if all filters would exceed
    /// 2⁴⁰ bits.
    pub fn with_sizes(
        sizes: impl IntoIterator<Item = (u64, u64)>,
        hashes: u32,
        direction: Direction,
        spec: HashSpec,
    ) -> Result<Self> {
        BloomParams::exact(1, hashes)?;
        let mut sizes: Vec<(u64, u64)> = sizes.into_iter().collect();
        sizes.sort_unstable();
        sizes.dedup();
        if let Some(twice) = sizes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::invalid(format!(
                "a vertex has one filter, but one was given {} and {} bits; give each vertex once",
                twice[0].1, twice[1].1
            )));
        }
        let vertices = sizes.iter().map(|&(vertex, _)| vertex).collect();
        let starts = starts_of(sizes.iter().map(|&(_, bits)| bits)).ok_or_else(|| {
            Error::invalid(format!(
                "all filters together have at most {MAX_BITS} bits; choose smaller filters"
            ))
        })?;
        let bits = BitVec::new(starts[sizes.len()]);
        Ok(Self { direction, hashes, spec, vertices, starts, bits })
    }

    /// Adds an edge, and returns true if it was certainly new.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if a vertex that stores the edge is unknown, or has a filter of no bits. On error
    /// nothing changes.
    pub fn add_edge<T: Item + ?Sized, U: Item + ?Sized>(&mut self, from: &T, to: &U) -> Result<bool> {
        self.add_edge_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// Adds the edge between the vertices with these hashes, and returns true if it was certainly new.
    ///
    /// # Errors
    /// Fails as [`add_edge`](Self::add_edge) does.
    pub fn add_edge_hash(&mut self, from: u64, to: u64) -> Result<bool> {
        let of_from = self.filter_to_fill(from)?;
        if self.direction == Direction::Directed {
            return Ok(self.insert(of_from, from, to));
        }
        let of_to = self.filter_to_fill(to)?;
        // A loop is stored once.
        let is_new = self.insert(of_from, from, to);
        Ok(self.insert(of_to, to, from) || is_new)
    }

    fn filter_to_fill(&self, vertex: u64) -> Result<Range<u64>> {
        let filter = self.filter(vertex).ok_or_else(|| {
            Error::invalid(format!(
                "the vertex with the hash {vertex:#x} is not one of the {} that the graph was created for; list all vertices",
                self.vertices.len()
            ))
        })?;
        if filter.is_empty() {
            return Err(Error::invalid(format!(
                "the vertex with the hash {vertex:#x} was declared to have no neighbours; give its degree"
            )));
        }
        Ok(filter)
    }

    fn insert(&mut self, filter: Range<u64>, from: u64, to: u64) -> bool {
        let hash = edge_hash(from, to, Direction::Directed);
        let probes = Probes::new(hash, filter.end - filter.start).take(self.hashes as usize);
        probes.fold(false, |is_new, place| self.bits.set(filter.start + place) | is_new)
    }

    /// Returns the bits of a vertex.
    fn filter(&self, vertex: u64) -> Option<Range<u64>> {
        let place = self.vertices.binary_search(&vertex).ok()?;
        Some(self.starts[place]..self.starts[place + 1])
    }

    /// Returns whether there may be an edge between two vertices; `false` is certain. An unknown vertex has no edges.
    pub fn has_edge<T: Item + ?Sized, U: Item + ?Sized>(&self, from: &T, to: &U) -> bool {
        self.has_edge_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// Returns whether there may be an edge between the vertices with these hashes.
    pub fn has_edge_hash(&self, from: u64, to: u64) -> bool {
        self.keeps(from, to) && (self.direction == Direction::Directed || self.keeps(to, from))
    }

    /// Returns whether each of many pairs may be an edge.
    pub fn has_edge_hashes(&self, pairs: &[(u64, u64)]) -> Vec<bool> {
        pairs.iter().map(|&(from, to)| self.has_edge_hash(from, to)).collect()
    }

    /// Returns whether the filter of one vertex reports the other.
    fn keeps(&self, from: u64, to: u64) -> bool {
        self.filter(from).is_some_and(|filter| self.is_in(&filter, from, to))
    }

    fn is_in(&self, filter: &Range<u64>, from: u64, to: u64) -> bool {
        let hash = edge_hash(from, to, Direction::Directed);
        let mut probes = Probes::new(hash, filter.end - filter.start).take(self.hashes as usize);
        !filter.is_empty() && probes.all(|place| self.bits.get(filter.start + place))
    }

    /// Returns those of `vertices` that are reported as neighbours: all true neighbours, and few others.
    pub fn neighbours<'a, T: Item>(&self, vertex: &T, vertices: &'a [T]) -> Vec<&'a T> {
        let hashes: Vec<u64> = vertices.iter().map(|vertex| self.spec.hash(vertex)).collect();
        let answers = self.joined(self.spec.hash(vertex), &hashes);
        vertices.iter().zip(answers).filter(|(_, is_joined)| *is_joined).map(|(vertex, _)| vertex).collect()
    }

    /// Estimates the number of neighbours of a vertex from the fill of its filter alone, with the 95 % interval of the
    /// normal limit law. In a directed graph this is the out-degree.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the vertex is unknown.
    pub fn degree<T: Item + ?Sized>(&self, vertex: &T) -> Result<Estimate> {
        self.degree_hash(self.spec.hash(vertex))
    }

    /// Like [`degree`](Self::degree), for the vertex with this hash.
    ///
    /// # Errors
    /// Fails as [`degree`](Self::degree) does.
    pub fn degree_hash(&self, vertex: u64) -> Result<Estimate> {
        let filter = self.filter(vertex).ok_or_else(|| {
            Error::invalid(format!(
                "no vertex of the graph has the hash {vertex:#x}; give one that the graph was created for"
            ))
        })?;
        if filter.is_empty() {
            return Ok(Estimate::exact(0.0));
        }
        Ok(self.occupancy(&filter).approximate(DEFAULT_CONFIDENCE))
    }

    fn occupancy(&self, filter: &Range<u64>) -> Occupancy {
        let ones = self.bits.count_ones_in(filter.clone()) as f64;
        Occupancy { bits: (filter.end - filter.start) as f64, hashes: f64::from(self.hashes), ones }
    }

    /// Returns the false-positive rate of the filter of a vertex.
    fn filter_fpr(&self, vertex: u64) -> f64 {
        let filter = self.filter(vertex).unwrap_or(0..0);
        if filter.is_empty() { 0.0 } else { self.occupancy(&filter).fpr() }
    }

    /// Returns the probability that these two vertices are reported as adjacent if they are not, exact for the present
    /// fill.
    pub fn fpr<T: Item + ?Sized>(&self, from: &T, to: &T) -> Estimate {
        self.fpr_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// Like [`fpr`](Self::fpr), for the vertices with these hashes.
    pub fn fpr_hash(&self, from: u64, to: u64) -> Estimate {
        let of_to = if self.direction == Direction::Directed { 1.0 } else { self.filter_fpr(to) };
        Estimate::exact(self.filter_fpr(from) * of_to)
    }

    /// Estimates how many of `vertices`, given by distinct hashes, are neighbours of both of two vertices.
    pub fn common_neighbours<T: Item + ?Sized>(&self, one: &T, other: &T, vertices: &[u64]) -> Estimate {
        reported_graph::common_neighbours(self, self.spec.hash(one), self.spec.hash(other), vertices)
    }

    /// Estimates the number of triangles of the graph.
    ///
    /// This queries every pair of vertices: a few seconds for ten thousand.
    ///
    /// # Errors
    /// Returns `Unsupported` for a directed graph.
    pub fn triangles(&self) -> Result<Estimate> {
        self.direction.check_undirected()?;
        let fprs: Vec<f64> = self.vertices.iter().map(|&vertex| self.filter_fpr(vertex)).collect();
        Ok(reported_graph::triangles(self, &self.vertices, &fprs))
    }

    /// Removes all edges; the vertices stay.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Returns whether no edge was added.
    pub fn is_empty(&self) -> bool {
        self.bits.words().iter().all(|&word| word == 0)
    }

    /// Returns the hashes of the vertices, ascending.
    pub fn vertices(&self) -> &[u64] {
        &self.vertices
    }

    /// Returns the number of hash functions of every filter.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Returns the share of set bits.
    pub fn fill(&self) -> f64 {
        self.bits.count_ones() as f64 / self.bits.len().max(1) as f64
    }

    /// Returns whether edges have a direction.
    pub fn direction(&self) -> Direction {
        self.direction
    }
}

/// Returns where filters of these sizes start, packed, and where the last one ends; `None` if they are too large.
fn starts_of(sizes: impl ExactSizeIterator<Item = u64>) -> Option<Vec<u64>> {
    let mut starts = Vec::with_capacity(sizes.len() + 1);
    let mut end = 0u64;
    starts.push(end);
    for bits in sizes {
        end = end.checked_add(bits).filter(|&end| end <= MAX_BITS)?;
        starts.push(end);
    }
    Some(starts)
}

/// Returns the number of hash functions with the lowest false-positive rate at this many bits per item.
fn best_hashes(bits: u32) -> u32 {
    let rate = |hashes: u32| pow(1.0 - exp(-f64::from(hashes) / f64::from(bits)), hashes.into());
    (1..=64).min_by(|&one, &other| rate(one).total_cmp(&rate(other))).unwrap_or(1)
}

impl Joined for VertexBlooms {
    fn joined(&self, vertex: u64, others: &[u64]) -> Vec<bool> {
        let Some(filter) = self.filter(vertex) else { return vec![false; others.len()] };
        let is_joined = |&other: &u64| {
            self.is_in(&filter, vertex, other)
                && (self.direction == Direction::Directed || self.keeps(other, vertex))
        };
        others.iter().map(is_joined).collect()
    }

    fn pair_fprs(&self, vertex: u64, others: &[u64]) -> Vec<f64> {
        let of_vertex = self.filter_fpr(vertex);
        let of_other = |&other: &u64| match self.direction {
            Direction::Directed => 1.0,
            Direction::Undirected => self.filter_fpr(other),
        };
        others.iter().map(|other| of_vertex * of_other(other)).collect()
    }
}

shell!(VertexBlooms: hashes, merges);

#[cfg(test)]
mod tests;
