//! What a structure would take.

use crivo_report::{Align, Field, Page, Records, Report, count, percent, print_fitted, size};
use serde::Serialize;
use std::borrow::Cow;

/// A size that a target needs.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "plan")]
pub(super) struct Row {
    pub(super) kind: &'static str,
    /// Whether this row is the target asked for; the others show what more or less would cost.
    pub(super) asked: bool,
    pub(super) target: f64,
    pub(super) achieved: f64,
    pub(super) memory_bytes: u64,
    pub(super) parameters: serde_json::Value,
    pub(super) command: String,
    /// For filters.
    #[serde(flatten)]
    pub(super) filter: Option<FilterCost>,
    /// For counters.
    #[serde(flatten)]
    pub(super) counter: Option<CounterCost>,
    /// For the others.
    #[serde(flatten)]
    pub(super) work: Option<Work>,
}

/// What a structure computes and touches, and how it merges.
#[derive(Debug, Serialize)]
pub(super) struct Work {
    pub(super) insert: String,
    pub(super) query: String,
    /// `exact`, `bounded`, `by distribution` or null.
    pub(super) merges: Option<&'static str>,
    pub(super) best_for: Vec<&'static str>,
}

/// What else a filter costs and can do.
#[derive(Debug, Serialize)]
pub(super) struct FilterCost {
    pub(super) bits_per_item: f64,
    pub(super) cache_lines: f64,
    pub(super) inserts: bool,
    pub(super) removes: bool,
    /// `exact`, `bounded` or null.
    pub(super) merges: Option<&'static str>,
    /// What it is the first choice for, among all kinds.
    pub(super) best_for: Vec<&'static str>,
}

/// What a counter of distinct items takes, measured.
#[derive(Debug, Serialize)]
pub(super) struct CounterCost {
    /// How many items `achieved`, `memory_bytes` and `file_bytes` are for.
    pub(super) items: u64,
    pub(super) empty_bytes: u64,
    /// With 1,000 items.
    pub(super) few_bytes: u64,
    pub(super) file_bytes: u64,
    /// `exact`, `bounded` or null.
    pub(super) merges: Option<&'static str>,
    /// What it is the first choice for, among all kinds.
    pub(super) best_for: Vec<&'static str>,
}

/// One structure around a target.
#[derive(Debug)]
pub(crate) struct Around(pub(super) Vec<Row>);

impl Report for Around {
    fn text(&self, page: &mut Page) {
        let cells = |cell: &dyn Fn(&Row) -> String| self.0.iter().map(cell).collect::<Vec<_>>();
        let columns = vec![
            ("  target".into(), Align::Left, 0, cells(&|row| marked(&percent(row.target), row.asked))),
            ("achieved".into(), Align::Right, 2, cells(&|row| percent(row.achieved))),
            ("memory".into(), Align::Right, 1, cells(&|row| size(row.memory_bytes))),
            ("parameters".into(), Align::Left, 3, cells(&Row::parameters)),
        ];
        print_columns(columns, page);
        if let Some(asked) = self.0.iter().find(|row| row.asked) {
            page.line("");
            page.line(&asked.command);
        }
    }

    fn records(&self, records: &mut Records) {
        self.0.iter().for_each(|row| records.row(row));
    }
}

impl Row {
    /// `9,600,064 bits, 6 hashes`
    fn parameters(&self) -> String {
        let pair = |(name, value): (&String, &serde_json::Value)| match (name.as_str(), value.as_u64()) {
            ("precision" | "width" | "depth", Some(number)) => format!("{name} {}", count(number)),
            (_, Some(number)) => format!("{} {name}", count(number)),
            (_, None) => format!("{name} {value}"),
        };
        self.parameters.as_object().into_iter().flatten().map(pair).collect::<Vec<_>>().join(", ")
    }
}

/// A column of a table of structures: its title, to which side it goes, how soon it gives way to others, and its cells.
pub(super) type Column = (Cow<'static, str>, Align, u32, Vec<String>);

/// A name, marked if it is a first choice.
pub(super) fn marked(name: &str, is_choice: bool) -> String {
    format!("{} {name}", if is_choice { '*' } else { ' ' })
}

/// Prints as many columns as fit, and says which do not.
pub(super) fn print_columns(columns: Vec<Column>, page: &mut Page) {
    let field = |(title, align, rank, cells)| Field { title, align, rank, least: None, cells };
    let fields: Vec<Field> = columns.into_iter().map(field).collect();
    let room = page.width();
    let left_out = print_fitted(page, &fields, room);
    if !left_out.is_empty() {
        let titles = left_out.join(", ");
        page.sentence(&format!("no room for {titles}; a wider terminal and --json show all"));
    }
}

/// The command of a first choice, after what it is the choice for.
pub(super) fn print_choice(best_for: &[&str], command: &str, page: &mut Page) {
    page.line("");
    page.line(&format!("# {}", best_for.join(", ")));
    page.line(command);
}
