//! Reads the sources one after the other, in pieces that contain whole records.

use super::budget::{Budget, Share};
use super::cut::Cutter;
use super::row_groups::{RowGroups, Rows};
use super::{Columns, Fault, Findings, Input, Source, SourceFormat, Syntax, table};
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes of a usual piece: many enough that passing it to another thread costs little, and few enough
/// that it is still in the cache of the thread that reads it.
const PIECE: usize = 1 << 18;
/// The length of the longest record in bytes. Without a limit, a missing line end or quote would fill the memory.
const MAX_RECORD: usize = 256 << 20;
/// The alignment of the place to which the system copies data. Some processors copy a page four times as slowly to
/// an address a few bytes beyond the beginning of another page.
const ALIGNMENT: usize = 64;

/// A part of a source, with the results of its worker.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The number of the piece, counted over all sources.
    pub(super) number: u64,
    pub(super) source: usize,
    /// The number of bytes that had been read from disk when the piece was full.
    pub(super) done: u64,
    bytes: Vec<u8>,
    /// The places where the header begins, where it ends and where the records end.
    begin: usize,
    start: usize,
    end: usize,
    pub(super) header_lines: u64,
    /// The places of the columns in this source's table.
    pub(super) places: Columns<usize>,
    /// Parquet rows that have not been decoded.
    rows: Option<Rows>,
    /// The memory of a long record.
    share: Option<Share>,
    pub(super) findings: Findings,
}

impl Piece {
    /// Returns the records.
    pub(super) fn data(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Returns the records, and the results to fill.
    pub(super) fn parts(&mut self) -> (&[u8], &mut Findings) {
        (&self.bytes[self.start..self.end], &mut self.findings)
    }

    /// Returns the header of a table, if the piece begins with one.
    pub(super) fn header(&self) -> Option<&[u8]> {
        (self.start > self.begin).then(|| table::without_line_ends(self.head()))
    }

    /// Returns all bytes before the records, as written.
    pub(super) fn head(&self) -> &[u8] {
        &self.bytes[self.begin..self.start]
    }

    /// Returns the Parquet rows that have not been decoded.
    pub(super) fn rows(&self) -> Option<&Rows> {
        self.rows.as_ref()
    }

    /// Takes ownership of the undecoded Parquet rows.
    pub(super) fn take_rows(&mut self) -> Option<Rows> {
        self.rows.take()
    }

    /// Decodes the Parquet rows, if there are any: all columns, or only the requested ones.
    pub(super) fn decode(&mut self, all: bool) -> Result<(), Fault> {
        let Some(rows) = self.rows.take() else { return Ok(()) };
        let mut columns: Vec<usize> = (0..rows.width()).collect();
        if !all && !self.places.values.is_empty() {
            columns = self.places.iter().copied().collect();
            columns.sort_unstable();
            columns.dedup();
            let among = |place: &usize| columns.partition_point(|column| column < place);
            self.places = self.places.map(among);
        }
        self.start =
            rows.write(&columns, &mut self.bytes).map_err(|error| Fault::whole(format!("{error:#}")))?;
        (self.begin, self.end) = (0, self.bytes.len());
        Ok(())
    }

    /// Frees the memory of a long record, which is no longer needed.
    pub(super) fn shrink(&mut self) {
        if self.share.take().is_some() {
            (self.bytes, self.begin, self.start, self.end) = (Vec::new(), 0, 0, 0);
        }
    }

    /// Clears the piece except for `tail`, which is placed so that the bytes after it are aligned. Returns the
    /// place after `tail`.
    fn refill(&mut self, tail: &[u8]) -> usize {
        self.shrink();
        let room = tail.len() + ALIGNMENT + PIECE;
        // A long record may have made the buffer large.
        if self.bytes.len() < room || self.bytes.len() > 4 * room {
            self.bytes = vec![0; room];
        }
        let begin = self.bytes[tail.len()..].as_ptr().align_offset(ALIGNMENT);
        let filled = begin + tail.len();
        self.bytes[begin..filled].copy_from_slice(tail);
        (self.begin, self.start, self.end) = (begin, begin, begin);
        (self.header_lines, self.places) = (0, Columns::default());
        self.findings.fault = None;
        filled
    }
}

/// Reads all sources.
pub(super) struct Reader {
    input: Arc<Input>,
    progress: Arc<AtomicU64>,
    budget: Budget,
    open: Option<Open>,
    groups: Option<RowGroups>,
    /// The place of the source to open next.
    source: usize,
    /// The number of the next piece.
    number: u64,
}

/// A source that is being read.
struct Open {
    bytes: Box<dyn Read + Send>,
    cutter: Cutter,
    table: Table,
    /// The beginning of a record whose end has not been read.
    tail: Vec<u8>,
}

impl Reader {
    /// Creates a reader. `progress` counts the bytes that are read from disk.
    pub(super) fn new(input: Arc<Input>, progress: Arc<AtomicU64>) -> Self {
        let budget = Budget::new(input.max_memory);
        Self { input, progress, budget, open: None, groups: None, source: 0, number: 0 }
    }

    /// Fills `piece` with the next records, or with a fault. Returns false at the end of all sources.
    pub(super) fn fill(&mut self, piece: &mut Piece) -> bool {
        let input = Arc::clone(&self.input);
        while let Some(source) = input.sources.get(self.source) {
            let filled = self.fill_from(source, piece);
            piece.source = self.source;
            if !matches!(filled, Ok(true)) {
                (self.open, self.groups) = (None, None);
                self.source += 1;
            }
            match filled {
                Ok(false) => continue,
                Ok(true) => {}
                Err(fault) => piece.findings.fault = Some(fault),
            }
            (piece.number, piece.done) = (self.number, self.progress.load(Ordering::Relaxed));
            self.number += 1;
            return true;
        }
        false
    }

    /// Fills `piece` from the current source. Returns false at the end of the source.
    fn fill_from(&mut self, source: &Source, piece: &mut Piece) -> Result<bool, Fault> {
        if source.format.syntax == Syntax::Parquet {
            return self.fill_with_rows(source, piece);
        }
        let broken = |error: std::io::Error| Fault::whole(error.to_string());
        if self.open.is_none() {
            let bytes = source
                .open(Arc::clone(&self.progress), self.budget.limit(), &self.input.watch)
                .map_err(broken)?;
            let cutter = Cutter::new(source.format.syntax);
            self.open = Some(Open { bytes, cutter, table: Table::default(), tail: Vec::new() });
        }
        let Open { bytes, cutter, table, tail } = self.open.as_mut().expect("opened above");
        let mut filled = piece.refill(tail);
        tail.clear();
        let end = loop {
            if filled == piece.bytes.len() {
                let length = filled - piece.begin;
                if length >= MAX_RECORD {
                    return Err(too_long(source.format.syntax, cutter));
                }
                let room = piece.begin + (2 * length).min(MAX_RECORD + PIECE);
                let share = piece.share.get_or_insert_with(|| self.budget.share());
                // While the buffer grows, the old bytes exist too. The call waits until other threads have used and
                // freed their pieces.
                share
                    .resize_in_time((room + filled) as u64)
                    .map_err(|much| Fault::whole(much.explain("a long record")))?;
                piece.bytes.resize(room, 0);
            }
            // At most the bytes of one piece are read, because the beginning of the next record is copied to the
            // next piece.
            let room = piece.bytes.len().min(filled + ALIGNMENT + PIECE);
            match bytes.read(&mut piece.bytes[filled..room]) {
                Ok(0) => {
                    if let Some(quote) = cutter.open_quote() {
                        let before = &piece.bytes[piece.begin..][..quote];
                        return Err(Fault::at(memchr::memchr_iter(b'\n', before).count() as u64, UNCLOSED));
                    }
                    // A terminal that is read again would wait for a second end of input.
                    *bytes = Box::new(std::io::empty());
                    break filled;
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(broken(error)),
            }
            // Records that have arrived are passed on at once, so that a slow pipe is answered line by line.
            if let Some(cut) = cutter.last_end(&piece.bytes[piece.begin..filled]) {
                cutter.taken(cut);
                let end = piece.begin + cut;
                tail.extend_from_slice(&piece.bytes[end..filled]);
                break end;
            }
        };
        if end == piece.begin {
            return Ok(false);
        }
        piece.end = end;
        let header_is_data = table.begin(piece, source.format, &self.input.columns)?;
        if header_is_data {
            self.input.watch.remark(&format!(
                "{}: the first row was read as a header, but contains a number; --no-header keeps it as data",
                source.name()
            ));
        }
        Ok(true)
    }

    /// Like `fill`, for Parquet: a worker decodes the piece.
    fn fill_with_rows(&mut self, source: &Source, piece: &mut Piece) -> Result<bool, Fault> {
        piece.refill(&[]);
        if self.groups.is_none() {
            let groups = RowGroups::open(source, &self.input.columns, &self.budget)?;
            if let (Some(lists), true) = (some_of(groups.lists()), self.input.columns.values.is_empty()) {
                let verbs = if groups.lists().len() == 1 { ("has", "is") } else { ("have", "are") };
                self.input.watch.remark(&format!(
                    "{}: {lists} {} more than one value per row, and {} left out",
                    source.name(),
                    verbs.0,
                    verbs.1
                ));
            }
            self.groups = Some(groups);
        }
        let groups = self.groups.as_mut().expect("opened above");
        let Some((rows, share)) = groups.next() else { return Ok(false) };
        let bytes = source.size.unwrap_or_default() as f64 * share;
        self.progress.fetch_add(bytes as u64, Ordering::Relaxed);
        (piece.rows, piece.places) = (Some(rows), groups.places.clone());
        Ok(true)
    }
}

/// Returns some of the names: `'a', 'b', 'c' and 4 more`; `None` if there are no names.
pub(super) fn some_of(names: &[String]) -> Option<String> {
    const SHOWN: usize = 5;
    let (shown, rest) = names.split_at(names.len().min(SHOWN));
    let shown = shown.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    match rest.len() {
        _ if names.is_empty() => None,
        0 => Some(shown),
        more => Some(format!("{shown} and {more} more")),
    }
}

const UNCLOSED: &str =
    "a quote opens a field here and is never closed; fix it, or use --format lines if this is not CSV";

fn too_long(syntax: Syntax, cutter: &Cutter) -> Fault {
    let limit = MAX_RECORD >> 20;
    let hint = match syntax {
        Syntax::Lines { end: 0 } => "do the items end in NUL? without --null they end in a newline",
        Syntax::Lines { .. } => "is this text? --null reads items that end with NUL",
        Syntax::Table { .. } if cutter.open_quote().is_some() => {
            "a quote may be left open; fix it, or use --format lines if this is not CSV"
        }
        Syntax::Table { .. } => "is this a table?",
        Syntax::JsonLines => ONE_VALUE_A_LINE,
        // No record of Parquet is too long, because rows are read in row groups.
        Syntax::Whole | Syntax::Parquet => {
            "a file is one document here; leave it out, or use --format lines if each line is one"
        }
    };
    Fault::whole(format!("a record is longer than {limit} MiB; {hint}"))
}

const ONE_VALUE_A_LINE: &str =
    "one JSON value per line is read; turn a large array into lines with: jq -c '.[]'";

/// The columns of the current source.
#[derive(Default)]
struct Table {
    places: Columns<usize>,
    begun: bool,
}

impl Table {
    /// Sets the columns of `piece`. At the first record of a table, it finds the columns and skips the header.
    /// Returns whether the header seems to be data: its field in the column of kept numbers is a number, and not
    /// the name that the user gave.
    fn begin(
        &mut self,
        piece: &mut Piece,
        format: SourceFormat,
        wanted: &Columns<String>,
    ) -> Result<bool, Fault> {
        let mut header_is_data = false;
        if format.json_by_name && !self.begun {
            let text = piece.bytes[piece.begin..piece.end].trim_ascii_start();
            if text.starts_with(b"[") {
                return Err(Fault::whole(format!("this is an array; {ONE_VALUE_A_LINE}")));
            }
            self.begun = !text.is_empty();
        }
        if let Syntax::Table { delimiter, header } = format.syntax
            && !self.begun
            && let Some(first) = table::first_record(&piece.bytes[piece.begin..piece.end], delimiter)
        {
            let columns = table::Header::new(&first.fields, header);
            self.places = wanted.places(&columns, |_, what| Fault::whole(what).quoting())?;
            self.begun = true;
            if header {
                (piece.start, piece.header_lines) = (piece.begin + first.end, first.lines);
                let field = self.places.kept.and_then(|place| first.fields.get(place));
                header_is_data = field.is_some_and(|field| {
                    crivo::Number::parse(field).is_some()
                        && wanted.kept.as_ref().is_some_and(|name| name.as_bytes() != field)
                });
            }
        }
        piece.places.clone_from(&self.places);
        Ok(header_is_data)
    }
}
