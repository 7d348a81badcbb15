use super::*;
use alloc::format;

/// LOPES Fig. 13: two rows of eight columns.
#[test]
fn worked_example_of_lopes() {
    let mut sketch = CountMin::new(CountMinParams::exact(8, 2).unwrap());
    let stream = [([5, 2], 3), ([1, 0], 2), ([5, 3], 2), ([2, 0], 5), ([5, 3], 1)];
    for (columns, count) in stream {
        sketch.add_columns(&columns, count).unwrap();
    }
    assert_eq!(sketch.row(0).unwrap(), [0, 2, 5, 0, 0, 6, 0, 0]);
    assert_eq!(sketch.row(1).unwrap(), [7, 0, 3, 3, 0, 0, 0, 0]);
    let value = |columns: [u64; 2]| sketch.frequency_columns(&columns).unwrap().value();
    assert_eq!(value([2, 0]), 5.0); // Ford Prefect
    assert_eq!(value([5, 3]), 3.0); // Marvin, whose truth is 1
    assert_eq!(value([1, 7]), 0.0); // Fenchurch
    assert!(sketch.row(2).is_err());
}

#[test]
fn saturated_counters_say_so() {
    for conservative in [false, true] {
        let params = CountMinParams::exact(100, 3).unwrap();
        let params = if conservative { params.conservative() } else { params };
        let mut sketch = CountMin::new(params);
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
    let mut wide = CountMin::new(CountMinParams::exact(100, 3).unwrap().with_counter_bits(64).unwrap());
    wide.add("much", u64::from(u32::MAX) + 10);
    assert_eq!(wide.frequency("much").upper(), (u64::from(u32::MAX) + 10) as f64);
}

#[test]
fn a_table_too_narrow_for_the_theorem_still_bounds() {
    let mut sketch = CountMin::new(CountMinParams::exact(1, 2).unwrap());
    sketch.add("a", 5);
    sketch.add("b", 7);
    let estimate = sketch.frequency("a");
    assert_eq!((estimate.lower(), estimate.upper()), (0.0, 12.0));
    assert!(sketch.inner_product(&sketch).unwrap().contains(74.0));
}

#[test]
fn conservative_sketches_refuse_products_and_plain_partners() {
    let params = CountMinParams::exact(16, 2).unwrap();
    let (mut plain, conservative) = (CountMin::new(params), CountMin::new(params.conservative()));
    assert_eq!(conservative.inner_product(&conservative).unwrap_err().kind(), crate::ErrorKind::Unsupported);
    let error = plain.merge(&conservative).unwrap_err();
    assert!(format!("{error}").contains("update: plain and conservative"), "{error}");
}
