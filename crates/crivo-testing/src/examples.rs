//! The examples of `--help`.

use clap::{Command, Parser};

/// The commands that `--help` shows, as words.
fn examples(program: &str, command: &Command) -> Vec<Vec<String>> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter(|line| line.starts_with("  "));
    lines.flat_map(commands).filter(|words| words.first().is_some_and(|word| word == program)).collect()
}

/// What a shell would run, without where it sends the output.
fn commands(line: &str) -> Vec<Vec<String>> {
    let words = words(line);
    let commands = words.split(|word| word == "|" || word == "&&");
    commands.map(|words| words.iter().take_while(|word| !word.starts_with('>')).cloned().collect()).collect()
}

/// The words of a line, without quotes and comments.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match letter {
            '#' if !is_quoted && word.is_none() => break,
            ' ' if !is_quoted => words.extend(word.take()),
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn for_each_verb(
    command: &Command,
    parent: Option<&Command>,
    see: &mut dyn FnMut(&Command, Option<&Command>),
) {
    see(command, parent);
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set()) {
        for_each_verb(verb, Some(command), see);
    }
}

/// Every verb has an example in its help or in that of the verb above, and every example is a command line. Returns how many.
#[track_caller]
pub fn every_example_parses<A: Parser>() -> usize {
    let mut command = A::command();
    command.build();
    let program = command.get_name().to_owned();
    let mut seen = 0;
    for_each_verb(&command, None, &mut |verb, parent| {
        let name = verb.get_bin_name().unwrap_or_default();
        let is_of_verb = |words: &Vec<String>| words.join(" ").starts_with(name);
        let own = examples(&program, verb);
        let beside = parent.map(|verb| examples(&program, verb)).unwrap_or_default();
        assert!(own.iter().chain(&beside).any(is_of_verb), "{name}: --help has no example");
        for words in own {
            seen += 1;
            let parsed = A::try_parse_from(&words);
            assert!(parsed.is_ok(), "{words:?}: {}", parsed.err().map(|e| e.to_string()).unwrap_or_default());
        }
    });
    seen
}
