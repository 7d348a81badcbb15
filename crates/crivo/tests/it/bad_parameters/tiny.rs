//! Tiny shares that vanish when added to 1: every constructor accepts or refuses them, immediately.

use crivo::counting::{BinomialParams, MorrisParams};
use crivo::frequency::{CountMinParams, CountSketchParams, SignedCountMin, SignedCountMinParams};
use crivo::graph::DeBruijnParams;
use crivo::graph::{BipartiteLabels, Direction, EdgeBloom, LabelParams, LabelScheme, TreeLabels};
use crivo::membership::{
    CompressedParams, CountingParams, PartitionedParams, ScalableParams, SpectralBloom, SpectralParams,
    WindowedParams,
};
use crivo::profile::ProfileParams;
use crivo::quantile::{DyadicParams, Tail};
use crivo::similarity::{BBitMinHash, DistanceParams, LshBloomParams, LshParams, Metric, NearParams};
use crivo::similarity::{error_by_bound, slots_by_bound, slots_for_error, standard_error};
use crivo::valued::{BloomierParams, Fading, LinearBloomParams};
use crivo::{
    BinaryFuse, BloomFilter, BloomierFilter, CountMin, CountSketch, Error, HashSpec, HyperLogLog, Joint,
    KINDS, KMinValues, Kll, LinearBloom, LogQuantiles, MakeFilter, MinHash, MisraGries, Moments,
    OnePermutation, ReqSketch, SimHash, SlidingHyperLogLog, SpaceSaving, WeightedMinHash,
};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// From where a sum with 1 is 1 down to the smallest number, and the numbers closest to one.
const TINY: [f64; 12] =
    [1e-16, 3e-17, 1e-17, 1e-18, 1e-20, 1e-25, 1e-30, 1e-100, 1e-300, f64::MIN_POSITIVE, 5e-324, 1.0 - 1e-16];

/// No call takes this long on any machine, unless it never ends.
const ENDLESS: Duration = Duration::from_secs(120);

type Call = (String, Box<dyn Fn(f64) -> Result<(), Error> + Send>);

/// The functions that take a share: each such argument, with usual values for the others.
fn calls() -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    macro_rules! calls {
        ($($share:ident => $call:expr;)+) => {
            $(calls.push((stringify!($call).into(), Box::new(|$share| $call.map(|_| ()))));)+
        };
    }
    calls! {
        // Filters in addition to those of all kinds, below.
        fpr => BinaryFuse::freeze(0..1000u32, fpr);
        fpr => BloomFilter::for_fpr(1000, fpr);
        fpr => CountingParams::for_fpr(1000, fpr);
        fpr => SpectralParams::for_fpr(1000, fpr);
        fpr => PartitionedParams::for_blocks(1000, fpr, 4);
        fpr => CompressedParams::for_fpr(1000, fpr, 2.0);
        factor => CompressedParams::for_fpr(1000, 0.01, factor);
        factor => CompressedParams::for_wire(1000, 1000, factor);
        fpr => ScalableParams::exact(1000, fpr, 2, 0.8);
        tightening => ScalableParams::exact(1000, 0.01, 2, tightening);
        fpr => WindowedParams::for_fpr(1000, fpr, 60, 4);
        fpr => BloomierParams::for_fpr(8, 1000, fpr);
        fpr => BloomierFilter::freeze((0..1000u32).map(|key| (key, 1)), 8, fpr);
        fpr => LshBloomParams::for_fpr(LshParams::exact(16, 8)?, 1000, fpr);
        fpr => EdgeBloom::for_fpr(1000, fpr, Direction::Undirected);
        fpr => DeBruijnParams::for_fpr(21, 1000, fpr);
        bits => DeBruijnParams::for_bits(21, 1000, bits);
        rate => LinearBloom::<f64>::for_distortion(1000, rate);
        rate => LinearBloomParams::for_distortion(1000, rate);
        factor => Fading::new(factor, 0.001);
        floor => Fading::new(0.9, floor);
        // Frequencies and quantiles.
        error => MisraGries::<u64>::for_error(error);
        error => SpaceSaving::<u64>::for_error(error);
        epsilon => CountMinParams::for_error(epsilon, 0.01);
        delta => CountMinParams::for_error(0.01, delta);
        delta => CountMinParams::for_memory(100_000, delta);
        epsilon => SignedCountMinParams::for_error(epsilon, 0.01);
        delta => SignedCountMinParams::for_error(0.01, delta);
        epsilon => CountSketchParams::for_error(epsilon, 0.01);
        delta => CountSketchParams::for_error(0.1, delta);
        epsilon => DyadicParams::for_error(32, epsilon, 0.01);
        delta => DyadicParams::for_error(32, 0.01, delta);
        error => Moments::for_error(error);
        error => Kll::<f64>::for_error(error);
        error => ReqSketch::<f64>::for_error(error, Tail::High);
        error => LogQuantiles::for_error(error);
        error => ProfileParams::for_error(error);
        // Counters of a few bits.
        base => MorrisParams::exact(base, 8);
        error => MorrisParams::for_error(error, 1000);
        error => MorrisParams::for_standard_error(error, 1000);
        probability => BinomialParams::exact(probability, 8);
        // Counters of distinct items in addition to those of all kinds, below.
        error => HyperLogLog::for_standard_error(error);
        error => Joint::for_error(error);
        similarity => Joint::intersection_error(12, 1024, similarity);
        similarity => KMinValues::similarity_error_at(1024, similarity, 1000);
        error => SlidingHyperLogLog::for_standard_error(error, 60);
        // Similarity.
        error => MinHash::for_error(error);
        error => OnePermutation::for_error(error);
        error => WeightedMinHash::for_error(error);
        error => SimHash::for_error(error);
        similarity => BBitMinHash::standard_error(128, 2, similarity);
        error => slots_by_bound(error, 0.95);
        confidence => slots_by_bound(0.1, confidence);
        confidence => error_by_bound(128, confidence);
        error => slots_for_error(error, 0.95);
        confidence => slots_for_error(0.1, confidence);
        similarity => standard_error(similarity, 128);
        threshold => NearParams::for_threshold(threshold);
        recall => NearParams::for_recall(0.8, recall);
        threshold => NearParams::for_recall(threshold, 0.99);
        threshold => NearParams::with_bands(threshold, LshParams::exact(16, 8)?);
        low => LshParams::for_targets((low, 0.01), (0.9, 0.99));
        low => LshParams::for_targets((0.5, low), (0.9, 0.99));
        high => LshParams::for_targets((0.5, 0.01), (high, 0.99));
        high => LshParams::for_targets((0.5, 0.01), (0.9, high));
        threshold => LshParams::for_recall(threshold, 0.99, 256);
        recall => LshParams::for_recall(0.8, recall, 256);
        threshold => LshParams::for_threshold(threshold, 128, 0.5);
        weight => LshParams::for_threshold(0.5, 128, weight);
        near => DistanceParams::for_targets(Metric::Hamming { bits: 256 }, 1000, (10.0, near), (100.0, 0.01));
        far => DistanceParams::for_targets(Metric::Hamming { bits: 256 }, 1000, (10.0, 0.01), (100.0, far));
        // Labels of graphs.
        fpr => TreeLabels::params_for(LabelScheme::MinHash, fpr, 0.01);
        fnr => TreeLabels::params_for(LabelScheme::MinHash, 0.01, fnr);
        fpr => BipartiteLabels::params_for(&[false, true], &[(0, 1)], fpr, 0.01);
        fnr => BipartiteLabels::params_for(&[false, true], &[(0, 1)], 0.01, fnr);
        low => LabelParams::for_rates(LabelScheme::SimHash, (low, 0.01), (0.5, 0.01));
        high => LabelParams::for_rates(LabelScheme::SimHash, (0.0, 0.01), (high, 0.01));
        // Answers at a confidence.
        confidence => HyperLogLog::for_precision(12)?.estimate_at(confidence);
        confidence => CountMin::with_params(CountMinParams::exact(100, 5)?).frequency_at("x", confidence);
        confidence => SignedCountMin::with_params(SignedCountMinParams::exact(100, 5)?).frequency_at("x", confidence);
        confidence => CountSketch::with_params(CountSketchParams::exact(100, 5)?).frequency_at("x", confidence);
        confidence => SpectralBloom::for_fpr(100, 0.01)?.frequency_at("x", confidence);
        confidence => Kll::<f64>::for_error(0.01)?.rank_error_at(confidence);
        confidence => ReqSketch::<u64>::for_error(0.01, Tail::Low)?.rank_at(&1, confidence);
        confidence => BloomFilter::for_fpr(1000, 0.01)?.cardinality_proven_at(confidence);
        confidence => Moments::for_error(0.1)?.f2_at(confidence);
        confidence => MinHash::for_slots(128)?.similarity_at(&MinHash::for_slots(128)?, confidence);
    }
    calls
}

/// The plans, filters and counters of all kinds.
fn calls_of_kinds() -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for info in KINDS {
        if let Some(target) = info.filter {
            calls.push((
                format!("a plan of {}", info.kind.name()),
                Box::new(move |fpr| (target.plan)(1000, fpr).map(|_| ())),
            ));
            let make = move |fpr| match target.make {
                MakeFilter::Empty(make) => make(1000, fpr, HashSpec::default()).map(|_| ()),
                MakeFilter::Frozen(make) => make(&[1, 2, 3], fpr, HashSpec::default()).map(|_| ()),
            };
            calls.push((format!("a filter of {}", info.kind.name()), Box::new(make)));
        }
        if let Some(make) = info.counter {
            let make = move |error| make(error, Some(1000), HashSpec::default()).map(|_| ());
            calls.push((format!("a counter of {}", info.kind.name()), Box::new(make)));
        }
    }
    calls
}

#[test]
fn tiny_shares_end() {
    let (sender, receiver) = mpsc::channel();
    // In a separate thread, so that the test ends although a call does not.
    let worker = thread::spawn(move || {
        for (call, make) in calls().into_iter().chain(calls_of_kinds()) {
            for share in TINY {
                if sender.send(format!("{call} with {share:e}")).is_err() {
                    return;
                }
                let _either_way = make(share);
            }
        }
    });
    let mut running = String::from("the first call");
    loop {
        match receiver.recv_timeout(ENDLESS) {
            Ok(next) => running = next,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{running} does not end"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(worker.join().is_ok(), "{running} panicked");
}
