//! Texts of a dictionary page: the pages of values contain only their numbers.
//!
//! The `parquet` crate would return each text as a counted reference to the dictionary page, and the reference
//! counting takes longer than all other work. So this module gives the crate a column of integers, whose dictionary
//! is 0, 1, 2, … If a column continues with plain texts, because there were too many distinct ones, a reader of
//! texts continues with its pages.

use super::file::{damaged, ours};
use super::pages::Pages;
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The texts of a column. They are known when the first page has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    texts: Arc<OnceLock<Texts>>,
}

#[derive(Debug)]
struct Texts {
    /// The whole dictionary page: each text follows its length in four bytes.
    page: Bytes,
    ends: Vec<u32>,
}

impl Dictionary {
    /// Returns the text with this number.
    #[inline]
    pub(super) fn get(&self, number: i32) -> Option<&[u8]> {
        let Texts { page, ends } = self.texts.get()?;
        let number = usize::try_from(number).ok()?;
        let end = *ends.get(number)?;
        let begin = number.checked_sub(1).map_or(0, |before| ends[before]) + 4;
        page.get(begin as usize..end as usize)
    }

    /// Keeps the `count` texts of `page`, and returns a page with their numbers instead.
    fn number(&self, page: &Bytes, count: u32) -> anyhow::Result<Bytes> {
        let mut rest = &page[..];
        let mut ends = Vec::with_capacity(count.min(page.len() as u32 / 4) as usize);
        for _ in 0..count {
            let text = rest
                .split_first_chunk()
                .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize));
            let Some((_, after)) = text else { return Err(damaged("a dictionary ends within a text")) };
            rest = after;
            ends.push((page.len() - rest.len()) as u32);
        }
        if self.texts.set(Texts { page: page.clone(), ends }).is_err() {
            return Err(damaged("a column has two dictionaries"));
        }
        Ok((0..count).flat_map(u32::to_le_bytes).collect::<Vec<u8>>().into())
    }
}

/// The pages of a column of texts, which two readers take one after the other.
#[derive(Clone, Debug)]
pub(super) struct TextPages {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug)]
struct Shared {
    pages: Pages,
    /// A page that one reader has read, but that the other reader needs.
    next: Option<Page>,
    /// The dictionary page as written, for the reader of texts.
    dictionary: Option<Page>,
}

impl TextPages {
    pub(super) fn new(pages: Pages) -> Self {
        Self { shared: Arc::new(Mutex::new(Shared { pages, next: None, dictionary: None })) }
    }

    /// Returns the pages up to the first page of plain texts, with numbers instead of texts.
    pub(super) fn numbers(&self, dictionary: &Dictionary) -> Box<dyn PageReader> {
        let (pages, dictionary) = (self.clone(), dictionary.clone());
        Box::new(Reader(move || pages.next_of_numbers(&dictionary)))
    }

    /// Returns the pages from the first page of plain texts on.
    pub(super) fn texts(&self) -> Box<dyn PageReader> {
        let pages = self.clone();
        Box::new(Reader(move || pages.next_of_texts()))
    }

    fn next_of_numbers(&self, dictionary: &Dictionary) -> Result<Option<Page>> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match shared.pages.get_next_page()? {
            Some(Page::DictionaryPage { buf, num_values, encoding, is_sorted }) => {
                let numbers = dictionary.number(&buf, num_values).map_err(ours)?;
                shared.dictionary = Some(Page::DictionaryPage { buf, num_values, encoding, is_sorted });
                Some(Page::DictionaryPage { buf: numbers, num_values, encoding, is_sorted })
            }
            Some(page) if has_numbers(&page) => Some(page),
            page => {
                shared.next = page;
                None
            }
        })
    }

    fn next_of_texts(&self) -> Result<Option<Page>> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let page = match shared.next.take() {
            Some(page) => Some(page),
            None => shared.pages.get_next_page()?,
        };
        match page {
            Some(page) if has_numbers(&page) && shared.dictionary.is_some() => {
                shared.next = Some(page);
                Ok(shared.dictionary.take())
            }
            page => Ok(page),
        }
    }
}

fn has_numbers(page: &Page) -> bool {
    matches!(
        page,
        Page::DataPage { encoding: Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY, .. }
            | Page::DataPageV2 { encoding: Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY, .. }
    )
}

/// A page reader that calls a function for each page.
struct Reader<N>(N);

impl<N: FnMut() -> Result<Option<Page>>> Iterator for Reader<N> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.0)().transpose()
    }
}

impl<N: FnMut() -> Result<Option<Page>> + Send> PageReader for Reader<N> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        (self.0)()
    }

    // All rows are read in order, so pages are never skipped.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(ours(damaged("a page was asked for out of turn")))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.peek_next_page().map(drop)
    }
}
