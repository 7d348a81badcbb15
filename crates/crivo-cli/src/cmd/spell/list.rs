//! Each unknown word once.

use super::arrow;
use super::text::Unknown;
use anyhow::{Result, bail};
use crivo_report::{Align, Page, Records, Report, Table, count, shown, size};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Unknown words with their counts, in bounded memory.
pub(super) struct List {
    words: HashMap<Box<str>, Entry>,
    bytes: u64,
    max_memory: u64,
}

struct Entry {
    times: u64,
    /// How many came before it.
    place: usize,
    suggestions: Arc<[String]>,
}

impl List {
    pub(super) fn new(max_memory: u64) -> Self {
        Self { words: HashMap::new(), bytes: 0, max_memory }
    }

    pub(super) fn add(&mut self, unknown: Unknown) -> Result<()> {
        if let Some(entry) = self.words.get_mut(&unknown.word) {
            entry.times += 1;
            return Ok(());
        }
        let Unknown { word, suggestions, .. } = unknown;
        let texts = suggestions.iter().map(|text| size_of::<String>() + text.capacity()).sum::<usize>();
        // A table is at least half full, and its entries have a byte more each.
        self.bytes += (word.len() + texts + 2 * (size_of::<(Box<str>, Entry)>() + 1)) as u64;
        if self.bytes > self.max_memory {
            bail!(
                "the distinct unknown words take more than --max-memory {}; raise it, or leave out --list",
                size(self.max_memory)
            );
        }
        let place = self.words.len();
        self.words.insert(word, Entry { times: 1, place, suggestions });
        Ok(())
    }

    /// The most frequent first, and of equals that which came first.
    fn sorted(&self) -> Vec<(&str, &Entry)> {
        let mut words: Vec<(&str, &Entry)> =
            self.words.iter().map(|(word, entry)| (&**word, entry)).collect();
        words.sort_unstable_by_key(|(_, entry)| (Reverse(entry.times), entry.place));
        words
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "misspelt_word")]
struct WordRecord<'a> {
    word: &'a str,
    times: u64,
    suggestions: &'a [String],
}

impl Report for List {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Right, Align::Left]);
        for (word, Entry { times, suggestions, .. }) in self.sorted() {
            table.push([count(*times), format!("{}{}", shown(word.as_bytes()), arrow(suggestions))]);
        }
        table.print(page);
    }

    fn records(&self, records: &mut Records) {
        for (word, Entry { times, suggestions, .. }) in self.sorted() {
            records.row(&WordRecord { word, times: *times, suggestions });
        }
    }
}
