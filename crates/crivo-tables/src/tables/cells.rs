//! Splits a piece into cells, column by column.

use super::layout::{MOST_COLUMNS, Places, too_many};
use crate::fields::Fields;
use crate::json::{Leaves, advised, text_at};
use crate::json_path::Path;
use crate::lines::for_each_line;
use crate::{Fault, Input, Missing, Syntax, Texts};
use crivo::HashSpec;
use crivo::hash::BytesHasher;

/// The place of a cell's text, and its hash. For a run of rows without a value, `start` is the number of these
/// rows. So a piece takes little memory, even if many columns are mostly empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    hash: u64,
    start: u32,
    length: u32,
}

/// The content of a cell.
pub(super) enum Content<'a> {
    /// A run of this many rows without a value.
    Missing(u64),
    Value {
        text: &'a [u8],
        hash: u64,
    },
}

/// The number of rows of a piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) rows: u64,
    /// The number of rows with fewer fields than there are columns.
    pub(super) short_rows: u64,
    /// The number of rows with more fields than there are columns.
    pub(super) long_rows: u64,
}

/// The cells of one piece.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) hasher: BytesHasher,
    pub(super) missing: Missing,
    /// The requested paths of JSON, or none if all are read.
    paths: Vec<(String, Path)>,
    /// The path of the group in JSON.
    by: Option<Path>,
    /// The group of each row, as written.
    pub(super) groups: Texts,
    /// Whether lines that are not JSON are left out; their number; and the first of them with its error.
    skips_invalid: bool,
    pub(super) invalid: u64,
    pub(super) first_invalid: Option<(u64, String)>,
    pub(super) size: Size,
    pub(super) lines: u64,
    columns: Vec<Gathered>,
    /// The number of `columns` that this piece uses.
    used: usize,
    /// The names of the JSON columns.
    leaves: Leaves,
    /// The texts that differ from their bytes in the piece.
    unescaped: Vec<u8>,
}

#[derive(Debug, Default)]
struct Gathered {
    cells: Vec<Cell>,
    /// The number of rows of the cells.
    rows: u64,
    replaced: u64,
}

impl Gathered {
    /// Adds rows without a value.
    fn push_missing(&mut self, rows: u64) {
        self.rows += rows;
        match self.cells.last_mut() {
            Some(Cell { length: 0, start, .. }) => *start += rows as u32,
            _ => self.cells.push(Cell { hash: 0, start: rows as u32, length: 0 }),
        }
    }

    /// Removes the last row.
    fn pop(&mut self) {
        self.rows -= 1;
        match self.cells.last_mut() {
            Some(Cell { length: 0, start, .. }) if *start > 1 => *start -= 1,
            _ => {
                self.cells.pop();
            }
        }
    }
}

impl Cells {
    pub(super) fn new(spec: HashSpec, input: &Input) -> Self {
        Self {
            hasher: spec.bytes_hasher(),
            missing: input.missing.clone(),
            paths: input
                .columns
                .of_json()
                .values
                .into_iter()
                .map(|text| (text.clone(), Path::new(&text)))
                .collect(),
            by: input.columns.by.as_deref().map(Path::new),
            groups: Texts::default(),
            skips_invalid: input.skips_invalid,
            invalid: 0,
            first_invalid: None,
            size: Size::default(),
            lines: 0,
            columns: Vec::new(),
            used: 0,
            leaves: Leaves::default(),
            unescaped: Vec::new(),
        }
    }

    /// Splits `data` into cells. A fault names the line in `data`.
    pub(super) fn cut(&mut self, data: &[u8], syntax: Syntax, places: &Places) -> Result<(), Fault> {
        self.clear();
        match syntax {
            Syntax::Lines { end } => {
                self.columns(1);
                for_each_line(data, end, |line, _, _| {
                    self.push(0, line, data, self.missing.is_line(line));
                    self.size.rows += 1;
                });
                self.lines = self.size.rows;
                Ok(())
            }
            Syntax::Table { delimiter, .. } => {
                self.cut_table(data, delimiter, places);
                Ok(())
            }
            // Rows of Parquet are decoded elsewhere, and whole files are not tables.
            Syntax::Parquet | Syntax::Whole => Ok(()),
            Syntax::JsonLines => self.cut_json(data),
        }
    }

    fn clear(&mut self) {
        (self.size, self.lines, self.used) = (Size::default(), 0, 0);
        (self.invalid, self.first_invalid) = (0, None);
        self.leaves.clear();
        self.unescaped.clear();
        self.groups.clear();
    }

    /// Makes room for at least this many columns.
    fn columns(&mut self, number: usize) {
        while self.used < number {
            if self.used == self.columns.len() {
                self.columns.push(Gathered::default());
            }
            let column = &mut self.columns[self.used];
            column.cells.clear();
            (column.rows, column.replaced) = (0, 0);
            self.used += 1;
        }
    }

    /// Adds the next cell of a column. Its text is a part of `data`, or it is copied.
    #[inline]
    fn push_value(&mut self, column: usize, text: &[u8], data: &[u8]) {
        self.push(column, text, data, self.missing.contains(text));
    }

    #[inline]
    fn push(&mut self, column: usize, text: &[u8], data: &[u8], is_missing: bool) {
        let column = &mut self.columns[column];
        if is_missing {
            column.replaced += u64::from(!text.is_empty());
            column.push_missing(1);
            return;
        }
        let at = (text.as_ptr() as usize).wrapping_sub(data.as_ptr() as usize);
        let start = if at < data.len() {
            at
        } else {
            self.unescaped.extend_from_slice(text);
            data.len() + self.unescaped.len() - text.len()
        };
        // Pieces and their unescaped texts are shorter than 4 GiB.
        let (start, length) = (start as u32, text.len() as u32);
        column.cells.push(Cell { hash: self.hasher.hash(text), start, length });
        column.rows += 1;
    }

    fn cut_table(&mut self, data: &[u8], delimiter: u8, places: &Places) {
        self.columns(places.fields.len());
        let mut records = Fields::new(data, delimiter);
        while let Some(record) = records.next() {
            let width = record.iter().len();
            self.size.rows += 1;
            self.size.short_rows += u64::from(width < places.width);
            self.size.long_rows += u64::from(width > places.width);
            if let Some(by) = places.by {
                self.groups.push(record.get(by));
            }
            for (column, &place) in places.fields.iter().enumerate() {
                self.push_value(column, record.get(place), data);
            }
        }
        self.lines = records.lines();
    }

    fn cut_json(&mut self, data: &[u8]) -> Result<(), Fault> {
        let (mut leaves, paths) = (std::mem::take(&mut self.leaves), std::mem::take(&mut self.paths));
        let mut fault = None;
        // The line is read on trial first. Otherwise the cells before its error would have to be removed.
        let mut trial = Leaves::default();
        for_each_line(data, b'\n', |line, _, _| {
            let line = line.trim_ascii();
            if fault.is_some() || line.is_empty() {
            } else if self.skips_invalid
                && let Err(what) = trial.read(line, &paths, |_, _| {})
            {
                self.invalid += 1;
                self.first_invalid.get_or_insert((self.lines, what));
            } else {
                let told = leaves.read(line, &paths, |place, text| {
                    self.columns(place + 1);
                    self.pad(place);
                    // Of repeated names the last one counts.
                    if self.columns[place].rows > self.size.rows {
                        self.columns[place].pop();
                    }
                    self.push_value(place, text, data);
                });
                let grouped = self
                    .by
                    .as_ref()
                    .map_or(Ok(()), |by| text_at(line, by).map(|text| self.groups.push(text.as_bytes())));
                fault = told.and(grouped).err().map(|what| Fault::at(self.lines, advised(&what)));
                if leaves.names().len() > MOST_COLUMNS {
                    fault = Some(too_many());
                }
                self.size.rows += 1;
            }
            self.lines += 1;
        });
        (self.leaves, self.paths) = (leaves, paths);
        for place in 0..self.used {
            self.pad(place);
        }
        fault.map_or(Ok(()), Err)
    }

    /// Adds a missing value for each earlier row that does not have the column.
    fn pad(&mut self, place: usize) {
        let column = &mut self.columns[place];
        if column.rows < self.size.rows {
            column.push_missing(self.size.rows - column.rows);
        }
    }

    /// Returns the names of the columns, if the piece has names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.leaves.names().take(self.used)
    }

    /// Returns the cells of a column, and the number of its texts that stand for a missing value.
    pub(super) fn column(&self, place: usize) -> (&[Cell], u64) {
        let Gathered { cells, replaced, .. } = &self.columns[place];
        (cells, *replaced)
    }

    #[inline]
    pub(super) fn content<'a>(&'a self, cell: &Cell, data: &'a [u8]) -> Content<'a> {
        let (start, length) = (cell.start as usize, cell.length as usize);
        if length == 0 {
            return Content::Missing(start as u64);
        }
        let text = match start.checked_sub(data.len()) {
            Some(start) => &self.unescaped[start..start + length],
            None => &data[start..start + length],
        };
        Content::Value { text, hash: cell.hash }
    }
}
