//! What fuzzers call: bytes in, nothing out. They look for panics, endless loops and memory beyond all bounds; what the
//! answers should be is what the tests check.

use crate::args::{parse_count, parse_duration, parse_seed, parse_share, parse_size, parse_step, parse_when};
use crate::cmd::Cli;
use crate::session::Session;
use crate::silence_caught_panics;
use clap::Parser;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Once;

/// How a table may be written: the extension of its file, and flags.
const FORMATS: [(&str, &[&str]); 8] = [
    (".csv", &[]),
    (".csv", &["--no-header"]),
    (".tsv", &[]),
    (".txt", &["--delimiter", ";"]),
    (".jsonl", &[]),
    (".json", &["--missing", "NA"]),
    (".txt", &[]),
    (".bin", &["--null"]),
];

/// Verbs that together ask for all that can be asked of records.
const QUESTIONS: [&[&str]; 8] = [
    &["profile", "--json"],
    &["profile"],
    &["distinct", "--column", "1", "--by", "2"],
    &["distinct", "--column", "a.b", "--column", "c", "--time", "1", "--window", "1h"],
    &["top", "--column", "1", "--weight", "2"],
    &["quantiles", "--column", "1"],
    &["sample", "--column", "1", "--seed", "1"],
    &["seen"],
];

/// A table: two bytes choose how it is written and what is asked, the others are the file.
pub fn table(bytes: &[u8]) {
    let [format, question, file @ ..] = bytes else { return };
    let (extension, flags) = FORMATS[usize::from(*format) % FORMATS.len()];
    let question = QUESTIONS[usize::from(*question) % QUESTIONS.len()];
    ask(question, flags, extension, file);
}

/// A file of Parquet, whatever its bytes.
pub fn parquet(file: &[u8]) {
    for question in [QUESTIONS[0], QUESTIONS[2]] {
        ask(question, &["--format", "parquet"], ".parquet", file);
    }
}

/// Words of a command line, each ended by a newline. What they plan is planned; nothing else is done.
pub fn arguments(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for word in text.lines() {
        if let Ok(count) = parse_count(word) {
            assert_eq!(parse_count(&count.to_string()), Ok(count), "{word}");
        }
        if let Ok(size) = parse_size(word) {
            assert!((1..=10u64.pow(18)).contains(&size), "{word}");
        }
        if let Ok(share) = parse_share(word) {
            assert!(share > 0.0 && share < 1.0, "{word}");
        }
        if let Ok(time) = parse_duration(word) {
            assert!(!time.is_zero(), "{word}");
        }
        let _read = (parse_seed(word), parse_step(word), parse_when(word));
    }
    if let Ok(cli) = Cli::try_parse_from(["crivo"].into_iter().chain(text.lines()))
        && cli.is_plan()
    {
        run(cli);
    }
}

/// Runs a verb on a file with this content.
fn ask(question: &[&str], flags: &[&str], extension: &str, content: &[u8]) {
    let file = tempfile::Builder::new().prefix("fuzz").suffix(extension).tempfile();
    let mut file = file.expect("the folder of temporary files takes one more");
    file.write_all(content).expect("the folder of temporary files has room");
    let words = ["crivo"].iter().chain(question).chain(flags).chain(&["--jobs", "1", "--quiet"]);
    let words = words.map(OsString::from).chain([file.path().into()]);
    run(Cli::try_parse_from(words).expect("written as the command line wants it"));
}

/// Errors are reported as the command reports them.
fn run(cli: Cli) {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(silence_caught_panics);
    if let Err(error) = cli.answer(&Session::of_process) {
        let _message = format!("{error:#}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of one column that serves as the header too, in every format.
    #[test]
    fn every_question_can_be_asked_of_every_format() {
        for format in 0..FORMATS.len() {
            for question in 0..QUESTIONS.len() {
                table(&[&[format as u8, question as u8], &b"1\n2\n"[..]].concat());
            }
        }
        parquet(b"PAR1");
    }

    #[test]
    fn arguments_are_read_and_plans_are_made() {
        arguments(b"plan\nmembership\n--items\n1e6\n--fpr\n0.01\n");
        arguments(b"\xff\n--\n\n1e6\n64MiB\n");
    }
}
