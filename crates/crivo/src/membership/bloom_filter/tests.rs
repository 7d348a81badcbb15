use super::*;

/// LOPES Fig. 4: positions 1 to 16, two per name.
#[test]
fn worked_example_of_lopes() {
    let mut filter = BloomFilter::with_params(BloomParams::exact(16, 2).unwrap());
    let position = |pair: [u64; 2]| pair.map(|p| p - 1);
    for pair in [[6, 11], [10, 9], [4, 12], [3, 1], [14, 4]] {
        filter.insert_positions(&position(pair)).unwrap();
    }
    let bits: alloc::string::String = (0..16).map(|i| if filter.bits().get(i) { '1' } else { '0' }).collect();
    assert_eq!(bits, "1011010011110100");
    assert!(filter.contains_positions(&position([3, 1])).unwrap()); // Ford Prefect
    assert!(!filter.contains_positions(&position([14, 5])).unwrap()); // Slartibartfast
    assert!(filter.contains_positions(&position([11, 3])).unwrap()); // Fenchurch: a false positive
}

/// FERREIRA Ex. 2.1: m = 11, three positions per element.
#[test]
fn worked_example_of_ferreira() {
    let mut filter = BloomFilter::with_params(BloomParams::exact(11, 3).unwrap());
    for positions in [[1, 3, 7], [3, 7, 10], [4, 7, 10]] {
        filter.insert_positions(&positions).unwrap();
    }
    assert!(filter.contains_positions(&[1, 4, 10]).unwrap());
    assert!(!filter.contains_positions(&[1, 4, 9]).unwrap());
}

#[test]
fn a_full_filter_reports_a_lower_bound_only() {
    let mut filter = BloomFilter::with_params(BloomParams::exact(64, 3).unwrap());
    filter.extend(0..10_000u32);
    for estimate in [filter.cardinality(), filter.cardinality_proven_at(0.95).unwrap()] {
        assert!(estimate.upper().is_infinite() && estimate.value().is_finite(), "{estimate}");
        assert!(estimate.lower() > 10.0, "{estimate}");
    }
    assert_eq!(filter.fpr().value(), 1.0);
    assert!(filter.intersection_estimate(&filter).unwrap().upper().is_infinite());
}

#[test]
fn unlike_filters_do_not_merge() {
    let make = |bits, hashes, seed| {
        BloomFilter::with_params(BloomParams::exact(bits, hashes).unwrap()).with_hash(HashSpec::seeded(seed))
    };
    let mut filter = make(128, 3, 1);
    filter.insert("kept");
    let before = filter.clone();
    for (other, field) in [(make(192, 3, 1), "bits"), (make(128, 4, 1), "hashes"), (make(128, 3, 2), "hash")]
    {
        let error = filter.merge(&other).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(filter, before);
    }
}

#[test]
fn collecting_makes_room_for_all() {
    let filter: BloomFilter = (0..1000u32).collect();
    assert!((0..1000u32).all(|i| filter.contains(&i)));
    let none: BloomFilter = core::iter::empty::<u32>().collect();
    assert!(none.is_empty());
}

#[test]
fn a_message_about_a_file_has_the_number_in_the_file() {
    let mut params = alloc::vec![1];
    crate::codec::put_u64_varint(&mut params, 1 << 40);
    let spec = HashSpec::default();
    let bytes = crate::codec::seal(crate::kind::Kind::BloomFilter, Some(&spec), &params, &[0]);
    let error = BloomFilter::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Malformed);
    assert!(alloc::format!("{error}").contains("1099511627776"), "{error}");
}
