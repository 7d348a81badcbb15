//! Classification of texts as numbers, times or other texts.

use crate::{Element, Number};
use core::cmp::Ordering;

/// The seconds of a day.
pub(super) const DAY: i64 = 86_400;
const NANOSECONDS: i128 = 1_000_000_000;

/// The narrowest type that holds a value, or all values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// The column has no values.
    Empty,
    /// `true` or `false`, also as `True` or `TRUE`.
    Boolean,
    /// A 64-bit integer, signed or unsigned.
    Integer,
    /// A floating-point number, including `inf`, `-inf` and `NaN`.
    Float,
    /// A day: `2013-01-31`.
    Date,
    /// A day and a time: `2013-01-31T10:00:00Z`, possibly with a space instead of `T`, a fraction or an offset.
    Timestamp,
    /// Anything else.
    Text,
}

impl ColumnType {
    /// The types that a value can have.
    pub const OF_VALUES: [Self; 6] =
        [Self::Boolean, Self::Integer, Self::Float, Self::Date, Self::Timestamp, Self::Text];

    /// Returns the name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Text => "text",
        }
    }

    /// Returns whether the values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Float)
    }

    /// Returns whether the values are points in time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp)
    }

    /// Returns the narrowest type that holds a value.
    pub fn of(text: &[u8]) -> Self {
        classify(text).0
    }

    /// Parses a day or a point in time: returns its type, the seconds since 1970, and whether it has a time zone. A
    /// time without a zone is taken as UTC. Surrounding blanks are ignored.
    ///
    /// ```
    /// use crivo::profile::ColumnType;
    /// let noon = ColumnType::time(b"1970-01-02 12:00").expect("a time");
    /// assert_eq!((noon.0, noon.1.to_string(), noon.2), (ColumnType::Timestamp, "129600".into(), false));
    /// assert!(ColumnType::time(b"noon").is_none() && ColumnType::time(b"1970-02-31").is_none());
    /// ```
    pub fn time(text: &[u8]) -> Option<(Self, Number, bool)> {
        let text = text.trim_ascii();
        let (column_type, position) = time(text)?;
        Some((column_type, position.number, has_zone(text)))
    }

    /// Returns the narrowest type that holds the values of both.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Empty, one) | (one, Self::Empty) => one,
            _ if self == other => self,
            _ if self.is_number() && other.is_number() => Self::Float,
            _ if self.is_time() && other.is_time() => Self::Timestamp,
            _ => Self::Text,
        }
    }
}

/// The position of a number or of a point in time in the order of the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    /// The number, or the seconds since 1970.
    pub(super) number: Number,
    /// Distinguishes nanoseconds that share an `f64`.
    pub(super) fine: i128,
}

impl Position {
    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.number.order(&other.number).then(self.fine.cmp(&other.fine))
    }
}

/// Returns the type of a value, and its position among numbers or times, if it has one: NaN has none. Surrounding
/// blanks are ignored.
pub(super) fn classify(text: &[u8]) -> (ColumnType, Option<Position>) {
    let text = text.trim_ascii();
    let number = match text.first() {
        Some(b'0'..=b'9') => time(text).or_else(|| number(text)),
        Some(b'+' | b'-' | b'.' | b'i' | b'I' | b'n' | b'N') if is_nan(text) => {
            return (ColumnType::Float, None);
        }
        Some(b'+' | b'-' | b'.' | b'i' | b'I') => number(text),
        Some(b't' | b'T' | b'f' | b'F') if is_boolean(text) => return (ColumnType::Boolean, None),
        _ => None,
    };
    match number {
        Some((class, position)) => (class, Some(position)),
        None => (ColumnType::Text, None),
    }
}

/// Returns whether an integer or a day is written in its plain form: without blanks, `+`, or a sign before 0.
pub(super) fn is_plain(text: &[u8]) -> bool {
    match text {
        [b'0'..=b'9', .., b'0'..=b'9'] | [b'0'..=b'9'] => true,
        [b'-', b'1'..=b'9', rest @ ..] => rest.last().is_none_or(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns whether a point in time ends with `Z` or an offset.
pub(super) fn has_zone(text: &[u8]) -> bool {
    const DATE: usize = "2013-01-31".len();
    let text = text.trim_ascii();
    text.get(DATE..).is_some_and(|clock| clock.iter().any(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-')))
}

fn is_boolean(text: &[u8]) -> bool {
    matches!(text, b"true" | b"True" | b"TRUE" | b"false" | b"False" | b"FALSE")
}

/// Parses a number. Leading zeros are refused, since they are significant: a postal code, a house number.
fn number(text: &[u8]) -> Option<(ColumnType, Position)> {
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    if let [b'0', b'0'..=b'9', ..] = unsigned {
        return None;
    }
    let number = Number::parse(text)?;
    // Most numbers are too short for this check.
    let has_64_bits = || {
        unsigned.len() < 19
            || number.to_integer().is_some_and(|it| (i64::MIN.into()..=u64::MAX.into()).contains(&it))
    };
    let is_integer = unsigned.iter().all(u8::is_ascii_digit) && has_64_bits();
    let class = if is_integer { ColumnType::Integer } else { ColumnType::Float };
    Some((class, Position { number, fine: 0 }))
}

/// Returns whether a text is one of the usual spellings of NaN.
fn is_nan(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    matches!(unsigned, b"NaN" | b"nan" | b"NAN")
}

/// Returns the number of leading digits.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Parses a day, or a day and a time.
fn time(text: &[u8]) -> Option<(ColumnType, Position)> {
    let (day, rest) = text.split_first_chunk::<10>()?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *day else { return None };
    let year = two(y0, y1)? * 100 + two(y2, y3)?;
    let (month, day) = (two(m0, m1)?, two(d0, d1)?);
    if !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    let Some((b'T' | b't' | b' ', clock)) = rest.split_first() else {
        let seconds = i128::from(days * DAY);
        return rest.is_empty().then(|| (ColumnType::Date, at_nanosecond(seconds * NANOSECONDS)));
    };
    let nanosecond = i128::from(days * DAY) * NANOSECONDS + time_of_day(clock)?;
    Some((ColumnType::Timestamp, at_nanosecond(nanosecond)))
}

fn at_nanosecond(since_1970: i128) -> Position {
    Position { number: (since_1970 as f64 / NANOSECONDS as f64).into(), fine: since_1970 }
}

/// Parses `10:00`, `10:00:30` or `10:00:30.25`, followed by nothing, `Z` or an offset, to nanoseconds. A leap second is
/// taken as the following second.
fn time_of_day(text: &[u8]) -> Option<i128> {
    let (hour, minute, mut rest) = clock(text)?;
    let mut nanosecond = i128::from((hour * 60 + minute) * 60) * NANOSECONDS;
    if let [b':', s0, s1, behind @ ..] = rest {
        let second = two(*s0, *s1)?;
        if second > 60 {
            return None;
        }
        nanosecond += i128::from(second) * NANOSECONDS;
        rest = behind;
        if let [b'.', behind @ ..] = rest {
            let count = digits(behind);
            if count == 0 {
                return None;
            }
            let mut unit = NANOSECONDS / 10;
            for digit in &behind[..count] {
                nanosecond += i128::from(digit - b'0') * unit;
                unit /= 10;
            }
            rest = &behind[count..];
        }
    }
    let (sign, offset) = match rest {
        [] | [b'Z' | b'z'] => return Some(nanosecond),
        [b'+', offset @ ..] => (-1, offset),
        [b'-', offset @ ..] => (1, offset),
        _ => return None,
    };
    let (hours, minutes) = match *offset {
        [h0, h1] => (two(h0, h1)?, 0),
        [h0, h1, m0, m1] | [h0, h1, b':', m0, m1] => (two(h0, h1)?, two(m0, m1)?),
        _ => return None,
    };
    let in_range = hours < 24 && minutes < 60;
    in_range.then(|| nanosecond + i128::from(sign * (hours * 60 + minutes) * 60) * NANOSECONDS)
}

/// Parses an hour and a minute, and returns the rest.
fn clock(text: &[u8]) -> Option<(i64, i64, &[u8])> {
    let [h0, h1, b':', m0, m1, rest @ ..] = text else { return None };
    let (hour, minute) = (two(*h0, *h1)?, two(*m0, *m1)?);
    (hour < 24 && minute < 60).then_some((hour, minute, rest))
}

/// Parses a number of two digits.
fn two(tens: u8, ones: u8) -> Option<i64> {
    (tens.is_ascii_digit() && ones.is_ascii_digit())
        .then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days since 1970 in the proleptic Gregorian calendar. Years are taken to begin in March, so that the leap
/// day is the last one, and five months have 153 days.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let months_since_march = (month + 9) % 12;
    year * 365 + leap_days + (153 * months_since_march + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use ColumnType::{Boolean, Date, Float, Integer, Text, Timestamp};

    #[test]
    fn classes_by_form() {
        let cases: [(ColumnType, &[&str]); 6] = [
            (Boolean, &["true", "False", "TRUE", " true"]),
            (
                Integer,
                &[
                    "0",
                    "-0",
                    "+5",
                    "12",
                    "-7",
                    " 5",
                    "5 ",
                    "9223372036854775807",
                    "18446744073709551615",
                    "-9223372036854775808",
                ],
            ),
            (
                Float,
                &[
                    "0.5",
                    ".5",
                    "5.",
                    "-1e5",
                    "1E-3",
                    "18446744073709551616",
                    "-9223372036854775809",
                    "1e308",
                    "0e0",
                    "-0.0",
                    "inf",
                    "-Infinity",
                    "NaN",
                    "-nan",
                ],
            ),
            (Date, &["2013-01-01", "2000-02-29", "0000-01-01", "9999-12-31"]),
            (
                Timestamp,
                &[
                    "2013-01-01T10:00:00Z",
                    "2013-01-01 10:00",
                    "2013-01-01 10:00:00.123456789+05:30",
                    "2016-12-31T23:59:60Z",
                    "2013-01-01 10:00:00-0800",
                    "2013-01-01 10:00:00+00",
                ],
            ),
            (
                Text,
                &[
                    "",
                    "-",
                    "+",
                    ".",
                    "007",
                    "-01",
                    "00.5",
                    "1_000",
                    "1,000",
                    "5 6",
                    " 007",
                    "0x10",
                    "infinit",
                    "Nano",
                    "1e999",
                    "e5",
                    "1e",
                    "1e+",
                    "tRUE",
                    "yes",
                    "t",
                    "2013-02-29",
                    "2013-13-01",
                    "2013-00-10",
                    "2013-1-1",
                    "1900-02-29",
                    "2013-01-01T",
                    "2013-01-01T24:00",
                    "2013-01-01 10:60",
                    "2013-01-01 10:00:61",
                    "2013-01-01 10:00:00.",
                    "2013-01-01 10:00:00+24",
                    "2013-01-01x",
                    "--5",
                    "1.2.3",
                    "\u{663}",
                ],
            ),
        ];
        for (class, texts) in cases {
            for text in texts {
                assert_eq!(classify(text.as_bytes()).0, class, "{text:?}");
            }
        }
    }

    fn seconds(text: &str) -> f64 {
        classify(text.as_bytes()).1.unwrap().number.to_f64()
    }

    #[test]
    fn times_are_seconds_since_1970() {
        assert_eq!(seconds("1970-01-01"), 0.0);
        assert_eq!(seconds("2000-03-01"), 951_868_800.0);
        assert_eq!(seconds("1969-12-31T23:59:59.5Z"), -0.5);
        assert_eq!(seconds("2013-01-01T10:00:00Z"), 1_357_034_400.0);
        assert_eq!(seconds("2013-01-01 15:30:00+05:30"), 1_357_034_400.0);
        assert_eq!(seconds("2013-01-01 02:00:00-08"), 1_357_034_400.0);
        assert_eq!(seconds("0000-03-01"), -62_162_035_200.0);
        // Every day once, in order.
        let mut expected = days_since_1970(1890, 1, 1);
        for year in 1890..2110 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(days_since_1970(year, month, day), expected);
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn positions_distinguish_neighbours() {
        let position = |text: &str| classify(text.as_bytes()).1.unwrap();
        let rising = [
            "-inf",
            "-1e300",
            "-9223372036854775808",
            "-5",
            "-0.5",
            "0",
            "0.1",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551616",
            "18446744073709551617",
            "inf",
        ];
        for pair in rising.windows(2) {
            assert_eq!(position(pair[0]).order(&position(pair[1])), Ordering::Less, "{pair:?}");
        }
        for (one, other) in [("1", "1.0"), ("0", "-0"), ("0", "-0.0"), ("1e3", "1000"), ("+5", "5")] {
            assert_eq!(position(one).order(&position(other)), Ordering::Equal, "{one} {other}");
        }
        let nanosecond = position("2013-01-01 10:00:00.000000001");
        assert_eq!(position("2013-01-01 10:00:00").order(&nanosecond), Ordering::Less);
    }

    #[test]
    fn plain_texts_and_zones() {
        for plain in ["0", "-7", "10", "-120", "18446744073709551615", "2013-01-01"] {
            assert!(is_plain(plain.as_bytes()), "{plain}");
        }
        for other in [" 1", "1 ", "+1", "-0", " 2013-01-01", "2013-01-01 ", ""] {
            assert!(!is_plain(other.as_bytes()), "{other:?}");
        }
        for zoned in ["2013-01-01T10:00:00Z", "2013-01-01 10:00-08", " 2013-01-01 10:00:00.5+05:30 "] {
            assert!(has_zone(zoned.as_bytes()), "{zoned}");
        }
        for naive in ["2013-01-01", "2013-01-01T10:00", "2013-01-01 10:00:00.25", ""] {
            assert!(!has_zone(naive.as_bytes()), "{naive}");
        }
    }

    #[test]
    fn a_column_has_the_smallest_type_for_all() {
        assert_eq!(Integer.with(Float), Float);
        assert_eq!(Date.with(Timestamp), Timestamp);
        assert_eq!(ColumnType::Empty.with(Boolean), Boolean);
        assert_eq!(Boolean.with(Integer), Text);
        assert_eq!(Date.with(Integer), Text);
    }
}
