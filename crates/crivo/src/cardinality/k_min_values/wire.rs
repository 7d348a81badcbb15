//! The state of a sketch, and its bytes (`docs/FORMAT.md`).

use super::smallest::{Smallest, room_for};
use super::{K, KMinValues, standard_error};
use crate::bits::{BitReader, BitWriter};
use crate::codec::{Reader, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Codes have at least five bits, so that a short file cannot allocate a large set.
const LEAST_MEAN_GAP: u64 = 16;

impl Core for KMinValues {
    const KIND: Kind = Kind::KMinValues;

    fn heap_bytes(&self) -> usize {
        self.smallest.memory_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(self.smallest.k() * size_of::<u64>())
    }

    /// Writes the number of hashes, the largest one, and the gaps between the others in Rice's code.
    fn write(&self, out: &mut Vec<u8>) {
        let count = self.smallest.len();
        put_u64_varint(out, count as u64);
        let Some(largest) = self.smallest.iter().last() else { return };
        out.extend_from_slice(&largest.to_le_bytes());
        let width = rice_width(largest, count as u64);
        let mut writer = BitWriter::new(out);
        let mut next = 0;
        for hash in self.smallest.iter().take(count - 1) {
            writer.put_rice(hash - next, width);
            next = hash + 1;
        }
        writer.finish();
    }

    fn read(size: K, file: &mut Payload<'_>) -> Result<Self> {
        let k = size.0 as usize;
        let count = file.bytes.u64_varint()?;
        if count > k as u64 {
            return Err(Error::malformed(format!("a sketch of k {k} has {count} hashes")));
        }
        let room = room_for(count as usize).min(k) * size_of::<u64>();
        file.check_memory((size_of::<Self>() + room) as u64)?;
        let mut sketch = Self::empty(size, file.spec);
        if count > 0 {
            sketch.smallest = read_hashes(&mut file.bytes, count, k)?;
        }
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("hashes", self.smallest.len() as u64),
            Fact::number("standard_error", standard_error(self.k())),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.smallest = self.smallest.union(&other.smallest);
        Ok(())
    }
}

/// Reads at least one hash.
fn read_hashes(payload: &mut Reader<'_>, count: u64, k: usize) -> Result<Smallest> {
    let largest = payload.u64()?;
    let width = rice_width(largest, count);
    let codes = payload.take_rest();
    // Each code takes at least width + 1 bits, so that a short payload cannot allocate a large set.
    if (codes.len() as u64) * 8 < (count - 1) * u64::from(width + 1) {
        return Err(Error::malformed("the payload is too short for the hashes"));
    }
    let mut bits = BitReader::new(codes);
    let mut smallest = Smallest::with_room_for(k, count as usize);
    let mut next = 0;
    for _ in 1..count {
        let most = (largest - next).checked_sub(1);
        let most =
            most.ok_or_else(|| Error::malformed("there are more hashes than possible below the largest"))?;
        let hash = next + bits.rice(width, most)?;
        smallest.push(hash);
        next = hash + 1;
    }
    smallest.push(largest);
    bits.finish()?;
    Ok(smallest)
}

/// Returns Rice's parameter: log₂ of the mean gap.
fn rice_width(largest: u64, count: u64) -> u32 {
    (largest / count).max(LEAST_MEAN_GAP).ilog2()
}
