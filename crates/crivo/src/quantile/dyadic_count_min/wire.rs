//! The file format of a [`DyadicCountMin`].

use super::{DyadicCountMin, DyadicParams, Ordinal, exact_cell};
use crate::codec::{Reader, put_u64_varint};
use crate::element::name_of;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

shell!(impl[T: Ordinal] DyadicCountMin<T>, DyadicCountMin: hashes, starts, merges);

/// The size, for values of one type.
#[derive(Clone)]
pub(crate) struct DyadicSize<T> {
    pub(super) params: DyadicParams,
    values: PhantomData<fn(T) -> T>,
}

impl<T: Ordinal> DyadicSize<T> {
    pub(super) fn new(params: DyadicParams) -> Result<Self> {
        if T::NEEDS_ALL_BITS && params.bits() != 64 {
            return Err(Error::invalid(format!(
                "{} needs a universe of 64 bits, got {}; ask for 64",
                name_of(T::TAG),
                params.bits()
            )));
        }
        Ok(Self { params, values: PhantomData })
    }
}

impl<T: Ordinal> Params for DyadicSize<T> {
    const NAMES: &[&str] = &["bits", "width", "depth"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.params.bits().into(), self.params.width(), self.params.depth().into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let [bits, depth] = [narrow(numbers[0])?, narrow(numbers[2])?];
        Self::new(DyadicParams::exact(bits, numbers[1], depth)?)
    }

    fn memory_bytes(&self) -> u64 {
        self.params.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("elements", name_of(T::TAG)),
            Fact::count("bits", self.params.bits().into()),
            Fact::count("width", self.params.width()),
            Fact::count("depth", self.params.depth().into()),
            Fact::count("hashed_levels", self.params.hashed_levels().into()),
        ]
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.push(T::TAG);
        self.numbers().into_iter().for_each(|number| put_u64_varint(params, number));
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        params.tag_of::<T>()?;
        let numbers = [params.u64_varint()?, params.u64_varint()?, params.u64_varint()?];
        params.finish()?;
        Self::of(&numbers)
    }
}

impl<T: Ordinal> OfSize for DyadicCountMin<T> {
    type Params = DyadicSize<T>;

    fn params(&self) -> DyadicSize<T> {
        DyadicSize { params: self.params, values: PhantomData }
    }
}

impl<T: Ordinal> DyadicCountMin<T> {
    /// Returns the counters that a file holds. The coarser exact levels are computed from the finest.
    fn written(params: &DyadicParams) -> [core::ops::Range<usize>; 2] {
        let all = (params.memory_bytes() / 8) as usize;
        let exact = (2usize << params.exact_bits()) - 2;
        let finest = if params.exact_bits() == 0 { 0 } else { 1 << params.exact_bits() };
        [0..all - exact, all - finest..all]
    }

    /// Returns whether every row of a hashed level, and the finest exact level, sums to the total.
    fn adds_up(&self) -> bool {
        let [tables, finest] = Self::written(&self.params);
        let is_total = |cells: &[u64]| {
            cells.iter().map(|&cell| u128::from(cell)).sum::<u128>() == u128::from(self.total)
        };
        let mut rows = self.cells[tables].chunks(self.params.width() as usize);
        rows.all(is_total) && (finest.is_empty() || is_total(&self.cells[finest]))
    }
}

impl<T: Ordinal> Core for DyadicCountMin<T> {
    const KIND: Kind = Kind::DyadicCountMin;

    fn heap_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.total);
        for part in Self::written(&self.params) {
            self.cells[part].iter().for_each(|&cell| put_u64_varint(payload, cell));
        }
    }

    fn read(size: DyadicSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let params = size.params;
        let total = file.bytes.u64_varint()?;
        // Each counter takes at least one byte, so a short payload cannot make a large sketch.
        let counters: usize = Self::written(&params).iter().map(ExactSizeIterator::len).sum();
        if file.bytes.rest().len() < counters {
            return Err(Error::malformed(format!(
                "the file is corrupt: the payload is too short for {counters} counters"
            )));
        }
        let mut sketch = Self::empty(size, file.spec);
        sketch.total = total;
        for part in Self::written(&params) {
            for cell in &mut sketch.cells[part] {
                *cell = file.bytes.u64_varint()?;
            }
        }
        if !sketch.adds_up() {
            return Err(Error::malformed(format!(
                "the file is corrupt: the counters do not add up to the total of {total}"
            )));
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

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("total", self.total),
            Fact::number("error_share", self.params.error_at(DEFAULT_CONFIDENCE)),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.total = self.checked_total(other.total)?;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
        Ok(())
    }
}
