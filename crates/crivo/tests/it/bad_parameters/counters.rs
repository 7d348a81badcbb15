//! Counters of distinct items, and counters of a few bits.

use super::{BAD_SHARES, assert_refused};
use crivo::baseline::{LogLog, MinimumHash, ProbabilisticCounting};
use crivo::cardinality::{LinearCounting, Martingale};
use crivo::counting::{BinomialArray, BinomialParams, MorrisParams};
use crivo::{ExaLogLog, HashSpec, HyperLogLog, KINDS, Kind, MorrisArray, SlidingHyperLogLog};

#[test]
fn precisions() {
    for bad in [0, 1, 2, 3, 19, 20, 64, 255] {
        let value = bad.to_string();
        assert_refused("ExaLogLog::for_precision", &value, || ExaLogLog::for_precision(bad));
        assert_refused("ExaLogLog::standard_error_at", &value, || ExaLogLog::standard_error_at(bad, 1000));
        assert_refused("ExaLogLog::fold", &value, || ExaLogLog::for_precision(18).unwrap().fold(bad));
    }
    for bad in [0, 1, 111] {
        assert_refused("ExaLogLog::for_memory", &bad.to_string(), || ExaLogLog::for_memory(bad));
    }
}

#[test]
fn sizes_of_counters_of_different_items() {
    for bad in [0, 1, 2, 3, 19, 20, 64, 255] {
        let value = bad.to_string();
        assert_refused("LogLog::for_precision", &value, || LogLog::for_precision(bad));
        assert_refused("LogLog::standard_error_at", &value, || LogLog::standard_error_at(bad, 10));
        assert_refused("ProbabilisticCounting::for_precision", &value, || {
            ProbabilisticCounting::for_precision(bad)
        });
        assert_refused("ProbabilisticCounting::standard_error_at", &value, || {
            ProbabilisticCounting::standard_error_at(bad, 10)
        });
        let (ranks, bitmaps) =
            (LogLog::for_precision(12).unwrap(), ProbabilisticCounting::for_precision(8).unwrap());
        assert_refused("LogLog::fold", &value, || ranks.fold(bad).map(|_| ()));
        assert_refused("ProbabilisticCounting::fold", &value, || bitmaps.fold(bad).map(|_| ()));
    }
    for bad in [0, 2, 3, 8, 15, 17, 100, 65_535, 131_072, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MinimumHash::for_cells", &value, || MinimumHash::for_cells(bad));
        assert_refused("MinimumHash::standard_error_at", &value, || MinimumHash::standard_error_at(bad, 10));
    }
    for bad in [0, (1 << 32) + 1, 1 << 60, u64::MAX] {
        let value = bad.to_string();
        assert_refused("LinearCounting::for_bits", &value, || LinearCounting::for_bits(bad));
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
    assert_refused("counter", "the number of items", || make(0.01, None, HashSpec::default()));
    assert!(make(0.01, Some(1000), HashSpec::default()).is_ok());
}

#[test]
fn sizes_of_sliding_sketches() {
    for bad in [0, 3, 19, 255] {
        assert_refused("SlidingHyperLogLog::for_precision", &bad.to_string(), || {
            SlidingHyperLogLog::for_precision(bad, 60)
        });
    }
    assert_refused("SlidingHyperLogLog::for_precision", "0", || SlidingHyperLogLog::for_precision(12, 0));
    let sketch = SlidingHyperLogLog::for_precision(4, 60).unwrap();
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
        assert_refused("MorrisArray::with_params", &bad.to_string(), || {
            MorrisArray::with_params(bad, morris, 1)
        });
        assert_refused("BinomialArray::with_params", &bad.to_string(), || {
            BinomialArray::with_params(bad, binomial, 1)
        });
    }
    let mut array = MorrisArray::with_params(10, morris, 1).unwrap();
    for bad in [10, usize::MAX] {
        assert_refused("increment", &bad.to_string(), || array.increment(bad));
        assert_refused("increment_by", &bad.to_string(), || array.increment_by(bad, 5));
        assert_refused("estimate", &bad.to_string(), || array.estimate(bad));
    }
    assert!(array.is_empty(), "a refused call changed something");
}
