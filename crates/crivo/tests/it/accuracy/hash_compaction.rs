//! Hash compaction: false positives.

use super::assert_rate;
use crivo::membership::{HashCompaction, HashCompactionParams};

fn assert_rates(planned: u64, bits: u32, filters: u64, queries: u64) {
    let params = HashCompactionParams::exact(planned, bits).unwrap();
    for items in [planned / 2, planned, 2 * planned] {
        let context = format!("{items} of {planned} items, {bits} bits");
        let make = |spec| HashCompaction::with_params(params).with_hash(spec);
        assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
    }
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    assert_rates(10, 8, 2000, 5000);
    assert_rates(300, 8, 200, 5000);
    assert_rates(100, 13, 500, 20_000);
    assert_rates(1000, 17, 100, 50_000);
    assert_rates(100_000, 24, 3, 100_000);
}
