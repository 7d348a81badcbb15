//! The items of files: a sketch of them, or themselves.

use super::signing::{Signing, Weighed};
use crate::args::LimitArgs;
use crate::cmd::item_set::{ItemSet, Place};
use crate::input::{Batch, Input, Totals, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo::similarity::Shingles;
use crivo::sketch::Sketch;
use crivo_report::{count, plural, shown};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The items of a file.
pub(super) enum Items {
    /// With all of them, sorted, while they are few.
    Sketch(Box<dyn Sketch>, Option<Vec<Weighed>>),
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
    /// Adds all items to a signature.
    pub(super) fn fill(self, signing: &mut Signing, limit: LimitArgs) -> Result<Totals> {
        self.each_batch(signing.spec(), |hashes, weights| {
            signing.add(hashes, weights)?;
            limit.check_items(signing.weights_bytes(), "--kind weighted")
        })
    }

    /// Calls `add` with the hashes and the weights of all items, in parts.
    fn each_batch(self, spec: HashSpec, mut add: impl FnMut(&[u64], &[f64]) -> Result<()>) -> Result<Totals> {
        let Some(shingles) = self.shingles else {
            return self.input.read(Wants::hashes(spec), |batch| {
                add(batch.hashes, weights(batch)).map(ControlFlow::Continue)
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
                add(&hashes, &[]).map(ControlFlow::Continue)
            },
        )?;
        totals.items = items;
        Ok(totals)
    }
}

/// The weights of all items, if they have weights.
fn weights<'a>(batch: &Batch<'a>) -> &'a [f64] {
    if batch.weights.is_empty() { batch.kept } else { batch.weights }
}

/// A table whose groups are compared.
pub(super) struct Grouped {
    pub(super) input: Input,
    pub(super) most: u64,
    pub(super) limit: LimitArgs,
}

impl Grouped {
    /// Refuses a group more than there is room for.
    fn check_room(&self, groups: usize, empty: &Signing) -> Result<()> {
        if groups as u64 >= self.most {
            bail!(
                "there are more than {} groups to compare; raise --groups, or choose another column",
                count(self.most)
            );
        }
        self.limit.check((groups + 1) as u64 * empty.full_bytes() as u64)
    }

    /// The name and the items of each group, in the order of their first records.
    pub(super) fn read(&self, empty: &Signing, session: &Session) -> Result<(Vec<PathBuf>, Vec<Items>)> {
        let (mut places, mut groups) = (HashMap::<Box<[u8]>, usize>::new(), Vec::new());
        let totals = self.input.clone().read(Wants::hashes(empty.spec()), |batch| {
            let weights = weights(batch);
            for (place, (name, hash)) in batch.groups.iter().zip(batch.hashes).enumerate() {
                if !places.contains_key(name) {
                    self.check_room(groups.len(), empty)?;
                    places.insert(name.into(), groups.len());
                    groups.push(empty.clone());
                }
                let weight = weights.get(place).map_or(&[][..], std::slice::from_ref);
                groups[places[name]].add(std::slice::from_ref(hash), weight)?;
            }
            let bytes = groups.iter().map(Signing::weights_bytes).sum();
            self.limit.check_items(bytes, "--kind weighted")?;
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
        let items = groups.into_iter().map(Signing::items).collect::<Result<_>>()?;
        Ok((names.iter().map(|(_, it)| name(it)).collect(), items))
    }
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
