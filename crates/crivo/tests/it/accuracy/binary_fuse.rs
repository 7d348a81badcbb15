//! The binary fuse filter: false positives, from one item to a million.

use super::assert_wrong_answers;
use crivo::membership::BinaryFuseParams;
use crivo::{BinaryFuse, HashSpec};

/// Builds filters of `items` items with fingerprints of `width` bits, each with its own seed: the false-positive rate
/// is 2^−width. In small filters it would show if cells and fingerprints came from the same bits.
fn assert_rate(items: u64, width: u32, filters: u64, queries: u64) {
    let context = format!("{items} items, {width} bits");
    let params = BinaryFuseParams::with_width(width).unwrap();
    let mut expected = 0.0;
    let mut wrong = 0u64;
    for seed in 0..filters {
        let spec = HashSpec::seeded(seed ^ items << 32);
        let hashes = (0..items).map(|item| spec.hash(&item));
        let filter = BinaryFuse::freeze_hashes(hashes, params, spec).unwrap();
        assert_eq!(filter.fpr().value(), params.fpr_at(items));
        expected += filter.fpr().value() * queries as f64;
        wrong += (items..items + queries).filter(|item| filter.contains(item)).count() as u64;
    }
    assert_wrong_answers(wrong, expected, &context);
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    for width in [1, 2, 7, 8, 12] {
        assert_rate(1, width, 2000, 2000);
        assert_rate(10, width, 1000, 2000);
        assert_rate(1000, width, 100, 20_000);
    }
    assert_rate(100_000, 8, 2, 1_000_000);
    assert_rate(100_000, 11, 2, 1_000_000);
}

#[test]
#[ignore = "long tier: half a billion queries"]
fn false_positive_rate_is_the_exact_one_down_to_a_millionth() {
    assert_rate(10, 16, 20_000, 2000);
    assert_rate(10, 20, 20_000, 10_000);
    assert_rate(1000, 16, 500, 100_000);
    assert_rate(30_000, 20, 50, 4_000_000);
    assert_rate(1_000_000, 8, 4, 4_000_000);
    assert_rate(1_000_000, 16, 4, 10_000_000);
}
