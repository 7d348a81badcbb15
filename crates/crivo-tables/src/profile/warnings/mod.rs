//! Warnings about the data of a table: what a reader should look at first.
//!
//! All warnings but those of `rows.rs` follow from what the profile keeps of a column, so that saved and merged profiles give
//! them too. A warning about an exact column is certain. Where a sketch is behind a warning, the thresholds are compared
//! with that end of the sketch's interval that speaks against the warning, and the warning states the probability that
//! the interval is wrong.

mod far;
mod rows;
mod shape;
mod texts;
mod words;

#[cfg(test)]
mod tests;

use super::pairs::{Alike, Group};
use super::report::{ColumnPlace, Kept, ProfileReport, whole_characters};
use crivo::Estimate;
use crivo::profile::{ColumnProfile, ColumnSummary};

pub(super) use rows::{of_missing, of_order};
pub(super) use words::{evidence, lines};

/// What may be wrong with a column, the most harmful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Defect {
    /// Texts that were decoded with the wrong encoding, or are not UTF-8.
    Encoding,
    /// A few values of another type than the others.
    MixedTypes,
    /// Values far beyond a tail that continues as it begins.
    Outliers,
    /// A value that often stands for a missing one, such as -999.
    Sentinel,
    /// A few times in the future.
    Future,
    /// Nearly all values are distinct, as in a key, but some are repeated.
    KeyWithDuplicates,
    /// All values are distinct, as in a key, but some are missing.
    KeyWithMissing,
    /// Values that differ only in upper and lower case.
    MixedCase,
    /// Blanks before or behind values.
    Blanks,
    /// Characters that cannot be seen within values.
    Invisible,
    /// More than half of the rows have no value.
    MostlyMissing,
    /// All values are equal.
    Constant,
    /// Nearly all values are equal.
    NearlyConstant,
    /// A few values against the order of all others.
    Unsorted,
    /// Values that are left out between steps of equal length.
    Gaps,
    /// Columns without a value in the same rows.
    MissingTogether,
    /// Columns with the same value in every row.
    EqualColumns,
    /// More than half of the numbers are 0.
    Zeros,
    /// The mean lies outside of the quartiles.
    Skewed,
}

impl Defect {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Encoding => "encoding",
            Self::MixedTypes => "mixed_types",
            Self::Outliers => "outliers",
            Self::Sentinel => "sentinel",
            Self::Future => "future",
            Self::KeyWithDuplicates => "key_with_duplicates",
            Self::KeyWithMissing => "key_with_missing",
            Self::MixedCase => "mixed_case",
            Self::Blanks => "blanks",
            Self::Invisible => "invisible",
            Self::MostlyMissing => "mostly_missing",
            Self::Constant => "constant",
            Self::NearlyConstant => "nearly_constant",
            Self::Unsorted => "unsorted",
            Self::Gaps => "gaps",
            Self::MissingTogether => "missing_together",
            Self::EqualColumns => "equal_columns",
            Self::Zeros => "zeros",
            Self::Skewed => "skewed",
        }
    }
}

/// A warning about one column, or about several of one table.
#[derive(Debug)]
pub(crate) struct Warning {
    pub(crate) columns: Vec<ColumnPlace>,
    pub(crate) finding: Finding,
}

/// What a warning says, without the names of its columns.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) defect: Defect,
    /// What was found, with the figures that show it.
    pub(crate) evidence: String,
    /// The number of rows that it concerns.
    pub(crate) rows: Option<Estimate>,
    /// Some of the values that it concerns.
    pub(crate) values: Vec<Kept>,
    /// An upper bound on the probability that the error of a sketch makes the warning wrong; 0 if it is certain.
    pub(crate) chance: f64,
}

impl Finding {
    /// Creates a finding that does not depend on any estimate.
    fn certain(defect: Defect, rows: u64, evidence: String) -> Self {
        let rows = Some(Estimate::exact(rows as f64));
        Self { defect, evidence, rows, values: Vec::new(), chance: 0.0 }
    }

    fn with_values(self, values: Vec<Kept>) -> Self {
        Self { values, ..self }
    }
}

/// The probability with which an interval of a sketch may be wrong, if a warning depends on it.
const CHANCE: f64 = 0.001;

/// The largest number of values that a warning names.
const MOST_VALUES: usize = 3;

/// Returns the warnings about one column. `now` is the present time in seconds since 1970.
pub(super) fn of_column(place: ColumnPlace, summary: &ColumnSummary, now: Option<f64>) -> Vec<Warning> {
    let mut findings = texts::all(summary);
    findings.extend(shape::all(summary));
    // A value far from the others is reported once, for the most telling reason.
    let explains = [Defect::NearlyConstant, Defect::Constant];
    if !findings.iter().any(|finding| explains.contains(&finding.defect)) {
        findings.extend(far::all(summary, now));
    }
    let is_far = |finding: &Finding| matches!(finding.defect, Defect::Outliers | Defect::Sentinel);
    if findings.iter().any(is_far) {
        // The mean of such a column says nothing about its shape.
        findings.retain(|finding| finding.defect != Defect::Skewed);
    }
    findings.into_iter().map(|finding| Warning { columns: vec![place], finding }).collect()
}

/// Returns the warnings about columns of one table that are equal in every row.
pub(super) fn of_groups(groups: &[Group], rows: impl Fn(usize) -> u64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for group in groups.iter().filter(|group| group.alike == Alike::Equal) {
        let mut columns = group.columns.clone();
        columns.sort_by_key(|place| (place.table, place.column));
        for same in columns.chunk_by(|a, b| a.table == b.table).filter(|same| same.len() > 1) {
            let evidence = "have the same value in every row".to_owned();
            let finding = Finding::certain(Defect::EqualColumns, rows(same[0].table), evidence);
            warnings.push(Warning { columns: same.to_vec(), finding });
        }
    }
    warnings
}

/// Returns whether a group of columns is reported as a warning, which says the same.
pub(super) fn is_in_warnings(report: &ProfileReport, group: &Group) -> bool {
    let says = |warning: &Warning| {
        warning.finding.defect == Defect::EqualColumns
            && warning.columns.len() == group.columns.len()
            && group.columns.iter().all(|place| warning.columns.contains(place))
    };
    group.alike == Alike::Equal && report.warnings.iter().any(says)
}

/// Returns a value of a column for a list of examples.
fn kept(value: &[u8], truncated: bool) -> Kept {
    let truncated = truncated || value.len() > ColumnProfile::LONGEST_KEPT;
    Kept { text: whole_characters(value, truncated).into(), truncated }
}
