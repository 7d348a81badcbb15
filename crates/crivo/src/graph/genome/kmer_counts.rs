//! How often each k-mer of a set occurs.

use super::kmer::{Kmer, kmers};
use super::kmer_set::KmerSet;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The exact frequencies of the k-mers of a set, in 4 bytes for each of its slots: 5 to 10 bytes per k-mer.
///
/// ```
/// use crivo::graph::{KmerCounts, KmerSet};
/// let mut set = KmerSet::new(3)?;
/// set.add_sequence(b"GATTAG");
/// let mut counts = KmerCounts::of(set);
/// counts.add_sequence(b"GATTAGATT");
/// assert_eq!(counts.count("GAT".parse()?), 2);
/// assert_eq!(counts.count("AGA".parse()?), 0); // not in the set
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone)]
pub struct KmerCounts {
    set: KmerSet,
    /// The frequencies of the k-mers in the slots of the set. They end at the highest number.
    in_slots: Vec<u32>,
    /// The frequencies of the k-mers that have no slot.
    others: BTreeMap<Kmer, u32>,
}

impl KmerCounts {
    /// Creates counts of 0 for the k-mers of a set.
    pub fn of(set: KmerSet) -> Self {
        let in_slots = vec![0; set.slots()];
        Self { set, in_slots, others: BTreeMap::new() }
    }

    /// Counts the k-mers of a sequence that are in the set.
    pub fn add_sequence(&mut self, sequence: &[u8]) {
        for kmer in kmers(sequence, self.set.k).into_iter().flatten() {
            let count = match self.set.slot_of(kmer) {
                Some(slot) => &mut self.in_slots[slot],
                None if self.set.is_in_crowd(kmer) => self.others.entry(kmer).or_default(),
                None => continue,
            };
            *count = count.saturating_add(1);
        }
    }

    /// Returns how often a k-mer, or its reverse complement, was counted.
    pub fn count(&self, kmer: Kmer) -> u32 {
        let kmer = kmer.canonical();
        let elsewhere = || self.others.get(&kmer).copied().unwrap_or(0);
        self.set.slot_of(kmer).map_or_else(elsewhere, |slot| self.in_slots[slot])
    }

    /// Returns the set.
    pub fn set(&self) -> &KmerSet {
        &self.set
    }
}

impl fmt::Debug for KmerCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KmerCounts of {} {}-mers", self.set.len(), self.set.k)
    }
}
