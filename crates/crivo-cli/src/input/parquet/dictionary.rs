//! Texts that a page of the file numbers: the numbers are read, and the texts looked up.
//!
//! The reader would hand out each text as a counted reference to that page, and counting up and down takes longer than
//! all the rest. So it is told that this is a column of integers, whose dictionary is 0, 1, 2, …

use bytes::{Buf, Bytes};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::Int32Type;
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescPtr;
use std::sync::{Arc, OnceLock};

/// The texts of a column, known when its first page has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    texts: Arc<OnceLock<Vec<Bytes>>>,
}

impl Dictionary {
    /// The text with this number.
    #[inline]
    pub(super) fn get(&self, number: i32) -> Option<&[u8]> {
        let texts = self.texts.get()?;
        texts.get(usize::try_from(number).ok()?).map(|text| &text[..])
    }

    /// A reader of the numbers of a column. It ends before the first page that has texts instead.
    pub(super) fn reader(
        &self,
        column: ColumnDescPtr,
        pages: Box<dyn PageReader>,
    ) -> ColumnReaderImpl<Int32Type> {
        ColumnReaderImpl::new(column, Box::new(Numbers { pages, dictionary: self.clone() }))
    }

    /// Keeps the texts of `page`, which has as many, and gives their numbers in its place.
    fn number(&self, mut page: Bytes, count: u32) -> Result<Bytes> {
        let damaged = || ParquetError::EOF("a dictionary ends within a text".into());
        let mut texts = Vec::new();
        for _ in 0..count {
            let length = page.try_get_u32_le().map_err(|_| damaged())? as usize;
            if length > page.len() {
                return Err(damaged());
            }
            texts.push(page.split_to(length));
        }
        let numbers: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
        // A second dictionary is refused by the reader.
        let _only_one = self.texts.set(texts);
        Ok(numbers.into())
    }
}

/// The pages of a column with numbers for texts.
struct Numbers {
    pages: Box<dyn PageReader>,
    dictionary: Dictionary,
}

impl Numbers {
    fn numbered(&self, page: Page) -> Result<Option<Page>> {
        let is_number = |encoding| matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
        Ok(match page {
            Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
                let buf = self.dictionary.number(buf, num_values)?;
                Some(Page::DictionaryPage { buf, num_values, encoding, is_sorted })
            }
            Page::DataPage { encoding, .. } | Page::DataPageV2 { encoding, .. } if !is_number(encoding) => {
                None
            }
            page => Some(page),
        })
    }
}

impl Iterator for Numbers {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Numbers {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.pages.get_next_page()?.map_or(Ok(None), |page| self.numbered(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.pages.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        self.pages.take_deferred_dictionary()?.map_or(Ok(None), |page| self.numbered(page))
    }
}
