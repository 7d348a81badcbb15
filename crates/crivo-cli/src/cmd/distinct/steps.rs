//! `crivo distinct --every`: answers while the input is read.

use super::Distinct;
use crate::args::Step;
use crate::cmd::counter::Counter;
use crate::input::{Batch, Input, Totals};
use crate::output::{Answer, Output, estimate, plural, time};
use anyhow::Result;
use crivo::HashSpec;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

impl Distinct {
    /// Reads everything and prints an answer at each step.
    pub(super) fn count_in_steps(
        &self,
        mut input: Input,
        step: Step,
        spec: HashSpec,
    ) -> Result<(Totals, Counter)> {
        input.prints = true;
        let mut steps = Steps { counter: self.counter(spec)?, items: 0, verb: self };
        let proceed = |()| ControlFlow::Continue(());
        let totals = match step {
            Step::Items(step) => {
                input.read(spec, false, |batch| steps.by_items(batch.hashes, step).map(proceed))
            }
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
                    steps.insert(batch.hashes)?;
                    if last.elapsed() >= step {
                        last = Instant::now();
                        steps.print(None)?;
                    }
                    Ok(ControlFlow::Continue(()))
                })
            }
        };
        Ok((totals?, steps.counter))
    }
}

struct Steps<'a> {
    verb: &'a Distinct,
    counter: Counter,
    items: u64,
}

impl Steps<'_> {
    fn insert(&mut self, hashes: &[u64]) -> Result<()> {
        self.counter.insert_hashes(hashes)?;
        self.items += hashes.len() as u64;
        self.verb.check_memory(&self.counter)
    }

    fn by_items(&mut self, mut hashes: &[u64], step: u64) -> Result<()> {
        loop {
            let left = usize::try_from(step - self.items % step).unwrap_or(usize::MAX);
            let Some((before, after)) = hashes.split_at_checked(left) else { return self.insert(hashes) };
            self.insert(before)?;
            self.print(None)?;
            hashes = after;
        }
    }

    /// A late record belongs to the `current` step.
    fn by_data_time(&mut self, batch: &Batch<'_>, step: u64, current: &mut Option<u64>) -> Result<()> {
        let mut start = 0;
        for (place, time) in batch.times.iter().enumerate() {
            let number = time / step;
            if let Some(before) = current.filter(|&current| current < number) {
                self.insert(&batch.hashes[start..place])?;
                self.print(Some((before + 1).saturating_mul(step)))?;
                start = place;
            }
            *current = (*current).max(Some(number));
        }
        self.insert(&batch.hashes[start..])
    }

    /// `end` is the microsecond at which the step ends, in the time of the data.
    fn print(&self, end: Option<u64>) -> Result<()> {
        let distinct = self.counter.estimate();
        let (items, end) = (self.items, end.map(time));
        let mut output = Output::new();
        if self.verb.json {
            output.json(&Answer::Step { end, items, distinct: distinct.into() })?;
        } else {
            let end = end.map(|end| format!("{end}, ")).unwrap_or_default();
            let answer = estimate(&distinct, "different");
            output.line(&format!("{end}{}: {answer}", plural(items, "item", "items")))?;
        }
        output.flush()
    }
}
