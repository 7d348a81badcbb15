//! The sources of a run, and how to read them.

use super::json_path::split_paths;
use super::table::Header;
use super::{Missing, Source, Watch};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The sources of a run, and how to read them.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of the caller")]
pub struct Input {
    /// The sources, which are read one after the other.
    pub sources: Vec<Source>,
    /// Columns of a table, or paths in JSON.
    pub columns: Columns<String>,
    /// The texts that stand for a missing value.
    pub missing: Missing,
    /// The number of threads.
    pub jobs: usize,
    /// The limit of the memory that depends on the data: long records, and pages of Parquet.
    pub max_memory: u64,
    /// The observer of the run.
    pub watch: Arc<dyn Watch>,
    /// Whether the caller prints answers while the input is read.
    pub prints: bool,
    /// The longest time between two calls of the caller. If no input arrives, it receives an empty batch.
    pub wake: Option<Duration>,
    /// Whether a column without any value is an error, not only a warning.
    pub needs_values: bool,
    /// Whether the caller can answer from a part of the input. Then an interrupt ends the input; otherwise it ends
    /// the command.
    pub answers_early: bool,
    /// Whether messages must not show any of the data.
    pub hides_data: bool,
    /// Whether lines that are not JSON are left out. Otherwise they are an error.
    pub skips_invalid: bool,
}

/// How the records of a source are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// Each line is an item. `end` ends a line: a newline, or NUL.
    Lines {
        /// The byte that ends a line.
        end: u8,
    },
    /// Fields by the rules of CSV, with any delimiter.
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

/// The requested columns: as the user names them, or by their places in a table.
#[derive(Clone, Debug, Default)]
pub struct Columns<T> {
    /// The columns that are hashed. Several columns form one value together; without any, the value is the whole
    /// record.
    pub values: Vec<T>,
    /// The column that divides the records into groups.
    pub by: Option<T>,
    /// The column with the time of a record.
    pub time: Option<T>,
    /// The column with the number of copies that a record stands for.
    pub copies: Option<T>,
    /// The column with the number by which a record changes the count of its value; a negative number removes copies.
    pub changes: Option<T>,
    /// The column with the weight of a record, in any unit.
    pub weight: Option<T>,
    /// The column with the number that is kept with the value, or claimed for it.
    pub kept: Option<T>,
    /// The column that a condition tests.
    pub tested: Option<T>,
}

impl<T> Columns<T> {
    /// Converts each column with `change`.
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
            changes: self.changes.as_ref().map(&find).transpose()?,
            weight: self.weight.as_ref().map(&find).transpose()?,
            kept: self.kept.as_ref().map(&find).transpose()?,
            tested: self.tested.as_ref().map(&find).transpose()?,
        })
    }

    /// Returns all columns.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let Self { values, by, time, copies, changes, weight, kept, tested } = self;
        values.iter().chain([by, time, copies, changes, weight, kept, tested].into_iter().flatten())
    }
}

impl Columns<String> {
    /// Returns the places of the columns in a table. For values, a name with commas that is not the name of a
    /// column stands for several columns. `explain` makes an error of a name that is not found.
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

    /// Returns the columns as paths in JSON. In a value column, commas separate several paths.
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
