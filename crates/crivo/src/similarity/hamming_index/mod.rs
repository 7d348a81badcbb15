//! Fingerprints that differ in a few bits: see [`HammingIndex`].

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

/// An id and a fingerprint in a file.
const DOCUMENT_BYTES: usize = 2 * size_of::<u64>();

/// Which documents have a fingerprint that differs from a given one in at most d of its 64 bits: all of them, and no others.
///
/// # Use when / not when
/// Use it to find near-duplicates by the fingerprints of a [`SimHash`](crate::SimHash), or any others of 64 bits, up to
/// about ten bits apart. For Jaccard's similarity, use an [`LshIndex`](crate::LshIndex), which also finds pairs that are
/// less alike, but not all of them. To learn only whether there is any such document, and not which, a
/// [`DistanceBloom`](crate::similarity::DistanceBloom) is smaller.
///
/// # Guarantee
/// Exact: what is within the distance is found, and nothing else. That fingerprints within the distance belong to documents
/// that are alike is the fingerprints' affair: at an angle θ, each bit differs with probability θ/π.
///
/// # Space
/// | distance | documents | blocks | look-ups | expected candidates | bytes a document |
/// |---|---|---|---|---|---|
/// | 0 | 1,000,000 | 1 | 1 | 0.0 | 41 |
/// | 3 | 1,000,000 | 3 | 24 | 11 | 66 |
/// | 7 | 1,000,000 | 3 | 487 | 227 | 66 |
/// | 16 | 1,000,000 | none | none | 1,000,000 in a row | 26 |
///
/// 16 bytes are the document itself, 26 with the table of ids; a file has 16.
///
/// # Time
/// An insertion looks every block up once. For a query, [`HammingParams`] has the expected numbers of look-ups and
/// candidates. Fingerprints that are not random have more candidates. Far apart, comparing all in a row is fastest, and
/// chosen. A removal follows the chains of the documents that share a block.
///
/// # Merge
/// Exact: the merged index has the documents of both, and its bytes are those of one that took them all; commutative,
/// associative, idempotent. One id with two fingerprints is refused.
///
/// # Hostile input
/// Answers are exact whatever comes. Whoever chooses fingerprints can choose many with an equal block, and makes queries slow:
/// at worst, as slow as comparing with all. Ids and blocks that crowd, in a file too, make an insertion or a look-up no slower
/// than logarithmic.
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
/// doi:10.1109/CVPR.2012.6248043, for blocks with bits turned.
///
/// # Measured
/// `crivo-lab run c-hamming-index`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct HammingIndex {
    params: HammingParams,
    /// Of the documents, in the order of their numbers.
    ids: Numbered<u64>,
    fingerprints: Vec<u64>,
    buckets: Buckets,
}

impl HammingIndex {
    /// An empty index.
    pub fn with_params(params: HammingParams) -> Self {
        Self::empty(params, HashSpec::default())
    }

    /// Inserts a document by an id of one's own.
    ///
    /// # Errors
    /// `InvalidArgument` when the id is there already, `Full` when 2³² − 1 documents are; nothing changes then.
    pub fn insert(&mut self, id: u64, fingerprint: u64) -> Result<()> {
        if self.number_of(id).is_some() {
            return Err(Error::invalid(format!("document {id} is there already; remove it first")));
        }
        if self.ids.len() >= Buckets::MAX_LEN {
            return Err(Error::full(format!("{} documents are in the index; start another", self.ids.len())));
        }
        make_room(&mut self.fingerprints, 1);
        self.ids.push(id);
        self.fingerprints.push(fingerprint);
        self.buckets.push(self.keys(fingerprint).of_all_bands());
        Ok(())
    }

    /// Removes a document; tells its fingerprint.
    ///
    /// # Errors
    /// `InvalidArgument` when there is no such document.
    pub fn remove(&mut self, id: u64) -> Result<u64> {
        let number = self.number_of(id);
        let number = number.ok_or_else(|| Error::invalid(format!("there is no document {id} to remove")))?;
        let last = self.ids.len() - 1;
        let [keys, last_keys] = [number as usize, last].map(|place| self.keys(self.fingerprints[place]));
        self.buckets.swap_remove(number, keys.of_all_bands(), last_keys.of_all_bands());
        self.ids.swap_remove(number);
        Ok(self.fingerprints.swap_remove(number as usize))
    }

    /// The fingerprint of a document.
    pub fn fingerprint(&self, id: u64) -> Option<u64> {
        self.number_of(id).map(|number| self.fingerprints[number as usize])
    }

    /// The documents within the distance of a fingerprint: their ids and distances, the nearest first, the smallest id first
    /// among equals.
    pub fn similar(&self, fingerprint: u64) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        self.for_each_near(fingerprint, |number, distance| found.push((self.ids.at(number), distance)));
        found.sort_unstable_by_key(|&(id, distance)| (distance, id));
        found
    }

    /// All pairs of documents within the distance, each once: the smaller id, the larger one and the distance. They come in no
    /// particular order.
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

    /// The number and the distance of each document within the distance.
    fn for_each_near(&self, fingerprint: u64, visit: impl FnMut(u32, u32)) {
        // Whatever a file asks for, no query takes longer than comparing all.
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
                    // Different blocks may share a key; and what an earlier block finds was visited there.
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

    /// All documents, by id and fingerprint, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ids.iter().zip(self.fingerprints.iter().copied())
    }

    fn in_order(&self) -> Vec<(u64, u64)> {
        let mut documents: Vec<(u64, u64)> = self.iter().collect();
        documents.sort_unstable();
        documents
    }

    /// Forgets all documents.
    pub fn clear(&mut self) {
        *self = Self::with_params(self.params);
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.has_nothing()
    }
}

/// The keys of a document, one for each band.
struct Keys {
    keys: [u32; MAX_BLOCKS as usize],
    bands: usize,
}

impl Keys {
    fn of_all_bands(&self) -> &[u32] {
        &self.keys[..self.bands]
    }
}

/// Tables want keys from all over their range.
#[inline]
fn block_key(block: u64) -> u32 {
    (mix(block) >> 32) as u32
}

/// The same documents, whatever order they came in.
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
                return Err(Error::malformed(format!("document {id} is not in its place")));
            }
            last = Some(id);
            index.insert(id, fingerprint)?;
            // How much the tables take depends on the keys, and adding it up takes a while.
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
            return Err(Error::full(format!("there would be {} documents", self.ids.len() + new)));
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
    /// In how many bits a word differs from each of some others.
    fn count_differences(counts: &mut [u8], word: u64, others: &[u64]) {
        for (count, other) in counts.iter_mut().zip(others) {
            *count = (word ^ other).count_ones() as u8;
        }
    }
}

#[cfg(test)]
mod tests;
