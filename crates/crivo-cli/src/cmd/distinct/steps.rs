//! `crivo distinct` as a stream: answers at its end, at each step, and when a limit is passed.

use super::tally::Tally;
use crate::args::{LimitArgs, Step, When};
use crate::cmd::steps::{Alert, StepEnd, Stream, between_looks, is_look, read};
use crate::input::{Batch, Input, Totals};
use crate::session::Session;
use anyhow::Result;
use crivo::Estimate;
use crivo_report::{AnyBar, Bar, Page, Records, Report, estimate, plural, time};
use serde::Serialize;
use std::ops::Range;

/// Reads everything in order, and answers meanwhile if asked to.
pub(super) fn count_in_order(
    input: Input,
    tally: Tally,
    every: Option<Step>,
    when: Option<When>,
    limit: LimitArgs,
    session: &Session,
) -> Result<(Totals, Tally)> {
    let wants = tally.wants();
    let mut stream = Counting { tally, items: 0, when, has_alerted: false, limit, session };
    let totals = read(Some(input), wants, every, &mut stream, session)?;
    stream.alert()?;
    Ok((totals, stream.tally))
}

struct Counting<'a> {
    tally: Tally,
    items: u64,
    when: Option<When>,
    has_alerted: bool,
    limit: LimitArgs,
    session: &'a Session,
}

impl Counting<'_> {
    fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        Ok(self.tally.insert_batch(batch, items)?)
    }

    /// Speaks up once, when the bound that `--when` asks for is passed.
    fn alert(&mut self) -> Result<()> {
        let Some(when) = self.when.as_ref().filter(|_| !self.has_alerted) else { return Ok(()) };
        let distinct = self.tally.estimate();
        if !when.holds(distinct.lower(), distinct.upper()) {
            return Ok(());
        }
        self.has_alerted = true;
        let items = plural(self.items, "item", "items");
        self.session.show(&Alert {
            when: &when.text,
            items: self.items,
            item: None,
            estimate: AnyBar::Number(distinct.into()),
            words: format!("{items}: {}", estimate(&distinct, "distinct")),
        })?;
        self.session.flush()
    }
}

/// How many there are at the end of a step.
struct StepCount {
    step: StepEnd,
    distinct: Estimate,
    noun: String,
}

/// `end` is the end of the step in the time of the data, if that counts.
#[derive(Serialize)]
#[serde(tag = "type", rename = "step")]
struct StepRecord {
    end: Option<String>,
    items: u64,
    distinct: Bar,
}

impl Report for StepCount {
    fn text(&self, page: &mut Page) {
        page.line(&format!("{}: {}", self.step.words(), estimate(&self.distinct, &self.noun)));
    }

    fn records(&self, records: &mut Records) {
        let (end, items) = (self.step.time.map(time), self.step.items);
        records.row(&StepRecord { end, items, distinct: self.distinct.into() });
    }
}

impl Stream for Counting<'_> {
    type Answer = StepCount;

    fn memory_bytes(&self) -> usize {
        self.tally.memory_bytes()
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if self.when.is_some() {
            for part in between_looks(self.items, items) {
                self.insert(batch, part)?;
                if is_look(self.items) {
                    self.alert()?;
                }
            }
        } else {
            self.insert(batch, items)?;
        }
        self.tally.check_memory(self.limit)
    }

    fn answer(&mut self, step: StepEnd) -> Result<StepCount> {
        if let Some(end) = step.time {
            // The step ends before the first moment of the next.
            self.tally.advance(end - 1);
        }
        Ok(StepCount { step, distinct: self.tally.estimate(), noun: self.tally.noun() })
    }

    fn prints(&self) -> bool {
        self.when.is_some()
    }
}
