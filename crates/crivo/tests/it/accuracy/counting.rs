//! Counters of a few bits: their distributions against exact ones, by single increments, by many at once and merged,
//! and their intervals.

use super::chi_squared::assert_fits;
use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::counting::{BinomialArray, BinomialCounter, BinomialParams, MorrisParams};
use crivo::stats::{binomial_band, binomial_pmf};
use crivo::{MorrisArray, MorrisCounter};
use std::collections::BTreeMap;

/// The exact distribution of a Morris register after `count` increments, step by step: P(k, n) = P(k − 1, n − 1) b^(1 −
/// n) + P(k − 1, n)(1 − b⁻ⁿ). The last register absorbs the rest.
fn morris_law(params: &MorrisParams, count: u64) -> Vec<f64> {
    let max = (1usize << params.bits()) - 1;
    let step = |register: usize| if register == max { 0.0 } else { params.base().powi(-(register as i32)) };
    let mut law = vec![0.0; max + 1];
    law[0] = 1.0;
    for _ in 0..count {
        for register in (0..=max).rev() {
            let stays = law[register] * (1.0 - step(register));
            law[register] =
                if register == 0 { stays } else { law[register - 1] * step(register - 1) + stays };
        }
    }
    law
}

fn binomial_law(params: &BinomialParams, count: u64) -> Vec<f64> {
    let max = (1u64 << params.bits()) - 1;
    let mut law: Vec<f64> = (0..max).map(|hits| binomial_pmf(hits, count, params.probability())).collect();
    law.push((1.0 - law.iter().sum::<f64>()).max(0.0));
    law
}

/// The ways to reach a count: one by one, at once, with a file in between, merged from two parts, from three, and from
/// parts of different sizes; alone and in an array.
macro_rules! ways {
    ($counter:ident, $array:ident, $params:expr, $count:expr, $trial:expr) => {{
        let (params, count, seed) = ($params, $count, 10 * $trial);
        let part = |number: u64, count: u64| {
            let mut counter = $counter::with_params(params, seed + number);
            counter.increment_by(count);
            counter
        };
        let merged = |mut left: $counter, right: &$counter| {
            left.merge(right).unwrap();
            left
        };
        let (some, more) = (count / 3, count / 10);
        let mut one_by_one = $counter::with_params(params, seed);
        (0..count).for_each(|_| one_by_one.increment());
        let mut in_files = $counter::from_bytes(&part(1, some).to_bytes()).unwrap();
        in_files.increment_by(count - some);
        let mut going_on = merged(part(2, more), &part(3, some));
        (0..count - some - more).for_each(|_| going_on.increment());
        let mut array = $array::with_params(3, params, seed + 4).unwrap();
        let mut other = $array::with_params(3, params, seed + 5).unwrap();
        for index in 0..3 {
            array.increment_by(index, some).unwrap();
            (some..count).for_each(|_| other.increment(index).unwrap());
        }
        array.merge(&other).unwrap();
        vec![
            ("one by one", one_by_one.register()),
            ("at once", part(6, count).register()),
            ("in files", in_files.register()),
            ("merged of two", merged(part(1, some), &part(7, count - some)).register()),
            (
                "merged of three",
                merged(part(8, some), &merged(part(9, more), &part(0, count - some - more))).register(),
            ),
            ("going on after a merge", going_on.register()),
            ("first in an array", array.register(0).unwrap()),
            ("last in an array", array.register(2).unwrap()),
        ]
    }};
}

fn assert_law(law: &[f64], trials: u64, ways: impl Fn(u64) -> Vec<(&'static str, u32)>, context: &str) {
    let names: Vec<&str> = ways(0).into_iter().map(|(name, _)| name).collect();
    let mut counts = vec![vec![0u64; law.len()]; names.len()];
    for trial in 0..trials {
        for (counts, (_, register)) in counts.iter_mut().zip(ways(trial)) {
            counts[register as usize] += 1;
        }
    }
    for (name, counts) in names.iter().zip(&counts) {
        assert_fits(counts, law, &format!("{context}, {name}"));
    }
}

/// Every way to reach a count has the exact distribution, including merges and full registers.
#[test]
fn morris_registers_have_their_law() {
    for (base, bits, count) in
        [(2.0, 4, 30), (2.0, 3, 300), (1.5, 6, 100), (1.1, 7, 60), (1.01, 8, 100), (5.0, 3, 200)]
    {
        let params = MorrisParams::exact(base, bits).unwrap();
        let law = morris_law(&params, count);
        let ways = |trial| ways!(MorrisCounter, MorrisArray, params, count, trial);
        assert_law(&law, 4000, ways, &format!("{params:?}, {count} increments"));
    }
}

#[test]
fn binomial_registers_have_their_law() {
    for (probability, bits, count) in [(0.5, 7, 60), (0.5, 4, 30), (1.0 / 64.0, 5, 300), (0.9, 6, 40)] {
        let params = BinomialParams::exact(probability, bits).unwrap();
        let law = binomial_law(&params, count);
        let ways = |trial| ways!(BinomialCounter, BinomialArray, params, count, trial);
        assert_law(&law, 4000, ways, &format!("{params:?}, {count} increments"));
    }
}

/// MPEI 2.2: four events, each counted with probability one half, give 0 to 4 with 1, 4, 6, 4 and 1 sixteenths.
#[test]
fn four_events_have_the_printed_sixteenths() {
    let params = BinomialParams::exact(0.5, 3).unwrap();
    let printed = [1.0, 4.0, 6.0, 4.0, 1.0, 0.0, 0.0, 0.0].map(|sixteenths: f64| sixteenths / 16.0);
    let ways = |trial| ways!(BinomialCounter, BinomialArray, params, 4, trial);
    assert_law(&printed, 4000, ways, "four events");
}

/// MPEI 2.6: the registers 1, 2, 3 and 4 of a Morris counter stand for 1, 3, 7 and 15 events.
#[test]
fn morris_registers_stand_for_the_printed_numbers_of_events() {
    let params = MorrisParams::exact(2.0, 4).unwrap();
    let mut values = BTreeMap::new();
    for seed in 0..100 {
        let mut counter = MorrisCounter::with_params(params, seed);
        for _ in 0..15 {
            counter.increment();
            values.insert(counter.register(), counter.estimate().value());
        }
    }
    for (register, printed) in [(1, 1.0), (2, 3.0), (3, 7.0), (4, 15.0)] {
        assert!((values[&register] - printed).abs() < 1e-9, "{register}: {values:?}");
    }
}

/// The chapter on massive data, 5.4: after ten events a Morris counter contains ten with probability 2⁻⁴⁵.
#[test]
fn ten_events_make_a_register_of_ten_with_the_printed_probability() {
    let chances = MorrisParams::exact(2.0, 4).unwrap().register_chances(10);
    assert!((chances[10].log2() + 45.0).abs() < 1e-9, "{chances:?}");
}

/// Flajolet's moments: E bⁿ = k(b − 1) + 1, and a variance of the value of (b − 1)k(k − 1)/2.
#[test]
fn morris_values_have_no_bias_and_their_spread() {
    for base in [2.0, 1.5, 1.1, 1.01, 1.001] {
        let params = MorrisParams::exact(base, if base > 1.05 { 9 } else { 15 }).unwrap();
        for count in [1u64, 2, 10, 1000, 1_000_000, 1_000_000_000] {
            let mut values = Sample::default();
            for seed in 0..1000 {
                let mut counter = MorrisCounter::with_params(params, seed);
                counter.increment_by(count);
                values.push(counter.estimate().value());
            }
            let k = count as f64;
            let deviation = ((base - 1.0) * k * (k - 1.0) / 2.0).sqrt();
            values.assert_mean(k, deviation, &format!("base {base}, {count}"));
            // In base 2 the fourth moment is too large for a sample of this size.
            if base < 1.2 && count > 2 {
                values.assert_deviation(k, deviation, &format!("base {base}, {count}"));
            }
        }
    }
}

/// Ten thousand increments at probability one half give 5000 ± 50.
#[test]
fn half_the_increments_are_counted() {
    let params = BinomialParams::exact(0.5, 16).unwrap();
    let (mut registers, mut values) = (Sample::default(), Sample::default());
    for seed in 0..3000 {
        let mut counter = BinomialCounter::with_params(params, seed);
        counter.increment_by(10_000);
        registers.push(f64::from(counter.register()));
        values.push(counter.estimate().value());
    }
    registers.assert_mean(5000.0, 50.0, "register");
    registers.assert_deviation(5000.0, 50.0, "register");
    values.assert_mean(10_000.0, 100.0, "value");
}

/// The coverage of the intervals by simulation, at every size up to 10¹⁵.
fn morris_is_covered(bases: &[f64], counts: &[u64]) {
    for &base in bases {
        let bits = if base > 1.05 {
            9
        } else if base > 1.005 {
            12
        } else {
            15
        };
        let params = MorrisParams::exact(base, bits).unwrap();
        for &count in counts {
            let (mut coverage, mut steps) = (Coverage::default(), 0.0);
            for seed in 0..COVERAGE_TRIALS {
                let mut counter = MorrisCounter::with_params(params, seed);
                counter.increment_by(count);
                let estimate = counter.estimate();
                steps += 1.0 + (base - 1.0) * estimate.value();
                coverage.push(&estimate, count as f64);
            }
            coverage.assert_rule(steps / COVERAGE_TRIALS as f64, &format!("base {base}, {count}"));
        }
    }
}

#[test]
fn morris_counts_are_covered() {
    morris_is_covered(&[2.0, 1.5, 1.1], &[0, 1, 2, 3, 10, 1000, 1_000_000_000, 1_000_000_000_000_000]);
    morris_is_covered(&[1.03], &[0, 1, 2, 10, 100, 10_000, 1_000_000_000]);
}

#[ignore = "long tier: bases near 1 take thousands of steps"]
#[test]
fn morris_counts_are_covered_in_small_bases() {
    morris_is_covered(&[1.01, 1.001], &[0, 1, 3, 30, 300, 10_000, 1_000_000_000, 1_000_000_000_000]);
}

/// The coverage of the intervals by the exact distribution, at every count up to a limit: no simulation and no chance.
#[test]
fn morris_bars_hold_at_every_count() {
    for (base, most) in
        [(4.0, 3000u64), (2.0, 3000), (1.5, 3000), (1.2, 2000), (1.1, 2000), (1.05, 1500), (1.01, 600)]
    {
        let bits = if base > 3.0 {
            6
        } else if base > 1.05 {
            8
        } else {
            11
        };
        let params = MorrisParams::exact(base, bits).unwrap();
        let mut bars = Vec::new();
        let mut counter = MorrisCounter::with_params(params, 1);
        while bars.len() <= 400 && !counter.is_saturated() && counter.estimate().value() < 40.0 * most as f64
        {
            if counter.register() as usize == bars.len() {
                bars.push(counter.estimate());
            }
            counter.increment();
        }
        let steps: Vec<f64> = (0..bars.len()).map(|register| base.powi(-(register as i32))).collect();
        let mut law = vec![0.0; bars.len()];
        law[0] = 1.0;
        for count in 1..=most {
            for register in (0..law.len()).rev() {
                let stays = law[register] * (1.0 - steps[register]);
                law[register] =
                    if register == 0 { stays } else { law[register - 1] * steps[register - 1] + stays };
            }
            let chance = |is: &dyn Fn(&crivo::Estimate) -> bool| {
                law.iter().zip(&bars).filter(|(_, bar)| is(bar)).map(|(chance, _)| chance).sum::<f64>()
            };
            let truth = count as f64;
            let covered = chance(&|bar| bar.contains(truth));
            assert!(covered >= 0.93, "base {base}, {count}: {covered}");
            let mean = |of: &dyn Fn(&crivo::Estimate) -> f64| {
                law.iter().zip(&bars).map(|(chance, bar)| chance * of(bar)).sum::<f64>()
            };
            let half_width = mean(&|bar| (bar.upper() - bar.lower()) / 2.0);
            // Half a step to either side of five steps is 2 % by itself.
            if half_width > 10.0 * (1.0 + (base - 1.0) * truth) {
                assert!(covered <= 0.97, "base {base}, {count}: {covered}, half-width {half_width}");
                for missed in [chance(&|bar| bar.lower() > truth), chance(&|bar| bar.upper() < truth)] {
                    assert!(missed <= 0.04, "base {base}, {count}: {missed} on one side");
                }
            }
        }
    }
}

#[test]
fn binomial_counts_are_covered() {
    for (probability, bits) in [(0.5, 32), (1.0 / 64.0, 16), (0.99, 8), (1e-6, 32)] {
        let params = BinomialParams::exact(probability, bits).unwrap();
        for count in [0u64, 1, 5, 100, 10_000, 10_000_000, 1_000_000_000_000] {
            let mut coverage = Coverage::default();
            for seed in 0..COVERAGE_TRIALS {
                let mut counter = BinomialCounter::with_params(params, seed);
                counter.increment_by(count);
                coverage.push(&counter.estimate(), count as f64);
            }
            coverage.assert_proven(&format!("p {probability}, {count}"));
        }
    }
}

/// A counter that is planned for a count is full there with a probability below 10⁻⁶.
#[test]
fn counters_made_for_a_count_hold_it() {
    let morris = MorrisParams::for_error(0.5, 100_000).unwrap();
    let binomial = BinomialParams::for_count(100_000, 8).unwrap();
    let trials = 20_000;
    let mut full = [0u32; 2];
    for seed in 0..trials {
        let mut counter = MorrisCounter::with_params(morris, seed);
        counter.increment_by(100_000);
        full[0] += u32::from(counter.is_saturated());
        let mut counter = BinomialCounter::with_params(binomial, seed);
        counter.increment_by(100_000);
        full[1] += u32::from(counter.is_saturated());
    }
    let (_, most) = binomial_band(trials, 1e-6, FALSE_ALARM);
    assert!(full.into_iter().all(|full| f64::from(full) <= most), "{full:?}");
}
