//! The times of hyphenators with filters: what the document finds, and what is found here.

use super::e_s::Case;
use super::hyphenator::{KINDS, Kind};
use super::prelude::*;
use crate::significant;
use crate::summary::{Summary, student};

/// What was timed, with its unit.
const TIMED: [(&str, &str); 3] = [("to build", "µs"), ("to ask, a word", "ns"), ("to hyphenate", "ms")];
const BUILD: usize = 0;
const ASK: usize = 1;
const HYPHENATE: usize = 2;

/// A mean with its 95 % interval.
#[derive(Clone, Copy)]
struct Interval {
    mean: f64,
    half: f64,
}

impl Interval {
    fn of(sample: &[f64]) -> Self {
        let Summary { mean, standard_error, .. } = Summary::of(sample);
        Self { mean, half: student(sample.len() as f64 - 1.0, 0.05) * standard_error }
    }
}

#[rustfmt::skip]
pub(super) fn table(cases: &[Case]) -> Table {
    let columns = TIMED.iter().flat_map(|(what, unit)| {
        ["mean", "95 % ±", "least"].map(|which| format!("{what}, {which} ({unit})"))
    });
    let mut table = Table::new("times", ["filter", "ε (%)"].map(String::from).into_iter().chain(columns));
    for case in cases {
        let numbers = case.times.iter().flat_map(|times| {
            let Interval { mean, half } = Interval::of(times);
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            [mean, half, least].map(Cell::from)
        });
        table.push([case.kind.name().into(), (100.0 * case.rate).into()].into_iter().chain(numbers));
    }
    table
}

/// One sort of time by the rate.
pub(super) fn plot(cases: &[Case], which: usize, name: &'static str, title: &str) -> Plot {
    let series = KINDS.into_iter().enumerate().filter_map(|(colour, kind)| {
        let of_kind = cases.iter().filter(|case| case.kind == kind && !case.times[which].is_empty());
        // Without a filter there is no rate: a line across.
        let places = |rate: f64| if rate.is_nan() { vec![1.0, 20.0] } else { vec![100.0 * rate] };
        let points = of_kind.flat_map(|case| {
            let Interval { mean, half } = Interval::of(&case.times[which]);
            let point = move |x| Point::new(x, mean).with_bounds(mean - half, mean + half);
            places(case.rate).into_iter().map(point)
        });
        let points: Vec<Point> = points.collect();
        (!points.is_empty()).then(|| Series::new(kind.name(), Style::Joined, points).coloured(colour))
    });
    Plot::new(name, title)
        .axes("rate that is asked for, ε (%)", format!("mean time ({}, 95 % interval)", TIMED[which].1))
        .with(series)
}

/// A question about time, what the document says, and a number whose sign answers, with its interval.
pub(super) struct Finding {
    question: &'static str,
    document: &'static str,
    /// The sign that the document finds, if it says something.
    printed: Option<f64>,
    unit: String,
    interval: Interval,
}

impl Finding {
    fn sign(&self) -> f64 {
        let Interval { mean, half } = self.interval;
        if mean.abs() > half { mean.signum() } else { 0.0 }
    }

    fn answer(&self) -> &'static str {
        match (self.sign(), self.printed) {
            (0.0, Some(0.0)) => "confirmed: none can be told here either",
            (0.0, _) => "cannot be told apart on this machine",
            (sign, Some(printed)) if sign == printed => "confirmed",
            (_, Some(0.0)) => "not confirmed: there is one here",
            (_, Some(_)) => "not confirmed: it is the other way round here",
            (sign, None) if sign > 0.0 => "yes, on this machine",
            (_, None) => "no, on this machine",
        }
    }

    /// A report of what was found: it holds whatever that is, unless nothing was measured.
    pub(super) fn verdict(&self) -> Verdict {
        let Interval { mean, half } = self.interval;
        let [shown, around] = [mean, half].map(|value| significant(value, 3));
        Verdict::new(
            format!("Finding on time: {} {} Here: {}.", self.question, self.document, self.answer()),
            mean.is_finite() && half.is_finite(),
            format!("{shown} ± {around} {} (95 % interval).", self.unit),
        )
    }
}

pub(super) fn findings_table(findings: &[Finding]) -> Table {
    let columns = ["question", "printed", "here", "difference or slope", "95 % ±", "unit"];
    let mut table = Table::new("findings", columns);
    for finding in findings {
        let Interval { mean, half } = finding.interval;
        table.push([
            finding.question.into(),
            finding.document.into(),
            finding.answer().into(),
            mean.into(),
            half.into(),
            finding.unit.as_str().into(),
        ]);
    }
    table
}

/// How many findings are reported in the first place; the others are in the table.
pub(super) const MAIN: usize = 5;

/// All times of a contender: by repetition, one for each rate.
struct Times<'a> {
    cases: &'a [Case],
    which: usize,
}

impl Times<'_> {
    fn of(&self, kind: Kind) -> Vec<(f64, &Vec<f64>)> {
        let of_kind =
            self.cases.iter().filter(|case| case.kind == kind && !case.times[self.which].is_empty());
        of_kind.map(|case| (100.0 * case.rate, &case.times[self.which])).collect()
    }

    /// The time of one contender less that of another, each a mean over the first so many rates, by repetition.
    fn less(&self, one: Kind, other: Kind, rates: usize) -> Interval {
        let [one, other] = [one, other].map(|kind| {
            let times: Vec<&Vec<f64>> =
                self.of(kind).into_iter().take(rates).map(|(_, times)| times).collect();
            let mean = |i: usize| times.iter().map(|times| times[i]).sum::<f64>() / times.len() as f64;
            (0..times[0].len()).map(mean).collect::<Vec<f64>>()
        });
        Interval::of(&one.iter().zip(&other).map(|(one, other)| one - other).collect::<Vec<_>>())
    }

    /// How the time grows with the rate: the slope of the line of least squares, by repetition.
    fn slope(&self, kind: Kind) -> Interval {
        let times = self.of(kind);
        let middle = times.iter().map(|(percent, _)| percent).sum::<f64>() / times.len() as f64;
        let square: f64 = times.iter().map(|(percent, _)| (percent - middle) * (percent - middle)).sum();
        let of_repetition = |repetition: usize| {
            times.iter().map(|(percent, times)| (percent - middle) * times[repetition]).sum::<f64>() / square
        };
        Interval::of(&(0..times[0].1.len()).map(of_repetition).collect::<Vec<_>>())
    }
}

/// The first [`MAIN`] are the main ones.
#[rustfmt::skip]
pub(super) fn findings(cases: &[Case]) -> Vec<Finding> {
    let [build, ask, whole] = [BUILD, ASK, HYPHENATE].map(|which| Times { cases, which });
    let difference = |question, document, printed, times: &Times, pair: [Kind; 2], rates| Finding {
        question,
        document,
        printed,
        unit: TIMED[times.which].1.to_owned(),
        interval: times.less(pair[0], pair[1], rates),
    };
    let slope = |question, document, printed, times: &Times, kind| Finding {
        question,
        document,
        printed: Some(printed),
        unit: format!("{} a percent", TIMED[times.which].1),
        interval: times.slope(kind),
    };
    let both = [Kind::Cuckoo, Kind::Bloom];
    let most = "The document: yes, at most ε.";
    let falls = "The document: it falls.";
    let pays = "The document: not asked.";
    let all = usize::MAX;
    let [alone, own] = [Kind::Nothing, Kind::OwnHash].map(|kind| [kind, Kind::Bloom]);
    vec![
        difference("does a cuckoo filter take longer to build than a Bloom filter?", most, Some(1.0), &build, both, all),
        difference("do all words take longer behind a cuckoo filter than a Bloom filter?", most, Some(1.0), &whole, both, all),
        difference("the same at ε = 1 %?", "The document: no, less.", Some(-1.0), &whole, both, 1),
        difference("is a hash map slower to ask than a Bloom filter and then the map?", pays, None, &ask, alone, all),
        difference("do all words take longer with a hash map alone?", pays, None, &whole, alone, all),
        difference("is a cuckoo filter slower to ask than a Bloom filter?", pays, None, &ask, both, all),
        slope("does the time to build a Bloom filter change with ε?", "The document: no trend.", 0.0, &build, Kind::Bloom),
        slope("does the time to build a cuckoo filter change with ε?", falls, -1.0, &build, Kind::Cuckoo),
        slope("does the time of all words behind a Bloom filter change with ε?", falls, -1.0, &whole, Kind::Bloom),
        slope("does the time of all words behind a cuckoo filter change with ε?", falls, -1.0, &whole, Kind::Cuckoo),
        difference("is a map with the filters' hash slower to ask than a Bloom filter and then the usual map?", pays, None, &ask, own, all),
        difference("the same with a fuse filter?", pays, None, &ask, [Kind::OwnHash, Kind::Fuse], all),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(mean: f64, half: f64, printed: Option<f64>) -> &'static str {
        let unit = String::new();
        Finding { question: "", document: "", printed, unit, interval: Interval { mean, half } }.answer()
    }

    #[test]
    fn an_interval_around_nothing_tells_nothing() {
        assert_eq!(finding(1.0, 0.5, Some(1.0)), "confirmed");
        assert_eq!(finding(1.0, 0.5, Some(-1.0)), "not confirmed: it is the other way round here");
        assert_eq!(finding(-1.0, 2.0, Some(1.0)), "cannot be told apart on this machine");
        assert_eq!(finding(-1.0, 0.5, None), "no, on this machine");
    }
}
