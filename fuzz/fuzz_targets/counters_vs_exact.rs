//! Random operations on every kind of counter: one pass and merged parts give the same sketch, a round trip keeps
//! it, and its interval is valid.

#![no_main]

use crivo::sketch::Sketch;
use crivo::{DecodeOptions, HashSpec, KINDS, KindInfo, decode};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Operation {
    Insert(u64),
    Batch(Vec<u64>),
    /// Hashes with this many leading zeros: large ranks.
    Rare(u64, u8),
    MergeFrom(Vec<u64>),
    /// A round trip through bytes.
    Copy,
}

#[derive(Arbitrary, Debug)]
struct Input {
    kind: u8,
    /// From 1 to 5 halvings.
    error: u8,
    operations: Vec<Operation>,
}

struct State {
    info: &'static KindInfo,
    empty: Vec<u8>,
    counter: Box<dyn Sketch>,
    /// The sketch of one pass over everything.
    one_pass: Box<dyn Sketch>,
}

impl State {
    fn insert(&self, counter: &mut dyn Sketch, hash: u64) {
        let view = self.info.insert.expect("a counter takes items in");
        view(counter).expect("its own kind").try_insert_hash(hash).expect("a counter is never full");
    }

    fn read(bytes: &[u8]) -> Box<dyn Sketch> {
        decode(bytes, &DecodeOptions::default()).expect("its own bytes")
    }

    fn see(&mut self, hash: u64) {
        let (mut counter, mut one_pass) = (self.counter.boxed(), self.one_pass.boxed());
        self.insert(&mut *counter, hash);
        self.insert(&mut *one_pass, hash);
        (self.counter, self.one_pass) = (counter, one_pass);
    }

    fn operate(&mut self, operation: &Operation) {
        match operation {
            Operation::Insert(hash) => self.see(*hash),
            Operation::Batch(hashes) => hashes.iter().for_each(|&hash| self.see(hash)),
            Operation::Rare(hash, zeros) => self.see(hash >> (zeros % 64)),
            Operation::MergeFrom(hashes) => {
                if self.counter.merge_law().is_none() {
                    return;
                }
                let mut other = Self::read(&self.empty);
                for &hash in hashes {
                    self.insert(&mut *other, hash);
                    let mut one_pass = self.one_pass.boxed();
                    self.insert(&mut *one_pass, hash);
                    self.one_pass = one_pass;
                }
                self.counter.merge_any(&*other).expect("equal parameters");
            }
            Operation::Copy => {
                let bytes = self.counter.to_bytes();
                self.counter = Self::read(&bytes);
                assert_eq!(self.counter.to_bytes(), bytes);
            }
        }
    }
}

fuzz_target!(|input: Input| {
    let kinds: Vec<_> = KINDS.iter().filter_map(|info| Some((info, info.counter?))).collect();
    let (info, make) = kinds[usize::from(input.kind) % kinds.len()];
    let error = 0.5f64.powi(i32::from(input.error % 5) + 1);
    let Ok(counter) = make(error, Some(1000), HashSpec::default()) else { return };
    let one_pass = counter.boxed();
    let mut state = State { info, empty: counter.to_bytes(), counter, one_pass };
    for operation in &input.operations {
        state.operate(operation);
    }
    assert_eq!(state.counter.to_bytes(), state.one_pass.to_bytes(), "{}", info.kind.name());
    let view = info.cardinality.expect("a counter counts");
    let estimate = view(&*state.counter).expect("its own kind").estimate();
    assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper(), "{estimate}");
    assert!(estimate.value().is_finite() && estimate.value() >= 0.0, "{estimate}");
});
