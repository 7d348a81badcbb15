//! Filters.

use super::assert_refused;
use crivo::baseline::DirectTable;
use crivo::frequency::CountMinParams;
use crivo::membership::{
    CompressedParams, CountingParams, PartitionedBloom, PartitionedParams, SpectralParams, WindowedParams,
};
use crivo::{BloomFilter, BloomParams, CountMin};

#[test]
fn sizes_of_counting_filters() {
    for bad in [0, u64::MAX, 1 << 60] {
        let value = bad.to_string();
        assert_refused("CountingParams::for_fpr", &value, || CountingParams::for_fpr(bad, 1e-6));
        assert_refused("CountingParams::exact", &value, || CountingParams::exact(bad, 7));
        assert_refused("CountingParams::for_memory", &value, || CountingParams::for_memory(bad, 1000));
        assert_refused("SpectralParams::for_fpr", &value, || SpectralParams::for_fpr(bad, 1e-6));
        assert_refused("SpectralParams::exact", &value, || SpectralParams::exact(bad, 7));
        assert_refused("SpectralParams::for_memory", &value, || SpectralParams::for_memory(bad, 1000));
    }
    // A size that is possible for a Bloom filter is too large for counters.
    assert_refused("CountingParams::exact", "274877906945", || CountingParams::exact((1 << 38) + 1, 7));
    assert_refused("for_memory", "0", || CountingParams::for_memory(100, 0));
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("CountingParams::exact", &value, || CountingParams::exact(100, bad));
        assert_refused("SpectralParams::exact", &value, || SpectralParams::exact(100, bad));
    }
    let (counting, spectral) = (CountingParams::exact(9, 2).unwrap(), SpectralParams::exact(9, 2).unwrap());
    for bad in [0, 1, 33, 64, u32::MAX] {
        assert_refused("with_counter_bits", &bad.to_string(), || counting.with_counter_bits(bad));
        assert_refused("with_counter_bits", &bad.to_string(), || spectral.with_counter_bits(bad));
    }
    assert_refused("with_counter_bits", "17", || counting.with_counter_bits(17));
}

#[test]
fn sizes_of_partitioned_and_compressed_filters() {
    for bad in [0, u64::MAX, 1 << 60] {
        let value = bad.to_string();
        assert_refused("PartitionedParams::for_fpr", &value, || PartitionedParams::for_fpr(bad, 1e-6));
        assert_refused("PartitionedParams::for_blocks", &value, || {
            PartitionedParams::for_blocks(bad, 1e-6, 3)
        });
        assert_refused("PartitionedParams::exact", &value, || PartitionedParams::exact(4, bad, 2));
        assert_refused("PartitionedParams::for_memory", &value, || PartitionedParams::for_memory(bad, 1000));
        assert_refused("CompressedParams::for_fpr", &value, || CompressedParams::for_fpr(bad, 1e-6, 2.0));
        assert_refused("CompressedParams::exact", &value, || CompressedParams::exact(bad, 2));
        assert_refused("CompressedParams::for_wire", &value, || CompressedParams::for_wire(1000, bad, 2.0));
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("PartitionedParams::exact", &value, || PartitionedParams::exact(bad, 100, 1));
        assert_refused("PartitionedParams::exact", &value, || PartitionedParams::exact(1, 100, bad));
        assert_refused("PartitionedParams::for_blocks", &value, || {
            PartitionedParams::for_blocks(10, 0.1, bad)
        });
        assert_refused("CompressedParams::exact", &value, || CompressedParams::exact(100, bad));
    }
    assert_refused("PartitionedParams::exact", "9 times 8", || PartitionedParams::exact(9, 100, 8));
    assert_refused("PartitionedParams::exact", "2 blocks", || PartitionedParams::exact(2, 1 << 40, 1));
    let filter = PartitionedBloom::with_params(PartitionedParams::exact(3, 100, 2).unwrap());
    for bad in [0, 4, u32::MAX] {
        assert_refused("fold", &bad.to_string(), || filter.fold(bad));
    }
    for bad in [0.0, 0.999, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let value = bad.to_string();
        assert_refused("CompressedParams::for_fpr", &value, || CompressedParams::for_fpr(10, 0.1, bad));
        assert_refused("CompressedParams::for_wire", &value, || CompressedParams::for_wire(10, 100, bad));
    }
    assert_refused("CompressedParams::for_wire", "79", || CompressedParams::for_wire(10, 79, 2.0));
}

#[test]
fn positions() {
    let mut filter = BloomFilter::with_params(BloomParams::exact(100, 3).unwrap());
    let mut table = CountMin::with_params(CountMinParams::exact(100, 2).unwrap());
    let before = (filter.clone(), table.clone());
    for bad in [100, 101, 127, 128, u64::MAX] {
        let value = bad.to_string();
        assert_refused("insert_positions", &value, || filter.insert_positions(&[1, bad, 2]));
        assert_refused("contains_positions", &value, || filter.contains_positions(&[bad]));
        assert_refused("add_columns", &value, || table.add_columns(&[1, bad], 1));
        assert_refused("frequency_columns", &value, || table.frequency_columns(&[bad, 1]));
    }
    let mut numbers = DirectTable::for_universe(100).unwrap();
    for bad in [100, 101, 127, 128, u64::MAX] {
        assert_refused("insert", &bad.to_string(), || numbers.insert(bad));
        assert_refused("remove", &bad.to_string(), || numbers.remove(bad));
    }
    assert!(numbers.is_empty(), "a refused call changed something");
    assert_refused("add_columns", "[1]", || table.add_columns(&[1], 1));
    assert_refused("add_columns", "[1, 2, 3]", || table.add_columns(&[1, 2, 3], 1));
    assert_refused("row", "2", || table.row(2));
    assert_eq!((filter, table), before, "a refused call changed something");
}

#[test]
fn windows() {
    for (window, generations, value) in
        [(0, 1, "0"), (60, 0, "0"), (60, 61, "61"), (1000, 65, "65"), (3, 4, "4")]
    {
        assert_refused("WindowedParams::for_fpr", value, || {
            WindowedParams::for_fpr(10, 0.01, window, generations)
        });
    }
    assert_refused("WindowedParams::for_fpr", "0", || WindowedParams::for_fpr(0, 0.01, 60, 4));
    assert_refused("WindowedParams::for_fpr", "", || WindowedParams::for_fpr(u64::MAX, 0.01, 60, 4));
}
