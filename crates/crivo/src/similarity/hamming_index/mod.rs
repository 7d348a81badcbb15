//! An index of fingerprints by Hamming distance: see [`HammingIndex`].

mod params;

pub use params::HammingParams;

use crate::hash::mix;
use crate::kind::Kind;
use crate::memory::{BATCH, with_avx2};
use crate::places::Places;
use crate::similarity::buckets::{Buckets, make_room};
use crate::similarity::numbered::Numbered;
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use params::MAX_BLOCKS;

/// The bytes of an id and a fingerprint in a file.
const DOCUMENT_BYTES: usize = 2 * size_of::<u64>();

/// A Hamming index: finds exactly the documents whose 64-bit fingerprints differ from a given one in at most d bits.
///
/// # Use when / not when
/// Use it to find near-duplicates by the fingerprints of a [`SimHash`](crate::SimHash), or any other 64-bit
/// fingerprints, up to a distance of about ten bits. For Jaccard's similarity use an [`LshIndex`](crate::LshIndex),
/// which also finds less similar pairs, but not all of them. If only the existence of such a document matters, a
/// [`DistanceBloom`](crate::similarity::DistanceBloom) is smaller.
///
/// # Guarantee
/// Exact: all documents within the distance are found, and no others. Whether such documents are similar depends on the
/// fingerprints: at an angle θ, each bit differs with probability θ/π.
///
/// # Space
/// | distance | documents | blocks | look-ups | expected candidates | bytes per document |
/// |---|---|---|---|---|---|
/// | 0 | 1,000,000 | 1 | 1 | 0.0 | 41 |
/// | 3 | 1,000,000 | 3 | 24 | 11 | 66 |
/// | 7 | 1,000,000 | 3 | 487 | 227 | 66 |
/// | 16 | 1,000,000 | none | none | 1,000,000 by linear scan | 26 |
///
/// The document itself takes 16 bytes, 26 with the table of ids; a file has 16.
///
/// # Time
/// An insertion looks up every block once. For a query, [`HammingParams`] has the expected numbers of look-ups and
/// candidates. Fingerprints that are not random have more candidates. For large distances a linear scan is fastest and
/// is used. A removal follows the chains of the documents that share a block.
///
/// # Merge
/// Exact: the merged index has the documents of both, and its bytes equal those of an index that received them all;
/// commutative, associative, idempotent. An id with two fingerprints is refused.
///
/// # Hostile input
/// Answers are exact for any input. An attacker who chooses fingerprints can choose many with an equal block, which
/// slows queries down to a linear scan at worst. Ids and blocks that cluster, in a file too, make an insertion or a
/// look-up no slower than logarithmic.
///
/// # Example
/// ```
/// use crivo::HammingIndex;
/// use crivo::similarity::HammingParams;
/// let mut index = HammingIndex::with_params(HammingParams::for_distance(3, 1_000_000)?);
/// index.insert(1, 0xffff_0000_ffff_0000)?;
/// index.insert(2, 0xffff_0000_ffff_0001)?;
/// index.insert(3, 0x1234_5678_9abc_def0)?;
///
/// let near = index.similar(0xffff_0000_ffff_0003);
/// assert_eq!(near, [(2, 1), (1, 2)]); // ids and distances
/// assert_eq!(index.pairs().collect::<Vec<_>>(), [(1, 2, 1)]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// fingerprint  [ block 0 | block 1 | block 2 ]     within 3 bits: block 0 differs in at most one,
///                   |         |         |          or block 1 or 2 in none
///              22 look-ups    1         1
///                   v         v         v
/// tables        key -> documents that have it, whose fingerprints are then compared
/// ```
///
/// # References
/// Manku, Jain and Das Sarma 2007, doi:10.1145/1242572.1242592 · Norouzi, Punjani and Fleet 2012,
/// doi:10.1109/CVPR.2012.6248043, for blocks with flipped bits.
///
/// # Measured
/// `crivo-lab run c-hamming-index`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct HammingIndex {
    params: HammingParams,
    /// The ids of the documents, in the order of their numbers.
    ids: Numbered<u64>,
    fingerprints: Vec<u64>,
    buckets: Buckets,
}

impl HammingIndex {
    /// Creates an empty index.
    pub fn with_params(params: HammingParams) -> Self {
        Self::empty(params, HashSpec::default())
    }

    /// Inserts a document under an id that the caller chooses.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the id is already present, and `Full` if the index has 2³² − 1 documents. On error
    /// nothing changes.
    pub fn insert(&mut self, id: u64, fingerprint: u64) -> Result<()> {
        if self.number_of(id).is_some() {
            return Err(Error::invalid(format!("document {id} is already in the index; remove it first")));
        }
        if self.ids.len() >= Buckets::MAX_LEN {
            return Err(Error::full(format!(
                "the index is full with {} documents; start another",
                self.ids.len()
            )));
        }
        make_room(&mut self.fingerprints, 1);
        self.ids.push(id);
        self.fingerprints.push(fingerprint);
        self.buckets.push(self.keys(fingerprint).of_all_bands());
        Ok(())
    }

    /// Removes a document, and returns its fingerprint.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there is no such document.
    pub fn remove(&mut self, id: u64) -> Result<u64> {
        let number = self.number_of(id);
        let number = number.ok_or_else(|| Error::invalid(format!("there is no document {id} to remove")))?;
        let last = self.ids.len() - 1;
        let [keys, last_keys] = [number as usize, last].map(|place| self.keys(self.fingerprints[place]));
        self.buckets.swap_remove(number, keys.of_all_bands(), last_keys.of_all_bands());
        self.ids.swap_remove(number);
        Ok(self.fingerprints.swap_remove(number as usize))
    }

    /// Returns the fingerprint of a document.
    pub fn fingerprint(&self, id: u64) -> Option<u64> {
        self.number_of(id).map(|number| self.fingerprints[number as usize])
    }

    /// Returns the ids and distances of the documents within the distance of a fingerprint, nearest first; among equal
    /// distances the smallest id comes first.
    pub fn similar(&self, fingerprint: u64) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        self.for_each_near(fingerprint, |number, distance| found.push((self.ids.at(number), distance)));
        found.sort_unstable_by_key(|&(id, distance)| (distance, id));
        found
    }

    /// Returns all pairs of documents within the distance, each once, in no particular order: the smaller id, the
    /// larger one and the distance.
    pub fn pairs(&self) -> impl Iterator<Item = (u64, u64, u32)> + '_ {
        (0..self.ids.len()).flat_map(|number| {
            let mut found = Vec::new();
            let id = self.ids.at(number as u32);
            self.for_each_near(self.fingerprints[number], |other, distance| {
                if (other as usize) < number {
                    let other = self.ids.at(other);
                    found.push((id.min(other), id.max(other), distance));
                }
            });
            found
        })
    }

    /// Calls `visit` with the number and the distance of each document within the distance.
    fn for_each_near(&self, fingerprint: u64, visit: impl FnMut(u32, u32)) {
        // Whatever the parameters in a file, no query takes longer than a linear scan.
        if self.params.blocks() == 0 || self.params.look_ups() > self.ids.len() as u64 {
            self.compare_all(fingerprint, visit);
        } else {
            self.look_up_blocks(fingerprint, visit);
        }
    }

    fn compare_all(&self, fingerprint: u64, mut visit: impl FnMut(u32, u32)) {
        let mut distances = [0u8; BATCH];
        for (first, others) in (0..).step_by(BATCH).zip(self.fingerprints.chunks(BATCH)) {
            count_differences(&mut distances, fingerprint, others);
            for (number, &distance) in (first..).zip(&distances[..others.len()]) {
                if u32::from(distance) <= self.params.distance() {
                    visit(number, distance.into());
                }
            }
        }
    }

    fn look_up_blocks(&self, fingerprint: u64, mut visit: impl FnMut(u32, u32)) {
        for place in 0..self.params.blocks() {
            let block = self.params.block(place);
            let value = block.of(fingerprint);
            for turned in block.differences() {
                for number in self.buckets.members(place as usize, block_key(value ^ turned)) {
                    let difference = fingerprint ^ self.fingerprints[number as usize];
                    let distance = difference.count_ones();
                    // Distinct blocks may share a key, and documents found by an earlier block were visited there.
                    let is_first = || !(0..place).any(|earlier| self.params.block(earlier).finds(difference));
                    if distance <= self.params.distance() && block.of(difference) == turned && is_first() {
                        visit(number, distance);
                    }
                }
            }
        }
    }

    fn number_of(&self, id: u64) -> Option<u32> {
        self.ids.number(id)
    }

    fn keys(&self, fingerprint: u64) -> Keys {
        let mut keys = Keys { keys: [0; MAX_BLOCKS as usize], bands: 0 };
        for place in 0..self.params.blocks() {
            keys.keys[keys.bands] = block_key(self.params.block(place).of(fingerprint));
            keys.bands += 1;
        }
        keys
    }

    /// Returns the id and the fingerprint of every document, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ids.iter().zip(self.fingerprints.iter().copied())
    }

    fn in_order(&self) -> Vec<(u64, u64)> {
        let mut documents: Vec<(u64, u64)> = self.iter().collect();
        documents.sort_unstable();
        documents
    }

    /// Removes all documents.
    pub fn clear(&mut self) {
        *self = Self::with_params(self.params);
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.has_nothing()
    }
}

/// The keys of a document, one per band.
struct Keys {
    keys: [u32; MAX_BLOCKS as usize],
    bands: usize,
}

impl Keys {
    fn of_all_bands(&self) -> &[u32] {
        &self.keys[..self.bands]
    }
}

/// Hashes a block, because the tables need keys from their whole range.
#[inline]
fn block_key(block: u64) -> u32 {
    (mix(block) >> 32) as u32
}

/// Compares the documents, whatever the order of insertion.
impl PartialEq for HammingIndex {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params
            && self.len() == other.len()
            && self.iter().all(|(id, fingerprint)| other.fingerprint(id) == Some(fingerprint))
    }
}

shell!(HammingIndex: hashes_nothing, sized(HammingParams), merges,
    for_target(HammingParams::for_distance(distance: u32, fingerprints: u64)));

impl Core for HammingIndex {
    const KIND: Kind = Kind::HammingIndex;

    fn heap_bytes(&self) -> usize {
        let fingerprints = self.fingerprints.capacity() * size_of::<u64>();
        self.ids.memory_bytes() + fingerprints + self.buckets.memory_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        for (id, fingerprint) in self.in_order() {
            payload.extend_from_slice(&id.to_le_bytes());
            payload.extend_from_slice(&fingerprint.to_le_bytes());
        }
    }

    fn read(params: HammingParams, file: &mut Payload<'_>) -> Result<Self> {
        let mut index = Self::with_params(params);
        let count = file.bytes.rest().len() / DOCUMENT_BYTES;
        let each = DOCUMENT_BYTES + Places::BYTES;
        file.check_memory((size_of::<Self>() + count * each) as u64)?;
        index.ids.reserve(count);
        index.fingerprints.reserve_exact(count);
        index.buckets.reserve(count);
        let mut last = None;
        while !file.bytes.rest().is_empty() {
            let (id, fingerprint) = (file.bytes.u64()?, file.bytes.u64()?);
            if last.is_some_and(|last| last >= id) {
                return Err(Error::malformed(format!("the file is corrupt: document {id} is out of order")));
            }
            last = Some(id);
            index.insert(id, fingerprint)?;
            // The size of the tables depends on the keys, and computing it takes a while.
            if index.len().is_multiple_of(1024) {
                file.check_memory(index.memory_bytes() as u64)?;
            }
        }
        file.check_memory(index.memory_bytes() as u64)?;
        Ok(index)
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("documents", self.len() as u64)]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        let mut new = 0;
        for (id, fingerprint) in other.iter() {
            match self.fingerprint(id) {
                Some(known) if known != fingerprint => {
                    let field = format!("the fingerprint of document {id}");
                    let (known, other) = (format!("{known:#018x}"), format!("{fingerprint:#018x}"));
                    return Err(Error::incompatible(&field, known, other, "remove one of them first"));
                }
                Some(_) => {}
                None => new += 1,
            }
        }
        if self.ids.len() + new > Buckets::MAX_LEN {
            return Err(Error::full(format!(
                "the merged index would have {} documents; keep them separate",
                self.ids.len() + new
            )));
        }
        for (id, fingerprint) in other.iter() {
            if self.number_of(id).is_none() {
                self.insert(id, fingerprint)?;
            }
        }
        Ok(())
    }
}

impl Empty for HammingIndex {
    fn empty(params: HammingParams, _: HashSpec) -> Self {
        let buckets = Buckets::new(params.blocks() as usize);
        Self { params, ids: Numbered::new(), fingerprints: Vec::new(), buckets }
    }

    fn has_nothing(&self) -> bool {
        self.ids.len() == 0
    }
}

with_avx2! {
    /// Counts the bits in which a word differs from each of some others.
    fn count_differences(counts: &mut [u8], word: u64, others: &[u64]) {
        for (count, other) in counts.iter_mut().zip(others) {
            *count = (word ^ other).count_ones() as u8;
        }
    }
}

#[cfg(test)]
mod tests;
