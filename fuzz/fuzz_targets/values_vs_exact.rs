//! Random operations on filters of values against a map of their contents: no value is lost or too low, and merges and
//! round trips change nothing.

#![no_main]

use crivo::sketch::Sketch;
use crivo::valued::Verdict;
use crivo::valued::{BloomierParams, LinearBloomParams};
use crivo::{BloomierFilter, HashSpec, LinearBloom};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Few cells, so that many are shared.
const CELLS: u64 = 97;
const HASHES: u32 = 3;

#[derive(Arbitrary, Debug)]
enum Operation {
    Insert(u8, i16),
    Ask(u8, i16),
    /// Merges a filter of these.
    MergeFrom(Vec<(u8, i16)>),
    /// A round trip through bytes.
    Copy,
}

/// The filter, and the largest value of each item.
struct State {
    filter: LinearBloom<i16>,
    truth: BTreeMap<u8, i16>,
}

impl State {
    fn new() -> crivo::Result<Self> {
        Ok(Self {
            filter: LinearBloom::with_params(LinearBloomParams::exact(CELLS, HASHES)?),
            truth: BTreeMap::new(),
        })
    }

    fn insert(&mut self, item: u8, value: i16) -> crivo::Result<()> {
        // The greatest number may have no cell above it; then it is refused, and nothing changes.
        if self.filter.insert(&item, value).is_err() {
            assert_eq!(value, i16::MAX);
            return Ok(());
        }
        let largest = self.truth.entry(item).or_insert(value);
        *largest = value.max(*largest);
        Ok(())
    }

    fn operate(&mut self, operation: &Operation) -> crivo::Result<()> {
        match operation {
            Operation::Insert(item, value) => self.insert(*item, *value)?,
            Operation::Ask(item, claimed) => self.check(*item, *claimed),
            Operation::MergeFrom(entries) => {
                let mut other = Self::new()?;
                for &(item, value) in entries {
                    other.insert(item, value)?;
                }
                self.filter.merge(&other.filter)?;
                let mut whole = Self::new()?;
                for (&item, &value) in self.truth.iter().chain(&other.truth) {
                    whole.insert(item, value)?;
                }
                assert_eq!(whole.filter, self.filter);
                self.truth = whole.truth;
            }
            Operation::Copy => self.filter = copy(&self.filter),
        }
        Ok(())
    }

    fn check(&self, item: u8, claimed: i16) {
        let answer = self.filter.value(&item);
        assert_eq!(answer, self.filter.answer(&item).map(|answer| answer.value()));
        if let Some(&value) = self.truth.get(&item) {
            assert!(answer.is_some_and(|answer| answer >= value));
        }
        if let Ok(verdict) = self.filter.verdict(&item, claimed) {
            let expected = match answer {
                None => Verdict::Absent,
                Some(answer) if answer < claimed => Verdict::Below(answer),
                Some(answer) if answer == claimed => Verdict::Equal,
                Some(answer) => Verdict::Above(answer),
            };
            assert_eq!(verdict, expected);
        }
    }
}

fn copy<S: Sketch + PartialEq + Debug>(sketch: &S) -> S {
    let copy = S::from_bytes_with(&sketch.to_bytes(), &crivo::DecodeOptions::default());
    let copy = copy.expect("what was written reads");
    assert_eq!(&copy, sketch);
    copy
}

fuzz_target!(|operations: Vec<Operation>| {
    let mut state = State::new().expect("these sizes are valid");
    for operation in &operations {
        state.operate(operation).expect("nothing here is refused");
    }
    let spec = HashSpec::default();
    let pairs = state.truth.iter().map(|(item, &value)| (spec.hash(item), u64::from(value as u16)));
    let params = BloomierParams::exact(16, 5).expect("these widths are valid");
    let map = copy(&BloomierFilter::freeze_hashes(pairs, params, spec).expect("few keys make a map"));
    for (item, &value) in &state.truth {
        assert_eq!(map.value(item), Some(u64::from(value as u16)));
    }
});
