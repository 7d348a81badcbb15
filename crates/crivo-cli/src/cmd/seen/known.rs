//! What has been seen.

use super::recent::Recent;
use super::window::Window;
use crate::cmd::item_set::ItemSet;
use crate::input::{Batch, Wants};
use crivo::membership::HashCompaction;
use crivo::sketch::{Insert, Membership, Sketch};
use crivo::{BlockedBloom, HashSpec};
use std::ops::Range;

/// A filter, or the values themselves.
pub(crate) enum Known {
    /// For any number of items.
    Growing(HashCompaction),
    /// For as many as were planned.
    Planned(BlockedBloom),
    /// For those of late.
    Window(Window),
    /// For those of late, and when each came.
    Recent(Recent),
    /// Its values are hashed so.
    Exact(ItemSet, HashSpec),
}

/// When a new item is taken for a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistakes {
    Never,
    ByChance,
    /// By chance, or because an equal one came up to a quarter of the window earlier than it should.
    ByChanceAndLate,
}

impl Known {
    pub(super) fn hash_spec(&self) -> HashSpec {
        *match self {
            Self::Growing(filter) => filter.hash_spec(),
            Self::Planned(filter) => filter.hash_spec(),
            Self::Window(window) => window.filter().hash_spec(),
            Self::Recent(recent) => recent.hash_spec(),
            Self::Exact(_, spec) => spec,
        }
    }

    /// What it needs to know of the records.
    pub(super) fn wants(&self) -> Wants {
        let wants = Wants::hashes(self.hash_spec());
        if self.mistakes() == Mistakes::Never { wants.and_values() } else { wants }
    }

    /// Takes in some items of a batch, and tells for each whether it is new.
    pub(super) fn insert(
        &mut self,
        batch: &Batch<'_>,
        items: Range<usize>,
        is_new: &mut Vec<bool>,
    ) -> crivo::Result<()> {
        match self {
            Self::Growing(filter) => insert(filter, &batch.hashes[items], is_new),
            Self::Planned(filter) => insert(filter, &batch.hashes[items], is_new),
            Self::Window(window) => {
                window.insert(batch, items, is_new);
                Ok(())
            }
            Self::Recent(recent) => {
                recent.insert(batch, items, is_new);
                Ok(())
            }
            Self::Exact(set, _) => {
                is_new.extend(items.map(|item| set.insert(batch.hashes[item], batch.values.get(item))));
                Ok(())
            }
        }
    }

    /// The probability that a new item is taken for a known one.
    pub(super) fn fpr(&self) -> f64 {
        match self {
            Self::Growing(filter) => filter.fpr().value(),
            Self::Planned(filter) => filter.fpr().value(),
            Self::Window(window) => window.filter().fpr().upper(),
            Self::Recent(recent) => recent.fpr(),
            Self::Exact(..) => 0.0,
        }
    }

    /// The number of items after which [`fpr`](Self::fpr) is checked again. It changes little meanwhile, and to look takes no more
    /// time than they do.
    pub(super) fn look_after(&self) -> usize {
        match self {
            // Looks at each of its blocks, which take some tens of items each.
            Self::Planned(filter) => usize::try_from(filter.params().blocks()).unwrap_or(usize::MAX),
            Self::Growing(_) | Self::Window(_) | Self::Recent(_) | Self::Exact(..) => 1024,
        }
    }

    /// The memory that it may need when the items of a batch have come.
    pub(super) fn memory_with(&self, batch: &Batch<'_>) -> usize {
        let now = self.memory_bytes();
        let Self::Growing(filter) = self else { return now };
        let mut room = filter.params().items();
        while room < filter.len() {
            room = room.saturating_mul(2);
        }
        let left = room - filter.len();
        if batch.items as u64 <= left {
            return now;
        }
        let known = filter.contains_hashes(batch.hashes);
        let new = known.iter().filter(|&&known| !known).count() as u64;
        // It grows to its double, and both are there meanwhile.
        if new <= left { now } else { now.saturating_mul(3) }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Growing(filter) => filter.memory_bytes(),
            Self::Planned(filter) => filter.memory_bytes(),
            Self::Window(window) => window.filter().memory_bytes(),
            Self::Recent(recent) => recent.memory_bytes(),
            Self::Exact(set, _) => set.memory_bytes(),
        }
    }

    /// How it errs.
    pub(super) fn mistakes(&self) -> Mistakes {
        match self {
            Self::Growing(_) | Self::Planned(_) | Self::Recent(_) => Mistakes::ByChance,
            Self::Window(_) => Mistakes::ByChanceAndLate,
            Self::Exact(..) => Mistakes::Never,
        }
    }

    /// Whether a record that is held back is remembered anew.
    pub(super) fn minds_repeats(&self) -> bool {
        matches!(self, Self::Window(_))
    }

    /// What can be saved.
    pub(super) fn sketch(&self) -> Option<&dyn Sketch> {
        match self {
            Self::Growing(filter) => Some(filter),
            Self::Planned(filter) => Some(filter),
            Self::Window(window) => Some(window.filter()),
            Self::Recent(_) | Self::Exact(..) => None,
        }
    }
}

fn insert<F: Insert + Membership>(
    filter: &mut F,
    hashes: &[u64],
    is_new: &mut Vec<bool>,
) -> crivo::Result<()> {
    /// Few enough that what a query has brought into the cache is still there.
    const BLOCK: usize = 64;
    for block in hashes.chunks(BLOCK) {
        for (&hash, known) in block.iter().zip(filter.contains_hashes(block)) {
            // What is not known may come twice in the block.
            is_new.push(!known && filter.try_insert_hash(hash)?);
        }
    }
    Ok(())
}
