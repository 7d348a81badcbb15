//! `crivo distinct --every`: answers while the input is read.

use super::Distinct;
use super::tally::Tally;
use crate::args::Step;
use crate::input::{Batch, Input, Totals};
use crate::output::{Answer, Output, estimate, plural, time};
use anyhow::Result;
use crivo::HashSpec;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

impl Distinct {
    /// Reads everything and prints an answer at each step.
    pub(super) fn count_in_steps(
        &self,
        mut input: Input,
        step: Step,
        spec: HashSpec,
    ) -> Result<(Totals, Tally)> {
        input.prints = true;
        let mut steps = Steps { tally: self.tally(spec)?, items: 0, verb: self };
        let proceed = |()| ControlFlow::Continue(());
        let totals = match step {
            Step::Items(step) => input.read(spec, false, |batch| steps.by_items(batch, step).map(proceed)),
            Step::Time(step) if self.time.is_some() => {
                let mut current = None;
                let step = u64::try_from(step.as_micros())?;
                input.read(spec, false, |batch| steps.by_data_time(batch, step, &mut current).map(proceed))
            }
            Step::Time(step) => {
                /// How late an answer may be.
                const LATE: Duration = Duration::from_millis(50);
                input.wake = Some(step.min(LATE));
                let mut last = Instant::now();
                input.read(spec, false, |batch| {
                    steps.insert(batch, 0..batch.hashes.len())?;
                    if last.elapsed() >= step {
                        last = Instant::now();
                        steps.print(None)?;
                    }
                    Ok(ControlFlow::Continue(()))
                })
            }
        };
        Ok((totals?, steps.tally))
    }
}

struct Steps<'a> {
    verb: &'a Distinct,
    tally: Tally,
    items: u64,
}

impl Steps<'_> {
    fn insert(&mut self, batch: &Batch<'_>, range: Range<usize>) -> Result<()> {
        self.items += range.len() as u64;
        let times = batch.times.get(range.clone()).unwrap_or_default();
        self.tally.insert(&batch.hashes[range], times)?;
        self.verb.check_memory(self.tally.sketch())
    }

    fn by_items(&mut self, batch: &Batch<'_>, step: u64) -> Result<()> {
        let mut start = 0;
        loop {
            let left = usize::try_from(step - self.items % step).unwrap_or(usize::MAX);
            if batch.hashes.len() - start < left {
                return self.insert(batch, start..batch.hashes.len());
            }
            self.insert(batch, start..start + left)?;
            self.print(None)?;
            start += left;
        }
    }

    /// A late record belongs to the `current` step.
    fn by_data_time(&mut self, batch: &Batch<'_>, step: u64, current: &mut Option<u64>) -> Result<()> {
        let mut start = 0;
        for (place, time) in batch.times.iter().enumerate() {
            let number = time / step;
            if let Some(before) = current.filter(|&current| current < number) {
                self.insert(batch, start..place)?;
                let end = (before + 1).saturating_mul(step);
                // The step ends before the first moment of the next.
                self.tally.advance(end - 1);
                self.print(Some(end))?;
                start = place;
            }
            *current = (*current).max(Some(number));
        }
        self.insert(batch, start..batch.hashes.len())
    }

    /// `end` is the microsecond at which the step ends, in the time of the data.
    fn print(&self, end: Option<u64>) -> Result<()> {
        let distinct = self.tally.estimate();
        let (items, end) = (self.items, end.map(time));
        let mut output = Output::new();
        if self.verb.json {
            output.json(&Answer::Step { end, items, distinct: distinct.into() })?;
        } else {
            let end = end.map(|end| format!("{end}, ")).unwrap_or_default();
            let answer = estimate(&distinct, &self.verb.noun(self.tally.until().map(time).as_deref()));
            output.line(&format!("{end}{}: {answer}", plural(items, "item", "items")))?;
        }
        output.flush()
    }
}
