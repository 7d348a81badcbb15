//! Buckets of equal relative width, and the table that finds the bucket of a number.

use alloc::vec::Vec;
use core::ops::RangeInclusive;
use libm::{exp2, log2};

/// The bits of a fraction: a normal number is (1 + fraction/2⁵²) times a power of two.
const FRACTION_BITS: u32 = 52;
const ONE: u64 = 1 << FRACTION_BITS;
const FRACTION: u64 = ONE - 1;
/// The octaves of the numbers below the normal ones; octave 1 has only the smallest positive number.
const SUBNORMAL_OCTAVES: u32 = FRACTION_BITS;
/// The number of octaves. Octave o begins at 2^(o − 1075).
pub(super) const OCTAVES: u32 = SUBNORMAL_OCTAVES + 2046;
/// The bits of a boundary behind the point that are zero. They hide the last digits of `exp2`, which decide nothing.
const ROUNDED_BITS: u32 = 20;
/// The share by which rounding can lengthen a bucket and move its middle. A boundary is off by less than 2⁻³³ + 2⁻⁵²,
/// so the ratio of two, which is at most 2, grows by less than 2⁻³¹, and (r − 1)/(r + 1) by less than a half of that.
/// The middle takes three roundings of 2⁻⁵³.
pub(super) const ROUNDING: f64 = 1.0 / (1u64 << 31) as f64;

/// Buckets of which each octave has the same number: bucket o·n + j has the numbers of octave o from 2^(j/n) up to, but
/// not including, 2^((j + 1)/n) times its beginning. Buckets are numbered from n on.
///
/// The table has one cell for each of 2ᵇ equal parts of an octave, with 2ᵇ ≥ 1.5·n. A bucket is at least (ln 2)/n long,
/// more than a cell, so a cell meets one boundary at most. Say that k boundaries lie at or below the beginning of the
/// cell and one, at the fraction f, inside: the cell is (k + 1)·2⁵² − f. Adding a fraction of the cell carries into bit
/// 52 exactly if the fraction is at least f; so the sum shifted right by 52 bits is the bucket within the octave. The
/// arithmetic is that of integers: the bucket is exact, and it never decreases as the number grows.
#[derive(Clone)]
pub(super) struct Scale {
    per_octave: u32,
    shift: u32,
    /// Empty until the first insertion, so that a short file cannot claim much memory.
    cells: Vec<u64>,
}

impl Scale {
    pub(super) fn new(per_octave: u32) -> Self {
        Self { per_octave, shift: FRACTION_BITS - cells_of(per_octave).ilog2(), cells: Vec::new() }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u64>()
    }

    pub(super) fn heap_bound(&self) -> usize {
        cells_of(self.per_octave) as usize * size_of::<u64>()
    }

    /// Creates the table, if there is none.
    pub(super) fn prepare(&mut self) {
        if !self.cells.is_empty() {
            return;
        }
        let cells = cells_of(self.per_octave);
        self.cells.reserve_exact(cells as usize);
        let mut below = 0;
        let mut next = boundary(1, self.per_octave);
        for cell in 0..u64::from(cells) {
            let (begin, end) = (cell << self.shift, (cell + 1) << self.shift);
            while next <= begin {
                below += 1;
                next = boundary(below + 1, self.per_octave);
            }
            let room = if next < end { ONE - next } else { 0 };
            self.cells.push((u64::from(below) << FRACTION_BITS) + room);
        }
    }

    /// Returns the bucket of a normal number, given its bits without the sign; `None` before
    /// [`prepare`](Self::prepare).
    #[inline]
    pub(super) fn find(&self, magnitude: u64) -> Option<u32> {
        let fraction = magnitude & FRACTION;
        let cell = self.cells.get((fraction >> self.shift) as usize)?;
        let octave = (magnitude >> FRACTION_BITS) as u32 + SUBNORMAL_OCTAVES;
        Some(octave * self.per_octave + ((cell + fraction) >> FRACTION_BITS) as u32)
    }

    /// Returns the bucket of any finite number but zero, given its bits without the sign.
    pub(super) fn bucket(&self, magnitude: u64) -> u32 {
        if let Some(bucket) = self.find(magnitude).filter(|_| magnitude >= ONE) {
            return bucket;
        }
        let highest = magnitude.ilog2();
        let (octave, fraction) = if highest < FRACTION_BITS {
            (highest + 1, magnitude << (FRACTION_BITS - highest) & FRACTION)
        } else {
            ((magnitude >> FRACTION_BITS) as u32 + SUBNORMAL_OCTAVES, magnitude & FRACTION)
        };
        // A guess, which the boundaries correct.
        let guess = f64::from(self.per_octave) * log2(1.0 + fraction as f64 / ONE as f64);
        let mut part = (guess as u32).min(self.per_octave - 1);
        while boundary(part, self.per_octave) > fraction {
            part -= 1;
        }
        while boundary(part + 1, self.per_octave) <= fraction {
            part += 1;
        }
        octave * self.per_octave + part
    }

    /// Returns all bucket numbers.
    pub(super) fn buckets(&self) -> RangeInclusive<u32> {
        self.per_octave..=(OCTAVES + 1) * self.per_octave - 1
    }

    /// Returns the least and the greatest number of a bucket. The least is above the greatest if the bucket has no
    /// numbers, as some far below the normal numbers.
    pub(super) fn ends(&self, bucket: u32) -> (f64, f64) {
        let (octave, part) = (bucket / self.per_octave, bucket % self.per_octave);
        let [low, high] = [part, part + 1].map(|part| ONE + boundary(part, self.per_octave));
        let bits = |number: u64| match octave.checked_sub(SUBNORMAL_OCTAVES + 1) {
            Some(normal) => (u64::from(normal) << FRACTION_BITS) + number,
            // Fewer bits are left: the first number from the boundary on.
            None => number.div_ceil(1 << (SUBNORMAL_OCTAVES + 1 - octave)),
        };
        (f64::from_bits(bits(low)), f64::from_bits(bits(high) - 1))
    }

    /// Returns the number whose relative distance to both ends of a bucket is equal: 2ab/(a + b), at (b − a)/(a + b)
    /// from a and from b.
    pub(super) fn middle(&self, bucket: u32) -> f64 {
        let (low, high) = self.ends(bucket);
        if !low.is_normal() {
            let [a, b] = [low, high].map(|end| u128::from(end.to_bits()));
            return f64::from_bits((2 * a * b / (a + b)) as u64);
        }
        // Of numbers from 1 to 2, where nothing overflows; the power of two is exact.
        let power = low.to_bits() & !FRACTION;
        let [a, b] = [low, high].map(|end| f64::from_bits(end.to_bits() - power + 1f64.to_bits()));
        let middle = (a * b / (0.5 * (a + b))).clamp(a, b);
        f64::from_bits(middle.to_bits() - 1f64.to_bits() + power)
    }
}

/// Returns the number of cells of the table.
fn cells_of(per_octave: u32) -> u32 {
    (3 * per_octave).div_ceil(2).next_power_of_two()
}

/// Returns the fraction at which a part of an octave begins: 2^(part/parts) − 1, rounded to 32 bits, in units of 2⁻⁵².
pub(super) fn boundary(part: u32, parts: u32) -> u64 {
    if part == parts {
        return ONE;
    }
    let half = 1 << (ROUNDED_BITS - 1);
    ((exp2(f64::from(part) / f64::from(parts)).to_bits() & FRACTION) + half) >> ROUNDED_BITS << ROUNDED_BITS
}
