//! `crivo top`: which most often?

use super::memory::Watch;
use super::sketch_file::load_as;
use super::steps::{StepEnd, Stream, read};
use crate::args::{
    HashArgs, InputArgs, StreamArgs, What, When, parse_count, parse_share, parse_size, parse_when,
};
use crate::input::{Batch, Totals, Wants};
use crate::output::{
    Align, Answer, AnyBar, Output, Table, Text, estimate, estimate_cells, percent, plural, save_and_print,
    shown, size, whole,
};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Kind, MisraGries};
use std::collections::HashSet;
use std::ops::Range;
use std::process::ExitCode;

/// Which items are the most frequent
///
/// Counts with Misra-Gries: the bounds of each count are certain, and so is what can be missing from the list. Items are
/// in the order of what they certainly have; where that does not settle the rank, it is marked.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo top access.log -k 20
  crivo top visits.csv --column page
  crivo top sales.csv --column product --weight units
  crivo top visits.csv --column page --save pages.crv
  tail -f access.log | crivo top --every 1m
  tail -f access.log | crivo top --when 'count>1000'    # whoever gets there")]
pub(crate) struct Top {
    #[command(flatten)]
    input: InputArgs,

    /// How many items to list
    #[arg(long = "number", short = 'k', value_name = "K", default_value = "10", value_parser = parse_count)]
    number: u64,

    /// Each record counts as often as this column says, a whole number; one without it is left out and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// No count is further off than this share of all, and no item with more is missing
    #[arg(long, value_name = "SHARE", default_value_t = 0.0002, value_parser = parse_share,
          conflicts_with_all = ["memory", "from"])]
    error: f64,

    /// Use about this much memory, with items of some 20 bytes, instead of deriving it from --error
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "from")]
    memory: Option<u64>,

    /// Say so when the count of any item passes a limit: 'count>1000'
    ///
    /// What is said is certain: the lower bound decides. It comes late by at most the error of the item, which is 0
    /// while all items fit into memory. Each item is told once.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with = "from", help_heading = "Time")]
    when: Option<When>,

    #[command(flatten)]
    stream: StreamArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    hash: HashArgs,
}

/// The most frequent values.
type Hitters = MisraGries<Vec<u8>>;

impl Top {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        if let Some(when) = &self.when {
            when.check_is(What::Count, "'count>1000'")?;
        }
        if self.number == 0 {
            bail!("a list has at least one item, got -k 0");
        }
        let target = self.stream.save.target(session)?;
        let (sketch, totals) = self.sketch(session)?;
        save_and_print(
            target.as_ref(),
            || sketch.to_bytes(),
            |output, saved| self.print(output, &sketch, totals.nulls, saved),
            session,
        )?;
        Ok(ExitCode::SUCCESS)
    }

    /// Read from its file, or made from the input.
    fn sketch(&self, session: &Session) -> Result<(Hitters, Totals)> {
        let of_input = self.input.is_described() || self.weight.is_some();
        let sketch = match self.stream.saved(self.input.is_named(), of_input)? {
            None => Hitters::for_counters(self.counters()?)?.with_hash(self.hash.spec(session)?),
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(&self.stream.limit, session)?;
                let sketch: Hitters = load_as(saved.path, &options, Kind::MisraGries, session)?;
                if !saved.goes_on {
                    return Ok((sketch, Totals::default()));
                }
                sketch
            }
        };
        let spec = *sketch.hash_spec();
        // What the items of a saved sketch hold comes on top.
        let held = if sketch.is_empty() { 0 } else { sketch.memory_bytes() as u64 };
        let full = Hitters::memory_for(sketch.counters()) + held;
        self.stream.limit.check(self.memory.unwrap_or(full))?;
        let columns = self.stream.columns(self.weight.as_deref());
        let mut input = self.input.open_beside(columns, &self.stream.limit, session)?;
        input.prints = self.when.is_some();
        let alerts = self.when.as_ref().map(|when| Alerts { when, told: HashSet::new() });
        let memory = Watch::new(&self.stream.limit, usize::try_from(full)?);
        let mut stream = Counting { verb: self, sketch, items: 0, alerts, memory };
        let totals = read(input, Wants::hashes(spec).and_values(), self.stream.every, &mut stream, session)?;
        Ok((stream.sketch, totals))
    }

    fn counters(&self) -> Result<u32> {
        let Some(memory) = self.memory else { return Ok(Hitters::for_error(self.error)?.counters()) };
        // The other half is for the items themselves.
        let least = 2 * Hitters::memory_for(1);
        if memory < least {
            bail!("--memory must be at least {}, which one counter takes with its item", size(least));
        }
        Ok(Hitters::for_memory(memory / 2)?.counters())
    }

    fn print(&self, output: &mut Output, sketch: &Hitters, nulls: u64, saved: Option<String>) -> Result<()> {
        let total = sketch.total();
        let share = |number: f64| if total == 0 { 0.0 } else { number / total as f64 };
        let all = sketch.top(usize::MAX);
        let (top, others) = all.split_at(all.len().min(usize::try_from(self.number).unwrap_or(usize::MAX)));
        let most_of_others =
            others.iter().map(|hitter| hitter.count().upper()).fold(sketch.floor() as f64, f64::max);
        // A total that is no larger than a u64 can be less than its parts.
        let listed = share(top.iter().map(|hitter| hitter.count().lower()).fold(0.0, |a, b| a + b)).min(1.0);
        let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Right, Align::Left]);
        for (rank, hitter) in (1..).zip(top) {
            let (count, guaranteed) = (hitter.count(), hitter.is_rank_guaranteed());
            let share = share(count.value());
            if self.stream.form.json() {
                let item = Text::from(&hitter.item()[..]);
                output.json(&Answer::Item {
                    rank,
                    item,
                    count: count.into(),
                    share,
                    rank_guaranteed: guaranteed,
                })?;
                continue;
            }
            let mark = if guaranteed { "" } else { "~" };
            let [value, bar] = estimate_cells(&count);
            table.push([format!("{mark}{rank}"), value, bar, percent(share), shown(hitter.item())]);
        }
        if self.stream.form.json() {
            return output.json(&Answer::Top {
                items: total,
                nulls,
                floor: sketch.floor(),
                others_most: Some(most_of_others).filter(|most| most.is_finite()),
                listed,
                memory_bytes: sketch.memory_bytes() as u64,
                saved,
            });
        }
        output.page(0, |page| table.print(page))?;
        if total == 0 {
            output.line("0 items")?;
        } else {
            let beside = if most_of_others == 0.0 {
                "there are no others".into()
            } else if most_of_others.is_finite() {
                format!("no other item has more than {}", whole(most_of_others))
            } else {
                "how much the others have is not known".into()
            };
            output.line(&format!(
                "together {} of {}; {beside}",
                percent(listed),
                plural(total, "item", "items")
            ))?;
        }
        if top.iter().any(|hitter| !hitter.is_rank_guaranteed()) {
            output.line("~ the rank is not certain; a smaller --error or more --memory tells more")?;
        }
        if nulls > 0 && !self.quiet {
            output.line(&format!("{} not counted", plural(nulls, "empty value", "empty values")))?;
        }
        Ok(())
    }
}

struct Counting<'a> {
    verb: &'a Top,
    sketch: Hitters,
    items: u64,
    alerts: Option<Alerts<'a>>,
    memory: Watch<'a>,
}

impl Stream for Counting<'_> {
    type Answer = ();

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        /// An item that takes the place of another may get a buffer of so many bytes.
        const SMALLEST_BUFFER: usize = 8;
        let mut bytes = 0;
        for place in items {
            let (item, hash) = (batch.values.get(place), batch.hashes[place]);
            let copies = batch.copies.get(place).copied().unwrap_or(1);
            self.sketch.add_hashed(item, hash, copies);
            self.items += 1;
            bytes += item.len().max(SMALLEST_BUFFER);
            if let Some(alerts) = &mut self.alerts {
                let count = self.sketch.frequency_hashed(item, hash);
                alerts.see(item, hash, count, self.items, self.verb.stream.form.json())?;
            }
        }
        let unused =
            Hitters::memory_for(self.sketch.counters()) - Hitters::memory_for(self.sketch.len() as u32);
        self.memory.has_read(bytes, || self.sketch.memory_bytes(), unused as usize)
    }

    fn answer(&mut self, step: StepEnd) -> Result<()> {
        let mut output = Output::step(self.verb.stream.form.json());
        step.print(&mut output, self.verb.stream.form.json())?;
        self.verb.print(&mut output, &self.sketch, step.nulls, None)?;
        output.flush()
    }
}

/// Items that have passed the limit of `--when`.
struct Alerts<'a> {
    when: &'a When,
    /// Their hashes: an item that has left the sketch may come back.
    told: HashSet<u64>,
}

impl Alerts<'_> {
    fn see(&mut self, item: &[u8], hash: u64, count: Estimate, number: u64, json: bool) -> Result<()> {
        /// So many lines nobody reads; they take some 16 MiB.
        const MOST: usize = 1 << 20;
        if !self.when.holds(count.lower(), count.upper()) || !self.told.insert(hash) {
            return Ok(());
        }
        if self.told.len() > MOST {
            bail!("more than {MOST} items have passed the limit of --when; raise it");
        }
        let when = &self.when.text;
        let mut output = Output::new();
        if json {
            let item = Some(Text::from(item));
            output.json(&Answer::Alert {
                when,
                items: number,
                item,
                estimate: AnyBar::Number(count.into()),
            })?;
        } else {
            output.line(&format!(
                "{when}: item {}: {}\t{}",
                crate::output::count(number),
                shown(item),
                estimate(&count, "")
            ))?;
        }
        output.flush()
    }
}
