//! The `crivo` command: how many different, how often, is it there – with error bars, in one pass and a
//! small memory.
//!
//! One file a verb in [`cmd`], shared flags in [`args`], reading in [`input`], answers in [`output`]. Exit
//! codes: 0 yes or success, 1 no, 2 error or bad usage, 130 and 143 interrupted; a closed pipe ends quietly.
//!
//! This library is the command's own, and no interface for others: that is the crate `crivo`.

mod args;
mod cmd;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod output;
mod session;
mod verb;
mod words;

use std::process::ExitCode;

/// Does what the command line of this process asks.
pub fn main() -> ExitCode {
    crivo_program::run("crivo", cmd::Cli::run)
}
