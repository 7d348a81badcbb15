//! The `crivo` command: how many different, how often, is it there – with error bars, in one pass and a
//! small memory.
//!
//! One file a verb in [`cmd`], shared flags in [`args`], reading in [`input`], answers in [`output`]. Exit
//! codes: 0 yes or success, 1 no, 2 error or bad usage; a closed pipe ends quietly.

mod args;
mod cmd;
mod input;
mod interrupt;
mod output;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cmd::Cli::parse().run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::remark(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whether nobody reads standard output any more, as when `| head` has seen enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
