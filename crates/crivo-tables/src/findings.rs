//! What a caller wants from the records of a piece, and what a worker found in it.

use super::{Columns, Fault, number, time};
use crivo::hash::BytesHasher;
use crivo::profile::ColumnType;
use crivo::{HashSpec, Number};
use std::borrow::Cow;

/// What the caller wants from each record, in addition to the requested columns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// The hash of the value.
    pub(crate) hash: Option<HashSpec>,
    /// The bytes of the value.
    values: bool,
    /// The value as a number. A value that is not a number is not an item.
    numbers: bool,
    /// The record as written.
    records: bool,
}

impl Wants {
    /// Requests the hashes of the values.
    pub fn hashes(spec: HashSpec) -> Self {
        Self { hash: Some(spec), ..Self::default() }
    }

    /// Requests the values as numbers.
    pub fn numbers() -> Self {
        Self { numbers: true, ..Self::default() }
    }

    /// Also requests the values, unescaped.
    #[must_use]
    pub fn and_values(self) -> Self {
        Self { values: true, ..self }
    }

    /// Also requests the records as written.
    #[must_use]
    pub fn and_records(self) -> Self {
        Self { records: true, ..self }
    }

    pub(super) fn records(&self) -> bool {
        self.records
    }

    pub(super) fn are_numbers(&self) -> bool {
        self.numbers
    }

    /// Returns the hasher if the caller wants only hashes.
    pub(super) fn only_hashes(&self) -> Option<BytesHasher> {
        self.hash.filter(|_| !self.values && !self.numbers && !self.records).map(|spec| spec.bytes_hasher())
    }
}

/// The place of a record in the piece, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether the value is an item. An empty value is not.
    pub(super) is_item: bool,
}

/// The places of values: in the piece itself, or unescaped in a separate text.
#[derive(Debug, Default)]
pub(super) struct Values {
    places: Vec<(u32, u32)>,
    unescaped: Vec<u8>,
    lie_in_piece: bool,
}

impl Values {
    #[inline]
    fn push(&mut self, value: &[u8], start: usize) {
        let start = if self.lie_in_piece { start } else { self.unescaped.len() };
        if !self.lie_in_piece {
            self.unescaped.extend_from_slice(value);
        }
        self.places.push((offset(start), offset(start + value.len())));
    }

    /// Returns the values, which refer to the piece.
    pub(super) fn of<'a>(&'a self, piece: &'a [u8]) -> BatchValues<'a> {
        BatchValues { bytes: if self.lie_in_piece { piece } else { &self.unescaped }, places: &self.places }
    }
}

/// The values of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchValues<'a> {
    bytes: &'a [u8],
    places: &'a [(u32, u32)],
}

impl<'a> BatchValues<'a> {
    /// Returns the entry of the item at `place`.
    #[inline]
    pub fn get(&self, place: usize) -> &'a [u8] {
        let (start, end) = self.places[place];
        &self.bytes[start as usize..end as usize]
    }
}

/// Converts an offset. Pieces and their unescaped values are shorter than 4 GiB.
#[inline]
fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a piece is hardly longer than MAX_RECORD")
}

/// Many short texts in one buffer.
#[derive(Debug, Default)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Returns whether any text is not empty.
    pub(super) fn has_text(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Returns the texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end])
    }
}

/// How the times of a column are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSorts {
    /// Whether any of them has a time of day.
    pub clocks: bool,
    /// Whether any of them has a zone.
    pub zones: bool,
}

/// The results of a worker for one piece.
#[derive(Debug, Default)]
pub(super) struct Findings {
    wants: Wants,
    hasher: Option<BytesHasher>,
    /// The number of items.
    pub(super) items: usize,
    /// The hash of each item, in order.
    pub(super) hashes: Vec<u64>,
    pub(super) values: Values,
    pub(super) numbers: Vec<Number>,
    /// The group of each item, if the caller wants groups.
    pub(super) groups: Texts,
    /// The time of each item in microseconds, if the caller wants times.
    pub(super) times: Vec<u64>,
    pub(super) copies: Vec<u64>,
    pub(super) changes: Vec<i128>,
    pub(super) weights: Vec<f64>,
    pub(super) kept: Vec<f64>,
    /// The text of each item that a condition tests.
    pub(super) tested: Texts,
    /// The place of each record in the piece.
    pub(super) spans: Vec<Span>,
    /// For each empty value, the number of items before it.
    pub(super) missing: Vec<u32>,
    /// The places of items that are times, if the caller wants numbers.
    pub(super) times_among: Vec<u32>,
    pub(super) sorts: TimeSorts,
    /// For each value that is not a number, the number of items before it; and the first such value with its line.
    pub(super) not_numbers: Vec<u32>,
    pub(super) first_not_number: Option<(u64, String)>,
    /// The names of the value columns in a header, at the beginning of each of several tables.
    pub(super) column_names: Option<Vec<Vec<u8>>>,
    /// The number of invalid lines that were left out; and the first of them with its error.
    pub(super) invalid: u64,
    pub(super) first_invalid: Option<(u64, String)>,
    pub(super) lines: u64,
    pub(super) fault: Option<Fault>,
}

impl Findings {
    /// Clears all results and keeps their memory.
    pub(super) fn clear(&mut self, wants: Wants) {
        let mut old = std::mem::take(self);
        old.hashes.clear();
        old.values.places.clear();
        old.values.unescaped.clear();
        old.values.lie_in_piece = false;
        old.numbers.clear();
        old.groups.clear();
        old.times.clear();
        old.copies.clear();
        old.changes.clear();
        old.weights.clear();
        old.kept.clear();
        old.tested.clear();
        old.spans.clear();
        old.missing.clear();
        old.not_numbers.clear();
        old.times_among.clear();
        *self = Self {
            wants,
            hasher: wants.hash.map(|spec| spec.bytes_hasher()),
            hashes: old.hashes,
            values: old.values,
            numbers: old.numbers,
            groups: old.groups,
            times: old.times,
            copies: old.copies,
            changes: old.changes,
            weights: old.weights,
            kept: old.kept,
            tested: old.tested,
            spans: old.spans,
            missing: old.missing,
            not_numbers: old.not_numbers,
            times_among: old.times_among,
            ..Self::default()
        };
    }

    /// Says that every value is the beginning of its record, so that values need not be copied.
    pub(super) fn values_lie_in_piece(&mut self) {
        self.values.lie_in_piece = true;
    }

    /// Returns whether the caller wants no values, only records.
    pub(super) fn wants_records_alone(&self) -> bool {
        self.wants.hash.is_none() && !self.wants.values && !self.wants.numbers
    }

    /// Returns a time as a number: the seconds since 1970.
    #[cold]
    fn time(&mut self, value: &[u8]) -> Option<Number> {
        let (column_type, number, has_zone) = ColumnType::time(value)?;
        self.times_among.push(offset(self.items));
        self.sorts.clocks |= column_type == ColumnType::Timestamp;
        self.sorts.zones |= has_zone;
        Some(number)
    }

    /// Adds a record at `start..end`, on `line` of the piece, and returns whether its value is an item.
    #[inline]
    pub(super) fn push(&mut self, value: &[u8], start: usize, end: usize, line: u64) -> bool {
        if self.wants.numbers {
            match Number::parse(value).or_else(|| self.time(value)) {
                Some(number) => self.numbers.push(number),
                None if value.trim_ascii().is_empty() => {
                    self.push_null(start, end);
                    return false;
                }
                None => {
                    self.not_numbers.push(offset(self.items));
                    self.first_not_number.get_or_insert_with(|| (line, number::excerpt(value)));
                    return false;
                }
            }
        }
        if let Some(hasher) = &self.hasher {
            self.hashes.push(hasher.hash(value));
        }
        if self.wants.values {
            self.values.push(value, start);
        }
        self.items += 1;
        self.push_span(start, end, true);
        true
    }

    /// Counts the current line as left out.
    pub(super) fn push_invalid(&mut self, what: String) {
        self.invalid += 1;
        self.first_invalid.get_or_insert((self.lines, what));
    }

    /// Adds a record with an empty value.
    pub(super) fn push_null(&mut self, start: usize, end: usize) {
        self.missing.push(offset(self.items));
        self.push_span(start, end, false);
    }

    #[inline]
    fn push_span(&mut self, start: usize, end: usize, is_item: bool) {
        if self.wants.records {
            self.spans.push(Span { start: offset(start), end: offset(end), is_item });
        }
    }

    /// Returns whether a record lacks a time, number of copies, change, weight or kept number, without which its value does
    /// not count.
    pub(super) fn is_incomplete<'a, P>(
        columns: &Columns<P>,
        field: impl Fn(&P) -> Result<Cow<'a, [u8]>, String>,
    ) -> Result<bool, String> {
        let Columns { time, copies, changes, weight, kept, .. } = columns;
        for column in [time, copies, changes, weight, kept].into_iter().flatten() {
            if field(column)?.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the other columns of the item that was added last.
    pub(super) fn push_columns<'a, P>(
        &mut self,
        columns: &Columns<P>,
        field: impl Fn(&P) -> Result<Cow<'a, [u8]>, String>,
    ) -> Result<(), String> {
        if let Some(by) = &columns.by {
            self.groups.push(&field(by)?);
        }
        if let Some(time) = &columns.time {
            self.times.push(time::parse(&field(time)?)?);
        }
        if let Some(copies) = &columns.copies {
            self.copies.push(number::parse_copies(&field(copies)?)?);
        }
        if let Some(changes) = &columns.changes {
            self.changes.push(number::parse_change(&field(changes)?)?);
        }
        if let Some(weight) = &columns.weight {
            self.weights.push(number::parse_weight(&field(weight)?)?);
        }
        if let Some(kept) = &columns.kept {
            self.kept.push(number::parse_kept(&field(kept)?)?);
        }
        if let Some(tested) = &columns.tested {
            self.tested.push(&field(tested)?);
        }
        Ok(())
    }
}
