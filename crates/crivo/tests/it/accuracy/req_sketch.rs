//! `ReqSketch`: the error of ranks and quantiles at both ends, and their bounds, for all orders of the values.

use super::orders::{ORDERS, assert_quantile_coverage, rank_of, stream};
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::quantile::Tail;
use crivo::rng::Rng;
use crivo::{Guarantee, ReqSketch};

const TAILS: [Tail; 2] = [Tail::High, Tail::Low];

fn sketch_of(k: u64, tail: Tail, seed: u64, values: &[u64]) -> ReqSketch<u64> {
    let mut sketch = ReqSketch::with_seed(k, tail, seed).unwrap();
    sketch.insert_all(values).unwrap();
    sketch
}

/// One sketch per seed, created by `make` from the same values, with a rank and a quantile at five places.
fn assert_covered(values: &[u64], make: impl Fn(u64) -> ReqSketch<u64>, context: &str) {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let qs = [0.1, 0.3, 0.5, 0.7, 0.9];
    let truths = qs.map(|q| sorted[((q * sorted.len() as f64).ceil() as usize).max(1) - 1]);
    let mut coverages = [(); 5].map(|()| Coverage::default());
    let mut quantiles = [const { Vec::new() }; 5];
    for sketch in (0..COVERAGE_TRIALS).map(make) {
        let answers = sketch.quantiles(&qs).unwrap();
        for (number, quantile) in answers.into_iter().enumerate() {
            let (rank, truth) = (sketch.rank(&truths[number]), rank_of(&sorted, truths[number]));
            assert!(rank.guarantee() != Guarantee::Certain || rank.contains(truth), "{context}: {rank}");
            coverages[number].push(&rank, truth);
            quantiles[number].push(quantile);
        }
    }
    for (number, q) in qs.into_iter().enumerate() {
        coverages[number].assert_rule(1.0, &format!("{context}, rank at {q}"));
        assert_quantile_coverage(&quantiles[number], truths[number], &format!("{context}, quantile {q}"));
    }
}

#[test]
fn every_order_is_covered() {
    for tail in TAILS {
        for (k, n) in [(4, 250), (5, 1500)] {
            for order in ORDERS {
                let values = stream(order, n, &mut Rng::new(n));
                let make = |seed| sketch_of(k, tail, seed, &values);
                assert_covered(&values, make, &format!("{tail:?}, k {k}, {n} {order}"));
            }
        }
    }
}

/// Parts with one seed for all, whose coins are equal, and parts with a seed each.
#[test]
fn merged_sketches_are_covered() {
    for order in ORDERS {
        let values = stream(order, 1000, &mut Rng::new(1));
        for parts in [2, 5] {
            for shared in [false, true] {
                let make = |seed: u64| {
                    let seed_of = |part: usize| if shared { seed } else { seed * 8 + part as u64 };
                    let part = |(number, part)| sketch_of(4, Tail::High, seed_of(number), part);
                    let mut parts = values.chunks(1000 / parts).enumerate().map(part);
                    let first = parts.next().unwrap();
                    parts.fold(first, |mut merged, part| {
                        merged.merge(&part).unwrap();
                        merged
                    })
                };
                assert_covered(&values, make, &format!("{parts} parts, {order}, one seed: {shared}"));
            }
        }
    }
    // The same values twice, with the same coins: the errors are equal and add up.
    let half = stream("random", 600, &mut Rng::new(2));
    let make = |seed| {
        let mut sketch = sketch_of(4, Tail::Low, seed, &half);
        sketch.merge(&sketch.clone()).unwrap();
        sketch
    };
    assert_covered(&half.repeat(2), make, "merged with itself");
}

#[test]
fn weighted_values_are_covered() {
    let mut rng = Rng::new(3);
    let weighted: Vec<(u64, u64)> =
        (0..700).map(|_| (rng.below(1000), rng.next_u64() >> (57 + rng.below(7)))).collect();
    let values: Vec<u64> =
        weighted.iter().flat_map(|&(value, count)| (0..count).map(move |_| value)).collect();
    let make = |seed| {
        let mut sketch = ReqSketch::with_seed(4, Tail::High, seed).unwrap();
        for &(value, count) in &weighted {
            sketch.insert_weighted(value, count).unwrap();
        }
        sketch
    };
    assert_covered(&values, make, "weighted");
}

/// Ranks are unbiased, and the mean square of the error is at most the bound on its variance, 0.4 T²/(18 k²) for a tail of T
/// values (see STATISTICS), here with 0.78 for the smallest k.
#[test]
fn ranks_are_unbiased_and_spread_within_the_bound() {
    for tail in TAILS {
        for (k, n) in [(4, 3000), (8, 6000)] {
            for share in [0.1, 0.5] {
                let mut errors = Sample::default();
                let edge = (share * u64::MAX as f64) as u64;
                let edge = if tail == Tail::Low { edge } else { u64::MAX - edge };
                for seed in 0..COVERAGE_TRIALS {
                    let mut rng = Rng::new(seed);
                    let values: Vec<u64> = (0..n).map(|_| rng.next_u64()).collect();
                    let sketch = sketch_of(k, tail, seed ^ 0x77, &values);
                    let truth = values.iter().filter(|&&value| value <= edge).count() as f64;
                    errors.push(sketch.rank(&edge).value() - truth);
                }
                let deviation = share * f64::from(n) * (0.78f64 / 18.0).sqrt() / k as f64;
                let context = format!("{tail:?}, k {k}, {n} values, tail {share}");
                errors.assert_mean(0.0, deviation, &context);
                assert!(errors.moment(0.0, 2).sqrt() <= deviation, "{context}");
            }
        }
    }
}

/// Classes of a histogram, whose two edges may err in opposite directions.
#[test]
fn histograms_are_covered() {
    for order in ["random", "sorted", "heavy tailed"] {
        let values = stream(order, 1500, &mut Rng::new(6));
        let edges = [values[100].min(values[1200]), values[100].max(values[1200]) + 1];
        let class = |value: u64| edges.iter().filter(|&&edge| value > edge).count();
        let mut coverages = [(); 3].map(|()| Coverage::default());
        for seed in 0..COVERAGE_TRIALS {
            let classes = sketch_of(4, Tail::High, seed, &values).histogram(&edges).unwrap();
            for (number, coverage) in coverages.iter_mut().enumerate() {
                let truth = values.iter().filter(|&&value| class(value) == number).count() as f64;
                coverage.push(&classes[number], truth);
            }
        }
        for coverage in &coverages {
            coverage.assert_rule(1.0, &format!("histogram of {order}"));
        }
    }
}

/// The least k for an error keeps it, far beyond its capacity, and far into the tail.
#[test]
#[ignore = "long tier: ten million values"]
fn the_asked_error_is_kept() {
    for error in [0.2, 0.05, 0.01] {
        let mut sketch = ReqSketch::<u64>::for_error(error, Tail::High).unwrap();
        for value in 0..10_000_000u64 {
            sketch.insert(value * 7_919 % 10_000_019).unwrap();
        }
        // A bijection modulo a prime: the values 0 to 10,000,018 without a few.
        for share in [0.5, 0.1, 0.01, 0.001, 1e-4] {
            let tail = 1e7 * share;
            let answer = sketch.rank_at(&(10_000_019 - tail as u64), 1.0 - 1e-9).unwrap();
            let usual = sketch.rank(&(10_000_019 - tail as u64));
            assert!(
                (answer.lower() - 20.0..=answer.upper() + 20.0).contains(&(1e7 - tail)),
                "{answer} at {share}"
            );
            assert!(usual.upper() - usual.lower() <= 2.05 * error * tail + 2.0, "{usual} at {share}");
        }
    }
}
