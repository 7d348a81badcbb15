//! What is wanted of the records of a piece, and what was found.

use super::{Columns, Fault, number, time};
use crivo::hash::BytesHasher;
use crivo::profile::ColumnType;
use crivo::{HashSpec, Number};
use std::borrow::Cow;

/// What is wanted of each record, in addition to the columns that were asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// The hash of the value.
    hash: Option<HashSpec>,
    /// The bytes of the value.
    values: bool,
    /// The value as a number. A value that is none is no item.
    numbers: bool,
    /// The record as it was written.
    records: bool,
}

impl Wants {
    /// The hashes of the values.
    pub fn hashes(spec: HashSpec) -> Self {
        Self { hash: Some(spec), ..Self::default() }
    }

    /// The values as numbers.
    pub fn numbers() -> Self {
        Self { numbers: true, ..Self::default() }
    }

    /// The values, unescaped.
    #[must_use]
    pub fn and_values(self) -> Self {
        Self { values: true, ..self }
    }

    /// The records as they were written.
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

    /// The one thing wanted is the hash.
    pub(super) fn only_hashes(&self) -> Option<BytesHasher> {
        self.hash.filter(|_| !self.values && !self.numbers && !self.records).map(|spec| spec.bytes_hasher())
    }
}

/// Where a record lies, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
    /// An empty value is none.
    pub(super) is_item: bool,
}

/// Where values lie: in the piece itself, or unescaped in a text of their own.
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

    /// Each, given the piece.
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

/// Pieces, and what is unescaped from them, are shorter than 4 GiB.
#[inline]
fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a piece is hardly longer than MAX_RECORD")
}

/// Many short texts, one after the other.
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

    /// Whether one is not empty.
    pub(super) fn has_text(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Each, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end])
    }
}

/// How times are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSorts {
    /// Whether one has a time of day.
    pub clocks: bool,
    /// Whether one has a zone.
    pub zones: bool,
}

/// What a worker found in one piece.
#[derive(Debug, Default)]
pub(super) struct Findings {
    wants: Wants,
    hasher: Option<BytesHasher>,
    /// Values that count.
    pub(super) items: usize,
    /// One hash an item, in order.
    pub(super) hashes: Vec<u64>,
    pub(super) values: Values,
    pub(super) numbers: Vec<Number>,
    /// The group of each item, where groups are asked for.
    pub(super) groups: Texts,
    /// The microsecond of each item, where times are asked for.
    pub(super) times: Vec<u64>,
    pub(super) copies: Vec<u64>,
    pub(super) weights: Vec<f64>,
    pub(super) kept: Vec<f64>,
    /// Where each record lies in the piece.
    pub(super) spans: Vec<Span>,
    /// How many items came before each empty value.
    pub(super) missing: Vec<u32>,
    /// Which items are times, where numbers are asked for.
    pub(super) times_among: Vec<u32>,
    pub(super) sorts: TimeSorts,
    /// How many items came before each value that is not a number, and the first of them with its line.
    pub(super) not_numbers: Vec<u32>,
    pub(super) first_not_number: Option<(u64, String)>,
    /// What the columns of the values are called in a header, at the beginning of each of several tables.
    pub(super) column_names: Option<Vec<Vec<u8>>>,
    /// How many lines are not what they should be and were left out, and the first of them with what is wrong.
    pub(super) invalid: u64,
    pub(super) first_invalid: Option<(u64, String)>,
    pub(super) lines: u64,
    pub(super) fault: Option<Fault>,
}

impl Findings {
    /// Empty again, with the memory kept.
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
        old.weights.clear();
        old.kept.clear();
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
            weights: old.weights,
            kept: old.kept,
            spans: old.spans,
            missing: old.missing,
            not_numbers: old.not_numbers,
            times_among: old.times_among,
            ..Self::default()
        };
    }

    /// Every value is what its record begins with.
    pub(super) fn values_lie_in_piece(&mut self) {
        self.values.lie_in_piece = true;
    }

    /// Whether the value itself is of no interest.
    pub(super) fn wants_records_alone(&self) -> bool {
        self.wants.hash.is_none() && !self.wants.values && !self.wants.numbers
    }

    /// A time as a number: the seconds since 1970.
    #[cold]
    fn time(&mut self, value: &[u8]) -> Option<Number> {
        let (column_type, number, has_zone) = ColumnType::time(value)?;
        self.times_among.push(offset(self.items));
        self.sorts.clocks |= column_type == ColumnType::Timestamp;
        self.sorts.zones |= has_zone;
        Some(number)
    }

    /// A record in `start..end`, on `line` of the piece; whether its value is an item.
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

    /// The present line is left out.
    pub(super) fn push_invalid(&mut self, what: String) {
        self.invalid += 1;
        self.first_invalid.get_or_insert((self.lines, what));
    }

    /// A record whose value is empty.
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

    /// Whether one of the additional columns, without which the value does not count, is empty.
    pub(super) fn is_incomplete<'a, P>(
        columns: &Columns<P>,
        field: impl Fn(&P) -> Result<Cow<'a, [u8]>, String>,
    ) -> Result<bool, String> {
        let Columns { time, copies, weight, kept, .. } = columns;
        for column in [time, copies, weight, kept].into_iter().flatten() {
            if field(column)?.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The other columns of the item pushed last.
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
        if let Some(weight) = &columns.weight {
            self.weights.push(number::parse_weight(&field(weight)?)?);
        }
        if let Some(kept) = &columns.kept {
            self.kept.push(number::parse_kept(&field(kept)?)?);
        }
        Ok(())
    }
}
