//! Random operations on similarity indexes against a list of their contents: exact answers are exact, and removals,
//! merges and round trips lose nothing.

#![no_main]

use crivo::similarity::{HammingParams, LshParams, Scheme};
use crivo::sketch::Sketch;
use crivo::{HammingIndex, HashSpec, LshIndex};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The slots of a signature, and its bands.
const SLOTS: usize = 8;
const ROWS: u32 = 2;

#[derive(Arbitrary, Debug)]
enum Operation {
    Insert(u8, Kept),
    Remove(u8),
    Ask(Kept),
    /// Merges indexes of these.
    MergeFrom(Vec<(u8, Kept)>),
    /// A round trip through bytes.
    Copy,
}

/// A fingerprint, and slots of a few values, so that many agree.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
struct Kept(u64, [u8; SLOTS]);

impl Kept {
    fn slots(&self) -> [u32; SLOTS] {
        self.1.map(|slot| u32::from(slot % 4))
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    distance: u8,
    operations: Vec<Operation>,
}

/// The indexes and their exact contents.
struct State {
    near: HammingIndex,
    bands: LshIndex,
    truth: BTreeMap<u64, Kept>,
}

impl State {
    fn new(distance: u8) -> crivo::Result<Self> {
        let params = LshParams::exact(SLOTS as u32 / ROWS, ROWS)?;
        Ok(Self {
            near: HammingIndex::with_params(HammingParams::for_distance(u32::from(distance % 17), 1000)?),
            bands: LshIndex::with_scheme(params, Scheme::Functions, SLOTS, HashSpec::default())?,
            truth: BTreeMap::new(),
        })
    }

    fn insert(&mut self, id: u8, kept: Kept) {
        let id = u64::from(id);
        let inserted = [self.near.insert(id, kept.0), self.bands.insert_slots(id, &kept.slots())];
        let is_new = !self.truth.contains_key(&id);
        assert!(inserted.iter().all(|result| result.is_ok() == is_new));
        self.truth.entry(id).or_insert(kept);
    }

    fn operate(&mut self, operation: &Operation, distance: u8) -> crivo::Result<()> {
        match operation {
            Operation::Insert(id, kept) => self.insert(*id, *kept),
            Operation::Remove(id) => {
                let id = u64::from(*id);
                let was_there = self.truth.remove(&id).is_some();
                assert_eq!(self.near.remove(id).is_ok(), was_there);
                assert_eq!(self.bands.remove(id).is_ok(), was_there);
            }
            Operation::Ask(kept) => self.check_answers(kept)?,
            Operation::MergeFrom(documents) => {
                let mut other = Self::new(distance)?;
                documents.iter().for_each(|&(id, kept)| other.insert(id, kept));
                let clash = |same: fn(&Kept, &Kept) -> bool| {
                    other
                        .truth
                        .iter()
                        .any(|(id, kept)| self.truth.get(id).is_some_and(|ours| !same(ours, kept)))
                };
                let near_clash = clash(|ours, theirs| ours.0 == theirs.0);
                let bands_clash = clash(|ours, theirs| ours.slots() == theirs.slots());
                if near_clash || bands_clash {
                    // The index with the conflict refuses and does not change; the other one would diverge.
                    assert!(!near_clash || self.near.merge(&other.near).is_err());
                    assert!(!bands_clash || self.bands.merge(&other.bands).is_err());
                } else {
                    self.near.merge(&other.near)?;
                    self.bands.merge(&other.bands)?;
                    self.truth.append(&mut other.truth);
                }
            }
            Operation::Copy => {
                self.near = copy(&self.near);
                self.bands = copy(&self.bands);
            }
        }
        Ok(())
    }

    fn check_answers(&self, asked: &Kept) -> crivo::Result<()> {
        let distance = self.near.params().distance();
        let near = |kept: &Kept| (kept.0 ^ asked.0).count_ones();
        let within =
            self.truth.iter().map(|(&id, kept)| (id, near(kept))).filter(|found| found.1 <= distance);
        let mut found = self.near.similar(asked.0);
        found.sort_unstable();
        assert_eq!(found, within.collect::<Vec<_>>());
        let (slots, rows) = (asked.slots(), ROWS as usize);
        let shares_band =
            |kept: &Kept| kept.slots().chunks(rows).zip(slots.chunks(rows)).any(|(one, other)| one == other);
        let alike = self.truth.iter().filter(|(_, kept)| shares_band(kept)).map(|(&id, _)| id);
        let mut candidates = self.bands.candidates_of_slots(&slots)?;
        candidates.sort_unstable();
        assert_eq!(candidates, alike.collect::<Vec<_>>());
        Ok(())
    }
}

fn copy<S: Sketch + PartialEq + Debug>(sketch: &S) -> S {
    let copy = S::from_bytes_with(&sketch.to_bytes(), &crivo::DecodeOptions::default());
    let copy = copy.expect("what was written reads");
    assert_eq!(&copy, sketch);
    copy
}

fuzz_target!(|input: Input| {
    let mut state = State::new(input.distance).expect("these sizes are valid");
    for operation in &input.operations {
        state.operate(operation, input.distance).expect("nothing here is refused");
    }
    assert_eq!((state.near.len(), state.bands.len()), (state.truth.len(), state.truth.len()));
});
