//! Parquet in pieces. A piece is some rows of a row group, which a worker decodes and writes as canonical CSV of
//! the requested columns. So every verb that reads tables also reads Parquet.

use super::budget::Budget;
use super::parquet::{ColumnValue, ParquetColumns, Slice};
use super::{Columns, Fault, Source, table};
use anyhow::{Result, bail};
use crivo_report::size;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The number of rows of a piece: many enough that passing it to another thread costs little.
const ROWS: u64 = 1 << 14;
/// The approximate number of bytes of a piece with long rows.
const BYTES: u64 = 1 << 24;
/// The largest text of a piece in bytes. Many rows may share a long text, which a page stores once.
const MAX_BYTES: u64 = 256 << 20;

/// A file, and the place where its next piece begins.
#[derive(Debug)]
pub(super) struct RowGroups {
    file: Arc<ParquetColumns>,
    pub(super) places: Columns<usize>,
    group: usize,
    /// The number of rows of the group that are in earlier pieces.
    given: usize,
    /// The number of earlier pieces.
    turn: u64,
    begun: bool,
}

impl RowGroups {
    pub(super) fn open(source: &Source, wanted: &Columns<String>, budget: &Budget) -> Result<Self, Fault> {
        let file = source.file_with_end().and_then(|file| ParquetColumns::open(file, budget));
        let file = file.map_err(|error| Fault::whole(format!("{error:#}")))?;
        let columns = table::Header::new(file.names(), true);
        let places = wanted.places(&columns, |name, what| Fault::whole(or_list(&file, name, what)))?;
        Ok(Self { file: Arc::new(file), places, group: 0, given: 0, turn: 0, begun: false })
    }

    /// Returns the columns that whole records leave out.
    pub(super) fn lists(&self) -> &[String] {
        self.file.lists()
    }

    /// Returns the next rows, and their share of the file.
    pub(super) fn next(&mut self) -> Option<(Rows, f64)> {
        let first = !std::mem::replace(&mut self.begun, true);
        let slice = loop {
            let Some((all, bytes)) = self.file.group(self.group) else { break None };
            if self.given == all {
                (self.group, self.given) = (self.group + 1, 0);
                continue;
            }
            let fitting = (all as u64).saturating_mul(BYTES) / bytes.max(1);
            let rows = fitting.clamp(1, ROWS).min((all - self.given) as u64) as usize;
            self.given += rows;
            self.turn += 1;
            break Some(Slice { group: self.group, rows, turn: self.turn - 1 });
        };
        let share = slice.map_or(0.0, |slice| slice.rows as f64 / self.file.rows() as f64);
        // A file without rows still has a header.
        (first || slice.is_some()).then(|| (Rows { file: Arc::clone(&self.file), slice, first }, share))
    }
}

/// Returns the message for a column that is not found: `what`, or a message about list columns if it is one.
fn or_list(file: &ParquetColumns, wanted: &str, what: String) -> String {
    let is_within = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match file.lists().iter().find(|list| is_within(list, wanted) || is_within(wanted, list)) {
        Some(_) => format!("column '{wanted}' has lists or maps, not one value per row; unnest it first"),
        None => what,
    }
}

/// Rows that have not been decoded.
#[derive(Debug)]
pub(super) struct Rows {
    file: Arc<ParquetColumns>,
    slice: Option<Slice>,
    /// Whether the header is written before them.
    first: bool,
}

impl Rows {
    /// Returns the number of columns of the file.
    pub(super) fn width(&self) -> usize {
        self.file.names().len()
    }

    /// Returns the names of all columns of the file.
    pub(super) fn names(&self) -> &[String] {
        self.file.names()
    }

    /// Returns the columns at these places that hold times of day.
    pub(super) fn times_of_day(&self, places: &[usize]) -> Vec<String> {
        self.file.times_of_day(places)
    }

    /// Returns the number of rows.
    pub(super) fn number(&self) -> u64 {
        self.slice.map_or(0, |slice| slice.rows as u64)
    }

    /// Passes the values of a column to `each`.
    pub(super) fn tell(
        &self,
        column: usize,
        each: &mut dyn FnMut(ColumnValue<'_>) -> Result<()>,
    ) -> Result<()> {
        self.slice.map_or(Ok(()), |slice| self.file.read_rows(slice, column, self.most(), each))
    }

    /// Returns the largest number of bytes that the text may take.
    fn most(&self) -> usize {
        MAX_BYTES.min(self.file.budget().limit()) as usize
    }

    /// Writes the records of these columns to `text`, and returns the place where they begin, behind the header.
    pub(super) fn write(&self, columns: &[usize], text: &mut Vec<u8>) -> Result<usize> {
        let written = catch_unwind(AssertUnwindSafe(|| self.write_in_turn(columns, text)));
        if !matches!(written, Ok(Ok(_)))
            && let Some(slice) = self.slice
        {
            self.file.give_up(slice.turn);
        }
        written.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn write_in_turn(&self, columns: &[usize], text: &mut Vec<u8>) -> Result<usize> {
        text.clear();
        if self.first {
            table::canonical(columns.iter().map(|&column| &self.file.names()[column]), text);
            text.push(b'\n');
        }
        let begin = text.len();
        let Some(slice) = self.slice else { return Ok(begin) };
        let alone = columns.len() == 1;
        let (mut decoded, most, mut before) = (Vec::new(), self.most(), text.len());
        for &column in columns {
            let (mut fields, mut ends) = (Vec::new(), Vec::with_capacity(slice.rows));
            self.file.read_rows(slice, column, most, &mut |value| {
                let value = if let ColumnValue::Text(value) = value { value } else { b"" };
                table::push_canonical(value, alone, &mut fields);
                if before + fields.len() > most {
                    bail!(too_long(slice.rows, most));
                }
                ends.push(fields.len());
                Ok(())
            })?;
            before += fields.len();
            decoded.push((fields, ends));
        }
        for row in 0..slice.rows {
            for (place, (fields, ends)) in decoded.iter().enumerate() {
                let from = row.checked_sub(1).map_or(0, |before| ends[before]);
                if place > 0 {
                    text.push(b',');
                }
                text.extend_from_slice(&fields[from..ends[row]]);
            }
            text.push(b'\n');
        }
        Ok(begin)
    }
}

fn too_long(rows: usize, most: usize) -> String {
    let most = size(most as u64);
    format!(
        "{rows} rows take more than {most} of text; choose columns, raise --max-memory, or write smaller row groups"
    )
}
