//! SIGINT and SIGTERM.
//!
//! A verb that can answer from a part of its input treats the first signal as the end of the input: it answers,
//! saves its sketch, and its exit code says that it was interrupted. Every other verb ends at once and removes its
//! temporary files. A second signal ends every verb at once. Once a verb moves its result into place, a first
//! signal has no effect: the program continues to its end, and its exit code is the usual one.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The signal that was received first, or 0.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// Whether the verb will answer from the part of the input that it has read.
static WILL_ANSWER: AtomicBool = AtomicBool::new(false);
/// Whether the result is being moved into place, or has been.
static IS_FINISHING: AtomicBool = AtomicBool::new(false);

/// `timeout` sends a signal to a program and then to its process group, so a program can receive one request twice.
/// No user presses Ctrl-C twice within this time.
#[cfg(unix)]
const AT_ONCE: Duration = Duration::from_millis(200);

/// Starts to handle signals. Without this call, a signal ends the program at once.
pub(crate) fn listen() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
        // SIGXFSZ, for a file that would exceed the size limit, is caught and ignored: the write then fails with an
        // error.
        if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGXFSZ]) {
            std::thread::spawn(move || {
                let mut first: Option<Instant> = None;
                for signal in signals.forever().filter(|&signal| signal != SIGXFSZ) {
                    if first.get_or_insert_with(Instant::now).elapsed() < AT_ONCE && is_end_of_input() {
                        continue;
                    }
                    receive(signal);
                }
            });
        }
    }
}

#[cfg(unix)]
fn receive(signal: i32) {
    use std::io::{IsTerminal, Write};
    let is_first = RECEIVED.swap(signal, Ordering::SeqCst) == 0;
    if is_first && WILL_ANSWER.load(Ordering::SeqCst) {
        return;
    }
    if !crate::remove_drafts(|| is_first && IS_FINISHING.load(Ordering::SeqCst)) {
        return;
    }
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // Overwrites the progress bar and the `^C` of the terminal.
        let _nobody_listens = stderr.write_all(b"\r\x1b[K");
    }
    crate::remark(if is_first {
        "interrupted; there is no result"
    } else {
        "interrupted twice; ended at once"
    });
    std::process::exit(128 + signal);
}

/// Makes the first signal end the input instead of the program.
pub fn will_answer() {
    WILL_ANSWER.store(true, Ordering::SeqCst);
}

/// Says that the result is in place, or will be in one step.
pub fn is_finishing() {
    IS_FINISHING.store(true, Ordering::SeqCst);
}

/// Returns whether a signal has ended the input.
pub fn is_end_of_input() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// Returns the exit code of a program that was interrupted but still answered.
pub(crate) fn exit_code() -> Option<u8> {
    match RECEIVED.load(Ordering::SeqCst) {
        signal if signal != 0 && WILL_ANSWER.load(Ordering::SeqCst) => Some(128 + signal as u8),
        _ => None,
    }
}
