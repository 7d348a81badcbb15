//! `crivo compare`: what has changed between two tables?

use super::tables::{Found, TableArgs};
use crate::args::{FormArgs, parse_share};
use crate::input::profile::{Comparison, DriftReport};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Report what has changed from one table to another; the exit code is 1 if anything has
///
/// Either side is a table or a profile saved by 'crivo profile --save'. The tables are compared column by column: types, missing
/// values, distinct values, means, distributions and the shares of frequent values. A change is reported if it exceeds
/// chance and the errors of the sketches; all comparisons together give a false alarm with a probability of at most about
/// 5 %. 'crivo check' judges rules, and has a false-alarm rate of your choice.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo compare monday.csv tuesday.csv
  crivo compare monday.crv tuesday.jsonl --at-least 1% --ignore id
  crivo compare monday.crv tuesday.crv --json")]
pub(crate) struct Compare {
    /// The older table, or its saved profile
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The newer table, or its saved profile; several files are parts of one table
    #[arg(value_name = "NEW", required = true)]
    new: Vec<PathBuf>,

    /// Compare only this column: a name, a number from 1, or a JSON path such as user.id; several with commas, or repeated
    #[arg(long, short, value_name = "COLUMN", help_heading = "Input")]
    column: Vec<String>,

    /// Ignore changes smaller than this, such as 1%
    ///
    /// 1% means one percentage point of missing values, of a value's share or of the distribution; one hundredth of a
    /// standard deviation for the mean; or one percent of the distinct values. Columns that were added or removed, and
    /// changes of type, always count.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    at_least: Option<f64>,

    /// Leave this column out of the comparison; may be repeated
    #[arg(long, value_name = "COLUMN")]
    ignore: Vec<String>,

    #[command(flatten)]
    tables: TableArgs,

    #[command(flatten)]
    output: FormArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Verb for Compare {
    type Report = DriftReport;

    fn manner(&self) -> Manner {
        self.output.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<DriftReport> {
        let old = self.tables.saved(&self.old, session)?;
        let new = match &self.new[..] {
            [new] => self.tables.saved(new, session)?,
            _ => None,
        };
        if old.is_some() && new.is_some() {
            self.tables.check_reads(&self.old)?;
        }
        let like = self.tables.like(old.as_ref().or(new.as_ref()), session)?;
        let old = match old {
            Some(table) => Found::saved(&self.old, &table, &[])?,
            None => self.tables.read(std::slice::from_ref(&self.old), &[], "--column", like, session)?,
        };
        let new = match new {
            Some(table) => Found::saved(&self.new[0], &table, &self.column)?,
            None => self.tables.read(&self.new, &self.column, "--column", like, session)?,
        };
        let (old, new) = (old.profiled()?, new.profiled()?);
        let wanted = Comparison {
            is_chosen: !self.column.is_empty(),
            ignored: self.ignore,
            at_least: self.at_least.unwrap_or(0.0),
        };
        new.drift_since(old.only_table()?.clone(), &wanted)
    }
}
