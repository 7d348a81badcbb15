//! Elements that are written as a wider type, and the few that have bytes of their own.

use super::{Element, put_framed, with_reader};
use crate::codec::Reader;
use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::net::IpAddr;

fn does_not_fit(value: impl fmt::Display, narrow: &str, wide: &str) -> Error {
    Error::malformed(format!(
        "the value {value} is not a {narrow}; read the sketch with elements of type {wide}"
    ))
}

each_type!(Narrow in
    u8 { type Wide = u64; }, u16 { type Wide = u64; }, u32 { type Wide = u64; }, usize { type Wide = u64; },
    i8 { type Wide = i64; }, i16 { type Wide = i64; }, i32 { type Wide = i64; }, isize { type Wide = i64; } => {
    impl Element for Narrow {
        const TAG: u8 = Wide::TAG;

        #[inline]
        fn order(&self, other: &Self) -> Ordering {
            self.cmp(other)
        }

        fn encode(&self, bytes: &mut Vec<u8>) {
            (*self as Wide).encode(bytes);
        }

        fn decode(bytes: &mut &[u8]) -> Result<Self> {
            let value = Wide::decode(bytes)?;
            let narrow = Self::try_from(value);
            narrow.map_err(|_| does_not_fit(value, core::any::type_name::<Narrow>(), core::any::type_name::<Wide>()))
        }
    }
});

each_type!(Wide in u128 { const WIDE_TAG: u8 = 8; }, i128 { const WIDE_TAG: u8 = 9; } => {
    impl Element for Wide {
        const TAG: u8 = WIDE_TAG;

        #[inline]
        fn order(&self, other: &Self) -> Ordering {
            self.cmp(other)
        }

        fn encode(&self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }

        fn decode(bytes: &mut &[u8]) -> Result<Self> {
            let (low, high) = with_reader(bytes, |reader| Ok((reader.u64()?, reader.u64()?)))?;
            Ok((u128::from(high) << 64 | u128::from(low)) as Self)
        }
    }
});

/// As [`f64`]: −0 is 0, and there is one NaN, above all numbers.
impl Element for f32 {
    const TAG: u8 = f64::TAG;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        f64::from(*self).order(&f64::from(*other))
    }

    #[inline]
    fn has_rank(&self) -> bool {
        !self.is_nan()
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        f64::from(*self).encode(bytes);
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        let value = f64::decode(bytes)?;
        let narrow = value as Self;
        if f64::from(narrow).order(&value) == Ordering::Equal {
            return Ok(narrow);
        }
        Err(does_not_fit(value, "f32", "f64"))
    }
}

impl Element for bool {
    const TAG: u8 = 7;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        match with_reader(bytes, Reader::u8)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Error::malformed(format!("a truth value is 0 or 1, not {other}"))),
        }
    }
}

/// Its four or sixteen octets, in their order.
impl Element for IpAddr {
    const TAG: u8 = <Vec<u8>>::TAG;

    fn order(&self, other: &Self) -> Ordering {
        with_octets(self, |octets| with_octets(other, |others| octets.cmp(others)))
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        with_octets(self, |octets| put_framed(bytes, octets));
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        let octets = with_reader(bytes, Reader::framed)?;
        if let Ok(four) = <[u8; 4]>::try_from(octets) {
            return Ok(Self::from(four));
        }
        let sixteen = <[u8; 16]>::try_from(octets);
        sixteen
            .map(Self::from)
            .map_err(|_| does_not_fit(format!("of {} bytes", octets.len()), "IpAddr", "Vec<u8>"))
    }
}

fn with_octets<R>(address: &IpAddr, take: impl FnOnce(&[u8]) -> R) -> R {
    match address {
        IpAddr::V4(four) => take(&four.octets()),
        IpAddr::V6(sixteen) => take(&sixteen.octets()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::round_trip;
    use super::*;
    use crate::{Kll, MisraGries};
    use alloc::string::ToString;

    #[test]
    fn bytes_give_the_values_back() {
        round_trip(&[0u8, 1, u8::MAX]);
        round_trip(&[0u16, 1, u16::MAX]);
        round_trip(&[0u32, 1, u32::MAX]);
        round_trip(&[0usize, 1, usize::MAX]);
        round_trip(&[0i8, -1, i8::MIN, i8::MAX]);
        round_trip(&[0i16, -1, i16::MIN, i16::MAX]);
        round_trip(&[0i32, -1, i32::MIN, i32::MAX]);
        round_trip(&[0isize, -1, isize::MIN, isize::MAX]);
        round_trip(&[0u128, 1, u128::MAX]);
        round_trip(&[0i128, -1, i128::MIN, i128::MAX]);
        round_trip(&[0.0f32, -1.5, f32::INFINITY, f32::MIN_POSITIVE]);
        round_trip(&[false, true]);
        round_trip(&[IpAddr::from([192, 0, 2, 1]), IpAddr::from([1u16, 2, 3, 4, 5, 6, 7, 8])]);
        assert!(bool::decode(&mut &[2][..]).is_err());
        assert!(IpAddr::decode(&mut &[5, 1, 2, 3, 4, 5][..]).is_err());
    }

    #[test]
    fn a_file_can_be_read_in_another_width_that_holds_its_values() {
        let mut narrow = Kll::<u16>::for_k(200).unwrap();
        (0..1000).for_each(|value| narrow.insert(value).unwrap());
        let wide = Kll::<u64>::from_bytes(&narrow.to_bytes()).unwrap();
        assert_eq!(wide.to_bytes(), narrow.to_bytes());
        let error = Kll::<u8>::from_bytes(&narrow.to_bytes()).unwrap_err();
        assert!(
            error.to_string().contains("is not a u8; read the sketch with elements of type u64"),
            "{error}"
        );

        let mut halves = Kll::<f32>::for_k(200).unwrap();
        (0..1000u16).for_each(|value| halves.insert(f32::from(value) / 2.0).unwrap());
        assert_eq!(Kll::<f64>::from_bytes(&halves.to_bytes()).unwrap().to_bytes(), halves.to_bytes());
        let mut thirds = Kll::<f64>::for_k(200).unwrap();
        thirds.insert(1.0 / 3.0).unwrap();
        assert!(Kll::<f32>::from_bytes(&thirds.to_bytes()).is_err());

        let mut addresses = MisraGries::<IpAddr>::for_counters(10).unwrap();
        (0..9).for_each(|host| addresses.add(&IpAddr::from([192, 0, 2, host]), 1));
        addresses.add(&IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]), 5);
        let octets = MisraGries::<Vec<u8>>::from_bytes(&addresses.to_bytes()).unwrap();
        assert_eq!(octets.to_bytes(), addresses.to_bytes());
    }
}
