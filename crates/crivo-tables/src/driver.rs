//! Workers take turns at reading a piece, then make something of it; one consumer takes the pieces in the order in which they
//! were read.
//!
//! A piece is worked on by the thread that has read it, while its bytes are in that core's cache. The pieces are few
//! and return when they are used up: memory does not grow with the input. One worker alone is the consumer too,
//! unless an answer may be due while it waits for a pipe.

use super::gate::Gate;
use super::ledger::{Ledger, Totals};
use super::reader::{Piece, Reader};
use super::{Input, Progress};
use anyhow::Result;
use crivo_report::Interrupted;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Pieces for each worker: one that it works on, and one that waits for the consumer.
const PIECES: usize = 2;

/// How soon an interrupt is seen while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// Who takes the pieces in the order of the input.
pub(crate) trait Consumer<T> {
    /// The next piece, which is as it should be, with what its worker made of it.
    fn take(&mut self, piece: &Piece, found: T) -> Result<ControlFlow<()>>;

    /// Returns whether it is time, after this many items, to collect the results of all workers so far.
    fn is_due(&mut self, _items: u64) -> bool {
        false
    }

    /// No worker is at work.
    fn see(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A worker for each of `states`. Each piece is given to `sort` in the order of the input, then to `work` on the thread of a
/// worker, and then to `consumer`, on this thread, in the order of the input. Returns the states, if it was not asked to stop.
pub(crate) fn drive<S: Send + 'static, O, T: Default + Send + 'static>(
    input: &Arc<Input>,
    prints: bool,
    mut states: Vec<S>,
    mut sort: impl FnMut(&mut Piece) -> O + Send + 'static,
    work: impl Fn(&mut S, &mut Piece, O) -> T + Clone + Send + 'static,
    consumer: impl Consumer<T>,
) -> Result<(Totals, Vec<S>)> {
    let total = input.sources.iter().map(|source| source.size).sum();
    let progress = input.watch.begin(total, prints);
    if input.answers_early {
        input.watch.will_answer();
    }
    // Reading a pipe may block, and must not block after an interrupt.
    let may_wait = input.answers_early && input.sources.iter().any(|source| source.size.is_none());
    let mut reader = Reader::new(Arc::clone(input), Arc::new(AtomicU64::new(0)));
    let mut end =
        End { input, ledger: Ledger::new(input), progress, done: 0, is_interrupted: false, consumer };
    if let ([state], None, false) = (&mut states[..], input.wake, may_wait) {
        let mut piece = Piece::default();
        loop {
            end.is_interrupted = input.watch.is_end_of_input();
            if end.is_interrupted || !reader.fill(&mut piece) {
                break;
            }
            let order = sort(&mut piece);
            let found = work(state, &mut piece, order);
            if end.take(&piece, found)?.is_break() {
                break;
            }
            if end.is_due() {
                end.consumer.see()?;
            }
        }
    } else {
        states = on_threads(reader, states, sort, work, &mut end)?;
    }
    if end.is_interrupted {
        let share = total.map(|total: u64| (end.done as f64 / total.max(1) as f64).min(1.0));
        input.watch.interrupted(Interrupted { rows: end.ledger.totals.rows(), share });
    }
    Ok((end.ledger.totals, states))
}

/// Where the pieces go.
struct End<'a, C> {
    input: &'a Input,
    ledger: Ledger<'a>,
    progress: Box<dyn Progress>,
    /// Bytes that were read of what was handed over.
    done: u64,
    is_interrupted: bool,
    consumer: C,
}

impl<C> End<'_, C> {
    fn take<T>(&mut self, piece: &Piece, found: T) -> Result<ControlFlow<()>>
    where
        C: Consumer<T>,
    {
        // An empty piece, for those who want to be called, knows nothing.
        self.done = self.done.max(piece.done);
        self.progress.set(self.done);
        self.ledger.take(piece)?;
        self.consumer.take(piece, found)
    }

    fn is_due<T>(&mut self) -> bool
    where
        C: Consumer<T>,
    {
        self.consumer.is_due(self.ledger.totals.items)
    }
}

/// A piece and what was made of it, or the panic of its worker.
type Finished<T> = thread::Result<(Piece, T)>;

fn on_threads<S: Send + 'static, O, T: Default + Send + 'static, C: Consumer<T>>(
    reader: Reader,
    states: Vec<S>,
    sort: impl FnMut(&mut Piece) -> O + Send + 'static,
    work: impl Fn(&mut S, &mut Piece, O) -> T + Clone + Send + 'static,
    end: &mut End<'_, C>,
) -> Result<Vec<S>> {
    let (spare, spares) = channel();
    let (done, finished) = channel();
    for _ in 0..PIECES * states.len() {
        let _kept = spare.send(Piece::default());
    }
    let feed = Arc::new(Mutex::new((reader, sort, spares)));
    let gate = Arc::new(Gate::default());
    let states: Vec<_> = states.into_iter().map(|state| Arc::new(Mutex::new(Some(state)))).collect();
    // The threads are left to themselves when the consumer stops early: one may be waiting for a pipe that
    // never speaks again.
    for state in &states {
        let (feed, gate, state) = (Arc::clone(&feed), Arc::clone(&gate), Arc::clone(state));
        let (done, work) = (done.clone(), work.clone());
        let read = move || {
            let mut turn = feed.lock().ok()?;
            let (reader, sort, spares) = &mut *turn;
            let mut piece = spares.recv().ok()?;
            (reader.fill(&mut piece) && gate.pass()).then(|| (sort(&mut piece), piece))
        };
        thread::spawn(move || {
            loop {
                let piece = catch_unwind(AssertUnwindSafe(|| {
                    let (order, mut piece) = read()?;
                    let found = work(state.lock().ok()?.as_mut()?, &mut piece, order);
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
    let nothing = Piece::default();
    let mut queue = Queue { finished, spare, early: BTreeMap::new(), number: 0, nothing };
    if queue.empty(&gate, end)?.is_break() {
        return Ok(Vec::new());
    }
    let state = |state: Arc<Mutex<Option<S>>>| state.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(states.into_iter().filter_map(state).collect())
}

/// Pieces in the order in which they are finished.
struct Queue<T> {
    finished: Receiver<Finished<T>>,
    /// Where they go when they are used up.
    spare: Sender<Piece>,
    /// Those that came before their turn.
    early: BTreeMap<u64, (Piece, T)>,
    /// The next one.
    number: u64,
    /// For those who want to be called though none has come: an empty one, of the same source as the last.
    nothing: Piece,
}

impl<T: Default> Queue<T> {
    /// Hands all to the consumer, in their order, until it asks to stop.
    fn empty<C: Consumer<T>>(&mut self, gate: &Gate, end: &mut End<'_, C>) -> Result<ControlFlow<()>> {
        let wake = end.input.wake;
        let mut last = None;
        while last != Some(self.number) {
            if last.is_none() && end.input.watch.is_end_of_input() {
                last = Some(gate.close());
                end.is_interrupted = true;
                continue;
            }
            let handed = match self.finished.recv_timeout(wake.unwrap_or(PATIENCE)) {
                Ok(finished) => self.hand_over(finished, end)?,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if wake.is_some() => end.take(&self.nothing, T::default())?,
                Err(RecvTimeoutError::Timeout) => ControlFlow::Continue(()),
            };
            if handed.is_break() {
                return Ok(handed);
            }
            if last.is_none() && end.is_due() {
                let passed = gate.hold();
                while self.number < passed
                    && let Ok(finished) = self.finished.recv()
                {
                    if self.hand_over(finished, end)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                end.consumer.see()?;
                gate.release();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a piece, and hands on all whose turn has come.
    fn hand_over<C: Consumer<T>>(
        &mut self,
        finished: Finished<T>,
        end: &mut End<'_, C>,
    ) -> Result<ControlFlow<()>> {
        let (piece, found) = finished.unwrap_or_else(|panic| resume_unwind(panic));
        self.early.insert(piece.number, (piece, found));
        while let Some((mut piece, found)) = self.early.remove(&self.number) {
            if end.take(&piece, found)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            (self.number, self.nothing.source) = (self.number + 1, piece.source);
            piece.shrink();
            let _all_read = self.spare.send(piece);
        }
        Ok(ControlFlow::Continue(()))
    }
}
