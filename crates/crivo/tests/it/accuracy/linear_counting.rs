//! `LinearCounting`: bias, spread and coverage from empty to saturation. The unit tests of the structure check the
//! exact distribution of small sizes item by item.

use super::COVERAGE_TRIALS;
use super::counters::{assert_accuracy, assert_coverage};
use crivo::HashSpec;
use crivo::cardinality::LinearCounting;

fn make(bits: u64) -> impl Fn(HashSpec) -> LinearCounting {
    move |spec| LinearCounting::for_bits(bits).unwrap().with_hash(spec)
}

fn standard_error(bits: u64) -> impl Fn(u64) -> f64 {
    move |items| LinearCounting::standard_error_at(bits, items).unwrap()
}

/// Up to four items per bit, where 37 of 2,000 bits are empty. With a handful of empty bits a few rare hashes would
/// dominate the mean.
#[test]
fn bias_and_spread_up_to_four_items_a_bit() {
    let checkpoints = [10, 100, 500, 1000, 2000, 4000, 8000];
    assert_accuracy(make(2000), &checkpoints, 10_000, standard_error(2000), "2000 bits");
}

/// Coverage from one item to far past saturation.
fn assert_coverage_at(bits: u64) {
    let mut checkpoints =
        [0, 1, 2, 5, bits / 64, bits / 4, bits / 2, bits, 2 * bits, 3 * bits, 5 * bits, 8 * bits, 20 * bits];
    checkpoints.sort_unstable();
    // One more bit moves the estimate by e^λ items. Half of that is added to either side for continuity: five such
    // steps would cover 97 % by themselves, so only intervals of ten steps are held to the upper limit.
    let step = |items: u64| 2.0 * (items as f64 / bits as f64).exp();
    assert_coverage(make(bits), &checkpoints, COVERAGE_TRIALS, step, &format!("{bits} bits"));
}

#[test]
fn intervals_cover_from_empty_to_past_saturation() {
    for bits in [1, 16, 100, 1000] {
        assert_coverage_at(bits);
    }
}

#[test]
#[ignore = "long tier: 3,000 sketches of up to 400,000 items"]
fn intervals_cover_at_larger_sizes() {
    for bits in [333, 4096, 20_000] {
        assert_coverage_at(bits);
    }
}
