//! `crivo plan cardinality`: all kinds of counters side by side, or one around an error.

use super::row::{Around, CounterCost, Row, marked, print_choice, print_columns};
use super::{around, law};
use crate::args::{CounterKind, FormArgs, parse_count, parse_share, short_name};
use crate::cmd::counter::Counter;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::FactValue;
use crivo::{HashSpec, MergeLaw};
use crivo_report::{Align, Page, Records, Report, count, percent, size};

/// More items are not tried.
const MANY: u64 = 1_000_000;

/// Distinct counts: counters, from the half-width of the 95 % interval
///
/// Builds and fills a counter of each kind, and compares their memory, the smallest first. Stars mark the recommended
/// kinds, whose commands follow.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo plan cardinality --error 0.01
  crivo plan cardinality --error 0.01 --items 20000
  crivo plan cardinality --error 0.01 --kind hyperloglog")]
pub(crate) struct Cardinality {
    /// Half-width of the 95 % interval, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share)]
    error: f64,

    /// Number of distinct items, such as 20000 or 1e9, for kinds whose size depends on it
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: Option<u64>,

    /// Show only this kind, at larger and smaller errors
    #[arg(long, value_name = "KIND", value_parser = CounterKind::parser())]
    kind: Option<CounterKind>,

    #[command(flatten)]
    form: FormArgs,
}

/// One kind around the target, or all of them at it.
#[derive(Debug)]
pub(crate) enum Counters {
    One(Around),
    All {
        /// The smallest first.
        rows: Vec<Row>,
        refused: Vec<(&'static str, crivo::Error)>,
        /// How many items were tried.
        many: u64,
    },
}

impl Verb for Cardinality {
    type Report = Counters;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, _session: &Session) -> Result<Counters> {
        if self.items == Some(0) {
            bail!("--items must be at least 1");
        }
        let Some(kind) = self.kind else { return self.compare() };
        Ok(Counters::One(Around(around(self.error, 2.0, |error| self.row(kind, error))?)))
    }
}

impl Cardinality {
    /// How many items are tried.
    fn many(&self) -> u64 {
        self.items.map_or(MANY, |items| items.min(MANY))
    }

    /// What this kind takes, by making one and filling it.
    fn row(&self, kind: CounterKind, error: f64) -> crivo::Result<Row> {
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
        Ok(Row {
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
    fn compare(&self) -> Result<Counters> {
        let (mut rows, mut refused) = (Vec::new(), Vec::new());
        for kind in CounterKind::all() {
            match self.row(kind, self.error) {
                Ok(row) => rows.push(Row { asked: true, ..row }),
                Err(error) => refused.push((short_name(kind.info), error)),
            }
        }
        if rows.iter().all(|row| row.achieved == 0.0) && !refused.is_empty() {
            // All but the exact ones refuse a target that makes no sense; the first says why.
            return Err(refused.swap_remove(0).1.into());
        }
        rows.sort_by_key(|row| row.memory_bytes);
        mark_choices(&mut rows);
        Ok(Counters::All { rows, refused, many: self.many() })
    }
}

impl Report for Counters {
    fn text(&self, page: &mut Page) {
        let (rows, refused, many) = match self {
            Self::One(around) => return around.text(page),
            Self::All { rows, refused, many } => (rows, refused, *many),
        };
        let choices: Vec<(&Row, &CounterCost)> =
            rows.iter().filter_map(|row| Some((row, row.counter.as_ref()?))).collect();
        print_table(&choices, many, page);
        for (kind, error) in refused {
            page.sentence(&format!("  {kind}: {error}"));
        }
        for (row, cost) in choices.iter().filter(|(_, cost)| !cost.best_for.is_empty()) {
            print_choice(&cost.best_for, &row.command, page);
        }
    }

    fn records(&self, records: &mut Records) {
        match self {
            Self::One(around) => around.records(records),
            Self::All { rows, .. } => rows.iter().for_each(|row| records.row(row)),
        }
    }
}

fn print_table(choices: &[(&Row, &CounterCost)], many: u64, page: &mut Page) {
    let cells = |cell: &dyn Fn(&Row, &CounterCost) -> String| {
        choices.iter().map(|(row, cost)| cell(row, cost)).collect::<Vec<_>>()
    };
    let kind = |row: &Row, cost: &CounterCost| marked(row.kind, !cost.best_for.is_empty());
    let error = |row: &Row, _: &CounterCost| {
        if row.achieved.is_finite() { percent(row.achieved) } else { "none".into() }
    };
    let many = format!("at {}", count(many));
    let right = Align::Right;
    let columns = vec![
        ("  kind".into(), Align::Left, 0, cells(&kind)),
        ("error".into(), right, 2, cells(&error)),
        ("empty".into(), right, 6, cells(&|_, cost| size(cost.empty_bytes))),
        ("at 1,000".into(), right, 4, cells(&|_, cost| size(cost.few_bytes))),
        (many.into(), right, 1, cells(&|row, _| size(row.memory_bytes))),
        ("file".into(), right, 5, cells(&|_, cost| size(cost.file_bytes))),
        ("merges".into(), Align::Left, 3, cells(&|_, cost| cost.merges.unwrap_or("no").into())),
    ];
    print_columns(columns, page);
}

/// Notes what each is the first choice for; the rows are in the order of their size.
fn mark_choices(rows: &mut [Row]) {
    // The one tried may have had a little bad luck.
    let good = |row: &Row| row.achieved <= 1.1 * row.target;
    let exact = law(Some(MergeLaw::Exact));
    let cost = |row: &Row| row.counter.as_ref().map_or((None, 0), |cost| (cost.merges, cost.file_bytes));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn counters_are_compared_or_one_is_shown_around_the_error() {
        let counters = Folder::new().report::<Cardinality>("--error 0.05 --items 20000");
        let Counters::All { rows, many, .. } = &counters else { panic!("{counters:?}") };
        assert!(rows.is_sorted_by_key(|row| row.memory_bytes) && *many == 20_000);
        let marked =
            |wish: &str| rows.iter().find(|row| row.counter.as_ref().unwrap().best_for.contains(&wish));
        for wish in ["smallest", "merges", "smallest file"] {
            assert!(marked(wish).unwrap().achieved <= 1.1 * 0.05, "{wish}");
        }
        let line = "--error 0.05 --items 20000 --kind hyperloglog";
        let counters = Folder::new().report::<Cardinality>(line);
        let Counters::One(Around(rows)) = &counters else { panic!("{counters:?}") };
        assert_eq!(rows.iter().map(|row| row.target).collect::<Vec<_>>(), [0.1, 0.05, 0.025, 0.0125]);
        let text = Folder::new().printed::<Cardinality>(line);
        assert!(text.ends_with("\n\ncrivo distinct FILE --kind hyperloglog --error 0.05\n"), "{text}");
    }
}
