//! Conditions on a column.

use crivo::Number;
use crivo::profile::ColumnType;
use std::cmp::Ordering;

/// `COLUMN OP VALUE`: which records count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Where {
    /// As it was given.
    pub(crate) text: String,
    pub(crate) column: String,
    comparison: Comparison,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// What the values of the column are compared with.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(Number),
    /// As seconds since 1970.
    Time(Number),
    Text(Vec<u8>),
}

impl Value {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        match (Number::parse(bytes), ColumnType::time(bytes)) {
            (Some(number), _) => Self::Number(number),
            (None, Some((_, seconds, _))) => Self::Time(seconds),
            (None, None) => Self::Text(bytes.to_vec()),
        }
    }

    /// How a value of the column compares with this one; `None` if it is of another sort.
    fn compare(&self, found: &[u8]) -> Option<Ordering> {
        match self {
            Self::Number(value) => Number::parse(found)?.partial_cmp(value),
            Self::Time(value) => ColumnType::time(found)?.1.partial_cmp(value),
            Self::Text(value) => Some(found.cmp(value)),
        }
    }
}

impl Where {
    /// Whether the condition holds for a value of the column; `None` if the value cannot be compared. It does not hold
    /// for a missing value.
    pub(crate) fn holds(&self, found: &[u8]) -> Option<bool> {
        if found.is_empty() {
            return Some(false);
        }
        let ordering = match (self.value.compare(found), self.comparison) {
            (Some(ordering), _) => ordering,
            // A text does not equal a number.
            (None, Comparison::Equal) => return Some(false),
            (None, Comparison::NotEqual) => return Some(true),
            (None, _) => return None,
        };
        Some(match self.comparison {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Below => ordering.is_lt(),
            Comparison::AtMost => ordering.is_le(),
            Comparison::Above => ordering.is_gt(),
            Comparison::AtLeast => ordering.is_ge(),
        })
    }

    /// What precedes a value of the column where values of several columns could be kept: its name, which has no `=`, and a
    /// `=`.
    pub(crate) fn label(&self) -> Vec<u8> {
        format!("{}=", self.column).into_bytes()
    }

    /// `number` or `time`: what the values of the column should be.
    pub(crate) fn noun(&self) -> &'static str {
        if matches!(self.value, Value::Time(_)) { "time" } else { "number" }
    }
}

/// The longer ones first; `==` is what many languages write.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Below),
    (">", Comparison::Above),
];

/// `COLUMN OP VALUE`, blanks around the operator allowed.
pub(crate) fn parse_where(text: &str) -> Result<Where, String> {
    const EXAMPLE: &str = "for example 'status>=500', 'method!=GET' or 'day<2026-11-18'";
    const OPERATORS: [char; 4] = ['=', '!', '<', '>'];
    let split = |at: usize| {
        let found = COMPARISONS.iter().find(|(name, _)| text[at..].starts_with(name));
        found.map(|&(name, comparison)| (&text[..at], comparison, &text[at + name.len()..]))
    };
    let Some((column, comparison, value)) = text.match_indices(OPERATORS).find_map(|(at, _)| split(at))
    else {
        return Err(format!("expected a column, one of = != < <= > >=, and a value, {EXAMPLE}"));
    };
    let (column, value) = (column.trim(), value.trim());
    if column.is_empty() {
        return Err(format!("there is no column before the operator; {EXAMPLE}"));
    }
    if value.is_empty() {
        return Err(format!("there is no value after the operator; {EXAMPLE}"));
    }
    if value.starts_with(OPERATORS) {
        return Err(format!(
            "expected one of = != < <= > >= and then a value, got '{value}' after it; {EXAMPLE}"
        ));
    }
    Ok(Where { text: text.trim().into(), column: column.into(), comparison, value: Value::new(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_numbers_times_and_texts() {
        for (condition, found, holds) in [
            ("a>5", "5.5", Some(true)),
            ("a > 5", "5", Some(false)),
            ("a>=5", "5.0", Some(true)),
            ("a<5", "-1e3", Some(true)),
            ("a<=5", "5.1", Some(false)),
            ("a=5", "5.00", Some(true)),
            ("a==5", "5", Some(true)),
            ("a!=5", "5", Some(false)),
            ("a=5", "five", Some(false)),
            ("a!=5", "five", Some(true)),
            ("a<5", "five", None),
            ("a>5", "", Some(false)),
            ("a!=5", "", Some(false)),
            ("a<2013-02-01", "2013-01-31T23:59:59", Some(true)),
            ("a>=2013-02-01", "2013-01-31", Some(false)),
            ("a=2013-02-01", "2013-02-01T00:00:00Z", Some(true)),
            ("a<2013-02-01", "7", None),
            ("a=JFK", "JFK", Some(true)),
            ("a!=JFK", "EWR", Some(true)),
            ("a<M", "JFK", Some(true)),
            ("a=9007199254740993", "9007199254740992", Some(false)),
        ] {
            let parsed = parse_where(condition).unwrap();
            assert_eq!(
                (&*parsed.column, parsed.holds(found.as_bytes())),
                ("a", holds),
                "{condition} {found}"
            );
        }
        assert_eq!(parse_where("sold at>2013-01-01").unwrap().column, "sold at");
        assert_eq!(parse_where("a!b>3").unwrap().column, "a!b", "'!' alone is no operator");
    }

    #[test]
    fn bad_conditions_say_what_is_expected() {
        for (bad, says) in [
            ("", "expected a column"),
            ("status", "expected a column"),
            ("=5", "no column"),
            ("status>", "no value"),
            ("status=>5", "'>5'"),
            ("status===5", "'=5'"),
            ("status<>5", "'>5'"),
        ] {
            let error = parse_where(bad).unwrap_err();
            assert!(error.contains(says) && error.contains("for example"), "{bad}: {error}");
        }
    }
}
