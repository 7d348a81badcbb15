//! Queries of an [`LshIndex`]: candidates, similar sets and pairs.

use super::{KeyBuffer, LshIndex};
use crate::similarity::bands::check_threshold;
use crate::similarity::signature::Signature;
use crate::{Estimate, Result};
use alloc::vec::Vec;

impl LshIndex {
    /// Returns the ids of the sets that share a band with this one, in increasing order. If the set was inserted, its
    /// own id is among them.
    ///
    /// # Errors
    /// Returns `Incompatible` if the signature does not match those of this index.
    pub fn candidates(&self, signature: &impl Signature) -> Result<Vec<u64>> {
        self.form.check(signature, &self.spec)?;
        self.candidates_of_slots(signature.slots())
    }

    /// Like [`candidates`](Self::candidates), for the slots of a signature.
    ///
    /// # Errors
    /// Fails as [`candidates`](Self::candidates) does.
    pub fn candidates_of_slots(&self, slots: &[u32]) -> Result<Vec<u64>> {
        Ok(self.ids_of(self.sharing(slots)?))
    }

    /// Returns the candidates whose similarity is at least `threshold`, most similar first; among equal similarities
    /// the lower id comes first.
    ///
    /// # Errors
    /// Returns `Incompatible` if the signature does not match those of this index, and `InvalidArgument` unless
    /// `threshold` is above 0 and at most 1.
    pub fn similar(&self, signature: &impl Signature, threshold: f64) -> Result<Vec<(u64, Estimate)>> {
        self.form.check(signature, &self.spec)?;
        self.similar_slots(signature.slots(), threshold)
    }

    /// Like [`similar`](Self::similar), for the slots of a signature.
    ///
    /// # Errors
    /// Fails as [`similar`](Self::similar) does.
    pub fn similar_slots(&self, slots: &[u32], threshold: f64) -> Result<Vec<(u64, Estimate)>> {
        let verified = self.verified(slots, threshold)?.into_iter();
        let mut found: Vec<(u64, Estimate)> = verified
            .map(|document| {
                let similarity = self.scheme().similarity(slots, self.slots_at(document));
                (self.ids.at(document), similarity)
            })
            .collect();
        found.sort_by(|one, other| other.1.value().total_cmp(&one.1.value()).then(one.0.cmp(&other.0)));
        Ok(found)
    }

    /// Returns only the ids of [`similar`](Self::similar), in increasing order. Computing the intervals takes ten times
    /// as long.
    ///
    /// # Errors
    /// Fails as [`similar`](Self::similar) does.
    pub fn alike(&self, signature: &impl Signature, threshold: f64) -> Result<Vec<u64>> {
        self.form.check(signature, &self.spec)?;
        self.alike_to_slots(signature.slots(), threshold)
    }

    /// Like [`alike`](Self::alike), for the slots of a signature.
    ///
    /// # Errors
    /// Fails as [`similar`](Self::similar) does.
    pub fn alike_to_slots(&self, slots: &[u32], threshold: f64) -> Result<Vec<u64>> {
        Ok(self.ids_of(self.verified(slots, threshold)?))
    }

    /// Returns the documents that share a band with these slots and have a similarity of at least `threshold`.
    fn verified(&self, slots: &[u32], threshold: f64) -> Result<Vec<u32>> {
        check_threshold(threshold)?;
        let mut documents = self.sharing(slots)?;
        documents
            .retain(|&document| self.scheme().similarity_value(slots, self.slots_at(document)) >= threshold);
        Ok(documents)
    }

    fn ids_of(&self, documents: Vec<u32>) -> Vec<u64> {
        let mut ids: Vec<u64> = documents.into_iter().map(|document| self.ids.at(document)).collect();
        ids.sort_unstable();
        ids
    }

    /// Visits each pair of sets that share a band once, as ids, the lower first. The pairs come in no particular order,
    /// and none is stored.
    pub fn pairs(&self, mut visit: impl FnMut(u64, u64)) {
        self.visit_pairs(|one, other| {
            let (one, other) = (self.ids.at(one), self.ids.at(other));
            visit(one.min(other), one.max(other));
        });
    }

    /// Visits each pair of sets that share a band and have a similarity of at least `threshold`.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `threshold` is above 0 and at most 1.
    pub fn verified_pairs(&self, threshold: f64, mut visit: impl FnMut(u64, u64, Estimate)) -> Result<()> {
        check_threshold(threshold)?;
        self.visit_pairs(|one, other| {
            let (ours, theirs) = (self.slots_at(one), self.slots_at(other));
            if self.scheme().similarity_value(ours, theirs) >= threshold {
                let (one, other) = (self.ids.at(one), self.ids.at(other));
                visit(one.min(other), one.max(other), self.scheme().similarity(ours, theirs));
            }
        });
        Ok(())
    }

    /// Visits each pair once: the later document finds the earlier one, in any band.
    fn visit_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        let mut earlier = Vec::new();
        for document in 0..self.len() as u32 {
            earlier.clear();
            earlier.extend(self.bands().flat_map(|band| self.by_band.earlier(band, document)));
            earlier.sort_unstable();
            earlier.dedup();
            for &other in &earlier {
                visit(document, other);
            }
        }
    }

    /// Returns the documents that share a band with these slots, each once.
    fn sharing(&self, slots: &[u32]) -> Result<Vec<u32>> {
        self.form.check_slots(slots)?;
        let mut keys = KeyBuffer::new();
        let keys = self.keys(slots, &mut keys);
        self.by_band.prefetch(keys);
        let mut documents = Vec::new();
        for (band, &key) in self.bands().zip(keys) {
            documents.extend(self.by_band.members(band, key));
        }
        documents.sort_unstable();
        documents.dedup();
        Ok(documents)
    }
}
