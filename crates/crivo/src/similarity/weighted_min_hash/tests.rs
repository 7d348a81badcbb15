use super::*;
use crate::ErrorKind;
use crate::rng::Rng;

fn signature_of(k: u32, items: &[(u64, f64)]) -> WeightedMinHash {
    let mut signature = WeightedMinHash::for_slots(k).unwrap();
    for (item, weight) in items {
        signature.add(item, *weight).unwrap();
    }
    signature
}

/// Every item draws for every slot.
fn without_bounds(k: u32, items: &[(u64, f64)]) -> Vec<u32> {
    let spec = HashSpec::default();
    let winner = |slot: u32| {
        let lots = items.iter().map(|(item, weight)| {
            let hash = spec.hash(item);
            let lot = Lot::draw(hash, slot, log(*weight));
            (lot.rank, name(hash, lot.step))
        });
        lots.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap().1
    };
    (0..k).map(winner).collect()
}

#[test]
fn the_bound_changes_nothing() {
    let mut rng = Rng::new(8);
    for (k, count, spread) in [(1, 300, 1.0), (65, 400, 0.0), (200, 100, 300.0), (128, 1000, 3.0)] {
        let weight = |rng: &mut Rng| libm::exp2(spread * (rng.unit() - 0.5));
        let items: Vec<(u64, f64)> = (0..count).map(|item| (item, weight(&mut rng))).collect();
        assert_eq!(signature_of(k, &items).slots(), without_bounds(k, &items));
    }
}

#[test]
fn weights_of_all_magnitudes() {
    for weight in [5e-324, 1e-300, 1.0, 1e300, f64::MAX] {
        let (one, other) = (signature_of(64, &[(1, weight)]), signature_of(64, &[(1, weight), (2, weight)]));
        assert_eq!(WeightedMinHash::from_bytes(&other.to_bytes()).unwrap(), other);
        let alike = one.similarity(&other).unwrap();
        assert!(alike.contains(0.5), "{weight}: {alike}");
    }
    let mixed = signature_of(64, &[(1, 5e-324), (2, f64::MAX)]);
    assert_eq!(mixed, signature_of(64, &[(2, f64::MAX)]));
}

/// The larger weight of an item counts, in any order.
#[test]
fn the_larger_weight_counts() {
    let both = [(1, 2.0), (2, 1.0), (1, 0.5), (3, 0.0), (2, 1.5)];
    let reversed: Vec<(u64, f64)> = both.iter().rev().copied().collect();
    let larger = signature_of(128, &[(1, 2.0), (2, 1.5)]);
    assert_eq!((signature_of(128, &both), signature_of(128, &reversed)), (larger.clone(), larger.clone()));
    assert!(!larger.clone().add(&1u64, 2.0).unwrap() && larger.clone().add(&1u64, 200.0).unwrap());
}

#[test]
fn empty_sets_have_similarity_one() {
    let (empty, zero) = (WeightedMinHash::for_slots(32).unwrap(), signature_of(32, &[(1, 0.0)]));
    assert_eq!(empty, zero);
    assert!(zero.is_empty() && !signature_of(32, &[(1, 5e-324)]).is_empty());
    assert_eq!(empty.similarity(&zero).unwrap().value(), 1.0);
    assert_eq!(empty.similarity(&signature_of(32, &[(1, 1.0)])).unwrap().value(), 0.0);
}

#[test]
fn impossible_weights_are_refused() {
    let mut signature = signature_of(16, &[(1, 1.0)]);
    let before = signature.clone();
    for bad in [-1.0, -5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(signature.add("x", bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
    }
    assert!(!signature.add("x", -0.0).unwrap());
    assert_eq!(signature, before);
}

#[test]
fn incompatible_signatures_are_not_compared() {
    let mut signature = signature_of(16, &[(1, 1.0)]);
    let before = signature.clone();
    let others = [
        (WeightedMinHash::for_slots(17).unwrap(), "k: 16 and 17"),
        (WeightedMinHash::for_slots(16).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        for error in [signature.similarity(&other).unwrap_err(), signature.merge(&other).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Incompatible);
            assert!(format!("{error}").contains(field), "{error}");
        }
        assert_eq!(signature, before);
    }
}
