//! The library's counters of distinct items, side by side with those of the chapter on massive data.

use crivo::HyperLogLog;
use crivo::baseline::{LogLog, MinimumHash, ProbabilisticCounting};
use crivo::cardinality::LinearCounting;
use crivo::sketch::Cardinality;
use crivo::stats::{chi_squared_quantile, normal_quantile};
use libm::{pow, sqrt};

use super::one_pass::{LINEAR_BITS, PRECISION};
use super::prelude::*;
use crate::summary::Summary;

/// A counter of the library.
struct Ours {
    name: &'static str,
    /// Its standard error far out, times √k, as the literature gives it; linear counting has none.
    literature: Option<f64>,
    theory: fn(u64) -> crivo::Result<f64>,
}

const OURS: [Ours; 5] = [
    Ours {
        name: "linear counting",
        literature: None,
        theory: |items| LinearCounting::standard_error_at(LINEAR_BITS, items),
    },
    Ours {
        name: "minimum hash",
        literature: Some(1.0),
        theory: |items| MinimumHash::standard_error_at(1 << PRECISION, items),
    },
    Ours {
        name: "probabilistic counting",
        literature: Some(0.78),
        theory: |items| ProbabilisticCounting::standard_error_at(PRECISION, items),
    },
    Ours {
        name: "LogLog",
        literature: Some(1.30),
        theory: |items| LogLog::standard_error_at(PRECISION, items),
    },
    Ours {
        name: "HyperLogLog",
        literature: Some(1.04),
        theory: |items| HyperLogLog::standard_error_at(PRECISION, items),
    },
];

/// One of each, fed with the same hashes.
pub(super) struct Sketches {
    linear: LinearCounting,
    minimum: MinimumHash,
    probabilistic: ProbabilisticCounting,
    log_log: LogLog,
    hyper: HyperLogLog,
}

impl Sketches {
    /// With 2^precision cells or registers.
    pub(super) fn new(precision: u8) -> Result<Self> {
        Ok(Self {
            linear: LinearCounting::for_bits(LINEAR_BITS)?,
            minimum: MinimumHash::for_cells(1 << precision)?,
            probabilistic: ProbabilisticCounting::for_precision(precision)?,
            log_log: LogLog::for_precision(precision)?,
            hyper: HyperLogLog::for_precision(precision)?,
        })
    }

    pub(super) fn insert_hash(&mut self, hash: u64) {
        self.linear.insert_hash(hash);
        self.minimum.insert_hash(hash);
        self.probabilistic.insert_hash(hash);
        self.log_log.insert_hash(hash);
        self.hyper.insert_hash(hash);
    }
}

/// The relative errors of all runs at one number of items.
pub(super) struct Errors {
    items: u64,
    of: [Vec<f64>; OURS.len()],
}

impl Errors {
    pub(super) fn at(items: u64) -> Self {
        Self { items, of: std::array::from_fn(|_| Vec::new()) }
    }

    pub(super) fn push(&mut self, sketches: &Sketches) {
        let Sketches { linear, minimum, probabilistic, log_log, hyper } = sketches;
        let sketches: [&dyn Cardinality; OURS.len()] = [linear, minimum, probabilistic, log_log, hyper];
        for (errors, sketch) in self.of.iter_mut().zip(sketches) {
            errors.push(sketch.estimate().value() / self.items as f64 - 1.0);
        }
    }
}

pub(super) fn table(levels: &[Errors]) -> Result<Table> {
    let columns = ["distinct items D", "counter", "mean error (%)", "rms error (%)", "theory (%)"];
    let scaled = ["rms·√k", "theory·√k", "literature, far out"];
    let mut table = Table::new("library", columns.into_iter().chain(scaled));
    let root = sqrt(f64::from(1 << PRECISION));
    for level in levels {
        for (ours, errors) in OURS.iter().zip(&level.of) {
            let (Summary { mean, rms, .. }, theory) = (Summary::of(errors), (ours.theory)(level.items)?);
            let scale = if ours.literature.is_some() { root } else { f64::NAN };
            let percents = [mean, rms, theory].map(|share| Cell::from(100.0 * share));
            let scaled = [rms * scale, theory * scale, ours.literature.unwrap_or(f64::NAN)].map(Cell::from);
            table.push([level.items.into(), ours.name.into()].into_iter().chain(percents).chain(scaled));
        }
    }
    Ok(table)
}

/// All but linear counting, whose error is another's.
pub(super) fn plot(levels: &[Errors]) -> Result<Plot> {
    let mut series = Vec::new();
    for (index, ours) in OURS.iter().enumerate().skip(1) {
        let mut curve = Vec::new();
        for step in 0..=60 {
            let items = pow(10.0, 3.0 + f64::from(step) / 20.0);
            curve.push(Point::new(items, 100.0 * (ours.theory)(items as u64)?));
        }
        let points = levels.iter().map(|level| {
            let (rms, runs) = (100.0 * Summary::of(&level.of[index]).rms, level.of[index].len() as f64);
            let bound = |p: f64| rms / sqrt(chi_squared_quantile(runs, p) / runs);
            Point::new(level.items as f64, rms).with_bounds(bound(0.975), bound(0.025))
        });
        let (theory, measured) =
            (format!("{}: theory", ours.name), format!("{}: measured (95 %)", ours.name));
        series.push(Series::new(theory, Style::Curve, curve).coloured(index - 1));
        series.push(Series::new(measured, Style::Points, points).coloured(index - 1));
    }
    Ok(Plot::new("library", "The library's counters with 1024 registers or cells")
        .axes("distinct items D (count)", "relative standard error (%)")
        .log_x()
        .between(1.5, 5.0)
        .with(series))
}

pub(super) fn judge(levels: &[Errors], false_alarm: f64) -> Result<[Verdict; 2]> {
    let chance = false_alarm / (levels.len() * OURS.len()) as f64;
    let (mut errors, mut bias) = (Vec::new(), Vec::new());
    for level in levels {
        for (ours, seen) in OURS.iter().zip(&level.of) {
            // With fewer than 30 collisions the errors of linear counting are not nearly normal.
            if ours.literature.is_none() && level.items * level.items < 60 * LINEAR_BITS {
                continue;
            }
            let runs = seen.len() as f64;
            let (Summary { mean, rms, .. }, theory) =
                (Summary::of(seen), 100.0 * (ours.theory)(level.items)?);
            let bound = |p: f64| theory * sqrt(chi_squared_quantile(runs, p) / runs);
            let (lower, upper) = (0.99 * bound(chance / 2.0), 1.01 * bound(1.0 - chance / 2.0));
            let place = format!("{} of {} items", ours.name, level.items);
            errors.push(Check { place: place.clone(), value: 100.0 * rms, expected: theory, lower, upper });
            // The bias that is left is of second order: the square of the error.
            let margin = normal_quantile(1.0 - chance / 2.0) * theory / sqrt(runs) + theory * theory / 100.0;
            bias.push(Check { place, value: 100.0 * mean, expected: 0.0, lower: -margin, upper: margin });
        }
    }
    Ok([
        Verdict::within("The counters of the library have the error of `standard_error_at`.", " %", errors),
        Verdict::within("Their bias is at most the square of that error.", " %", bias),
    ])
}
