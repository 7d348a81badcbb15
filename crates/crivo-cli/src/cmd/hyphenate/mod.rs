//! `crivo hyphenate`: where words may be broken.

mod exceptions;
mod hyphenator;
mod language;
mod letters;
mod patterns;
mod stats;
mod tex;
mod text;
mod trie;

use crate::args::{AnswerArgs, FilterOrNone, LimitArgs, TextFileArgs, parse_share};
use crate::input::{Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use exceptions::{Exception, Exceptions};
use hyphenator::{Hyphenator, Rules};
use hypher::Lang;
use patterns::Patterns;
use stats::Stats;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use tex::TexFile;
use text::{Hyphenated, Tally, hyphenate};

/// Insert hyphens where words may be broken
///
/// Uses the patterns of Knuth and Liang, as TeX does. Words in a list of exceptions are broken as the list says, in any
/// case; a filter in front of the list answers for most words that are not in it.
///
/// Apart from the hyphens, the text is unchanged. A word is a run of letters. Words next to a digit, an underscore or a
/// soft hyphen are not broken, and neither are addresses (with :// or @ in them, or www. before them) and paths that
/// begin with a slash or contain a backslash. HTML tags are treated as words.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  echo hyphenation | crivo hyphenate
  crivo hyphenate letter.txt --lang pt --hyphen soft > letter-soft.txt
  crivo hyphenate words.txt.gz --exceptions ushyphex.tex --filter cuckoo --stats > hyphenated.txt
  crivo hyphenate book.txt --patterns hyph-en-gb.tex --left 2 --right 3
  crivo hyphenate book.txt --json")]
pub(crate) struct Hyphenate {
    #[command(flatten)]
    input: TextFileArgs,

    /// Language, by its code or its English name
    ///
    /// English is American; British patterns are not built in, but TeX has them in hyph-en-gb.tex: use --patterns for
    /// them and for any other language. Only patterns are built in: the few exceptions that the files of TeX also list,
    /// such as ta-ble, need --exceptions.
    #[arg(long, value_name = "LANG", default_value = "en-us", value_parser = language::Parser,
          conflicts_with = "patterns")]
    lang: Lang,

    /// Use the patterns and exceptions of a TeX file instead, or one pattern per line; in UTF-8
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,

    /// File of words with hyphens where they may be broken, one per line or a TeX file; may be repeated
    ///
    /// If a word occurs twice, the last entry counts. Exceptions are broken exactly as written, whatever --left and
    /// --right are.
    #[arg(long, value_name = "FILE")]
    exceptions: Vec<PathBuf>,

    /// Minimum number of letters before the first break by patterns [default: as usual in the language; 2 with
    /// --patterns]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    left: Option<u16>,

    /// Minimum number of letters after the last break by patterns [default: as usual in the language; 3 with
    /// --patterns]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    right: Option<u16>,

    /// Text to insert at a break, or soft for a soft hyphen (U+00AD), which is visible only where a line is broken
    #[arg(long, value_name = "TEXT", default_value = "-", value_parser = parse_hyphen,
          conflicts_with_all = ["json", "csv", "markdown"])]
    hyphen: String,

    /// The filter in front of the exceptions; the output does not depend on it
    #[arg(long, value_name = "KIND", default_value = "blocked", value_parser = FilterOrNone::parser())]
    filter: FilterOrNone,

    /// Probability that the filter reports another word as an exception, which costs a useless look-up
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    /// Report at the end, on standard error, the number of words and breaks, and what the filter saved and cost
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "csv", "markdown", "quiet"])]
    stats: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

impl Verb for Hyphenate {
    type Report = Stats;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Stats> {
        let input = Input { answers_early: true, prints: true, ..self.input.open(self.limit, session)? };
        let hyphenator = Arc::new(self.hyphenator(session)?);
        let at_work = Arc::clone(&hyphenator);
        let mut tally = Tally::default();
        input.map(
            Wants::default(),
            move |(), batch| Ok(hyphenate(&at_work, batch.text())),
            |batch, found| {
                tally += found.tally;
                session.show(&Hyphenated {
                    text: batch.text(),
                    found: &found,
                    hyphen: self.hyphen.as_bytes(),
                })?;
                // A reader may be waiting at the other end of a pipe.
                session.flush()?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(Stats::new(tally, &hyphenator.exceptions, self.stats))
    }
}

impl Hyphenate {
    fn hyphenator(&self, session: &Session) -> Result<Hyphenator> {
        let limit = self.limit.max_memory;
        let mut files = Vec::new();
        let (rules, (left, right)) = match &self.patterns {
            None => (Rules::BuiltIn(self.lang), self.lang.bounds()),
            Some(path) => {
                let name = || path.display().to_string();
                let file = TexFile::read(path, limit, session)?;
                let patterns = file.patterns().with_context(name)?;
                if patterns.is_empty() {
                    bail!("{}: has no patterns; expected \\patterns{{…}}, or one pattern per line", name());
                }
                let rules = Rules::File(Box::new(Patterns::new(patterns, limit).with_context(name)?));
                if !file.is_list() {
                    files.push((path, file));
                }
                // The limits of plain TeX.
                (rules, (2, 3))
            }
        };
        for path in &self.exceptions {
            files.push((path, TexFile::read(path, limit, session)?));
        }
        let mut entries = Vec::new();
        for (path, file) in &files {
            let found =
                file.exceptions().and_then(|found| found.into_iter().map(exceptions::parse).collect());
            let found: Vec<Exception> = found.with_context(|| path.display().to_string())?;
            entries.extend(found);
        }
        Ok(Hyphenator {
            rules,
            left: self.left.map_or(left, usize::from),
            right: self.right.map_or(right, usize::from),
            exceptions: Exceptions::new(entries, self.filter.0, self.fpr, self.limit)?,
        })
    }
}

fn parse_hyphen(text: &str) -> Result<String, String> {
    match text {
        "" => Err("expected a text to write at a break, such as - or soft".into()),
        "soft" => Ok("\u{ad}".into()),
        other => Ok(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Folder, printed, run};

    #[test]
    fn words_have_their_parts_and_texts_their_hyphens() {
        let folder = Folder::new();
        let text = folder.write("text", "Hyphenation, a computer2\nacademy");
        let list = folder.write("list", "a-cad-e-my");
        let hyphenated = |flags: &[&str]| {
            printed::<Hyphenate>(&[&[&*text, "--exceptions", &list, "--filter", "none"], flags].concat()).1
        };
        assert_eq!(hyphenated(&[]), "Hy-phen-ation, a computer2\na-cad-e-my");
        assert_eq!(
            hyphenated(&["--hyphen", "soft", "--left", "3"]),
            hyphenated(&["--hyphen", "\u{ad}", "--left", "3"])
        );
        assert_eq!(hyphenated(&["--hyphen", "\u{b7}"]), "Hy·phen·ation, a computer2\na·cad·e·my");
        let json = hyphenated(&["--json"]);
        let words = [
            r#"{"type":"hyphenated","word":"Hyphenation","parts":["Hy","phen","ation"]}"#,
            r#"{"type":"hyphenated","word":"a","parts":["a"]}"#,
            r#"{"type":"hyphenated","word":"computer","parts":["computer"]}"#,
            r#"{"type":"hyphenated","word":"academy","parts":["a","cad","e","my"]}"#,
        ];
        assert_eq!(json.lines().take(4).collect::<Vec<_>>(), words);
        let all =
            r#"{"type":"hyphenation","words":4,"broken":2,"breaks":5,"exceptions":1,"dictionary_bytes":"#;
        let none = r#","asked":3,"found":1,"avoided":0,"filter":null,"filter_bytes":null,"fpr":null,"false_positives":null}"#;
        let last = json.lines().last().unwrap();
        assert!(last.starts_with(all) && last.ends_with(none), "{last}");
    }

    #[test]
    fn figures_are_remarks() {
        let folder = Folder::new();
        let text = folder.write("text", "computer computer academy");
        let list = folder.write("list", "a-cad-e-my");
        let remarks = |flags: &[&str]| {
            let (stats, recorded) = run::<Hyphenate>(&[&[&*text, "--stats"], flags].concat()).unwrap();
            recorded.session.finish(&stats).unwrap();
            assert!(recorded.printed().starts_with("com-puter com-puter a"));
            recorded.remarks()
        };
        assert_eq!(remarks(&[]), ["3 words, 3 of them with 3 breaks"]);
        let told = remarks(&["--exceptions", &list]);
        assert_eq!(told[0], "3 words, 3 of them with 5 breaks");
        assert!(told[1].ends_with(": asked 3 times, 1 found"), "{told:?}");
        assert!(
            told[2].starts_with("blocked filter of ") && told[2].contains(": 2 look-ups saved"),
            "{told:?}"
        );
        assert!(told[3].starts_with("0 false positives among 2 others"), "{told:?}");
        assert_eq!(remarks(&["--exceptions", &list, "--filter", "none"])[2], "no filter: each was looked up");
    }
}
