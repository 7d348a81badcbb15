//! A document with its signature: see [`Document`].

use super::super::Scheme;
use super::candidates::key;
use super::{ExactSet, NearParams};
use crate::hash::mix;
use crate::similarity::slots::lower_slots;
use alloc::vec;
use alloc::vec::Vec;

/// A document as [`NearDuplicates`](super::NearDuplicates) takes it: created by [`NearParams::sign`].
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The distinct hashes of its shingles.
    pub(super) hashes: Vec<u64>,
    /// Distinguishes documents with different sets.
    pub(super) fingerprint: u128,
    /// One byte per slot.
    pub(super) slots: Vec<u8>,
    /// The number of its hashes, including repetitions.
    pub(super) length: u32,
}

impl Document {
    /// Returns the distinct hashes of the document's shingles.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns a fingerprint of the set, the same for every order of its items: distinct sets have equal fingerprints with
    /// a probability of about 2⁻¹²⁸.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }
}

impl NearParams {
    /// Computes the signature of a document from the hashes of its shingles. This takes most of the time of a search,
    /// and can run on many threads.
    pub fn sign(&self, hashes: &[u64]) -> Document {
        let set = ExactSet::new(hashes);
        let mut slots = vec![Scheme::EMPTY; self.slots() as usize];
        lower_slots(&mut slots, set.hashes());
        Document {
            fingerprint: set.fingerprint(),
            slots: slots.into_iter().map(one_byte).collect(),
            length: u32::try_from(hashes.len()).unwrap_or(u32::MAX),
            // Without the table for look-ups, whose memory serves the next document.
            hashes: set.into_hashes(),
        }
    }

    /// Returns a key for each band of a document. Two documents are candidates if they have a key in common, so that a
    /// search over several machines can bring them together by their keys and compare their sets. `document` must have
    /// been signed with equal parameters.
    pub fn band_keys(&self, document: &Document) -> impl Iterator<Item = u64> {
        let bands = document.slots.chunks_exact(self.rows() as usize).take(self.bands() as usize);
        bands.zip(1..).map(|(slots, band)| mix(key(slots) ^ band))
    }
}

/// Returns a byte that depends on all bits of a slot.
fn one_byte(slot: u32) -> u8 {
    (slot.wrapping_mul(0x9e37_79b1) >> 24) as u8
}
