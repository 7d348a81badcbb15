//! `crivo distinct` as a stream: answers at its end, at each step, and when a limit is passed.

use super::Distinct;
use super::tally::Tally;
use crate::cmd::steps::{StepEnd, Stream, between_looks, is_look, read};
use crate::input::{Batch, Input, Totals};
use crate::output::{Answer, AnyBar, Output, estimate, plural, time};
use crate::session::Session;
use anyhow::Result;
use std::ops::Range;

impl Distinct {
    /// Reads everything in order, and answers meanwhile if asked to.
    pub(super) fn count_in_order(
        &self,
        mut input: Input,
        tally: Tally,
        session: &Session,
    ) -> Result<(Totals, Tally)> {
        let wants = tally.wants();
        input.prints = self.when.is_some();
        let mut stream = Counting { tally, items: 0, verb: self, has_alerted: false };
        let totals = read(input, wants, self.every, &mut stream, session)?;
        stream.alert()?;
        Ok((totals, stream.tally))
    }
}

struct Counting<'a> {
    verb: &'a Distinct,
    tally: Tally,
    items: u64,
    has_alerted: bool,
}

impl Counting<'_> {
    fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        Ok(self.tally.insert_batch(batch, items)?)
    }

    /// Speaks up once, when the bound that `--when` asks for is passed.
    fn alert(&mut self) -> Result<()> {
        let Some(when) = self.verb.when.as_ref().filter(|_| !self.has_alerted) else { return Ok(()) };
        let distinct = self.tally.estimate();
        if !when.holds(distinct.lower(), distinct.upper()) {
            return Ok(());
        }
        self.has_alerted = true;
        let items = self.items;
        let mut output = Output::new();
        if self.verb.json {
            output.json(&Answer::Alert {
                when: &when.text,
                items,
                item: None,
                estimate: AnyBar::Number(distinct.into()),
            })?;
        } else {
            let answer = estimate(&distinct, "different");
            output.line(&format!("{}: {}: {answer}", when.text, plural(items, "item", "items")))?;
        }
        output.flush()
    }
}

impl Stream for Counting<'_> {
    type Answer = ();

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if self.verb.when.is_some() {
            for part in between_looks(self.items, items) {
                self.insert(batch, part)?;
                if is_look(self.items) {
                    self.alert()?;
                }
            }
        } else {
            self.insert(batch, items)?;
        }
        self.verb.check_memory(&self.tally)
    }

    fn answer(&mut self, step: StepEnd) -> Result<()> {
        if let Some(end) = step.time {
            // The step ends before the first moment of the next.
            self.tally.advance(end - 1);
        }
        let distinct = self.tally.estimate();
        let (items, end) = (step.items, step.time.map(time));
        let mut output = Output::step(self.verb.json);
        if self.verb.json {
            output.json(&Answer::Step { end, items, distinct: Some(distinct.into()) })?;
        } else {
            let end = end.map(|end| format!("{end}, ")).unwrap_or_default();
            let answer = estimate(&distinct, &self.tally.noun());
            output.line(&format!("{end}{}: {answer}", plural(items, "item", "items")))?;
        }
        output.flush()
    }
}
