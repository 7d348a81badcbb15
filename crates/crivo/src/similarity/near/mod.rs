//! Which documents of many are nearly the same? See [`NearDuplicates`].

mod candidates;
mod classes;
mod groups;
mod params;
mod rows;
mod set;

pub use groups::{Group, Keep};
pub use params::NearParams;
pub use rows::GroupedRows;
pub use set::ExactSet;

use super::{Scheme, Shingles};
use crate::memory::lower_slots;
use crate::{Error, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use candidates::{Matches, join};
use classes::Classes;
use core::fmt;
use groups::{Forest, Members};

/// Finds the near-duplicates among many documents: their signatures are kept, not they.
#[derive(Clone)]
pub struct NearDuplicates {
    params: NearParams,
    classes: Classes,
    /// Of each document, the class of its set.
    class_of: Vec<u32>,
    /// Of each document, how many shingles it has, repeated ones included.
    lengths: Vec<u32>,
}

/// A document as [`NearDuplicates`] takes it: from [`NearDuplicates::sign`].
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    set: ExactSet,
    fingerprint: u128,
    slots: Vec<u8>,
    length: u32,
}

impl Document {
    /// The document's set of shingles.
    pub fn set(&self) -> &ExactSet {
        &self.set
    }
}

/// Two near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The document that was inserted first, by its index from 0.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// How alike their sets are: exactly, or as the signatures tell.
    pub similarity: f64,
}

/// How candidates are verified.
pub enum Verify<'a> {
    /// By their signatures: an estimate, with a standard error of √(s(1 − s)/slots).
    Signature,
    /// Exactly, by the sets that were [kept](NearDuplicates::keeping_sets).
    Kept,
    /// Exactly, by the hashes of the document with this index, which the function appends to the list: a second pass
    /// over the input. They must be the ones that were signed.
    Asked(&'a mut dyn FnMut(u32, &mut Vec<u64>)),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many documents there are.
    pub documents: u64,
    /// How many different sets they have.
    pub different: u64,
    /// How many pairs of different sets were compared.
    pub candidates: u64,
    /// How many of these reach the threshold.
    pub verified: u64,
}

impl NearDuplicates {
    /// Most documents that one search can have.
    pub const MAX_DOCUMENTS: u32 = u32::MAX;

    /// No documents yet. Of each its signature is kept; exact verification [asks](Verify::Asked) for its hashes again.
    pub fn new(params: NearParams) -> Self {
        Self {
            params,
            classes: Classes::new(params.slots(), false),
            class_of: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// No documents yet. Of each its signature and its set are kept: 8 bytes more for each different shingle.
    pub fn keeping_sets(params: NearParams) -> Self {
        Self { classes: Classes::new(params.slots(), true), ..Self::new(params) }
    }

    /// The signature of a document, from the hashes of its shingles. Takes most of the time, and many threads at once.
    pub fn sign(&self, hashes: &[u64]) -> Document {
        let set = ExactSet::new(hashes);
        let mut slots = vec![Scheme::EMPTY; self.params.slots() as usize];
        lower_slots(&mut slots, set.hashes());
        Document {
            fingerprint: set.fingerprint(),
            slots: slots.into_iter().map(one_byte).collect(),
            length: u32::try_from(hashes.len()).unwrap_or(u32::MAX),
            set,
        }
    }

    /// Takes a document in; its index, counted from 0.
    ///
    /// # Errors
    /// `Incompatible` when other parameters signed it, `Full` after 2³² − 1 documents; nothing changes then.
    pub fn insert(&mut self, document: &Document) -> Result<u32> {
        let (ours, theirs) = (self.params.slots(), document.slots.len());
        if theirs != ours as usize {
            return Err(Error::incompatible(
                "slots",
                ours,
                theirs,
                "sign documents with the same parameters",
            ));
        }
        let index = self.class_of.len() as u32;
        if index == Self::MAX_DOCUMENTS {
            return Err(Error::full("a search has at most 4,294,967,295 documents; search parts of them"));
        }
        self.class_of.push(self.classes.insert(document, index));
        self.lengths.push(document.length);
        Ok(index)
    }

    /// Visits all pairs of near-duplicates that are found, each once, in no particular order. Of m equal documents
    /// there are m(m − 1)/2 pairs; [`groups`](Self::groups) does without them.
    ///
    /// # Errors
    /// `InvalidArgument` when sets are to be compared that were not kept.
    pub fn pairs(&self, verify: Verify<'_>, mut visit: impl FnMut(Pair)) -> Result<Summary> {
        let members = Members::new(self.class_of.iter().copied(), self.classes.len());
        let summary = self.join(verify, &mut AllPairs { members: &members, visit: &mut visit })?;
        for class in members.iter() {
            for (place, &first) in class.iter().enumerate() {
                class[place + 1..].iter().for_each(|&second| visit(Pair { first, second, similarity: 1.0 }));
            }
        }
        Ok(summary)
    }

    /// The groups of near-duplicates: documents that pairs connect, directly or through others.
    ///
    /// # Errors
    /// `InvalidArgument` when sets are to be compared that were not kept.
    pub fn groups(&self, verify: Verify<'_>, keep: Keep) -> Result<(Vec<Group>, Summary)> {
        let mut forest = Forest::new(self.classes.len());
        let summary = self.join(verify, &mut forest)?;
        Ok((forest.groups(&self.class_of, &self.lengths, keep), summary))
    }

    fn join(&self, verify: Verify<'_>, matches: &mut impl Matches) -> Result<Summary> {
        let (candidates, verified) = join(&self.classes, &self.params, verify, matches)?;
        let (documents, different) = (self.len() as u64, self.classes.len() as u64);
        Ok(Summary { documents, different, candidates, verified })
    }

    /// The parameters.
    pub fn params(&self) -> &NearParams {
        &self.params
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        let documents = memory_of(&self.class_of) + memory_of(&self.lengths);
        size_of::<Self>() + documents + self.classes.memory_bytes()
    }
}

impl fmt::Debug for NearDuplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NearDuplicates({} documents, {} different)", self.len(), self.classes.len())
    }
}

impl fmt::Debug for Verify<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signature => "Signature",
            Self::Kept => "Kept",
            Self::Asked(_) => "Asked",
        })
    }
}

/// Shows each pair of documents whose classes match.
struct AllPairs<'a, V> {
    members: &'a Members,
    visit: &'a mut V,
}

impl<V: FnMut(Pair)> Matches for AllPairs<'_, V> {
    fn wants(&mut self, _one: u32, _other: u32) -> bool {
        true
    }

    fn found(&mut self, one: u32, other: u32, similarity: f64) {
        for &one in self.members.of(one as usize) {
            for &other in self.members.of(other as usize) {
                (self.visit)(Pair { first: one.min(other), second: one.max(other), similarity });
            }
        }
    }
}

/// What [`near_duplicates`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// All pairs, by their documents in ascending order.
    pub pairs: Vec<Pair>,
    /// All groups, by their first documents.
    pub groups: Vec<Group>,
    /// What was done.
    pub summary: Summary,
}

/// The near-duplicates among texts, verified exactly. The first of each group is the one to keep.
///
/// # Errors
/// `Full` after 2³² − 1 texts.
pub fn near_duplicates<T: AsRef<[u8]>>(
    texts: impl IntoIterator<Item = T>,
    shingles: &Shingles,
    params: NearParams,
) -> Result<Report> {
    let spec = HashSpec::default();
    let mut search = NearDuplicates::keeping_sets(params);
    for text in texts {
        let document = search.sign(&shingles.hashes(text, &spec));
        search.insert(&document)?;
    }
    let mut pairs = Vec::new();
    let mut forest = Forest::new(search.len());
    let summary = search.pairs(Verify::Kept, |pair| {
        forest.connect(pair.first, pair.second);
        pairs.push(pair);
    })?;
    pairs.sort_unstable_by_key(|pair| (pair.first, pair.second));
    let documents: Vec<u32> = (0..search.len() as u32).collect();
    Ok(Report { pairs, groups: forest.groups(&documents, &search.lengths, Keep::First), summary })
}

/// What a vector has allocated, in bytes.
fn memory_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// A byte that depends on all of a slot.
fn one_byte(slot: u32) -> u8 {
    (slot.wrapping_mul(0x9e37_79b1) >> 24) as u8
}
