//! A state that threads use in a fixed order.

use std::sync::{Condvar, Mutex, PoisonError};

/// A state, and the number of the next turn.
#[derive(Debug)]
pub(super) struct Turns<S> {
    inner: Mutex<Inner<S>>,
    moved: Condvar,
}

#[derive(Debug)]
struct Inner<S> {
    next: u64,
    /// The first turn that will never be taken. No later turn can be taken either.
    ended: Option<u64>,
    state: S,
}

impl<S> Turns<S> {
    /// Creates the state. The first turn is `next`.
    pub(super) fn new(state: S, next: u64) -> Self {
        Self { inner: Mutex::new(Inner { next, ended: None, state }), moved: Condvar::new() }
    }

    /// Waits for this turn and takes it. Returns `None` if the turn will never come.
    pub(super) fn take<T>(&self, turn: u64, work: impl FnOnce(&mut S) -> T) -> Option<T> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        while inner.next != turn {
            if inner.ended.is_some_and(|ended| ended < turn) {
                return None;
            }
            inner = self.moved.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        let found = work(&mut inner.state);
        inner.next += 1;
        drop(inner);
        self.moved.notify_all();
        Some(found)
    }

    /// Says that this turn will never be taken, and ends the wait of all later turns.
    pub(super) fn end(&self, turn: u64) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.ended = Some(inner.ended.map_or(turn, |ended| ended.min(turn)));
        drop(inner);
        self.moved.notify_all();
    }

    /// Shows the current state.
    pub(super) fn see<T>(&self, see: impl FnOnce(&mut S) -> T) -> T {
        see(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner).state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn turns_are_taken_in_order_whoever_comes_first() {
        let turns = Arc::new(Turns::new(Vec::new(), 3));
        let threads: Vec<_> = (3..40u64)
            .rev()
            .map(|turn| {
                let turns = Arc::clone(&turns);
                thread::spawn(move || turns.take(turn, |seen| seen.push(turn)))
            })
            .collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap().is_some()));
        assert!(turns.see(|seen| seen.iter().copied().eq(3..40)));
    }

    #[test]
    fn nobody_waits_for_a_turn_that_never_comes() {
        let turns = Arc::new(Turns::new((), 0));
        let waits = Arc::clone(&turns);
        let waiter = thread::spawn(move || waits.take(1, |()| ()));
        turns.end(0);
        assert_eq!(waiter.join().unwrap(), None);
    }
}
