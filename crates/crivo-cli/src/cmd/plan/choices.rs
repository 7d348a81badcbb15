//! Structures that meet a target, beside each other: what most plans print.

use super::{Format, around, law};
use crate::output::{Align, Answer, Output, PlanRow, Table, Work, percent, size};
use anyhow::Result;
use crivo::{Kind, MergeLaw};

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
pub(super) struct Candidate<'a> {
    name: &'static str,
    merge_law: Option<MergeLaw>,
    /// What it is the choice for.
    best_for: &'static str,
    size: Box<dyn Fn(f64) -> Result<Choice> + 'a>,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(kind: Kind, best_for: &'static str, size: impl Fn(f64) -> Result<Choice> + 'a) -> Self {
        let info = kind.info();
        Self { merge_law: info.kind.merge_law(), ..Self::unsaved(info.kind.name(), best_for, size) }
    }

    /// Of a structure that is never written to a file, and so never merged.
    pub(super) fn unsaved(
        name: &'static str,
        best_for: &'static str,
        size: impl Fn(f64) -> Result<Choice> + 'a,
    ) -> Self {
        Self { name, merge_law: None, best_for, size: Box::new(size) }
    }

    fn row(&self, target: f64) -> Result<PlanRow> {
        let Choice { achieved, memory_bytes, parameters, work, command } = (self.size)(target)?;
        Ok(PlanRow {
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

/// Prints a row for each candidate, with what targets `step` times larger and smaller would take, and its command. The
/// first stands for the question: what it refuses is refused.
pub(super) fn compare(target: f64, step: f64, candidates: &[Candidate], format: &Format) -> Result<()> {
    let (mut choices, mut refused) = (Vec::new(), Vec::new());
    for (place, candidate) in candidates.iter().enumerate() {
        match around(target, step, |target| candidate.row(target)) {
            Ok(rows) => choices.push(rows),
            Err(error) if place == 0 => return Err(error),
            Err(error) => refused.push((candidate.name, error)),
        }
    }
    let mut output = Output::new();
    if format.json {
        for row in choices.into_iter().flatten() {
            output.json(&Answer::Plan(row))?;
        }
        return output.flush();
    }
    print_table(&choices, target, step, &mut output)?;
    for (kind, error) in refused {
        output.line(&format!("{kind}: {error}"))?;
    }
    for row in choices.iter().flatten().filter(|row| row.asked) {
        let best_for =
            row.work.iter().flat_map(|work| &work.best_for).copied().collect::<Vec<_>>().join(", ");
        output.line("")?;
        output.line(&format!("# {best_for}"))?;
        output.line(&row.command)?;
    }
    output.flush()
}

fn print_table(choices: &[Vec<PlanRow>], target: f64, step: f64, output: &mut Output) -> Result<()> {
    let mut table = Table::new([
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Left,
        Align::Left,
        Align::Left,
    ]);
    let at = |target: f64| format!("at {}", percent(target));
    let head =
        ["kind", "error", "memory", &at(target * step), &at(target / step), "an insert", "a query", "merges"];
    table.push(head.map(str::to_owned));
    for rows in choices {
        let memory = |row: Option<&PlanRow>| row.map_or("-".into(), |row| size(row.memory_bytes));
        let larger = rows.iter().find(|row| row.target > target);
        let smaller = rows.iter().find(|row| row.target < target);
        let Some((row, work)) =
            rows.iter().find(|row| row.asked).and_then(|row| Some((row, row.work.as_ref()?)))
        else {
            continue;
        };
        table.push([
            row.kind.to_owned(),
            percent(row.achieved),
            size(row.memory_bytes),
            memory(larger),
            memory(smaller),
            work.insert.clone(),
            work.query.clone(),
            work.merges.unwrap_or("no").to_owned(),
        ]);
    }
    output.page(0, |page| table.print(page))
}
