//! An index of signatures by LSH bands: see [`LshIndex`].

mod answers;

use super::LshParams;
use super::buckets::Buckets;
use super::numbered::Numbered;
use super::signature::{Scheme, Signature};
use super::signature_form::{Banded, Form};
use super::signature_rows::Rows;
#[cfg(doc)]
use crate::Estimate;
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Payload, check_same, shell};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// An LSH index: finds the sets that are similar to a query, or to each other, by the bands that their signatures
/// share.
///
/// # Use when / not when
/// Use it for thousands to millions of sets, to find those of a similarity of, say, 0.5 or more without comparing all
/// pairs. For bit strings within a small distance, [`HammingIndex`](crate::HammingIndex) misses none. If it only
/// matters *whether* a similar set came before, [`LshBloom`](crate::similarity::LshBloom) takes fixed memory. For a few
/// hundred sets compare all pairs: nothing is missed.
///
/// # Guarantee
/// Sets of similarity s are candidates with the probability 1 − (1 − sʳ)ᵇ over the choice of the hash function
/// ([`LshParams::probability`]), and then stay candidates until one is removed. Dissimilar sets are candidates by the
/// same formula; sets that share nothing, with probability 2 in 2³² for each band. [`similar`](Self::similar) and
/// [`verified_pairs`](Self::verified_pairs) compare all slots of the signatures, and return the [`Estimate`] of the
/// signatures. Empty sets are similar only to each other.
///
/// # Space
/// The slots and the id of each set, and about 16 bytes per band: a key with the number of a set at 64 to 80 % fill,
/// and a link to the next set with the same key. For 100,000 sets of 128 slots:
///
/// | bands × rows | found at 0.8 | at 0.5 | at 0.3 | bytes per set without its slots |
/// |---|---|---|---|---|
/// | 9 × 13 | 40 % | 0.1 % | 0.0 % | 166 |
/// | 16 × 8 | 95 % | 6.1 % | 0.1 % | 279 |
/// | 25 × 5 | 99.995 % | 54.8 % | 5.9 % | 425 |
///
/// # Time
/// One key and one cache line per band, prefetched together; a query then visits its candidates. The time of a removal
/// is proportional to the number of sets with the same key in a band.
///
/// # Merge
/// Exact: the index of the sets of both, in bytes too. A set that is in both is stored once; an id with different slots
/// is refused, as are more than 2³² − 1 sets.
///
/// # Hostile input
/// An attacker who knows the seed can construct dissimilar sets that share a band, and slow a query down to a
/// comparison with all of them. Create the signatures with [`HashSpec::keyed`]. Ids and keys that cluster, in a file
/// too, make an insertion or a search no slower than logarithmic.
///
/// # Example
/// ```
/// use crivo::LshIndex;
/// use crivo::similarity::{LshParams, Scheme};
/// // Four bands of two rows, and signatures from a textbook.
/// let mut index = LshIndex::with_scheme(LshParams::exact(4, 2)?, Scheme::Weights, 8, Default::default())?;
/// index.insert_slots(1, &[6, 1, 8, 0, 2, 0, 5, 4])?;
/// index.insert_slots(2, &[1, 3, 3, 9, 0, 0, 1, 4])?;
/// index.insert_slots(3, &[7, 7, 8, 4, 6, 3, 1, 9])?;
/// index.insert_slots(4, &[6, 1, 5, 1, 2, 1, 5, 4])?;
///
/// let asked = [2, 3, 3, 9, 0, 0, 1, 4];
/// assert_eq!(index.candidates_of_slots(&asked)?, [2]);
/// let (id, similarity) = index.similar_slots(&asked, 0.5)?[0];
/// assert_eq!((id, similarity.value()), (2, 7.0 / 8.0));
/// let mut pairs = Vec::new();
/// index.pairs(|one, other| pairs.push((one, other)));
/// assert_eq!(pairs, [(1, 4)]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///              band 1    band 2    band 3    band 4
/// set 1        6 1       8 0       2 0       5 4         each band of a signature is hashed to a key;
/// set 4        6 1       5 1       2 1       5 4         for each band there is a table from keys to sets;
///              ~~~                           ~~~         sets with a key in common are candidates
/// ```
/// A band agrees in all its r slots with probability sʳ, and none of b bands does with probability (1 − sʳ)ᵇ.
///
/// # References
/// Broder 1997, doi:10.1109/SEQUEN.1997.666900 · Indyk and Motwani 1998, doi:10.1145/276698.276876 · Leskovec, Rajaraman
/// and Ullman, *Mining of Massive Datasets*, chapter 3.
///
/// # Measured
/// `crivo-lab run c-lsh-index`, `e-f19`, `e-f22`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct LshIndex {
    params: LshParams,
    form: Form,
    spec: HashSpec,
    /// The id of each document.
    ids: Numbered<u64>,
    signatures: Rows,
    by_band: Buckets,
}

impl LshIndex {
    /// Creates an empty index for signatures with the scheme, number of slots and hash of this one. The items in that
    /// signature do not matter.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if it has fewer slots than the bands need.
    pub fn with_params(params: LshParams, like: &impl Signature) -> Result<Self> {
        let spec = *like.hash_spec();
        Self::with_scheme(params, like.scheme(), like.slots().len(), spec)
    }

    /// Creates an empty index for signatures like this one, with the bands of [`LshParams::for_recall`] for its number
    /// of slots.
    ///
    /// # Errors
    /// Fails as [`LshParams::for_recall`] does.
    pub fn for_recall(threshold: f64, recall: f64, like: &impl Signature) -> Result<Self> {
        Self::with_params(LshParams::for_recall(threshold, recall, like.slots().len() as u32)?, like)
    }

    /// Creates an empty index for signatures of this scheme, number of slots and hash.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `slots` is at least what the bands need, and at most 65,536.
    pub fn with_scheme(params: LshParams, scheme: Scheme, slots: usize, spec: HashSpec) -> Result<Self> {
        let form = Form::new(scheme, slots, params.slots())?;
        Ok(Self::empty(Banded { bands: params, form }, spec))
    }

    /// Inserts a set by its signature, under an id that the caller chooses.
    ///
    /// # Errors
    /// Returns `Incompatible` if the signature does not match those of this index, `InvalidArgument` if the id is
    /// already present, and `Full` beyond 2³² − 1 sets. On error nothing changes.
    pub fn insert(&mut self, id: u64, signature: &impl Signature) -> Result<()> {
        self.form.check(signature, &self.spec)?;
        self.insert_slots(id, signature.slots())
    }

    /// Inserts a set by the slots of its signature. The caller must ensure that they have the index's scheme and hash.
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn insert_slots(&mut self, id: u64, slots: &[u32]) -> Result<()> {
        self.form.check_slots(slots)?;
        self.ids.prefetch(id);
        let mut keys = KeyBuffer::new();
        let keys = self.keys(slots, &mut keys);
        self.by_band.prefetch(keys);
        if self.find(id).is_some() {
            return Err(Error::invalid(format!("id {id} is already in the index; ids must be unique")));
        }
        if self.len() >= Buckets::MAX_LEN {
            let most = Buckets::MAX_LEN;
            return Err(Error::full(format!("an index holds at most {most} sets; start another")));
        }
        self.by_band.push(keys);
        self.ids.push(id);
        self.signatures.push(slots);
        Ok(())
    }

    /// Removes a set.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the id is not in the index.
    pub fn remove(&mut self, id: u64) -> Result<()> {
        let Some(document) = self.find(id) else {
            return Err(Error::invalid(format!(
                "id {id} is not in the index; only inserted ids can be removed"
            )));
        };
        let last = self.len() as u32 - 1;
        let (mut keys, mut last_keys) = (KeyBuffer::new(), KeyBuffer::new());
        let keys = self.keys(self.slots_at(document), &mut keys);
        let last_keys = self.keys(self.slots_at(last), &mut last_keys);
        self.by_band.swap_remove(document, keys, last_keys);
        self.ids.swap_remove(document);
        self.signatures.swap_remove(document as usize);
        Ok(())
    }

    fn bands(&self) -> core::ops::Range<usize> {
        0..self.params.bands() as usize
    }

    /// Returns the number of sets.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether a set has this id.
    pub fn contains(&self, id: u64) -> bool {
        self.find(id).is_some()
    }

    /// Returns the ids, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.ids.iter()
    }

    /// Returns the slots of a set.
    pub fn slots(&self, id: u64) -> Option<&[u32]> {
        self.find(id).map(|document| self.slots_at(document))
    }

    /// Returns the bands and rows.
    pub fn params(&self) -> LshParams {
        self.params
    }

    /// Returns the scheme of the signatures.
    pub fn scheme(&self) -> Scheme {
        self.form.scheme()
    }

    /// Returns the number of slots of a signature.
    pub fn signature_slots(&self) -> usize {
        self.form.slots()
    }

    /// Returns the memory per set in bytes, without the slots; 0 for an empty index.
    pub fn bytes_per_set(&self) -> f64 {
        let beside = self.memory_bytes() - self.len() * self.signature_slots() * size_of::<u32>();
        if self.is_empty() { 0.0 } else { beside as f64 / self.len() as f64 }
    }

    /// Reserves memory for this many more sets.
    fn reserve(&mut self, sets: usize) {
        self.ids.reserve(sets);
        self.by_band.reserve(sets);
    }

    /// Computes the key of each band.
    fn keys<'a>(&self, slots: &[u32], buffer: &'a mut KeyBuffer) -> &'a [u32] {
        let keys = buffer.first(self.params.bands() as usize);
        for (place, key) in keys.iter_mut().zip(self.params.keys(&self.scheme().filled(slots))) {
            *place = (key >> 32) as u32;
        }
        keys
    }

    #[inline]
    fn slots_at(&self, document: u32) -> &[u32] {
        self.signatures.get(document as usize)
    }

    fn find(&self, id: u64) -> Option<u32> {
        self.ids.number(id)
    }
}

/// A buffer for the keys of a set: on the stack, unless there are many bands.
struct KeyBuffer {
    few: [u32; 64],
    many: Vec<u32>,
}

impl KeyBuffer {
    fn new() -> Self {
        Self { few: [0; 64], many: Vec::new() }
    }

    fn first(&mut self, count: usize) -> &mut [u32] {
        if count <= self.few.len() {
            return &mut self.few[..count];
        }
        self.many.resize(count, 0);
        &mut self.many
    }
}

shell!(LshIndex: hashes, starts, merges);

impl OfSize for LshIndex {
    type Params = Banded;

    fn params(&self) -> Banded {
        Banded { bands: self.params, form: self.form }
    }
}

impl Core for LshIndex {
    const KIND: Kind = Kind::LshIndex;

    fn heap_bytes(&self) -> usize {
        self.ids.memory_bytes() + self.signatures.memory_bytes() + self.by_band.memory_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    /// Writes the signatures; the tables are rebuilt from them.
    fn write(&self, payload: &mut Vec<u8>) {
        let mut documents: Vec<u32> = (0..self.len() as u32).collect();
        documents.sort_unstable_by_key(|&document| self.ids.at(document));
        payload.reserve(self.len() * (2 + 4 * self.form.slots()));
        let mut next = 0;
        for document in documents {
            let id = self.ids.at(document);
            put_u64_varint(payload, id - next);
            next = id.wrapping_add(1);
            payload.extend(self.slots_at(document).iter().flat_map(|slot| slot.to_le_bytes()));
        }
    }

    fn read(size: Banded, file: &mut Payload<'_>) -> Result<Self> {
        let mut index = Self::empty(size, file.spec);
        file.check_memory(index.memory_bytes() as u64)?;
        let bytes_of_slots = 4 * size.form.slots();
        index.reserve(file.bytes.rest().len() / (bytes_of_slots + 1));
        file.check_memory(index.memory_bytes() as u64)?;
        let mut next = Some(0u64);
        let mut slots = Vec::new();
        while !file.bytes.rest().is_empty() {
            let gap = file.bytes.u64_varint()?;
            let id = next.and_then(|next| next.checked_add(gap));
            let id = id.ok_or_else(|| Error::malformed("the file is corrupt: an id exceeds 64 bits"))?;
            next = id.checked_add(1);
            let (words, _) = file.bytes.bytes(bytes_of_slots)?.as_chunks();
            slots.clear();
            slots.extend(words.iter().map(|&word| u32::from_le_bytes(word)));
            index.insert_slots(id, &slots)?;
            // The tables grow with the keys, and computing their size takes a while.
            if index.len().is_multiple_of(1024) {
                file.check_memory(index.memory_bytes() as u64)?;
            }
        }
        file.check_memory(index.memory_bytes() as u64)?;
        Ok(index)
    }

    fn state(&self) -> Vec<Fact> {
        let half = self.params.similarity_at(0.5).unwrap_or_default();
        vec![Fact::count("sets", self.len() as u64), Fact::number("similarity_found_half_the_time", half)]
    }

    /// Merges another index. A set that is in both is stored once.
    fn absorb(&mut self, other: &Self) -> Result<()> {
        let mut new = Vec::new();
        for (id, document) in other.ids.iter().zip(0..) {
            let slots = other.slots_at(document);
            match self.slots(id) {
                None => new.push((id, slots)),
                Some(ours) if ours == slots => {}
                Some(_) => {
                    let field = format!("the slots of id {id}");
                    let remedy = "an id must belong to one set; use another id for one of them";
                    return Err(Error::incompatible(&field, "ours", "theirs", remedy));
                }
            }
        }
        if self.len() + new.len() > Buckets::MAX_LEN {
            let most = Buckets::MAX_LEN;
            return Err(Error::full(format!("an index holds at most {most} sets; keep the two separate")));
        }
        new.into_iter().try_for_each(|(id, slots)| self.insert_slots(id, slots))
    }
}

impl Empty for LshIndex {
    fn empty(Banded { bands, form }: Banded, spec: HashSpec) -> Self {
        let by_band = Buckets::new(bands.bands() as usize);
        let signatures = Rows::new(form.slots());
        Self { params: bands, form, spec, ids: Numbered::new(), signatures, by_band }
    }

    fn has_nothing(&self) -> bool {
        self.ids.len() == 0
    }
}

/// Indexes are equal if they have the same parameters and the same sets under the same ids.
impl PartialEq for LshIndex {
    fn eq(&self, other: &Self) -> bool {
        check_same(self, other).is_ok()
            && self.len() == other.len()
            && self.ids.iter().zip(0..).all(|(id, document)| other.slots(id) == Some(self.slots_at(document)))
    }
}

#[cfg(test)]
mod tests;
