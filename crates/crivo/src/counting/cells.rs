//! Many small counters back to back, with one generator for all.

use crate::bits::PackedArray;
use crate::codec::{DecodeOptions, Reader, check_memory};
use crate::rng::Lots;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

/// The largest array: 128 GiB, or 1 GiB where an address has 32 bits.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };

/// Registers of equal width.
#[derive(Clone, PartialEq)]
pub(super) struct Cells {
    pub(super) registers: PackedArray,
    pub(super) lots: Lots,
}

impl Cells {
    pub(super) fn new(len: u64, bits: u32, seed: u64) -> Result<Self> {
        check_len(len, bits)?;
        Ok(Self { registers: PackedArray::new(bits, len as usize), lots: Lots::new(seed) })
    }

    pub(super) fn check(&self, index: usize) -> Result<()> {
        if index < self.registers.len() {
            return Ok(());
        }
        Err(Error::invalid(format!("counter {index} of {}; they count from 0", self.registers.len())))
    }

    pub(super) fn get(&self, index: usize) -> Result<u32> {
        self.check(index)?;
        Ok(self.registers.get(index))
    }

    /// Refuses parts of unlike lengths; tells whether there is anything to merge cell by cell, after copying into nothing.
    pub(super) fn merges(&mut self, other: &Self) -> Result<bool> {
        let (ours, theirs) = (self.registers.len(), other.registers.len());
        if ours != theirs {
            return Err(Error::incompatible("counters", ours, theirs, "build both with the same number"));
        }
        if self.is_empty() || other.is_empty() {
            if !other.is_empty() {
                self.clone_from(other);
            }
            return Ok(false);
        }
        self.lots.check_apart(&other.lots)?;
        Ok(true)
    }

    pub(super) fn clear(&mut self) {
        self.registers.clear();
        self.lots = Lots::new(self.lots.seed());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lots.is_fresh()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.extend(self.lots.state().to_le_bytes());
        self.registers.to_bytes(&mut payload);
        payload
    }

    pub(super) fn from_bytes(
        (len, bits, seed): (u64, u32, u64),
        payload: &mut Reader<'_>,
        options: &DecodeOptions,
    ) -> Result<Self> {
        check_len(len, bits).map_err(|error| Error::malformed(format!("{error}")))?;
        check_memory((len * u64::from(bits)).div_ceil(64) * 8 + 8, options)?;
        let lots = Lots::at(seed, payload.u64()?);
        let registers = PackedArray::from_bytes(bits, len as usize, payload.take_rest());
        let registers = registers
            .ok_or_else(|| Error::malformed(format!("the payload is not {len} counters of {bits} bits")))?;
        let cells = Self { registers, lots };
        if cells.is_empty() && cells.registers.iter().any(|register| register > 0) {
            return Err(Error::malformed("counts without a number drawn; copy the file again"));
        }
        Ok(cells)
    }
}

fn check_len(len: u64, bits: u32) -> Result<()> {
    if len > 0 && len.div_ceil(8).saturating_mul(u64::from(bits)) <= MAX_BYTES {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "an array has at least 1 counter and at most {} GiB, got {len} of {bits} bits; choose another size",
        MAX_BYTES >> 30
    )))
}
