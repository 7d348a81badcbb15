//! Keys, and how often they come.

use super::Counts;
use crate::args::When;
use crate::cmd::frequencies::{Frequencies, Frequency};
use crate::cmd::steps::{Alert, StepEnd, Stepped, Stream};
use crate::input::Batch;
use crate::session::Session;
use anyhow::{Context, Result};
use crivo::HashSpec;
use crivo_report::{AnyBar, Text, count, shown, whole};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::rc::Rc;

/// The places of keys, by their hashes.
type Places = HashMap<u64, Vec<usize>, BuildHasherDefault<Itself>>;

/// A hash is hashed already.
#[derive(Default)]
pub(super) struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("the keys are hashes");
    }
}

/// What is asked for.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) keys: Rc<[Vec<u8>]>,
    pub(super) spec: HashSpec,
    /// The places of the distinct keys with a hash: nearly always one.
    places: Rc<Places>,
    /// The count of each key, and whether it was reported; empty if a saved sketch has counted before.
    counts: Vec<(i128, bool)>,
}

impl Keys {
    pub(super) fn new(keys: Vec<Vec<u8>>, spec: HashSpec, is_new: bool) -> Self {
        let mut places = Places::default();
        for (place, key) in keys.iter().enumerate() {
            let equal = places.entry(spec.hash_bytes(key)).or_default();
            if !equal.iter().any(|&other| keys[other] == *key) {
                equal.push(place);
            }
        }
        let counts = if is_new { vec![(0, false); keys.len()] } else { Vec::new() };
        Self { keys: keys.into(), spec, places: Rc::new(places), counts }
    }

    /// The place of a key, if it is one.
    #[inline]
    fn place(&self, hash: u64, key: &[u8]) -> Option<usize> {
        self.places.get(&hash)?.iter().copied().find(|&place| self.keys[place] == key)
    }
}

pub(super) struct Counting<'a> {
    pub(super) keys: Keys,
    pub(super) sketch: Option<Frequencies>,
    /// Records that were read.
    pub(super) items: u64,
    /// The occurrences that they add.
    pub(super) added: u64,
    /// The occurrences that they remove.
    pub(super) removed: u64,
    pub(super) when: Option<When>,
    pub(super) session: &'a Session,
}

impl Counting<'_> {
    pub(super) fn counts(&self, missing: u64) -> Counts {
        let Keys { keys, spec, counts, .. } = &self.keys;
        let hashes = || keys.iter().map(|key| spec.hash_bytes(key));
        let frequencies = match &self.sketch {
            Some(sketch) if counts.is_empty() => sketch.frequencies(&hashes().collect::<Vec<_>>()),
            _ => {
                let places = hashes().zip(&**keys).filter_map(|(hash, key)| self.keys.place(hash, key));
                places.map(|place| Frequency::exact(counts[place].0)).collect()
            }
        };
        let read = [self.added, self.removed];
        let [items, removed] = self.sketch.as_ref().map_or(read, Frequencies::added_and_removed);
        Counts { keys: keys.iter().cloned().zip(frequencies).collect(), items, removed, missing, saved: None }
    }

    /// Counts the item of this number in the stream if it is a key, and says so if it has passed the limit.
    fn see(&mut self, hash: u64, value: &[u8], change: i128, number: u64) -> Result<()> {
        let Some(place) = self.keys.place(hash, value) else { return Ok(()) };
        let Some((seen, is_told)) = self.keys.counts.get_mut(place) else { return Ok(()) };
        // All additions together are below 2^64, and so are all removals.
        *seen += change;
        let estimate = Frequency::exact(*seen).bar;
        match &self.when {
            Some(when) if !*is_told && when.holds(estimate.lower(), estimate.upper()) => {
                *is_told = true;
                self.session.show(&Alert {
                    when: &when.text,
                    items: number,
                    item: Some(Text::from(value)),
                    estimate: AnyBar::Number(estimate.into()),
                    words: format!(
                        "item {}: {}\t{}  (exact)",
                        count(number),
                        shown(value),
                        whole(estimate.value())
                    ),
                })?;
                self.session.flush()
            }
            _ => Ok(()),
        }
    }
}

impl Stream for Counting<'_> {
    type Answer = Stepped<Counts>;

    fn memory_bytes(&self) -> usize {
        size_of_val(&self.keys.counts[..])
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        for place in items.clone() {
            let change = batch.changes.get(place).copied().unwrap_or(1);
            let number = self.items + (place - items.start) as u64 + 1;
            let sum = if change < 0 { &mut self.removed } else { &mut self.added };
            let more = u64::try_from(change.unsigned_abs()).ok().and_then(|copies| sum.checked_add(copies));
            *sum = more.context("all weights together are beyond 2^64 - 1")?;
            self.see(batch.hashes[place], batch.values.get(place), change, number)?;
        }
        self.items += items.len() as u64;
        let changes = batch.changes.get(items.clone()).unwrap_or_default();
        self.sketch.as_mut().map_or(Ok(()), |sketch| sketch.add(&batch.hashes[items], changes))
    }

    fn answer(&mut self, step: StepEnd) -> Result<Stepped<Counts>> {
        Ok(Stepped { step, answer: self.counts(step.missing) })
    }

    fn prints(&self) -> bool {
        self.when.is_some()
    }
}
