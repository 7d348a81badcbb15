//! Parses the arguments, and explains wrong ones.

use crate::advice::{Advice, Habits, message, single_dash};
use clap::Parser;
use clap::error::{Error, ErrorKind};
use crivo_report::one_line;
use std::ffi::OsString;

/// Why the program does not run.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The user asked for the help or the version.
    Told(Error),
    /// The arguments are wrong.
    Wrong(Advice),
}

/// Parses the arguments, of which the first is the program.
pub(crate) fn parse<A: Parser>(arguments: &[OsString], habits: Habits) -> Result<A, Refused> {
    let mut command = A::command();
    command.build();
    if let Some(advice) = single_dash(&command, arguments) {
        return Err(Refused::Wrong(advice));
    }
    A::try_parse_from(arguments).map_err(|error| {
        let error = explained::<A>(&error, arguments);
        match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Refused::Told(error),
            _ => Refused::Wrong(message(&error, &command, arguments, habits)),
        }
    })
}

/// Returns the error for the escaped arguments. A message quotes the arguments, and a file name may contain control
/// characters that a terminal obeys.
fn explained<A: Parser>(error: &Error, arguments: &[OsString]) -> Error {
    let shown = |argument: &OsString| one_line(&argument.to_string_lossy()).into_owned();
    match A::try_parse_from(arguments.iter().map(shown)) {
        Err(same) if same.kind() == error.kind() => same,
        // The escaped arguments cause another error, or none: then the message itself is escaped.
        _ => {
            let text = error.to_string();
            let lines = text.strip_prefix("error: ").unwrap_or(&text).lines().map(one_line);
            Error::raw(error.kind(), lines.collect::<Vec<_>>().join("\n") + "\n")
        }
    }
}

/// Returns the default number of threads.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Parses a seed: a decimal number, or a hexadecimal number after `0x`, as `crivo info` prints it.
///
/// # Errors
/// If the text is not a seed; the message says what is expected.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        _ => text.parse(),
    };
    parsed.map_err(|_| "expected a seed from 0 to 2^64 - 1, for example 42 or 0x2a".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    enum Asked {
        Distinct {
            #[arg(long)]
            error: Option<f64>,
        },
        Explain {
            kind: String,
        },
        Hyphenate {
            #[arg(long, value_parser = ["german", "portuguese"])]
            lang: Option<String>,
        },
    }

    #[test]
    fn messages_quote_arguments_as_they_are_shown() {
        for hostile in ["\u{1b}]0;x\u{7}", "\u{202e}gnp", "a\nb", "\u{9b}31m"] {
            let flag = format!("--{hostile}");
            for arguments in [
                ["crivo", hostile, "x", "y"],
                ["crivo", "distinct", &flag, "y"],
                ["crivo", "distinct", "--error", hostile],
                ["crivo", "explain", "bloom", &flag],
                ["crivo", "hyphenate", "--lang", hostile],
            ] {
                let arguments = arguments.map(OsString::from);
                let error = Asked::try_parse_from(&arguments).unwrap_err();
                let told = explained::<Asked>(&error, &arguments).render().ansi().to_string();
                let shown = one_line(hostile);
                assert!(!told.contains(hostile) && told.contains(&*shown), "{arguments:?}: {told}");
            }
        }
    }

    #[test]
    fn seeds() {
        for (text, seed) in [("0", 0), ("42", 42), ("0x2a", 42), ("0XFFFFFFFFFFFFFFFF", u64::MAX)] {
            assert_eq!(parse_seed(text), Ok(seed), "{text}");
        }
        for bad in ["", "x", "-1", "0x", "0x+1", "0xg", "18446744073709551616"] {
            assert!(parse_seed(bad).is_err(), "{bad}");
        }
    }
}
