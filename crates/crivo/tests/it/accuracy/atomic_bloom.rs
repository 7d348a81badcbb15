//! The atomic Bloom filter: false positives, from half to twice the planned number of items.

use crivo::AtomicBloom;
use crivo::membership::AtomicParams;

fn assert_rate_of(params: AtomicParams, items: u64, filters: u64, queries: u64) {
    let make = |spec| AtomicBloom::with_params(params).with_hash(spec);
    let context = format!("{items} items in {params:?}");
    super::assert_rate(make, items, params.fpr_at(items), (filters, queries), &context);
}

fn assert_rate(planned: u64, fpr: f64, load: f64, filters: u64, queries: u64) {
    let params = AtomicParams::for_fpr(planned, fpr).unwrap();
    assert_rate_of(params, (planned as f64 * load) as u64, filters, queries);
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
    assert_rate(100_000, 0.01, 1.0, 20, 100_000);
}

#[test]
fn false_positive_rate_is_the_exact_one_for_every_number_of_functions() {
    for hashes in (2..=16).step_by(2) {
        let params = AtomicParams::exact(20, hashes).unwrap();
        assert_rate_of(params, 600, 400, 10_000);
    }
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
