//! Batches of items in input order, as the caller receives them.

use super::reader::Piece;
use super::{BatchValues, Source, Span, Texts, TimeSorts};
use crivo::Number;
use std::ops::Range;

/// Items in input order, each with the columns that the caller requested.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The number of items.
    pub items: usize,
    /// The hash of each item's value.
    pub hashes: &'a [u64],
    /// The bytes of each item's value, unescaped.
    pub values: BatchValues<'a>,
    /// Each item's value as a number.
    pub numbers: &'a [Number],
    /// The group of each item.
    pub groups: &'a Texts,
    /// The time of each item, in microseconds since 1970.
    pub times: &'a [u64],
    /// The number of copies that each item stands for.
    pub copies: &'a [u64],
    /// The change of the count of each item's value.
    pub changes: &'a [i128],
    /// The weight of each item.
    pub weights: &'a [f64],
    /// The number that is kept with each item, or claimed for it.
    pub kept: &'a [f64],
    /// The text that a condition tests, for each item; empty if it is missing.
    pub tested: &'a Texts,
    /// For each empty value, which is not an item, the number of items before it.
    pub missing: &'a [u32],
    /// For each value that is not a number, the number of items before it.
    pub not_numbers: &'a [u32],
    /// The places of items that are times, in seconds since 1970, if the caller wants numbers.
    pub times_among: &'a [u32],
    /// How these times are written.
    pub sorts: TimeSorts,
    /// The source of the items.
    pub source: &'a Source,
    /// The header of a table, at the beginning of each source that has one, without line ends around it.
    pub header: Option<&'a [u8]>,
    /// All bytes before the first record, as written.
    pub head: &'a [u8],
    data: &'a [u8],
    spans: &'a [Span],
}

impl<'a> Batch<'a> {
    /// Returns each record as written, without its line end, and the answer for its hash; `None` for an empty
    /// value.
    pub fn records<'b>(&'b self, answers: &'b [bool]) -> impl Iterator<Item = (&'a [u8], Option<bool>)> {
        let mut answers = answers.iter().copied();
        self.spans.iter().map(move |span| {
            let record = &self.data[span.start as usize..span.end as usize];
            (record, if span.is_item { answers.next() } else { None })
        })
    }

    /// Returns the hash and the value of each item, if the caller requested both.
    pub fn hashed_values(&self) -> impl Iterator<Item = (u64, &'a [u8])> {
        let values = self.values;
        self.hashes.iter().enumerate().map(move |(place, &hash)| (hash, values.get(place)))
    }

    /// Returns the place of each record's item, in input order; `None` for a record with an empty value.
    pub fn places(&self) -> impl Iterator<Item = Option<usize>> + use<'_, 'a> {
        let mut missing = self.missing.iter().map(|&before| before as usize).peekable();
        let mut items = 0..self.items;
        std::iter::from_fn(move || {
            let is_null = missing.next_if(|&before| before <= items.start).is_some();
            if is_null { Some(None) } else { items.next().map(Some) }
        })
    }

    /// Returns all bytes of the batch, as written.
    pub fn text(&self) -> &'a [u8] {
        self.data
    }

    /// Returns all bytes of the batch, as written, cut before each record except the first.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.spans.len()).map(move |place| self.written(place..place + 1))
    }

    /// Returns the bytes of consecutive records, as written.
    pub fn written(&self, records: Range<usize>) -> &'a [u8] {
        let begin = |place: usize| match place {
            0 => 0,
            _ => self.spans.get(place).map_or(self.data.len(), |span| span.start as usize),
        };
        &self.data[begin(records.start)..begin(records.end)]
    }

    /// Returns the record of each item, as written, without its line end.
    pub fn item_records(&self) -> impl Iterator<Item = &'a [u8]> {
        let items = self.spans.iter().filter(|span| span.is_item);
        items.map(|span| &self.data[span.start as usize..span.end as usize])
    }
}

impl Piece {
    /// Returns the results of the piece as a batch.
    pub(super) fn batch<'a>(&'a self, sources: &'a [Source]) -> Batch<'a> {
        let findings = &self.findings;
        Batch {
            items: findings.items,
            hashes: &findings.hashes,
            values: findings.values.of(self.data()),
            numbers: &findings.numbers,
            groups: &findings.groups,
            times: &findings.times,
            copies: &findings.copies,
            changes: &findings.changes,
            weights: &findings.weights,
            kept: &findings.kept,
            tested: &findings.tested,
            missing: &findings.missing,
            not_numbers: &findings.not_numbers,
            times_among: &findings.times_among,
            sorts: findings.sorts,
            source: &sources[self.source],
            header: self.header(),
            head: self.head(),
            data: self.data(),
            spans: &findings.spans,
        }
    }
}
