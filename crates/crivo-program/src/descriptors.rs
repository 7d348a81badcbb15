//! Whether standard input and output were closed when the program began, as by `<&-` and `>&-`.
//!
//! The standard library puts the null device in their place before `main`, as programs do that want no input or output. So one
//! has to look before that.

#![expect(unsafe_code, reason = "the attribute states why it is sound")]

use std::sync::atomic::{AtomicBool, Ordering};

static STDIN_IS_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard input was closed.
pub fn stdin_is_closed() -> bool {
    STDIN_IS_CLOSED.load(Ordering::Relaxed)
}

/// Whether standard output was closed.
pub fn stdout_is_closed() -> bool {
    STDOUT_IS_CLOSED.load(Ordering::Relaxed)
}

// SAFETY: the section is a list of functions without results that the loader calls before `main`; on Linux, arguments that a
// function does not take do no harm. This one needs nothing that the standard library sets up: it asks the system and stores
// the answers.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    use rustix::io::{Errno, fcntl_getfd};
    use rustix::stdio::{stdin, stdout};
    STDIN_IS_CLOSED.store(fcntl_getfd(stdin()) == Err(Errno::BADF), Ordering::Relaxed);
    STDOUT_IS_CLOSED.store(fcntl_getfd(stdout()) == Err(Errno::BADF), Ordering::Relaxed);
}
