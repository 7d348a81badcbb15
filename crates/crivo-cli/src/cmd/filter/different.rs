//! The distinct items of an input, by their hashes.

use crate::input::{Input, Totals, Wants};
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo_report::{count, size};
use std::ops::ControlFlow;

/// What is kept of a distinct item.
pub(super) trait Entry: Copy {
    /// Of an item that came once.
    fn new(hash: u64) -> Self;
    fn hash(&self) -> u64;
    /// Takes in another entry of the same item.
    fn merge(&mut self, other: &Self);
}

/// The hash alone.
impl Entry for u64 {
    fn new(hash: u64) -> Self {
        hash
    }

    fn hash(&self) -> u64 {
        *self
    }

    fn merge(&mut self, _: &Self) {}
}

/// A hash, and how often its item came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counted {
    pub(super) hash: u64,
    pub(super) times: u64,
}

impl Entry for Counted {
    fn new(hash: u64) -> Self {
        Self { hash, times: 1 }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn merge(&mut self, other: &Self) {
        self.times += other.times;
    }
}

/// The hashes of all distinct items, sorted, and how much was read; `advice` says what to do when they are too
/// many for the memory.
pub(super) fn different_hashes<E: Entry>(
    input: Input,
    spec: HashSpec,
    max_memory: u64,
    advice: &'static str,
) -> Result<(Vec<E>, Totals)> {
    let mut different = Different::new(max_memory, advice);
    let totals = input.read(Wants::hashes(spec), |batch| {
        different.extend(batch.hashes)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((different.finish(), totals))
}

/// Returns the memory that suffices to collect the hashes of this many distinct items.
pub(crate) fn memory_to_collect(items: u64) -> u64 {
    // Three quarters of the limit below may be filled.
    items.saturating_add(8).saturating_mul(16)
}

/// The distinct hashes of a stream, in bounded memory.
struct Different<E> {
    /// Its capacity doubles from a fraction of the limit to the limit.
    hashes: Vec<E>,
    limit: usize,
    max_memory: u64,
    advice: &'static str,
}

impl<E: Entry> Different<E> {
    fn new(max_memory: u64, advice: &'static str) -> Self {
        const FEW: usize = 1 << 20;
        // While it doubles, the old half and the new whole are there: 12 bytes for each hash that fits.
        let bytes = (size_of::<E>() + size_of::<E>() / 2) as u64;
        let limit = usize::try_from(max_memory / bytes).unwrap_or(usize::MAX / 32).max(16);
        let halvings = (limit / FEW).checked_ilog2().map_or(0, |halvings| halvings + 1);
        let mut hashes = Vec::new();
        hashes.reserve_exact((limit >> halvings).max(1));
        Self { hashes, limit, max_memory, advice }
    }

    fn extend(&mut self, mut hashes: &[u64]) -> Result<()> {
        loop {
            let (fitting, rest) =
                hashes.split_at(hashes.len().min(self.hashes.capacity() - self.hashes.len()));
            self.hashes.extend(fitting.iter().map(|&hash| E::new(hash)));
            if rest.is_empty() {
                return Ok(());
            }
            self.make_room()?;
            hashes = rest;
        }
    }

    /// Removes duplicates; if few were found, doubles the memory, so that all sorts together cost a few.
    fn make_room(&mut self) -> Result<()> {
        self.tidy();
        let (length, capacity) = (self.hashes.len(), self.hashes.capacity());
        if length <= capacity / 2 {
            return Ok(());
        }
        if capacity < self.limit {
            self.hashes.reserve_exact((2 * capacity).min(self.limit) - length);
        } else if length > capacity / 4 * 3 {
            bail!(
                "more than {} distinct items, too many to keep in --max-memory {}; {}",
                count(length as u64),
                size(self.max_memory),
                self.advice
            );
        }
        Ok(())
    }

    fn tidy(&mut self) {
        self.hashes.sort_unstable_by_key(Entry::hash);
        self.hashes.dedup_by(|later, earlier| {
            let are_equal = later.hash() == earlier.hash();
            if are_equal {
                earlier.merge(later);
            }
            are_equal
        });
    }

    fn finish(mut self) -> Vec<E> {
        self.tidy();
        self.hashes.shrink_to_fit();
        self.hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_hashes_stay_within_the_memory() {
        for max_memory in [12_000, 12 * (2 << 20)] {
            let most = max_memory / 12;
            let mut different = Different::<u64>::new(max_memory, "");
            for round in 0..12 {
                let hashes: Vec<u64> = (0..most / 4).map(|i| (i * 3 + round) % (most * 3 / 5)).collect();
                let before = different.hashes.capacity();
                different.extend(&hashes).unwrap();
                let after = different.hashes.capacity();
                let peak = if after == before { after } else { after + before };
                assert!(8 * peak as u64 <= max_memory, "{before} and {after} of {max_memory}");
            }
            let many: Vec<u64> = (0..2 * most).collect();
            assert!(different.extend(&many).is_err(), "more than the memory holds");
        }
    }

    #[test]
    fn enough_memory_is_enough() {
        for items in [1, 1000, 2 << 20] {
            let mut different = Different::<u64>::new(memory_to_collect(items), "");
            for _ in 0..3 {
                different.extend(&(0..items).collect::<Vec<_>>()).unwrap();
            }
            assert_eq!(different.finish().len() as u64, items);
        }
    }

    #[test]
    fn a_little_memory_holds_a_little() {
        let mut few = Different::<Counted>::new(1, "");
        few.extend(&[3; 100]).unwrap();
        assert_eq!(few.finish(), [Counted { hash: 3, times: 100 }]);
    }
}
