//! A profile on the terminal: a table of all columns, or a page on a single one.

use super::column;
use super::report::{ColumnReport, Report, TableReport};
use super::words::{Marks, about, key, mean, median, most_frequent, pair, short_percent, size, spark};
use crate::output::{Align, Field, Output, display_width, print_fitted, shorten, shown, speaks_utf8};
use anyhow::Result;

/// Prints all that fits into so many columns of the terminal.
pub(crate) fn print(output: &mut Output, report: &Report, room: usize) -> Result<()> {
    let mut marks = Marks::default();
    for (number, table) in report.tables.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        if let [only] = &table.columns[..] {
            column::print(output, table, only, room)?;
        } else {
            print_table(output, table, room, &mut marks)?;
        }
    }
    marks.see_pairs(&report.pairs[..report.pairs.len().min(MOST)]);
    print_notes(output, report, marks, room)
}

fn print_table(output: &mut Output, table: &TableReport, room: usize, marks: &mut Marks) -> Result<()> {
    let name = shown(table.name.as_bytes());
    output.line(&shorten(&format!("{name}: {}", size(table.rows, table.columns.len())), room))?;
    let left_out = print_fitted(output, &fields(&table.columns), room)?;
    table.columns.iter().for_each(|column| marks.see_column(column, |title| !left_out.contains(&title)));
    if !left_out.is_empty() {
        let titles = left_out.join(", ");
        print_wrapped(
            output,
            &format!("no room for {titles}; a wider terminal, --json and --html show all"),
            room,
        )?;
    }
    Ok(())
}

/// The fields of the table in order, without those that are empty for all columns.
fn fields(columns: &[ColumnReport]) -> Vec<Field> {
    let field = |title, align, rank, least, cell: &dyn Fn(&ColumnReport) -> Option<String>| Field {
        title,
        align,
        rank,
        least,
        cells: columns.iter().map(|column| cell(column).unwrap_or_default()).collect(),
    };
    let text = |text: Option<&Vec<u8>>| text.map(|text| shown(text));
    let spread = |column: &ColumnReport| column.histogram.as_ref().map(|it| spark(it, SPARK));
    let shares = columns.iter().filter_map(most_frequent).map(|[share, _]| display_width(&share));
    let share_width = shares.max().unwrap_or(0);
    let (left, right) = (Align::Left, Align::Right);
    let mut fields = vec![
        field("column", left, 0, Some(14), &|column| Some(shown(column.name.as_bytes()))),
        field("type", left, 1, None, &|column| Some(column.column_type.name().into())),
        field("missing", right, 3, None, &|column| {
            Some(short_percent(column.missing? as f64 / column.rows.max(1) as f64))
        }),
        field("distinct", right, 2, None, &|column| column.distinct.as_ref().map(about)),
        field("minimum", left, 5, Some(7), &|column| text(column.minimum.as_ref())),
        field("median", left, 8, Some(10), &median),
        field("maximum", left, 6, Some(7), &|column| text(column.maximum.as_ref())),
        field("mean", right, 9, None, &|column| column.mean.map(mean)),
        field("deviation", right, 10, None, &|column| column.standard_deviation.map(mean)),
        field("spread", left, 7, None, &spread),
        field("most frequent", left, 4, Some(14), &|column| {
            let [share, value] = most_frequent(column)?;
            Some(format!("{share:>share_width$} {value}"))
        }),
    ];
    if !speaks_utf8() {
        fields.retain(|field| field.title != "spread");
    }
    fields.retain(|field| field.rank < 2 || field.cells.iter().any(|cell| !cell.is_empty()));
    fields
}

/// The bars of a small histogram.
const SPARK: usize = 10;

/// More pairs than these nobody reads here.
const MOST: usize = 8;

/// Below the table: keys, pairs and remarks.
fn print_notes(output: &mut Output, report: &Report, marks: Marks, room: usize) -> Result<()> {
    let mut notes: Vec<String> = marks.legend().into_iter().collect();
    let several = report.tables.len() > 1;
    for wanted in ["key", "likely a key"] {
        let is_wanted = |column: &ColumnReport| column.key.and_then(key) == Some(wanted);
        let name = |(table, column): (&TableReport, &ColumnReport)| {
            let table = if several { format!("{}:", table.name) } else { String::new() };
            shown(format!("{table}{}", column.name).as_bytes())
        };
        let names: Vec<String> = report.columns().filter(|(_, column)| is_wanted(column)).map(name).collect();
        if !names.is_empty() {
            notes.push(format!("{wanted}: {}", names.join(", ")));
        }
    }
    notes.extend(report.pairs.iter().take(MOST).map(|it| pair(report, it)));
    if report.pairs.len() > MOST {
        notes.push(format!("and {} more pairs, which --json lists", report.pairs.len() - MOST));
    }
    for table in &report.tables {
        let table_name = if several { format!("{}: ", shown(table.name.as_bytes())) } else { String::new() };
        notes.extend(table.remarks.iter().map(|remark| format!("{table_name}{remark}")));
    }
    if !notes.is_empty() {
        output.line("")?;
    }
    notes.iter().try_for_each(|note| print_wrapped(output, note, room))
}

/// A sentence on as many lines as it needs; the second and later ones are indented.
pub(crate) fn print_wrapped(output: &mut Output, text: &str, room: usize) -> Result<()> {
    wrapped(text, room).iter().try_for_each(|line| output.line(line))
}

fn wrapped(text: &str, room: usize) -> Vec<String> {
    const INDENT: &str = "  ";
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.trim_start().is_empty() {
            line.push_str(if word.is_empty() { " " } else { word });
        } else if display_width(line) + 1 + display_width(word) <= room {
            line.extend([" ", word]);
        } else {
            lines.push(format!("{INDENT}{word}"));
        }
    }
    lines
}
