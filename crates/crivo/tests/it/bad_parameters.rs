//! Absurd parameters: every constructor says no, says why, and allocates nothing.

use crate::allocator::peak_of;
use crivo::ExaLogLog;
use crivo::Joint;
use crivo::KMinValues;
use crivo::SimHash;
use crivo::SlidingHyperLogLog;
use crivo::WeightedMinHash;
use crivo::graph::{
    AdjacencyList, AdjacencyMatrix, BipartiteLabels, Direction, IntersectionLabels, IntersectionSets,
    IntervalGraph, LabelParams, LabelScheme, ParentTree, Sides, TreeLabels, double_cover,
};
use crivo::graph::{EdgeBloom, VertexBlooms};
use crivo::graph::{KmerSet, kmers};
use crivo::similarity::{slots_by_bound, slots_for_error};
use crivo::{AtomicBloom, AtomicParams};
use crivo::{BBitMinHash, MinHash, OnePermutation};
use crivo::{BinaryFuse, BinaryFuseParams};
use crivo::{BinomialArray, BinomialParams, MorrisArray, MorrisParams};
use crivo::{BlockedBloom, BlockedParams, HashSpec};
use crivo::{BloomFilter, BloomParams, CountMin, CountMinParams, Error, ErrorKind, HyperLogLog, Martingale};
use crivo::{BloomierFilter, BloomierParams};
use crivo::{CompressedBloom, CompressedParams};
use crivo::{CountSketch, CountSketchParams, Moments, SignedCountMin, SignedCountMinParams};
use crivo::{CountingBloom, CountingParams};
use crivo::{CuckooFilter, CuckooParams};
use crivo::{DeBruijnParams, Kmer};
use crivo::{DecayingBloom, Fading, LinearBloom, LinearBloomParams, QuantisedBloom, Scale};
use crivo::{DirectTable, HashCompaction, HashCompactionParams, QuotientFilter, QuotientParams};
use crivo::{DistanceParams, LshBloomParams, LshIndex, LshParams, Metric, Scheme};
use crivo::{DyadicCountMin, DyadicParams, Kll};
use crivo::{DynamicBloom, DynamicParams};
use crivo::{HammingIndex, HammingParams};
use crivo::{KINDS, Kind};
use crivo::{LinearCounting, LogLog, MinimumHash, ProbabilisticCounting};
use crivo::{Majority, MisraGries, SpaceSaving};
use crivo::{NearParams, Shingles};
use crivo::{PartitionedBloom, PartitionedParams};
use crivo::{Reservoir, WeightedReservoir};
use crivo::{ScalableBloom, ScalableParams};
use crivo::{SpectralBloom, SpectralParams};

/// No share, probability or error is any of these.
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
/// Nor these, where it must stay below one.
const TOO_LARGE_SHARES: [f64; 4] = [1.0, 1.000_001, 2.0, 1e300];

fn assert_refused<T>(call: &str, value: &str, make: impl FnOnce() -> Result<T, Error>) {
    let (result, peak) = peak_of(make);
    let error = result.err().unwrap_or_else(|| panic!("{call} took {value}"));
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{call} of {value}: {error}");
    assert!(error.to_string().contains(value), "{call} does not name {value}: {error}");
    assert!(peak < 4096, "{call} of {value} allocated {peak} bytes to say no");
}

#[test]
fn shares() {
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("BloomParams::for_fpr", &value, || BloomParams::for_fpr(1000, bad));
        assert_refused("BloomFilter::with_fpr", &value, || BloomFilter::with_fpr(1000, bad));
        assert_refused("BinaryFuseParams::for_fpr", &value, || BinaryFuseParams::for_fpr(1000, bad));
        assert_refused("BinaryFuse::freeze", &value, || BinaryFuse::freeze(0..1000u32, bad));
        assert_refused("QuotientParams::for_fpr", &value, || QuotientParams::for_fpr(1000, bad));
        assert_refused("QuotientFilter::with_fpr", &value, || QuotientFilter::with_fpr(1000, bad));
        assert_refused("HashCompactionParams::for_fpr", &value, || HashCompactionParams::for_fpr(1000, bad));
        assert_refused("HashCompaction::with_fpr", &value, || HashCompaction::with_fpr(1000, bad));
        assert_refused("BlockedParams::for_fpr", &value, || BlockedParams::for_fpr(1000, bad));
        assert_refused("AtomicParams::for_fpr", &value, || AtomicParams::for_fpr(1000, bad));
        assert_refused("AtomicBloom::with_fpr", &value, || AtomicBloom::with_fpr(1000, bad));
        assert_refused("BlockedBloom::with_fpr", &value, || BlockedBloom::with_fpr(1000, bad));
        assert_refused("CountMinParams::for_error", &value, || CountMinParams::for_error(bad, 0.01));
        assert_refused("SignedCountMinParams::for_error", &value, || {
            SignedCountMinParams::for_error(bad, 0.01)
        });
        assert_refused("CountSketchParams::for_error", &value, || CountSketchParams::for_error(bad, 0.01));
        assert_refused("CountingParams::for_fpr", &value, || CountingParams::for_fpr(1000, bad));
        assert_refused("CountingBloom::with_fpr", &value, || CountingBloom::with_fpr(1000, bad));
        assert_refused("SpectralParams::for_fpr", &value, || SpectralParams::for_fpr(1000, bad));
        assert_refused("SpectralBloom::with_fpr", &value, || SpectralBloom::with_fpr(1000, bad));
        assert_refused("PartitionedParams::for_fpr", &value, || PartitionedParams::for_fpr(1000, bad));
        assert_refused("PartitionedParams::for_blocks", &value, || {
            PartitionedParams::for_blocks(1000, bad, 4)
        });
        assert_refused("PartitionedBloom::with_fpr", &value, || PartitionedBloom::with_fpr(1000, bad));
        assert_refused("CompressedParams::for_fpr", &value, || CompressedParams::for_fpr(1000, bad, 2.0));
        assert_refused("CompressedBloom::with_fpr", &value, || CompressedBloom::with_fpr(1000, bad));
        assert_refused("CuckooParams::for_fpr", &value, || CuckooParams::for_fpr(1000, bad));
        assert_refused("CuckooFilter::with_fpr", &value, || CuckooFilter::with_fpr(1000, bad));
        assert_refused("DynamicParams::for_fpr", &value, || DynamicParams::for_fpr(1000, bad));
        assert_refused("MinHash::for_error", &value, || MinHash::for_error(bad));
        assert_refused("OnePermutation::for_error", &value, || OnePermutation::for_error(bad));
        assert_refused("slots_for_error", &value, || slots_for_error(bad, 0.95));
        assert_refused("slots_by_bound", &value, || slots_by_bound(bad, 0.95));
        assert_refused("DynamicBloom::with_fpr", &value, || DynamicBloom::with_fpr(1000, bad));
        assert_refused("ScalableParams::for_fpr", &value, || ScalableParams::for_fpr(1000, bad));
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(1000, bad, 2, 0.8));
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(1000, 0.01, 2, bad));
        assert_refused("ScalableBloom::with_fpr", &value, || ScalableBloom::with_fpr(1000, bad));
    }
    let filter = BloomFilter::with_fpr(10, 0.01).unwrap();
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
    let filter = BloomFilter::with_fpr(10, 0.01).unwrap();
    let sketch = HyperLogLog::new(4).unwrap();
    let exaloglog = ExaLogLog::new(4).unwrap();
    let values = KMinValues::new(16).unwrap();
    let functions = MinHash::new(16).unwrap();
    let bins = OnePermutation::new(16).unwrap();
    let few_bits = BBitMinHash::compress(&bins, 2).unwrap();
    let joint = Joint::new(4, 16).unwrap();
    let martingale = Martingale::new(sketch.clone()).unwrap();
    let sliding = SlidingHyperLogLog::new(4, 60).unwrap();
    let table = CountMin::new(CountMinParams::exact(10, 2).unwrap());
    let signed = SignedCountMin::new(SignedCountMinParams::exact(10, 2).unwrap());
    let unbiased = CountSketch::new(CountSketchParams::exact(10, 2).unwrap());
    let moments = Moments::new(4, 10).unwrap();
    let spectral = SpectralBloom::with_fpr(10, 0.01).unwrap();
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
        assert_refused("LogLog::estimate_at", &value, || LogLog::new(4)?.estimate_at(bad));
        assert_refused("ProbabilisticCounting::estimate_at", &value, || {
            ProbabilisticCounting::new(4)?.estimate_at(bad)
        });
        assert_refused("MinimumHash::estimate_at", &value, || MinimumHash::new(1)?.estimate_at(bad));
        assert_refused("LinearCounting::estimate_at", &value, || LinearCounting::new(9)?.estimate_at(bad));
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
        assert_refused("DirectTable::new", &value, || DirectTable::new(bad));
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
    for bad in [0, 1, 17, u32::MAX] {
        let value = bad.to_string();
        assert_refused("ScalableParams::exact", &value, || ScalableParams::exact(10, 0.01, bad, 0.8));
    }
    assert_refused("DynamicParams::for_memory", "7", || DynamicParams::for_memory(7, 10));
    assert_refused("ScalableParams::for_memory", "7", || ScalableParams::for_memory(7, 10));
    assert_refused("fold", "1", || BloomFilter::new(BloomParams::exact(1, 1).unwrap()).fold());
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
    assert_refused("grow", "1 bits", || QuotientFilter::new(QuotientParams::exact(64, 1).unwrap()).grow());
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
        assert_refused("HyperLogLog::new", &value, || HyperLogLog::new(bad));
        assert_refused("fold", &value, || HyperLogLog::new(18).unwrap().fold(bad));
    }
}

#[test]
fn sizes_of_signed_tables() {
    for bad in [0, u64::MAX, 1 << 60] {
        let value = bad.to_string();
        assert_refused("SignedCountMinParams::exact", &value, || SignedCountMinParams::exact(bad, 4));
        assert_refused("CountSketchParams::exact", &value, || CountSketchParams::exact(bad, 4));
        assert_refused("Moments::new", &value, || Moments::new(4, bad));
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("SignedCountMinParams::exact", &value, || SignedCountMinParams::exact(100, bad));
        assert_refused("CountSketchParams::exact", &value, || CountSketchParams::exact(100, bad));
    }
    for bad in [0, 3, 19, 255] {
        assert_refused("Moments::new", &bad.to_string(), || Moments::new(bad, 100));
    }
}

#[test]
fn sizes_of_signatures() {
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MinHash::new", &value, || MinHash::new(bad));
        assert_refused("OnePermutation::new", &value, || OnePermutation::new(bad));
    }
    for bad in [0, 3, 5, 32, u32::MAX] {
        let signature = MinHash::new(8).unwrap();
        assert_refused("BBitMinHash::compress", &bad.to_string(), || BBitMinHash::compress(&signature, bad));
    }
    for bad in [0, 1, 43] {
        assert_refused("MinHash::for_memory", &bad.to_string(), || MinHash::for_memory(bad));
        assert_refused("OnePermutation::for_memory", &bad.to_string(), || OnePermutation::for_memory(bad));
    }
}

#[test]
fn sizes_of_samples() {
    for bad in [0, 1, 15, (1 << 20) + 1, u32::MAX] {
        let value = bad.to_string();
        assert_refused("KMinValues::new", &value, || KMinValues::new(bad));
        assert_refused("fold", &value, || KMinValues::new(1 << 20).unwrap().fold(bad));
        assert_refused("Joint::new", &value, || Joint::new(10, bad));
    }
    for bad in [0, 3, 19, 255] {
        assert_refused("Joint::new", &bad.to_string(), || Joint::new(bad, 100));
    }
    for bad in [0, 100, 175] {
        assert_refused("KMinValues::for_memory", &bad.to_string(), || KMinValues::for_memory(bad));
        assert_refused("Joint::for_memory", &bad.to_string(), || Joint::for_memory(bad));
    }
}

#[test]
fn precisions() {
    for bad in [0, 1, 2, 3, 19, 20, 64, 255] {
        let value = bad.to_string();
        assert_refused("ExaLogLog::new", &value, || ExaLogLog::new(bad));
        assert_refused("ExaLogLog::standard_error_at", &value, || ExaLogLog::standard_error_at(bad, 1000));
        assert_refused("ExaLogLog::fold", &value, || ExaLogLog::new(18).unwrap().fold(bad));
    }
    for bad in [0, 1, 111] {
        assert_refused("ExaLogLog::for_memory", &bad.to_string(), || ExaLogLog::for_memory(bad));
    }
}

#[test]
fn sizes_of_counters_of_different_items() {
    for bad in [0, 1, 2, 3, 19, 20, 64, 255] {
        let value = bad.to_string();
        assert_refused("LogLog::new", &value, || LogLog::new(bad));
        assert_refused("LogLog::standard_error_at", &value, || LogLog::standard_error_at(bad, 10));
        assert_refused("ProbabilisticCounting::new", &value, || ProbabilisticCounting::new(bad));
        assert_refused("ProbabilisticCounting::standard_error_at", &value, || {
            ProbabilisticCounting::standard_error_at(bad, 10)
        });
        let (ranks, bitmaps) = (LogLog::new(12).unwrap(), ProbabilisticCounting::new(8).unwrap());
        assert_refused("LogLog::fold", &value, || ranks.fold(bad).map(|_| ()));
        assert_refused("ProbabilisticCounting::fold", &value, || bitmaps.fold(bad).map(|_| ()));
    }
    for bad in [0, 2, 3, 8, 15, 17, 100, 65_535, 131_072, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MinimumHash::new", &value, || MinimumHash::new(bad));
        assert_refused("MinimumHash::standard_error_at", &value, || MinimumHash::standard_error_at(bad, 10));
    }
    for bad in [0, (1 << 32) + 1, 1 << 60, u64::MAX] {
        let value = bad.to_string();
        assert_refused("LinearCounting::new", &value, || LinearCounting::new(bad));
        assert_refused("LinearCounting::standard_error_at", &value, || {
            LinearCounting::standard_error_at(bad, 10)
        });
    }
    for bad in [0, 1 << 60, u64::MAX] {
        let value = bad.to_string();
        assert_refused("LinearCounting::for_error", &value, || LinearCounting::for_error(bad, 0.01));
        assert_refused("LinearCounting::for_standard_error", &value, || {
            LinearCounting::for_standard_error(bad, 0.01)
        });
    }
    for bad in [0, 1, 39, 47] {
        let value = bad.to_string();
        assert_refused("LogLog::for_memory", &value, || LogLog::for_memory(bad));
        assert_refused("ProbabilisticCounting::for_memory", &value, || {
            ProbabilisticCounting::for_memory(bad)
        });
        assert_refused("MinimumHash::for_memory", &value, || MinimumHash::for_memory(bad));
        assert_refused("LinearCounting::for_memory", &value, || LinearCounting::for_memory(bad));
    }
    let linear = KINDS.iter().find(|info| info.kind == Kind::LinearCounting).unwrap();
    let make = linear.counter.unwrap();
    assert_refused("counter", "give the number of items", || make(0.01, None, HashSpec::default()));
    assert!(make(0.01, Some(1000), HashSpec::default()).is_ok());
}

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
    // What a Bloom filter could still be is too much for counters.
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
    let filter = PartitionedBloom::new(PartitionedParams::exact(3, 100, 2).unwrap());
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
    let mut filter = BloomFilter::new(BloomParams::exact(100, 3).unwrap());
    let mut table = CountMin::new(CountMinParams::exact(100, 2).unwrap());
    let before = (filter.clone(), table.clone());
    for bad in [100, 101, 127, 128, u64::MAX] {
        let value = bad.to_string();
        assert_refused("insert_positions", &value, || filter.insert_positions(&[1, bad, 2]));
        assert_refused("contains_positions", &value, || filter.contains_positions(&[bad]));
        assert_refused("add_columns", &value, || table.add_columns(&[1, bad], 1));
        assert_refused("frequency_columns", &value, || table.frequency_columns(&[bad, 1]));
    }
    let mut numbers = DirectTable::new(100).unwrap();
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
fn sizes_of_sliding_sketches() {
    for bad in [0, 3, 19, 255] {
        assert_refused("SlidingHyperLogLog::new", &bad.to_string(), || SlidingHyperLogLog::new(bad, 60));
    }
    assert_refused("SlidingHyperLogLog::new", "0", || SlidingHyperLogLog::new(12, 0));
    let sketch = SlidingHyperLogLog::new(4, 60).unwrap();
    for bad in [0, 61, u64::MAX] {
        assert_refused("estimate", &bad.to_string(), || sketch.estimate(bad));
    }
    for bad in [0, 100, 1000] {
        assert_refused("SlidingHyperLogLog::for_memory", &bad.to_string(), || {
            SlidingHyperLogLog::for_memory(bad, 60)
        });
        assert_refused("Martingale::for_memory", &(bad / 10).to_string(), || {
            Martingale::<HyperLogLog>::for_memory(bad / 10)
        });
    }
}

#[test]
fn sizes_of_heavy_hitters() {
    for bad in [0, (1 << 26) + 1, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MisraGries::new", &value, || MisraGries::<u64>::new(bad));
        assert_refused("SpaceSaving::new", &value, || SpaceSaving::<String>::new(bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES).chain([1e-9]) {
        let value = bad.to_string();
        assert_refused("MisraGries::for_error", &value, || MisraGries::<u64>::for_error(bad));
        assert_refused("SpaceSaving::for_error", &value, || SpaceSaving::<Vec<u8>>::for_error(bad));
    }
    for bad in [0, 1, 100] {
        let value = bad.to_string();
        assert_refused("MisraGries::for_memory", &value, || MisraGries::<u64>::for_memory(bad));
        assert_refused("SpaceSaving::for_memory", &value, || SpaceSaving::<u64>::for_memory(bad));
    }
    let mut sketch = MisraGries::<u64>::new(1).unwrap();
    sketch.extend([1, 2, 3]);
    assert_refused("possibly_above", "2 times", || sketch.possibly_above(1));
    let mut majority = Majority::<u64>::new();
    majority.add(&1u64, 3);
    assert_refused("confirm", "add up to 2", || majority.confirm([(&1u64, 2)]));
}

#[test]
fn sizes_of_quantile_sketches() {
    for bad in [0, 7, (1 << 20) + 1, u64::MAX] {
        assert_refused("Kll::new", &bad.to_string(), || Kll::<u64>::new(bad));
        assert_refused("Kll::with_seed", &bad.to_string(), || Kll::<String>::with_seed(bad, 1));
    }
    for bad in [0, 100, 1000] {
        assert_refused("Kll::for_memory", &bad.to_string(), || Kll::<f64>::for_memory(bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("Kll::for_error", &value, || Kll::<u64>::for_error(bad));
        assert_refused("DyadicParams::for_error", &value, || DyadicParams::for_error(64, bad, 0.01));
        assert_refused("DyadicParams::for_error", &value, || DyadicParams::for_error(64, 0.01, bad));
    }
    assert_refused("Kll::for_error", "0.000002", || Kll::<u64>::for_error(0.000_002));
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("DyadicParams::for_error", &value, || DyadicParams::for_error(bad, 0.01, 0.01));
        assert_refused("DyadicParams::exact", &value, || DyadicParams::exact(bad, 100, 4));
        assert_refused("DyadicParams::exact", &value, || DyadicParams::exact(32, 100, bad));
    }
    for bad in [0, 1 << 40, u64::MAX] {
        assert_refused("DyadicParams::exact", &bad.to_string(), || DyadicParams::exact(64, bad, 4));
    }
    let params = DyadicParams::exact(32, 100, 4).unwrap();
    assert_refused("DyadicCountMin::new", "32", || DyadicCountMin::<f64>::new(params));
}

#[test]
fn questions_to_quantile_sketches() {
    let mut values = Kll::new(200).unwrap();
    let mut counts = DyadicCountMin::new(DyadicParams::exact(16, 100, 4).unwrap()).unwrap();
    let mut reals = DyadicCountMin::new(DyadicParams::exact(64, 10, 2).unwrap()).unwrap();
    values.insert(1.0).unwrap();
    counts.add(1u64, 1).unwrap();
    reals.add(1.0, 1).unwrap();
    let before = (values.clone(), counts.clone(), reals.clone());
    for bad in [-0.1, 1.000_001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let value = bad.to_string();
        assert_refused("quantile", &value, || values.quantile(bad));
        assert_refused("quantiles", &value, || values.quantiles(&[0.5, bad]));
        assert_refused("quantile", &value, || counts.quantile(bad));
    }
    for bad in [0.0, 1.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("quantile_at", &value, || values.quantile_at(0.5, bad));
        assert_refused("rank_at", &value, || values.rank_at(&1.0, bad));
        assert_refused("rank_error_at", &value, || values.rank_error_at(bad));
        assert_refused("rank_error_of_all_at", &value, || values.rank_error_of_all_at(bad));
        assert_refused("range_at", &value, || counts.range_at(1..=2, bad));
        assert_refused("rank_at", &value, || counts.rank_at(&1, bad));
    }
    assert_refused("insert", "NaN", || values.insert(f64::NAN));
    assert_refused("insert_weighted", "NaN", || values.insert_weighted(f64::NAN, 2));
    assert_refused("histogram", "NaN", || values.histogram(&[f64::NAN]));
    assert_refused("histogram", "2.0", || values.histogram(&[2.0, 2.0]));
    assert_refused("cdf", "2.0", || values.cdf(&[2.0, 1.0]));
    for bad in [65_536, u64::MAX] {
        let value = bad.to_string();
        assert_refused("add", &value, || counts.add(bad, 1));
        assert_refused("remove", &value, || counts.remove(bad, 1));
        assert_refused("rank", &value, || counts.rank(&bad));
        assert_refused("range", &value, || counts.range(0..=bad));
        assert_refused("histogram", &value, || counts.histogram(&[bad]));
    }
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let reversed = 5..=4;
    assert_refused("range", "5..=4", || counts.range(reversed));
    assert_refused("remove", "2", || counts.remove(1, 2));
    assert_refused("add", "NaN", || reals.add(f64::NAN, 1));
    assert_refused("rank", "NaN", || reals.rank(&f64::NAN));
    assert_eq!((values, counts, reals), before, "a refused call changed something");
}

#[test]
fn samples() {
    assert_refused("Reservoir::new", "0", || Reservoir::<u64>::new(0, 1));
    assert_refused("WeightedReservoir::new", "0", || WeightedReservoir::<u64>::new(0, 1));
    let mut sample = Reservoir::new(3, 1).unwrap();
    sample.insert(7);
    for bad in [1, 1000, u64::MAX] {
        assert_refused("advance", &bad.to_string(), || sample.advance(bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        if bad != f64::MIN_POSITIVE && bad != 1e-320 {
            assert_refused("share_at", &bad.to_string(), || sample.share_at(|_| true, bad));
            assert_refused("estimate_if_at", &bad.to_string(), || sample.estimate_if_at(|_| true, bad));
        }
    }
    let mut weighted = WeightedReservoir::new(3, 1).unwrap();
    for bad in [-1.0, -5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused("insert", &bad.to_string(), || weighted.insert(1, bad));
    }
    assert!(weighted.is_empty() && sample.total() == 1, "a refused call changed something");
}

#[test]
fn counters_of_a_few_bits() {
    for bad in BAD_SHARES {
        let value = bad.to_string();
        assert_refused("MorrisParams::exact", &value, || MorrisParams::exact(bad, 8));
        assert_refused("MorrisParams::for_error", &value, || MorrisParams::for_error(bad, 1000));
        assert_refused("MorrisParams::for_standard_error", &value, || {
            MorrisParams::for_standard_error(bad, 1000)
        });
        assert_refused("BinomialParams::exact", &value, || BinomialParams::exact(bad, 8));
    }
    assert_refused("MorrisParams::exact", "1", || MorrisParams::exact(1.0, 8));
    for bad in [1.000_001, 2.0, 1e300] {
        assert_refused("BinomialParams::exact", &bad.to_string(), || BinomialParams::exact(bad, 8));
    }
    for bad in [0, 1, 33, u32::MAX] {
        assert_refused("MorrisParams::exact", &bad.to_string(), || MorrisParams::exact(1.5, bad));
    }
    for bad in [0, 33, u32::MAX] {
        assert_refused("BinomialParams::exact", &bad.to_string(), || BinomialParams::exact(0.5, bad));
        assert_refused("BinomialParams::for_count", &bad.to_string(), || BinomialParams::for_count(9, bad));
    }
    let (morris, binomial) = (MorrisParams::exact(1.1, 8).unwrap(), BinomialParams::exact(0.5, 8).unwrap());
    for bad in [0, 1 << 38, u64::MAX] {
        assert_refused("MorrisArray::new", &bad.to_string(), || MorrisArray::new(bad, morris, 1));
        assert_refused("BinomialArray::new", &bad.to_string(), || BinomialArray::new(bad, binomial, 1));
    }
    let mut array = MorrisArray::new(10, morris, 1).unwrap();
    for bad in [10, usize::MAX] {
        assert_refused("increment", &bad.to_string(), || array.increment(bad));
        assert_refused("increment_by", &bad.to_string(), || array.increment_by(bad, 5));
        assert_refused("estimate", &bad.to_string(), || array.estimate(bad));
    }
    assert!(array.is_empty(), "a refused call changed something");
}

#[test]
fn directions_weights_and_distances() {
    for bad in [0, 1, 63, 65, 1088, u32::MAX] {
        assert_refused("SimHash::new", &bad.to_string(), || SimHash::new(bad));
    }
    for bad in BAD_SHARES.into_iter().chain([0.03]) {
        assert_refused("SimHash::for_error", &bad.to_string(), || SimHash::for_error(bad));
    }
    let mut sketch = SimHash::new(64).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300] {
        assert_refused("add", &bad.to_string(), || sketch.add("x", bad));
        assert_refused("add_hash", &bad.to_string(), || sketch.add_hash(1, bad));
        assert_refused("add_vector", &bad.to_string(), || sketch.add_vector(&[1.0, bad]));
    }
    for bad in [0, (1 << 16) + 1, u32::MAX] {
        assert_refused("WeightedMinHash::new", &bad.to_string(), || WeightedMinHash::new(bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        assert_refused("WeightedMinHash::for_error", &bad.to_string(), || WeightedMinHash::for_error(bad));
    }
    let mut signature = WeightedMinHash::new(7).unwrap();
    for bad in [-1.0, -5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused("add", &bad.to_string(), || signature.add("x", bad));
        assert_refused("add_hash", &bad.to_string(), || signature.add_hash(1, bad));
    }
    for bad in [65, u32::MAX] {
        assert_refused("HammingParams::exact", &bad.to_string(), || HammingParams::exact(bad, 1));
        assert_refused("HammingParams::for_distance", &bad.to_string(), || {
            HammingParams::for_distance(bad, 9)
        });
    }
    for bad in [9, u32::MAX] {
        assert_refused("HammingParams::exact", &bad.to_string(), || HammingParams::exact(20, bad));
    }
    assert_refused("HammingParams::exact", "4", || HammingParams::exact(2, 4));
    for bad in [0, 1 << 32, u64::MAX] {
        assert_refused("HammingParams::for_distance", &bad.to_string(), || {
            HammingParams::for_distance(3, bad)
        });
    }
    let mut index = HammingIndex::new(HammingParams::exact(3, 2).unwrap());
    assert_refused("remove", "7", || index.remove(7));
    assert!(
        sketch.is_empty() && signature.is_empty() && index.is_empty(),
        "a refused call changed something"
    );
    index.insert(7, 1).unwrap();
    assert_refused("insert", "7", || index.insert(7, 2));
    assert_eq!((index.len(), index.fingerprint(7)), (1, Some(1)), "a refused call changed something");
}

#[test]
fn shingles_and_near_duplicates() {
    for bad in [0, 256, u32::MAX] {
        let value = bad.to_string();
        assert_refused("Shingles::words", &value, || Shingles::words(bad));
        assert_refused("Shingles::tokens", &value, || Shingles::tokens(bad));
        assert_refused("Shingles::chars", &value, || Shingles::chars(bad));
        assert_refused("Shingles::bytes", &value, || Shingles::bytes(bad));
    }
    let bands = LshParams::exact(20, 6).unwrap();
    for bad in BAD_SHARES.into_iter().chain([1.000_001, 2.0, 1e300]) {
        assert_refused("NearParams::new", &bad.to_string(), || NearParams::new(bad));
        assert_refused("NearParams::for_recall", &bad.to_string(), || NearParams::for_recall(bad, 0.9));
    }
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.0, 1.5] {
        assert_refused("NearParams::for_recall", &bad.to_string(), || NearParams::for_recall(0.5, bad));
    }
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.000_001] {
        assert_refused("NearParams::with_bands", &bad.to_string(), || NearParams::with_bands(bad, bands));
    }
    // What can be reached, and what cannot.
    assert!(NearParams::new(0.0015).is_ok());
    assert_refused("NearParams::new", "0.0014", || NearParams::new(0.0014));
}

#[test]
fn bands_and_filters_of_signatures() {
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        assert_refused("LshParams::exact", &value, || LshParams::exact(bad, 8));
        assert_refused("LshParams::exact", &value, || LshParams::exact(16, bad));
        assert_refused("LshParams::for_recall", &value, || LshParams::for_recall(0.8, 0.99, bad));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(0.8, bad, 0.5));
    }
    let bands = LshParams::exact(16, 8).unwrap();
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((bad, 0.1), (0.9, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, bad), (0.9, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, 0.1), (bad, 0.9)));
        assert_refused("LshParams::for_targets", &value, || LshParams::for_targets((0.5, 0.1), (0.9, bad)));
        assert_refused("LshParams::for_recall", &value, || LshParams::for_recall(0.8, bad, 128));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(bad, 128, 0.5));
        assert_refused("LshParams::for_threshold", &value, || LshParams::for_threshold(0.8, 128, bad));
        assert_refused("LshBloomParams::for_fpr", &value, || LshBloomParams::for_fpr(bands, 1000, bad));
        let metric = Metric::Hamming { bits: 256 };
        assert_refused("DistanceParams::for_targets", &value, || {
            DistanceParams::for_targets(metric, 1000, (8.0, bad), (96.0, 0.01))
        });
        assert_refused("DistanceParams::for_targets", &value, || {
            DistanceParams::for_targets(metric, 1000, (8.0, 0.01), (96.0, bad))
        });
    }
    for bad in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let value = bad.to_string();
        assert_refused("LshParams::probability", &value, || bands.probability(bad));
        assert_refused("LshParams::similarity_at", &value, || bands.similarity_at(bad));
    }
    assert_refused("LshParams::for_targets", "0.9", || LshParams::for_targets((0.9, 0.1), (0.9, 0.9)));
    for slots in [0, 127, 65_537, usize::MAX] {
        let value = slots.to_string();
        let (scheme, spec) = (Scheme::Functions, HashSpec::default());
        assert_refused("LshIndex::with_scheme", &value, || LshIndex::with_scheme(bands, scheme, slots, spec));
    }
    for bad in [0, 65_537, u32::MAX] {
        let value = bad.to_string();
        let metric = Metric::Hamming { bits: bad };
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, 4, 2, 100));
        let metric = Metric::Hamming { bits: 256 };
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, bad, 4, 2, 100));
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, bad, 2, 100));
        assert_refused("DistanceParams::exact", &value, || DistanceParams::exact(metric, 8, 4, bad, 100));
    }
    let mut index = LshIndex::with_scheme(bands, Scheme::Functions, 128, HashSpec::default()).unwrap();
    index.insert_slots(7, &[1; 128]).unwrap();
    assert_refused("insert", "7", || index.insert_slots(7, &[2; 128]));
    assert_refused("remove", "8", || index.remove(8));
    assert_eq!((index.len(), index.slots(7)), (1, Some(&[1; 128][..])), "a refused call changed something");
}

#[test]
fn filters_of_values() {
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY, 1e-300] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::for_distortion", &value, || {
            LinearBloomParams::for_distortion(1000, bad)
        });
    }
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY, 1.0 - 1e-9] {
        assert_refused("Fading::new", &bad.to_string(), || Fading::new(bad, 0.01));
    }
    for bad in [0, u64::MAX] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::exact", &value, || LinearBloomParams::exact(bad, 4));
        assert_refused("LinearBloomParams::for_distortion", &value, || {
            LinearBloomParams::for_distortion(bad, 0.01)
        });
        assert_refused("LinearBloomParams::for_memory", &value, || {
            LinearBloomParams::for_memory(bad, 8, 100)
        });
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::exact", &value, || LinearBloomParams::exact(100, bad));
        assert_refused("LinearBloomParams::for_memory", &value, || {
            LinearBloomParams::for_memory(1000, bad, 100)
        });
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_refused("Fading::new", &bad.to_string(), || Fading::new(0.5, bad));
    }
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let value = lower.to_string();
        assert_refused("Scale::linear", &value, || Scale::linear(lower, upper));
        assert_refused("Scale::logarithmic", &value, || Scale::logarithmic(lower, upper));
    }
    let params = LinearBloomParams::exact(100, 3).unwrap();
    let mut real = LinearBloom::new(params);
    assert_refused("insert", "NaN", || real.insert("a", f64::NAN));
    assert_refused("insert_positions", "100", || real.insert_positions(&[100], 1.0));
    let mut bytes = LinearBloom::new(params);
    assert_refused("insert", "255", || bytes.insert("a", 255u8));
    let mut scaled = QuantisedBloom::<u8>::new(params, Scale::linear(0.0, 1.0).unwrap());
    assert_refused("insert", "1.5", || scaled.insert("a", 1.5));
    let mut faded = DecayingBloom::new(params, Fading::new(0.5, 0.01).unwrap());
    assert_refused("insert", "-2", || faded.insert("a", -2.0));
    let announced = faded.clone();
    assert_refused("merge_attenuated", "1.5", || faded.merge_attenuated(&announced, 1.5));
    assert!(real.is_empty() && bytes.is_empty() && scaled.is_empty() && faded.is_empty());
}

#[test]
fn maps_and_graphs() {
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("BloomierParams::for_fpr", &value, || BloomierParams::for_fpr(8, 1000, bad));
        let pairs = || (0..1000u32).map(|key| (key, 1));
        assert_refused("BloomierFilter::freeze", &value, || BloomierFilter::freeze(pairs(), 8, bad));
        assert_refused("EdgeBloom::with_fpr", &value, || EdgeBloom::with_fpr(9, bad, Direction::Directed));
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        let (direction, spec) = (Direction::Directed, HashSpec::default());
        assert_refused("BloomierParams::exact", &value, || BloomierParams::exact(bad, 8));
        assert_refused("VertexBlooms::for_degrees", &value, || {
            VertexBlooms::for_degrees([(1, 1)], bad, direction, spec)
        });
        assert_refused("VertexBlooms::with_sizes", &value, || {
            VertexBlooms::with_sizes([(1, 1)], bad, direction, spec)
        });
    }
    for bad in [33, 64, u32::MAX] {
        assert_refused("BloomierParams::exact", &bad.to_string(), || BloomierParams::exact(8, bad));
    }
    for bad in [1 << 32, 1 << 40, u64::MAX] {
        let (value, params) = (bad.to_string(), BloomierParams::exact(8, 8).unwrap());
        assert_refused("BloomierParams::memory_bytes", &value, || params.memory_bytes(bad));
    }
    let (params, spec) = (BloomierParams::exact(7, 8).unwrap(), HashSpec::default());
    assert_refused("freeze_hashes", "128", || BloomierFilter::freeze_hashes([(1, 128)], params, spec));
    assert_refused("freeze_hashes", "5", || BloomierFilter::freeze_hashes([(1, 5), (1, 6)], params, spec));
    assert_refused("params_for_bits", "0", || EdgeBloom::params_for_bits(0, 10));
    assert_refused("params_for_bits", "0", || EdgeBloom::params_for_bits(10, 0));
    assert_refused("params_for_bits", "1099511627776", || EdgeBloom::params_for_bits(8, 1 << 40));
    assert_refused("with_sizes", "1099511627776", || {
        VertexBlooms::with_sizes([(1, 1 << 40), (2, 1)], 3, Direction::Directed, spec)
    });
}

#[test]
fn graphs_of_kmers() {
    let filter = BloomParams::exact(1000, 4).unwrap();
    for bad in [0, 64, u32::MAX] {
        let value = bad.to_string();
        assert_refused("DeBruijnParams::for_fpr", &value, || DeBruijnParams::for_fpr(bad, 1000, 0.01));
        assert_refused("DeBruijnParams::for_bits", &value, || DeBruijnParams::for_bits(bad, 1000, 6.0));
        assert_refused("DeBruijnParams::exact", &value, || DeBruijnParams::exact(bad, filter));
        assert_refused("KmerSet::new", &value, || KmerSet::new(bad));
        assert_refused("kmers", &value, || kmers(b"ACGT", bad));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-4, 1e300] {
        assert_refused("DeBruijnParams::for_bits", &bad.to_string(), || {
            DeBruijnParams::for_bits(31, 1000, bad)
        });
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        assert_refused("DeBruijnParams::for_fpr", &bad.to_string(), || {
            DeBruijnParams::for_fpr(31, 1000, bad)
        });
    }
    for bad in [0, u64::MAX] {
        assert_refused("DeBruijnParams::for_bits", &bad.to_string(), || {
            DeBruijnParams::for_bits(31, bad, 6.0)
        });
        assert_refused("DeBruijnParams::for_fpr", &bad.to_string(), || {
            DeBruijnParams::for_fpr(31, bad, 0.01)
        });
    }
    let folded = BloomFilter::new(BloomParams::exact(1003, 4).unwrap()).fold().unwrap().params();
    assert_refused("DeBruijnParams::exact", "folded", || DeBruijnParams::exact(31, folded));
    assert_refused("Kmer::from_bases", "'N'", || Kmer::from_bases(b"ACNT"));
    assert_refused("Kmer::from_bases", "64", || Kmer::from_bases(&[b'A'; 64]));
}

#[test]
fn numbered_graphs() {
    let (directed, undirected) = (Direction::Directed, Direction::Undirected);
    for bad in [2_000_000, u32::MAX] {
        let value = bad.to_string();
        assert_refused("AdjacencyMatrix::new", &value, || AdjacencyMatrix::new(bad, undirected));
        assert_refused("AdjacencyMatrix::new", &value, || AdjacencyMatrix::new(bad, directed));
    }
    for bad in [5, u32::MAX] {
        let value = bad.to_string();
        assert_refused("AdjacencyList::freeze", &value, || AdjacencyList::freeze(5, directed, &[(0, bad)]));
        assert_refused("ParentTree::freeze", &value, || {
            ParentTree::freeze(&[None, Some(bad), None, None, None])
        });
        assert_refused("ParentTree::from_edges", &value, || ParentTree::from_edges(5, &[(bad, 0)]));
        assert_refused("double_cover", &value, || double_cover(5, &[(bad, 0)]));
    }
    assert_refused("double_cover", "2147483648", || double_cover(1 << 31, &[]));
    assert_refused("ParentTree::from_edges", "2", || ParentTree::from_edges(3, &[(0, 1), (1, 2), (0, 2)]));
    assert_refused("IntervalGraph::freeze", "NaN", || IntervalGraph::freeze(&[(0.0, f64::NAN)]));
    assert_refused("IntervalGraph::freeze", "1 to 0", || IntervalGraph::freeze(&[(1.0, 0.0)]));
}

#[test]
fn labels() {
    let (bits, signs, spec) = (LabelScheme::MinHash, LabelScheme::SimHash, HashSpec::default());
    for bad in [0, 65_537, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, bad, 1, 1));
    }
    for bad in [0, 3, 32, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, 64, bad, 1));
    }
    assert_refused("LabelParams::exact", "2", || LabelParams::exact(signs, 64, 2, 1));
    for bad in [0, 65, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, 64, 1, bad));
    }
    let sets = IntersectionSets::new((1, 2), 3).unwrap();
    let (sides, edges) = ([false, true], [(0, 1)]);
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.0, 1.5] {
        let value = bad.to_string();
        assert_refused("TreeLabels::params_for", &value, || TreeLabels::params_for(bits, bad, 0.1));
        assert_refused("TreeLabels::params_for", &value, || TreeLabels::params_for(signs, 0.1, bad));
        assert_refused("IntersectionSets::params_for", &value, || sets.params_for(bits, bad, 0.1));
        assert_refused("BipartiteLabels::params_for", &value, || {
            BipartiteLabels::params_for(&sides, &edges, 0.1, bad)
        });
    }
    for bad in [-0.1, f64::NAN, 1.1] {
        let value = bad.to_string();
        assert_refused("LabelParams::for_rates", &value, || {
            LabelParams::for_rates(bits, (bad, 0.1), (0.5, 0.1))
        });
        assert_refused("LabelParams::for_rates", &value, || {
            LabelParams::for_rates(bits, (0.3, 0.1), (bad, 0.1))
        });
    }
    // What no label tells apart.
    assert_refused("LabelParams::for_rates", "0.5", || LabelParams::for_rates(bits, (0.5, 0.1), (0.5, 0.1)));
    assert_refused("LabelParams::for_rates", "0.5001", || {
        LabelParams::for_rates(bits, (0.5, 0.1), (0.5001, 0.1))
    });
    assert_refused("IntersectionSets::new", "2/2", || IntersectionSets::new((2, 2), 3));
    assert_refused("IntersectionSets::new", "1/0", || IntersectionSets::new((1, 0), 3));
    assert_refused("IntersectionSets::new", "16777217", || IntersectionSets::new((1, 3), (1 << 24) + 1));
    let params = LabelParams::exact(bits, 8, 1, 5).unwrap();
    for bad in [7, u32::MAX] {
        let (value, edges) = (bad.to_string(), [(0, bad)]);
        assert_refused("TreeLabels::freeze", &value, || TreeLabels::freeze(7, &edges, params, spec));
        assert_refused("IntersectionLabels::freeze", &value, || {
            IntersectionLabels::freeze(7, &edges, sets, params, spec)
        });
        assert_refused("BipartiteLabels::freeze", &value, || {
            BipartiteLabels::freeze(Sides::Split, &sides, &edges, params, spec)
        });
    }
    let long = LabelParams::exact(bits, 65_536, 16, 5).unwrap();
    assert_refused("TreeLabels::freeze", "4294967295", || TreeLabels::freeze(u32::MAX, &[], long, spec));
}
