//! `crivo filter query`: which records a filter holds.

use super::saved::{Saved, map};
use crate::args::{InputArgs, KeyArgs, LimitArgs};
use crate::cmd::header::Header;
use crate::input::{Batch, Input, Wants};
use crate::output::{Answer, Output, Text, count, plural, remark};
use crate::session::Session;
use anyhow::{Context, Result};
use clap::Args;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the records that a filter probably holds
///
/// A record that was put in is always found; one that was not is found with the small probability that
/// 'crivo info' shows. Rows of tables are printed as they are, below their header. An empty value is never
/// in a filter.
///
/// As with grep, the exit code is 0 if there was such a record, 1 if there was none, and 2 after an error.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = "Examples:
  crivo filter query words.crv draft.txt
  crivo filter query words.crv --invert draft.txt    # certainly new
  crivo filter query users.crv visits.csv --column user --count
  echo sieve | crivo filter query words.crv --quiet && echo known")]
pub(crate) struct Query {
    /// The filter
    filter: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    /// Print the records that are certainly not in the filter
    #[arg(long, short = 'v')]
    invert: bool,

    /// Print only how many there are
    #[arg(long)]
    count: bool,

    /// Print nothing, and stop at the first such record: the exit code is the answer
    #[arg(long, short, conflicts_with_all = ["count", "json"])]
    quiet: bool,

    /// Do not hold the file against its checksum and tag, which reads all of it
    ///
    /// The file is not loaded but mapped where its kind allows it, as bloom and fuse do; without the checksum a
    /// large filter then answers at once. That somebody without the key has changed a keyed one is then not noticed.
    #[arg(long, conflicts_with = "json")]
    no_verify: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Query {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let options = self.key.decode_options(&self.limit, session)?;
        let bytes = map(&self.filter, &options, session)?;
        let filter = if self.json {
            Saved::load(&self.filter, &bytes, &options)?
        } else {
            Saved::open(&self.filter, &bytes, &options, !self.no_verify)?
        };
        let input = Input { answers_early: true, ..self.input.open(&self.limit, session)? };
        let mut printer = Printer { query: self, output: Output::new(), header: Header::default() };
        let (mut present, mut absent, mut nulls) = (0, 0, 0);
        // An empty value was never put in.
        let selected = |present, absent, nulls| if self.invert { absent + nulls } else { present };
        let print_records = !self.count && !self.quiet;
        let wants = Wants::hashes(filter.spec());
        let wants = if print_records { wants.and_records() } else { wants };
        input.read(wants, |batch| {
            let answers = filter.contains_hashes(batch.hashes);
            let yes = answers.iter().filter(|&&answer| answer).count() as u64;
            present += yes;
            absent += answers.len() as u64 - yes;
            nulls += batch.nulls.len() as u64;
            if print_records {
                printer.print(batch, &answers)?;
            }
            let found = selected(present, absent, nulls) > 0;
            Ok(if self.quiet && found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        bytes.check_unchanged().with_context(|| self.filter.display().to_string())?;
        let selected = selected(present, absent, nulls);
        if self.json {
            printer.output.json(&Answer::Query {
                present,
                absent,
                nulls,
                fpr: filter.fpr().map(Into::into),
            })?;
        } else if self.count {
            printer.output.line(&count(selected))?;
        }
        printer.output.flush()?;
        if nulls > 0 && !self.json && !self.quiet {
            remark(&format!("{}, certainly not in the filter", plural(nulls, "empty value", "empty values")));
        }
        Ok(ExitCode::from(u8::from(selected == 0)))
    }
}

struct Printer<'a> {
    query: &'a Query,
    output: Output,
    header: Header,
}

impl Printer<'_> {
    fn print(&mut self, batch: &Batch<'_>, answers: &[bool]) -> Result<()> {
        let Query { json, invert, .. } = *self.query;
        if self.header.see(batch)?
            && let (Some(header), false) = (self.header.get(), json)
        {
            self.output.record(header, b'\n')?;
        }
        for (record, answer) in batch.records(answers) {
            let present = answer == Some(true);
            if present == invert {
                continue;
            }
            if json {
                self.output.json(&Answer::Record { present, record: Text::from(record) })?;
            } else {
                self.output.record(record, self.query.input.record_end())?;
            }
        }
        self.output.flush()
    }
}
