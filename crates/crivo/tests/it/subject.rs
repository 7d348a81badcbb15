//! What the laws need to know about a structure, in words common to all.

use crivo::rng::Rng;
use crivo::sketch::{AnySketch, Merge, Wire};
use crivo::{BloomFilter, CountMin, DecodeOptions, Estimate, HashSpec, HyperLogLog, Item};
use std::fmt::Debug;

/// The secret key of every keyed sketch in these tests.
pub(crate) const KEY: [u8; 16] = *b"a key for tests.";

/// Reads any sketch of these tests.
pub(crate) const OPTIONS: DecodeOptions = DecodeOptions { key: Some(KEY), max_memory: None };

/// One hash of each sort.
pub(crate) fn specs() -> [HashSpec; 3] {
    [HashSpec::default(), HashSpec::seeded(7), HashSpec::keyed(KEY)]
}

/// A structure under test. "See" is its verb of taking an item in, "ask" its question about one.
pub(crate) trait Subject: AnySketch + Merge + Wire + Clone + PartialEq + Debug {
    /// What it says about an item.
    type Answer: PartialEq + Debug;

    /// How many different items fill it: where its behaviour changes.
    fn scale(&self) -> usize;
    fn see<T: Item + ?Sized>(&mut self, item: &T);
    fn see_hash(&mut self, hash: u64);
    fn see_hashes(&mut self, hashes: &[u64]);
    fn ask<T: Item + ?Sized>(&self, item: &T) -> Self::Answer;
    fn ask_hash(&self, hash: u64) -> Self::Answer;
    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Self::Answer>;
    fn clear(&mut self);
    fn is_empty(&self) -> bool;
    /// An operation that only this structure has.
    fn peculiar(&mut self, rng: &mut Rng);

    fn spec(&self) -> HashSpec {
        self.hash_spec().copied().unwrap_or_default()
    }

    /// An empty sketch of the same size and hash.
    fn emptied(&self) -> Self {
        let mut empty = self.clone();
        empty.clear();
        empty
    }

    /// After one pass over `items`.
    fn having_seen(mut self, items: &[u64]) -> Self {
        for item in items {
            self.see(item);
        }
        self
    }

    fn merged_with(mut self, other: &Self) -> Self {
        Merge::merge(&mut self, other).unwrap();
        self
    }
}

/// The methods that every structure names alike.
macro_rules! common_methods {
    () => {
        fn clear(&mut self) {
            self.clear();
        }

        fn is_empty(&self) -> bool {
            self.is_empty()
        }
    };
}

impl Subject for BloomFilter {
    type Answer = bool;
    common_methods!();

    fn scale(&self) -> usize {
        (self.params().bits() / u64::from(self.params().hashes())).max(1) as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.insert(item);
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert_hash(hash);
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.insert_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains(item)
    }

    fn ask_hash(&self, hash: u64) -> bool {
        self.contains_hash(hash)
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.contains_hashes(hashes)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let position = rng.below(self.params().bits());
        self.insert_positions(&[position]).unwrap();
    }
}

impl Subject for HyperLogLog {
    type Answer = Estimate;
    common_methods!();

    fn scale(&self) -> usize {
        ((1 << self.precision()) / 6).min(4096)
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.insert(item);
    }

    fn see_hash(&mut self, hash: u64) {
        self.insert_hash(hash);
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.insert_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, _: &T) -> Estimate {
        self.estimate()
    }

    fn ask_hash(&self, _: u64) -> Estimate {
        self.estimate()
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        vec![self.estimate(); hashes.len()]
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let steps = rng.below(2) as u8;
        *self = self.fold((self.precision() - steps).max(4)).unwrap();
    }
}

impl Subject for CountMin {
    type Answer = Estimate;
    common_methods!();

    fn scale(&self) -> usize {
        self.params().width() as usize
    }

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.add(item, 1);
    }

    fn see_hash(&mut self, hash: u64) {
        self.add_hash(hash, 1);
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        self.add_hashes(hashes);
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency(item)
    }

    fn ask_hash(&self, hash: u64) -> Estimate {
        self.frequency_hash(hash)
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Estimate> {
        self.frequency_hashes(hashes)
    }

    fn peculiar(&mut self, rng: &mut Rng) {
        let count = rng.next_u64() >> rng.below(64);
        self.add_hash(rng.next_u64(), count);
    }
}

/// `len` items out of about as many: some come twice or more.
pub(crate) fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
    let first = rng.next_u64() >> 1;
    (0..len).map(|_| first + rng.below(len as u64)).collect()
}

/// `len` different items.
pub(crate) fn distinct(rng: &mut Rng, len: usize) -> Vec<u64> {
    let first = rng.next_u64() >> 1;
    shuffled(rng, &(0..len as u64).map(|i| first + i).collect::<Vec<_>>())
}

pub(crate) fn shuffled<T: Clone>(rng: &mut Rng, items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    for i in (1..items.len()).rev() {
        items.swap(i, rng.below(i as u64 + 1) as usize);
    }
    items
}

/// Stream lengths from nothing to far beyond what fills the sketch.
pub(crate) fn lengths(scale: usize) -> Vec<usize> {
    vec![0, 1, 2, scale / 2, scale - 1, scale, scale + 1, scale + 2, 2 * scale, 3 * scale, 12 * scale]
}
