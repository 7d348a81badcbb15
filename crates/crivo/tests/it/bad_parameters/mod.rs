//! Absurd parameters: every constructor refuses them with a reason, and allocates nothing.

mod counters;
mod filters;
mod graphs;
mod similarity;
mod streams;
mod tiny;
mod valued;

use crate::allocator::peak_of;
use crivo::baseline::{DirectTable, LogLog, MinimumHash, ProbabilisticCounting};
use crivo::cardinality::{LinearCounting, Martingale};
use crivo::frequency::{CountMinParams, CountSketchParams, SignedCountMin, SignedCountMinParams};
use crivo::membership::{
    AtomicParams, BinaryFuseParams, BlockedParams, CompressedBloom, CompressedParams, CountingParams,
    CuckooParams, DynamicBloom, DynamicParams, HashCompaction, HashCompactionParams, PartitionedBloom,
    PartitionedParams, QuotientParams, ScalableParams, SpectralBloom, SpectralParams, WindowedParams,
};
use crivo::similarity::BBitMinHash;
use crivo::similarity::{slots_by_bound, slots_for_error};
use crivo::{
    AtomicBloom, BinaryFuse, BlockedBloom, BloomFilter, BloomParams, CountMin, CountSketch, CountingBloom,
    CuckooFilter, Error, ErrorKind, ExaLogLog, HashSpec, HyperLogLog, Joint, KMinValues, MinHash, Moments,
    OnePermutation, QuotientFilter, ScalableBloom, SlidingHyperLogLog,
};

/// None of these is a share, probability or error.
const BAD_SHARES: [f64; 10] = [
    0.0,
    -0.0,
    -0.1,
    -1e300,
    1e-320,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    -f64::NAN,
];
/// Nor are these, where the value must be below one.
const TOO_LARGE_SHARES: [f64; 4] = [1.0, 1.000_001, 2.0, 1e300];

fn assert_refused<T>(call: &str, value: &str, make: impl FnOnce() -> Result<T, Error>) {
    let (result, peak) = peak_of(make);
    assert_refusal(call, value, result.err(), peak);
}

fn assert_refusal(call: &str, value: &str, error: Option<Error>, peak: usize) {
    let error = error.unwrap_or_else(|| panic!("{call} took {value}"));
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{call} of {value}: {error}");
    assert!(error.to_string().contains(value), "{call} does not name {value}: {error}");
    assert!(peak < 4096, "{call} of {value} allocated {peak} bytes to say no");
}

#[test]
fn shares() {
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("BloomParams::for_fpr", &value, || BloomParams::for_fpr(1000, bad));
        assert_refused("BloomFilter::for_fpr", &value, || BloomFilter::for_fpr(1000, bad));
        assert_refused("BinaryFuseParams::for_fpr", &value, || BinaryFuseParams::for_fpr(1000, bad));
        assert_refused("BinaryFuse::freeze", &value, || BinaryFuse::freeze(0..1000u32, bad));
        assert_refused("QuotientParams::for_fpr", &value, || QuotientParams::for_fpr(1000, bad));
        assert_refused("QuotientFilter::for_fpr", &value, || QuotientFilter::for_fpr(1000, bad));
        assert_refused("HashCompactionParams::for_fpr", &value, || HashCompactionParams::for_fpr(1000, bad));
        assert_refused("HashCompaction::for_fpr", &value, || HashCompaction::for_fpr(1000, bad));
        assert_refused("BlockedParams::for_fpr", &value, || BlockedParams::for_fpr(1000, bad));
        assert_refused("AtomicParams::for_fpr", &value, || AtomicParams::for_fpr(1000, bad));
        assert_refused("AtomicBloom::for_fpr", &value, || AtomicBloom::for_fpr(1000, bad));
        assert_refused("BlockedBloom::for_fpr", &value, || BlockedBloom::for_fpr(1000, bad));
        assert_refused("CountMinParams::for_error", &value, || CountMinParams::for_error(bad, 0.01));
        assert_refused("SignedCountMinParams::for_error", &value, || {
            SignedCountMinParams::for_error(bad, 0.01)
        });
        assert_refused("CountSketchParams::for_error", &value, || CountSketchParams::for_error(bad, 0.01));
        assert_refused("CountingParams::for_fpr", &value, || CountingParams::for_fpr(1000, bad));
        assert_refused("CountingBloom::for_fpr", &value, || CountingBloom::for_fpr(1000, bad));
        assert_refused("SpectralParams::for_fpr", &value, || SpectralParams::for_fpr(1000, bad));
        assert_refused("SpectralBloom::for_fpr", &value, || SpectralBloom::for_fpr(1000, bad));
        assert_refused("PartitionedParams::for_fpr", &value, || PartitionedParams::for_fpr(1000, bad));
        assert_refused("PartitionedParams::for_blocks", &value, || {
            PartitionedParams::for_blocks(1000, bad, 4)
        });
        assert_refused("PartitionedBloom::for_fpr", &value, || PartitionedBloom::for_fpr(1000, bad));
        assert_refused("CompressedParams::for_fpr", &value, || CompressedParams::for_fpr(1000, bad, 2.0));
        assert_refused("CompressedBloom::for_fpr", &value, || CompressedBloom::for_fpr(1000, bad));
        assert_refused("CuckooParams::for_fpr", &value, || CuckooParams::for_fpr(1000, bad));
        assert_refused("CuckooFilter::for_fpr", &value, || CuckooFilter::for_fpr(1000, bad));
        assert_refused("DynamicParams::for_fpr", &value, || DynamicParams::for_fpr(1000, bad));
        assert_refused("MinHash::for_error", &value, || MinHash::for_error(bad));
        assert_refused("OnePermutation::for_error", &value, || OnePermutation::for_error(bad));
        assert_refused("slots_for_error", &value, || slots_for_error(bad, 0.95));
        assert_refused("slots_by_bound", &value, || slots_by_bound(bad, 0.95));
        assert_refused("DynamicBloom::for_fpr", &value, || DynamicBloom::for_fpr(1000, bad));
        assert_refused("ScalableParams::for_fpr", &value, || ScalableParams::for_fpr(1000, bad));
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(1000, bad, 2, 0.8));
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(1000, 0.01, 2, bad));
        assert_refused("ScalableBloom::for_fpr", &value, || ScalableBloom::for_fpr(1000, bad));
        assert_refused("WindowedParams::for_fpr", &value, || WindowedParams::for_fpr(1000, bad, 60, 4));
    }
    let filter = BloomFilter::for_fpr(10, 0.01).unwrap();
    for bad in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("capacity_at", &value, || filter.params().capacity_at(bad));
        assert_refused("capacity_used", &value, || filter.capacity_used(bad));
    }
    assert_refused("capacity_used", "0.0000000000000000001", || filter.capacity_used(1e-19));
    for bad in [9e-9, 1e-12] {
        assert_refused("BlockedParams::for_fpr", &bad.to_string(), || BlockedParams::for_fpr(10, bad));
    }
    for bad in BAD_SHARES {
        let value = bad.to_string();
        assert_refused("HyperLogLog::for_error", &value, || HyperLogLog::for_error(bad));
        assert_refused("HyperLogLog::for_standard_error", &value, || HyperLogLog::for_standard_error(bad));
        assert_refused("ExaLogLog::for_error", &value, || ExaLogLog::for_error(bad));
        assert_refused("ExaLogLog::for_standard_error", &value, || ExaLogLog::for_standard_error(bad));
        assert_refused("Joint::for_error", &value, || Joint::for_error(bad));
        assert_refused("Moments::for_error", &value, || Moments::for_error(bad));
        assert_refused("KMinValues::for_error", &value, || KMinValues::for_error(bad));
        assert_refused("KMinValues::for_standard_error", &value, || KMinValues::for_standard_error(bad));
        assert_refused("SlidingHyperLogLog::for_error", &value, || SlidingHyperLogLog::for_error(bad, 60));
        assert_refused("SlidingHyperLogLog::for_standard_error", &value, || {
            SlidingHyperLogLog::for_standard_error(bad, 60)
        });
        assert_refused("Martingale::for_error", &value, || Martingale::<HyperLogLog>::for_error(bad));
        assert_refused("Martingale::for_standard_error", &value, || {
            Martingale::<HyperLogLog>::for_standard_error(bad)
        });
        assert_refused("LogLog::for_error", &value, || LogLog::for_error(bad));
        assert_refused("LogLog::for_standard_error", &value, || LogLog::for_standard_error(bad));
        assert_refused("ProbabilisticCounting::for_error", &value, || ProbabilisticCounting::for_error(bad));
        assert_refused("ProbabilisticCounting::for_standard_error", &value, || {
            ProbabilisticCounting::for_standard_error(bad)
        });
        assert_refused("MinimumHash::for_error", &value, || MinimumHash::for_error(bad));
        assert_refused("MinimumHash::for_standard_error", &value, || MinimumHash::for_standard_error(bad));
        assert_refused("LinearCounting::for_error", &value, || LinearCounting::for_error(1000, bad));
        assert_refused("LinearCounting::for_standard_error", &value, || {
            LinearCounting::for_standard_error(1000, bad)
        });
    }
}

#[test]
fn confidences() {
    let filter = BloomFilter::for_fpr(10, 0.01).unwrap();
    let sketch = HyperLogLog::for_precision(4).unwrap();
    let exaloglog = ExaLogLog::for_precision(4).unwrap();
    let values = KMinValues::for_k(16).unwrap();
    let functions = MinHash::for_slots(16).unwrap();
    let bins = OnePermutation::for_slots(16).unwrap();
    let few_bits = BBitMinHash::freeze(&bins, 2).unwrap();
    let joint = Joint::for_precision(4, 16).unwrap();
    let martingale = Martingale::new(sketch.clone()).unwrap();
    let sliding = SlidingHyperLogLog::for_precision(4, 60).unwrap();
    let table = CountMin::with_params(CountMinParams::exact(10, 2).unwrap());
    let signed = SignedCountMin::with_params(SignedCountMinParams::exact(10, 2).unwrap());
    let unbiased = CountSketch::with_params(CountSketchParams::exact(10, 2).unwrap());
    let moments = Moments::for_precision(4, 10).unwrap();
    let spectral = SpectralBloom::for_fpr(10, 0.01).unwrap();
    for bad in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let value = bad.to_string();
        assert_refused("cardinality_at", &value, || filter.cardinality_at(bad));
        assert_refused("cardinality_proven_at", &value, || filter.cardinality_proven_at(bad));
        assert_refused("estimate_at", &value, || sketch.estimate_at(bad));
        assert_refused("ExaLogLog::estimate_at", &value, || exaloglog.estimate_at(bad));
        assert_refused("Joint::estimate_at", &value, || joint.estimate_at(bad));
        assert_refused("KMinValues::estimate_at", &value, || values.estimate_at(bad));
        assert_refused("MinHash::similarity_at", &value, || functions.similarity_at(&functions, bad));
        assert_refused("OnePermutation::similarity_at", &value, || bins.similarity_at(&bins, bad));
        assert_refused("BBitMinHash::similarity_at", &value, || few_bits.similarity_at(&few_bits, bad));
        assert_refused("slots_for_error", &value, || slots_for_error(0.1, bad));
        assert_refused("slots_by_bound", &value, || slots_by_bound(0.1, bad));
        assert_refused("estimate_at", &value, || martingale.estimate_at(bad));
        assert_refused("estimate_at", &value, || sliding.estimate_at(1, bad));
        assert_refused("LogLog::estimate_at", &value, || LogLog::for_precision(4)?.estimate_at(bad));
        assert_refused("ProbabilisticCounting::estimate_at", &value, || {
            ProbabilisticCounting::for_precision(4)?.estimate_at(bad)
        });
        assert_refused("MinimumHash::estimate_at", &value, || MinimumHash::for_cells(1)?.estimate_at(bad));
        assert_refused("LinearCounting::estimate_at", &value, || {
            LinearCounting::for_bits(9)?.estimate_at(bad)
        });
        assert_refused("frequency_at", &value, || table.frequency_at("x", bad));
        assert_refused("inner_product_at", &value, || table.inner_product_at(&table, bad));
        assert_refused("second_moment_at", &value, || table.second_moment_at(bad));
        assert_refused("SignedCountMin::frequency_at", &value, || signed.frequency_at("x", bad));
        assert_refused("SignedCountMin::inner_product_at", &value, || signed.inner_product_at(&signed, bad));
        assert_refused("CountSketch::frequency_at", &value, || unbiased.frequency_at("x", bad));
        assert_refused("CountSketch::inner_product_at", &value, || unbiased.inner_product_at(&unbiased, bad));
        assert_refused("CountSketch::second_moment_at", &value, || unbiased.second_moment_at(bad));
        assert_refused("Moments::f0_at", &value, || moments.f0_at(bad));
        assert_refused("Moments::f2_at", &value, || moments.f2_at(bad));
        assert_refused("SignedCountMinParams::for_error", &value, || {
            SignedCountMinParams::for_error(0.01, bad)
        });
        assert_refused("CountSketchParams::for_error", &value, || CountSketchParams::for_error(0.01, bad));
        assert_refused("SpectralBloom::frequency_at", &value, || spectral.frequency_at("x", bad));
        assert_refused("for_error", &value, || CountMinParams::for_error(0.01, bad));
        assert_refused("for_memory", &value, || CountMinParams::for_memory(1000, bad));
    }
}

#[test]
fn sizes() {
    for bad in [0, u64::MAX, 1 << 60] {
        let value = bad.to_string();
        assert_refused("BloomParams::for_fpr", &value, || BloomParams::for_fpr(bad, 1e-6));
        assert_refused("BloomParams::exact", &value, || BloomParams::exact(bad, 7));
        assert_refused("BloomParams::for_memory", "", || BloomParams::for_memory(bad, 1000));
        assert_refused("BinaryFuseParams::for_fpr", &value, || BinaryFuseParams::for_fpr(bad, 1e-9));
        assert_refused("QuotientParams::for_fpr", &value, || QuotientParams::for_fpr(bad, 1e-6));
        assert_refused("QuotientParams::exact", &value, || QuotientParams::exact(bad, 7));
        assert_refused("QuotientParams::for_memory", &value, || QuotientParams::for_memory(bad, 1000));
        assert_refused("QuotientParams::for_memory", &value, || QuotientParams::for_memory(1000, bad));
        assert_refused("HashCompactionParams::for_fpr", &value, || HashCompactionParams::for_fpr(bad, 1e-6));
        assert_refused("HashCompactionParams::exact", &value, || HashCompactionParams::exact(bad, 20));
        assert_refused("HashCompactionParams::for_memory", &value, || {
            HashCompactionParams::for_memory(1000, bad)
        });
        assert_refused("DirectTable::for_universe", &value, || DirectTable::for_universe(bad));
        assert_refused("BlockedParams::for_fpr", &value, || BlockedParams::for_fpr(bad, 1e-6));
        assert_refused("AtomicParams::for_fpr", &value, || AtomicParams::for_fpr(bad, 1e-6));
        assert_refused("AtomicParams::exact", &value, || AtomicParams::exact(bad, 6));
        assert_refused("AtomicParams::for_memory", &value, || AtomicParams::for_memory(bad, 1000));
        assert_refused("BlockedParams::exact", &value, || BlockedParams::exact(bad));
        assert_refused("BlockedParams::for_memory", &value, || BlockedParams::for_memory(bad));
        assert_refused("CountMinParams::exact", &value, || CountMinParams::exact(bad, 4));
        assert_refused("CuckooParams::for_fpr", &value, || CuckooParams::for_fpr(bad, 1e-6));
        assert_refused("CuckooParams::for_memory", &value, || CuckooParams::for_memory(bad, 1000));
        assert_refused("CuckooParams::for_memory", &value, || CuckooParams::for_memory(1000, bad));
        assert_refused("CuckooParams::for_memory", "", || CuckooParams::for_memory((1 << 63) + 1007, 100));
        assert_refused("DynamicParams::for_fpr", &value, || DynamicParams::for_fpr(bad, 1e-6));
        assert_refused("DynamicParams::for_memory", &value, || DynamicParams::for_memory(1000, bad));
        assert_refused("ScalableParams::for_fpr", &value, || ScalableParams::for_fpr(bad, 1e-6));
        assert_refused("ScalableParams::for_memory", &value, || ScalableParams::for_memory(1000, bad));
        assert_refused("CountMinParams::for_memory", "", || CountMinParams::for_memory(bad, 0.01));
    }
}

#[test]
fn sizes_of_one_kind() {
    for bad in [0, 1, 17, u32::MAX] {
        let value = bad.to_string();
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(10, 0.01, bad, 0.8));
    }
    assert_refused("DynamicParams::for_memory", "7", || DynamicParams::for_memory(7, 10));
    assert_refused("ScalableParams::for_memory", "7", || ScalableParams::for_memory(7, 10));
    assert_refused("fold", "1", || BloomFilter::with_params(BloomParams::exact(1, 1).unwrap()).fold());
    assert_refused("BlockedParams::exact", "67108865", || BlockedParams::exact((1 << 26) + 1));
    assert_refused("BlockedParams::for_memory", "31", || BlockedParams::for_memory(31));
    assert_refused("AtomicParams::for_fpr", "0.0000000001", || AtomicParams::for_fpr(10, 1e-10));
    assert_refused("AtomicParams::for_memory", "0", || AtomicParams::for_memory(100, 0));
    assert_refused("AtomicParams::for_memory", "63", || AtomicParams::for_memory(63, 10));
    for bad in [0, 1, 3, 17, 18, u32::MAX] {
        assert_refused("AtomicParams::exact", &bad.to_string(), || AtomicParams::exact(10, bad));
    }
    for bad in [0, 31, 33] {
        let bytes = vec![0; bad];
        assert_refused("from_parquet_bitset", &bad.to_string(), || {
            BlockedBloom::from_parquet_bitset(&bytes, HashSpec::default())
        });
    }
    assert_refused("BloomParams::for_memory", "0", || BloomParams::for_memory(100, 0));
    assert_refused("HashCompactionParams::for_memory", "0", || HashCompactionParams::for_memory(0, 1000));
    assert_refused("HashCompactionParams::for_memory", "1144", || {
        HashCompactionParams::for_memory(1144, 1000)
    });
    for bad in [0, 7, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("HashCompactionParams::exact", &value, || HashCompactionParams::exact(100, bad));
    }
    for bad in [0, 57, 64, u32::MAX] {
        let value = bad.to_string();
        assert_refused("QuotientParams::exact", &value, || QuotientParams::exact(100, bad));
    }
    assert_refused("QuotientParams::for_memory", "32", || QuotientParams::for_memory(32, 1));
    assert_refused("grow", "1 bits", || {
        QuotientFilter::with_params(QuotientParams::exact(64, 1).unwrap()).grow()
    });
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("BloomParams::exact", &value, || BloomParams::exact(100, bad));
        assert_refused("CountMinParams::exact", &value, || CountMinParams::exact(100, bad));
    }
    for bad in [1 << 32, 1 << 40, u64::MAX] {
        let (value, params) = (bad.to_string(), BinaryFuseParams::with_width(8).unwrap());
        assert_refused("BinaryFuseParams::memory_bytes", &value, || params.memory_bytes(bad));
        assert_refused("BinaryFuseParams::for_memory", &value, || BinaryFuseParams::for_memory(1 << 40, bad));
    }
    assert_refused("BinaryFuseParams::for_memory", "100", || BinaryFuseParams::for_memory(100, 1000));
    for bad in [0, 33, 64, u32::MAX] {
        assert_refused("BinaryFuseParams::with_width", &bad.to_string(), || {
            BinaryFuseParams::with_width(bad)
        });
    }
    for bad in [0, 1, 3, 5283, (1 << 32) + 2, 1 << 60, u64::MAX - 1, u64::MAX] {
        assert_refused("CuckooParams::exact", &bad.to_string(), || CuckooParams::exact(bad, 9));
    }
    for bad in [0, 1, 2, 3, 29, 32, 64, u32::MAX] {
        assert_refused("CuckooParams::exact", &bad.to_string(), || CuckooParams::exact(100, bad));
    }
    for bad in [0, 1, 7, 9, 24, 31, 33, 63, 65, 128, u32::MAX] {
        let params = CountMinParams::exact(100, 4).unwrap();
        assert_refused("with_counter_bits", &bad.to_string(), || params.with_counter_bits(bad));
    }
    for bad in [0, 1, 2, 3, 19, 20, 64, 255] {
        let value = bad.to_string();
        assert_refused("HyperLogLog::for_precision", &value, || HyperLogLog::for_precision(bad));
        assert_refused("fold", &value, || HyperLogLog::for_precision(18).unwrap().fold(bad));
    }
}
