use super::*;
use crate::valued::Verdict;
use crate::{Kind, codec};

/// A worked example with given positions.
#[test]
fn the_worked_example() {
    let mut filter = LinearBloom::with_params(LinearBloomParams::exact(11, 3).unwrap());
    for (positions, value) in [([1, 3, 7], 0.3), ([3, 7, 10], 0.5), ([4, 7, 10], 0.7)] {
        assert!(filter.insert_positions(&positions, value).unwrap());
    }
    let cells: Vec<(usize, f64)> =
        filter.cells().enumerate().filter_map(|(place, value)| value.map(|value| (place, value))).collect();
    assert_eq!(cells, [(1, 0.3), (3, 0.5), (4, 0.7), (7, 0.7), (10, 0.7)]);
    assert_eq!(filter.value_positions(&[1, 3, 7]).unwrap(), Some(0.3));
    assert_eq!(filter.value_positions(&[1, 4, 10]).unwrap(), Some(0.3), "d with 0.4 is certainly absent");
    assert_eq!(filter.value_positions(&[1, 2, 3]).unwrap(), None);
    assert!(filter.insert_positions(&[11], 1.0).is_err() && filter.value_positions(&[11]).is_err());
    assert!(!filter.insert_positions(&[1, 3, 7], 0.3).unwrap(), "nothing is raised");
}

#[test]
fn the_four_verdicts() {
    let mut filter = LinearBloom::<i32>::with_params(LinearBloomParams::exact(1001, 3).unwrap());
    filter.insert("a", -5).unwrap();
    assert_eq!(filter.verdict("a", -5), Ok(Verdict::Equal));
    assert_eq!(filter.verdict("a", 0), Ok(Verdict::Below(-5)));
    assert_eq!(filter.verdict("a", i32::MIN), Ok(Verdict::Above(-5)));
    assert_eq!(filter.verdict("b", -5), Ok(Verdict::Absent));
    assert!(filter.verdict("a", i32::MAX).is_err());
}

#[test]
fn a_refused_value_changes_nothing() {
    let mut filter = LinearBloom::with_params(LinearBloomParams::exact(100, 3).unwrap());
    assert!(filter.insert("a", f64::NAN).is_err());
    assert!(filter.insert_hashes(&[(1, 2.0), (2, f64::NAN)]).is_err());
    assert!(filter.insert_positions(&[1], f64::NAN).is_err());
    assert!(filter.is_empty());
}

#[test]
fn answers_for_one_and_for_many_agree() {
    let mut filter = LinearBloom::<u16>::with_params(LinearBloomParams::exact(501, 4).unwrap());
    for hash in 0..120u64 {
        filter.insert_hash(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15), (hash % 50) as u16).unwrap();
    }
    let hashes: Vec<u64> = (0..300u64).map(|hash| hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let one_by_one: Vec<_> = hashes.iter().map(|&hash| filter.answer_hash(hash)).collect();
    assert_eq!(filter.answer_hashes(&hashes), one_by_one);
    for (hash, answer) in hashes.iter().zip(one_by_one) {
        assert_eq!(filter.value_hash(*hash), answer.map(|answer| answer.value()));
        assert_eq!(filter.contains_hash(*hash), answer.is_some());
    }
}

/// NaN and −0 have bit patterns, but no cells.
#[test]
fn impossible_cells_are_refused() {
    let filter = LinearBloom::<f64>::with_params(LinearBloomParams::exact(1, 1).unwrap());
    let with_cell = |cell: u64| {
        let mut params = Vec::new();
        OfSize::params(&filter).write(&mut params);
        let bytes = codec::seal(Kind::LinearBloom, Some(filter.hash_spec()), &params, &cell.to_le_bytes());
        LinearBloom::<f64>::from_bytes(&bytes)
    };
    assert_eq!(with_cell(0).unwrap(), filter);
    assert_eq!(with_cell(2.5f64.to_cell().unwrap()).unwrap().value("any"), Some(2.5));
    for cell in [!(-0.0f64).to_bits(), f64::NAN.to_bits() | 1 << 63, 1, u64::MAX] {
        assert!(with_cell(cell).is_err(), "{cell:#x}");
    }
}
