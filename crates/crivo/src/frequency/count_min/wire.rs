//! The bytes of a sketch (`docs/FORMAT.md`).

use super::counters::Counters;
use super::{CountMin, CountMinParams};
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::Wire;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

impl Wire for CountMin {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::with_capacity(12);
        put_u64_varint(&mut params, self.params.width());
        put_u64_varint(&mut params, u64::from(self.params.depth()));
        params.push(self.params.counter_bits() as u8);
        params.push(u8::from(self.params.is_conservative()));
        let mut payload = Vec::new();
        put_u64_varint(&mut payload, self.total);
        self.counters.values().for_each(|value| put_u64_varint(&mut payload, value));
        if self.rounding > 0 {
            put_u64_varint(&mut payload, self.rounding);
        }
        codec::seal(Kind::CountMin, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::CountMin, bytes, options)?;
        let width = envelope.params.u64_varint()?;
        let depth = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        let bits = u32::from(envelope.params.u8()?);
        let update = envelope.params.u8()?;
        envelope.params.finish()?;
        let plain = CountMinParams::exact(width, depth).and_then(|params| params.with_counter_bits(bits));
        let plain = plain.map_err(|error| Error::malformed(format!("{error}")))?;
        let params = match update {
            0 => plain,
            1 => plain.conservative(),
            _ => return Err(Error::malformed(format!("update {update} is neither plain nor conservative"))),
        };
        codec::check_memory(params.memory_bytes(), options)?;
        let total = envelope.payload.u64_varint()?;
        let cells = params.shape().cells();
        // Each counter takes a byte at least: a short payload cannot make a large table.
        if envelope.payload.rest().len() < cells {
            return Err(Error::malformed(format!("the payload has no room for {cells} counters")));
        }
        let values = (0..cells).map(|_| envelope.payload.u64_varint());
        let counters = Counters::from_values(bits, cells, values)?;
        let is_halved = !envelope.payload.rest().is_empty();
        let rounding = if is_halved { envelope.payload.u64_varint()? } else { 0 };
        if is_halved && (rounding == 0 || total == 0) {
            return Err(Error::malformed("a sketch that nothing was rounded in has a rounding"));
        }
        envelope.payload.finish()?;
        let sketch = Self { total, rounding, ..Self::of(params, envelope.spec, counters) };
        sketch.check_total()?;
        Ok(sketch)
    }
}

impl CountMin {
    /// Every count was added once in every row: a row sums to the total, or to less by conservative updates, or to what
    /// halving rounded. A saturated counter holds at most what was added, unless that was halved since; then it tells
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
