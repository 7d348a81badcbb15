//! The cuckoo hash table: see [`CuckooTable`].

use crate::hash::TWO_TO_64;
use crate::hash::{Item, reduce};
use crate::kind::Kind;
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches, prefetch};
use crate::places::Crowd;
use crate::rng::Rng;
use crate::sketch::{Cardinality, Core, Empty, Fact, OfSize, Payload, Remove, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use libm::floor;

/// The number of hashes in a bucket: half a cache line.
const BUCKET: usize = 4;
/// The smallest table: two buckets.
const LEAST_SLOTS: usize = 2 * BUCKET;

/// A cuckoo hash table of the items' whole 64-bit hashes: practically exact, for comparison with filters and
/// counters.
///
/// # Use when / not when
/// Use it if a false positive or a wrong count must not happen and 9 to 18 bytes per item are acceptable: as
/// a baseline for a filter or a counter of distinct items, or while a set is small. Not for large sets that
/// tolerate rare errors (a Bloom filter takes an eighth of the memory or less).
///
/// # Guarantee
/// No false negatives. Integers below 2⁶⁴ have distinct hashes under the default hash, so that all answers
/// about them are correct. Any other item that was not inserted is reported if its hash equals that of an
/// item inside, with the probability n/2⁶⁴ that [`fpr`](Self::fpr) returns. [`len`](Self::len) is exact.
///
/// # Space
/// 8 bytes per slot. The number of slots doubles when more than nine in ten are taken: 71 to 142 bits per
/// item. Only [`clear`](Self::clear) frees memory.
///
/// | items | slots | bytes per item |
/// |---|---|---|
/// | 1,000 | 2,048 | 16.4 |
/// | 10,000 | 16,384 | 13.1 |
/// | 1 million | 2,097,152 | 16.8 |
///
/// # Time
/// Two buckets of half a cache line for a query and a removal, and for nearly all insertions; constant on
/// average, including the doublings. [`contains_hashes`](Self::contains_hashes) and
/// [`insert_hashes`](Self::insert_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Exact: the union of two tables equals the table of both streams; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that share both buckets. Items that find no slot go into a
/// sorted list, where a search takes logarithmic time. Items that share a hash count as one: use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::baseline::CuckooTable;
/// let mut seen = CuckooTable::new();
/// assert!(seen.insert(&7u64));
/// assert!(!seen.insert(&7u64)); // it was inside already
/// assert!(!seen.contains(&8u64)); // certain, as are all answers about integers
/// seen.remove(&7u64)?;
/// assert!(seen.is_empty());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// bucket    0     1     2     3     4     5     6     7
/// before    a     b                       c     d     e       x may go to 1 or 7: both are taken
/// after     a     x                 c     b     d     e       b moves to its other bucket 5, c to its other, 4
/// ```
/// Buckets have four slots here; the drawing shows one. A chain of evictions that becomes too long ends in a
/// sorted list next to the table.
///
/// # References
/// Pagh and Rodler, doi:10.1016/j.jalgor.2003.12.002 · buckets: Dietzfelbinger and Weidling,
/// doi:10.1016/j.tcs.2007.02.054.
///
/// # Measured
/// `crivo-lab run c-cuckoo-table`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct CuckooTable {
    spec: HashSpec,
    /// Buckets of hashes, with 0 for an empty slot: no bucket at all, or a power of two of at least two
    /// buckets.
    slots: Vec<u64>,
    /// Hashes whose buckets have no room for them: empty, unless an attacker chose the hashes.
    crowd: Crowd<u64>,
    len: u64,
    /// True if the hash 0, which marks an empty slot in `slots`, is inside.
    holds_zero: bool,
}

impl Default for CuckooTable {
    fn default() -> Self {
        Self::new()
    }
}

impl CuckooTable {
    /// Creates an empty table with the default hash.
    pub fn new() -> Self {
        Self::empty((), HashSpec::default())
    }

    /// Inserts an item; returns true if it is new.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> bool {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts the item with this hash; returns true if it is new.
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        if self.contains_hash(hash) {
            return false;
        }
        self.len += 1;
        if hash == 0 {
            self.holds_zero = true;
            return true;
        }
        if self.slots.len() < slots_for(self.len) {
            self.grow(slots_for(self.len));
        }
        self.put_somewhere(hash);
        true
    }

    /// Puts a new hash into a bucket, or the hash that it displaces into the crowd.
    fn put_somewhere(&mut self, hash: u64) {
        if let Some(homeless) = self.place(hash) {
            self.crowd.insert(homeless, |other| other.cmp(&homeless));
        }
    }

    /// Inserts many items by their hashes, overlapping the cache misses.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.insert_hash(hash);
            }
        }
    }

    /// Puts the hash into one of its buckets. If both are full, it displaces another hash, which moves to its
    /// own other bucket, and so on. Returns the hash that is left over if the chain becomes too long.
    fn place(&mut self, hash: u64) -> Option<u64> {
        let mut hash = hash;
        let [mut bucket, other] = self.buckets(hash);
        if self.put(bucket, hash) || self.put(other, hash) {
            return None;
        }
        // Chains almost always end within a few times the logarithm of the size. If some did not, an attacker
        // chose the hashes, and more of them will follow.
        let longest = if self.crowd.is_empty() { 32 + 8 * self.slots.len().ilog2() as usize } else { 16 };
        for step in 0..longest {
            // The slots of a bucket take turns, so that a chain that returns takes another path.
            core::mem::swap(&mut hash, &mut self.slots[bucket + step % BUCKET]);
            let [one, other] = self.buckets(hash);
            bucket = if bucket == one { other } else { one };
            if self.put(bucket, hash) {
                return None;
            }
        }
        Some(hash)
    }

    /// Puts the hash into a bucket if there is room.
    fn put(&mut self, bucket: usize, hash: u64) -> bool {
        let bucket = &mut self.slots[bucket..bucket + BUCKET];
        match bucket.iter_mut().find(|slot| **slot == 0) {
            Some(empty) => *empty = hash,
            None => return false,
        }
        true
    }

    /// Moves all hashes to a table of `slots` slots.
    fn grow(&mut self, slots: usize) {
        let old = core::mem::replace(&mut self.slots, vec![0; slots]);
        let crowd = core::mem::take(&mut self.crowd);
        for hash in old.into_iter().filter(|&hash| hash != 0).chain(crowd.iter()) {
            self.put_somewhere(hash);
        }
    }

    /// Returns the first slots of the two buckets of a hash, which are distinct.
    #[inline]
    fn buckets(&self, hash: u64) -> [usize; 2] {
        let mut random = Rng::new(hash);
        let buckets = (self.slots.len() / BUCKET) as u64;
        let one = reduce(random.next_u64(), buckets);
        let other = reduce(random.next_u64(), buckets - 1);
        [one, if other < one { other } else { other + 1 }].map(|bucket| bucket as usize * BUCKET)
    }

    /// Returns whether the item with this hash is inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        if hash == 0 || self.slots.is_empty() {
            return hash == 0 && self.holds_zero;
        }
        let [one, other] = self.buckets(hash);
        self.slots[one..one + BUCKET].contains(&hash)
            || self.slots[other..other + BUCKET].contains(&hash)
            || !self.crowd.is_empty() && self.crowd.get(|other| other.cmp(&hash)).is_some()
    }

    /// Returns whether each of many items is inside, overlapping the cache misses.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.slots.len() * 8 < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            for bucket in self.buckets(hash) {
                prefetch(&self.slots, bucket);
            }
        }
    }

    /// Removes an item.
    ///
    /// # Errors
    /// `InvalidArgument` when it is not inside.
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.remove_hash(self.spec.hash(item))
    }

    /// Removes the item with this hash.
    ///
    /// # Errors
    /// `InvalidArgument` when it is not inside.
    pub fn remove_hash(&mut self, hash: u64) -> Result<()> {
        if !self.contains_hash(hash) {
            return Err(Error::invalid(
                "only an item that is inside can be removed, and this one is not; call `contains` first",
            ));
        }
        self.len -= 1;
        if hash == 0 {
            self.holds_zero = false;
            return Ok(());
        }
        for bucket in self.buckets(hash) {
            for slot in &mut self.slots[bucket..bucket + BUCKET] {
                if *slot == hash {
                    *slot = 0;
                    return Ok(());
                }
            }
        }
        self.crowd.remove(|other| other.cmp(&hash));
        Ok(())
    }

    /// Returns an iterator over the hashes of the items inside, in no particular order.
    ///
    /// ```
    /// # use crivo::baseline::CuckooTable;
    /// let table: CuckooTable = ["one", "two"].into_iter().collect();
    /// let mut hashes = ["one", "two"].map(|item| table.hash_spec().hash(item)).to_vec();
    /// hashes.retain(|&hash| !table.iter().any(|inside| inside == hash));
    /// assert!(hashes.is_empty());
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let in_slots = self.slots.iter().copied().filter(|&hash| hash != 0);
        self.holds_zero.then_some(0).into_iter().chain(in_slots).chain(self.crowd.iter())
    }

    /// Returns the probability that an item that is not inside, and is not an integer below 2⁶⁴, is reported:
    /// n/2⁶⁴, the probability that its hash equals that of another item.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.len as f64 / TWO_TO_64)
    }

    /// Returns the estimated number of distinct items, at 95 % confidence: [`len`](Self::len), and more only
    /// if items share a hash.
    ///
    /// Of n items, n²/2⁶⁵ share the hash of another on average; by Markov's inequality, with 95 % confidence
    /// fewer than 20 times that do. That is none up to a billion items. Integers below 2⁶⁴ never share a
    /// hash.
    ///
    /// ```
    /// # use crivo::baseline::CuckooTable;
    /// let table: CuckooTable = ["one", "two", "one"].into_iter().collect();
    /// assert_eq!((table.cardinality().value(), table.cardinality().upper()), (2.0, 2.0));
    /// ```
    pub fn cardinality(&self) -> Estimate {
        if self.is_empty() {
            return Estimate::exact(0.0);
        }
        let len = self.len as f64;
        let shared = len * len / (2.0 * TWO_TO_64);
        let most_shared = floor(shared / (1.0 - DEFAULT_CONFIDENCE));
        let guarantee = Guarantee::Proven { confidence: DEFAULT_CONFIDENCE };
        Estimate::new(len, len, len + most_shared, guarantee).with_hashes(len, TWO_TO_64)
    }

    /// Returns the number of distinct items inside.
    pub fn len(&self) -> u64 {
        self.len
    }
}

/// Returns the number of slots for `len` items, so that at most nine in ten are taken.
fn slots_for(len: u64) -> usize {
    let least = (u128::from(len) * 10).div_ceil(9) as usize;
    if len == 0 { 0 } else { least.next_power_of_two().max(LEAST_SLOTS) }
}

shell!(CuckooTable: hashes, starts, merges, set, filter);

impl PartialEq for CuckooTable {
    /// Compares the items and the hash, regardless of the slots in which the items lie.
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec && self.len == other.len && self.iter().all(|hash| other.contains_hash(hash))
    }
}

impl OfSize for CuckooTable {
    type Params = ();

    fn params(&self) {}
}

impl Core for CuckooTable {
    const KIND: Kind = Kind::CuckooTable;

    fn heap_bytes(&self) -> usize {
        self.slots.capacity() * 8 + self.crowd.memory_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        let mut hashes: Vec<u64> = self.iter().collect();
        hashes.sort_unstable();
        payload.extend(hashes.into_iter().flat_map(u64::to_le_bytes));
    }

    fn read((): (), file: &mut Payload<'_>) -> Result<Self> {
        let len = file.bytes.rest().len() as u64 / 8;
        file.check_memory((size_of::<Self>() + slots_for(len) * 8) as u64)?;
        let mut table = Self::empty((), file.spec);
        let mut before = None;
        while !file.bytes.rest().is_empty() {
            let hash = file.bytes.u64()?;
            if before.is_some_and(|before| before >= hash) {
                return Err(Error::malformed("the hashes of the table are not in ascending order"));
            }
            table.insert_hash(hash);
            before = Some(hash);
        }
        // Hashes in the crowd take a little more memory than planned.
        file.check_memory(table.memory_bytes() as u64)?;
        Ok(table)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("len", self.len),
            Fact::count("slots", self.slots.len() as u64),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        other.iter().for_each(|hash| {
            self.insert_hash(hash);
        });
        Ok(())
    }
}

impl Empty for CuckooTable {
    fn empty((): (), spec: HashSpec) -> Self {
        Self { spec, slots: Vec::new(), crowd: Crowd::default(), len: 0, holds_zero: false }
    }

    fn has_nothing(&self) -> bool {
        self.len == 0
    }
}

impl Remove for CuckooTable {
    fn remove_hash(&mut self, hash: u64) -> Result<()> {
        self.remove_hash(hash)
    }
}

impl Cardinality for CuckooTable {
    fn estimate(&self) -> Estimate {
        self.cardinality()
    }
}

impl<T: Item> FromIterator<T> for CuckooTable {
    /// Creates the table of these items.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut table = Self::new();
        table.extend(items);
        table
    }
}

#[cfg(test)]
mod tests;
