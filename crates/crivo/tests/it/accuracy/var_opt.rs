//! Variance-optimal samples: every subset has its exact probability; sums are unbiased, with the least variance; the
//! intervals hold for all weights, orders and subsets.

use super::chi_squared::assert_fits;
use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM};
use crivo::VarOpt;
use crivo::rng::Rng;
use crivo::stats::normal_quantile;
use std::collections::BTreeMap;
use std::ops::Range;

/// The probabilities of all samples, and the adjusted weight of each item while it is in the sample.
#[derive(Clone)]
struct Law {
    samples: BTreeMap<Vec<usize>, f64>,
    adjusted: Vec<f64>,
}

impl Law {
    /// The law of one pass over a part of the stream.
    fn of(weights: &[f64], k: usize, items: Range<usize>) -> Self {
        let empty = Self { samples: BTreeMap::from([(Vec::new(), 1.0)]), adjusted: weights.to_vec() };
        items.fold(empty, |law, item| law.with(item, k))
    }

    fn with(mut self, item: usize, k: usize) -> Self {
        if self.adjusted[item] > 0.0 {
            self.samples = self
                .samples
                .into_iter()
                .map(|(kept, chance)| ([kept, vec![item]].concat(), chance))
                .collect();
        }
        self.down_to(k)
    }

    fn merged(self, other: &Self, k: usize) -> Self {
        let mut samples = BTreeMap::new();
        for (left, chance) in &self.samples {
            for (right, other_chance) in &other.samples {
                samples.insert([&left[..], right].concat(), chance * other_chance);
            }
        }
        // Each item is in one part only; in the other part its weight is not adjusted.
        let adjusted = self.adjusted.iter().zip(&other.adjusted).map(|(a, b)| a.max(*b)).collect();
        Self { samples, adjusted }.down_to(k)
    }

    /// Drops items one by one: with the least threshold at which the inclusion probabilities of a pool of one item more
    /// add up to the size of the sample, each with the complement of its probability.
    fn down_to(mut self, k: usize) -> Self {
        while self.samples.keys().next().is_some_and(|kept| kept.len() > k) {
            let mut threshold = 0.0;
            let mut fewer: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
            for (kept, chance) in &self.samples {
                threshold = threshold_of(&kept.iter().map(|&item| self.adjusted[item]).collect::<Vec<_>>());
                for &item in kept {
                    let dropped = 1.0 - self.adjusted[item] / threshold;
                    if dropped > 1e-12 {
                        let rest = kept.iter().copied().filter(|&other| other != item).collect();
                        *fewer.entry(rest).or_default() += chance * dropped;
                    }
                }
            }
            self.samples = fewer;
            let seen: Vec<usize> = self.samples.keys().flatten().copied().collect();
            for item in seen {
                self.adjusted[item] = self.adjusted[item].max(threshold);
            }
        }
        self
    }

    fn chance(&self, holds: impl Fn(&[usize]) -> bool) -> f64 {
        self.samples.iter().filter(|(kept, _)| holds(kept)).map(|(_, chance)| chance).sum()
    }
}

/// The threshold at which the inclusion probabilities of these weights add up to one less than their number.
fn threshold_of(weights: &[f64]) -> f64 {
    let mut sorted = weights.to_vec();
    sorted.sort_by(f64::total_cmp);
    let light = |light: usize| sorted[..light].iter().sum::<f64>() / (light - 1) as f64;
    (2..=sorted.len()).map(light).fold(f64::INFINITY, f64::min)
}

type Sample = VarOpt<u64>;

fn take(sample: &mut Sample, weights: &[f64], items: Range<usize>) {
    items.for_each(|item| sample.insert(item as u64, weights[item]).unwrap());
}

fn reloaded(sample: &Sample) -> Sample {
    VarOpt::from_bytes(&sample.to_bytes()).unwrap()
}

fn merged(mut left: Sample, right: &Sample) -> Sample {
    left.merge(right).unwrap();
    left
}

/// The ways to a sample: one pass, a file in between, merges, merges of merges, more items after a merge.
fn ways(weights: &[f64], k: u32, trial: u64) -> Vec<Sample> {
    let seed = 10 * trial;
    let part = |number: u64, items| {
        let mut sample = VarOpt::for_k(k, seed + number).unwrap();
        take(&mut sample, weights, items);
        sample
    };
    let n = weights.len();
    let (cut, later) = (n / 3, 3 * n / 4);
    let mut in_files = reloaded(&part(2, 0..later));
    take(&mut in_files, weights, later..n);
    let right = reloaded(&merged(part(7, cut..later), &part(8, later..n)));
    let of_merged = merged(merged(part(5, 0..1), &part(6, 1..cut)), &right);
    let mut going_on = merged(part(9, cut..later), &part(0, 0..cut));
    take(&mut going_on, weights, later..n);
    vec![part(1, 0..n), in_files, merged(part(3, 0..cut), &part(4, cut..n)), of_merged, going_on]
}

/// The laws of the [`ways`].
fn laws(weights: &[f64], k: usize) -> Vec<(&'static str, Law)> {
    let part = |items| Law::of(weights, k, items);
    let n = weights.len();
    let (cut, later) = (n / 3, 3 * n / 4);
    let right = part(cut..later).merged(&part(later..n), k);
    let of_merged = part(0..1).merged(&part(1..cut), k).merged(&right, k);
    let going_on = (later..n).fold(part(cut..later).merged(&part(0..cut), k), |law, item| law.with(item, k));
    vec![
        ("one pass", part(0..n)),
        ("in files", part(0..n)),
        ("merged of two", part(0..cut).merged(&part(cut..n), k)),
        ("merged of merged", of_merged),
        ("going on after a merge", going_on),
    ]
}

const STREAMS: [(&[f64], usize); 8] = [
    (&[1.0, 2.0, 3.0, 4.0, 10.0], 1),
    (&[1.0, 2.0, 3.0, 4.0, 10.0], 2),
    (&[10.0, 4.0, 3.0, 2.0, 1.0], 3),
    (&[2.0, 0.0, 5.0, 1.0, 0.0, 3.0, 2.0], 3),
    (&[1.0; 7], 3),
    (&[3.0, 1.0, 2.5, 2.0, 1.0, 4.0, 0.5, 1.5], 4),
    (&[3e200, 1e200, 5e200, 2e200, 1e190, 4e200, 1e-300], 2),
    (&[1.0, 1.0, 1.0, 1.0, 8.0, 8.0, 8.0, 8.0], 4),
];

/// Samples have the probabilities of their exact law, which is enumerated.
#[test]
fn samples_have_their_probabilities() {
    for (weights, k) in STREAMS {
        let laws = laws(weights, k);
        let mut counts = vec![BTreeMap::<Vec<usize>, u64>::new(); laws.len()];
        for trial in 0..10_000 {
            for (counts, sample) in counts.iter_mut().zip(ways(weights, k as u32, trial)) {
                let mut kept: Vec<usize> = sample.sample().iter().map(|(item, _)| **item as usize).collect();
                kept.sort_unstable();
                *counts.entry(kept).or_default() += 1;
            }
        }
        for ((way, law), counts) in laws.iter().zip(counts) {
            let mut probabilities = BTreeMap::<Vec<usize>, f64>::new();
            for (kept, chance) in &law.samples {
                let mut kept = kept.clone();
                kept.sort_unstable();
                *probabilities.entry(kept).or_default() += chance;
            }
            assert!(counts.keys().all(|kept| probabilities.contains_key(kept)), "{way}: impossible");
            if probabilities.len() > 1 {
                let counts: Vec<u64> =
                    probabilities.keys().map(|kept| counts.get(kept).copied().unwrap_or(0)).collect();
                let expected: Vec<f64> = probabilities.values().copied().collect();
                assert_fits(&counts, &expected, &format!("{k} of {weights:?}, {way}"));
            }
        }
    }
}

/// What the intervals rest on, in the enumerated laws: inclusion probabilities are min(1, w/τ), also after merges; no two
/// items attract each other; and the numbers of kept items of every subset obey Newton's inequalities, as the numbers of
/// successes of independent trials do.
#[test]
fn laws_are_those_of_independent_trials() {
    for (weights, k) in STREAMS {
        let positive: Vec<usize> = (0..weights.len()).filter(|&item| weights[item] > 0.0).collect();
        let of_one_pass = &laws(weights, k)[0].1;
        let kept = of_one_pass.samples.keys().flatten();
        let threshold = kept.map(|&item| of_one_pass.adjusted[item]).fold(f64::INFINITY, f64::min);
        for (way, law) in laws(weights, k) {
            let context = format!("{k} of {weights:?}, {way}");
            for &item in &positive {
                let single = law.chance(|kept| kept.contains(&item));
                assert!((single - (weights[item] / threshold).min(1.0)).abs() < 1e-9, "{context}: {item}");
                for &other in positive.iter().filter(|&&other| other != item) {
                    let both = law.chance(|kept| kept.contains(&item) && kept.contains(&other));
                    let apart = single * law.chance(|kept| kept.contains(&other));
                    assert!(both <= apart + 1e-12, "{context}: {item} and {other} attract each other");
                }
            }
            for subset in 0..1usize << weights.len() {
                let number = |kept: &[usize]| kept.iter().filter(|&&item| subset >> item & 1 == 1).count();
                let chances: Vec<f64> = (0..=k).map(|hits| law.chance(|kept| number(kept) == hits)).collect();
                for hits in 1..k {
                    let more = (1.0 + 1.0 / hits as f64) * (1.0 + 1.0 / (k - hits) as f64);
                    let (here, around) = (chances[hits], chances[hits - 1] * chances[hits + 1]);
                    assert!(here * here >= around * more - 1e-12, "{context}: {subset:b} {chances:?}");
                }
            }
        }
    }
}

/// Streams of 2,000 weights: equal, of one magnitude, heavy-tailed (Pareto with the exponent 1) in three orders, and over
/// 17 orders of magnitude.
fn streams() -> Vec<(&'static str, Vec<f64>)> {
    let mut rng = Rng::new(77);
    let mut drawn = |law: fn(f64) -> f64| -> Vec<f64> { (0..2000).map(|_| law(1.0 - rng.unit())).collect() };
    let pareto = drawn(|u| 1.0 / u);
    let mut up = pareto.clone();
    up.sort_by(f64::total_cmp);
    let down = up.iter().rev().copied().collect();
    vec![
        ("equal", vec![3.0; 2000]),
        ("uniform", drawn(|u| u)),
        ("Pareto", pareto),
        ("Pareto, ascending", up),
        ("Pareto, descending", down),
        ("exponents", drawn(|u| (40.0 * u).exp())),
    ]
}

const K: u32 = 100;

/// The sample of a stream in one pass, or merged from five parts of unlike sizes.
fn sample_of(weights: &[f64], seed: u64, is_merged: bool) -> Sample {
    let mut sample = VarOpt::for_k(K, 8 * seed).unwrap();
    if !is_merged {
        take(&mut sample, weights, 0..weights.len());
        return sample;
    }
    let mut from = 0;
    for (end, number) in [3, 120, 500, 1400, weights.len()].into_iter().zip(1..) {
        let mut part = VarOpt::for_k(K, 8 * seed + number).unwrap();
        take(&mut part, weights, from..end);
        sample = merged(part, &sample);
        from = end;
    }
    sample
}

/// The inclusion probabilities, min(1, w/τ).
fn probabilities(weights: &[f64], threshold: f64) -> Vec<f64> {
    weights.iter().map(|weight| (weight / threshold).min(1.0)).collect()
}

/// Sums are unbiased, and single items have the least possible sum of variances, Σ w(τ − w) over the light ones.
#[test]
fn sums_are_unbiased_with_the_least_variance() {
    let trials = 2000u32;
    let z = -normal_quantile(FALSE_ALARM / 2.0) / f64::from(trials).sqrt();
    for (name, weights) in streams() {
        for is_merged in [false, true] {
            let context = format!("{name}, merged: {is_merged}");
            let threshold = sample_of(&weights, 0, is_merged).threshold();
            let chances = probabilities(&weights, threshold);
            let subsets: [fn(u64) -> bool; 3] = [|item| item < 1000, |item| item % 10 == 3, |item| item == 7];
            let (mut sums, mut squares) = ([0.0; 3], 0.0);
            for seed in 0..trials {
                let sample = sample_of(&weights, u64::from(seed), is_merged);
                assert!((sample.threshold() / threshold - 1.0).abs() < 1e-9, "{context}");
                for (sum, subset) in sums.iter_mut().zip(subsets) {
                    *sum += sample.subset_sum(|&item| subset(item)).value();
                }
                // An item that is not kept has the error w; the sum of w² over all items comes in once below.
                for (_, weight) in sample.sample() {
                    let error = weight.max(threshold) - weight;
                    squares += error * error - weight * weight;
                }
            }
            for (sum, subset) in sums.into_iter().zip(subsets) {
                let inside = || (0..weights.len()).filter(|&item| subset(item as u64));
                let truth: f64 = inside().map(|item| weights[item]).sum();
                let variance: f64 = inside().map(|item| chances[item] * (1.0 - chances[item])).sum();
                let error = sum / f64::from(trials) - truth;
                // No two items attract each other, so the variance is at most that of independent ones.
                let most = z * threshold * variance.sqrt() + 1e-9 * truth;
                assert!(error.abs() <= most, "{context}: off by {error}, allowed {most}");
            }
            let all: f64 = weights.iter().map(|weight| weight * weight).sum();
            let least: f64 = weights.iter().map(|weight| weight * (threshold - weight).max(0.0)).sum();
            // With k items the squares vary by 2τ times the kept weight of light items.
            let spread: f64 = weights
                .iter()
                .zip(&chances)
                .map(|(weight, chance)| weight * weight * chance * (1.0 - chance))
                .sum();
            let error = squares / f64::from(trials) + all - least;
            let most = z * 2.0 * threshold * spread.sqrt() + 1e-9 * all;
            assert!(error.abs() <= most, "{context}: variance off by {error} of {least}, allowed {most}");
        }
    }
}

/// The name of a subset, and which places it has.
type Subset<'a> = (&'a str, &'a dyn Fn(usize) -> bool);

/// Subsets from one item to all, by place and by weight, in one pass and after merges.
#[test]
fn sums_are_covered() {
    for (name, weights) in streams() {
        let mut sorted = weights.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[weights.len() / 2];
        let lightest = |item: usize| weights[item] <= median;
        let subsets: [Subset<'_>; 8] = [
            ("one", &|item| item == 7),
            ("a hundredth", &|item| item % 100 == 7),
            ("a tenth", &|item| item % 10 == 7),
            ("the first half", &|item| item < 1000),
            ("the last half", &|item| item >= 1000),
            ("the lighter half", &lightest),
            ("all but one", &|item| item != 7),
            ("all", &|_| true),
        ];
        let total: f64 = weights.iter().sum();
        for is_merged in [false, true] {
            let mut covers: [(Coverage, Coverage); 8] = Default::default();
            for seed in 0..COVERAGE_TRIALS {
                let sample = sample_of(&weights, seed, is_merged);
                for ((sums, shares), (_, has)) in covers.iter_mut().zip(&subsets) {
                    let inside = (0..weights.len()).filter(|&item| has(item));
                    let truth: f64 = inside.map(|item| weights[item]).sum();
                    // A subset of heavy items is exact up to rounding, which the truth has too.
                    let sum = sample.subset_sum(|&item| has(item as usize));
                    let near = |bound: f64| (bound - truth).abs() <= 1e-12 * total;
                    let truth = if near(sum.lower()) || near(sum.upper()) { sum.value() } else { truth };
                    sums.push(&sum, truth);
                    let share = sample.share(|&item| has(item as usize));
                    let near = |bound: f64| (bound - truth / total).abs() <= 1e-12;
                    let truth = if near(share.lower()) || near(share.upper()) {
                        share.value()
                    } else {
                        truth / total
                    };
                    shares.push(&share, truth);
                }
            }
            for ((sums, shares), (subset, _)) in covers.iter().zip(&subsets) {
                let context = format!("{name}, {subset}, merged: {is_merged}");
                sums.assert_rule(1.0, &context);
                shares.assert_rule(1.0, &context);
            }
        }
    }
}
