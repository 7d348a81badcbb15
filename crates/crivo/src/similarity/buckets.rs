//! Which documents share a key in a band: the tables under the indexes.
//!
//! A band is an ordered table with gaps: entries of a key and the latest document that has it lie in the order of
//! their keys, each at the place that its key points to or in the unbroken run behind it. A search ends at the first
//! larger key, a growing table moves on in one sweep, and the set of keys alone decides what lies where.
//!
//! The documents that share a key hang together: each names the one before it with the same key in the same band.
//! ```text
//! band 0:  [ · | k3 7 | k5 2 | · | k8 9 | · ]        9 → 4 → 1: three documents with key k8
//! ```
//! Along such a chain the numbers fall. So all pairs that share a key in some band are found from the links alone.

use crate::memory::prefetch;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The end of a chain, and no document's number.
const NONE: u32 = u32::MAX;
/// A gap: its key is the largest, its document none.
const GAP: u64 = u64::MAX;

/// For each of some bands, the documents by their keys. Documents are numbered from 0 without gaps.
#[derive(Clone)]
pub(crate) struct Buckets {
    bands: usize,
    /// One for each band, once there are documents.
    tables: Vec<Table>,
    /// For each document and band, the next lower document with the same key.
    links: Vec<u32>,
}

impl Buckets {
    /// The most documents.
    pub(crate) const MAX_LEN: usize = NONE as usize;

    pub(crate) fn new(bands: usize) -> Self {
        Self { bands, tables: Vec::new(), links: Vec::new() }
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.links.len() / self.bands
    }

    /// Makes room for so many more documents.
    pub(crate) fn reserve(&mut self, documents: usize) {
        make_room(&mut self.links, documents.saturating_mul(self.bands));
    }

    /// Asks for the lines that these keys will need.
    #[inline]
    pub(crate) fn prefetch(&self, keys: &[u32]) {
        for (table, &key) in self.tables.iter().zip(keys) {
            prefetch(&table.entries, table.home(key));
        }
    }

    /// Adds a document by its keys, one for each band. Its number is the [`len`](Self::len) before, which the caller
    /// keeps below [`MAX_LEN`](Self::MAX_LEN).
    pub(crate) fn push(&mut self, keys: &[u32]) {
        debug_assert!(keys.len() == self.bands && self.len() < Self::MAX_LEN);
        let document = self.len() as u32;
        if self.tables.is_empty() {
            self.tables = vec![Table::default(); self.bands];
        }
        make_room(&mut self.links, keys.len());
        for (table, &key) in self.tables.iter_mut().zip(keys) {
            self.links.push(table.insert(key, document));
        }
    }

    /// The documents with this key in this band, the latest first.
    #[inline]
    pub(crate) fn members(&self, band: usize, key: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(band, self.first(band, key))
    }

    /// The documents before `document` that share its key in this band, the latest first.
    #[inline]
    pub(crate) fn earlier(&self, band: usize, document: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(band, self.links[self.link(band, document)])
    }

    /// Takes a document away. The last one gets its number, as in `Vec::swap_remove`. It is as slow as the chains of
    /// both are long.
    pub(crate) fn swap_remove(&mut self, document: u32, keys: &[u32], last_keys: &[u32]) {
        let last = self.len() as u32 - 1;
        self.prefetch(keys);
        self.prefetch(last_keys);
        for (band, (&key, &last_key)) in keys.iter().zip(last_keys).enumerate() {
            self.unlink(band, key, document);
            if document != last {
                self.unlink(band, last_key, last);
                self.relink(band, last_key, document);
            }
        }
        self.links.truncate(last as usize * self.bands);
    }

    /// The memory it holds beside itself.
    pub(crate) fn memory_bytes(&self) -> usize {
        let entries: usize = self.tables.iter().map(|table| table.entries.len()).sum();
        self.tables.capacity() * size_of::<Table>()
            + entries * size_of::<u64>()
            + self.links.capacity() * size_of::<u32>()
    }

    /// The latest document with a key, [`NONE`] if there is none.
    #[inline]
    fn first(&self, band: usize, key: u32) -> u32 {
        self.tables.get(band).map_or(NONE, |table| table.get(key))
    }

    #[inline]
    fn chain(&self, band: usize, first: u32) -> impl Iterator<Item = u32> + '_ {
        let document = |number: u32| (number != NONE).then_some(number);
        core::iter::successors(document(first), move |&number| document(self.links[self.link(band, number)]))
    }

    #[inline]
    fn link(&self, band: usize, document: u32) -> usize {
        document as usize * self.bands + band
    }

    /// Takes a document out of its chain.
    fn unlink(&mut self, band: usize, key: u32, document: u32) {
        let next = self.links[self.link(band, document)];
        match self.members(band, key).take_while(|&member| member > document).last() {
            Some(before) => {
                let place = self.link(band, before);
                self.links[place] = next;
            }
            None if next == NONE => self.tables[band].remove(key),
            None => {
                self.tables[band].insert(key, next);
            }
        }
    }

    /// Puts a document into the chain of its key, where its number belongs.
    fn relink(&mut self, band: usize, key: u32, document: u32) {
        let place = self.link(band, document);
        match self.members(band, key).take_while(|&member| member > document).last() {
            Some(before) => {
                let before = self.link(band, before);
                self.links[place] = self.links[before];
                self.links[before] = document;
            }
            None => self.links[place] = self.tables[band].insert(key, document),
        }
    }
}

/// Keys in order, with gaps; see the top of the file.
#[derive(Clone, Default)]
struct Table {
    /// A key in the upper half, its document in the lower; the last is a gap.
    entries: Box<[u64]>,
    /// The places that keys point to. Entries pushed beyond the last of them follow.
    places: u32,
    used: u32,
}

impl Table {
    #[inline]
    fn home(&self, key: u32) -> usize {
        ((u64::from(key) * u64::from(self.places)) >> 32) as usize
    }

    /// Where the key is, or belongs.
    #[inline]
    fn place(&self, key: u32) -> usize {
        let home = self.home(key);
        let smaller = self.entries[home..].iter().take_while(|&&entry| entry < u64::from(key) << 32).count();
        home + smaller
    }

    /// The document of a key, [`NONE`] if there is none.
    #[inline]
    fn get(&self, key: u32) -> u32 {
        match self.entries.get(self.place(key)) {
            // A gap is none by itself.
            Some(&entry) if entry >> 32 == u64::from(key) => entry as u32,
            _ => NONE,
        }
    }

    /// Gives a key its document; tells which it had before.
    #[inline]
    fn insert(&mut self, key: u32, document: u32) -> u32 {
        let new = u64::from(key) << 32 | u64::from(document);
        let mut place = self.place(key);
        if let Some(entry) = self.entries.get_mut(place)
            && *entry >> 32 == u64::from(key)
            && *entry != GAP
        {
            return core::mem::replace(entry, new) as u32;
        }
        // At most four fifths in use: beyond, the runs grow long.
        if u64::from(self.used) * 5 >= u64::from(self.places) * 4 {
            self.grow();
            place = self.place(key);
        }
        self.used += 1;
        // Each entry of the run moves on by one.
        let mut moving = new;
        while moving != GAP {
            core::mem::swap(&mut moving, &mut self.entries[place]);
            place += 1;
        }
        if place == self.entries.len() {
            self.extend_to(place + 1 + place / 8);
        }
        NONE
    }

    fn remove(&mut self, key: u32) {
        let place = self.place(key);
        let follows =
            |(after, &entry): (usize, &u64)| entry != GAP && self.home((entry >> 32) as u32) <= place + after;
        let run = self.entries[place + 1..].iter().enumerate().take_while(|&next| follows(next)).count();
        self.entries.copy_within(place + 1..=place + run, place);
        self.entries[place + run] = GAP;
        self.used -= 1;
    }

    /// A quarter more places: amortised, an entry moves four times, in order.
    #[cold]
    fn grow(&mut self) {
        let places = self.places.saturating_add((self.places / 4).max(1));
        let length = places as usize + (places as usize / 2 + 1).min(32);
        let entries = core::mem::replace(&mut self.entries, vec![GAP; length].into_boxed_slice());
        self.places = places;
        let mut free = 0;
        for entry in entries.into_iter().filter(|&entry| entry != GAP) {
            let place = self.home((entry >> 32) as u32).max(free);
            free = place + 1;
            if free == self.entries.len() {
                self.extend_to(free + 1 + free / 8);
            }
            self.entries[place] = entry;
        }
    }

    /// Adds gaps at the end, which large keys that crowd there need.
    #[cold]
    fn extend_to(&mut self, length: usize) {
        let mut entries = core::mem::take(&mut self.entries).into_vec();
        entries.reserve_exact(length - entries.len());
        entries.resize(length, GAP);
        self.entries = entries.into_boxed_slice();
    }
}

/// Room for so many more, and for an eighth of what is there when it has to move: large lists of documents should not
/// hold twice what they need.
pub(crate) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const BANDS: usize = 3;

    /// The same, one comparison at a time.
    fn members(documents: &[[u32; BANDS]], band: usize, key: u32) -> Vec<u32> {
        (0..documents.len() as u32).rev().filter(|&number| documents[number as usize][band] == key).collect()
    }

    fn check(buckets: &Buckets, documents: &[[u32; BANDS]]) {
        assert_eq!(buckets.len(), documents.len());
        for (number, keys) in documents.iter().enumerate() {
            for (band, &key) in keys.iter().enumerate() {
                let all = members(documents, band, key);
                assert!(buckets.members(band, key).eq(all.iter().copied()), "{band} {key:#x}");
                let earlier = all.into_iter().filter(|&other| (other as usize) < number);
                assert!(buckets.earlier(band, number as u32).eq(earlier), "{band} {key:#x}");
            }
        }
        for table in &buckets.tables {
            assert_eq!(table.entries.last(), Some(&GAP));
            let entries: Vec<(usize, u64)> =
                table.entries.iter().copied().enumerate().filter(|&(_, entry)| entry != GAP).collect();
            assert_eq!(entries.len(), table.used as usize);
            assert!(entries.windows(2).all(|pair| pair[0].1 >> 32 < pair[1].1 >> 32), "in order");
            for (place, entry) in entries {
                let home = table.home((entry >> 32) as u32);
                assert!(home <= place && table.entries[home..place].iter().all(|&other| other != GAP));
            }
        }
    }

    /// Keys from everywhere, of a few values, and at both ends of the range.
    fn random_keys(rng: &mut Rng) -> [u32; BANDS] {
        let random = rng.next_u64() as u32;
        [random, random % 7, if random.is_multiple_of(2) { u32::MAX - random % 50 } else { random % 20 }]
    }

    #[test]
    fn documents_are_found_by_their_keys_after_any_operations() {
        let mut rng = Rng::new(5);
        let (mut buckets, mut documents) = (Buckets::new(BANDS), Vec::new());
        for step in 0..600 {
            if step % 3 == 2 || step > 450 && !documents.is_empty() {
                let gone = rng.next_u64() as usize % documents.len();
                let (keys, last): ([u32; BANDS], [u32; BANDS]) =
                    (documents[gone], documents[documents.len() - 1]);
                buckets.swap_remove(gone as u32, &keys, &last);
                documents.swap_remove(gone);
            } else {
                let keys = random_keys(&mut rng);
                buckets.prefetch(&keys);
                buckets.push(&keys);
                documents.push(keys);
            }
            if step % 20 == 0 {
                check(&buckets, &documents);
            }
        }
        check(&buckets, &documents);
        let absent =
            (0..100).map(|_| rng.next_u64() as u32).filter(|&key| members(&documents, 0, key).is_empty());
        assert!(absent.into_iter().all(|key| buckets.members(0, key).next().is_none()));
        check(&Buckets::new(BANDS), &[]);
    }

    #[test]
    fn the_largest_key_is_a_key_like_any() {
        let mut buckets = Buckets::new(1);
        assert_eq!(buckets.members(0, u32::MAX).next(), None);
        buckets.push(&[u32::MAX]);
        buckets.push(&[u32::MAX]);
        assert!(buckets.members(0, u32::MAX).eq([1, 0]));
        buckets.swap_remove(1, &[u32::MAX], &[u32::MAX]);
        buckets.swap_remove(0, &[u32::MAX], &[u32::MAX]);
        assert_eq!((buckets.members(0, u32::MAX).next(), buckets.len()), (None, 0));
    }

    #[test]
    fn keys_that_crowd_take_no_more_room() {
        let (mut spread, mut crowded) = (Buckets::new(1), Buckets::new(1));
        for i in 0..5000u32 {
            spread.push(&[i.wrapping_mul(0x9e37_79b9)]);
            crowded.push(&[u32::MAX - i]);
        }
        assert!(crowded.memory_bytes() < 3 * spread.memory_bytes());
        assert!(crowded.members(0, u32::MAX - 4321).eq([4321]));
    }
}
