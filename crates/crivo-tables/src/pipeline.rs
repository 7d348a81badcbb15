//! Workers take turns at reading a piece, then parse and hash it; one consumer takes the pieces in the order in
//! which they were read.
//!
//! A piece is parsed by the thread that has read it, while its bytes are in that core's cache. The pieces are few
//! and return when they are used up: memory does not grow with the input. One worker alone is the consumer too,
//! unless somebody may have to answer while it waits for a pipe.

use super::gate::Gate;
use super::reader::{Piece, Reader};
use super::{
    BatchValues, Columns, Fault, Missing, Source, Span, Syntax, Texts, Wants, Watch, json, lines, table,
};
use anyhow::{Result, bail};
use crivo::{HashSpec, Number};
use crivo_report::{plural, shown};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Pieces for each worker: one that it parses, and one that waits for the consumer.
const PIECES: usize = 2;

/// How soon an interrupt is seen while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// What to read, and how.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish of the caller")]
pub struct Input {
    /// Read one after the other.
    pub sources: Vec<Source>,
    /// Columns of a table, or paths in JSON.
    pub columns: Columns<String>,
    /// Which values are none.
    pub missing: Missing,
    /// How many threads.
    pub jobs: usize,
    /// What reading may take, where that follows the data: long records, and pages of Parquet.
    pub max_memory: u64,
    /// Who waits.
    pub watch: Arc<dyn Watch>,
    /// Whether something is printed while the input is read.
    pub prints: bool,
    /// How often the caller wants to be called at least: with an empty batch when nothing has come.
    pub wake: Option<Duration>,
    /// Whether a column without any value is an error, not worth a remark alone.
    pub needs_values: bool,
    /// Whether a part of the input has an answer too: an interrupt is then the end of the input, and of the command
    /// otherwise.
    pub answers_early: bool,
    /// Whether no message may show any of the data.
    pub hides_data: bool,
    /// Whether lines that are no JSON are left out, not an error.
    pub skips_invalid: bool,
}

/// How much was read.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Values that count.
    pub items: u64,
    /// Empty values, which are not items.
    pub nulls: u64,
    /// Whether some item has a group.
    groups: bool,
    /// Values that are no items where numbers were asked for.
    pub not_numbers: NotNumbers,
    /// Lines that were left out; their values count as empty.
    invalid: Invalid,
}

/// Lines that are no JSON, where that is no error.
#[derive(Clone, Debug, Default)]
pub(super) struct Invalid {
    lines: u64,
    /// Where the first one stands, and what is wrong with it.
    first: String,
}

impl Invalid {
    /// Some lines more, the first of which is at `place`.
    pub(super) fn add(&mut self, lines: u64, place: impl FnOnce() -> String) {
        if self.lines == 0 && lines > 0 {
            self.first = place();
        }
        self.lines += lines;
    }

    /// Tells of them, where there are any; it is an error that there is nothing else.
    pub(super) fn tell(&self, is_all: bool, watch: &dyn Watch) -> Result<()> {
        if self.lines == 0 {
            return Ok(());
        }
        if is_all {
            bail!("no line is JSON, the first being {}; check --format", self.first);
        }
        let lines = plural(self.lines, "line that is no JSON was", "lines that are no JSON were");
        watch.remark(&format!("{lines} left out, the first being {}", self.first));
        Ok(())
    }
}

/// Values that are no numbers.
#[derive(Clone, Debug, Default)]
pub struct NotNumbers {
    /// How many.
    pub count: u64,
    /// The first one and where it stands.
    first: String,
}

impl NotNumbers {
    /// So many of them, wherever they stand.
    pub fn new(count: u64) -> Self {
        Self { count, first: String::new() }
    }

    /// `'NA' in line 7 of flights.csv`
    pub fn first(&self) -> &str {
        &self.first
    }
}

/// Items in input order, each with what was asked for.
#[derive(Debug)]
pub struct Batch<'a> {
    /// How many there are.
    pub items: usize,
    /// The hash of each value.
    pub hashes: &'a [u64],
    /// The bytes of each value, unescaped.
    pub values: BatchValues<'a>,
    /// Each value as a number.
    pub numbers: &'a [Number],
    /// The group of each item.
    pub groups: &'a Texts,
    /// The microsecond of each item.
    pub times: &'a [u64],
    /// How many copies each item stands for.
    pub copies: &'a [u64],
    /// How much each item weighs.
    pub weights: &'a [f64],
    /// Which number is kept with each item, or claimed for it.
    pub kept: &'a [f64],
    /// For each empty value, which is not an item, how many items came before it.
    pub nulls: &'a [u32],
    /// The same for each value that is no number.
    pub not_numbers: &'a [u32],
    /// Where they come from.
    pub source: &'a Source,
    /// The header of a table, at the beginning of each source that has one; without line ends around it.
    pub header: Option<&'a [u8]>,
    /// All before the first record, as it was written.
    pub head: &'a [u8],
    data: &'a [u8],
    spans: &'a [Span],
}

impl<'a> Batch<'a> {
    /// Each record as it was written, without its line end, with the answer for its hash; none for an empty
    /// value.
    pub fn records<'b>(&'b self, answers: &'b [bool]) -> impl Iterator<Item = (&'a [u8], Option<bool>)> {
        let mut answers = answers.iter().copied();
        self.spans.iter().map(move |span| {
            let record = &self.data[span.start as usize..span.end as usize];
            (record, if span.is_item { answers.next() } else { None })
        })
    }

    /// The hash and the value of each item, where both were asked for.
    pub fn hashed_values(&self) -> impl Iterator<Item = (u64, &'a [u8])> {
        let values = self.values;
        self.hashes.iter().enumerate().map(move |(place, &hash)| (hash, values.get(place)))
    }

    /// Each record in input order: the place of its item, or none for an empty value.
    pub fn places(&self) -> impl Iterator<Item = Option<usize>> + use<'_, 'a> {
        let mut nulls = self.nulls.iter().map(|&before| before as usize).peekable();
        let mut items = 0..self.items;
        std::iter::from_fn(move || {
            let is_null = nulls.next_if(|&before| before <= items.start).is_some();
            if is_null { Some(None) } else { items.next().map(Some) }
        })
    }

    /// Everything as it was written.
    pub fn text(&self) -> &'a [u8] {
        self.data
    }

    /// Everything as it was written, cut before each record but the first.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.spans.len()).map(move |place| self.written(place..place + 1))
    }

    /// The pieces of some records, which follow each other.
    pub fn written(&self, records: Range<usize>) -> &'a [u8] {
        let begin = |place: usize| match place {
            0 => 0,
            _ => self.spans.get(place).map_or(self.data.len(), |span| span.start as usize),
        };
        &self.data[begin(records.start)..begin(records.end)]
    }

    /// The record of each item, as it was written, without its line end.
    pub fn item_records(&self) -> impl Iterator<Item = &'a [u8]> {
        let items = self.spans.iter().filter(|span| span.is_item);
        items.map(|span| &self.data[span.start as usize..span.end as usize])
    }
}

impl Input {
    /// Hands what is wanted of everything to `each` in input order, until that asks to stop.
    ///
    /// # Errors
    /// When something cannot be read, and those of `each`.
    pub fn read(
        self,
        wants: Wants,
        mut each: impl FnMut(&Batch<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        self.map(wants, |(), _| Ok(()), |batch, ()| each(batch))
    }

    /// The same, with what `work` makes of each batch: on all cores, each of which has a state of its own.
    ///
    /// # Errors
    /// When something cannot be read, and those of `work` and `each`.
    pub fn map<S: Clone + Default + Send + 'static, T: Default + Send + 'static>(
        self,
        wants: Wants,
        work: impl Fn(&mut S, &Batch<'_>) -> crivo::Result<T> + Clone + Send + 'static,
        each: impl FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        let workers = vec![S::default(); self.jobs];
        let (totals, _) = self.run(wants, workers, work, each)?;
        Ok(totals)
    }

    /// Hashes everything and hands it to `take`, in no order, with one of `states`: each worker has its own.
    ///
    /// # Errors
    /// When something cannot be read, and those of `take`.
    pub fn fold<S: Send + 'static>(
        self,
        spec: HashSpec,
        states: Vec<S>,
        take: impl Fn(&mut S, &[u64]) -> crivo::Result<()> + Clone + Send + 'static,
    ) -> Result<(Totals, Vec<S>)> {
        let take = move |state: &mut S, batch: &Batch<'_>| take(state, batch.hashes);
        self.run(Wants::hashes(spec), states, take, |_, ()| Ok(ControlFlow::Continue(())))
    }

    /// One worker for each of `states`, which takes what the worker finds; then `each` sees it in input order.
    fn run<S: Send + 'static, T: Default + Send + 'static>(
        self,
        wants: Wants,
        mut states: Vec<S>,
        take: impl Fn(&mut S, &Batch<'_>) -> crivo::Result<T> + Clone + Send + 'static,
        mut each: impl FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>,
    ) -> Result<(Totals, Vec<S>)> {
        let total = self.sources.iter().map(|source| source.size).sum();
        let progress = self.watch.begin(total, wants.records() || self.prints);
        let wake = self.wake;
        if self.answers_early {
            self.watch.will_answer();
        }
        // Whoever reads a pipe may have to wait for it, and must not wait when interrupted.
        let may_wait = self.answers_early && self.sources.iter().any(|source| source.size.is_none());
        let input = Arc::new(self);
        let taken = Arc::new(AtomicU64::new(0));
        let mut reader = Reader::new(Arc::clone(&input), Arc::clone(&taken));
        let mut consumer = Consumer {
            sources: &input.sources,
            hides_data: input.hides_data,
            watch: &*input.watch,
            first_names: None,
            lines: 0,
            source: 0,
            totals: Totals::default(),
        };
        let mut consume = |piece: &Piece, found: T| {
            progress.set(taken.load(Ordering::Relaxed));
            consumer.take(piece, found, &mut each)
        };
        let work = {
            let input = Arc::clone(&input);
            move |piece: &mut Piece, state: &mut S| {
                input.parse(piece, wants);
                if piece.findings.fault.is_some() {
                    return T::default();
                }
                take(state, &piece.batch(&input.sources)).unwrap_or_else(|error| {
                    piece.findings.fault = Some(Fault::whole(error.to_string()));
                    T::default()
                })
            }
        };
        if let ([state], None, false) = (&mut states[..], wake, may_wait) {
            let mut piece = Piece::default();
            while !input.watch.is_end_of_input() && reader.fill(&mut piece) {
                let found = work(&mut piece, state);
                if consume(&piece, found)?.is_break() {
                    break;
                }
            }
        } else {
            states = on_threads(reader, states, wake, &*input.watch, work, consume)?;
        }
        drop(progress);
        let totals = consumer.totals;
        if totals.items == 0 && totals.not_numbers.count > 0 {
            bail!(
                "no value is a number, the first being {}; check --column and --format",
                totals.not_numbers.first
            );
        }
        totals.invalid.tell(totals.items == 0 && totals.nulls == totals.invalid.lines, &*input.watch)?;
        if let Some(column) = input.without_values(&totals) {
            let what = format!("no record has a value for '{column}'; check the name");
            if input.needs_values {
                bail!(what);
            }
            input.watch.remark(&what);
        }
        Ok((totals, states))
    }

    /// A column of values or groups that no record has, though there are records.
    fn without_values(&self, totals: &Totals) -> Option<&str> {
        let Totals { items, nulls, groups, .. } = *totals;
        let value = self.columns.values.first().filter(|_| items == 0 && nulls > 0);
        value.map(String::as_str).or(self.columns.by.as_deref().filter(|_| items > 0 && !groups))
    }

    fn parse(&self, piece: &mut Piece, wants: Wants) {
        if piece.findings.fault.is_some() {
            return;
        }
        piece.findings.clear(wants);
        if let Err(fault) = piece.decode(wants.records()) {
            piece.findings.fault = Some(fault);
            return;
        }
        let (source, places) = (piece.source, std::mem::take(&mut piece.places));
        if self.sources.len() > 1 && !places.values.is_empty() {
            piece.findings.column_names = self.column_names(piece, &places);
        }
        let (data, findings) = piece.parts();
        match self.sources[source].format.syntax {
            Syntax::Lines { end } => lines::parse(data, end, &wants, &self.missing, findings),
            Syntax::Table { delimiter, .. } => {
                table::parse(data, delimiter, false, &places, &self.missing, findings);
            }
            Syntax::Parquet => table::parse(data, b',', true, &places, &self.missing, findings),
            Syntax::JsonLines => {
                json::parse(data, &self.columns, &self.missing, self.skips_invalid, findings);
            }
            Syntax::Whole => {
                findings.values_lie_in_piece();
                findings.push(data, 0, data.len(), 0);
            }
        }
    }
}

impl Input {
    /// What the columns of the values are called in the header that the piece begins with.
    fn column_names(&self, piece: &Piece, places: &Columns<usize>) -> Option<Vec<Vec<u8>>> {
        let delimiter = match self.sources[piece.source].format.syntax {
            Syntax::Table { delimiter, .. } => delimiter,
            _ => b',',
        };
        let fields = table::first_record(piece.header()?, delimiter)?.fields;
        Some(places.values.iter().filter_map(|&place| fields.get(place).cloned()).collect())
    }
}

impl Piece {
    fn batch<'a>(&'a self, sources: &'a [Source]) -> Batch<'a> {
        let findings = &self.findings;
        Batch {
            items: findings.items,
            hashes: &findings.hashes,
            values: findings.values.of(self.data()),
            numbers: &findings.numbers,
            groups: &findings.groups,
            times: &findings.times,
            copies: &findings.copies,
            weights: &findings.weights,
            kept: &findings.kept,
            nulls: &findings.nulls,
            not_numbers: &findings.not_numbers,
            source: &sources[self.source],
            header: self.header(),
            head: self.head(),
            data: self.data(),
            spans: &findings.spans,
        }
    }
}

/// A worker for each of `states`, and `consume` on this thread. Returns the states, if it was not asked to stop.
fn on_threads<S: Send + 'static, T: Default + Send + 'static>(
    reader: Reader,
    states: Vec<S>,
    wake: Option<Duration>,
    watch: &dyn Watch,
    work: impl Fn(&mut Piece, &mut S) -> T + Clone + Send + 'static,
    mut consume: impl FnMut(&Piece, T) -> Result<ControlFlow<()>>,
) -> Result<Vec<S>> {
    let (spare, spares) = channel();
    let (done, finished) = channel();
    for _ in 0..PIECES * states.len() {
        let _kept = spare.send(Piece::default());
    }
    let reader = Arc::new(Mutex::new((reader, spares)));
    let gate = Arc::new(Gate::default());
    let states: Vec<_> = states.into_iter().map(|state| Arc::new(Mutex::new(Some(state)))).collect();
    // The threads are left to themselves when the consumer stops early: one may be waiting for a pipe that
    // never speaks again.
    for state in &states {
        let (reader, gate, state) = (Arc::clone(&reader), Arc::clone(&gate), Arc::clone(state));
        let (done, work) = (done.clone(), work.clone());
        let read = move || {
            let mut turn = reader.lock().ok()?;
            let (reader, spares) = &mut *turn;
            let mut piece = spares.recv().ok()?;
            (reader.fill(&mut piece) && gate.pass()).then_some(piece)
        };
        thread::spawn(move || {
            loop {
                let piece = catch_unwind(AssertUnwindSafe(|| {
                    let mut piece = read()?;
                    let found = work(&mut piece, state.lock().ok()?.as_mut()?);
                    Some((piece, found))
                }));
                // The others would wait for a piece that a panic has swallowed.
                let Some(piece) = piece.transpose() else { return };
                if done.send(piece).is_err() {
                    return;
                }
            }
        });
    }
    drop(done);
    let mut nothing = Piece::default();
    let mut early = BTreeMap::new();
    let mut number = 0;
    let mut last = None;
    while last != Some(number) {
        if last.is_none() && watch.is_end_of_input() {
            last = Some(gate.close());
            continue;
        }
        let (piece, found) = match finished.recv_timeout(wake.unwrap_or(PATIENCE)) {
            Ok(piece) => piece.unwrap_or_else(|panic| resume_unwind(panic)),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if wake.is_some() && consume(&nothing, T::default())?.is_break() {
                    return Ok(Vec::new());
                }
                continue;
            }
        };
        early.insert(piece.number, (piece, found));
        while let Some((mut piece, found)) = early.remove(&number) {
            if consume(&piece, found)?.is_break() {
                return Ok(Vec::new());
            }
            number += 1;
            nothing.source = piece.source;
            piece.shrink();
            let _all_read = spare.send(piece);
        }
    }
    let state = |state: Arc<Mutex<Option<S>>>| state.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(states.into_iter().filter_map(state).collect())
}

struct Consumer<'a> {
    sources: &'a [Source],
    hides_data: bool,
    watch: &'a dyn Watch,
    /// What the columns of the values are called in the first table, and whether another has other names for them.
    first_names: Option<(Vec<Vec<u8>>, bool)>,
    source: usize,
    /// Lines of the present source before the present piece.
    lines: u64,
    totals: Totals,
}

impl Consumer<'_> {
    fn take<T>(
        &mut self,
        piece: &Piece,
        found: T,
        each: &mut impl FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>> {
        if self.source != piece.source {
            (self.source, self.lines) = (piece.source, 0);
        }
        self.lines += piece.header_lines;
        let findings = &piece.findings;
        let source = &self.sources[piece.source];
        let unit = if source.format.syntax == Syntax::Parquet { "row" } else { "line" };
        if let Some(fault) = &findings.fault {
            let (name, what) = (source.name(), fault.explain(self.hides_data));
            match fault.line {
                Some(line) => bail!("{name}: {unit} {}: {what}", self.lines + line + 1),
                None => bail!("{name}: {what}"),
            }
        }
        if let Some(names) = &findings.column_names {
            let (first, is_told) = self.first_names.get_or_insert_with(|| (names.clone(), false));
            let other = first.iter().zip(names).find(|(first, own)| first != own);
            if let Some((first, own)) = other.filter(|_| !*is_told && !self.hides_data) {
                *is_told = true;
                self.watch.remark(&format!(
                    "{}: the column is called '{}' here and '{}' in the first table; their values are taken together",
                    source.name(),
                    shown(own),
                    shown(first)
                ));
            }
        }
        if let (Some((line, text)), 0) = (&findings.first_not_number, self.totals.not_numbers.count) {
            let (line, name) = (self.lines + line + 1, source.name());
            self.totals.not_numbers.first = format!("'{text}' in {unit} {line} of {name}");
        }
        if let Some((line, what)) = &findings.first_invalid {
            let (line, name) = (self.lines + line + 1, source.name());
            let why = if self.hides_data { String::new() } else { format!(" ({what})") };
            self.totals.invalid.add(findings.invalid, || format!("{unit} {line} of {name}{why}"));
        }
        self.lines += findings.lines;
        self.totals.items += findings.items as u64;
        self.totals.nulls += findings.nulls.len() as u64;
        self.totals.groups |= findings.groups.has_text();
        self.totals.not_numbers.count += findings.not_numbers.len() as u64;
        each(&piece.batch(self.sources), found)
    }
}
