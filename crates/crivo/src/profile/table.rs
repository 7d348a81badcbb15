//! A whole table: see [`TableProfile`].

use super::column::ColumnProfile;
use super::params::ProfileParams;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::string::String;
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
        let mut names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::invalid(format!(
                "expected columns with different names, got two of name {:?}; rename one",
                pair[0]
            )));
        }
        for (name, column) in &columns {
            columns[0].1.check_same(column)?;
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
}
