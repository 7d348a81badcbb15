//! The smallest value of each of many functions: see [`MinHash`].

use super::Scheme;
use crate::HashSpec;
use crate::memory::lower_slots;
use alloc::boxed::Box;

/// How alike two sets are: k functions, and the smallest value of each.
#[derive(Clone, PartialEq)]
pub struct MinHash {
    slots: Box<[u32]>,
    spec: HashSpec,
}

impl MinHash {
    /// Inserts the item with this hash; true when the signature changed.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        lower_slots(&mut self.slots, &[hash])
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        lower_slots(&mut self.slots, hashes);
    }
}

/// The multiplier of a slot: different ones for different slots, and no pattern among them, so that the values of one
/// item in several slots are related by large coefficients only.
#[inline]
pub(crate) const fn multiplier(slot: u32) -> u32 {
    let mut mixed = slot;
    mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 16
}

signature_methods!(MinHash, Scheme::Functions);
