//! A gate between the threads that read pieces and the code that uses them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts the pieces that pass. The gate can be held for a while, or closed.
#[derive(Debug, Default)]
pub(super) struct Gate {
    inner: Mutex<Inner>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    passed: u64,
    is_held: bool,
    is_closed: bool,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the next piece may pass. Waits while the gate is held.
    pub(super) fn pass(&self) -> bool {
        let mut inner = self.lock();
        while inner.is_held && !inner.is_closed {
            inner = self.released.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        inner.passed += u64::from(!inner.is_closed);
        !inner.is_closed
    }

    /// Stops all pieces until `release`, and returns the number of pieces that have passed.
    pub(super) fn hold(&self) -> u64 {
        let mut inner = self.lock();
        inner.is_held = true;
        inner.passed
    }

    /// Lets the waiting pieces pass.
    pub(super) fn release(&self) {
        self.lock().is_held = false;
        self.released.notify_all();
    }

    /// Stops all later pieces, and returns the number of pieces that have passed.
    pub(super) fn close(&self) -> u64 {
        let mut inner = self.lock();
        inner.is_closed = true;
        self.released.notify_all();
        inner.passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn a_held_gate_waits_and_a_closed_one_refuses() {
        let gate = Arc::new(Gate::default());
        assert!(gate.pass() && gate.pass());
        assert_eq!(gate.hold(), 2);
        let other = Arc::clone(&gate);
        let waiter = thread::spawn(move || other.pass());
        gate.release();
        assert!(waiter.join().unwrap());
        assert_eq!(gate.close(), 3);
        assert!(!gate.pass());
    }
}
