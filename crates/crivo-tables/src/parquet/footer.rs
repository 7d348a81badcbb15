//! The footer of a file: its columns, and the places of their values.
//!
//! This module reads the footer instead of the `parquet` crate, which trusts its input: the crate recurses as deep
//! as the schema is nested, and allocates memory by the counts in the footer.

use super::file::{SharedFile, damaged, unreadable};
use super::schema::{Column, Element, Tree};
use super::thrift::{Flaw, Thrift};
use crate::budget::Share;
use anyhow::{Result, anyhow, bail};

/// The largest compression ratio that is accepted. Real ratios are smaller: at most 2^15 for zstd and 1,032 for
/// gzip.
const MOST_PER_BYTE: u64 = 1 << 16;

/// The largest number of bytes of column names for each byte of the footer.
const NAMES_PER_BYTE: u64 = 32;

/// The columns and the row groups of a file.
#[derive(Debug)]
pub(super) struct Footer {
    /// All leaves of the schema that have one value per row.
    pub(super) columns: Vec<Column>,
    /// The paths of the columns that have more than one value per row.
    pub(super) lists: Vec<String>,
    pub(super) groups: Vec<Group>,
}

/// A row group: some rows of all columns.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) rows: usize,
    /// The approximate number of bytes of the rows.
    pub(super) bytes: u64,
    /// The place of the values, for each of [`Footer::columns`].
    pub(super) chunks: Vec<Chunk>,
}

/// The place of a column's values in a row group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) codec: i64,
    pub(super) start: i64,
    pub(super) length: i64,
    pub(super) has_dictionary: bool,
    /// The place of the Bloom filter, if there is one.
    pub(super) filter: Option<i64>,
}

impl Footer {
    /// Reads the footer of `file`. Its memory counts in `share`.
    pub(super) fn read(file: &SharedFile, share: &mut Share) -> Result<Self> {
        const END: u64 = 8;
        let before = file.length().checked_sub(END).ok_or_else(|| damaged("it has no end"))?;
        let end = file.read(before, END as usize)?;
        let (length, magic) = end.split_at(4);
        match magic {
            b"PAR1" => {}
            b"PARE" => bail!("this Parquet file is encrypted; decrypt it first"),
            _ => return Err(damaged("it does not end like a Parquet file")),
        }
        let length = length.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        let start =
            before.checked_sub(length).ok_or_else(|| damaged("its footer is longer than the file"))?;
        // Names and places take at most twice the bytes of the footer, in addition to the footer itself.
        share.resize(3 * length).map_err(|much| anyhow!(much.explain("what the file says of itself")))?;
        let bytes = file.read(start, length as usize)?;
        parse(&bytes, start, share, 3 * length)
    }
}

fn flawed(flaw: Flaw) -> anyhow::Error {
    damaged(&format!("in its footer {}", flaw.explain()))
}

/// Parses the footer. `data` is the number of bytes before it; `held` bytes are already in `share`.
fn parse(bytes: &[u8], data: u64, share: &mut Share, held: u64) -> Result<Footer> {
    let (mut schema, mut groups, mut is_encrypted) = (None, None, false);
    let read = Thrift::new(bytes).fields(|thrift, number, kind| {
        match number {
            2 => schema = Some((*thrift, kind)),
            4 => groups = Some((*thrift, kind)),
            8 => is_encrypted = true,
            _ => {}
        }
        Ok(false)
    });
    read.map_err(flawed)?;
    if is_encrypted {
        bail!("this Parquet file is encrypted; decrypt it first");
    }
    let (mut thrift, kind) = schema.ok_or_else(|| damaged("it has no schema"))?;
    let mut elements = Vec::new();
    let told = thrift.structs(kind, |thrift| {
        elements.push(Element::read(thrift)?);
        Ok(())
    });
    told.map_err(flawed)?;
    let mut tree = Tree::default();
    tree.grow(&elements, |names| {
        // The path of a column includes the names of all groups around it, so paths can be much longer than the
        // footer.
        if names > NAMES_PER_BYTE * bytes.len() as u64 {
            return Err(unreadable("the names of its columns are too long"));
        }
        share
            .resize(held.saturating_add(names))
            .map_err(|much| anyhow!(much.explain("the names of its columns")))
    })?;
    let Tree { columns, lists, leaves, .. } = tree;
    let (mut thrift, kind) = groups.ok_or_else(|| damaged("it has no row groups"))?;
    let mut read = Vec::new();
    let mut wrong = None;
    let told = thrift.structs(kind, |thrift| {
        let group = RawGroup::read(thrift)?;
        if wrong.is_none() {
            match group.check(&columns, &leaves, data) {
                Ok(group) => read.push(group),
                Err(error) => wrong = Some(error),
            }
        }
        Ok(())
    });
    told.map_err(flawed)?;
    wrong.map_or(Ok(()), Err)?;
    Ok(Footer { columns, lists, groups: read })
}

/// A row group as written.
#[derive(Default)]
struct RawGroup {
    chunks: Vec<RawChunk>,
    bytes: i64,
    rows: i64,
}

#[derive(Default)]
struct RawChunk {
    is_elsewhere: bool,
    is_encrypted: bool,
    has_metadata: bool,
    physical: i64,
    codec: i64,
    values: i64,
    length: i64,
    data: i64,
    dictionary: Option<i64>,
    filter: Option<i64>,
}

impl RawGroup {
    fn read(thrift: &mut Thrift<'_>) -> Result<Self, Flaw> {
        let mut group = Self::default();
        thrift.fields(|thrift, number, kind| {
            match number {
                1 => thrift.structs(kind, |thrift| {
                    group.chunks.push(RawChunk::read(thrift)?);
                    Ok(())
                })?,
                2 => group.bytes = thrift.integer(kind)?,
                3 => group.rows = thrift.integer(kind)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(group)
    }

    fn check(&self, columns: &[Column], leaves: &[i64], data: u64) -> Result<Group> {
        if self.chunks.len() != leaves.len() {
            return Err(damaged(&format!(
                "a row group has {} columns, the schema {}",
                self.chunks.len(),
                leaves.len()
            )));
        }
        let Ok(rows) = usize::try_from(self.rows) else {
            return Err(damaged(&format!("a row group of {} rows", self.rows)));
        };
        if rows > 0 && columns.is_empty() {
            bail!("this Parquet file has no column with one value per row; unnest its lists first");
        }
        let chunk = |column: &Column| {
            let chunk = &self.chunks[column.leaf];
            chunk
                .check(self.rows, leaves[column.leaf])
                .map_err(|what| damaged(&format!("column '{}' {what}", column.name)))
        };
        let chunks = columns.iter().map(chunk).collect::<Result<Vec<_>>>()?;
        let possible = self.chunks.iter().map(|chunk| {
            let bytes = (chunk.length.max(0) as u64).min(data);
            if chunk.codec == 0 { bytes } else { bytes.saturating_mul(MOST_PER_BYTE) }
        });
        let bytes = possible.fold(0, u64::saturating_add).min(self.bytes.max(0) as u64);
        Ok(Group { rows, bytes, chunks })
    }
}

impl RawChunk {
    fn read(thrift: &mut Thrift<'_>) -> Result<Self, Flaw> {
        let mut chunk = Self::default();
        thrift.fields(|thrift, number, kind| {
            match number {
                1 => chunk.is_elsewhere = true,
                3 => {
                    Thrift::expect_struct(kind)?;
                    chunk.has_metadata = true;
                    chunk.read_metadata(thrift)?;
                    return Ok(true);
                }
                8 | 9 => chunk.is_encrypted = true,
                _ => {}
            }
            Ok(false)
        })?;
        Ok(chunk)
    }

    fn read_metadata(&mut self, thrift: &mut Thrift<'_>) -> Result<(), Flaw> {
        thrift.fields(|thrift, number, kind| {
            match number {
                1 => self.physical = thrift.integer(kind)?,
                4 => self.codec = thrift.integer(kind)?,
                5 => self.values = thrift.integer(kind)?,
                7 => self.length = thrift.integer(kind)?,
                9 => self.data = thrift.integer(kind)?,
                11 => self.dictionary = Some(thrift.integer(kind)?),
                14 => self.filter = Some(thrift.integer(kind)?),
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    /// Checks the chunk, or returns an error that says what is wrong with the column.
    fn check(&self, rows: i64, physical: i64) -> Result<Chunk, String> {
        if self.is_encrypted || self.is_elsewhere || !self.has_metadata {
            return Err("is encrypted or in another file".into());
        }
        if self.values != rows {
            return Err(format!("has {} values in {rows} rows", self.values));
        }
        if self.physical != physical {
            return Err("has another type than the schema says".into());
        }
        // Some writers write 0 if there is no dictionary.
        let dictionary = self.dictionary.filter(|&place| place > 0 && place < self.data);
        Ok(Chunk {
            codec: self.codec,
            start: dictionary.unwrap_or(self.data),
            length: self.length,
            has_dictionary: self.dictionary.is_some(),
            filter: self.filter,
        })
    }
}
