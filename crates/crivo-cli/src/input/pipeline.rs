//! One reader, many workers, one consumer; pieces travel in a fixed round, so order is kept without sorting.
//!
//! Piece `i` goes to worker `i mod jobs` and is taken back from it in the same turn. All channels are
//! bounded, and pieces return to the reader when they are used up: memory does not grow with the input.

use super::cut::Cutter;
use super::{Fault, Findings, Source, SourceFormat, Span, Syntax, json, lines, table};
use crate::output::{Progress, remark};
use anyhow::{Result, bail};
use crivo::HashSpec;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Bytes asked for at a time: worth a hand-over between threads, and still in the cache of the next one.
const PIECE: usize = 1 << 18;
/// The longest record: without a limit, a missing line end or quote would fill the memory.
const MAX_RECORD: usize = 256 << 20;
/// Pieces that may wait before each worker, and after it.
const WAITING: usize = 2;

/// What to read, and how.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) sources: Vec<Source>,
    /// A column of a table, or a path in JSON.
    pub(crate) column: Option<String>,
    pub(crate) jobs: usize,
    pub(crate) quiet: bool,
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Values that were hashed.
    pub(crate) items: u64,
    /// Empty values, which are not items.
    pub(crate) nulls: u64,
}

/// Hashes in input order, with their records if those were asked for.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) hashes: &'a [u64],
    /// Empty values, which have no hash.
    pub(crate) nulls: u64,
    pub(crate) source: &'a Source,
    /// The header of a table, at the beginning of each source that has one; without line ends around it.
    pub(crate) header: Option<&'a [u8]>,
    data: &'a [u8],
    spans: &'a [Span],
}

impl<'a> Batch<'a> {
    /// Each record as it was written, without its line end, with the answer for its hash; none for an empty
    /// value.
    pub(crate) fn records<'b>(
        &'b self,
        answers: &'b [bool],
    ) -> impl Iterator<Item = (&'a [u8], Option<bool>)> {
        let mut answers = answers.iter().copied();
        self.spans.iter().map(move |span| {
            let record = &self.data[span.start as usize..span.end as usize];
            (record, if span.hashed { answers.next() } else { None })
        })
    }
}

/// A part of a source, on its way from the reader through a worker to the consumer and back.
#[derive(Default)]
struct Piece {
    source: usize,
    bytes: Vec<u8>,
    /// The header lies before `start`; after `end` there is nothing.
    start: usize,
    end: usize,
    header_lines: u64,
    /// The chosen column of this source's table.
    column: Option<usize>,
    findings: Findings,
}

impl Input {
    /// Hashes everything and hands it to `each` in input order, until that asks to stop.
    pub(crate) fn read(
        self,
        spec: HashSpec,
        keep_records: bool,
        mut each: impl FnMut(&Batch<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        let total = self.sources.iter().map(|source| source.size).sum();
        // A bar would be drawn into records that go to the same terminal.
        let beside_records = keep_records && std::io::stdout().is_terminal();
        let progress = Progress::new(total, self.quiet || beside_records);
        let input = Arc::new(self);
        let taken = Arc::new(AtomicU64::new(0));
        let (spare, spares) = channel();
        let (mut to_workers, mut from_workers, mut threads) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..input.jobs {
            let (to_worker, pieces) = sync_channel::<Piece>(WAITING);
            let (finished, from_worker) = sync_channel(WAITING);
            let input = Arc::clone(&input);
            threads.push(thread::spawn(move || {
                for mut piece in pieces {
                    input.parse(&mut piece, spec, keep_records);
                    if finished.send(piece).is_err() {
                        return;
                    }
                }
            }));
            to_workers.push(to_worker);
            from_workers.push(from_worker);
        }
        let mut reader = Reader { input: Arc::clone(&input), to_workers, turn: 0, spares };
        let counter = Arc::clone(&taken);
        // The threads are left to themselves when the consumer stops early: the reader may be waiting for
        // a pipe that never speaks again.
        threads.push(thread::spawn(move || {
            let _consumer_gone = reader.run(&counter);
        }));

        let mut consumer =
            Consumer { sources: &input.sources, lines: 0, source: 0, totals: Totals::default() };
        for from_worker in from_workers.iter().cycle() {
            let Ok(piece) = from_worker.recv() else { break };
            if consumer.take(&piece, &mut each)?.is_break() {
                return Ok(consumer.totals);
            }
            progress.set(taken.load(Ordering::Relaxed));
            give_back(&spare, piece);
        }
        drop(from_workers);
        for thread in threads {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        drop(progress);
        let totals = consumer.totals;
        if let Some(column) = &input.column
            && totals.items == 0
            && totals.nulls > 0
            && !input.quiet
        {
            remark(&format!("no record has a value for '{column}'; check the name"));
        }
        Ok(totals)
    }

    fn parse(&self, piece: &mut Piece, spec: HashSpec, keep_records: bool) {
        let findings = &mut piece.findings;
        if findings.fault.is_some() {
            return;
        }
        findings.clear(keep_records);
        let data = &piece.bytes[piece.start..piece.end];
        match self.sources[piece.source].format.syntax {
            Syntax::Lines { end } => lines::parse(data, end, spec, findings),
            Syntax::Table { delimiter, .. } => table::parse(data, delimiter, piece.column, spec, findings),
            Syntax::JsonLines => json::parse(data, self.column.as_deref(), spec, findings),
        }
    }
}

struct Consumer<'a> {
    sources: &'a [Source],
    source: usize,
    /// Lines of the present source before the present piece.
    lines: u64,
    totals: Totals,
}

impl Consumer<'_> {
    fn take(
        &mut self,
        piece: &Piece,
        each: &mut impl FnMut(&Batch<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>> {
        if self.source != piece.source {
            (self.source, self.lines) = (piece.source, 0);
        }
        self.lines += piece.header_lines;
        let findings = &piece.findings;
        if let Some(Fault { line, what }) = &findings.fault {
            let name = self.sources[piece.source].name();
            match line {
                Some(line) => bail!("{name}: line {}: {what}", self.lines + line + 1),
                None => bail!("{name}: {what}"),
            }
        }
        self.lines += findings.lines;
        self.totals.items += findings.hashes.len() as u64;
        self.totals.nulls += findings.nulls;
        each(&Batch {
            hashes: &findings.hashes,
            nulls: findings.nulls,
            source: &self.sources[piece.source],
            header: (piece.start > 0).then(|| table::without_line_ends(&piece.bytes[..piece.start])),
            data: &piece.bytes[piece.start..piece.end],
            spans: findings.spans.as_deref().unwrap_or_default(),
        })
    }
}

/// For use again, unless a long record has made it large; the reader may have finished.
fn give_back(spare: &Sender<Piece>, piece: Piece) {
    if piece.bytes.len() <= 4 * PIECE {
        let _reader_gone = spare.send(piece);
    }
}

struct Reader {
    input: Arc<Input>,
    to_workers: Vec<SyncSender<Piece>>,
    turn: usize,
    spares: Receiver<Piece>,
}

/// Nobody waits for more.
struct ConsumerGone;

impl Reader {
    fn run(&mut self, progress: &Arc<AtomicU64>) -> Result<(), ConsumerGone> {
        let input = Arc::clone(&self.input);
        for (index, source) in input.sources.iter().enumerate() {
            if let Err(fault) = self.read(index, source, progress)? {
                let findings = Findings { fault: Some(fault), ..Findings::default() };
                self.send(Piece { source: index, findings, ..Piece::default() })?;
            }
        }
        Ok(())
    }

    /// Cuts one source into pieces.
    fn read(
        &mut self,
        index: usize,
        source: &Source,
        progress: &Arc<AtomicU64>,
    ) -> Result<Result<(), Fault>, ConsumerGone> {
        let mut reader = match source.open(Arc::clone(progress)) {
            Ok(reader) => reader,
            Err(error) => return Ok(Err(Fault::whole(error.to_string()))),
        };
        let mut cutter = Cutter::new(source.format.syntax);
        let mut table = Table { column: None, begun: false };
        let mut piece = self.spare(PIECE);
        let mut filled = 0;
        loop {
            if filled == piece.bytes.len() {
                if filled >= MAX_RECORD {
                    return Ok(Err(too_long(source.format.syntax, &cutter)));
                }
                piece.bytes.resize(2 * filled, 0);
            }
            match reader.read(&mut piece.bytes[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Err(Fault::whole(error.to_string()))),
            }
            // Whatever has arrived goes on at once: a slow pipe is answered line by line.
            if let Some(cut) = cutter.last_end(&piece.bytes[..filled]) {
                let tail = filled - cut;
                let mut next = self.spare(tail + PIECE);
                next.bytes[..tail].copy_from_slice(&piece.bytes[cut..filled]);
                cutter.taken(cut);
                piece.end = cut;
                if let Err(fault) = table.begin(&mut piece, source.format, self.input.column.as_deref()) {
                    return Ok(Err(fault));
                }
                piece.source = index;
                self.send(std::mem::replace(&mut piece, next))?;
                filled = tail;
            }
        }
        if let Some(quote) = cutter.open_quote() {
            let line = memchr::memchr_iter(b'\n', &piece.bytes[..quote]).count() as u64;
            return Ok(Err(Fault::at(line, UNCLOSED)));
        }
        if filled > 0 {
            (piece.source, piece.end) = (index, filled);
            if let Err(fault) = table.begin(&mut piece, source.format, self.input.column.as_deref()) {
                return Ok(Err(fault));
            }
            self.send(piece)?;
        }
        Ok(Ok(()))
    }

    fn send(&mut self, piece: Piece) -> Result<(), ConsumerGone> {
        let worker = &self.to_workers[self.turn];
        self.turn = (self.turn + 1) % self.to_workers.len();
        worker.send(piece).map_err(|_| ConsumerGone)
    }

    /// An empty piece with room for `size` bytes at least.
    fn spare(&self, size: usize) -> Piece {
        let mut piece = self.spares.try_recv().unwrap_or_default();
        if piece.bytes.len() < size {
            piece.bytes.resize(size, 0);
        }
        Piece { bytes: piece.bytes, findings: piece.findings, ..Piece::default() }
    }
}

const UNCLOSED: &str =
    "a quote opens a field here and is never closed; mend it, or use --format lines if this is no CSV";

fn too_long(syntax: Syntax, cutter: &Cutter) -> Fault {
    let limit = MAX_RECORD >> 20;
    let hint = match syntax {
        Syntax::Lines { end: 0 } => "do the items end in NUL? without --null they end in a newline",
        Syntax::Lines { .. } => "is this text? --null reads items that end in NUL",
        Syntax::Table { .. } if cutter.open_quote().is_some() => {
            "a quote may be left open; mend it, or use --format lines if this is no CSV"
        }
        Syntax::Table { .. } => "is this a table?",
        Syntax::JsonLines => ONE_VALUE_A_LINE,
    };
    Fault::whole(format!("a record is longer than {limit} MiB; {hint}"))
}

const ONE_VALUE_A_LINE: &str =
    "one JSON value a line is read; turn a large array into lines with: jq -c '.[]'";

/// What is known of the present source.
struct Table {
    column: Option<usize>,
    begun: bool,
}

impl Table {
    /// Notes the column in `piece`; at the first record of a table, finds the column and skips the header.
    fn begin(&mut self, piece: &mut Piece, format: SourceFormat, wanted: Option<&str>) -> Result<(), Fault> {
        if format.json_by_name && !self.begun {
            let text = piece.bytes[..piece.end].trim_ascii_start();
            if text.starts_with(b"[") {
                return Err(Fault::whole(format!("this is an array; {ONE_VALUE_A_LINE}")));
            }
            self.begun = !text.is_empty();
        }
        if let Syntax::Table { delimiter, header } = format.syntax
            && !self.begun
        {
            let first = table::first_record(&piece.bytes[..piece.end], delimiter)
                .map_err(|error| Fault::whole(error.to_string()))?;
            if let Some(first) = first {
                let find = |name| table::find_column(&first.fields, header, name).map_err(Fault::whole);
                self.column = wanted.map(find).transpose()?;
                self.begun = true;
                if header {
                    (piece.start, piece.header_lines) = (first.end, first.lines);
                }
            }
        }
        piece.column = self.column;
        Ok(())
    }
}
