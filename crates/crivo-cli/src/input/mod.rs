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
mod zstd;

pub(crate) use mapped::FileBytes;
pub(crate) use pipeline::{Batch, Input, Totals};
pub(crate) use source::{Source, SourceFormat, is_stdin, open_plain, read_lines, read_up_to};

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

/// What a worker found in one piece.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// One hash an item, in order.
    hashes: Vec<u64>,
    /// Where each record lies in the piece; kept only when asked for.
    spans: Option<Vec<Span>>,
    nulls: u64,
    lines: u64,
    fault: Option<Fault>,
}

impl Findings {
    /// Empty again, with the memory kept.
    fn clear(&mut self, keep_records: bool) {
        let Self { mut hashes, spans, .. } = std::mem::take(self);
        hashes.clear();
        let spans = keep_records.then(|| {
            let mut spans = spans.unwrap_or_default();
            spans.clear();
            spans
        });
        *self = Self { hashes, spans, ..Self::default() };
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
