//! Structures that meet a target, side by side: the output of most plans.

use super::row::{Row, Work, print_choice, print_columns};
use super::{around, law};
use crate::args::FormArgs;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use crivo::{Kind, MergeLaw};
use crivo_report::{Align, Page, Records, Report, percent, size};

/// A structure that meets a target, without what follows from its kind.
pub(super) struct Choice {
    pub(super) achieved: f64,
    pub(super) memory_bytes: u64,
    pub(super) parameters: serde_json::Value,
    pub(super) work: Touches,
    pub(super) command: String,
}

/// What an insert and a query compute and touch.
pub(super) struct Touches {
    pub(super) insert: String,
    pub(super) query: String,
}

impl Touches {
    /// One hash, and as many places in memory each.
    pub(super) fn places(number: u32, what: &str) -> Self {
        Self { insert: format!("1 hash, {number} {what}"), query: format!("1 hash, {number} {what}") }
    }
}

/// How a structure is sized for a target.
pub(super) struct Candidate {
    name: &'static str,
    merge_law: Option<MergeLaw>,
    /// What it is the choice for.
    best_for: &'static str,
    size: Box<dyn Fn(f64) -> Result<Choice>>,
}

impl Candidate {
    pub(super) fn new(
        kind: Kind,
        best_for: &'static str,
        size: impl Fn(f64) -> Result<Choice> + 'static,
    ) -> Self {
        let info = kind.info();
        Self { merge_law: info.kind.merge_law(), ..Self::unsaved(info.kind.name(), best_for, size) }
    }

    /// Of a structure that is never written to a file, and so never merged.
    pub(super) fn unsaved(
        name: &'static str,
        best_for: &'static str,
        size: impl Fn(f64) -> Result<Choice> + 'static,
    ) -> Self {
        Self { name, merge_law: None, best_for, size: Box::new(size) }
    }

    fn row(&self, target: f64) -> Result<Row> {
        let Choice { achieved, memory_bytes, parameters, work, command } = (self.size)(target)?;
        Ok(Row {
            kind: self.name,
            asked: false,
            target,
            achieved,
            memory_bytes,
            parameters,
            command,
            filter: None,
            counter: None,
            work: Some(Work {
                insert: work.insert,
                query: work.query,
                merges: law(self.merge_law),
                best_for: vec![self.best_for],
            }),
        })
    }
}

/// A question that several structures may answer.
pub(super) trait Compare {
    fn form(&self) -> FormArgs;

    /// How large they must be, checked.
    fn compare(self) -> Result<Comparison>;
}

/// Structures to compare at a target, and at targets `step` times larger and smaller. The first stands for the question:
/// what it refuses is refused.
pub(super) struct Comparison {
    pub(super) target: f64,
    pub(super) step: f64,
    pub(super) candidates: Vec<Candidate>,
}

/// What each would take, and why others cannot be.
#[derive(Debug)]
pub(crate) struct Compared {
    target: f64,
    step: f64,
    choices: Vec<Vec<Row>>,
    refused: Vec<(&'static str, anyhow::Error)>,
}

impl<Q: Compare> Verb for Q {
    type Report = Compared;

    fn manner(&self) -> Manner {
        self.form().manner(false)
    }

    fn run(self, _session: &Session) -> Result<Compared> {
        let Comparison { target, step, candidates } = self.compare()?;
        let (mut choices, mut refused) = (Vec::new(), Vec::new());
        for (place, candidate) in candidates.iter().enumerate() {
            match around(target, step, |target| candidate.row(target)) {
                Ok(rows) => choices.push(rows),
                Err(error) if place == 0 => return Err(error),
                Err(error) => refused.push((candidate.name, error)),
            }
        }
        Ok(Compared { target, step, choices, refused })
    }
}

impl Report for Compared {
    fn text(&self, page: &mut Page) {
        self.print_table(page);
        for (kind, error) in &self.refused {
            page.sentence(&format!("{kind}: {error}"));
        }
        for (row, work) in self.choices.iter().filter_map(|rows| asked(rows)) {
            print_choice(&work.best_for, &row.command, page);
        }
    }

    fn records(&self, records: &mut Records) {
        self.choices.iter().flatten().for_each(|row| records.row(row));
    }
}

/// The row of the target.
fn asked(rows: &[Row]) -> Option<(&Row, &Work)> {
    let row = rows.iter().find(|row| row.asked)?;
    Some((row, row.work.as_ref()?))
}

impl Compared {
    fn print_table(&self, page: &mut Page) {
        let (left, right) = (Align::Left, Align::Right);
        let at = |target: f64| format!("at {}", percent(target)).into();
        let cells = |cell: &dyn Fn(&[Row], &Row, &Work) -> String| {
            let told = |rows: &Vec<Row>| asked(rows).map(|(row, work)| cell(rows, row, work));
            self.choices.iter().filter_map(told).collect::<Vec<_>>()
        };
        let memory = |row: Option<&Row>| row.map_or("-".into(), |row| size(row.memory_bytes));
        let larger = |rows: &[Row], _: &Row, _: &Work| memory(rows.iter().find(|it| it.target > self.target));
        let smaller =
            |rows: &[Row], _: &Row, _: &Work| memory(rows.iter().find(|it| it.target < self.target));
        let columns = vec![
            ("kind".into(), left, 0, cells(&|_, row, _| row.kind.to_owned())),
            ("error".into(), right, 2, cells(&|_, row, _| percent(row.achieved))),
            ("memory".into(), right, 1, cells(&|_, row, _| size(row.memory_bytes))),
            (at(self.target * self.step), right, 4, cells(&larger)),
            (at(self.target / self.step), right, 5, cells(&smaller)),
            ("an insert".into(), left, 6, cells(&|_, _, work| work.insert.clone())),
            ("a query".into(), left, 7, cells(&|_, _, work| work.query.clone())),
            ("merges".into(), left, 3, cells(&|_, _, work| work.merges.unwrap_or("no").to_owned())),
        ];
        print_columns(columns, page);
    }
}
