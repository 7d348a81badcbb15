//! `crivo plan cardinality`: all kinds of counters beside each other, or one around an error.

use super::{Format, around, law, print};
use crate::args::{CounterKind, parse_count, parse_share, short_name};
use crate::cmd::counter::Counter;
use crate::output::{Answer, CounterCost, Output, PlanRow, count, percent, size};
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::FactValue;
use crivo::{HashSpec, MergeLaw};

/// More items are not tried.
const MANY: u64 = 1_000_000;

/// How many different? From the half-width of the 95 % interval
///
/// Makes a counter of each kind, fills it, and compares what they take, the smallest first. Stars mark the first
/// choices, whose commands follow.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo plan cardinality --error 0.01
  crivo plan cardinality --error 0.01 --items 20000
  crivo plan cardinality --error 0.01 --kind hyperloglog")]
pub(crate) struct Cardinality {
    /// Half-width of the 95 % interval, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    error: f64,

    /// How many different items, such as 20000 or 1e9, for kinds whose size depends on it
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: Option<u64>,

    /// Show this kind alone, with what larger and smaller errors would cost
    #[arg(long, value_name = "KIND", value_parser = CounterKind::parser())]
    kind: Option<CounterKind>,

    #[command(flatten)]
    format: Format,
}

impl Cardinality {
    pub(super) fn run(&self) -> Result<()> {
        if self.items == Some(0) {
            bail!("--items must be at least 1");
        }
        match self.kind {
            Some(kind) => print(around(self.error, 2.0, |error| self.row(kind, error))?, self.format.json),
            None => self.compare(),
        }
    }

    /// How many items are tried.
    fn many(&self) -> u64 {
        self.items.map_or(MANY, |items| items.min(MANY))
    }

    /// What this kind takes, by making one and filling it.
    fn row(&self, kind: CounterKind, error: f64) -> crivo::Result<PlanRow> {
        let make = || (kind.target)(error, self.items, HashSpec::default());
        let filled = |items: u64| {
            let mut counter = Counter::new(make()?).expect("kinds with a target are counters");
            counter.insert_random(items)?;
            crivo::Result::Ok(counter)
        };
        let empty = make()?;
        let parameters = empty.facts().into_iter().filter_map(|fact| match fact.value {
            FactValue::Count(value) => Some((fact.name.to_owned(), value.into())),
            _ => None,
        });
        let full = filled(self.many())?;
        let estimate = full.estimate();
        let (value, lower, upper) = (estimate.value(), estimate.lower(), estimate.upper());
        // A size that follows from the number of items meets the error at that number, not at the one tried.
        let depends = (kind.target)(error, None, HashSpec::default()).is_err();
        let is_tried = self.items.is_none_or(|items| items <= MANY);
        let measured = (value - lower).max(upper - value) / value;
        let items =
            self.items.filter(|_| depends).map(|items| format!(" --items {items}")).unwrap_or_default();
        Ok(PlanRow {
            kind: kind.info.kind.name(),
            asked: false,
            target: error,
            achieved: if depends && !is_tried { error } else { measured },
            memory_bytes: full.sketch().memory_bytes() as u64,
            parameters: serde_json::Value::Object(parameters.collect()),
            command: format!("crivo distinct FILE --kind {} --error {error}{items}", short_name(kind.info)),
            filter: None,
            counter: Some(CounterCost {
                items: self.many(),
                empty_bytes: empty.memory_bytes() as u64,
                few_bytes: filled(1000)?.sketch().memory_bytes() as u64,
                file_bytes: full.sketch().to_bytes().len() as u64,
                merges: law(kind.info.kind.merge_law()),
                best_for: Vec::new(),
            }),
            work: None,
        })
    }

    /// One row for each kind, the smallest first.
    fn compare(&self) -> Result<()> {
        let (mut rows, mut refused) = (Vec::new(), Vec::new());
        for kind in CounterKind::all() {
            match self.row(kind, self.error) {
                Ok(row) => rows.push(PlanRow { asked: true, ..row }),
                Err(error) => refused.push((short_name(kind.info), error)),
            }
        }
        if rows.iter().all(|row| row.achieved == 0.0) {
            // All but the exact ones refuse a target that makes no sense; the first says why.
            refused.truncate(1);
            return refused.pop().map_or(Ok(()), |(_, error)| Err(error.into()));
        }
        rows.sort_by_key(|row| row.memory_bytes);
        mark_choices(&mut rows);
        let mut output = Output::new();
        if self.format.json {
            for row in rows {
                output.json(&Answer::Plan(row))?;
            }
            return output.flush();
        }
        let mut line = |mark: char, cells: [&str; 7]| {
            let [kind, error, empty, few, many, file, merges] = cells;
            let text =
                format!("{mark} {kind:<24}{error:>8}{empty:>11}{few:>11}{many:>13}{file:>11}  {merges}");
            output.line(text.trim_end())
        };
        let many = format!("at {}", count(self.many()));
        line(' ', ["kind", "error", "empty", "at 1,000", &many, "file", "merges"])?;
        let choices: Vec<(&PlanRow, &CounterCost)> =
            rows.iter().filter_map(|row| Some((row, row.counter.as_ref()?))).collect();
        for (row, cost) in &choices {
            let cells = [cost.empty_bytes, cost.few_bytes, row.memory_bytes, cost.file_bytes].map(size);
            let error = if row.achieved.is_finite() { percent(row.achieved) } else { "none".into() };
            let [empty, few, many, file] = &cells;
            let mark = if cost.best_for.is_empty() { ' ' } else { '*' };
            line(mark, [row.kind, &error, empty, few, many, file, cost.merges.unwrap_or("no")])?;
        }
        for (kind, error) in &refused {
            output.line(&format!("  {kind}: {error}"))?;
        }
        for (row, cost) in choices.iter().filter(|(_, cost)| !cost.best_for.is_empty()) {
            output.line("")?;
            output.line(&format!("# {}", cost.best_for.join(", ")))?;
            output.line(&row.command)?;
        }
        output.flush()
    }
}

/// Notes what each is the first choice for; the rows are in the order of their size.
fn mark_choices(rows: &mut [PlanRow]) {
    // The one tried may have had a little bad luck.
    let good = |row: &PlanRow| row.achieved <= 1.1 * row.target;
    let exact = law(Some(MergeLaw::Exact));
    let cost = |row: &PlanRow| row.counter.as_ref().map_or((None, 0), |cost| (cost.merges, cost.file_bytes));
    let choices = [
        ("smallest", rows.iter().position(good)),
        ("merges", rows.iter().position(|row| good(row) && cost(row).0 == exact)),
        (
            "smallest file",
            (0..rows.len()).filter(|&place| good(&rows[place])).min_by_key(|&place| cost(&rows[place]).1),
        ),
    ];
    for (wish, choice) in choices {
        if let Some(cost) = choice.and_then(|place| rows[place].counter.as_mut()) {
            cost.best_for.push(wish);
        }
    }
}
