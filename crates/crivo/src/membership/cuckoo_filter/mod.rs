//! The cuckoo filter: see [`CuckooFilter`].

mod params;
mod place;
mod search;
mod slots;

pub use params::CuckooParams;

use crate::codec::{Reader, put_u64_varint};
use crate::hash::Item;
use crate::kind::Kind;
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches};
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use place::{Cell, Place};
use slots::Slots;

/// The number of slots in which an item may lie.
const SLOTS_OF_ITEM: usize = 4;

/// A cuckoo filter: a compact set of fingerprints that supports deletion. It answers *certainly not inside*
/// or *probably inside*.
///
/// # Use when / not when
/// Use it for sets that lose items as well as gain them, and for rates of 1 % and less, where it is smaller
/// than a Bloom filter. Not if the number of items is unknown (it becomes full, whereas the rate of a Bloom
/// filter only grows), if merges must be exact (a counting Bloom filter), or if an item may be inserted many
/// times (there is room for a few copies).
///
/// # Guarantee
/// No false negatives, as long as only inserted items are removed. An item that is not inside is reported
/// with the probability [`fpr`](Self::fpr), known exactly from the contents; with `n` distinct items inside
/// it is [`CuckooParams::fpr_at`]`(n)` on average over the hash functions. [`CuckooParams::most_items`]
/// distinct items fit, except with a probability far below one in a million. A filter without room returns
/// `Full` and is unchanged; nothing is ever lost.
///
/// An item has four slots, so up to four copies of an item fit in them, and a few items may have more. That
/// is meant for occasional repeats: with every item inside twice, the filter is full at two thirds of its
/// slots; with every item three times, at a sixth. If there are many copies, a
/// [`QuotientFilter`](crate::QuotientFilter) has room for all of them.
///
/// # Space
/// 1.056·(log₂(1/rate) + 2) bits per item, if the rate corresponds to a whole number of fingerprint bits. The
/// number of slots may be any number.
///
/// | rate | bits per item | fingerprint | 1 million items |
/// |---|---|---|---|
/// | 10 % | 6.12 | 5 bits | 0.77 MB |
/// | 1 % | 9.50 | 9 bits | 1.19 MB |
/// | 0.1 % | 12.67 | 12 bits | 1.58 MB |
///
/// # Time
/// Two loads for every query, positive or negative, and no unpredictable branch. An insertion costs as much
/// while there is room; one in six finds none of its four slots free and searches about 40 slots: a
/// breadth-first search finds the nearest free slot. [`contains_hashes`](Self::contains_hashes) and
/// [`insert_hashes`](Self::insert_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Bounded: all fingerprints of the other filter are inserted. The answers are those of one filter of both
/// streams, although fingerprints may lie in other slots. Returns `Full` if there is no room for all: an item
/// counts once for every part that contains it, and a dozen copies of one item take all the room that it has.
/// So merge parts that have few items in common, or else use a [`QuotientFilter`](crate::QuotientFilter) or a
/// [`CountingBloom`](crate::CountingBloom).
///
/// # Hostile input
/// An attacker who knows the seed can choose items that share their four slots, so that the filter is full
/// early, or that are all false positives. Use [`HashSpec::keyed`]. Removing an item that was never inserted
/// removes other items: a false positive must not be removed, and a key does not prevent that.
///
/// # Example
/// ```
/// use crivo::CuckooFilter;
/// let mut online = CuckooFilter::for_fpr(10_000, 0.01)?;
/// for user in 0..10_000u32 {
///     online.insert(&user)?;
/// }
/// online.remove(&1234u32)?;
/// assert_eq!(online.len(), 9_999);
/// assert!(online.contains(&1235u32));
/// let wrong = (10_000..110_000u32).filter(|user| online.contains(user)).count();
/// assert!((650..850).contains(&wrong), "{wrong} false positives in 100,000");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// A fingerprint may lie in any of four slots: in two neighbouring ones, its window, or in those of its other
/// window. The low bit of a fingerprint says whether its windows start at even or at odd slots. So a
/// fingerprint in a slot determines its window, and the sum of the numbers of both windows follows from the
/// fingerprint. Even and odd windows overlap, which fills up to 96 % of the slots; fixed pairs would stop at
/// 89.7 %.
///
/// ```text
/// even windows   [ 0 ][ 1 ][ 2 ][ 3 ]
/// slots           8 5  . 6  2 7  9 4  3      the item with fingerprint 6 and window 1 or 3
/// odd windows      [ 0 ][ 1 ][ 2 ][ 3 ]
///
/// insert 6 while 6, 2, 9 and 4 occupy its slots: one of them moves to its own other window, and the one
/// that it displaces moves on, along the shortest path to a free slot
/// ```
///
/// # References
/// Fan, Andersen, Kaminsky and Mitzenmacher, doi:10.1145/2674005.2674994 · windows: Schmitz, Zentgraf and
/// Rahmann, arXiv:2505.05847; Lehman and Panigrahy, doi:10.1007/978-3-642-04128-0_60 · why only inserted
/// items may be removed: Agarwala and Even, arXiv:2412.19249.
///
/// # Measured
/// `crivo-lab run c-cuckoo-filter`, `e-s`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct CuckooFilter {
    params: CuckooParams,
    spec: HashSpec,
    slots: Slots,
    /// Fingerprints that found no slot, sorted; nearly always empty.
    overflow: Vec<Cell>,
    len: u64,
}

impl CuckooFilter {
    /// Inserts an item, or another copy of it.
    ///
    /// ```
    /// # use crivo::{CuckooFilter, ErrorKind};
    /// let mut filter = CuckooFilter::for_fpr(100, 0.01)?;
    /// filter.insert("twice")?;
    /// filter.insert("twice")?;
    /// filter.remove("twice")?;
    /// assert!(filter.contains("twice"));
    /// assert_eq!((0..1000u32).find_map(|i| filter.insert(&i).err()).unwrap().kind(), ErrorKind::Full);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Full` if there is no room for it; nothing changes then.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts the item with this hash, or another copy of it.
    ///
    /// # Errors
    /// `Full` if there is no room for it; nothing changes then.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> Result<()> {
        self.put(self.params.place(hash))
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    ///
    /// # Errors
    /// `Full` at the first item without room; the items before it are inside then.
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.insert_hash(hash)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn put(&mut self, place: Place) -> Result<()> {
        let [one, other] = place.starts;
        match self.slots.find(one, 0).or_else(|| self.slots.find(other, 0)) {
            Some(free) => self.slots.set(free, place.fingerprint),
            None => self.put_by_moving(place)?,
        }
        self.len += 1;
        Ok(())
    }

    /// Returns whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let place = self.params.place(hash);
        self.slots.hold(place.starts, place.fingerprint)
            || (!self.overflow.is_empty() && self.is_beside(place))
    }

    #[cold]
    #[inline(never)]
    fn is_beside(&self, place: Place) -> bool {
        self.overflow.binary_search(&place.cell()).is_ok()
    }

    /// Returns whether each of many items may be inside, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::CuckooFilter;
    /// let mut filter = CuckooFilter::for_fpr(100, 0.0001)?;
    /// let [one, two] = ["one", "two"].map(|item| filter.hash_spec().hash(item));
    /// filter.insert_hashes(&[one])?;
    /// assert_eq!(filter.contains_hashes(&[one, two]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.slots.memory_bytes() < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            for start in self.params.place(hash).starts {
                self.slots.prefetch(start);
            }
        }
    }

    /// Removes an item, or one of its copies.
    ///
    /// Remove only inserted items: removing a false positive removes another item.
    ///
    /// ```
    /// # use crivo::CuckooFilter;
    /// let mut filter = CuckooFilter::for_fpr(100, 0.01)?;
    /// filter.insert("gone")?;
    /// filter.remove("gone")?;
    /// assert!(!filter.contains("gone") && filter.remove("gone").is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when the item is certainly not inside.
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.remove_hash(self.spec.hash(item))
    }

    /// Removes the item with this hash, or one of its copies.
    ///
    /// # Errors
    /// `InvalidArgument` when it is certainly not inside.
    pub fn remove_hash(&mut self, hash: u64) -> Result<()> {
        let place = self.params.place(hash);
        let [one, other] = place.starts;
        let find = |start| self.slots.find(start, place.fingerprint);
        if let Ok(index) = self.overflow.binary_search(&place.cell()) {
            self.overflow.remove(index);
            self.overflow.shrink_to_fit();
        } else if let Some(slot) = find(one).or_else(|| find(other)) {
            self.slots.set(slot, 0);
        } else {
            return Err(Error::invalid(
                "only an item that is inside can be removed, and this one certainly is not; call \
                 `contains` first, and remove only inserted items",
            ));
        }
        self.len -= 1;
        Ok(())
    }

    /// Returns the probability that an item that is not inside is reported: the share of cells (pairs of
    /// windows, each with a fingerprint) that are occupied, which is exact for the present contents. It reads
    /// every slot.
    ///
    /// ```
    /// # use crivo::CuckooFilter;
    /// let mut filter = CuckooFilter::for_fpr(1000, 0.01)?;
    /// assert_eq!(filter.fpr().value(), 0.0);
    /// (0..1000u32).try_for_each(|item| filter.insert(&item))?;
    /// assert!((0.006..0.008).contains(&filter.fpr().value())); // whole bits: better than the target
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.distinct_cells() as f64 / self.params.cells())
    }

    /// Returns the number of occupied cells.
    fn distinct_cells(&self) -> usize {
        let is_first = |&(slot, fingerprint): &(usize, u32)| {
            let before =
                self.params.place_in_slot(slot, fingerprint).slots().into_iter().filter(|&s| s < slot);
            before.into_iter().all(|earlier| self.slots.get(earlier) != fingerprint)
        };
        let in_slots = self.slots.occupied().filter(is_first).count();
        let mut beside = self.overflow.clone();
        beside.dedup();
        let is_beside = |cell: &&Cell| {
            let place = self.params.place_of(cell.fingerprint, u64::from(cell.window));
            !self.slots.hold(place.starts, cell.fingerprint)
        };
        in_slots + beside.iter().filter(is_beside).count()
    }

    /// Returns the number of items inside, including copies.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the share of occupied slots.
    fn fill(&self) -> f64 {
        (self.len - self.overflow.len() as u64) as f64 / self.params.slots() as f64
    }
}

shell!(CuckooFilter: hashes, empty(CuckooParams), merges, copies, filter, for_fpr(CuckooParams));

impl Core for CuckooFilter {
    const KIND: Kind = Kind::CuckooFilter;

    fn heap_bytes(&self) -> usize {
        self.slots.memory_bytes() + self.overflow.capacity() * size_of::<Cell>()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(self.slots.memory_bytes() + self.params.most_overflow() * size_of::<Cell>())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.overflow.len() as u64);
        for cell in &self.overflow {
            payload.extend_from_slice(&cell.window.to_le_bytes());
            payload.extend_from_slice(&cell.fingerprint.to_le_bytes());
        }
        payload.extend_from_slice(self.slots.stored());
    }

    fn read(params: CuckooParams, file: &mut Payload<'_>) -> Result<Self> {
        let (windows, fingerprint_bits) = (params.windows(), params.fingerprint_bits());
        let beside = file.bytes.u64_varint()?;
        let most_beside = params.most_overflow() as u64;
        if beside > most_beside {
            return Err(Error::malformed(format!(
                "{beside} items lie outside the slots, but at most {most_beside} may"
            )));
        }
        file.check_memory(params.memory_bytes() + beside * size_of::<Cell>() as u64)?;
        let mut beside = Reader::new(file.bytes.bytes(beside as usize * 8)?);
        let mut overflow = Vec::with_capacity(beside.rest().len() / 8);
        while !beside.rest().is_empty() {
            overflow.push(Cell { window: beside.u32()?, fingerprint: beside.u32()? });
        }
        let is_cell = |cell: &Cell| {
            let most = (1u64 << fingerprint_bits) - 1;
            (1..=most).contains(&u64::from(cell.fingerprint))
                && u64::from(cell.window) < windows
                && params.place_of(cell.fingerprint, u64::from(cell.window)).cell() == *cell
        };
        if !overflow.is_sorted() || !overflow.iter().all(is_cell) {
            return Err(Error::malformed(
                "the items outside the slots are not sorted, or not of this filter",
            ));
        }
        let slots = Slots::read(&mut file.bytes, params.slots() as usize, fingerprint_bits)?;
        // No odd window starts before the first slot, and no even one at the last.
        let (first, last) = (slots.get(0), slots.get(2 * windows as usize));
        if first % 2 == 1 || (last != 0 && last.is_multiple_of(2)) {
            return Err(Error::malformed(
                "a fingerprint lies in an end slot that belongs to none of its windows",
            ));
        }
        let len = slots.occupied().count() as u64 + overflow.len() as u64;
        Ok(Self { params, spec: file.spec, slots, overflow, len })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("len", self.len), Fact::number("fill", self.fill()), Fact::rate("fpr", self.fpr())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        let mut merged = self.clone();
        let in_slots =
            other.slots.occupied().map(|(slot, fingerprint)| self.params.place_in_slot(slot, fingerprint));
        let beside = other.overflow.iter();
        let beside = beside.map(|cell| self.params.place_of(cell.fingerprint, u64::from(cell.window)));
        for place in in_slots.chain(beside) {
            merged.put(place).map_err(|_| {
                Error::full(format!(
                    "no room for both filters: they have {} and {} items, an item in both counts twice, \
                     and an item has room for about {} copies; build one filter of all the data, or \
                     filters of a kind that merges exactly (quotient, counting or bloom)",
                    self.len,
                    other.len,
                    SLOTS_OF_ITEM + self.params.most_overflow()
                ))
            })?;
        }
        *self = merged;
        Ok(())
    }
}

impl Empty for CuckooFilter {
    fn empty(params: CuckooParams, spec: HashSpec) -> Self {
        let slots = Slots::new(params.slots() as usize, params.fingerprint_bits());
        Self { params, spec, slots, overflow: Vec::new(), len: 0 }
    }

    fn has_nothing(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests;
