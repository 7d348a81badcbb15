//! The values that a cell can store.

use crate::codec::Reader;
use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// The bits of a cell, in the order of the values that they encode; 0 is an empty cell.
pub trait Cell: Copy + Ord + Default + Send + Sync + fmt::Debug + sealed::Sealed + 'static {
    #[doc(hidden)]
    fn put(self, bytes: &mut Vec<u8>);
    /// Reads a cell from `bytes`, which has the length of a cell.
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Self;
}

/// A value that a [`LinearBloom`](crate::LinearBloom) can store: any number type of Rust up to 64 bits.
///
/// A cell takes as many bytes as the value. An empty cell must differ from every value: floats use the bits of NaN,
/// which has no place in an order and is refused. Integers have no unused bits, so their greatest value is refused. −0
/// is stored as 0.
pub trait CellValue:
    Copy + PartialOrd + fmt::Debug + fmt::Display + Send + Sync + sealed::Sealed + 'static
{
    /// The bits of a cell with such a value.
    type Cell: Cell;
    /// The tag of the type in files.
    #[doc(hidden)]
    const TAG: u8;
    /// The name of the type.
    #[doc(hidden)]
    const NAME: &'static str = name_of(Self::TAG);

    /// Converts the value to a cell, or returns an error if it has none.
    #[doc(hidden)]
    fn to_cell(self) -> Result<Self::Cell>;
    /// Returns the value of an occupied cell.
    #[doc(hidden)]
    fn from_cell(cell: Self::Cell) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

each_type!(Bits in u8, u16, u32, u64 => {
    impl Cell for Bits {
        fn put(self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }

        fn read(bytes: &[u8]) -> Self {
            bytes.try_into().map_or(0, Self::from_le_bytes)
        }
    }
});

// Integers are numbered from the smallest, which is 1.
each_type!(Integer in
    u64 { type Bits = u64; const KNOWN_TAG: u8 = 1; },
    i64 { type Bits = u64; const KNOWN_TAG: u8 = 2; },
    u32 { type Bits = u32; const KNOWN_TAG: u8 = 4; },
    i32 { type Bits = u32; const KNOWN_TAG: u8 = 5; },
    u16 { type Bits = u16; const KNOWN_TAG: u8 = 7; },
    i16 { type Bits = u16; const KNOWN_TAG: u8 = 8; },
    u8 { type Bits = u8; const KNOWN_TAG: u8 = 9; },
    i8 { type Bits = u8; const KNOWN_TAG: u8 = 10; }
=> {
    impl CellValue for Integer {
        type Cell = Bits;
        const TAG: u8 = KNOWN_TAG;

        #[inline]
        fn to_cell(self) -> Result<Bits> {
            let rank = (self as Bits).wrapping_sub(Self::MIN as Bits);
            rank.checked_add(1).ok_or_else(|| no_cell(self, Self::NAME))
        }

        #[inline]
        fn from_cell(cell: Bits) -> Self {
            (cell.wrapping_sub(1)).wrapping_add(Self::MIN as Bits) as Self
        }
    }
    impl sealed::Sealed for Integer {}
});

// The bits of positive floats ascend with their values, those of negative floats descend.
each_type!(Float in
    f64 { type Bits = u64; const KNOWN_TAG: u8 = 3; },
    f32 { type Bits = u32; const KNOWN_TAG: u8 = 6; }
=> {
    impl CellValue for Float {
        type Cell = Bits;
        const TAG: u8 = KNOWN_TAG;

        #[inline]
        fn to_cell(self) -> Result<Bits> {
            if self.is_nan() {
                return Err(no_cell(self, Self::NAME));
            }
            let bits = (self + 0.0).to_bits();
            Ok(if bits & SIGN == 0 { bits | SIGN } else { !bits })
        }

        #[inline]
        fn from_cell(cell: Bits) -> Self {
            Self::from_bits(if cell & SIGN == 0 { !cell } else { cell ^ SIGN })
        }
    }
    const SIGN: Bits = 1 << (Bits::BITS - 1);
    impl sealed::Sealed for Float {}
});

/// Returns the name of the type with this tag.
const fn name_of(tag: u8) -> &'static str {
    const NAMES: [&str; 10] = ["u64", "i64", "f64", "u32", "i32", "f32", "u16", "i16", "u8", "i8"];
    if 0 < tag && tag <= 10 { NAMES[tag as usize - 1] } else { "an unknown type" }
}

/// Refuses a file whose values have another tag.
pub(super) fn check_values<V: CellValue>(tag: u64) -> Result<()> {
    Reader::new(&[u8::try_from(tag).unwrap_or_default()]).tag(V::TAG, V::NAME, name_of)
}

#[cold]
fn no_cell(value: impl fmt::Display, name: &str) -> Error {
    Error::invalid(format!(
        "a cell can store every {name} except {value}, which marks an empty cell; leave it out"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps<V: CellValue>(ascending: &[V]) {
        let cells: Vec<V::Cell> = ascending.iter().map(|value| value.to_cell().unwrap()).collect();
        assert!(cells.windows(2).all(|pair| pair[0] < pair[1]), "{ascending:?}");
        assert!(cells[0] > V::Cell::default(), "empty is no value");
        assert!(cells.iter().zip(ascending).all(|(&cell, value)| V::from_cell(cell) == *value));
    }

    #[test]
    fn cells_are_in_the_order_of_values_and_lose_none() {
        let infinite = f64::INFINITY;
        keeps(&[
            -infinite,
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
            infinite,
        ]);
        keeps(&[f32::NEG_INFINITY, -1.5, 0.0, 1e-45, 2.5, f32::INFINITY]);
        keeps(&[0, 1, u64::MAX - 1]);
        keeps(&[0, 1, u32::MAX - 1]);
        keeps(&[i64::MIN, -1, 0, 1, i64::MAX - 1]);
        keeps(&[i32::MIN, -1, 0, 1, i32::MAX - 1]);
        keeps(&[i16::MIN, -1, 0, 1, i16::MAX - 1]);
        keeps(&[0, 1, u16::MAX - 1]);
        keeps(&(0..u8::MAX).collect::<Vec<_>>());
        keeps(&(i8::MIN..i8::MAX).collect::<Vec<_>>());
    }

    #[test]
    fn tags_are_named() {
        assert_eq!(
            [u64::NAME, i64::NAME, f64::NAME, u32::NAME, i32::NAME],
            ["u64", "i64", "f64", "u32", "i32"]
        );
        assert_eq!([f32::NAME, u16::NAME, i16::NAME, u8::NAME, i8::NAME], ["f32", "u16", "i16", "u8", "i8"]);
        assert_eq!((name_of(0), name_of(11)), ("an unknown type", "an unknown type"));
    }

    #[test]
    fn values_without_a_cell_are_refused() {
        assert!(f64::NAN.to_cell().is_err() && (-f32::NAN).to_cell().is_err());
        assert!(u8::MAX.to_cell().is_err() && i8::MAX.to_cell().is_err());
        assert!(u64::MAX.to_cell().is_err() && i64::MAX.to_cell().is_err());
        assert_eq!((-0.0f64).to_cell(), 0.0f64.to_cell());
        assert_eq!((-0.0f32).to_cell(), 0.0f32.to_cell());
    }
}
