//! Saturating counters of one width, chosen when the sketch is made.

use alloc::vec;
use alloc::vec::Vec;

/// A counter that stops at its maximum.
pub(super) trait Counter: Copy + Ord {
    const MAX: Self;
    fn plus(self, count: u64) -> Self;
    fn get(self) -> u64;
}

impl Counter for u32 {
    const MAX: Self = u32::MAX;

    #[inline]
    fn plus(self, count: u64) -> Self {
        u32::try_from(count).map_or(Self::MAX, |count| self.saturating_add(count))
    }

    #[inline]
    fn get(self) -> u64 {
        u64::from(self)
    }
}

impl Counter for u64 {
    const MAX: Self = u64::MAX;

    #[inline]
    fn plus(self, count: u64) -> Self {
        self.saturating_add(count)
    }

    #[inline]
    fn get(self) -> u64 {
        self
    }
}

/// The counters of a table, row after row.
#[derive(Clone, PartialEq)]
pub(super) enum Counters {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

/// Runs the same code for either width.
macro_rules! with_counters {
    ($counters:expr, $cells:ident => $body:expr) => {
        match $counters {
            Counters::Narrow($cells) => $body,
            Counters::Wide($cells) => $body,
        }
    };
}
pub(super) use with_counters;

impl Counters {
    pub(super) fn new(bits: u32, count: usize) -> Self {
        if bits == 32 { Self::Narrow(vec![0; count]) } else { Self::Wide(vec![0; count]) }
    }

    /// `count` is checked against the input by the caller.
    pub(super) fn from_values(
        bits: u32,
        count: usize,
        values: impl Iterator<Item = crate::Result<u64>>,
    ) -> crate::Result<Self> {
        let mut counters = Self::new(bits, count);
        match &mut counters {
            Self::Narrow(cells) => cells.iter_mut().zip(values).try_for_each(|(cell, value)| {
                *cell = u32::try_from(value?)
                    .map_err(|_| crate::Error::malformed("a counter is wider than 32 bits"))?;
                Ok::<(), crate::Error>(())
            })?,
            Self::Wide(cells) => cells.iter_mut().zip(values).try_for_each(|(cell, value)| {
                *cell = value?;
                Ok::<(), crate::Error>(())
            })?,
        }
        Ok(counters)
    }

    pub(super) fn max(&self) -> u64 {
        match self {
            Self::Narrow(_) => u32::MAX.into(),
            Self::Wide(_) => u64::MAX,
        }
    }

    pub(super) fn clear(&mut self) {
        with_counters!(self, cells => cells.fill(0));
    }

    pub(super) fn memory_bytes(&self) -> usize {
        with_counters!(self, cells => size_of_val(cells.as_slice()))
    }

    pub(super) fn values(&self) -> impl Iterator<Item = u64> + '_ {
        let (narrow, wide) = match self {
            Self::Narrow(cells) => (cells.as_slice(), &[][..]),
            Self::Wide(cells) => (&[][..], cells.as_slice()),
        };
        narrow.iter().map(|&cell| u64::from(cell)).chain(wide.iter().copied())
    }

    /// Adds cell by cell; both have the same width and number of counters.
    pub(super) fn add_all(&mut self, other: &Self) {
        match (self, other) {
            (Self::Narrow(ours), Self::Narrow(theirs)) => {
                ours.iter_mut().zip(theirs).for_each(|(cell, &more)| *cell = cell.saturating_add(more));
            }
            (Self::Wide(ours), Self::Wide(theirs)) => {
                ours.iter_mut().zip(theirs).for_each(|(cell, &more)| *cell = cell.saturating_add(more));
            }
            _ => debug_assert!(false, "merge checks the width"),
        }
    }
}
