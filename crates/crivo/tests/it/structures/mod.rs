//! One file for each structure, or for several similar ones: its adapter for the laws, in common terms, how it is
//! created, and its special frozen bytes.

pub(crate) mod adjacency_matrix;
pub(crate) mod atomic_bloom;
pub(crate) mod b_bit_min_hash;
pub(crate) mod binary_fuse;
pub(crate) mod blocked_bloom;
pub(crate) mod bloom_filter;
pub(crate) mod bloomier_filter;
pub(crate) mod compressed_bloom;
pub(crate) mod count_min;
pub(crate) mod counting_bloom;
pub(crate) mod cuckoo_filter;
pub(crate) mod cuckoo_table;
pub(crate) mod de_bruijn;
pub(crate) mod decaying_bloom;
pub(crate) mod direct_table;
pub(crate) mod distance_bloom;
pub(crate) mod dyadic_count_min;
pub(crate) mod edge_bloom;
pub(crate) mod exact_de_bruijn;
pub(crate) mod frequent;
pub(crate) mod hamming_index;
pub(crate) mod hash_compaction;
pub(crate) mod joint;
pub(crate) mod k_min_values;
pub(crate) mod kll;
pub(crate) mod layered;
pub(crate) mod linear_bloom;
pub(crate) mod linear_counting;
pub(crate) mod log_quantiles;
pub(crate) mod lsh_bloom;
pub(crate) mod lsh_index;
pub(crate) mod martingale;
pub(crate) mod minimum_hash;
pub(crate) mod moments;
pub(crate) mod numbered_graphs;
pub(crate) mod partitioned_bloom;
pub(crate) mod quantised_bloom;
pub(crate) mod quotient_filter;
pub(crate) mod registers;
pub(crate) mod req_sketch;
pub(crate) mod reservoir;
pub(crate) mod signatures;
pub(crate) mod signed_tables;
pub(crate) mod sim_hash;
pub(crate) mod sliding_hyperloglog;
pub(crate) mod small_counters;
pub(crate) mod spectral_bloom;
pub(crate) mod table_profile;
pub(crate) mod var_opt;
pub(crate) mod vertex_blooms;
pub(crate) mod weighted_min_hash;
pub(crate) mod weighted_reservoir;
pub(crate) mod windowed_bloom;

use crate::allocator::{kept_by, peak_of};
use crate::golden::{check, check_compact, filled};
use crivo::hash::{DEFAULT_SEED, reduce};
use crivo::rng::Rng;
use crivo::sketch::{Membership, Sketch};
use crivo::{DecodeOptions, Error, ErrorKind, Estimate, HashSpec, Item, MergeLaw};
use std::fmt::Debug;

/// The secret key of every keyed sketch in these tests.
pub(crate) const KEY: [u8; 16] = *b"a key for tests.";

/// Reads any sketch of these tests.
pub(crate) const OPTIONS: DecodeOptions =
    DecodeOptions { key: Some(KEY), max_memory: None, accept_untagged: false };

/// One hash spec of each algorithm.
pub(crate) fn specs() -> [HashSpec; 3] {
    [HashSpec::default(), HashSpec::seeded(7), HashSpec::keyed(KEY)]
}

/// [`specs`] with the default hash of early files.
pub(crate) fn early_specs() -> [HashSpec; 3] {
    [HashSpec::rapid(DEFAULT_SEED), HashSpec::rapid(7), HashSpec::keyed(KEY)]
}

/// The part of a structure that laws about bytes need, whether or not items can be inserted. The laws take it behind a
/// pointer, and so are compiled once.
pub(crate) trait Specimen: Sketch + Debug {
    fn equals(&self, other: &dyn Sketch) -> bool;

    /// Reads bytes as this kind.
    fn read(&self, bytes: &[u8], options: &DecodeOptions) -> Reading;
}

/// The result of reading, its peak memory, and the memory that it keeps.
pub(crate) struct Reading {
    pub(crate) result: crivo::Result<Box<dyn Specimen>>,
    pub(crate) peak: usize,
    pub(crate) kept: usize,
}

impl<S: Sketch + PartialEq + Debug> Specimen for S {
    fn equals(&self, other: &dyn Sketch) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn read(&self, bytes: &[u8], options: &DecodeOptions) -> Reading {
        let ((result, kept), peak) = peak_of(|| kept_by(|| S::from_bytes_with(bytes, options)));
        Reading { result: result.map(|sketch| Box::new(sketch) as Box<dyn Specimen>), peak, kept }
    }
}

/// A structure under test that is built from all its items at once.
pub(crate) trait Frozen: Sketch + Clone + PartialEq + Debug {
    /// The answer about the items with some hashes.
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

/// A structure under test. "See" is its verb for inserting an item, "ask" its query for one. A structure that takes no
/// items takes values made from their hashes.
pub(crate) trait Subject: Sketch + Clone + PartialEq + Debug {
    /// Whether equal sketches take equal memory.
    const MEMORY_IS_CANONICAL: bool = true;

    /// The answer about an item.
    type Answer: PartialEq + Debug;

    /// The number of distinct items that fill it, where its behaviour changes.
    fn scale(&self) -> usize;
    fn see_hash(&mut self, hash: u64);
    fn ask_hash(&self, hash: u64) -> Self::Answer;
    fn clear(&mut self);
    fn is_empty(&self) -> bool;
    /// Performs an operation that only this structure has.
    fn peculiar(&mut self, rng: &mut Rng);

    fn see<T: Item + ?Sized>(&mut self, item: &T) {
        self.see_hash(self.spec().hash(item));
    }

    fn see_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.see_hash(hash);
        }
    }

    fn ask<T: Item + ?Sized>(&self, item: &T) -> Self::Answer {
        self.ask_hash(self.spec().hash(item))
    }

    fn ask_hashes(&self, hashes: &[u64]) -> Vec<Self::Answer> {
        hashes.iter().map(|&hash| self.ask_hash(hash)).collect()
    }

    /// Returns how many items certainly fit. A full structure does not change: `see` ignores the error.
    fn most(&self) -> usize {
        usize::MAX
    }

    /// Returns the number of distinct items up to which a counter is exact, except for rare collisions.
    fn exact_up_to(&self) -> usize {
        self.scale()
    }

    /// Returns the largest false-positive rate, if a merge keeps this limit instead of the sum of both rates.
    fn fpr_limit(&self) -> f64 {
        0.0
    }

    /// Returns `len` items of a stream: some are repeated, unless the structure limits that.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        stream(rng, len)
    }

    /// Returns stream lengths from empty to far beyond the capacity, as far as they fit.
    fn lengths(&self) -> Vec<usize> {
        lengths(self.scale(), self.most())
    }

    /// Returns the hash spec. Structures that do not hash take hashes as numbers: always those of the early hash, which
    /// their files hold.
    fn spec(&self) -> HashSpec {
        self.hashing().copied().unwrap_or(HashSpec::rapid(DEFAULT_SEED))
    }

    /// Returns an empty sketch of the same size and hash.
    fn emptied(&self) -> Self {
        let mut empty = self.clone();
        empty.clear();
        empty
    }

    /// Returns an empty sketch that can be merged with this one: a randomised structure gets another seed.
    fn apart(&self) -> Self {
        self.emptied()
    }

    /// Returns the sketch after one pass over `items`.
    fn having_seen(mut self, items: &[u64]) -> Self {
        for item in items {
            self.see(item);
        }
        self
    }

    /// Returns the sketch after a merge, or unchanged if there is no room, both have the same seed, or merging is not
    /// supported.
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

/// Writes the methods of [`Subject`] from the names of a structure's methods: `verbs!(insert, contains)` for one with
/// `insert`, `insert_hash` and `insert_hashes`, and likewise for queries. All are cleared in the same way.
macro_rules! verbs {
    (@insert) => {
        $crate::structures::verbs!(@see insert insert_hash insert_hashes);
    };
    (@add) => {
        $crate::structures::verbs!(@see add add_hash add_hashes, 1);
    };
    (@contains) => {
        $crate::structures::verbs!(@ask bool, contains contains_hash contains_hashes);
    };
    (@frequency) => {
        $crate::structures::verbs!(@ask crivo::Estimate, frequency frequency_hash frequency_hashes);
    };
    (@estimate) => {
        $crate::structures::verbs!(@all crivo::Estimate, estimate);
    };
    (@see $see:ident $see_hash:ident $see_hashes:ident $(, $count:expr)?) => {
        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            $crate::structures::unless_full(self.$see(item $(, $count)?));
        }

        fn see_hash(&mut self, hash: u64) {
            $crate::structures::unless_full(self.$see_hash(hash $(, $count)?));
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            $crate::structures::unless_full(self.$see_hashes(hashes));
        }
    };
    (@ask $answer:ty, $ask:ident $ask_hash:ident $ask_hashes:ident) => {
        type Answer = $answer;

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> $answer {
            self.$ask(item)
        }

        fn ask_hash(&self, hash: u64) -> $answer {
            self.$ask_hash(hash)
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<$answer> {
            self.$ask_hashes(hashes)
        }
    };
    // An answer about all items, not about a single one.
    (@all $answer:ty, $ask:ident) => {
        type Answer = $answer;

        fn ask_hash(&self, _: u64) -> $answer {
            self.$ask()
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<$answer> {
            vec![self.$ask(); hashes.len()]
        }
    };
    ($($verb:ident),*) => {
        fn clear(&mut self) {
            self.clear();
        }

        fn is_empty(&self) -> bool {
            self.is_empty()
        }

        $($crate::structures::verbs!(@$verb);)*
    };
}
pub(crate) use verbs;

/// The result of an insertion: a value that is ignored here, or an error.
pub(crate) trait Told: Sized {
    fn error(self) -> Option<Error> {
        None
    }
}

impl Told for () {}
impl Told for bool {}

impl<T> Told for crivo::Result<T> {
    fn error(self) -> Option<Error> {
        self.err()
    }
}

/// Ignores the error of a full structure.
pub(crate) fn unless_full(told: impl Told) {
    if let Some(error) = told.error() {
        assert_eq!(error.kind(), ErrorKind::Full, "{error}");
    }
}

/// A value derived from a hash.
pub(crate) trait FromHash: PartialEq {
    fn from_hash(hash: u64) -> Self;
}

impl FromHash for u64 {
    fn from_hash(hash: u64) -> Self {
        hash
    }
}

impl FromHash for String {
    fn from_hash(hash: u64) -> Self {
        hash.to_string()
    }
}

impl FromHash for f64 {
    fn from_hash(hash: u64) -> Self {
        (hash.rotate_left(20) as i64 >> 11) as Self / 1024.0
    }
}

impl FromHash for i16 {
    fn from_hash(hash: u64) -> Self {
        reduce(hash.rotate_left(20), 1000) as Self - 500
    }
}

impl FromHash for u8 {
    fn from_hash(hash: u64) -> Self {
        reduce(hash.rotate_left(20), 255) as Self
    }
}

/// Lengths around a scale, up to the largest possible.
fn lengths(scale: usize, most: usize) -> Vec<usize> {
    let all = [0, 1, 2, scale / 2, scale - 1, scale, scale + 1, scale + 2, 2 * scale, 3 * scale, 12 * scale];
    all.into_iter().filter(|&length| length <= most).collect()
}

/// The hashes of items.
pub(crate) fn hashes<T: Item>(spec: HashSpec, items: &[T]) -> Vec<u64> {
    items.iter().map(|item| spec.hash(item)).collect()
}

/// `len` items out of about as many distinct ones: some are repeated.
pub(crate) fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
    let first = rng.next_u64() >> 1;
    (0..len).map(|_| first + rng.below(len as u64)).collect()
}

/// `len` distinct items.
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
