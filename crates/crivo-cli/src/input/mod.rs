//! From files and pipes to hashes, in input order, on all cores.
//!
//! Threads take turns at reading a piece of the input, cut at a record end ([`reader`], [`cut`]); each parses and
//! hashes its piece ([`lines`], [`table`], [`json`]). The caller receives the hashes in input order ([`pipeline`]), so
//! that no answer and no saved byte depends on the number of threads.

mod cut;
mod foreign;
mod json;
mod lines;
mod mapped;
mod pipeline;
mod reader;
mod source;
mod table;
mod time;
mod zstd;

pub(crate) use mapped::FileBytes;
pub(crate) use pipeline::{Batch, Input, Totals};
pub(crate) use source::{Source, SourceFormat, is_stdin, open_plain, read_lines, read_up_to};

use std::convert::Infallible;

/// How the records of one source are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Each line is an item. `end` closes a line: a newline, or NUL.
    Lines {
        /// The byte that closes a line.
        end: u8,
    },
    /// CSV rules with any delimiter.
    Table {
        /// The byte between fields.
        delimiter: u8,
        /// Whether the first record names the columns.
        header: bool,
    },
    /// One JSON value a line.
    JsonLines,
}

/// The columns of interest: as the user names them, or by their places in a table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns<T> {
    /// What is hashed; without it, whole records are.
    pub(crate) value: Option<T>,
    /// What tells groups of records apart.
    pub(crate) by: Option<T>,
    /// When a record happened.
    pub(crate) time: Option<T>,
}

impl<T> Columns<T> {
    pub(crate) fn map<U>(&self, change: impl Fn(&T) -> U) -> Columns<U> {
        let Ok(changed) = self.try_map(|column| Ok::<U, Infallible>(change(column)));
        changed
    }

    fn try_map<U, E>(&self, find: impl Fn(&T) -> Result<U, E>) -> Result<Columns<U>, E> {
        Ok(Columns {
            value: self.value.as_ref().map(&find).transpose()?,
            by: self.by.as_ref().map(&find).transpose()?,
            time: self.time.as_ref().map(&find).transpose()?,
        })
    }
}

/// A problem inside the data, found by a thread that does not know how many lines came before.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The line within the piece, from 0; none when the whole source is meant.
    line: Option<u64>,
    what: String,
}

impl Fault {
    fn at(line: u64, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into() }
    }

    fn whole(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into() }
    }
}

/// Where a record lies, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: u32,
    end: u32,
    /// Whether it has a hash: an empty value has none.
    hashed: bool,
}

/// Many short texts, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Each, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end])
    }
}

/// What a worker found in one piece.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// One hash an item, in order.
    hashes: Vec<u64>,
    /// The group of each item, where groups are asked for.
    groups: Texts,
    /// The microsecond of each item, where times are asked for.
    times: Vec<u64>,
    /// Where each record lies in the piece; kept only when asked for.
    spans: Option<Vec<Span>>,
    nulls: u64,
    lines: u64,
    fault: Option<Fault>,
}

impl Findings {
    /// Empty again, with the memory kept.
    fn clear(&mut self, keep_records: bool) {
        let Self { mut hashes, mut groups, mut times, spans, .. } = std::mem::take(self);
        hashes.clear();
        groups.clear();
        times.clear();
        let spans = keep_records.then(|| {
            let mut spans = spans.unwrap_or_default();
            spans.clear();
            spans
        });
        *self = Self { hashes, groups, times, spans, ..Self::default() };
    }

    #[inline]
    fn push(&mut self, hash: u64, start: usize, end: usize) {
        self.hashes.push(hash);
        self.push_span(start, end, true);
    }

    /// A record whose value is empty.
    fn push_null(&mut self, start: usize, end: usize) {
        self.nulls += 1;
        self.push_span(start, end, false);
    }

    #[inline]
    fn push_span(&mut self, start: usize, end: usize, hashed: bool) {
        if let Some(spans) = &mut self.spans {
            let offset = |at: usize| u32::try_from(at).expect("a piece is shorter than MAX_RECORD");
            spans.push(Span { start: offset(start), end: offset(end), hashed });
        }
    }
}
