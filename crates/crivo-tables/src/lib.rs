//! From files and pipes to hashes, values and numbers, in input order, on all cores.
//!
//! An [`Input`] says what to read, and how: sources, compressed or not, in one of the formats that a [`Syntax`] names.
//! Threads take turns at reading a piece of the input, cut at a record end; each parses and hashes its piece, and notes what is
//! wanted. The caller receives it in input order, so that no answer and no saved byte depends on the number of threads.
//!
//! There are no arguments here, no terminal and no process: who waits is a [`Watch`]. This library is for the programs of
//! Crivo, and no interface for others: that is the crate `crivo`.

mod budget;
mod cut;
mod fields;
mod findings;
mod foreign;
mod gate;
mod gzip;
mod json;
mod json_path;
mod lines;
mod missing;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
mod pipeline;
mod reader;
mod reads;
mod row_groups;
mod source;
mod step;
mod table;
mod tables;
mod time;
mod turns;
mod watch;
mod zstd;

pub use findings::{BatchValues, Texts, Wants};
pub use json_path::MOST_NAMES;
pub use missing::Missing;
pub use parquet::is_fenced;
pub use pipeline::{Batch, Input, NotNumbers, Totals};
pub use reads::{Reads, Sequence};
pub use source::{Source, SourceFormat, check_file, is_parquet, is_stdin, read_up_to};
pub use step::Step;
pub use table::Header;
pub use tables::{Column, Table, TableColumn};
pub use watch::{Progress, Unwatched, Watch};

use findings::{Findings, Span};
use std::convert::Infallible;

/// How the records of one source are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Each line is an item. `end` closes a line: a newline, or NUL.
    Lines {
        /// The byte that closes a line.
        end: u8,
    },
    /// CSV rules with any delimiter.
    Table {
        /// The byte between fields.
        delimiter: u8,
        /// Whether the first record names the columns.
        header: bool,
    },
    /// One JSON value a line.
    JsonLines,
    /// The whole source is one record.
    Whole,
    /// Columns in row groups.
    Parquet,
}

/// The columns of interest: as the user names them, or by their places in a table.
#[derive(Clone, Debug, Default)]
pub struct Columns<T> {
    /// What is hashed: one, or more that form one value together; without any, whole records are.
    pub values: Vec<T>,
    /// What tells groups of records apart.
    pub by: Option<T>,
    /// When a record happened.
    pub time: Option<T>,
    /// How many copies of the value a record stands for.
    pub copies: Option<T>,
    /// How much a record weighs, in any unit.
    pub weight: Option<T>,
    /// Which number is kept with the value, or claimed for it.
    pub kept: Option<T>,
}

impl<T> Columns<T> {
    /// What `change` makes of each of them.
    pub fn map<U>(&self, change: impl Fn(&T) -> U) -> Columns<U> {
        let Ok(changed) = self.try_map(|column| Ok::<U, Infallible>(change(column)));
        changed
    }

    fn try_map<U, E>(&self, find: impl Fn(&T) -> Result<U, E>) -> Result<Columns<U>, E> {
        Ok(Columns {
            values: self.values.iter().map(&find).collect::<Result<_, E>>()?,
            by: self.by.as_ref().map(&find).transpose()?,
            time: self.time.as_ref().map(&find).transpose()?,
            copies: self.copies.as_ref().map(&find).transpose()?,
            weight: self.weight.as_ref().map(&find).transpose()?,
            kept: self.kept.as_ref().map(&find).transpose()?,
        })
    }
}

impl<T> Columns<T> {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let Self { values, by, time, copies, weight, kept } = self;
        values.iter().chain([by, time, copies, weight, kept].into_iter().flatten())
    }
}

impl Columns<&str> {
    /// The same with names of their own.
    pub fn into_owned(self) -> Columns<String> {
        self.map(|&name| name.to_owned())
    }
}

/// A problem inside the data, found by a thread that does not know how many lines came before.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The line within the piece, from 0; none when the whole source is meant.
    line: Option<u64>,
    what: String,
    /// Whether `what` may quote the data.
    quotes: bool,
}

impl Fault {
    fn at(line: u64, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into(), quotes: false }
    }

    fn whole(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into(), quotes: false }
    }

    /// The same, in words that may quote the data.
    fn quoting(self) -> Self {
        Self { quotes: true, ..self }
    }

    /// What is wrong, for people who may see the data or not.
    fn explain(&self, hides_data: bool) -> &str {
        if self.quotes && hides_data {
            return "cannot be read as asked, and why would show what is secret; check --format, --column and --weight, and \
                    --no-header where the first record is data";
        }
        &self.what
    }
}
