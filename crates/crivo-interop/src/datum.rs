//! The bytes of an item that its hash reads.

use std::borrow::Cow;

/// An item as `DataSketches` hashes it: a whole number of any width as 64 bits, lowest byte first; a floating-point number as 64
/// bits too, after 0 for −0 and one NaN for all; a text as UTF-8. Equal numbers of different types therefore differ only between
/// whole and floating-point ones. An empty text or byte string is no item: no sketch counts it.
///
/// The C++ library takes unsigned numbers of 8, 16 and 32 bits for signed ones of their width, so that `200u8` is -56 there: insert
/// `i64` or `u64` into sketches that it will merge.
pub trait Datum {
    /// Calls `run` with the bytes.
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R;
}

macro_rules! whole_numbers {
    ($($number:ty as $wide:ty),*) => {$(
        impl Datum for $number {
            #[inline]
            fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
                run(&<$wide>::from(*self).to_le_bytes())
            }
        }
    )*};
}

// A u32 is positive as an i64 too, so that the sign of the wide type makes no difference.
whole_numbers!(i8 as i64, i16 as i64, i32 as i64, i64 as i64, u8 as u64, u16 as u64, u32 as u64, u64 as u64);

impl Datum for f64 {
    #[inline]
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        const NAN: u64 = 0x7ff8_0000_0000_0000;
        let bits = if self.is_nan() { NAN } else { (self + 0.0).to_bits() };
        run(&bits.to_le_bytes())
    }
}

impl Datum for f32 {
    #[inline]
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        f64::from(*self).with_bytes(run)
    }
}

impl Datum for [u8] {
    #[inline]
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        run(self)
    }
}

impl Datum for str {
    #[inline]
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        run(self.as_bytes())
    }
}

macro_rules! borrowed {
    ($([$($generic:tt)*] $owner:ty),*) => {$(
        impl<$($generic)*> Datum for $owner {
            #[inline]
            fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
                (**self).with_bytes(run)
            }
        }
    )*};
}

borrowed!([T: Datum + ?Sized] &T, [] String, [] Vec<u8>, [] Cow<'_, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_widths_are_one_item() {
        let bytes = |datum: &dyn Fn(&mut Vec<u8>)| {
            let mut out = Vec::new();
            datum(&mut out);
            out
        };
        let of_i64 = bytes(&|out| 7i64.with_bytes(|bytes| out.extend_from_slice(bytes)));
        let of_u8 = bytes(&|out| 7u8.with_bytes(|bytes| out.extend_from_slice(bytes)));
        assert_eq!(of_i64, [7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(of_u8, of_i64);
        (-1i32).with_bytes(|bytes| assert_eq!(bytes, [255; 8]));
        (-0.0f64).with_bytes(|bytes| assert_eq!(bytes, [0; 8]));
        (-f64::NAN).with_bytes(|bytes| assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0xf8, 0x7f]));
        1.5f32.with_bytes(|bytes| assert_eq!(bytes, 1.5f64.to_le_bytes()));
    }
}
