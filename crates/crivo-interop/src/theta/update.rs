//! A theta sketch that takes in items.

use super::{ALL, Theta};
use crate::murmur::{murmur3_128, seed_hash};
use crate::{DEFAULT_SEED, Datum};
use crivo::Result;
use crivo::foreign::{incompatible, invalid};

/// The smallest table, as a power of two.
const LEAST_LG: u8 = 5;
/// The range of lg k.
const LG_K: core::ops::RangeInclusive<u8> = 5..=26;

/// A theta sketch under construction: of the hashes that it sees it keeps at least the k smallest, and at most 15/8 as many.
///
/// The sketch that [`sketch`](Self::sketch) returns equals, byte for byte, the one that `DataSketches`' own update sketch makes of
/// the same items: whenever 15/8·k hashes are kept, the k smallest stay and θ becomes the next one.
///
/// ```
/// use crivo_interop::UpdateTheta;
/// let mut visitors = UpdateTheta::for_lg_k(12)?;
/// ["ada", "grace", "ada"].iter().for_each(|name| visitors.insert(name));
/// assert_eq!(visitors.sketch().estimate().rounded(), 2);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UpdateTheta {
    seed: u64,
    lg_k: u8,
    theta: u64,
    is_empty: bool,
    /// A hash table with linear probing; 0 is a free slot, and no hash.
    table: Vec<u64>,
    count: usize,
}

impl UpdateTheta {
    /// Creates an empty sketch that keeps at least k = 2^`lg_k` hashes; 12 gives ±3.1 %.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `lg_k` is 5 to 26.
    pub fn for_lg_k(lg_k: u8) -> Result<Self> {
        Self::with_seed(lg_k, DEFAULT_SEED)
    }

    /// Creates an empty sketch with another seed than 9001, which everyone uses.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `lg_k` is 5 to 26.
    pub fn with_seed(lg_k: u8, seed: u64) -> Result<Self> {
        if !LG_K.contains(&lg_k) {
            return Err(invalid(format!("lg k must be 5 to 26, got {lg_k}; 12 is usual")));
        }
        let table = vec![0; 1 << LEAST_LG];
        Ok(Self { seed, lg_k, theta: ALL, is_empty: true, table, count: 0 })
    }

    /// Goes on where a compact sketch has ended, with items that are hashed with this seed. A sketch that goes on with its own k takes
    /// further items as if it had never been compact.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `lg_k` is 5 to 26, and `Incompatible` for another seed than that of the sketch.
    pub fn from_sketch(sketch: &Theta, lg_k: u8, seed: u64) -> Result<Self> {
        let mut made = Self::with_seed(lg_k, seed)?;
        if !sketch.is_empty && sketch.seed_hash != seed_hash(seed) {
            let [theirs, ours] = [sketch.seed_hash, seed_hash(seed)].map(|hash| format!("{hash:#06x}"));
            return Err(incompatible(
                "hash of the seed",
                theirs,
                ours,
                "give the seed that the sketch was made with",
            ));
        }
        made.theta = sketch.theta;
        made.is_empty = sketch.is_empty;
        sketch.hashes.iter().for_each(|&hash| made.insert_hash(hash));
        Ok(made)
    }

    /// Returns lg k, of which it keeps at least as many hashes.
    pub fn lg_k(&self) -> u8 {
        self.lg_k
    }

    /// Returns the seed of the hashes.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Inserts an item; an empty text is none.
    #[inline]
    pub fn insert(&mut self, item: &(impl Datum + ?Sized)) {
        let seed = self.seed;
        let hash = item.with_bytes(|bytes| (!bytes.is_empty()).then(|| murmur3_128(bytes, seed)[0] >> 1));
        if let Some(hash) = hash {
            self.is_empty = false;
            self.insert_hash(hash);
        }
    }

    #[inline]
    fn insert_hash(&mut self, hash: u64) {
        if hash >= self.theta || hash == 0 || !put(&mut self.table, hash) {
            return;
        }
        self.count += 1;
        let (slots, most) = (self.table.len(), 2usize << self.lg_k);
        if slots < most && self.count > slots / 2 {
            self.refill(slots * 2, u64::MAX);
        } else if slots == most && self.count > most / 16 * 15 {
            self.shed();
        }
    }

    /// Keeps the k smallest hashes.
    #[cold]
    fn shed(&mut self) {
        let mut hashes: Vec<u64> = self.kept().collect();
        let (_, &mut theta, _) = hashes.select_nth_unstable(1 << self.lg_k);
        self.theta = theta;
        self.refill(self.table.len(), theta);
    }

    /// Moves the hashes below `limit` into a table of this size.
    #[cold]
    fn refill(&mut self, slots: usize, limit: u64) {
        let old = std::mem::replace(&mut self.table, vec![0; slots]);
        self.count = 0;
        for hash in old.into_iter().filter(|&hash| hash != 0 && hash < limit) {
            self.count += usize::from(put(&mut self.table, hash));
        }
    }

    fn kept(&self) -> impl Iterator<Item = u64> + '_ {
        self.table.iter().copied().filter(|&hash| hash != 0)
    }

    /// Returns the compact sketch of all items so far.
    pub fn sketch(&self) -> Theta {
        Theta::new(seed_hash(self.seed), self.theta, self.is_empty, self.kept().collect())
    }
}

/// Puts a hash into a table that has a free slot; returns whether it was new.
#[inline]
fn put(table: &mut [u64], hash: u64) -> bool {
    let mask = table.len() - 1;
    let mut slot = hash as usize & mask;
    while table[slot] != 0 {
        if table[slot] == hash {
            return false;
        }
        slot = (slot + 1) & mask;
    }
    table[slot] = hash;
    true
}
