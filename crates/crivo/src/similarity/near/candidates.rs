//! From bands to candidates, and from candidates to pairs.

use super::classes::Classes;
use super::params::similarity_of;
use super::{ExactSet, NearParams, Verify};
use crate::hash::mix;
use crate::{Error, Result};
use alloc::vec::Vec;

/// Who wants the pairs of classes that a search finds.
pub(super) trait Matches {
    /// Whether this pair must be compared.
    fn wants(&mut self, one: u32, other: u32) -> bool;
    /// A pair that reaches the threshold.
    fn found(&mut self, one: u32, other: u32, similarity: f64);
}

/// Compares all pairs of classes that share a band, each once. Tells how many were compared and how many were found.
///
/// ```text
/// band 1, sorted by key:  4f a c f   51 b   87 d e        a-c, a-f, c-f and d-e are compared,
/// band 2, sorted by key:  02 d   3c a e   90 b c f        then a-e, b-c and b-f; c-f was, in an earlier band
/// ```
/// One band is sorted at a time, in 8 bytes a class, and no list of pairs is ever made.
pub(super) fn join(
    classes: &Classes,
    params: &NearParams,
    verify: Verify<'_>,
    matches: &mut impl Matches,
) -> Result<(u64, u64)> {
    let mut judge = Judge::new(classes, params, verify)?;
    let rows = params.rows() as usize;
    let mut order: Vec<u64> = Vec::with_capacity(classes.len());
    let mut row: Vec<(u32, u32)> = Vec::new();
    for band in 0..params.bands() as usize {
        let place = band * rows;
        order.clear();
        let keys = classes.all_slots().map(|slots| key(&slots[place..place + rows]));
        order.extend(keys.zip(0..).map(|(key, class): (u64, u64)| key << 32 | class));
        order.sort_unstable();
        for bucket in order.chunk_by(|one, other| one >> 32 == other >> 32) {
            for (place, &one) in bucket.iter().enumerate() {
                let one = one as u32;
                let others = bucket[place + 1..].iter().map(|&other| other as u32);
                row.clear();
                row.extend(others.filter_map(|other| {
                    let agree = matches.wants(one, other).then(|| judge.agreement(one, other, band))?;
                    Some((other, agree?))
                }));
                judge.compare(one, &row, matches);
            }
        }
    }
    Ok((judge.compared, judge.found))
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
struct Judge<'a, 'v> {
    classes: &'a Classes,
    params: &'a NearParams,
    verify: Verify<'v>,
    hashes: Vec<u64>,
    compared: u64,
    found: u64,
}

impl<'a, 'v> Judge<'a, 'v> {
    fn new(classes: &'a Classes, params: &'a NearParams, verify: Verify<'v>) -> Result<Self> {
        if matches!(verify, Verify::Kept) && !classes.keeps_sets() {
            return Err(Error::invalid(
                "sets are compared that were not kept; begin with NearDuplicates::keeping_sets or give the hashes \
                 when asked",
            ));
        }
        Ok(Self { classes, params, verify, hashes: Vec::new(), compared: 0, found: 0 })
    }

    /// In how many slots two classes with one key in this band agree, if they are candidates and it is their first band.
    fn agreement(&self, one: u32, other: u32, band: usize) -> Option<u32> {
        let (one_slots, other_slots) = (self.classes.slots(one), self.classes.slots(other));
        let agree = agreeing(one_slots, other_slots);
        if agree < self.params.least_agreement() {
            return None;
        }
        let (small, large) = (self.classes.size(one), self.classes.size(other));
        let (small, large) = (small.min(large), small.max(large));
        // No part of a set is more like it than their sizes are.
        if f64::from(small) / f64::from(large) < self.params.threshold() {
            return None;
        }
        let rows = self.params.rows() as usize;
        let mut bands = one_slots.chunks_exact(rows).zip(other_slots.chunks_exact(rows));
        (bands.position(|(one, other)| one == other) == Some(band)).then_some(agree)
    }

    /// Compares one class with others.
    fn compare(&mut self, one: u32, others: &[(u32, u32)], matches: &mut impl Matches) {
        let mut set = None;
        for &(other, agree) in others {
            // Others of this row may have made it needless.
            if !matches.wants(one, other) {
                continue;
            }
            self.compared += 1;
            let classes = self.classes;
            let hashes = &mut self.hashes;
            let similarity = match &mut self.verify {
                Verify::Signature => similarity_of(f64::from(agree) / f64::from(self.params.slots())),
                Verify::Kept => {
                    let set = set.get_or_insert_with(|| ExactSet::new(classes.set(one)));
                    set.similarity_to(classes.set(other))
                }
                Verify::Asked(ask) => {
                    let mut ask = |class: u32| {
                        hashes.clear();
                        ask(classes.first(class), hashes);
                        ExactSet::new(hashes)
                    };
                    set.get_or_insert_with(|| ask(one)).similarity(&ask(other))
                }
            };
            if similarity >= self.params.threshold() {
                self.found += 1;
                matches.found(one, other, similarity);
            }
        }
    }
}
