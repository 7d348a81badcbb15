//! When each item came last, for records of one key that follow each other closely.

use super::window::Clock;
use crate::args::Step;
use crate::cmd::memory::of_entry;
use crate::input::Batch;
use crivo::HashSpec;
use std::collections::HashMap;
use std::ops::Range;

/// The last time of every item of the window, by its hash of 64 bits. It takes more memory than a filter of generations, and ends at
/// the very microsecond or record.
pub(crate) struct Recent {
    spec: HashSpec,
    clock: Clock,
    /// An item repeats another one that came less than this before.
    window: u64,
    latest: u64,
    /// When the first of the young items came. The old ones came before, and less than a window before.
    begin: u64,
    young: HashMap<u64, u64>,
    old: HashMap<u64, u64>,
}

impl Recent {
    /// A window of time excludes a record that came exactly so long before; one of records is the last ones.
    pub(super) fn new(spec: HashSpec, window: u64, step: Step, has_times: bool) -> Self {
        let window = match step {
            Step::Items(_) => window.saturating_add(1),
            Step::Time(_) => window,
        };
        let (young, old) = Default::default();
        Self { spec, clock: Clock::new(step, has_times), window, latest: 0, begin: 0, young, old }
    }

    pub(super) fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// Takes in some items of a batch, and tells for each whether it is new.
    pub(super) fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>, is_new: &mut Vec<bool>) {
        for item in items {
            self.latest = self.latest.max(self.clock.time(batch, item, self.latest));
            self.forget();
            let hash = batch.hashes[item];
            let before = self.young.insert(hash, self.latest).or_else(|| self.old.get(&hash).copied());
            is_new.push(before.is_none_or(|before| self.latest - before >= self.window));
        }
    }

    /// Drops the items that no record can repeat any more.
    fn forget(&mut self) {
        let age = self.latest - self.begin;
        if age < self.window {
            return;
        }
        self.old = std::mem::take(&mut self.young);
        if age >= self.window.saturating_mul(2) {
            self.old.clear();
        }
        self.begin = self.latest;
    }

    /// The probability that a new item has the hash of another one in the window, at most.
    pub(super) fn fpr(&self) -> f64 {
        (self.young.len() + self.old.len()) as f64 / 2f64.powi(64)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + (self.young.capacity() + self.old.capacity()) * of_entry(size_of::<(u64, u64)>())
    }
}
