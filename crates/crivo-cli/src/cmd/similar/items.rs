//! The items of files: a sketch of them, or themselves.

use crate::args::LimitArgs;
use crate::cmd::few::Few;
use crate::cmd::item_set::{ItemSet, Place};
use crate::input::{Input, Totals, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::similarity::Shingles;
use crivo::sketch::Sketch;
use crivo::{HashSpec, OnePermutation};
use crivo_report::{count, plural, shown};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The items of a file.
pub(super) enum Items {
    /// With the hashes of all of them, while they are few.
    Sketch(Box<dyn Sketch>, Option<Vec<u64>>),
    /// Their places among the items of all files, sorted.
    All(Vec<Place>),
}

/// A file to be read.
pub(super) struct Data {
    pub(super) input: Input,
    /// The runs that count where its records are texts.
    pub(super) shingles: Option<Shingles>,
}

impl Data {
    /// Puts all items into a sketch. Returns their hashes too, sorted, if they are few.
    pub(super) fn fill(self, sketch: &mut OnePermutation) -> Result<(Totals, Option<Vec<u64>>)> {
        let mut few = Some(Few::default());
        let spec = *sketch.hash_spec();
        let totals = self.each_hash(spec, |hashes| {
            if few.as_mut().is_some_and(|few| hashes.iter().any(|&hash| few.insert(hash).is_none())) {
                few = None;
            }
            sketch.insert_hashes(hashes);
        })?;
        Ok((totals, few.as_ref().map(sorted)))
    }

    /// Calls `take` with the hashes of all items, in parts.
    fn each_hash(self, spec: HashSpec, mut take: impl FnMut(&[u64])) -> Result<Totals> {
        let Some(shingles) = self.shingles else {
            return self.input.read(Wants::hashes(spec), |batch| {
                take(batch.hashes);
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
                take(&hashes);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        totals.items = items;
        Ok(totals)
    }
}

/// A table whose groups are compared.
pub(super) struct Grouped {
    pub(super) input: Input,
    pub(super) most: u64,
    pub(super) limit: LimitArgs,
}

impl Grouped {
    /// Refuses a group more than there is room for.
    fn check_room(&self, groups: usize, empty: &OnePermutation) -> Result<()> {
        if groups as u64 >= self.most {
            bail!(
                "there are more than {} groups to compare; raise --groups, or choose another column",
                count(self.most)
            );
        }
        self.limit.check((groups + 1) as u64 * (empty.memory_bytes() + Few::<u64>::FULL_BYTES) as u64)
    }

    /// The name and the items of each group, in the order of their first records.
    pub(super) fn read(
        &self,
        empty: &OnePermutation,
        session: &Session,
    ) -> Result<(Vec<PathBuf>, Vec<Items>)> {
        let (mut places, mut groups) = (HashMap::<Box<[u8]>, usize>::new(), Vec::new());
        let totals = self.input.clone().read(Wants::hashes(*empty.hash_spec()), |batch| {
            for (name, hash) in batch.groups.iter().zip(batch.hashes) {
                if !places.contains_key(name) {
                    self.check_room(groups.len(), empty)?;
                    places.insert(name.into(), groups.len());
                    groups.push((empty.clone(), Some(Few::default())));
                }
                let (sketch, few) = &mut groups[places[name]];
                sketch.insert_hash(*hash);
                if few.as_mut().is_some_and(|few| few.insert(*hash).is_none()) {
                    *few = None;
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if groups.len() < 2 {
            bail!("there are {} groups to compare; name a column with two or more values", groups.len());
        }
        if totals.missing > 0 {
            session
                .remark(&format!("{} left out", plural(totals.missing, "missing value", "missing values")));
        }
        let mut names: Vec<(usize, Box<[u8]>)> =
            places.into_iter().map(|(name, place)| (place, name)).collect();
        names.sort_unstable();
        let name = |name: &[u8]| if name.is_empty() { "(empty)".into() } else { shown(name).into() };
        let items = |(sketch, few): (OnePermutation, Option<Few<u64>>)| {
            Items::Sketch(Box::new(sketch), few.as_ref().map(sorted))
        };
        Ok((names.iter().map(|(_, it)| name(it)).collect(), groups.into_iter().map(items).collect()))
    }
}

fn sorted(few: &Few<u64>) -> Vec<u64> {
    let mut hashes = few.items().to_vec();
    hashes.sort_unstable();
    hashes
}

/// The items of all files that `--exact` compares.
pub(crate) struct Kept {
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

    /// The places of all items of a file, sorted, and how many values were empty.
    pub(super) fn take(&mut self, data: Data) -> Result<(Vec<Place>, u64)> {
        let (spec, mut places, mut different) = (self.spec, Vec::new(), 0);
        let mut take = |hash: u64, item: &[u8]| {
            places.push(self.set.place(hash, item));
            if places.len() > 2 * different + (1 << 20) {
                tidy(&mut places);
                different = places.len();
            }
            self.check(places.len())
        };
        let totals = match data.shingles {
            Some(shingles) => {
                let hasher = spec.bytes_hasher();
                data.input.read(Wants::default().and_values(), |batch| {
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
            }
            None => data.input.read(Wants::hashes(spec).and_values(), |batch| {
                batch.hashed_values().try_for_each(|(hash, value)| take(hash, value))?;
                Ok(ControlFlow::Continue(()))
            })?,
        };
        tidy(&mut places);
        self.places += places.len();
        Ok((places, totals.missing))
    }

    /// Refuses to keep more than allowed, with this many places of the present file.
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
