//! Whether answers and messages have colours.

use clap::ValueEnum;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// When to write in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On terminals, unless `NO_COLOR` is set; everywhere if `CLICOLOR_FORCE` is.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// The chosen mode. It is a static, because messages can come from any place, even before the arguments are parsed.
static ASKED: OnceLock<Color> = OnceLock::new();

impl Color {
    /// Sets the mode for answers and messages. Only the first call has an effect.
    pub fn choose(self) {
        let _had_one = ASKED.set(self);
    }

    /// Returns the mode that was set, or the default.
    pub fn chosen() -> Self {
        ASKED.get().copied().unwrap_or_default()
    }

    /// Returns whether text that goes to `stream` is coloured.
    pub fn is_wanted(self, stream: &impl IsTerminal) -> bool {
        self.decide(|name| std::env::var(name).unwrap_or_default(), stream.is_terminal())
    }

    fn decide(self, variable: impl Fn(&str) -> String, is_terminal: bool) -> bool {
        let is_set = |name| !variable(name).is_empty();
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if is_set("NO_COLOR") => false,
            Self::Auto if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != "0" => true,
            Self::Auto => is_terminal && variable("TERM") != "dumb",
        }
    }
}

/// Returns the name of the program, as it stands before a message, in colour if colour is on.
pub(crate) fn named(name: &str, is_error: bool) -> String {
    let (code, reset) = (if is_error { "\x1b[1;31m" } else { "\x1b[33m" }, "\x1b[0m");
    if Color::chosen().is_wanted(&std::io::stderr()) {
        format!("{code}{name}:{reset}")
    } else {
        format!("{name}:")
    }
}

#[cfg(test)]
mod tests {
    use super::Color::{self, Always, Auto, Never};

    #[test]
    fn flags_then_variables_then_the_terminal_decide() {
        let decide = |color: Color, set: &[(&str, &str)], is_terminal| {
            let value = |name: &str| set.iter().find(|(it, _)| *it == name).map_or("", |(_, value)| value);
            color.decide(|name| value(name).to_owned(), is_terminal)
        };
        assert!(decide(Auto, &[], true) && !decide(Auto, &[], false));
        assert!(
            decide(Always, &[("NO_COLOR", "1")], false) && !decide(Never, &[("CLICOLOR_FORCE", "1")], true)
        );
        assert!(!decide(Auto, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(decide(Auto, &[("CLICOLOR_FORCE", "1")], false));
        assert!(!decide(Auto, &[("CLICOLOR_FORCE", "0")], false) && decide(Auto, &[("NO_COLOR", "")], true));
        assert!(!decide(Auto, &[("TERM", "dumb")], true));
    }
}
