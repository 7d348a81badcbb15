//! Quantiles whose values are close: time, memory and the relative error of a value.

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, fastest_peer, interleave, print_contenders};
use crate::keys::{SplitMix64, sets_of};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::{Kll, LogQuantiles};
use datasketches::tdigest::TDigestMut;
use hdrhistogram::Histogram;
use sketches_ddsketch::{Config, DDSketch};

const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("99 quantiles"),
    Column::Time("merge"),
    Column::Value("KiB"),
    Column::Value("largest error %"),
];

/// The relative error that all are made for, if they can be.
const ERROR: f64 = 0.01;

const OURS: &str = "crivo LogQuantiles";
const BATCH: &str = "crivo LogQuantiles (batch)";
const KLL: &str = "crivo Kll (1 % of the ranks)";

/// The values of a stream, and what is asked of them.
struct Stream {
    values: Vec<f64>,
    /// The true quantiles.
    truths: Vec<f64>,
}

pub(super) fn run(options: &Options, targets: &mut Targets) {
    let shares: Vec<f64> = (1..super::PARTS).map(|part| f64::from(part) / f64::from(super::PARTS)).collect();
    for &len in options.sizes() {
        let sets = sets_of(len).max(4);
        let streams: Vec<Stream> = (0..sets).map(|set| stream(set as u64, len, &shares)).collect();
        let mut contenders = [
            contender(OURS, &streams, &shares, ours, insert_each, ask_ours, merge_ours),
            contender(BATCH, &streams, &shares, ours, insert_batch, ask_ours, merge_ours),
            contender(
                KLL,
                &streams,
                &shares,
                || Kll::<f64>::for_error(ERROR).expect("this error is possible"),
                |sketch, values| {
                    values.iter().for_each(|&value| sketch.insert(value).expect("no value is NaN"))
                },
                |sketch, shares| {
                    let answers = sketch.quantiles(shares).expect("these shares are valid");
                    answers.iter().map(|answer| *answer.value()).collect()
                },
                |sketch, other| sketch.merge(other).expect("both have one size"),
            ),
            contender(
                "sketches-ddsketch",
                &streams,
                &shares,
                || DDSketch::new(Config::new(ERROR, 2048, 1e-9)),
                |sketch, values| values.iter().for_each(|&value| sketch.add(value)),
                |sketch, shares| {
                    let answer =
                        |&share: &f64| sketch.quantile(share).ok().flatten().expect("it is not empty");
                    shares.iter().map(answer).collect()
                },
                |sketch, other| sketch.merge(other).expect("both have one size"),
            ),
            contender(
                "hdrhistogram (2 digits, of integers)",
                &streams,
                &shares,
                || Histogram::<u64>::new(2).expect("the crate accepts two digits"),
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "whole numbers above 0"
                )]
                |sketch, values| {
                    values.iter().for_each(|&value| sketch.record(value as u64).expect("it resizes itself"));
                },
                |sketch, shares| shares.iter().map(|&share| sketch.value_at_quantile(share) as f64).collect(),
                |sketch, other| sketch.add(other).expect("both have one size"),
            ),
            contender(
                "datasketches t-digest (k = 200)",
                &streams,
                &shares,
                || TDigestMut::new(200).expect("the crate accepts this size"),
                |sketch, values| values.iter().for_each(|&value| sketch.update(value)),
                |sketch, shares| {
                    let answers = sketch.clone().quantiles(shares).expect("these shares are valid");
                    answers.expect("it is not empty")
                },
                |sketch, other| sketch.merge(other),
            ),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("Quantiles within 1 % of their values: {len} log-normal f64, {sets} streams");
        print_contenders(&title, &COLUMNS, &contenders);
        let insert = |name| best(&contenders, name, "insert");
        let (_, peer) = fastest_peer(&contenders, "insert");
        targets.at_most(format!("LogQuantiles insert vs fastest peer: {len}"), insert(OURS), peer, 1.0);
        let what = format!("LogQuantiles batch vs sketches-ddsketch: {len}");
        targets.at_most(what, insert(BATCH), insert("sketches-ddsketch"), 0.5);
        targets.at_most(format!("LogQuantiles insert vs Kll: {len}"), insert(OURS), insert(KLL), 1.0);
    }
}

fn ours() -> LogQuantiles {
    LogQuantiles::for_error(ERROR).expect("this error is possible")
}

#[inline(never)]
fn insert_each(sketch: &mut LogQuantiles, values: &[f64]) {
    values.iter().for_each(|&value| sketch.insert(value).expect("all values are finite"));
}

#[inline(never)]
fn insert_batch(sketch: &mut LogQuantiles, values: &[f64]) {
    values.chunks(1024).for_each(|values| sketch.insert_all(values).expect("all values are finite"));
}

fn ask_ours(sketch: &LogQuantiles, shares: &[f64]) -> Vec<f64> {
    let answers = sketch.quantiles(shares).expect("these shares are valid");
    answers.iter().map(|answer| *answer.value()).collect()
}

fn merge_ours(sketch: &mut LogQuantiles, other: &LogQuantiles) {
    sketch.merge(other).expect("both have one size");
}

/// Latencies in whole microseconds, so that a histogram of integers can take part.
fn stream(number: u64, len: usize, shares: &[f64]) -> Stream {
    let unit = |bits: &u64| ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let bits = SplitMix64::new(number).take(2 * len);
    // Box and Muller: a normal number from two uniform ones.
    let normal =
        |pair: &[u64]| (-2.0 * unit(&pair[0]).ln()).sqrt() * (std::f64::consts::TAU * unit(&pair[1])).cos();
    let values: Vec<f64> =
        bits.chunks_exact(2).map(|pair| (10_000.0 * (2.0 * normal(pair)).exp()).ceil()).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
    let truth = |share: &f64| sorted[((share * len as f64).round() as usize).max(1) - 1];
    let truths = shares.iter().map(truth).collect();
    Stream { values, truths }
}

fn contender<'a, S: Clone>(
    name: &'static str,
    streams: &'a [Stream],
    shares: &'a [f64],
    new: impl Fn() -> S + 'a,
    fill: impl Fn(&mut S, &[f64]) + 'a,
    ask: impl Fn(&S, &[f64]) -> Vec<f64> + 'a,
    join: impl Fn(&mut S, &S) + 'a,
) -> Contender<'a> {
    Contender::new(name, move |samples| {
        let [mut insert, mut query, mut merge] = [const { Stopwatch::new() }; 3];
        let (mut heap, mut worst, mut items) = (0, 0.0f64, 0);
        let mut whole = new();
        for stream in streams {
            let (sketch, held) = heap_held(|| {
                let mut sketch = new();
                insert.run(|| fill(&mut sketch, &stream.values));
                sketch
            });
            heap = heap.max(held);
            let answers = query.run(|| ask(&sketch, shares));
            merge.run(|| join(&mut whole, &sketch));
            let error = |(answer, truth): (&f64, &f64)| (answer / truth - 1.0).abs();
            worst = answers.iter().zip(&stream.truths).map(error).fold(worst, f64::max);
            items += stream.values.len();
        }
        samples.record("insert", insert.per_op(items));
        samples.record("99 quantiles", query.per_op(streams.len()));
        samples.record("merge", merge.per_op(streams.len()));
        samples.record("KiB", heap as f64 / 1024.0);
        samples.record("largest error %", 100.0 * worst);
    })
}
