//! Wrong answers of independent structures, counted at one place of a grid and compared with theory.

use crivo::stats::{binomial_band, clopper_pearson};
use crivo::{Estimate, Guarantee};

use super::prelude::*;
use crate::coverage::Coverage;
use crate::summary::{Summary, student};

/// How seldom an experiment calls something wrong that is right, over all its points.
pub(super) const FALSE_ALARM: f64 = 1e-6;
/// The confidence of error bars, and of the intervals of what was counted.
const BARS: f64 = 0.95;

/// What one structure answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) asked: u64,
    pub(super) wrong: u64,
    /// What the structure itself says of its rate.
    pub(super) told: Told,
}

/// A rate that a structure states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    value: f64,
    lower: f64,
    upper: f64,
    confidence: f64,
}

impl Told {
    /// A planted fault: what the structure would state if it stated this multiple of its rate.
    pub(super) fn times(self, factor: f64) -> Self {
        let [value, lower, upper] = [self.value, self.lower, self.upper].map(|rate| factor * rate);
        Self { value, lower, upper, ..self }
    }
}

impl From<Estimate> for Told {
    fn from(told: Estimate) -> Self {
        let confidence = told.guarantee().confidence();
        Self { value: told.value(), lower: told.lower(), upper: told.upper(), confidence }
    }
}

impl From<f64> for Told {
    /// Stated as exact.
    fn from(rate: f64) -> Self {
        Self { value: rate, lower: rate, upper: rate, confidence: 1.0 }
    }
}

/// What theory says of the mean rate over all hash functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// It is this.
    Mean,
    /// It is this at most.
    AtMost,
}

/// Independent structures of one sort.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Where it lies, to be read after 'at'.
    pub(super) name: String,
    /// Where it lies on the horizontal axis.
    pub(super) x: f64,
    /// The rate to expect.
    pub(super) expected: f64,
    /// How far the formula may be off: what one item more or less would change.
    pub(super) step: f64,
    pub(super) runs: Vec<Run>,
}

impl Place {
    pub(super) fn asked(&self) -> u64 {
        self.runs.iter().map(|run| run.asked).sum()
    }

    pub(super) fn wrong(&self) -> u64 {
        self.runs.iter().map(|run| run.wrong).sum()
    }

    /// The share of wrong answers, in percent.
    pub(super) fn percent(&self) -> f64 {
        100.0 * self.wrong() as f64 / self.asked() as f64
    }

    /// The 95 % interval of that share, in percent.
    pub(super) fn bars(&self) -> (f64, f64) {
        let (lower, upper) = clopper_pearson(self.wrong(), self.asked(), BARS);
        (100.0 * lower, 100.0 * upper)
    }

    /// The mean of what the structures say themselves.
    pub(super) fn told(&self) -> Summary {
        Summary::of(&self.runs.iter().map(|run| run.told.value).collect::<Vec<f64>>())
    }

    /// The measured share with its bars.
    pub(super) fn point(&self) -> Point {
        let (lower, upper) = self.bars();
        Point::new(self.x, self.percent()).with_bounds(lower, upper)
    }

    /// The share against the rate to expect. The structures differ, and the answers of each are a sample: half of the false
    /// alarms for either.
    pub(super) fn follows(&self, law: Law, false_alarm: f64) -> Check {
        let (asked, freedom) = (self.asked(), self.runs.len() as f64 - 1.0);
        let (fewest, most) = binomial_band(asked, self.expected, false_alarm / 2.0);
        let spread = student(freedom, false_alarm / 2.0) * self.told().standard_error + self.step;
        let lower = fewest / asked as f64 - spread;
        Check {
            place: self.name.clone(),
            value: self.percent(),
            expected: 100.0 * self.expected,
            lower: if law == Law::Mean && lower > 0.0 { 100.0 * lower } else { f64::NEG_INFINITY },
            upper: 100.0 * (most / asked as f64 + spread),
        }
    }

    /// The share against what the structures say themselves: given their contents the answers are a sample.
    pub(super) fn as_told(&self, false_alarm: f64) -> Check {
        let asked = self.asked();
        let mean = |bound: fn(&Told) -> f64| {
            let sum: f64 = self.runs.iter().map(|run| bound(&run.told) * run.asked as f64).sum();
            (sum / asked as f64).min(1.0)
        };
        let (fewest, _) = binomial_band(asked, mean(|told| told.lower), false_alarm);
        let (_, most) = binomial_band(asked, mean(|told| told.upper), false_alarm);
        Check {
            place: self.name.clone(),
            value: self.percent(),
            expected: 100.0 * mean(|told| told.value),
            lower: if fewest > 0.0 { 100.0 * fewest / asked as f64 } else { f64::NEG_INFINITY },
            upper: 100.0 * most / asked as f64,
        }
    }

    /// How many of the structures' intervals meet the 95 % interval of what was counted in the same structure: of intervals
    /// that are right, at least 95 %.
    pub(super) fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for Run { asked, wrong, told } in &self.runs {
            let (lower, upper) = clopper_pearson(*wrong, *asked, BARS);
            let confidence = BARS * told.confidence;
            coverage
                .add_interval(Guarantee::Proven { confidence }, told.lower <= upper && told.upper >= lower);
        }
        coverage
    }
}
