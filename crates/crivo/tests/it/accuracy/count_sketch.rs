//! Count Sketch: unbiased answers, second moments and products, and the symmetry that their intervals stand on.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::frequency::CountSketchParams;
use crivo::stats::{binomial_band, binomial_cdf, chi_squared_quantile};
use crivo::{CountSketch, HashSpec};

fn sketch(params: CountSketchParams, seed: u64, counts: &[i64]) -> CountSketch {
    let mut sketch = CountSketch::with_params(params).with_hash(HashSpec::seeded(seed));
    for (item, &count) in counts.iter().enumerate() {
        sketch.add(&item, count).unwrap();
    }
    sketch
}

/// Streams of different shapes.
fn shapes(items: usize) -> [(&'static str, Vec<i64>); 4] {
    let zipf = |item: usize| 1_000_000 / (item as i64 + 1);
    let giant = |item: usize| if item == 1 { 1_000_000 } else { 1 + item as i64 % 3 };
    let taken = |item: usize| zipf(item) * [1, -1, 1][item % 3];
    [
        ("uniform", (0..items).map(|item| 1000 + item as i64 % 7).collect()),
        ("Zipf", (0..items).map(zipf).collect()),
        ("one giant", (0..items).map(giant).collect()),
        ("with deletions", (0..items).map(taken).collect()),
    ]
}

fn moment(counts: &[i64], power: i32) -> f64 {
    counts.iter().map(|&count| (count as f64).powi(power)).sum()
}

/// Estimates by rows i and j of an item when one other has a count of 1: zero, plus or minus, independently.
#[test]
fn columns_and_signs_are_independent() {
    const TRIALS: u64 = 40_000;
    let pairs = [(0, 1), (0, 2), (1, 2), (2, 6), (0, 6)];
    for width in [3u64, 5, 8, 16] {
        let params = CountSketchParams::exact(width, 7).unwrap();
        let mut tables = vec![[0u64; 9]; pairs.len()];
        for seed in 0..TRIALS {
            let (asked, other) = (sketch(params, seed, &[1]), sketch(params, seed, &[0, 1]));
            let said = |row: u32| -> i64 {
                asked.row(row).unwrap().iter().zip(other.row(row).unwrap()).map(|(a, b)| a * b).sum()
            };
            for (table, &(i, j)) in tables.iter_mut().zip(&pairs) {
                table[(3 * (said(i) + 1) + said(j) + 1) as usize] += 1;
            }
        }
        let chance = |said: usize| if said == 1 { 1.0 - 1.0 / width as f64 } else { 0.5 / width as f64 };
        for (table, pair) in tables.iter().zip(&pairs) {
            let statistic: f64 = (0..9)
                .map(|cell| {
                    let expected = TRIALS as f64 * chance(cell / 3) * chance(cell % 3);
                    (table[cell] as f64 - expected).powi(2) / expected
                })
                .sum();
            let limit = chi_squared_quantile(8.0, 1.0 - FALSE_ALARM);
            assert!(statistic < limit, "width {width}, rows {pair:?}: {statistic}, {table:?}");
        }
    }
}

/// A row is unbiased, with variance (F₂ − a²)/w; so is the median of several, by symmetry.
#[test]
fn answers_are_unbiased() {
    for width in [37, 64] {
        for (shape, counts) in shapes(300) {
            let truth = counts[0] as f64;
            let deviation = ((moment(&counts, 2) - truth * truth) / width as f64).sqrt();
            for depth in [1, 7] {
                let params = CountSketchParams::exact(width, depth).unwrap();
                let mut answers = Sample::default();
                for seed in 0..10_000 {
                    answers.push(sketch(params, seed, &counts).frequency(&0usize).value());
                }
                let context = format!("{shape}, {depth} rows of {width}");
                answers.assert_mean(truth, deviation, &context);
                if depth == 1 {
                    answers.assert_deviation(truth, deviation, &context);
                }
            }
        }
    }
}

/// Intervals of frequent, rare and absent items, from empty to far beyond the width.
#[test]
fn frequencies_are_covered() {
    for (width, depth) in [(37, 7), (64, 9), (10, 17), (30, 6), (8, 3)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        for items in [0, 1, width as usize, 10 * width as usize] {
            for (shape, counts) in shapes(items) {
                for queried in [0, 2, usize::MAX] {
                    let truth = counts.get(queried).map_or(0.0, |&count| count as f64);
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        coverage.push(&sketch(params, seed, &counts).frequency(&queried), truth);
                    }
                    coverage.assert_proven(&format!("{shape}, {params:?}, {items} items, item {queried}"));
                }
            }
        }
    }
}

/// In a crowded table no row is correct by chance, and the interval covers as often as the binomial distribution says:
/// no more, no less.
#[test]
fn a_crowded_table_is_a_fair_coin() {
    for (width, depth, outer) in [(16u64, 7u32, 0u64), (17, 9, 1), (12, 17, 4)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        let counts: Vec<i64> =
            (0..40 * width as i64).map(|item| 1_000_003 + item * item * 7919 % 1_000_033).collect();
        let covers =
            |seed: &u64| sketch(params, *seed, &counts).frequency(&3usize).contains(counts[3] as f64);
        let covered = (0..COVERAGE_TRIALS).filter(covers).count() as f64;
        let share = 1.0 - 2.0 * binomial_cdf(outer, depth.into(), 0.5);
        let (least, most) = binomial_band(COVERAGE_TRIALS, share, FALSE_ALARM);
        assert!((least..=most).contains(&covered), "{depth} rows: {covered}, {least} to {most} expected");
    }
}

/// An error above ε‖A‖₂ has probability at most δ.
#[test]
fn the_promised_error_is_kept() {
    for (epsilon, delta) in [(0.2, 0.1), (0.3, 0.3), (0.25, 0.01)] {
        let params = CountSketchParams::for_error(epsilon, delta).unwrap();
        for (shape, counts) in shapes(3 * params.width() as usize) {
            let limit = epsilon * moment(&counts, 2).sqrt();
            let is_off = |seed: &u64| {
                let answer = sketch(params, *seed, &counts).frequency(&0usize).value();
                (answer - counts[0] as f64).abs() > limit
            };
            let broken = (0..COVERAGE_TRIALS).filter(is_off).count() as f64;
            let (_, most) = binomial_band(COVERAGE_TRIALS, delta, FALSE_ALARM);
            assert!(broken <= most, "{shape}, ε {epsilon}, δ {delta}: {broken} beyond, at most {most}");
        }
    }
}

/// The mean over k rows of w cells is F₂ on average, with variance 2(F₂² − F₄)/(wk); its interval is proven.
#[test]
fn second_moments_are_unbiased_and_covered() {
    for (width, depth) in [(37, 7), (64, 1), (500, 2)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        let cells = (width * u64::from(depth)) as f64;
        for items in [1, 20, 300] {
            for (shape, counts) in shapes(items) {
                let (second, fourth) = (moment(&counts, 2), moment(&counts, 4));
                let (mut values, mut coverage) = (Sample::default(), Coverage::default());
                for seed in 0..COVERAGE_TRIALS {
                    let answer = sketch(params, seed, &counts).second_moment();
                    values.push(answer.value());
                    coverage.push(&answer, second);
                }
                let context = format!("{shape}, {params:?}, {items} items");
                // Sums of rounded squares differ from exact ones by less than this.
                let rounding = second * 1e-12;
                let deviation = (2.0 * (second * second - fourth).max(0.0) / cells).sqrt() + rounding;
                values.assert_mean(second, deviation, &context);
                coverage.assert_proven(&context);
            }
        }
    }
}

/// The spread of second moments and products is the formula's.
#[test]
fn second_moments_and_products_spread_as_theory_says() {
    for (width, depth) in [(37, 3), (64, 2)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        let cells = (width * u64::from(depth)) as f64;
        let a: Vec<i64> = (0..60).map(|item| 10 + item % 7).collect();
        let b: Vec<i64> = (0..60).map(|item| (item % 11) * [1, -1][item as usize % 2]).collect();
        let product: f64 = a.iter().zip(&b).map(|(a, b)| (a * b) as f64).sum();
        let fourth: f64 = a.iter().zip(&b).map(|(a, b)| ((a * b) as f64).powi(2)).sum();
        let (second_a, second_b) = (moment(&a, 2), moment(&b, 2));
        let (mut squares, mut products) = (Sample::default(), Sample::default());
        for seed in 0..10_000 {
            let (a, b) = (sketch(params, seed, &a), sketch(params, seed, &b));
            squares.push(a.second_moment().value());
            products.push(a.inner_product(&b).unwrap().value());
        }
        let context = format!("{params:?}");
        let deviation = (2.0 * (second_a * second_a - moment(&a, 4)) / cells).sqrt();
        squares.assert_mean(second_a, deviation, &context);
        squares.assert_deviation(second_a, deviation, &context);
        let deviation = ((second_a * second_b + product * product - 2.0 * fourth) / cells).sqrt();
        products.assert_mean(product, deviation, &context);
        products.assert_deviation(product, deviation, &context);
    }
}

#[test]
fn products_are_covered() {
    for (width, depth) in [(60, 7), (400, 7), (5, 2)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        for items in [1, 60, 600] {
            let of_a = shapes(items);
            let of_b = shapes(items + items / 2).map(|(_, counts)| counts[items / 2..].to_vec());
            for ((shape, a), b) in of_a.iter().zip(&of_b) {
                let truth: f64 = a.iter().zip(b).map(|(&a, &b)| a as f64 * b as f64).sum();
                let mut coverage = Coverage::default();
                for seed in 0..COVERAGE_TRIALS {
                    let product = sketch(params, seed, a).inner_product(&sketch(params, seed, b)).unwrap();
                    coverage.push(&product, truth);
                }
                coverage.assert_proven(&format!("{shape}, {params:?}, {items} items"));
            }
        }
    }
}

/// Intervals from the cells hold frequent, rare and absent items, of any number of rows.
#[test]
fn empirical_frequencies_are_covered() {
    for (width, depth) in [(37, 7), (64, 6), (10, 17), (100, 1), (60, 2), (8, 3)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        for items in [1, width as usize, 10 * width as usize] {
            for (shape, counts) in shapes(items) {
                for queried in [0, 2, usize::MAX] {
                    let truth = counts.get(queried).map_or(0.0, |&count| count as f64);
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        coverage.push(&sketch(params, seed, &counts).empirical().frequency(&queried), truth);
                    }
                    coverage.assert_proven(&format!("{shape}, {params:?}, {items} items, item {queried}"));
                }
            }
        }
    }
}

/// In a crowded table the interval from the cells is as long as the median of the rows needs: it covers 95 %, but for the
/// two cells of a row that the item itself may have changed. The usual one covers 98 % there, and is longer.
#[test]
fn empirical_intervals_are_no_longer_than_they_must_be() {
    let params = CountSketchParams::exact(500, 7).unwrap();
    let counts: Vec<i64> = (0..5000).map(|item: i64| 1000 + item * item * 7919 % 1009).collect();
    let (mut covered, mut lengths) = (0, [0.0; 2]);
    for seed in 0..COVERAGE_TRIALS {
        let sketch = sketch(params, seed, &counts);
        let answers = [sketch.empirical().frequency(&3usize), sketch.frequency(&3usize)];
        covered += u64::from(answers[0].contains(counts[3] as f64));
        lengths.iter_mut().zip(answers).for_each(|(sum, answer)| *sum += answer.upper() - answer.lower());
    }
    // A chance of 2/(2w) more in each of 7 rows.
    let (_, most) = binomial_band(COVERAGE_TRIALS, 0.95 + 2.0 * 7.0 / 500.0, FALSE_ALARM);
    assert!(covered as f64 <= most, "{covered} of {COVERAGE_TRIALS}, at most {most}");
    assert!(lengths[0] < 0.8 * lengths[1], "{lengths:?}");
}

/// Student's interval from the rows holds products of any streams: of those with few large items it covers more than
/// it says, since a rare collision of two of them makes both the error and the interval large.
#[test]
fn products_by_rows_are_covered() {
    for (width, depth) in [(60, 7), (400, 7), (100, 4), (60, 2)] {
        let params = CountSketchParams::exact(width, depth).unwrap();
        for items in [1, 60, 600] {
            let of_b = shapes(items + items / 2).map(|(_, counts)| counts[items / 2..].to_vec());
            for ((shape, a), b) in shapes(items).iter().zip(&of_b) {
                for (name, b) in [("product", b), ("second moment", a)] {
                    let truth: f64 = a.iter().zip(b).map(|(&a, &b)| a as f64 * b as f64).sum();
                    let mut coverage = Coverage::default();
                    for seed in 0..COVERAGE_TRIALS {
                        let (a, b) = (sketch(params, seed, a), sketch(params, seed, b));
                        let product = a.inner_product_by_rows(&b).unwrap();
                        // Sums of rounded products differ from exact ones by less than this.
                        let is_right = (product.value() / truth - 1.0).abs() < 1e-12;
                        coverage.push(&product, if is_right { product.value() } else { truth });
                    }
                    let context = format!("{name}, {shape}, {params:?}, {items} items");
                    coverage.assert_rule(f64::INFINITY, &context);
                }
            }
        }
    }
}
