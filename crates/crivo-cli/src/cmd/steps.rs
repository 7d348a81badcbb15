//! Reading a stream, and answering while it is read.

use crate::args::Step;
use crate::input::{Batch, Input, Totals, Wants};
use crate::output::{Answer, Output, plural, time};
use anyhow::Result;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

/// What a verb does with a stream.
pub(super) trait Stream {
    /// Takes in some of the items of a batch.
    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()>;

    /// Answers at the end of a step.
    fn answer(&mut self, step: StepEnd) -> Result<()>;
}

/// Where a step ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepEnd {
    /// How many items have come.
    pub(super) items: u64,
    /// How many empty values have come, which are not items.
    pub(super) nulls: u64,
    /// The microsecond at which the step ends, in the time of the data if that counts.
    pub(super) time: Option<u64>,
}

impl StepEnd {
    fn take(&mut self, stream: &mut impl Stream, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        stream.take(batch, items)
    }

    /// Stands before the answer at this point.
    pub(super) fn print(self, output: &mut Output, json: bool) -> Result<()> {
        let (items, end) = (self.items, self.time.map(time));
        if json {
            return output.json(&Answer::Step { end, items, distinct: None });
        }
        let end = end.map(|end| format!("{end}, ")).unwrap_or_default();
        output.line(&format!("{end}{}:", plural(items, "item", "items")))
    }
}

/// Reads everything, and lets `stream` answer `every` so often.
pub(super) fn read(
    mut input: Input,
    wants: Wants,
    every: Option<Step>,
    stream: &mut impl Stream,
) -> Result<Totals> {
    input.prints |= every.is_some();
    let in_data_time = input.columns.time.is_some();
    let mut end = StepEnd::default();
    let proceed = |()| ControlFlow::Continue(());
    match every {
        None => input.read(wants, |batch| stream.take(batch, 0..batch.items).map(proceed)),
        Some(Step::Items(step)) => input.read(wants, |batch| {
            end.nulls += batch.nulls;
            by_items(stream, batch, step, &mut end).map(proceed)
        }),
        Some(Step::Time(step)) if in_data_time => {
            let mut current = None;
            let step = u64::try_from(step.as_micros())?;
            input.read(wants, |batch| {
                end.nulls += batch.nulls;
                by_data_time(stream, batch, step, &mut current, &mut end).map(proceed)
            })
        }
        Some(Step::Time(step)) => {
            /// How late an answer may be.
            const LATE: Duration = Duration::from_millis(50);
            input.wake = Some(step.min(LATE));
            let mut last = Instant::now();
            input.read(wants, |batch| {
                end.nulls += batch.nulls;
                end.take(stream, batch, 0..batch.items)?;
                if last.elapsed() >= step {
                    last = Instant::now();
                    stream.answer(end)?;
                }
                Ok(ControlFlow::Continue(()))
            })
        }
    }
}

fn by_items(stream: &mut impl Stream, batch: &Batch<'_>, step: u64, end: &mut StepEnd) -> Result<()> {
    let mut start = 0;
    loop {
        let left = usize::try_from(step - end.items % step).unwrap_or(usize::MAX);
        if batch.items - start < left {
            return end.take(stream, batch, start..batch.items);
        }
        end.take(stream, batch, start..start + left)?;
        stream.answer(*end)?;
        start += left;
    }
}

/// A late record belongs to the `current` step.
fn by_data_time(
    stream: &mut impl Stream,
    batch: &Batch<'_>,
    step: u64,
    current: &mut Option<u64>,
    end: &mut StepEnd,
) -> Result<()> {
    let mut start = 0;
    for (place, time) in batch.times.iter().enumerate() {
        let number = time / step;
        if let Some(before) = current.filter(|&current| current < number) {
            end.take(stream, batch, start..place)?;
            end.time = Some((before + 1).saturating_mul(step));
            stream.answer(*end)?;
            start = place;
        }
        *current = (*current).max(Some(number));
    }
    end.take(stream, batch, start..batch.items)
}
