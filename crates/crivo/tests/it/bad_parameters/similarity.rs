//! Signatures, indexes and shingles.

use super::{BAD_SHARES, TOO_LARGE_SHARES, assert_refused};
use crivo::similarity::{
    BBitMinHash, DistanceParams, HammingParams, LshBloomParams, LshParams, Metric, NearParams, Scheme,
    Shingles,
};
use crivo::{HammingIndex, HashSpec, LshIndex, MinHash, OnePermutation, SimHash, WeightedMinHash};

#[test]
fn sizes_of_signatures() {
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MinHash::for_slots", &value, || MinHash::for_slots(bad));
        assert_refused("OnePermutation::for_slots", &value, || OnePermutation::for_slots(bad));
    }
    for bad in [0, 3, 5, 32, u32::MAX] {
        let signature = MinHash::for_slots(8).unwrap();
        assert_refused("BBitMinHash::freeze", &bad.to_string(), || BBitMinHash::freeze(&signature, bad));
    }
    for bad in [0, 1, 43] {
        assert_refused("MinHash::for_memory", &bad.to_string(), || MinHash::for_memory(bad));
        assert_refused("OnePermutation::for_memory", &bad.to_string(), || OnePermutation::for_memory(bad));
    }
}

#[test]
fn directions_weights_and_distances() {
    for bad in [0, 1, 63, 65, 1088, u32::MAX] {
        assert_refused("SimHash::for_bits", &bad.to_string(), || SimHash::for_bits(bad));
    }
    for bad in BAD_SHARES.into_iter().chain([0.03]) {
        assert_refused("SimHash::for_error", &bad.to_string(), || SimHash::for_error(bad));
    }
    let mut sketch = SimHash::for_bits(64).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
        assert_refused("add", &bad.to_string(), || sketch.add("x", bad));
        assert_refused("add_hash", &bad.to_string(), || sketch.add_hash(1, bad));
        assert_refused("add_vector", &bad.to_string(), || sketch.add_vector(&[1.0, bad]));
    }
    for bad in [0, (1 << 16) + 1, u32::MAX] {
        assert_refused("WeightedMinHash::for_slots", &bad.to_string(), || WeightedMinHash::for_slots(bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        assert_refused("WeightedMinHash::for_error", &bad.to_string(), || WeightedMinHash::for_error(bad));
    }
    let mut signature = WeightedMinHash::for_slots(7).unwrap();
    for bad in [-1.0, -5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused("add", &bad.to_string(), || signature.add("x", bad));
        assert_refused("add_hash", &bad.to_string(), || signature.add_hash(1, bad));
    }
    for bad in [65, u32::MAX] {
        assert_refused("HammingParams::exact", &bad.to_string(), || HammingParams::exact(bad, 1));
        assert_refused("HammingParams::for_distance", &bad.to_string(), || {
            HammingParams::for_distance(bad, 9)
        });
    }
    for bad in [9, u32::MAX] {
        assert_refused("HammingParams::exact", &bad.to_string(), || HammingParams::exact(20, bad));
    }
    assert_refused("HammingParams::exact", "4", || HammingParams::exact(2, 4));
    for bad in [0, 1 << 32, u64::MAX] {
        assert_refused("HammingParams::for_distance", &bad.to_string(), || {
            HammingParams::for_distance(3, bad)
        });
    }
    let mut index = HammingIndex::with_params(HammingParams::exact(3, 2).unwrap());
    assert_refused("remove", "7", || index.remove(7));
    assert!(
        sketch.is_empty() && signature.is_empty() && index.is_empty(),
        "a refused call changed something"
    );
    index.insert(7, 1).unwrap();
    assert_refused("insert", "7", || index.insert(7, 2));
    assert_eq!((index.len(), index.fingerprint(7)), (1, Some(1)), "a refused call changed something");
}

#[test]
fn shingles_and_near_duplicates() {
    for bad in [0, 256, u32::MAX] {
        let value = bad.to_string();
        assert_refused("Shingles::words", &value, || Shingles::words(bad));
        assert_refused("Shingles::tokens", &value, || Shingles::tokens(bad));
        assert_refused("Shingles::chars", &value, || Shingles::chars(bad));
        assert_refused("Shingles::bytes", &value, || Shingles::bytes(bad));
    }
    let bands = LshParams::exact(20, 6).unwrap();
    for bad in BAD_SHARES.into_iter().chain([1.000_001, 2.0, 1e300]) {
        assert_refused("NearParams::for_threshold", &bad.to_string(), || NearParams::for_threshold(bad));
        assert_refused("NearParams::for_recall", &bad.to_string(), || NearParams::for_recall(bad, 0.9));
    }
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.0, 1.5] {
        assert_refused("NearParams::for_recall", &bad.to_string(), || NearParams::for_recall(0.5, bad));
    }
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.000_001] {
        assert_refused("NearParams::with_bands", &bad.to_string(), || NearParams::with_bands(bad, bands));
    }
    // Targets that can be reached, and targets that cannot.
    assert!(NearParams::for_threshold(0.0015).is_ok());
    assert_refused("NearParams::for_threshold", "0.0014", || NearParams::for_threshold(0.0014));
}

#[test]
fn bands_and_filters_of_signatures() {
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        assert_refused("LshParams::exact", &value, || LshParams::exact(bad, 8));
        assert_refused("LshParams::exact", &value, || LshParams::exact(16, bad));
        assert_refused("LshParams::for_recall", &value, || LshParams::for_recall(0.8, 0.99, bad));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(0.8, bad, 0.5));
    }
    let bands = LshParams::exact(16, 8).unwrap();
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((bad, 0.1), (0.9, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, bad), (0.9, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, 0.1), (bad, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, 0.1), (0.9, bad)));
        assert_refused("LshParams::for_recall", &value, || LshParams::for_recall(0.8, bad, 128));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(bad, 128, 0.5));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(0.8, 128, bad));
        assert_refused("LshBloomParams::for_fpr", &value, || LshBloomParams::for_fpr(bands, 1000, bad));
        let metric = Metric::Hamming { bits: 256 };
        assert_refused("DistanceParams::for_targets", &value, || {
            DistanceParams::for_targets(metric, 1000, (8.0, bad), (96.0, 0.01))
        });
        assert_refused("DistanceParams::for_targets", &value, || {
            DistanceParams::for_targets(metric, 1000, (8.0, 0.01), (96.0, bad))
        });
    }
    for bad in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("LshParams::probability", &value, || bands.probability(bad));
        assert_refused("LshParams::similarity_at", &value, || bands.similarity_at(bad));
    }
    assert_refused("LshParams::for_targets", "0.9", || LshParams::for_targets((0.9, 0.1), (0.9, 0.9)));
    for slots in [0, 127, 65_537, usize::MAX] {
        let value = slots.to_string();
        let (scheme, spec) = (Scheme::Functions, HashSpec::default());
        assert_refused("LshIndex::with_scheme", &value, || LshIndex::with_scheme(bands, scheme, slots, spec));
    }
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        let metric = Metric::Hamming { bits: bad };
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, 4, 2, 100));
        let metric = Metric::Hamming { bits: 256 };
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, bad, 4, 2, 100));
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, bad, 2, 100));
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, 4, bad, 100));
    }
    let mut index = LshIndex::with_scheme(bands, Scheme::Functions, 128, HashSpec::default()).unwrap();
    index.insert_slots(7, &[1; 128]).unwrap();
    assert_refused("insert", "7", || index.insert_slots(7, &[2; 128]));
    assert_refused("remove", "8", || index.remove(8));
    assert_eq!((index.len(), index.slots(7)), (1, Some(&[1; 128][..])), "a refused call changed something");
}
