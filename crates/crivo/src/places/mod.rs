//! A hash table of positions whose worst case is that of a sorted list, whatever the hashes are.
//!
//! Hashes are public, so an attacker who chooses the items can choose their slots. A search therefore visits
//! only a few slots and compares with only a few items. An item that finds no slot within that reach goes
//! into a [`Crowd`], sorted by the items themselves, where a search takes logarithmic time. With hashes that
//! nobody chose, hardly any item leaves the slots, and an empty crowd costs nothing.

mod crowd;

pub(crate) use crowd::Crowd;

use crate::hash::HashSpec;
use crate::memory::prefetch;
use alloc::boxed::Box;
use alloc::vec;
use core::cmp::Ordering;

/// Marks an empty slot. No position is all ones: see [`Places::new`].
const EMPTY: u32 = u32::MAX;
/// There are twice as many slots as items, so that a search rarely goes past its first slot.
const SLOTS_PER_ITEM: usize = 2;
/// The number of slots that a search visits. In a table that is half full, one item in a million needs more.
pub(crate) const REACH: usize = 64;
/// The number of items that a search compares with. Each is elsewhere in memory, and so costs more than a
/// slot.
const MOST_ALIKE: usize = 8;
/// With this many items in the crowd, the hashes must have been chosen by an attacker.
const MOST_CROWDED: usize = 64;
/// Stands for no slot: the item goes into the crowd.
const NO_SLOT: usize = usize::MAX;

/// A second hash with another algorithm: items that share the first hash have different second hashes, unless
/// an attacker found items that collide in both; those cost logarithmic time.
pub(crate) const SECOND: HashSpec = HashSpec::rapid(0x7365_636f_6e64);

/// A hash table of the positions of items, by the high halves of their hashes.
///
/// The caller owns the items and compares with the one at a position: `is_same` returns whether it is the
/// wanted item, and `order` compares it with the wanted item.
#[derive(Clone)]
pub(crate) struct Places {
    /// In the slot of an item's hash or in a later one: the low bits of its hash, and its position.
    slots: Box<[u32]>,
    place_bits: u32,
    /// True if the caller places items by their second hash, because the first hashes were chosen by an
    /// attacker.
    is_rehashed: bool,
    /// The positions of items that found no slot.
    crowd: Crowd<u32>,
}

/// Returns the part of a hash that determines the slot of an item.
#[inline]
pub(crate) fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Places {
    /// The number of bytes for each item.
    pub(crate) const BYTES: usize = SLOTS_PER_ITEM * size_of::<u32>();

    /// Creates an empty table with slots for `room` items (at least one). Positions are below `most`.
    pub(crate) fn new(room: usize, most: usize) -> Self {
        // More than the bits of any position, so that no position is all ones.
        let place_bits = usize::BITS - most.leading_zeros();
        let slots = vec![EMPTY; room * SLOTS_PER_ITEM].into_boxed_slice();
        Self { slots, place_bits, is_rehashed: false, crowd: Crowd::default() }
    }

    /// Returns the number of items that the slots are sized for.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.slots.len() / SLOTS_PER_ITEM
    }

    /// Returns whether the number of items without a slot shows that an attacker chose their hashes.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowd.len_is_above(MOST_CROWDED)
    }

    /// Returns whether items are placed by their [`SECOND`] hash.
    #[inline]
    pub(crate) fn is_rehashed(&self) -> bool {
        self.is_rehashed
    }

    /// Creates an empty table with slots for `room` items. They are placed as in this table or, if this table
    /// is crowded, by their [`SECOND`] hash.
    pub(crate) fn emptied(&self, room: usize, most: usize) -> Self {
        Self { is_rehashed: self.is_rehashed || self.is_crowded(), ..Self::new(room, most) }
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn behind(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    #[inline]
    fn tag(&self, hash: u32) -> u32 {
        (u64::from(hash) << self.place_bits) as u32
    }

    /// Returns the position in this slot, if the slot has the tag.
    #[inline]
    fn tagged(&self, word: u32, tag: u32) -> Option<usize> {
        // If the tags are equal, only the position is left.
        let place = u64::from(word ^ tag);
        (place >> self.place_bits == 0).then_some(place as usize)
    }

    /// Prefetches the cache line that a search for this hash reads first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u32) {
        prefetch(&self.slots, self.home(hash));
    }

    /// Returns the position of an item, or the slot that it would take.
    #[inline]
    pub(crate) fn find(
        &self,
        hash: u32,
        is_same: impl Fn(usize) -> bool,
        order: impl Fn(usize) -> Ordering,
    ) -> Result<usize, usize> {
        let tag = self.tag(hash);
        let mut slot = self.home(hash);
        let mut alike = 0;
        let mut free = NO_SLOT;
        for _ in 0..REACH {
            let word = self.slots[slot];
            if word == EMPTY {
                free = slot;
                break;
            }
            if let Some(place) = self.tagged(word, tag) {
                if is_same(place) {
                    return Ok(place);
                }
                alike += 1;
                if alike == MOST_ALIKE {
                    break;
                }
            }
            slot = self.behind(slot);
        }
        // A slot may have become free since the item went into the crowd.
        if self.crowd.is_empty() { Err(free) } else { self.find_in_crowd(order).ok_or(free) }
    }

    #[cold]
    #[inline(never)]
    fn find_in_crowd(&self, order: impl Fn(usize) -> Ordering) -> Option<usize> {
        self.crowd.get(|place| order(place as usize)).map(|place| place as usize)
    }

    /// Returns the slot that an item not in the table would take.
    #[inline]
    pub(crate) fn free_slot(&self, hash: u32) -> usize {
        let tag = self.tag(hash);
        let mut slot = self.home(hash);
        let mut alike = 0;
        for _ in 0..REACH {
            let word = self.slots[slot];
            if word == EMPTY {
                return slot;
            }
            alike += usize::from(self.tagged(word, tag).is_some());
            if alike == MOST_ALIKE {
                break;
            }
            slot = self.behind(slot);
        }
        NO_SLOT
    }

    /// Inserts an item into the slot that [`find`](Self::find) or [`free_slot`](Self::free_slot) returned
    /// last.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, hash: u32, place: usize, order: impl Fn(usize) -> Ordering) {
        if slot == NO_SLOT {
            self.crowd.insert(place as u32, |place| order(place as usize));
        } else {
            self.slots[slot] = self.tag(hash) | place as u32;
        }
    }

    /// Removes an item and moves later items into the gap where possible. `hash_of` returns the hash of the
    /// item at a position.
    pub(crate) fn remove(
        &mut self,
        hash: u32,
        place: usize,
        hash_of: impl Fn(usize) -> u32,
        order: impl Fn(usize) -> Ordering,
    ) {
        let own = self.tag(hash) | place as u32;
        let home = self.home(hash);
        let slots = core::iter::successors(Some(home), |&slot| Some(self.behind(slot)));
        let Some(mut hole) = slots.take(REACH).find(|&slot| self.slots[slot] == own) else {
            return self.crowd.remove(|place| order(place as usize));
        };
        let mut slot = self.behind(hole);
        // Items farther away cannot reach the gap from their own slot.
        while self.slots[slot] != EMPTY && self.distance(hole, slot) < REACH {
            let word = self.slots[slot];
            let home = self.home(hash_of((word & self.place_mask()) as usize));
            if self.distance(home, slot) >= self.distance(hole, slot) {
                self.slots[hole] = word;
                hole = slot;
            }
            slot = self.behind(slot);
        }
        self.slots[hole] = EMPTY;
    }

    fn place_mask(&self) -> u32 {
        ((1u64 << self.place_bits) - 1) as u32
    }

    /// Returns the number of slots from `from` to `to`.
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.slots.len() - from }
    }

    /// Removes all items and keeps the slots.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.crowd = Crowd::default();
    }

    /// Returns the heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.slots) + self.crowd.memory_bytes()
    }
}

#[cfg(test)]
mod tests;
