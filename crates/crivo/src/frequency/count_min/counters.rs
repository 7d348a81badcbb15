//! Saturating counters of one width, which is chosen when the sketch is created.

use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A counter that saturates at its maximum: its true value beyond is unknown.
pub(super) trait Counter: Copy + Ord + TryFrom<u64> {
    const MAX: Self;
    fn plus(self, count: Self) -> Self;
    /// Returns half of the counter, rounded up. A saturated counter stays saturated.
    fn halved(self) -> Self;
    fn get(self) -> u64;

    /// Returns a counter with this value, or the maximum.
    #[inline]
    fn up_to(value: u64) -> Self {
        Self::try_from(value).unwrap_or(Self::MAX)
    }
}

each_type!(Unsigned in u8, u16, u32, u64 => {
    impl Counter for Unsigned {
        const MAX: Self = Self::MAX;

        #[inline]
        fn plus(self, count: Self) -> Self {
            self.saturating_add(count)
        }

        #[inline]
        fn halved(self) -> Self {
            if self == Self::MAX { self } else { self.div_ceil(2) }
        }

        #[inline]
        fn get(self) -> u64 {
            self.into()
        }
    }
});

/// The counters of a table, row after row.
#[derive(Clone, PartialEq)]
pub(super) enum Counters {
    Bits8(Vec<u8>),
    Bits16(Vec<u16>),
    Bits32(Vec<u32>),
    Bits64(Vec<u64>),
}

/// Runs the same code for every counter width.
macro_rules! with_counters {
    ($counters:expr, $cells:ident => $body:expr) => {
        match $counters {
            Counters::Bits8($cells) => $body,
            Counters::Bits16($cells) => $body,
            Counters::Bits32($cells) => $body,
            Counters::Bits64($cells) => $body,
        }
    };
}
pub(super) use with_counters;

impl Counters {
    /// Creates `count` counters of 8, 16, 32 or 64 bits.
    pub(super) fn new(bits: u32, count: usize) -> Self {
        match bits {
            8 => Self::Bits8(vec![0; count]),
            16 => Self::Bits16(vec![0; count]),
            32 => Self::Bits32(vec![0; count]),
            _ => Self::Bits64(vec![0; count]),
        }
    }

    /// Creates counters from values; the caller must have checked `count` against the input.
    pub(super) fn from_values(
        bits: u32,
        count: usize,
        values: impl Iterator<Item = Result<u64>>,
    ) -> Result<Self> {
        let mut counters = Self::new(bits, count);
        with_counters!(&mut counters, cells => read_each(cells, values))?;
        Ok(counters)
    }

    pub(super) fn len(&self) -> usize {
        with_counters!(self, cells => cells.len())
    }

    pub(super) fn get(&self, cell: usize) -> u64 {
        with_counters!(self, cells => cells[cell].get())
    }

    pub(super) fn values(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len()).map(|cell| self.get(cell))
    }

    pub(super) fn max(&self) -> u64 {
        match self {
            Self::Bits8(_) => u8::MAX.into(),
            Self::Bits16(_) => u16::MAX.into(),
            Self::Bits32(_) => u32::MAX.into(),
            Self::Bits64(_) => u64::MAX,
        }
    }

    pub(super) fn halve(&mut self) {
        with_counters!(self, cells => cells.iter_mut().for_each(|cell| *cell = cell.halved()));
    }

    pub(super) fn memory_bytes(&self) -> usize {
        with_counters!(self, cells => size_of_val(cells.as_slice()))
    }

    /// Adds the counters of a table of the same width and size.
    pub(super) fn add_all(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bits8(ours), Self::Bits8(theirs)) => add_each(ours, theirs),
            (Self::Bits16(ours), Self::Bits16(theirs)) => add_each(ours, theirs),
            (Self::Bits32(ours), Self::Bits32(theirs)) => add_each(ours, theirs),
            (Self::Bits64(ours), Self::Bits64(theirs)) => add_each(ours, theirs),
            _ => unreachable!("merge checks the width"),
        }
    }
}

fn add_each<C: Counter>(ours: &mut [C], theirs: &[C]) {
    assert_eq!(ours.len(), theirs.len(), "merge checks the number");
    ours.iter_mut().zip(theirs).for_each(|(cell, &more)| *cell = cell.plus(more));
}

fn read_each<C: Counter>(cells: &mut [C], values: impl Iterator<Item = Result<u64>>) -> Result<()> {
    let too_wide = |_| Error::malformed(format!("a counter is wider than {} bits", 8 * size_of::<C>()));
    cells.iter_mut().zip(values).try_for_each(|(cell, value)| {
        *cell = C::try_from(value?).map_err(too_wide)?;
        Ok(())
    })
}
