//! The items themselves, for answers that never err.

use super::memory::of_entry;
use std::collections::HashMap;

/// A set of items, which are compared byte by byte. They lie one behind the other in pages, and a table tells by the hash
/// of an item where it lies. Any hash will do: one that many items share costs no more than a few times the time and memory.
#[derive(Clone, Default)]
pub(super) struct ItemSet {
    places: HashMap<u64, Place>,
    pages: Vec<Vec<u8>>,
    page_bytes: usize,
    /// Items that have the hash of another one.
    twins: HashMap<Box<[u8]>, Place>,
    twin_bytes: usize,
}

/// Where an item lies: its length in four bytes, and then itself. No two items lie at one place, so it stands for the
/// item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    page: u32,
    start: u32,
}

/// The length of an item, which is that of a record at most, in front of it.
const LENGTH: usize = size_of::<u32>();

impl ItemSet {
    /// Whether the item is new; it is kept then.
    pub(super) fn insert(&mut self, hash: u64, item: &[u8]) -> bool {
        let before = self.len();
        self.place(hash, item);
        self.len() > before
    }

    /// Whether the item is inside.
    pub(super) fn contains(&self, hash: u64, item: &[u8]) -> bool {
        self.places.get(&hash).is_some_and(|&first| self.item(first) == item || self.twins.contains_key(item))
    }

    /// The place of the item, which is kept if it is new.
    pub(super) fn place(&mut self, hash: u64, item: &[u8]) -> Place {
        let Some(&first) = self.places.get(&hash) else {
            let place = self.keep(item);
            self.places.insert(hash, place);
            return place;
        };
        if self.item(first) == item {
            return first;
        }
        if let Some(&twin) = self.twins.get(item) {
            return twin;
        }
        let place = self.keep(item);
        self.twin_bytes += item.len();
        self.twins.insert(item.into(), place);
        place
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.places.len() + self.twins.len()
    }

    /// The item that lies at `place`.
    pub(super) fn item(&self, place: Place) -> &[u8] {
        let bytes = &self.pages[place.page as usize][place.start as usize..];
        let (length, bytes) =
            bytes.split_first_chunk::<LENGTH>().expect("each item was kept with its length");
        &bytes[..u32::from_le_bytes(*length) as usize]
    }

    fn keep(&mut self, item: &[u8]) -> Place {
        /// A longer item has a page of its own.
        const PAGE: usize = 1 << 20;
        let needed = LENGTH + item.len();
        if self.pages.last().is_none_or(|page| page.capacity() - page.len() < needed) {
            let page = Vec::with_capacity(needed.max(PAGE));
            self.page_bytes += page.capacity();
            self.pages.push(page);
        }
        let number = self.pages.len() - 1;
        let page = &mut self.pages[number];
        let place = Place { page: number as u32, start: page.len() as u32 };
        page.extend_from_slice(&(item.len() as u32).to_le_bytes());
        page.extend_from_slice(item);
        place
    }

    /// What it takes, also while the tables grow.
    pub(super) fn memory_bytes(&self) -> usize {
        /// What the allocator adds to a piece of memory.
        const ALLOCATED: usize = 16;
        size_of::<Self>()
            + self.page_bytes
            + self.places.capacity() * of_entry(size_of::<(u64, Place)>())
            + self.twins.capacity() * of_entry(size_of::<(Box<[u8]>, Place)>())
            + self.twins.len() * ALLOCATED
            + self.twin_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_count_not_hashes() {
        let mut set = ItemSet::default();
        assert!(set.insert(7, b"one") && set.insert(7, b"other") && set.insert(8, b"one"));
        assert!(!set.insert(7, b"one") && !set.insert(7, b"other") && !set.insert(8, b"one"));
        assert!(set.insert(9, b"") && !set.insert(9, b""));
        assert!(set.insert(7, b""));
        assert_eq!(set.len(), 5);
    }

    #[test]
    fn one_hash_of_all_items_changes_nothing() {
        let items: Vec<Vec<u8>> = (0..20_000u32).map(|i| i.to_string().into_bytes()).collect();
        let mut set = ItemSet::default();
        let places: Vec<Place> = items.iter().map(|item| set.place(7, item)).collect();
        assert_eq!(set.len(), items.len());
        for (item, &place) in items.iter().zip(&places) {
            assert_eq!(set.place(7, item), place);
            assert_eq!(set.item(place), &item[..]);
            assert!(set.contains(7, item) && !set.contains(8, item));
        }
        assert_eq!(set.len(), items.len());
    }

    #[test]
    fn long_items_have_pages_of_their_own() {
        let mut set = ItemSet::default();
        let items: Vec<Vec<u8>> = (0..60).map(|i| vec![i; 100_000 * (1 + usize::from(i % 20))]).collect();
        for (hash, item) in items.iter().enumerate() {
            assert!(set.insert(hash as u64, item));
        }
        assert!(items.iter().enumerate().all(|(hash, item)| !set.insert(hash as u64, item)));
        let bytes: usize = items.iter().map(Vec::len).sum();
        assert!((bytes..2 * bytes).contains(&set.memory_bytes()));
    }
}
