//! Random operations on sketches of frequencies, ranks and samples, against the stream itself: deterministic bounds hold,
//! exact totals are exact, and a round trip keeps every state.

#![no_main]

use crivo::quantile::{LogQuantilesParams, Tail};
use crivo::sketch::Sketch;
use crivo::{Kll, LogQuantiles, MisraGries, ReqSketch, Reservoir, SpaceSaving, VarOpt};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;
use std::fmt::Debug;

#[derive(Arbitrary, Debug)]
enum Operation {
    /// Inserts an item this many times.
    Add(u8, u16),
    /// Consecutive items.
    Run(u8, u8),
    /// Merges sketches of these.
    MergeFrom(Vec<u8>),
    /// A round trip through bytes.
    Copy,
}

#[derive(Arbitrary, Debug)]
struct Input {
    size: u8,
    operations: Vec<Operation>,
}

/// The sketches and the exact stream.
struct State {
    saving: SpaceSaving<u64>,
    gries: MisraGries<u64>,
    ranks: Kll<u64>,
    tail: ReqSketch<u64>,
    values: LogQuantiles,
    sample: Reservoir<u64>,
    sums: VarOpt<u64>,
    truth: HashMap<u64, u64>,
}

impl State {
    fn new(size: u8, seed: u64) -> crivo::Result<Self> {
        let size = u32::from(size) + 1;
        Ok(Self {
            saving: SpaceSaving::for_counters(size)?,
            gries: MisraGries::for_counters(size)?,
            ranks: Kll::with_seed(u64::from(size) + 8, seed)?,
            tail: ReqSketch::with_seed(
                4 + u64::from(size % 5),
                if size % 2 == 0 { Tail::High } else { Tail::Low },
                seed,
            )?,
            values: LogQuantiles::with_params(LogQuantilesParams::exact(1 + size / 8, 1 + size / 2)?),
            sample: Reservoir::for_k(size, seed)?,
            sums: VarOpt::for_k(size, seed)?,
            truth: HashMap::new(),
        })
    }

    fn add(&mut self, item: u8, count: u64) -> crivo::Result<()> {
        let item = u64::from(item);
        self.saving.add(&item, count);
        self.gries.add(&item, count);
        self.ranks.insert_weighted(item, count)?;
        self.tail.insert_weighted(item, count)?;
        self.values.insert_weighted(number(item), count + 1)?;
        self.values.remove(number(item), 1)?;
        (0..count).for_each(|_| self.sample.insert(item));
        self.sums.insert(item, (count * (item + 1)) as f64)?;
        if count > 0 {
            *self.truth.entry(item).or_default() += count;
        }
        Ok(())
    }

    fn operate(&mut self, operation: &Operation, size: u8, seed: u64) -> crivo::Result<()> {
        match operation {
            Operation::Add(item, count) => self.add(*item, u64::from(*count))?,
            Operation::Run(first, length) => {
                (0..*length).try_for_each(|i| self.add(first.wrapping_add(i), 1))?;
            }
            Operation::MergeFrom(items) => {
                let mut other = Self::new(size, seed)?;
                items.iter().try_for_each(|&item| other.add(item, 1))?;
                self.saving.merge(&other.saving)?;
                self.gries.merge(&other.gries)?;
                self.ranks.merge(&other.ranks)?;
                self.tail.merge(&other.tail)?;
                self.values.merge(&other.values)?;
                self.sample.merge(&other.sample)?;
                self.sums.merge(&other.sums)?;
                other.truth.iter().for_each(|(&item, count)| *self.truth.entry(item).or_default() += count);
            }
            Operation::Copy => {
                self.saving = copy(&self.saving);
                self.gries = copy(&self.gries);
                self.ranks = copy(&self.ranks);
                self.tail = copy(&self.tail);
                self.values = copy(&self.values);
                self.sample = copy(&self.sample);
                self.sums = copy(&self.sums);
            }
        }
        Ok(())
    }

    fn check(&self) {
        let total: u64 = self.truth.values().sum();
        assert_eq!([self.saving.total(), self.gries.total()], [total; 2]);
        assert_eq!([self.ranks.total(), self.sample.total(), self.values.total()], [total; 3]);
        for (item, &truth) in &self.truth {
            for answer in [self.saving.frequency(item), self.gries.frequency(item)] {
                assert!(answer.contains(truth as f64), "{answer}, but {item} came {truth} times");
            }
        }
        for &item in self.truth.keys() {
            let up_to = |(other, _): &(&u64, &u64)| number(**other) <= number(item);
            let rank: u64 = self.truth.iter().filter(up_to).map(|(_, count)| count).sum();
            let answer = self.values.rank(number(item));
            assert!(answer.contains(rank as f64), "{answer}, but {item} has the rank {rank}");
            let quantile = self.values.quantile(rank as f64 / total as f64).expect("it is not empty");
            assert!((quantile.lower()..=quantile.upper()).contains(&&number(item)), "{quantile}, not {item}");
        }
        assert_eq!(self.tail.total(), total);
        assert_eq!([self.tail.min(), self.tail.max()], [self.truth.keys().min(), self.truth.keys().max()]);
        assert_eq!(self.ranks.min(), self.truth.keys().min());
        assert_eq!(self.ranks.max(), self.truth.keys().max());
        assert_eq!(self.sample.sample().len() as u64, total.min(self.sample.k().into()));
        assert!(self.sample.sample().iter().all(|item| self.truth.contains_key(item)));
        let weight: u64 = self.truth.iter().map(|(item, count)| (item + 1) * count).sum();
        assert_eq!(self.sums.total_weight(), weight as f64);
        let threshold = self.sums.threshold();
        let adjusted: f64 = self.sums.sample().iter().map(|(_, weight)| weight.max(threshold)).sum();
        assert!((adjusted - weight as f64).abs() <= 1e-9 * adjusted, "{adjusted}, not {weight}");
    }
}

/// A number of either sign for an item, over many octaves.
fn number(item: u64) -> f64 {
    (item as f64 - 100.0).powi(5)
}

/// A copy, by a round trip through bytes.
fn copy<S: Sketch + PartialEq + Debug>(sketch: &S) -> S {
    let copy =
        S::from_bytes_with(&sketch.to_bytes(), &crivo::DecodeOptions::default()).expect("its own bytes");
    assert_eq!(&copy, sketch);
    copy
}

fuzz_target!(|input: Input| {
    let mut state = State::new(input.size, 0).expect("sizes in range");
    for (operation, seed) in input.operations.iter().zip(1..) {
        state.operate(operation, input.size, seed).expect("operations on like sketches");
    }
    state.check();
});
