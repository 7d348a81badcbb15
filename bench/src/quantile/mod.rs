//! Quantiles: time, memory and the error of a rank.

mod values;

use crate::Options;
use crate::harness::{Column, Contender, Stopwatch, best, interleave, print_contenders};
use crate::keys::{SplitMix64, sets_of};
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::quantile::{DyadicParams, Tail};
use crivo::{DyadicCountMin, Kll, ReqSketch};
use datasketches::common::SearchCriteria;
use datasketches::kll::KllSketch;

const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("99 quantiles"),
    Column::Time("merge"),
    Column::Value("KiB"),
    Column::Value("rank error %"),
];

/// Quantiles are asked for at every hundredth.
const PARTS: u32 = 100;

/// A sketch that gives quantiles.
trait Quantiles: Sized + Clone {
    const NAME: &'static str;

    fn new(number: u64) -> Self;

    fn insert_all(&mut self, values: &[u64]);

    /// At the shares given.
    fn at(&self, shares: &[f64]) -> Vec<u64>;

    fn merge(&mut self, other: &Self);
}

impl Quantiles for Kll<u64> {
    const NAME: &'static str = "crivo Kll";

    fn new(number: u64) -> Self {
        Self::with_seed(200, number).expect("this size is valid")
    }

    #[inline(never)]
    fn insert_all(&mut self, values: &[u64]) {
        for &value in values {
            self.insert(value).expect("integers have a rank");
        }
    }

    fn at(&self, shares: &[f64]) -> Vec<u64> {
        let answers = self.quantiles(shares).expect("these shares are valid");
        answers.iter().map(|answer| *answer.value()).collect()
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other).expect("both have one size");
    }
}

impl Quantiles for ReqSketch<u64> {
    const NAME: &'static str = "crivo ReqSketch (3 % of the tail)";

    fn new(number: u64) -> Self {
        Self::with_seed(16, Tail::High, number).expect("this size is valid")
    }

    #[inline(never)]
    fn insert_all(&mut self, values: &[u64]) {
        for &value in values {
            self.insert(value).expect("integers have a rank");
        }
    }

    fn at(&self, shares: &[f64]) -> Vec<u64> {
        let answers = self.quantiles(shares).expect("these shares are valid");
        answers.iter().map(|answer| *answer.value()).collect()
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other).expect("both have one size");
    }
}

impl Quantiles for DyadicCountMin<u64> {
    const NAME: &'static str = "crivo DyadicCountMin";

    fn new(_: u64) -> Self {
        DyadicParams::for_error(64, 0.01, 0.05).and_then(Self::with_params).expect("this target is possible")
    }

    #[inline(never)]
    fn insert_all(&mut self, values: &[u64]) {
        for &value in values {
            self.add(value, 1).expect("it has room");
        }
    }

    fn at(&self, shares: &[f64]) -> Vec<u64> {
        let answers = self.quantiles(shares).expect("these shares are valid");
        answers.iter().map(|answer| *answer.value()).collect()
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other).expect("both have one size");
    }
}

impl Quantiles for KllSketch<u64> {
    const NAME: &'static str = "datasketches KLL";

    fn new(_: u64) -> Self {
        Self::new(200).expect("the crate accepts this size")
    }

    #[inline(never)]
    fn insert_all(&mut self, values: &[u64]) {
        for &value in values {
            self.update(value);
        }
    }

    fn at(&self, shares: &[f64]) -> Vec<u64> {
        let answers = self.quantiles(shares, SearchCriteria::Inclusive).expect("these shares are valid");
        answers.expect("the sketch is not empty")
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other).expect("the crate merges these");
    }
}

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &len in options.sizes() {
        // Ranks come from many sketches, so that the error is that of the structure and not of one run.
        let sets = sets_of(len).max(4);
        let streams: Vec<Vec<u64>> = (0..sets).map(|set| SplitMix64::new(set as u64).take(len)).collect();
        let mut contenders = vec![
            contender::<Kll<u64>>(&streams),
            contender::<KllSketch<u64>>(&streams),
            contender::<ReqSketch<u64>>(&streams),
        ];
        // Thousands of nanoseconds an item: the largest stream would take minutes.
        if len <= 1_000_000 {
            contenders.push(contender::<DyadicCountMin<u64>>(&streams[..1]));
        }
        interleave(&mut contenders, options.rounds);
        print_contenders(&format!("Quantiles of {len} random u64, {sets} streams"), &COLUMNS, &contenders);
        let (ours, peer) = (<Kll<u64> as Quantiles>::NAME, <KllSketch<u64> as Quantiles>::NAME);
        for metric in ["insert", "KiB", "rank error %"] {
            let what = format!("Kll {metric} vs {peer}: {len} u64");
            targets.at_most(what, best(&contenders, ours, metric), best(&contenders, peer, metric), 1.0);
        }
    }
    values::run(options, targets);
}

fn contender<Q: Quantiles>(streams: &[Vec<u64>]) -> Contender<'_> {
    let shares: Vec<f64> = (1..PARTS).map(|part| f64::from(part) / f64::from(PARTS)).collect();
    Contender::new(Q::NAME, move |samples| {
        let [mut insert, mut ask, mut merge] = [const { Stopwatch::new() }; 3];
        let (mut heap, mut squares, mut items) = (0, 0.0, 0);
        let mut whole = Q::new(u64::MAX);
        for (number, values) in streams.iter().enumerate() {
            let (sketch, held) = heap_held(|| {
                let mut sketch = Q::new(number as u64);
                insert.run(|| sketch.insert_all(values));
                sketch
            });
            heap = heap.max(held);
            let answers = ask.run(|| sketch.at(&shares));
            merge.run(|| whole.merge(&sketch));
            squares += squared_rank_errors(values, &shares, &answers);
            items += values.len();
        }
        samples.record("insert", insert.per_op(items));
        samples.record("99 quantiles", ask.per_op(streams.len()));
        samples.record("merge", merge.per_op(streams.len()));
        samples.record("KiB", heap as f64 / 1024.0);
        let asked = streams.len() * shares.len();
        samples.record("rank error %", 100.0 * (squares / asked as f64).sqrt());
    })
}

/// The sum of the squares of how far the ranks of the answers are from those asked for, as shares of all values.
fn squared_rank_errors(values: &[u64], shares: &[f64], answers: &[u64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let error = |(share, answer): (&f64, &u64)| {
        let rank = sorted.partition_point(|value| value <= answer);
        (rank as f64 / values.len() as f64 - share).powi(2)
    };
    shares.iter().zip(answers).map(error).sum()
}
