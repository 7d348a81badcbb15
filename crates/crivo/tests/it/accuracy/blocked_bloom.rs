//! The blocked Bloom filter: false positives, from half to twice the planned number of items.

use crivo::BlockedBloom;
use crivo::membership::BlockedParams;

fn assert_rate(planned: u64, fpr: f64, load: f64, filters: u64, queries: u64) {
    let params = BlockedParams::for_fpr(planned, fpr).unwrap();
    let items = (planned as f64 * load) as u64;
    let make = |spec| BlockedBloom::with_params(params).with_hash(spec);
    let context = format!("{items} items in {} blocks, made for {planned} at {fpr}", params.blocks());
    super::assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
}

#[test]
fn false_positive_rate_is_the_exact_one() {
    // One block, a few, many.
    assert_rate(10, 0.1, 1.0, 20_000, 500);
    assert_rate(10, 0.001, 2.0, 20_000, 1000);
    assert_rate(100, 0.01, 1.0, 3000, 5000);
    for (load, queries) in [(0.5, 50_000), (1.0, 20_000), (2.0, 5000)] {
        assert_rate(1000, 0.01, load, 300, queries);
        assert_rate(1000, 0.001, load, 300, queries * 4);
    }
    assert_rate(1000, 1e-4, 1.0, 200, 100_000);
    assert_rate(1000, 1e-5, 2.0, 200, 100_000);
    assert_rate(100_000, 0.01, 1.0, 20, 100_000);
}

#[test]
#[ignore = "long tier: a billion queries"]
fn false_positive_rate_is_the_exact_one_down_to_a_millionth() {
    assert_rate(100, 1e-5, 1.0, 2000, 100_000);
    assert_rate(1000, 1e-5, 1.0, 400, 500_000);
    assert_rate(1000, 1e-6, 1.0, 400, 1_000_000);
    assert_rate(1000, 1e-6, 2.0, 400, 200_000);
    assert_rate(1_000_000, 0.001, 1.0, 4, 1_000_000);
}
