//! Workers take turns at reading a piece and then process it; one consumer takes the pieces in the order in which
//! they were read.
//!
//! The thread that has read a piece processes it, while its bytes are in that core's cache. There is a fixed number
//! of pieces, which are reused, so memory does not grow with the input. A single worker is also the consumer,
//! unless the program must answer while the worker waits for a pipe.

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

/// The number of pieces for each worker: one that it processes, and one that waits for the consumer.
const PIECES: usize = 2;

/// The time after which an interrupt is noticed while no input arrives.
const PATIENCE: Duration = Duration::from_millis(50);

/// Takes the pieces in the order of the input.
pub(crate) trait Consumer<T> {
    /// Takes the next piece, which has no fault, and the result of its worker.
    fn take(&mut self, piece: &Piece, found: T) -> Result<ControlFlow<()>>;

    /// Returns whether it is time, after this many items, to collect the results of all workers so far.
    fn is_due(&mut self, _items: u64) -> bool {
        false
    }

    /// Reads the states of all workers, while no worker is running.
    fn see(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Runs a worker for each of `states`. Each piece goes to `sort` in the order of the input, then to `work` on the
/// thread of a worker, and then to `consumer`, on this thread, in the order of the input. Returns the states, or
/// none if the consumer stopped early.
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
    // Reading a pipe may block, and after an interrupt the program must not wait for it.
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

/// The end of the pipeline, which receives all pieces.
struct End<'a, C> {
    input: &'a Input,
    ledger: Ledger<'a>,
    progress: Box<dyn Progress>,
    /// The number of bytes of the input up to the last piece that the consumer has received.
    done: u64,
    is_interrupted: bool,
    consumer: C,
}

impl<C> End<'_, C> {
    fn take<T>(&mut self, piece: &Piece, found: T) -> Result<ControlFlow<()>>
    where
        C: Consumer<T>,
    {
        // The empty piece of a wake-up has no position.
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

/// A piece and the result of its worker, or the worker's panic.
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
    // If the consumer stops early, the threads are not joined: one may be waiting for a pipe that never sends more.
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
                // A panic is sent on as the piece; otherwise the other threads would wait for the missing piece.
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

/// Receives pieces in the order in which they are finished, and passes them on in the order of the input.
struct Queue<T> {
    finished: Receiver<Finished<T>>,
    /// Returns used pieces to the workers.
    spare: Sender<Piece>,
    /// Pieces that were finished before their turn.
    early: BTreeMap<u64, (Piece, T)>,
    /// The number of the next piece.
    number: u64,
    /// An empty piece of the last piece's source, for a consumer that wants to be called even if no input arrives.
    nothing: Piece,
}

impl<T: Default> Queue<T> {
    /// Passes all pieces to the consumer in order, until the consumer asks to stop.
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

    /// Takes a finished piece, and passes on all pieces whose turn has come.
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
