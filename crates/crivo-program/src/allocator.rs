//! The allocator of the programs. When memory runs out, the program prints a message with the possible causes, a
//! size on the command line or a large input, and ends with exit code 2 instead of an abort.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::{remark, try_remove_drafts};
use crivo_report::size;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's allocator, except that it ends the program instead of returning null.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: every call is passed on to the system's allocator unchanged, and its result is returned unless it is
// null.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the conditions of `GlobalAlloc`.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the conditions of `GlobalAlloc`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller meets the conditions of `GlobalAlloc`.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller meets the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(bytes);
    }
    memory
}

#[cold]
fn end(bytes: usize) -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    // The message itself needs memory; the flag prevents an endless recursion.
    if !IS_ENDING.swap(true, Ordering::SeqCst) {
        remark(&format!(
            "out of memory: the system does not give {} more; ask for a smaller or less precise result, or allow the \
             command more memory",
            size(bytes as u64)
        ));
        try_remove_drafts();
    }
    #[cfg(unix)]
    signal_hook::low_level::exit(2);
    #[cfg(not(unix))]
    std::process::exit(2);
}
