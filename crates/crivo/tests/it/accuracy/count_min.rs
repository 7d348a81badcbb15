//! Count-Min: over-counts, products and their bounds.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::frequency::CountMinParams;
use crivo::stats::binomial_band;
use crivo::{CountMin, HashSpec};

fn sketch(params: CountMinParams, seed: u64) -> CountMin {
    CountMin::with_params(params).with_hash(HashSpec::seeded(seed))
}

/// In one row of width w each of the other counts falls on the item's cell with probability 1/w: the
/// over-count has mean (N − a)/w and variance Σ b²·(1/w)(1 − 1/w).
#[test]
fn one_row_over_counts_as_chance_does() {
    let params = CountMinParams::exact(37, 1).unwrap();
    let counts: Vec<u64> = (1..=100).collect();
    let others: f64 = counts.iter().skip(1).sum::<u64>() as f64;
    let squares: f64 = counts.iter().skip(1).map(|&b| (b * b) as f64).sum();
    let chance = 1.0 / 37.0;
    let mut over = Sample::default();
    for seed in 0..20_000 {
        let mut sketch = sketch(params, seed);
        for (item, &count) in counts.iter().enumerate() {
            sketch.add(&item, count);
        }
        over.push(sketch.frequency(&0u8).value() - counts[0] as f64);
    }
    let deviation = (squares * chance * (1.0 - chance)).sqrt();
    over.assert_mean(others * chance, deviation, "over-count");
    over.assert_deviation(others * chance, deviation, "over-count");
}

/// Rows are independent: all k are free of collisions, or not, as independent rows would be.
#[test]
fn rows_collide_independently() {
    let (width, others, trials) = (20u64, 30u64, 20_000u64);
    for depth in [1u32, 2, 3, 5] {
        let params = CountMinParams::exact(width, depth).unwrap();
        let right = (0..trials)
            .filter(|&seed| {
                let mut sketch = sketch(params, seed);
                (0..=others).for_each(|item| sketch.add(&item, 1));
                sketch.frequency(&0u64).value() == 1.0
            })
            .count() as f64;
        let row_is_free = (1.0 - 1.0 / width as f64).powi(others as i32);
        let chance = 1.0 - (1.0 - row_is_free).powi(depth as i32);
        let (low, high) = binomial_band(trials, chance, FALSE_ALARM);
        assert!(
            (low..=high).contains(&right),
            "depth {depth}: {right} exact answers, {low} to {high} expected"
        );
    }
}

/// Intervals of frequent, rare and absent items, from empty to counts far beyond the width, by plain and conservative
/// updates: one answer per seed, since the answers of one sketch share its hash.
#[test]
fn frequencies_are_covered() {
    for (width, depth) in [(50, 4), (10, 2), (400, 5), (7, 1)] {
        let plain = CountMinParams::exact(width, depth).unwrap();
        let [bytes, wide] = [8, 64].map(|bits| plain.with_counter_bits(bits).unwrap());
        for params in [plain, plain.conservative(), bytes, wide] {
            for items in [0, 1, width / 2, width, 10 * width] {
                for (queried, truth) in [(0, 20.0), (1, 1.0), (u64::MAX, 0.0)] {
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        let mut sketch = sketch(params, seed);
                        if items > 0 {
                            sketch.add(&0u64, 20);
                        }
                        (1..items).for_each(|item| sketch.add(&item, 1 + item % 3 * (item - 1).min(1)));
                        let answer = sketch.frequency(&queried);
                        let truth = if queried < items { truth } else { 0.0 };
                        assert!(answer.upper() >= truth, "too low");
                        coverage.push(&answer, truth);
                    }
                    coverage.assert_rule(1.0, &format!("{params:?}, {items} items, item {queried}"));
                }
            }
        }
    }
}

/// The bound of the founding paper: an over-count above ε‖A‖₁ has probability at most δ.
#[test]
fn the_promised_error_is_kept() {
    for (epsilon, delta) in [(0.1, 0.1), (0.05, 0.3), (0.2, 0.01)] {
        let params = CountMinParams::for_error(epsilon, delta).unwrap();
        let broken = (0..COVERAGE_TRIALS)
            .filter(|&seed| {
                let mut sketch = sketch(params, seed);
                // One heavy item that every row can collide with is the worst case for Markov's inequality.
                (0..2 * params.width())
                    .for_each(|item| sketch.add(&item, 1 + 20 * u64::from(item % 17 == 1)));
                let over = sketch.frequency(&0u64).value() - 1.0;
                over > epsilon * sketch.total() as f64
            })
            .count() as f64;
        let (_, most) = binomial_band(COVERAGE_TRIALS, delta, FALSE_ALARM);
        assert!(
            broken <= most,
            "ε {epsilon}, δ {delta}: {broken} of {COVERAGE_TRIALS} beyond, at most {most}"
        );
    }
}

#[test]
fn products_are_covered_and_never_low() {
    let params = CountMinParams::exact(60, 4).unwrap();
    for size in [1u64, 10, 60, 600] {
        let count_a = |item: u64| 1 + item % 5;
        let count_b = |item: u64| 1 + item % 3;
        let truth: u64 = (size / 2..size).map(|item| count_a(item) * count_b(item)).sum();
        let mut coverage = Coverage::default();
        for seed in 0..COVERAGE_TRIALS {
            let (mut a, mut b) = (sketch(params, seed), sketch(params, seed));
            (0..size).for_each(|item| a.add(&item, count_a(item)));
            (size / 2..size + size / 2).for_each(|item| b.add(&item, count_b(item)));
            let answer = a.inner_product(&b).unwrap();
            assert!(answer.upper() >= truth as f64);
            coverage.push(&answer, truth as f64);
        }
        coverage.assert_rule(1.0, &format!("product of {size} items"));
    }
}

/// Second moments are never too low and are covered, also where narrow counters saturate.
#[test]
fn second_moments_are_covered_and_never_low() {
    for bits in [8, 32] {
        let params = CountMinParams::exact(60, 4).unwrap().with_counter_bits(bits).unwrap();
        for (size, most) in [(1u64, 5), (60, 5), (600, 5), (60, 250)] {
            let count = |item: u64| 1 + item * item % most;
            let truth: u64 = (0..size).map(|item| count(item) * count(item)).sum();
            let mut coverage = Coverage::default();
            for seed in 0..COVERAGE_TRIALS {
                let mut sketch = sketch(params, seed);
                (0..size).for_each(|item| sketch.add(&item, count(item)));
                let answer = sketch.second_moment().unwrap();
                assert!(answer.upper() >= truth as f64);
                coverage.push(&answer, truth as f64);
            }
            coverage.assert_rule(1.0, &format!("{bits} bits, {size} items up to {most}"));
        }
    }
}

/// Intervals after halving contain the decayed frequencies and products; narrow counters that saturated report it.
#[test]
fn decayed_counts_are_covered() {
    for (width, depth) in [(50, 4), (10, 2)] {
        let plain = CountMinParams::exact(width, depth).unwrap();
        for params in [plain, plain.conservative(), plain.with_counter_bits(8).unwrap()] {
            for items in [1, width / 2, 4 * width] {
                for halvings in [1, 5] {
                    let (mut coverage, mut products) = (Coverage::default(), Coverage::default());
                    let mut decayed = vec![0.0; items as usize];
                    for _ in 0..halvings {
                        decayed
                            .iter_mut()
                            .enumerate()
                            .for_each(|(item, d)| *d = (*d + 1.0 + item as f64 % 3.0) / 2.0);
                    }
                    let square: f64 = decayed.iter().map(|count| count * count).sum();
                    for seed in 0..COVERAGE_TRIALS {
                        let mut sketch = sketch(params, seed);
                        for _ in 0..halvings {
                            (0..items).for_each(|item| sketch.add(&item, 1 + item % 3));
                            sketch.halve();
                        }
                        let answer = sketch.frequency(&0u64);
                        assert!(answer.upper() >= decayed[0], "too low");
                        coverage.push(&answer, decayed[0]);
                        if let Ok(moment) = sketch.second_moment() {
                            assert!(moment.upper() >= square, "too low");
                            products.push(&moment, square);
                        }
                    }
                    let context = format!("{params:?}, {items} items, {halvings} halvings");
                    coverage.assert_rule(1.0, &context);
                    if !params.is_conservative() {
                        products.assert_rule(1.0, &context);
                    }
                }
            }
        }
    }
}

/// Counts of the items 1, 2, … of streams that are unlike: even ones, skewed ones, and two that are made to hurt: few items
/// that have nearly all, and as many items as a row has cells.
fn shapes(width: u64) -> [(&'static str, Vec<u64>); 4] {
    [
        ("uniform", (0..10 * width).map(|item| 3 + item % 2).collect()),
        ("Zipf", (1..3 * width).map(|rank| 10_000 / rank).collect()),
        ("giants", (0..2 * width).map(|item| if item < 3 { 100_000 } else { 1 }).collect()),
        ("one each", vec![1; width as usize]),
    ]
}

/// A sketch of a stream, and of an item before it, behind it or half and half: conservative updates depend on the order.
fn sketch_around(params: CountMinParams, seed: u64, others: &[u64], truth: u64, before: u64) -> CountMin {
    let mut sketch = sketch(params, seed);
    sketch.add(&0u64, before);
    others.iter().zip(1u64..).for_each(|(&count, item)| sketch.add(&item, count));
    sketch.add(&0u64, truth - before);
    sketch
}

/// Intervals from the cells hold frequent, rare and absent items of any stream; no upper bound is above the counter.
#[test]
fn empirical_frequencies_are_covered() {
    for (width, depth) in [(300, 3), (60, 4), (7, 1)] {
        let plain = CountMinParams::exact(width, depth).unwrap();
        for params in [plain, plain.conservative(), plain.with_counter_bits(8).unwrap()] {
            for (shape, others) in shapes(width) {
                for (truth, before) in [(0, 0), (2, 1), (500, 0), (500, 500)] {
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        let sketch = sketch_around(params, seed, &others, truth, before);
                        let (answer, usual) = (sketch.empirical().frequency(&0u64), sketch.frequency(&0u64));
                        assert!(answer.upper() <= usual.upper(), "{answer} {usual}");
                        coverage.push(&answer, truth as f64);
                    }
                    coverage.assert_rule(1.0, &format!("{shape}, {params:?}, {truth}, {before} before"));
                }
            }
        }
    }
}

/// In a crowded table both ends are as close as the smallest counter allows: the coverage is that of its quantiles, but for
/// one cell of the w in each of k rows. They are less than half as far apart as those of Markov's inequality.
#[test]
fn empirical_intervals_are_no_longer_than_they_must_be() {
    let params = CountMinParams::exact(300, 3).unwrap();
    let others: Vec<u64> = (0..6000).map(|item| 1000 + item * item * 7919 % 1009).collect();
    let (mut covered, mut lengths) = (0, [0.0; 2]);
    for seed in 0..COVERAGE_TRIALS {
        let sketch = sketch_around(params, seed, &others, 500, 0);
        let answers = [sketch.empirical().frequency(&0u64), sketch.frequency(&0u64)];
        covered += u64::from(answers[0].contains(500.0));
        lengths.iter_mut().zip(answers).for_each(|(sum, answer)| *sum += answer.upper() - answer.lower());
    }
    let (_, most) = binomial_band(COVERAGE_TRIALS, 0.95 + 2.0 * 3.0 / 300.0, FALSE_ALARM);
    assert!(covered as f64 <= most, "{covered} of {COVERAGE_TRIALS}, at most {most}");
    assert!(lengths[0] < 0.5 * lengths[1], "{lengths:?}");
}

/// A counter less its mean error is unbiased, but for the item's own share: it is in one of w cells of a row, which adds at
/// most k/w of the mean error of k − 1 rows (at most N/w), and its count over w^k.
#[test]
fn empirical_means_are_unbiased() {
    for (width, depth) in [(300u64, 3u32), (100, 2), (200, 1)] {
        let params = CountMinParams::exact(width, depth).unwrap();
        for (shape, others) in shapes(width) {
            for truth in [0, 500] {
                let (mut values, mut total) = (Sample::default(), 0.0);
                for seed in 0..COVERAGE_TRIALS {
                    let sketch = sketch_around(params, seed, &others, truth, 0);
                    values.push(sketch.frequency(&0u64).value() - sketch.empirical().mean_error());
                    total = sketch.total() as f64;
                }
                let (w, k) = (width as f64, f64::from(depth));
                let others = if depth == 1 { 0.0 } else { k / w * total / w };
                let bias = truth as f64 / w.powf(k) + others;
                let deviation = values.moment(values.mean(), 2).sqrt();
                let slack = bias * (COVERAGE_TRIALS as f64).sqrt() / super::sigmas();
                values.assert_mean(truth as f64, deviation + slack, &format!("{shape}, {params:?}, {truth}"));
            }
        }
    }
}

/// Decayed counts, by cells that were rounded up.
#[test]
fn empirical_decayed_counts_are_covered() {
    for (width, bits) in [(300, 32), (60, 8)] {
        let params = CountMinParams::exact(width, 3).unwrap().with_counter_bits(bits).unwrap();
        for halvings in [1, 4] {
            let mut coverage = Coverage::default();
            let truth = (0..halvings).fold(0.0, |decayed, _| f64::midpoint(decayed, 51.0));
            for seed in 0..COVERAGE_TRIALS {
                let mut sketch = sketch(params, seed);
                for _ in 0..halvings {
                    sketch.add(&0u64, 51);
                    (1..3 * width).for_each(|item| sketch.add(&item, 1 + item % 5));
                    sketch.halve();
                }
                coverage.push(&sketch.empirical().frequency(&0u64), truth);
            }
            coverage.assert_rule(1.0, &format!("{params:?}, {halvings} halvings"));
        }
    }
}
