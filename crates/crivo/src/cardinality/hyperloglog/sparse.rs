//! The small form: the hashes themselves, cut to 31 bits.
//!
//! An entry holds the leading 31 bits of a hash, which give its register and rank at any precision; only
//! when all bits after the register's are zero (one hash in 2^(31−p)) does the rank lie beyond them, and
//! then it takes the place of those zeros, marked by the lowest bit. So the number of entries counts items
//! almost exactly, and a sketch of any lower precision follows from them.

use crate::bits::{BitReader, BitWriter};
use crate::{Error, Result};
use alloc::vec::Vec;

/// How many leading bits of a hash an entry keeps.
const PREFIX_BITS: u32 = 31;
/// Ranks beyond the prefix are 1 to this.
const MAX_BEYOND: u32 = 64 - PREFIX_BITS + 1;

/// The entry of a hash in a sketch of precision `p`; never 0.
#[inline]
pub(super) fn entry_of(hash: u64, p: u32) -> u32 {
    let prefix = (hash >> (64 - PREFIX_BITS)) as u32;
    if prefix & zeros_mask(p) != 0 {
        return prefix << 1;
    }
    let beyond = ((hash << PREFIX_BITS) | (1 << (PREFIX_BITS - 1))).leading_zeros() + 1;
    (prefix | beyond) << 1 | 1
}

/// The bits of a prefix that follow the register's.
fn zeros_mask(p: u32) -> u32 {
    (1 << (PREFIX_BITS - p)) - 1
}

/// The register and rank of an entry.
#[inline]
pub(super) fn register_of(entry: u32, p: u32) -> (usize, u8) {
    let prefix = entry >> 1;
    let rest = prefix & zeros_mask(p);
    let rank = if entry & 1 == 0 {
        rest.leading_zeros() - (32 - (PREFIX_BITS - p)) + 1
    } else {
        PREFIX_BITS - p + rest
    };
    ((prefix >> (PREFIX_BITS - p)) as usize, rank as u8)
}

/// The entry that the same hash has one precision lower.
fn entry_one_lower(entry: u32, p: u32) -> u32 {
    let prefix = entry >> 1;
    let last_register_bit = 1 << (PREFIX_BITS - p);
    // A set bit joins the rest: the rank no longer lies beyond the prefix.
    if entry & 1 == 1 && prefix & last_register_bit != 0 { (prefix & !zeros_mask(p)) << 1 } else { entry }
}

fn is_valid(entry: u32, p: u32) -> bool {
    let rest = entry >> 1 & zeros_mask(p);
    if entry & 1 == 1 { (1..=MAX_BEYOND).contains(&rest) } else { rest != 0 }
}

/// A set of entries in increasing order. Its capacity follows from the number of entries alone.
#[derive(Debug, PartialEq)]
pub(super) struct Sparse {
    entries: Vec<u32>,
}

impl Sparse {
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// An empty set with room for `count` entries and at most an eighth to spare.
    fn with_room_for(count: usize) -> Self {
        let mut capacity = 0;
        while capacity < count {
            capacity += capacity / 8 + 2;
        }
        Self { entries: Vec::with_capacity(capacity) }
    }

    /// The set of these entries, in any order and with repeats.
    fn from_entries(mut entries: Vec<u32>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        let mut set = Self::with_room_for(entries.len());
        set.entries.extend(entries);
        set
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().copied()
    }

    /// Inserts an entry; tells whether it was new.
    pub(super) fn insert(&mut self, entry: u32) -> bool {
        let Err(place) = self.entries.binary_search(&entry) else { return false };
        if self.len() == self.entries.capacity() {
            let mut larger = Self::with_room_for(self.len() + 1);
            larger.entries.extend_from_slice(&self.entries);
            *self = larger;
        }
        self.entries.insert(place, entry);
        true
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self::from_entries(self.iter().chain(other.iter()).collect())
    }

    /// The entries one precision lower. Two may change places or become one.
    pub(super) fn fold(&self, p: u32) -> Self {
        Self::from_entries(self.iter().map(|entry| entry_one_lower(entry, p)).collect())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u32>()
    }

    /// Gaps between the sorted entries in Rice's code: the part above 2^r in unary, the rest in r bits.
    pub(super) fn to_bytes(&self, out: &mut Vec<u8>) {
        let width = rice_width(self.len());
        let mut writer = BitWriter::new(out);
        let mut next = 0;
        for entry in self.iter() {
            let gap = entry - next;
            writer.put_unary(gap >> width);
            writer.put(u64::from(gap & ((1 << width) - 1)), width);
            next = entry + 1;
        }
        writer.finish();
    }

    pub(super) fn from_bytes(bytes: &[u8], count: usize, p: u32) -> Result<Self> {
        let width = rice_width(count);
        // Each entry takes width + 1 bits at least: a short payload cannot make a large table.
        if (bytes.len() as u64) * 8 < count as u64 * u64::from(width + 1) {
            return Err(Error::malformed("the payload has no room for the entries"));
        }
        let mut reader = BitReader::new(bytes);
        let mut set = Self::with_room_for(count);
        let mut next = 0u64;
        for _ in 0..count {
            let high = u64::from(reader.unary(u32::MAX >> width)?);
            let entry = next + (high << width | reader.get(width)?);
            let valid = u32::try_from(entry).ok().filter(|&entry| is_valid(entry, p));
            let entry = valid.ok_or_else(|| Error::malformed("an entry is impossible at this precision"))?;
            set.entries.push(entry);
            next = u64::from(entry) + 1;
        }
        reader.finish()?;
        Ok(set)
    }
}

impl Clone for Sparse {
    fn clone(&self) -> Self {
        let mut copy = Self::with_room_for(self.len());
        copy.entries.extend_from_slice(&self.entries);
        copy
    }
}

/// Rice's parameter for `count` entries spread over 32 bits: log₂ of their mean gap.
fn rice_width(count: usize) -> u32 {
    31 - (count.max(1) as u32).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn entries_keep_register_and_rank_at_every_precision() {
        let mut rng = Rng::new(1);
        for p in 4..=18u32 {
            for i in 0..20_000u32 {
                // Every other hash has many zeros after the register's bits, so that ranks lie beyond.
                let shift = if i % 2 == 0 { 0 } else { rng.below(60) };
                let random = rng.next_u64();
                let hash = random >> (64 - p) << (64 - p) | (rng.next_u64() >> p >> shift);
                let entry = entry_of(hash, p);
                assert!(entry != 0 && is_valid(entry, p));
                let rank = ((hash << p) | 1 << (p - 1)).leading_zeros() + 1;
                assert_eq!(register_of(entry, p), ((hash >> (64 - p)) as usize, rank as u8), "{hash:#x} {p}");
                if p > 4 {
                    assert_eq!(entry_one_lower(entry, p), entry_of(hash, p - 1), "{hash:#x} {p}");
                }
            }
        }
    }

    #[test]
    fn capacity_follows_from_the_number_of_entries() {
        let mut rng = Rng::new(2);
        let mut set = Sparse::new();
        for count in 1..2000 {
            while !set.insert(entry_of(rng.next_u64(), 12)) {}
            assert_eq!(set.len(), count);
            assert_eq!(set.memory_bytes(), Sparse::with_room_for(count).memory_bytes(), "{count}");
        }
    }

    /// An entry whose rank lay beyond the prefix can fall behind one that it followed.
    #[test]
    fn folding_keeps_the_order() {
        let set_of = |p: u32| {
            let mut set = Sparse::new();
            for rest in [1 << 33, 1 << 28] {
                set.insert(entry_of(1 << 52 | rest, p));
            }
            set
        };
        assert_eq!(set_of(12).fold(12), set_of(11));
    }

    #[test]
    fn union_of_overlapping_sets() {
        let entries: Vec<u32> =
            (0..3000u64).map(|i| entry_of(crate::HashSpec::default().hash(&i), 14)).collect();
        let set_of = |range: core::ops::Range<usize>| {
            let mut set = Sparse::new();
            entries[range].iter().for_each(|&entry| {
                set.insert(entry);
            });
            set
        };
        let (a, b, both) = (set_of(0..2000), set_of(1000..3000), set_of(0..3000));
        assert_eq!(a.union(&b), both);
        assert_eq!(a.union(&b).memory_bytes(), both.memory_bytes());
    }
}
