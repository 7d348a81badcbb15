//! A profile as text: a table of all columns, or the details of a single column.

use super::column;
use super::pairs::{Group, Relations};
use super::parts::Part;
use super::points::{at_day, mean, median};
use super::report::{ColumnReport, Kept, ProfileReport, TableReport};
use super::warnings::{is_in_warnings, lines};
use super::words::{
    MAY_BE_KEY, MOST, Marks, about, group, kept_text, key, missing, most_frequent, pair, size, some_names,
    spark, type_of,
};
use crivo::profile::ColumnType;
use crivo_report::{
    Align, Field, Page, all_fit, display_width, plural, print_fitted, shorten, shown, shown_column,
};
use std::borrow::Cow;

/// Prints the report, as far as it fits the page.
pub(super) fn print(page: &mut Page, report: &ProfileReport) {
    let mut marks = Marks::default();
    for (number, table) in report.tables.iter().enumerate() {
        if number > 0 {
            page.line("");
        }
        if report.parts.are_warnings() {
            print_title(page, table);
        } else if let [only] = &table.columns[..] {
            column::print(page, table, only);
        } else if !report.parts.has_any(&IN_TABLE) {
            print_title(page, table);
        } else {
            print_table(page, table, report.draws_bars, &mut marks);
        }
    }
    print_warnings(page, report);
    let pairs = &report.relations.pairs;
    marks.see_pairs(&pairs[..pairs.len().min(MOST)]);
    print_notes(page, report, marks);
}

/// The parts that have a field in the table.
const IN_TABLE: [Part; 7] =
    [Part::Missing, Part::Distinct, Part::Range, Part::Mean, Part::Quantiles, Part::Histogram, Part::Top];

/// The parts that have no field, or more content than a field shows.
pub(super) const ELSEWHERE: [Part; 3] = [Part::Quantiles, Part::Sample, Part::Lengths];

fn print_title(page: &mut Page, table: &TableReport) {
    let name = shown(table.name.as_bytes());
    page.line(&shorten(&format!("{name}: {}", size(table.rows, table.columns.len())), page.width()));
}

fn print_table(page: &mut Page, table: &TableReport, draws_bars: bool, marks: &mut Marks) {
    print_title(page, table);
    if table.columns.is_empty() {
        return;
    }
    let names = table.columns.iter().map(|column| shown_column(&column.name)).collect();
    let names = Field { title: "column".into(), align: Align::Left, rank: 0, least: Some(14), cells: names };
    let left_out = print_lines(page, vec![names], &table.columns, draws_bars, marks);
    if !left_out.is_empty() {
        let titles = left_out.join(", ");
        page.sentence(&format!("no room for {titles}; a wider terminal, --json and --html show all"));
    }
}

/// Prints a line for each column, behind the given name fields. Returns the fields that do not fit.
pub(super) fn print_lines(
    page: &mut Page,
    names: Vec<Field>,
    columns: &[ColumnReport],
    draws_bars: bool,
    marks: &mut Marks,
) -> Vec<Cow<'static, str>> {
    let room = page.width();
    let mut lines = names;
    let named = lines.len();
    lines.extend(fields(columns, draws_bars, Room::Wide));
    let is_wide = all_fit(&lines, room);
    if !is_wide {
        lines.truncate(named);
        lines.extend(fields(columns, draws_bars, Room::Narrow));
    }
    let mut left_out = print_fitted(page, &lines, room);
    let is_shown = |title: &str| !left_out.iter().any(|it| it == title);
    for column in columns {
        marks.see_column(column, is_shown);
    }
    let is_range_shown = lines.iter().any(|field| field.title == "minimum") && is_shown("minimum");
    let has_texts = || columns.iter().any(|column| !is_measured(column) && column.minimum.is_some());
    if !is_wide && is_range_shown && has_texts() {
        left_out.insert(0, "minimum and maximum of texts".into());
    }
    left_out
}

/// The amount of detail.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Wide,
    /// Without minima and maxima of texts, and with days instead of times, so that numbers and bars fit.
    Narrow,
}

fn is_measured(column: &ColumnReport) -> bool {
    column.column_type.is_number() || column.column_type.is_time()
}

/// Returns the fields of the table in order, without fields that are empty for all columns.
fn fields(columns: &[ColumnReport], draws_bars: bool, room: Room) -> Vec<Field> {
    let field =
        |title: &'static str, align, rank, least, cell: &dyn Fn(&ColumnReport) -> Option<String>| Field {
            title: title.into(),
            align,
            rank,
            least,
            cells: columns.iter().map(|column| cell(column).unwrap_or_default()).collect(),
        };
    let fit = |column: &ColumnReport, text: String| {
        if room == Room::Narrow && column.column_type == ColumnType::Timestamp {
            at_day(text.trim_start()).0.into()
        } else {
            text
        }
    };
    let end = |column: &ColumnReport, kept: &Option<Kept>| {
        let is_shown = room == Room::Wide || is_measured(column);
        kept.as_ref().filter(|_| is_shown).map(|kept| fit(column, kept_text(kept)))
    };
    let spread = |column: &ColumnReport| column.histogram.as_ref().map(|it| spark(it, SPARK));
    let shares = columns.iter().filter_map(most_frequent).map(|[share, _]| display_width(&share));
    let share_width = shares.max().unwrap_or(0);
    let (left, right) = (Align::Left, Align::Right);
    // For texts, the most frequent value is the most informative part.
    let are_texts = columns.iter().filter(|column| !is_measured(column)).count() * 2 > columns.len();
    let frequent_rank = if are_texts { 4 } else { 8 };
    let mut fields = vec![
        field("type", left, 1, None, &|column| Some(type_of(column))),
        field("missing", right, 3, None, &missing),
        field("distinct", right, 2, None, &|column| column.distinct.as_ref().map(about)),
        field("minimum", right, 5, Some(10), &|column| end(column, &column.minimum)),
        field("median", right, 9, Some(10), &|column| Some(fit(column, median(column)?))),
        field("maximum", right, 6, Some(10), &|column| end(column, &column.maximum)),
        field("mean", right, 10, None, &|column| column.mean.map(mean)),
        field("deviation", right, 11, None, &|column| column.standard_deviation.map(mean)),
        field("spread", left, 7, None, &spread),
        field("most frequent", left, frequent_rank, Some(14), &|column| {
            let [share, value] = most_frequent(column)?;
            Some(format!("{share:>share_width$} {value}"))
        }),
    ];
    if !draws_bars {
        fields.retain(|field| field.title != "spread");
    }
    fields.retain(|field| field.rank < 2 || field.cells.iter().any(|cell| !cell.is_empty()));
    fields
}

/// The number of bars of a small histogram.
const SPARK: usize = 10;

/// Prints the warnings, or that there are none if nothing else was requested.
fn print_warnings(page: &mut Page, report: &ProfileReport) {
    let number = report.warnings.len() as u64;
    if number == 0 && !report.parts.are_warnings() {
        return;
    }
    page.line("");
    page.heading(&if number == 0 { "no warnings".into() } else { plural(number, "warning", "warnings") });
    let lines = lines(report);
    let most = if report.parts.are_warnings() { lines.len() } else { MOST_WARNINGS };
    for line in lines.iter().take(most) {
        page.sentence(line);
    }
    if lines.len() > most {
        page.sentence(&format!("and {} more, see --warn-only", lines.len() - most));
    }
}

/// The largest number of lines of warnings next to a profile. A reader does not read more at once.
const MOST_WARNINGS: usize = 12;

/// Prints what follows the table and the warnings: keys, pairs and notes.
fn print_notes(page: &mut Page, report: &ProfileReport, marks: Marks) {
    let mut notes = marks.legend();
    if report.parts.names_any(&ELSEWHERE) && report.tables.iter().any(|table| table.columns.len() != 1) {
        notes.push("quantiles, sample and lengths: --json, --html and --column show them".into());
    }
    let several = report.tables.len() > 1;
    for wanted in ["key", MAY_BE_KEY] {
        let is_wanted = |column: &ColumnReport| column.key.and_then(key) == Some(wanted);
        let name = |(table, column): (&TableReport, &ColumnReport)| {
            let table = if several { format!("{}:", table.name) } else { String::new() };
            shown_column(&format!("{table}{}", column.name))
        };
        let names: Vec<String> = report.columns().filter(|(_, column)| is_wanted(column)).map(name).collect();
        if !names.is_empty() {
            notes.push(format!("{wanted}: {}", some_names(&names)));
        }
    }
    let Relations { groups, pairs } = &report.relations;
    let groups: Vec<&Group> = groups.iter().filter(|group| !is_in_warnings(report, group)).collect();
    notes.extend(groups.iter().take(MOST).map(|it| group(report, it)));
    if groups.len() > MOST {
        notes.push(format!("and {} more groups, see --json", groups.len() - MOST));
    }
    notes.extend(pairs.iter().take(MOST).map(|it| pair(report, it)));
    if pairs.len() > MOST {
        notes.push(format!("and {} more pairs, see --json", pairs.len() - MOST));
    }
    for table in &report.tables {
        let table_name = if several { format!("{}: ", shown(table.name.as_bytes())) } else { String::new() };
        notes.extend(table.remarks.iter().map(|remark| format!("{table_name}{remark}")));
    }
    if !notes.is_empty() {
        page.line("");
    }
    for note in &notes {
        page.sentence(note);
    }
}
