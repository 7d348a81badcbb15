//! Random operations on one structure of each family against exact sets and counts.

#![no_main]

use crivo::frequency::CountMinParams;
use crivo::{BloomFilter, BloomParams, CountMin, HyperLogLog};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;

#[derive(Arbitrary, Debug)]
enum Operation {
    /// Inserts an item this many times.
    Add(u16, u64),
    /// Consecutive items, as one batch.
    Batch(u16, u8),
    /// Merges a sketch of these.
    MergeFrom(Vec<u16>),
    /// Is replaced by a sketch of these, merged with the previous one.
    MergeInto(Vec<u16>),
    /// A round trip through bytes.
    Copy,
    /// Folds to the next lower precision.
    Fold,
    Clear,
}

#[derive(Arbitrary, Debug)]
struct Input {
    bits: u16,
    hashes: u8,
    precision: u8,
    width: u8,
    depth: u8,
    wide: bool,
    conservative: bool,
    operations: Vec<Operation>,
}

/// The three structures and the exact counts.
struct State {
    filter: BloomFilter,
    distinct: HyperLogLog,
    counts: CountMin,
    truth: HashMap<u16, u128>,
}

impl State {
    fn new(input: &Input) -> crivo::Result<Self> {
        let counter_bits = if input.wide { 64 } else { 32 };
        let plain = CountMinParams::exact(u64::from(input.width) + 1, u32::from(input.depth % 64) + 1)?
            .with_counter_bits(counter_bits)?;
        let params = if input.conservative { plain.conservative() } else { plain };
        let filter = BloomParams::exact(u64::from(input.bits) + 1, u32::from(input.hashes % 64) + 1)?;
        Ok(Self {
            filter: BloomFilter::with_params(filter),
            distinct: HyperLogLog::for_precision(4 + input.precision % 15)?,
            counts: CountMin::with_params(params),
            truth: HashMap::new(),
        })
    }

    fn add(&mut self, item: u16, count: u64) {
        if count > 0 {
            self.filter.insert(&item);
            self.distinct.insert(&item);
            *self.truth.entry(item).or_default() += u128::from(count);
        }
        self.counts.add(&item, count);
    }

    /// Creates a state of the same sizes with `items`.
    fn like(&self, items: &[u16]) -> Self {
        let (mut filter, mut distinct, mut counts) =
            (self.filter.clone(), self.distinct.clone(), self.counts.clone());
        filter.clear();
        distinct.clear();
        counts.clear();
        let mut other = Self { filter, distinct, counts, truth: HashMap::new() };
        items.iter().for_each(|&item| other.add(item, 1));
        other
    }

    fn merge(&mut self, other: &Self) -> crivo::Result<()> {
        self.filter.merge(&other.filter)?;
        self.distinct.merge(&other.distinct)?;
        self.counts.merge(&other.counts)?;
        other.truth.iter().for_each(|(&item, count)| *self.truth.entry(item).or_default() += count);
        Ok(())
    }

    fn operate(&mut self, operation: &Operation) -> crivo::Result<()> {
        match operation {
            Operation::Add(item, count) => self.add(*item, *count),
            Operation::Batch(first, length) => {
                let items: Vec<u16> = (0..u16::from(*length)).map(|i| first.wrapping_add(i)).collect();
                let hashes: Vec<u64> = items.iter().map(|item| self.filter.hash_spec().hash(item)).collect();
                self.filter.insert_hashes(&hashes);
                self.distinct.insert_hashes(&hashes);
                self.counts.add_hashes(&hashes);
                items.into_iter().for_each(|item| *self.truth.entry(item).or_default() += 1);
            }
            Operation::MergeFrom(items) => {
                let other = self.like(items);
                self.merge(&other)?;
            }
            Operation::MergeInto(items) => {
                let mut other = self.like(items);
                other.merge(self)?;
                *self = other;
            }
            Operation::Copy => {
                let copies = (
                    BloomFilter::from_bytes(&self.filter.to_bytes())?,
                    HyperLogLog::from_bytes(&self.distinct.to_bytes())?,
                    CountMin::from_bytes(&self.counts.to_bytes())?,
                );
                assert!(copies.0 == self.filter && copies.1 == self.distinct && copies.2 == self.counts);
                (self.filter, self.distinct, self.counts) = copies;
            }
            Operation::Fold => self.distinct = self.distinct.fold((self.distinct.precision() - 1).max(4))?,
            Operation::Clear => *self = self.like(&[]),
        }
        Ok(())
    }

    fn check(&self) {
        for (item, &truth) in &self.truth {
            assert!(self.filter.contains(item), "{item} is denied");
            let answer = self.counts.frequency(item);
            assert!(answer.upper() >= truth as f64, "{answer}, but {item} came {truth} times");
            assert!(answer.lower() <= answer.value() && answer.value() <= answer.upper(), "{answer}");
        }
        let mut native = HyperLogLog::for_precision(self.distinct.precision()).expect("a precision in use");
        native.extend(self.truth.keys());
        assert_eq!(self.distinct, native, "the set alone decides");
        if self.distinct.is_sparse() {
            let off = self.distinct.estimate().value() - self.truth.len() as f64;
            // 2^16 items share few of 2^31 places.
            assert!(off.abs() <= 8.0, "off by {off}");
        }
    }
}

fuzz_target!(|input: Input| {
    let mut state = State::new(&input).expect("sizes in range");
    for operation in &input.operations {
        state.operate(operation).expect("operations on like sketches");
    }
    state.check();
});
