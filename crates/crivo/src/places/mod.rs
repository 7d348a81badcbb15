//! A hash table of places whose worst case is that of an ordered list, whatever the hashes are.
//!
//! Hashes are public, so that whoever chooses the items can choose where they fall. A search therefore goes through a few
//! slots and compares with a few items at most. What finds no slot within that reach goes into a [`Crowd`], in the
//! order of the items themselves, where a search takes logarithmic time. Of hashes that nobody chose, hardly any leave
//! the slots, and while the crowd is empty, it costs nothing.

mod crowd;

pub(crate) use crowd::Crowd;

use crate::hash::HashSpec;
use crate::memory::prefetch;
use alloc::boxed::Box;
use alloc::vec;
use core::cmp::Ordering;

/// No place is all ones: see [`Places::new`].
const EMPTY: u32 = u32::MAX;
/// Twice as many slots as items, so that a search seldom goes past its first slot.
const SLOTS_PER_ITEM: usize = 2;
/// How many slots a search goes through. In a table that is half full one item in a million needs more.
pub(crate) const REACH: usize = 64;
/// How many items a search compares with. Each lies elsewhere in memory, and so costs more than a slot.
const MOST_ALIKE: usize = 8;
/// From this many items on in the crowd, hashes were chosen.
const MOST_CROWDED: usize = 64;
/// Not a slot: the item goes into the crowd.
const NO_SLOT: usize = usize::MAX;

/// A hash of another algorithm than the usual one: items that share one hash have different ones here, unless somebody
/// sought items for both, which then cost a logarithm.
pub(crate) const SECOND: HashSpec = HashSpec::rapid(0x7365_636f_6e64);

/// Where items lie, by the high halves of their hashes.
///
/// The items are the caller's, who compares with the one at a place: `is_same` tells whether it is the item that is
/// meant, `order` how it is ordered to that one.
#[derive(Clone)]
pub(crate) struct Places {
    /// At an item's hash, or behind it, the low bits of its hash and its place.
    slots: Box<[u32]>,
    place_bits: u32,
    /// Whether the caller places items by their second hash, since hashes were chosen.
    is_rehashed: bool,
    /// The places of items that found no slot.
    crowd: Crowd<u32>,
}

/// The part of a hash that decides where an item lies.
#[inline]
pub(crate) fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Places {
    /// The bytes for each item.
    pub(crate) const BYTES: usize = SLOTS_PER_ITEM * size_of::<u32>();

    /// No items, and slots for `room` of them, at least one. Their places are below `most`.
    pub(crate) fn new(room: usize, most: usize) -> Self {
        // Above every place, so that no place is all ones.
        let place_bits = usize::BITS - most.leading_zeros();
        let slots = vec![EMPTY; room * SLOTS_PER_ITEM].into_boxed_slice();
        Self { slots, place_bits, is_rehashed: false, crowd: Crowd::default() }
    }

    /// For how many items there are slots.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.slots.len() / SLOTS_PER_ITEM
    }

    /// Whether so many items found no slot that their hashes were chosen.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowd.len_is_above(MOST_CROWDED)
    }

    /// Whether items are placed by their [`SECOND`] hash.
    #[inline]
    pub(crate) fn is_rehashed(&self) -> bool {
        self.is_rehashed
    }

    /// No items, and slots for `room` of them, which are placed as before; or, if they crowd, by their [`SECOND`] hash.
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

    /// The place in this slot, if it has the tag.
    #[inline]
    fn tagged(&self, word: u32, tag: u32) -> Option<usize> {
        // With equal tags only the place is left.
        let place = u64::from(word ^ tag);
        (place >> self.place_bits == 0).then_some(place as usize)
    }

    /// Asks for the line that a search for this hash reads first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u32) {
        prefetch(&self.slots, self.home(hash));
    }

    /// The item's place, or the slot that it would take.
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

    /// The slot that an item would take that is not there.
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

    /// Takes in an item in the slot that [`find`](Self::find) or [`free_slot`](Self::free_slot) told last.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, hash: u32, place: usize, order: impl Fn(usize) -> Ordering) {
        if slot == NO_SLOT {
            self.crowd.insert(place as u32, |place| order(place as usize));
        } else {
            self.slots[slot] = self.tag(hash) | place as u32;
        }
    }

    /// Takes out an item. What lies behind it moves up, where it may. `hash_of` tells the hash of what is at a place.
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
        // What lies farther behind the hole cannot reach it from its home.
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

    /// How far `to` lies behind `from`.
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.slots.len() - from }
    }

    /// Forgets all items, and keeps the slots.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.crowd = Crowd::default();
    }

    /// Beside itself.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.slots) + self.crowd.memory_bytes()
    }
}

#[cfg(test)]
mod tests;
