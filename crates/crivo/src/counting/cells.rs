//! Many small counters in one packed array, with one random generator for all.

use super::counter_shell::{CounterSize, Law};
use crate::bits::PackedArray;
use crate::rng::Lots;
use crate::sketch::{Fact, Payload};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Registers of equal width.
#[derive(Clone, PartialEq)]
pub(super) struct Cells {
    pub(super) registers: PackedArray,
    pub(super) lots: Lots,
}

impl Cells {
    pub(super) fn new<L: Law>(size: &CounterSize<L, true>) -> Self {
        let registers = PackedArray::new(size.law.bits(), size.counters as usize);
        Self { registers, lots: Lots::new(size.seed) }
    }

    pub(super) fn check(&self, index: usize) -> Result<()> {
        if index < self.registers.len() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "there is no counter {index}; the {} counters are numbered from 0",
            self.registers.len()
        )))
    }

    pub(super) fn get(&self, index: usize) -> Result<u32> {
        self.check(index)?;
        Ok(self.registers.get(index))
    }

    /// Checks whether two arrays can be merged. If one of them is empty, copies the other and returns `false`: there is
    /// nothing left to merge.
    pub(super) fn merges(&mut self, other: &Self) -> Result<bool> {
        if self.is_empty() || other.is_empty() {
            if !other.is_empty() {
                self.clone_from(other);
            }
            return Ok(false);
        }
        self.lots.check_apart(&other.lots)?;
        Ok(true)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lots.is_fresh()
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.lots.state().to_le_bytes());
        self.registers.to_bytes(payload);
    }

    pub(super) fn read<L: Law>(size: &CounterSize<L, true>, file: &mut Payload<'_>) -> Result<Self> {
        let lots = Lots::at(size.seed, file.bytes.u64()?);
        let cells = Self { registers: file.packed(size.law.bits(), size.counters)?, lots };
        if cells.is_empty() && cells.registers.iter().any(|register| register > 0) {
            return Err(Error::malformed("the file is corrupt: counts without a random number drawn"));
        }
        Ok(cells)
    }

    /// Returns the facts about registers up to `max`.
    pub(super) fn state(&self, max: u32) -> Vec<Fact> {
        let count =
            |is: &dyn Fn(u32) -> bool| self.registers.iter().filter(|&register| is(register)).count() as u64;
        vec![
            Fact::count("in_use", count(&|register| register > 0)),
            Fact::count("saturated", count(&|register| register == max)),
        ]
    }
}
