//! `MinimumHash`: bias, spread and coverage from empty to 10⁹ items and beyond.

use super::counters::{
    assert_accuracy, assert_coverage, assert_simulated_accuracy, assert_simulated_coverage,
    assert_simulation, for_each_cell,
};
use super::{COVERAGE_TRIALS, FALSE_ALARM};
use crivo::baseline::MinimumHash;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{Guarantee, HashSpec};

fn make(cells: u32) -> impl Fn(HashSpec) -> MinimumHash {
    move |spec| MinimumHash::for_cells(cells).unwrap().with_hash(spec)
}

fn standard_error(cells: u32) -> impl Fn(u64) -> f64 {
    move |items| MinimumHash::standard_error_at(cells, items).unwrap()
}

/// Simulates the sketch of `items` random hashes: the smallest of c exceeds x with probability (1 − x)ᶜ.
fn simulated(cells: u32) -> impl Fn(u64, u64) -> MinimumHash {
    move |items, seed| {
        let mut sketch = MinimumHash::for_cells(cells).unwrap();
        let mut uniform = Rng::new(seed);
        let bits = cells.ilog2() as u8;
        for_each_cell(bits, items, seed, |cell, here, _| {
            let u = uniform.unit() + f64::EPSILON;
            let smallest = -(u.min(1.0).ln() / here as f64).exp_m1();
            // As a fraction of 2⁶⁴ behind the bits of the cell; a single cell has none.
            let behind = ((smallest * 2f64.powi(64)) as u64) >> bits;
            let own = if bits == 0 { 0 } else { cell << (64 - bits) };
            sketch.insert_hash(own | behind);
        });
        sketch
    }
}

#[test]
fn simulated_sketches_are_like_real_ones() {
    let items = 30_000;
    let deviation = standard_error(64)(items) * items as f64;
    assert_simulation(make(64), simulated(64), items, deviation);
}

#[test]
fn bias_and_spread_up_to_five_thousand() {
    let checkpoints = [1, 2, 10, 100, 256, 1000, 5000];
    assert_accuracy(make(256), &checkpoints, 10_000, standard_error(256), "256 cells");
}

fn assert_simulated_errors(items: u64) {
    assert_simulated_accuracy(simulated(256), items, 10_000, standard_error(256)(items), "256 cells");
}

#[test]
fn bias_and_spread_at_a_billion() {
    assert_simulated_errors(1_000_000_000);
}

#[test]
#[ignore = "long tier: 10,000 sketches at each of five sizes"]
fn bias_and_spread_from_a_hundred_thousand_to_an_exabyte() {
    for items in [100_000, 1_000_000, 10_000_000, 100_000_000, 1 << 60] {
        assert_simulated_errors(items);
    }
}

/// Coverage from one item to ten per cell, and at a billion.
fn assert_coverage_at(cells: u32) {
    let m = u64::from(cells);
    let mut checkpoints = [0, 1, 2, 5, m / 8, m / 4, m / 2, m, 2 * m, 5 * m, 10 * m];
    checkpoints.sort_unstable();
    let context = format!("{cells} cells");
    assert_coverage(make(cells), &checkpoints, COVERAGE_TRIALS, |_| 0.0, &context);
    assert_simulated_coverage(simulated(cells), 1_000_000_000, 0.0, &context);
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for cells in [16, 64, 256] {
        assert_coverage_at(cells);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 41,000 items"]
fn intervals_cover_with_other_numbers_of_cells() {
    for cells in [32, 128, 1024, 4096] {
        assert_coverage_at(cells);
    }
}

/// The interval of one cell is exact: among 20,000 seeds as many contain the true value as an exact binomial band
/// allows, and both sides miss equally often.
#[test]
fn the_proven_interval_of_one_cell_is_exact() {
    let trials = 20_000;
    let (least, most) = binomial_band(trials, 0.95, FALSE_ALARM);
    let (least_side, most_side) = binomial_band(trials, 0.025, FALSE_ALARM);
    for items in [3, 10, 100, 1000, 1_000_000, 1_000_000_000] {
        let (mut covered, mut too_high) = (0.0, 0.0);
        for seed in 0..trials {
            let estimate = simulated(1)(items, seed).estimate();
            assert_eq!(estimate.guarantee(), Guarantee::Proven { confidence: 0.95 });
            covered += f64::from(u8::from(estimate.contains(items as f64)));
            too_high += f64::from(u8::from(estimate.lower() > items as f64));
        }
        assert!((least..=most).contains(&covered), "{items} items: {covered}");
        assert!((least_side..=most_side).contains(&too_high), "{items} items: {too_high}");
    }
}
