//! The pages of a column. They are read, checked and decompressed before the `parquet` crate decodes them.
//!
//! The crate allocates memory by the counts in a page, and wrong counts can make it abort. So this module compares
//! the counts with the bytes of the page, and the memory of a page counts against `--max-memory`.

use super::BATCH;
use super::codec::Codec;
use super::delta::Delta;
use super::file::{SharedFile, damaged, ours, unreadable};
use super::footer::Chunk;
use super::head::{Head, PageKind};
use super::schema::Column;
use super::thrift::{Flaw, Thrift};
use crate::budget::{Budget, Share};
use anyhow::{Result, anyhow};
use bytes::Bytes;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::schema::types::ColumnDescPtr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The longest page header in bytes. It may contain a minimum and a maximum value.
const MAX_HEAD: usize = 16 << 20;
/// The approximate number of bytes of the values that are decoded at a time.
const BATCH_BYTES: usize = 1 << 26;

/// The pages of a column in a row group.
#[derive(Debug)]
pub(super) struct Pages {
    file: SharedFile,
    /// The place where the next page begins, and the place where the last one ends.
    at: u64,
    end: u64,
    codec: Codec,
    column: ColumnDescPtr,
    /// The memory of the page that is being decoded, and of the dictionary.
    page: Share,
    dictionary: Share,
    present: Present,
}

/// The number of rows of the current page, and how many may be decoded at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Present {
    shared: Arc<(AtomicUsize, AtomicUsize)>,
}

impl Present {
    fn set(&self, rows: usize, batch: usize) {
        self.shared.0.store(rows, Ordering::Relaxed);
        self.shared.1.store(batch, Ordering::Relaxed);
    }

    /// Returns the number of rows of the current page.
    pub(super) fn rows(&self) -> usize {
        self.shared.0.load(Ordering::Relaxed)
    }

    /// Returns the number of rows that may be decoded at a time.
    pub(super) fn batch(&self) -> usize {
        self.shared.1.load(Ordering::Relaxed)
    }
}

impl Pages {
    pub(super) fn new(file: &SharedFile, column: &Column, chunk: Chunk, budget: &Budget) -> Result<Self> {
        let end = chunk.start.checked_add(chunk.length).and_then(|end| u64::try_from(end).ok());
        let (Ok(at), Some(end)) = (u64::try_from(chunk.start), end.filter(|&end| end <= file.length()))
        else {
            return Err(damaged(&format!("no {} bytes at {}", chunk.length, chunk.start)));
        };
        Ok(Self {
            file: file.clone(),
            at,
            end,
            codec: Codec::new(chunk.codec)?,
            column: Arc::clone(&column.descriptor),
            page: budget.share(),
            dictionary: budget.share(),
            present: Present::default(),
        })
    }

    pub(super) fn present(&self) -> Present {
        self.present.clone()
    }

    /// Returns the next page with values, or `None` at the end.
    fn next_page(&mut self) -> Result<Option<Page>> {
        while self.at < self.end {
            let (head, length) = self.head()?;
            let start = self.at + length as u64;
            self.at = start + u64::from(head.compressed);
            if self.at > self.end {
                return Err(damaged("a page is longer than its column"));
            }
            match head.kind {
                PageKind::Other | PageKind::Data { values: 0, .. } | PageKind::DataV2 { values: 0, .. } => {}
                PageKind::Dictionary { .. } | PageKind::Data { .. } | PageKind::DataV2 { .. } => {
                    return self.page(&head, start).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Reads the header of the next page, whose length is not stored.
    fn head(&self) -> Result<(Head, usize)> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let mut length = 256;
        loop {
            let bytes = self.file.read(self.at, length.min(left))?;
            let mut thrift = Thrift::new(&bytes);
            match Head::read(&mut thrift) {
                Ok(head) => return Ok((head, bytes.len() - thrift.bytes.len())),
                Err(Flaw::Cut) if length < left.min(MAX_HEAD) => length *= 16,
                Err(flaw) => return Err(damaged(&format!("in the head of a page {}", flaw.explain()))),
            }
        }
    }

    /// Returns the page with this header, whose bytes begin at `start`.
    fn page(&mut self, head: &Head, start: u64) -> Result<Page> {
        let (compressed, length) = (head.compressed as usize, head.uncompressed as usize);
        let is_dictionary = matches!(head.kind, PageKind::Dictionary { .. });
        let share = if is_dictionary { &mut self.dictionary } else { &mut self.page };
        hold(share, compressed as u64 + length as u64)?;
        let raw = self.file.read(start, compressed)?;
        let buffer = match head.kind {
            // Levels come first, and are never compressed.
            PageKind::DataV2 { levels, is_compressed, .. } if self.codec != Codec::None && is_compressed => {
                let parts = raw.split_at_checked(levels.total()).zip(length.checked_sub(levels.total()));
                let ((levels, values), length) =
                    parts.ok_or_else(|| damaged("its levels are longer than a page"))?;
                let mut buffer = levels.to_vec();
                // An empty page may be compressed to no bytes.
                if length > 0 {
                    self.codec.decompress(values, length, &mut buffer)?;
                }
                buffer
            }
            PageKind::DataV2 { .. } => raw,
            _ if self.codec == Codec::None => raw,
            _ => {
                let mut buffer = Vec::new();
                self.codec.decompress(&raw, length, &mut buffer)?;
                buffer
            }
        };
        let took = buffer.len() as u64;
        let buf = Bytes::from(buffer);
        match head.kind {
            PageKind::Dictionary { values, encoding } => {
                let extra = self.check_dictionary(&buf, values)?;
                hold(&mut self.dictionary, took + extra)?;
                Ok(Page::DictionaryPage {
                    buf,
                    num_values: values,
                    encoding: decoded(encoding)?,
                    is_sorted: false,
                })
            }
            PageKind::Data { values, encoding, level_encoding } => {
                let start = self.values_start(&buf, values, level_encoding)?;
                let checked = self.check_values(&buf[start..], values, encoding)?;
                hold(&mut self.page, took + checked.extra)?;
                self.present.set(values as usize, checked.batch);
                Ok(Page::DataPage {
                    buf,
                    num_values: values,
                    encoding: checked.encoding,
                    def_level_encoding: decoded(level_encoding)?,
                    rep_level_encoding: Encoding::RLE,
                    statistics: None,
                })
            }
            PageKind::DataV2 { values, nulls, encoding, levels, .. } => {
                let start = levels.total();
                let data = buf.get(start..).ok_or_else(|| damaged("its levels are longer than a page"))?;
                if nulls > values {
                    return Err(damaged(&format!("{nulls} nulls in {values} values")));
                }
                let checked = self.check_values(data, values - nulls, encoding)?;
                hold(&mut self.page, took + checked.extra)?;
                self.present.set(values as usize, checked.batch);
                Ok(Page::DataPageV2 {
                    buf,
                    num_values: values,
                    encoding: checked.encoding,
                    num_nulls: nulls,
                    num_rows: values,
                    def_levels_byte_len: levels.definition,
                    rep_levels_byte_len: levels.repetition,
                    is_compressed: false,
                    statistics: None,
                })
            }
            PageKind::Other => Err(damaged("a page has no values")),
        }
    }

    /// Returns the place where the values begin, behind the levels.
    fn values_start(&self, page: &[u8], values: u32, level_encoding: i64) -> Result<usize> {
        let cut = || damaged("its levels are longer than a page");
        let level = self.column.max_def_level();
        if level == 0 {
            return Ok(0);
        }
        let start = match level_encoding {
            3 => {
                let length = page.first_chunk().ok_or_else(cut)?;
                4 + u32::from_le_bytes(*length) as usize
            }
            4 => {
                let width = 16 - level.leading_zeros() as usize;
                (values as usize * width).div_ceil(8)
            }
            _ => return Err(damaged(&format!("there is no encoding {level_encoding} of levels"))),
        };
        if start > page.len() { Err(cut()) } else { Ok(start) }
    }

    /// Returns the memory that the crate needs for a dictionary of this many values, in addition to its bytes.
    fn check_dictionary(&self, bytes: &[u8], values: u32) -> Result<u64> {
        let width = match self.column.physical_type() {
            Type::BOOLEAN => return Err(damaged("a dictionary of truth values")),
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::FIXED_LEN_BYTE_ARRAY => self.length() as u64,
        };
        if u64::from(values) * width > bytes.len() as u64 {
            return Err(damaged(&format!("a dictionary of {values} values in {} bytes", bytes.len())));
        }
        // A reference to bytes takes 32 bytes.
        Ok(u64::from(values) * 32)
    }

    /// Returns the number of bytes of a value, if all values have the same length.
    fn length(&self) -> usize {
        self.column.type_length().max(1) as usize
    }

    /// Checks that the crate can decode `values` values, or fewer if some are null, and returns the memory it
    /// needs.
    fn check_values(&self, bytes: &[u8], values: u32, encoding: i64) -> Result<Checked> {
        let wrong = |what: String| damaged(&what);
        let mut checked = Checked { encoding: decoded(encoding)?, extra: 0, batch: BATCH };
        let physical = self.column.physical_type();
        let is_fixed = physical == Type::FIXED_LEN_BYTE_ARRAY;
        let count = |delta: Delta| match delta.count {
            count if count > u64::from(values) => {
                Err(damaged(&format!("{count} lengths in a page of {values} values")))
            }
            count => Ok(count),
        };
        match checked.encoding {
            Encoding::DELTA_BINARY_PACKED => drop(Delta::read(bytes).map_err(wrong)?),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                let lengths = count(Delta::read(bytes).map_err(wrong)?)?;
                if is_fixed && lengths * self.length() as u64 > bytes.len() as u64 {
                    return Err(damaged(&format!("{lengths} values in {} bytes", bytes.len())));
                }
                checked.extra = 4 * lengths;
            }
            Encoding::DELTA_BYTE_ARRAY => {
                let prefixes = Delta::read(bytes).map_err(wrong)?;
                let suffixes = Delta::read(&bytes[prefixes.end(bytes).map_err(wrong)?..]).map_err(wrong)?;
                checked.extra = 4 * (count(prefixes)? + count(suffixes)?);
                // A value repeats the beginning of the previous value, so each value can be as long as the page.
                checked.batch = (BATCH_BYTES / bytes.len().max(1)).clamp(1, BATCH);
            }
            Encoding::BYTE_STREAM_SPLIT if is_fixed => {
                // A page without any value is decoded as plain; for this encoding the crate would allocate memory.
                if bytes.len() < self.length() {
                    checked.encoding = Encoding::PLAIN;
                }
                checked.batch = (BATCH_BYTES / self.length()).clamp(1, BATCH);
            }
            _ => {}
        }
        Ok(checked)
    }
}

fn hold(share: &mut Share, bytes: u64) -> Result<()> {
    share.resize(bytes).map_err(|much| anyhow!(much.explain("a page of this Parquet file")))
}

/// How the values of a page are decoded.
struct Checked {
    encoding: Encoding,
    /// The additional memory in bytes.
    extra: u64,
    /// The number of values decoded at a time.
    batch: usize,
}

fn decoded(encoding: i64) -> Result<Encoding> {
    Ok(match encoding {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "old files have levels of it")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return Err(unreadable(&format!("its encoding {encoding} is not known"))),
    })
}

impl Iterator for Pages {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        self.next_page().map_err(ours)
    }

    // All rows are read in order, so pages are never skipped.
    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        Err(ours(unreadable("it has pages that nobody asks for")))
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        self.peek_next_page().map(drop)
    }
}
