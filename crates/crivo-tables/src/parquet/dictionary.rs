//! Texts that a page of the file numbers: the numbers are read, and the texts looked up.
//!
//! The crate would hand out each text as a counted reference to that page, and counting up and down takes longer than
//! all the rest. So the crate is given a column of integers, whose dictionary is 0, 1, 2, … Where a column goes on with
//! texts, because too many were different, a reader of texts goes on with its pages.

use super::file::{damaged, ours};
use super::pages::Pages;
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The texts of a column, known when its first page has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    texts: Arc<OnceLock<Texts>>,
}

#[derive(Debug)]
struct Texts {
    /// All, with their lengths in four bytes before each.
    page: Bytes,
    ends: Vec<u32>,
}

impl Dictionary {
    /// The text with this number.
    #[inline]
    pub(super) fn get(&self, number: i32) -> Option<&[u8]> {
        let Texts { page, ends } = self.texts.get()?;
        let number = usize::try_from(number).ok()?;
        let end = *ends.get(number)?;
        let begin = number.checked_sub(1).map_or(0, |before| ends[before]) + 4;
        page.get(begin as usize..end as usize)
    }

    /// Keeps the texts of `page`, which has as many, and gives their numbers in its place.
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

/// The pages of a column of texts, for the two readers that take them one after the other.
#[derive(Clone, Debug)]
pub(super) struct TextPages {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug)]
struct Shared {
    pages: Pages,
    /// A page that was read, but is the other reader's.
    next: Option<Page>,
    /// The dictionary as it was written, until a reader of texts needs it.
    dictionary: Option<Page>,
}

impl TextPages {
    pub(super) fn new(pages: Pages) -> Self {
        Self { shared: Arc::new(Mutex::new(Shared { pages, next: None, dictionary: None })) }
    }

    /// The pages up to the first with texts, with numbers for texts.
    pub(super) fn numbers(&self, dictionary: &Dictionary) -> Box<dyn PageReader> {
        let (pages, dictionary) = (self.clone(), dictionary.clone());
        Box::new(Reader(move || pages.next_of_numbers(&dictionary)))
    }

    /// The pages from there on.
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

/// Page after page.
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

    // All rows are read, one after the other.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(ours(damaged("a page was asked for out of turn")))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.peek_next_page().map(drop)
    }
}
