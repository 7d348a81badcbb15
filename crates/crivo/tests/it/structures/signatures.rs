//! Signatures of sets.

use super::*;
use crivo::{MinHash, OnePermutation};

/// The answer about an item is the similarity to the set of that item alone.
macro_rules! signature {
    ($make:ident, $signature:ident) => {
        impl Subject for $signature {
            type Answer = Estimate;
            verbs!(insert);

            fn scale(&self) -> usize {
                self.k() as usize + 1
            }

            fn ask<T: Item + ?Sized>(&self, item: &T) -> Estimate {
                let mut alone = self.emptied();
                alone.insert(item);
                self.similarity(&alone).unwrap()
            }

            fn ask_hash(&self, hash: u64) -> Estimate {
                let mut alone = self.emptied();
                alone.insert_hash(hash);
                self.similarity(&alone).unwrap()
            }

            /// Hashes with values and bins at either end.
            fn peculiar(&mut self, rng: &mut Rng) {
                let hash = rng.next_u64() >> rng.below(64);
                self.insert_hash(if rng.below(2) == 0 { hash } else { !hash });
            }
        }

        pub(crate) fn $make(k: u32) -> impl Fn(HashSpec) -> $signature {
            move |spec| $signature::for_slots(k).unwrap().with_hash(spec)
        }
    };
}
signature!(min_hash, MinHash);
signature!(one_permutation, OnePermutation);

fn check_sizes<S: Subject>(make: impl Fn(u32) -> S) {
    check("k-1", &filled(make(1), 10));
    check("k-200", &filled(make(200), 300));
    let mut ends = make(5);
    ends.see_hashes(&[0, 1 << 32, u64::MAX]);
    check("extreme-hashes", &ends);
}

#[test]
fn files() {
    check_sizes(|k| min_hash(k)(HashSpec::default()));
    check_sizes(|k| one_permutation(k)(HashSpec::default()));
}
