//! The data of an experiment: named columns, written as CSV, JSON and Markdown.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::significant;

/// One value of a [`Table`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A count.
    Count(u64),
    /// A measured or computed quantity; written empty (CSV) or `null` (JSON) when not finite.
    Real(#[serde(deserialize_with = "real_or_null")] f64),
    /// A name.
    Text(String),
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Cell {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Cell {
    /// Exact: a reader gets back the very same number.
    fn csv(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Real(real) if real.is_finite() => real.to_string(),
            Self::Real(_) => String::new(),
            Self::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => text.clone(),
        }
    }

    /// Four significant digits: for reading.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Real(real) if real.is_finite() => significant(*real, 4),
            Self::Real(_) => "–".to_owned(),
            Self::Count(count) => count.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// What is not finite is written as `null`.
fn real_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A table of results: the whole of what was measured, from which plots and verdicts are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    name: Cow<'static, str>,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table. The name goes into the file name; a column is named with its unit.
    pub fn new(name: &'static str, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { name: name.into(), columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has not one cell per column: the experiment is written wrong.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = row.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "table `{}`: one cell per column", self.name);
        self.rows.push(row);
    }

    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows, in the order they were measured.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as CSV (RFC 4180, with `\n`), header first.
    pub fn to_csv(&self) -> String {
        let header = self.columns.iter().map(|column| Cell::from(column.as_str()).csv()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::csv).collect());
        std::iter::once(header).chain(rows).map(|cells: Vec<String>| cells.join(",") + "\n").collect()
    }

    /// At most `limit` rows, evenly spaced and ending with the last, as a Markdown table.
    pub fn to_markdown(&self, limit: usize) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.columns.clone());
        text += &line(vec!["---:".to_owned(); self.columns.len()]);
        for row in self.excerpt(limit) {
            text += &line(row.iter().map(|cell| cell.shown().replace('|', "\\|")).collect());
        }
        text
    }

    /// At most `limit` rows, evenly spaced and ending with the last.
    pub(crate) fn excerpt(&self, limit: usize) -> impl Iterator<Item = &[Cell]> {
        let shown = limit.min(self.rows.len());
        (1..=shown).map(move |i| self.rows[i * self.rows.len() / shown - 1].as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new("data", ["n", "rate (%)", "who"]);
        table.push([1.into(), 0.1.into(), "a,b".into()]);
        table.push([2.into(), f64::INFINITY.into(), "say \"x\"".into()]);
        table.push([3.into(), 1_234.567_89.into(), "c".into()]);
        table
    }

    #[test]
    fn csv_quotes_and_leaves_the_infinite_empty() {
        let expected = "n,rate (%),who\n1,0.1,\"a,b\"\n2,,\"say \"\"x\"\"\"\n3,1234.56789,c\n";
        assert_eq!(sample().to_csv(), expected);
    }

    #[test]
    fn json_turns_the_infinite_into_null_and_is_read_again() {
        let json = serde_json::to_string(&sample()).unwrap();
        assert!(json.contains(r#"[2,null,"say \"x\""]"#), "{json}");
        let read: Table = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
        assert!(matches!(read.rows[1][1], Cell::Real(value) if value.is_nan()));
    }

    #[test]
    fn markdown_shows_the_last_row_and_no_more_than_asked() {
        let text = sample().to_markdown(2);
        assert_eq!(text.lines().count(), 4);
        assert_eq!(text.lines().last(), Some("| 3 | 1235 | c |"));
        assert_eq!(Table::new("none", ["n"]).to_markdown(5), "| n |\n| ---: |\n");
    }
}
