//! Tables from the keys of bands to documents, on which the indexes are built.
//!
//! A band is an ordered hash table with gaps: entries of a key and the latest document that has it lie in the order of
//! their keys, each at the place that its key points to or in the unbroken run behind it. A search ends at the first
//! larger key, and a growing table is copied in one sweep. An attacker can choose keys that cluster: an entry that
//! would lie far behind its place goes into a separate list ([`Crowd`]), where a search takes logarithmic time.
//!
//! The documents that share a key form a chain: each links to the one before it with the same key in the same band.
//! ```text
//! band 0:  [ · | k3 7 | k5 2 | · | k8 9 | · ]        9 → 4 → 1: three documents with key k8
//! ```
//! The numbers decrease along a chain. So the links alone give all pairs that share a key in some band.

use crate::memory::prefetch;
use crate::places::Crowd;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The end of a chain; no document has this number.
const NONE: u32 = u32::MAX;
/// A gap: the largest key, without a document.
const GAP: u64 = u64::MAX;
/// The largest distance of an entry behind its place. In a table that is four fifths full one entry of 10¹² would lie
/// farther.
const REACH: usize = 64;
/// The largest number of entries that an insertion moves. Only one insertion of 10¹⁰ would move more.
const MOST_MOVED: usize = 1024;

/// The documents of each band by their keys. Documents are numbered from 0 without gaps.
#[derive(Clone)]
pub(crate) struct Buckets {
    bands: usize,
    /// The number of documents.
    len: usize,
    /// One table per band, as soon as there are documents.
    tables: Vec<Table>,
    /// For each document and band, the next lower document with the same key.
    links: Vec<u32>,
}

impl Buckets {
    /// The largest number of documents.
    pub(crate) const MAX_LEN: usize = NONE as usize;

    pub(crate) fn new(bands: usize) -> Self {
        Self { bands, len: 0, tables: Vec::new(), links: Vec::new() }
    }

    /// Returns the number of documents.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Reserves memory for this many more documents.
    pub(crate) fn reserve(&mut self, documents: usize) {
        make_room(&mut self.links, documents.saturating_mul(self.bands));
    }

    /// Prefetches the cache lines of these keys.
    #[inline]
    pub(crate) fn prefetch(&self, keys: &[u32]) {
        for (table, &key) in self.tables.iter().zip(keys) {
            prefetch(&table.entries, table.home(key));
        }
    }

    /// Adds a document by its keys, one per band. Its number is the previous [`len`](Self::len), which the caller keeps
    /// below [`MAX_LEN`](Self::MAX_LEN).
    pub(crate) fn push(&mut self, keys: &[u32]) {
        assert!(keys.len() == self.bands && self.len() < Self::MAX_LEN);
        let document = self.len as u32;
        self.len += 1;
        if self.tables.is_empty() {
            self.tables = vec![Table::default(); self.bands];
        }
        make_room(&mut self.links, keys.len());
        for (table, &key) in self.tables.iter_mut().zip(keys) {
            self.links.push(table.insert(key, document));
        }
    }

    /// Returns the documents with this key in this band, the latest first.
    #[inline]
    pub(crate) fn members(&self, band: usize, key: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(band, self.first(band, key))
    }

    /// Returns the documents before `document` that share its key in this band, the latest first.
    #[inline]
    pub(crate) fn earlier(&self, band: usize, document: u32) -> impl Iterator<Item = u32> + '_ {
        self.chain(band, self.links[self.link(band, document)])
    }

    /// Removes a document. The last one gets its number, as in `Vec::swap_remove`. The time is proportional to the
    /// lengths of the chains of both.
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
        self.len -= 1;
        self.links.truncate(self.len * self.bands);
    }

    /// Returns the heap memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(Table::memory_bytes).sum();
        self.tables.capacity() * size_of::<Table>() + tables + self.links.capacity() * size_of::<u32>()
    }

    /// Returns the latest document with a key, or [`NONE`].
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

    /// Removes a document from its chain.
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

    /// Inserts a document into the chain of its key, in the order of the numbers.
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

/// Keys in order, with gaps; see the module documentation.
#[derive(Clone, Default)]
struct Table {
    /// A key in the upper half, its document in the lower. A few spare entries follow the places that keys point to.
    entries: Box<[u64]>,
    /// Entries that would lie too far behind the place of their key.
    crowd: Crowd<u64>,
    /// The number of places that keys point to.
    places: u32,
    /// The number of keys.
    used: u32,
}

fn key_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

impl Table {
    #[inline]
    fn home(&self, key: u32) -> usize {
        ((u64::from(key) * u64::from(self.places)) >> 32) as usize
    }

    /// Returns where the key is among the entries, or where it belongs.
    #[inline]
    fn place(&self, key: u32) -> usize {
        let home = self.home(key);
        let reach = self.entries[home..].iter().take(REACH);
        home + reach.take_while(|&&entry| entry < u64::from(key) << 32).count()
    }

    /// Returns the document of a key, or [`NONE`].
    #[inline]
    fn get(&self, key: u32) -> u32 {
        match self.entries.get(self.place(key)) {
            // The document of a gap is NONE.
            Some(&entry) if key_of(entry) == key && entry != GAP => entry as u32,
            _ if self.crowd.is_empty() => NONE,
            _ => self.crowd.get(|entry| key_of(entry).cmp(&key)).map_or(NONE, |entry| entry as u32),
        }
    }

    /// Sets the document of a key, and returns its previous one.
    #[inline]
    fn insert(&mut self, key: u32, document: u32) -> u32 {
        let new = u64::from(key) << 32 | u64::from(document);
        let mut place = self.place(key);
        let entry = match self.entries.get_mut(place) {
            Some(entry) if key_of(*entry) == key && *entry != GAP => Some(entry),
            _ if self.crowd.is_empty() => None,
            _ => self.crowd.get_mut(|entry| key_of(entry).cmp(&key)),
        };
        if let Some(entry) = entry {
            return core::mem::replace(entry, new) as u32;
        }
        // At most four fifths of the places are used; beyond that the runs grow long.
        if u64::from(self.used) * 5 >= u64::from(self.places) * 4 {
            self.grow();
            place = self.place(key);
        }
        self.used += 1;
        // Each entry of the run moves on by one, as far as the limit allows.
        let mut moving = new;
        for to in place..place + MOST_MOVED {
            let is_near = to < self.home(key_of(moving)) + REACH;
            let Some(entry) = self.entries.get_mut(to).filter(|_| is_near) else { break };
            core::mem::swap(&mut moving, entry);
            if moving == GAP {
                return NONE;
            }
        }
        self.crowd.insert(moving, |entry| entry.cmp(&moving));
        NONE
    }

    fn remove(&mut self, key: u32) {
        self.used -= 1;
        let place = self.place(key);
        if self.entries.get(place).is_none_or(|&entry| key_of(entry) != key || entry == GAP) {
            return self.crowd.remove(|entry| key_of(entry).cmp(&key));
        }
        let follows =
            |(after, &entry): (usize, &u64)| entry != GAP && self.home(key_of(entry)) <= place + after;
        let run = self.entries[place + 1..].iter().enumerate().take_while(|&next| follows(next)).count();
        self.entries.copy_within(place + 1..=place + run, place);
        self.entries[place + run] = GAP;
    }

    /// Adds a quarter more places. Amortised, an entry moves four times, in order.
    #[cold]
    fn grow(&mut self) {
        self.places = self.places.saturating_add((self.places / 4).max(1));
        let length = self.places as usize + (self.places as usize / 2 + 1).min(32);
        let entries = core::mem::replace(&mut self.entries, vec![GAP; length].into_boxed_slice());
        let crowd = core::mem::take(&mut self.crowd);
        let (mut entries, mut crowd) =
            (entries.into_iter().filter(|&entry| entry != GAP).peekable(), crowd.iter().peekable());
        let mut free = 0;
        while let Some(entry) =
            entries.next_if(|entry| crowd.peek().is_none_or(|other| entry < other)).or_else(|| crowd.next())
        {
            let home = self.home(key_of(entry));
            let place = home.max(free);
            if place < home + REACH && place < length {
                self.entries[place] = entry;
                free = place + 1;
            } else {
                self.crowd.insert(entry, |other| other.cmp(&entry));
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        size_of_val(&*self.entries) + self.crowd.memory_bytes()
    }
}

/// Reserves room for this many more elements, and for an eighth of the present ones if the list has to move: large
/// lists of documents should not take twice the memory that they need.
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

    /// The members, found by comparing one document after another.
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
            let entries: Vec<(usize, u64)> =
                table.entries.iter().copied().enumerate().filter(|&(_, entry)| entry != GAP).collect();
            assert_eq!(entries.len() + table.crowd.iter().count(), table.used as usize);
            assert!(entries.windows(2).all(|pair| pair[0].1 >> 32 < pair[1].1 >> 32), "in order");
            for (place, entry) in entries {
                let home = table.home((entry >> 32) as u32);
                assert!(home <= place && place < home + REACH);
                assert!(table.entries[home..place].iter().all(|&other| other != GAP));
            }
        }
    }

    /// Returns random keys: from the whole range, of a few values, adjacent, and at both ends of the range.
    fn random_keys(rng: &mut Rng) -> [u32; BANDS] {
        let random = rng.next_u64() as u32;
        let crowded = if random.is_multiple_of(3) { random % 7 } else { random % 300 };
        [random, crowded, if random.is_multiple_of(2) { u32::MAX - random % 50 } else { random % 20 }]
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

    /// Even if keys cluster, none lies far behind its place, so that neither a search nor an insertion goes far.
    #[test]
    fn keys_that_crowd_are_found_near_their_places_or_in_the_crowd() {
        let n = 3000u32;
        let arrivals: [fn(u32) -> u32; 4] = [
            |i| i,
            |i| u32::MAX - i,
            |i| i.wrapping_mul(0x9e37_79b9) >> 12,
            |i| if i % 2 == 0 { i << 18 } else { i },
        ];
        for key in arrivals {
            let mut buckets = Buckets::new(1);
            (0..n).for_each(|i| buckets.push(&[key(i)]));
            let table = &buckets.tables[0];
            assert!(!table.crowd.is_empty());
            for (place, &entry) in table.entries.iter().enumerate().filter(|&(_, &entry)| entry != GAP) {
                assert!((table.home(key_of(entry))..table.home(key_of(entry)) + REACH).contains(&place));
            }
            assert!((0..n).all(|i| buckets.members(0, key(i)).eq([i])));
        }
        let mut spread = Buckets::new(1);
        (0..100_000u64).for_each(|i| spread.push(&[(crate::hash::mix(i) >> 32) as u32]));
        assert!(spread.tables[0].crowd.is_empty(), "random keys do not cluster");
    }
}
