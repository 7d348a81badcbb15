//! From bands to candidates, and from candidates to pairs.

use super::classes::Classes;
use super::params::similarity_of;
use super::{ExactSet, NearParams, Verify};
use crate::hash::mix;
use alloc::vec::Vec;

/// What a search looks for among classes that share a key.
pub(super) trait Seeker {
    /// Looks through the classes of one key in this band: the low halves of the numbers.
    fn look(&mut self, bucket: &[u64], band: usize, judge: &mut Judge<'_, '_>);
}

/// Shows the seeker all classes that share a band.
///
/// ```text
/// band 1, sorted by key:  4f a c f   51 b   87 d e        a-c, a-f, c-f and d-e are compared,
/// band 2, sorted by key:  02 d   3c a e   90 b c f        then a-e, b-c and b-f; c-f was, in an earlier band
/// ```
/// One band is sorted at a time, in 8 bytes a class, and no list of pairs is ever made.
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

/// Shows each pair of classes that match.
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

/// 32 bits of a band's slots.
fn key(slots: &[u8]) -> u64 {
    let (eights, rest) = slots.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let key = eights.iter().chain([&last]).fold(0, |key, eight| mix(key ^ u64::from_le_bytes(*eight)));
    key >> 32
}

/// In how many slots two signatures agree.
fn agreeing(one: &[u8], other: &[u8]) -> u32 {
    // A byte is enough to count in, 128 slots at a time.
    let count = |(one, other): (&[u8], &[u8])| -> u32 {
        one.iter().zip(other).map(|(one, other)| u8::from(one == other)).sum::<u8>().into()
    };
    one.chunks(128).zip(other.chunks(128)).map(count).sum()
}

/// Compares pairs.
pub(super) struct Judge<'a, 'v> {
    classes: &'a Classes,
    params: &'a NearParams,
    verify: Verify<'v>,
    /// The class that was compared last, and its set: the next pair often has it too.
    last: Option<(u32, ExactSet)>,
    hashes: Vec<u64>,
    pub(super) compared: u64,
    pub(super) found: u64,
}

impl<'a, 'v> Judge<'a, 'v> {
    pub(super) fn new(classes: &'a Classes, params: &'a NearParams, verify: Verify<'v>) -> Self {
        Self { classes, params, verify, last: None, hashes: Vec::new(), compared: 0, found: 0 }
    }

    /// The key of a class in a band, and below it the class.
    pub(super) fn keyed(&self, class: u32, band: usize) -> u64 {
        let rows = self.params.rows() as usize;
        key(&self.classes.slots(class)[band * rows..][..rows]) << 32 | u64::from(class)
    }

    pub(super) fn bands(&self) -> usize {
        self.params.bands() as usize
    }

    /// In how many slots two classes with one key in this band agree, if they are candidates and it is their first band.
    pub(super) fn agreement(&self, one: u32, other: u32, band: usize) -> Option<u32> {
        let agree = self.agreement_in_any(one, other)?;
        let rows = self.params.rows() as usize;
        let [one, other] = [one, other].map(|class| self.classes.slots(class).chunks_exact(rows));
        (one.zip(other).position(|(one, other)| one == other) == Some(band)).then_some(agree)
    }

    /// In how many slots two classes with one key in some band agree, if they are candidates.
    pub(super) fn agreement_in_any(&self, one: u32, other: u32) -> Option<u32> {
        let agree = agreeing(self.classes.slots(one), self.classes.slots(other));
        if agree < self.params.least_agreement() {
            return None;
        }
        let (small, large) = (self.classes.size(one), self.classes.size(other));
        let (small, large) = (small.min(large), small.max(large));
        // No part of a set is more like it than their sizes are.
        (f64::from(small) / f64::from(large) >= self.params.threshold()).then_some(agree)
    }

    /// How alike two candidates are that agree in so many slots, if they match. Many pairs in a row should have the same
    /// first class.
    pub(super) fn similarity(&mut self, one: u32, other: u32, agree: u32) -> Option<f64> {
        self.compared += 1;
        let Self { classes, hashes, verify, .. } = self;
        let last = self.last.take().filter(|(class, _)| *class == one).map(|(_, set)| set);
        let (similarity, set) = match verify {
            Verify::Signature => {
                // To be a candidate is enough: half of the pairs at the threshold are estimated below it.
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
