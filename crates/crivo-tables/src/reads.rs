//! Sequences of FASTA and FASTQ files: one thread reads and decompresses while another takes what was read.

use super::{Source, Watch};
use anyhow::{Context, Result, anyhow};
use crivo_report::size;
use needletail::errors::{ParseError, ParseErrorKind};
use needletail::parser::Format;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Files of sequences, checked; or standard input.
#[derive(Debug)]
pub struct Reads {
    sources: Vec<Source>,
    max_memory: u64,
    watch: Arc<dyn Watch>,
}

/// One record.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// The line that names it, without its mark.
    pub name: &'a [u8],
    /// Its letters, without line ends.
    pub bases: &'a [u8],
    /// All of it, as it stands in the file; without the last line end.
    pub text: &'a [u8],
    /// Whether each letter has a quality.
    pub is_fastq: bool,
}

impl Reads {
    /// Of these sources, each of which is one record; a sequence may take about `max_memory`.
    pub fn new(sources: Vec<Source>, max_memory: u64, watch: Arc<dyn Watch>) -> Self {
        Self { sources, max_memory, watch }
    }

    /// Makes sure that all can be read more than once: what comes from a pipe is copied to a temporary file while it is
    /// read for the first time.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn keep(&mut self) -> Result<()> {
        self.sources.iter_mut().try_for_each(Source::keep)
    }

    /// Takes every sequence, in their order.
    ///
    /// # Errors
    /// When they cannot be read, and those of `take`.
    pub fn for_each(&self, mut take: impl FnMut(Sequence<'_>) -> Result<()>) -> Result<()> {
        /// The number of pieces that may wait.
        const WAITING: usize = 4;
        let sizes: Option<Vec<u64>> = self.sources.iter().map(|source| source.size).collect();
        let progress = self.watch.begin(sizes.map(|sizes| sizes.iter().sum()), false);
        let done = Arc::new(AtomicU64::new(0));
        let (send, receive) = sync_channel(WAITING);
        thread::scope(|scope| {
            scope.spawn(|| {
                let send = send;
                let read = self.sources.iter().try_for_each(|source| self.read(source, &done, &send));
                if let Err(Stop::Fault(error)) = read {
                    let _nobody_waits = send.send(Err(error));
                }
            });
            for piece in receive {
                let piece = piece?;
                progress.set(done.load(Ordering::Relaxed));
                let mut start = 0;
                for record in &piece.records {
                    let (name, bases) = (start + record.name, start + record.name + record.bases);
                    let text = bases + record.text;
                    take(Sequence {
                        name: &piece.bytes[start..name],
                        bases: &piece.bytes[name..bases],
                        text: &piece.bytes[bases..text],
                        is_fastq: record.is_fastq,
                    })?;
                    start = text;
                }
            }
            Ok(())
        })
    }

    fn read(
        &self,
        source: &Source,
        done: &Arc<AtomicU64>,
        send: &SyncSender<Result<Piece>>,
    ) -> Result<(), Stop> {
        /// Large enough that handing it on costs nothing.
        const PIECE: usize = 1 << 20;
        let fault = |error: ParseError| Stop::Fault(explained(&error).context(source.name()));
        let max_memory = self.max_memory;
        let opened = source.open(Arc::clone(done), max_memory, &self.watch);
        let opened = opened.with_context(|| source.name()).map_err(Stop::Fault)?;
        let mut reader = match needletail::parse_fastx_reader(Limited { source: opened, max_memory }) {
            Err(error) if error.kind == ParseErrorKind::EmptyFile => return Ok(()),
            reader => reader.map_err(fault)?,
        };
        let mut piece = Piece::default();
        while let Some(record) = reader.next() {
            let record = record.map_err(fault)?;
            let (name, bases, text) = (record.id(), record.seq(), record.all());
            piece.bytes.extend_from_slice(name);
            piece.bytes.extend_from_slice(&bases);
            piece.bytes.extend_from_slice(text);
            let is_fastq = record.format() == Format::Fastq;
            piece.records.push(Lengths { name: name.len(), bases: bases.len(), text: text.len(), is_fastq });
            if piece.bytes.len() >= PIECE {
                send.send(Ok(std::mem::take(&mut piece))).map_err(|_| Stop::NotWanted)?;
            }
        }
        send.send(Ok(piece)).map_err(|_| Stop::NotWanted)
    }
}

/// Some records, one behind the other.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    records: Vec<Lengths>,
}

struct Lengths {
    name: usize,
    bases: usize,
    text: usize,
    is_fastq: bool,
}

enum Stop {
    Fault(anyhow::Error),
    /// Nobody takes what is read any more.
    NotWanted,
}

/// A source whose reader keeps a whole sequence, and asks for as much again when that is not enough.
struct Limited<R> {
    source: R,
    max_memory: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// What every reader has.
        const USUAL: u64 = 1 << 20;
        let more = buffer.len() as u64;
        if more > USUAL && 2 * more > self.max_memory {
            let (bytes, limit) = (size(2 * more), size(self.max_memory));
            return Err(io::Error::other(format!(
                "a sequence would take {bytes} of memory, more than the limit of {limit}; raise --max-memory"
            )));
        }
        self.source.read(buffer)
    }
}

fn explained(error: &ParseError) -> anyhow::Error {
    let line = error.position.line;
    match error.kind {
        ParseErrorKind::Io => anyhow!("{}", error.msg),
        ParseErrorKind::UnknownFormat => {
            anyhow!("expected '>' (FASTA) or '@' (FASTQ) at the start; give files of sequences")
        }
        ParseErrorKind::UnexpectedEnd => {
            anyhow!("line {line}: the file ends within a record; get the file again")
        }
        _ => anyhow!("line {line}: {}; correct the record", error.msg.trim_end_matches('.')),
    }
}
