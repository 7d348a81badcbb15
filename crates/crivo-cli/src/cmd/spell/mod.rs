//! `crivo spell`: which words are in no dictionary?

mod dictionary;
mod list;
mod suggest;
mod text;

use crate::args::{KeyArgs, LimitArgs, TextFileArgs, parse_share};
use crate::input::{Batch, Input, Source, Wants};
use crate::output::{Answer, Output, count, one_line, percent, plural, rate, remark, shown};
use crate::session::Session;
use anyhow::Result;
use clap::Args;
use dictionary::{Dictionary, Make};
use list::List;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use suggest::MOST_CANDIDATES;
use text::{Found, find};

/// Print the words of a text that are in no dictionary
///
/// The words are in a filter, made of a list or saved by 'crivo filter build'. Each word that it does not report is
/// certainly not in the list, and printed with its place and with words of the list that a slip or two would have turned
/// into it. A word is known as it stands, in lower case, or if it is in capitals also with only the first one; before 's;
/// and as a part of a known word with hyphens. Words beside a digit, an underscore or a soft hyphen are left alone, and so
/// are addresses (with :// or @ in them, or www. before them) and paths that begin with a slash or have a backslash.
///
/// The filter takes a share of all other words for known: --fpr of them. Suggestions are words of the list. A saved filter has no
/// list, and is asked about up to 20,000 words for them, so that a suggestion is none with up to 20,000 times its rate; with
/// a filter of 1 % most of them are.
///
/// The exit code is 0 if all words are known, 1 if one is not, and 2 after an error.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = "Examples:
  crivo spell letter.txt
  crivo spell chapter1.txt chapter2.txt --words english.txt.gz --ignore-case --list
  crivo spell draft.md --words words.crv --suggestions 0
  git log -1 --format=%B | crivo spell --words english.txt.gz --json")]
pub(crate) struct Spell {
    #[command(flatten)]
    input: TextFileArgs,

    /// A list of words, one a line, gzip and zstd too; or a filter of one. /usr/share/dict/words unless told
    #[arg(long, value_name = "LIST|FILTER.crv")]
    words: Option<PathBuf>,

    /// Take the words of the list in lower case, so that any case will do
    #[arg(long, short)]
    ignore_case: bool,

    /// Probability that a word which is not in the list is taken for known; a saved filter has its own
    #[arg(long, value_name = "P", default_value_t = 1e-8, value_parser = parse_share)]
    fpr: f64,

    /// How many suggestions for an unknown word, at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    suggestions: usize,

    /// Each unknown word once, with its count, the most frequent first
    #[arg(long, help_heading = "Output")]
    list: bool,

    /// Say at the end how many words there were, how many unknown, and what the filter can have got wrong
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Spell {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let input = Input { answers_early: true, prints: true, ..self.input.open(&self.limit, session)? };
        let make = Make { fpr: self.fpr, ignores_case: self.ignore_case };
        let dictionary =
            Arc::new(Dictionary::open(self.words.as_ref(), make, &self.limit, &self.key, session)?);
        self.remark_on(&dictionary);
        let mut report = Report::new(self);
        let (asked, most) = (Arc::clone(&dictionary), self.suggestions);
        input.map(
            Wants::default(),
            move |suggested, batch| Ok(find(&asked, batch.text(), most, suggested)),
            |batch, found| report.take(batch, found).map(ControlFlow::Continue),
        )?;
        report.finish(&dictionary)
    }

    /// Suggestions of a filter that was not made for them are mostly noise.
    fn remark_on(&self, dictionary: &Dictionary) {
        /// One word in twenty has a wrong suggestion that is a single slip away, of some 500 that are asked for.
        const TOO_HIGH: f64 = 1e-4;
        let fpr = dictionary.fpr.value();
        if fpr > TOO_HIGH && !dictionary.has_list() && self.suggestions > 0 && !self.quiet {
            remark(&format!(
                "the filter takes {} of all other words for known, so that many suggestions are none; build it with --fpr \
                 1e-8, or leave them out with --suggestions 0",
                percent(fpr)
            ));
        }
    }
}

/// What was found, as it comes.
struct Report<'a> {
    spell: &'a Spell,
    output: Output,
    list: List,
    /// The file that is read, by its place in memory: one may be named twice.
    source: *const Source,
    /// Lines of it that have passed.
    lines: u64,
    words: u64,
    unknown: u64,
}

impl<'a> Report<'a> {
    fn new(spell: &'a Spell) -> Self {
        let (output, list) = (Output::new(), List::new(spell.limit.max_memory));
        Self { spell, output, list, source: std::ptr::null(), lines: 0, words: 0, unknown: 0 }
    }

    fn take(&mut self, batch: &Batch<'_>, found: Found) -> Result<()> {
        if !std::ptr::eq(self.source, batch.source) {
            (self.source, self.lines) = (batch.source, 0);
        }
        let before = self.lines;
        self.lines += found.lines;
        self.words += found.words;
        self.unknown += found.unknown.len() as u64;
        if self.spell.list {
            return found.unknown.into_iter().try_for_each(|unknown| self.list.add(unknown));
        }
        let file = batch.source.path().map_or_else(|| "-".into(), |path| path.display().to_string());
        for unknown in &found.unknown {
            let line = before + unknown.line + 1;
            let (column, word, suggestions) = (unknown.column, &*unknown.word, &*unknown.suggestions);
            if self.spell.json {
                self.output.json(&Answer::Misspelt { file: &file, line, column, word, suggestions })?;
            } else {
                let place = format!("{}:{line}:{column}", one_line(&file));
                let word = shown(word.as_bytes());
                self.output.line(&format!("{place}: {word}{}", arrow(suggestions)))?;
            }
        }
        // Somebody may be waiting at the other end of a pipe.
        self.output.flush()
    }

    fn finish(mut self, dictionary: &Dictionary) -> Result<ExitCode> {
        let Spell { json, stats, .. } = *self.spell;
        self.list.print(json, &mut self.output)?;
        let (words, unknown, fpr) = (self.words, self.unknown, dictionary.fpr);
        // 1 − (1 − fpr)^n, where no list tells right from wrong.
        let asked = if dictionary.has_list() { 0.0 } else { MOST_CANDIDATES as f64 };
        let wrong = -f64::exp_m1(asked * f64::ln_1p(-fpr.value()));
        if json {
            let wrong_suggestion = wrong;
            self.output.json(&Answer::Spelling { words, unknown, fpr: fpr.into(), wrong_suggestion })?;
        } else if stats {
            self.output.line(&format!("{}, {} unknown", plural(words, "word", "words"), count(unknown)))?;
            self.output.line(&format!("another word is taken for known: {}", rate(&fpr)))?;
            self.output.line(&format!("a word has a wrong suggestion: at most {}", percent(wrong)))?;
        }
        self.output.flush()?;
        Ok(ExitCode::from(u8::from(unknown > 0)))
    }
}

/// ` → one, other`
fn arrow(suggestions: &[String]) -> String {
    if suggestions.is_empty() { String::new() } else { format!(" → {}", suggestions.join(", ")) }
}
