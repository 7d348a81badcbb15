use super::*;
use crate::ErrorKind;
use crate::Estimate;
use crate::rng::Rng;

#[test]
fn worked_example_of_dyadic_ranges() {
    let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::exact(4, 1, 1).unwrap()).unwrap();
    assert_eq!(sketch.params().hashed_levels(), 4);
    let mut exact = DyadicCountMin::<u64>::with_params(DyadicParams::exact(4, 16, 1).unwrap()).unwrap();
    for value in 0..16 {
        sketch.add(value, value).unwrap();
        exact.add(value, value).unwrap();
    }
    assert_eq!(exact.range(5..=14).unwrap(), Estimate::exact(95.0));
    assert_eq!(exact.rank(&15).unwrap(), Estimate::exact(120.0));
    let one_cell = sketch.range(5..=14).unwrap();
    assert_eq!((one_cell.lower(), one_cell.upper()), (0.0, 120.0));
    assert_eq!(exact.histogram(&[4, 14, 15]).unwrap(), [10.0, 95.0, 15.0, 0.0].map(Estimate::exact));
}

#[test]
fn small_universes_are_exact_for_every_type() {
    let params = DyadicParams::exact(8, 64, 4).unwrap();
    let mut signed = DyadicCountMin::<i64>::with_params(params).unwrap();
    (-100..100).for_each(|value| signed.add(value, 2).unwrap());
    assert_eq!(signed.rank(&-1).unwrap(), Estimate::exact(200.0));
    let median = signed.quantile(0.5).unwrap();
    assert_eq!((*median.lower(), *median.value(), *median.upper()), (-1, -1, -1));
    assert!(signed.add(128, 1).is_err() && signed.add(-129, 1).is_err());
    assert!(DyadicCountMin::<f64>::with_params(params).is_err());
}

#[test]
fn reals_are_counted_in_their_order() {
    let params = DyadicParams::exact(64, 500, 4).unwrap();
    let mut sketch = DyadicCountMin::<f64>::with_params(params).unwrap();
    for value in [-2.5, -0.0, 0.0, 1e-300, 7.0, f64::INFINITY] {
        sketch.add(value, 1).unwrap();
    }
    assert_eq!(sketch.range(0.0..=7.0).unwrap(), Estimate::exact(4.0));
    assert_eq!(*sketch.quantile(1.0).unwrap().value(), f64::INFINITY);
    assert_eq!(*sketch.quantile(0.0).unwrap().value(), -2.5);
    assert_eq!(sketch.add(f64::NAN, 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert!(sketch.rank(&f64::NAN).is_err() && sketch.range(1.0..=0.0).is_err());
}

#[test]
fn refused_calls_change_nothing() {
    let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::exact(16, 20, 2).unwrap()).unwrap();
    sketch.add(7, 5).unwrap();
    let before = sketch.clone();
    assert_eq!(sketch.remove(7, 6).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(sketch.remove(65_535, 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(sketch.add(65_536, 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(sketch.add(8, u64::MAX).unwrap_err().kind(), ErrorKind::Full);
    let mut large = sketch.clone();
    large.add(9, u64::MAX - 5).unwrap();
    assert_eq!(sketch.merge(&large).unwrap_err().kind(), ErrorKind::Full);
    assert_eq!(sketch, before);
    sketch.remove(7, 5).unwrap();
    assert!(sketch.is_empty() && sketch.cells.iter().all(|&cell| cell == 0));
    assert_eq!(sketch.quantile(0.5).unwrap_err().kind(), crate::ErrorKind::Empty);
}

#[test]
fn quantiles_rise_with_the_share() {
    let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::exact(20, 8, 2).unwrap()).unwrap();
    let mut rng = Rng::new(1);
    (0..2000).for_each(|_| sketch.add(rng.below(1 << 20), 1).unwrap());
    let qs: Vec<f64> = (0..=100).map(|i| f64::from(i) / 100.0).collect();
    let answers = sketch.quantiles(&qs).unwrap();
    for pair in answers.windows(2) {
        assert!(pair[0].value() <= pair[1].value() && pair[0].lower() <= pair[1].lower());
        assert!(pair[0].upper() <= pair[1].upper());
    }
}
