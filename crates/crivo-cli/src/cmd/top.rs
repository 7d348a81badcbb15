//! `crivo top`: which most often?

#[cfg(test)]
mod tests;

use super::by::{AllOrGroups, read_groups};
use super::foreign;
use super::hitters::{Hitter, Hitters, TopKind, ranked};
use super::memory::Watch;
use super::steps::{Alert, StepEnd, Stepped, Stream, read};
use crate::args::{
    HashArgs, InputArgs, StreamArgs, What, When, parse_count, parse_share, parse_size, parse_when,
};
use crate::input::{Batch, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::Estimate;
use crivo_report::{
    Align, AnyBar, Bar, Page, Records, Report, Table, Text, count, estimate, estimate_cells, percent, plural,
    shown, whole,
};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::Range;

/// List the most frequent items (heavy hitters)
///
/// Counts with Misra-Gries: the bounds of each count are deterministic, and so is the bound on the count of any item
/// that is not listed. Items are sorted by the lower bounds of their counts; a rank that the bounds do not settle is
/// marked.
///
/// --kind majority keeps one item, the only one that can have more than half of all. If its bounds leave open whether it
/// is a majority, 'crivo count FILE --key ITEM' decides in a second pass.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo top access.log -n 20
  crivo top visits.csv --column page
  crivo top sales.csv --column product --weight units
  crivo top visits.csv --column page --save pages.crv
  crivo top votes.txt --kind majority
  crivo top --from druid.frequent    # frequent items of DataSketches
  tail -f access.log | crivo top --every 1m
  tail -f access.log | crivo top --when 'count>1000'    # alert on any item")]
pub(crate) struct Top {
    #[command(flatten)]
    input: InputArgs,

    /// Number of items to list
    #[arg(long, short, visible_short_alias = 'k', value_name = "N", default_value = "10", value_parser = parse_count)]
    number: u64,

    /// Weight each record by this column, a whole number; records without a weight are left out and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// Sketch to count with
    #[arg(long, value_enum, default_value_t = TopKind::MisraGries, conflicts_with = "from")]
    kind: TopKind,

    /// Maximum error of a count, as a share of all items, by default 0.0002; every item with a larger share is found
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with_all = ["memory", "from"])]
    error: Option<f64>,

    /// Use about this much memory, for items of some 20 bytes, instead of deriving it from --error
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "from")]
    memory: Option<u64>,

    /// Report when the count of any item passes a limit: 'count>1000'
    ///
    /// The lower bound decides, so the report is certain. It is late by at most the error of the item, which is 0 while
    /// all items fit into memory. Each item is reported once.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with_all = ["from", "by"],
          help_heading = "Time")]
    when: Option<When>,

    #[command(flatten)]
    stream: StreamArgs,

    #[command(flatten)]
    hash: HashArgs,
}

impl Verb for Top {
    type Report = AllOrGroups<Listed>;

    fn manner(&self) -> Manner {
        self.stream.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        if let Some(when) = &self.when {
            when.check_is(What::Count, "'count>1000'")?;
        }
        if self.number == 0 {
            bail!("a list has at least one item, got --number 0");
        }
        let target = self.stream.save.target(session)?;
        if let Some(listed) = self.foreign(session)? {
            return Ok(AllOrGroups::All(listed));
        }
        let (sketch, goes_on) = self.sketch(session)?;
        // What the items of a saved sketch hold comes on top.
        let held = if sketch.total() == 0 { 0 } else { sketch.memory_bytes() as u64 };
        let full = sketch.full_bytes() + held;
        let (limit, number) = (self.stream.limit, usize::try_from(self.number).unwrap_or(usize::MAX));
        let input = if goes_on {
            limit.check(self.memory.unwrap_or(full))?;
            let columns = self.stream.columns(self.weight.as_deref());
            Some(self.input.open_beside(columns, limit, session)?)
        } else {
            None
        };
        let (every, by, when) = (self.stream.every, self.stream.by, self.when);
        let wants = Wants::hashes(sketch.spec()).and_values();
        let new = |alerts| {
            let memory = Watch::new(limit, usize::try_from(full)?);
            Ok(Counting { sketch: sketch.clone(), items: 0, number, alerts, memory, session })
        };
        let input = match input {
            Some(input) if by.by.is_some() => {
                return read_groups(input, wants, &by, limit, || new(None)).map(AllOrGroups::Groups);
            }
            input => input,
        };
        let mut stream = new(when.map(|when| Alerts { when, told: HashSet::new() }))?;
        let totals = read(input, wants, every, &mut stream, session)?;
        let saved = session.save(target.as_ref(), || stream.sketch.sketch().to_bytes());
        Ok(AllOrGroups::All(Listed { saved, ..Listed::of(&stream.sketch, number, totals.missing) }))
    }
}

impl Top {
    /// What a saved sketch of another library lists, if there is one.
    fn foreign(&self, session: &Session) -> Result<Option<Listed>> {
        let of_input = self.input.is_described() || self.weight.is_some();
        let Some(saved) = self.stream.saved(self.input.is_named(), of_input)? else { return Ok(None) };
        let options = self.hash.decode_options(self.stream.limit, session)?;
        let Some((name, sketch)) = foreign::load_alone(saved, &options, session)? else { return Ok(None) };
        if self.stream.save.is_given() {
            bail!("{name}: 'crivo merge' copies a sketch of another library; leave out --save");
        }
        let (top, floor) = sketch.top().with_context(|| name.clone())?;
        let (items, memory) = (sketch.total().context(name)?, sketch.to_bytes().len());
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        Ok(Some(Listed::new(ranked(top, floor), items, floor, memory, number)))
    }

    /// Returns an empty sketch or the one of a file, and whether there is input to count.
    fn sketch(&self, session: &Session) -> Result<(Hitters, bool)> {
        let of_input = self.input.is_described() || self.weight.is_some();
        match self.stream.saved(self.input.is_named(), of_input)? {
            None => {
                let spec = self.hash.spec(session)?;
                Ok((Hitters::new(self.kind, self.error, self.memory, spec)?, true))
            }
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(self.stream.limit, session)?;
                Ok((Hitters::load(saved.path, &options, session)?, saved.goes_on))
            }
        }
    }
}

/// The most frequent items, and a bound on all others.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "top")]
pub(crate) struct Listed {
    #[serde(skip)]
    hitters: Vec<Hitter>,
    /// Whether only a majority was looked for.
    #[serde(skip)]
    is_majority: bool,
    /// The sum of all counts.
    items: u64,
    missing: u64,
    floor: u64,
    /// The highest count that another item can have; none if that is not known.
    others_most: Option<f64>,
    /// The share that the listed items have together at least.
    listed: f64,
    memory_bytes: u64,
    saved: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "item")]
struct ItemRecord<'a> {
    rank: u64,
    item: Text<'a>,
    count: Bar,
    share: f64,
    rank_guaranteed: bool,
}

impl Listed {
    fn of(sketch: &Hitters, number: usize, missing: u64) -> Self {
        let listed =
            Self::new(sketch.ranked(), sketch.total(), sketch.floor(), sketch.memory_bytes(), number);
        Self { is_majority: sketch.is_majority(), missing, ..listed }
    }

    /// Lists the first of these items, the most frequent first; no other one has more than the floor.
    fn new(mut hitters: Vec<Hitter>, items: u64, floor: u64, memory: usize, number: usize) -> Self {
        let others = hitters.split_off(hitters.len().min(number));
        let others_most = others.iter().map(|hitter| hitter.count.upper()).fold(floor as f64, f64::max);
        let least = hitters.iter().map(|hitter| hitter.count.lower()).fold(0.0, |a, b| a + b);
        Self {
            hitters,
            is_majority: false,
            items,
            missing: 0,
            floor,
            others_most: Some(others_most).filter(|most| most.is_finite()),
            // A total that is no larger than a u64 can be less than its parts.
            listed: share(least, items).min(1.0),
            memory_bytes: memory as u64,
            saved: None,
        }
    }
}

fn share(part: f64, items: u64) -> f64 {
    if items == 0 { 0.0 } else { part / items as f64 }
}

impl Listed {
    /// What the bounds say about a majority.
    fn majority(&self) -> &'static str {
        match self.hitters.first() {
            None => "no item has more than half of all",
            Some(only) if 2.0 * only.count.lower() > self.items as f64 => "it has more than half of all",
            Some(_) => {
                "it may have more than half of all; 'crivo count FILE --key ITEM' counts it in a second pass"
            }
        }
    }
}

impl Report for Listed {
    fn text(&self, page: &mut Page) {
        use Align::{Left, Right};
        let mut table = Table::new([Right, Right, Left, Right, Left, Left]);
        for (rank, hitter) in (1..).zip(&self.hitters) {
            let mark = if hitter.is_rank_guaranteed { "" } else { "~" };
            let [value, bar] = estimate_cells(&hitter.count);
            let share = percent(share(hitter.count.value(), self.items));
            table.push([format!("{mark}{rank}"), value, bar, share, shown(&hitter.item), String::new()]);
        }
        table.shorten(4, page.width());
        let most = self.hitters.iter().map(|hitter| hitter.count.value()).fold(0.0, f64::max);
        table.draw_last(page.width(), self.hitters.iter().map(|hitter| hitter.count.value() / most));
        table.print(page);
        if self.items == 0 {
            page.line("0 items");
        } else {
            let beside = match self.others_most {
                Some(0.0) => "there are no others".into(),
                Some(most) => format!("no other item has more than {}", whole(most)),
                None => "the counts of the others are not known".into(),
            };
            // No unit: with --weight, these are not items.
            page.line(&format!(
                "together {} of {} in all; {beside}",
                percent(self.listed),
                count(self.items)
            ));
        }
        if self.is_majority {
            page.line(self.majority());
        } else if self.hitters.iter().any(|hitter| !hitter.is_rank_guaranteed) {
            page.line("~ uncertain rank; a smaller --error or more --memory reduces the uncertainty");
        }
        if self.missing > 0 {
            page.note(&format!("{} not counted", plural(self.missing, "missing value", "missing values")));
        }
    }

    fn records(&self, records: &mut Records) {
        for (rank, hitter) in (1..).zip(&self.hitters) {
            records.row(&ItemRecord {
                rank,
                item: Text::from(&hitter.item[..]),
                count: hitter.count.into(),
                share: share(hitter.count.value(), self.items),
                rank_guaranteed: hitter.is_rank_guaranteed,
            });
        }
        records.total(self);
    }
}

struct Counting<'a> {
    sketch: Hitters,
    items: u64,
    number: usize,
    alerts: Option<Alerts>,
    memory: Watch,
    session: &'a Session,
}

impl Stream for Counting<'_> {
    type Answer = Stepped<Listed>;

    fn memory_bytes(&self) -> usize {
        self.sketch.memory_bytes()
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        /// The smallest buffer, in bytes, that an item may get when it replaces another.
        const SMALLEST_BUFFER: usize = 8;
        let mut bytes = 0;
        for place in items {
            let (item, hash) = (batch.values.get(place), batch.hashes[place]);
            let copies = batch.copies.get(place).copied().unwrap_or(1);
            self.sketch.add(item, hash, copies);
            self.items += 1;
            bytes += item.len().max(SMALLEST_BUFFER);
            if let Some(alerts) = &mut self.alerts {
                let count = self.sketch.frequency(item, hash);
                alerts.see(item, hash, count, self.items, self.session)?;
            }
        }
        let unused = self.sketch.unused_bytes() as usize;
        self.memory.has_read(bytes, || self.sketch.memory_bytes(), unused)
    }

    fn answer(&mut self, step: StepEnd) -> Result<Stepped<Listed>> {
        Ok(Stepped { step, answer: Listed::of(&self.sketch, self.number, step.missing) })
    }

    fn prints(&self) -> bool {
        self.alerts.is_some()
    }
}

/// Items that have passed the limit of `--when`.
struct Alerts {
    when: When,
    /// Their hashes: an item that has left the sketch may come back.
    told: HashSet<u64>,
}

impl Alerts {
    fn see(
        &mut self,
        item: &[u8],
        hash: u64,
        frequency: Estimate,
        number: u64,
        session: &Session,
    ) -> Result<()> {
        /// More lines than anyone reads; their hashes take some 16 MiB.
        const MOST: usize = 1 << 20;
        if !self.when.holds(frequency.lower(), frequency.upper()) || !self.told.insert(hash) {
            return Ok(());
        }
        if self.told.len() > MOST {
            bail!("more than {MOST} items have passed the limit of --when; raise it");
        }
        session.show(&Alert {
            when: &self.when.text,
            items: number,
            item: Some(Text::from(item)),
            estimate: AnyBar::Number(frequency.into()),
            words: format!("item {}: {}\t{}", count(number), shown(item), estimate(&frequency, "")),
        })?;
        session.flush()
    }
}
