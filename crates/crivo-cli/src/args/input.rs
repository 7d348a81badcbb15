//! What to read: files, the column, how they are written, and with how many threads.

use super::format::{FormatName, Need};
use super::values::parse_delimiter;
use super::{LimitArgs, all_cores};
use crate::input::{Columns, Input, MOST_NAMES, Missing, Source, SourceFormat, Syntax};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::count;
use std::path::PathBuf;

/// Files, the column, how they are written.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files to read, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,
}

/// Which values, and how they are written.
#[derive(Args, Debug)]
pub(crate) struct ValueArgs {
    /// Read the values of this column: a name, a number from 1, or a JSON path such as user.id
    ///
    /// By default the whole record is the item. Repeated, or with commas between the names, the flag combines the columns
    /// into one value: the CSV record of their fields, which is missing only if all fields are. Missing values (see
    /// --missing) are not items; their number is reported. In a JSON path, array elements are numbered from 0, and a.b is
    /// the field b of a, or else a field named "a.b"; a\.b is always the latter, and a comma within a name is written \,.
    #[arg(long, short, value_name = "COLUMN", help_heading = "Input")]
    column: Vec<String>,

    #[command(flatten)]
    format: FormatArgs,
}

/// How records are written, and with how many threads they are read.
#[derive(Args, Debug)]
pub(crate) struct FormatArgs {
    /// Input format
    ///
    /// auto goes by the file extension (csv, tsv, jsonl, ndjson, json, each with or without .gz or .zst) and recognises
    /// Parquet by its first bytes. If a flag names a column, and in 'crivo profile', auto inspects the first 100 lines
    /// of any other file: JSON Lines, or a table whose records have the same number of fields, separated by a comma, a
    /// semicolon, a tab or |. Anything else is read as lines. A line is a sequence of bytes; one carriage return before
    /// the newline is not part of it, and an empty line has no value. TSV follows the rules of CSV. ws is a table with
    /// columns separated by blanks, such as the output of ps and df; its last column takes the rest of the line. clf is
    /// the log of a web server, with the columns host, ident, user, time, request, method, path, protocol, status,
    /// bytes, referer and agent. logfmt consists of key=value pairs. Records in ws and clf are printed as CSV, records
    /// in logfmt as JSON.
    #[arg(long, value_enum, default_value_t = FormatName::Auto, hide_possible_values = true,
          value_name = "auto|lines|csv|tsv|jsonl|parquet|ws|clf|logfmt", help_heading = "Input")]
    pub(super) format: FormatName,

    /// Field separator of tables [default: a tab for tsv; for csv a comma, or the separator of the first lines]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter, help_heading = "Input")]
    pub(super) delimiter: Option<u8>,

    /// Treat the first record of a table as data, not as a header
    #[arg(long, help_heading = "Input")]
    pub(super) no_header: bool,

    /// Items end with NUL instead of a newline
    #[arg(long, short = '0', help_heading = "Input")]
    pub(super) null: bool,

    /// Values to treat as missing in addition to empty ones, such as --missing -,unknown [default: NA, NULL and
    /// similar]
    ///
    /// By default, a value of a column is missing if it is empty, a JSON null, or one of NA, N/A, n/a, NULL, null,
    /// None, NaN, nan and \N. This flag replaces the list; with --missing '' only empty values are missing. Only the
    /// whole value is compared. An empty line is missing. Any other whole line or record is an item whatever its text,
    /// unless this flag names it. In whole records and in combined columns, a missing field is written as an empty one.
    #[arg(long, value_name = "TEXT", value_delimiter = ',', help_heading = "Input")]
    missing: Option<Vec<String>>,

    /// Skip lines that are not JSON and report their number; by default the first such line is an error
    ///
    /// A skipped line counts as a record with a missing value.
    #[arg(long, help_heading = "Input")]
    skip_invalid: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// Texts, whatever the names of their files.
#[derive(Args, Debug)]
pub(crate) struct TextFileArgs {
    /// Texts to read, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// With how many threads.
#[derive(Args, Debug)]
struct JobsArgs {
    /// Number of threads that parse and hash [default: all cores]; the answer does not depend on it
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = "Input")]
    jobs: Option<u16>,
}

impl InputArgs {
    /// Checks every file before the first is read, so that a typo costs no time.
    pub(crate) fn open(&self, limit: LimitArgs, session: &Session) -> Result<Input> {
        self.open_beside(Columns::default(), limit, session)
    }

    /// Like [`open`](Self::open), with columns in addition to the one of the values.
    pub(crate) fn open_beside<'a>(
        &'a self,
        columns: Columns<&'a str>,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        self.values.open(&self.files, columns, limit, session)
    }

    /// Like [`open_beside`](Self::open_beside), with the values of columns that another flag names.
    pub(crate) fn open_columns(
        &self,
        columns: Columns<&str>,
        flag: &str,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        self.values.format.open(&self.files, columns, flag, limit, session)
    }

    /// The files, as named.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether a file is named, or standard input with `-`.
    pub(crate) fn is_named(&self) -> bool {
        !self.files.is_empty()
    }

    /// Whether a flag says how records are written, or which values are meant.
    pub(crate) fn is_described(&self) -> bool {
        self.values.is_given()
    }

    /// Whether whole records are the items.
    pub(crate) fn takes_records(&self) -> bool {
        self.values.column.is_empty()
    }

    /// What ends a record when records are printed.
    pub(crate) fn record_end(&self) -> u8 {
        self.values.format.record_end()
    }
}

impl ValueArgs {
    /// `files`, or standard input if there is none, with columns in addition to the one of the values.
    pub(crate) fn open<'a>(
        &'a self,
        files: &[PathBuf],
        mut columns: Columns<&'a str>,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        columns.values = self.column.iter().map(String::as_str).collect();
        self.format.open(files, columns, "--column", limit, session)
    }

    /// Returns the column of the values, if there is one.
    pub(crate) fn only_column(&self) -> Option<&str> {
        if let [column] = &self.column[..] { Some(column) } else { None }
    }

    /// Returns whether the user described the records by a flag.
    pub(crate) fn is_given(&self) -> bool {
        !self.column.is_empty() || self.format.is_given()
    }

    /// How records are written.
    pub(crate) fn format(&self) -> &FormatArgs {
        &self.format
    }
}

impl FormatArgs {
    /// `files`, or standard input if there is none. The user names the column of the values with `value_flag`.
    pub(crate) fn open(
        &self,
        files: &[PathBuf],
        columns: Columns<&str>,
        value_flag: &str,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        self.open_for(Need::default(), files, columns, value_flag, limit, session)
    }

    /// Like [`open`](Self::open), for a verb that accepts lines but prefers tables.
    pub(crate) fn open_table(
        &self,
        files: &[PathBuf],
        columns: Columns<&str>,
        value_flag: &str,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        let need = Need { rather_table: true, ..Need::default() };
        self.open_for(need, files, columns, value_flag, limit, session)
    }

    fn open_for<'a>(
        &self,
        mut need: Need<'a>,
        files: &[PathBuf],
        columns: Columns<&str>,
        value_flag: &'a str,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Input> {
        let stdin = [PathBuf::from("-")];
        let files = if files.is_empty() { &stdin[..] } else { files };
        let values = columns.values.iter().map(|&column| (value_flag, Some(column)));
        for (flag, column) in values.chain([
            ("--by", columns.by),
            ("--time", columns.time),
            ("--weight", columns.copies.or(columns.changes).or(columns.weight)),
            ("a column of numbers", columns.kept),
            ("--where", columns.tested),
        ]) {
            if column == Some("") {
                bail!("{flag} needs a name or a number from 1");
            }
            if column.is_some_and(|column| column.matches('.').count() >= MOST_NAMES) {
                bail!("{flag}: a path has at most {} names; give a shorter one", count(MOST_NAMES as u64));
            }
            need.flag = need.flag.or(column.map(|_| flag));
            need.names |= column.is_some_and(|column| column.parse::<usize>().is_err());
        }
        let columns = columns.into_owned();
        let source = |path: &PathBuf| self.source(path, need, limit, session);
        let sources = files.iter().map(source).collect::<Result<Vec<_>>>()?;
        Ok(self.input(sources, columns, limit, session))
    }

    /// Each line of `files`, or of standard input if there is none, is a record, whatever the names of the files.
    pub(crate) fn open_lines(&self, files: &[PathBuf], limit: LimitArgs, session: &Session) -> Result<Input> {
        Ok(self.input(line_sources(files, false, session)?, Columns::default(), limit, session))
    }

    /// Each of `files` is one record, whatever its bytes.
    pub(crate) fn open_whole(&self, files: &[PathBuf], limit: LimitArgs, session: &Session) -> Result<Input> {
        let format =
            SourceFormat { syntax: Syntax::Whole, any_bytes: true, json_by_name: false, keeps_mark: false };
        let source = |path: &PathBuf| session.source(path, || Ok(format));
        let sources = files.iter().map(source).collect::<Result<Vec<_>>>()?;
        Ok(self.input(sources, Columns::default(), limit, session))
    }

    fn input(
        &self,
        sources: Vec<Source>,
        columns: Columns<String>,
        limit: LimitArgs,
        session: &Session,
    ) -> Input {
        let missing = self.missing.as_deref().map_or_else(Missing::default, Missing::named);
        let skips_invalid = self.skip_invalid;
        Input { skips_invalid, ..input(sources, columns, missing, self.jobs(), limit, session) }
    }

    /// How many threads.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.number()
    }

    /// Returns whether the user described the records by a flag.
    pub(crate) fn is_given(&self) -> bool {
        self.is_given_beside_header() || self.no_header
    }

    /// Returns whether the user described the records by any flag other than the one for the header.
    pub(crate) fn is_given_beside_header(&self) -> bool {
        self.format != FormatName::Auto
            || self.delimiter.is_some()
            || self.null
            || self.missing.is_some()
            || self.skip_invalid
    }

    /// Whether the user says what is missing.
    pub(crate) fn names_missing(&self) -> bool {
        self.missing.is_some()
    }

    /// Whether the first record of a table is data.
    pub(crate) fn no_header(&self) -> bool {
        self.no_header
    }

    /// What ends a record when records are printed.
    pub(crate) fn record_end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }
}

impl TextFileArgs {
    /// Checks every file before the first is read. The records are lines.
    pub(crate) fn open(&self, limit: LimitArgs, session: &Session) -> Result<Input> {
        let sources = line_sources(&self.files, true, session)?;
        Ok(input(sources, Columns::default(), Missing::no_line(), self.jobs.number(), limit, session))
    }
}

impl JobsArgs {
    fn number(&self) -> usize {
        self.jobs.map_or_else(all_cores, usize::from)
    }
}

/// `files`, or standard input if there is none, line by line; a byte-order mark is part of a text.
fn line_sources(files: &[PathBuf], keeps_mark: bool, session: &Session) -> Result<Vec<Source>> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    let syntax = Syntax::Lines { end: b'\n' };
    let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark };
    files.iter().map(|path| session.source(path, || Ok(format))).collect()
}

fn input(
    sources: Vec<Source>,
    columns: Columns<String>,
    missing: Missing,
    jobs: usize,
    limit: LimitArgs,
    session: &Session,
) -> Input {
    session.say_if_typed(&sources);
    Input {
        sources,
        columns,
        missing,
        jobs,
        max_memory: limit.max_memory,
        watch: session.watch(),
        prints: false,
        wake: None,
        needs_values: false,
        answers_early: false,
        hides_data: false,
        skips_invalid: false,
    }
}
