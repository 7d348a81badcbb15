//! The tables and figures of a characterisation.

use crivo::stats::{chi_squared_quantile, clopper_pearson};
use libm::sqrt;

use super::super::prelude::*;
use super::measure::{LEAST_FREEDOM, Seen};
use super::subject::Subject;
use crate::coverage::Pooled;
use crate::significant;
use crate::summary::student;

pub(super) fn by_x<S: Subject>(seen: &[Seen]) -> Table {
    let error = S::ERROR;
    let columns = [
        S::X.to_owned(),
        format!("mean: {error}"),
        "its standard error".to_owned(),
        format!("root mean square: {error}"),
        format!("theory: {error}"),
        format!("largest: {error}"),
        "intervals".to_owned(),
        "coverage (%)".to_owned(),
        "promised (%)".to_owned(),
    ];
    let mut table = Table::new("errors", columns);
    for Seen { x, errors, law, worst, coverage, confidence, .. } in seen {
        let promised = if coverage.asked > 0 { 100.0 * confidence } else { f64::NAN };
        table.push([
            Cell::from(*x),
            errors.mean.into(),
            errors.standard_error.into(),
            errors.rms.into(),
            law.deviation.into(),
            (*worst).into(),
            coverage.asked.into(),
            (100.0 * coverage.share()).into(),
            promised.into(),
        ]);
    }
    table
}

/// The line of the atlas: the main size, at the point where sizes are compared.
pub(super) fn entry<S: Subject>(seen: &Seen, pooled: &Pooled) -> Entry {
    let [measured, theory] = [seen.errors.rms, seen.law.deviation].map(|error| significant(error, 3));
    let bound = if seen.law.is_bound() { "at most " } else { "" };
    let coverage = significant(100.0 * pooled.share(), 3);
    Entry {
        setting: format!("{}: {}; {}: {}", S::SIZE, seen.size, S::X, seen.x),
        error: format!("{}: rms {measured}, theory {bound}{theory}", S::ERROR),
        size: format!("{} bytes", significant(seen.bytes, 3)),
        coverage: if pooled.share().is_nan() {
            "no intervals".to_owned()
        } else {
            format!("{coverage} % of intervals")
        },
    }
}

pub(super) fn by_size<S: Subject>(seen: &[Seen]) -> Table {
    let error = S::ERROR;
    let columns = [
        S::SIZE.to_owned(),
        "memory (bytes)".to_owned(),
        format!("root mean square: {error}"),
        format!("theory: {error}"),
        "bits × error²".to_owned(),
        "coverage (%)".to_owned(),
    ];
    let mut table = Table::new("sizes", columns);
    for Seen { size, bytes, errors, law, coverage, .. } in seen {
        let product = 8.0 * bytes * errors.rms * errors.rms / 1e4;
        table.push([
            Cell::from(*size),
            (*bytes).into(),
            errors.rms.into(),
            law.deviation.into(),
            product.into(),
            (100.0 * coverage.share()).into(),
        ]);
    }
    table
}

/// The root mean square error with its 95 % interval by the χ² law, where that says anything.
fn spread(x: f64, seen: &Seen) -> Point {
    let point = Point::new(x, seen.errors.rms);
    if seen.freedom < LEAST_FREEDOM {
        return point;
    }
    let end = |p: f64| seen.errors.rms * sqrt(seen.freedom / chi_squared_quantile(seen.freedom, p));
    point.with_bounds(end(0.975), end(0.025))
}

fn theory_name(seen: &[Seen]) -> &'static str {
    if seen.iter().any(|seen| seen.law.is_bound()) { "theory (the most it may be)" } else { "theory" }
}

/// Error by x: the mean, the root mean square, and what theory says of both.
pub(super) fn errors<S: Subject>(seen: &[Seen], false_alarm: f64) -> Plot {
    let band = seen.iter().filter_map(|seen| {
        let (mean, bound) = (seen.law.mean?, seen.bias_bound(false_alarm));
        Some(Point::new(seen.x, mean).with_bounds(mean - bound, mean + bound))
    });
    let means = seen.iter().map(|seen| {
        let (mean, reach) = (seen.errors.mean, student(seen.trials - 1.0, 0.05) * seen.errors.standard_error);
        Point::new(seen.x, mean).with_bounds(mean - reach, mean + reach)
    });
    let band = Series::new("mean by theory (false alarm: 10⁻⁶)", Style::Band, band);
    let event = seen.iter().all(|seen| seen.law.is_of_event());
    let theory = seen
        .iter()
        .filter_map(|seen| Some(Point::new(seen.x, if event { seen.law.mean? } else { seen.law.deviation })));
    let of = if event { "mean" } else { "root mean square" };
    let squares = Series::new(of, Style::Points, seen.iter().map(|seen| spread(seen.x, seen)));
    let plot = Plot::new("errors", format!("{}, {} = {} (bars: 95 %)", S::DRAWN, S::SIZE, S::MAIN))
        .axes(S::X, S::ERROR)
        .with((!band.points.is_empty()).then_some(band))
        .with([Series::new(format!("{}, {of}", theory_name(seen)), Style::Theory, theory)])
        .with([Series::new("mean", Style::Points, means)])
        .with((!event).then_some(squares));
    let plot = if S::LOG_X { plot.log_x() } else { plot };
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    let high = |seen: &Seen| {
        if event {
            seen.errors.mean.abs() + 2.0 * seen.bias_bound(false_alarm)
        } else {
            finite(seen.law.deviation).max(seen.errors.rms)
        }
    };
    let most = seen.iter().map(high).fold(0.0, f64::max);
    let low = seen.iter().map(|seen| {
        let bound = seen.law.mean.map_or(0.0, |mean| mean - finite(seen.bias_bound(false_alarm)));
        (seen.errors.mean - 2.0 * seen.errors.standard_error).min(bound)
    });
    // Where a band is wider than all errors are large, it need not be seen whole.
    let least = low.fold(-most / 10.0, f64::min).max(-most);
    plot.between(1.1 * least, 1.2 * most)
}

/// What a bit buys: the error of every size by its bits.
pub(super) fn sizes<S: Subject>(seen: &[Seen]) -> Plot {
    let bits = |seen: &Seen| 8.0 * seen.bytes;
    let theory = seen.iter().map(|seen| Point::new(bits(seen), seen.law.deviation));
    let points = seen.iter().map(|seen| spread(bits(seen), seen));
    let plot = Plot::new("bits", format!("Bits and error at {} = {}", S::X, S::COMPARED))
        .axes("memory (bits)", format!("root mean square {}", S::ERROR))
        .log_y()
        .with([
            Series::new(theory_name(seen), Style::Theory, theory),
            Series::new("measured (bars: 95 %)", Style::Points, points),
        ]);
    let (least, most) =
        seen.iter().map(bits).fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
    // A few bits more or less have no decimal marks between them.
    if most > 4.0 * least { plot.log_x() } else { plot }
}

/// How often the bars hold the truth.
pub(super) fn coverage<S: Subject>(seen: &[Seen]) -> Plot {
    let asked = || seen.iter().filter(|seen| seen.coverage.asked > 0);
    let points = asked().map(|seen| {
        let (lower, upper) = clopper_pearson(seen.coverage.held, seen.coverage.asked, 0.95);
        Point::new(seen.x, 100.0 * seen.coverage.share()).with_bounds(100.0 * lower, 100.0 * upper)
    });
    let promise = asked().map(|seen| Point::new(seen.x, 100.0 * seen.confidence));
    let least = asked().map(|seen| 100.0 * seen.coverage.share()).fold(93.0, f64::min);
    let plot = Plot::new("coverage", "Coverage of the intervals (bars: 95 %)")
        .axes(S::X, "coverage (%)")
        .between(least - 3.0, 100.5)
        .with([
            Series::new("promised", Style::Theory, promise),
            Series::new("measured", Style::Points, points),
        ]);
    if S::LOG_X { plot.log_x() } else { plot }
}
