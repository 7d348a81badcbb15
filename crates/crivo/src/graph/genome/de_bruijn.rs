//! A graph of k-mers in a Bloom filter: see [`DeBruijn`].

use super::kmer::{Kmer, check_k, kmers};
use super::kmer_set::check_length;
use super::walk::KmerGraph;
use crate::hash::for_each_block;
use crate::kind::Kind;
use crate::membership::{BloomFilter, BloomParams};
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The size of a [`DeBruijn`]: the bases of a k-mer, and the size of the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeBruijnParams {
    k: u32,
    filter: BloomParams,
}

impl DeBruijnParams {
    /// Returns the size for `kmers` distinct k-mers at which any other k-mer is reported with a probability of at most
    /// `fpr`.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 1 to 63, `kmers` 1 or more, `fpr` strictly between 0 and 1, and 128 GiB
    /// suffice.
    pub fn for_fpr(k: u32, kmers: u64, fpr: f64) -> Result<Self> {
        check_k(k)?;
        Ok(Self { k, filter: BloomParams::for_fpr(kmers, fpr)? })
    }

    /// Returns the size with the lowest false-positive rate for this many bits per k-mer. 4 bits are enough to
    /// partition reads, 6 for a closer look.
    ///
    /// ```
    /// use crivo::graph::DeBruijnParams;
    /// let params = DeBruijnParams::for_bits(31, 1_000_000, 4.0)?;
    /// assert!(params.filter().bits() <= 4_000_000);
    /// assert!(params.fpr_at(1_000_000) < 0.15);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 1 to 63, `kmers` 1 or more, and the total number of bits 1 to 2⁴⁰.
    pub fn for_bits(k: u32, kmers: u64, bits: f64) -> Result<Self> {
        check_k(k)?;
        let all = bits * kmers as f64;
        if !(1.0..=1e18).contains(&all) {
            return Err(Error::invalid(format!(
                "{kmers} k-mers of {bits} bits are not a possible size of a filter; 4 to 20 bits are usual"
            )));
        }
        Ok(Self { k, filter: BloomParams::for_bits(all as u64, kmers)? })
    }

    /// Returns k-mers of `k` bases in a filter of this size.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 1 to 63, or if the filter is folded.
    pub fn exact(k: u32, filter: BloomParams) -> Result<Self> {
        check_k(k)?;
        if filter.folds() > 0 {
            return Err(Error::invalid(
                "the filter of a graph must not be folded; create one of the folded size",
            ));
        }
        Ok(Self { k, filter })
    }

    /// Returns the number of bases of a k-mer.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Returns the size of the filter.
    pub fn filter(&self) -> BloomParams {
        self.filter
    }

    /// Returns the probability that a k-mer that was not inserted is reported, with `kmers` others in the graph.
    pub fn fpr_at(&self, kmers: u64) -> f64 {
        self.filter.fpr_at(kmers)
    }

    /// Returns the memory of a graph of this size, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        size_of::<DeBruijn>() as u64 + self.filter.memory_bytes()
    }
}

impl Params for DeBruijnParams {
    const NAMES: &[&str] = &["k", "bits", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.k.into(), self.filter.bits(), self.filter.hashes().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let filter = BloomParams::of(&[0, numbers[2], numbers[1]])?;
        Self::exact(narrow(numbers[0])?, filter)
    }

    fn memory_bytes(&self) -> u64 {
        self.memory_bytes()
    }
}

/// A de Bruijn graph in a Bloom filter: billions of k-mers of a genome and their successors, in a few bits each.
///
/// # Use when / not when
/// Use it for the k-mers of reads that are too many for a table: to partition a metagenome into connected components,
/// or to ask whether a sequence occurs. If all k-mers are known and paths must be correct, an
/// [`ExactDeBruijn`](super::ExactDeBruijn) takes fewer bits and follows no false edge. If they fit in memory at 20 to
/// 40 bytes each, a [`KmerSet`](super::KmerSet) is exact and may grow. For the frequencies of k-mers use a
/// [`CountMin`](crate::CountMin).
///
/// # Guarantee
/// No inserted k-mer is denied, so no path of the genome is broken. Any other k-mer is reported with the probability
/// [`fpr`](Self::fpr), exact for the present fill. So a true k-mer has six or seven possible false neighbours, each
/// present with that probability. Walks may leave the genome; components can only be too large.
///
/// # Space
/// 1.44·log₂(1/rate) bits per k-mer. The 4,554,207 canonical 31-mers of E. coli K-12:
///
/// | bits per k-mer | rate | bytes | false neighbours of a k-mer |
/// |---|---|---|---|
/// | 4 | 14.7 % | 2.28 MB | 0.88 |
/// | 6 | 5.6 % | 3.42 MB | 0.34 |
/// | 10 | 0.82 % | 5.69 MB | 0.05 |
///
/// # Time
/// A sequence is processed base by base: a few shifts and one hash for each k-mer, and one scattered bit per hash
/// function (three at 4 bits, four at 6). The neighbours of a k-mer take eight queries.
///
/// # Merge
/// Exact: the union of two graphs equals the graph of both sets of sequences, bit for bit; commutative, associative and
/// idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can construct sequences whose k-mers are all reported, or connect two genomes. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::graph::{DeBruijn, DeBruijnParams, KmerGraph};
/// let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(7, 1000, 1e-6)?);
/// assert_eq!(graph.add_sequence(b"GATTACAGATTACC"), 8); // eight places, seven distinct 7-mers
/// assert!(graph.contains("TGTAATC".parse()?)); // GATTACA, read from the other strand
/// let next: Vec<String> = graph.after("AGATTAC".parse()?).map(|kmer| kmer.to_string()).collect();
/// assert_eq!(next, ["GATTACA", "GATTACC"]); // a fork
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// GATTACC   k = 4     GATT ─ ATTA ─ TTAC ─ TACC      no edges are stored:
///                     AATC   TAAT   GTAA   GGTA      for ATTA, query TTAA TTAC TTAG TTAT
///                     └ the smaller of both strands     and AATT CATT GATT TATT
///                       goes into a Bloom filter
/// ```
///
/// # References
/// Pell et al., doi:10.1073/pnas.1121464109 · Bloom, doi:10.1145/362686.362692.
///
/// # Measured
/// `crivo-lab run c-de-bruijn`, `e-percolation`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct DeBruijn {
    k: u32,
    filter: BloomFilter,
}

impl DeBruijn {
    /// Creates an empty graph of this size.
    pub fn with_params(params: DeBruijnParams) -> Self {
        Self::empty(params, HashSpec::default())
    }

    /// Inserts the k-mers of a sequence, and returns their number, including repetitions. See [`kmers`](super::kmers)
    /// for what counts as a base.
    pub fn add_sequence(&mut self, sequence: &[u8]) -> u64 {
        let mut count = 0;
        if let Ok(all) = kmers(sequence, self.k) {
            for_each_block(*self.filter.hash_spec(), all, |hashes| {
                self.filter.insert_hashes(hashes);
                count += hashes.len() as u64;
            });
        }
        count
    }

    /// Inserts a k-mer, and with it its reverse complement. Returns true if it was certainly new.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if its number of bases differs from that of the graph.
    pub fn insert(&mut self, kmer: Kmer) -> Result<bool> {
        check_length(kmer, self.k)?;
        Ok(self.filter.insert(&kmer.canonical()))
    }

    /// Inserts k-mers by the hashes of their canonical forms under [`hash_spec`](Self::hash_spec). The caller must
    /// ensure that they are such hashes.
    ///
    /// ```
    /// use crivo::graph::{DeBruijn, DeBruijnParams, KmerGraph, kmers};
    /// let mut graph = DeBruijn::with_params(DeBruijnParams::for_fpr(5, 100, 1e-6)?);
    /// let spec = *graph.hash_spec();
    /// let hashes: Vec<u64> = kmers(b"GATTACA", 5)?.map(|kmer| spec.hash(&kmer)).collect();
    /// graph.insert_hashes(&hashes);
    /// assert!(graph.contains("TTACA".parse()?));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        self.filter.insert_hashes(hashes);
    }

    /// Returns the probability that a k-mer that was not inserted is reported, exact for the present fill.
    pub fn fpr(&self) -> Estimate {
        self.filter.fpr()
    }

    /// Estimates the number of distinct k-mers, with the 95 % interval of the normal limit law.
    pub fn cardinality(&self) -> Estimate {
        self.filter.cardinality()
    }

    /// Returns the share of set bits.
    pub fn fill(&self) -> f64 {
        self.filter.fill()
    }

    /// Returns the size.
    pub fn params(&self) -> DeBruijnParams {
        DeBruijnParams { k: self.k, filter: self.filter.params() }
    }
}

impl KmerGraph for DeBruijn {
    fn k(&self) -> u32 {
        self.k
    }

    /// Returns whether the k-mer may be in the graph. A k-mer of another length is not.
    fn contains(&self, kmer: Kmer) -> bool {
        kmer.k() == self.k && self.filter.contains(&kmer.canonical())
    }
}

shell!(DeBruijn: hashes_by(self => self.filter.hash_spec()), starts, merges,
    for_target(DeBruijnParams::for_fpr(k: u32, kmers: u64, fpr: f64)));

impl OfSize for DeBruijn {
    type Params = DeBruijnParams;

    fn params(&self) -> DeBruijnParams {
        self.params()
    }
}

impl Core for DeBruijn {
    const KIND: Kind = Kind::DeBruijn;

    fn heap_bytes(&self) -> usize {
        self.filter.heap_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.filter.write(payload);
    }

    fn read(params: DeBruijnParams, file: &mut Payload<'_>) -> Result<Self> {
        Ok(Self { k: params.k, filter: BloomFilter::read(params.filter, file)? })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("fill", self.fill()),
            Fact::estimate("kmers", self.cardinality()),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.filter.absorb(&other.filter)
    }
}

impl Empty for DeBruijn {
    fn empty(params: DeBruijnParams, spec: HashSpec) -> Self {
        Self { k: params.k, filter: BloomFilter::empty(params.filter, spec) }
    }

    fn has_nothing(&self) -> bool {
        self.filter.has_nothing()
    }
}
