//! Classes of documents with equal sets: see [`Classes`].

use super::super::buckets::make_room;
use super::super::numbered::Numbered;
use super::{Document, memory_of};
use alloc::vec::Vec;

/// The distinct sets of all documents, in the order of their first documents. The search compares these.
#[derive(Clone)]
pub(super) struct Classes {
    /// The number of slots of a signature.
    width: usize,
    /// One byte per slot, class after class.
    slots: Vec<u8>,
    fingerprints: Numbered<u128>,
    /// The number of distinct hashes of each set.
    sizes: Vec<u32>,
    /// The first document of each class.
    firsts: Vec<u32>,
    sets: Option<KeptSets>,
}

/// Sets of hashes, one after the other.
#[derive(Clone, Default)]
struct KeptSets {
    hashes: Vec<u64>,
    ends: Vec<usize>,
}

impl Classes {
    pub(super) fn new(width: u32, keeps_sets: bool) -> Self {
        Self {
            width: width as usize,
            slots: Vec::new(),
            fingerprints: Numbered::new(),
            sizes: Vec::new(),
            firsts: Vec::new(),
            sets: keeps_sets.then(KeptSets::default),
        }
    }

    /// Returns the class of the document, and adds one if its set is new.
    pub(super) fn insert(&mut self, document: &Document, index: u32) -> u32 {
        if let Some(class) = self.fingerprints.number(document.fingerprint) {
            return class;
        }
        self.fingerprints.push(document.fingerprint);
        make_room(&mut self.slots, self.width);
        self.slots.extend_from_slice(&document.slots);
        self.sizes.push(document.hashes.len() as u32);
        self.firsts.push(index);
        if let Some(sets) = &mut self.sets {
            sets.hashes.extend_from_slice(&document.hashes);
            sets.ends.push(sets.hashes.len());
        }
        self.len() as u32 - 1
    }

    pub(super) fn len(&self) -> usize {
        self.fingerprints.len()
    }

    pub(super) fn slots(&self, class: u32) -> &[u8] {
        &self.slots[class as usize * self.width..][..self.width]
    }

    pub(super) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    pub(super) fn first(&self, class: u32) -> u32 {
        self.firsts[class as usize]
    }

    pub(super) fn keeps_sets(&self) -> bool {
        self.sets.is_some()
    }

    pub(super) fn forget_sets(&mut self) {
        self.sets = None;
    }

    /// Returns the set of a class; empty if sets are not kept.
    pub(super) fn set(&self, class: u32) -> &[u64] {
        let Some(sets) = &self.sets else { return &[] };
        let start = if class == 0 { 0 } else { sets.ends[class as usize - 1] };
        &sets.hashes[start..sets.ends[class as usize]]
    }

    /// Returns the heap memory, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let kept = self.sets.as_ref().map_or(0, |sets| memory_of(&sets.hashes) + memory_of(&sets.ends));
        let numbers = memory_of(&self.sizes) + memory_of(&self.firsts);
        memory_of(&self.slots) + self.fingerprints.memory_bytes() + numbers + kept
    }
}
