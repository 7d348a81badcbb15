//! Memory of the system. Where it has no more to give, the program says so and ends with exit code 2 instead of an abort,
//! the cause: a size on the command line, or what grows with the input.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::{remark, try_remove_drafts};
use crivo_report::size;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's allocator, which never fails: it ends the program.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: all is passed on to the system's allocator as it came, and its results are passed back, but for null.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
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
    // To say it takes a little memory, too.
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
