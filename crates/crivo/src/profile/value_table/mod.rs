//! Exact counts of a column's values, as far as the counters last.
//!
//! A known value takes one look-up and an addition. If all m counters are in use and a new value comes, the values up
//! to the median leave, and the *floor* rises to the median.
//!
//! Two invariants hold. **A value outside the table occurred at most *floor* times**: a value that leaves has at most
//! the median, and a value that enters is assumed to have missed *floor* occurrences before. **The floor is at most
//! 2·N/m** after N occurrences: call the upper bound of a value minus the floor its excess. An occurrence adds one to
//! the sum of all excesses. When the floor rises by d, at least m/2 values have an excess of d or more, and each of
//! them loses d: so the floor cannot have risen by more than N/(m/2). A merge adds bounds, floors and excesses, so both
//! invariants survive it.

use crate::places::{Places, SECOND, short};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The number of bytes that are kept of a value, so that memory is bounded whatever the values are.
pub(super) const MOST_KEPT: usize = 128;
const FIRST_ROOM: usize = 8;

/// A value with its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted<'a> {
    pub(super) hash: u64,
    /// The occurrences since it entered: a lower bound of its frequency.
    pub(super) seen: u64,
    /// An upper bound on the occurrences before that.
    pub(super) missed: u64,
    /// The first 128 bytes of the value.
    pub(super) text: &'a [u8],
    /// The length of the value in bytes.
    pub(super) length: u32,
}

impl Counted<'_> {
    pub(super) fn upper(&self) -> u64 {
        self.seen.saturating_add(self.missed)
    }

    pub(super) fn is_same_value(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }

    fn order(&self, other: &Self) -> Ordering {
        (self.hash, self.length, self.text).cmp(&(other.hash, other.length, other.text))
    }

    pub(super) fn is_truncated(&self) -> bool {
        self.length as usize > self.text.len()
    }
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    seen: u64,
    missed: u64,
    /// Where its bytes begin.
    start: u32,
    length: u32,
}

impl Entry {
    fn kept(self) -> usize {
        (self.length as usize).min(MOST_KEPT)
    }

    /// Returns its bytes, among those of all values.
    #[inline]
    fn text(self, texts: &[u8]) -> &[u8] {
        let start = self.start as usize;
        &texts[start..start + self.kept()]
    }
}

fn counted(entry: Entry, texts: &[u8]) -> Counted<'_> {
    let Entry { hash, seen, missed, length, .. } = entry;
    Counted { hash, seen, missed, text: entry.text(texts), length }
}

/// Up to `most` values with their counts, in the order of arrival.
#[derive(Clone)]
pub(super) struct ValueTable {
    /// The places of values among the entries.
    places: Places,
    entries: Vec<Entry>,
    /// The bytes of all values, in the order of the entries.
    texts: Vec<u8>,
    most: usize,
    /// An upper bound on the frequency of a value outside the table.
    floor: u64,
}

impl ValueTable {
    /// Creates an empty table of at most `most` counters, up to 2²⁰.
    pub(super) fn new(most: usize) -> Self {
        Self::with_room(most, 0, 0)
    }

    /// Creates an empty table with room for the first `room` of its counters, and a given floor.
    pub(super) fn with_room(most: usize, room: usize, floor: u64) -> Self {
        let (places, entries) = (places_for(room, most), Vec::with_capacity(room));
        Self { places, entries, texts: Vec::new(), most, floor }
    }

    /// Returns the memory of such a table without its fields and texts, unless its hashes cluster.
    pub(super) fn bytes_for(room: usize) -> usize {
        room * size_of::<Entry>() + slots_for(room) * Places::BYTES
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn floor(&self) -> u64 {
        self.floor
    }

    /// Returns whether a new value would have no counter.
    pub(super) fn is_full(&self) -> bool {
        self.len() >= self.most
    }

    /// Returns whether a merge left more values than allowed.
    pub(super) fn is_overfull(&self) -> bool {
        self.len() > self.most
    }

    /// Returns all values, in the order of arrival.
    pub(super) fn iter(&self) -> impl Iterator<Item = Counted<'_>> {
        self.entries.iter().map(|&entry| counted(entry, &self.texts))
    }

    /// Returns the value at this place in the order of arrival.
    pub(super) fn at(&self, place: usize) -> Counted<'_> {
        counted(self.entries[place], &self.texts)
    }

    #[inline]
    fn find(&self, text: &[u8], length: u32, hash: u64) -> Option<usize> {
        let is_same = |place: usize| {
            let entry = &self.entries[place];
            entry.hash == hash && entry.length == length && same(entry.text(&self.texts), text)
        };
        let wanted = Counted { hash, seen: 0, missed: 0, text, length };
        let hash = place_hash(&wanted, self.places.is_rehashed());
        self.places.find(hash, is_same, |place| self.at(place).order(&wanted)).ok()
    }

    /// Counts a value if it is in the table, and returns whether it is.
    #[inline]
    pub(super) fn raise(&mut self, text: &[u8], hash: u64, copies: u64) -> bool {
        let (kept, length) = cut(text);
        let Some(place) = self.find(kept, length, hash) else { return false };
        let seen = &mut self.entries[place].seen;
        *seen = seen.saturating_add(copies);
        true
    }

    /// Returns the entry of a value, if it is in the table.
    pub(super) fn get(&self, value: &Counted<'_>) -> Option<Counted<'_>> {
        self.find(value.text, value.length, value.hash).map(|place| self.at(place))
    }

    /// Returns the largest number of counters.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Counts a value that is not in the table, which must not be full.
    pub(super) fn enter(&mut self, text: &[u8], hash: u64, copies: u64) {
        let (text, length) = cut(text);
        self.push(Counted { hash, seen: copies, missed: self.floor, text, length });
    }

    /// Appends a value that is not in the table.
    pub(super) fn push(&mut self, value: Counted<'_>) {
        let place = self.len();
        let Counted { hash, seen, missed, text, length } = value;
        self.entries.push(Entry { hash, seen, missed, start: self.texts.len() as u32, length });
        self.texts.extend_from_slice(text);
        if self.len() > self.places.room() {
            self.fill_places(self.len());
        } else {
            self.put(place);
        }
        if self.places.is_crowded() && !self.places.is_rehashed() {
            self.fill_places(self.places.room());
        }
    }

    /// Registers the value at this place.
    fn put(&mut self, place: usize) {
        let Self { places, entries, texts, .. } = self;
        let value = counted(entries[place], texts);
        let hash = place_hash(&value, places.is_rehashed());
        places.put(places.free_slot(hash), hash, place, |other| counted(entries[other], texts).order(&value));
    }

    /// Rebuilds the slots with room for `room` values, and registers all values.
    fn fill_places(&mut self, room: usize) {
        self.places = self.places.emptied(slots_for(room), 2 * self.most);
        (0..self.len()).for_each(|place| self.put(place));
    }

    /// Raises the floor of a full table, so that fewer than half of the counters are in use, and passes the values that
    /// leave to `leaves`.
    #[cold]
    pub(super) fn purge(&mut self, mut leaves: impl FnMut(Counted<'_>)) {
        let mut uppers: Vec<u64> = self.iter().map(|value| value.upper()).collect();
        let rank = uppers.len() - self.most / 2;
        let (_, &mut threshold, _) = uppers.select_nth_unstable(rank);
        self.floor = threshold;
        let (mut kept, mut end) = (0, 0);
        for place in 0..self.len() {
            let entry = self.entries[place];
            let value = counted(entry, &self.texts);
            if value.upper() <= threshold {
                leaves(value);
                continue;
            }
            let start = entry.start as usize;
            self.texts.copy_within(start..start + entry.kept(), end);
            self.entries[kept] = Entry { start: end as u32, ..entry };
            kept += 1;
            end += entry.kept();
        }
        self.entries.truncate(kept);
        self.texts.truncate(end);
        self.fill_places(self.most);
    }

    /// Adds the counts of another table. There may be too many values afterwards, so the next call must be
    /// [`purge`](Self::purge).
    pub(super) fn merge(&mut self, other: &Self) {
        let ours = self.len();
        let (our_floor, their_floor) = (self.floor, other.floor);
        let mut met = vec![false; ours];
        for value in other.iter() {
            match self.find(value.text, value.length, value.hash) {
                Some(place) => {
                    let entry = &mut self.entries[place];
                    entry.seen = entry.seen.saturating_add(value.seen);
                    entry.missed = entry.missed.saturating_add(value.missed);
                    met[place] = true;
                }
                None => self.push(Counted { missed: value.missed.saturating_add(our_floor), ..value }),
            }
        }
        for (entry, _) in self.entries.iter_mut().zip(met).filter(|(_, met)| !met) {
            entry.missed = entry.missed.saturating_add(their_floor);
        }
        self.floor = our_floor.saturating_add(their_floor);
    }

    /// Returns the memory without the table's own fields.
    pub(super) fn memory_bytes(&self) -> usize {
        self.places.memory_bytes() + self.entries.capacity() * size_of::<Entry>() + self.texts.capacity()
    }
}

impl PartialEq for ValueTable {
    fn eq(&self, other: &Self) -> bool {
        (self.most, self.floor, self.len()) == (other.most, other.floor, other.len())
            && self.iter().eq(other.iter())
    }
}

/// Returns the hash that determines the place of a value.
#[inline]
fn place_hash(value: &Counted<'_>, is_rehashed: bool) -> u32 {
    short(if is_rehashed { SECOND.hash_bytes(value.text) } else { value.hash })
}

/// Returns the number of values that the slots are made for if there is `room` for this many.
fn slots_for(room: usize) -> usize {
    room.max(FIRST_ROOM).next_power_of_two()
}

/// Returns empty slots for `room` values. A merge temporarily needs twice the allowed number.
fn places_for(room: usize, most: usize) -> Places {
    Places::new(slots_for(room), 2 * most)
}

/// Returns the kept part of a value, and its length.
#[inline]
pub(super) fn cut(text: &[u8]) -> (&[u8], u32) {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    (&text[..text.len().min(MOST_KEPT)], length)
}

/// Returns whether two texts of equal length are equal. Most are short, and two overlapping words compare them.
#[inline]
fn same(one: &[u8], other: &[u8]) -> bool {
    match one.len() {
        0 => true,
        1 => one[0] == other[0],
        2..4 => one.first_chunk::<2>() == other.first_chunk() && one.last_chunk::<2>() == other.last_chunk(),
        4..8 => one.first_chunk::<4>() == other.first_chunk() && one.last_chunk::<4>() == other.last_chunk(),
        8..17 => one.first_chunk::<8>() == other.first_chunk() && one.last_chunk::<8>() == other.last_chunk(),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests;
