//! A sketch that several Python threads may use: each call waits for the one before.

use crivo::sketch::Sketch as AnySketch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// A sketch behind a lock. The interpreter lock is released during batches, so it cannot serve as the lock.
#[derive(Debug)]
pub(crate) struct Shared<T = Box<dyn AnySketch>> {
    sketch: Mutex<T>,
    /// How many batches run or wait for their turn, and the process of the last of them. A child that was forked meanwhile
    /// sees a lock that nobody will release.
    batches: AtomicU32,
    process: AtomicU32,
}

impl<T: Send> Shared<T> {
    pub(crate) fn new(sketch: T) -> Self {
        Self { sketch: Mutex::new(sketch), batches: AtomicU32::new(0), process: AtomicU32::new(0) }
    }

    /// Runs a short question or change.
    pub(crate) fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        Ok(work(&mut *self.lock(py)?))
    }

    /// Runs a long one, and lets other Python threads run meanwhile.
    pub(crate) fn detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        drop(self.lock(py)?);
        // While the interpreter lock is held no thread of Python can fork, so a child sees both or neither.
        self.process.store(process::id(), Ordering::SeqCst);
        self.batches.fetch_add(1, Ordering::SeqCst);
        Ok(py.detach(|| {
            let answer = work(&mut self.sketch.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
            self.batches.fetch_sub(1, Ordering::SeqCst);
            answer
        }))
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, T>> {
        loop {
            match self.sketch.try_lock() {
                Ok(guard) => return Ok(guard),
                // No call leaves a sketch half changed: the library changes nothing before it may fail.
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            let process = self.process.load(Ordering::SeqCst);
            if self.batches.load(Ordering::SeqCst) != 0 && process != process::id() {
                return Err(PyRuntimeError::new_err(
                    "this process was forked while another thread updated the sketch, so the copy here is incomplete; \
                     fork before the update, or pass the sketch with pickle",
                ));
            }
            py.check_signals()?;
            py.detach(|| thread::sleep(Duration::from_micros(100)));
        }
    }
}

impl Shared {
    /// Returns a copy of the sketch.
    pub(crate) fn copied(&self, py: Python<'_>) -> PyResult<Box<dyn AnySketch>> {
        self.with(py, |sketch| sketch.boxed())
    }
}
