//! What the verbs that read a stream, or a sketch of one, have in common.

use super::values::{Step, parse_step};
use super::{LimitArgs, SaveArgs};
use crate::input::Columns;
use clap::Args;
use std::path::PathBuf;

/// When to answer, from where, and how.
#[derive(Args, Debug)]
pub(crate) struct StreamArgs {
    /// Answer from a saved sketch, reading no input
    #[arg(long, value_name = "FILE.crv", help_heading = "Input",
          conflicts_with_all = ["column", "weight", "format", "delimiter", "no_header", "null", "jobs", "every", "save"])]
    pub(crate) from: Option<PathBuf>,

    /// Answer while reading, too: after every so many items (1e6), or so much time (10s, 5m)
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, help_heading = "Time")]
    pub(crate) every: Option<Step>,

    /// The column with the time of each record; --every 10m then means ten minutes of the data
    ///
    /// Seconds since 1970, or a date and time such as 2026-11-16T02:03:04Z. An answer is printed when a record of a later
    /// step comes; a step without records has none.
    #[arg(long, value_name = "COLUMN", requires = "every", help_heading = "Time")]
    time: Option<String>,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    #[command(flatten)]
    pub(crate) save: SaveArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

impl StreamArgs {
    /// The columns beside that of the values: the time, and how many copies a record stands for.
    pub(crate) fn columns<'a>(&'a self, copies: Option<&'a str>) -> Columns<&'a str> {
        Columns { time: self.time.as_deref(), copies, ..Columns::default() }
    }
}
