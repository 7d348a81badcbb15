//! Runs a program from its arguments to its exit code.

use crate::arguments::Refused;
use crate::output::{CLOSED_STDOUT, fail, set_name};
use crate::{Habits, arguments, interrupt, remark, stdout_is_closed};
use anyhow::Result;
use clap::Parser;
use std::process::ExitCode;

/// Runs the program with the arguments of this process. `name` is the program's name in messages.
pub fn run<A: Parser>(
    name: &'static str,
    habits: Habits,
    work: impl FnOnce(A) -> Result<ExitCode>,
) -> ExitCode {
    set_name(name);
    interrupt::listen();
    let asked = match arguments::read::<A>(habits) {
        Ok(asked) => asked,
        // Help and version are answers, so they need standard output.
        Err(Refused::Told(told)) if !told.use_stderr() && stdout_is_closed() => {
            remark(CLOSED_STDOUT);
            return ExitCode::from(2);
        }
        Err(Refused::Told(told)) => told.exit(),
        Err(Refused::Wrong(advice)) => {
            fail(&advice.message, &advice.below);
            return ExitCode::from(2);
        }
    };
    let code = match work(asked) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            fail(&format!("{error:#}"), "");
            return ExitCode::from(2);
        }
    };
    interrupt::exit_code().unwrap_or(code)
}

/// Returns whether the reader of standard output has closed the pipe, as `| head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
