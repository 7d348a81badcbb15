//! K minimum values: bias, spread and coverage of the count from empty to 10⁹ items, and of the estimates about two
//! sets.

use super::counters::{assert_accuracy, assert_errors, for_each_stream};
use super::sets::{Answers, Sizes, coverage_of};
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::{HashSpec, KMinValues};

fn make(k: u32) -> impl Fn(HashSpec) -> KMinValues {
    move |spec| KMinValues::for_k(k).unwrap().with_hash(spec)
}

fn standard_error(k: u32) -> impl Fn(u64) -> f64 {
    move |items| KMinValues::standard_error_at(k, items).unwrap()
}

fn of_hashes(k: u32, hashes: &[u64]) -> KMinValues {
    let mut sketch = KMinValues::for_k(k).unwrap();
    sketch.insert_hashes(hashes);
    sketch
}

/// Simulates the sketch of `items` random hashes, of which only the smallest are drawn.
fn simulated(k: u32, items: u64, seed: u64) -> KMinValues {
    let sizes = Sizes { first: 0, second: 0, both: items };
    of_hashes(k, &sizes.smallest_hashes(k.into(), seed)[0])
}

#[test]
fn bias_and_spread() {
    let checkpoints = [1, 2, 63, 64, 65, 80, 100, 200, 1000];
    assert_accuracy(make(64), &checkpoints, 4000, standard_error(64), "k 64");
    for items in [1_000_000, 1_000_000_000, 1 << 50] {
        let mut errors = Sample::default();
        for seed in 0..4000 {
            errors.push(simulated(100, items, seed).estimate().value() / items as f64 - 1.0);
        }
        assert_errors(&errors, items, standard_error(100)(items), "k 100");
    }
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for k in [16, 60] {
        let n = u64::from(k);
        let checkpoints = [0, 1, n - 1, n, n + 1, 5 * n / 4, 5 * n, 20 * n];
        let mut coverage: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
        for_each_stream(make(k), &checkpoints, 0..COVERAGE_TRIALS, |i, sketch| {
            coverage[i].push(&sketch.estimate(), checkpoints[i] as f64);
        });
        for (coverage, items) in coverage.iter().zip(checkpoints) {
            coverage.assert_proven(&format!("k {k}, {items} items"));
        }
        // The number of items is an integer, and so are the bounds: this matters neither for few nor for many.
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            coverage.push(&simulated(k, 1_000_000_000, seed).estimate(), 1e9);
        }
        coverage.assert_exact(&format!("k {k}, a billion items"));
    }
}

fn compared([first, second]: [KMinValues; 2]) -> Answers {
    [first.intersection(&second), first.difference(&second), first.similarity(&second)].map(Result::unwrap)
}

/// From real hashes.
fn real(k: u32) -> impl Fn(Sizes, u64) -> Answers {
    move |sizes, seed| {
        let spec = HashSpec::seeded(seed);
        compared(sizes.hashes(spec).map(|hashes| {
            let mut sketch = make(k)(spec);
            sketch.insert_hashes(&hashes);
            sketch
        }))
    }
}

/// From the smallest of random hashes.
fn drawn(k: u32) -> impl Fn(Sizes, u64) -> Answers {
    move |sizes, seed| compared(sizes.smallest_hashes(k.into(), seed).map(|hashes| of_hashes(k, &hashes)))
}

fn assert_answers(sizes: Sizes, answers: impl Fn(Sizes, u64) -> Answers, context: &str) {
    let coverage = coverage_of(sizes, answers);
    for (coverage, name) in coverage.iter().zip(["intersection", "difference", "similarity"]) {
        coverage.assert_proven(&format!("{context}, {name} of {sizes:?}"));
    }
}

#[test]
fn answers_about_two_sets() {
    for (all, similarity) in [(90, 0.5), (1000, 0.1)] {
        assert_answers(Sizes::alike(all, similarity), real(64), "k 64");
    }
    for similarity in [0.001, 0.9] {
        assert_answers(Sizes::alike(1_000_000_000, similarity), drawn(40), "k 40");
    }
}

#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 27 sizes"]
fn answers_about_two_sets_of_any_similarity() {
    for similarity in [0.0, 0.1, 0.5, 0.9, 1.0] {
        // Exact, just beyond k, and far beyond.
        for all in [40, 80, 130, 300] {
            assert_answers(Sizes::alike(all, similarity), real(64), "k 64");
        }
    }
    for similarity in [0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 1.0] {
        assert_answers(Sizes::alike(1_000_000_000, similarity), drawn(128), "k 128");
    }
}

/// A small set and a large one: subset, disjoint and halfway.
#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 12 sizes"]
fn answers_about_sets_of_different_sizes() {
    for (both, first) in [(0, 30), (15, 15), (30, 0), (0, 400), (200, 200), (400, 0)] {
        assert_answers(Sizes { first, second: 2000, both }, real(64), "k 64");
        assert_answers(Sizes { first: 2000, second: first, both }, real(64), "k 64");
    }
}

/// Counts of parts are unbiased once both sketches are full.
#[test]
fn parts_have_no_bias() {
    for sizes in [Sizes::alike(100_000, 0.3), Sizes { first: 100_000, second: 1000, both: 500 }] {
        let mut errors = [Sample::default(), Sample::default()];
        for seed in 0..COVERAGE_TRIALS {
            let [both, first, _] = drawn(40)(sizes, seed);
            errors[0].push(both.value() - sizes.both as f64);
            errors[1].push(first.value() - sizes.first as f64);
        }
        for errors in errors {
            errors.assert_mean(0.0, errors.moment(0.0, 2).sqrt(), &format!("{sizes:?}"));
        }
    }
}
