//! The bytes of a sketch (`docs/FORMAT.md`).

use super::KMinValues;
use super::smallest::Smallest;
use crate::bits::{BitReader, BitWriter};
use crate::cardinality::entries::room_for;
use crate::codec::{self, DecodeOptions, Reader, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::Wire;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;

/// Codes are never shorter than five bits, so that few bytes cannot make a large set.
const LEAST_MEAN_GAP: u64 = 16;

impl Wire for KMinValues {
    fn to_bytes(&self) -> Vec<u8> {
        let (mut params, mut payload) = (Vec::new(), Vec::new());
        put_u64_varint(&mut params, self.k().into());
        self.put_payload(&mut payload);
        codec::seal(Kind::KMinValues, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::KMinValues, bytes, options)?;
        let k = envelope.params.u64_varint()?;
        envelope.params.finish()?;
        Self::read_payload(&mut envelope.payload, k, envelope.spec, 0, options)
    }
}

impl KMinValues {
    /// The number of hashes, the largest, and the gaps between the others in Rice's code.
    pub(crate) fn put_payload(&self, out: &mut Vec<u8>) {
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

    /// Reads to the end. `others` is the memory that is taken beside this sketch.
    pub(crate) fn read_payload(
        payload: &mut Reader<'_>,
        k: u64,
        spec: HashSpec,
        others: usize,
        options: &DecodeOptions,
    ) -> Result<Self> {
        let k = u32::try_from(k).map_err(|_| Error::malformed(format!("k is too large: {k}")))?;
        let mut sketch = Self::with_spec(k, spec).map_err(|error| Error::malformed(format!("{error}")))?;
        let k = k as usize;
        let count = payload.u64_varint()?;
        if count > k as u64 {
            return Err(Error::malformed(format!("{count} hashes in a sketch of {k}")));
        }
        let room = room_for(count as usize).min(k) * size_of::<u64>();
        codec::check_memory((others + size_of::<Self>() + room) as u64, options)?;
        if count > 0 {
            sketch.smallest = read_hashes(payload, count, k)?;
        }
        payload.finish()?;
        Ok(sketch)
    }
}

/// At least one.
fn read_hashes(payload: &mut Reader<'_>, count: u64, k: usize) -> Result<Smallest> {
    let largest = payload.u64()?;
    let width = rice_width(largest, count);
    let codes = payload.take_rest();
    // Each code takes width + 1 bits at least: a short payload cannot make a large set.
    if (codes.len() as u64) * 8 < (count - 1) * u64::from(width + 1) {
        return Err(Error::malformed("the payload has no room for the hashes"));
    }
    let mut bits = BitReader::new(codes);
    let mut smallest = Smallest::with_room_for(k, count as usize);
    let mut next = 0;
    for _ in 1..count {
        let most = (largest - next).checked_sub(1);
        let most = most.ok_or_else(|| Error::malformed("more hashes than there can be"))?;
        let hash = next + bits.rice(width, most)?;
        smallest.push(hash);
        next = hash + 1;
    }
    smallest.push(largest);
    bits.finish()?;
    Ok(smallest)
}

/// Rice's parameter: log₂ of the mean gap.
fn rice_width(largest: u64, count: u64) -> u32 {
    (largest / count).max(LEAST_MEAN_GAP).ilog2()
}
