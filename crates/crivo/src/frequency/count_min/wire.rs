//! The state of a sketch, and its bytes (`docs/FORMAT.md`).

use super::counters::Counters;
use super::{CountMin, CountMinParams};
use crate::codec::put_u64_varint;
use crate::kind::{Kind, MergeLaw};
use crate::sketch::{Core, Fact, Payload};
use crate::{DEFAULT_CONFIDENCE, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

impl Core for CountMin {
    const KIND: Kind = Kind::CountMin;

    fn heap_bytes(&self) -> usize {
        self.counters.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.total);
        self.counters.values().for_each(|value| put_u64_varint(payload, value));
        if self.rounding > 0 {
            put_u64_varint(payload, self.rounding);
        }
    }

    fn read(params: CountMinParams, file: &mut Payload<'_>) -> Result<Self> {
        let total = file.bytes.u64_varint()?;
        let cells = params.shape().cells();
        // Each counter takes at least one byte, so that a short payload cannot allocate a large table.
        if file.bytes.rest().len() < cells {
            return Err(Error::malformed(format!("the payload is too short for {cells} counters")));
        }
        let values = (0..cells).map(|_| file.bytes.u64_varint());
        let counters = Counters::from_values(params.counter_bits(), cells, values)?;
        let is_halved = !file.bytes.rest().is_empty();
        let rounding = if is_halved { file.bytes.u64_varint()? } else { 0 };
        if is_halved && (rounding == 0 || total == 0) {
            return Err(Error::malformed("a sketch that was never halved has a rounding"));
        }
        let sketch = Self { total, rounding, ..Self::of(params, file.spec, counters) };
        sketch.check_total()?;
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        let mut facts = vec![
            Fact::count("total", self.total),
            Fact::number("error_share", self.params.error_at(DEFAULT_CONFIDENCE)),
        ];
        if self.rounding > 0 {
            facts.push(Fact::count("rounding", self.rounding));
        }
        facts
    }

    fn law(&self) -> Option<MergeLaw> {
        let is_bounded = self.params.is_conservative() || self.rounding > 0;
        Some(if is_bounded { MergeLaw::Bounded } else { MergeLaw::Exact })
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.counters.add_all(&other.counters);
        self.total = self.total.saturating_add(other.total);
        self.rounding = self.rounding.saturating_add(other.rounding);
        Ok(())
    }
}

impl CountMin {
    /// Checks the counters against the total. Every count was added once in every row, so a row sums to the
    /// total, or to less with conservative updates, or to a number within the rounding of halving. A
    /// saturated counter holds at most what was added, unless the sketch was halved since; then it says
    /// nothing.
    fn check_total(&self) -> Result<()> {
        let total = u128::from(self.total);
        if self.total == u64::MAX {
            return Ok(());
        }
        let width = self.params.width() as usize;
        let rounded = u128::from(self.rounding).saturating_mul(width as u128);
        let fits = |row: u32| {
            let cells = || (row as usize * width..).take(width).map(|cell| self.counters.get(cell));
            let is_saturated = |value: &u64| *value == self.counters.max();
            let sum_of = |is_saturated_too: bool| -> u128 {
                cells().filter(|value| is_saturated_too || !is_saturated(value)).map(u128::from).sum()
            };
            let is_whole = !cells().any(|value| is_saturated(&value));
            let sum = sum_of(self.rounding == 0);
            let is_low = if self.params.is_conservative() {
                sum == 0 && total > 0
            } else {
                sum.saturating_add(self.rounding.into()) < total
            };
            sum <= total.saturating_add(rounded) && !(is_whole && is_low)
        };
        if (0..self.params.depth()).all(fits) {
            return Ok(());
        }
        Err(Error::malformed(format!("the counters do not add up to the total of {total}")))
    }
}
