//! A profile of each group of rows.

use super::json::line;
use super::parts::{Part, Parts};
use super::records::TableJson;
use super::report::ColumnReport;
use super::text::{ELSEWHERE, print_lines};
use super::tracked::TrackedColumn;
use super::words::{Marks, size};
use crate::tables::{Group, Table};
use crivo_report::{Align, Field, Page, Records, Report, count, plural, shorten, shown, shown_column};
use std::cmp::Reverse;

/// The profiles of the groups of a table's rows.
#[derive(Debug)]
pub struct GroupedProfile {
    name: String,
    /// The column that divides the rows into groups.
    by: String,
    parts: Parts,
    /// The table, or `None` if the input was empty.
    table: Option<Table<TrackedColumn>>,
    /// The places of the groups: the largest first, and the remaining groups last.
    order: Vec<usize>,
    remarks: Vec<String>,
    /// Whether small bars, which are not letters, can be shown.
    pub draws_bars: bool,
}

impl GroupedProfile {
    pub(super) fn new(
        name: String,
        by: String,
        parts: Parts,
        table: Option<Table<TrackedColumn>>,
        remarks: Vec<String>,
    ) -> Self {
        let groups = table.as_ref().map_or(&[][..], |table| &table.groups);
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&place| {
            let Group { name, rows } = &groups[place];
            (name.is_none(), Reverse(*rows), name)
        });
        let mut remarks = remarks;
        if let [Group { name: Some(name), .. }] = groups
            && name.is_empty()
        {
            remarks.push(format!("no record has a value for '{}'; check the name", shown_column(&by)));
        }
        Self { name, by, parts, table, order, remarks, draws_bars: true }
    }

    /// Returns the number of groups that are profiled separately, and whether there are more groups.
    fn groups(&self) -> (usize, bool) {
        let groups = self.table.as_ref().map_or(&[][..], |table| &table.groups);
        let apart = groups.iter().filter(|group| group.name.is_some()).count();
        (apart, apart < groups.len())
    }

    fn rows(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.rows)
    }

    fn columns(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.columns.len())
    }

    fn print_table(&self, page: &mut Page, table: &Table<TrackedColumn>, shown_groups: &[usize]) -> Marks {
        let (mut lines, mut names, mut groups, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for column in &table.columns {
            for (line, &place) in shown_groups.iter().enumerate() {
                let Group { name, rows: of_group } = &table.groups[place];
                // The name of the column is printed once, above its groups.
                names.push(if line == 0 { shown_column(&column.name) } else { String::new() });
                groups.push(group_name(name.as_deref()));
                rows.push(count(*of_group));
                let summary = column.states[place].profile.summary();
                lines.push(ColumnReport::new(&column.name, &summary, &self.parts));
            }
        }
        let field = |title: &'static str, align, rank, least, cells| Field {
            title: title.into(),
            align,
            rank,
            least,
            cells,
        };
        let names = vec![
            field("column", Align::Left, 0, Some(14), names),
            field("group", Align::Left, 0, Some(14), groups),
            field("rows", Align::Right, 2, None, rows),
        ];
        let mut marks = Marks::default();
        let left_out = print_lines(page, names, &lines, self.draws_bars, &mut marks);
        if !left_out.is_empty() {
            let titles = left_out.join(", ");
            page.sentence(&format!("no room for {titles}; a wider terminal, --json and --csv show all"));
        }
        marks
    }
}

/// The largest number of groups in the text. A reader does not compare more.
const MOST_SHOWN: usize = 20;

fn group_name(name: Option<&[u8]>) -> String {
    match name {
        None => "(other groups)".into(),
        Some(b"") => "(empty)".into(),
        Some(name) => shown(name),
    }
}

impl Report for GroupedProfile {
    /// Writes a line for each group of each column, so that groups can be compared.
    fn text(&self, page: &mut Page) {
        let (apart, others) = self.groups();
        let name = shown(self.name.as_bytes());
        let groups = plural(apart as u64, "group", "groups");
        let more = if others { " and others" } else { "" };
        let (whole, by) = (size(self.rows(), self.columns()), shown_column(&self.by));
        page.line(&shorten(&format!("{name}: {whole}, {groups}{more} by {by}"), page.width()));
        let mut notes = Vec::new();
        if let Some(table) = self.table.as_ref().filter(|table| !table.columns.is_empty() && apart > 0) {
            let mut shown_groups = self.order[..apart.min(MOST_SHOWN)].to_vec();
            shown_groups.extend(self.order.last().filter(|_| others));
            notes.extend(self.print_table(page, table, &shown_groups).legend());
        }
        if apart > MOST_SHOWN {
            let smaller = plural((apart - MOST_SHOWN) as u64, "smaller group", "smaller groups");
            notes.push(format!("{smaller} not shown; --json and --csv list all"));
        }
        if self.parts.names_any(&ELSEWHERE) || self.parts.names_any(&[Part::Key]) {
            notes.push("quantiles, sample, lengths and key: --json and --csv show them".into());
        }
        notes.extend_from_slice(&self.remarks);
        if !notes.is_empty() {
            page.line("");
        }
        for note in &notes {
            page.sentence(note);
        }
        if others {
            page.remark(&format!("the first {groups} are apart, all others together; raise --groups"));
        }
    }

    fn records(&self, records: &mut Records) {
        if let Some(table) = &self.table {
            for &place in &self.order {
                for column in &table.columns {
                    let summary = column.states[place].profile.summary();
                    let report = ColumnReport::new(&column.name, &summary, &self.parts);
                    records.of_group(table.groups[place].name.as_deref(), |records| {
                        records.row(&line(&self.name, &report));
                    });
                }
            }
        }
        let (apart, others) = self.groups();
        records.total(&TableJson {
            table: &self.name,
            rows: self.rows(),
            columns: self.columns() as u64,
            groups: Some(apart as u64),
            others: Some(others),
            remarks: &self.remarks,
            saved: None,
        });
    }
}
