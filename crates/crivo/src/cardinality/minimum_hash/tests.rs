use super::super::mean_law::assert_derived;
use super::*;
use crate::ErrorKind;
use libm::pow;

#[test]
fn the_law_is_that_of_one_cell() {
    // The smallest of c uniform numbers has the moments r! c!/(c + r)!; of none it is 1.
    let given = |items: i32| {
        let c = f64::from(items);
        let first = 1.0 / (c + 1.0);
        [first, first * 2.0 / (c + 2.0), first * 2.0 / (c + 2.0) * 3.0 / (c + 3.0)]
    };
    assert_derived(&law(4096), given);
}

#[test]
fn both_forms_of_the_integrals_agree() {
    let (series, closed) = (integrals(1.0 - 1e-12), integrals(1.0));
    assert!(series.iter().zip(closed).all(|(a, b)| (a - b).abs() < 1e-11), "{series:?} {closed:?}");
}

#[test]
fn far_out_the_formula_is_the_published_one() {
    for cells in [16u32, 1024] {
        let m = f64::from(cells);
        let sum = m * 1e-6;
        let value = law(cells).estimate(sum / m, m, 0.95).value();
        assert!((value / (m * (m - 1.0) / sum) - 1.0).abs() < 1e-5, "{value}");
    }
}

#[test]
fn one_cell_has_an_exact_interval() {
    let mut sketch = MinimumHash::for_cells(1).unwrap();
    assert_eq!(sketch.estimate(), Estimate::exact(0.0));
    assert!(sketch.insert_hash(u64::MAX) && !sketch.is_empty());
    assert_eq!(sketch.estimate().lower(), 1.0);
    sketch.insert_hash(1 << 54); // h = 2^−10
    let estimate = sketch.estimate();
    assert!((estimate.value() - 1023.0).abs() < 1e-9, "{estimate}");
    assert_eq!(estimate.guarantee(), Guarantee::Proven { confidence: 0.95 });
    for (bound, chance) in [(estimate.lower(), 0.975), (estimate.upper(), 0.025)] {
        assert!((pow(1.0 - 1.0 / 1024.0, bound) - chance).abs() < 1e-9, "{estimate}");
    }
    sketch.insert_hash(1);
    assert!(sketch.estimate().upper().is_infinite() && sketch.estimate().value().is_finite());
}

#[test]
fn any_confidence_has_an_answer() {
    for cells in [1, 16, 1024] {
        let mut sketch = MinimumHash::for_cells(cells).unwrap();
        for i in 0..300u32 {
            sketch.insert(&i);
            for confidence in [f64::MIN_POSITIVE, 0.5, 1.0 - f64::EPSILON, 1.0 - f64::EPSILON / 2.0] {
                let estimate = sketch.estimate_at(confidence).unwrap();
                assert!(estimate.lower() <= estimate.value() && estimate.value() <= estimate.upper());
                assert!(confidence < 0.9 || estimate.contains(f64::from(i + 1)), "{estimate}");
            }
        }
    }
}

#[test]
fn the_smallest_fractions_are_not_the_end() {
    let mut sketch = MinimumHash::for_cells(16).unwrap();
    (0..16u64).for_each(|cell| {
        sketch.insert_hash(cell << 60);
    });
    let estimate = sketch.estimate();
    assert!(estimate.lower() > 1e18 && estimate.value().is_finite(), "{estimate}");
    assert_eq!(MinimumHash::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
}

#[test]
fn targets_choose_the_cells() {
    let error = |e: f64| MinimumHash::for_error(e).map(|sketch| sketch.cells());
    assert_eq!((error(0.9), error(0.0632), error(0.0633)), (Ok(16), Ok(2048), Ok(1024)));
    assert_eq!(MinimumHash::for_standard_error(0.0157).map(|sketch| sketch.cells()), Ok(4096));
    for (bytes, cells) in [(48, 1), (167, 1), (168, 16), (600, 64), (u64::MAX, 65_536)] {
        assert_eq!(MinimumHash::for_memory(bytes).map(|sketch| sketch.cells()), Ok(cells), "{bytes}");
    }
    assert!(MinimumHash::for_memory(47).is_err());
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1e-9] {
        assert_eq!(error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
}

#[test]
fn unlike_sketches_do_not_merge() {
    let mut sketch = MinimumHash::for_cells(64).unwrap();
    sketch.insert("kept");
    let before = sketch.clone();
    let seeded = MinimumHash::for_cells(64).unwrap().with_hash(HashSpec::seeded(9));
    for other in [MinimumHash::for_cells(1).unwrap(), seeded] {
        assert_eq!(sketch.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
        assert_eq!(sketch, before);
    }
}
