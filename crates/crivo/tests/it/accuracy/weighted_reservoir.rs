//! Weighted samples: every ordered subset has the probability of successive draws in proportion to the weights.

use super::chi_squared::assert_fits;
use crivo::WeightedReservoir;
use std::collections::BTreeMap;

/// The probabilities of all ordered samples of `k` out of these weights: each draw in proportion to the remaining
/// weights.
fn successive(weights: &[f64], k: usize) -> BTreeMap<Vec<usize>, f64> {
    let mut samples = BTreeMap::from([(Vec::new(), 1.0)]);
    for _ in 0..k {
        let mut longer = BTreeMap::new();
        for (sample, probability) in &samples {
            let is_left = |item: &usize| !sample.contains(item);
            let left: f64 = (0..weights.len()).filter(is_left).map(|item| weights[item]).sum();
            for item in (0..weights.len()).filter(is_left).filter(|&item| weights[item] > 0.0) {
                longer.insert([&sample[..], &[item]].concat(), probability * weights[item] / left);
            }
        }
        samples = longer;
    }
    samples
}

type Sample = WeightedReservoir<u64>;

fn reloaded(sample: &Sample) -> Sample {
    WeightedReservoir::from_bytes(&sample.to_bytes()).unwrap()
}

/// The ways to a sample: one pass, a file in between, merges, merges of merges, more items after a merge.
fn ways(weights: &[f64], k: u32, trial: u64) -> Vec<(&'static str, Sample)> {
    let seed = 10 * trial;
    let take = |sample: &mut Sample, items: std::ops::Range<usize>| {
        items.for_each(|item| sample.insert(item as u64, weights[item]).unwrap());
    };
    let part = |number: u64, items| {
        let mut sample = WeightedReservoir::for_k(k, seed + number).unwrap();
        take(&mut sample, items);
        sample
    };
    let merged = |mut left: Sample, right: &Sample| {
        left.merge(right).unwrap();
        left
    };
    let n = weights.len();
    let (cut, later) = (n / 3, 3 * n / 4);
    let mut in_files = part(2, 0..later);
    in_files = reloaded(&in_files);
    take(&mut in_files, later..n);
    let of_merged = merged(
        merged(part(5, 0..1), &part(6, 1..cut)),
        &reloaded(&merged(part(7, cut..later), &part(8, later..n))),
    );
    let mut going_on = merged(part(9, cut..later), &part(0, 0..cut));
    take(&mut going_on, later..n);
    vec![
        ("one pass", part(1, 0..n)),
        ("in files", in_files),
        ("merged of two", merged(part(3, 0..cut), &part(4, cut..n))),
        ("merged of merged", of_merged),
        ("going on after a merge", going_on),
    ]
}

/// The jumps are exact, and so are merges: compared with all ordered samples, in several orders of arrival.
#[test]
fn ordered_samples_have_their_probabilities() {
    let streams: [(&[f64], u32); 6] = [
        (&[1.0, 2.0, 3.0, 4.0, 10.0], 1),
        (&[1.0, 2.0, 3.0, 4.0, 10.0], 2),
        (&[10.0, 4.0, 3.0, 2.0, 1.0], 2),
        (&[2.0, 0.0, 5.0, 1.0, 0.0, 3.0, 2.0], 3),
        (&[1.0; 7], 3),
        (&[3e200, 1e200, 5e200, 2e200, 1e190, 4e200, 1e-300], 2),
    ];
    for (weights, k) in streams {
        let probabilities = successive(weights, k as usize);
        let mut counts: BTreeMap<&str, BTreeMap<Vec<usize>, u64>> = BTreeMap::new();
        for trial in 0..10_000 {
            for (way, sample) in ways(weights, k, trial) {
                let order = sample.sample().iter().map(|(item, _)| **item as usize).collect();
                *counts.entry(way).or_default().entry(order).or_default() += 1;
            }
        }
        for (way, counts) in counts {
            assert!(counts.keys().all(|order| probabilities.contains_key(order)), "{way}: impossible");
            let counts: Vec<u64> =
                probabilities.keys().map(|order| counts.get(order).copied().unwrap_or(0)).collect();
            let expected: Vec<f64> = probabilities.values().copied().collect();
            assert_fits(&counts, &expected, &format!("{k} of {weights:?}, {way}"));
        }
    }
}

/// A long stream, mostly skipped: with equal weights the positions are uniform, with linearly growing weights their
/// density is linear.
#[test]
fn long_streams_are_jumped_over_fairly() {
    let (n, k, bins) = (4000u64, 10u32, 8usize);
    for grows in [false, true] {
        let mut counts = vec![0u64; bins];
        for seed in 0..2000 {
            let mut sample = WeightedReservoir::for_k(k, seed).unwrap();
            for item in 0..n {
                sample.insert(item, if grows { item as f64 + 0.5 } else { 1.0 }).unwrap();
            }
            // Only the first: its distribution is that of one draw.
            counts[*sample.sample()[0].0 as usize * bins / n as usize] += 1;
        }
        let share =
            |bin: usize| if grows { (2 * bin + 1) as f64 / (bins * bins) as f64 } else { 1.0 / bins as f64 };
        assert_fits(&counts, &(0..bins).map(share).collect::<Vec<_>>(), &format!("grows: {grows}"));
    }
}
