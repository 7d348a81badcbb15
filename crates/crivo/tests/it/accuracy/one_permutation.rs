//! `OnePermutation`: bias, spread and coverage, from one item to 10¹¹, and of filled slots.

use super::sets::Sizes;
use super::signatures::{HUGE_SLOTS, SIMILARITIES, assert_huge_sets, judged, pair};
use super::{COVERAGE_TRIALS, Sample};
use crivo::similarity::Scheme;
use crivo::{HashSpec, OnePermutation};

fn make(k: u32) -> impl Fn(HashSpec) -> OnePermutation {
    move |spec| OnePermutation::for_slots(k).unwrap().with_hash(spec)
}

/// The number of bins that the union of two signatures uses.
fn used([first, second]: &[OnePermutation; 2]) -> f64 {
    let pairs = first.slots().iter().zip(second.slots());
    pairs.filter(|(one, other)| one.min(other) != &&Scheme::EMPTY).count() as f64
}

/// Given the number of bins in use, the estimate is unbiased and has the variance of a draw without replacement.
fn assert_answers(k: u32, sizes: Sizes) {
    let context = format!("k {k}, {sizes:?}");
    let (truth, all) = (sizes.similarity(), sizes.all() as f64);
    let verdict = judged(truth, |seed| {
        let [first, second] = pair(make(k), sizes, seed);
        first.similarity(&second).unwrap()
    });
    let mut variance = 0.0;
    for seed in 0..COVERAGE_TRIALS {
        let bins = used(&pair(make(k), sizes, seed));
        variance += truth * (1.0 - truth) / bins * (all - bins) / (all - 1.0).max(1.0);
    }
    let variance = variance / COVERAGE_TRIALS as f64;
    verdict.assert_errors(variance.sqrt(), &context);
    verdict.assert_rule(f64::from(k).min(all), &context);
    if sizes.all() > 2 {
        assert!(variance <= truth * (1.0 - truth) / f64::from(k), "{context}: {variance}");
    }
}

#[test]
fn answers_about_small_sets() {
    for sizes in [(0, 0, 1), (1, 1, 0), (1, 1, 1), (2, 2, 6), (9, 0, 1), (1, 0, 19), (4, 5, 21), (1, 1, 48)] {
        let (first, second, both) = sizes;
        assert_answers(128, Sizes { first, second, both });
    }
    assert_answers(1, Sizes { first: 1, second: 1, both: 2 });
}

#[test]
fn answers_about_larger_sets() {
    for similarity in SIMILARITIES {
        for all in [128, 640] {
            assert_answers(128, Sizes::alike(all, similarity));
        }
    }
    assert_answers(1024, Sizes::alike(5000, 0.5));
}

#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 45 sizes"]
fn answers_about_sets_of_any_size() {
    for similarity in SIMILARITIES {
        for all in [20, 40, 60, 100, 200, 400, 2000, 10_000] {
            assert_answers(128, Sizes::alike(all, similarity));
        }
        assert_answers(1024, Sizes::alike(1024, similarity));
    }
}

#[test]
fn huge_sets() {
    assert_huge_sets(Scheme::Bins, [1e9, 1e10, 1e11], |all| all / HUGE_SLOTS as f64);
}

/// Filled slots agree with a probability equal to the similarity, however few bins are in use.
#[test]
fn filled_slots_agree_as_often_as_the_others() {
    for sizes in [(1, 0, 1), (1, 1, 2), (3, 2, 15), (20, 20, 40), (2, 100, 50)] {
        let (first, second, both) = sizes;
        let sizes = Sizes { first, second, both };
        let mut shares = Sample::default();
        for seed in 0..COVERAGE_TRIALS {
            let [first, second] = pair(make(128), sizes, seed);
            let (first, second) = (Scheme::Bins.filled(first.slots()), Scheme::Bins.filled(second.slots()));
            let agree = first.iter().zip(&*second).filter(|(one, other)| one == other).count();
            shares.push(agree as f64 / 128.0);
        }
        let truth = sizes.similarity();
        shares.assert_mean(truth, shares.moment(truth, 2).sqrt(), &format!("{sizes:?}"));
    }
}
