//! Conditions to wait for.

use super::parse_count;
use anyhow::{Result, bail};
use crivo::Number;

/// `count>1000`: what is watched, and when to speak up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct When {
    /// As it was given.
    pub(crate) text: String,
    pub(crate) what: What,
    pub(crate) side: Side,
    pub(crate) limit: Number,
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Count,
    Distinct,
    /// The value at this share of the ranks: 0.99 for `p99`.
    Quantile(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl When {
    /// Refuses a condition on another quantity.
    pub(crate) fn check_is(&self, wanted: What, example: &str) -> Result<()> {
        if std::mem::discriminant(&self.what) != std::mem::discriminant(&wanted) {
            bail!("--when '{}' is not available here; expected a condition such as {example}", self.text);
        }
        Ok(())
    }

    /// Whether it holds for all values from `lower` to `upper`.
    pub(crate) fn holds(&self, lower: impl Into<Number>, upper: impl Into<Number>) -> bool {
        let (lower, upper) = (lower.into(), upper.into());
        match self.side {
            Side::Above => lower > self.limit,
            Side::AtLeast => lower >= self.limit,
            Side::Below => upper < self.limit,
            Side::AtMost => upper <= self.limit,
        }
    }
}

/// `NAME>NUMBER`, also with `>=`, `<` and `<=`, blanks allowed.
pub(crate) fn parse_when(text: &str) -> std::result::Result<When, String> {
    const EXAMPLE: &str = "for example 'count>1000', 'distinct>=1e6' or 'p99>250'";
    let Some(at) = text.find(['<', '>']) else {
        return Err(format!("expected a name, > or <, and a number, {EXAMPLE}"));
    };
    let (name, rest) = text.split_at(at);
    let (side, number) = match rest.strip_prefix(">=").map(|number| (Side::AtLeast, number)) {
        Some(found) => found,
        None => match rest.strip_prefix("<=") {
            Some(number) => (Side::AtMost, number),
            None if rest.starts_with('>') => (Side::Above, &rest[1..]),
            None => (Side::Below, &rest[1..]),
        },
    };
    let what = match name.trim() {
        "count" => What::Count,
        "distinct" => What::Distinct,
        name => match name.strip_prefix('p').and_then(|percent| percent.parse::<f64>().ok()) {
            Some(percent) if (0.0..=100.0).contains(&percent) => What::Quantile(percent / 100.0),
            _ => return Err(format!("'{name}' is not count, distinct or p0 to p100; {EXAMPLE}")),
        },
    };
    let number = number.trim();
    let short = || Number::parse(parse_count(number).ok()?.to_string().as_bytes());
    match Number::parse(number.replace('_', "").as_bytes()).or_else(short) {
        Some(limit) if limit.to_f64().is_finite() && number.starts_with(|c: char| c != '_') => {
            let rises = matches!(side, Side::Above | Side::AtLeast);
            if !rises && !matches!(what, What::Quantile(_)) {
                return Err(format!(
                    "a {} only grows, so it begins below any limit; use > or >=",
                    name.trim()
                ));
            }
            Ok(When { text: text.into(), what, side, limit })
        }
        _ => Err(format!("'{number}' is not a number; {EXAMPLE}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        for (text, what, side, limit) in [
            ("count>1000", What::Count, Side::Above, 1000.0),
            (" distinct >= 1e6 ", What::Distinct, Side::AtLeast, 1e6),
            ("count>1_000", What::Count, Side::Above, 1000.0),
            ("count>10k", What::Count, Side::Above, 10_000.0),
            ("p99>250", What::Quantile(0.99), Side::Above, 250.0),
            ("p99.5<=-0.5", What::Quantile(0.995), Side::AtMost, -0.5),
            ("p50<3", What::Quantile(0.5), Side::Below, 3.0),
        ] {
            let limit = Number::from(limit);
            assert_eq!(parse_when(text), Ok(When { text: text.into(), what, side, limit }), "{text}");
        }
        for (bad, says) in [
            ("", "a number"),
            ("count", "> or <"),
            ("count=3", "> or <"),
            ("counts>3", "not count"),
            ("p101>3", "p0 to p100"),
            ("p>3", "p0 to p100"),
            ("count>", "not a number"),
            ("count>x", "not a number"),
            ("count>inf", "not a number"),
            ("count>>3", "not a number"),
            ("count<3", "only grows"),
            ("distinct<=3", "only grows"),
        ] {
            assert!(parse_when(bad).unwrap_err().contains(says), "{bad}: {:?}", parse_when(bad));
        }
    }

    #[test]
    fn the_bound_that_is_surely_on_the_side_decides() {
        let holds = |text: &str| parse_when(text).unwrap().holds(10.0, 20.0);
        assert!(holds("count>9") && !holds("count>10") && holds("count>=10") && !holds("count>15"));
        assert!(holds("p50<21") && !holds("p50<20") && holds("p50<=20") && !holds("p50<15"));
    }
}
