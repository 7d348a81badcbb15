//! Detects whether standard input and output were closed when the program began, as by `<&-` and `>&-`.
//!
//! Before `main`, the standard library opens the null device in place of a closed stream. After that, a closed
//! stream looks like one that the user redirected to the null device. So the check has to run before `main`.

#![expect(unsafe_code, reason = "the attribute states why it is sound")]

use std::sync::atomic::{AtomicBool, Ordering};

static STDIN_IS_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns whether standard input was closed.
pub fn stdin_is_closed() -> bool {
    STDIN_IS_CLOSED.load(Ordering::Relaxed)
}

/// Returns whether standard output was closed.
pub fn stdout_is_closed() -> bool {
    STDOUT_IS_CLOSED.load(Ordering::Relaxed)
}

// SAFETY: the section is a list of functions without results that the loader calls before `main`; on Linux, it is
// harmless if the loader passes arguments that a function does not take. `look` needs nothing that the standard
// library sets up: it asks the system and stores the answers.
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
