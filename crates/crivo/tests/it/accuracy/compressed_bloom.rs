//! The compressed Bloom filter: false positives, and the size of its file.

use super::{Sample, assert_rate};
use crivo::HashSpec;
use crivo::membership::{CompressedBloom, CompressedParams};

#[test]
fn false_positive_rate_is_the_exact_one() {
    for (items, fpr, factor, filters, queries) in
        [(10, 0.1, 2.0, 5000, 1000), (100, 0.01, 2.0, 500, 20_000), (1000, 0.01, 12.0, 50, 50_000)]
    {
        let params = CompressedParams::for_fpr(items, fpr, factor).unwrap();
        for inside in [items / 2, items, 2 * items] {
            let context = format!("{inside} of {items} items at {fpr}, {params:?}");
            let make = |spec| CompressedBloom::with_params(params).with_hash(spec);
            assert_rate(make, inside, params.fpr_at(inside), (filters, queries), &context);
        }
    }
}

fn file_sizes(params: CompressedParams, items: u64, filters: u64) -> Vec<usize> {
    let size = |seed| {
        let mut filter = CompressedBloom::with_params(params).with_hash(HashSpec::seeded(seed));
        filter.extend(0..items);
        filter.to_bytes().len()
    };
    (0..filters).map(size).collect()
}

/// The mean size is as planned, or smaller by at most the frame.
#[test]
fn files_have_the_size_that_theory_says() {
    for (items, fpr, factor) in [(100, 0.01, 2.0), (1000, 0.01, 12.0), (3000, 0.001, 3.0), (1000, 0.2, 1.0)] {
        let params = CompressedParams::for_fpr(items, fpr, factor).unwrap();
        for inside in [items / 2, items, 2 * items] {
            let context = format!("{inside} of {items} items, {params:?}");
            let mut sizes = Sample::default();
            for size in file_sizes(params, inside, 50) {
                sizes.push(size as f64);
            }
            let theory = params.wire_bytes_at(inside);
            // Header 17, lengths 2, params 2, number of ones 1, checksum 8.
            let noise = super::sigmas() * (sizes.moment(sizes.mean(), 2) / 50.0).sqrt();
            let (low, high) = ((theory - 56.0) * 0.999 + 30.0 - noise, theory * 1.001 + noise);
            assert!((low..=high).contains(&sizes.mean()), "{context}: {}, {low} to {high}", sizes.mean());
        }
    }
}

/// A budget leaves a margin of five standard deviations: all of a thousand files keep it.
#[test]
fn budgets_are_kept() {
    for (items, wire_bytes, factor) in
        [(100, 150, 2.0), (1000, 1000, 1.5), (1000, 1300, 16.0), (50, 1000, 4.0)]
    {
        let params = CompressedParams::for_wire(items, wire_bytes, factor).unwrap();
        let largest = file_sizes(params, items, 1000).into_iter().max().unwrap();
        assert!(largest as u64 <= wire_bytes, "{items} items: {largest} of {wire_bytes} bytes, {params:?}");
        assert!(params.memory_bytes() as f64 <= factor * wire_bytes as f64, "{params:?}");
    }
}
