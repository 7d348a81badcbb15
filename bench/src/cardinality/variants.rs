//! Our other counters, each sized for a standard error of about 1 %, compared with the recommended one.

use crate::Options;
use crate::harness::{Column, Contender, Samples, interleave, print_contenders};
use crate::keys::{SplitMix64, hashed};
use crivo::SlidingHyperLogLog;
use crivo::baseline::{CuckooTable, LogLog};
use crivo::baseline::{MinimumHash, ProbabilisticCounting};
use crivo::cardinality::LinearCounting;
use crivo::cardinality::Martingale;
use crivo::sketch::Cardinality;
use crivo::{ExaLogLog, HyperLogLog, Joint, KMinValues};
use std::hint::black_box;

const ITEMS: usize = 1_000_000;
const ESTIMATES: usize = 100;
/// Of the sliding window: a million items come at this many times.
const TIMES: u64 = 1000;
const COLUMNS: [Column; 6] = [
    Column::Time("insert"),
    Column::Time("estimate"),
    Column::Time("merge"),
    Column::Value("error %"),
    Column::Value("bytes in memory"),
    Column::Value("bytes in a file"),
];

pub(super) fn run(options: &Options) {
    let hashes = hashed(&SplitMix64::new(11).take(ITEMS));
    let hashes = hashes.as_slice();
    let mut contenders = vec![
        counter("crivo ExaLogLog", hashes, || ExaLogLog::for_standard_error(0.01)),
        counter("crivo HyperLogLog", hashes, || HyperLogLog::for_standard_error(0.01)),
        counter("crivo KMinValues", hashes, || KMinValues::for_standard_error(0.01)),
        counter("crivo Joint", hashes, || Joint::for_error(0.02)),
        counter("crivo LogLog", hashes, || LogLog::for_standard_error(0.01)),
        counter("crivo ProbabilisticCounting", hashes, || ProbabilisticCounting::for_standard_error(0.01)),
        counter("crivo MinimumHash", hashes, || MinimumHash::for_standard_error(0.01)),
        counter("crivo LinearCounting", hashes, || LinearCounting::for_error(ITEMS as u64, 0.02)),
        counter("crivo CuckooTable (exact)", hashes, || Ok(CuckooTable::new())),
        alone("crivo Martingale<ExaLogLog>", hashes, || Martingale::<ExaLogLog>::for_standard_error(0.01)),
        alone("crivo Martingale<HyperLogLog>", hashes, || {
            Martingale::<HyperLogLog>::for_standard_error(0.01)
        }),
        sliding(hashes),
    ];
    interleave(&mut contenders, options.rounds);
    let title = format!("Cardinality: every kind at a standard error of about 1 %, {ITEMS} hashes");
    print_contenders(&title, &COLUMNS, &contenders);
}

/// Inserts, and all else but merging.
fn measure<S: Cardinality>(samples: &mut Samples, mut sketch: S, hashes: &[u64]) -> S {
    samples.time("insert", hashes.len(), || sketch.try_insert_hashes(hashes)).expect("it has room");
    samples.time("estimate", ESTIMATES, || {
        (0..ESTIMATES).map(|_| black_box(&sketch).estimate().value()).sum::<f64>()
    });
    samples.record("error %", 100.0 * (sketch.estimate().value() / hashes.len() as f64 - 1.0));
    samples.record("bytes in memory", sketch.memory_bytes() as f64);
    samples.record("bytes in a file", sketch.to_bytes().len() as f64);
    sketch
}

fn counter<'a, S: Cardinality>(
    name: &'static str,
    hashes: &'a [u64],
    make: impl Fn() -> crivo::Result<S> + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let make = || make().expect("the error can be reached");
        let mut sketch = measure(samples, make(), hashes);
        let mut other = make();
        other.try_insert_hashes(&hashes[ITEMS / 2..]).expect("it has room");
        samples.time("merge", 1, || sketch.merge_any(&other)).expect("equal parameters");
    })
}

/// A counter that does not merge.
fn alone<'a, S: Cardinality>(
    name: &'static str,
    hashes: &'a [u64],
    make: impl Fn() -> crivo::Result<S> + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        measure(samples, make().expect("the error can be reached"), hashes);
    })
}

fn sliding(hashes: &[u64]) -> Contender<'_> {
    Contender::new("crivo SlidingHyperLogLog", move |samples| {
        let make = || SlidingHyperLogLog::for_precision(14, TIMES).expect("this precision is valid");
        let part = ITEMS / TIMES as usize;
        let filled = |hashes: &[u64]| {
            let mut sketch = make();
            for (time, hashes) in hashes.chunks(part).enumerate() {
                sketch.insert_hashes(hashes, time as u64);
            }
            sketch
        };
        let mut sketch = samples.time("insert", ITEMS, || filled(hashes));
        let estimate =
            |sketch: &SlidingHyperLogLog| sketch.estimate(TIMES).expect("within its limit").value();
        samples.time("estimate", ESTIMATES, || {
            (0..ESTIMATES).map(|_| estimate(black_box(&sketch))).sum::<f64>()
        });
        samples.record("error %", 100.0 * (estimate(&sketch) / ITEMS as f64 - 1.0));
        samples.record("bytes in memory", sketch.memory_bytes() as f64);
        samples.record("bytes in a file", sketch.to_bytes().len() as f64);
        let other = filled(&hashes[ITEMS / 2..]);
        samples.time("merge", 1, || sketch.merge(&other)).expect("equal parameters");
    })
}
