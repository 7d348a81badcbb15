//! The rules of a table, as a TOML file has them.

use super::figures::{Age, Bounds, Point, Rank, Share, TypeName, Value};
use crate::input::read_up_to;
use crate::session::Session;
use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    #[serde(default)]
    pub(super) table: TableRules,
    #[serde(default)]
    pub(super) columns: BTreeMap<String, ColumnRules>,
    pub(super) drift: Option<DriftRules>,
}

/// What holds for the table as a whole.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableRules {
    pub(super) rows: Option<Bounds<u64>>,
    /// Whether columns without rules may occur.
    pub(super) other_columns: Option<bool>,
}

/// What holds for a column, which must be there.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnRules {
    /// Whether the column may be absent.
    #[serde(default)]
    pub(super) optional: bool,
    #[serde(rename = "type")]
    pub(super) column_type: Option<TypeName>,
    pub(super) missing: Option<Bounds<Share>>,
    pub(super) distinct: Option<Bounds<u64>>,
    #[serde(default)]
    pub(super) unique: bool,
    pub(super) range: Option<Bounds<Point>>,
    pub(super) values: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) quantiles: BTreeMap<Rank, Bounds<Point>>,
    pub(super) max_age: Option<Age>,
    pub(super) contained_in: Option<Elsewhere>,
}

/// No change since another table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DriftRules {
    pub(super) since: PathBuf,
    /// The smallest effect that breaks the rule.
    pub(super) at_least: Share,
    /// The largest probability that any comparison is a false alarm.
    #[serde(default = "usual_false_alarms")]
    pub(super) false_alarms: Share,
    #[serde(default)]
    pub(super) ignore: Vec<String>,
}

fn usual_false_alarms() -> Share {
    Share(0.05)
}

/// A column of another file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(
    deny_unknown_fields,
    expecting = "a file and a column such as { file = \"planes.csv\", column = \"tailnum\" }"
)]
pub(super) struct Elsewhere {
    pub(super) file: PathBuf,
    pub(super) column: String,
}

impl Rules {
    /// The rules in a file.
    pub(super) fn read(path: &Path, session: &Session) -> Result<Self> {
        /// More than anybody writes.
        const MOST: u64 = 16 << 20;
        let read = || {
            session.will_read(path)?;
            let bytes =
                read_up_to(session.open_plain(path)?, MOST)?.context("has more than 16 MiB of rules")?;
            let text = String::from_utf8(bytes).ok().context("is not UTF-8, as TOML is; save it as UTF-8")?;
            Self::parse(&text)
        };
        read().with_context(|| path.display().to_string())
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
        let rules: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow!("line {line}: {}", error.message().trim_end())
        })?;
        rules.check()?;
        Ok(rules)
    }

    /// Refuses rules that say nothing, or that nothing could follow.
    fn check(&self) -> Result<()> {
        if self.table.rows.is_none()
            && self.table.other_columns != Some(false)
            && self.columns.is_empty()
            && self.drift.is_none()
        {
            bail!("there is no rule; 'crivo check learn FILE' writes rules to begin with");
        }
        self.table.rows.map_or(Ok(()), |rows| rows.check("table.rows"))?;
        for (name, column) in &self.columns {
            let name = |rule: &str| format!("columns.{name}.{rule}");
            column.missing.map_or(Ok(()), |it| it.check(&name("missing")))?;
            column.distinct.map_or(Ok(()), |it| it.check(&name("distinct")))?;
            column.range.map_or(Ok(()), |it| it.check_points(&name("range")))?;
            let mut quantiles = column.quantiles.values();
            quantiles.try_for_each(|it| it.check_points(&name("quantiles")))?;
            if column.values.as_ref().is_some_and(Vec::is_empty) {
                bail!("{} allows no value; name the allowed ones", name("values"));
            }
        }
        if let Some(drift) = &self.drift {
            let open = |share: Share| 0.0 < share.0 && share.0 < 1.0;
            if drift.at_least.0 <= 0.0 {
                bail!(
                    "drift.at_least must be above 0: the smallest change that breaks the rule, such as \"1%\""
                );
            }
            if !open(drift.false_alarms) {
                bail!("drift.false_alarms must be above 0 and below 1, such as \"5%\"");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_rule_can_say() {
        let rules = Rules::parse(
            "[table]
rows = { at_least = 10, at_most = 1_000 }
other_columns = false
[columns.\"a.b\"]
optional = true
type = \"float\"
missing = { at_most = \"2.5%\" }
distinct = { at_least = 3 }
unique = true
range = { at_least = -1, at_most = 1.5 }
quantiles.\"50%\" = { at_least = 0 }
quantiles.p9 = { at_most = 2026-01-31 }
max_age = \"26h\"
values = [1, 2.5, \"x\", true, 2026-01-31]
contained_in = { file = \"b.csv\", column = \"c\" }
[drift]
since = \"monday.crv\"
at_least = 0.01
ignore = [\"id\"]
",
        )
        .unwrap();
        let column = &rules.columns["a.b"];
        assert!(column.optional && column.unique && rules.table.other_columns == Some(false));
        assert_eq!(column.missing.unwrap().at_most, Some(Share(0.025)));
        let values: Vec<&str> = column.values.iter().flatten().map(|value| value.0.as_str()).collect();
        assert_eq!(values, ["1", "2.5", "x", "true", "2026-01-31"]);
        let ranks: Vec<f64> = column.quantiles.keys().map(|rank| rank.0).collect();
        assert_eq!(ranks, [0.09, 0.5]);
        assert_eq!(column.range.unwrap().words(Point::words), "-1 to 1.5");
        assert_eq!(column.max_age.unwrap().0.as_secs(), 26 * 3600);
        assert_eq!(rules.drift.unwrap().false_alarms, Share(0.05));
    }

    /// An error says where, what was expected, and what came.
    #[test]
    fn wrong_rules_are_refused() {
        for (text, words) in [
            ("", &["no rule", "check learn"][..]),
            ("[table]\nrow = 1", &["line 2", "unknown field `row`", "rows"]),
            ("[columns.x]\n\nmissing = \"1%\"", &["line 3", "\"1%\"", "at_most = 9"]),
            ("[columns.x]\nmissing = { at_most = \"1\" }", &["line 2", "a share from 0 to 1"]),
            ("[columns.x]\nmissing = { at_most = 5 }", &["line 2", "a share from 0 to 1"]),
            ("[columns.x]\nmissing = {}", &["columns.x.missing needs at_least"]),
            ("[columns.x]\ntype = \"int\"", &["line 2", "`int`", "`integer`"]),
            ("[columns.x]\nrange = { at_least = 2, at_most = 1 }", &["columns.x.range", "above at_most"]),
            ("[columns.x]\nrange = { at_least = \"soon\" }", &["line 2", "'soon'", "2026-01-31"]),
            ("[columns.x]\nrange = { at_least = 1, at_most = 2026-01-31 }", &["a time and the other"]),
            ("[columns.x]\nquantiles = { best = { at_least = 2 } }", &["50%", "best"]),
            ("[columns.x]\nvalues = []", &["allows no value"]),
            ("[columns.x]\nmax_age = \"2 fortnights\"", &["line 2", "90s"]),
            ("[columns.x]\ncontained_in = \"b.csv\"", &["line 2", "planes.csv"]),
            ("[drift]\nat_least = 0.1", &["line 1", "missing field `since`"]),
            ("[drift]\nsince = \"x\"\nat_least = 0", &["drift.at_least must be above 0"]),
            ("[drift]\nsince = \"x\"\nat_least = 0.1\nfalse_alarms = 1", &["drift.false_alarms"]),
            ("rows = [", &["line 1"]),
        ] {
            let error = Rules::parse(text).unwrap_err().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
    }
}
