//! The values that sketches can keep.

mod kept;
mod number;
mod widths;

pub(crate) use kept::{KeptSize, OfElements};
pub use number::Number;

use crate::codec::{Reader, put_u64_varint};
use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// A value that a sketch can keep, order and write to a file.
///
/// Integers of every width, `f32`, `f64`, `bool`, `String`, `Vec<u8>` and `IpAddr` are elements, and so is
/// [`Number`](crate::Number) if the type of a number is not known in advance. A file does not depend on the width: a sketch
/// of `u32` values can be read as a sketch of `u64` values, and the other way round if all its values fit. The same
/// holds for `f32` and `f64`, and for `IpAddr` and its octets as `Vec<u8>`, whose order it has. To implement the trait for your
/// own type, delegate to its fields:
///
/// ```
/// use crivo::{Element, Kll};
/// use std::cmp::Ordering;
/// #[derive(Clone, Debug, PartialEq)]
/// struct Visit { seconds: u64, page: String }
/// impl Element for Visit {
///     const TAG: u8 = 200;
///     fn order(&self, other: &Self) -> Ordering {
///         self.seconds.order(&other.seconds).then_with(|| self.page.order(&other.page))
///     }
///     fn heap_bytes(&self) -> usize {
///         self.page.heap_bytes()
///     }
///     fn encode(&self, bytes: &mut Vec<u8>) {
///         self.seconds.encode(bytes);
///         self.page.encode(bytes);
///     }
///     fn decode(bytes: &mut &[u8]) -> crivo::Result<Self> {
///         Ok(Self { seconds: u64::decode(bytes)?, page: String::decode(bytes)? })
///     }
/// }
/// let mut visits = Kll::for_k(200)?;
/// for (seconds, page) in [(30, "news"), (5, "home"), (70, "news")] {
///     visits.insert(Visit { seconds, page: page.into() })?;
/// }
/// assert_eq!(visits.quantile(0.5)?.value().seconds, 30);
/// assert_eq!(Kll::<Visit>::from_bytes(&visits.to_bytes())?, visits);
/// # Ok::<(), crivo::Error>(())
/// ```
pub trait Element: Clone + fmt::Debug + Send + Sync + 'static {
    /// Distinguishes the bytes of this type from those of other types. Tags from 128 on are free for your own
    /// types. [`decode`](crate::decode) does not know them; read their sketches with `from_bytes` of the
    /// concrete type.
    const TAG: u8;

    /// Compares two values in a total order.
    fn order(&self, other: &Self) -> Ordering;

    /// Returns whether the value has a rank among others: NaN has none.
    fn has_rank(&self) -> bool {
        true
    }

    /// Returns whether the value is less than another by [`order`](Self::order), where both have a rank. A sort is faster
    /// if this takes a single comparison.
    #[inline]
    fn is_below(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Less
    }

    /// Returns the heap memory of the value in bytes.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Appends the bytes of the value. Equal values have equal bytes, and [`decode`](Self::decode) can tell
    /// where they end.
    fn encode(&self, bytes: &mut Vec<u8>);

    /// Takes what [`encode`](Self::encode) wrote off the front of `bytes`.
    ///
    /// # Errors
    /// `Malformed` if the bytes end too early or do not encode a value of this type.
    fn decode(bytes: &mut &[u8]) -> Result<Self>;
}

/// The types of elements of this crate, by tag. [`decode`](crate::decode) knows the first six.
pub(crate) const NAMES: [(u8, &str); 9] = [
    (u64::TAG, "u64"),
    (i64::TAG, "i64"),
    (f64::TAG, "f64"),
    (String::TAG, "String"),
    (<Vec<u8>>::TAG, "Vec<u8>"),
    (Number::TAG, "Number"),
    (bool::TAG, "bool"),
    (u128::TAG, "u128"),
    (i128::TAG, "i128"),
];

/// Returns the name of the type of elements with this tag.
pub(crate) fn name_of(tag: u8) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == tag).map_or("a custom type", |(_, name)| name)
}

each_type!(Integer in u64, i64 => {
    impl Element for Integer {
        const TAG: u8 = if Self::MIN == 0 { 1 } else { 2 };

        #[inline]
        fn order(&self, other: &Self) -> Ordering {
            self.cmp(other)
        }

        fn encode(&self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }

        fn decode(bytes: &mut &[u8]) -> Result<Self> {
            with_reader(bytes, |reader| Ok(reader.u64()? as Self))
        }
    }
});

/// −0 equals 0, and there is one NaN, above all numbers.
impl Element for f64 {
    const TAG: u8 = 3;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }

    #[inline]
    fn has_rank(&self) -> bool {
        !self.is_nan()
    }

    #[inline]
    fn is_below(&self, other: &Self) -> bool {
        self < other
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&canonical(*self).to_bits().to_le_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        let bits = with_reader(bytes, Reader::u64)?;
        let value = Self::from_bits(bits);
        if canonical(value).to_bits() == bits {
            return Ok(value);
        }
        Err(Error::malformed("a number is not in its canonical form"))
    }
}

fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value + 0.0 }
}

impl Element for String {
    const TAG: u8 = 4;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn heap_bytes(&self) -> usize {
        self.capacity()
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        put_framed(bytes, self.as_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        let text = core::str::from_utf8(with_reader(bytes, Reader::framed)?);
        Ok(text.map_err(|_| Error::malformed("a text is not valid UTF-8"))?.into())
    }
}

impl Element for Vec<u8> {
    const TAG: u8 = 5;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn heap_bytes(&self) -> usize {
        self.capacity()
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        put_framed(bytes, self);
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        Ok(with_reader(bytes, Reader::framed)?.into())
    }
}

fn put_framed(bytes: &mut Vec<u8>, text: &[u8]) {
    put_u64_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text);
}

impl Reader<'_> {
    /// Reads the tag of the element type, which must be the tag of `T`.
    pub(crate) fn tag_of<T: Element>(&mut self) -> Result<()> {
        self.tag(T::TAG, name_of(T::TAG), name_of)
    }

    /// Reads one element.
    pub(crate) fn element<T: Element>(&mut self) -> Result<T> {
        self.take(|rest| T::decode(rest))
    }
}

/// Reads a value off the front of `bytes`.
pub(crate) fn with_reader<'a, T>(
    bytes: &mut &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    let mut reader = Reader::new(bytes);
    let value = read(&mut reader)?;
    *bytes = reader.rest();
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    pub(super) fn round_trip<T: Element + PartialEq>(values: &[T]) {
        let mut bytes = Vec::new();
        for value in values {
            let start = bytes.len();
            value.encode(&mut bytes);
            let alone = &bytes[start..];
            assert!((0..alone.len()).all(|end| T::decode(&mut &alone[..end]).is_err()), "{value:?}");
        }
        let mut rest = &bytes[..];
        for value in values {
            assert_eq!(&T::decode(&mut rest).unwrap(), value);
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn bytes_give_the_values_back() {
        round_trip(&[0, 1, u64::MAX]);
        round_trip(&[0, -1, i64::MIN, i64::MAX]);
        round_trip(&[0.0, -1.5, f64::INFINITY, f64::MIN_POSITIVE]);
        round_trip(&[String::new(), "µ".into(), "a longer text".into()]);
        round_trip(&[vec![], vec![255, 0], vec![7; 300]]);
        assert!(String::decode(&mut &[1, 255][..]).is_err(), "not UTF-8");
    }

    #[test]
    fn one_zero_and_one_nan() {
        let encoded = |value: f64| {
            let mut bytes = Vec::new();
            value.encode(&mut bytes);
            bytes
        };
        assert_eq!(encoded(-0.0), encoded(0.0));
        assert_eq!(encoded(-f64::NAN), encoded(f64::NAN));
        assert!(f64::decode(&mut &(-0.0f64).to_bits().to_le_bytes()[..]).is_err());
        assert!(f64::decode(&mut &(-f64::NAN).to_bits().to_le_bytes()[..]).is_err());
        assert_eq!((-0.0).order(&0.0), Ordering::Equal);
        assert_eq!(f64::NAN.order(&f64::NAN), Ordering::Equal);
        assert_eq!(f64::NAN.order(&f64::INFINITY), Ordering::Greater);
        assert_eq!(1.0.order(&f64::NAN), Ordering::Less);
        assert!(!f64::NAN.has_rank() && 1.0.has_rank());
    }

    #[test]
    fn tags_are_named_once() {
        for (place, (tag, name)) in NAMES.iter().enumerate() {
            assert_eq!(usize::from(*tag), place + 1);
            assert_eq!(name_of(*tag), *name);
        }
        assert_eq!(name_of(200), "a custom type");
    }
}
