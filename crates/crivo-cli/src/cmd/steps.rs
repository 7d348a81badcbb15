//! Reading a stream, and answering while it is read.

use crate::args::Step;
use crate::input::{Batch, Input, Totals, Wants};
use crate::session::Session;
use anyhow::Result;
use crivo_report::{AnyBar, Page, Records, Report, Text, plural, time};
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

/// What a verb does with a stream.
pub(super) trait Stream {
    /// What it says at the end of a step.
    type Answer: Report;

    /// What it takes of memory by now.
    fn memory_bytes(&self) -> usize;

    /// Takes in some of the items of a batch.
    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()>;

    /// Answers at the end of a step.
    fn answer(&mut self, step: StepEnd) -> Result<Self::Answer>;

    /// Whether it says something by itself before the end.
    fn prints(&self) -> bool {
        false
    }
}

/// An answer, with the step that it is for before it.
pub(super) struct Stepped<R> {
    pub(super) step: StepEnd,
    pub(super) answer: R,
}

/// `end` is the end of the step in the time of the data, if that counts; the answer of the verb follows.
#[derive(Serialize)]
#[serde(tag = "type", rename = "step")]
struct StepRecord {
    end: Option<String>,
    items: u64,
}

impl<R: Report> Report for Stepped<R> {
    fn text(&self, page: &mut Page) {
        page.line(&format!("{}:", self.step.words()));
        self.answer.text(page);
    }

    fn records(&self, records: &mut Records) {
        records.row(&StepRecord { end: self.step.time.map(time), items: self.step.items });
        self.answer.records(records);
    }
}

/// What `--when` says when its condition holds; `item` is null unless it is about one item.
#[derive(Serialize)]
#[serde(tag = "type", rename = "alert")]
pub(super) struct Alert<'a> {
    pub(super) when: &'a str,
    pub(super) items: u64,
    pub(super) item: Option<Text<'a>>,
    pub(super) estimate: AnyBar,
    /// For people, after the condition.
    #[serde(skip)]
    pub(super) words: String,
}

impl Report for Alert<'_> {
    fn text(&self, page: &mut Page) {
        page.line(&format!("{}: {}", self.when, self.words));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// Where a step ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepEnd {
    /// How many items have come.
    pub(super) items: u64,
    /// How many empty values have come, which are not items.
    pub(super) missing: u64,
    /// How many values that are not numbers have come.
    pub(super) not_numbers: u64,
    /// How many of these were in the present batch.
    of_batch: [usize; 2],
    /// The microsecond at which the step ends, in the time of the data if that counts.
    pub(super) time: Option<u64>,
}

impl StepEnd {
    /// After this many items.
    pub(super) fn after(items: u64) -> Self {
        Self { items, ..Self::default() }
    }

    fn take(&mut self, stream: &mut impl Stream, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        self.leave_out(batch, items.end);
        stream.take(batch, items)
    }

    /// Counts what is no item and has fewer than `place` items of the batch before it.
    fn leave_out(&mut self, batch: &Batch<'_>, place: usize) {
        let before = [batch.missing, batch.not_numbers]
            .map(|left_out| left_out.partition_point(|&items| (items as usize) < place));
        self.missing += (before[0] - self.of_batch[0]) as u64;
        self.not_numbers += (before[1] - self.of_batch[1]) as u64;
        self.of_batch = before;
    }

    /// At the end of a batch.
    fn close(&mut self, batch: &Batch<'_>) {
        self.leave_out(batch, usize::MAX);
        self.of_batch = [0; 2];
    }

    /// `2026-11-16T02:10:00Z, 1,000 items`
    pub(super) fn words(&self) -> String {
        let end = self.time.map(|end| format!("{}, ", time(end))).unwrap_or_default();
        format!("{end}{}", plural(self.items, "item", "items"))
    }
}

/// Reads everything, and lets `stream` answer `every` so often. There is no input where a saved sketch alone is asked.
pub(super) fn read(
    input: Option<Input>,
    wants: Wants,
    every: Option<Step>,
    stream: &mut impl Stream,
    session: &Session,
) -> Result<Totals> {
    let Some(mut input) = input else { return Ok(Totals::default()) };
    input.prints |= every.is_some() || stream.prints();
    input.answers_early = true;
    let in_data_time = input.columns.time.is_some();
    let mut end = StepEnd::default();
    match every {
        None => input.read(wants, |batch| stream.take(batch, 0..batch.items).map(ControlFlow::Continue)),
        Some(Step::Items(step)) => input.read(wants, |batch| {
            by_items(stream, batch, step, &mut end, session)?;
            end.close(batch);
            Ok(ControlFlow::Continue(()))
        }),
        Some(Step::Time(step)) if in_data_time => {
            let mut current = None;
            let step = u64::try_from(step.as_micros())?;
            input.read(wants, |batch| {
                by_data_time(stream, batch, step, &mut current, &mut end, session)?;
                end.close(batch);
                Ok(ControlFlow::Continue(()))
            })
        }
        Some(Step::Time(step)) => {
            /// How late an answer may be.
            const LATE: Duration = Duration::from_millis(50);
            input.wake = Some(step.min(LATE));
            let mut last = Instant::now();
            input.read(wants, |batch| {
                end.take(stream, batch, 0..batch.items)?;
                end.close(batch);
                if last.elapsed() >= step {
                    last = Instant::now();
                    session.show_step(&stream.answer(end)?)?;
                }
                Ok(ControlFlow::Continue(()))
            })
        }
    }
}

/// A condition is checked after each item up to this number, and then after every multiple of it.
const LOOK: u64 = 1024;

/// Returns whether a condition is checked after this many items. That depends on the stream alone, not on how it was read.
pub(super) fn is_look(items: u64) -> bool {
    items <= LOOK || items.is_multiple_of(LOOK)
}

/// `items` of a batch, cut at the looks; `seen` came before.
pub(super) fn between_looks(mut seen: u64, mut items: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    std::iter::from_fn(move || {
        let left = if seen < LOOK { 1 } else { LOOK - seen % LOOK };
        let part = items.start..items.end.min(items.start + left as usize);
        (seen, items.start) = (seen + part.len() as u64, part.end);
        (!part.is_empty()).then_some(part)
    })
}

fn by_items(
    stream: &mut impl Stream,
    batch: &Batch<'_>,
    step: u64,
    end: &mut StepEnd,
    session: &Session,
) -> Result<()> {
    let mut start = 0;
    loop {
        let left = usize::try_from(step - end.items % step).unwrap_or(usize::MAX);
        if batch.items - start < left {
            return end.take(stream, batch, start..batch.items);
        }
        end.take(stream, batch, start..start + left)?;
        session.show_step(&stream.answer(*end)?)?;
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
    session: &Session,
) -> Result<()> {
    let mut start = 0;
    for (place, time) in batch.times.iter().enumerate() {
        let number = time / step;
        if let Some(before) = current.filter(|&current| current < number) {
            end.take(stream, batch, start..place)?;
            // What stands right before the record of the next step belongs to this one.
            end.leave_out(batch, place + 1);
            end.time = Some((before + 1).saturating_mul(step));
            session.show_step(&stream.answer(*end)?)?;
            start = place;
        }
        *current = (*current).max(Some(number));
    }
    end.take(stream, batch, start..batch.items)
}
