//! Tables, lists, quantiles and samples.

use super::{BAD_SHARES, TOO_LARGE_SHARES, assert_refused};
use crivo::frequency::{CountSketchParams, Majority, SignedCountMinParams};
use crivo::profile::ProfileParams;
use crivo::quantile::{DyadicParams, LogQuantilesParams, Tail};
use crivo::{
    DyadicCountMin, Joint, KMinValues, Kll, LogQuantiles, MisraGries, Moments, ReqSketch, Reservoir,
    SpaceSaving, VarOpt, WeightedReservoir,
};

#[test]
fn sizes_of_signed_tables() {
    for bad in [0, u64::MAX, 1 << 60] {
        let value = bad.to_string();
        assert_refused("SignedCountMinParams::exact", &value, || SignedCountMinParams::exact(bad, 4));
        assert_refused("CountSketchParams::exact", &value, || CountSketchParams::exact(bad, 4));
        assert_refused("Moments::for_precision", &value, || Moments::for_precision(4, bad));
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("SignedCountMinParams::exact", &value, || SignedCountMinParams::exact(100, bad));
        assert_refused("CountSketchParams::exact", &value, || CountSketchParams::exact(100, bad));
    }
    for bad in [0, 3, 19, 255] {
        assert_refused("Moments::for_precision", &bad.to_string(), || Moments::for_precision(bad, 100));
    }
}

#[test]
fn errors_of_profiles() {
    let too_small = [0.001, 0.00191];
    for bad in BAD_SHARES.into_iter().chain(too_small) {
        assert_refused("ProfileParams::for_error", &bad.to_string(), || ProfileParams::for_error(bad));
    }
}

#[test]
fn sizes_of_samples() {
    for bad in [0, 1, 15, (1 << 20) + 1, u32::MAX] {
        let value = bad.to_string();
        assert_refused("KMinValues::for_k", &value, || KMinValues::for_k(bad));
        assert_refused("fold", &value, || KMinValues::for_k(1 << 20).unwrap().fold(bad));
        assert_refused("Joint::for_precision", &value, || Joint::for_precision(10, bad));
    }
    for bad in [0, 3, 19, 255] {
        assert_refused("Joint::for_precision", &bad.to_string(), || Joint::for_precision(bad, 100));
    }
    for bad in [0, 100, 175] {
        assert_refused("KMinValues::for_memory", &bad.to_string(), || KMinValues::for_memory(bad));
        assert_refused("Joint::for_memory", &bad.to_string(), || Joint::for_memory(bad));
    }
}

#[test]
fn sizes_of_heavy_hitters() {
    for bad in [0, (1 << 26) + 1, u32::MAX] {
        let value = bad.to_string();
        assert_refused("MisraGries::for_counters", &value, || MisraGries::<u64>::for_counters(bad));
        assert_refused("SpaceSaving::for_counters", &value, || SpaceSaving::<String>::for_counters(bad));
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
    let mut sketch = MisraGries::<u64>::for_counters(1).unwrap();
    sketch.extend([1, 2, 3]);
    assert_refused("possibly_above", "2 times", || sketch.possibly_above(1));
    let mut majority = Majority::<u64>::new();
    majority.add(&1u64, 3);
    assert_refused("confirm", "add up to 2", || majority.confirm([(&1u64, 2)]));
}

#[test]
fn sizes_of_quantile_sketches() {
    for bad in [0, 7, (1 << 20) + 1, u64::MAX] {
        assert_refused("Kll::for_k", &bad.to_string(), || Kll::<u64>::for_k(bad));
        assert_refused("Kll::with_seed", &bad.to_string(), || Kll::<String>::with_seed(bad, 1));
    }
    for bad in [0, 100, 1000] {
        assert_refused("Kll::for_memory", &bad.to_string(), || Kll::<f64>::for_memory(bad));
        assert_refused("ReqSketch::for_memory", &bad.to_string(), || {
            ReqSketch::<f64>::for_memory(bad, Tail::Low)
        });
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("Kll::for_error", &value, || Kll::<u64>::for_error(bad));
        assert_refused("DyadicParams::for_error", &value, || DyadicParams::for_error(64, bad, 0.01));
        assert_refused("DyadicParams::for_error", &value, || DyadicParams::for_error(64, 0.01, bad));
    }
    for (bad, tail) in [(0, Tail::High), (3, Tail::Low), ((1 << 16) + 1, Tail::High), (u64::MAX, Tail::Low)] {
        assert_refused("ReqSketch::for_k", &bad.to_string(), || ReqSketch::<u64>::for_k(bad, tail));
        assert_refused("ReqSketch::with_seed", &bad.to_string(), || {
            ReqSketch::<String>::with_seed(bad, tail, 1)
        });
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES).chain([0.000_006]) {
        assert_refused("ReqSketch::for_error", &bad.to_string(), || {
            ReqSketch::<u64>::for_error(bad, Tail::High)
        });
    }
    assert_refused("Kll::for_error", "0.000002", || Kll::<u64>::for_error(0.000_002));
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES).chain([0.000_099]) {
        assert_refused("LogQuantiles::for_error", &bad.to_string(), || LogQuantiles::for_error(bad));
    }
    for (per_octave, buckets, bad) in [
        (0, 1, "0"),
        (4097, 1, "4097"),
        (u32::MAX, 1, "4294967295"),
        (35, 0, "0"),
        (35, 35 * 2098 + 1, "73431"),
    ] {
        assert_refused("LogQuantilesParams::exact", bad, || LogQuantilesParams::exact(per_octave, buckets));
    }
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
    assert_refused("DyadicCountMin::with_params", "32", || DyadicCountMin::<f64>::with_params(params));
}

#[test]
fn questions_to_quantile_sketches() {
    let mut values = Kll::for_k(200).unwrap();
    let mut counts = DyadicCountMin::with_params(DyadicParams::exact(16, 100, 4).unwrap()).unwrap();
    let mut reals = DyadicCountMin::with_params(DyadicParams::exact(64, 10, 2).unwrap()).unwrap();
    values.insert(1.0).unwrap();
    counts.add(1u64, 1).unwrap();
    reals.add(1.0, 1).unwrap();
    let before = (values.clone(), counts.clone(), reals.clone());
    let logs: LogQuantiles = [1.0].into_iter().collect();
    for bad in [-0.1, 1.000_001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let value = bad.to_string();
        assert_refused("quantile", &value, || values.quantile(bad));
        assert_refused("quantiles", &value, || values.quantiles(&[0.5, bad]));
        assert_refused("quantile", &value, || counts.quantile(bad));
        assert_refused("quantile", &value, || logs.quantile(bad));
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
    assert_refused("shares", "2.0", || values.shares(&[2.0, 1.0]));
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
    assert_refused("Reservoir::for_k", "0", || Reservoir::<u64>::for_k(0, 1));
    assert_refused("WeightedReservoir::for_k", "0", || WeightedReservoir::<u64>::for_k(0, 1));
    let mut sample = Reservoir::for_k(3, 1).unwrap();
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
    let mut weighted = WeightedReservoir::for_k(3, 1).unwrap();
    for bad in [-1.0, -5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused("insert", &bad.to_string(), || weighted.insert(1, bad));
    }
    assert_refused("VarOpt::for_k", "0", || VarOpt::<u64>::for_k(0, 1));
    let mut sums = VarOpt::for_k(3, 1).unwrap();
    for bad in [-1.0, -5e-324, 5e-324, 1e-310, 1e289, f64::MAX, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused("insert", &bad.to_string(), || sums.insert(1, bad));
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        if bad != f64::MIN_POSITIVE && bad != 1e-320 {
            assert_refused("subset_sum_at", &bad.to_string(), || sums.subset_sum_at(|_| true, bad));
            assert_refused("share_at", &bad.to_string(), || sums.share_at(|_| true, bad));
        }
    }
    assert!(
        weighted.is_empty() && sums.is_empty() && sample.total() == 1,
        "a refused call changed something"
    );
}
