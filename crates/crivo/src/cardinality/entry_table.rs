//! The table of a set of entries.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Marks a slot without an entry; no entry of a sketch.
const EMPTY: u32 = u32::MAX;
/// The slots of a bucket: a cache line, which is compared as a whole, without a branch that depends on the entries.
const BUCKET: usize = 16;
/// The most slots of a table that is a single bucket.
const SINGLE: usize = 56;

/// A set of entries that are spread evenly over all numbers of 32 bits. Each lies in the bucket that its high bits choose,
/// or in the next one that is not full. A bucket fills from its first slot on, and nothing is removed.
///
/// The number of slots follows from the number of entries. Only their order depends on the history, so tables are
/// compared, and entries are written, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryTable {
    slots: Box<[u32]>,
    len: usize,
}

impl PartialEq for EntryTable {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.sorted() == other.sorted()
    }
}

impl EntryTable {
    /// Creates the table of `len` entries, all distinct and none of them `u32::MAX`. Entries in ascending order take
    /// linear time even if all choose the same bucket.
    pub(super) fn of_distinct(entries: impl Iterator<Item = u32>, len: usize) -> Self {
        Self::with_slots(slots_for(len), entries, len)
    }

    fn with_slots(slots: usize, entries: impl Iterator<Item = u32>, len: usize) -> Self {
        let mut slots = vec![EMPTY; slots].into_boxed_slice();
        if slots.len() <= SINGLE {
            slots.iter_mut().zip(entries).for_each(|(slot, entry)| *slot = entry);
            return Self { slots, len };
        }
        let buckets = slots.as_chunks_mut::<BUCKET>().0;
        let mut used = vec![0u8; buckets.len()];
        // These buckets are full; they may go on from the last one to the first.
        let mut full = 0..0;
        for entry in entries {
            let mut bucket = home(entry, buckets.len());
            if usize::from(used[bucket]) == BUCKET {
                let mut place = bucket;
                if full.contains(&place) {
                    place = full.end;
                } else {
                    full.start = place;
                }
                while usize::from(used[wrapped(place, buckets.len())]) == BUCKET {
                    place += 1;
                }
                full.end = place;
                bucket = wrapped(place, buckets.len());
            }
            buckets[bucket][usize::from(used[bucket])] = entry;
            used[bucket] += 1;
        }
        Self { slots, len }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the entries in any order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().copied().filter(|&entry| entry != EMPTY)
    }

    /// Returns the entries in ascending order.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut entries = Vec::with_capacity(self.len);
        entries.extend(self.iter());
        entries.sort_unstable();
        entries
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val::<[u32]>(&self.slots)
    }

    /// Inserts an entry; returns whether it was new.
    pub(super) fn insert(&mut self, entry: u32) -> bool {
        let Some(mut place) = self.place(entry) else { return false };
        if self.len == most_in(self.slots.len()) {
            *self = Self::with_slots(slots_for(self.len + 1), self.iter(), self.len);
            place = self.place(entry).unwrap_or(place);
        }
        self.slots[place] = entry;
        self.len += 1;
        true
    }

    /// Returns the slot for a new entry, which is beyond the last one if a single bucket is full; `None` if the table
    /// has the entry.
    #[inline]
    fn place(&self, entry: u32) -> Option<usize> {
        if self.slots.len() <= SINGLE {
            return (!self.slots[..self.len].contains(&entry)).then_some(self.len);
        }
        let buckets = self.slots.as_chunks::<BUCKET>().0;
        let mut bucket = home(entry, buckets.len());
        loop {
            let (mut used, mut equal) = (0u32, 0u32);
            for &slot in &buckets[bucket] {
                used += u32::from(slot != EMPTY);
                equal |= u32::from(slot == entry);
            }
            if equal != 0 {
                return None;
            }
            if used < BUCKET as u32 {
                return Some(bucket * BUCKET + used as usize);
            }
            // Some bucket is not full, because a seventh of the slots is empty.
            bucket = wrapped(bucket + 1, buckets.len());
        }
    }
}

/// Returns the bucket that an entry chooses.
#[inline]
fn home(entry: u32, buckets: usize) -> usize {
    ((u64::from(entry) * buckets as u64) >> 32) as usize
}

/// Returns the bucket at a place in a row in which the buckets are followed by themselves.
#[inline]
fn wrapped(place: usize, buckets: usize) -> usize {
    if place < buckets { place } else { place - buckets }
}

/// Returns the bytes of a table of `len` entries.
pub(super) fn bytes_for(len: usize) -> usize {
    slots_for(len) * size_of::<u32>()
}

/// Returns the number of slots of a table of `len` entries: a single bucket grows by an eighth, several by two fifths or
/// three sevenths to 5 or 7 times a power of two.
fn slots_for(len: usize) -> usize {
    let mut slots = 0;
    while most_in(slots) < len {
        slots = if slots < SINGLE {
            slots + slots / 8 + 2
        } else if slots % 5 == 0 {
            slots / 5 * 7
        } else {
            slots / 7 * 10
        };
    }
    slots
}

/// Returns the number of entries that a table of this many slots may hold: six sevenths if there are several buckets, because searches pass
/// many buckets in a full table.
fn most_in(slots: usize) -> usize {
    if slots <= SINGLE { slots } else { slots / 7 * 6 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    /// Entries that are spread evenly, that all choose the first, the last or one other bucket, and repeated ones.
    fn entries(kind: usize, count: usize) -> Vec<u32> {
        let mut rng = Rng::new(kind as u64);
        (0..count)
            .map(|_| {
                let random = rng.next_u64() as u32;
                match kind {
                    0 => random,
                    1 => random >> 12,
                    2 => random | 0xffff_0000,
                    3 => 0x7777_0000 | random >> 20,
                    _ => random % 50 * 85_000_000,
                }
            })
            .map(|entry| entry.min(EMPTY - 1))
            .collect()
    }

    #[test]
    fn a_table_is_a_set() {
        for kind in 0..5 {
            let (mut table, mut set) = (EntryTable::default(), BTreeSet::new());
            for entry in entries(kind, 5000) {
                assert_eq!(table.insert(entry), set.insert(entry), "{kind} {entry}");
                assert_eq!(table.len(), set.len());
            }
            assert!(table.sorted().iter().eq(&set), "{kind}");
            assert!(set.iter().all(|&entry| !table.insert(entry)), "{kind}");
        }
    }

    /// However a table came about, entries are found, and take the same memory.
    #[test]
    fn the_entries_alone_count() {
        for kind in 0..5 {
            for count in [0, 1, 2, 3, 50, 56, 57, 66, 67, 68, 96, 97, 700, 4096] {
                let mut inserted = EntryTable::default();
                for entry in entries(kind, count) {
                    inserted.insert(entry);
                }
                let sorted = inserted.sorted();
                let mut made = EntryTable::of_distinct(sorted.iter().copied(), sorted.len());
                assert_eq!(inserted, made, "{kind} {count}");
                assert_eq!(inserted.memory_bytes(), made.memory_bytes(), "{kind} {count}");
                assert_eq!(inserted.memory_bytes(), bytes_for(sorted.len()), "{kind} {count}");
                assert!(sorted.iter().all(|&entry| !made.insert(entry)), "{kind} {count}");
                if let Some(other) = sorted.last().filter(|&&last| last < EMPTY - 1) {
                    let changed = sorted[1..].iter().copied().chain([other + 1]);
                    assert!(EntryTable::of_distinct(changed, sorted.len()) != made, "{kind} {count}");
                }
            }
        }
    }
}
