use super::*;
use crate::ErrorKind;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee};
use alloc::vec::Vec;
use std::collections::BTreeSet;

fn filled(k: u64, values: impl Iterator<Item = u64>) -> Kll<u64> {
    let mut sketch = Kll::for_k(k).unwrap();
    values.for_each(|value| sketch.insert(value).unwrap());
    sketch
}

#[test]
fn few_values_are_exact() {
    let sketch = filled(200, (1..=199).rev());
    assert_eq!(sketch.rank(&100), Estimate::exact(100.0));
    let median = sketch.quantile(0.5).unwrap();
    assert_eq!((*median.lower(), *median.value(), *median.upper()), (100, 100, 100));
    assert_eq!(median.guarantee(), Guarantee::Certain);
    assert_eq!(sketch.rank_error(), 0.0);
}

#[test]
fn weight_is_kept_and_levels_are_sorted() {
    let mut sketch = Kll::for_k(8).unwrap();
    for value in 0..20_000u64 {
        sketch.insert(value * 7919 % 20_011).unwrap();
        assert_eq!(sketch.total(), value + 1);
        for level in 1..sketch.kept.levels.count() {
            assert!(sketch.kept.levels.of(level).is_sorted());
        }
    }
    let different: BTreeSet<u64> = sketch.kept.levels.items().iter().copied().collect();
    assert_eq!(different.len(), sketch.kept(), "a value came twice");
}

#[test]
fn weights_are_copies() {
    let mut sketch = Kll::for_k(50).unwrap();
    sketch.insert_weighted(3u64, 1_000_000).unwrap();
    sketch.insert_weighted(5, 0).unwrap();
    sketch.insert_weighted(7, 999_999).unwrap();
    assert_eq!(sketch.total(), 1_999_999);
    assert_eq!(sketch.rank(&3), Estimate::exact(1_000_000.0));
    assert_eq!(sketch.rank(&7), Estimate::exact(1_999_999.0));
    let full = sketch.insert_weighted(9, u64::MAX).unwrap_err();
    assert_eq!((full.kind(), sketch.total()), (ErrorKind::Full, 1_999_999));
}

#[test]
fn values_without_rank_are_refused() {
    let mut sketch = Kll::for_k(50).unwrap();
    sketch.insert_all(&[1.0, -0.0]).unwrap();
    let before = sketch.clone();
    for error in [
        sketch.insert(f64::NAN).unwrap_err(),
        sketch.insert_all(&[2.0, f64::NAN]).unwrap_err(),
        sketch.insert_weighted(f64::NAN, 2).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(sketch, before);
    assert_eq!(sketch.rank(&f64::NAN).value(), 2.0);
    assert!(sketch.histogram(&[f64::NAN]).is_err() && sketch.shares(&[2.0, 2.0]).is_err());
}

#[test]
fn slices_are_values_one_by_one() {
    let values: Vec<u64> = (0..5000).map(|i| i * 7919 % 5003).collect();
    for cut in [0, 1, 100, 4999] {
        let mut sketch = Kll::for_k(20).unwrap();
        sketch.insert_all(&values[..cut]).unwrap();
        sketch.insert_all(&values[cut..]).unwrap();
        assert_eq!(sketch, filled(20, values.iter().copied()));
    }
}

/// The sizes of the levels, and so the error, do not depend on the values.
#[test]
fn the_promised_error_is_met_at_any_length() {
    for k in [8, 9, 13, 20, 50, 64, 100, 200, 333] {
        let mut sketch = Kll::for_k(k).unwrap();
        let mut worst = 0.0f64;
        for value in 0..300 * k {
            sketch.insert(value).unwrap();
            worst = worst.max(sketch.rank_error());
        }
        let promise = ERROR_TIMES_K / k as f64;
        assert!(worst <= promise, "k {k}: {worst} above {promise}");
    }
}

/// Two sketches may have drawn the same coins, so that their errors are equal.
#[test]
fn errors_of_parts_add_up() {
    let mut sketch = filled(20, 0..3000);
    let alone = sketch.spread();
    sketch.merge(&sketch.clone()).unwrap();
    let twice = sketch.inherited;
    assert!((twice.variance - 4.0 * alone.variance).abs() < 1e-9 * alone.variance, "{twice:?} {alone:?}");
    assert_eq!(twice.most, 2 * alone.most);
    assert_ne!(
        sketch.kept.rng.state(),
        filled(20, 0..3000).kept.rng.state(),
        "the next coins are not the parts'"
    );
}

#[test]
fn classes_beyond_53_bits_round_outwards() {
    let mut sketch = Kll::for_k(200).unwrap();
    let count = (1 << 53) + 1;
    sketch.insert_weighted(1u64, count).unwrap();
    let class = sketch.histogram(&[1]).unwrap()[0];
    assert!(class.lower() as u64 <= count && class.upper() as u64 >= count && class.lower() < class.upper());
}

#[test]
fn an_exact_end_adds_no_error_to_a_class() {
    let mut sketch = Kll::for_k(8).unwrap();
    (0..21u64).for_each(|value| sketch.insert(value).unwrap());
    let (radius, guarantee) = sketch.radius(DEFAULT_CONFIDENCE);
    assert!(radius > 0 && guarantee == Guarantee::Certain, "the case that is meant");
    let classes = sketch.histogram(&[4, 9]).unwrap();
    assert!(classes[0].upper() - classes[0].value() <= radius as f64, "{}", classes[0]);
    assert!(classes[1].upper() - classes[1].value() > radius as f64, "{}", classes[1]);
}

/// One coin decides two compactions. The first has an odd number of values up to the upper end of a class alone, the second
/// up to the lower end alone: both move the class to the same side, by twice what either rank moves.
#[test]
fn two_compactions_may_move_a_class_to_one_side() {
    for seed in 0..20 {
        let mut sketch = Kll::with_seed(8, seed).unwrap();
        sketch.insert_all(&[50u64]).unwrap();
        sketch.insert_all(&[100; 7]).unwrap();
        sketch.insert_all(&[5, 5, 10, 50]).unwrap();
        sketch.insert_all(&[100; 9]).unwrap();
        assert_eq!(sketch.kept.levels.states()[0].coins, 1, "two compactions, one coin");
        assert!(sketch.kept.levels.states()[0].next_half.is_none());
        let class = sketch.histogram(&[20, 60]).unwrap()[1];
        assert!(class.contains(2.0) && (class.value() - 2.0).abs() == 2.0, "{class}");
        assert_eq!(sketch.radius(DEFAULT_CONFIDENCE).0, 1);
    }
}

/// A coin that has decided a single compaction moves a class no farther than a rank.
#[test]
fn a_single_compaction_moves_a_class_as_a_rank() {
    let sketch = filled(20, 0..21);
    assert!(sketch.kept.levels.states()[0].next_half.is_some());
    assert_eq!(sketch.range_spread(), sketch.spread());
    let sketch = filled(20, 0..3000);
    let (rank, range) = (sketch.spread(), sketch.range_spread());
    assert!(rank.variance < range.variance && range.variance < 4.0 * rank.variance, "{rank:?} {range:?}");
}
