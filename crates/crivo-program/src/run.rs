//! A program from its beginning to its end.

use crate::output::{CLOSED_STDOUT, set_name};
use crate::{arguments, interrupt, remark, stdout_is_closed};
use anyhow::Result;
use clap::Parser;
use std::process::ExitCode;

/// Does what the command line of this process asks. `name` is how the program calls itself in messages.
pub fn run<A: Parser>(name: &'static str, work: impl FnOnce(A) -> Result<ExitCode>) -> ExitCode {
    set_name(name);
    interrupt::listen();
    let asked = match arguments::read::<A>() {
        Ok(asked) => asked,
        // Help and versions are answers.
        Err(told) if !told.use_stderr() && stdout_is_closed() => {
            remark(CLOSED_STDOUT);
            return ExitCode::from(2);
        }
        Err(told) => told.exit(),
    };
    let code = match work(asked) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            remark(&format!("{error:#}"));
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
