//! The algorithm of Misra and Gries, with cuts in bulk: see [`MisraGries`].

use super::summary::{Counters, MOST_COUNTERS, Rules, Summary, counters_for, divisor_for};
use super::table::bytes_per_counter;
use super::{Hitter, heavy_hitters};
use crate::element::OfElements;
use crate::kind::Kind;
use crate::places::short;
use crate::sketch::{Core, Empty, Fact, OfSize, Payload, shell};
use crate::{Element, Estimate, HashSpec, Item, Result};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// The Misra–Gries summary: finds the heavy hitters with deterministic bounds. Its counters are cut in bulk,
/// which makes it the faster of the two summaries.
///
/// # Use when / not when
/// Use it to find out which items are frequent and how often they occur, if speed comes first. At the same
/// bound [`SpaceSaving`](crate::SpaceSaving) needs about 0.6 of the memory, but takes longer for each new
/// item. To look up the frequency of *any* item, use [`CountMin`](crate::CountMin), which keeps no items.
/// Counts never go down here.
///
/// # Guarantee
/// All bounds are deterministic. An item that is kept was added at most `upper()` and at least `lower()`
/// times; one that is not kept, at most [`floor`](Self::floor) times. With c counters, d = ⌊c/2⌋ + 1 and the
/// total N, the floor and the width of every interval are at most N/d, usually far less; up to c distinct
/// items, all counts are exact. So every item added more than N/d times is kept.
///
/// Proof: call the amount by which a counter exceeds the floor its excess. Adding n raises the sum of the
/// excesses by n. A cut raises the floor to the d-th largest counter, so at least d counters lose as much as
/// the floor gains, and none gains. Hence d·floor + sum of excesses ≤ N.
///
/// Counts saturate at the largest `u64`; then `upper()` is infinite.
///
/// # Space
/// 28 bytes per counter, and the item; a text or a byte string takes its own bytes too. For an error of at
/// most ε:
///
/// | ε | counters | memory, items of 8 bytes |
/// |---|---|---|
/// | 1 % | 198 | 7.1 kB |
/// | 0.1 % | 1,998 | 72 kB |
/// | 0.01 % | 19,998 | 720 kB |
///
/// # Time
/// One search in a hash table. Each cut visits all counters and frees half of them or more: a constant number
/// of steps for each new item, on average. A new item reuses the buffer of a removed one.
///
/// # Merge
/// Bounded: the bounds stay deterministic, and the floor is at most the sum of both floors or N/d of the
/// joint total. The same proof holds: excesses add up, and a cut to c counters takes from more than c. The
/// order of the two does not matter, but the result differs from one pass.
///
/// # Hostile input
/// Bounds hold for any stream. The items themselves are compared, so no collision changes an answer. Items
/// can be chosen that all map to one slot of the hash table, in a file too: each costs a few dozen slots and
/// a search in a sorted list, so the total time stays n·log n.
///
/// # Example
/// ```
/// use crivo::MisraGries;
/// let mut words = MisraGries::<String>::for_error(0.01)?;
/// for word in "to be or not to be that is the question".split(' ') {
///     words.add(word, 1);
/// }
/// let top = words.top(2);
/// assert_eq!((top[0].item().as_str(), top[1].item().as_str()), ("be", "to"));
/// assert_eq!(top[0].count().value(), 2.0);
/// assert_eq!(words.frequency("never").upper(), 0.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// With two counters only:
/// ```
/// use crivo::{HashSpec, MisraGries};
/// let mut ports = MisraGries::<u64>::for_counters(2)?.with_hash(HashSpec::keyed(*b"sixteen secrets!"));
/// ports.extend([443, 80, 443, 22]);
/// assert_eq!((ports.len(), ports.floor(), ports.total(), ports.counters()), (2, 1, 4, 2));
/// let (kept, other) = (ports.frequency(&443u64), ports.frequency(&80u64));
/// assert_eq!((kept.lower(), kept.upper()), (2.0, 2.0));
/// assert_eq!((other.lower(), other.upper()), (0.0, 1.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// four counters, all in use, floor 0; "e" arrives
///   a 9   b 4   c 2   d 1          the third largest is 2: the floor becomes 2, and c and d are removed
///   a 9   b 4   e 3                e certainly occurred once, and at most 2 times more: 1..=3
/// ```
///
/// # References
/// Misra and Gries, doi:10.1016/0167-6423(82)90012-0 · cuts in bulk: Anderson et al.,
/// doi:10.1145/3131365.3131407 · merging: Agarwal et al., doi:10.1145/2213556.2213562. An item keeps the
/// floor of the moment when it was inserted, so that its interval does not grow with the floor.
///
/// # Measured
/// `crivo-lab run c-misra-gries`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct MisraGries<T: Element> {
    summary: Summary<T>,
}

/// Returns the number of counters that remain after a cut.
fn kept(counters: usize) -> usize {
    counters / 2
}

/// Returns d: each cut takes from one counter more than remain.
fn divisor(counters: usize) -> usize {
    kept(counters) + 1
}

const RULES: Rules = Rules { divisor, least_excess: 1 };

impl<T: Element + Item + Ord> MisraGries<T> {
    const COUNTER_BYTES: usize = bytes_per_counter::<T>();

    /// Creates a sketch with the fewest counters whose [`floor`](Self::floor), and so every error, is at most
    /// this share of the total.
    ///
    /// # Errors
    /// `InvalidArgument` unless `share` lies strictly between 0 and 1 and needs at most 2²⁶ counters.
    pub fn for_error(share: f64) -> Result<Self> {
        Self::for_counters(2 * (divisor_for(share, MOST_COUNTERS / 2)? - 1))
    }

    /// Creates a sketch with as many counters as fit into `bytes` if all are in use, without the heap memory
    /// of items.
    ///
    /// # Errors
    /// `InvalidArgument` if not even one counter fits.
    ///
    /// ```
    /// use crivo::MisraGries;
    /// let mut sketch = MisraGries::<u64>::for_memory(10_000)?;
    /// sketch.extend(0..1000);
    /// assert!(sketch.memory_bytes() <= 10_000 && sketch.memory_bytes() > 9_960);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn for_memory(bytes: u64) -> Result<Self> {
        Self::for_counters(counters_for(bytes, size_of::<Self>(), Self::COUNTER_BYTES)?)
    }

    #[inline(never)]
    fn enter<Q>(&mut self, item: &Q, hash: u32, count: u64, mut slot: usize)
    where
        T: Borrow<Q>,
        Q: Item + Ord + ToOwned<Owned = T> + ?Sized,
    {
        let summary = &mut self.summary;
        if summary.table.is_full() {
            summary.cut(kept(summary.table.most()));
            slot = summary.table.free_slot(item, hash);
        }
        summary.enter(item, hash, count, slot);
    }
}

heavy_hitters!(MisraGries);
