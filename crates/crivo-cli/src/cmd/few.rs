//! How many are few.

/// So many distinct values are counted one by one before a sketch takes over, as `crivo profile` does.
pub(super) const FEW: usize = 8192;
