//! The arguments, and what is said of bad ones.

use super::Cli;
use crate::output::one_line;
use clap::Parser;
use clap::error::Error;
use std::ffi::OsString;

impl Cli {
    /// What the user asks for. An error also holds the help or the version, where those were asked for.
    pub(crate) fn from_arguments() -> Result<Self, Error> {
        let arguments: Vec<OsString> = std::env::args_os().collect();
        Self::try_parse_from(&arguments).map_err(|error| explained(&error, &arguments))
    }
}

/// The error of the same arguments as they are shown: a message quotes them, and a name that came from a directory may
/// hold what a terminal obeys.
fn explained(error: &Error, arguments: &[OsString]) -> Error {
    let shown = |argument: &OsString| one_line(&argument.to_string_lossy()).into_owned();
    match Cli::try_parse_from(arguments.iter().map(shown)) {
        Err(same) if same.kind() == error.kind() => same,
        // What is escaped is wrong in another way, or not at all.
        _ => {
            let text = error.to_string();
            let lines = text.strip_prefix("error: ").unwrap_or(&text).lines().map(one_line);
            Error::raw(error.kind(), lines.collect::<Vec<_>>().join("\n") + "\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let error = Cli::try_parse_from(&arguments).unwrap_err();
                let told = explained(&error, &arguments).render().ansi().to_string();
                let shown = one_line(hostile);
                assert!(!told.contains(hostile) && told.contains(&*shown), "{arguments:?}: {told}");
            }
        }
    }
}
