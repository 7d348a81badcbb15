use super::*;
use crate::ErrorKind;

fn sketch_of(k: u32, items: core::ops::Range<u32>) -> KMinValues {
    let mut sketch = KMinValues::for_k(k).unwrap();
    sketch.extend(items);
    sketch
}

#[test]
fn targets_choose_k() {
    let k = |sketch: Result<KMinValues>| sketch.map(|sketch| sketch.k());
    for error in [0.9, 0.5, 0.1, 0.031, 0.002] {
        let chosen = k(KMinValues::for_error(error)).unwrap();
        assert!(
            limit_reach(chosen) <= error && (chosen == MIN_K || limit_reach(chosen - 1) > error),
            "{error}"
        );
        let lower = 1.0 - gamma_p_inverse(chosen.into(), 0.025) / (f64::from(chosen) - 1.0);
        assert!(lower <= error, "{error}: the lower side reaches {lower}");
    }
    assert_eq!(k(KMinValues::for_standard_error(0.01)), Ok(10_002));
    assert_eq!(k(KMinValues::for_memory(u64::MAX)), Ok(KMinValues::MAX_K));
    for bytes in [200u64, 1000, 5001, 100_000] {
        let mut sketch = KMinValues::for_memory(bytes).unwrap();
        sketch.extend(0..100_000u32);
        assert!(sketch.memory_bytes() as u64 <= bytes && sketch.memory_bytes() as u64 + 8 > bytes, "{bytes}");
    }
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-9] {
        assert_eq!(k(KMinValues::for_error(bad)).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
        assert!(KMinValues::for_standard_error(bad).is_err(), "{bad}");
    }
    let sketch = KMinValues::for_k(100).unwrap();
    assert!(sketch.fold(15).is_err() && sketch.fold(101).is_err());
    assert!(sketch.estimate_at(1.0).is_err());
}

#[test]
fn unlike_sketches_do_not_meet() {
    let mut sketch = KMinValues::for_k(100).unwrap();
    sketch.insert("kept");
    let before = sketch.clone();
    let others = [
        (KMinValues::for_k(101).unwrap(), "k: 100 and 101"),
        (KMinValues::for_k(100).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        let errors = [
            sketch.merge(&other).unwrap_err(),
            sketch.intersection(&other).unwrap_err(),
            sketch.difference(&other).unwrap_err(),
            sketch.similarity(&other).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
        }
        assert_eq!(sketch, before);
    }
}

#[test]
fn any_confidence_has_an_answer() {
    let mut sketch = KMinValues::for_k(64).unwrap();
    for i in 0..300u32 {
        sketch.insert(&i);
        for confidence in [f64::MIN_POSITIVE, 0.5, 1.0 - 1e-12, 1.0 - f64::EPSILON, 1.0 - f64::EPSILON / 2.0]
        {
            let estimate = sketch.estimate_at(confidence).unwrap();
            assert!(confidence <= 0.5 || estimate.contains(f64::from(i + 1)), "{estimate}");
        }
    }
}

#[test]
fn extreme_hashes() {
    let mut sketch = KMinValues::for_k(16).unwrap();
    for hash in (0..16).rev() {
        sketch.insert_hash(hash);
    }
    assert!(!sketch.insert_hash(16) && !sketch.insert_hash(15) && !sketch.insert_hash(u64::MAX));
    let estimate = sketch.estimate();
    assert!(estimate.lower() > 1e18 && estimate.upper().is_finite(), "{estimate}");
    let mut ends = KMinValues::for_k(16).unwrap();
    for hash in 0..16 {
        ends.insert_hash(!hash);
    }
    assert_eq!(format!("{}", ends.estimate()), "15 (15..=16, >=95 %)");
    for sketch in [sketch, ends] {
        assert_eq!(KMinValues::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
        assert_eq!(sketch.similarity(&sketch).unwrap().value(), 1.0);
    }
}

#[test]
fn small_sets_are_compared_exactly() {
    let (a, b) = (sketch_of(100, 0..60), sketch_of(100, 40..139));
    let answers = [a.intersection(&b), a.difference(&b), b.difference(&a)].map(Result::unwrap);
    for (answer, truth) in answers.into_iter().zip([20.0, 40.0, 79.0]) {
        assert_eq!((answer.lower(), answer.value(), answer.upper()), (truth, truth, truth));
    }
    assert_eq!(a.similarity(&b).unwrap().value(), 20.0 / 139.0);
    let empty = KMinValues::for_k(100).unwrap();
    assert_eq!(empty.similarity(&empty).unwrap().value(), 1.0);
    assert_eq!(empty.similarity(&a).unwrap().upper(), 0.0);
    assert_eq!(empty.intersection(&a).unwrap().upper(), 0.0);
    assert_eq!(a.difference(&empty).unwrap().value(), 60.0);
}

/// A set that is known completely shares no more than it has, and nothing beyond its last hash.
#[test]
fn a_small_set_within_a_large_one() {
    let (small, large) = (sketch_of(64, 0..20), sketch_of(64, 0..100_000));
    let shared = small.intersection(&large).unwrap();
    assert!(shared.contains(20.0) && shared.upper() <= 20.0, "{shared}");
    assert!(small.difference(&large).unwrap().upper() <= 20.0);
    assert!(large.difference(&small).unwrap().contains(99_980.0));
    // All hashes of the small set lie below the largest hash of the other.
    let mut low = KMinValues::for_k(16).unwrap();
    low.insert_hashes(&[1, 2, 3]);
    let mut many = KMinValues::for_k(16).unwrap();
    many.insert_hashes(&(2..30).map(|i| (i << 20) | (i % 4)).collect::<Vec<_>>());
    many.insert_hash(2);
    let shared = low.intersection(&many).unwrap();
    assert_eq!((shared.value(), shared.upper()), (1.0, 1.0));
}
