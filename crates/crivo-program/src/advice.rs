//! Messages about wrong arguments: what is wrong, and what the user probably meant.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};
use crivo_report::nearest;
use std::ffi::OsString;

/// Words and flags that users know from other programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits {
    /// Words that are not verbs, each with advice on what to do instead.
    pub verbs: &'static [(&'static str, &'static str)],
    /// Flags of other programs and the long names of Crivo's flags for them, all without dashes.
    pub flags: &'static [(&'static str, &'static str)],
    /// Verbs that are never suggested for a misspelt word.
    pub unlikely: &'static [&'static str],
}

/// A sentence that says what is wrong, and lines below it that show the correct usage.
#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) message: String,
    pub(crate) below: String,
}

/// Returns the verb that the arguments call. Its name includes the names of its parents.
fn called<'a>(command: &'a Command, arguments: &[OsString]) -> &'a Command {
    let mut verb = command;
    let words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    for word in words.take_while(|&word| word != "--").filter(|word| !word.starts_with('-')) {
        match verb.find_subcommand(word) {
            Some(inner) => verb = inner,
            None if verb.has_subcommands() => {}
            None => break,
        }
    }
    verb
}

/// Finds a long flag with one dash, which the parser would read as a short flag with a value.
pub(crate) fn single_dash(command: &Command, arguments: &[OsString]) -> Option<Advice> {
    let verb = called(command, arguments);
    let words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    words.take_while(|&word| word != "--").find_map(|word| {
        let name = word.strip_prefix('-').filter(|name| name.len() > 2)?;
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        let is_long = verb.get_arguments().any(|argument| argument.get_long() == Some(name));
        is_long.then(|| Advice {
            message: format!("'-{name}' has one dash; did you mean --{name}?"),
            below: usage(verb),
        })
    })
}

/// Returns the message for an error of the parser, and the usage of the verb.
pub(crate) fn message(error: &Error, command: &Command, arguments: &[OsString], habits: Habits) -> Advice {
    let verb = called(command, arguments);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let message = match (error.kind(), text(ContextKind::InvalidArg), text(ContextKind::InvalidSubcommand)) {
        (ErrorKind::UnknownArgument, Some(flag), _) => unknown_flag(verb, flag, habits),
        (ErrorKind::InvalidSubcommand, _, Some(word)) => unknown_verb(verb, word, habits),
        (ErrorKind::MissingRequiredArgument, ..) => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => {
                format!("{} {} missing", missing.join(", "), if missing.len() == 1 { "is" } else { "are" })
            }
            _ => plain(error),
        },
        _ => match text(ContextKind::SuggestedValue) {
            Some(value) => format!("{}; did you mean '{value}'?", plain(error)),
            None => plain(error),
        },
    };
    Advice { message, below: usage(verb) }
}

/// Returns the first paragraph of the parser's message, on one line.
fn plain(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let first = text.split("\n\n").next().unwrap_or_default();
    first.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Returns the usage and the command for more help.
fn usage(verb: &Command) -> String {
    let usage = verb.clone().render_usage().to_string();
    format!("\n\n{usage}\nHelp:  {} --help", name(verb))
}

/// Returns the full name of a verb, such as `crivo filter build`.
fn name(verb: &Command) -> &str {
    verb.get_bin_name().unwrap_or(verb.get_name())
}

/// Says that a verb has no such flag or verb. The verb's name has no program name, because every message begins
/// with it.
fn lacks(verb: &Command, what: &str) -> String {
    match name(verb).split_once(' ') {
        Some((_, verb)) => format!("{verb} has no {what}"),
        None => format!("there is no {what}"),
    }
}

fn unknown_flag(verb: &Command, flag: &str, habits: Habits) -> String {
    let asked = flag.trim_start_matches('-');
    let is_ours = |name: &str| verb.get_arguments().any(|argument| argument.get_long() == Some(name));
    let habit = habits.flags.iter().find(|(other, ours)| *other == asked && is_ours(ours));
    let meant = match habit {
        Some((_, ours)) => Some((*ours).to_owned()),
        // A name of one or two letters is similar to too many flags.
        None if asked.len() < 3 => None,
        None => nearest(verb.get_arguments().filter_map(Arg::get_long), asked).map(Into::into),
    };
    let lacks = lacks(verb, flag);
    meant.map_or_else(|| lacks.clone(), |meant| format!("{lacks}; did you mean --{meant}?"))
}

fn unknown_verb(verb: &Command, word: &str, habits: Habits) -> String {
    let advice =
        habits.verbs.iter().find(|(other, _)| *other == word).map(|(_, advice)| (*advice).to_owned());
    let likely = verb.get_subcommands().filter(|verb| !habits.unlikely.contains(&verb.get_name()));
    let names: Vec<(&str, &str)> = likely
        .flat_map(|verb| {
            let name = verb.get_name();
            [name].into_iter().chain(verb.get_all_aliases()).map(move |other| (other, name))
        })
        .collect();
    let meant = || {
        let near = nearest(names.iter().map(|(other, _)| *other), word)?;
        let (_, name) = names.iter().find(|(other, _)| *other == near)?;
        Some(format!("did you mean '{name}'?"))
    };
    let lacks = lacks(verb, &format!("verb '{word}'"));
    advice.or_else(meant).map_or_else(|| lacks.clone(), |advice| format!("{lacks}; {advice}"))
}
