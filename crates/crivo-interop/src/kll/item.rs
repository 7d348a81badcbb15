//! The values that a sketch can keep.

use crivo::foreign::{Reader, malformed};
use crivo::{Number, Result};
use std::cmp::Ordering;
use std::fmt::Debug;

/// A value of a KLL or REQ sketch, with its bytes.
pub trait KllItem: Clone + Debug + PartialEq {
    /// The name of the type.
    const NAME: &'static str;
    /// Makes a number of a value; texts are none.
    const NUMBER: Option<fn(Self) -> Number>;
    /// Compares two values that have a rank.
    fn order(&self, other: &Self) -> Ordering;
    /// Returns whether the value has a rank; NaN has none.
    fn has_rank(&self) -> bool {
        true
    }
    /// Reads a value.
    ///
    /// # Errors
    /// Returns `Malformed` for bytes that are none.
    fn read(reader: &mut Reader<'_>) -> Result<Self>;
    /// Writes the value.
    fn write(&self, bytes: &mut Vec<u8>);
}

macro_rules! floating_point {
    ($($number:ty),*) => {$(
        impl KllItem for $number {
            const NAME: &'static str = stringify!($number);
            const NUMBER: Option<fn(Self) -> Number> = Some(|value| Number::from(f64::from(value)));

            fn order(&self, other: &Self) -> Ordering {
                // Both zeros are equal, and NaN never comes here.
                self.partial_cmp(other).unwrap_or(Ordering::Equal)
            }

            fn has_rank(&self) -> bool {
                !self.is_nan()
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self> {
                Ok(Self::from_le_bytes(reader.array()?))
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

floating_point!(f32, f64);

macro_rules! whole_number {
    ($($number:ty),*) => {$(
        impl KllItem for $number {
            const NAME: &'static str = stringify!($number);
            const NUMBER: Option<fn(Self) -> Number> = Some(|value| Number::from(i64::from(value)));

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn read(reader: &mut Reader<'_>) -> Result<Self> {
                Ok(Self::from_le_bytes(reader.array()?))
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

whole_number!(i32, i64);

impl KllItem for String {
    const NAME: &'static str = "text";
    const NUMBER: Option<fn(Self) -> Number> = None;

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let length = reader.u32()? as usize;
        let text = reader.bytes(length)?.to_vec();
        Self::from_utf8(text).map_err(|_| malformed("a text is not UTF-8"))
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend(self.as_bytes());
    }
}
