//! The bytes of a [`DyadicCountMin`].

use super::{DyadicCountMin, DyadicParams, Ordinal, exact_cell};
use crate::codec::{self, DecodeOptions, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::{Wire, wire_methods};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

wire_methods!(impl[T: Ordinal] DyadicCountMin<T>);

impl<T: Ordinal> DyadicCountMin<T> {
    /// The counters that a file holds: the coarser exact levels follow from the finest.
    fn written(params: &DyadicParams) -> [core::ops::Range<usize>; 2] {
        let all = (params.memory_bytes() / 8) as usize;
        let exact = (2usize << params.exact_bits()) - 2;
        let finest = if params.exact_bits() == 0 { 0 } else { 1 << params.exact_bits() };
        [0..all - exact, all - finest..all]
    }

    /// Every occurrence is counted once in every row, and once in the finest exact level.
    fn adds_up(&self) -> bool {
        let [tables, finest] = Self::written(&self.params);
        let is_total = |cells: &[u64]| {
            cells.iter().map(|&cell| u128::from(cell)).sum::<u128>() == u128::from(self.total)
        };
        let mut rows = self.cells[tables].chunks(self.params.width() as usize);
        rows.all(is_total) && (finest.is_empty() || is_total(&self.cells[finest]))
    }
}

impl<T: Ordinal> Wire for DyadicCountMin<T> {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = vec![T::TAG, self.params.bits() as u8];
        put_u64_varint(&mut params, self.params.width());
        put_u64_varint(&mut params, u64::from(self.params.depth()));
        let mut payload = Vec::new();
        put_u64_varint(&mut payload, self.total);
        for part in Self::written(&self.params) {
            self.cells[part].iter().for_each(|&cell| put_u64_varint(&mut payload, cell));
        }
        codec::seal(Kind::DyadicCountMin, Some(&self.spec), &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::DyadicCountMin, bytes, options)?;
        envelope.params.tag_of::<T>()?;
        let bits = u32::from(envelope.params.u8()?);
        let width = envelope.params.u64_varint()?;
        let depth = u32::try_from(envelope.params.u64_varint()?).unwrap_or(u32::MAX);
        envelope.params.finish()?;
        let malformed = |error| Error::malformed(format!("{error}"));
        let params = DyadicParams::exact(bits, width, depth).map_err(malformed)?;
        codec::check_memory(params.memory_bytes() + size_of::<Self>() as u64, options)?;
        let total = envelope.payload.u64_varint()?;
        // Each counter takes a byte at least: a short payload cannot make a large sketch.
        let counters: usize = Self::written(&params).iter().map(ExactSizeIterator::len).sum();
        if envelope.payload.rest().len() < counters {
            return Err(Error::malformed(format!("the payload has no room for {counters} counters")));
        }
        let mut sketch = Self::with_spec(params, envelope.spec).map_err(malformed)?;
        sketch.total = total;
        for part in Self::written(&params) {
            for cell in &mut sketch.cells[part] {
                *cell = envelope.payload.u64_varint()?;
            }
        }
        envelope.payload.finish()?;
        if !sketch.adds_up() {
            return Err(Error::malformed(format!("the counters do not add up to the total of {total}")));
        }
        for level in params.hashed_levels() + 1..params.bits() {
            for number in 0..1 << (params.bits() - level) {
                let halves = exact_cell(&params, level - 1, 2 * number);
                sketch.cells[exact_cell(&params, level, number)] =
                    sketch.cells[halves] + sketch.cells[halves + 1];
            }
        }
        Ok(sketch)
    }
}
