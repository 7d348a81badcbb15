use super::*;
use crate::ErrorKind;

#[test]
fn targets_choose_both_sizes() {
    for error in [0.5, 0.1, 0.03, 0.01, 0.004] {
        let sketch = Joint::for_error(error).unwrap();
        assert_eq!(sketch.precision(), HyperLogLog::for_error(error).unwrap().precision());
        let reach = |k: u32| similarity_reach(worst_common(k), k);
        let k = sketch.k();
        assert!(reach(k) <= error && (k == 16 || reach(k - 1) > error), "{error}: {k}");
    }
    for bad in [0.0, 1e-3, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Joint::for_error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
    for bytes in [500, 1000, 50_000, 1_000_000] {
        let mut sketch = Joint::for_memory(bytes).unwrap();
        sketch.extend(0..300_000u32);
        let taken = sketch.memory_bytes() as u64;
        assert!(taken <= bytes && (taken + 8 > bytes || sketch.k() == KMinValues::MAX_K), "{bytes}: {taken}");
    }
    assert!(Joint::for_memory(100).is_err() && Joint::for_memory(u64::MAX).is_ok());
}

/// The length rises up to one number of common hashes and falls after it.
#[test]
fn the_worst_similarity_is_found() {
    for k in [16u32, 17, 100, 1001] {
        let most = (0..=k).map(|common| similarity_reach(common, k)).fold(0.0, f64::max);
        assert_eq!(similarity_reach(worst_common(k), k), most, "{k}");
    }
}

#[test]
fn unlike_sketches_do_not_meet() {
    let mut sketch = Joint::for_precision(10, 100).unwrap();
    sketch.insert("kept");
    let before = sketch.clone();
    let others = [
        (Joint::for_precision(11, 100).unwrap(), "precision: 10 and 11"),
        (Joint::for_precision(10, 99).unwrap(), "k: 100 and 99"),
        (Joint::for_precision(10, 100).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
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
fn a_counter_without_the_hashes_of_the_sample_is_refused() {
    let (mut one, mut other) = (Joint::for_precision(8, 16).unwrap(), Joint::for_precision(8, 16).unwrap());
    one.extend(0..100u32);
    other.extend(200..300u32);
    let mixed = Joint { counter: one.counter, sample: other.sample };
    assert_eq!(Joint::from_bytes(&mixed.to_bytes()).unwrap_err().kind(), ErrorKind::Malformed);
}
