//! The atomic Count-Min sketch: see [`AtomicCountMin`].

use super::count_min::CountMinParams;
use crate::each_type::each_type;
use crate::hash::Probes;
use crate::{CountMin, Error, Estimate, HashSpec, Item, Result};
use alloc::boxed::Box;
use core::fmt;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Parts of the total, so that threads rarely meet at one.
const PARTS: usize = 8;

/// A Count-Min sketch that many threads fill at once, through a shared reference.
///
/// [`snapshot`](Self::snapshot) returns the [`CountMin`] of all occurrences added so far, bit for bit the sketch that one thread
/// would have made; [`frequency`](Self::frequency) asks for one item without a copy. Use it for counts that several threads
/// share, as in a rate limiter. Where each thread can have a sketch of its own to be merged at the end, that is faster.
///
/// An add is one atomic addition for each row, and one for the total; no thread waits for another. An answer given while others
/// add includes all adds that happened before it (that is, in threads that were joined, sent a message, or released a lock). An
/// add in progress may be in some rows and not in others, so that an answer may miss it.
///
/// Counters have 32 or 64 bits. Conservative updates are refused: they depend on the order of the adds.
///
/// ```
/// use crivo::frequency::AtomicCountMin;
/// let requests = AtomicCountMin::for_error(0.001, 0.01)?;
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| (0..1000u32).for_each(|request| requests.add(&(request % 10), 1)));
///     }
/// });
/// assert_eq!(requests.frequency(&3u32).value(), 400.0);
/// assert_eq!(requests.snapshot().total(), 4000);
/// # Ok::<(), crivo::Error>(())
/// ```
pub struct AtomicCountMin {
    cells: Cells,
    total: [Part; PARTS],
    /// Without counters: its params and hash, and what it makes of a smallest counter.
    plain: CountMin,
}

enum Cells {
    Bits32(Box<[AtomicU32]>),
    Bits64(Box<[AtomicU64]>),
}

/// A part of the total on a cache line of its own.
#[repr(align(64))]
struct Part(AtomicU64);

/// A counter that stops at its maximum.
trait AtomicCounter {
    fn add(&self, count: u64);
}

each_type!(Counter in AtomicU32 { type Value = u32; }, AtomicU64 { type Value = u64; } => {
    impl AtomicCounter for Counter {
        #[inline]
        fn add(&self, count: u64) {
            // A plain addition where it cannot pass the maximum, even if tens of thousands of threads add at once.
            if count <= (Value::MAX >> 16) as u64 && self.load(Relaxed) <= Value::MAX / 2 {
                self.fetch_add(count as Value, Relaxed);
                return;
            }
            let count = Value::try_from(count).unwrap_or(Value::MAX);
            let _ = self.fetch_update(Relaxed, Relaxed, |value| Some(value.saturating_add(count)));
        }
    }
});

impl AtomicCountMin {
    /// Creates an empty sketch that over-counts any item by more than `epsilon` times the total with probability at most `delta`.
    ///
    /// # Errors
    /// As [`CountMinParams::for_error`].
    pub fn for_error(epsilon: f64, delta: f64) -> Result<Self> {
        Self::with_params(CountMinParams::for_error(epsilon, delta)?)
    }

    /// Creates an empty sketch of this size.
    ///
    /// # Errors
    /// `InvalidArgument` for conservative updates, and for counters of 8 or 16 bits.
    pub fn with_params(params: CountMinParams) -> Result<Self> {
        if params.is_conservative() {
            return Err(Error::invalid(
                "conservative updates depend on the order of the adds, which threads do not have; use plain updates",
            ));
        }
        if params.counter_bits() < 32 {
            return Err(Error::invalid(alloc::format!(
                "an atomic Count-Min sketch has counters of 32 or 64 bits, not {}",
                params.counter_bits()
            )));
        }
        Ok(Self::of(params, HashSpec::default()))
    }

    /// Returns an empty sketch of the same size with another hash; what was added is dropped.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self::of(self.plain.params(), spec)
    }

    fn of(params: CountMinParams, spec: HashSpec) -> Self {
        let count = params.width() * u64::from(params.depth());
        let cells = if params.counter_bits() == 32 {
            Cells::Bits32((0..count).map(|_| AtomicU32::new(0)).collect())
        } else {
            Cells::Bits64((0..count).map(|_| AtomicU64::new(0)).collect())
        };
        let total = core::array::from_fn(|_| Part(AtomicU64::new(0)));
        Self { cells, total, plain: CountMin::without_counters(params, spec) }
    }

    /// Returns the hash of items.
    pub fn hash_spec(&self) -> &HashSpec {
        self.plain.hash_spec()
    }

    /// Adds `count` occurrences of an item.
    #[inline]
    pub fn add<T: Item + ?Sized>(&self, item: &T, count: u64) {
        self.add_hash(self.hash_spec().hash(item), count);
    }

    /// Adds `count` occurrences of the item with this hash.
    #[inline]
    pub fn add_hash(&self, hash: u64, count: u64) {
        self.total[hash as usize % PARTS].0.add(count);
        match &self.cells {
            Cells::Bits32(cells) => self.at(hash).for_each(|cell| cells[cell].add(count)),
            Cells::Bits64(cells) => self.at(hash).for_each(|cell| cells[cell].add(count)),
        }
    }

    /// Returns how often an item was added, at 95 %.
    #[inline]
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency_hash(self.hash_spec().hash(item))
    }

    /// Returns how often the item with this hash was added, at 95 %.
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        let smallest = self.at(hash).map(|cell| self.get(cell)).min().unwrap_or(0);
        self.plain.answer_at(smallest, self.total())
    }

    /// Returns the sum of all counts added; it stops at the largest `u64`.
    pub fn total(&self) -> u64 {
        self.total.iter().fold(0, |total, part| total.saturating_add(part.0.load(Relaxed)))
    }

    /// Returns the plain sketch of all occurrences added so far.
    pub fn snapshot(&self) -> CountMin {
        let params = self.plain.params();
        let count = (params.width() * u64::from(params.depth())) as usize;
        self.plain.with_counters((0..count).map(|cell| self.get(cell)), self.total())
    }

    /// The cells of an item, one in each row.
    #[inline]
    fn at(&self, hash: u64) -> impl Iterator<Item = usize> {
        let params = self.plain.params();
        let rows = (0..params.depth() as usize).map(move |row| row * params.width() as usize);
        rows.zip(Probes::new(hash, params.width())).map(|(row, column)| row + column as usize)
    }

    fn get(&self, cell: usize) -> u64 {
        match &self.cells {
            Cells::Bits32(cells) => cells[cell].load(Relaxed).into(),
            Cells::Bits64(cells) => cells[cell].load(Relaxed),
        }
    }
}

impl fmt::Debug for AtomicCountMin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AtomicCountMin").field(&self.snapshot()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> CountMinParams {
        CountMinParams::exact(97, 4).unwrap()
    }

    #[test]
    fn threads_make_the_sketch_of_one_thread() {
        for params in [params(), params().with_counter_bits(64).unwrap()] {
            let atomic = AtomicCountMin::with_params(params).unwrap().with_hash(HashSpec::seeded(3));
            let barrier = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for thread in 0..8u64 {
                    let (atomic, barrier) = (&atomic, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        (0..20_000u64).for_each(|step| atomic.add(&(step % 300), thread + 1));
                    });
                }
            });
            let mut plain = CountMin::with_params(params).with_hash(HashSpec::seeded(3));
            (0..20_000u64).for_each(|step| plain.add(&(step % 300), 36));
            assert_eq!(atomic.snapshot(), plain);
            assert!((0..300u64).all(|item| atomic.frequency(&item) == plain.frequency(&item)));
        }
    }

    #[test]
    fn counters_stop_at_their_maximum() {
        let atomic = AtomicCountMin::with_params(params()).unwrap();
        let mut plain = CountMin::with_params(params());
        for count in [1, u64::from(u32::MAX) / 2, 70_000, u64::from(u32::MAX) - 5, 9, u64::MAX] {
            atomic.add("often", count);
            plain.add("often", count);
            assert_eq!(atomic.snapshot(), plain, "after {count}");
        }
        assert_eq!(atomic.frequency("often").upper(), f64::INFINITY);
    }

    #[test]
    fn what_depends_on_the_order_is_refused() {
        assert!(AtomicCountMin::with_params(params().conservative()).is_err());
        assert!(AtomicCountMin::with_params(params().with_counter_bits(16).unwrap()).is_err());
    }
}
