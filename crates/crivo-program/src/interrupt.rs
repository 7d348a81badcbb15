//! SIGINT and SIGTERM.
//!
//! A verb that can answer from a part of its input takes the first one as the end of that input: it answers, saves, and
//! the exit code tells that it was interrupted. Every other verb ends at once, and so does all on a second signal; what
//! was being written is removed. Once a result takes its place, it is too late for that: the program goes on to its end, and its
//! exit code is the usual one.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The signal that has ended the input; 0 for none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// Whether there is an answer from what has been read.
static WILL_ANSWER: AtomicBool = AtomicBool::new(false);
/// Whether a result is taking its place, or has.
static IS_FINISHING: AtomicBool = AtomicBool::new(false);

/// `timeout` signals a program and then its group, so that one wish comes twice; nobody presses Ctrl-C again that soon.
#[cfg(unix)]
const AT_ONCE: Duration = Duration::from_millis(200);

/// Looks after signals from now on. Without a listener, a signal ends the program as the system does.
pub(crate) fn listen() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
        // The signal of a file that would exceed its size limit is only caught: writing then fails with an error.
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
        // Over the line of the progress, and of ^C.
        let _nobody_listens = stderr.write_all(b"\r\x1b[K");
    }
    crate::remark(if is_first {
        "interrupted; there is no result"
    } else {
        "interrupted twice; ended at once"
    });
    std::process::exit(128 + signal);
}

/// From now on, the first signal is the end of the input and no more.
pub fn will_answer() {
    WILL_ANSWER.store(true, Ordering::SeqCst);
}

/// From now on a result has its place, or will have it in one step.
pub fn is_finishing() {
    IS_FINISHING.store(true, Ordering::SeqCst);
}

/// Whether what has been read is all that will be.
pub fn is_end_of_input() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// The exit code of a program that was interrupted but still answered.
pub(crate) fn exit_code() -> Option<ExitCode> {
    match RECEIVED.load(Ordering::SeqCst) {
        signal if signal != 0 && WILL_ANSWER.load(Ordering::SeqCst) => {
            Some(ExitCode::from(128 + signal as u8))
        }
        _ => None,
    }
}
