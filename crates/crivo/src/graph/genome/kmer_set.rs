//! The exact set of k-mers: a baseline, and the input of freezing.

use super::kmer::{Kmer, check_k, kmers};
use super::walk::KmerGraph;
use crate::hash::reduce;
use crate::places::Crowd;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The largest number of slots that a search inspects. If four in five slots are in use, a free one is farther away for
/// one k-mer in some hundred.
const REACH: usize = 256;

/// An exact set of k-mers: a hash table of canonical k-mers that is also the exact graph.
///
/// It takes 16 bytes per slot, and up to four slots in five are in use, so 20 to 40 bytes per k-mer. It is the baseline
/// for a [`DeBruijn`](super::DeBruijn) of a few bits, and the input of an [`ExactDeBruijn`](super::ExactDeBruijn). An
/// attacker can choose sequences whose k-mers cluster; a search then takes logarithmic time.
///
/// ```
/// use crivo::graph::{KmerGraph, KmerSet};
/// let mut set = KmerSet::new(3)?;
/// assert_eq!(set.add_sequence(b"ACGTT"), 3); // ACG, CGT and GTT, which are ACG, ACG and AAC
/// assert_eq!(set.len(), 2);
/// assert!(set.contains("CGT".parse()?));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone)]
pub struct KmerSet {
    pub(super) k: u32,
    len: usize,
    /// The slots, with linear probing.
    slots: Vec<Kmer>,
    /// K-mers that found no free slot within [`REACH`].
    crowd: Crowd<Kmer>,
}

impl KmerSet {
    /// Creates an empty set.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 1 to 63.
    pub fn new(k: u32) -> Result<Self> {
        check_k(k)?;
        Ok(Self::of(k))
    }

    /// Like [`new`](Self::new), for the k of a graph, which is known to be valid.
    pub(super) fn of(k: u32) -> Self {
        Self { k, len: 0, slots: Vec::new(), crowd: Crowd::default() }
    }

    /// Inserts the k-mers of a sequence, and returns their number, including repetitions.
    pub fn add_sequence(&mut self, sequence: &[u8]) -> u64 {
        let mut count = 0;
        for kmer in kmers(sequence, self.k).into_iter().flatten() {
            self.put(kmer);
            count += 1;
        }
        count
    }

    /// Inserts a k-mer in canonical form, and returns whether it is new.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if it has another number of bases.
    pub fn insert(&mut self, kmer: Kmer) -> Result<bool> {
        check_length(kmer, self.k)?;
        Ok(self.put(kmer.canonical()))
    }

    /// Inserts a canonical k-mer of the right length.
    pub(super) fn put(&mut self, kmer: Kmer) -> bool {
        if self.len * 5 >= self.slots.len() * 4 {
            self.grow();
        }
        let is_new = self.place(kmer);
        self.len += usize::from(is_new);
        is_new
    }

    /// Places a canonical k-mer, and returns whether it is new.
    #[inline]
    fn place(&mut self, kmer: Kmer) -> bool {
        if let Some(slot) = self.find(kmer) {
            return core::mem::replace(&mut self.slots[slot], kmer) == Kmer::NONE;
        }
        let is_new = !self.is_in_crowd(kmer);
        if is_new {
            self.crowd.insert(kmer, |other| other.cmp(&kmer));
        }
        is_new
    }

    pub(super) fn is_in_crowd(&self, kmer: Kmer) -> bool {
        self.crowd.get(|other| other.cmp(&kmer)).is_some()
    }

    /// Returns the number of slots.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot of a canonical k-mer, unless the set has none for it.
    pub(super) fn slot_of(&self, kmer: Kmer) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        self.find(kmer).filter(|&slot| self.slots[slot] == kmer)
    }

    /// Returns the slot of a canonical k-mer, where it is or where it goes; `None` if that is too far. There is a free
    /// slot.
    #[inline]
    fn find(&self, kmer: Kmer) -> Option<usize> {
        let mut slot = reduce(kmer.scattered(), self.slots.len() as u64) as usize;
        for _ in 0..REACH {
            if self.slots[slot] == kmer || self.slots[slot] == Kmer::NONE {
                return Some(slot);
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        None
    }

    fn grow(&mut self) {
        let slots = vec![Kmer::NONE; (2 * self.slots.len()).max(16)];
        let slots = core::mem::replace(&mut self.slots, slots);
        let crowd = core::mem::take(&mut self.crowd);
        for kmer in slots.into_iter().filter(|&kmer| kmer != Kmer::NONE).chain(crowd.iter()) {
            self.place(kmer);
        }
    }

    /// Returns the number of distinct k-mers.
    pub fn len(&self) -> u64 {
        self.len as u64
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the memory in bytes, including the struct itself.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.slots.capacity() * size_of::<Kmer>() + self.crowd.memory_bytes()
    }

    /// Returns all k-mers in canonical form, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Kmer> + Clone {
        self.slots.iter().copied().filter(|&kmer| kmer != Kmer::NONE).chain(self.crowd.iter())
    }
}

/// Refuses a k-mer whose length differs from that of the graph.
pub(super) fn check_length(kmer: Kmer, k: u32) -> Result<()> {
    if kmer.k() == k {
        return Ok(());
    }
    let its = kmer.k();
    Err(Error::invalid(format!(
        "the graph has {k}-mers, got a k-mer of {its} bases; cut the sequence into {k}-mers"
    )))
}

impl KmerGraph for KmerSet {
    fn k(&self) -> u32 {
        self.k
    }

    fn vertices(&self) -> Option<u64> {
        Some(self.len())
    }

    fn contains(&self, kmer: Kmer) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let kmer = kmer.canonical();
        self.find(kmer).map_or_else(|| self.is_in_crowd(kmer), |slot| self.slots[slot] == kmer)
    }
}

impl fmt::Debug for KmerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KmerSet of {} {}-mers", self.len, self.k)
    }
}
