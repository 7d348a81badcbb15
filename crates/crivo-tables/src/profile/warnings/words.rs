//! Warnings as sentences.

use super::super::report::{Kept, ProfileReport};
use super::super::words::{kept_text, some_names};
use super::{Defect, Warning};
use crivo::Estimate;
use crivo_report::{count, percent, plural, shorten, shown_column};

/// The largest number of terminal columns that a value takes in a warning.
const LONGEST: usize = 40;

/// Returns a value as it is shown in a warning. A text with a comma or blank would not be seen to end.
pub(super) fn quoted(value: &Kept) -> String {
    let text = shorten(&kept_text(value), LONGEST);
    if text.contains([' ', ',']) { format!("'{text}'") } else { text }
}

/// Returns `once`, `twice` or `12 times`.
pub(super) fn times(number: u64) -> String {
    match number {
        1 => "once".into(),
        2 => "twice".into(),
        _ => format!("{} times", count(number)),
    }
}

/// Returns a number of rows that may be only a lower bound or an estimate: `12 values`, `at least 12 values`, `about 12
/// values`.
pub(super) fn rows_of(rows: &Estimate, one: &str, many: &str) -> String {
    let about = if rows.lower() >= rows.upper() {
        ""
    } else if rows.value() <= rows.lower() {
        "at least "
    } else {
        "about "
    };
    format!("{about}{}", plural(rows.value().round() as u64, one, many))
}

/// Returns what a warning says about its columns, and the probability that it is wrong.
pub(in super::super) fn evidence(warning: &Warning) -> String {
    let finding = &warning.finding;
    if finding.chance > 0.0 {
        format!("{} (wrong in at most {} of such tables)", finding.evidence, percent(finding.chance))
    } else {
        finding.evidence.clone()
    }
}

/// Returns one line for each warning, except that a defect of many columns has one line for all of them.
pub(in super::super) fn lines(report: &ProfileReport) -> Vec<String> {
    /// The largest number of columns with a line each.
    const SEPARATE: usize = 4;
    let name = |warning: &Warning| {
        let names: Vec<String> = warning.columns.iter().map(|&it| shown_column(&report.name(it))).collect();
        names.join(", ")
    };
    let mut lines = Vec::new();
    for same in report.warnings.chunk_by(|a, b| a.finding.defect == b.finding.defect) {
        let defect = same[0].finding.defect;
        if same.len() <= SEPARATE || same[0].columns.len() > 1 {
            lines.extend(same.iter().map(|warning| {
                let colon = if warning.columns.len() > 1 { "" } else { ":" };
                format!("{}{colon} {}", name(warning), evidence(warning))
            }));
        } else {
            let names: Vec<String> = same.iter().map(name).collect();
            lines.push(format!("{}: {}", of_many(defect), some_names(&names)));
        }
    }
    lines
}

/// Returns the title of a defect that many columns have.
fn of_many(defect: Defect) -> &'static str {
    match defect {
        Defect::Encoding => "values in a wrong encoding",
        Defect::MixedTypes => "a few values of another type",
        Defect::Outliers => "values far from the others",
        Defect::Sentinel => "values that may stand for missing ones",
        Defect::Future => "times in the future",
        Defect::KeyWithDuplicates => "keys with duplicates",
        Defect::KeyWithMissing => "keys with missing values",
        Defect::MixedCase => "values that differ only in case",
        Defect::Blanks => "blanks before or behind values",
        Defect::Invisible => "invisible characters",
        Defect::MostlyMissing => "mostly missing",
        Defect::Constant => "always the same value",
        Defect::NearlyConstant => "nearly always the same value",
        Defect::Unsorted => "a few values out of order",
        Defect::Gaps => "gaps between steps of equal length",
        Defect::MissingTogether => "missing in the same rows",
        Defect::EqualColumns => "equal in every row",
        Defect::Zeros => "more than half of the values are 0",
        Defect::Skewed => "skewed: the mean is outside of the quartiles",
    }
}
