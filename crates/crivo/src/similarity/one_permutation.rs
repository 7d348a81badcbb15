//! One function, whose values are dealt to bins: see [`OnePermutation`].

use super::Scheme;
use crate::HashSpec;
use crate::hash::reduce;
use alloc::boxed::Box;

/// How alike two sets are: k bins, and the smallest hash in each. The fast one.
#[derive(Clone, PartialEq)]
pub struct OnePermutation {
    slots: Box<[u32]>,
    spec: HashSpec,
}

impl OnePermutation {
    /// Inserts the item with this hash; true when the signature changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let bin = &mut self.slots[reduce(hash, self.slots.len() as u64) as usize];
        // The largest value is that of an empty bin; one item in 2³² has the next one instead.
        let value = (hash as u32).min(Scheme::EMPTY - 1);
        let before = *bin;
        // No branch: whether an item is the smallest of its bin is hard to predict.
        *bin = value.min(before);
        value < before
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }
}

signature_methods!(OnePermutation, Scheme::Bins);
