//! Records that satisfy a condition, counted for each key.

use super::Tallies;
use super::counters::Counters;
use crate::args::{LimitArgs, Where};
use crate::cmd::few::FEW;
use crate::cmd::memory::of_entry;
use crate::cmd::steps::{StepEnd, Stepped, Stream};
use crate::input::Batch;
use anyhow::Result;
use crivo::Estimate;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Whose records are counted apart.
#[derive(Clone)]
pub(super) enum Keys {
    /// All records are counted together.
    None,
    /// These keys.
    Named(Rc<[Vec<u8>]>),
    /// All keys, while they are few.
    Every,
    /// More keys than are kept apart.
    Many,
}

#[derive(Clone)]
pub(super) struct Tallying {
    pub(super) keys: Keys,
    /// The exact count of each key; unused if saved counters go on.
    pub(super) counts: HashMap<Box<[u8]>, u64>,
    /// The bytes of all keys.
    pub(super) key_bytes: usize,
    /// The counters to be saved, or those that go on.
    pub(super) counters: Option<Counters>,
    /// Whether the answer comes from the counters, because they have counted before.
    pub(super) goes_on: bool,
    pub(super) condition: Option<Where>,
    /// Records that were read, those of them that count, and those whose value cannot be compared.
    pub(super) records: u64,
    pub(super) counted: u64,
    pub(super) not_comparable: u64,
    pub(super) limit: LimitArgs,
}

impl Tallying {
    fn see(&mut self, batch: &Batch<'_>, place: usize) -> Result<()> {
        self.counted += 1;
        let hash = batch.hashes.get(place).copied().unwrap_or_default();
        if let Some(counters) = &mut self.counters {
            counters.increment(hash)?;
        }
        if self.goes_on || matches!(self.keys, Keys::None | Keys::Many) {
            return Ok(());
        }
        let key = batch.values.get(place);
        if let Some(count) = self.counts.get_mut(key) {
            *count += 1;
        } else if matches!(self.keys, Keys::Every) {
            self.add(key);
        }
        Ok(())
    }

    /// Keeps one more key, or none at all if they are no longer few.
    fn add(&mut self, key: &[u8]) {
        if self.counts.len() < FEW {
            self.key_bytes += key.len();
            self.counts.insert(key.into(), 1);
        } else {
            self.keys = Keys::Many;
            self.counts = HashMap::new();
            self.key_bytes = 0;
        }
    }

    /// What was found, with this many missing values.
    pub(super) fn tallies(&self, missing: u64) -> Tallies {
        let mut keys: Vec<(Vec<u8>, Estimate)> = match (&self.keys, &self.counters) {
            (Keys::Named(keys), Some(counters)) if self.goes_on => {
                let hashes: Vec<u64> = keys.iter().map(|key| Counters::spec().hash_bytes(key)).collect();
                keys.iter().cloned().zip(counters.frequencies(&hashes)).collect()
            }
            (Keys::Named(keys), _) => {
                let count = |key: &Vec<u8>| self.counts.get(&key[..]).copied().unwrap_or_default();
                keys.iter().map(|key| (key.clone(), Estimate::exact(count(key) as f64))).collect()
            }
            _ => {
                self.counts.iter().map(|(key, &seen)| (key.to_vec(), Estimate::exact(seen as f64))).collect()
            }
        };
        if matches!(self.keys, Keys::Every) {
            keys.sort_unstable_by(|(one, more), (other, less)| {
                less.value().total_cmp(&more.value()).then_with(|| one.cmp(other))
            });
        }
        let counted = match &self.counters {
            Some(counters) if self.goes_on => counters.total(),
            _ => Some(Estimate::exact(self.counted as f64)),
        };
        Tallies {
            keys,
            has_keys: !matches!(self.keys, Keys::None),
            has_many: matches!(self.keys, Keys::Many),
            condition: self.condition.as_ref().map(|condition| condition.text.clone()),
            noun: self.condition.as_ref().map_or("number", Where::noun),
            count: counted,
            records: self.records,
            missing,
            not_numbers: self.not_comparable,
            counters: self.counters.as_ref().map(|counters| (counters.len() as u64, counters.bits())),
            saved: None,
        }
    }
}

impl Stream for Tallying {
    type Answer = Stepped<Tallies>;

    fn memory_bytes(&self) -> usize {
        let counters = self.counters.as_ref().map_or(0, |counters| counters.sketch().memory_bytes());
        self.key_bytes + self.counts.capacity() * of_entry(size_of::<(Box<[u8]>, u64)>()) + counters
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.records += items.len() as u64;
        if self.condition.is_none() {
            for place in items {
                self.see(batch, place)?;
            }
        } else {
            for (place, found) in items.clone().zip(batch.tested.iter().skip(items.start)) {
                match self.condition.as_ref().map_or(Some(true), |condition| condition.holds(found)) {
                    Some(true) => self.see(batch, place)?,
                    Some(false) => {}
                    None => self.not_comparable += 1,
                }
            }
        }
        self.limit.check(self.memory_bytes() as u64)
    }

    fn answer(&mut self, step: StepEnd) -> Result<Stepped<Tallies>> {
        Ok(Stepped { step, answer: self.tallies(step.missing) })
    }
}
