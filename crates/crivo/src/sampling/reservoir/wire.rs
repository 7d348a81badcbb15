//! The state of a sample, and its file format (`docs/FORMAT.md`).

use super::Reservoir;
use crate::codec::{Reader, put_u64_varint};
use crate::kind::Kind;
use crate::rng::Lots;
use crate::sampling::SampleSize;
use crate::sketch::{Core, Fact, Payload};
use crate::{Element, Error, Result};
use alloc::vec;
use alloc::vec::Vec;

impl<T: Element> Core for Reservoir<T> {
    const KIND: Kind = Kind::Reservoir;

    fn heap_bytes(&self) -> usize {
        let outside: usize = self.items.iter().map(Element::heap_bytes).sum();
        self.items.capacity() * size_of::<T>() + outside
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn drawn_from(&self) -> Option<u64> {
        (!self.is_empty()).then(|| self.lots.seed())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.lots.state().to_le_bytes());
        put_u64_varint(payload, self.total);
        if self.total >= u64::from(self.k) {
            payload.extend(self.log_w.to_bits().to_le_bytes());
            put_u64_varint(payload, self.skip());
        }
        self.items.iter().for_each(|item| item.encode(payload));
    }

    fn read(SampleSize { k, seed, .. }: SampleSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let lots = Lots::at(seed, file.bytes.u64()?);
        let total = file.bytes.u64_varint()?;
        let is_full = total >= k;
        let (log_w, skip) =
            if is_full { (f64::from_bits(file.bytes.u64()?), file.bytes.u64_varint()?) } else { (0.0, 0) };
        let len = total.min(k);
        file.check_memory(size_of::<Self>() as u64 + len.saturating_mul(size_of::<T>() as u64))?;
        if is_full != (log_w.is_finite() && log_w < 0.0) {
            return Err(Error::malformed("the file is corrupt: the threshold of a sample is not below 1"));
        }
        let next = total.checked_add(skip);
        let next =
            next.ok_or_else(|| Error::malformed("the file is corrupt: more than 2^64 items to skip"))?;
        let items = file.bytes.entries(len, Reader::element)?;
        let sample = Self { k: k as u32, lots, total, next, log_w, items };
        if sample.is_empty() && !sample.lots.is_fresh() {
            return Err(Error::malformed("the file is corrupt: random numbers were drawn for no item"));
        }
        file.check_memory(sample.memory_bytes() as u64)?;
        Ok(sample)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::seed(self.lots.seed()),
            Fact::count("total", self.total),
            Fact::number("inclusion_probability", self.inclusion_probability()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        Self::merge(self, other)
    }
}
