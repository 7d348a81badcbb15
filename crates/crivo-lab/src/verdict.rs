//! Claims, judged by numbers.

use std::fmt;

use crivo_report::plural;
use serde::{Deserialize, Serialize};

use crate::significant;

/// What the data say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The data support the claim.
    Holds,
    /// The data contradict the claim.
    Fails,
    /// A finding about time. It depends on the machine, so it neither holds nor fails.
    Reported,
    /// The data of this run admit every possible value, so they cannot decide.
    NotJudged,
}

impl Standing {
    fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }

    /// The word of `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Reported => "reported",
            Self::NotJudged => "not_judged",
        }
    }
}

/// One claim about the data, and what the data say of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The claim, as a sentence.
    pub claim: String,
    /// What the data say of it.
    pub standing: Standing,
    /// The numbers that decided.
    pub detail: String,
    /// Whether the claim contradicts a document.
    pub erratum: bool,
}

/// A measured value and the interval that theory gives it. An infinite bound is no bound; a check without bounds admits every value
/// and decides nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Where it was measured, read after "at".
    pub place: String,
    /// What was measured.
    pub value: f64,
    /// What theory expects.
    pub expected: f64,
    /// The least value that theory allows.
    pub lower: f64,
    /// The greatest value that theory allows.
    pub upper: f64,
}

impl Check {
    /// The check of a value that cannot leave `least..=greatest`: a bound at or beyond an end of this range is no bound.
    #[must_use]
    pub fn of_range(self, least: f64, greatest: f64) -> Self {
        Self {
            lower: if self.lower <= least { f64::NEG_INFINITY } else { self.lower },
            upper: if self.upper >= greatest { f64::INFINITY } else { self.upper },
            ..self
        }
    }

    /// Whether every value is inside.
    fn admits_everything(&self) -> bool {
        self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY
    }

    /// The distance of the value from the expected one, as a share of the distance to the bound: more than 1 is outside.
    fn nearness(&self) -> f64 {
        let Self { value, expected, lower, upper, .. } = *self;
        if value > expected {
            (value - expected) / (upper - expected)
        } else {
            (expected - value) / (expected - lower)
        }
    }

    fn is_inside(&self) -> bool {
        (self.lower..=self.upper).contains(&self.value)
    }

    fn describe(&self, unit: &str) -> String {
        let shown = |value: f64| significant(value, 4) + unit;
        let (value, expected) = (shown(self.value), shown(self.expected));
        let allowed = match (self.lower.is_finite(), self.upper.is_finite()) {
            (true, true) => format!("{} to {}", shown(self.lower), shown(self.upper)),
            (true, false) => format!("{} or more", shown(self.lower)),
            (false, true) => format!("{} or less", shown(self.upper)),
            (false, false) => "anything".to_owned(),
        };
        format!("at {}: {value}, expected {expected}, allowed {allowed}", self.place)
    }
}

impl Verdict {
    /// A claim, whether it holds, and the numbers that decided.
    pub fn new(claim: impl Into<String>, holds: bool, detail: impl Into<String>) -> Self {
        let standing = Standing::of(holds);
        Self { claim: claim.into(), standing, detail: detail.into(), erratum: false }
    }

    /// A claim that contradicts a document; it states the correction and the reason, and holds if the data support it.
    pub fn erratum(claim: impl Into<String>, holds: bool, detail: impl Into<String>) -> Self {
        Self { erratum: true, ..Self::new(claim, holds, detail) }
    }

    /// A finding about time: it is reported and counts in no sum.
    pub fn reported(finding: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { standing: Standing::Reported, ..Self::new(finding, true, detail) }
    }

    /// A claim that the data of this run cannot decide.
    pub fn not_judged(claim: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { standing: Standing::NotJudged, ..Self::new(claim, true, reason) }
    }

    /// A claim that holds if every value lies in its interval. The detail shows the value that is nearest to a bound, or
    /// farthest beyond it. A check that admits every value decides nothing: if all checks do, the claim is not judged.
    pub fn within(claim: impl Into<String>, unit: &str, checks: impl IntoIterator<Item = Check>) -> Self {
        let all: Vec<Check> = checks.into_iter().collect();
        let checks: Vec<&Check> = all.iter().filter(|check| !check.admits_everything()).collect();
        if checks.is_empty() && !all.is_empty() {
            let reason =
                format!("The data of this run are too few: all {} bands are too wide to decide.", all.len());
            return Self::not_judged(claim, reason);
        }
        let outside = checks.iter().filter(|check| !check.is_inside()).count();
        let worst = checks.iter().max_by(|a, b| a.nearness().total_cmp(&b.nearness()));
        let worst = worst.map_or_else(|| "nothing was measured".to_owned(), |check| check.describe(unit));
        let detail = format!("{outside} of {} values outside; nearest to its limit {worst}.", checks.len());
        Self::new(claim, outside == 0 && !checks.is_empty(), detail)
    }

    /// Whether the data support the claim.
    pub fn holds(&self) -> bool {
        self.standing == Standing::Holds
    }

    /// Whether the data contradict the claim.
    pub fn fails(&self) -> bool {
        self.standing == Standing::Fails
    }

    /// Whether the data decided: whether it holds or fails.
    pub fn is_judged(&self) -> bool {
        self.holds() || self.fails()
    }

    /// The word for people.
    pub fn word(&self) -> &'static str {
        match (self.standing, self.erratum) {
            (Standing::Holds, false) => "holds",
            (Standing::Holds, true) => "contradicts the document",
            (Standing::Fails, _) => "FAILS",
            (Standing::Reported, _) => "reported",
            (Standing::NotJudged, _) => "not judged",
        }
    }
}

/// Verdicts, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Claims that hold, those against a document included.
    pub holding: usize,
    /// Claims that fail.
    pub failing: usize,
    /// Findings about time.
    pub reported: usize,
    /// Claims that the data could not decide.
    pub not_judged: usize,
    /// Claims that hold and contradict a document.
    pub against: usize,
}

impl Tally {
    /// Counts verdicts.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            match verdict.standing {
                Standing::Holds => tally.holding += 1,
                Standing::Fails => tally.failing += 1,
                Standing::Reported => tally.reported += 1,
                Standing::NotJudged => tally.not_judged += 1,
            }
            tally.against += usize::from(verdict.holds() && verdict.erratum);
        }
        tally
    }

    /// How many claims were judged.
    pub fn judged(&self) -> usize {
        self.holding + self.failing
    }
}

/// `4 claims hold, 1 against a document; 2 findings reported; 1 claim not judged`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { holding, failing, reported, not_judged, against } = *self;
        let claims = |number: usize| plural(number as u64, "claim", "claims");
        if failing > 0 {
            write!(f, "{failing} of {} FAIL", claims(self.judged()))?;
        } else {
            write!(f, "{} {}", claims(holding), if holding == 1 { "holds" } else { "hold" })?;
        }
        if against > 0 {
            write!(f, ", {against} against a document")?;
        }
        if reported > 0 {
            write!(f, "; {} reported", plural(reported as u64, "finding", "findings"))?;
        }
        if not_judged > 0 {
            write!(f, "; {} not judged", claims(not_judged))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, lower: f64, upper: f64) -> Check {
        Check { place: format!("n = {value}"), value, expected: 5.0, lower, upper }
    }

    #[test]
    fn one_value_outside_is_enough() {
        let inside = [check(5.0, 4.0, 6.0), check(5.5, 4.0, 6.0), check(6.0, 0.0, f64::INFINITY)];
        let verdict = Verdict::within("so", " %", inside.clone());
        let expected = "0 of 3 values outside; nearest to its limit at n = 5.5: 5.5 %, expected 5 %, allowed 4 % to 6 %.";
        assert_eq!((verdict.holds(), verdict.detail.as_str()), (true, expected));
        let verdict = Verdict::within("so", "", inside.into_iter().chain([check(3.9, 4.0, f64::INFINITY)]));
        let expected =
            "1 of 4 values outside; nearest to its limit at n = 3.9: 3.9, expected 5, allowed 4 or more.";
        assert_eq!((verdict.holds(), verdict.detail.as_str()), (false, expected));
    }

    #[test]
    fn what_is_no_number_or_not_measured_does_not_pass() {
        assert!(!Verdict::within("so", "", [check(f64::NAN, 4.0, 6.0)]).holds());
        assert!(!Verdict::within("so", "", [check(5.0, f64::NAN, 6.0)]).holds());
        assert!(!Verdict::within("so", "", []).holds());
    }

    #[test]
    fn a_band_that_admits_everything_judges_nothing() {
        let everything = check(5.0, f64::NEG_INFINITY, f64::INFINITY);
        let standing = |checks: &[Check]| Verdict::within("so", "", checks.to_vec()).standing;
        assert_eq!(standing(std::slice::from_ref(&everything)), Standing::NotJudged);
        // A share between 0 and 100 % that may be anything from 0 to 102 %.
        let share = check(5.0, 0.0, 102.0);
        assert_eq!(standing(std::slice::from_ref(&share)), Standing::Holds);
        assert_eq!(standing(&[share.of_range(0.0, 100.0)]), Standing::NotJudged);
        assert_eq!(standing(&[everything.clone(), check(5.0, 4.0, 6.0)]), Standing::Holds);
        assert_eq!(standing(&[everything, check(7.0, 4.0, 6.0)]), Standing::Fails);
        assert_eq!(standing(&[]), Standing::Fails, "nothing was measured");
    }

    #[test]
    fn what_is_reported_or_not_judged_counts_in_no_sum() {
        let verdicts = [
            Verdict::new("a", true, ""),
            Verdict::new("b", false, ""),
            Verdict::erratum("c", true, ""),
            Verdict::erratum("d", false, ""),
            Verdict::reported("e", ""),
            Verdict::not_judged("f", ""),
        ];
        let tally = Tally::of(&verdicts);
        assert_eq!(tally, Tally { holding: 2, failing: 2, reported: 1, not_judged: 1, against: 1 });
        assert_eq!(tally.judged(), 4);
    }
}
