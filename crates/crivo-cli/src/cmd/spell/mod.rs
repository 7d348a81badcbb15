//! `crivo spell`: which words are in no dictionary?

mod dictionary;
mod list;
mod suggest;
mod text;

use crate::args::{AnswerArgs, KeyArgs, LimitArgs, TextFileArgs, parse_share};
use crate::input::{Batch, Input, Source, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::Estimate;
use crivo_report::{Page, Records, Report, as_bar, count, one_line, percent, plural, rate, shown};
use dictionary::{Dictionary, Make};
use list::List;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use suggest::MOST_CANDIDATES;
use text::{Found, Unknown, find};

/// Find the words of a text that are not in a dictionary
///
/// The dictionary is a filter, made from a list of words or saved by 'crivo filter build'. A word that the filter
/// denies is certainly not in the list; it is printed with its position and with words of the list that one or two
/// typing errors could have turned into it. A word is known in its own case, in lower case, and, if it is in capitals,
/// with only the first letter in upper case; also before 's, and as part of a known hyphenated word. Words next to a
/// digit, an underscore or a soft hyphen are ignored, and so are addresses (with :// or @ in them, or www. before them)
/// and paths that begin with a slash or contain a backslash.
///
/// The filter takes a share --fpr of all other words for known. Suggestions are words of the list. A saved filter has
/// no list and is queried for up to 20,000 candidates per word, so the probability of a false suggestion is up to
/// 20,000 times its false-positive rate; with a filter of 1 % most suggestions are false.
///
/// The exit code is 0 if all words are known, 1 if one is not, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo spell letter.txt
  crivo spell chapter1.txt chapter2.txt --words english.txt.gz --ignore-case --list
  crivo spell draft.md --words words.crv --suggestions 0
  git log -1 --format=%B | crivo spell --words english.txt.gz --json")]
pub(crate) struct Spell {
    #[command(flatten)]
    input: TextFileArgs,

    /// A list of words, one per line, plain, gzip or zstd, or a filter of such a list [default: /usr/share/dict/words]
    #[arg(long, value_name = "LIST|FILTER.crv")]
    words: Option<PathBuf>,

    /// Convert the list to lower case, so that words match in any case
    #[arg(long, short)]
    ignore_case: bool,

    /// Probability that a word outside the list is taken for known; a saved filter has its own
    #[arg(long, value_name = "P", default_value_t = 1e-8, value_parser = parse_share)]
    fpr: f64,

    /// Maximum number of suggestions for an unknown word
    #[arg(long, value_name = "N", default_value_t = 3)]
    suggestions: usize,

    /// Print each unknown word once, with its count, the most frequent first
    #[arg(long, help_heading = "Output")]
    list: bool,

    /// Report at the end the number of words and unknown words, and the error rates of the filter
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

impl Verb for Spell {
    type Report = Spelling;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Spelling> {
        let Self { limit, suggestions, stats, .. } = self;
        let input = Input { answers_early: true, prints: true, ..self.input.open(limit, session)? };
        let make = Make { fpr: self.fpr, ignores_case: self.ignore_case };
        let dictionary = Dictionary::open(self.words.as_ref(), make, limit, &self.key, session)?;
        if suggestions > 0 {
            remark_on(&dictionary, session);
        }
        let list = self.list.then(|| List::new(limit.max_memory));
        let dictionary = Arc::new(dictionary);
        let asked = Arc::clone(&dictionary);
        let mut reader = Reader { session, list, source: std::ptr::null(), lines: 0, words: 0, unknown: 0 };
        input.map(
            Wants::default(),
            move |suggested, batch| Ok(find(&asked, batch.text(), suggestions, suggested)),
            |batch, found| reader.take(batch, found).map(ControlFlow::Continue),
        )?;
        let Reader { list, words, unknown, .. } = reader;
        let fpr = dictionary.fpr;
        // 1 − (1 − fpr)^n, where no list tells right from wrong.
        let asked = if dictionary.has_list() { 0.0 } else { MOST_CANDIDATES as f64 };
        let wrong_suggestion = -f64::exp_m1(asked * f64::ln_1p(-fpr.value()));
        Ok(Spelling { list, totals: Totals { words, unknown, fpr, wrong_suggestion }, stats })
    }
}

/// Suggestions of a filter that was not made for them are mostly noise.
fn remark_on(dictionary: &Dictionary, session: &Session) {
    /// One word in twenty has a wrong suggestion that is a single slip away, of some 500 that are asked for.
    const TOO_HIGH: f64 = 1e-4;
    let fpr = dictionary.fpr.value();
    if fpr > TOO_HIGH && !dictionary.has_list() {
        session.remark(&format!(
            "the filter takes {} of all other words for known, so most suggestions may be false; build it with --fpr 1e-8, or use --suggestions 0",
            percent(fpr)
        ));
    }
}

/// Shows what was found, as it comes.
struct Reader<'a> {
    session: &'a Session,
    list: Option<List>,
    /// The file that is read, by its place in memory: one may be named twice.
    source: *const Source,
    /// Lines of it that have passed.
    lines: u64,
    words: u64,
    unknown: u64,
}

impl Reader<'_> {
    fn take(&mut self, batch: &Batch<'_>, found: Found) -> Result<()> {
        if !std::ptr::eq(self.source, batch.source) {
            (self.source, self.lines) = (batch.source, 0);
        }
        let before = self.lines;
        self.lines += found.lines;
        self.words += found.words;
        self.unknown += found.unknown.len() as u64;
        if let Some(list) = &mut self.list {
            return found.unknown.into_iter().try_for_each(|unknown| list.add(unknown));
        }
        let file = batch.source.path().map_or_else(|| "-".into(), |path| path.display().to_string());
        self.session.show(&Misspelt { file: &file, before, words: &found.unknown })?;
        // A reader may be waiting at the other end of a pipe.
        self.session.flush()
    }
}

/// The unknown words of a file after this many lines.
struct Misspelt<'a> {
    file: &'a str,
    before: u64,
    words: &'a [Unknown],
}

/// The column is that of its first letter, in characters from 1.
#[derive(Serialize)]
#[serde(tag = "type", rename = "misspelt")]
struct MisspeltRecord<'a> {
    file: &'a str,
    line: u64,
    column: u64,
    word: &'a str,
    suggestions: &'a [String],
}

impl Report for Misspelt<'_> {
    fn text(&self, page: &mut Page) {
        let file = one_line(self.file);
        for Unknown { word, line, column, suggestions } in self.words {
            let (line, word) = (self.before + line + 1, shown(word.as_bytes()));
            page.line(&format!("{file}:{line}:{column}: {word}{}", arrow(suggestions)));
        }
    }

    fn records(&self, records: &mut Records) {
        for Unknown { word, line, column, suggestions } in self.words {
            let (line, column) = (self.before + line + 1, *column);
            records.row(&MisspeltRecord { file: self.file, line, column, word, suggestions });
        }
    }
}

/// What was found in all.
pub(crate) struct Spelling {
    /// Each unknown word once, if that is asked for.
    list: Option<List>,
    totals: Totals,
    /// Whether the totals are printed as text.
    stats: bool,
}

/// Another word is taken for known with the probability `fpr`, and an unknown one has a wrong suggestion with at most
/// `wrong_suggestion`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "spelling")]
struct Totals {
    words: u64,
    unknown: u64,
    #[serde(serialize_with = "as_bar")]
    fpr: Estimate,
    wrong_suggestion: f64,
}

impl Report for Spelling {
    fn text(&self, page: &mut Page) {
        if let Some(list) = &self.list {
            list.text(page);
        }
        if self.stats {
            let Totals { words, unknown, fpr, wrong_suggestion } = &self.totals;
            page.line(&format!("{}, {} unknown", plural(*words, "word", "words"), count(*unknown)));
            page.line(&format!("another word is taken for known: {}", rate(fpr)));
            page.line(&format!("a word has a wrong suggestion: at most {}", percent(*wrong_suggestion)));
        }
    }

    fn records(&self, records: &mut Records) {
        if let Some(list) = &self.list {
            list.records(records);
        }
        records.total(&self.totals);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.totals.unknown > 0)
    }
}

/// ` → one, other`
fn arrow(suggestions: &[String]) -> String {
    if suggestions.is_empty() { String::new() } else { format!(" → {}", suggestions.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::filter::Build;
    use crate::testing::{Folder, printed, run};

    /// A list of words, and a text.
    fn folder(text: &str) -> (Folder, [String; 2]) {
        let folder = Folder::new();
        let list = folder.write("list", "a\nis\nsieve\ntool\nThe\nParis\nsand\nwell-known\n");
        let text = folder.write("text", text);
        (folder, [list, text])
    }

    #[test]
    fn unknown_words_have_places_and_suggestions() {
        let (folder, [list, one]) = folder("A seive is a tool.\r\n\r\nthe sand\n");
        let two = folder.write("two", "É paris, well-known SEIVE");
        let (report, text) = printed::<Spell>(&[&one, &two, &one, "--words", &list]);
        let of_one = format!("{one}:1:3: seive → sieve\n{one}:3:1: the → The\n");
        let of_two = format!("{two}:1:1: É → A\n{two}:1:3: paris → Paris\n{two}:1:21: SEIVE → SIEVE\n");
        assert_eq!(text, format!("{of_one}{of_two}{of_one}"), "a file may be named twice");
        assert_eq!((report.totals.words, report.totals.unknown, report.exit_code()), (19, 7, 1));
        for (text, flag, unknown) in [
            ("Sand's 3rd a1 https://xyzzy.org/ the-sand SAND", "-q", 1),
            ("Sand's 3rd a1 https://xyzzy.org/ SAND", "-q", 0),
            ("the pARIs sAND", "-i", 0),
            ("", "-q", 0),
        ] {
            let (report, printed) = printed::<Spell>(&[&folder.write("text", text), "--words", &list, flag]);
            let found = (report.totals.unknown, printed.lines().count() as u64, report.exit_code());
            assert_eq!(found, (unknown, unknown, u8::from(unknown > 0)), "{text}");
        }
    }

    #[test]
    fn lists_figures_and_json() {
        let (folder, [list, text]) = folder("sand xyzzy seive sand\nxyzzy plugh xyzzy seive");
        let listed = "3  xyzzy\n2  seive → sieve\n1  plugh\n";
        assert_eq!(printed::<Spell>(&[&text, "--words", &list, "--list"]).1, listed);
        // The narrowest fingerprints that do: 2^-27.
        let figures = "8 words, 6 unknown\nanother word is taken for known: 7.45e-7 %  (exact)\n\
                       a word has a wrong suggestion: at most 0 %\n";
        let (_, stats) = printed::<Spell>(&[&text, "--words", &list, "--list", "--stats"]);
        assert_eq!(stats, format!("{listed}{figures}"));
        let short = folder.write("short", "sand\n seive");
        let (_, json) = printed::<Spell>(&[&short, "--words", &list, "--json"]);
        let word = r#""line":2,"column":2,"word":"seive","suggestions":["sieve"]}"#;
        assert!(
            json.starts_with(&format!("{{\"type\":\"misspelt\",\"file\":\"{short}\",{word}\n")),
            "{json}"
        );
        let all = r#"{"type":"spelling","words":2,"unknown":1,"fpr":{"#;
        assert!(json.lines().nth(1).unwrap().starts_with(all), "{json}");
        let (_, json) = printed::<Spell>(&[&short, "--words", &list, "--json", "--list"]);
        let word = r#"{"type":"misspelt_word","word":"seive","times":1,"suggestions":["sieve"]}"#;
        assert_eq!(json.lines().next(), Some(word));
    }

    #[test]
    fn a_rough_filter_is_told() {
        let (folder, [list, _]) = folder("");
        let (filter, text) = (folder.path("f.crv"), folder.write("text", "sand"));
        run::<Build>(&[&list, "-o", &filter, "--fpr", "0.01"]).unwrap();
        for (flags, told) in [(&[][..], 1), (&["--json"], 1), (&["--suggestions", "0"], 0), (&["-q"], 0)] {
            let (_, recorded) = run::<Spell>(&[&[&*text, "--words", &filter], flags].concat()).unwrap();
            assert_eq!(recorded.remarks().len(), told, "{flags:?}");
        }
    }
}
