//! The memory of the readers of all sources, limited by `--max-memory`.
//!
//! The budget counts the memory that depends on the data: records that are longer than a usual piece, pages of
//! Parquet and their decoded values. It does not count the few pieces of usual size that every reader has.

use crivo_report::size;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A memory limit, and the number of bytes that are held.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    limit: u64,
    held: Mutex<u64>,
    freed: Condvar,
}

impl Budget {
    pub(super) fn new(limit: u64) -> Self {
        Self { shared: Arc::new(Shared { limit, held: Mutex::new(0), freed: Condvar::new() }) }
    }

    pub(super) fn limit(&self) -> u64 {
        self.shared.limit
    }

    /// Returns an empty share, which can grow.
    pub(super) fn share(&self) -> Share {
        Share { shared: Arc::clone(&self.shared), bytes: 0 }
    }
}

/// Bytes of a budget. They are freed when the share is dropped.
#[derive(Debug)]
pub(super) struct Share {
    shared: Arc<Shared>,
    bytes: u64,
}

impl Share {
    /// Changes the size of the share to this many bytes, or returns an error with the total and the limit if they
    /// do not fit. For memory that other threads may wait for.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "pages are held so"))]
    pub(super) fn resize(&mut self, bytes: u64) -> Result<(), TooMuch> {
        let shared = Arc::clone(&self.shared);
        self.settle(shared.lock(), bytes)
    }

    /// Like `resize`, but waits while the bytes do not fit because of other shares. A caller must not hold anything
    /// that the other threads may wait for.
    pub(super) fn resize_in_time(&mut self, bytes: u64) -> Result<(), TooMuch> {
        let shared = Arc::clone(&self.shared);
        let mut held = shared.lock();
        while *held > self.bytes && *held - self.bytes + bytes > shared.limit {
            held = shared.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        self.settle(held, bytes)
    }

    fn settle(&mut self, mut held: MutexGuard<'_, u64>, bytes: u64) -> Result<(), TooMuch> {
        let together = (*held - self.bytes).saturating_add(bytes);
        if bytes > self.bytes && together > self.shared.limit {
            return Err(TooMuch { wanted: together, limit: self.shared.limit });
        }
        *held = together;
        let less = bytes < self.bytes;
        self.bytes = bytes;
        drop(held);
        if less {
            self.shared.freed.notify_all();
        }
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        *self.shared.lock() -= self.bytes;
        self.shared.freed.notify_all();
    }
}

/// The error for more memory than `--max-memory` allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuch {
    wanted: u64,
    limit: u64,
}

impl TooMuch {
    /// Returns the message for `what`, which is being read.
    pub(super) fn explain(self, what: &str) -> String {
        let Self { wanted, limit } = self;
        let (wanted, limit) = (size(wanted), size(limit));
        format!("{what} would take {wanted} of memory, more than the limit of {limit}; raise --max-memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn what_is_held_together_stays_within_the_limit() {
        let budget = Budget::new(100);
        let (mut a, mut b) = (budget.share(), budget.share());
        a.resize(60).unwrap();
        assert_eq!(b.resize(41), Err(TooMuch { wanted: 101, limit: 100 }));
        b.resize(40).unwrap();
        a.resize(10).unwrap();
        b.resize(90).unwrap();
        drop(a);
        b.resize(100).unwrap();
        assert!(b.resize_in_time(u64::MAX).is_err(), "nobody will make room");
        b.resize(0).unwrap();
    }

    #[test]
    fn who_waits_goes_on_when_there_is_room() {
        let budget = Budget::new(100);
        let mut first = budget.share();
        first.resize(100).unwrap();
        let mut second = budget.share();
        let waiter = thread::spawn(move || second.resize_in_time(50));
        thread::sleep(Duration::from_millis(20));
        assert!(!waiter.is_finished());
        drop(first);
        waiter.join().unwrap().unwrap();
    }
}
