//! Warnings that need the rows: the order of values, gaps between them, and columns that are missing together. A saved
//! profile has no rows, so it has none of these warnings.

use super::super::order::RowOrder;
use super::super::points::figure;
use super::super::profiled::ProfiledTable;
use super::super::report::ColumnPlace;
use super::{Defect, Finding, Warning};
use crivo::profile::{ColumnProfile, ColumnType};
use crivo_report::{count, plural};

/// Returns the warning about the order of a column's values.
pub(in super::super) fn of_order(
    place: ColumnPlace,
    column_type: ColumnType,
    order: &RowOrder,
) -> Option<Warning> {
    let finding = if let Some(against) = order.against() {
        let values = plural(against.number, "value is", "values are");
        let first = if against.number > 1 { ", the first" } else { "" };
        let row = count(against.first_row);
        let evidence = format!("sorted, but {values} out of order{first} in row {row}");
        Finding::certain(Defect::Unsorted, against.number, evidence)
    } else {
        let gaps = order.gaps()?;
        let (number, row) = (plural(gaps.steps.number, "gap", "gaps"), count(gaps.steps.first_row));
        let left_out = plural(gaps.left_out as u64, "value is", "values are");
        let first = if gaps.steps.number > 1 { ", the first" } else { "" };
        let step = if column_type.is_time() { span(gaps.step) } else { figure(gaps.step) };
        let evidence =
            format!("in steps of {step}, but {left_out} left out in {number}{first} before row {row}");
        Finding::certain(Defect::Gaps, gaps.steps.number, evidence)
    };
    Some(Warning { columns: vec![place], finding })
}

/// Returns a number of seconds in the largest unit of which it is a multiple: `1 h`, `90 s`.
fn span(seconds: f64) -> String {
    let units = [(86_400.0, "d"), (3600.0, "h"), (60.0, "min")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds % unit == 0.0).unwrap_or((1.0, "s"));
    format!("{} {name}", figure(seconds / unit))
}

/// Returns the warnings about columns without a value in the same rows.
pub(in super::super) fn of_missing(table_number: usize, table: &ProfiledTable) -> Vec<Warning> {
    let Some(orders) = &table.orders else { return Vec::new() };
    let rows = table.profile.rows();
    let columns: Vec<(usize, u64, u64)> = table
        .profile
        .columns()
        .zip(orders)
        .enumerate()
        .map(|(place, ((_, column), (_, order)))| (place, ColumnProfile::missing(column), order.missing()))
        .filter(|&(_, missing, _)| missing > 1 && missing < rows)
        .collect();
    let mut warnings: Vec<Warning> = Vec::new();
    for (number, &(_, missing, rows_of)) in columns.iter().enumerate() {
        let is_same = |other: &&(usize, u64, u64)| (other.1, other.2) == (missing, rows_of);
        if columns[..number].iter().any(|other| is_same(&other)) {
            continue;
        }
        let same: Vec<usize> = columns[number..].iter().filter(is_same).map(|other| other.0).collect();
        if same.len() > 1 {
            let place = |&column: &usize| ColumnPlace { table: table_number, column };
            let evidence = format!("are missing in the same {} rows", count(missing));
            let finding = Finding::certain(Defect::MissingTogether, missing, evidence);
            warnings.push(Warning { columns: same.iter().map(place).collect(), finding });
        }
    }
    warnings
}
