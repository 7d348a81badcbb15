//! Packed counters at the positions of a Bloom filter: one table for all filters that count.
//!
//! A counter that reaches its maximum stays there, since its true value is unknown from then on. An item
//! whose positions coincide counts once at each position, so that removing it is the exact inverse of
//! inserting it.

use super::bloom_filter::BloomParams;
use super::bloom_filter::params::{MAX_HASHES, lines_touched};
use crate::bits::{BitVec, PackedArray};
use crate::hash::Probes;
use crate::membership::FilterPlan;
use crate::memory::CACHED_BYTES;
use crate::sketch::narrow;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// The largest table: 128 GiB, or 256 MiB on platforms with 32-bit addresses.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 31 } else { 1 << 40 };

/// The number of counters, the number of counters per item, and their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    places: BloomParams,
    counter_bits: u32,
}

impl Shape {
    pub(super) fn for_fpr(items: u64, fpr: f64, counter_bits: u32) -> Result<Self> {
        Self { places: BloomParams::for_fpr(items, fpr)?, counter_bits }.checked()
    }

    pub(super) fn for_memory(bytes: u64, items: u64, counter_bits: u32) -> Result<Self> {
        // The array ends with a spare word.
        let words = (bytes / 8).saturating_sub(1) / u64::from(counter_bits);
        if words == 0 || bytes > MAX_BITS / 8 {
            return Err(Error::invalid(format!(
                "a table of {counter_bits}-bit counters takes from {} bytes to {} MiB, got {bytes} bytes; \
                 choose a size in between",
                8 * (counter_bits + 1),
                MAX_BITS >> 23
            )));
        }
        Self { places: BloomParams::for_memory(8 * words, items)?, counter_bits }.checked()
    }

    pub(super) fn exact(counters: u64, hashes: u32, counter_bits: u32) -> Result<Self> {
        Self { places: BloomParams::exact(counters, hashes)?, counter_bits }.checked()
    }

    pub(super) fn with_counter_bits(self, bits: u32, allowed: &RangeInclusive<u32>) -> Result<Self> {
        if !allowed.contains(&bits) {
            return Err(Error::invalid(format!(
                "counters have from {} to {} bits, got {bits}; choose a width in between",
                allowed.start(),
                allowed.end()
            )));
        }
        Self { counter_bits: bits, ..self }.checked()
    }

    fn checked(self) -> Result<Self> {
        if self.places.bits() <= MAX_BITS / u64::from(self.counter_bits) {
            return Ok(self);
        }
        Err(Error::invalid(format!(
            "{} counters of {} bits take more than {} MiB; choose a smaller table",
            self.places.bits(),
            self.counter_bits,
            MAX_BITS >> 23
        )))
    }

    /// Returns the params of the Bloom filter whose ones are the counters above 0.
    pub(super) fn places(&self) -> BloomParams {
        self.places
    }

    pub(super) fn counter_bits(&self) -> u32 {
        self.counter_bits
    }

    /// Returns the maximum of a counter.
    pub(super) fn max(&self) -> u64 {
        (1 << self.counter_bits) - 1
    }

    /// Returns the memory of the counters in bytes, including the spare word.
    pub(super) fn memory_bytes(&self) -> u64 {
        ((self.places.bits() * u64::from(self.counter_bits)).div_ceil(64) + 1) * 8
    }

    pub(super) fn plan(&self, items: u64, own_bytes: usize) -> FilterPlan {
        FilterPlan {
            memory_bytes: own_bytes as u64 + self.memory_bytes(),
            fpr: self.places.fpr_at(items),
            cache_lines: lines_touched(self.memory_bytes(), self.places.hashes()),
            parameters: vec![
                ("counters", self.places.bits()),
                ("hashes", u64::from(self.places.hashes())),
                ("counter_bits", u64::from(self.counter_bits)),
            ],
        }
    }

    /// Returns the numbers of counters, hashes and counter bits, as files store them.
    pub(super) fn numbers(&self) -> [u64; 3] {
        [self.places.bits(), self.places.hashes().into(), self.counter_bits.into()]
    }

    /// Creates a shape from the [numbers](Self::numbers) in a file.
    pub(super) fn of(numbers: &[u64], allowed: &RangeInclusive<u32>) -> Result<Self> {
        Self::exact(numbers[0], narrow(numbers[1])?, *allowed.start())?
            .with_counter_bits(narrow(numbers[2])?, allowed)
    }
}

/// The counters, and the number of counters above 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counters {
    shape: Shape,
    cells: PackedArray,
    ones: u64,
}

impl Counters {
    pub(super) fn new(shape: Shape) -> Self {
        let cells = PackedArray::new(shape.counter_bits, shape.places.bits() as usize);
        Self { shape, cells, ones: 0 }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn cells(&self) -> &PackedArray {
        &self.cells
    }

    /// Returns the number of counters above 0.
    pub(super) fn ones(&self) -> u64 {
        self.ones
    }

    /// Returns the number of saturated counters.
    pub(super) fn saturated(&self) -> u64 {
        self.values().filter(|&value| value == self.shape.max()).count() as u64
    }

    fn values(&self) -> impl Iterator<Item = u64> + '_ {
        self.cells.iter().map(u64::from)
    }

    #[inline]
    fn probes(&self, hash: u64) -> impl Iterator<Item = u64> + use<> {
        Probes::new(hash, self.shape.places.bits()).take(self.shape.places.hashes() as usize)
    }

    /// Visits the distinct positions of an item.
    #[inline]
    fn for_each_place(&mut self, hash: u64, visit: impl FnMut(&mut Self, u64)) {
        // Clearing room for the maximum number of functions would cost more than the usual few need.
        if self.shape.places.hashes() <= 16 {
            self.for_each_of::<16>(hash, visit);
        } else {
            self.for_each_of::<{ MAX_HASHES as usize }>(hash, visit);
        }
    }

    #[inline]
    fn for_each_of<const MOST: usize>(&mut self, hash: u64, mut visit: impl FnMut(&mut Self, u64)) {
        let mut positions = [0; MOST];
        let positions = &mut positions[..self.shape.places.hashes() as usize];
        for (place, position) in positions.iter_mut().zip(self.probes(hash)) {
            *place = position;
        }
        for (i, &position) in positions.iter().enumerate() {
            if !positions[..i].contains(&position) {
                visit(self, position);
            }
        }
    }

    #[inline]
    fn get(&self, position: u64) -> u64 {
        u64::from(self.cells.get(position as usize))
    }

    /// Returns whether no counter of the item is 0.
    #[inline]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.probes(hash).all(|position| self.get(position) > 0)
    }

    /// Returns the smallest counter of the item.
    #[inline]
    pub(super) fn smallest(&self, hash: u64) -> u64 {
        self.probes(hash).map(|position| self.get(position)).min().unwrap_or(0)
    }

    /// Adds `count` to the item's counters; returns true if one of them was 0.
    #[inline]
    pub(super) fn add(&mut self, hash: u64, count: u64) -> bool {
        let before = self.ones;
        self.for_each_place(hash, |counters, position| counters.raise(position, count));
        self.ones > before
    }

    #[inline]
    fn raise(&mut self, position: u64, count: u64) {
        let max = self.shape.max();
        let before = self
            .cells
            .update(position as usize, |value| u64::from(value).saturating_add(count).min(max) as u32);
        self.ones += u64::from(before == 0 && count > 0);
    }

    /// Raises the item's counters only as far as needed for the smallest to grow by `count`.
    pub(super) fn add_minimally(&mut self, hash: u64, count: u64) {
        let raised = self.smallest(hash).saturating_add(count).min(self.shape.max());
        self.for_each_place(hash, |counters, position| {
            let value = counters.get(position);
            counters.raise(position, raised.saturating_sub(value));
        });
    }

    /// Subtracts `count` from the item's counters, the smallest of which is at least `count`; returns true if
    /// a saturated counter was left unchanged.
    pub(super) fn remove(&mut self, hash: u64, count: u64) -> bool {
        let mut met_stopped = false;
        self.for_each_place(hash, |counters, position| met_stopped |= !counters.lower(position, count));
        met_stopped
    }

    /// Subtracts from a counter; returns false if it was left unchanged because it is saturated.
    #[inline]
    fn lower(&mut self, position: u64, count: u64) -> bool {
        let max = self.shape.max() as u32;
        let before = self
            .cells
            .update(position as usize, |value| if value == max { value } else { value - count as u32 });
        self.ones -= u64::from(u64::from(before) == count && before != max && count > 0);
        before != max || count == 0
    }

    /// Prefetches the cache lines of these items, unless the table stays in the cache by itself.
    #[inline]
    pub(super) fn prefetch(&self, hashes: &[u64]) {
        if self.cells.memory_bytes() < CACHED_BYTES {
            return;
        }
        for &hash in hashes {
            for position in self.probes(hash) {
                self.cells.prefetch(position as usize);
            }
        }
    }

    /// Adds the counters of a table of the same shape.
    pub(super) fn merge(&mut self, other: &Self) {
        for position in 0..self.shape.places.bits() {
            self.raise(position, other.get(position));
        }
    }

    /// Returns a bit vector in which a bit is set if its counter is above 0.
    pub(super) fn to_bits(&self) -> BitVec {
        let mut bits = BitVec::new(self.shape.places.bits());
        for (position, value) in (0..).zip(self.values()) {
            if value > 0 {
                bits.set(position);
            }
        }
        bits
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.memory_bytes()
    }

    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        self.cells.to_bytes(payload);
    }

    pub(super) fn read(shape: Shape, bytes: &[u8]) -> Result<Self> {
        let count = shape.places.bits();
        let cells = PackedArray::from_bytes(shape.counter_bits, count as usize, bytes).ok_or_else(|| {
            Error::malformed(format!("the payload is not {count} counters of {} bits", shape.counter_bits))
        })?;
        let ones = cells.iter().filter(|&value| value > 0).count() as u64;
        Ok(Self { shape, cells, ones })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn table(counters: u64, hashes: u32, bits: u32) -> Counters {
        Counters::new(Shape::exact(counters, hashes, bits).unwrap())
    }

    /// LOPES Alg. 6 to 8 on the positions of Fig. 4, where two names share one position.
    #[test]
    fn worked_example_of_lopes() {
        let mut counters = table(16, 2, 4);
        let names = [[6, 11], [10, 9], [4, 12], [3, 1], [14, 4]].map(|pair| pair.map(|p: u64| p - 1));
        for position in names.into_iter().flatten() {
            counters.raise(position, 1);
        }
        let values: Vec<u32> = counters.cells().iter().collect();
        assert_eq!(values, [1, 0, 1, 2, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0]);
        assert_eq!(counters.ones(), 9);
        let contains = |counters: &Counters, pair: [u64; 2]| pair.iter().all(|&p| counters.get(p - 1) >= 1);
        assert!(contains(&counters, [3, 1])); // Ford Prefect
        assert!(!contains(&counters, [14, 5])); // Slartibartfast
        assert!(contains(&counters, [11, 3])); // Fenchurch: a false positive
        for position in names[4] {
            assert!(counters.lower(position, 1)); // Marvin is removed
        }
        assert!(!contains(&counters, [14, 4]) && contains(&counters, [4, 12]));
        assert_eq!((counters.ones(), counters.get(3)), (8, 1));
    }

    /// Compares with plain numbers that stop at the maximum and then stay.
    #[test]
    fn counters_stop_and_stay() {
        let mut rng = Rng::new(5);
        for bits in [2, 3, 4, 7, 16, 32] {
            let mut counters = table(41, 3, bits);
            let max = counters.shape().max();
            let mut plain = [0u64; 41];
            for _ in 0..2000 {
                let position = rng.below(41);
                let place = &mut plain[position as usize];
                let count = rng.below(max / 2 + 1);
                if rng.below(3) > 0 {
                    counters.raise(position, count);
                    *place = (*place + count).min(max);
                } else if *place >= count {
                    assert_eq!(counters.lower(position, count), *place < max || count == 0);
                    *place -= if *place < max { count } else { 0 };
                }
                assert!(counters.values().eq(plain), "{bits} bits");
                assert_eq!(counters.ones(), plain.iter().filter(|&&value| value > 0).count() as u64);
                assert_eq!(counters.saturated(), plain.iter().filter(|&&value| value == max).count() as u64);
            }
        }
    }

    /// With five positions and eight functions, positions always coincide.
    #[test]
    fn positions_that_coincide_count_once() {
        for hash in (0..100u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            let mut counters = table(5, 8, 4);
            assert!(counters.add(hash, 3));
            assert!(counters.values().all(|value| value == 0 || value == 3));
            assert_eq!(counters.smallest(hash), 3);
            assert!(!counters.remove(hash, 3));
            assert_eq!(counters, table(5, 8, 4));
            counters.add_minimally(hash, 3);
            assert_eq!(counters.smallest(hash), 3);
        }
    }

    #[test]
    fn memory_is_used_and_not_exceeded() {
        for bits in 2..=16 {
            for bytes in [8 * u64::from(bits + 1), 1000, 1 << 20] {
                let shape = Shape::for_memory(bytes, 100, bits).unwrap();
                assert!(shape.memory_bytes() <= bytes, "{bits} bits in {bytes} bytes");
                assert!(
                    shape.memory_bytes() + 8 * u64::from(bits + 1) > bytes,
                    "{bits} bits in {bytes} bytes"
                );
                assert_eq!(Counters::new(shape).memory_bytes() as u64, shape.memory_bytes());
            }
            assert!(Shape::for_memory(8 * u64::from(bits + 1) - 1, 100, bits).is_err());
        }
    }
}
