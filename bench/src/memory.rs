//! What a structure really holds: every allocation of the program is counted.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Builds a value and returns it with the bytes of heap that it holds, beyond its own size.
pub(crate) fn heap_held<R>(build: impl FnOnce() -> R) -> (R, usize) {
    let region = Region::new(ALLOCATOR);
    let built = build();
    let change = region.change();
    (built, change.bytes_allocated.saturating_sub(change.bytes_deallocated))
}
