//! Parquet: the columns of a file, decoded one by one, each value as its canonical text ([`text`]).

mod file;
mod text;

use anyhow::{Context, Result, bail};
use file::{SharedFile, damaged, fenced};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;
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
    /// The name that messages show.
    file: String,
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
        f.debug_struct("ParquetColumns").field("file", &self.file).finish_non_exhaustive()
    }
}

impl ParquetColumns {
    /// Reads what the file says of itself.
    #[allow(dead_code, reason = "the profile opens it so")]
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Self::open_unnamed(path).with_context(|| path.display().to_string())
    }

    /// The same, with an error that does not name the file.
    pub(in crate::input) fn open_unnamed(path: &Path) -> Result<Self> {
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
        Ok(Self { file: path.display().to_string(), reader, names, leaves, lists, rows })
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

    /// Tells every value of the column at `place`, in order.
    #[allow(dead_code, reason = "the profile reads so")]
    pub(crate) fn read_column(
        &self,
        place: usize,
        each: &mut dyn FnMut(ColumnValue<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut teller = self.teller(place).with_context(|| self.file.clone())?;
        (0..).map_while(|group| self.group(group)).try_for_each(|(rows, _)| {
            self.tell(rows, place, &mut teller, each).with_context(|| self.file.clone())
        })
    }

    /// All rows of a row group, and about how many bytes they take.
    pub(in crate::input) fn group(&self, group: usize) -> Option<(Slice, u64)> {
        let metadata = self.reader.metadata().row_groups().get(group)?;
        let bytes = metadata.total_byte_size().max(0) as u64;
        Some((Slice { group, from: 0, rows: metadata.num_rows() as usize }, bytes))
    }

    /// Tells the values of some rows of the column at `place`, in order. An error does not name the file.
    pub(in crate::input) fn read_rows(&self, slice: Slice, place: usize, each: Each<'_>) -> Result<()> {
        self.tell(slice, place, &mut self.teller(place)?, each)
    }

    fn teller(&self, place: usize) -> Result<Teller> {
        let column = self.reader.metadata().file_metadata().schema_descr().column(self.leaves[place]);
        Teller::new(&column).with_context(|| self.column(place))
    }

    fn tell(&self, slice: Slice, place: usize, teller: &mut Teller, each: Each<'_>) -> Result<()> {
        let reader = fenced(|| self.reader.get_row_group(slice.group)?.get_column_reader(self.leaves[place]));
        let told = reader.and_then(|reader| teller.tell(reader, slice, each));
        told.with_context(|| self.column(place))
    }

    fn column(&self, place: usize) -> String {
        format!("column '{}'", self.names[place])
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

    /// Tells the values that `reader` has in these rows.
    fn tell(&mut self, reader: ColumnReader, rows: Slice, each: Each<'_>) -> Result<()> {
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

/// Tells so many rows of a column of one physical type.
fn tell<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    level: i16,
    Slice { from, mut rows, .. }: Slice,
    each: Each<'_>,
    mut tell: impl FnMut(&T::T, Each<'_>) -> Result<()>,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    if fenced(|| reader.skip_records(from))? < from {
        return Err(damaged("rows are not there"));
    }
    while rows > 0 {
        values.clear();
        levels.clear();
        let wanted = rows.min(BATCH);
        let (read, ..) = fenced(|| reader.read_records(wanted, Some(&mut levels), None, &mut values))?;
        if read == 0 {
            return Err(damaged(&format!("{rows} rows are not there")));
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
        rows -= read;
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
