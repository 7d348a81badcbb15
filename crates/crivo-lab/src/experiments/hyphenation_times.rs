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

/// The confidence that all intervals of the findings have together.
const CONFIDENCE: f64 = 0.95;
/// The number of findings.
const FINDINGS: usize = 14;

/// A mean with the half-width of its interval.
#[derive(Clone, Copy)]
struct Interval {
    mean: f64,
    half: f64,
}

impl Interval {
    /// The 95 % interval of one mean, for tables and figures.
    fn of(sample: &[f64]) -> Self {
        Self::with_risk(sample, 1.0 - CONFIDENCE)
    }

    /// The interval of one of several findings.
    fn of_finding(sample: &[f64]) -> Self {
        Self::with_risk(sample, (1.0 - CONFIDENCE) / FINDINGS as f64)
    }

    fn with_risk(sample: &[f64], risk: f64) -> Self {
        let Summary { mean, standard_error, .. } = Summary::of(sample);
        Self { mean, half: student(sample.len() as f64 - 1.0, risk) * standard_error }
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
            (0.0, Some(0.0)) => "no difference can be shown, as in the document",
            (0.0, _) => "the times cannot be distinguished",
            (sign, Some(printed)) if sign == printed => "this confirms the document",
            (_, Some(0.0)) => "there is a trend, which contradicts the document",
            (_, Some(_)) => "the opposite, which contradicts the document",
            (sign, None) if sign > 0.0 => "yes",
            (_, None) => "no",
        }
    }

    fn contradicts(&self) -> bool {
        self.printed.is_some_and(|printed| self.sign() != 0.0 && self.sign() != printed)
    }

    /// The finding. In a full run, an interval that contradicts the document is a claim against it. Everything else about time is
    /// reported, and a quick run has too few repetitions to claim anything.
    pub(super) fn verdict(&self, size: Size) -> Verdict {
        let Interval { mean, half } = self.interval;
        let [shown, around] = [mean, half].map(|value| significant(value, 3));
        let finding = format!("{} {} On this machine: {}.", self.question, self.document, self.answer());
        let detail = format!(
            "{shown} ± {around} {} ({FINDINGS} intervals with a joint confidence of 95 %).",
            self.unit
        );
        if size == Size::Full && self.contradicts() {
            Verdict::erratum(finding, true, detail)
        } else {
            Verdict::reported(finding, detail)
        }
    }
}

pub(super) fn findings_table(findings: &[Finding]) -> Table {
    let columns = ["question", "printed", "here", "difference or slope", "±, joint confidence 95 %", "unit"];
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

    /// The time of one contender less that of another, each a mean over the first `rates` rates, by repetition.
    fn less(&self, one: Kind, other: Kind, rates: usize) -> Interval {
        let [one, other] = [one, other].map(|kind| {
            let times: Vec<&Vec<f64>> =
                self.of(kind).into_iter().take(rates).map(|(_, times)| times).collect();
            let mean = |i: usize| times.iter().map(|times| times[i]).sum::<f64>() / times.len() as f64;
            (0..times[0].len()).map(mean).collect::<Vec<f64>>()
        });
        Interval::of_finding(&one.iter().zip(&other).map(|(one, other)| one - other).collect::<Vec<_>>())
    }

    /// How the time grows with the rate: the slope of the line of least squares, by repetition.
    fn slope(&self, kind: Kind) -> Interval {
        let times = self.of(kind);
        let middle = times.iter().map(|(percent, _)| percent).sum::<f64>() / times.len() as f64;
        let square: f64 = times.iter().map(|(percent, _)| (percent - middle) * (percent - middle)).sum();
        let of_repetition = |repetition: usize| {
            times.iter().map(|(percent, times)| (percent - middle) * times[repetition]).sum::<f64>() / square
        };
        Interval::of_finding(&(0..times[0].1.len()).map(of_repetition).collect::<Vec<_>>())
    }
}

#[rustfmt::skip]
pub(super) fn findings(cases: &[Case]) -> [Finding; FINDINGS] {
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
    let [both, library] = [Kind::Buckets, Kind::Cuckoo].map(|kind| [kind, Kind::Bloom]);
    let most = "The document: yes, for most ε.";
    let falls = "The document: it falls.";
    let pays = "The document does not ask.";
    let all = usize::MAX;
    let [alone, own] = [Kind::Nothing, Kind::OwnHash].map(|kind| [kind, Kind::Bloom]);
    [
        difference("Does a cuckoo filter take longer to build than a Bloom filter?", most, Some(1.0), &build, both, all),
        difference("Does the hyphenation of all words take longer with a cuckoo filter than with a Bloom filter?", most, Some(1.0), &whole, both, all),
        difference("Does the hyphenation of all words take longer with a cuckoo filter at ε = 1 %?", "The document: no, less time.", Some(-1.0), &whole, both, 1),
        difference("Is a query of the hash map alone slower than one of a Bloom filter and then the map?", pays, None, &ask, alone, all),
        difference("Does the hyphenation of all words take longer with the hash map alone than with a Bloom filter?", pays, None, &whole, alone, all),
        difference("Is a query of a cuckoo filter slower than one of a Bloom filter?", pays, None, &ask, both, all),
        difference("Does the library's cuckoo filter take longer to build than a Bloom filter?", pays, None, &build, library, all),
        difference("Is a query of the library's cuckoo filter slower than one of a Bloom filter?", pays, None, &ask, library, all),
        slope("Does the time to build a Bloom filter change with ε?", "The document: no trend.", 0.0, &build, Kind::Bloom),
        slope("Does the time to build a cuckoo filter change with ε?", falls, -1.0, &build, Kind::Buckets),
        slope("Does the time to hyphenate all words with a Bloom filter change with ε?", falls, -1.0, &whole, Kind::Bloom),
        slope("Does the time to hyphenate all words with a cuckoo filter change with ε?", falls, -1.0, &whole, Kind::Buckets),
        difference("Is a query of a map with the hash function of the filters slower than one of a Bloom filter and then the usual map?", pays, None, &ask, own, all),
        difference("Is a query of a map with the hash function of the filters slower than one of a fuse filter and then the usual map?", pays, None, &ask, [Kind::OwnHash, Kind::Fuse], all),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing;

    fn finding(mean: f64, half: f64, printed: Option<f64>) -> Finding {
        let unit = String::new();
        Finding { question: "", document: "", printed, unit, interval: Interval { mean, half } }
    }

    #[test]
    fn an_interval_with_zero_decides_nothing() {
        let answer = |mean, half, printed| finding(mean, half, printed).answer();
        assert_eq!(answer(1.0, 0.5, Some(1.0)), "this confirms the document");
        assert_eq!(answer(1.0, 0.5, Some(-1.0)), "the opposite, which contradicts the document");
        assert_eq!(answer(-1.0, 2.0, Some(1.0)), "the times cannot be distinguished");
        assert_eq!(answer(-1.0, 0.5, None), "no");
    }

    #[test]
    fn only_a_contradiction_in_a_full_run_is_a_claim() {
        let standing = |mean, size| {
            let verdict = finding(mean, 0.5, Some(1.0)).verdict(size);
            (verdict.standing, verdict.erratum)
        };
        let reported = (Standing::Reported, false);
        assert_eq!(standing(-1.0, Size::Full), (Standing::Holds, true));
        assert_eq!([1.0, 0.1, -0.1].map(|mean| standing(mean, Size::Full)), [reported; 3]);
        assert_eq!([1.0, 0.1, -1.0].map(|mean| standing(mean, Size::Quick)), [reported; 3]);
    }
}
