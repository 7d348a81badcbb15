//! The `crivo` command: how many different, how often, is it there – with error bars, in one pass and a
//! small memory.
//!
//! One file a verb in [`cmd`], shared flags in [`args`], reading in [`input`], answers in [`output`]. Exit
//! codes: 0 yes or success, 1 no, 2 error or bad usage, 130 and 143 interrupted; a closed pipe ends quietly.
//!
//! This library is the command's own, and no interface for others: that is the crate `crivo`.

mod allocator;
mod args;
mod cmd;
mod descriptors;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod interrupt;
mod output;
mod words;

#[doc(hidden)]
pub use allocator::Allocator;

use std::process::ExitCode;

/// Does what the command line of this process asks.
pub fn main() -> ExitCode {
    interrupt::listen();
    let cli = match cmd::Cli::from_arguments() {
        Ok(cli) => cli,
        // Help and versions are answers.
        Err(told) if !told.use_stderr() && descriptors::stdout_is_closed() => {
            output::remark(output::CLOSED_STDOUT);
            return ExitCode::from(2);
        }
        Err(told) => told.exit(),
    };
    let code = match cli.run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::remark(&format!("{error:#}"));
            return ExitCode::from(2);
        }
    };
    interrupt::exit_code().unwrap_or(code)
}

/// Whether nobody reads standard output any more, as when `| head` has seen enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
