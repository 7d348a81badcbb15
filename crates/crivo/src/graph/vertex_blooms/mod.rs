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

/// The most bits of all filters together: as many as a Bloom filter may have.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// A graph in pieces: each vertex has a small Bloom filter of its neighbours, and the filters of two vertices tell whether
/// they are joined.
///
/// # Use when / not when
/// Use it where every vertex is to carry its own part of the graph, or where degrees are asked for: a filter knows its own.
/// The vertices, and best their degrees, must be known before the edges come. Where they are not, an
/// [`EdgeBloom`](super::EdgeBloom) takes whatever comes, and is smaller where degrees are small: it has no table of vertices.
///
/// # Guarantee
/// No false negatives, ever. In an undirected graph both filters must agree: two vertices u and v that are not joined are
/// reported with the probability [`fpr`](Self::fpr) = p(u)·p(v), exact at the present fill, about 0.008² = 0.00007 at ten
/// bits a neighbour. In a directed graph the filter of the first vertex decides, with p(u). The bounds of
/// [`degree`](Self::degree), [`common_neighbours`](Self::common_neighbours) and [`triangles`](Self::triangles) are
/// approximate.
///
/// # Space
/// The bits of the filters, side by side without gaps, and 16 bytes a vertex for its hash and the place of its filter. At
/// ten bits a neighbour an undirected edge takes 20 bits, since both ends keep it.
///
/// | bits a neighbour | functions | p of a filter of 100 | p(u)·p(v) |
/// |---|---|---|---|
/// | 5 | 3 | 9.2 % | 0.85 % |
/// | 10 | 7 | 0.83 % | 0.0068 % |
/// | 20 | 14 | 0.0068 % | 0.0000005 % |
///
/// # Time
/// A binary search for either vertex, and the bits of one or two filters. `neighbours` and `common_neighbours` ask for every
/// vertex given, `triangles` for every pair of all.
///
/// # Merge
/// Exact, of graphs made for the same vertices and sizes: the filters of both sets of edges, bit for bit; commutative,
/// associative and idempotent.
///
/// # Hostile input
/// Whoever knows the seed can choose edges that fill filters early or pairs that all seem joined. Use
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
///            │0110 1001│01 01│0 1 1 0│1011 0010│    and, of "Braga–Porto", in that of Braga:
///            └─────────┴─────┴───────┴─────────┘    the two answers are independent
/// ```
///
/// # References
/// Bloom, doi:10.1145/362686.362692 · the filters of neighbourhoods: Besta et al., doi:10.1109/SC41404.2022.00048. Beyond
/// them: filters as large as their vertex needs, and both ends' agreement.
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
    /// Where the filter of each vertex starts, and where the last ends.
    starts: Vec<u64>,
    bits: BitVec,
}

impl VertexBlooms {
    /// A graph without edges, for vertices with these hashes, which `spec` made, and degrees: filters of `bits` bits a
    /// neighbour. Of a directed graph the degrees are those of edges that leave.
    ///
    /// # Errors
    /// `InvalidArgument` when `bits` is not 1 to 64, a vertex comes with two degrees, or all filters would exceed 2⁴⁰ bits.
    pub fn for_degrees(
        degrees: impl IntoIterator<Item = (u64, u64)>,
        bits: u32,
        direction: Direction,
        spec: HashSpec,
    ) -> Result<Self> {
        if !(1..=64).contains(&bits) {
            return Err(Error::invalid(format!(
                "a neighbour takes from 1 to 64 bits, got {bits}; 10 is usual"
            )));
        }
        let sizes = degrees.into_iter().map(|(vertex, degree)| (vertex, degree.saturating_mul(bits.into())));
        Self::with_sizes(sizes, best_hashes(bits), direction, spec)
    }

    /// A graph without edges, for vertices with these hashes, which `spec` made, and filters of so many bits and hash
    /// functions: where degrees are not known, all of one size.
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
    /// `InvalidArgument` when `hashes` is not 1 to 64, a vertex comes with two sizes, or all filters would exceed 2⁴⁰ bits.
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
                "a vertex has one filter, but one came with {} and with {} bits; choose between them",
                twice[0].1, twice[1].1
            )));
        }
        let vertices = sizes.iter().map(|&(vertex, _)| vertex).collect();
        let starts = starts_of(sizes.iter().map(|&(_, bits)| bits)).ok_or_else(|| {
            Error::invalid(format!("all filters together have at most {MAX_BITS} bits; choose smaller ones"))
        })?;
        let bits = BitVec::new(starts[sizes.len()]);
        Ok(Self { direction, hashes, spec, vertices, starts, bits })
    }

    /// Adds an edge; true when it was certainly new.
    ///
    /// # Errors
    /// `InvalidArgument` when a vertex that keeps it is not one of the graph's, or has a filter of no bits; nothing changes
    /// then.
    pub fn add_edge<T: Item + ?Sized, U: Item + ?Sized>(&mut self, from: &T, to: &U) -> Result<bool> {
        self.add_edge_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// Adds the edge between the vertices with these hashes; true when it was certainly new.
    ///
    /// # Errors
    /// As [`add_edge`](Self::add_edge).
    pub fn add_edge_hash(&mut self, from: u64, to: u64) -> Result<bool> {
        let of_from = self.filter_to_fill(from)?;
        if self.direction == Direction::Directed {
            return Ok(self.insert(of_from, from, to));
        }
        let of_to = self.filter_to_fill(to)?;
        // A loop is kept once.
        let is_new = self.insert(of_from, from, to);
        Ok(self.insert(of_to, to, from) || is_new)
    }

    fn filter_to_fill(&self, vertex: u64) -> Result<Range<u64>> {
        let filter = self.filter(vertex).ok_or_else(|| {
            Error::invalid(format!(
                "the vertex with the hash {vertex:#x} is not one of the {} that the graph was made for; give them all",
                self.vertices.len()
            ))
        })?;
        if filter.is_empty() {
            return Err(Error::invalid(format!(
                "the vertex with the hash {vertex:#x} was said to have no neighbours; give its degree"
            )));
        }
        Ok(filter)
    }

    fn insert(&mut self, filter: Range<u64>, from: u64, to: u64) -> bool {
        let hash = edge_hash(from, to, Direction::Directed);
        let probes = Probes::new(hash, filter.end - filter.start).take(self.hashes as usize);
        probes.fold(false, |is_new, place| self.bits.set(filter.start + place) | is_new)
    }

    /// The bits of a vertex.
    fn filter(&self, vertex: u64) -> Option<Range<u64>> {
        let place = self.vertices.binary_search(&vertex).ok()?;
        Some(self.starts[place]..self.starts[place + 1])
    }

    /// Whether two vertices may be joined: `false` is certain. A vertex that is not one of the graph's is not.
    pub fn has_edge<T: Item + ?Sized, U: Item + ?Sized>(&self, from: &T, to: &U) -> bool {
        self.has_edge_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// Whether the vertices with these hashes may be joined.
    pub fn has_edge_hash(&self, from: u64, to: u64) -> bool {
        self.keeps(from, to) && (self.direction == Direction::Directed || self.keeps(to, from))
    }

    /// Whether each of many pairs may be joined.
    pub fn has_edge_hashes(&self, pairs: &[(u64, u64)]) -> Vec<bool> {
        pairs.iter().map(|&(from, to)| self.has_edge_hash(from, to)).collect()
    }

    /// Whether the filter of one vertex reports the other.
    fn keeps(&self, from: u64, to: u64) -> bool {
        self.filter(from).is_some_and(|filter| self.is_in(&filter, from, to))
    }

    fn is_in(&self, filter: &Range<u64>, from: u64, to: u64) -> bool {
        let hash = edge_hash(from, to, Direction::Directed);
        let mut probes = Probes::new(hash, filter.end - filter.start).take(self.hashes as usize);
        !filter.is_empty() && probes.all(|place| self.bits.get(filter.start + place))
    }

    /// Those of `vertices` that seem joined to this one: all that are, and few others.
    pub fn neighbours<'a, T: Item>(&self, vertex: &T, vertices: &'a [T]) -> Vec<&'a T> {
        let hashes: Vec<u64> = vertices.iter().map(|vertex| self.spec.hash(vertex)).collect();
        let answers = self.joined(self.spec.hash(vertex), &hashes);
        vertices.iter().zip(answers).filter(|(_, is_joined)| *is_joined).map(|(vertex, _)| vertex).collect()
    }

    /// How many neighbours a vertex has, from the fill of its filter alone, with the interval of the normal limit law at
    /// 95 %. Of a directed graph: how many edges leave it.
    ///
    /// # Errors
    /// `InvalidArgument` when it is not one of the graph's.
    pub fn degree<T: Item + ?Sized>(&self, vertex: &T) -> Result<Estimate> {
        self.degree_hash(self.spec.hash(vertex))
    }

    /// [`degree`](Self::degree) of the vertex with this hash.
    ///
    /// # Errors
    /// As [`degree`](Self::degree).
    pub fn degree_hash(&self, vertex: u64) -> Result<Estimate> {
        let filter = self.filter(vertex).ok_or_else(|| {
            Error::invalid(format!(
                "no vertex of the graph has the hash {vertex:#x}; give one that it was made for"
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

    /// The chance that the filter of a vertex reports what is not in it.
    fn filter_fpr(&self, vertex: u64) -> f64 {
        let filter = self.filter(vertex).unwrap_or(0..0);
        if filter.is_empty() { 0.0 } else { self.occupancy(&filter).fpr() }
    }

    /// The probability that these two vertices are reported to be joined when they are not, exact at the present fill.
    pub fn fpr<T: Item + ?Sized>(&self, from: &T, to: &T) -> Estimate {
        self.fpr_hash(self.spec.hash(from), self.spec.hash(to))
    }

    /// [`fpr`](Self::fpr) of the vertices with these hashes.
    pub fn fpr_hash(&self, from: u64, to: u64) -> Estimate {
        let of_to = if self.direction == Direction::Directed { 1.0 } else { self.filter_fpr(to) };
        Estimate::exact(self.filter_fpr(from) * of_to)
    }

    /// How many of `vertices`, all different and known by their hashes, are joined to both of two.
    pub fn common_neighbours<T: Item + ?Sized>(&self, one: &T, other: &T, vertices: &[u64]) -> Estimate {
        reported_graph::common_neighbours(self, self.spec.hash(one), self.spec.hash(other), vertices)
    }

    /// How many triangles the graph has.
    ///
    /// Every pair of vertices is asked for: a few seconds for ten thousand.
    ///
    /// # Errors
    /// `Unsupported` for a directed graph.
    pub fn triangles(&self) -> Result<Estimate> {
        self.direction.check_undirected()?;
        let fprs: Vec<f64> = self.vertices.iter().map(|&vertex| self.filter_fpr(vertex)).collect();
        Ok(reported_graph::triangles(self, &self.vertices, &fprs))
    }

    /// Forgets all edges; the vertices stay.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Whether no edge was added.
    pub fn is_empty(&self) -> bool {
        self.bits.words().iter().all(|&word| word == 0)
    }

    /// The hashes of the vertices, ascending.
    pub fn vertices(&self) -> &[u64] {
        &self.vertices
    }

    /// The number of hash functions of every filter.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// The share of bits that are set.
    pub fn fill(&self) -> f64 {
        self.bits.count_ones() as f64 / self.bits.len().max(1) as f64
    }

    /// Whether edges have a direction.
    pub fn direction(&self) -> Direction {
        self.direction
    }
}

/// Where filters of these sizes start, side by side, and where the last ends; `None` when they are too large.
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

/// The number of hash functions with the lowest rate at so many bits an item.
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
