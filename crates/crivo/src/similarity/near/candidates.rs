//! Candidates from shared bands, and pairs from candidates.

use super::classes::Classes;
use super::params::similarity_of;
use super::{ExactSet, NearParams, Verify};
use crate::hash::mix;
use alloc::vec::Vec;

/// The consumer of a search: it sees the classes that share a key.
pub(super) trait Seeker {
    /// Looks at the classes of one key in this band, which are the low halves of the numbers.
    fn look(&mut self, bucket: &[u64], band: usize, judge: &mut Judge<'_, '_>);
}

/// Passes all groups of classes that share a band to the seeker.
///
/// ```text
/// band 1, sorted by key:  4f a c f   51 b   87 d e        a-c, a-f, c-f and d-e are compared,
/// band 2, sorted by key:  02 d   3c a e   90 b c f        then a-e, b-c and b-f; c-f was, in an earlier band
/// ```
/// One band is sorted at a time, in 8 bytes per class, and no list of pairs is ever built.
pub(super) fn join(judge: &mut Judge<'_, '_>, seeker: &mut impl Seeker) {
    let mut order: Vec<u64> = Vec::with_capacity(judge.classes.len());
    for band in 0..judge.params.bands() as usize {
        order.clear();
        order.extend((0..judge.classes.len() as u32).map(|class| judge.keyed(class, band)));
        order.sort_unstable();
        let buckets = order.chunk_by(|one, other| one >> 32 == other >> 32);
        buckets.filter(|bucket| bucket.len() > 1).for_each(|bucket| seeker.look(bucket, band, judge));
    }
}

/// Reports each pair of classes that match.
pub(super) struct AllPairs<F> {
    candidates: Vec<(u32, u32)>,
    found: F,
}

impl<F: FnMut(u32, u32, f64)> AllPairs<F> {
    pub(super) fn new(found: F) -> Self {
        Self { candidates: Vec::new(), found }
    }
}

impl<F: FnMut(u32, u32, f64)> Seeker for AllPairs<F> {
    fn look(&mut self, bucket: &[u64], band: usize, judge: &mut Judge<'_, '_>) {
        for (place, &one) in bucket.iter().enumerate() {
            let one = one as u32;
            let others = bucket[place + 1..].iter().map(|&other| other as u32);
            self.candidates.clear();
            self.candidates
                .extend(others.filter_map(|other| Some((other, judge.agreement(one, other, band)?))));
            for &(other, agree) in &self.candidates {
                if let Some(similarity) = judge.similarity(one, other, agree) {
                    (self.found)(one, other, similarity);
                }
            }
        }
    }
}

/// Marks the classes that have a candidate.
pub(super) struct Marked {
    pub(super) marks: Vec<bool>,
}

impl Seeker for Marked {
    fn look(&mut self, bucket: &[u64], band: usize, judge: &mut Judge<'_, '_>) {
        for &one in bucket {
            if self.marks[one as u32 as usize] {
                continue;
            }
            let mut others = bucket.iter().filter(|&&other| other != one);
            if let Some(&other) =
                others.find(|&&other| judge.agreement(one as u32, other as u32, band).is_some())
            {
                self.marks[one as u32 as usize] = true;
                self.marks[other as u32 as usize] = true;
            }
        }
    }
}

/// Returns a hash of the slots of a band.
pub(super) fn key(slots: &[u8]) -> u64 {
    let (eights, rest) = slots.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    eights.iter().chain([&last]).fold(0, |key, eight| mix(key ^ u64::from_le_bytes(*eight)))
}

/// Returns the number of slots in which two signatures agree.
fn agreeing(one: &[u8], other: &[u8]) -> u32 {
    // A byte is a wide enough counter for 128 slots.
    let count = |(one, other): (&[u8], &[u8])| -> u32 {
        one.iter().zip(other).map(|(one, other)| u8::from(one == other)).sum::<u8>().into()
    };
    one.chunks(128).zip(other.chunks(128)).map(count).sum()
}

/// Compares pairs of classes.
pub(super) struct Judge<'a, 'v> {
    classes: &'a Classes,
    params: &'a NearParams,
    verify: Verify<'v>,
    /// The class that was compared last, and its set, which the next pair often needs too.
    last: Option<(u32, ExactSet)>,
    hashes: Vec<u64>,
    pub(super) compared: u64,
    pub(super) found: u64,
}

impl<'a, 'v> Judge<'a, 'v> {
    pub(super) fn new(classes: &'a Classes, params: &'a NearParams, verify: Verify<'v>) -> Self {
        Self { classes, params, verify, last: None, hashes: Vec::new(), compared: 0, found: 0 }
    }

    /// Returns the key of a class in a band in the upper half, and the class in the lower.
    pub(super) fn keyed(&self, class: u32, band: usize) -> u64 {
        let rows = self.params.rows() as usize;
        key(&self.classes.slots(class)[band * rows..][..rows]) >> 32 << 32 | u64::from(class)
    }

    pub(super) fn bands(&self) -> usize {
        self.params.bands() as usize
    }

    /// Returns the number of slots in which two classes with the same key in this band agree, if they are candidates
    /// and share no earlier band.
    pub(super) fn agreement(&self, one: u32, other: u32, band: usize) -> Option<u32> {
        let agree = self.agreement_in_any(one, other)?;
        let rows = self.params.rows() as usize;
        let [one, other] = [one, other].map(|class| self.classes.slots(class).chunks_exact(rows));
        (one.zip(other).position(|(one, other)| one == other) == Some(band)).then_some(agree)
    }

    /// Returns the number of slots in which two classes with the same key in some band agree, if they are candidates.
    pub(super) fn agreement_in_any(&self, one: u32, other: u32) -> Option<u32> {
        let agree = agreeing(self.classes.slots(one), self.classes.slots(other));
        if agree < self.params.least_agreement() {
            return None;
        }
        let (small, large) = (self.classes.size(one), self.classes.size(other));
        let (small, large) = (small.min(large), small.max(large));
        // The similarity of two sets is at most the ratio of their sizes.
        (f64::from(small) / f64::from(large) >= self.params.threshold()).then_some(agree)
    }

    /// Returns the similarity of two candidates that agree in this many slots, if they match. Consecutive pairs should
    /// have the same first class.
    pub(super) fn similarity(&mut self, one: u32, other: u32, agree: u32) -> Option<f64> {
        self.compared += 1;
        let Self { classes, hashes, verify, .. } = self;
        let last = self.last.take().filter(|(class, _)| *class == one).map(|(_, set)| set);
        let (similarity, set) = match verify {
            Verify::Signature => {
                // Every candidate is accepted, because half of the pairs at the threshold are estimated below it.
                self.found += 1;
                return Some(similarity_of(f64::from(agree) / f64::from(self.params.slots())));
            }
            Verify::Kept => {
                let set = last.unwrap_or_else(|| ExactSet::new(classes.set(one)));
                (set.similarity_to(classes.set(other)), set)
            }
            Verify::Asked(ask) => {
                let mut ask = |class: u32| {
                    hashes.clear();
                    ask(classes.first(class), hashes);
                    ExactSet::new(hashes)
                };
                let set = last.unwrap_or_else(|| ask(one));
                (set.similarity(&ask(other)), set)
            }
        };
        self.last = Some((one, set));
        let matches = similarity >= self.params.threshold();
        self.found += u64::from(matches);
        matches.then_some(similarity)
    }
}
