//! What a file says of itself, in its last bytes: its columns, and where their values are.
//!
//! Read here and not by the crate, which believes what it reads: it follows the schema as deep as that goes, and takes
//! memory by the counts that it finds.

use super::file::{SharedFile, damaged, unreadable};
use super::text::Meaning;
use super::thrift::{Flaw, Kind, Thrift};
use crate::budget::Share;
use anyhow::{Result, anyhow, bail};
use parquet::basic::{Repetition, Type};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, ColumnPath, Type as SchemaType};
use std::sync::Arc;

/// No table is nested so deeply.
const DEPTH: usize = 100;
/// No codec makes more of its bytes but by accident: 2^15 times by zstd, 1,032 times by gzip.
const MOST_PER_BYTE: u64 = 1 << 16;

/// Names take no more bytes for each byte of the footer.
const NAMES_PER_BYTE: u64 = 32;

/// The columns of a file, and its row groups.
#[derive(Debug)]
pub(super) struct Footer {
    /// All leaves of the schema that have one value a row.
    pub(super) columns: Vec<Column>,
    /// The columns that have more, by their paths.
    pub(super) lists: Vec<String>,
    pub(super) groups: Vec<Group>,
}

/// A column with one value a row.
#[derive(Debug)]
pub(super) struct Column {
    /// Its path: `a.b`.
    pub(super) name: String,
    /// Its place among all leaves.
    leaf: usize,
    /// What the crate has to know of it.
    pub(super) descriptor: ColumnDescPtr,
    pub(super) meaning: Meaning,
}

/// Some rows of all columns.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) rows: usize,
    /// About how many bytes they take.
    pub(super) bytes: u64,
    /// Where the values are, for each of [`Footer::columns`].
    pub(super) chunks: Vec<Chunk>,
}

/// Where the values of a column are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) codec: i64,
    pub(super) start: i64,
    pub(super) length: i64,
    pub(super) has_dictionary: bool,
}

impl Footer {
    /// Reads the end of `file`; `share` is what that takes.
    pub(super) fn read(file: &SharedFile, share: &mut Share) -> Result<Self> {
        const END: u64 = 8;
        let before = file.length().checked_sub(END).ok_or_else(|| damaged("it has no end"))?;
        let end = file.read(before, END as usize)?;
        let (length, magic) = end.split_at(4);
        match magic {
            b"PAR1" => {}
            b"PARE" => bail!("this Parquet file is encrypted; decrypt it first"),
            _ => return Err(damaged("it does not end as Parquet does")),
        }
        let length = length.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        let start =
            before.checked_sub(length).ok_or_else(|| damaged("its footer is longer than the file"))?;
        // Names and places take at most twice the bytes that they are written in.
        share.resize(3 * length).map_err(|much| anyhow!(much.explain("what the file says of itself")))?;
        let bytes = file.read(start, length as usize)?;
        parse(&bytes, start, share, 3 * length)
    }
}

fn flawed(flaw: Flaw) -> anyhow::Error {
    damaged(&format!("in its footer {}", flaw.explain()))
}

/// `data` is how many bytes are before the footer; `held` are held already.
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
    let mut tree = Tree { columns: Vec::new(), lists: Vec::new(), leaves: Vec::new(), names: 0 };
    tree.grow(&elements, |names| {
        // Each has those of the groups around it before its own.
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

/// A node of the schema.
#[derive(Default)]
struct Element<'a> {
    physical: Option<i64>,
    length: i64,
    repetition: i64,
    name: &'a [u8],
    children: u32,
    converted: Option<i64>,
    scale: i64,
    logical: Option<Logical>,
}

/// What newer files say that the values mean.
#[derive(Clone, Copy)]
enum Logical {
    /// Lists and maps.
    Repeated,
    Decimal {
        scale: i64,
    },
    Is(Meaning),
}

impl<'a> Element<'a> {
    fn read(thrift: &mut Thrift<'a>) -> Result<Self, Flaw> {
        let mut element = Self::default();
        thrift.fields(|thrift, number, kind| {
            match number {
                1 => element.physical = Some(thrift.integer(kind)?),
                2 => element.length = thrift.integer(kind)?,
                3 => element.repetition = thrift.integer(kind)?,
                4 => element.name = thrift.binary(kind)?,
                5 => element.children = thrift.count(kind)?,
                6 => element.converted = Some(thrift.integer(kind)?),
                7 => element.scale = thrift.integer(kind)?,
                10 => {
                    Thrift::expect_struct(kind)?;
                    element.logical = Some(logical(thrift)?);
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(element)
    }

    /// Whether it stands around the entries of a list or a map.
    fn is_list(&self) -> bool {
        matches!(self.logical, Some(Logical::Repeated)) || matches!(self.converted, Some(1..=3))
    }

    /// What its values mean: newer files have a logical type, older ones a converted one, and a few neither.
    fn meaning(&self) -> Result<Meaning> {
        let decimal = |scale: i64| match u8::try_from(scale) {
            Ok(scale) => Ok(Meaning::Decimal(scale)),
            Err(_) => Err(damaged(&format!("a decimal number with {scale} places"))),
        };
        Ok(match (self.logical, self.converted) {
            (Some(Logical::Is(meaning)), _) => meaning,
            (Some(Logical::Decimal { scale }), _) => decimal(scale)?,
            (None, Some(5)) => decimal(self.scale)?,
            (None, Some(6)) => Meaning::Date,
            (None, Some(7)) => Meaning::Time(1_000),
            (None, Some(8)) => Meaning::Time(1_000_000),
            (None, Some(9)) => Meaning::Timestamp { unit: 1_000, utc: true },
            (None, Some(10)) => Meaning::Timestamp { unit: 1_000_000, utc: true },
            (None, Some(11..=14)) => Meaning::Unsigned,
            _ => Meaning::Plain,
        })
    }

    /// What the crate has to know of a column of these values.
    fn descriptor(&self, level: i16) -> Result<ColumnDescriptor> {
        let physical = match self.physical {
            Some(0) => Type::BOOLEAN,
            Some(1) => Type::INT32,
            Some(2) => Type::INT64,
            Some(3) => Type::INT96,
            Some(4) => Type::FLOAT,
            Some(5) => Type::DOUBLE,
            Some(6) => Type::BYTE_ARRAY,
            Some(7) => Type::FIXED_LEN_BYTE_ARRAY,
            _ => return Err(damaged("a column has no type that there is")),
        };
        let mut length = -1;
        if physical == Type::FIXED_LEN_BYTE_ARRAY {
            length = i32::try_from(self.length)
                .ok()
                .filter(|&length| length > 0)
                .ok_or_else(|| damaged(&format!("values of {} bytes", self.length)))?;
        }
        // The crate wants a name for its own messages only.
        let primitive = SchemaType::primitive_type_builder("values", physical)
            .with_repetition(Repetition::REQUIRED)
            .with_length(length)
            .build()
            .map_err(|error| unreadable(&error.to_string()))?;
        Ok(ColumnDescriptor::new(Arc::new(primitive), level, 0, ColumnPath::from("values")))
    }
}

fn logical(thrift: &mut Thrift<'_>) -> Result<Logical, Flaw> {
    let mut found = Logical::Is(Meaning::Plain);
    thrift.fields(|thrift, number, kind| {
        let mut scale = 0;
        let (mut is_true, mut unit) = (false, 1_000);
        Thrift::expect_struct(kind)?;
        thrift.fields(|thrift, inner, kind| {
            match (number, inner, kind) {
                (5, 1, _) => scale = thrift.integer(kind)?,
                // Whether it is in UTC, or has a sign: the same place in all three.
                (7 | 8, 1, Kind::True) | (10, 2, Kind::True) => is_true = true,
                (7 | 8, 2, Kind::Struct) => thrift.fields(|_, which, _| {
                    unit = match which {
                        1 => 1_000,
                        2 => 1_000_000,
                        _ => 1_000_000_000,
                    };
                    Ok(false)
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        found = match number {
            2 | 3 => Logical::Repeated,
            5 => Logical::Decimal { scale },
            6 => Logical::Is(Meaning::Date),
            7 => Logical::Is(Meaning::Time(unit)),
            8 => Logical::Is(Meaning::Timestamp { unit, utc: is_true }),
            10 if !is_true => Logical::Is(Meaning::Unsigned),
            14 => Logical::Is(Meaning::Uuid),
            15 => Logical::Is(Meaning::HalfFloat),
            _ => Logical::Is(Meaning::Plain),
        };
        Ok(true)
    })?;
    Ok(found)
}

/// The leaves of a schema.
struct Tree {
    columns: Vec<Column>,
    lists: Vec<String>,
    /// The physical type of every leaf.
    leaves: Vec<i64>,
    /// How many bytes the names take.
    names: u64,
}

/// A group whose children are being read.
struct Open {
    children: u32,
    /// How many of the nodes down to here may be missing.
    level: i16,
    /// How much of the path leads here.
    path: usize,
    is_list: bool,
    /// Whether its leaves are those of a list, which has been named.
    is_within: bool,
}

impl Tree {
    /// Reads the nodes, which stand in the order of their depth; `hold` hears how many bytes the names take.
    fn grow(&mut self, elements: &[Element<'_>], mut hold: impl FnMut(u64) -> Result<()>) -> Result<()> {
        let (root, rest) = elements.split_first().ok_or_else(|| damaged("its schema is empty"))?;
        let mut open =
            vec![Open { children: root.children, level: 0, path: 0, is_list: false, is_within: false }];
        let mut path = Vec::new();
        for element in rest {
            while open.last().is_some_and(|group| group.children == 0) {
                open.pop();
            }
            let Some(parent) = open.last_mut() else {
                return Err(damaged("its schema has nodes without a parent"));
            };
            parent.children -= 1;
            path.truncate(parent.path);
            if parent.path > 0 {
                path.push(b'.');
            }
            path.extend_from_slice(element.name);
            let is_repeated = element.repetition == 2;
            if is_repeated && !parent.is_within {
                let named = if parent.is_list { &path[..parent.path] } else { &path[..] };
                self.names += named.len() as u64;
                hold(self.names)?;
                self.lists.push(String::from_utf8_lossy(named).into_owned());
            }
            let is_within = parent.is_within || is_repeated;
            let level = parent.level + i16::from(element.repetition != 0);
            if element.children > 0 {
                if open.len() > DEPTH {
                    return Err(unreadable(&format!("its columns are nested more than {DEPTH} deep")));
                }
                let (children, is_list) = (element.children, element.is_list());
                open.push(Open { children, level, path: path.len(), is_list, is_within });
            } else if let Some(physical) = element.physical {
                let leaf = self.leaves.len();
                self.leaves.push(physical);
                if !is_within {
                    self.names += path.len() as u64;
                    hold(self.names)?;
                    let name = String::from_utf8_lossy(&path).into_owned();
                    let descriptor = Arc::new(element.descriptor(level)?);
                    self.columns.push(Column { name, leaf, descriptor, meaning: element.meaning()? });
                }
            }
        }
        if open.iter().any(|group| group.children > 0) {
            return Err(damaged("its schema has fewer nodes than it says"));
        }
        self.lists.dedup();
        Ok(())
    }
}

/// A row group as it is written.
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
            bail!("this Parquet file has no column with one value a row; unnest its lists first");
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
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    /// An error says what is wrong with the column.
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
        // Some writers say 0 for none.
        let dictionary = self.dictionary.filter(|&place| place > 0 && place < self.data);
        Ok(Chunk {
            codec: self.codec,
            start: dictionary.unwrap_or(self.data),
            length: self.length,
            has_dictionary: self.dictionary.is_some(),
        })
    }
}
