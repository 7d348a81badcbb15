//! Parquet: the columns of a file, decoded one by one, each value as its canonical text ([`text`]).

mod dictionary;
mod file;
mod text;

use anyhow::{Context, Result, bail};
use dictionary::Dictionary;
use file::{SharedFile, damaged, fenced};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};
use std::fmt;
use std::path::Path;
use text::{Meaning, TextCache};

/// Rows decoded at a time: enough that a step costs nothing, few enough for the cache.
const BATCH: usize = 4096;

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnValue<'a> {
    /// Null, or empty.
    Missing,
    /// Its canonical text.
    Text(&'a [u8]),
}

/// The columns of a file: all leaves of its schema but those within lists and maps.
pub(crate) struct ParquetColumns {
    reader: SerializedFileReader<SharedFile>,
    /// Called by their paths: `a.b`.
    names: Vec<String>,
    /// The leaf of each.
    leaves: Vec<usize>,
    lists: Vec<String>,
    rows: u64,
}

impl fmt::Debug for ParquetColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetColumns").field("names", &self.names).finish_non_exhaustive()
    }
}

impl ParquetColumns {
    /// Reads what the file says of itself.
    pub(in crate::input) fn open(path: &Path) -> Result<Self> {
        if !path.metadata()?.is_file() {
            bail!("Parquet is read from its end, so it must be a file; save it first");
        }
        let file = SharedFile::open(path)?;
        let reader = fenced(|| SerializedFileReader::new(file))?;
        let metadata = reader.metadata();
        let (mut names, mut leaves, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for (leaf, column) in metadata.file_metadata().schema_descr().columns().iter().enumerate() {
            if column.max_rep_level() > 0 {
                lists.push(column.path().string());
            } else {
                names.push(column.path().string());
                leaves.push(leaf);
            }
        }
        let rows = metadata.row_groups().iter().try_fold(0u64, |rows, group| {
            u64::try_from(group.num_rows()).ok().and_then(|more| rows.checked_add(more))
        });
        let rows = rows.ok_or_else(|| damaged("no such number of rows"))?;
        Ok(Self { reader, names, leaves, lists, rows })
    }

    /// The names of the columns; those of nested ones are paths, `a.b`.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The columns that have more than one value a row, and are left out.
    pub(crate) fn lists(&self) -> &[String] {
        &self.lists
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// All rows of a row group, and about how many bytes they take.
    pub(in crate::input) fn group(&self, group: usize) -> Option<(Slice, u64)> {
        let metadata = self.reader.metadata().row_groups().get(group)?;
        let bytes = metadata.total_byte_size().max(0) as u64;
        Some((Slice { group, from: 0, rows: metadata.num_rows() as usize }, bytes))
    }

    /// Tells the values of some rows of the column at `place`, in order.
    pub(in crate::input) fn read_rows(&self, slice: Slice, place: usize, each: Each<'_>) -> Result<()> {
        self.tell(slice, self.leaves[place], each).with_context(|| format!("column '{}'", self.names[place]))
    }

    fn tell(&self, slice: Slice, leaf: usize, each: Each<'_>) -> Result<()> {
        let Slice { group, from, rows } = slice;
        let metadata = self.reader.metadata();
        let column = metadata.file_metadata().schema_descr().column(leaf);
        let mut teller = Teller::new(&column)?;
        let has_dictionary = metadata.row_group(group).column(leaf).dictionary_page_offset().is_some();
        let mut told = 0;
        if has_dictionary && column.physical_type() == Type::BYTE_ARRAY {
            let pages = fenced(|| self.reader.get_row_group(group)?.get_column_page_reader(leaf))?;
            told = teller.tell_numbered(column, pages, slice, each)?;
        }
        if told < rows {
            let rest = Slice { group, from: from + told, rows: rows - told };
            let reader = fenced(|| self.reader.get_row_group(group)?.get_column_reader(leaf))?;
            told += teller.tell(reader, rest, each)?;
        }
        if told < rows {
            return Err(damaged(&format!("{} rows are not there", rows - told)));
        }
        Ok(())
    }
}

/// Some rows of a row group.
#[derive(Clone, Copy, Debug)]
pub(in crate::input) struct Slice {
    pub(in crate::input) group: usize,
    pub(in crate::input) from: usize,
    pub(in crate::input) rows: usize,
}

/// Turns the values of a column into text.
struct Teller {
    meaning: Meaning,
    /// The level of a value that is there; a null has less.
    level: i16,
    cache: TextCache,
    scratch: Vec<u8>,
}

/// Takes value after value.
pub(in crate::input) type Each<'a> = &'a mut dyn FnMut(ColumnValue<'_>) -> Result<()>;

impl Teller {
    fn new(column: &ColumnDescriptor) -> Result<Self> {
        let (meaning, level) = (meaning(column)?, column.max_def_level());
        Ok(Self { meaning, level, cache: TextCache::new(), scratch: Vec::new() })
    }

    /// Tells the values of these rows up to the first that has no number in the dictionary; returns how many.
    fn tell_numbered(
        &mut self,
        column: ColumnDescPtr,
        pages: Box<dyn PageReader>,
        rows: Slice,
        each: Each<'_>,
    ) -> Result<usize> {
        let dictionary = Dictionary::default();
        let reader = dictionary.reader(column, pages);
        tell(reader, self.level, rows, each, |&number, each| match dictionary.get(number) {
            Some(value) => tell_bytes(value, self.meaning, &mut self.scratch, each),
            None => Err(damaged("a value is not in its dictionary")),
        })
    }

    /// Tells the values that `reader` has in these rows; returns how many.
    fn tell(&mut self, reader: ColumnReader, rows: Slice, each: Each<'_>) -> Result<usize> {
        let Self { meaning, level, cache, scratch } = self;
        let (meaning, level) = (*meaning, *level);
        match reader {
            ColumnReader::BoolColumnReader(reader) => tell(reader, level, rows, each, |&value, each| {
                each(ColumnValue::Text(if value { b"true" } else { b"false" }))
            }),
            ColumnReader::Int32ColumnReader(reader) => tell(reader, level, rows, each, |&value, each| {
                let value = if meaning == Meaning::Unsigned { (value as u32).into() } else { value.into() };
                each(ColumnValue::Text(cache.text(value as u64, |text| text::integer(value, meaning, text))))
            }),
            ColumnReader::Int64ColumnReader(reader) => tell(reader, level, rows, each, |&value, each| {
                each(ColumnValue::Text(cache.text(value as u64, |text| text::integer(value, meaning, text))))
            }),
            ColumnReader::Int96ColumnReader(reader) => tell(reader, level, rows, each, |value, each| {
                scratch.clear();
                text::int96(value.data(), scratch);
                each(ColumnValue::Text(scratch))
            }),
            ColumnReader::FloatColumnReader(reader) => tell(reader, level, rows, each, |&value, each| {
                let bits = value.to_bits().into();
                each(ColumnValue::Text(cache.text(bits, |text| text::float(value, text))))
            }),
            ColumnReader::DoubleColumnReader(reader) => tell(reader, level, rows, each, |&value, each| {
                each(ColumnValue::Text(cache.text(value.to_bits(), |text| text::float(value, text))))
            }),
            ColumnReader::ByteArrayColumnReader(reader) => tell(reader, level, rows, each, |value, each| {
                tell_bytes(value.data(), meaning, scratch, each)
            }),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                tell(reader, level, rows, each, |value, each| {
                    tell_bytes(value.data(), meaning, scratch, each)
                })
            }
        }
    }
}

/// Tells these rows of a column of one physical type, as far as they are there; returns how many.
fn tell<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    level: i16,
    Slice { from, rows, .. }: Slice,
    each: Each<'_>,
    mut tell: impl FnMut(&T::T, Each<'_>) -> Result<()>,
) -> Result<usize> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    if fenced(|| reader.skip_records(from))? < from {
        return Ok(0);
    }
    let mut told = 0;
    while told < rows {
        values.clear();
        levels.clear();
        let wanted = BATCH.min(rows - told);
        let (read, ..) = fenced(|| reader.read_records(wanted, Some(&mut levels), None, &mut values))?;
        if read == 0 {
            break;
        }
        if values.len() == read {
            values.iter().try_for_each(|value| tell(value, each))?;
        } else {
            let mut values = values.iter();
            for &at in &levels {
                match (at == level).then(|| values.next()).flatten() {
                    Some(value) => tell(value, each)?,
                    None => each(ColumnValue::Missing)?,
                }
            }
        }
        told += read;
    }
    Ok(told)
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

/// What the schema says of a column: newer files have a logical type, older ones a converted one, and a few neither.
fn meaning(column: &ColumnDescriptor) -> Result<Meaning> {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    };
    let decimal = || match u8::try_from(column.type_scale()) {
        Ok(scale) => Ok(Meaning::Decimal(scale)),
        Err(_) => Err(damaged(&format!("a decimal number with {} places", column.type_scale()))),
    };
    let meaning = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Integer(kind)), _) if !kind.is_signed => Meaning::Unsigned,
        (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => decimal()?,
        (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => Meaning::Date,
        (Some(LogicalType::Time(time)), _) => Meaning::Time(unit(&time.unit)),
        (Some(LogicalType::Timestamp(time)), _) => {
            Meaning::Timestamp { unit: unit(&time.unit), utc: time.is_adjusted_to_u_t_c }
        }
        (Some(LogicalType::Uuid), _) => Meaning::Uuid,
        (Some(LogicalType::Float16), _) => Meaning::HalfFloat,
        (None, ConvertedType::TIME_MILLIS) => Meaning::Time(1_000),
        (None, ConvertedType::TIME_MICROS) => Meaning::Time(1_000_000),
        (None, ConvertedType::TIMESTAMP_MILLIS) => Meaning::Timestamp { unit: 1_000, utc: true },
        (None, ConvertedType::TIMESTAMP_MICROS) => Meaning::Timestamp { unit: 1_000_000, utc: true },
        (
            None,
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64,
        ) => Meaning::Unsigned,
        _ => Meaning::Plain,
    };
    Ok(meaning)
}
