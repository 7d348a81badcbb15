//! `crivo seen`: each record once.

mod known;
mod passing;
mod recent;
mod state;
#[cfg(test)]
mod tests;
mod window;

use super::item_set::ItemSet;
use super::sketch_file::load;
use crate::args::{FormArgs, HashArgs, InputArgs, LimitArgs, Step, parse_count, parse_share, parse_step};
use crate::input::Columns;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use crivo::membership::{BlockedParams, HashCompaction, HashCompactionParams, WindowedParams};
use crivo::{BlockedBloom, HashSpec, WindowedBloom};
use crivo_report::size;
use known::Known;
use passing::{Passage, Passing};
use recent::Recent;
use state::State;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use window::Window;

/// Print each record the first time it occurs (deduplicate a stream)
///
/// Like uniq, but without sorting: records are printed in input order, as soon as they arrive. With --column, a record
/// passes if its value in that column is new; a record without a value always passes.
///
/// Records that have passed are remembered as fingerprints of 7 to 14 bytes per distinct record, whatever its length.
/// No record passes twice. A new record is mistaken for a known one, and lost, with a probability of at most --fpr.
/// --exact never errs; it keeps all records that pass.
///
/// --invert prints the other records: those that occurred before or, with --window, shortly before.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo seen access.log > once.log
  tail -f access.log | crivo seen --state seen.crv
  crivo seen visits.csv --column user > first-visits.csv
  tail -f access.log | crivo seen --window 1h
  crivo seen logins.csv --column user --invert --window 10s --time at    # two logins within 10 s
  crivo seen *.jsonl.gz --column user.id --capacity 1e8 --stats > users.jsonl
  crivo filter query seen.crv --keys new.log    # which of these are in the saved state?
'crivo dups' finds records that are nearly the same.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Seen {
    #[command(flatten)]
    input: InputArgs,

    /// Maximum probability that a new record is mistaken for a known one, and lost [default: 0.000001]
    #[arg(long, value_name = "P", value_parser = parse_share, conflicts_with = "exact")]
    fpr: Option<f64>,

    /// Maximum number of distinct records, such as 20000 or 1e8
    ///
    /// A filter of fixed size is faster and does not grow. If there are more records, new ones are lost more often than
    /// --fpr allows, and a warning says so.
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "exact")]
    capacity: Option<u64>,

    /// Forget older records: a time such as 30s, 10m or 1h, or a number of records such as 1e6
    ///
    /// A record passes unless an equal one came within the window before it, whether that one passed or not. A record
    /// from up to a quarter of the window earlier may still be remembered. --capacity is the number of distinct records
    /// in a window; more may come. With --invert the window is sharp: a record is printed if an equal one came less than
    /// this time, or at most this number of records, before it. That takes up to 60 bytes for each distinct record of two
    /// windows; --capacity, --fpr and --state choose the filter that takes less and ends up to a quarter late.
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, conflicts_with = "exact", help_heading = "Time")]
    window: Option<Step>,

    /// Column with the time of each record; the window is then measured in data time, not by the clock
    ///
    /// Times are seconds since 1970, or a date and time such as 2026-11-16T02:03:04Z. A late record is treated as if it
    /// had the latest time so far.
    #[arg(long, value_name = "COLUMN", requires = "window", help_heading = "Time")]
    time: Option<String>,

    /// Print the records that occurred before, like uniq -d; a record without a value is not printed
    #[arg(long, short = 'v')]
    invert: bool,

    /// Never err: keep the records or their values instead of a filter
    #[arg(long, conflicts_with = "state")]
    exact: bool,

    /// Continue from this file if it exists, and save to it which records have been seen
    ///
    /// The file is replaced in one step every 5 seconds (less often if saving is slow), at the end, and after an
    /// interrupt; always after the records that it covers have been written out. So however the command ends, no record
    /// is lost; records that passed since the last save may pass again. Only one command uses the file at a time;
    /// another command waits up to ten seconds. The file is a filter: 'crivo info' and 'crivo filter query' read it.
    #[arg(long, value_name = "FILE.crv", help_heading = "State")]
    state: Option<PathBuf>,

    /// When to save the state: after a number of records (1000) or a time (1m) [default: 5s]
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, requires = "state", help_heading = "State")]
    save_every: Option<Step>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// Report at the end, on standard error, how many records passed and how many were probably lost; the last object
    /// of --json always reports it
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    form: FormArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output", conflicts_with = "stats")]
    quiet: bool,
}

/// Of 10⁶ distinct records one may be lost: few enough that a user of uniq will not miss it. A table of fingerprints keeps
/// to this until it is as large as --max-memory allows, and errs much less until then: a record in 10⁸ at 10⁷ of them.
const FPR: f64 = 1e-6;

/// How sharply a window ends: after a quarter of it more, all is forgotten.
const GENERATIONS: u32 = 4;

/// Distinct records that a table begins with room for.
const FIRST: u64 = 1 << 14;

/// What may be remembered.
#[derive(Clone, Copy, Debug)]
struct Limit {
    max_memory: u64,
    /// What takes less.
    instead: &'static str,
}

impl Verb for Seen {
    type Report = Passage;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Passage> {
        let state =
            self.state.as_deref().map(|path| State::open(path, self.save_every, session)).transpose()?;
        let known = match &self.state {
            Some(path) if state.as_ref().is_some_and(State::exists) => self.load(path, session)?,
            _ => self.begin(self.hash.spec(session)?)?,
        };
        self.limit().check(known.memory_bytes())?;
        let columns = Columns { time: self.time.as_deref(), ..Columns::default() };
        let mut input = self.input.open_beside(columns, self.limit, session)?;
        input.answers_early = true;
        input.wake = state.as_ref().map(State::patience);
        input.missing = input.missing.keeping_lines();
        let (fpr, limit) = (self.fpr(), self.limit());
        let record_end = self.input.record_end();
        let wants = known.wants().and_records();
        let mut passing = Passing::new(known, state, fpr, record_end, self.invert, session);
        let read = input.read(wants, |batch| {
            let memory = passing.known().memory_with(batch);
            limit.check(memory).context("the rest of the input was not read")?;
            passing.take(batch)?;
            Ok(ControlFlow::Continue(()))
        });
        // What has passed must be known next time, also after an error.
        let ended = passing.end();
        let passage = passing.passage(&read?, self.stats);
        if let Err(error) = ended {
            session.fail_later(error);
        }
        Ok(passage)
    }
}

impl Limit {
    fn check(self, bytes: usize) -> Result<()> {
        if bytes as u64 > self.max_memory {
            bail!(
                "the memory of the records seen takes {}, more than --max-memory {}; raise it{}",
                size(bytes as u64),
                size(self.max_memory),
                self.instead
            );
        }
        Ok(())
    }

    /// Before anything of that size is made.
    fn check_planned(self, bytes: u64) -> Result<()> {
        self.check(usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

impl Seen {
    fn limit(&self) -> Limit {
        let instead = if self.exact {
            ", or leave out --exact"
        } else if self.is_sharp() {
            ", or give --capacity for a filter"
        } else {
            ""
        };
        Limit { max_memory: self.limit.max_memory, instead }
    }

    /// Whether the window ends at the very moment: where repeats are asked for, and no filter is.
    fn is_sharp(&self) -> bool {
        let has_filter = self.capacity.is_some() || self.fpr.is_some() || self.state.is_some();
        self.invert && self.window.is_some() && !has_filter
    }

    /// Nothing seen.
    fn begin(&self, spec: HashSpec) -> Result<Known> {
        if self.exact {
            return Ok(Known::Exact(ItemSet::default(), spec));
        }
        if let Some((step, params)) = self.windowed()? {
            if self.is_sharp() {
                return Ok(Known::Recent(Recent::new(spec, params.window(), step, self.time.is_some())));
            }
            self.limit().check_planned(params.memory_bytes())?;
            return Ok(self.window(WindowedBloom::with_params(params).with_hash(spec), step));
        }
        if let Some(params) = self.planned()? {
            self.limit().check_planned(params.memory_bytes())?;
            return Ok(Known::Planned(BlockedBloom::with_params(params).with_hash(spec)));
        }
        Ok(Known::Growing(HashCompaction::with_params(self.growing()?).with_hash(spec)))
    }

    fn fpr(&self) -> f64 {
        self.fpr.unwrap_or(FPR)
    }

    /// A table of fingerprints so long that it keeps to the rate as long as it keeps to the memory.
    fn growing(&self) -> Result<HashCompactionParams> {
        let bits = HashCompactionParams::for_fpr(self.most_items(), self.fpr())?.fingerprint_bits();
        Ok(HashCompactionParams::exact(FIRST.min(self.most_items()), bits)?)
    }

    /// More than this a table of fingerprints never holds: each takes at least two bytes.
    fn most_items(&self) -> u64 {
        (self.limit.max_memory / 2).max(1)
    }

    fn window(&self, filter: WindowedBloom, step: Step) -> Known {
        Known::Window(Window::new(filter, step, self.time.is_some()))
    }

    /// The filter for --window, which is in microseconds or in records.
    fn windowed(&self) -> Result<Option<(Step, WindowedParams)>> {
        let Some(step) = self.window else { return Ok(None) };
        let window = match step {
            Step::Items(_) if self.time.is_some() => {
                bail!("--time needs a window of time, such as --window 1h; give one, or leave out --time")
            }
            Step::Items(items) => items,
            Step::Time(time) => u64::try_from(time.as_micros())?,
        };
        let generations = u32::try_from(window).unwrap_or(GENERATIONS).min(GENERATIONS);
        let items = self.capacity.unwrap_or(FIRST);
        Ok(Some((step, WindowedParams::for_fpr(items, self.fpr(), window, generations)?)))
    }

    /// The filter for --capacity.
    fn planned(&self) -> Result<Option<BlockedParams>> {
        let params = self.capacity.map(|capacity| BlockedParams::for_fpr(capacity, self.fpr()));
        params.transpose().context("leave out --capacity, or ask for another --fpr")
    }

    /// What the state has seen. Flags may be given again, but not others.
    fn load(&self, path: &Path, session: &Session) -> Result<Known> {
        let sketch = load(path, &self.hash.decode_options(self.limit, session)?, session)?;
        let name = || path.display().to_string();
        let other = |flags: &str| {
            anyhow!(
                "{}: the state was created with {flags}; give the same flags, or start another state",
                path.display()
            )
        };
        let known = if let Some(filter) = sketch.downcast_ref::<WindowedBloom>() {
            let Some((step, params)) = self.windowed()? else { return Err(other("--window")) };
            let has = filter.params();
            let asked = (self.fpr.map(|_| params.fpr()), self.capacity.map(|_| params.items()));
            let agrees = asked.0.is_none_or(|fpr| fpr == has.fpr())
                && asked.1.is_none_or(|items| items == has.items())
                && params.window() == has.window();
            if !agrees {
                return Err(other("another --window, --fpr or --capacity"));
            }
            self.window(filter.clone(), step)
        } else if self.window.is_some() {
            return Err(other("no --window"));
        } else if let Some(filter) = sketch.downcast_ref::<HashCompaction>() {
            if self.capacity.is_some() {
                return Err(other("no --capacity"));
            }
            if self.fpr.is_some_and(|fpr| filter.params().fpr_at(self.most_items()) > fpr) {
                return Err(other("a higher --fpr or a smaller --max-memory"));
            }
            Known::Growing(filter.clone())
        } else if let Some(filter) = sketch.downcast_ref::<BlockedBloom>() {
            if self.planned()?.is_some_and(|planned| planned != filter.params()) {
                return Err(other("another --capacity or --fpr"));
            }
            Known::Planned(filter.clone())
        } else {
            bail!(
                "{}: a {} is not a state of this command; name another file to create one",
                name(),
                sketch.kind().name()
            );
        };
        self.hash.check_agrees(&known.hash_spec(), session).with_context(name)?;
        Ok(known)
    }
}
