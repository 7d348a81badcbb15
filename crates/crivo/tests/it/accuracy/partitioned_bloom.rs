//! The partitioned Bloom filter: false positives.

use super::assert_rate;
use crivo::membership::{PartitionedBloom, PartitionedParams};

fn assert_rates(params: PartitionedParams, items: u64, filters: u64, queries: u64) {
    let context = format!("{items} items, {params:?}");
    let make = |spec| PartitionedBloom::with_params(params).with_hash(spec);
    assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
}

/// At half, full and double load. Blocks that shared their positions would have correlated errors.
#[test]
fn false_positive_rate_is_the_product_over_the_blocks() {
    for (items, fpr, filters, queries) in
        [(10, 0.1, 5000, 1000), (100, 0.01, 500, 30_000), (1000, 0.001, 100, 100_000)]
    {
        let params = PartitionedParams::for_fpr(items, fpr).unwrap();
        assert_rates(params, items / 2, filters * 2, queries);
        assert_rates(params, items, filters, queries / 2);
        assert_rates(params, 2 * items, filters / 2, queries / 4);
    }
    assert_rates(PartitionedParams::for_blocks(100, 0.001, 2).unwrap(), 100, 1000, 20_000);
    assert_rates(PartitionedParams::for_blocks(100, 0.01, 8).unwrap(), 100, 500, 10_000);
    assert_rates(PartitionedParams::exact(3, 64, 2).unwrap(), 15, 5000, 1000);
}
