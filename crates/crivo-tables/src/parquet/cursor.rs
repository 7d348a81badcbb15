//! A position in a column. The rows of a row group are read in one pass, piece after piece. Only decoding is
//! serial; the threads convert values to text in parallel.

use super::BATCH;
use super::dictionary::{Dictionary, TextPages};
use super::file::{SharedFile, damaged, fenced};
use super::footer::Chunk;
use super::pages::{Pages, Present};
use super::schema::Column;
use crate::budget::Budget;
use anyhow::{Result, bail};
use crivo_report::size;
use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, DataType, Int32Type, Int96};

/// Reads a column of a row group.
pub(super) struct Cursor {
    reader: Reader,
    present: Present,
    /// The number of rows of the current page that have not been read.
    left: usize,
}

enum Reader {
    Numbers { reader: ColumnReaderImpl<Int32Type>, dictionary: Dictionary, pages: TextPages },
    Values(ColumnReader),
}

/// Some rows of a column. A run of numbered texts may be followed by a run of plain texts.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) runs: Vec<Run>,
}

/// Consecutive rows with values of one representation.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) values: Values,
    /// For each row, the definition level: how much of the path to the value exists. Empty if all values exist.
    pub(super) levels: Vec<i16>,
}

/// The values that are not null.
#[derive(Debug)]
pub(super) enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Numbered(Vec<i32>, Dictionary),
    Texts(Texts),
}

/// Texts in one buffer.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ends.iter().scan(0, |begin, &end| {
            let text = &self.bytes[*begin..end];
            *begin = end;
            Some(text)
        })
    }
}

impl Cursor {
    pub(super) fn new(file: &SharedFile, column: &Column, chunk: Chunk, budget: &Budget) -> Result<Self> {
        let pages = Pages::new(file, column, chunk, budget)?;
        let (present, descriptor) = (pages.present(), column.descriptor.clone());
        let reader = if chunk.has_dictionary && descriptor.physical_type() == Type::BYTE_ARRAY {
            let (pages, dictionary) = (TextPages::new(pages), Dictionary::default());
            let reader = ColumnReaderImpl::new(descriptor, pages.numbers(&dictionary));
            Reader::Numbers { reader, dictionary, pages }
        } else {
            Reader::Values(get_column_reader(descriptor, Box::new(pages)))
        };
        Ok(Self { reader, present, left: 0 })
    }

    /// Reads the next rows. Their texts may take at most `most` bytes.
    pub(super) fn read(&mut self, column: &Column, rows: usize, most: usize) -> Result<Decoded> {
        let mut runs = Vec::new();
        let mut read = 0;
        if let Reader::Numbers { reader, dictionary, pages } = &mut self.reader {
            let mut pass = Pass { present: &self.present, left: &mut self.left, wanted: rows };
            let (run, found) = pass.read(reader, |numbers| Values::Numbered(numbers, dictionary.clone()))?;
            runs.push(run);
            read = found;
            if read < rows {
                let texts = get_column_reader(column.descriptor.clone(), pages.texts());
                (self.reader, self.left) = (Reader::Values(texts), 0);
            }
        }
        if let (Reader::Values(reader), true) = (&mut self.reader, read < rows) {
            let mut pass = Pass { present: &self.present, left: &mut self.left, wanted: rows - read };
            let (run, found) = match reader {
                ColumnReader::BoolColumnReader(reader) => pass.read(reader, Values::Bool),
                ColumnReader::Int32ColumnReader(reader) => pass.read(reader, Values::Int32),
                ColumnReader::Int64ColumnReader(reader) => pass.read(reader, Values::Int64),
                ColumnReader::Int96ColumnReader(reader) => pass.read(reader, Values::Int96),
                ColumnReader::FloatColumnReader(reader) => pass.read(reader, Values::Float),
                ColumnReader::DoubleColumnReader(reader) => pass.read(reader, Values::Double),
                ColumnReader::ByteArrayColumnReader(reader) => pass.read_texts(reader, most),
                ColumnReader::FixedLenByteArrayColumnReader(reader) => pass.read_texts(reader, most),
            }?;
            runs.push(run);
            read += found;
        }
        if read < rows {
            return Err(damaged(&format!("{} rows are not there", rows - read)));
        }
        Ok(Decoded { runs })
    }
}

/// One pass through the pages.
struct Pass<'a> {
    present: &'a Present,
    left: &'a mut usize,
    wanted: usize,
}

impl Pass<'_> {
    /// Reads the wanted rows, or all that are left.
    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        values: impl FnOnce(Vec<T::T>) -> Values,
    ) -> Result<(Run, usize)> {
        let (mut found, mut levels) = (Vec::new(), Vec::new());
        let read = self.run(reader, &mut found, &mut levels, |_| Ok(()))?;
        Ok((Run { values: values(found), levels }, read))
    }

    /// Like `read`, for texts. They are copied, because otherwise each text would keep its whole page in memory.
    fn read_texts<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        most: usize,
    ) -> Result<(Run, usize)>
    where
        T::T: AsBytes,
    {
        let (mut found, mut levels, mut texts) = (Vec::new(), Vec::new(), Texts::default());
        let read = self.run(reader, &mut found, &mut levels, |found: &mut Vec<T::T>| {
            let more: usize = found.iter().map(|text| text.as_bytes().len()).sum();
            if texts.bytes.len() + more > most {
                let most = size(most as u64);
                bail!(
                    "some rows take more than {most} of text; raise --max-memory, or write smaller row groups"
                );
            }
            for text in found.drain(..) {
                texts.bytes.extend_from_slice(text.as_bytes());
                texts.ends.push(texts.bytes.len());
            }
            Ok(())
        })?;
        Ok((Run { values: Values::Texts(texts), levels }, read))
    }

    fn run<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        values: &mut Vec<T::T>,
        levels: &mut Vec<i16>,
        mut each: impl FnMut(&mut Vec<T::T>) -> Result<()>,
    ) -> Result<usize> {
        let mut read = 0;
        while read < self.wanted {
            // One row is read from a new page, because its size is not known before.
            let batch = if *self.left == 0 { 1 } else { (*self.left).min(self.present.batch()) };
            let wanted = batch.min(self.wanted - read).min(BATCH);
            let (found, ..) = fenced(|| reader.read_records(wanted, Some(&mut *levels), None, values))?;
            if found == 0 {
                break;
            }
            if *self.left == 0 {
                *self.left = self.present.rows();
            }
            *self.left = self.left.saturating_sub(found);
            read += found;
            each(values)?;
        }
        Ok(read)
    }
}
