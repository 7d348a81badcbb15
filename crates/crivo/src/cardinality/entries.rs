//! The sparse form of a sketch: a set of 32-bit entries, one for each hash seen.

use super::entry_table::{EntryTable, bytes_for};
use crate::bits::{BitReader, BitWriter};
use crate::codec::put_u64_varint;
use crate::estimate::Estimate;
use crate::sketch::Payload;
use crate::stats::gamma_p;
use crate::{Error, Guarantee, Result};
use alloc::format;
use alloc::vec::Vec;
use libm::{floor, log1p};

/// A set of entries. Its memory depends on the number of entries alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entries {
    table: EntryTable,
}

impl Entries {
    /// Creates the set of these entries, in any order and with repeats.
    pub(crate) fn from_entries(mut entries: Vec<u32>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        Self { table: EntryTable::of_distinct(entries.iter().copied(), entries.len()) }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the entries in any order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.table.iter()
    }

    /// Inserts an entry; returns whether it was new.
    pub(crate) fn insert(&mut self, entry: u32) -> bool {
        self.table.insert(entry)
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        Self::from_entries(self.iter().chain(other.iter()).collect())
    }

    /// Estimates the number of items, if two items share an entry with probability 1/`places`; never below
    /// the number of entries.
    pub(crate) fn estimate(&self, places: f64, confidence: f64) -> Estimate {
        estimate_of_hashes(self.len() as u64, places, confidence)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }

    /// Writes the number of entries, and the entries, whose low `unary_bits` bits are written in unary.
    pub(crate) fn to_payload(&self, payload: &mut Vec<u8>, unary_bits: u32) {
        put_u64_varint(payload, self.len() as u64);
        self.to_bytes(payload, unary_bits);
    }

    /// Reads the rest of a payload: at most `limit` entries, for each of which `is_valid` holds, of a sketch
    /// that itself takes `size` bytes.
    pub(crate) fn from_payload(
        file: &mut Payload<'_>,
        limit: usize,
        size: usize,
        unary_bits: u32,
        is_valid: impl Fn(u32) -> bool,
    ) -> Result<Self> {
        let count = file.bytes.u64_varint()?;
        if count > limit as u64 {
            return Err(Error::malformed(format!("{count} entries are too many for the sparse form")));
        }
        let count = count as usize;
        file.check_memory((size + bytes_for(count)) as u64)?;
        Self::from_bytes(file.bytes.take_rest(), count, unary_bits, is_valid)
    }

    /// Writes the gaps between the sorted entries in Rice's code, or those between their high bits, each with its low
    /// bits in unary.
    fn to_bytes(&self, out: &mut Vec<u8>, unary_bits: u32) {
        let width = rice_width(self.len(), unary_bits);
        let mut writer = BitWriter::new(out);
        let mut next = 0;
        for entry in self.table.sorted() {
            let high = entry >> unary_bits;
            writer.put_rice(u64::from(high - next), width);
            next = high;
            if unary_bits > 0 {
                writer.put_unary(entry & ((1 << unary_bits) - 1));
            } else {
                next += 1;
            }
        }
        writer.finish();
    }

    /// Reads `count` entries, for each of which `is_valid` holds.
    fn from_bytes(
        bytes: &[u8],
        count: usize,
        unary_bits: u32,
        is_valid: impl Fn(u32) -> bool,
    ) -> Result<Self> {
        let width = rice_width(count, unary_bits);
        // Each entry takes at least width + 1 bits, so that a short payload cannot allocate a large table.
        if (bytes.len() as u64) * 8 < count as u64 * u64::from(width + 1) {
            return Err(Error::malformed("the payload is too short for the entries"));
        }
        let mut reader = BitReader::new(bytes);
        let mut entries = Vec::with_capacity(count);
        // The least entry that may follow.
        let mut next = 0u64;
        for _ in 0..count {
            let mut entry = ((next >> unary_bits) + reader.rice(width, u32::MAX.into())?) << unary_bits;
            if unary_bits > 0 {
                entry |= u64::from(reader.unary((1 << unary_bits) - 1)?);
            }
            let valid = u32::try_from(entry).ok().filter(|&valid| entry >= next && is_valid(valid));
            let entry = valid.ok_or_else(|| Error::malformed("an entry is impossible at this precision"))?;
            entries.push(entry);
            next = u64::from(entry) + 1;
        }
        reader.finish()?;
        Ok(Self { table: EntryTable::of_distinct(entries.into_iter(), count) })
    }
}

/// Returns Rice's parameter for `count` entries spread over 32 bits, except those in unary: log₂ of their mean gap.
fn rice_width(count: usize, unary_bits: u32) -> u32 {
    31 - unary_bits - (count.max(1) as u32).ilog2()
}

/// Estimates the number of items from the number of their distinct hashes, two of which are equal with probability
/// 1/`places`; never below that number.
pub(crate) fn estimate_of_hashes(count: u64, places: f64, confidence: f64) -> Estimate {
    if count == 0 {
        return Estimate::exact(0.0);
    }
    let count = count as f64;
    // Linear counting with `places` cells.
    let value = floor(-places * log1p(-count / places) + 0.5);
    let shared = count * count / (2.0 * places);
    let guarantee = Guarantee::Approximate { confidence };
    let upper = count + most_shared(shared, confidence);
    Estimate::new(value, count, upper, guarantee).with_hashes(count, places)
}

/// Returns how many items may have shared an entry if `mean` are expected to. The confidence is far higher
/// than `confidence`, since that costs next to nothing: a sketch that is still sparse at its limit may owe
/// that to shared entries.
pub(crate) fn most_shared(mean: f64, confidence: f64) -> f64 {
    let mut most = 0.0;
    while gamma_p(most + 1.0, mean) > (1.0 - confidence) / 50.0 {
        most += 1.0;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_of_overlapping_sets() {
        let entries: Vec<u32> = (0..3000u64).map(|i| crate::HashSpec::default().hash(&i) as u32).collect();
        let set_of = |range: core::ops::Range<usize>| {
            let mut set = Entries::default();
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
