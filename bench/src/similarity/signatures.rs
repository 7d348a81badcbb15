//! Signatures of sets: the time of an item, and how far estimates are from the truth.

use super::SLOTS;
use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::keys::SplitMix64;
use bench_report::Targets;
use crivo::{HashSpec, KMinValues, MinHash, OnePermutation};
use gaoya::minhash::{MinHasher, MinHasher32, compute_minhash_similarity};
use probminhash::densminhash::OptDensMinHash;
use probminhash::superminhasher::SuperMinHash;
use std::hash::BuildHasherDefault;
use xxhash_rust::xxh3::Xxh3;

const COLUMNS: [Column; 3] = [Column::Time("item"), Column::Time("compare"), Column::Value("RMSE")];

/// The items of a set, and how many of them the other set of its pair has too: half of the union.
const ITEMS: usize = 1000;
const SHARED: usize = ITEMS * 2 / 3;

/// Signatures of one kind. Each pair has a hash of its own where the crate takes a seed, so that the errors are
/// independent; where it takes none, the sets are independent all the same.
trait Signing {
    const NAME: &'static str;
    type Signature;

    fn new(number: u64) -> Self;

    fn sign(&self, items: &[u64]) -> Self::Signature;

    fn similarity(&self, first: &Self::Signature, second: &Self::Signature) -> f64;
}

/// A sketch of ours that takes a set in and compares.
macro_rules! our_signature {
    ($sketch:ident, $make:ident, $name:literal) => {
        impl Signing for $sketch {
            const NAME: &'static str = $name;
            type Signature = Self;

            fn new(number: u64) -> Self {
                $sketch::$make(SLOTS as u32).expect("this size is valid").with_hash(HashSpec::seeded(number))
            }

            #[inline(never)]
            fn sign(&self, items: &[u64]) -> Self {
                let mut signature = self.clone();
                signature.extend(items.iter().copied());
                signature
            }

            fn similarity(&self, first: &Self, second: &Self) -> f64 {
                first.similarity(second).expect("both have one size").value()
            }
        }
    };
}

our_signature!(MinHash, for_slots, "crivo MinHash");
our_signature!(OnePermutation, for_slots, "crivo OnePermutation");
our_signature!(KMinValues, for_k, "crivo KMinValues");

impl Signing for MinHasher32<fnv::FnvBuildHasher> {
    const NAME: &'static str = "gaoya MinHasher32";
    type Signature = Vec<u32>;

    fn new(number: u64) -> Self {
        Self::new_with_hasher_and_seed(SLOTS, fnv::FnvBuildHasher::default(), number)
    }

    #[inline(never)]
    fn sign(&self, items: &[u64]) -> Vec<u32> {
        self.create_signature(items.iter())
    }

    fn similarity(&self, first: &Vec<u32>, second: &Vec<u32>) -> f64 {
        compute_minhash_similarity(first, second)
    }
}

/// The crate's sketch of `f64`, hashed with XXH3.
struct OptDens;

impl Signing for OptDens {
    const NAME: &'static str = "probminhash OptDensMinHash";
    type Signature = Vec<f64>;

    fn new(_: u64) -> Self {
        Self
    }

    #[inline(never)]
    fn sign(&self, items: &[u64]) -> Vec<f64> {
        let mut sketch = OptDensMinHash::<f64, u64, Xxh3>::new(SLOTS, BuildHasherDefault::default());
        sketch.sketch_slice(items).expect("the crate takes these");
        sketch.get_hsketch().clone()
    }

    fn similarity(&self, first: &Vec<f64>, second: &Vec<f64>) -> f64 {
        equal_share(first, second)
    }
}

/// The crate's sketch of `f64`, hashed with XXH3.
struct SuperMin;

impl Signing for SuperMin {
    const NAME: &'static str = "probminhash SuperMinHash";
    type Signature = Vec<f64>;

    fn new(_: u64) -> Self {
        Self
    }

    #[inline(never)]
    fn sign(&self, items: &[u64]) -> Vec<f64> {
        let mut sketch = SuperMinHash::<f64, u64, Xxh3>::new(SLOTS, BuildHasherDefault::default());
        sketch.sketch_slice(items).expect("the crate takes these");
        sketch.get_hsketch().clone()
    }

    fn similarity(&self, first: &Vec<f64>, second: &Vec<f64>) -> f64 {
        equal_share(first, second)
    }
}

impl Signing for sketches::minhash::MinHash {
    const NAME: &'static str = "sketches MinHash";
    type Signature = Self;

    fn new(_: u64) -> Self {
        Self::new(SLOTS).expect("the crate accepts this size")
    }

    #[inline(never)]
    fn sign(&self, items: &[u64]) -> Self {
        let mut signature = self.clone();
        for item in items {
            signature.add(item);
        }
        signature
    }

    fn similarity(&self, first: &Self, second: &Self) -> f64 {
        first.estimate_jaccard(second).expect("both have one size")
    }
}

fn equal_share(first: &[f64], second: &[f64]) -> f64 {
    let equal = first.iter().zip(second).filter(|(one, other)| one == other).count();
    equal as f64 / first.len() as f64
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    let pairs = if options.quick { 200 } else { 2000 };
    let sets: Vec<[Vec<u64>; 2]> = (0..pairs).map(pair).collect();
    let mut contenders = vec![
        contender::<MinHash>(&sets),
        contender::<OnePermutation>(&sets),
        contender::<KMinValues>(&sets),
        contender::<MinHasher32<fnv::FnvBuildHasher>>(&sets),
        contender::<OptDens>(&sets),
        contender::<SuperMin>(&sets),
        contender::<sketches::minhash::MinHash>(&sets),
    ];
    interleave(&mut contenders, options.rounds);
    let title = format!(
        "Signatures of {SLOTS} slots, {pairs} pairs of sets of {ITEMS} u64, half of the union shared"
    );
    print_contenders(&title, &COLUMNS, &contenders);
    let item = |name: &str| best(&contenders, name, "item");
    let (gaoya, dense) = (<MinHasher32<fnv::FnvBuildHasher> as Signing>::NAME, OptDens::NAME);
    for (ours, peer, times) in [
        (<MinHash as Signing>::NAME, gaoya, 1.3),
        (<OnePermutation as Signing>::NAME, dense, 4.0),
        (<OnePermutation as Signing>::NAME, gaoya, 4.0),
    ] {
        targets.at_most(format!("{ours} item vs {peer}"), item(ours), item(peer), 1.0 / times);
    }
    // What 128 independent slots would have, and how far the square root of this many squares strays: a normal
    // estimate of a standard deviation from n values has itself one of 1/√(2n).
    let truth = SHARED as f64 / (2 * ITEMS - SHARED) as f64;
    let binomial = (truth * (1.0 - truth) / SLOTS as f64).sqrt();
    let noise = 1.0 + 3.0 / (2.0 * pairs as f64).sqrt();
    for ours in [<MinHash as Signing>::NAME, <OnePermutation as Signing>::NAME] {
        let what = format!("{ours} RMSE vs the binomial one");
        targets.at_most(what, best(&contenders, ours, "RMSE"), binomial, noise);
    }
}

/// Two sets with two thirds of their items in common.
fn pair(number: u64) -> [Vec<u64>; 2] {
    let items = SplitMix64::new(number).take(2 * ITEMS - SHARED);
    [items[..ITEMS].to_vec(), items[ITEMS - SHARED..].to_vec()]
}

fn contender<S: Signing>(sets: &[[Vec<u64>; 2]]) -> Contender<'_> {
    let truth = SHARED as f64 / (2 * ITEMS - SHARED) as f64;
    Contender::new(S::NAME, move |samples| {
        let [mut sign, mut compare] = [const { Stopwatch::new() }; 2];
        let mut squares = 0.0;
        for (number, [first, second]) in sets.iter().enumerate() {
            let signing = S::new(number as u64);
            let [first, second] = sign.run(|| [signing.sign(first), signing.sign(second)]);
            let similarity = compare.run(|| signing.similarity(&first, &second));
            squares += (similarity - truth).powi(2);
        }
        samples.record("item", sign.per_op(2 * ITEMS * sets.len()));
        samples.record("compare", compare.per_op(sets.len()));
        samples.record("RMSE", (squares / sets.len() as f64).sqrt());
    })
}
