//! Items into a filter of any kind.

use super::{keeps_counts, membership};
use crate::args::LimitArgs;
use crate::input::{Input, Totals, Wants};
use anyhow::{Context, Result};
use crivo::sketch::{Membership, Sketch};
use crivo::{ErrorKind, HashSpec, KindInfo};
use crivo_report::plural;
use std::ops::ControlFlow;

/// Inserts items and counts those that a filter did not report yet.
pub(super) struct Inserter {
    sketch: Box<dyn Sketch>,
    limit: LimitArgs,
    /// What to do when it is full.
    advice: &'static str,
    inserted: u64,
}

impl Inserter {
    pub(super) fn new(sketch: Box<dyn Sketch>, limit: LimitArgs, advice: &'static str) -> Self {
        Self { sketch, limit, advice, inserted: 0 }
    }

    /// Inserts all items of an input, as they come.
    pub(super) fn read(&mut self, input: Input, spec: HashSpec) -> Result<Totals> {
        input.read(Wants::hashes(spec), |batch| {
            self.insert_all(batch.hashes)?;
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Inserts many. For a filter that holds copies but no counts they are distinct items: it takes each in, also one that
    /// it reports by chance, since the removal of those that it is mistaken for would deny it later.
    pub(super) fn insert_all(&mut self, hashes: &[u64]) -> Result<()> {
        /// Few enough that what a query has brought into the cache is still there.
        const BLOCK: usize = 64;
        let info = self.sketch.kind().info();
        for block in hashes.chunks(BLOCK) {
            let known = if info.copies { vec![] } else { self.membership().contains_hashes(block) };
            let known = known.into_iter().chain(std::iter::repeat(false));
            for (&hash, _) in block.iter().zip(known).filter(|(_, known)| !known) {
                self.insert(info, hash)?;
            }
        }
        self.limit.check(self.sketch.memory_bytes() as u64)
    }

    fn insert(&mut self, info: &KindInfo, hash: u64) -> Result<()> {
        // One that counts says of every item that it has changed.
        let is_known = keeps_counts(info.kind) && self.membership().contains_hash(hash);
        let filter = info.insert.and_then(|view| view(&mut *self.sketch));
        match filter.expect("only filters that take items in are given to an inserter").try_insert_hash(hash)
        {
            Ok(is_new) => {
                self.inserted += u64::from(is_new && !is_known);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Full => Err(error).with_context(|| {
                let items = plural(self.inserted, "item", "items");
                format!("the filter is full after {items}, and nothing was saved; {}", self.advice)
            }),
            Err(error) => Err(error.into()),
        }
    }

    fn membership(&self) -> &dyn Membership {
        membership(&*self.sketch).expect("only filters are given to an inserter")
    }

    /// The filter, and how many items it took in: never more than there were distinct ones.
    pub(super) fn finish(self) -> (Box<dyn Sketch>, u64) {
        (self.sketch, self.inserted)
    }
}
