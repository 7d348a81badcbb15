//! The most frequent items: deterministic bounds hold under every seed, and frequent items are found.

use super::{COVERAGE_TRIALS, Coverage};
use crivo::frequency::Hitter;
use crivo::rng::Rng;
use crivo::{HashSpec, MisraGries, SpaceSaving};
use std::collections::HashMap;

/// Items below `items`, item i with a frequency of about 1/(i + 1), in an order that depends on the seed.
fn stream(seed: u64, items: u64, len: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..len).map(|_| (items as f64).powf(rng.unit()) as u64 - 1).collect()
}

/// From empty to a hundred times as many items as counters: the intervals of the first, of some and of an absent item.
#[test]
fn bounds_hold_under_every_seed() {
    const COUNTERS: u32 = 16;
    for (items, len) in [(1, 0), (8, 40), (16, 200), (100, 400), (1600, 1600)] {
        let mut coverages = [(); 6].map(|()| Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let spec = HashSpec::seeded(seed);
            let mut cut = MisraGries::<u64>::for_counters(COUNTERS).unwrap().with_hash(spec);
            let mut saved = SpaceSaving::<u64>::for_counters(COUNTERS).unwrap().with_hash(spec);
            let mut truth: HashMap<u64, f64> = HashMap::new();
            for item in stream(seed, items, len) {
                cut.add(&item, 1);
                saved.add(&item, 1);
                *truth.entry(item).or_default() += 1.0;
            }
            let asked = [0, 10, u64::MAX];
            let answers = asked.map(|item| cut.frequency(&item)).into_iter();
            let answers = answers.chain(asked.map(|item| saved.frequency(&item)));
            for (index, answer) in answers.enumerate() {
                let truth = truth.get(&asked[index % 3]).copied().unwrap_or(0.0);
                coverages[index].push(&answer, truth);
            }
        }
        for (index, coverage) in coverages.iter().enumerate() {
            coverage.assert_rule(1.0, &format!("{items} items, {len} adds, answer {index}"));
        }
    }
}

/// With few counters the top of a skewed stream is found in order, and most of the ranks are certain.
#[test]
fn the_top_is_found_in_its_order() {
    let items = stream(1, 50_000, 200_000);
    let mut truth: HashMap<u64, u64> = HashMap::new();
    for item in &items {
        *truth.entry(*item).or_default() += 1;
    }
    let mut exact: Vec<(u64, u64)> = truth.iter().map(|(&item, &count)| (count, item)).collect();
    exact.sort_unstable_by_key(|&(count, item)| (std::cmp::Reverse(count), item));
    let mut cut = MisraGries::<u64>::for_counters(1000).unwrap();
    let mut saved = SpaceSaving::<u64>::for_counters(500).unwrap();
    cut.extend(items.iter().copied());
    saved.extend(items.iter().copied());
    for top in [cut.top(20), saved.top(20)] {
        for (hitter, &(count, item)) in top.iter().zip(&exact) {
            assert_eq!(hitter.item(), &item);
            assert!(hitter.count().contains(count as f64));
        }
        assert!(top.iter().filter(|hitter| Hitter::is_rank_guaranteed(hitter)).count() >= 10);
    }
}
