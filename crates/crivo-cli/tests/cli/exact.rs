//! `--exact` and `--kind exact` compare items, not hashes.

use crate::support::{Dir, few_different};
use crivo::HashSpec;
use crivo::hash::DEFAULT_SEED;
use std::collections::HashSet;
use std::ops::Range;

/// How long an item is that XXH3 reads as two pairs of words.
const LENGTH: usize = 32;

/// Distinct items that share one hash. Of each pair of words XXH3 makes a product; one factor of the first is the first word
/// less the first of its secret and the seed. Where that is nothing, the second word does not matter.
fn colliding(numbers: Range<u32>, seed: u64) -> Vec<Vec<u8>> {
    let factor = 0xbe4b_a423_396c_feb8u64.wrapping_add(seed).to_le_bytes();
    let item = |number| [&factor[..], format!("{number:08x}WhatTheyAllShare").as_bytes()].concat();
    let items: Vec<Vec<u8>> = numbers.map(item).collect();
    let hash = |item: &Vec<u8>| HashSpec::seeded(seed).hash_bytes(item);
    assert!(items.iter().all(|item| item.len() == LENGTH && hash(item) == hash(&items[0])), "they collide");
    items
}

fn lines(items: &[Vec<u8>]) -> Vec<u8> {
    items.iter().flat_map(|item| [&item[..], b"\n"].concat()).collect()
}

#[test]
fn items_count_not_hashes() {
    let dir = Dir::new();
    for (flags, seed) in [("--seed 7", 7), ("--jobs 1", DEFAULT_SEED), ("", DEFAULT_SEED)] {
        let colliding = |numbers| lines(&colliding(numbers, seed));
        dir.write("a", colliding(0..1000));
        dir.write("b", colliding(500..1500));
        dir.write("c", colliding(1000..2000));
        let text = dir.run(&format!("distinct a b --kind exact {flags}")).text();
        assert_eq!(text, "1,500 distinct  (exact)\n");
        assert_eq!(dir.run(&format!("seen a b --exact {flags}")).stdout, colliding(0..1500));
        for (other, alike) in [("b", "0.333"), ("c", "0.000"), ("a", "1.000")] {
            let text = dir.run(&format!("similar a {other} --exact {flags}")).text();
            assert_eq!(text, format!("similarity {alike}  (exact)\n"));
        }
    }
    let similarity = &dir.run("similar a b --exact --json").json()[0]["similarity"];
    assert_eq!((&similarity["guarantee"], similarity.get("collision_chance")), (&"certain".into(), None));
}

#[test]
fn shingles_count_not_hashes() {
    let dir = Dir::new();
    let items = colliding(0..300, DEFAULT_SEED);
    let texts = [items[..200].concat(), items[100..].concat()];
    dir.write("a", &texts[0]);
    dir.write("b", &texts[1]);
    let [one, other] = texts.each_ref().map(|text| text.windows(LENGTH).collect::<HashSet<_>>());
    let alike = one.intersection(&other).count() as f64 / one.union(&other).count() as f64;
    let answer = &dir.run(&format!("similar a b --exact --shingle bytes:{LENGTH} --json")).json()[0];
    assert_eq!(answer["similarity"]["value"].as_f64(), Some(alike), "{answer}");
    dir.write("c", "It was the best of times, it was the worst of times.");
    dir.write("d", "IT WAS THE BEST OF TIMES; IT WAS THE BLURST OF TIMES");
    assert_eq!(dir.run("similar c d --exact --shingle words:3").text(), "similarity 0.500  (exact)\n");
}

#[test]
fn vertices_and_edges_count_not_hashes() {
    let dir = Dir::new();
    let names = colliding(0..100, DEFAULT_SEED);
    let edge = |(one, other): (&Vec<u8>, &Vec<u8>)| [&one[..], b" ", other, b"\n"].concat();
    let edges: Vec<u8> = names.iter().zip(&names[1..]).flat_map(edge).collect();
    dir.write("edges", &edges);
    let figures = dir.run("graph stats edges --exact --json").json();
    for (name, truth) in [("vertices", 100), ("edges", 99), ("loops", 0), ("triangles", 0)] {
        let figure = figures.iter().find(|figure| figure["name"] == name).unwrap();
        assert_eq!(
            (&figure["value"]["value"], &figure["value"]["guarantee"]),
            (&truth.into(), &"certain".into())
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = Dir::new();
    let numbers: String = (0..200_000).map(|i| format!("number {i}\n")).collect();
    dir.write("a", &numbers);
    dir.write("edges", numbers.replace("number ", "v\t"));
    for line in [
        "distinct a --kind exact",
        "similar a a --exact",
        "similar a a --exact --format lines --shingle chars:9",
        "graph stats edges --exact",
    ] {
        let flag = if line.starts_with("distinct") { "--kind exact" } else { "--exact" };
        let refused = dir.run(&format!("{line} --max-memory 3MiB"));
        refused.fails_with(&[
            &format!("{flag} keeps the items"),
            "raise --max-memory",
            &format!("leave out {flag}"),
        ]);
        assert_eq!(dir.run(&format!("{line} --max-memory 1GiB")).code, Some(0), "{line}");
    }
    for line in ["distinct a --kind exact --save s.crv", "distinct a --kind exact --precision 12"] {
        dir.run(line).fails_with(&["--kind exact", "leave out"]);
    }
    dir.write("t.csv", "a,b\n1,2\n");
    dir.run("distinct t.csv -c a --by b --kind exact").fails_with(&["choose another --kind"]);
}

/// Where hashes stand for items, the answer says so, and how likely two of them agree.
#[test]
fn answers_from_hashes_state_the_chance() {
    let dir = Dir::new();
    dir.write("a", (0..100).map(|i| format!("{i}\n")).collect::<String>());
    assert_eq!(dir.run("distinct a").text(), few_different(100) + "\n");
    for (kind, places) in [("hyperloglog", 31), ("cuckoo-table", 64), ("k-min-values", 64)] {
        dir.run(&format!("distinct a --kind {kind} --save s.crv --force")).text();
        let distinct = &dir.run("distinct --from s.crv --json").json()[0]["distinct"];
        let chance = distinct["collision_chance"].as_f64().unwrap();
        let expected = 100.0 * 100.0 / 2.0 / 2f64.powi(places);
        assert!((chance / expected - 1.0).abs() < 5e-3, "{kind}: {distinct}");
    }
    dir.run("distinct a --save a.crv --kind k-min-values").text();
    let text = dir.run("distinct --intersect a.crv a.crv").text();
    assert_eq!(text, "100 in both  (exact unless hashes collide: probability 2.7e-16)\n");
}
