//! Joint sketches: their estimates about two sets, compared with inclusion and exclusion.

use super::Sample;
use super::sets::{Answers, Sizes, coverage_of};
use crivo::cardinality::Sets;
use crivo::{HashSpec, Joint};

/// The sketches of both sets under one seed.
fn pair(precision: u8, k: u32, sizes: Sizes, seed: u64) -> [Joint; 2] {
    let spec = HashSpec::seeded(seed);
    sizes.hashes(spec).map(|hashes| {
        let mut sketch = Joint::for_precision(precision, k).unwrap().with_hash(spec);
        sketch.insert_hashes(&hashes);
        sketch
    })
}

fn compared([first, second]: &[Joint; 2]) -> Answers {
    [first.intersection(second), first.difference(second), first.similarity(second)].map(Result::unwrap)
}

fn assert_answers(precision: u8, k: u32, sizes: Sizes) {
    let coverage = coverage_of(sizes, |sizes, seed| compared(&pair(precision, k, sizes, seed)));
    let context = |name: &str| format!("precision {precision}, k {k}, {name} of {sizes:?}");
    // One more hash in the sample moves a count by a share of the union. A part that is the whole union has no such
    // hash: its share cannot be missed from above, so the interval covers more.
    let step = |part| if part == sizes.all() { f64::INFINITY } else { sizes.all() as f64 / f64::from(k) };
    coverage[0].assert_rule(step(sizes.both), &context("intersection"));
    coverage[1].assert_rule(step(sizes.first), &context("difference"));
    coverage[2].assert_proven(&context("similarity"));
}

#[test]
fn answers_about_two_sets() {
    for (all, similarity) in [(60, 0.5), (100, 0.1), (5000, 0.01), (5000, 0.3), (5000, 0.9)] {
        assert_answers(8, 64, Sizes::alike(all, similarity));
    }
}

#[test]
#[ignore = "long tier: 3,000 pairs of sets of each of 34 sizes"]
fn answers_about_two_sets_of_any_similarity() {
    for similarity in [0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 1.0] {
        for all in [70, 130, 300, 10_000] {
            assert_answers(8, 64, Sizes::alike(all, similarity));
        }
    }
    for (both, first) in [(0, 30), (15, 15), (30, 0), (0, 400), (200, 200), (400, 0)] {
        assert_answers(10, 200, Sizes { first, second: 5000, both });
    }
}

/// By inclusion and exclusion of the counters.
fn excluded(sketches: &[Joint; 2]) -> Sets {
    let [first, second] = sketches.each_ref().map(Joint::counter);
    let mut union = first.clone();
    union.merge(second).unwrap();
    Sets::by_inclusion_exclusion(first.estimate(), second.estimate(), union.estimate())
}

/// The intervals add up as if all errors were at their worst at once: they cover too much, but never too little.
#[test]
fn inclusion_and_exclusion_cover() {
    for sizes in
        [Sizes::alike(3000, 0.0), Sizes::alike(3000, 0.4), Sizes { first: 300, second: 2700, both: 300 }]
    {
        let answers = |sizes, seed| {
            let sets = excluded(&pair(8, 16, sizes, seed));
            [sets.intersection, sets.only_first, sets.similarity]
        };
        for (coverage, name) in
            coverage_of(sizes, answers).iter().zip(["intersection", "difference", "similarity"])
        {
            let share = coverage.covered as f64 / coverage.trials as f64;
            assert!(share >= 0.93, "{name} of {sizes:?}: {share} of intervals hold the truth");
        }
    }
}

/// Root mean square errors of the intersection, as shares of the union: of joint sketches with four registers a hash,
/// and by inclusion and exclusion of their counters.
fn errors(similarity: f64) -> [f64; 2] {
    let sizes = Sizes::alike(20_000, similarity);
    let mut values = [Sample::default(), Sample::default()];
    for seed in 0..300 {
        let sketches = pair(10, 256, sizes, seed);
        values[0].push(compared(&sketches)[0].value());
        values[1].push(excluded(&sketches).intersection.value());
    }
    values.map(|values| values.moment(sizes.both as f64, 2).sqrt() / sizes.all() as f64)
}

/// A small intersection is a small share of the sample, with a small error; by inclusion and exclusion the error is
/// that of the union. The two are equal where a fifth of all items is common.
#[test]
fn joint_sketches_see_small_intersections() {
    for similarity in [0.01, 0.1] {
        let [joint, exclusion] = errors(similarity);
        assert!(joint < exclusion, "similarity {similarity}: {joint} and {exclusion}");
    }
    let [joint, exclusion] = errors(0.5);
    assert!(exclusion < joint, "similarity 0.5: {joint} and {exclusion}");
}
