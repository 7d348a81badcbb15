//! A whole table: see [`TableProfile`].

use super::column::{ColumnProfile, MOST_ROWS};
use super::params::ProfileParams;
use crate::kind::Kind;
use crate::sketch::{Fact, Merge, Sketch};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Profiles of all columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProfile {
    params: ProfileParams,
    spec: HashSpec,
    rows: u64,
    columns: Vec<(String, ColumnProfile)>,
}

impl TableProfile {
    /// A table without columns and rows.
    pub fn new(params: ProfileParams, spec: HashSpec) -> Self {
        Self { params, spec, rows: 0, columns: Vec::new() }
    }

    /// The table of these columns.
    ///
    /// # Errors
    /// `InvalidArgument` when two have one name, or one has another number of rows, `Incompatible` when params or
    /// hashes differ.
    pub fn from_columns(rows: u64, columns: Vec<(String, ColumnProfile)>) -> Result<Self> {
        let (params, spec) = match columns.first() {
            Some((_, first)) => (first.params(), *first.hash_spec()),
            None => (ProfileParams::default(), HashSpec::default()),
        };
        Self::from_parts(params, spec, rows, columns)
    }

    /// As [`from_columns`](Self::from_columns).
    pub(super) fn from_parts(
        params: ProfileParams,
        spec: HashSpec,
        rows: u64,
        columns: Vec<(String, ColumnProfile)>,
    ) -> Result<Self> {
        check_rows(0, rows)?;
        let mut names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::invalid(format!(
                "expected columns with different names, got two of name {:?}; rename one",
                pair[0]
            )));
        }
        for (name, column) in &columns {
            check_same_params(params, column.params())?;
            spec.check_same(column.hash_spec())?;
            if column.rows() != rows {
                return Err(Error::invalid(format!(
                    "expected {rows} rows in every column, got {} in {name:?}; add what is missing",
                    column.rows()
                )));
            }
        }
        Ok(Self { params, spec, rows, columns })
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How exact it is.
    pub fn params(&self) -> ProfileParams {
        self.params
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// All columns with their names, in order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&str, &ColumnProfile)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// The columns with their names.
    pub fn into_columns(self) -> Vec<(String, ColumnProfile)> {
        self.columns
    }

    /// Becomes the profile of the rows of both. Columns go together by name; in the rows of a part that lacks a column, it is
    /// missing. New columns come last.
    ///
    /// # Errors
    /// `Incompatible` when params or hash differ, `Full` beyond 2⁶⁴ − 2³² rows; `self` is unchanged then.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        check_same_params(self.params, other.params)?;
        self.spec.check_same(&other.spec)?;
        check_rows(self.rows, other.rows)?;
        let mut columns = self.columns.clone();
        for (name, column) in &mut columns {
            match other.column(name) {
                Some(theirs) => column.merge(theirs)?,
                None => column.add_missing(other.rows),
            }
        }
        for (name, theirs) in other.columns.iter().filter(|(name, _)| self.column(name).is_none()) {
            let mut column = theirs.clone();
            column.add_missing(self.rows);
            columns.push((name.clone(), column));
        }
        self.rows += other.rows;
        self.columns = columns;
        Ok(())
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns().find(|&(own, _)| own == name).map(|(_, column)| column)
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        let outside = |(name, column): &(String, ColumnProfile)| {
            name.capacity() + column.memory_bytes() - size_of::<ColumnProfile>()
        };
        size_of::<Self>()
            + self.columns.capacity() * size_of::<(String, ColumnProfile)>()
            + self.columns.iter().map(outside).sum::<usize>()
    }
}

/// `Incompatible` unless both are the same.
pub(super) fn check_same_params(ours: ProfileParams, theirs: ProfileParams) -> Result<()> {
    if ours == theirs {
        return Ok(());
    }
    Err(Error::incompatible("kept hashes", ours.kept(), theirs.kept(), "profile both with the same error"))
}

/// `Full` when so many rows cannot be counted.
pub(super) fn check_rows(ours: u64, theirs: u64) -> Result<()> {
    if theirs <= MOST_ROWS - ours {
        return Ok(());
    }
    Err(Error::full(format!(
        "{ours} rows and {theirs} more are beyond 2^64 - 2^32, the most that are counted; keep the two apart"
    )))
}

impl Merge for TableProfile {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge(other)
    }
}

impl Sketch for TableProfile {
    fn kind(&self) -> Kind {
        Kind::TableProfile
    }

    fn hash_spec(&self) -> Option<&HashSpec> {
        Some(&self.spec)
    }

    fn memory_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("rows", self.rows),
            Fact::count("columns", self.columns.len() as u64),
            Fact::count("counters", self.params.counters().into()),
            Fact::count("kept_hashes", self.params.kept().into()),
            Fact::number("rank_error", self.params.rank_error()),
        ]
    }
}
