//! What people type who come from other programs. Verbs that are the same under another name are aliases (`cmd/mod.rs`).

use crivo_program::Habits;

pub(crate) const HABITS: Habits = Habits {
    verbs: &[
        ("head", "for the first records use head; 'crivo sample' draws some at random"),
        ("diff", DRIFT),
        ("drift", DRIFT),
        ("mode", "for the most frequent items use: crivo top"),
        ("wc", "for the number of distinct items use: crivo distinct"),
        ("median", "use: crivo quantiles -p 50"),
    ],
    flags: &[
        ("limit", "number"),
        ("l", "number"),
        ("top", "number"),
        ("size", "number"),
        ("head", "number"),
        ("lines", "number"),
        ("o", "save"),
        ("output", "save"),
        ("save", "output"),
        ("out", "output"),
        ("out", "save"),
        ("to", "output"),
        ("f", "column"),
        ("field", "column"),
        ("fields", "column"),
        ("select", "column"),
        ("columns", "column"),
        ("d", "delimiter"),
        ("s", "delimiter"),
        ("t", "delimiter"),
        ("sep", "delimiter"),
        ("separator", "delimiter"),
        ("g", "by"),
        ("group", "by"),
        ("group-by", "by"),
        ("threads", "jobs"),
        ("parallel", "jobs"),
        ("na", "missing"),
        ("na-values", "missing"),
        ("null-values", "missing"),
        ("n", "no-header"),
        ("no-headers", "no-header"),
        ("invert-match", "invert"),
        ("silent", "quiet"),
        ("jsonl", "json"),
        ("ndjson", "json"),
        ("md", "markdown"),
        ("overwrite", "force"),
    ],
    unlikely: &["completions", "help", "man", "lab"],
};

const DRIFT: &str = "for the changes between two tables use: crivo compare OLD NEW";

#[cfg(test)]
mod tests {
    use super::HABITS;
    use crate::cmd::Cli;
    use clap::{Command, CommandFactory};

    #[test]
    fn what_is_advised_is_there() {
        fn has(command: &Command, flag: &str) -> bool {
            let is_long = command.get_arguments().any(|argument| argument.get_long() == Some(flag));
            is_long || command.get_subcommands().any(|verb| has(verb, flag))
        }
        let command = Cli::command();
        for (habit, flag) in HABITS.flags {
            assert!(has(&command, flag), "{flag}");
            assert!(habit.len() < 2 || !has(&command, habit) || *habit != *flag, "{habit}");
        }
        for (word, _) in HABITS.verbs {
            assert!(command.find_subcommand(word).is_none(), "{word}");
        }
    }
}
