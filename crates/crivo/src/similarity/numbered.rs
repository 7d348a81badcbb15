//! Keys with consecutive numbers: see [`Numbered`].

use super::buckets::make_room;
use crate::hash::mix;
use crate::places::{Places, short};
use alloc::vec::Vec;

/// A key that gets a number: an id, the hash of a group, a fingerprint.
pub(super) trait Key: Copy + Ord {
    /// Returns the bits that determine the place of the key; an attacker may know them.
    fn hash(self) -> u32;
}

impl Key for u64 {
    #[inline]
    fn hash(self) -> u32 {
        short(mix(self))
    }
}

/// A fingerprint is already a hash.
impl Key for u128 {
    #[inline]
    fn hash(self) -> u32 {
        short((self >> 64) as u64)
    }
}

/// Distinct keys, numbered from 0 without gaps in the order of arrival.
#[derive(Clone)]
pub(super) struct Numbered<K> {
    keys: Vec<K>,
    places: Places,
}

impl<K: Key> Numbered<K> {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), places: Places::new(1, 1) }
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.keys.iter().copied()
    }

    /// Returns the key with this number.
    #[inline]
    pub(super) fn at(&self, number: u32) -> K {
        self.keys[number as usize]
    }

    /// Prefetches the cache line that a search for this key reads first.
    #[inline]
    pub(super) fn prefetch(&self, key: K) {
        self.places.prefetch(key.hash());
    }

    /// Returns the number of a key.
    #[inline]
    pub(super) fn number(&self, key: K) -> Option<u32> {
        let own = |place: usize| self.keys[place];
        let found = self.places.find(key.hash(), |place| own(place) == key, |place| own(place).cmp(&key));
        found.ok().map(|place| place as u32)
    }

    /// Appends a key that is not present.
    pub(super) fn push(&mut self, key: K) {
        make_room(&mut self.keys, 1);
        self.keys.push(key);
        if self.len() > self.places.room() {
            self.make_places(2 * self.places.room());
        } else {
            self.put(self.len() - 1);
        }
    }

    /// Removes a key. The last one gets its number.
    pub(super) fn swap_remove(&mut self, number: u32) {
        let (number, last) = (number as usize, self.len() - 1);
        self.take_out(number);
        if number != last {
            self.take_out(last);
        }
        self.keys.swap_remove(number);
        if number != last {
            self.put(number);
        }
    }

    /// Reserves memory for this many more keys.
    pub(super) fn reserve(&mut self, more: usize) {
        make_room(&mut self.keys, more);
        if self.len() + more > self.places.room() {
            self.make_places(self.len() + more);
        }
    }

    fn make_places(&mut self, room: usize) {
        self.places = Places::new(room, room);
        (0..self.len()).for_each(|number| self.put(number));
    }

    fn put(&mut self, number: usize) {
        let Self { keys, places } = self;
        let hash = keys[number].hash();
        places.put(places.free_slot(hash), hash, number, |other| keys[other].cmp(&keys[number]));
    }

    fn take_out(&mut self, number: usize) {
        let Self { keys, places } = self;
        let order = |other: usize| keys[other].cmp(&keys[number]);
        places.remove(keys[number].hash(), number, |other| keys[other].hash(), order);
    }

    /// Returns the heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        self.keys.capacity() * size_of::<K>() + self.places.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn numbers_follow_their_keys() {
        let mut rng = Rng::new(1);
        let (mut keys, mut model) = (Numbered::new(), Vec::new());
        for step in 0..3000 {
            let key = rng.below(500);
            let number = model.iter().position(|&other| other == key);
            assert_eq!(keys.number(key), number.map(|number| number as u32));
            match number {
                Some(number) => {
                    keys.swap_remove(number as u32);
                    model.swap_remove(number);
                }
                None if step == 70 => keys.reserve(100),
                None => {
                    keys.push(key);
                    model.push(key);
                }
            }
            assert!(keys.iter().eq(model.iter().copied()));
        }
    }

    /// Ids whose mixed bits begin alike, as anyone can compute them, because the mixing is invertible.
    #[test]
    fn ids_that_were_chosen_to_crowd_are_numbered_too() {
        let unmixed = |mixed: u64| {
            // Inverts the steps of `mix`.
            const ODD: u64 = 0x0e98_46af_9b1a_615d;
            let mut inverse = 1u64;
            (0..6).for_each(|_| inverse = inverse.wrapping_mul(2u64.wrapping_sub(ODD.wrapping_mul(inverse))));
            let mut x = mixed ^ mixed >> 28 ^ mixed >> 56;
            x = x.wrapping_mul(inverse);
            x ^= x >> 32;
            x = x.wrapping_mul(inverse);
            x ^ x >> 32
        };
        let mut keys = Numbered::new();
        for i in 0..5000 {
            let id = unmixed(7 << 32 | i);
            assert_eq!((mix(id), keys.number(id)), (7 << 32 | i, None));
            keys.push(id);
            assert_eq!(keys.number(id), Some(i as u32));
        }
        assert!((0..5000).all(|i| keys.number(unmixed(7 << 32 | i)) == Some(i as u32)));
    }
}
