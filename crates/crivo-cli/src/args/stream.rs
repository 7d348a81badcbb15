//! What the verbs that read a stream, or a sketch of one, have in common.

use super::values::parse_step;
use super::{AnswerArgs, ByArgs, LimitArgs, SaveArgs};
use crate::input::{Columns, Step};
use anyhow::{Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

/// A sketch to start from.
#[derive(Args, Debug)]
pub(crate) struct FromArgs {
    /// Start from a saved sketch: answer from it alone, or continue with the named files (- for standard input)
    #[arg(long, value_name = "FILE.crv", help_heading = "Input")]
    from: Option<PathBuf>,
}

/// A saved sketch to start from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved<'a> {
    pub(crate) path: &'a Path,
    /// Whether input continues the sketch.
    pub(crate) goes_on: bool,
}

impl FromArgs {
    /// Whether there is a sketch to start from.
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some()
    }

    /// The sketch to start from, if there is one. Without input, `of_input` must be false: no flag may speak of it.
    pub(crate) fn saved(&self, has_input: bool, of_input: bool) -> Result<Option<Saved<'_>>> {
        let Some(path) = self.from.as_deref() else { return Ok(None) };
        if !has_input && of_input {
            bail!(
                "--from without files reads no input; name files to go on with, or - for standard input, or leave out the flags about input and time"
            );
        }
        Ok(Some(Saved { path, goes_on: has_input }))
    }
}

/// When to answer, from where, and how.
#[derive(Args, Debug)]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    from: FromArgs,

    /// Also print intermediate answers, after every N items (1e6) or at an interval (10s, 5m)
    #[arg(long, value_name = "N|TIME", value_parser = parse_step, conflicts_with = "by", help_heading = "Time")]
    pub(crate) every: Option<Step>,

    /// Column with the time of each record; --every 10m then means ten minutes of data time
    ///
    /// Times are seconds since 1970, or a date and time such as 2026-11-16T02:03:04Z. An answer is printed when a
    /// record of a later step arrives; a step without records has no answer.
    #[arg(long, value_name = "COLUMN", requires = "every", help_heading = "Time")]
    time: Option<String>,

    #[command(flatten)]
    pub(crate) by: ByArgs,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    #[command(flatten)]
    pub(crate) save: SaveArgs,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl StreamArgs {
    /// The sketch to start from, if there is one; `input_flags` tells whether one of the verb's flags speaks of input.
    pub(crate) fn saved(&self, has_input: bool, input_flags: bool) -> Result<Option<Saved<'_>>> {
        self.from.saved(has_input, input_flags || self.every.is_some())
    }

    /// Whether there is a sketch to start from.
    pub(crate) fn starts_from_saved(&self) -> bool {
        self.from.is_given()
    }

    /// The columns in addition to the one of the values: the time, the group and the weight of each record.
    pub(crate) fn columns<'a>(&'a self, copies: Option<&'a str>) -> Columns<&'a str> {
        Columns { time: self.time.as_deref(), by: self.by.by.as_deref(), copies, ..Columns::default() }
    }
}
