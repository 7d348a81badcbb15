//! A document, signed: see [`Document`].

use super::super::Scheme;
use super::{ExactSet, NearParams};
use crate::similarity::slots::lower_slots;
use alloc::vec;
use alloc::vec::Vec;

/// A document as [`NearDuplicates`](super::NearDuplicates) takes it: from [`NearParams::sign`].
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub(super) set: ExactSet,
    /// Tells it from documents with other sets.
    pub(super) fingerprint: u128,
    /// A byte of each slot.
    pub(super) slots: Vec<u8>,
    /// How many hashes it came with, repeated ones included.
    pub(super) length: u32,
}

impl Document {
    /// The document's set of shingles.
    pub fn set(&self) -> &ExactSet {
        &self.set
    }
}

impl NearParams {
    /// The signature of a document, from the hashes of its shingles. It takes most of the time of a search, and many
    /// threads can do it at once.
    pub fn sign(&self, hashes: &[u64]) -> Document {
        let set = ExactSet::new(hashes);
        let mut slots = vec![Scheme::EMPTY; self.slots() as usize];
        lower_slots(&mut slots, set.hashes());
        Document {
            fingerprint: set.fingerprint(),
            slots: slots.into_iter().map(one_byte).collect(),
            length: u32::try_from(hashes.len()).unwrap_or(u32::MAX),
            set,
        }
    }
}

/// A byte that depends on all of a slot.
fn one_byte(slot: u32) -> u8 {
    (slot.wrapping_mul(0x9e37_79b1) >> 24) as u8
}
