//! Order-preserving maps from numbers to 64-bit places.

use crate::Element;

/// A number that a [`DyadicCountMin`](super::DyadicCountMin) can count: `u64`, `i64` or `f64`, mapped to 64 bits so
/// that the order is kept. The trait cannot be implemented for other types.
pub trait Ordinal: Element + Copy {
    /// Whether the type needs all 64 bits, regardless of the values.
    const NEEDS_ALL_BITS: bool;

    /// Maps the number to its place in a universe of this many bits. The place of a number outside the universe is too
    /// large for it.
    fn place(&self, bits: u32) -> u64;

    /// Returns the number at a place, or the nearest one.
    fn at(place: u64, bits: u32) -> Self;
}

impl Ordinal for u64 {
    const NEEDS_ALL_BITS: bool = false;

    #[inline]
    fn place(&self, _: u32) -> u64 {
        *self
    }

    fn at(place: u64, _: u32) -> Self {
        place
    }
}

/// Zero lies in the middle of the universe: half of the places are negative.
impl Ordinal for i64 {
    const NEEDS_ALL_BITS: bool = false;

    #[inline]
    fn place(&self, bits: u32) -> u64 {
        (*self as u64).wrapping_add(1 << (bits - 1))
    }

    fn at(place: u64, bits: u32) -> Self {
        place.wrapping_sub(1 << (bits - 1)) as i64
    }
}

const SIGN: u64 = 1 << 63;

/// The bits of a float ascend above zero and descend below it.
impl Ordinal for f64 {
    const NEEDS_ALL_BITS: bool = true;

    #[inline]
    fn place(&self, _: u32) -> u64 {
        let bits = (*self + 0.0).to_bits();
        if bits & SIGN == 0 { bits | SIGN } else { !bits }
    }

    /// Places beyond the infinities belong to NaN. The place of −0 is unused and maps to 0.
    fn at(place: u64, bits: u32) -> Self {
        let place = place.clamp(Self::NEG_INFINITY.place(bits), Self::INFINITY.place(bits));
        Self::from_bits(if place & SIGN == 0 { !place } else { place ^ SIGN }) + 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_the_order_and_round_trip() {
        let reals = [f64::NEG_INFINITY, -1e300, -1.5, -1e-320, 0.0, 1e-320, 2.0, f64::MAX, f64::INFINITY];
        for pair in reals.windows(2) {
            assert!(pair[0].place(64) < pair[1].place(64), "{pair:?}");
        }
        for real in reals {
            assert_eq!(f64::at(real.place(64), 64).to_bits(), real.to_bits());
        }
        assert_eq!((-0.0f64).place(64), 0.0f64.place(64));
        assert_eq!(f64::at(0, 64), f64::NEG_INFINITY);
        assert_eq!(f64::at(u64::MAX, 64), f64::INFINITY);
        assert_eq!(f64::at(0.0f64.place(64) - 1, 64).to_bits(), 0);
        for bits in [1, 8, 64] {
            let low = i64::MIN >> (64 - bits);
            for value in [low, -1, 0, -(low + 1)] {
                assert_eq!(i64::at(value.place(bits), bits), value);
                assert!(bits == 64 || value.place(bits) < 1 << bits);
            }
            assert_eq!(low.place(bits), 0);
        }
        assert!((-129i64).place(8) > 255 && 128i64.place(8) > 255);
    }
}
