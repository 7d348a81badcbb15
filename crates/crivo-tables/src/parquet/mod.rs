//! Parquet: the columns of a file, decoded one by one, with each value as its canonical text ([`text`]).
//!
//! This module reads and checks everything that a file declares ([`footer`], [`pages`]) before the `parquet` crate
//! decodes the values of a page.

mod codec;
mod cursor;
mod delta;
mod dictionary;
mod file;
mod filters;
mod footer;
mod head;
mod iceberg;
mod pages;
mod schema;
pub mod text;
mod text_cache;
mod thrift;

pub use file::is_fenced;
pub use filters::ask_filters;
pub use iceberg::iceberg_values;

use super::budget::{Budget, Share};
use super::turns::Turns;
use anyhow::{Context, Result, anyhow};
use cursor::{Cursor, Decoded, Run, Values};
use file::{SharedFile, damaged};
use footer::Footer;
use schema::Column;
use std::fmt;
use std::fs::File;
use text::Meaning;
use text_cache::TextCache;

/// The number of rows decoded at a time: many enough that a step costs little.
const BATCH: usize = 4096;

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnValue<'a> {
    /// A null, or an empty value.
    Missing,
    /// The canonical text of the value.
    Text(&'a [u8]),
}

/// The columns of a file: all leaves of its schema except those in lists and maps.
pub(crate) struct ParquetColumns {
    file: SharedFile,
    footer: Footer,
    /// The names of the columns, which are paths: `a.b`.
    names: Vec<String>,
    rows: u64,
    /// The position in each column. Pieces of the file take turns.
    cursors: Vec<Turns<Option<(usize, Cursor)>>>,
    budget: Budget,
    /// The memory of the footer.
    _share: Share,
}

impl fmt::Debug for ParquetColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetColumns").field("names", &self.names).finish_non_exhaustive()
    }
}

impl ParquetColumns {
    /// Opens a file and reads its footer.
    pub(crate) fn open(file: File, budget: &Budget) -> Result<Self> {
        let file = SharedFile::new(file)?;
        let mut share = budget.share();
        let footer = Footer::read(&file, &mut share)?;
        let rows = footer.groups.iter().try_fold(0u64, |rows, group| rows.checked_add(group.rows as u64));
        let rows = rows.ok_or_else(|| damaged("no such number of rows"))?;
        let names = footer.columns.iter().map(|column| column.name.clone()).collect();
        let cursors = footer.columns.iter().map(|_| Turns::new(None, 0)).collect();
        Ok(Self { file, footer, names, rows, cursors, budget: budget.clone(), _share: share })
    }

    /// Returns the names of the columns. The name of a nested column is a path, `a.b`.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the columns that have more than one value per row, which are left out.
    pub(crate) fn lists(&self) -> &[String] {
        &self.footer.lists
    }

    /// Returns the columns at these places that hold times of day.
    pub(crate) fn times_of_day(&self, places: &[usize]) -> Vec<String> {
        let columns = places.iter().map(|&place| &self.footer.columns[place]);
        let times = columns.filter(|column| matches!(column.meaning, Meaning::Time(_)));
        times.map(|column| column.name.clone()).collect()
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the number of rows of a row group, and their approximate number of bytes.
    pub(crate) fn group(&self, group: usize) -> Option<(usize, u64)> {
        self.footer.groups.get(group).map(|group| (group.rows, group.bytes))
    }

    /// Passes the values of some rows of the column at `place` to `each`, in order. Their texts may take at most
    /// `most` bytes. Pieces wait for their turns.
    pub(crate) fn read_rows(&self, slice: Slice, place: usize, most: usize, each: Each<'_>) -> Result<()> {
        let column = &self.footer.columns[place];
        let decoded = self.cursors[place].take(slice.turn, |cursor| self.decode(slice, place, most, cursor));
        let told = match decoded {
            Some(decoded) => decoded.and_then(|decoded| Teller::new(column).tell(&decoded, each)),
            None => Err(anyhow!("an earlier part of the file could not be read")),
        };
        told.with_context(|| format!("column '{}'", column.name))
    }

    fn decode(
        &self,
        Slice { group, rows, .. }: Slice,
        place: usize,
        most: usize,
        at: &mut Option<(usize, Cursor)>,
    ) -> Result<Decoded> {
        let column = &self.footer.columns[place];
        // All rows of the previous group have been read.
        if at.as_ref().is_none_or(|&(of, _)| of != group) {
            *at = None;
            let chunk = self.footer.groups[group].chunks[place];
            *at = Some((group, Cursor::new(&self.file, column, chunk, &self.budget)?));
        }
        let (_, cursor) = at.as_mut().expect("opened above");
        cursor.read(column, rows, most)
    }

    /// Ends the wait of all later pieces for a piece that will never be read.
    pub(crate) fn give_up(&self, turn: u64) {
        self.cursors.iter().for_each(|cursor| cursor.end(turn));
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }
}

/// Some rows of a row group. They follow the rows of the previous turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) group: usize,
    pub(crate) rows: usize,
    /// The number of the piece, which is its turn.
    pub(crate) turn: u64,
}

/// Converts the values of a column to text.
struct Teller {
    meaning: Meaning,
    /// The definition level of an existing value. A null has a lower level.
    level: i16,
    cache: TextCache,
    scratch: Vec<u8>,
}

/// Receives the values one after the other.
pub(crate) type Each<'a> = &'a mut dyn FnMut(ColumnValue<'_>) -> Result<()>;

impl Teller {
    fn new(column: &Column) -> Self {
        let (meaning, level) = (column.meaning, column.descriptor.max_def_level());
        Self { meaning, level, cache: TextCache::new(), scratch: Vec::new() }
    }

    fn tell(mut self, decoded: &Decoded, each: Each<'_>) -> Result<()> {
        decoded.runs.iter().try_for_each(|run| self.tell_run(run, each))
    }

    fn tell_run(&mut self, Run { values, levels }: &Run, each: Each<'_>) -> Result<()> {
        let Self { meaning, level, cache, scratch } = self;
        let (meaning, level) = (*meaning, *level);
        match values {
            Values::Bool(values) => tell(values, levels, level, each, |&value, each| {
                each(ColumnValue::Text(if value { b"true" } else { b"false" }))
            }),
            Values::Int32(values) => tell(values, levels, level, each, |&value, each| {
                let value = if meaning == Meaning::Unsigned { (value as u32).into() } else { value.into() };
                each(ColumnValue::Text(cache.text(value as u64, |text| text::integer(value, meaning, text))))
            }),
            Values::Int64(values) => tell(values, levels, level, each, |&value, each| {
                each(ColumnValue::Text(cache.text(value as u64, |text| text::integer(value, meaning, text))))
            }),
            Values::Int96(values) => tell(values, levels, level, each, |value, each| {
                scratch.clear();
                text::int96(value.data(), scratch);
                each(ColumnValue::Text(scratch))
            }),
            Values::Float(values) => tell(values, levels, level, each, |&value, each| {
                let bits = value.to_bits().into();
                each(ColumnValue::Text(cache.text(bits, |text| text::float(value, text))))
            }),
            Values::Double(values) => tell(values, levels, level, each, |&value, each| {
                each(ColumnValue::Text(cache.text(value.to_bits(), |text| text::float(value, text))))
            }),
            Values::Numbered(numbers, dictionary) => {
                tell(numbers, levels, level, each, |&number, each| match dictionary.get(number) {
                    Some(value) => tell_bytes(value, meaning, scratch, each),
                    None => Err(damaged("a value is not in its dictionary")),
                })
            }
            Values::Texts(texts) => tell(texts.iter(), levels, level, each, |value, each| {
                tell_bytes(value, meaning, scratch, each)
            }),
        }
    }
}

/// Passes on the values of rows, some of which may be null.
fn tell<V>(
    values: impl IntoIterator<Item = V>,
    levels: &[i16],
    level: i16,
    each: Each<'_>,
    mut tell: impl FnMut(V, Each<'_>) -> Result<()>,
) -> Result<()> {
    let mut values = values.into_iter();
    if levels.is_empty() {
        return values.try_for_each(|value| tell(value, each));
    }
    for &at in levels {
        match (at == level).then(|| values.next()).flatten() {
            Some(value) => tell(value, each)?,
            None => each(ColumnValue::Missing)?,
        }
    }
    Ok(())
}

fn tell_bytes(value: &[u8], meaning: Meaning, scratch: &mut Vec<u8>, each: Each<'_>) -> Result<()> {
    match (meaning, value) {
        (_, []) => each(ColumnValue::Missing),
        (Meaning::Plain, _) => each(ColumnValue::Text(value)),
        _ => {
            scratch.clear();
            text::bytes(value, meaning, scratch).map_err(|what| damaged(&what))?;
            each(ColumnValue::Text(scratch))
        }
    }
}
