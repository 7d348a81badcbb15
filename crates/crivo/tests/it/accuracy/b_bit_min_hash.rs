//! `BBitMinHash`: bias, spread and coverage for every number of bits, of functions and of bins, and of huge sets.

use super::sets::Sizes;
use super::signatures::{SIMILARITIES, drawn_slots, judged, pair};
use crivo::similarity::{BBitMinHash, Scheme, Signature};

use crivo::{HashSpec, MinHash, OnePermutation};

fn compressed<S: Signature>(signatures: [S; 2], bits: u32) -> [BBitMinHash; 2] {
    signatures.map(|signature| BBitMinHash::freeze(&signature, bits).unwrap())
}

fn by_chance(bits: u32) -> f64 {
    2f64.powi(-(bits as i32))
}

/// Functions: the number of agreeing slots is binomial, with a probability that follows from the bits.
fn assert_functions(k: u32, bits: u32, sizes: Sizes) {
    let make = |spec| MinHash::for_slots(k).unwrap().with_hash(spec);
    let (truth, chance) = (sizes.similarity(), by_chance(bits));
    let verdict = judged(truth, |seed| {
        let [first, second] = compressed(pair(make, sizes, seed), bits);
        first.similarity(&second).unwrap()
    });
    let context = format!("k {k}, {bits} bits, {sizes:?}");
    let agree = |alike: f64| chance + (1.0 - chance) * alike;
    verdict.assert_binomial(k.into(), agree, &context);
    // Closer to 0 the estimate is cut.
    if truth >= 0.5 {
        let variance = agree(truth) * (1.0 - agree(truth)) / f64::from(k) / (1.0 - chance).powi(2);
        verdict.assert_errors(variance.sqrt(), &context);
    }
}

#[test]
fn compressed_functions() {
    for bits in [1, 2, 4, 8, 16] {
        for similarity in [0.0, 0.5, 0.95] {
            assert_functions(256, bits, Sizes::alike(60, similarity));
        }
    }
    assert_functions(256, 1, Sizes { first: 1, second: 0, both: 1 });
    assert_functions(256, 2, Sizes { first: 0, second: 0, both: 1 });
}

/// Bins: empty ones are filled from others, so they are worth less, the more so the fewer items there are.
fn assert_bins(k: u32, bits: u32, sizes: Sizes) {
    let make = |spec| OnePermutation::for_slots(k).unwrap().with_hash(spec);
    let truth = sizes.similarity();
    let verdict = judged(truth, |seed| {
        let [first, second] = compressed(pair(make, sizes, seed), bits);
        first.similarity(&second).unwrap()
    });
    let context = format!("k {k}, {bits} bits of bins, {sizes:?}");
    // Half a slot more or less matters more where a bit counts for half.
    verdict.assert_rule(f64::from(k) * (1.0 - by_chance(bits)), &context);
    if truth >= 0.5 {
        let errors = &verdict.errors;
        errors.assert_mean(0.0, errors.moment(0.0, 2).sqrt(), &context);
    }
}

#[test]
fn compressed_bins() {
    for (bits, all) in [(1, 2), (1, 40), (2, 20), (4, 60), (16, 20), (8, 128)] {
        for similarity in [0.0, 0.5, 0.95] {
            assert_bins(128, bits, Sizes::alike(all, similarity));
        }
    }
    assert_bins(128, 16, Sizes { first: 1, second: 0, both: 24 });
}

#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 75 sizes"]
fn compressed_signatures_of_any_size() {
    for similarity in SIMILARITIES {
        for bits in [1, 4, 16] {
            for all in [20, 200, 1000] {
                assert_functions(128, bits, Sizes::alike(all, similarity));
            }
            for all in [10, 30, 100] {
                assert_bins(128, bits, Sizes::alike(all, similarity));
            }
        }
    }
}

/// A signature of random slots.
struct Drawn {
    slots: Vec<u32>,
    spec: HashSpec,
}

impl Signature for Drawn {
    fn scheme(&self) -> Scheme {
        Scheme::Functions
    }

    fn slots(&self) -> &[u32] {
        &self.slots
    }

    fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }
}

#[test]
fn huge_sets() {
    for similarity in SIMILARITIES {
        let both = 1e9 * similarity;
        let apart = (1e9 - both) / 2.0;
        let verdict = judged(similarity, |seed| {
            let slots = drawn_slots(256, [apart, apart, both], seed);
            let drawn = slots.map(|slots| Drawn { slots, spec: HashSpec::default() });
            let [first, second] = compressed(drawn, 2);
            first.similarity(&second).unwrap()
        });
        verdict.assert_rule(192.0, &format!("2 bits, 10⁹ items, similarity {similarity}"));
    }
}
