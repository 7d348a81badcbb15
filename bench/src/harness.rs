//! Timing, interleaving and tables of contenders.
//!
//! Time is the thread's CPU time, so that other processes on the machine disturb the caches but not the clock.

use bench_report::{print_table, significant};
use cpu_time::ThreadTime;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

/// Adds up the CPU time of the pieces of work that are to be timed, between others that are not.
#[derive(Default)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    pub(crate) const fn new() -> Self {
        Self(Duration::ZERO)
    }

    /// Runs `work` with the watch on.
    pub(crate) fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let start = ThreadTime::now();
        let result = black_box(work());
        self.0 += start.elapsed();
        result
    }

    /// Nanoseconds per operation, for `ops` operations in all.
    pub(crate) fn per_op(&self, ops: usize) -> f64 {
        self.0.as_secs_f64() * 1e9 / ops as f64
    }
}

/// Every value recorded for one contender, by metric.
#[derive(Default)]
pub(crate) struct Samples(BTreeMap<&'static str, Vec<f64>>);

impl Samples {
    /// Times `work`, which performs `ops` operations, and records nanoseconds per operation.
    pub(crate) fn time<R>(&mut self, metric: &'static str, ops: usize, work: impl FnOnce() -> R) -> R {
        let mut watch = Stopwatch::default();
        let result = watch.run(work);
        self.record(metric, watch.per_op(ops));
        result
    }

    /// Records a measured value that is not a time.
    pub(crate) fn record(&mut self, metric: &'static str, value: f64) {
        self.0.entry(metric).or_default().push(value);
    }

    /// The smallest recorded value.
    pub(crate) fn min(&self, metric: &str) -> Option<f64> {
        self.0.get(metric)?.iter().copied().reduce(f64::min)
    }

    /// The median of the recorded values.
    pub(crate) fn median(&self, metric: &str) -> Option<f64> {
        let mut values = self.0.get(metric)?.clone();
        values.sort_by(f64::total_cmp);
        Some(f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2]))
    }
}

/// One structure under measurement: `round` does the whole work once and records what it cost.
///
/// The call through the box happens once per round; the loops inside are generic and inline the structure.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    pub(crate) samples: Samples,
    round: Box<dyn FnMut(&mut Samples) + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, round: impl FnMut(&mut Samples) + 'a) -> Self {
        Self { name, samples: Samples::default(), round: Box::new(round) }
    }
}

/// Runs one discarded warm-up and then `rounds` rounds, each contender once per round in rotating order, so
/// that a burst of noise or a change of clock rate falls on all of them alike.
pub(crate) fn interleave(contenders: &mut [Contender], rounds: usize) {
    for contender in contenders.iter_mut() {
        (contender.round)(&mut Samples::default());
    }
    let count = contenders.len();
    for round in 0..rounds {
        for turn in 0..count {
            let contender = &mut contenders[(round + turn) % count];
            (contender.round)(&mut contender.samples);
        }
    }
}

/// The best time of the contender with that name; every caller asks for one that it has entered.
pub(crate) fn best(contenders: &[Contender], name: &str, metric: &str) -> f64 {
    let contender = contenders.iter().find(|contender| contender.name == name);
    contender.and_then(|contender| contender.samples.min(metric)).expect("this contender has this metric")
}

/// Name and best time of the fastest contender that is not ours.
pub(crate) fn fastest_peer(contenders: &[Contender], metric: &str) -> (&'static str, f64) {
    contenders
        .iter()
        .filter(|contender| !is_ours(contender.name))
        .filter_map(|contender| Some((contender.name, contender.samples.min(metric)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .expect("at least one peer has this metric")
}

/// Our rows are named after the library.
pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with("crivo")
}

/// How a column is filled from the samples.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// `median (min)` of a time in nanoseconds.
    Time(&'static str),
    /// Median of a plain value.
    Value(&'static str),
}

/// Prints one Markdown table with a row per contender; a metric the contender lacks shows as `-`.
pub(crate) fn print_contenders(title: &str, columns: &[Column], contenders: &[Contender]) {
    let mut header = vec!["contender"];
    header.extend(columns.iter().map(|column| match column {
        Column::Time(metric) | Column::Value(metric) => *metric,
    }));
    let rows = contenders.iter().map(|contender| {
        let mut row = vec![contender.name.to_owned()];
        row.extend(columns.iter().map(|column| cell(*column, &contender.samples)));
        row
    });
    print_table(title, &header, rows);
}

fn cell(column: Column, samples: &Samples) -> String {
    match column {
        Column::Time(metric) => match (samples.median(metric), samples.min(metric)) {
            (Some(median), Some(min)) => format!("{} ({})", significant(median), significant(min)),
            _ => "-".to_owned(),
        },
        Column::Value(metric) => samples.median(metric).map_or("-".to_owned(), significant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn median_and_min_of_odd_and_even_counts() {
        let mut samples = Samples::default();
        for value in [3.0, 1.0, 2.0] {
            samples.record("x", value);
        }
        assert_eq!((samples.median("x"), samples.min("x")), (Some(2.0), Some(1.0)));
        samples.record("x", 10.0);
        assert_eq!(samples.median("x"), Some(2.5));
        assert_eq!(samples.median("y"), None);
    }

    #[test]
    fn every_contender_runs_once_a_round_in_rotating_order() {
        let order = RefCell::new(String::new());
        let mut contenders = ["a", "b", "c"].map(|name| {
            let order = &order;
            Contender::new(name, move |samples| {
                order.borrow_mut().push_str(name);
                samples.record("runs", 1.0);
            })
        });
        interleave(&mut contenders, 4);
        assert_eq!(order.borrow().as_str(), "abc abc bca cab abc".replace(' ', ""));
        assert!(
            contenders.iter().all(|contender| contender.samples.0["runs"].len() == 4),
            "warm-up is discarded"
        );
    }
}
