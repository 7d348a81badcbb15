//! Numbers without loss of precision: see [`Number`].

use super::{Element, with_reader};
use crate::codec::{Reader, put_u64_varint};
use crate::each_type::each_type;
use crate::{Error, Result};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use libm::fabs;

/// All whole numbers up to this one are exact as `f64`.
const DENSE: f64 = 9_007_199_254_740_992.0;
/// Whole numbers up to this one are kept exactly: up to 2¹¹⁶ the difference from the nearest `f64` fits in 64
/// bits.
const MOST_WHOLE: i128 = 1 << 116;
/// Whole numbers below this one are shown with all their digits. All numbers of 64 bits are.
const MOST_SHOWN: u128 = 100_000_000_000_000_000_000;

/// A number as data contain it: every `f64`, and every whole number of up to 34 digits (2¹¹⁶), without loss.
///
/// An `f64` alone represents all whole numbers only up to 2⁵³; identifiers and nanoseconds are larger.
/// Numbers are ordered by value, there is one zero, and NaN is not a `Number`.
///
/// ```
/// use crivo::{Kll, Number};
/// let ids = ["9007199254740993", "9007199254740992", "0.5"];
/// let mut sketch = Kll::for_k(200)?;
/// for id in ids {
///     sketch.insert(Number::parse(id.as_bytes()).expect("a number"))?;
/// }
/// assert_eq!(sketch.max(), Some(&Number::from(9_007_199_254_740_993u64)));
/// assert_eq!(sketch.rank(&Number::from(9_007_199_254_740_992u64)).value(), 2.0);
/// assert_eq!(sketch.max().unwrap().to_string(), "9007199254740993");
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The nearest `f64`; of two equally near ones, the even one.
    nearest: f64,
    /// For a whole number beyond 2⁵³: the difference from `nearest`.
    rest: i64,
}

impl Number {
    /// Parses a number, with or without blanks around it: an optional sign, digits, an optional fraction and
    /// an optional exponent, or `inf` or `infinity` in upper or lower case. Plain digits are exact up to
    /// 2¹¹⁶; all other numbers become the nearest `f64`. Returns `None` for other texts, for NaN, and for
    /// numbers beyond the range of `f64`, such as `1e999`.
    ///
    /// ```
    /// use crivo::Number;
    /// assert_eq!(Number::parse(b" -12 "), Some(Number::from(-12)));
    /// assert_eq!(Number::parse(b"1e3"), Some(Number::from(1000)));
    /// assert_eq!(Number::parse(b"-Infinity"), Some(Number::from(f64::NEG_INFINITY)));
    /// assert!(Number::parse(b"1,5").is_none() && Number::parse(b"nan").is_none());
    /// ```
    #[inline]
    pub fn parse(text: &[u8]) -> Option<Self> {
        /// All numbers with up to this many digits are exact as `f64`, and most numbers have no more.
        const DOUBLE: usize = 15;
        /// All numbers with up to this many digits fit in 64 bits.
        const SHORT: usize = 19;
        let text = text.trim_ascii();
        let (negative, unsigned) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let mut value = 0u64;
        let mut digits = 0;
        for digit in unsigned.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|&digit| digit < 10) {
            // Correct for up to `SHORT` digits, and not used beyond.
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            digits += 1;
        }
        if digits < unsigned.len() || digits == 0 {
            return decimal(text, unsigned);
        }
        if digits <= DOUBLE {
            let signed = if negative { -value.cast_signed() } else { value.cast_signed() };
            return Some(Self { nearest: signed as f64, rest: 0 });
        }
        let whole = if digits <= SHORT {
            i128::from(value)
        } else {
            match core::str::from_utf8(unsigned).ok()?.parse() {
                Ok(whole) => whole,
                Err(_) => return decimal(text, unsigned),
            }
        };
        Some(Self::from(if negative { -whole } else { whole }))
    }

    /// Returns the nearest `f64`.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.nearest
    }

    /// Returns the whole number, if the number is a whole number up to 2¹¹⁶.
    pub fn to_integer(self) -> Option<i128> {
        let is_whole = fabs(self.nearest) <= MOST_WHOLE as f64 && libm::trunc(self.nearest) == self.nearest;
        is_whole.then(|| self.nearest as i128 + i128::from(self.rest))
    }

    /// Returns the greatest number below this one; −∞ is returned unchanged.
    #[must_use]
    pub fn next_down(self) -> Self {
        match self.to_integer() {
            Some(whole) if fabs(self.nearest) >= DENSE && whole > -MOST_WHOLE => Self::from(whole - 1),
            _ => Self::from(self.nearest.next_down()),
        }
    }

    /// Returns two parts whose sum is the number: the nearest `f64`, and the difference.
    pub(crate) fn parts(self) -> (f64, i64) {
        (self.nearest, self.rest)
    }
}

/// Parses a number that is not digits alone, or that has too many of them.
fn decimal(text: &[u8], unsigned: &[u8]) -> Option<Number> {
    let value: f64 = core::str::from_utf8(text).ok()?.parse().ok()?;
    // The parser returns infinity for a number too large for an `f64`; only a written infinity is accepted.
    let is_infinity = value.is_infinite() && matches!(unsigned.first(), Some(b'i' | b'I'));
    (value.is_finite() || is_infinity).then(|| Number::from(value))
}

impl From<f64> for Number {
    #[inline]
    fn from(value: f64) -> Self {
        // Zero has no sign.
        Self { nearest: value + 0.0, rest: 0 }
    }
}

impl From<i128> for Number {
    /// Returns the number exactly up to 2¹¹⁶, and the nearest `f64` beyond.
    #[inline]
    fn from(value: i128) -> Self {
        let nearest = value as f64;
        let is_kept = value.unsigned_abs() <= MOST_WHOLE.unsigned_abs();
        Self { nearest, rest: if is_kept { (value - nearest as i128) as i64 } else { 0 } }
    }
}

each_type!(Integer in i32, i64, u64 => {
    impl From<Integer> for Number {
        #[inline]
        fn from(value: Integer) -> Self {
            Self::from(i128::from(value))
        }
    }
});

impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        self.rest == 0 && self.nearest == *other
    }
}

impl PartialOrd for Number {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.has_rank() && other.has_rank()).then(|| self.order(other))
    }
}

impl fmt::Display for Number {
    /// Writes all digits of whole numbers below 10²⁰ and of those that are not exact as `f64`; of other
    /// numbers, the fewest digits that distinguish them from other `f64`s.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = fabs(self.nearest);
        match self.to_integer() {
            Some(whole) if self.rest != 0 || whole.unsigned_abs() < MOST_SHOWN => write!(f, "{whole}"),
            _ if (1e-5..1e15).contains(&size) || !size.is_finite() => write!(f, "{}", self.nearest),
            _ => write!(f, "{:e}", self.nearest),
        }
    }
}

impl Element for Number {
    const TAG: u8 = 6;

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.nearest.order(&other.nearest).then_with(|| self.rest.cmp(&other.rest))
    }

    #[inline]
    fn has_rank(&self) -> bool {
        self.nearest.has_rank()
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        self.nearest.encode(bytes);
        // Small differences of either sign take few bytes: 0, −1, 1, −2, …
        put_u64_varint(bytes, ((self.rest << 1) ^ (self.rest >> 63)) as u64);
    }

    fn decode(bytes: &mut &[u8]) -> Result<Self> {
        let nearest = f64::decode(bytes)?;
        let folded = with_reader(bytes, Reader::u64_varint)?;
        let rest = (folded >> 1) as i64 ^ -((folded & 1) as i64);
        let number = Self { nearest, rest };
        if rest == 0 || number.to_integer().is_some_and(|whole| Self::from(whole) == number) {
            return Ok(number);
        }
        Err(Error::malformed("a number is not in its canonical form"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::format;
    use alloc::string::ToString;

    fn parse(text: &str) -> Option<Number> {
        Number::parse(text.as_bytes())
    }

    #[test]
    fn texts_of_numbers() {
        for (text, number) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("-0.0", 0.0),
            ("7", 7.0),
            (" -12\t", -12.0),
            ("+5", 5.0),
            ("007", 7.0),
            ("2.50", 2.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("-1E-2", -0.01),
            ("1e308", 1e308),
            ("inf", f64::INFINITY),
            ("-Inf", f64::NEG_INFINITY),
            ("+INFINITY", f64::INFINITY),
            ("340282366920938463463374607431768211456", 3.402_823_669_209_385e38),
        ] {
            let found = parse(text).unwrap();
            assert!(found == number && !found.to_f64().is_sign_negative() || number < 0.0, "{text}: {found}");
        }
        let none = [
            "", " ", "-", "+", ".", "NA", "nan", "-NaN", "1e999", "-1e999", "1,5", "1 2", "0x10", "1_000",
            "--1", "e5", "1e", "1e+", "in", "infinit", "\u{ff11}",
        ];
        for text in none {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(Number::parse(b"\xff"), None);
    }

    /// Returns the numbers around every power of two, where doubles become sparse, and at both ends.
    fn hard() -> impl Iterator<Item = i128> {
        let around = |bits: u32| [-3, -2, -1, 0, 1, 2, 3].map(|step| (1i128 << bits) + step);
        let all = (50..=116).flat_map(around).filter(|whole| whole.abs() <= MOST_WHOLE);
        all.chain([0, 5, i64::MAX.into(), u64::MAX.into()]).flat_map(|whole| [whole, -whole])
    }

    #[test]
    fn whole_numbers_are_kept_and_in_order() {
        let mut wholes: Vec<i128> = hard().collect();
        wholes.sort_unstable();
        wholes.dedup();
        for pair in wholes.windows(2) {
            assert_eq!(Number::from(pair[0]).order(&Number::from(pair[1])), Ordering::Less, "{pair:?}");
        }
        for whole in wholes {
            let number = parse(&whole.to_string()).unwrap();
            assert_eq!((number.to_integer(), number.to_f64()), (Some(whole), whole as f64));
            let below = number.next_down();
            assert_eq!(below.order(&number), Ordering::Less, "{whole}");
            if whole.abs() >= 1 << 53 && whole > -MOST_WHOLE {
                assert_eq!(below.to_integer(), Some(whole - 1));
            }
        }
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let [a, b] = [(); 2].map(|()| {
                (i128::from(rng.next_u64()) << 53 | i128::from(rng.next_u64() >> 11)) >> rng.below(117)
            });
            assert_eq!(Number::from(a).order(&Number::from(b)), a.cmp(&b), "{a} {b}");
        }
    }

    #[test]
    fn the_step_down_misses_no_double() {
        for value in [0.0, 5e-324, 1.0, -1.0, DENSE - 1.0, 1.0 - DENSE, 1e300, f64::MAX] {
            assert_eq!(Number::from(value).next_down(), value.next_down());
        }
        let beyond = (MOST_WHOLE as f64).next_up();
        assert_eq!(Number::from(beyond).next_down(), MOST_WHOLE as f64);
        assert_eq!(Number::from(-MOST_WHOLE).next_down(), (-MOST_WHOLE as f64).next_down());
        assert_eq!(Number::from(f64::NEG_INFINITY).next_down(), f64::NEG_INFINITY);
    }

    #[test]
    fn bytes_give_the_numbers_back() {
        let numbers = hard().map(Number::from).chain([0.1, -2.5e300, f64::INFINITY].map(Number::from));
        for number in numbers {
            let mut bytes = Vec::new();
            number.encode(&mut bytes);
            assert!((0..bytes.len()).all(|end| Number::decode(&mut &bytes[..end]).is_err()));
            assert_eq!(Number::decode(&mut &bytes[..]).unwrap(), number);
        }
        for (nearest, folded) in
            [(5.0, 2u64), (0.5, 1), (f64::INFINITY, 2), (1e300, 2), (DENSE, 4), (-0.0, 0)]
        {
            let mut bytes = nearest.to_bits().to_le_bytes().to_vec();
            put_u64_varint(&mut bytes, folded);
            assert!(Number::decode(&mut &bytes[..]).is_err(), "{nearest} {folded}");
        }
    }

    #[test]
    fn numbers_are_shown_with_their_digits() {
        let shown = [0.0, -0.0, 2013.0, -2.5, 1e-5, 1e15, 1e-9, -1e300, 1e19, 1e20, f64::NEG_INFINITY];
        let expected = ["0", "0", "2013", "-2.5", "0.00001", "1000000000000000", "1e-9", "-1e300"];
        let expected = expected.iter().chain(&["10000000000000000000", "1e20", "-inf"]);
        assert!(shown.iter().map(|&it| Number::from(it).to_string()).eq(expected.copied()));
        for whole in hard().filter(|whole| Number::from(*whole).rest != 0) {
            assert_eq!(format!("{}", Number::from(whole)), whole.to_string());
        }
    }

    #[test]
    fn nan_is_in_no_order() {
        let nan = Number::from(f64::NAN);
        assert!(!nan.has_rank() && nan.partial_cmp(&Number::from(1)).is_none());
    }
}
