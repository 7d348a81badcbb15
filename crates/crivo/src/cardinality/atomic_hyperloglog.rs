//! The atomic HyperLogLog: see [`AtomicHyperLogLog`].

use super::entries::Entries;
use super::hyperloglog::{entry_of, sparse_limit};
use super::registers::{may_raise, rank_of, split};
use crate::hash::reduce;
use crate::{HashSpec, HyperLogLog, Item, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};

/// A HyperLogLog that many threads fill at once, through a shared reference.
///
/// [`snapshot`](Self::snapshot) returns the [`HyperLogLog`] of all items inserted so far, bit for bit the sketch that one thread
/// would have made of them: estimates, files and merges are those of the plain sketch. Use it for one counter that
/// several threads share, as in a server. Where each thread can have a sketch of its own to be merged at the end, that is
/// faster; see [`HyperLogLog::merge`].
///
/// An insert reads one register and, rarely, raises it by an atomic maximum; no thread waits for another. A snapshot taken
/// while others insert contains all inserts that happened before it (that is, in threads that were joined, sent a message, or
/// released a lock), and may contain any of the others.
///
/// It takes up to twice the memory of the plain sketch, because it keeps the hashes of the first items next to the registers: the
/// plain sketch is exact for small sets, and so is a snapshot.
///
/// ```
/// use crivo::{HyperLogLog, cardinality::AtomicHyperLogLog};
/// let users = AtomicHyperLogLog::for_precision(14)?;
/// std::thread::scope(|scope| {
///     for thread in 0..4u32 {
///         let users = &users;
///         scope.spawn(move || (0..50_000).for_each(|visit| { users.insert(&((visit + thread) % 30_000)); }));
///     }
/// });
/// let mut plain = HyperLogLog::for_precision(14)?;
/// plain.extend(0..30_000u32);
/// assert_eq!(users.snapshot(), plain);
/// # Ok::<(), crivo::Error>(())
/// ```
pub struct AtomicHyperLogLog {
    registers: Box<[AtomicU8]>,
    /// The entries of the sparse form, by linear probing; 0 is an empty slot. Slots are never emptied, so that two threads with
    /// one entry meet at one slot.
    entries: Box<[AtomicU32]>,
    entry_count: AtomicUsize,
    /// Whether the entries are at most the limit of the sparse form. Beyond it, no more are kept.
    is_sparse: AtomicBool,
    /// Empty: its precision and hash.
    plain: HyperLogLog,
}

impl AtomicHyperLogLog {
    /// Creates an empty sketch with 2^precision registers.
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn for_precision(precision: u8) -> Result<Self> {
        HyperLogLog::for_precision(precision).map(Self::of)
    }

    /// Creates the smallest empty sketch whose 95 % interval is at most ±`error` of the value.
    ///
    /// # Errors
    /// As [`HyperLogLog::for_error`].
    pub fn for_error(error: f64) -> Result<Self> {
        HyperLogLog::for_error(error).map(Self::of)
    }

    /// Returns an empty sketch of the same size with another hash; items that were inserted are dropped.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self::of(self.plain.with_hash(spec))
    }

    fn of(plain: HyperLogLog) -> Self {
        let limit = sparse_limit(plain.precision());
        // A third of the slots stays empty, so that probes are short. Threads that insert at once may exceed the limit by one each.
        let slots = limit + limit / 2 + 1;
        Self {
            registers: (0..1 << plain.precision()).map(|_| AtomicU8::new(0)).collect(),
            entries: (0..slots).map(|_| AtomicU32::new(0)).collect(),
            entry_count: AtomicUsize::new(0),
            is_sparse: AtomicBool::new(true),
            plain,
        }
    }

    /// Returns the hash of items.
    pub fn hash_spec(&self) -> &HashSpec {
        self.plain.hash_spec()
    }

    /// Inserts an item; returns true if the sketch changed.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.insert_hash(self.hash_spec().hash(item))
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&self, hash: u64) -> bool {
        let (register, rest) = split(hash, self.registers.len());
        let register = &self.registers[register];
        // The register first: a snapshot that finds too many entries relies on the registers alone.
        // An atomic maximum takes the cache line away from all other threads: only where it changes something.
        let rises = may_raise(register.load(Relaxed), rest) && {
            let rank = rank_of(rest, self.registers.len());
            rank > register.fetch_max(rank, Relaxed)
        };
        if self.is_sparse.load(Relaxed) { self.insert_entry(hash) || rises } else { rises }
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }

    #[cold]
    fn insert_entry(&self, hash: u64) -> bool {
        let entry = entry_of(hash, self.plain.precision().into());
        let (front, back) = self.entries.split_at(reduce(hash, self.entries.len() as u64) as usize);
        for slot in back.iter().chain(front) {
            match slot.compare_exchange(0, entry, Relaxed, Relaxed) {
                Ok(_) => {
                    if self.entry_count.fetch_add(1, Relaxed) >= sparse_limit(self.plain.precision()) {
                        self.is_sparse.store(false, Relaxed);
                    }
                    return true;
                }
                Err(kept) if kept == entry => return false,
                Err(_) => {}
            }
        }
        // No slot is empty: the limit is exceeded, and the threads that took the last slots say so.
        false
    }

    /// Returns the plain sketch of all items inserted so far.
    pub fn snapshot(&self) -> HyperLogLog {
        if self.is_sparse.load(Relaxed) {
            let entries = self.entries.iter().map(|entry| entry.load(Relaxed)).filter(|&entry| entry != 0);
            let entries = Entries::from_entries(entries.collect());
            if entries.len() <= sparse_limit(self.plain.precision()) {
                return self.plain.with_entries(entries);
            }
        }
        let registers: Vec<u8> = self.registers.iter().map(|register| register.load(Relaxed)).collect();
        self.plain.with_registers(registers.into())
    }
}

impl fmt::Debug for AtomicHyperLogLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AtomicHyperLogLog").field(&self.snapshot()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(precision: u8, spec: HashSpec, items: impl Iterator<Item = u32>) -> HyperLogLog {
        let mut sketch = HyperLogLog::for_precision(precision).unwrap().with_hash(spec);
        sketch.extend(items);
        sketch
    }

    #[test]
    fn a_snapshot_is_the_plain_sketch_at_every_size() {
        for precision in [4, 8, 12] {
            for spec in [HashSpec::default(), HashSpec::keyed([5; 16])] {
                let atomic = AtomicHyperLogLog::for_precision(precision).unwrap().with_hash(spec);
                let mut sketch = HyperLogLog::for_precision(precision).unwrap().with_hash(spec);
                assert_eq!(atomic.snapshot(), sketch);
                for item in 0..3000u32 {
                    assert_eq!(atomic.insert(&(item / 2)), sketch.insert(&(item / 2)), "item {item}");
                    if item % 7 == 0 {
                        assert_eq!(atomic.snapshot(), sketch, "item {item}");
                    }
                }
            }
        }
    }

    /// Threads start together on overlapping items, so that they race for registers and slots.
    #[test]
    fn threads_make_the_sketch_of_one_thread() {
        for (precision, items) in [(4, 6), (12, 700), (12, 600), (14, 200_000)] {
            let atomic = AtomicHyperLogLog::for_precision(precision).unwrap();
            let barrier = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for thread in 0..8u32 {
                    let (atomic, barrier) = (&atomic, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        for step in 0..items {
                            atomic.insert(&((step + thread * items / 16) % items));
                        }
                    });
                }
            });
            assert_eq!(
                atomic.snapshot(),
                plain(precision, HashSpec::default(), 0..items),
                "{precision} {items}"
            );
        }
    }

    /// Registers rise a few times only, so it takes many small sketches to race for them. Each thread has an order of its own.
    #[test]
    fn threads_race_for_the_registers_of_small_sketches() {
        const ITEMS: u32 = 64;
        let sketches: Vec<_> = (0..20_000).map(|_| AtomicHyperLogLog::for_precision(4).unwrap()).collect();
        let barrier = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for thread in 0..8u32 {
                let (sketches, barrier) = (&sketches, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    for (place, sketch) in (0..).zip(sketches) {
                        for step in 0..ITEMS {
                            // Odd factors permute the remainders.
                            sketch.insert(&(place * ITEMS + step * (2 * thread + 1) % ITEMS));
                        }
                    }
                });
            }
        });
        for (place, sketch) in (0..).zip(&sketches) {
            let items = place * ITEMS..(place + 1) * ITEMS;
            assert_eq!(sketch.snapshot(), plain(4, HashSpec::default(), items), "sketch {place}");
        }
    }
}
