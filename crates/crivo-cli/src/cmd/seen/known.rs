//! What has been seen.

use super::exact::Exact;
use super::window::Window;
use crate::input::{Batch, Wants};
use crivo::sketch::{AnySketch, Insert, Membership};
use crivo::{BlockedBloom, HashCompaction, HashSpec};

/// A filter, or the values themselves.
pub(super) enum Known {
    /// For any number of items.
    Growing(HashCompaction),
    /// For as many as were planned.
    Planned(BlockedBloom),
    /// For those of late.
    Window(Window),
    Exact(Exact),
}

impl Known {
    pub(super) fn hash_spec(&self) -> HashSpec {
        *match self {
            Self::Growing(filter) => filter.hash_spec(),
            Self::Planned(filter) => filter.hash_spec(),
            Self::Window(window) => window.filter().hash_spec(),
            Self::Exact(exact) => exact.hash_spec(),
        }
    }

    /// What it needs to know of the records.
    pub(super) fn wants(&self) -> Wants {
        let wants = Wants::hashes(self.hash_spec());
        if matches!(self, Self::Exact(_)) { wants.and_values() } else { wants }
    }

    /// Takes in the items of a batch, and tells for each whether it is new.
    pub(super) fn insert(&mut self, batch: &Batch<'_>, is_new: &mut Vec<bool>) -> crivo::Result<()> {
        is_new.clear();
        match self {
            Self::Growing(filter) => insert(filter, batch.hashes, is_new),
            Self::Planned(filter) => insert(filter, batch.hashes, is_new),
            Self::Window(window) => {
                window.insert(batch, is_new);
                Ok(())
            }
            Self::Exact(exact) => {
                let values = (0..batch.items).map(|place| batch.values.get(place));
                let new = batch.hashes.iter().zip(values).map(|(&hash, value)| exact.insert(hash, value));
                is_new.extend(new);
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
            Self::Exact(_) => 0.0,
        }
    }

    /// After so many new items it is worth while to look at [`fpr`](Self::fpr) again.
    pub(super) fn look_after(&self) -> u64 {
        match self {
            // Looks at each of its blocks, which take a few items each.
            Self::Planned(filter) => filter.params().blocks(),
            Self::Growing(_) | Self::Window(_) | Self::Exact(_) => 0,
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
            Self::Exact(exact) => exact.memory_bytes(),
        }
    }

    /// Whether a record that is held back is remembered anew.
    pub(super) fn minds_repeats(&self) -> bool {
        matches!(self, Self::Window(_))
    }

    /// What can be saved.
    pub(super) fn sketch(&self) -> Option<&dyn AnySketch> {
        match self {
            Self::Growing(filter) => Some(filter),
            Self::Planned(filter) => Some(filter),
            Self::Window(window) => Some(window.filter()),
            Self::Exact(_) => None,
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
            is_new.push(!known && filter.insert_hash(hash)?);
        }
    }
    Ok(())
}
