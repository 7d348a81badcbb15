//! One file for each structure: what the laws need to know about it, in words common to all, and its frozen
//! bytes.

mod adjacency_list;
pub(crate) mod adjacency_matrix;
mod atomic_bloom;
mod b_bit_min_hash;
mod binary_fuse;
mod binomial_array;
mod binomial_counter;
mod bipartite_labels;
mod blocked_bloom;
mod bloom_filter;
pub(crate) mod bloomier_filter;
mod compressed_bloom;
mod count_min;
mod count_sketch;
mod counting_bloom;
mod cuckoo_filter;
mod cuckoo_table;
pub(crate) mod de_bruijn;
pub(crate) mod decaying_bloom;
mod direct_table;
pub(crate) mod distance_bloom;
mod dyadic_count_min;
mod dynamic_bloom;
pub(crate) mod edge_bloom;
pub(crate) mod exact_de_bruijn;
mod exaloglog;
mod hamming_index;
mod hash_compaction;
mod hyperloglog;
mod intersection_labels;
mod interval_graph;
mod joint;
mod k_min_values;
mod kll;
pub(crate) mod linear_bloom;
mod linear_counting;
mod loglog;
pub(crate) mod lsh_bloom;
pub(crate) mod lsh_index;
mod majority;
mod martingale;
mod min_hash;
mod minimum_hash;
mod misra_gries;
mod moments;
mod morris_array;
mod morris_counter;
pub(crate) mod numbered_graphs;
mod one_permutation;
mod parent_tree;
mod partitioned_bloom;
mod probabilistic_counting;
pub(crate) mod quantised_bloom;
mod quotient_filter;
mod reservoir;
mod scalable_bloom;
mod signed_count_min;
mod sim_hash;
mod sliding_hyperloglog;
mod space_saving;
mod spectral_bloom;
pub(crate) mod table_profile;
mod tree_labels;
pub(crate) mod vertex_blooms;
mod weighted_min_hash;
mod weighted_reservoir;
mod windowed_bloom;

use crivo::hash::DEFAULT_SEED;
use crivo::rng::Rng;
use crivo::sketch::{Membership, Sketch};
use crivo::{DecodeOptions, ErrorKind, HashSpec, Item, MergeLaw};
use std::fmt::Debug;

/// The secret key of every keyed sketch in these tests.
pub(crate) const KEY: [u8; 16] = *b"a key for tests.";

/// Reads any sketch of these tests.
pub(crate) const OPTIONS: DecodeOptions =
    DecodeOptions { key: Some(KEY), max_memory: None, accept_untagged: false };

/// One hash of each sort.
pub(crate) fn specs() -> [HashSpec; 3] {
    [HashSpec::default(), HashSpec::seeded(7), HashSpec::keyed(KEY)]
}

/// [`specs`] with the default hash of early files.
pub(crate) fn early_specs() -> [HashSpec; 3] {
    [HashSpec::rapid(DEFAULT_SEED), HashSpec::rapid(7), HashSpec::keyed(KEY)]
}

/// What laws about bytes and memory need of a structure, whether or not items can be put into it.
pub(crate) trait Specimen: Sketch + Clone + PartialEq + Debug {}

impl<S: Sketch + Clone + PartialEq + Debug> Specimen for S {}

/// A structure under test that is made of all its items at once.
pub(crate) trait Frozen: Specimen {
    /// What it says about the items with some hashes.
    type Answer: PartialEq + Debug;

    fn ask_hashes(&self, hashes: &[u64]) -> Self::Answer;
    fn is_empty(&self) -> bool;
}

/// A static filter.
pub(crate) trait FrozenFilter: Frozen + Membership {
    fn contains<T: Item + ?Sized>(&self, item: &T) -> bool;
}

/// Numbers of items from none to many.
pub(crate) const FROZEN_SIZES: [usize; 11] = [0, 1, 2, 3, 10, 63, 64, 65, 300, 1000, 3000];

/// A structure under test. "See" is its verb of taking an item in, "ask" its question about one.
pub(crate) trait Subject: Sketch + Clone + PartialEq + Debug {
    /// Whether equal sketches take equally much memory.
    const MEMORY_IS_CANONICAL: bool = true;

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

    /// How many items surely fit. A full structure stays as it is: `see` passes that over.
    fn most(&self) -> usize {
        usize::MAX
    }

    /// Up to how many different items a counter of them is exact, but for rare items that look alike.
    fn exact_up_to(&self) -> usize {
        self.scale()
    }

    /// What it errs at most, where a merge keeps to that instead of the rates of both.
    fn fpr_limit(&self) -> f64 {
        0.0
    }

    /// `len` items as they may come: some come twice or more, unless the structure limits that.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        stream(rng, len)
    }

    /// Stream lengths from nothing to far beyond what fills the sketch, as far as they fit.
    fn lengths(&self) -> Vec<usize> {
        let scale = self.scale();
        let all =
            [0, 1, 2, scale / 2, scale - 1, scale, scale + 1, scale + 2, 2 * scale, 3 * scale, 12 * scale];
        all.into_iter().filter(|&length| length <= self.most()).collect()
    }

    /// Structures that do not hash take hashes for numbers: always those of the early hash, which their files hold.
    fn spec(&self) -> HashSpec {
        self.hashing().copied().unwrap_or(HashSpec::rapid(DEFAULT_SEED))
    }

    /// An empty sketch of the same size and hash.
    fn emptied(&self) -> Self {
        let mut empty = self.clone();
        empty.clear();
        empty
    }

    /// An empty sketch that may be merged with this one: that of a randomised structure has another seed.
    fn apart(&self) -> Self {
        self.emptied()
    }

    /// After one pass over `items`.
    fn having_seen(mut self, items: &[u64]) -> Self {
        for item in items {
            self.see(item);
        }
        self
    }

    /// After a merge, or as before if there is no room for it, or one random seed for both, or no merge at all.
    fn merged_with(mut self, other: &Self) -> Self {
        if let Some(law) = self.kind().merge_law() {
            let result = self.merge_any(other);
            let is_refused = matches!(&result, Err(error) if error.kind() == ErrorKind::Incompatible);
            if law != MergeLaw::Distribution || !is_refused {
                unless_full(result);
            }
        }
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
use common_methods;

/// The methods of a filter; `$pass` takes what inserting returns.
macro_rules! filter_methods {
    ($pass:path) => {
        type Answer = bool;
        super::common_methods!();

        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            $pass(self.insert(item));
        }

        fn see_hash(&mut self, hash: u64) {
            $pass(self.insert_hash(hash));
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            $pass(self.insert_hashes(hashes));
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> bool {
            self.contains(item)
        }

        fn ask_hash(&self, hash: u64) -> bool {
            self.contains_hash(hash)
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<bool> {
            self.contains_hashes(hashes)
        }
    };
}
use filter_methods;

/// What inserting into a filter that is never full returns tells nothing that matters here.
fn done<T>(_: T) {}

/// What takes items in without an error or a word that matters here.
macro_rules! inserting_methods {
    () => {
        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            self.insert(item);
        }

        fn see_hash(&mut self, hash: u64) {
            self.insert_hash(hash);
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            self.insert_hashes(hashes);
        }
    };
}
use inserting_methods;

/// What takes and is asked for things that are made of a hash.
macro_rules! by_hash_methods {
    () => {
        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            self.see_hash(self.spec().hash(item));
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            for &hash in hashes {
                self.see_hash(hash);
            }
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> Self::Answer {
            self.ask_hash(self.spec().hash(item))
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<Self::Answer> {
            hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
        }
    };
}
use by_hash_methods;

/// The methods of a counter of different items: its answer is about all items, not about the one asked for.
macro_rules! counter_methods {
    () => {
        type Answer = crivo::Estimate;
        super::common_methods!();

        super::inserting_methods!();

        fn ask<T: crivo::Item + ?Sized>(&self, _: &T) -> crivo::Estimate {
            self.estimate()
        }

        fn ask_hash(&self, _: u64) -> crivo::Estimate {
            self.estimate()
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            vec![self.estimate(); hashes.len()]
        }
    };
}
use counter_methods;

/// The methods of a signature of a set: about an item it says how alike the set of that item alone is.
macro_rules! signature_methods {
    () => {
        type Answer = crivo::Estimate;
        super::common_methods!();

        fn scale(&self) -> usize {
            self.k() as usize + 1
        }

        super::inserting_methods!();

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> crivo::Estimate {
            let mut alone = self.emptied();
            alone.insert(item);
            self.similarity(&alone).unwrap()
        }

        fn ask_hash(&self, hash: u64) -> crivo::Estimate {
            let mut alone = self.emptied();
            alone.insert_hash(hash);
            self.similarity(&alone).unwrap()
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
        }

        fn peculiar(&mut self, rng: &mut crivo::rng::Rng) {
            // Hashes with values and bins at either end.
            let hash = rng.next_u64() >> rng.below(64);
            self.insert_hash(if rng.below(2) == 0 { hash } else { !hash });
        }
    };
}
use signature_methods;

/// The methods of a table of signed counts.
macro_rules! signed_table_methods {
    () => {
        type Answer = crivo::Estimate;
        super::common_methods!();

        fn scale(&self) -> usize {
            self.params().width() as usize
        }

        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            super::unless_full(self.add(item, 1));
        }

        fn see_hash(&mut self, hash: u64) {
            super::unless_full(self.add_hash(hash, 1));
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            super::unless_full(self.add_hashes(hashes));
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> crivo::Estimate {
            self.frequency(item)
        }

        fn ask_hash(&self, hash: u64) -> crivo::Estimate {
            self.frequency_hash(hash)
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            self.frequency_hashes(hashes)
        }

        fn peculiar(&mut self, rng: &mut Rng) {
            let count = rng.next_u64() as i64 >> rng.below(64);
            super::unless_full(self.add_hash(rng.next_u64(), count));
        }
    };
}
use signed_table_methods;
/// The methods of a sketch that keeps numbers and counts them: here the hashes of items.
macro_rules! number_methods {
    () => {
        const MEMORY_IS_CANONICAL: bool = false;
        type Answer = crivo::Estimate;
        super::common_methods!();

        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            self.see_hash(self.spec().hash(item));
        }

        fn see_hash(&mut self, hash: u64) {
            self.add(&hash, 1);
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            self.extend(hashes.iter().copied());
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> crivo::Estimate {
            self.ask_hash(self.spec().hash(item))
        }

        fn ask_hash(&self, hash: u64) -> crivo::Estimate {
            self.frequency(&hash)
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
        }

        fn peculiar(&mut self, rng: &mut Rng) {
            let count = rng.next_u64() >> rng.below(64);
            self.add(&rng.below(2 * self.scale() as u64), count);
        }
    };
}
use number_methods;

/// The methods of one counter that draws lots: it counts whatever comes.
macro_rules! small_counter_methods {
    () => {
        type Answer = crivo::Estimate;
        super::common_methods!();

        fn scale(&self) -> usize {
            40
        }

        fn see<T: crivo::Item + ?Sized>(&mut self, _: &T) {
            self.increment();
        }

        fn see_hash(&mut self, _: u64) {
            self.increment();
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            for _ in hashes {
                self.increment();
            }
        }

        fn ask<T: crivo::Item + ?Sized>(&self, _: &T) -> crivo::Estimate {
            self.estimate()
        }

        fn ask_hash(&self, _: u64) -> crivo::Estimate {
            self.estimate()
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            vec![self.estimate(); hashes.len()]
        }

        fn apart(&self) -> Self {
            Self::with_params(self.params(), self.seed().wrapping_add(1))
        }

        fn peculiar(&mut self, rng: &mut crivo::rng::Rng) {
            self.increment_by(rng.next_u64() >> rng.below(64));
        }
    };
}
use small_counter_methods;

/// The methods of an array of such counters, which takes indices: here hashes, brought below the number of counters.
macro_rules! counter_array_methods {
    () => {
        type Answer = crivo::Estimate;
        super::common_methods!();

        fn scale(&self) -> usize {
            self.len()
        }

        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            self.see_hash(self.spec().hash(item));
        }

        fn see_hash(&mut self, hash: u64) {
            self.increment(hash as usize % self.len()).unwrap();
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            for &hash in hashes {
                self.see_hash(hash);
            }
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> crivo::Estimate {
            self.ask_hash(self.spec().hash(item))
        }

        fn ask_hash(&self, hash: u64) -> crivo::Estimate {
            self.estimate(hash as usize % self.len()).unwrap()
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<crivo::Estimate> {
            hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
        }

        fn apart(&self) -> Self {
            Self::with_params(self.len() as u64, self.params(), self.seed().wrapping_add(1)).unwrap()
        }

        fn peculiar(&mut self, rng: &mut crivo::rng::Rng) {
            let index = rng.below(self.len() as u64) as usize;
            self.increment_by(index, rng.next_u64() >> rng.below(64)).unwrap();
        }
    };
}
use counter_array_methods;

/// Passes over a structure that has no room left.
pub(crate) fn unless_full<T>(result: crivo::Result<T>) {
    if let Err(error) = result {
        assert_eq!(error.kind(), ErrorKind::Full, "{error}");
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
