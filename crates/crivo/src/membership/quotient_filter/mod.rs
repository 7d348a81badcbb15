//! The quotient filter: see [`QuotientFilter`].

mod params;
mod table;
mod wire;

pub use params::QuotientParams;

use crate::hash::Item;
use crate::memory::{BATCH, CACHED_BYTES, answer_in_batches};
use crate::sketch::{Empty, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;
use libm::floor;
use table::{BLOCK, Builder, Table, spill};

/// A quotient filter: a sorted table of fingerprints that supports deletion, counts copies, merges and grows.
///
/// # Use when / not when
/// Use it for sets that change: items are removed, are inserted more than once, or are more than planned, and
/// a query should touch few cache lines. Not for sets that only grow (a Bloom filter is never full), if the
/// set never changes (a fuse filter is smaller), or for items with thousands of copies (a Count-Min sketch
/// counts them; here each copy takes a slot, and time grows with their number).
///
/// # Guarantee
/// No false negatives, as long as only inserted items are removed. An item that is not inside is reported
/// with the probability [`fpr`](Self::fpr), known exactly from the fingerprints inside; with `n` items inside
/// it is [`QuotientParams::fpr_at`]`(n)` on average over the hash functions. [`frequency`](Self::frequency)
/// is never below the true value. At 95 % of its slots the filter is full and returns `Full`;
/// [`grow`](Self::grow) makes room.
///
/// # Space
/// A slot has the bits of the remainder and 2.25 more; a filter made for a rate is at most 7/8 full with its
/// planned items:
///
/// | rate | remainder | bits per item | 1 million items |
/// |---|---|---|---|
/// | 10 % | 3 bits | 6.23 | 0.78 MB |
/// | 1 % | 7 bits | 10.57 | 1.32 MB |
/// | 0.1 % | 10 bits | 14.00 | 1.75 MB |
///
/// # Time
/// About three cache lines for an insertion or a query, whatever the rate; an item with an unoccupied
/// quotient is denied after one. The fuller the filter, the more remainders an insertion moves.
/// [`contains_hashes`](Self::contains_hashes) and [`insert_hashes`](Self::insert_hashes) overlap the cache
/// misses of many items.
///
/// # Merge
/// Exact: two filters merge, like sorted lists, to the filter of both streams, byte for byte; commutative and
/// associative, and copies add up. Returns `Full` if they do not fit together. A filter that has grown merges
/// with a filter of the same fingerprints that was made as large or has grown as far.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that crowd around one slot, or that are false positives.
/// An insertion moves at most 32,768 slots; an item that would move more, or copies beyond that number, are
/// refused as `Full`. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::QuotientFilter;
/// let mut sessions = QuotientFilter::for_fpr(10_000, 0.01)?;
/// for user in 0..10_000u32 {
///     sessions.insert(&user)?;
/// }
/// for user in 0..5000u32 {
///     sessions.remove(&user)?;
/// }
/// assert_eq!(sessions.len(), 5000);
/// assert!((5000..10_000u32).all(|user| sessions.contains(&user)));
/// let wrong = (0..5000u32).filter(|user| sessions.contains(user)).count();
/// assert!(wrong < 50, "{wrong} of 5,000 are still reported");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// A fingerprint consists of a quotient and a remainder. The quotient is the preferred slot of the remainder
/// and is not stored. The remainders of one quotient form a sorted run of adjacent slots, and runs are in the
/// order of their quotients. Two bits per slot locate the runs: the n-th occupied quotient owns the n-th
/// runend.
///
/// ```text
/// slot        0   1   2   3   4   5   6   7      inside: 1a 1c 2b 4d 4d
/// occupied    0   1   1   0   1   0   0   0      quotients that have a run
/// remainder   .   a   c   b   d   d   .   .      slot 2, preferred by b, was taken
/// runend      0   0   1   1   0   1   0   0      where the runs of 1, 2 and 4 end
/// ```
///
/// # References
/// Bender et al., doi:10.14778/2350229.2350275 · rank and select, block offsets: Pandey et al.,
/// doi:10.1145/3035918.3035963 · the idea of quotients: Cleary, doi:10.1109/TC.1984.1676499.
///
/// # Measured
/// `crivo-lab run c-quotient-filter`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct QuotientFilter {
    params: QuotientParams,
    spec: HashSpec,
    table: Table,
    len: u64,
    /// The number of distinct fingerprints.
    distinct: u64,
}

impl QuotientFilter {
    /// Inserts an item. Inserting it again adds a copy.
    ///
    /// ```
    /// # use crivo::QuotientFilter;
    /// let mut filter = QuotientFilter::for_fpr(100, 0.01)?;
    /// filter.insert("twice")?;
    /// filter.insert("twice")?;
    /// assert_eq!(filter.len(), 2);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Full` if 95 % of the slots are in use, or 32,768 in a row from the item's own slot; the filter is
    /// unchanged then. [`grow`](Self::grow) makes room.
    #[inline]
    pub fn insert<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.insert_hash(self.spec.hash(item))
    }

    /// Inserts the item with this hash.
    ///
    /// # Errors
    /// The errors of [`insert`](Self::insert).
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> Result<()> {
        if self.len >= self.params.capacity() {
            return Err(self.full(1));
        }
        let (quotient, remainder) = self.params.pair(hash);
        let is_new = self.table.insert(quotient, remainder).ok_or_else(crowded)?;
        self.distinct += u64::from(is_new);
        self.len += 1;
        Ok(())
    }

    /// Inserts many items by their hashes, overlapping the cache misses; stops at the first that does not fit.
    ///
    /// # Errors
    /// The errors of [`insert`](Self::insert); the items before are inside then.
    pub fn insert_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            block.iter().try_for_each(|&hash| self.insert_hash(hash))?;
        }
        Ok(())
    }

    #[cold]
    fn full(&self, more: u64) -> Error {
        Error::full(format!(
            "{more} more than {} items do not fit, since the filter has room for {}; grow it, or plan for more items",
            self.len,
            self.params.capacity()
        ))
    }

    /// Removes an item, or one of its copies.
    ///
    /// Remove only inserted items. Removing a false positive removes a copy of another item, which then
    /// becomes a false negative.
    ///
    /// ```
    /// # use crivo::{ErrorKind, QuotientFilter};
    /// let mut filter = QuotientFilter::for_fpr(100, 0.01)?;
    /// filter.insert("here")?;
    /// filter.remove("here")?;
    /// assert!(!filter.contains("here"));
    /// assert_eq!(filter.remove("here").unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if the item is certainly not inside; the filter is unchanged then.
    pub fn remove<T: Item + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.remove_hash(self.spec.hash(item))
    }

    /// Removes the item with this hash, or one of its copies.
    ///
    /// # Errors
    /// The errors of [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: u64) -> Result<()> {
        let (quotient, remainder) = self.params.pair(hash);
        let was_last = self.table.remove(quotient, remainder).ok_or_else(|| {
            Error::invalid(format!(
                "the item with hash {hash:#x} is not inside; remove only inserted items, as often as they were inserted"
            ))
        })?;
        self.distinct -= u64::from(was_last);
        self.len -= 1;
        Ok(())
    }

    /// Returns whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let (quotient, remainder) = self.params.pair(hash);
        self.table.contains(quotient, remainder)
    }

    /// Returns whether each of many items may be inside, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::QuotientFilter;
    /// let mut filter = QuotientFilter::for_fpr(100, 0.0001)?;
    /// filter.insert_hashes(&[1 << 60, 2 << 60])?;
    /// assert_eq!(filter.contains_hashes(&[2 << 60, 3 << 60]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        answer_in_batches(hashes, |batch| self.prefetch(batch), |hash| self.contains_hash(hash))
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        if self.table.memory_bytes() < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            self.table.prefetch(self.params.pair(hash).0);
        }
    }

    /// Returns the number of copies of an item inside, which is never below the true value.
    ///
    /// It is too high by the copies of other items with the same fingerprint. The lower bound is proven at 95
    /// %; it mostly equals the value.
    ///
    /// ```
    /// # use crivo::QuotientFilter;
    /// let mut filter = QuotientFilter::for_fpr(100, 0.001)?;
    /// for word in ["a", "rose", "is", "a", "rose"] {
    ///     filter.insert(word)?;
    /// }
    /// let rose = filter.frequency("rose");
    /// assert_eq!((rose.lower(), rose.value(), rose.upper()), (2.0, 2.0, 2.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn frequency<T: Item + ?Sized>(&self, item: &T) -> Estimate {
        self.frequency_hash(self.spec.hash(item))
    }

    /// Returns the number of copies of the item with this hash.
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        let (quotient, remainder) = self.params.pair(hash);
        let copies = self.table.copies(quotient, remainder) as f64;
        if copies == 0.0 {
            return Estimate::exact(0.0);
        }
        // A copy of another item has the same fingerprint with probability 1/R. By Markov's inequality, with
        // probability 1 − 1/t there are fewer than t times as many such copies as on average. This is solved
        // for the true value, a whole number.
        let fingerprints = self.params.fingerprints() as f64;
        let t = 1.0 / (1.0 - DEFAULT_CONFIDENCE);
        let lower = if fingerprints > t {
            let excess = t * (self.len as f64 - copies) / (fingerprints - t);
            (floor(copies - excess) + 1.0).max(0.0).min(copies)
        } else {
            0.0
        };
        Estimate::new(copies, lower, copies, Guarantee::Proven { confidence: DEFAULT_CONFIDENCE })
    }

    /// Returns the exact number of copies inside.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the probability that an item that is not inside is reported: the exact share of all
    /// fingerprints that are inside.
    ///
    /// ```
    /// # use crivo::QuotientFilter;
    /// let mut filter = QuotientFilter::for_fpr(1000, 0.01)?;
    /// assert_eq!(filter.fpr().value(), 0.0);
    /// for item in 0..1000u32 {
    ///     filter.insert(&item)?;
    /// }
    /// assert!((0.006..0.01).contains(&filter.fpr().value()));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.distinct as f64 / self.params.fingerprints() as f64)
    }

    /// Returns the share of slots in use, at most 0.95.
    pub fn fill(&self) -> f64 {
        self.len as f64 / (self.params.blocks() * BLOCK) as f64
    }

    /// Makes room for twice as many items. All fingerprints stay as they are, with one bit moved from the
    /// remainder to the quotient: answers do not change, and the false-positive rate continues to grow with
    /// the items.
    ///
    /// ```
    /// # use crivo::QuotientFilter;
    /// let mut filter = QuotientFilter::for_fpr(100, 0.001)?;
    /// for item in 0..1000u32 {
    ///     if filter.insert(&item).is_err() {
    ///         filter.grow()?;
    ///         filter.insert(&item)?;
    ///     }
    /// }
    /// assert!((0..1000u32).all(|item| filter.contains(&item)));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if a remainder has a single bit left or the filter would be too large; `Full` if too
    /// many items crowd around one slot. The filter is unchanged then.
    pub fn grow(&mut self) -> Result<()> {
        let params = self.params.doubled()?;
        let width = params.remainder_bits();
        let pairs = self.table.pairs().map(|(quotient, remainder)| {
            (2 * quotient + (remainder >> width) as usize, remainder & ((1 << width) - 1))
        });
        self.table = collect(params, pairs)?;
        self.params = params;
        Ok(())
    }
}

#[cold]
fn crowded() -> Error {
    Error::full(
        "too many items, or copies of one item, crowd around one slot; hash with a secret key, and count \
         copies with a Count-Min sketch",
    )
}

/// Creates a table from sorted pairs.
fn collect(params: QuotientParams, pairs: impl Iterator<Item = (usize, u64)> + Clone) -> Result<Table> {
    let spill = spill(params.blocks() * BLOCK, pairs.clone().map(|(quotient, _)| (quotient, 1)));
    let mut builder = Builder::new(params.blocks(), params.remainder_bits(), spill);
    pairs.for_each(|(quotient, remainder)| builder.push(quotient, remainder));
    builder.finish().ok_or_else(crowded)
}

/// Returns the number of distinct pairs among sorted ones.
fn distinct(pairs: impl Iterator<Item = (usize, u64)>) -> u64 {
    let mut last = None;
    pairs.map(|pair| u64::from(last.replace(pair) != Some(pair))).sum()
}

/// The merge of two sorted sequences.
#[derive(Clone)]
struct Merged<I: Iterator<Item = (usize, u64)>> {
    ours: core::iter::Peekable<I>,
    theirs: core::iter::Peekable<I>,
}

impl<I: Iterator<Item = (usize, u64)>> Iterator for Merged<I> {
    type Item = (usize, u64);

    fn next(&mut self) -> Option<(usize, u64)> {
        match (self.ours.peek(), self.theirs.peek()) {
            (Some(one), Some(other)) if one > other => self.theirs.next(),
            (None, _) => self.theirs.next(),
            _ => self.ours.next(),
        }
    }
}

shell!(QuotientFilter: hashes, empty(QuotientParams), merges, copies, filter, for_fpr(QuotientParams));

impl Empty for QuotientFilter {
    fn empty(params: QuotientParams, spec: HashSpec) -> Self {
        let table = Table::new(params.blocks(), params.remainder_bits());
        Self { params, spec, table, len: 0, distinct: 0 }
    }

    fn has_nothing(&self) -> bool {
        self.len == 0
    }
}
