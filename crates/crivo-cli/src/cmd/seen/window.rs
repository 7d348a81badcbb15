//! Records of the last hour, or the last million.

use crate::args::Step;
use crate::input::Batch;
use crivo::WindowedBloom;
use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

/// What came within the window, by one of three clocks.
pub(crate) struct Window {
    filter: WindowedBloom,
    clock: Clock,
}

/// What tells when a record came.
#[derive(Clone, Copy)]
pub(super) enum Clock {
    /// Its number among all.
    Number,
    /// Its own time, in microseconds.
    Data,
    /// The time when it is read, in microseconds.
    Arrival,
}

impl Clock {
    pub(super) fn new(step: Step, has_times: bool) -> Self {
        match step {
            Step::Items(_) => Self::Number,
            Step::Time(_) if has_times => Self::Data,
            Step::Time(_) => Self::Arrival,
        }
    }

    /// When an item of the batch came, where the one before it came at `latest`.
    pub(super) fn time(self, batch: &Batch<'_>, item: usize, latest: u64) -> u64 {
        match self {
            Self::Number => latest.saturating_add(1),
            Self::Data => batch.times[item],
            Self::Arrival => now(),
        }
    }
}

/// Microseconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
}

impl Window {
    /// `filter` has the window in the unit of its clock.
    pub(super) fn new(filter: WindowedBloom, step: Step, has_times: bool) -> Self {
        Self { filter, clock: Clock::new(step, has_times) }
    }

    pub(super) fn filter(&self) -> &WindowedBloom {
        &self.filter
    }

    /// Takes in some items of a batch, and tells for each whether it is new.
    pub(super) fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>, is_new: &mut Vec<bool>) {
        let latest = self.filter.latest();
        let hashes = &batch.hashes[items.clone()];
        match self.clock {
            Clock::Number => {
                self.insert_by(hashes, |place| latest.saturating_add(1 + place as u64), is_new);
            }
            Clock::Data => {
                let times = &batch.times[items];
                self.insert_by(hashes, |place| times[place], is_new);
            }
            Clock::Arrival => is_new.extend(self.filter.insert_hashes_at(hashes, now())),
        }
    }

    /// Items of one generation go in together; when exactly each of them came makes no difference.
    fn insert_by(&mut self, hashes: &[u64], time: impl Fn(usize) -> u64, is_new: &mut Vec<bool>) {
        let span = self.filter.params().span();
        let mut latest = self.filter.latest();
        let mut begin = 0;
        while begin < hashes.len() {
            latest = latest.max(time(begin));
            let generation = latest / span;
            let mut end = begin + 1;
            while end < hashes.len() && latest.max(time(end)) / span == generation {
                latest = latest.max(time(end));
                end += 1;
            }
            is_new.extend(self.filter.insert_hashes_at(&hashes[begin..end], latest));
            begin = end;
        }
    }
}
