//! All columns of tables at once: each value goes to the state of its column, in the order of the rows, on all
//! cores.
//!
//! A thread reads a piece and cuts it into cells, which it hashes ([`cells`]); then it hands the cells of the first
//! column to that column's state when the piece before has been handed over, those of the second column, and so on
//! ([`turns`](super::turns)): the threads follow each other through the columns. There is one state a column, whatever the number
//! of threads, and it sees what one thread alone would show it.

mod cells;
mod layout;

pub use layout::{Table, TableColumn};

use super::gate::Gate;
use super::pipeline::Invalid;
use super::reader::{Piece, Reader};
use super::{Fault, Input, Syntax};
use crate::step::{Next, Step};
use anyhow::{Result, bail};
use cells::Cells;
use crivo::HashSpec;
use crivo::profile::ColumnProfile;
use layout::{Layouts, Share, Tables};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is kept of a column.
pub trait Column: Clone + Send + 'static {
    /// A value and its hash.
    fn add(&mut self, text: &[u8], hash: u64);

    /// Rows without a value.
    fn add_missing(&mut self, rows: u64);

    /// How much memory it takes.
    fn memory_bytes(&self) -> usize;
}

impl Column for ColumnProfile {
    #[inline]
    fn add(&mut self, text: &[u8], hash: u64) {
        self.add_hashed(text, hash, 1);
    }

    fn add_missing(&mut self, rows: u64) {
        Self::add_missing(self, rows);
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

/// How often the consumer looks whether it is time for something.
const WAKE: Duration = Duration::from_millis(50);

impl Input {
    /// Reads the columns of values, or all if none is named, into what `new` makes; together they may take
    /// `max_memory`. Shows the tables `every` so often: between two pieces, at the first of them that is far enough.
    ///
    /// # Errors
    /// When something cannot be read or takes too much memory, and those of `each`.
    pub fn read_tables<C: Column>(
        self,
        spec: HashSpec,
        max_memory: u64,
        new: impl Fn() -> C + Send + Sync + 'static,
        every: Option<Step>,
        mut each: impl FnMut(Vec<Table<C>>) -> Result<()>,
    ) -> Result<Vec<Table<C>>> {
        let total = self.sources.iter().map(|source| source.size).sum();
        let progress = self.watch.begin(total, self.prints);
        self.watch.will_answer();
        let jobs = self.jobs;
        let input = Arc::new(self);
        let taken = Arc::new(AtomicU64::new(0));
        let tables = Arc::new(Tables::new(new));
        let reader = Reader::new(Arc::clone(&input), Arc::clone(&taken));
        let layouts = Layouts::new(Arc::clone(&input), Arc::clone(&tables));
        let feed = Arc::new(Mutex::new(Feed { reader, layouts }));
        let gate = Arc::new(Gate::default());
        let (done, finished) = channel();
        // The threads are left to themselves at the end: one may be waiting for a pipe that never speaks again.
        for _ in 0..jobs {
            let (feed, gate, done) = (Arc::clone(&feed), Arc::clone(&gate), done.clone());
            let cells = Cells::new(spec, &input);
            thread::spawn(move || work(&feed, &gate, cells, max_memory, &done));
        }
        drop(done);
        let mut ledger = Ledger::default();
        let mut next = every.map(Next::new);
        let mut last = None;
        while last != Some(ledger.number) {
            if last.is_none() && input.watch.is_end_of_input() {
                last = Some(gate.close());
                continue;
            }
            match finished.recv_timeout(WAKE) {
                Ok(report) => ledger.take(report, &input)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            progress.set(taken.load(Ordering::Relaxed));
            if let Some(next) = &mut next
                && last.is_none()
                && next.has_come(ledger.rows)
            {
                let passed = gate.hold();
                while ledger.number < passed
                    && let Ok(report) = finished.recv()
                {
                    ledger.take(report, &input)?;
                }
                each(tables.copy())?;
                gate.release();
            }
        }
        drop(progress);
        ledger.invalid.tell(ledger.rows == 0, &*input.watch)?;
        Ok(tables.take())
    }
}

/// Where the threads get their work from.
struct Feed<C> {
    reader: Reader,
    layouts: Layouts<C>,
}

/// What a thread tells of a piece.
struct Report {
    number: u64,
    source: usize,
    lines: u64,
    rows: u64,
    /// How many lines were left out, and the first of them with what is wrong.
    invalid: u64,
    first_invalid: Option<(u64, String)>,
    fault: Option<Fault>,
}

type Panic = Box<dyn std::any::Any + Send>;

/// One thread: piece after piece, until there is none.
fn work<C: Column>(
    feed: &Mutex<Feed<C>>,
    gate: &Gate,
    mut cells: Cells,
    max_memory: u64,
    done: &Sender<Result<Report, Panic>>,
) {
    let mut piece = Piece::default();
    loop {
        let mut share = None;
        let report = catch_unwind(AssertUnwindSafe(|| {
            {
                let mut feed = feed.lock().ok()?;
                let Feed { reader, layouts } = &mut *feed;
                if !(reader.fill(&mut piece) && gate.pass()) {
                    return None;
                }
                share = layouts.share(&mut piece);
            }
            let report = take_piece(&mut piece, share.as_ref(), &mut cells, max_memory);
            piece.shrink();
            Some(report)
        }));
        if report.is_err()
            && let Some(share) = share
        {
            share.give_up();
        }
        let Some(report) = report.transpose() else { return };
        let is_over = report.as_ref().map_or(true, |report| report.fault.is_some());
        if done.send(report).is_err() || is_over {
            return;
        }
    }
}

/// Cuts a piece into cells and hands them to the columns.
fn take_piece<C: Column>(
    piece: &mut Piece,
    share: Option<&Share<C>>,
    cells: &mut Cells,
    max_memory: u64,
) -> Report {
    let mut report = Report {
        number: piece.number,
        source: piece.source,
        lines: piece.header_lines,
        rows: 0,
        invalid: 0,
        first_invalid: None,
        fault: piece.findings.fault.take(),
    };
    let Some(share) = share else { return report };
    if report.fault.is_none() {
        let taken = if let Some(rows) = piece.take_rows() {
            report.rows = rows.number();
            share.hand_over_rows(&rows, cells, max_memory)
        } else {
            cells.cut(piece.data(), share.syntax, &share.places).and_then(|()| {
                (report.invalid, report.first_invalid) = (cells.invalid, cells.first_invalid.take());
                (report.lines, report.rows) = (report.lines + cells.lines, cells.size.rows);
                share.hand_over(cells, piece.data(), max_memory)
            })
        };
        report.fault = taken.err();
    }
    if report.fault.is_some() {
        share.give_up();
    }
    report
}

/// Lines and faults in the order of the input.
#[derive(Default)]
struct Ledger {
    early: BTreeMap<u64, Report>,
    number: u64,
    source: usize,
    /// Lines of the present source before the present piece.
    lines: u64,
    /// Rows of all pieces so far.
    rows: u64,
    invalid: Invalid,
}

impl Ledger {
    fn take(&mut self, report: Result<Report, Panic>, input: &Input) -> Result<()> {
        let report = report.unwrap_or_else(|panic| resume_unwind(panic));
        self.early.insert(report.number, report);
        while let Some(Report { source, lines, rows, invalid, first_invalid, fault, .. }) =
            self.early.remove(&self.number)
        {
            self.number += 1;
            if self.source != source {
                (self.source, self.lines) = (source, 0);
            }
            if let Some(Fault { line, what, .. }) = fault {
                let name = input.sources[source].name();
                match line {
                    Some(line) => bail!("{name}: line {}: {what}", self.lines + line + 1),
                    None => bail!("{name}: {what}"),
                }
            }
            if let Some((line, what)) = first_invalid {
                let (line, name) = (self.lines + line + 1, input.sources[source].name());
                self.invalid.add(invalid, || format!("line {line} of {name} ({what})"));
            }
            self.lines += lines;
            self.rows += rows;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
