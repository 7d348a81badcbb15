//! The verdicts as text, as records and as JUnit XML.

use super::judge::{CHANCE, Judged, Outcome};
use crivo_report::{Page, Records, Report, count, escape, one_line, percent, plural};
use serde::Serialize;

/// The verdicts on all rules of a table.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(super) table: String,
    pub(super) rows: u64,
    pub(super) judged: Vec<Judged>,
    /// Whether the table was saved, so that its error is fixed.
    pub(super) is_saved: bool,
    /// The largest probability of a false alarm of drift, if there is such a rule.
    pub(super) false_alarms: Option<f64>,
    /// Whether rules that cannot be judged count as broken.
    pub(super) is_strict: bool,
    /// The file that has the verdicts as JUnit XML.
    pub(super) saved: Option<String>,
}

/// A rule and its verdict.
///
/// - `outcome` is `holds`, `fails` or `unknown`, if the errors of the sketches are too large to decide. Then `error` is a
///   value of --error that would decide, or null if there is none.
/// - `column` is null for rules of the whole table.
#[derive(Serialize)]
#[serde(tag = "type", rename = "rule")]
struct RuleJson<'a> {
    table: &'a str,
    column: Option<&'a str>,
    rule: &'a str,
    outcome: &'static str,
    expected: &'a str,
    found: &'a str,
    error: Option<f64>,
}

/// The totals. `chance` bounds the probability that the error of a sketch makes any verdict wrong, other than those of drift;
/// `false_alarms` bounds the probability that a rule of drift fails although nothing changed.
#[derive(Serialize)]
#[serde(tag = "type", rename = "checked")]
struct CheckedJson<'a> {
    table: &'a str,
    rows: u64,
    holds: u64,
    fails: u64,
    unknown: u64,
    chance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    false_alarms: Option<f64>,
    saved: Option<&'a str>,
}

impl Checked {
    fn number(&self, outcome: Outcome) -> u64 {
        self.of(outcome).count() as u64
    }

    fn of(&self, outcome: Outcome) -> impl Iterator<Item = &Judged> {
        self.judged.iter().filter(move |judged| judged.outcome == outcome)
    }

    /// `20 rules hold, 1 fails, 1 cannot be judged`
    fn totals(&self) -> String {
        let holds = plural(self.number(Outcome::Holds), "rule holds", "rules hold");
        let fails = plural(self.number(Outcome::Fails), "fails", "fail");
        match self.number(Outcome::Unknown) {
            0 => format!("{holds}, {fails}"),
            unknown => format!("{holds}, {fails}, {} cannot be judged", count(unknown)),
        }
    }

    /// What was expected, what was found, and what to do.
    fn words(&self, judged: &Judged) -> String {
        let Judged { expected, found, error, outcome, .. } = judged;
        let words = format!("expected {expected}, found {found}");
        if *outcome != Outcome::Unknown {
            return words;
        }
        match error {
            // The older table may be a saved profile, too.
            Some(error) if self.is_saved || judged.rule == "drift" => {
                format!("{words}; profiles with --error {error} would tell")
            }
            Some(error) => format!("{words}; --error {error} would tell"),
            None => format!("{words}; no --error would tell"),
        }
    }

    /// The verdicts in the form that systems for continuous integration read.
    pub(super) fn junit(&self) -> String {
        let unknown = self.number(Outcome::Unknown);
        let skipped = if self.is_strict { 0 } else { unknown };
        let failures = self.number(Outcome::Fails) + unknown - skipped;
        let (table, tests) = (xml(&self.table), self.judged.len());
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"");
        let mut lines = vec![
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
            format!("<testsuites {counts}>"),
            format!("<testsuite name=\"{table}\" {counts}>"),
        ];
        for judged in &self.judged {
            let (name, message) = (xml(&judged.name()), xml(&self.words(judged)));
            let inner = match judged.outcome {
                Outcome::Holds => String::new(),
                Outcome::Unknown if !self.is_strict => format!("<skipped message=\"{message}\"/>"),
                Outcome::Fails | Outcome::Unknown => format!("<failure message=\"{message}\"/>"),
            };
            lines.push(format!("<testcase classname=\"{table}\" name=\"{name}\">{inner}</testcase>"));
        }
        lines.extend(["</testsuite>".into(), "</testsuites>".into()]);
        lines.join("\n") + "\n"
    }
}

/// A text in XML, in which no character is forbidden.
fn xml(text: &str) -> String {
    escape(&one_line(text))
}

impl Report for Checked {
    fn text(&self, page: &mut Page) {
        let rows = plural(self.rows, "row", "rows");
        page.sentence(&format!("{}: {rows}; {}", self.table, self.totals()));
        for (outcome, verdict) in [(Outcome::Fails, "fails"), (Outcome::Unknown, "cannot be judged")] {
            for judged in self.of(outcome) {
                page.sentence(&format!("{verdict}: {}: {}", judged.name(), self.words(judged)));
            }
        }
        if let Some(false_alarms) = self.false_alarms {
            page.note(&format!("drift: at most about {} for a false alarm", percent(false_alarms)));
        }
    }

    fn records(&self, records: &mut Records) {
        for judged in &self.judged {
            records.row(&RuleJson {
                table: &self.table,
                column: judged.column.as_deref(),
                rule: &judged.rule,
                outcome: judged.outcome.name(),
                expected: &judged.expected,
                found: &judged.found,
                error: judged.error,
            });
        }
        records.total(&CheckedJson {
            table: &self.table,
            rows: self.rows,
            holds: self.number(Outcome::Holds),
            fails: self.number(Outcome::Fails),
            unknown: self.number(Outcome::Unknown),
            chance: CHANCE,
            false_alarms: self.false_alarms,
            saved: self.saved.as_deref(),
        });
    }

    fn exit_code(&self) -> u8 {
        let is_broken = |judged: &Judged| match judged.outcome {
            Outcome::Fails => true,
            Outcome::Unknown => self.is_strict,
            Outcome::Holds => false,
        };
        u8::from(self.judged.iter().any(is_broken))
    }
}
