//! Values as they are, for those who can keep them.

use crivo::HashSpec;
use std::collections::{HashMap, HashSet};

/// Values lie one behind the other in pages, and a table tells by the hash of a value where it lies.
#[derive(Default)]
pub(super) struct Exact {
    spec: HashSpec,
    /// By the hash, which others know, under a key of this run: so nobody chooses where in the table a value goes.
    places: HashMap<u64, Place>,
    pages: Vec<Vec<u8>>,
    page_bytes: usize,
    /// Values that have the hash of another one.
    twins: HashSet<Vec<u8>>,
}

/// Where a value lies: its length in four bytes, and then itself.
#[derive(Clone, Copy)]
struct Place {
    page: u32,
    start: u32,
}

/// The length of a value, which is that of a record at most, in front of it.
const LENGTH: usize = size_of::<u32>();

impl Exact {
    pub(super) fn with_spec(spec: HashSpec) -> Self {
        Self { spec, ..Self::default() }
    }

    pub(super) fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }

    /// Whether the value is new; it is kept then.
    pub(super) fn insert(&mut self, hash: u64, value: &[u8]) -> bool {
        let Some(&place) = self.places.get(&hash) else {
            let place = self.keep(value);
            self.places.insert(hash, place);
            return true;
        };
        self.value(place) != value && self.twins.insert(value.to_vec())
    }

    fn keep(&mut self, value: &[u8]) -> Place {
        /// A longer value has a page of its own.
        const PAGE: usize = 1 << 20;
        let needed = LENGTH + value.len();
        if self.pages.last().is_none_or(|page| page.capacity() - page.len() < needed) {
            let page = Vec::with_capacity(needed.max(PAGE));
            self.page_bytes += page.capacity();
            self.pages.push(page);
        }
        let number = self.pages.len() - 1;
        let page = &mut self.pages[number];
        let place = Place { page: number as u32, start: page.len() as u32 };
        page.extend_from_slice(&(value.len() as u32).to_le_bytes());
        page.extend_from_slice(value);
        place
    }

    fn value(&self, place: Place) -> &[u8] {
        let bytes = &self.pages[place.page as usize][place.start as usize..];
        let (length, bytes) =
            bytes.split_first_chunk::<LENGTH>().expect("each value was kept with its length");
        &bytes[..u32::from_le_bytes(*length) as usize]
    }

    /// What it takes, also while the table grows.
    pub(super) fn memory_bytes(&self) -> usize {
        /// A place with its hash and a byte of control, in a table that is half to seven eighths full, beside one of
        /// half its size while it grows.
        const ENTRY: usize = (size_of::<(u64, Place)>() + 1) * 8 / 7 * 3 / 2;
        let twins: usize = self.twins.iter().map(|twin| size_of::<Vec<u8>>() * 2 + twin.len()).sum();
        size_of::<Self>() + self.page_bytes + self.places.capacity() * ENTRY + twins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_not_hashes() {
        let mut exact = Exact::default();
        assert!(exact.insert(7, b"one") && exact.insert(7, b"other") && exact.insert(8, b"one"));
        assert!(!exact.insert(7, b"one") && !exact.insert(7, b"other") && !exact.insert(8, b"one"));
        assert!(exact.insert(9, b"") && !exact.insert(9, b""));
        assert!(exact.insert(7, b""));
    }

    #[test]
    fn long_values_have_pages_of_their_own() {
        let mut exact = Exact::default();
        let values: Vec<Vec<u8>> = (0..60).map(|i| vec![i; 100_000 * (1 + usize::from(i % 20))]).collect();
        for (hash, value) in values.iter().enumerate() {
            assert!(exact.insert(hash as u64, value));
        }
        assert!(values.iter().enumerate().all(|(hash, value)| !exact.insert(hash as u64, value)));
        let bytes: usize = values.iter().map(Vec::len).sum();
        assert!((bytes..2 * bytes).contains(&exact.memory_bytes()));
    }
}
