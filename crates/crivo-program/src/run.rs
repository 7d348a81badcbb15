//! Runs a program from its arguments to its exit code.

use crate::arguments::Refused;
use crate::output::{CLOSED_STDOUT, fail, set_name};
use crate::{Habits, arguments, interrupt, remark, stdout_is_closed};
use anyhow::Result;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with the arguments of this process. `name` is the program's name in messages.
pub fn run<A: Parser>(
    name: &'static str,
    habits: Habits,
    work: impl FnOnce(A) -> Result<ExitCode>,
) -> ExitCode {
    run_with(name, habits, &std::env::args_os().collect::<Vec<_>>(), work)
}

/// Like [`run`], with arguments that another program received: the first one is the program.
pub fn run_with<A: Parser, C: From<u8>>(
    name: &'static str,
    habits: Habits,
    arguments: &[OsString],
    work: impl FnOnce(A) -> Result<C>,
) -> C {
    set_name(name);
    interrupt::listen();
    let asked = match arguments::parse::<A>(arguments, habits) {
        Ok(asked) => asked,
        // Help and version are answers, so they need standard output.
        Err(Refused::Told(told)) if !told.use_stderr() && stdout_is_closed() => {
            remark(CLOSED_STDOUT);
            return C::from(2);
        }
        Err(Refused::Told(told)) => told.exit(),
        Err(Refused::Wrong(advice)) => {
            fail(&advice.message, &advice.below);
            return C::from(2);
        }
    };
    let code = match work(asked) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => C::from(0),
        Err(error) => {
            fail(&format!("{error:#}"), "");
            return C::from(2);
        }
    };
    interrupt::exit_code().map_or(code, C::from)
}

/// Returns whether the reader of standard output has closed the pipe, as `| head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
