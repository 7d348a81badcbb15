//! The memory of a sketch that keeps items.

use crate::args::LimitArgs;
use anyhow::Result;

/// Between two looks, a sketch grows by no more than was read: it is looked at only when that could be too much.
pub(super) struct Watch<'a> {
    limit: &'a LimitArgs,
    /// What it takes at most.
    most: usize,
}

impl<'a> Watch<'a> {
    /// `fixed` is what it takes when full, without what the items hold.
    pub(super) fn new(limit: &'a LimitArgs, fixed: usize) -> Self {
        Self { limit, most: fixed }
    }

    /// Items of so many bytes have come.
    pub(super) fn has_read(&mut self, bytes: usize, memory: impl FnOnce() -> usize) -> Result<()> {
        self.most = self.most.saturating_add(bytes);
        if self.most as u64 > self.limit.max_memory {
            self.most = memory();
            self.limit.check(self.most as u64)?;
        }
        Ok(())
    }
}
