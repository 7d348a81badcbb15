//! What to read, and how.

use super::json_path::split_paths;
use super::table::Header;
use super::{Missing, Source, Watch};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// What to read, and how.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of the caller")]
pub struct Input {
    /// Read one after the other.
    pub sources: Vec<Source>,
    /// Columns of a table, or paths in JSON.
    pub columns: Columns<String>,
    /// Which values are none.
    pub missing: Missing,
    /// How many threads.
    pub jobs: usize,
    /// What reading may take, where that follows the data: long records, and pages of Parquet.
    pub max_memory: u64,
    /// Who waits.
    pub watch: Arc<dyn Watch>,
    /// Whether something is printed while the input is read.
    pub prints: bool,
    /// How often the caller wants to be called at least: with an empty batch when nothing has come.
    pub wake: Option<Duration>,
    /// Whether a column without any value is an error, not only a warning.
    pub needs_values: bool,
    /// Whether a part of the input has an answer too: an interrupt is then the end of the input, and of the command
    /// otherwise.
    pub answers_early: bool,
    /// Whether no message may show any of the data.
    pub hides_data: bool,
    /// Whether lines that are not JSON are left out, not an error.
    pub skips_invalid: bool,
}

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
    /// One JSON value per line.
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

    /// Like `map`, for a `change` that may fail.
    pub(crate) fn try_map<U, E>(&self, find: impl Fn(&T) -> Result<U, E>) -> Result<Columns<U>, E> {
        Ok(Columns {
            values: self.values.iter().map(&find).collect::<Result<_, E>>()?,
            by: self.by.as_ref().map(&find).transpose()?,
            time: self.time.as_ref().map(&find).transpose()?,
            copies: self.copies.as_ref().map(&find).transpose()?,
            weight: self.weight.as_ref().map(&find).transpose()?,
            kept: self.kept.as_ref().map(&find).transpose()?,
        })
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let Self { values, by, time, copies, weight, kept } = self;
        values.iter().chain([by, time, copies, weight, kept].into_iter().flatten())
    }
}

impl Columns<String> {
    /// The places of the columns in a table. A name with commas that no column has stands for several columns, where there may be
    /// several. `explain` makes an error of a name that is not found.
    pub(crate) fn places<T: AsRef<[u8]>, E>(
        &self,
        header: &Header<'_, T>,
        explain: impl Fn(&str, String) -> E,
    ) -> Result<Columns<usize>, E> {
        let find = |name: &String| header.find(name).map_err(|what| explain(name, what));
        let mut values = Vec::new();
        for name in &self.values {
            match header.find_several(name) {
                Some(places) => values.extend(places),
                None => values.push(find(name)?),
            }
        }
        let beside = Self { values: Vec::new(), ..self.clone() };
        Ok(Columns { values, ..beside.try_map(find)? })
    }

    /// The paths in JSON, where commas stand between those of several values.
    pub(crate) fn of_json(&self) -> Self {
        let values = self.values.iter().flat_map(|text| split_paths(text)).collect();
        Self { values, ..self.clone() }
    }
}

impl Columns<&str> {
    /// Copies the names.
    pub fn into_owned(self) -> Columns<String> {
        self.map(|&name| name.to_owned())
    }
}
