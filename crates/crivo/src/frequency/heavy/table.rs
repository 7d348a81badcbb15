//! Counters by item: a hash table of places, over arrays that lie side by side.

use crate::Element;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// No place is all ones: see [`Table::with_room`].
const EMPTY: u32 = u32::MAX;
/// Twice as many slots as counters, so that a search seldom goes past its first slot.
const SLOTS_PER_COUNTER: usize = 2;
/// The room of an empty table, unless it needs less.
const FIRST_ROOM: usize = 16;
/// Buffers of items that left are filled again; larger ones go back, so that few long items do not make all buffers
/// long.
const LARGEST_SPARE: usize = 64;

/// The bytes that a counter takes, beside what its item holds elsewhere.
pub(super) const fn bytes_per_counter<T>() -> usize {
    size_of::<u32>() * (SLOTS_PER_COUNTER + 1) + size_of::<u64>() * 2 + size_of::<T>()
}

/// The part of a hash that the table uses.
#[inline]
pub(super) fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Items with their upper bound and their error: an item was seen at most `upper` times, and at least `upper − error`.
///
/// The order of the places is no part of the state: whatever answers, compares or writes must not depend on it.
pub(super) struct Table<T> {
    /// At an item's hash, or behind it, the low bits of its hash and its place in the arrays below.
    slots: Box<[u32]>,
    hashes: Vec<u32>,
    uppers: Vec<u64>,
    errors: Vec<u64>,
    /// Behind those that are counted come items that left, kept for their buffers.
    items: Vec<T>,
    most: usize,
    place_bits: u32,
}

impl<T: Element> Table<T> {
    /// An empty table that grows to `most` counters.
    pub(super) fn new(most: usize) -> Self {
        Self::with_room(most, FIRST_ROOM.min(most))
    }

    /// An empty table with room for the first `room` of its counters, at least one.
    pub(super) fn with_room(most: usize, room: usize) -> Self {
        // Above every place, so that the place of an empty slot is none.
        let place_bits = usize::BITS - most.leading_zeros();
        Self {
            slots: vec![EMPTY; room * SLOTS_PER_COUNTER].into_boxed_slice(),
            hashes: Vec::with_capacity(room),
            uppers: Vec::with_capacity(room),
            errors: Vec::with_capacity(room),
            items: Vec::with_capacity(room),
            most,
            place_bits,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.uppers.len()
    }

    /// The most counters it may have.
    #[inline]
    pub(super) fn most(&self) -> usize {
        self.most
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len() == self.most
    }

    #[inline]
    pub(super) fn item(&self, place: usize) -> &T {
        &self.items[place]
    }

    #[inline]
    pub(super) fn hash(&self, place: usize) -> u32 {
        self.hashes[place]
    }

    #[inline]
    pub(super) fn upper(&self, place: usize) -> u64 {
        self.uppers[place]
    }

    #[inline]
    pub(super) fn error(&self, place: usize) -> u64 {
        self.errors[place]
    }

    pub(super) fn uppers(&self) -> &[u64] {
        &self.uppers
    }

    /// What was counted since the item came in.
    #[inline]
    pub(super) fn lower(&self, place: usize) -> u64 {
        self.uppers[place] - self.errors[place]
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn behind(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// The item's place, or the slot that it would take.
    #[inline]
    pub(super) fn find<Q: Eq + ?Sized>(&self, item: &Q, hash: u32) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        let tag = hash << self.place_bits;
        let mut slot = self.home(hash);
        loop {
            let word = self.slots[slot];
            let place = word ^ tag;
            // With equal tags only the place is left.
            if place >> self.place_bits == 0
                && self.items.get(place as usize).is_some_and(|own| own.borrow() == item)
            {
                return Ok(place as usize);
            }
            if word == EMPTY {
                return Err(slot);
            }
            slot = self.behind(slot);
        }
    }

    #[inline]
    pub(super) fn raise(&mut self, place: usize, count: u64) {
        let upper = &mut self.uppers[place];
        *upper = upper.saturating_add(count);
    }

    /// Adds to both bounds.
    pub(super) fn shift(&mut self, place: usize, upper: u64, error: u64) {
        self.raise(place, upper);
        self.errors[place] = self.errors[place].saturating_add(error);
    }

    /// Puts a new item into a free slot that [`find`](Self::find) told. The table is not full.
    #[inline]
    pub(super) fn push<Q>(&mut self, item: &Q, hash: u32, upper: u64, error: u64, mut slot: usize)
    where
        Q: ToOwned<Owned = T> + ?Sized,
    {
        let place = self.len();
        if place * SLOTS_PER_COUNTER == self.slots.len() {
            self.grow();
            slot = self.free_slot(hash);
        }
        match self.items.get_mut(place) {
            Some(spare) => item.clone_into(spare),
            None => self.items.push(item.to_owned()),
        }
        self.hashes.push(hash);
        self.uppers.push(upper);
        self.errors.push(error);
        self.slots[slot] = hash << self.place_bits | place as u32;
    }

    /// Puts a new item in the place of another.
    pub(super) fn replace<Q>(&mut self, place: usize, item: &Q, hash: u32, upper: u64, error: u64)
    where
        Q: ToOwned<Owned = T> + ?Sized,
    {
        self.vacate(place);
        if self.items[place].heap_bytes() > LARGEST_SPARE {
            self.items[place] = item.to_owned();
        } else {
            item.clone_into(&mut self.items[place]);
        }
        self.hashes[place] = hash;
        self.uppers[place] = upper;
        self.errors[place] = error;
        let slot = self.free_slot(hash);
        self.slots[slot] = hash << self.place_bits | place as u32;
    }

    /// Takes the item at `place` out of the slots. What lies behind it moves up, where it may.
    fn vacate(&mut self, place: usize) {
        let hash = self.hashes[place];
        let mut hole = self.home(hash);
        while self.slots[hole] != hash << self.place_bits | place as u32 {
            hole = self.behind(hole);
        }
        let mut slot = self.behind(hole);
        while self.slots[slot] != EMPTY {
            let word = self.slots[slot];
            let home = self.home(self.hashes[(word & self.place_mask()) as usize]);
            if self.distance(home, slot) >= self.distance(hole, slot) {
                self.slots[hole] = word;
                hole = slot;
            }
            slot = self.behind(slot);
        }
        self.slots[hole] = EMPTY;
    }

    fn place_mask(&self) -> u32 {
        (1 << self.place_bits) - 1
    }

    /// How far `to` lies behind `from`.
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.slots.len() - from }
    }

    /// The slot of an item that is not there.
    #[inline]
    pub(super) fn free_slot(&self, hash: u32) -> usize {
        let mut slot = self.home(hash);
        while self.slots[slot] != EMPTY {
            slot = self.behind(slot);
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let room = (2 * self.len()).min(self.most);
        let more = room - self.len();
        self.hashes.reserve_exact(more);
        self.uppers.reserve_exact(more);
        self.errors.reserve_exact(more);
        self.items.reserve_exact(room - self.items.len());
        self.slots = vec![EMPTY; room * SLOTS_PER_COUNTER].into_boxed_slice();
        self.fill_slots();
    }

    /// Keeps the items whose upper bound is above `threshold`.
    pub(super) fn retain_above(&mut self, threshold: u64) {
        let mut kept = 0;
        for place in 0..self.len() {
            let upper = self.uppers[place];
            self.uppers[kept] = upper;
            self.errors[kept] = self.errors[place];
            self.hashes[kept] = self.hashes[place];
            self.items.swap(kept, place);
            // Without a branch: whether an item stays is hard to foretell.
            kept += usize::from(upper > threshold);
        }
        self.uppers.truncate(kept);
        self.errors.truncate(kept);
        self.hashes.truncate(kept);
        self.drop_large_spares();
        self.slots.fill(EMPTY);
        self.fill_slots();
    }

    fn drop_large_spares(&mut self) {
        if !core::mem::needs_drop::<T>() {
            return;
        }
        for place in (self.len()..self.items.len()).rev() {
            if self.items[place].heap_bytes() > LARGEST_SPARE {
                self.items.swap_remove(place);
            }
        }
    }

    fn fill_slots(&mut self) {
        for place in 0..self.len() {
            let hash = self.hashes[place];
            let slot = self.free_slot(hash);
            self.slots[slot] = hash << self.place_bits | place as u32;
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.hashes.clear();
        self.uppers.clear();
        self.errors.clear();
        self.items.clear();
    }

    /// Without the table's own fields.
    pub(super) fn memory_bytes(&self) -> usize {
        let items: usize = self.items.iter().map(Element::heap_bytes).sum();
        size_of_val(&*self.slots)
            + self.hashes.capacity() * size_of::<u32>()
            + (self.uppers.capacity() + self.errors.capacity()) * size_of::<u64>()
            + self.items.capacity() * size_of::<T>()
            + items
    }
}

impl<T: Element> Clone for Table<T> {
    /// With the same room, without the buffers of items that left.
    fn clone(&self) -> Self {
        let mut copy = Self::with_room(self.most, self.slots.len() / SLOTS_PER_COUNTER);
        copy.slots.copy_from_slice(&self.slots);
        copy.hashes.extend_from_slice(&self.hashes);
        copy.uppers.extend_from_slice(&self.uppers);
        copy.errors.extend_from_slice(&self.errors);
        copy.items.extend_from_slice(&self.items[..self.len()]);
        copy
    }
}
