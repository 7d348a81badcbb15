//! Counters by item: a hash table of positions in parallel arrays.

use crate::places::{Places, SECOND, short};
use crate::{Element, Item};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// The initial room of a table, unless it needs less.
const FIRST_ROOM: usize = 16;
/// Buffers of removed items are reused up to this size; larger ones are freed, so that a few long items do
/// not make all buffers long.
const LARGEST_SPARE: usize = 64;

/// Returns the bytes that a counter takes, without the heap memory of its item.
pub(super) const fn bytes_per_counter<T>() -> usize {
    Places::BYTES + size_of::<u32>() + size_of::<u64>() * 2 + size_of::<T>()
}

/// Items with their upper bound and their error: an item occurred at most `upper` times, and at least `upper
/// − error`.
///
/// The order of the positions is not part of the state: answers and bytes must not depend on it.
pub(super) struct Table<T> {
    /// The positions of items in the arrays below.
    places: Places,
    hashes: Vec<u32>,
    uppers: Vec<u64>,
    errors: Vec<u64>,
    /// The counted items, followed by removed ones that are kept for their buffers.
    items: Vec<T>,
    most: usize,
}

impl<T: Element> Table<T> {
    /// Creates an empty table that grows to `most` counters.
    pub(super) fn new(most: usize) -> Self {
        Self::with_room(most, FIRST_ROOM.min(most))
    }

    /// Creates an empty table with room for the first `room` of its counters, at least one.
    pub(super) fn with_room(most: usize, room: usize) -> Self {
        Self::with_places(most, Places::new(room, most))
    }

    fn with_places(most: usize, places: Places) -> Self {
        let room = places.room();
        Self {
            places,
            hashes: Vec::with_capacity(room),
            uppers: Vec::with_capacity(room),
            errors: Vec::with_capacity(room),
            items: Vec::with_capacity(room),
            most,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.uppers.len()
    }

    /// Returns the maximum number of counters.
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

    /// Returns the lower bound: the count since the item was inserted.
    #[inline]
    pub(super) fn lower(&self, place: usize) -> u64 {
        self.uppers[place] - self.errors[place]
    }

    /// Returns the heap memory in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let items: usize = self.items.iter().map(Element::heap_bytes).sum();
        self.places.memory_bytes()
            + self.hashes.capacity() * size_of::<u32>()
            + (self.uppers.capacity() + self.errors.capacity()) * size_of::<u64>()
            + self.items.capacity() * size_of::<T>()
            + items
    }
}

impl<T: Element + Item + Ord> Table<T> {
    /// Returns the position of an item, or the slot that it would take.
    #[inline]
    pub(super) fn find<Q: Item + Ord + ?Sized>(&self, item: &Q, hash: u32) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        let own = |place: usize| self.items[place].borrow();
        let hash = place_hash(item, hash, self.places.is_rehashed());
        self.places.find(hash, |place| own(place) == item, |place| own(place).cmp(item))
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

    /// Inserts a new item into a free slot that [`find`](Self::find) returned. The table must not be full.
    #[inline]
    pub(super) fn push<Q>(&mut self, item: &Q, hash: u32, upper: u64, error: u64, mut slot: usize)
    where
        Q: Item + ToOwned<Owned = T> + ?Sized,
    {
        let place = self.len();
        if place == self.places.room() {
            self.grow();
            slot = self.free_slot(item, hash);
        }
        match self.items.get_mut(place) {
            Some(spare) => item.clone_into(spare),
            None => self.items.push(item.to_owned()),
        }
        self.hashes.push(hash);
        self.uppers.push(upper);
        self.errors.push(error);
        self.put(slot, place);
        self.rehash_if_crowded();
    }

    #[cfg(test)]
    pub(super) fn is_rehashed(&self) -> bool {
        assert!(!(self.places.is_rehashed() && self.places.is_crowded()));
        self.places.is_rehashed()
    }

    #[inline]
    fn rehash_if_crowded(&mut self) {
        if self.places.is_crowded() && !self.places.is_rehashed() {
            self.places = self.places.emptied(self.places.room(), self.most);
            self.fill_slots();
        }
    }

    /// Replaces an item by a new one at the same position.
    pub(super) fn replace<Q>(&mut self, place: usize, item: &Q, hash: u32, upper: u64, error: u64)
    where
        Q: ToOwned<Owned = T> + ?Sized,
    {
        let Self { places, items, hashes, .. } = self;
        let order = |other: usize| items[other].cmp(&items[place]);
        let is_rehashed = places.is_rehashed();
        let hash_of = |other: usize| place_hash(&items[other], hashes[other], is_rehashed);
        places.remove(hash_of(place), place, hash_of, order);
        if self.items[place].heap_bytes() > LARGEST_SPARE {
            self.items[place] = item.to_owned();
        } else {
            item.clone_into(&mut self.items[place]);
        }
        self.hashes[place] = hash;
        self.uppers[place] = upper;
        self.errors[place] = error;
        self.put_anew(place);
        self.rehash_if_crowded();
    }

    /// Enters the item at `place` into a slot.
    #[inline]
    fn put(&mut self, slot: usize, place: usize) {
        let Self { places, items, hashes, .. } = self;
        let hash = place_hash(&items[place], hashes[place], places.is_rehashed());
        places.put(slot, hash, place, |other| items[other].cmp(&items[place]));
    }

    /// Enters the item at `place`, which is in no slot yet.
    fn put_anew(&mut self, place: usize) {
        self.put(self.free_slot(&self.items[place], self.hashes[place]), place);
    }

    /// Returns the slot for an item that is not in the table.
    #[inline]
    pub(super) fn free_slot<Q: Item + ?Sized>(&self, item: &Q, hash: u32) -> usize {
        self.places.free_slot(place_hash(item, hash, self.places.is_rehashed()))
    }

    #[cold]
    fn grow(&mut self) {
        let room = (2 * self.len()).min(self.most);
        let more = room - self.len();
        self.hashes.reserve_exact(more);
        self.uppers.reserve_exact(more);
        self.errors.reserve_exact(more);
        self.items.reserve_exact(room - self.items.len());
        self.places = self.places.emptied(room, self.most);
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
            // Without a branch, since it is hard to predict whether an item stays.
            kept += usize::from(upper > threshold);
        }
        self.uppers.truncate(kept);
        self.errors.truncate(kept);
        self.hashes.truncate(kept);
        self.drop_large_spares();
        self.places.clear();
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
            self.put_anew(place);
        }
    }
}

/// Returns the hash that determines the slot of an item.
#[inline]
fn place_hash<Q: Item + ?Sized>(item: &Q, hash: u32, is_rehashed: bool) -> u32 {
    if is_rehashed { short(SECOND.hash(item)) } else { hash }
}

impl<T: Element> Clone for Table<T> {
    /// Clones with the same room, without the buffers of removed items.
    fn clone(&self) -> Self {
        let mut copy = Self::with_places(self.most, self.places.clone());
        copy.hashes.extend_from_slice(&self.hashes);
        copy.uppers.extend_from_slice(&self.uppers);
        copy.errors.extend_from_slice(&self.errors);
        copy.items.extend_from_slice(&self.items[..self.len()]);
        copy
    }
}
