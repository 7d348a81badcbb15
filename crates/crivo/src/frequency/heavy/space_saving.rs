//! The algorithm of Metwally, Agrawal and El Abbadi: see [`SpaceSaving`].

use super::queue::Queue;
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

/// The Space-Saving summary: finds the heavy hitters with deterministic bounds. A new item replaces the one
/// with the smallest counter, which makes it the smaller of the two summaries.
///
/// # Use when / not when
/// Use it to find out which items are frequent and how often they occur, in the least memory for a bound, and
/// without the pauses that cuts cause. If speed comes first, use [`MisraGries`](crate::MisraGries): it takes
/// more memory at the same bound. To look up the frequency of *any* item, use [`CountMin`](crate::CountMin),
/// which keeps no items. Counts never go down here.
///
/// # Guarantee
/// All bounds are deterministic. An item that is kept was added at most `upper()` and at least `lower()`
/// times; one that is not kept, at most [`floor`](Self::floor) times. With k counters and the total N, the
/// floor and the width of every interval are at most N/k, usually far less; up to k distinct items, all
/// counts are exact. So every item added more than N/k times is kept.
///
/// Proof: call the amount by which a counter exceeds the floor its excess. Adding n to a counter raises the
/// sum of the excesses by n. When the smallest counter is replaced, the floor becomes that counter: all k
/// lose as much as the floor gains, and the new item has an excess of n. Hence k·floor + sum of excesses ≤ N.
///
/// Counts saturate at the largest `u64`; then `upper()` is infinite.
///
/// # Space
/// 36 bytes per counter, and the item; a text or a byte string takes its own bytes too. For an error of at
/// most ε:
///
/// | ε | counters | memory, items of 8 bytes |
/// |---|---|---|
/// | 1 % | 100 | 4.4 kB |
/// | 0.1 % | 1,000 | 44 kB |
/// | 0.01 % | 10,000 | 440 kB |
///
/// # Time
/// One search in a hash table. A new item takes the next counter from a sorted queue of the smallest; filling
/// the queue visits all counters, once for all that equal the smallest, or once for 4√k of them: at worst
/// about √k steps for a new item on average.
///
/// # Merge
/// Bounded: the bounds stay deterministic, and the floor is at most the sum of both floors or N/k of the
/// joint total. The same proof holds: excesses add up, and reducing to k counters takes from more than k. The
/// order of the two does not matter, but the result differs from one pass.
///
/// # Hostile input
/// Bounds hold for any stream. The items themselves are compared, so no collision changes an answer. Items
/// can be chosen that all map to one slot of the hash table, in a file too: each costs a few dozen slots and
/// a search in a sorted list, so the total time stays n·log n.
///
/// # Example
/// ```
/// use crivo::SpaceSaving;
/// let mut words = SpaceSaving::<String>::for_error(0.01)?;
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
/// use crivo::{HashSpec, SpaceSaving};
/// let mut ports = SpaceSaving::<u64>::for_counters(2)?.with_hash(HashSpec::keyed(*b"sixteen secrets!"));
/// ports.extend([443, 80, 443, 22]);
/// assert_eq!((ports.len(), ports.floor(), ports.total(), ports.counters()), (2, 1, 4, 2));
/// let (kept, other) = (ports.frequency(&22u64), ports.frequency(&80u64));
/// assert_eq!((kept.lower(), kept.upper()), (1.0, 2.0));
/// assert_eq!((other.lower(), other.upper()), (0.0, 1.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// three counters, all in use, floor 0; "d" arrives
///   a 9   b 4   c 2          c is replaced, and the floor becomes 2
///   a 9   b 4   d 3          d certainly occurred once, and at most 2 times more: 1..=3
/// ```
///
/// # References
/// Metwally, Agrawal and El Abbadi, doi:10.1007/978-3-540-30570-5_27 · merging: Agarwal et al.,
/// doi:10.1145/2213556.2213562. Of equal counters, the one whose item has the smallest hash is replaced.
///
/// # Measured
/// `crivo-lab run c-space-saving`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct SpaceSaving<T: Element> {
    summary: Summary<T>,
    /// Derived from the counters.
    queue: Queue,
}

/// Returns d: raising the floor by one takes one from every counter, and all are in use then.
fn divisor(counters: usize) -> usize {
    counters
}

const RULES: Rules = Rules { divisor, least_excess: 0 };

impl<T: Element + Item + Ord> SpaceSaving<T> {
    const COUNTER_BYTES: usize = bytes_per_counter::<T>() + Queue::BYTES;

    /// Creates a sketch with the fewest counters whose [`floor`](Self::floor), and so every error, is at most
    /// this share of the total.
    ///
    /// # Errors
    /// `InvalidArgument` unless `share` lies strictly between 0 and 1 and needs at most 2²⁶ counters.
    pub fn for_error(share: f64) -> Result<Self> {
        Self::for_counters(divisor_for(share, MOST_COUNTERS)?)
    }

    /// Creates a sketch with as many counters as fit into `bytes` if all are in use, without the heap memory
    /// of items.
    ///
    /// # Errors
    /// `InvalidArgument` if not even one counter fits.
    ///
    /// ```
    /// use crivo::SpaceSaving;
    /// let mut sketch = SpaceSaving::<u64>::for_memory(10_000)?;
    /// sketch.extend(0..1000);
    /// assert!(sketch.memory_bytes() <= 10_000 && sketch.memory_bytes() > 9_950);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn for_memory(bytes: u64) -> Result<Self> {
        Self::for_counters(counters_for(bytes, size_of::<Self>(), Self::COUNTER_BYTES)?)
    }

    #[inline(never)]
    fn enter<Q>(&mut self, item: &Q, hash: u32, count: u64, slot: usize)
    where
        T: Borrow<Q>,
        Q: Item + Ord + ToOwned<Owned = T> + ?Sized,
    {
        let summary = &mut self.summary;
        if !summary.table.is_full() {
            return summary.enter(item, hash, count, slot);
        }
        let smallest = self.queue.pop(&summary.table);
        summary.floor = summary.table.upper(smallest);
        let upper = summary.floor.saturating_add(count);
        summary.table.replace(smallest, item, hash, upper, summary.floor);
        self.queue.push(smallest, &summary.table);
    }
}

heavy_hitters!(SpaceSaving, queue);
