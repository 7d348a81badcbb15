//! `crivo distinct`: how many different?

mod groups;
mod sets;
mod steps;
mod tally;

use crate::args::{
    CounterKind, CounterOrExact, FromArgs, HashArgs, InputArgs, LimitArgs, SaveArgs, Step, What, When,
    parse_count, parse_duration, parse_share, parse_step, parse_when,
};
use crate::cmd::counter::Counter;
use crate::input::{Columns, Input, Totals};
use crate::output::{Answer, Output, estimate, plural, save_and_print, time};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use crivo::sketch::Sketch;
use crivo::{ExaLogLog, HashSpec, HyperLogLog, Kind};
use std::process::ExitCode;
use std::time::Duration;
use tally::Tally;

/// How many different items there are
///
/// Counts with HyperLogLog unless told: 64 KiB for an error of 1 %, whatever the input, and exact while the items are
/// few, unless two of them share the 31 bits that are kept of their hashes; the answer states the chance. --kind exact keeps
/// the items themselves.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(group = ArgGroup::new("in_time").args(["every", "window", "from"]).multiple(true))]
#[command(group = ArgGroup::new("of_sketch").multiple(true).conflicts_with("from")
    .args(["kind", "error", "items", "precision", "by", "window"]))]
#[command(group = ArgGroup::new("on_sketches").args(["union", "intersect", "minus"]).conflicts_with_all(OF_DATA), after_help = "Examples:
  crivo distinct access.log.gz
  crivo distinct visits.csv --column user --error 0.005
  crivo distinct visits.csv --column user --by page --top 10
  cut -f1 data | crivo distinct --save monday.crv
  tail -f access.log | crivo distinct --every 10s
  crivo distinct visits.csv --column user --window 1h --time time --every 10m
  crivo distinct --union monday.crv tuesday.crv
  crivo distinct --minus tuesday.crv monday.crv    # new on tuesday
'crivo plan cardinality' compares the kinds.")]
pub(crate) struct Distinct {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    from: FromArgs,

    /// Which counter
    #[arg(long, value_name = "KIND", default_value = "hyperloglog", value_parser = CounterOrExact::parser())]
    kind: CounterOrExact,

    /// Half-width of the 95 % interval, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = parse_share, conflicts_with = "precision")]
    error: f64,

    /// How many different items there may be, such as 20000 or 1e9, for kinds whose size depends on it
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "precision")]
    items: Option<u64>,

    /// Use 2^P registers instead of deriving P from --error
    #[arg(long, value_name = "P")]
    precision: Option<u8>,

    /// Count for each value of this column apart, the largest group first
    ///
    /// As many groups are kept as fit into --max-memory when all are full; these are the first in the input. The items
    /// of all further groups are counted together, with an estimate of how many groups they are.
    #[arg(long, value_name = "COLUMN", conflicts_with = "save", help_heading = "Groups")]
    by: Option<String>,

    /// Keep this many groups at most
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "by", help_heading = "Groups")]
    groups: Option<u64>,

    /// Print the K largest groups only
    #[arg(long, value_name = "K", value_parser = parse_count, requires = "by", help_heading = "Groups")]
    top: Option<u64>,

    /// Answer while reading, too: after every so many items (1e6), or so much time (10s, 5m)
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, conflicts_with = "by", help_heading = "Time")]
    every: Option<Step>,

    /// Say so, once, when the number passes a limit: 'distinct>1e6'
    ///
    /// The lower end of the error bar decides, so the limit is passed with at least the confidence shown. It is looked
    /// at after each of the first 1,024 items, then after every 1,024, and at the end; what happens between two looks is
    /// not seen.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with = "by", help_heading = "Time")]
    when: Option<When>,

    /// Count only the last of the data: the records of this time before the latest one, such as 90s, 10m, 2h or 1d
    ///
    /// Records may come in any order. Those that are older than the window when they come are not counted; their number
    /// is reported. With --every 1m, an answer is for the window that ends with the step.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, requires = "time",
          conflicts_with_all = ["kind", "items"], help_heading = "Time")]
    window: Option<Duration>,

    /// The column with the time of each record; --every 10m then means ten minutes of the data
    ///
    /// Seconds since 1970, or a date and time such as 2026-11-16T02:03:04Z. An answer is printed when a record of a later
    /// step comes; a step without records has none.
    #[arg(long, value_name = "COLUMN", requires = "in_time", help_heading = "Time")]
    time: Option<String>,

    /// The files are saved sketches: how many different items they have seen together
    #[arg(long, help_heading = "Saved sketches")]
    union: bool,

    /// The files are two saved sketches: how many different items both have seen
    #[arg(long, help_heading = "Saved sketches")]
    intersect: bool,

    /// The files are saved sketches: how many different items the first has seen and no other
    #[arg(long, help_heading = "Saved sketches")]
    minus: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// Flags that make no sense for saved sketches.
const OF_DATA: [&str; 21] = [
    "from",
    "kind",
    "missing",
    "error",
    "items",
    "precision",
    "by",
    "groups",
    "top",
    "every",
    "when",
    "time",
    "window",
    "seed",
    "save",
    "column",
    "format",
    "delimiter",
    "no_header",
    "null",
    "jobs",
];

impl Distinct {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        if self.is_on_sketches() {
            self.run_on_sketches(session)?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(when) = &self.when {
            when.check_is(What::Distinct, "'distinct>1e6'")?;
        }
        let of_input = self.input.is_described() || self.every.is_some() || self.time.is_some();
        let saved = self.from.saved(self.input.is_named(), of_input)?;
        let target = self.save.target(session)?;
        if target.is_some() && saved.is_none() && self.kind.0.is_none() {
            bail!(
                "--kind exact keeps the items, and nothing that could be saved; leave out --save, or choose another --kind"
            );
        }
        let tally = match saved {
            None => self.empty(session)?,
            Some(saved) => self.load(saved, session)?,
        };
        let (totals, tally) = if saved.is_some_and(|saved| !saved.goes_on) {
            (Totals::default(), tally)
        } else {
            let (by, time_column) = (self.by.as_deref(), self.time.as_deref());
            let columns = Columns { by, time: time_column, ..Columns::default() };
            let input =
                Input { answers_early: true, ..self.input.open_beside(columns, &self.limit, session)? };
            if self.by.is_some() {
                self.run_by_group(input, tally.spec())?;
                return Ok(ExitCode::SUCCESS);
            }
            self.count(input, tally, session)?
        };
        let distinct = tally.estimate();
        let Totals { items, nulls, .. } = totals;
        let print = |output: &mut Output, saved| {
            let (until, late) = (tally.until().map(time), tally.late());
            if self.json {
                let distinct = distinct.into();
                return output.json(&match until {
                    None => Answer::Distinct { distinct, items, nulls, saved },
                    Some(until) => Answer::Window { distinct, until, items, nulls, late, saved },
                });
            }
            output.line(&estimate(&distinct, &tally.noun()))?;
            if self.quiet { Ok(()) } else { print_left_out(output, nulls, late) }
        };
        save_and_print(target.as_ref(), || tally.to_bytes(), print, session)?;
        Ok(ExitCode::SUCCESS)
    }

    /// An empty counter.
    fn counter(&self, kind: CounterKind, spec: HashSpec) -> Result<Counter> {
        let sketch: Box<dyn Sketch> = match self.precision {
            None => (kind.target)(self.error, self.items, spec)?,
            Some(precision) => match kind.info.kind {
                Kind::HyperLogLog => Box::new(HyperLogLog::for_precision(precision)?.with_hash(spec)),
                Kind::ExaLogLog => Box::new(ExaLogLog::for_precision(precision)?.with_hash(spec)),
                _ => bail!(
                    "--precision is for hyperloglog and exaloglog; say --error for a {}",
                    kind.info.kind.name()
                ),
            },
        };
        Ok(Counter::new(sketch).expect("kinds with a target are counters"))
    }

    /// Nothing counted yet. Refuses a counter that would be too large when full; one that grows with its items is watched
    /// as it does.
    fn empty(&self, session: &Session) -> Result<Tally> {
        /// No sketch that starts small becomes larger.
        const LARGE: u64 = 64 << 20;
        let spec = self.hash.spec(session)?;
        let tally = self.tally(spec)?;
        self.check_memory(&tally)?;
        if let Tally::All(counter) = &tally
            && !counter.grows()
            && self.limit.max_memory < LARGE
        {
            self.limit.check(self.tally(spec)?.full_bytes()?)?;
        }
        Ok(tally)
    }

    fn check_memory(&self, tally: &Tally) -> Result<()> {
        match tally {
            Tally::Exact { items, .. } => self.limit.check_items(items.memory_bytes(), "--kind exact"),
            Tally::All(counter) => self.limit.check(counter.sketch().memory_bytes() as u64),
            Tally::Window { sketch, .. } => self.limit.check(sketch.memory_bytes() as u64),
        }
    }

    /// Goes on with `tally`.
    fn count(&self, input: Input, tally: Tally, session: &Session) -> Result<(Totals, Tally)> {
        let answers_meanwhile = self.every.is_some() || self.when.is_some();
        let mut counter = match tally {
            Tally::All(counter) if may_be_shared(&counter) && !answers_meanwhile => counter,
            tally => return self.count_in_order(input, tally, session),
        };
        // What a saved one has counted is counted once, in however many copies.
        let copies = (0..input.jobs).map(|_| counter.copy()).collect();
        let (totals, parts) = input.fold(counter.spec(), copies, Counter::insert_hashes)?;
        for part in &parts {
            counter.merge(part)?;
        }
        Ok((totals, Tally::All(counter)))
    }
}

/// Whether each thread may have one of its own.
fn may_be_shared(counter: &Counter) -> bool {
    /// A larger one is not kept once for each thread.
    const SMALL: usize = 16 << 20;
    !counter.grows() && counter.merges_exactly() && counter.sketch().memory_bytes() <= SMALL
}

fn print_left_out(output: &mut Output, nulls: u64, late: u64) -> Result<()> {
    if nulls > 0 {
        output.line(&format!("{} not counted", plural(nulls, "empty value", "empty values")))?;
    }
    if late > 0 {
        output.line(&format!("{} too late for the window not counted", plural(late, "record", "records")))?;
    }
    Ok(())
}
