//! `MinHash`: bias, spread, coverage and independence of the slots, from two items to 10⁹.

use super::Sample;
use super::sets::Sizes;
use super::signatures::{SIMILARITIES, assert_huge_sets, judged, pair};
use crivo::similarity::Scheme;
use crivo::{HashSpec, MinHash};

fn make(k: u32) -> impl Fn(HashSpec) -> MinHash {
    move |spec| MinHash::for_slots(k).unwrap().with_hash(spec)
}

fn assert_answers(k: u32, sizes: Sizes) {
    let context = format!("k {k}, {sizes:?}");
    let truth = sizes.similarity();
    let verdict = judged(truth, |seed| {
        let [first, second] = pair(make(k), sizes, seed);
        first.similarity(&second).unwrap()
    });
    verdict.assert_errors((truth * (1.0 - truth) / f64::from(k)).sqrt(), &context);
    verdict.assert_binomial(k.into(), |alike| alike, &context);
}

#[test]
fn answers_about_small_sets() {
    for sizes in [(0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 2), (1, 1, 1), (2, 2, 6), (9, 0, 1), (4, 5, 21)] {
        let (first, second, both) = sizes;
        assert_answers(64, Sizes { first, second, both });
    }
    assert_answers(1, Sizes { first: 1, second: 1, both: 2 });
}

#[test]
fn answers_about_larger_sets() {
    for similarity in SIMILARITIES {
        assert_answers(128, Sizes::alike(100, similarity));
    }
    assert_answers(128, Sizes::alike(1000, 0.5));
    assert_answers(1024, Sizes::alike(200, 0.5));
}

#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 30 sizes"]
fn answers_about_sets_of_any_size() {
    for similarity in SIMILARITIES {
        for all in [20, 60, 200, 1000, 5000] {
            assert_answers(128, Sizes::alike(all, similarity));
        }
        assert_answers(1024, Sizes::alike(200, similarity));
    }
}

/// Without the correction the bias would be up to 0.12.
#[test]
fn huge_sets() {
    assert_huge_sets(Scheme::Functions, [1e7, 1e8, 1e9], |all| all);
}

/// The basis of an index: r consecutive slots all agree with the r-th power of the probability that one does, even for
/// sets of two items. And the number of agreeing slots has the fourth moment of a binomial one.
#[test]
fn slots_are_independent() {
    let k = 128u32;
    for (all, both) in [(2, 1), (3, 2), (10, 8), (100, 80)] {
        let sizes = Sizes { first: all - both, second: 0, both };
        let truth = sizes.similarity();
        let mut bands = [2, 4, 8, 16].map(|rows| (rows, Sample::default()));
        let mut fourths = Sample::default();
        for seed in 0..10_000 {
            let [first, second] = pair(make(k), sizes, seed);
            let agree: Vec<bool> =
                first.slots().iter().zip(second.slots()).map(|(one, other)| one == other).collect();
            for (rows, sample) in &mut bands {
                let whole = agree.chunks_exact(*rows).filter(|band| !band.contains(&false)).count();
                sample.push(whole as f64 / (k as usize / *rows) as f64);
            }
            let count = agree.iter().filter(|&&agrees| agrees).count() as f64;
            fourths.push((count - f64::from(k) * truth).powi(4));
        }
        for (rows, sample) in bands {
            let chance = truth.powi(rows as i32);
            sample.assert_mean(chance, sample.moment(chance, 2).sqrt(), &format!("{rows} rows, {sizes:?}"));
        }
        let variance = f64::from(k) * truth * (1.0 - truth);
        let fourth = variance * (1.0 + 3.0 * variance - 6.0 * truth * (1.0 - truth));
        fourths.assert_mean(fourth, fourths.moment(fourth, 2).sqrt(), &format!("fourth moment, {sizes:?}"));
    }
}
