//! `crivo distinct`: how many distinct?

mod foreign;
mod groups;
mod sets;
mod steps;
mod tally;
#[cfg(test)]
mod tests;

use crate::args::{
    AnswerArgs, CounterOrExact, FromArgs, HashArgs, InputArgs, ItemArgs, LimitArgs, SaveArgs, Step, What,
    When, parse_count, parse_duration, parse_share, parse_step, parse_when,
};
use crate::cmd::counter::Counter;
use crate::input::{Columns, Input, Totals};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use crivo::{Estimate, Kind};
use crivo_interop::Foreign;
use crivo_report::{Bar, Page, Records, Report, estimate, plural, time};
use foreign::ForeignKind;
use serde::Serialize;
use std::time::Duration;
use tally::{Shape, Tally};

/// Count distinct items
///
/// Uses HyperLogLog by default: 64 KiB for an error of 1 %, whatever the input. Small counts are exact, unless two
/// items share the 31 bits that are kept of their hashes; the answer states the probability of that. --kind exact keeps
/// the items themselves.
#[derive(Args, Debug)]
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
  crivo distinct --from spark.theta                # a sketch of DataSketches
  crivo distinct visits.csv --column user --save users.theta    # one that Spark merges
  crivo distinct --minus tuesday.crv monday.crv    # new on tuesday
'crivo plan cardinality' compares the kinds.")]
pub(crate) struct Distinct {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    from: FromArgs,

    /// The kind of counter
    #[arg(long, value_name = "KIND", default_value = "hyperloglog", value_parser = CounterOrExact::parser())]
    kind: CounterOrExact,

    /// Half-width of the 95 % interval, as a share of the answer
    #[arg(long, value_name = "SHARE", default_value_t = ERROR, value_parser = parse_share, conflicts_with = "precision")]
    error: f64,

    /// Expected number of distinct items, such as 20000 or 1e9, for kinds whose size depends on it
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "precision")]
    items: Option<u64>,

    /// Use 2^P registers instead of deriving P from --error
    #[arg(long, value_name = "P")]
    precision: Option<u8>,

    /// Count separately for each value of this column, the largest group first
    ///
    /// Keeps as many groups as fit into --max-memory when all are full: the first ones in the input. The items of all
    /// other groups are counted together, with an estimate of the number of those groups.
    #[arg(long, value_name = "COLUMN", conflicts_with = "save", help_heading = "Groups")]
    by: Option<String>,

    /// Maximum number of groups
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "by", help_heading = "Groups")]
    groups: Option<u64>,

    /// Print the K largest groups only
    #[arg(long, value_name = "K", value_parser = parse_count, requires = "by", help_heading = "Groups")]
    top: Option<u64>,

    /// Also print intermediate answers, after every N items (1e6) or at an interval (10s, 5m)
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, conflicts_with = "by", help_heading = "Time")]
    every: Option<Step>,

    /// Report once when the number passes a limit: 'distinct>1e6'
    ///
    /// The lower end of the error bar decides, so the limit is passed with at least the confidence shown. The condition
    /// is checked after each of the first 1,024 items, then after every 1,024 items, and at the end.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with = "by", help_heading = "Time")]
    when: Option<When>,

    /// Count only recent data: the records within this time before the latest one, such as 90s, 10m, 2h or 1d
    ///
    /// Records may come in any order. A record that is older than the window when it arrives is not counted; the number
    /// of such records is reported. With --every 1m, each answer covers the window that ends with the step.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, requires = "time",
          conflicts_with_all = ["kind", "items"], help_heading = "Time")]
    window: Option<Duration>,

    /// Column with the time of each record; --every 10m then means ten minutes of data time
    ///
    /// Times are seconds since 1970, or a date and time such as 2026-11-16T02:03:04Z. An answer is printed when a
    /// record of a later step arrives; a step without records has no answer.
    #[arg(long, value_name = "COLUMN", requires = "in_time", help_heading = "Time")]
    time: Option<String>,

    /// Read the files as saved sketches and count the distinct items of their union
    #[arg(long, help_heading = "Saved sketches")]
    union: bool,

    /// Read the files as two saved sketches and count the distinct items of their intersection
    #[arg(long, help_heading = "Saved sketches")]
    intersect: bool,

    /// Read the files as saved sketches and count the distinct items that only the first has
    #[arg(long, help_heading = "Saved sketches")]
    minus: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// Count with a sketch of another library, and save it in its format; a file named .theta is a datasketches-theta
    ///
    /// The size is the library's default, unless --precision gives it. Items are hashed as that library hashes texts; with
    /// --numbers, as it hashes whole numbers of 64 bits.
    #[arg(long = "as", value_name = "FORMAT", value_enum, requires = "save", help_heading = "Output",
          conflicts_with_all = ["kind", "error", "items", "seed"])]
    as_kind: Option<ForeignKind>,

    #[command(flatten)]
    items_are: ItemArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// The error of a counter unless --error says otherwise.
const ERROR: f64 = 0.01;

/// Flags that make no sense for saved sketches.
const OF_DATA: [&str; 23] = [
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
    "as_kind",
    "numbers",
    "column",
    "format",
    "delimiter",
    "no_header",
    "null",
    "jobs",
];

impl Verb for Distinct {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        if self.union || self.intersect || self.minus {
            return Ok(Box::new(self.sets(session)?));
        }
        if let Some(when) = &self.when {
            when.check_is(What::Distinct, "'distinct>1e6'")?;
        }
        let of_input = self.input.is_described() || self.every.is_some() || self.time.is_some();
        let saved = self.from.saved(self.input.is_named(), of_input)?;
        let target = self.save.target(session)?;
        if target.is_some() && saved.is_none() && self.kind.0.is_none() {
            bail!(
                "--kind exact keeps only the items, which cannot be saved; leave out --save, or choose another --kind"
            );
        }
        if let Some(saved) = saved
            && let Some(sketch) = self.load_foreign(saved, session)?
        {
            return Ok(Box::new(Count::of_foreign(&sketch, &Totals::default(), target.as_ref(), session)?));
        }
        let by_name = || self.save.path().filter(|_| saved.is_none()).and_then(ForeignKind::of);
        if let Some(kind) = self.as_kind.or_else(by_name) {
            let (totals, sketch) = self.count_foreign(kind, session)?;
            return Ok(Box::new(Count::of_foreign(&sketch, &totals, target.as_ref(), session)?));
        }
        self.items_are.check_unused()?;
        let shape = self.shape();
        let tally = match saved {
            None => shape.checked(self.hash.spec(session)?, self.limit)?,
            Some(saved) => self.load(saved, session)?,
        };
        if saved.is_some_and(|saved| !saved.goes_on) {
            return Ok(Box::new(Count::of(&tally, &Totals::default(), target.as_ref(), session)));
        }
        let (by, time) = (self.by.as_deref(), self.time.as_deref());
        let columns = Columns { by, time, ..Columns::default() };
        let input = Input { answers_early: true, ..self.input.open_beside(columns, self.limit, session)? };
        if by.is_some() {
            let spec = tally.spec();
            let counting = groups::Counting::new(input, shape, spec, self.groups, self.top, self.limit)?;
            return Ok(Box::new(counting.read()?));
        }
        let is_read_at_once = self.every.is_none() && self.when.is_none();
        let (totals, tally) = match tally {
            Tally::All(counter) if is_read_at_once && counter.may_be_shared() => {
                count_on_threads(input, counter)?
            }
            tally => steps::count_in_order(input, tally, self.every, self.when, self.limit, session)?,
        };
        Ok(Box::new(Count::of(&tally, &totals, target.as_ref(), session)))
    }
}

impl Distinct {
    /// Counts everything with a sketch of another library.
    fn count_foreign(&self, kind: ForeignKind, session: &Session) -> Result<(Totals, Foreign)> {
        let by_parts =
            self.by.is_some() || self.every.is_some() || self.when.is_some() || self.window.is_some();
        if by_parts || self.from.is_given() {
            bail!(
                "a sketch of another library counts the whole input once; leave out --from, --by, --every, --when and --window"
            );
        }
        let is_hyperloglog = self.kind.0.is_some_and(|kind| kind.info.kind == Kind::HyperLogLog);
        if !is_hyperloglog || self.error != ERROR || self.items.is_some() || self.hash.is_given() {
            bail!(
                "a sketch of another library has its own size and hash; leave out --kind, --error, --items, --seed and --secret-file, or save \
                 Crivo's own sketch in a file with another name, such as users.crv"
            );
        }
        let input = self.input.open_beside(Columns::default(), self.limit, session)?;
        kind.count(input, self.precision, self.items_are)
    }

    fn shape(&self) -> Shape {
        /// With a smaller limit, the user wants a small sketch rather than an exact answer.
        const ENOUGH: u64 = 1 << 20;
        let Self { kind, error, items, precision, window, .. } = *self;
        let exact_while_few = self.limit.max_memory >= ENOUGH;
        Shape { kind, error, items, precision, window, exact_while_few }
    }
}

/// Counts with `counter`, of which each thread has a copy.
fn count_on_threads(input: Input, mut counter: Counter) -> Result<(Totals, Tally)> {
    // The contents of a saved sketch count once, however many copies there are.
    let copies = (0..input.jobs).map(|_| counter.clone()).collect();
    let (totals, parts) = input.fold(counter.spec(), copies, Counter::insert_hashes)?;
    for part in &parts {
        counter.merge(part)?;
    }
    Ok((totals, Tally::All(counter)))
}

/// The number of distinct items, in a window if there is one.
#[derive(Debug)]
struct Count {
    distinct: Estimate,
    /// What they are.
    noun: String,
    items: u64,
    missing: u64,
    /// The time of the latest record, where a window ends.
    until: Option<u64>,
    late: u64,
    saved: Option<String>,
}

impl Count {
    /// What was counted, and is saved if there is a place for it.
    fn of(tally: &Tally, totals: &Totals, target: Option<&Target>, session: &Session) -> Self {
        Self {
            distinct: tally.estimate(),
            noun: tally.noun(),
            items: totals.items,
            missing: totals.missing,
            until: tally.until(),
            late: tally.late(),
            saved: session.save(target, || tally.to_bytes()),
        }
    }
}

impl Count {
    /// What a sketch of another library has counted.
    fn of_foreign(
        sketch: &Foreign,
        totals: &Totals,
        target: Option<&Target>,
        session: &Session,
    ) -> Result<Self> {
        Ok(Self {
            distinct: sketch.cardinality()?,
            noun: "distinct".into(),
            items: totals.items,
            missing: totals.missing,
            until: None,
            late: 0,
            saved: session.save(target, || sketch.to_bytes()),
        })
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "distinct")]
struct CountRecord<'a> {
    distinct: Bar,
    items: u64,
    missing: u64,
    saved: Option<&'a str>,
}

/// `until` is the time of the latest record, `late` were not counted.
#[derive(Serialize)]
#[serde(tag = "type", rename = "window")]
struct WindowRecord<'a> {
    distinct: Bar,
    until: String,
    items: u64,
    missing: u64,
    late: u64,
    saved: Option<&'a str>,
}

impl Report for Count {
    fn text(&self, page: &mut Page) {
        page.line(&estimate(&self.distinct, &self.noun));
        for line in left_out(self.missing, self.late) {
            page.note(&line);
        }
    }

    fn records(&self, records: &mut Records) {
        let Self { items, missing, late, .. } = *self;
        let (distinct, saved) = (self.distinct.into(), self.saved.as_deref());
        match self.until.map(time) {
            None => records.row(&CountRecord { distinct, items, missing, saved }),
            Some(until) => records.row(&WindowRecord { distinct, until, items, missing, late, saved }),
        }
    }
}

/// What was not counted.
fn left_out(missing: u64, late: u64) -> impl Iterator<Item = String> {
    let missing =
        (missing > 0).then(|| format!("{} not counted", plural(missing, "missing value", "missing values")));
    let late = (late > 0)
        .then(|| format!("{} too late for the window not counted", plural(late, "record", "records")));
    missing.into_iter().chain(late)
}
