//! Samples: every subset is equally likely, however the sample is made; shares and counts lie within their intervals.

use super::chi_squared::{assert_fits, assert_inclusions};
use super::{COVERAGE_TRIALS, Coverage};
use crivo::Reservoir;
use std::collections::BTreeMap;

/// A sample of the items of a range, with its own seed for every stream of a trial.
fn sample(k: u32, seed: u64, items: std::ops::Range<u64>) -> Reservoir<u64> {
    let mut sample = Reservoir::for_k(k, seed).unwrap();
    sample.extend(items);
    sample
}

fn merged(mut left: Reservoir<u64>, right: &Reservoir<u64>) -> Reservoir<u64> {
    left.merge(right).unwrap();
    left
}

fn reloaded(sample: &Reservoir<u64>) -> Reservoir<u64> {
    Reservoir::from_bytes(&sample.to_bytes()).unwrap()
}

/// The ways to a sample of 0..n: one pass, merges of parts of different sizes, merges of merges, more items after a
/// merge, files in between. The seeds of each trial are unique.
fn ways(k: u32, n: u64, trial: u64) -> Vec<(&'static str, Reservoir<u64>)> {
    let seed = 10 * trial;
    let part = |number: u64, items| sample(k, seed + number, items);
    let (cut, later) = (n / 3, 3 * n / 4);
    let one_by_one = {
        let mut sample = Reservoir::for_k(k, seed + 1).unwrap();
        (0..n).for_each(|item| sample.insert(item));
        sample
    };
    let in_files = {
        let mut sample = reloaded(&part(2, 0..cut));
        sample.extend(cut..later);
        sample = reloaded(&sample);
        sample.extend(later..n);
        sample
    };
    let of_two = merged(part(3, 0..cut), &part(4, cut..n));
    let of_unlike = merged(part(5, 0..n - 1), &part(6, n - 1..n));
    let of_merged = {
        let left = merged(part(7, 0..1), &part(8, 1..cut));
        let right = merged(part(9, cut..later), &part(0, later..n));
        reloaded(&merged(right, &left))
    };
    let going_on = {
        let mut sample = merged(part(2, cut..later), &part(4, 0..cut));
        sample.extend(later..n);
        sample
    };
    vec![
        ("one by one", one_by_one),
        ("in files", in_files),
        ("merged of two", of_two),
        ("merged of unlike", of_unlike),
        ("merged of merged", of_merged),
        ("going on after a merge", going_on),
    ]
}

/// Every subset of k out of n items is equally likely: so is every item, every pair, whatever its position.
#[test]
fn every_set_is_equally_likely() {
    for (k, n) in [(1, 7), (2, 7), (3, 7), (5, 8), (7, 8)] {
        let mut sets: BTreeMap<&str, BTreeMap<u64, u64>> = BTreeMap::new();
        for trial in 0..8000 {
            for (way, sample) in ways(k, n, trial) {
                assert_eq!((sample.total(), sample.sample().len()), (n, k as usize), "{way}");
                let set = sample.sample().iter().fold(0u64, |set, item| set | 1 << item);
                *sets.entry(way).or_default().entry(set).or_default() += 1;
            }
        }
        let all: Vec<u64> = (0u64..1 << n).filter(|set| set.count_ones() == k).collect();
        for (way, counts) in sets {
            let counts: Vec<u64> = all.iter().map(|set| counts.get(set).copied().unwrap_or(0)).collect();
            assert_fits(&counts, &vec![1.0 / all.len() as f64; all.len()], &format!("{k} of {n}, {way}"));
        }
    }
}

/// Every one of more items is equally likely.
#[test]
fn every_item_is_equally_likely() {
    for (k, n) in [(1, 40), (10, 40), (39, 40), (30, 500)] {
        let trials = 4000;
        let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for trial in 0..trials {
            for (way, sample) in ways(k, n, trial) {
                let counts = counts.entry(way).or_insert_with(|| vec![0; n as usize]);
                sample.sample().iter().for_each(|&item| counts[item as usize] += 1);
            }
        }
        for (way, counts) in counts {
            assert_inclusions(&counts, k.into(), trials, &format!("{k} of {n}, {way}"));
        }
    }
}

/// A stream of any length by its skips alone: positions are uniform, at 2⁶⁰ as at a million.
#[test]
fn long_streams_are_spread_evenly() {
    for bits in [20u32, 40, 60] {
        for k in [1u32, 2, 50] {
            let mut counts = [0u64; 16];
            for seed in 0..40_000 / u64::from(k) {
                let mut sample = Reservoir::for_k(k, seed).unwrap();
                while sample.skip() < (1 << bits) - sample.total() {
                    sample.advance(sample.skip()).unwrap();
                    sample.insert(sample.total());
                }
                for &position in sample.sample() {
                    counts[(position >> (bits - 4)) as usize] += 1;
                }
            }
            assert_fits(&counts, &[1.0 / 16.0; 16], &format!("{k} of 2^{bits}"));
        }
    }
}

/// Counts and shares are within their intervals, from a sample that is almost the whole stream to a tiny part of it.
#[test]
fn shares_are_covered() {
    for (k, n) in [(30, 31), (30, 60), (100, 1000), (100, 1_000_000)] {
        for has in [0, 1, n / 100, n / 3, n - 1, n] {
            let (mut numbers, mut shares) = (Coverage::default(), Coverage::default());
            for seed in 0..COVERAGE_TRIALS {
                // The items with the property come last, where a biased sample would err most.
                let sample = sample(k, seed, 0..n);
                numbers.push(&sample.estimate_if(|&item| item >= n - has), has as f64);
                shares.push(&sample.share(|&item| item >= n - has), has as f64 / n as f64);
            }
            let context = format!("{has} of {n}, sample of {k}");
            numbers.assert_rule(1.0, &context);
            shares.assert_rule(1.0, &context);
        }
    }
}
