//! `crivo dups`: which documents are nearly the same?

mod documents;
mod files;
mod like;
mod names;
mod print;
mod sets;
mod stream;

use crate::args::{FormArgs, HashArgs, LimitArgs, TextArgs, ValueArgs, parse_share, parse_share_or_all};
use crate::input::{Columns, Input, is_stdin};
use crate::output::{Target, is_stdout};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use crivo::similarity::{Keep, NearDuplicates, NearParams};
use crivo_report::{Report, value};
use names::Names;
use std::path::PathBuf;

/// Find near-duplicate documents, or remove them from a collection
///
/// Each file is one document, even if it has several names; a directory stands for all files in it, except hidden files
/// and links. With --column or --format, each record is a document: the value of the column, or a whole line. With
/// --group and --item, the items of each group form a document. The similarity of two documents is the Jaccard
/// similarity of their sets of three-word runs (--shingle): the share of all runs that both contain.
///
/// Signatures find candidate pairs in one pass, and each candidate is then verified, so every reported pair is a
/// near-duplicate. Of the pairs exactly at the threshold one in 200 may be missed, and fewer above it (--recall).
/// Documents without words are skipped.
///
/// Data from a pipe are copied to a temporary file, since parts of them are read twice.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo dups articles/
  crivo dups articles.jsonl --column text --threshold 0.9
  crivo dups articles.jsonl --column text -o clean.jsonl    # without near-duplicates
  crivo dups articles.jsonl --column text --print pairs | jq -c '[.a, .b]'
  crivo dups --like draft.txt articles/ --threshold 0.3
  crivo dups ratings.csv --group user --item film --threshold 1    # users of the same films")]
pub(crate) struct Dups {
    /// Files and directories, or files of records, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Minimum similarity of near-duplicates, above 0 and at most 1
    #[arg(long, short, value_name = "SHARE", default_value_t = 0.8, value_parser = parse_share_or_all)]
    threshold: f64,

    /// Share of the pairs at the threshold that is found; a higher recall takes more time
    #[arg(long, value_name = "SHARE", default_value_t = 0.995, value_parser = parse_share)]
    recall: f64,

    /// How to verify candidates: exact compares all their runs; signature compares their signatures only, which also
    /// reports pairs below the threshold (the summary gives their expected number)
    #[arg(long, value_enum, default_value_t = VerifyBy::Exact)]
    verify: VerifyBy,

    /// Which document of a group to keep: the first, or the one with the most runs of words
    #[arg(long, value_enum, default_value_t = Kept::First)]
    keep: Kept,

    /// Group documents that are connected by a chain of near-duplicates, and keep one per group
    ///
    /// By default, a document is dropped only if it is a near-duplicate of a kept one: documents are visited in the
    /// order of --keep, and each one that resembles no kept document is kept. The two ends of a chain may have nothing
    /// in common.
    #[arg(long)]
    chain: bool,

    /// List the documents that are similar to this file, the most similar first, instead of all near-duplicates
    #[arg(long, value_name = "FILE", conflicts_with_all = ["recall", "verify", "keep", "chain", "print", "output", "group"])]
    like: Option<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    /// Compare the groups of records that share a value of this column, as sets of items
    #[arg(long, value_name = "COLUMN", requires = "item", conflicts_with_all = ["column", "shingle", "normalise"],
          help_heading = "Input")]
    group: Option<String>,

    /// Column with the items of --group
    #[arg(long, value_name = "COLUMN", requires = "group", help_heading = "Input")]
    item: Option<String>,

    #[command(flatten)]
    text: TextArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// What to print: groups (which documents to keep and which to drop), pairs (as JSON), or stream (the input without
    /// the dropped documents, byte for byte; for files, their names)
    #[arg(long, value_name = "groups|pairs|stream", value_enum, default_value_t = What::Groups,
          default_value_if("output", clap::builder::ArgPredicate::IsPresent, "stream"), hide_possible_values = true,
          help_heading = "Output")]
    print: What,

    /// Write the input without near-duplicates to this file; implies --print stream
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    form: FormArgs,

    /// Suppress progress, warnings and the summary
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VerifyBy {
    Exact,
    Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kept {
    First,
    Longest,
}

impl From<Kept> for Keep {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::First => Self::First,
            Kept::Longest => Self::Longest,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    Groups,
    Pairs,
    Stream,
}

impl Verb for Dups {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        if let Some(file) = &self.like {
            return Ok(Box::new(self.like(file, session)?));
        }
        let Ok(params) = NearParams::for_recall(self.threshold, self.recall) else {
            bail!(
                "to find {} of the pairs with a similarity of {}, signatures would be too large; raise --threshold or lower --recall",
                value(self.recall),
                value(self.threshold)
            );
        };
        let question = Question {
            params,
            threshold: self.threshold,
            // Equal sets have equal fingerprints, of 128 bits: there is nothing to verify.
            compares_sets: self.verify == VerifyBy::Exact && self.threshold < 1.0,
            keep: self.keep.into(),
            chains: self.chain,
            what: self.print,
            unit: match (&self.group, self.is_of_records()) {
                (Some(_), _) => Unit::Group,
                (None, true) => Unit::Record,
                (None, false) => Unit::File,
            },
            max_memory: self.limit.max_memory,
        };
        Ok(match (&self.group, &self.item) {
            (Some(group), Some(item)) => Box::new(self.sets(question, group, item, session)?),
            _ => Box::new(self.documents(question, session)?.compare(session)?),
        })
    }
}

/// What is asked of all documents, whatever they are.
#[derive(Clone, Copy, Debug)]
struct Question {
    params: NearParams,
    threshold: f64,
    /// Whether candidates are verified by their sets.
    compares_sets: bool,
    keep: Keep,
    /// Whether groups are all that are connected.
    chains: bool,
    what: What,
    unit: Unit,
    max_memory: u64,
}

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    File,
    Record,
    Group,
}

impl Unit {
    /// Names for such documents; of rows with how they begin, if people will see that.
    fn names(self, with_beginnings: bool) -> Names {
        if self == Self::Record { Names::rows(with_beginnings) } else { Names::Own(Vec::new()) }
    }
}

impl Question {
    /// Nothing to compare yet.
    fn search(&self) -> NearDuplicates {
        if self.compares_sets {
            NearDuplicates::keeping_sets(self.params)
        } else {
            NearDuplicates::with_params(self.params)
        }
    }
}

impl Dups {
    /// The file to write to, checked; none for standard output.
    fn target(&self, session: &Session) -> Result<Option<Target>> {
        if self.output.is_some() && self.print != What::Stream {
            bail!("-o is for the input without near-duplicates; leave out --print, or use > FILE");
        }
        let to = self.output.as_deref().filter(|path| !is_stdout(path));
        if !session.is_text() && self.print == What::Stream && to.is_none() {
            bail!("--json would print its summary amid the documents; name a file for them with -o");
        }
        to.map(|path| Target::check_even_input(path, self.force, session)).transpose()
    }

    /// Whether each record is a document, not each file.
    fn is_of_records(&self) -> bool {
        let is_stdin_alone = matches!(&self.paths[..], [path] if is_stdin(path));
        self.paths.is_empty() || is_stdin_alone || self.values.is_given()
    }

    /// All documents.
    fn open(&self, session: &Session) -> Result<Input> {
        if self.is_of_records() {
            let input = self.values.open(&self.paths, Columns::default(), self.limit, session)?;
            return Ok(Input { needs_values: true, ..input });
        }
        if self.paths.iter().any(|path| is_stdin(path)) {
            bail!("standard input is read by records, and files are documents; give one or the other");
        }
        let input = self.values.format().open_whole(&files::walk(&self.paths)?, self.limit, session)?;
        if let ([file], None) = (&input.sources[..], &self.like) {
            bail!(
                "{}: one file is one document; for its records use --column NAME, or --format lines",
                file.name()
            );
        }
        Ok(input)
    }
}
