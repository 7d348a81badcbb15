//! The items of a file of data.

use crate::args::LimitArgs;
use crate::cmd::item_set::{ItemSet, Place};
use crate::input::{Input, Totals, Wants};
use anyhow::Result;
use crivo::similarity::Shingles;
use crivo::{HashSpec, OnePermutation};
use std::ops::ControlFlow;

/// Values or texts to read, and how texts become items.
pub(crate) struct Reading {
    pub(super) input: Input,
    /// None where the values are the items.
    pub(super) shingles: Option<Shingles>,
}

impl Reading {
    /// Takes all items into a sketch.
    pub(super) fn fill(self, sketch: &mut OnePermutation) -> Result<Totals> {
        let spec = *sketch.hash_spec();
        let Some(shingles) = self.shingles else {
            return self.input.read(Wants::hashes(spec), |batch| {
                sketch.insert_hashes(batch.hashes);
                Ok(ControlFlow::Continue(()))
            });
        };
        let mut items = 0;
        let mut totals = self.input.map(
            Wants::default().and_values(),
            move |(), batch| {
                let mut hashes = Vec::new();
                for place in 0..batch.items {
                    shingles.for_each(batch.values.get(place), &spec, |hash| hashes.push(hash));
                }
                Ok(hashes)
            },
            |_, hashes: Vec<u64>| {
                items += hashes.len() as u64;
                sketch.insert_hashes(&hashes);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        totals.items = items;
        Ok(totals)
    }

    /// The places of all items among those that are kept, sorted.
    pub(super) fn all_items(self, kept: &mut Kept) -> Result<(Vec<Place>, Totals)> {
        let (mut places, mut different) = (Vec::new(), 0);
        let spec = kept.spec;
        let mut take = |hash: u64, item: &[u8]| {
            places.push(kept.set.place(hash, item));
            if places.len() > 2 * different + (1 << 20) {
                tidy(&mut places);
                different = places.len();
            }
            kept.check(places.len())
        };
        let totals = if let Some(shingles) = self.shingles {
            let hasher = spec.bytes_hasher();
            self.input.read(Wants::default().and_values(), |batch| {
                let mut taken = Ok(());
                for place in 0..batch.items {
                    shingles.for_each_text(batch.values.get(place), |shingle| {
                        if taken.is_ok() {
                            taken = take(hasher.hash(shingle), shingle);
                        }
                    });
                }
                taken.map(ControlFlow::Continue)
            })?
        } else {
            self.input.read(Wants::hashes(spec).and_values(), |batch| {
                batch.hashed_values().try_for_each(|(hash, value)| take(hash, value))?;
                Ok(ControlFlow::Continue(()))
            })?
        };
        tidy(&mut places);
        kept.places += places.len();
        Ok((places, totals))
    }
}

/// The items of all files that `--exact` compares.
pub(super) struct Kept {
    spec: HashSpec,
    limit: LimitArgs,
    set: ItemSet,
    /// How many places the files before have.
    places: usize,
}

impl Kept {
    pub(super) fn new(spec: HashSpec, limit: LimitArgs) -> Self {
        Self { spec, limit, set: ItemSet::default(), places: 0 }
    }

    /// Refuses to keep more than allowed, with so many places of the present file.
    fn check(&self, places: usize) -> Result<()> {
        // A vector that grows has up to three times the room that it needs for a moment.
        let bytes = self.set.memory_bytes() + (self.places + 3 * places) * size_of::<Place>();
        self.limit.check_items(bytes, "--exact")
    }
}

/// Each place once, in order.
fn tidy(places: &mut Vec<Place>) {
    places.sort_unstable();
    places.dedup();
}
