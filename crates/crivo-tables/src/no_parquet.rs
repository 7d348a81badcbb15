//! Replaces [`parquet`](super::parquet) in a command that is built without Parquet.

#![expect(dead_code, reason = "nothing of it is ever made")]

use super::budget::Budget;
use super::filters::FilterAnswers;
use super::iceberg::IcebergColumns;
use anyhow::{Result, bail};
use std::fs::File;
use std::path::Path;

const WITHOUT: &str =
    "this crivo was built without Parquet; convert the file to CSV, or build with the feature 'parquet'";

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnValue<'a> {
    Missing,
    Text(&'a [u8]),
}

/// A type without values, because no Parquet file can be opened.
#[derive(Debug)]
pub(crate) enum ParquetColumns {}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) group: usize,
    pub(super) rows: usize,
    pub(super) turn: u64,
}

pub(super) type Each<'a> = &'a mut dyn FnMut(ColumnValue<'_>) -> Result<()>;

impl ParquetColumns {
    pub(super) fn open(_file: File, _budget: &Budget) -> Result<Self> {
        bail!("{WITHOUT}");
    }

    pub(crate) fn names(&self) -> &[String] {
        match *self {}
    }

    pub(crate) fn lists(&self) -> &[String] {
        match *self {}
    }

    pub(crate) fn times_of_day(&self, _places: &[usize]) -> Vec<String> {
        match *self {}
    }

    pub(crate) fn rows(&self) -> u64 {
        match *self {}
    }

    pub(super) fn group(&self, _group: usize) -> Option<(usize, u64)> {
        match *self {}
    }

    pub(super) fn read_rows(
        &self,
        _slice: Slice,
        _place: usize,
        _most: usize,
        _each: Each<'_>,
    ) -> Result<()> {
        match *self {}
    }

    pub(super) fn give_up(&self, _turn: u64) {
        match *self {}
    }

    pub(super) fn budget(&self) -> &Budget {
        match *self {}
    }
}

/// Asks the Bloom filters inside a Parquet file.
///
/// # Errors
/// Always: this was built without Parquet.
pub fn ask_filters(_path: &Path, _column: &str, _keys: &[&[u8]], _max_memory: u64) -> Result<FilterAnswers> {
    bail!("{WITHOUT}");
}

/// Passes on the values of a Parquet file.
///
/// # Errors
/// Always: this was built without Parquet.
pub fn iceberg_values(
    _path: &Path,
    _max_memory: u64,
    _each: &mut dyn FnMut(i32, &[u8]),
) -> Result<IcebergColumns> {
    bail!("{WITHOUT}");
}

/// Returns whether a panic of this thread would be caught and become an error. Without Parquet it never is.
pub fn is_fenced() -> bool {
    false
}
