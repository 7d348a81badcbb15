use super::*;
use crate::ErrorKind;

fn sketch_of(bits: u32, items: core::ops::Range<u32>) -> SimHash {
    let mut sketch = SimHash::for_bits(bits).unwrap();
    sketch.extend(items);
    sketch
}

/// Lopes 2017, section 2.3.6, with the angle that belongs to the similarity printed there.
#[test]
fn the_angle_of_two_small_sets() {
    let angle = libm::acos(2.0 / libm::sqrt(12.0));
    assert!((angle - 0.9553).abs() < 1e-4);
    assert!((1.0 - angle / PI - 0.695_913).abs() < 1e-6);
    assert!((cosine_at(0.695_913) - 0.57735).abs() < 1e-5);
    assert_eq!([0.0, 0.5, 1.0].map(cosine_at), [-1.0, 0.0, 1.0]);
}

/// Lopes 2017, section 3.4.2: the cosine of a set and a half of it is 1/√2, that of two such halves with a half in common is ½.
#[test]
fn parents_and_siblings() {
    let parent = sketch_of(1024, 0..400);
    let (one, other) = (sketch_of(1024, 0..200), sketch_of(1024, 100..300));
    assert!(parent.similarity(&one).unwrap().contains(0.75));
    assert!(one.similarity(&other).unwrap().contains(2.0 / 3.0));
    assert!(one.cosine(&other).unwrap().contains(0.5));
}

#[test]
fn targets_choose_bits() {
    for (error, bits) in [(0.131, 64), (0.05, 448), (0.0314, 1024), (1.0, 64)] {
        assert_eq!(SimHash::for_error(error).unwrap().bits(), bits, "{error}");
        assert!(longest_reach(bits) <= error && (bits == 64 || longest_reach(bits - 64) > error), "{error}");
    }
    for bad in [0.0, 0.03, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(SimHash::for_error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
}

/// A sketch of fewer bits has the first bits of a larger one.
#[test]
fn short_signatures_begin_long_ones() {
    let (short, long) = (sketch_of(64, 0..77), sketch_of(640, 0..77));
    assert_eq!(short.signature(), long.signature()[..1]);
    assert_eq!(short.fingerprint(), long.fingerprint());
    assert_eq!(long.signature().len(), 10);
}

#[test]
fn zero_has_no_direction() {
    let (zero, some) = (SimHash::for_bits(128).unwrap(), sketch_of(128, 0..5));
    let answers =
        [zero.similarity(&zero), zero.similarity(&some), some.similarity(&zero)].map(Result::unwrap);
    assert_eq!(answers, [1.0, 0.5, 0.5].map(Estimate::exact));
    assert_eq!(zero.cosine(&some).unwrap(), Estimate::exact(0.0));
    assert_eq!(zero.cosine(&zero).unwrap(), Estimate::exact(1.0));
}

/// Subtracting what was added leaves an empty sketch, and opposite vectors differ in every bit.
#[test]
fn weights_take_away() {
    let mut sketch = sketch_of(192, 0..10);
    let mut opposite = SimHash::for_bits(192).unwrap();
    for item in 0..10u32 {
        opposite.add(&item, -3.0).unwrap();
    }
    assert_eq!(sketch.similarity(&opposite).unwrap().value(), 0.0);
    assert_eq!(sketch.cosine(&opposite).unwrap().value(), -1.0);
    (0..10u32).for_each(|item| sketch.add(&item, -1.0).unwrap());
    assert_eq!(sketch, SimHash::for_bits(192).unwrap());
    assert_eq!(sketch.to_bytes(), SimHash::for_bits(192).unwrap().to_bytes());
}

#[test]
fn vectors_are_weighted_items() {
    let coordinates = [0.5, -2.0, 0.0, 1e300];
    let mut vector = SimHash::for_bits(64).unwrap();
    vector.add_vector(&coordinates[..3]).unwrap();
    let mut items = SimHash::for_bits(64).unwrap();
    for (item, &weight) in coordinates[..3].iter().enumerate() {
        items.add(&item, weight).unwrap();
    }
    assert_eq!(vector, items);
    assert_eq!(vector.add_vector(&coordinates).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(vector, items, "a refused vector changed something");
}

#[test]
fn sums_stay_numbers() {
    let most = exp2(MAX_WEIGHT_LOG2);
    let mut sketch = SimHash::for_bits(64).unwrap();
    sketch.add("x", most).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, most * 1.001, f64::MAX] {
        assert_eq!(sketch.add("x", bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
    let before = loop {
        let copy = sketch.clone();
        if let Err(error) = sketch.merge(&copy) {
            assert_eq!((error.kind(), &sketch), (ErrorKind::Full, &copy));
            break copy;
        }
    };
    (0..100u32).for_each(|_| sketch.add("x", most).unwrap());
    assert!(sketch.sums.iter().all(|sum| sum.is_finite()));
    assert_eq!(sketch.signature(), before.signature());
    assert_eq!(SimHash::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
}

#[test]
fn incompatible_sketches_are_not_compared() {
    let mut sketch = sketch_of(64, 0..3);
    let before = sketch.clone();
    let others = [
        (SimHash::for_bits(128).unwrap(), "bits: 64 and 128"),
        (SimHash::for_bits(64).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        for error in [sketch.similarity(&other).unwrap_err(), sketch.merge(&other).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
        }
        assert_eq!(sketch, before);
    }
}
