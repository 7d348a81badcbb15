//! Where pieces pass between being read and being used.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts what passes; can be held for a while, or closed.
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

    /// Whether the next piece may pass; waits while the gate is held.
    pub(super) fn pass(&self) -> bool {
        let mut inner = self.lock();
        while inner.is_held && !inner.is_closed {
            inner = self.released.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        inner.passed += u64::from(!inner.is_closed);
        !inner.is_closed
    }

    /// Lets nothing pass until it is released, and tells how much has passed.
    pub(super) fn hold(&self) -> u64 {
        let mut inner = self.lock();
        inner.is_held = true;
        inner.passed
    }

    /// What waits may pass.
    pub(super) fn release(&self) {
        self.lock().is_held = false;
        self.released.notify_all();
    }

    /// Lets nothing pass any more, and tells how much has passed.
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
