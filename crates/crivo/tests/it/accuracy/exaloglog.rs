//! ExaLogLog: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::counters::{assert_accuracy, assert_coverage, assert_errors, for_each_stream};
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::{ExaLogLog, HashSpec};
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng};
use rand_distr::{Binomial, Distribution};

fn make(precision: u8) -> impl Fn(HashSpec) -> ExaLogLog {
    move |spec| ExaLogLog::for_precision(precision).unwrap().with_hash(spec)
}

fn standard_error(precision: u8) -> impl Fn(u64) -> f64 {
    move |items| ExaLogLog::standard_error_at(precision, items).unwrap()
}

/// Simulates the sketch of `items` random hashes, many more than registers: the numbers of hashes with each number of
/// leading zeros are multinomial, and these fall uniformly on all pairs of register and lowest bits, which are the low
/// bits of a hash. One hash for each pair that is hit is inserted, from the most zeros on, until all windows have
/// passed.
fn simulated(precision: u8, items: u64, seed: u64) -> ExaLogLog {
    let mut sketch = ExaLogLog::for_precision(precision).unwrap();
    let mut rng = SmallRng::seed_from_u64(seed);
    let pairs = 4usize << precision;
    // All bits above those of the register may be zero.
    let most_zeros = 62 - i32::from(precision);
    let mut left = items;
    let mut passed = 0;
    for zeros in (0..=most_zeros).rev() {
        let first_one = if zeros == most_zeros { 0 } else { 1u64 << (63 - zeros) };
        // This many zeros, among hashes with at most this many.
        let beyond = 0.5f64.powi(zeros + 1);
        let chance = if zeros == most_zeros { 2.0 * beyond } else { beyond / (1.0 - beyond) };
        let here = if zeros == 0 { left } else { Binomial::new(left, chance).unwrap().sample(&mut rng) };
        left -= here;
        // With thirty hashes per pair none is missed: one would be once in 10⁹ sketches.
        let all = here >= 30 * pairs as u64;
        let mut hit = vec![all; pairs];
        if !all {
            // Three pairs from one random number: numbers of 20 bits are enough.
            for first in (0..here).step_by(3) {
                let random = rng.random::<u64>() as usize;
                for i in 0..3.min(here - first) {
                    hit[random >> (20 * i) & (pairs - 1)] = true;
                }
            }
        }
        let hashes: Vec<u64> =
            (0..pairs as u64).filter(|&pair| hit[pair as usize]).map(|pair| first_one | pair).collect();
        sketch.insert_hashes(&hashes);
        passed += u32::from(all);
        if passed > 5 {
            break;
        }
    }
    sketch
}

#[test]
fn bias_and_spread_up_to_forty_items_a_register() {
    let checkpoints = [1, 2, 10, 100, 500, 768, 769, 800, 1000, 2000, 4096, 7000, 10_000, 20_000, 40_000];
    assert_accuracy(make(10), &checkpoints, 2000, standard_error(10), "precision 10");
}

fn assert_simulated_accuracy(items: u64, trials: u64) {
    let mut errors = Sample::default();
    for seed in 0..trials {
        errors.push(simulated(10, items, seed).estimate().value() / items as f64 - 1.0);
    }
    assert_errors(&errors, items, standard_error(10)(items), "precision 10");
}

#[test]
fn bias_and_spread_at_a_billion() {
    assert_simulated_accuracy(1_000_000_000, 1000);
}

#[test]
#[ignore = "long tier: 4,000 sketches at each of four sizes"]
fn bias_and_spread_from_a_million_to_a_quarter_of_all_hashes() {
    for items in [10_000_000, 100_000_000, 1 << 60, 1 << 62] {
        assert_simulated_accuracy(items, 4000);
    }
}

/// The simulation has the distribution of real inserts.
#[test]
fn simulated_sketches_are_like_real_ones() {
    let items = 8000;
    let (mut real, mut drawn) = (Sample::default(), Sample::default());
    for_each_stream(make(8), &[items], 0..3000, |_, sketch| real.push(sketch.estimate().value()));
    (0..3000).for_each(|seed| drawn.push(simulated(8, items, seed).estimate().value()));
    let deviation = ExaLogLog::standard_error_at(8, items).unwrap() * items as f64;
    drawn.assert_mean(real.mean(), deviation * 2f64.sqrt(), "simulated mean");
    let ratio = drawn.moment(drawn.mean(), 2) / real.moment(real.mean(), 2);
    // A ratio of two sample variances: each has a relative noise of √(2/trials), a little more for the tails.
    let margin = super::sigmas() * (2.0 * 2.4 / 3000.0f64).sqrt();
    assert!((ratio - 1.0).abs() < margin, "ratio of variances {ratio}");
}

/// Memory times relative variance, the efficiency of a sketch: 3.70 for the registers alone, a little more for the
/// object and the file. HyperLogLog has 8.6 in memory and 6.5 in a file.
#[test]
#[ignore = "long tier: 20,000 sketches of a million items"]
fn memory_times_variance_is_small() {
    let mut errors = Sample::default();
    let mut sizes = (0, 0);
    for seed in 0..20_000 {
        let sketch = simulated(10, 1_000_000, seed);
        errors.push(sketch.estimate().value() / 1e6 - 1.0);
        sizes = (sketch.memory_bytes(), sketch.to_bytes().len());
    }
    assert_errors(&errors, 1_000_000, standard_error(10)(1_000_000), "precision 10");
    let variance = standard_error(10)(1_000_000).powi(2);
    let [memory, file] = [sizes.0, sizes.1].map(|bytes| 8.0 * bytes as f64 * variance);
    assert!(memory <= 4.0 && file <= 3.8, "{memory} {file}");
    // The sample confirms the theory to 5 %.
    let noise = (errors.moment(0.0, 4) - variance * variance) / errors.count();
    assert!(super::sigmas() * noise.sqrt() < 0.05 * variance);
}

/// The step by which the estimate moves at this many items: about one item while few share a value, later the share of
/// a value among all in the window.
fn step(precision: u8) -> impl Fn(u64) -> f64 {
    let registers = f64::from(1u32 << precision);
    move |items| (items as f64 / (8.0 * registers)).max(1.0)
}

/// Coverage from empty to `furthest` items per register, over `trials` seeds.
fn assert_coverage_up_to(precision: u8, furthest: u64, trials: u64) {
    let m = 1u64 << precision;
    let limit = (3 * m / 4).min(4096);
    let mut checkpoints =
        vec![0, 1, 2, m / 8, limit, limit + 1, limit + limit / 4, m, 2 * m, 5 * m, 10 * m, 30 * m];
    checkpoints.sort_unstable();
    checkpoints.dedup();
    checkpoints.retain(|&items| items <= furthest * m);
    assert_coverage(
        make(precision),
        &checkpoints,
        trials,
        step(precision),
        &format!("precision {precision}"),
    );
}

fn assert_simulated_coverage(precision: u8, items: u64) {
    let mut coverage = Coverage::default();
    for seed in 0..COVERAGE_TRIALS {
        coverage.push(&simulated(precision, items, seed).estimate(), items as f64);
    }
    coverage.assert_rule(step(precision)(items), &format!("precision {precision}, {items} items"));
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for precision in [4, 5, 6, 7, 8] {
        assert_coverage_up_to(precision, 30, COVERAGE_TRIALS);
    }
    for (precision, items) in [(4, 1_000_000_000), (4, 1 << 60), (4, 1 << 62), (6, 1_000_000_000)] {
        assert_simulated_coverage(precision, items);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 30,000 items"]
fn intervals_cover_at_high_precisions() {
    for (precision, furthest) in [(9, 30), (10, 30), (11, 10), (12, 5), (13, 2), (14, 1)] {
        assert_coverage_up_to(precision, furthest, COVERAGE_TRIALS);
    }
    // Few items on many registers: the estimate moves by whole items.
    for (precision, items) in [(16, 4097), (16, 20_000), (18, 4097)] {
        let context = format!("precision {precision}");
        assert_coverage(make(precision), &[items], COVERAGE_TRIALS, step(precision), &context);
    }
    assert_simulated_coverage(8, 1_000_000_000);
    assert_simulated_coverage(10, 1 << 60);
}

/// The mean and the variance of the information in the state of a register with Poisson(λ) items, in bits.
fn information(precision: u8, load: f64) -> (f64, f64) {
    let values = 4 * (63 - i32::from(precision));
    let items = |value: i32| load * 0.5f64.powi((3 + (value - 1) / 4).min(64 - i32::from(precision)));
    // Of an event with this probability: its mean, and the mean of its square.
    let part = |chance: f64| {
        if chance <= 0.0 {
            return (0.0, 0.0);
        }
        let bits = -chance.log2();
        (chance * bits, chance * bits * bits)
    };
    let mut ahead = 0.0f64;
    let (mut mean, mut square) = (0.0, 0.0);
    for largest in (0..=values).rev() {
        let came = if largest == 0 { 1.0 } else { -(-items(largest)).exp_m1() };
        let chance = (-ahead).exp() * came;
        if largest > 0 {
            ahead += items(largest);
        }
        if chance < 1e-30 {
            continue;
        }
        let (mut bits, mut variance) = (-chance.log2(), 0.0);
        for value in (largest - 20).max(1)..largest {
            let absent = (-items(value)).exp();
            let (none, one) = (part(absent), part(1.0 - absent));
            bits += none.0 + one.0;
            variance += none.1 + one.1 - (none.0 + one.0).powi(2);
        }
        mean += chance * bits;
        square += chance * (variance + bits * bits);
    }
    (mean, square - mean * mean)
}

fn inserted(precision: u8, items: u64, seed: u64) -> ExaLogLog {
    let mut sketch = make(precision)(HashSpec::seeded(seed));
    sketch.extend(0..items);
    sketch
}

/// Compact files take the information in their registers, and 0.2 % and 56 bytes more. Bytes times variance are thus
/// never far above the 2.21 bits that no lossless code of these registers can go below.
#[test]
fn compact_files_are_as_small_as_the_information() {
    const TRIALS: u64 = 10;
    for precision in 10..=14u8 {
        let registers = f64::from(1u32 << precision);
        for exponent in 3..=9 {
            let items = 10u64.pow(exponent);
            if items <= (3u64 << (precision - 2)).min(4096) {
                continue;
            }
            let sketch_of = if exponent < 6 { inserted } else { simulated };
            let bits: f64 = (0..TRIALS)
                .map(|seed| 8.0 * sketch_of(precision, items, seed).to_compact_bytes().len() as f64)
                .sum();
            let bits = bits / TRIALS as f64;
            let (mean, variance) = information(precision, items as f64 / registers);
            let noise = (variance * registers / TRIALS as f64).sqrt();
            let context =
                format!("precision {precision}, {items} items: {bits} bits of {}", mean * registers);
            assert!(bits >= mean * registers - 5.0 * noise, "{context}");
            assert!(bits <= 1.002 * mean * registers + 448.0 + 5.0 * noise, "{context}");
            let floor = mean * registers * standard_error(precision)(items).powi(2);
            assert!(floor < 2.2125, "{context}: {floor}");
        }
    }
}

/// The simulation draws registers as inserts fill them.
#[test]
fn simulated_files_are_as_long_as_those_of_inserts() {
    const TRIALS: u64 = 20;
    for precision in [10, 12] {
        let items = 1_000_000;
        let mean = |sketch_of: fn(u8, u64, u64) -> ExaLogLog| {
            let bytes =
                (0..TRIALS).map(|seed| sketch_of(precision, items, seed).to_compact_bytes().len() as f64);
            bytes.sum::<f64>() / TRIALS as f64
        };
        let registers = f64::from(1u32 << precision);
        let (_, variance) = information(precision, items as f64 / registers);
        let noise = (2.0 * variance * registers / TRIALS as f64).sqrt() / 8.0;
        let (inserted, simulated) = (mean(inserted), mean(simulated));
        assert!((inserted - simulated).abs() < 5.0 * noise, "{inserted} {simulated} {noise}");
    }
}

/// A set of n tokens has log₂(2^(28n)/n!) bits of information: 26 random ones and two of the number of zeros each.
#[test]
fn compact_files_of_tokens_are_as_small_as_their_information() {
    for (precision, items) in [(12, 1000u64), (12, 3000), (14, 1500), (14, 4000), (18, 2100)] {
        let ways: f64 = (1..=items).map(|i| (i as f64).log2()).sum();
        let information = 28.0 * items as f64 - ways;
        let sketch = inserted(precision, items, 3);
        assert!(sketch.is_sparse());
        let bits = 8.0 * sketch.to_compact_bytes().len() as f64;
        assert!(bits < 1.05 * information, "{items} items: {bits} bits of {information}");
    }
}
