use super::*;
use crate::kind::MergeLaw;
use crate::sketch::Core;
use alloc::format;

/// LOPES Fig. 13: two rows of eight columns.
#[test]
fn worked_example_of_lopes() {
    let mut sketch = CountMin::with_params(CountMinParams::exact(8, 2).unwrap());
    let stream = [([5, 2], 3), ([1, 0], 2), ([5, 3], 2), ([2, 0], 5), ([5, 3], 1)];
    for (columns, count) in stream {
        sketch.add_columns(&columns, count).unwrap();
    }
    assert_eq!(sketch.row(0).unwrap(), [0, 2, 5, 0, 0, 6, 0, 0]);
    assert_eq!(sketch.row(1).unwrap(), [7, 0, 3, 3, 0, 0, 0, 0]);
    let value = |columns: [u64; 2]| sketch.frequency_columns(&columns).unwrap().value();
    assert_eq!(value([2, 0]), 5.0); // Ford Prefect
    assert_eq!(value([5, 3]), 3.0); // Marvin, whose true value is 1
    assert_eq!(value([1, 7]), 0.0); // Fenchurch
    assert!(sketch.row(2).is_err());
}

#[test]
fn saturated_counters_say_so() {
    for conservative in [false, true] {
        let params = CountMinParams::exact(100, 3).unwrap();
        let params = if conservative { params.conservative() } else { params };
        let mut sketch = CountMin::with_params(params);
        sketch.add("much", u64::from(u32::MAX) - 1);
        assert_eq!(sketch.frequency("much").upper(), f64::from(u32::MAX - 1));
        sketch.add("much", 10);
        let estimate = sketch.frequency("much");
        assert!(estimate.upper().is_infinite() && estimate.lower() > 4e9, "{estimate}");
        sketch.add("much", u64::MAX);
        assert_eq!(sketch.total(), u64::MAX);
        let estimate = sketch.frequency("much");
        assert!(estimate.upper().is_infinite() && estimate.lower() == 0.0, "{estimate}");
    }
    let mut wide =
        CountMin::with_params(CountMinParams::exact(100, 3).unwrap().with_counter_bits(64).unwrap());
    wide.add("much", u64::from(u32::MAX) + 10);
    assert_eq!(wide.frequency("much").upper(), (u64::from(u32::MAX) + 10) as f64);
}

#[test]
fn a_table_too_narrow_for_the_theorem_still_bounds() {
    let mut sketch = CountMin::with_params(CountMinParams::exact(1, 2).unwrap());
    sketch.add("a", 5);
    sketch.add("b", 7);
    let estimate = sketch.frequency("a");
    assert_eq!((estimate.lower(), estimate.upper()), (0.0, 12.0));
    assert!(sketch.inner_product(&sketch).unwrap().contains(74.0));
}

#[test]
fn conservative_sketches_refuse_products_and_plain_partners() {
    let params = CountMinParams::exact(16, 2).unwrap();
    let (mut plain, conservative) =
        (CountMin::with_params(params), CountMin::with_params(params.conservative()));
    assert_eq!(conservative.inner_product(&conservative).unwrap_err().kind(), crate::ErrorKind::Unsupported);
    let error = plain.merge(&conservative).unwrap_err();
    assert!(format!("{error}").contains("update: plain and conservative"), "{error}");
}

/// The count of a saturated counter is unknown, and so is half of it; items that share a row with it may
/// still be known.
#[test]
fn saturated_counters_stay_saturated_when_halved() {
    for bits in [8, 16, 32, 64] {
        let params = CountMinParams::exact(100, 3).unwrap().with_counter_bits(bits).unwrap();
        let mut sketch = CountMin::with_params(params);
        sketch.add("much", u64::MAX >> (64 - bits));
        sketch.add("few", 10);
        for _ in 0..3 {
            sketch.halve();
            let much = sketch.frequency("much");
            assert!(much.upper().is_infinite() && much.lower() == 0.0, "{bits}: {much}");
        }
        assert_eq!(sketch.frequency("few").upper(), 2.0, "10, 5, 3, 2");
        let moment = sketch.second_moment().unwrap();
        assert!(moment.upper().is_infinite() && moment.lower() == 0.0, "{moment}");
    }
}

/// Halving rounds up: 1 stays 1, and nothing is lost. An empty sketch stays empty.
#[test]
fn halving_rounds_up() {
    let mut sketch = CountMin::with_params(CountMinParams::exact(100, 3).unwrap());
    let empty = sketch.clone();
    sketch.halve();
    assert_eq!(sketch, empty);
    sketch.add("x", 7);
    for expected in [4u32, 2, 1, 1] {
        sketch.halve();
        let answer = sketch.frequency("x");
        assert_eq!((answer.upper(), sketch.total()), (f64::from(expected), expected.into()));
        assert!(answer.lower() <= f64::from(expected - 1));
        assert_eq!(sketch.law(), Some(MergeLaw::Bounded));
    }
    sketch.clear();
    assert_eq!(sketch, empty);
}

/// A row without a saturated counter bounds the product, whatever the other rows contain.
#[test]
fn products_know_the_rows_that_saturated() {
    let params = CountMinParams::exact(4, 2).unwrap().with_counter_bits(8).unwrap();
    let mut sketch = CountMin::with_params(params);
    sketch.add_columns(&[0, 0], 200).unwrap();
    sketch.add_columns(&[0, 1], 200).unwrap();
    let moment = sketch.second_moment().unwrap();
    assert_eq!((moment.value(), moment.upper()), (80_000.0, 80_000.0), "not 255²");
    sketch.add_columns(&[1, 0], 100).unwrap();
    assert!(sketch.second_moment().unwrap().upper().is_infinite());
}

#[test]
fn impossible_states_are_refused() {
    let filled = |rounding: u64, total: u64, conservative: bool| {
        let params = CountMinParams::exact(3, 2).unwrap();
        let params = if conservative { params.conservative() } else { params };
        let mut sketch = CountMin::with_params(params);
        sketch.add("x", 10);
        CountMin { total, rounding, ..sketch }
    };
    let possible =
        [(0, 10, false), (0, 11, true), (1, 7, false), (1, 11, false), (2, 4, false), (1, 99, true)];
    let impossible =
        [(0, 9, false), (0, 11, false), (0, 9, true), (1, 6, false), (1, 12, false), (1, 6, true)];
    for (states, is_possible) in [(possible, true), (impossible, false)] {
        for (rounding, total, conservative) in states {
            let read = CountMin::from_bytes(&filled(rounding, total, conservative).to_bytes());
            assert_eq!(read.is_ok(), is_possible, "{rounding} {total} {conservative}");
        }
    }
    let mut nothing = CountMin::with_params(CountMinParams::exact(3, 2).unwrap());
    nothing.rounding = 1;
    assert!(CountMin::from_bytes(&nothing.to_bytes()).is_err());
}
