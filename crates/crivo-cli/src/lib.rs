//! The `crivo` command: distinct counts, frequencies, membership and more – with error bars, in one pass and a
//! small memory.
//!
//! One file a verb in [`cmd`], shared flags in [`args`], reading in the crate [`crivo_tables`](input), answers in [`output`]. Exit
//! codes: 0 yes or success, 1 no, 2 error or bad usage, 130 and 143 interrupted; a closed pipe ends quietly.
//!
//! This library is the command's own, and no interface for others: that is the crate `crivo`.

#![cfg_attr(
    test,
    allow(
        clippy::format_push_string,
        clippy::format_collect,
        reason = "plain beats fast where inputs are made"
    )
)]

mod args;
mod cmd;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod habits;
mod mapped;
mod output;
mod session;
mod sources;
#[cfg(test)]
mod testing;
mod verb;
mod watch;
mod words;

use crivo_tables as input;

use session::Session;
use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;

/// Does what the command line of this process asks.
pub fn main() -> ExitCode {
    silence_caught_panics();
    crivo_program::run("crivo", habits::HABITS, |cli: cmd::Cli| {
        cli.color().choose();
        cli.answer(&Session::of_process).map(ExitCode::from)
    })
}

/// Does what a command line asks, in a program that received it, and returns the exit code. The first argument is the
/// command.
pub fn run(arguments: &[OsString]) -> u8 {
    silence_caught_panics();
    crivo_program::run_with("crivo", habits::HABITS, arguments, |cli: cmd::Cli| {
        cli.color().choose();
        cli.answer(&Session::of_process)
    })
}

/// Damaged data can make a decoder panic, which is caught and becomes an error: nobody need hear of that twice.
fn silence_caught_panics() {
    let loud = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !input::is_fenced() {
            loud(info);
        }
    }));
}
