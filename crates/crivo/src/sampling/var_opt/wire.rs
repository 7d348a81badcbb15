//! The state of a sample, and its file format (`docs/FORMAT.md`).

use super::entries::{Entry, is_heap};
use super::{MOST_MERGED, VarOpt, is_weight};
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::rng::Lots;
use crate::sampling::SampleSize;
use crate::sampling::sum::{Sum, get_f64, put_f64s};
use crate::sketch::{Core, Fact, Payload};
use crate::{Element, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// How far sums that were rounded in different ways may differ, relative to their size: far more than the rounding of a
/// million merges, each of which rounds by a few units of 10⁻¹⁶.
const ROUNDING: f64 = 1e-9;

impl<T: Element> Core for VarOpt<T> {
    const KIND: Kind = Kind::VarOpt;

    fn heap_bytes(&self) -> usize {
        let outside: usize = self.entries.iter().map(|entry| entry.item.heap_bytes()).sum();
        self.entries.capacity() * size_of::<Entry<T>>() + outside
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
        put_f64s(payload, &self.weight.parts());
        put_u64_varint(payload, self.heavy as u64);
        put_u64_varint(payload, (self.entries.len() - self.heavy) as u64);
        if self.heavy < self.entries.len() {
            put_f64s(payload, &self.light_weight.parts());
        }
        for entry in &self.entries {
            put_f64s(payload, &[entry.weight]);
            entry.item.encode(payload);
        }
    }

    fn read(SampleSize { k, seed, .. }: SampleSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let lots = Lots::at(seed, file.bytes.u64()?);
        let total = file.bytes.u64_varint()?;
        let weight = Sum::from_parts([get_f64(&mut file.bytes)?, get_f64(&mut file.bytes)?]);
        let (heavy, light) = (file.bytes.u64_varint()?, file.bytes.u64_varint()?);
        let len = heavy.saturating_add(light);
        if len > total.min(k) || light > 0 && (len < k || total == k) {
            return Err(Error::malformed(format!(
                "the file is corrupt: {heavy} heavy and {light} light items in a sample of {k} out of {total}"
            )));
        }
        let bytes = len.saturating_mul(size_of::<Entry<T>>() as u64);
        file.check_memory(bytes.saturating_add(size_of::<Self>() as u64))?;
        let parts = if light > 0 { [get_f64(&mut file.bytes)?, get_f64(&mut file.bytes)?] } else { [0.0; 2] };
        let light_weight = Sum::from_parts(parts);
        let entries = file
            .bytes
            .entries(len, |reader| Ok(Entry { weight: get_f64(reader)?, item: reader.element()? }))?;
        let sample = Self { k: k as u32, lots, total, weight, light_weight, heavy: heavy as usize, entries };
        sample.check()?;
        file.check_memory(sample.memory_bytes() as u64)?;
        Ok(sample)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::seed(self.lots.seed()),
            Fact::count("total", self.total),
            Fact::number("total_weight", self.total_weight()),
            Fact::number("threshold", self.threshold()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        Self::merge(self, other)
    }
}

impl<T> VarOpt<T> {
    /// Refuses a state that no stream produces.
    fn check(&self) -> Result<()> {
        let (heavy, light) = self.entries.split_at(self.heavy);
        let sums_are_sound = self.weight.is_sound() && self.light_weight.is_sound();
        let weights_are_sound = self.entries.iter().all(|entry| is_weight(entry.weight));
        let nothing_was_drawn = self.lots.is_fresh() || !light.is_empty();
        let nothing_is_nothing = !self.entries.is_empty() || self.weight.parts().map(f64::to_bits) == [0; 2];
        if sums_are_sound && weights_are_sound && nothing_was_drawn && nothing_is_nothing && is_heap(heavy) {
            // A sum of 2⁶³ weights without a merge may be larger, but no stream is that long.
            let total = self.total_weight();
            let kept = self.light_weight.value() + heavy.iter().map(|entry| entry.weight).sum::<f64>();
            let threshold = self.threshold();
            let (least, most) = (threshold * (1.0 - ROUNDING), threshold * (1.0 + ROUNDING));
            let is_split = heavy.first().is_none_or(|entry| entry.weight >= least)
                && light.iter().all(|entry| entry.weight <= most);
            if total <= MOST_MERGED && libm::fabs(kept - total) <= total * ROUNDING && is_split {
                return Ok(());
            }
        }
        Err(Error::malformed(
            "the file is corrupt: the weights of a sample and their sums contradict each other",
        ))
    }
}
