//! A graph of k-mers without false edges: see [`ExactDeBruijn`].

use super::kmer::{Kmer, check_k};
use super::kmer_set::KmerSet;
use super::walk::KmerGraph;
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::membership::{BinaryFuse, BinaryFuseParams};
use crate::sketch::{Core, Fact, OfSize, Params, Payload, narrow, shell};
use crate::valued::{BloomierFilter, BloomierParams};
use crate::{Error, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// The bits of a fingerprint. Each bit costs 1.13 bits per k-mer and halves the number of false neighbours; a k-mer has
/// six candidates, and each false neighbour costs 1.13 bits: 1.13·(w + 1 + 6/2ʷ) is 5.65 for w = 1, 5.09 for 2 and 5.37
/// for 3.
const FINGERPRINT_BITS: u32 = 2;

/// An exact de Bruijn graph: an immutable graph of a set of k-mers whose paths are all correct, in five bits per k-mer.
///
/// # Use when / not when
/// Use it for walks: unitigs, components and everything that an assembler does. The set must be known as a whole, as a
/// [`KmerSet`](super::KmerSet); if sequences arrive one by one, or graphs are to be merged, use a
/// [`DeBruijn`](super::DeBruijn). It is exact only for k-mers of the set and their neighbours: for the membership of
/// arbitrary k-mers use a [`BinaryFuse`](crate::BinaryFuse).
///
/// # Guarantee
/// Exact for every k-mer of the set and for the neighbours of every k-mer of the set. So a walk that begins at a k-mer
/// of the set never leaves it: neighbours, walks, components and unitigs are those of the set. About one in eight of
/// all other k-mers is reported. Where k-mers are too long for 64-bit hashes to be injective, the set is checked for
/// collisions when it is frozen.
///
/// # Space
/// 5.1 bits per k-mer, on any genome that does not fork often: the 4,554,207 canonical 31-mers of E. coli K-12 take
/// 2.85 MB (5.01 bits). Construction needs 131 bytes per k-mer, including the set (E. coli K-12, the whole process).
///
/// # Time
/// A k-mer that is denied costs three cells in neighbouring segments, one that is found costs three more. The
/// neighbours of a k-mer take eight queries. Freezing queries all neighbours of all k-mers.
///
/// # Merge
/// Not supported. Freeze the union of both sets.
///
/// # Hostile input
/// Paths are correct for all sequences. An attacker who knows the seed can choose k-mers for which every attempt to
/// freeze them fails: an error, never an endless loop. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::graph::{ExactDeBruijn, KmerGraph, KmerSet, unitigs};
/// let mut set = KmerSet::new(7)?;
/// set.add_sequence(b"GATTACAGATTACCTT");
/// let graph = ExactDeBruijn::freeze(&set)?;
/// let next: Vec<String> = graph.after("AGATTAC".parse()?).map(|kmer| kmer.to_string()).collect();
/// assert_eq!(next, ["GATTACA", "GATTACC"]);
/// assert_eq!(unitigs(&graph, set.iter()).count(), 2);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///   the k-mers ──→ a binary fuse filter: all of them, and a quarter of all others
///       │                   │
///   their eight neighbours ─┴→ those that the filter reports: true ones, and false ones by chance
///                                       │
///                              one bit each, and no keys: is it true?
/// ```
///
/// # References
/// Chikhi and Rizk, doi:10.1186/1748-7188-8-22, store the false neighbours in a table, at 13 bits per k-mer; Salikhov,
/// Sacomoto and Kucherov, doi:10.1186/1748-7188-9-2, in further filters, at 8 to 9. New here: one bit for each, true or
/// false, replaces them, by retrieval from xored cells (Dietzfelbinger and Pagh, doi:10.1007/978-3-540-70575-8_32).
///
/// # Measured
/// `crivo-lab run c-exact-de-bruijn`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct ExactDeBruijn {
    k: u32,
    reported: BinaryFuse,
    /// 1 for the k-mers of the set, 0 for their false neighbours that the filter reports.
    truth: BloomierFilter,
}

impl ExactDeBruijn {
    /// Builds the graph of a set, with the default hash.
    ///
    /// # Errors
    /// Fails as [`freeze_with`](Self::freeze_with) does.
    pub fn freeze(set: &KmerSet) -> Result<Self> {
        Self::freeze_with(set, HashSpec::default())
    }

    /// Builds the graph of a set, with a custom hash.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for more k-mers than a filter can hold, about 1.5 billion, and for two k-mers with the
    /// same hash, which is impossible up to 31 bases under the default hash and extremely unlikely beyond;
    /// `Unsupported` if the k-mers were chosen such that none of 64 attempts works.
    pub fn freeze_with(set: &KmerSet, spec: HashSpec) -> Result<Self> {
        let width = BinaryFuseParams::with_width(FINGERPRINT_BITS)?;
        let inside = set.iter().map(|kmer| spec.hash(&kmer));
        let reported = BinaryFuse::freeze_hashes(inside.clone(), width, spec)?;
        if reported.len() != set.len() {
            return Err(same_hash());
        }
        let mut bits: Vec<(u64, u64)> = inside.map(|hash| (hash, 1)).collect();
        for kmer in set.iter() {
            for neighbour in kmer.shifted_left().into_iter().chain(kmer.shifted_right()) {
                let neighbour = neighbour.canonical();
                let hash = spec.hash(&neighbour);
                if reported.contains_hash(hash) && !set.contains(neighbour) {
                    bits.push((hash, 0));
                }
            }
        }
        // A false neighbour with the hash of a k-mer of the set would have two values.
        let truth = BloomierFilter::freeze_hashes(bits, BloomierParams::exact(1, 0)?, spec)?;
        Ok(Self { k: set.k(), reported, truth })
    }

    /// Returns the number of k-mers.
    pub fn len(&self) -> u64 {
        self.reported.len()
    }

    /// Returns whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Returns how many false neighbours the filter alone would report: the *critical false positives*.
    pub fn false_neighbours(&self) -> u64 {
        self.truth.len() - self.reported.len()
    }
}

fn same_hash() -> Error {
    Error::invalid("two k-mers have the same 64-bit hash; freeze the set with another seed")
}

impl KmerGraph for ExactDeBruijn {
    fn k(&self) -> u32 {
        self.k
    }

    fn vertices(&self) -> Option<u64> {
        Some(self.len())
    }

    /// Exact for the k-mers of the set and their neighbours.
    fn contains(&self, kmer: Kmer) -> bool {
        let hash = self.hash_spec().hash(&kmer.canonical());
        kmer.k() == self.k && self.reported.contains_hash(hash) && self.truth.value_hash(hash) == Some(1)
    }
}

shell!(ExactDeBruijn: hashes_by(self => self.reported.hash_spec()));

impl OfSize for ExactDeBruijn {
    type Params = K;

    fn params(&self) -> K {
        K(self.k)
    }
}

impl Core for ExactDeBruijn {
    const KIND: Kind = Kind::ExactDeBruijn;

    fn heap_bytes(&self) -> usize {
        self.reported.memory_bytes() - size_of::<BinaryFuse>() + self.truth.memory_bytes()
            - size_of::<BloomierFilter>()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        for part in [self.reported.to_bytes(), self.truth.to_bytes()] {
            put_u64_varint(payload, part.len() as u64);
            payload.extend(part);
        }
    }

    fn read(K(k): K, file: &mut Payload<'_>) -> Result<Self> {
        let reported = BinaryFuse::from_bytes_with(file.bytes.framed()?, &file.options)?;
        let truth = BloomierFilter::from_bytes_with(file.bytes.framed()?, &file.options)?;
        let (width, bits) = (reported.params().width(), truth.params());
        let fit = width == FINGERPRINT_BITS && bits.value_bits() == 1 && bits.check_bits() == 0;
        let all_are_known = reported.len() <= truth.len() && reported.is_empty() == truth.is_empty();
        let one_hash = [reported.hash_spec(), truth.hash_spec()].iter().all(|&&spec| spec == file.spec);
        if !(fit && all_are_known && one_hash) {
            return Err(Error::malformed(
                "the file is corrupt: the parts of the graph contradict each other",
            ));
        }
        let graph = Self { k, reported, truth };
        file.check_memory(graph.memory_bytes() as u64)?;
        Ok(graph)
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("kmers", self.len()), Fact::count("false_neighbours", self.false_neighbours())]
    }
}

/// The number of bases of a k-mer.
#[derive(Clone)]
pub(crate) struct K(u32);

impl Params for K {
    const NAMES: &[&str] = &["k"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let k = narrow(numbers[0])?;
        check_k(k)?;
        Ok(Self(k))
    }
}
