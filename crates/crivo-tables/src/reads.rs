//! Sequences of FASTA and FASTQ files. One thread reads and decompresses them while another processes them.

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

/// Files of sequences, which were checked, or standard input.
#[derive(Debug)]
pub struct Reads {
    sources: Vec<Source>,
    max_memory: u64,
    watch: Arc<dyn Watch>,
}

/// One record of a sequence file.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// The line with the name, without its mark.
    pub name: &'a [u8],
    /// The letters, without line ends.
    pub bases: &'a [u8],
    /// The whole record, as written, without the last line end.
    pub text: &'a [u8],
    /// Whether each letter has a quality score.
    pub is_fastq: bool,
}

impl Reads {
    /// Creates a reader of these sources. A sequence may take about `max_memory`.
    pub fn new(sources: Vec<Source>, max_memory: u64, watch: Arc<dyn Watch>) -> Self {
        Self { sources, max_memory, watch }
    }

    /// Makes all sources readable more than once: a pipe is copied to a temporary file while it is read for the
    /// first time.
    ///
    /// # Errors
    /// If a pipe cannot be copied.
    pub fn keep(&mut self) -> Result<()> {
        self.sources.iter_mut().try_for_each(Source::keep)
    }

    /// Passes every sequence to `take`, in order.
    ///
    /// # Errors
    /// If the sequences cannot be read, and the errors of `take`.
    pub fn for_each(&self, mut take: impl FnMut(Sequence<'_>) -> Result<()>) -> Result<()> {
        /// The number of pieces that may wait for the consumer.
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
        /// The number of bytes of a piece: many enough that passing it to another thread costs little.
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

/// Several records in one buffer.
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
    /// The consumer has stopped.
    NotWanted,
}

/// A source with a memory limit. Its reader keeps a whole sequence, and doubles its buffer if the sequence does not
/// fit.
struct Limited<R> {
    source: R,
    max_memory: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// The buffer size that every reader needs, which does not count against the limit.
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
