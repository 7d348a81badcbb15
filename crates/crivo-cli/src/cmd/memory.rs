//! The memory of a sketch that keeps items.

use crate::args::LimitArgs;
use anyhow::Result;

/// Between two looks, a sketch grows by no more than was read: it is looked at only when that could be too much.
pub(super) struct Watch {
    limit: LimitArgs,
    /// What it takes at most.
    most: usize,
}

impl Watch {
    /// `fixed` is what it takes when full, without what the items hold.
    pub(super) fn new(limit: LimitArgs, fixed: usize) -> Self {
        Self { limit, most: fixed }
    }

    /// Notes items of this many bytes. `memory` is what the structure takes now, and it will take `unused` more when
    /// full.
    pub(super) fn has_read(
        &mut self,
        bytes: usize,
        memory: impl FnOnce() -> usize,
        unused: usize,
    ) -> Result<()> {
        self.most = self.most.saturating_add(bytes);
        if self.most as u64 > self.limit.max_memory {
            let memory = memory();
            self.limit.check(memory as u64)?;
            self.most = memory.saturating_add(unused);
        }
        Ok(())
    }
}

/// What an entry of this size takes in a hash table of the standard library: the table has a byte of control for each entry, is half to
/// seven eighths full, and lies next to one of half its size while it grows.
pub(super) const fn of_entry(bytes: usize) -> usize {
    (bytes + 1) * 8 / 7 * 3 / 2
}
