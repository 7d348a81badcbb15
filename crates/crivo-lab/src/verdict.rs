//! Claims, judged by numbers.

use serde::{Deserialize, Serialize};

use crate::significant;

/// One claim about the data, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What should be so.
    pub claim: String,
    /// Whether it is.
    pub passed: bool,
    /// The numbers that decided.
    pub detail: String,
    /// Whether the claim says that a document is wrong, and why.
    pub erratum: bool,
}

/// A measured value and the interval that theory gives it; an infinite bound is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Where it was measured, to be read after 'at'.
    pub place: String,
    /// What was measured.
    pub value: f64,
    /// What theory expects.
    pub expected: f64,
    /// The least that theory lets be.
    pub lower: f64,
    /// The most that theory lets be.
    pub upper: f64,
}

impl Check {
    /// How much of the way from what is expected to the bound the value has gone: more than 1 is outside.
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
    pub fn new(claim: impl Into<String>, passed: bool, detail: impl Into<String>) -> Self {
        Self { claim: claim.into(), passed, detail: detail.into(), erratum: false }
    }

    /// A claim that what a document prints is wrong, to be worded "The document is wrong here: …, because …"; it holds when
    /// the data show so.
    pub fn erratum(claim: impl Into<String>, passed: bool, detail: impl Into<String>) -> Self {
        Self { erratum: true, ..Self::new(claim, passed, detail) }
    }

    /// A claim that holds when every value lies in its interval. The detail shows the one nearest to a bound, or
    /// farthest beyond it.
    pub fn within(claim: impl Into<String>, unit: &str, checks: impl IntoIterator<Item = Check>) -> Self {
        let checks: Vec<Check> = checks.into_iter().collect();
        let outside = checks.iter().filter(|check| !check.is_inside()).count();
        let worst = checks.iter().max_by(|a, b| a.nearness().total_cmp(&b.nearness()));
        let worst = worst.map_or_else(|| "nothing was measured".to_owned(), |check| check.describe(unit));
        let detail = format!("{outside} of {} outside; nearest to the limit {worst}.", checks.len());
        Self::new(claim, outside == 0 && !checks.is_empty(), detail)
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
        let expected =
            "0 of 3 outside; nearest to the limit at n = 5.5: 5.5 %, expected 5 %, allowed 4 % to 6 %.";
        assert_eq!((verdict.passed, verdict.detail.as_str()), (true, expected));
        let verdict = Verdict::within("so", "", inside.into_iter().chain([check(3.9, 4.0, f64::INFINITY)]));
        let expected = "1 of 4 outside; nearest to the limit at n = 3.9: 3.9, expected 5, allowed 4 or more.";
        assert_eq!((verdict.passed, verdict.detail.as_str()), (false, expected));
    }

    #[test]
    fn what_is_no_number_or_not_measured_does_not_pass() {
        assert!(!Verdict::within("so", "", [check(f64::NAN, 4.0, 6.0)]).passed);
        assert!(!Verdict::within("so", "", [check(5.0, f64::NAN, 6.0)]).passed);
        assert!(!Verdict::within("so", "", []).passed);
    }
}
