//! `crivo check learn`: first rules, from a table that is as it should be.

use crate::cmd::tables::TableArgs;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::profile::{ColumnSummary, ColumnType, Key};
use crivo::stats::clopper_pearson;
use crivo::{Number, TableProfile};
use crivo_report::{Page, Records, Report, one_line, significant};
use std::path::PathBuf;

/// Write rules for 'crivo check' that a table follows, as TOML
///
/// The rules leave room for chance: another table of the same distribution and size follows them, too. They are a start:
/// read them, and delete or change what is not meant. There are rules for types, missing values, keys, signs, categories
/// and medians, and, from a saved profile, for the drift since this table.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo check learn monday.csv > rules.toml
  crivo profile monday.csv --save monday.crv && crivo check learn monday.crv > rules.toml")]
pub(super) struct Learn {
    /// Files to read, plain, gzip or zstd, or a saved profile; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    tables: TableArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// The rules, as TOML.
pub(crate) struct Learnt(String);

impl Report for Learnt {
    fn text(&self, page: &mut Page) {
        page.bytes(self.0.as_bytes());
    }

    fn records(&self, _records: &mut Records) {}
}

impl Verb for Learn {
    type Report = Learnt;

    fn manner(&self) -> Manner {
        Manner { quiet: self.quiet, ..Manner::default() }
    }

    fn run(self, session: &Session) -> Result<Learnt> {
        let saved = match &self.files[..] {
            [file] => self.tables.saved(file, session)?.map(|table| (file, table)),
            _ => None,
        };
        let Some((file, table)) = saved else {
            let like = self.tables.like(None, session)?;
            let profiled = self.tables.read(&self.files, &[], "--column", like, session)?.profiled()?;
            return Ok(Learnt(rules_of(profiled.only_table()?, &profiled.name(), None)));
        };
        self.tables.check_reads(file)?;
        let name = file.display().to_string();
        Ok(Learnt(rules_of(&table, &name, file.to_str())))
    }
}

/// The probability that a rule fails by chance.
const CHANCE: f64 = 0.001;

/// The rules of a table, as TOML, with one of drift since the profile that is saved in a file.
pub(super) fn rules_of(table: &TableProfile, name: &str, since: Option<&str>) -> String {
    let mut lines = vec![format!("# Rules for crivo check, learnt from {}.", one_line(name))];
    let rows = table.rows();
    if rows > 0 {
        let bounds = format!("{{ at_least = {}, at_most = {} }}", rows / 2, rows.saturating_mul(2));
        lines.extend([String::new(), "[table]".into(), format!("rows = {bounds}")]);
    }
    let mut passing = Vec::new();
    for (name, column) in table.columns() {
        let summary = column.summary();
        lines.extend([String::new(), format!("[columns.{}]", key(name))]);
        lines.extend(column_rules(&summary));
        // The next table has other keys and other times.
        if is_key(&summary) || summary.column_type().is_time() {
            passing.push(quoted(name));
        }
    }
    if let Some(since) = since {
        let rules = [format!("since = {}", quoted(since)), "at_least = \"10%\"".into()];
        lines.extend([String::new(), "[drift]".into()].into_iter().chain(rules));
        if !passing.is_empty() {
            lines.push(format!("ignore = [{}]", passing.join(", ")));
        }
    }
    lines.join("\n") + "\n"
}

fn is_key(summary: &ColumnSummary) -> bool {
    summary.key() != Key::No && matches!(summary.column_type(), ColumnType::Integer | ColumnType::Text)
}

fn column_rules(summary: &ColumnSummary) -> Vec<String> {
    let (found, mut lines) = (summary.column_type(), Vec::new());
    if !matches!(found, ColumnType::Text | ColumnType::Empty) {
        lines.push(format!("type = \"{}\"", found.name()));
    }
    if let Some(percent) = most_missing(summary) {
        lines.push(format!("missing = {{ at_most = \"{percent}%\" }}"));
    }
    if is_key(summary) {
        lines.push("unique = true".into());
    } else if let Some(values) = categories(summary) {
        lines.push(format!("values = [{}]", values.join(", ")));
    }
    if found.is_number() {
        let least = summary.minimum().and_then(Number::parse);
        if least.is_some_and(|least| least.to_f64() >= 0.0) {
            lines.push("range = { at_least = 0 }".into());
        }
        if let Some([from, to]) = middle(summary).filter(|_| !is_key(summary)) {
            lines.push(format!("quantiles.\"50%\" = {{ at_least = {from}, at_most = {to} }}"));
        }
    }
    lines
}

/// The percentage of missing values that another table exceeds only by chance: 0 where none are missing, and none where all
/// may be.
fn most_missing(summary: &ColumnSummary) -> Option<String> {
    let (missing, rows) = (summary.missing(), summary.rows());
    if missing == 0 {
        return (rows > 0).then(|| "0".into());
    }
    // The share that the first table leaves possible, and then the share of the second.
    let upper = |missing: u64| clopper_pearson(missing, rows, 1.0 - CHANCE).1;
    let percent = 100.0 * upper((upper(missing) * rows as f64).ceil() as u64);
    let digits = 10f64.powf(1.0 - percent.log10().floor());
    let percent = (percent * digits).ceil() / digits;
    (percent < 100.0).then(|| significant(percent, 2))
}

/// The values of a column of few texts, if all of them occur so often that another one is seldom overlooked.
fn categories(summary: &ColumnSummary) -> Option<Vec<String>> {
    /// More are no categories.
    const MOST: usize = 50;
    // A value that is expected this often is absent with a probability of e^-7, less than CHANCE.
    const OFTEN: u64 = 7;
    let (values, found) = (summary.known(), summary.column_type());
    let are_few = summary.is_exact() && (1..=MOST).contains(&values.len());
    if !are_few || !matches!(found, ColumnType::Text | ColumnType::Boolean) {
        return None;
    }
    let text = |value: crivo::profile::KnownValue<'_>| {
        let is_kept = value.least >= OFTEN && !value.truncated;
        std::str::from_utf8(value.value).ok().filter(|_| is_kept).map(quoted)
    };
    values.map(text).collect()
}

/// The bounds of the median: a tenth of the ranks to either side, or further in small tables, where chance moves it more.
fn middle(summary: &ColumnSummary) -> Option<[String; 2]> {
    const ROOM: f64 = 0.1;
    // The largest distance of two samples of one distribution, by the limit law of Kolmogorov and Smirnov.
    let chance = ((2.0 / CHANCE).ln() / summary.values() as f64).sqrt();
    let room = chance.max(ROOM);
    let from = summary.quantile(0.5 - room)?;
    let to = summary.quantile(0.5 + room)?;
    Some([from.lower(), to.upper()].map(|number| number_of(*number)))
}

/// A number in TOML, whose integers have 64 bits.
fn number_of(number: Number) -> String {
    let is_long = number.to_integer().is_some_and(|integer| i64::try_from(integer).is_err());
    if is_long { quoted(&number.to_string()) } else { number.to_string() }
}

fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.into() } else { quoted(name) }
}

/// A text in TOML, which escapes what JSON does, and one more character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
