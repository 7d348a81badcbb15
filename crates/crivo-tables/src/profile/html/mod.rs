//! A profile as an HTML page: one self-contained file that needs neither the network nor a script.

mod chart;
mod escape;
mod section;

use super::points::{at_day, mean, median};
use super::report::{ColumnPlace, ColumnReport, Kept, ProfileReport, TableReport};
use super::warnings::{evidence, is_in_warnings};
use super::words::{Marks, about, group, key, missing, most_frequent, pair, short_percent, size, type_of};
use crivo_report::{plural, shown};
use escape::escape;
use std::fmt::Write;

/// The style sheet, for light and dark, small and large screens, and for paper.
const STYLE: &str = include_str!("style.css");

/// The style sheet of a [`fragment`], which affects nothing else on its page and suits light and dark ones.
const FRAGMENT_STYLE: &str = include_str!("fragment.css");

/// Returns the tables of columns with their notes, without sections and links, to be shown inside another page.
pub(super) fn fragment(report: &ProfileReport) -> String {
    let mut page = format!("<style>\n{FRAGMENT_STYLE}</style>\n<div class=\"crivo-profile\">\n");
    for (number, table) in report.tables.iter().enumerate() {
        let title = (report.tables.len() > 1).then(|| escape::name(&table.name));
        add_table(&mut page, number, table, title, unlinked);
    }
    add_warnings(&mut page, report, unlinked);
    add_notes(&mut page, report, unlinked);
    page += "</div>\n";
    page
}

/// Returns the name of a column as a link to its section.
fn linked(place: ColumnPlace, name: &str) -> String {
    format!("<a href=\"#{}\">{name}</a>", anchor(place))
}

/// Returns the name of a column where there are no sections.
fn unlinked(_: ColumnPlace, name: &str) -> String {
    name.to_owned()
}

/// Returns the whole page.
pub(super) fn page(report: &ProfileReport) -> String {
    let names: Vec<&str> = report.tables.iter().map(|table| table.name.as_str()).collect();
    let title = format!("Profile of {}", escape(&names.join(", ")));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    add_warnings(&mut page, report, linked);
    add_notes(&mut page, report, linked);
    for (number, table) in report.tables.iter().enumerate() {
        let title = (report.tables.len() > 1).then(|| escape::name(&table.name));
        add_table(&mut page, number, table, title, linked);
    }
    for (number, table) in report.tables.iter().enumerate() {
        for (place, column) in table.columns.iter().enumerate() {
            let table_name = (report.tables.len() > 1).then_some(table.name.as_str());
            section::add_section(
                &mut page,
                &anchor(ColumnPlace { table: number, column: place }),
                table_name,
                column,
            );
        }
    }
    page += &unbroken(HOW_TO_READ);
    page += "</main>\n</body>\n</html>\n";
    page
}

const HOW_TO_READ: &str = "<section id=\"how\">\n<h2>How to read this</h2>\n\
    <p>A column with few distinct values is counted one by one: everything reported of it is exact. Of other columns a \
    small summary is kept, and what it cannot know it shows as an error bar.</p>\n<ul>\n\
    <li><span class=\"key bar\"></span> A bar is as long as the number it stands for, as far as that is known.</li>\n\
    <li><span class=\"key whisker\"></span> A whisker reaches from the least to the largest number that it can be. \
    For the most frequent values these bounds are certain. For bars of a histogram and for quantiles they hold with \
    a probability of 95 % or more, where they are not called certain. No whisker: exact.</li>\n\
    <li>± is half of an interval that holds the true number with a probability of 95 % or more.</li>\n\
    <li>~ marks an approximate number.</li>\n\
    <li>Shares of frequent values are of the values that are not missing.</li>\n\
    <li>Rows, missing values, minimum, maximum, mean and standard deviation are always exact, but for rounding.</li>\n\
    <li>The sample is of the distinct values, each with the same chance, however often it occurs.</li>\n\
    <li>Of a long value the first 128 bytes are kept; it ends in ….</li>\n\
    </ul>\n</section>\n";

fn anchor(place: ColumnPlace) -> String {
    format!("c{}-{}", place.table, place.column)
}

/// Adds the warnings; `link` shows the name of a column.
fn add_warnings(page: &mut String, report: &ProfileReport, link: fn(ColumnPlace, &str) -> String) {
    if report.warnings.is_empty() {
        return;
    }
    let number = plural(report.warnings.len() as u64, "warning", "warnings");
    add(page, format_args!("<section class=\"warnings\">\n<h2>{number}</h2>\n<ul>\n"));
    for warning in &report.warnings {
        let name = |&place: &ColumnPlace| link(place, &escape::name(&report.name(place)));
        let names = warning.columns.iter().map(name).collect::<Vec<_>>().join(", ");
        let colon = if warning.columns.len() > 1 { "" } else { ":" };
        add(page, format_args!("<li>{names}{colon} {}</li>\n", unbroken(&escape(&evidence(warning)))));
    }
    *page += "</ul>\n</section>\n";
}

/// Adds keys, pairs and notes; `link` shows the name of a column.
fn add_notes(page: &mut String, report: &ProfileReport, link: fn(ColumnPlace, &str) -> String) {
    let mut notes = Vec::new();
    for (number, table) in report.tables.iter().enumerate() {
        for (place, column) in table.columns.iter().enumerate() {
            if let Some(kind) = column.key.and_then(key) {
                let place = ColumnPlace { table: number, column: place };
                notes.push(format!("{kind}: {}", link(place, &escape::name(&report.name(place)))));
            }
        }
    }
    let groups = report.relations.groups.iter().filter(|group| !is_in_warnings(report, group));
    notes.extend(groups.map(|it| escape(&group(report, it))));
    notes.extend(report.relations.pairs.iter().map(|it| escape(&pair(report, it))));
    notes.extend(report.tables.iter().flat_map(|table| &table.remarks).map(|remark| escape(remark)));
    notes.extend(marks(report).legend().iter().map(|legend| escape(legend)));
    if !notes.is_empty() {
        *page += "<ul class=\"notes\">\n";
        for note in &notes {
            add(page, format_args!("<li>{}</li>\n", unbroken(note)));
        }
        *page += "</ul>\n";
    }
}

/// Returns the marks of all inexact numbers.
fn marks(report: &ProfileReport) -> Marks {
    let mut marks = Marks::default();
    report.columns().for_each(|(_, column)| marks.see_column(column, |_| true));
    marks.see_pairs(&report.relations.pairs);
    marks
}

/// Adds the table of columns; `link` shows the name of a column.
fn add_table(
    page: &mut String,
    number: usize,
    table: &TableReport,
    title: Option<String>,
    link: fn(ColumnPlace, &str) -> String,
) {
    *page += "<section>\n";
    if let Some(title) = title {
        add(page, format_args!("<h2>{title}</h2>\n"));
    }
    add(page, format_args!("<p>{}</p>\n", size(table.rows, table.columns.len())));
    *page += "<div class=\"scroll\"><table class=\"summary\">\n<thead><tr>";
    let fields = fields(&table.columns);
    for field in &fields {
        add(page, format_args!("<th class=\"{}\">{}</th>", field.class, field.title));
    }
    *page += "</tr></thead>\n<tbody>\n";
    for (place, column) in table.columns.iter().enumerate() {
        let place = ColumnPlace { table: number, column: place };
        *page += "<tr>";
        for field in &fields {
            let cell = (field.cell)(column).unwrap_or_default();
            let cell = if field.title == "column" { link(place, &cell) } else { cell };
            add(page, format_args!("<td class=\"{}\">{cell}</td>", field.class));
        }
        *page += "</tr>\n";
    }
    *page += "</tbody>\n</table></div>\n</section>\n";
}

/// A field of the table. Its cells are HTML.
struct Field {
    title: &'static str,
    /// The class; `wide` fields are hidden on a small screen.
    class: &'static str,
    cell: fn(&ColumnReport) -> Option<String>,
}

/// Returns the fields, without fields that are empty for all columns.
fn fields(columns: &[ColumnReport]) -> Vec<Field> {
    let field = |title, class, cell| Field { title, class, cell };
    let mut fields = vec![
        field("column", "name", |column| Some(escape::name(&column.name))),
        field("type", "type", |column| Some(type_of(column))),
        field("missing", "number", missing),
        field("distinct", "number", |column| column.distinct.as_ref().map(about)),
        field("minimum", "wide end", |column| column.minimum.as_ref().map(|it| end(column, it))),
        field("median", "wide end", |column| Some(point(column, &median(column)?))),
        field("maximum", "wide end", |column| column.maximum.as_ref().map(|it| end(column, it))),
        field("mean", "wide number", |column| column.mean.map(mean)),
        field("spread", "wide spread", |column| Some(chart::small(column.histogram.as_ref()?))),
        field("most frequent", "wide", |column| {
            let first = column.top.as_ref()?.values.first()?;
            let [share, value] = most_frequent(column)?;
            let value =
                if value.is_empty() { value } else { self::value(column, &first.value, first.truncated) };
            Some(format!("{} {value}", unbroken(&share)))
        }),
    ];
    fields.retain(|field| {
        field.title == "column"
            || columns.iter().any(|column| (field.cell)(column).is_some_and(|it| !it.is_empty()))
    });
    fields
}

/// Returns a value of a column. Numbers and times stay on one line, except that a line may break between day and
/// time.
fn value(column: &ColumnReport, bytes: &[u8], truncated: bool) -> String {
    if column.column_type.is_number() || column.column_type.is_time() {
        point(column, &shown(bytes))
    } else {
        escape::value(bytes, truncated)
    }
}

fn end(column: &ColumnReport, kept: &Kept) -> String {
    value(column, &kept.text, kept.truncated)
}

/// Returns a number or a time.
fn point(column: &ColumnReport, text: &str) -> String {
    let (first, clock) = if column.column_type.is_time() { at_day(text.trim()) } else { (text, "") };
    let [first, clock] = [first, clock].map(|part| format!("<span class=\"point\">{}</span>", escape(part)));
    format!("<bdi class=\"value\">{first}<wbr>{clock}</bdi>")
}

/// Keeps each number of a sentence on one line with its `%`.
fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Appends text to the page, which cannot fail.
fn add(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("writing to a String cannot fail");
}
