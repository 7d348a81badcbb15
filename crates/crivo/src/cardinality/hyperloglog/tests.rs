use super::estimator::{Counts, large_range};
use super::*;
use crate::ErrorKind;
use crate::cardinality::precision::{MAX_PRECISION, MIN_PRECISION};
use crate::rng::Rng;
use alloc::format;
use libm::{ceil, expm1, log, log2, pow};

/// LOPES Fig. 25: four bits choose the register, twelve give the rank.
#[test]
fn worked_example_of_lopes() {
    let hashes: [u64; 8] = [
        0b1100_0111_0111_1010, // Arthur Dent
        0b0011_1001_0110_1000, // Tricia McMillan
        0b1111_0101_0011_0011, // Marvin
        0b0011_1100_1010_0000, // Ford Prefect
        0b1111_0010_1011_1011, // Zaphod Beeblebrox
        0b1001_1010_1011_0101, // Fenchurch
        0b0111_0101_0100_1000, // Slartibartfast
        0b0010_0001_1111_0111, // Prostetnic Vogon Jeltz
    ];
    let mut sketch = HyperLogLog::for_precision(4).unwrap();
    for hash in hashes {
        sketch.insert_hash(hash << 48);
    }
    assert_eq!(sketch.registers(), [0, 0, 4, 1, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 3]);
    let linear = sketch.estimate_with(Estimator::LinearCounting);
    assert!((linear - 7.52).abs() < 0.005, "{linear}");
    assert_eq!(sketch.estimate_with(Estimator::Original), linear);
    assert!(sketch.estimate().contains(8.0));
}

#[test]
fn the_set_decides_the_form() {
    let spec = HashSpec::default();
    for precision in MIN_PRECISION..=MAX_PRECISION {
        let mut sketch = HyperLogLog::for_precision(precision).unwrap();
        let limit = sparse_limit(precision) as u64;
        for i in 0..limit {
            sketch.insert_hash(spec.hash(&i));
            sketch.insert_hash(spec.hash(&(i / 2)));
        }
        // Two of at most 2¹⁶ items may share their 31 bits: the form changes an item or two later.
        assert!(sketch.is_sparse(), "{precision}");
        assert!(sketch.estimate().value() >= limit as f64 - 2.0, "{precision}");
        let dense_bytes = size_of::<HyperLogLog>() + (1 << precision);
        assert!(sketch.memory_bytes() <= dense_bytes, "{precision}: {}", sketch.memory_bytes());
        let sparse_file = sketch.to_bytes().len();
        (limit..limit + 3).for_each(|i| {
            sketch.insert_hash(spec.hash(&i));
        });
        assert!(!sketch.is_sparse(), "{precision}");
        assert!(sparse_file <= sketch.to_bytes().len(), "{precision}");
    }
}

#[test]
fn any_confidence_has_an_answer() {
    let mut sketch = HyperLogLog::for_precision(12).unwrap();
    for i in 0..1000u32 {
        sketch.insert(&i);
        let estimate = sketch.estimate_at(1.0 - f64::EPSILON).unwrap();
        assert!(estimate.contains(f64::from(i + 1)), "{estimate}");
    }
}

#[test]
fn a_saturated_sketch_has_a_lower_bound_only() {
    let mut sketch = HyperLogLog::for_precision(4).unwrap();
    (0..16u64).for_each(|register| {
        sketch.insert_hash(register << 60);
    });
    let estimate = sketch.estimate();
    assert!(estimate.lower() > 1e18 && estimate.value().is_finite(), "{estimate}");
    assert!(estimate.upper().is_infinite());
}

#[test]
fn ranks_reach_their_ends() {
    for precision in [4u8, 18] {
        let mut sketch = HyperLogLog::for_precision(precision).unwrap();
        for hash in [0, u64::MAX, 1, 1 << 63] {
            sketch.insert_hash(hash);
        }
        let registers = sketch.registers();
        assert_eq!(registers[0], 65 - precision);
        assert_eq!(*registers.last().unwrap(), 1);
        assert_eq!(HyperLogLog::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
        // At its maximum a register no longer changes, and returns false.
        (0..5000u32).for_each(|i| {
            sketch.insert(&i);
        });
        assert!(!sketch.is_sparse() && !sketch.insert_hash(0), "{precision}");
    }
}

#[test]
fn targets_choose_the_precision() {
    let error = |e: f64| HyperLogLog::for_error(e).map(|sketch| sketch.precision());
    assert_eq!((error(0.7), error(0.04), error(0.032)), (Ok(4), Ok(12), Ok(13)));
    assert!(HyperLogLog::for_memory(60).is_err());
    assert_eq!(HyperLogLog::for_memory(u64::MAX).unwrap().precision(), 18);
    assert_eq!(HyperLogLog::for_standard_error(0.01).unwrap().precision(), 14);
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-9] {
        assert_eq!(error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
        assert!(HyperLogLog::for_standard_error(bad).is_err(), "{bad}");
    }
    for precision in [0, 3, 19, 64, 255] {
        assert!(HyperLogLog::for_precision(precision).is_err(), "{precision}");
    }
    let sketch = HyperLogLog::for_precision(10).unwrap();
    assert!(sketch.fold(3).is_err() && sketch.fold(11).is_err());
    assert!(sketch.estimate_at(1.0).is_err());
}

#[test]
fn unlike_sketches_do_not_merge() {
    let mut sketch = HyperLogLog::for_precision(10).unwrap();
    sketch.insert("kept");
    let before = sketch.clone();
    let others = [
        (HyperLogLog::for_precision(11).unwrap(), "precision: 10 and 11"),
        (HyperLogLog::for_precision(10).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        let error = sketch.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(sketch, before);
    }
}

/// Returns the mean of an estimator over the truth `items` if `load` hashes fall into a register and no rank is
/// above `most`, by drawing registers: P(M ≤ r) = exp(−load/2ʳ).
fn mean_ratio(estimator: Estimator, items: f64, load: f64, most: f64) -> f64 {
    const PRECISION: u8 = 14;
    const RUNS: u32 = 100;
    let mut rng = Rng::new(32);
    let mut sum = 0.0;
    for _ in 0..RUNS {
        let mut rank = || ceil(log2(load / -log(rng.unit()))).clamp(0.0, most) as u8;
        let counts = Counts::of_ranks((0..1 << PRECISION).map(|_| rank()), PRECISION);
        sum += counts.value(estimator) / items;
    }
    sum / f64::from(RUNS)
}

/// The correction for a large range is right where the sketch hashes 32 bits again, and wrong where ranks are
/// taken from the 32 bits. The tolerance is five standard errors of the mean of 100 runs with 2¹⁴ registers, each
/// of 1.04/√m, times 1.03 for the slope of the correction.
#[test]
fn the_correction_for_a_large_range_counts_items_of_equal_hashes() {
    let (range, m) = (pow(2.0, 32.0), pow(2.0, 14.0));
    let tolerance = 5.0 * 1.03 * 1.04 / sqrt(m * 100.0);
    for share in [1.0 / 28.0, 1.0 / 20.0] {
        let items = share * range;
        let hashes = -range * expm1(-share);
        let again = |estimator| mean_ratio(estimator, items, hashes / m, 51.0) - 1.0;
        assert!(again(Estimator::Original32).abs() < tolerance, "{share}");
        assert!((again(Estimator::Original) + share / 2.0).abs() < tolerance + share * share, "{share}");
        let direct = |estimator| mean_ratio(estimator, items, items / m, 33.0 - 14.0) - 1.0;
        assert!(direct(Estimator::Original).abs() < tolerance + share * share, "{share}");
        assert!((direct(Estimator::Original32) - share / 2.0).abs() < tolerance + share * share, "{share}");
    }
}

#[test]
fn the_branches_of_the_original_meet() {
    let [below, above] = [-1.0, 1.0].map(|side| pow(2.0, 32.0) / 30.0 + side);
    assert_eq!(large_range(below), below);
    assert!(
        (large_range(above) / above - 1.0 - 1.0 / 60.0).abs() < 1e-3,
        "the printed formula jumps by 1.7 %"
    );
    assert_eq!(large_range(pow(2.0, 32.0)), f64::INFINITY);
}
