//! Random operations on every kind of filter against an exact multiset.

#![no_main]

use crivo::sketch::Sketch;
use crivo::{DecodeOptions, ErrorKind, HashSpec, KINDS, KindInfo, MakeFilter, decode};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

#[derive(Arbitrary, Debug)]
enum Operation {
    Insert(u64),
    Batch(Vec<u64>),
    /// Removes the inserted item with this number, modulo their count.
    Remove(u16),
    /// Removes an item that is certainly absent: an error that changes nothing.
    RemoveStranger(u64),
    MergeFrom(Vec<u64>),
    /// A round trip through bytes.
    Copy,
}

#[derive(Arbitrary, Debug)]
struct Input {
    kind: u8,
    items: u16,
    /// From 1 to 20 halvings.
    rate: u8,
    operations: Vec<Operation>,
}

struct State {
    info: &'static KindInfo,
    empty: Vec<u8>,
    filter: Box<dyn Sketch>,
    inside: BTreeMap<u64, u64>,
}

impl State {
    fn note(&mut self, hash: u64) {
        let count = self.inside.entry(hash).or_default();
        *count = if self.info.copies { *count + 1 } else { 1 };
    }

    /// Inserts; a full filter does not change.
    fn insert(&mut self, hash: u64) {
        let before = self.filter.to_bytes();
        let view = self.info.insert.expect("a filter that is made empty takes items in");
        match view(&mut *self.filter).expect("its own kind").try_insert_hash(hash) {
            Ok(_) => self.note(hash),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Full, "{error}");
                assert_eq!(self.filter.to_bytes(), before, "a full filter changed");
            }
        }
    }

    fn contains(&self, hash: u64) -> bool {
        let view = self.info.membership.expect("a filter answers");
        view(&*self.filter).expect("its own kind").contains_hash(hash)
    }

    fn operate(&mut self, operation: &Operation) {
        match operation {
            Operation::Insert(hash) => self.insert(*hash),
            Operation::Batch(hashes) => hashes.iter().for_each(|&hash| self.insert(hash)),
            Operation::Remove(number) => {
                let Some(view) = self.info.remove else { return };
                let place = usize::from(*number) % self.inside.len().max(1);
                let Some((&hash, &count)) = self.inside.iter().nth(place) else { return };
                view(&mut *self.filter).expect("its own kind").remove_hash(hash).expect("it is inside");
                if count > 1 {
                    self.inside.insert(hash, count - 1);
                } else {
                    self.inside.remove(&hash);
                }
            }
            Operation::RemoveStranger(hash) => {
                let Some(view) = self.info.remove else { return };
                if !self.contains(*hash) {
                    let before = self.filter.to_bytes();
                    let result = view(&mut *self.filter).expect("its own kind").remove_hash(*hash);
                    assert_eq!(result.expect_err("it is not inside").kind(), ErrorKind::InvalidArgument);
                    assert_eq!(self.filter.to_bytes(), before, "a refused removal changed something");
                }
            }
            Operation::MergeFrom(hashes) => {
                if self.filter.merge_law().is_none() {
                    return;
                }
                let filter = decode(&self.empty, &DecodeOptions::default()).expect("its own bytes");
                let mut other = Self { filter, inside: BTreeMap::new(), empty: Vec::new(), ..*self };
                hashes.iter().for_each(|&hash| other.insert(hash));
                let before = self.filter.to_bytes();
                match self.filter.merge_any(&*other.filter) {
                    Ok(()) => {
                        for (hash, count) in other.inside {
                            (0..count).for_each(|_| self.note(hash));
                        }
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Full, "{error}");
                        assert_eq!(self.filter.to_bytes(), before, "a refused merge changed something");
                    }
                }
            }
            Operation::Copy => {
                let bytes = self.filter.to_bytes();
                self.filter = decode(&bytes, &DecodeOptions::default()).expect("its own bytes");
                assert_eq!(self.filter.to_bytes(), bytes);
            }
        }
    }
}

fuzz_target!(|input: Input| {
    let kinds: Vec<_> = KINDS
        .iter()
        .filter_map(|info| match info.filter?.make {
            MakeFilter::Empty(make) => Some((info, make)),
            MakeFilter::Frozen(_) => None,
        })
        .collect();
    let (info, make) = kinds[usize::from(input.kind) % kinds.len()];
    let rate = 0.5f64.powi(i32::from(input.rate % 20) + 1);
    let items = u64::from(input.items % 500) + 1;
    let filter = make(items, rate, HashSpec::default()).expect("a size and a rate in range");
    let mut state = State { info, empty: filter.to_bytes(), filter, inside: BTreeMap::new() };
    for operation in &input.operations {
        state.operate(operation);
    }
    for &hash in state.inside.keys() {
        assert!(state.contains(hash), "{hash} is denied by a {}", info.kind.name());
    }
});
