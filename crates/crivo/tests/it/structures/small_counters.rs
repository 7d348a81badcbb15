//! Approximate counters of a few bits, alone and in arrays.

use super::*;
use crivo::counting::{BinomialArray, BinomialCounter, BinomialParams, MorrisParams};
use crivo::{MorrisArray, MorrisCounter};

/// A single counter counts every item.
macro_rules! counter {
    ($make:ident, $counter:ident, $params:ident) => {
        impl Subject for $counter {
            verbs!(estimate);

            fn scale(&self) -> usize {
                40
            }

            fn see_hash(&mut self, _: u64) {
                self.increment();
            }

            fn apart(&self) -> Self {
                Self::with_params(self.params(), self.seed().wrapping_add(1))
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                self.increment_by(rng.next_u64() >> rng.below(64));
            }
        }

        pub(crate) fn $make(step: f64, bits: u32) -> impl Fn(HashSpec) -> $counter {
            let params = $params::exact(step, bits).unwrap();
            move |spec| $counter::with_params(params, spec.fingerprint())
        }
    };
}
counter!(binomial, BinomialCounter, BinomialParams);
counter!(morris, MorrisCounter, MorrisParams);

/// An array takes indices: here hashes, reduced to the number of counters.
macro_rules! array {
    ($make:ident, $array:ident, $params:ident, $memory_is_canonical:literal) => {
        impl Subject for $array {
            const MEMORY_IS_CANONICAL: bool = $memory_is_canonical;
            type Answer = Estimate;
            verbs!();

            fn scale(&self) -> usize {
                self.len()
            }

            fn see_hash(&mut self, hash: u64) {
                self.increment(hash as usize % self.len()).unwrap();
            }

            fn ask_hash(&self, hash: u64) -> Estimate {
                self.estimate(hash as usize % self.len()).unwrap()
            }

            fn apart(&self) -> Self {
                Self::with_params(self.len() as u64, self.params(), self.seed().wrapping_add(1)).unwrap()
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                let index = rng.below(self.len() as u64) as usize;
                self.increment_by(index, rng.next_u64() >> rng.below(64)).unwrap();
            }
        }

        pub(crate) fn $make(len: u64, step: f64, bits: u32) -> impl Fn(HashSpec) -> $array {
            let params = $params::exact(step, bits).unwrap();
            move |spec| $array::with_params(len, params, spec.fingerprint()).unwrap()
        }
    };
}
array!(binomials, BinomialArray, BinomialParams, true);
array!(morrises, MorrisArray, MorrisParams, false);

/// The later counts go to a counter with another seed.
pub(super) fn check_merged<S: Subject>(empty: S, first: u64, second: u64) {
    let one = filled(empty, first);
    check("merged", &filled(one.apart(), second).merged_with(&one));
}

#[test]
fn files() {
    let plain = HashSpec::default();
    macro_rules! check_saturated {
        ($counter:expr $(, $index:expr)?) => {
            let mut full = $counter(plain);
            let _ = full.increment_by($($index,)? 1 << 40);
            check("saturated", &full);
        };
    }
    check_saturated!(binomial(0.3, 2));
    check_saturated!(morris(1.05, 2));
    check_saturated!(binomials(3, 0.3, 2), 1);
    check_saturated!(morrises(3, 1.05, 2), 1);
    check_merged(binomial(0.3, 16)(plain), 3000, 400);
    check_merged(morris(1.05, 12)(plain), 3000, 400);
    check_merged(binomials(9, 0.3, 5)(plain), 100, 40);
    check_merged(morrises(9, 1.05, 5)(plain), 100, 40);
}
