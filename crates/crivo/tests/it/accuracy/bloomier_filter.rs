//! The Bloomier filter: other keys that get a value, from one key to many.

use super::assert_wrong_answers;
use crivo::valued::BloomierParams;
use crivo::{BloomierFilter, HashSpec};

/// Builds maps of `items` keys, each with its own seed: the share of other keys that get a value is 2^−check.
fn assert_rate(items: u64, (value_bits, check_bits): (u32, u32), maps: u64, queries: u64) {
    let context = format!("{items} keys, {value_bits} + {check_bits} bits");
    let params = BloomierParams::exact(value_bits, check_bits).unwrap();
    let mut expected = 0.0;
    let mut wrong = 0u64;
    for seed in 0..maps {
        let spec = HashSpec::seeded(seed ^ items << 32);
        let pairs = (0..items).map(|key| (spec.hash(&key), key & params.max_value()));
        let map = BloomierFilter::freeze_hashes(pairs, params, spec).unwrap();
        assert_eq!(map.fpr().value(), params.fpr_at(items));
        expected += map.fpr().value() * queries as f64;
        wrong += (items..items + queries).filter(|key| map.value(key).is_some()).count() as u64;
    }
    assert_wrong_answers(wrong, expected, &context);
}

#[test]
fn others_get_a_value_as_often_as_the_check_says() {
    for bits in [(1, 1), (7, 1), (8, 8), (4, 7), (40, 9), (64, 8)] {
        assert_rate(1, bits, 1000, 2000);
        assert_rate(1000, bits, 50, 20_000);
    }
    assert_rate(100_000, (8, 8), 2, 500_000);
}

#[test]
#[ignore = "long tier: a hundred million queries"]
fn others_get_a_value_as_often_as_the_check_says_down_to_a_millionth() {
    assert_rate(10, (16, 16), 10_000, 2000);
    assert_rate(1000, (5, 20), 100, 2_000_000);
}
