//! What a structure would take.

use crivo_report::{Page, Records, Report, count, percent, size};
use serde::Serialize;

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
        page.line(&format!("  {:>12} {:>12} {:>12}  parameters", "target", "achieved", "memory"));
        for row in &self.0 {
            page.line(&format!(
                "{} {:>12} {:>12} {:>12}  {}",
                if row.asked { '*' } else { ' ' },
                percent(row.target),
                percent(row.achieved),
                size(row.memory_bytes),
                row.parameters()
            ));
        }
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

/// The command of a first choice, after what it is the choice for.
pub(super) fn print_choice(best_for: &[&str], command: &str, page: &mut Page) {
    page.line("");
    page.line(&format!("# {}", best_for.join(", ")));
    page.line(command);
}
