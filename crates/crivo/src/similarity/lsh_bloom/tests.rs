use super::*;
use crate::{ErrorKind, MinHash, OnePermutation};

#[test]
fn targets_are_met() {
    let bands = LshParams::exact(16, 8).unwrap();
    for (items, fpr) in [(1, 0.5), (10, 0.01), (1000, 1e-3), (1_000_000, 0.05)] {
        let params = LshBloomParams::for_fpr(bands, items, fpr).unwrap();
        assert!(params.fpr_at(items) <= fpr, "{items} {fpr}");
        assert!(params.fpr_at(2 * items + 20) > fpr, "{items} {fpr}");
        assert!(params.detection_at(0.8, items).unwrap() >= bands.probability(0.8).unwrap());
    }
    let params = LshBloomParams::for_memory(bands, 1000, 4096).unwrap();
    assert_eq!(params.keys().memory_bytes(), 4096);
    for (items, fpr) in [(0, 0.1), (1, 0.0), (1, 1.0), (1, f64::NAN), (u64::MAX, 0.1), (1 << 60, 0.1)] {
        assert!(LshBloomParams::for_fpr(bands, items, fpr).is_err(), "{items} {fpr}");
    }
    assert!(LshBloomParams::for_memory(bands, 0, 4096).is_err());
    assert!(LshBloomParams::for_memory(bands, 10, 7).is_err());
}

#[test]
fn equal_slots_in_distinct_bands_have_distinct_keys() {
    let params = LshBloomParams::for_fpr(LshParams::exact(2, 2).unwrap(), 10, 1e-6).unwrap();
    let mut filter = LshBloom::with_scheme(params, Scheme::Functions, 4, HashSpec::default()).unwrap();
    assert!(!filter.insert_slots(&[1, 2, 3, 4]).unwrap());
    assert!(filter.contains_slots(&[1, 2, 5, 6]).unwrap() && filter.contains_slots(&[7, 8, 3, 4]).unwrap());
    assert!(!filter.contains_slots(&[3, 4, 1, 2]).unwrap() && !filter.contains_slots(&[2, 1, 4, 3]).unwrap());
    assert!(filter.insert_slots(&[1, 2, 5, 6]).unwrap());
}

#[test]
fn incompatible_inputs_are_refused() {
    let params = LshBloomParams::for_fpr(LshParams::exact(4, 4).unwrap(), 10, 0.01).unwrap();
    let like = MinHash::for_slots(16).unwrap();
    let mut filter = LshBloom::with_params(params, &like).unwrap();
    let kind = |result: Result<bool>| result.unwrap_err().kind();
    assert_eq!(kind(filter.insert(&OnePermutation::for_slots(16).unwrap())), ErrorKind::Incompatible);
    assert_eq!(kind(filter.contains(&MinHash::for_slots(17).unwrap())), ErrorKind::Incompatible);
    let seeded = MinHash::for_slots(16).unwrap().with_hash(HashSpec::seeded(1));
    assert_eq!(kind(filter.insert(&seeded)), ErrorKind::Incompatible);
    assert!(filter.is_empty());
    let other = LshBloomParams::for_fpr(LshParams::exact(2, 8).unwrap(), 20, 0.01).unwrap();
    for other in [
        LshBloom::with_params(other, &like).unwrap(),
        LshBloom::with_params(params, &OnePermutation::for_slots(16).unwrap()).unwrap(),
        LshBloom::with_params(params, &MinHash::for_slots(17).unwrap()).unwrap(),
        LshBloom::with_params(params, &seeded).unwrap(),
    ] {
        assert_eq!(filter.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
    }
    assert!(LshBloom::with_params(params, &MinHash::for_slots(15).unwrap()).is_err());
}

#[test]
fn empty_sets_are_similar_only_to_each_other() {
    let params = LshBloomParams::for_fpr(LshParams::exact(8, 2).unwrap(), 100, 1e-6).unwrap();
    let empty = OnePermutation::for_slots(16).unwrap();
    let mut filter = LshBloom::with_params(params, &empty).unwrap();
    let mut one = empty.clone();
    one.insert("one");
    assert!(!filter.insert(&one).unwrap());
    assert!(!filter.insert(&empty).unwrap());
    assert!(filter.contains(&empty).unwrap());
}
