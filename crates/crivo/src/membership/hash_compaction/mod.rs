//! Hash compaction: see [`HashCompaction`].

mod params;
mod union;
mod wire;

pub use params::HashCompactionParams;

use crate::bits::{move_up, read_bits, write_bits};
use crate::hash::reduce;
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches, prefetch};
use crate::sketch::{Empty, shell};
use crate::{Estimate, HashSpec};
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use params::{TAIL, homes};
use union::union;

/// Hash compaction, the simplest filter: a table of shortened hashes.
///
/// # Use when / not when
/// Use it as a baseline for other filters, and for a set that must never be full and must merge and grow
/// without limits. Not if memory matters: fingerprints grow with the number of items, to log₂(n/rate) bits
/// each, whereas a Bloom filter stays at 1.44·log₂(1/rate), and a quotient filter stores only the part of a
/// fingerprint that its position does not determine.
///
/// # Guarantee
/// No false negatives, ever. An item that was not inserted is reported with the probability
/// [`fpr`](Self::fpr), known exactly from the fingerprints inside; with `n` items inside it is
/// [`HashCompactionParams::fpr_at`]`(n)`, at most n/(2ˡ − 1) for fingerprints of l bits. It is a common
/// mistake that l > log₂ n keeps all fingerprints distinct: by the birthday paradox, n items have distinct
/// fingerprints only if 2ˡ is well above n²/2.
///
/// # Space
/// l bits per cell, and 8 cells for 7 planned items. Beyond the plan the table doubles as often as needed.
///
/// | rate | items | fingerprint | bits per item | a Bloom filter |
/// |---|---|---|---|---|
/// | 1 % | 1 thousand | 17 bits | 19.65 | 9.66 |
/// | 1 % | 1 million | 27 bits | 30.86 | 9.62 |
/// | 0.1 % | 1 million | 30 bits | 34.29 | 14.43 |
///
/// # Time
/// One or two cache lines for a query; an insertion moves the few fingerprints in its way.
/// [`contains_hashes`](Self::contains_hashes) and [`insert_hashes`](Self::insert_hashes) overlap the cache
/// misses of many items.
///
/// # Merge
/// Exact: the union of two sets equals the set of both streams, byte for byte; commutative, associative and
/// idempotent.
///
/// # Hostile input
/// Items chosen to crowd around one cell cost logarithmic time each, since fingerprints that find no empty
/// cell nearby go into a sorted set. An attacker who knows the seed can still choose items that are false
/// positives. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::membership::HashCompaction;
/// let mut seen = HashCompaction::for_fpr(10_000, 0.01)?;
/// seen.extend(0..10_000u32);
/// assert!(seen.contains(&1234u32));
/// let wrong = (10_000..110_000u32).filter(|page| seen.contains(page)).count();
/// assert!((850..1060).contains(&wrong), "{wrong} false positives in 100,000");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// "sieve" → hash → fingerprint 0x5e3 → its own cell is 3: cells are in the order of fingerprints
///
/// cell     0     1     2     3     4     5     6
///          .   0x21a   .   0x5a0 0x5e3   .   0xb07     taken: the next cell, in sorted order
/// ```
/// One value, 0, marks an empty cell, so there are 2ˡ − 1 fingerprints. Since the cells are sorted, the table
/// depends on the set alone, not on the order of insertion.
///
/// # References
/// Wolper and Leroy, doi:10.1007/3-540-56922-7_6 · sorted cells: Amble and Knuth, doi:10.1093/comjnl/17.2.135.
///
/// # Measured
/// `crivo-lab run c-hash-compaction`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct HashCompaction {
    params: HashCompactionParams,
    spec: HashSpec,
    /// The packed cells, and a spare word, so that two words can always be read.
    words: Vec<u64>,
    cells: u64,
    /// The number of cells that can be an item's own; further cells follow them.
    homes: u64,
    /// Fingerprints that found no empty cell within [`REACH`]; at most a share of all.
    waiting: BTreeSet<u64>,
    /// The number of cells that all insertions have passed.
    walked: u64,
    len: u64,
}

/// The maximum distance of an insertion from its own cell to an empty one. In a table that is 7/8 full,
/// clusters of s cells have the probability exp(−s·(7/8 − 1 − ln 7/8)): with hashes that nobody chose, none
/// needs more.
const REACH: u64 = 4096;

/// The maximum distance once insertions have passed [`PATIENCE`] cells each on average. With unchosen hashes
/// they pass five.
const SHORT_REACH: u64 = 128;
const PATIENCE: u64 = 64;

/// The number of cells that a linear search passes before it bisects.
const NEAR: u64 = 32;

/// One fingerprint may wait for this many in the table.
const SHARE_WAITING: u64 = 8;

impl PartialEq for HashCompaction {
    fn eq(&self, other: &Self) -> bool {
        (self.params, self.spec, self.len) == (other.params, other.spec, other.len)
            && self.fingerprints().eq(other.fingerprints())
    }
}

impl HashCompaction {
    fn with_cells(params: HashCompactionParams, spec: HashSpec, homes: u64, cells: u64) -> Self {
        let words = vec![0; words_for(cells, params.fingerprint_bits())];
        Self { params, spec, words, cells, homes, waiting: BTreeSet::new(), walked: 0, len: 0 }
    }

    /// Creates the set of some sorted fingerprints, in a table with room for `len`.
    fn with_sorted(
        params: HashCompactionParams,
        spec: HashSpec,
        len: u64,
        sorted: impl Iterator<Item = u64>,
    ) -> Self {
        let homes = homes(room_for(params.items(), len));
        let mut set = Self::with_cells(params, spec, homes, homes + TAIL);
        let mut next = 0;
        for fingerprint in sorted {
            let place = home(params, homes, fingerprint).max(next);
            set.keep_end_empty(place);
            set.set_cell(place, fingerprint);
            set.len += 1;
            next = place + 1;
        }
        set
    }

    /// Adds cells if the cell at `used` is the last one.
    #[inline]
    fn keep_end_empty(&mut self, used: u64) {
        if used + 1 == self.cells {
            self.cells += TAIL;
            let words = words_for(self.cells, self.params.fingerprint_bits());
            self.words.reserve_exact(words - self.words.len());
            self.words.resize(words, 0);
        }
    }

    #[inline]
    fn cell(&self, index: u64) -> u64 {
        let bits = self.params.fingerprint_bits();
        read_bits(&self.words, index as usize * bits as usize, bits)
    }

    #[inline]
    fn set_cell(&mut self, index: u64, fingerprint: u64) {
        let bits = self.params.fingerprint_bits();
        write_bits(&mut self.words, index as usize * bits as usize, bits, fingerprint);
    }

    /// Returns the first cell, from a fingerprint's own cell on, that is empty or has no smaller fingerprint;
    /// and its content.
    #[inline]
    fn find(&self, fingerprint: u64) -> (u64, u64) {
        let home = home(self.params, self.homes, fingerprint);
        for index in home..(home + NEAR).min(self.cells) {
            let here = self.cell(index);
            if here == 0 || here >= fingerprint {
                return (index, here);
            }
        }
        self.find_far(home + NEAR, fingerprint)
    }

    /// Performs [`find`](Self::find) by bisection; all cells before `first` have smaller fingerprints.
    ///
    /// From a fingerprint's own cell on, up to the next empty cell, the fingerprints ascend: the cells with
    /// smaller ones come first.
    #[cold]
    fn find_far(&self, mut first: u64, fingerprint: u64) -> (u64, u64) {
        let is_smaller = |index| (1..fingerprint).contains(&self.cell(index));
        // The last cell is always empty.
        let (mut last, mut step) = (first, NEAR);
        while is_smaller(last) {
            first = last + 1;
            last = (last + step).min(self.cells - 1);
            step *= 2;
        }
        while first < last {
            let middle = first + (last - first) / 2;
            if is_smaller(middle) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        (first, self.cell(first))
    }

    /// Inserts the item with this hash; returns true if it was certainly new.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let fingerprint = self.params.fingerprint(hash);
        let (mut index, mut here) = self.find(fingerprint);
        if here == fingerprint || self.is_waiting(fingerprint) {
            return false;
        }
        let room = room_for(self.params.items(), self.len);
        if self.len == room {
            *self = Self::with_sorted(self.params, self.spec, self.len + 1, self.fingerprints());
            (index, here) = self.find(fingerprint);
        }
        let home = home(self.params, self.homes, fingerprint);
        let is_patient = self.walked <= PATIENCE * (self.len + PATIENCE);
        let end = home + if is_patient { REACH } else { SHORT_REACH };
        let mut empty = index;
        while here != 0 && empty < end {
            empty += 1;
            here = self.cell(empty);
        }
        self.walked += empty - index;
        if here != 0 {
            self.let_wait(fingerprint);
            return true;
        }
        self.keep_end_empty(empty);
        let bits = self.params.fingerprint_bits();
        let [start, end] = [index, empty].map(|index| index as usize * bits as usize);
        move_up(&mut self.words, start, end, bits);
        self.set_cell(index, fingerprint);
        self.len += 1;
        true
    }

    #[inline]
    fn is_waiting(&self, fingerprint: u64) -> bool {
        !self.waiting.is_empty() && self.waiting.contains(&fingerprint)
    }

    /// Puts a fingerprint that has no empty cell nearby into the sorted set. If many wait there, all are put
    /// into a new table.
    #[cold]
    fn let_wait(&mut self, fingerprint: u64) {
        self.waiting.insert(fingerprint);
        self.len += 1;
        if self.waiting.len() as u64 > SHORT_REACH + self.len / SHARE_WAITING {
            let walked = self.walked;
            *self = Self::with_sorted(self.params, self.spec, self.len, self.fingerprints());
            self.walked = walked;
        }
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.insert_hash(hash);
            }
        }
    }

    /// Returns whether the item with this hash may have been inserted.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let fingerprint = self.params.fingerprint(hash);
        self.find(fingerprint).1 == fingerprint || self.is_waiting(fingerprint)
    }

    /// Returns whether each of many items may have been inserted, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::membership::HashCompaction;
    /// let mut set = HashCompaction::for_fpr(100, 0.0001)?;
    /// set.insert_hashes(&[1 << 60, 2 << 60]);
    /// assert_eq!(set.contains_hashes(&[2 << 60, 3 << 60]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.words.len() * 8 < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            let cell = home(self.params, self.homes, self.params.fingerprint(hash));
            prefetch(&self.words, cell as usize * self.params.fingerprint_bits() as usize / 64);
        }
    }

    /// Returns an iterator over all fingerprints inside, in ascending order.
    fn fingerprints(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        let cells = (0..self.cells).map(|index| self.cell(index)).filter(|&fingerprint| fingerprint != 0);
        union(cells, self.waiting.iter().copied())
    }

    /// Returns the exact number of distinct fingerprints inside. Items that share a fingerprint count once,
    /// so there may be more items.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the probability that an item that was not inserted is reported: the exact share of all
    /// fingerprints that are inside.
    ///
    /// ```
    /// # use crivo::membership::HashCompaction;
    /// let mut set = HashCompaction::for_fpr(1000, 0.01)?;
    /// set.extend(0..1000u32);
    /// assert!((0.007..0.008).contains(&set.fpr().value()));
    /// set.extend(0..10_000u32); // ten times too many: it grows, and so does the rate
    /// assert!(set.fpr().value() > 0.07);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.len as f64 / self.params.fingerprints() as f64)
    }
}

/// Returns the capacity of a table that was planned for `items` and has `len` items: doubled as often as
/// needed.
fn room_for(items: u64, len: u64) -> u64 {
    let mut room = items;
    while room < len {
        room *= 2;
    }
    room
}

/// Returns a fingerprint's own cell. Larger fingerprints never have an earlier one.
#[inline]
fn home(params: HashCompactionParams, homes: u64, fingerprint: u64) -> u64 {
    reduce((fingerprint - 1) << (64 - params.fingerprint_bits()), homes)
}

fn words_for(cells: u64, fingerprint_bits: u32) -> usize {
    (cells as usize * fingerprint_bits as usize).div_ceil(64) + 1
}

shell!(HashCompaction: hashes, empty(HashCompactionParams), merges, set, filter, collects_at_one_percent, inserts, for_fpr(HashCompactionParams));

impl Empty for HashCompaction {
    fn empty(params: HashCompactionParams, spec: HashSpec) -> Self {
        Self::with_cells(params, spec, homes(params.items()), homes(params.items()) + TAIL)
    }

    fn has_nothing(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests;
