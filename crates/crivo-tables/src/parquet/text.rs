//! The canonical text of a value: the text that CSV and JSON Lines have for it, so that one table gives one sketch
//! in every format.
//!
//! | value | text |
//! |---|---|
//! | integer, of any width | `-7` |
//! | boolean | `true`, `false` |
//! | float of 16, 32 or 64 bits | the shortest that reads back as the same number: `0.1`, `2.0`, `1e-05`, `1e+16`, `nan`, `inf` |
//! | string, bytes, JSON | as it is |
//! | date | `2013-01-01` |
//! | timestamp | `2013-01-01T10:00:00.25Z`: a fraction if there is one; `Z` if it is in UTC |
//! | time of day | `10:00:00.25` |
//! | decimal | `-12.50`, with all places of its scale |
//! | UUID | `00112233-4455-6677-8899-aabbccddeeff` |

use std::io::Write;

/// The meaning of the numbers or bytes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The meaning that the physical type has.
    Plain,
    /// An unsigned integer.
    Unsigned,
    /// A number with this many decimal places.
    Decimal(u8),
    /// Days since 1970.
    Date,
    /// Units since midnight, this many per second.
    Time(i64),
    /// Units since 1970, this many per second.
    Timestamp {
        /// Units per second.
        unit: i64,
        /// Whether the text ends in `Z`.
        utc: bool,
    },
    /// 16 bytes.
    Uuid,
    /// A float of two bytes.
    HalfFloat,
}

/// Appends the text of a 64-bit integer to `text`.
pub fn integer(value: i64, meaning: Meaning, text: &mut Vec<u8>) {
    match meaning {
        Meaning::Unsigned => number(value as u64, 1, text),
        Meaning::Decimal(scale) => decimal(value < 0, &value.unsigned_abs().to_string(), scale, text),
        Meaning::Date => date(value, text),
        Meaning::Time(unit) => time_of_day(value.div_euclid(unit), value.rem_euclid(unit), unit, text),
        Meaning::Timestamp { unit, utc } => {
            timestamp(value.div_euclid(unit), value.rem_euclid(unit), unit, utc, text);
        }
        Meaning::Plain | Meaning::Uuid | Meaning::HalfFloat => {
            if value < 0 {
                text.push(b'-');
            }
            number(value.unsigned_abs(), 1, text);
        }
    }
}

/// Appends the text of a float as Python writes it, and as pandas and DuckDB write it to CSV: every number has a
/// point or an exponent; numbers below 10⁻⁴ and from 10¹⁶ on have an exponent, with a sign and at least two digits.
pub fn float(value: impl std::fmt::Debug, text: &mut Vec<u8>) {
    let start = text.len();
    // Rust's exponents begin at the same sizes, and its digits are as few.
    write(text, format_args!("{value:?}"));
    let written = &text[start..];
    if written == b"NaN" {
        text[start..].make_ascii_lowercase();
        return;
    }
    let Some(place) = written.iter().position(|&byte| byte == b'e') else { return };
    let exponent = text.split_off(start + place + 1);
    let (sign, digits) = match &exponent[..] {
        [b'-', digits @ ..] => (b'-', digits),
        digits => (b'+', digits),
    };
    text.push(sign);
    if digits.len() < 2 {
        text.push(b'0');
    }
    text.extend_from_slice(digits);
}

/// Appends the text of an old 96-bit timestamp: nanoseconds of a Julian day.
pub(super) fn int96(words: &[u32], text: &mut Vec<u8>) {
    /// The Julian day that began at noon of 1970-01-01.
    const JULIAN_1970: i64 = 2_440_588;
    let [low, high, day] = [0, 1, 2].map(|place| i64::from(words.get(place).copied().unwrap_or_default()));
    let nanos = i128::from(high) << 32 | i128::from(low);
    let unit = NANOS;
    let (seconds, rest) = ((nanos / i128::from(unit)) as i64, (nanos % i128::from(unit)) as i64);
    timestamp((day - JULIAN_1970) * DAY + seconds, rest, unit, false, text);
}

/// Appends the text of bytes, unless it is the bytes themselves.
///
/// # Errors
/// If the bytes cannot have this meaning.
pub fn bytes(value: &[u8], meaning: Meaning, text: &mut Vec<u8>) -> Result<(), String> {
    match (meaning, value) {
        (Meaning::Decimal(scale), value) if value.len() <= MAX_DECIMAL => {
            let (negative, digits) = digits(value);
            decimal(negative, &digits, scale, text);
        }
        (Meaning::Decimal(_), _) => {
            return Err(format!("a decimal of {} bytes, expected at most {MAX_DECIMAL}", value.len()));
        }
        (Meaning::Uuid, value) if value.len() == 16 => {
            for (place, byte) in value.iter().enumerate() {
                let dash = if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" };
                write(text, format_args!("{dash}{byte:02x}"));
            }
        }
        (Meaning::HalfFloat, &[low, high]) => float(half(u16::from_le_bytes([low, high])), text),
        _ => text.extend_from_slice(value),
    }
    Ok(())
}

const NANOS: i64 = 1_000_000_000;
const DAY: i64 = 86_400;
/// The longest decimal in bytes. Usual decimals take 16 bytes, long ones 32.
const MAX_DECIMAL: usize = 64;

/// Appends a number with at least this many digits. It is faster than `format!`, which matters in columns of
/// distinct numbers.
fn number(mut value: u64, width: usize, text: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    while value > 0 {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    text.extend_from_slice(&digits[at.min(digits.len() - width)..]);
}

fn write(text: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("memory takes all");
}

fn date(days: i64, text: &mut Vec<u8>) {
    let (year, month, day) = civil(days);
    match year {
        0..=9999 => number(year as u64, 4, text),
        // In ISO 8601, years of more than four digits have a sign.
        _ => write(text, format_args!("{year:+05}")),
    }
    for part in [month, day] {
        text.push(b'-');
        number(part as u64, 2, text);
    }
}

/// Returns the year, month and day of a number of days after 1970-01-01. Years begin in March, so that the leap day
/// is the last day of a year, and come in groups of 400.
fn civil(days: i64) -> (i64, i64, i64) {
    /// The number of days from 0000-03-01 to 1970-01-01.
    const BEFORE_1970: i64 = 719_468;
    /// The number of days of 400 years.
    const ERA: i64 = 146_097;
    let days = days.saturating_add(BEFORE_1970);
    let (era, day_of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (0, month + 3) } else { (1, month - 9) };
    (year + year_of_era + 400 * era, month, day)
}

fn timestamp(seconds: i64, rest: i64, unit: i64, utc: bool, text: &mut Vec<u8>) {
    date(seconds.div_euclid(DAY), text);
    text.push(b'T');
    time_of_day(seconds.rem_euclid(DAY), rest, unit, text);
    if utc {
        text.push(b'Z');
    }
}

fn time_of_day(seconds: i64, rest: i64, unit: i64, text: &mut Vec<u8>) {
    // No time of day is negative, but a corrupt file may contain a negative one.
    if seconds < 0 {
        text.push(b'-');
    }
    for (part, end) in [(seconds / 3600, ":"), (seconds / 60 % 60, ":"), (seconds % 60, "")] {
        number(part.unsigned_abs(), 2, text);
        text.extend_from_slice(end.as_bytes());
    }
    if rest > 0 {
        write(text, format_args!(".{:09}", rest * (NANOS / unit)));
        let zeros = text.iter().rev().take_while(|&&byte| byte == b'0').count();
        text.truncate(text.len() - zeros);
    }
}

fn decimal(negative: bool, digits: &str, scale: u8, text: &mut Vec<u8>) {
    let scale = usize::from(scale);
    if negative {
        text.push(b'-');
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    text.extend_from_slice(whole.as_bytes());
    if scale > 0 {
        text.push(b'.');
        text.extend_from_slice(fraction.as_bytes());
    }
}

/// Returns the sign and the decimal digits of a number in two's complement, most significant byte first.
fn digits(value: &[u8]) -> (bool, String) {
    const STEP: u64 = 1_000_000_000;
    let negative = value.first().is_some_and(|&byte| byte >= 0x80);
    let mut rest: Vec<u8> = value.to_vec();
    if negative {
        let mut carry = true;
        for byte in rest.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = String::new();
    while rest.iter().any(|&byte| byte != 0) {
        let mut left = 0;
        for byte in &mut rest {
            let part = left << 8 | u64::from(*byte);
            (*byte, left) = ((part / STEP) as u8, part % STEP);
        }
        digits.insert_str(0, &format!("{left:09}"));
    }
    let digits = digits.trim_start_matches('0');
    (negative, if digits.is_empty() { "0".into() } else { digits.into() })
}

/// Returns the value of a 16-bit float: 1 bit of sign, 5 of exponent, 10 of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction / 1024.0 * 2f32.powi(-14),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_integer(value: i64, meaning: Meaning) -> String {
        let mut text = Vec::new();
        integer(value, meaning, &mut text);
        String::from_utf8(text).unwrap()
    }

    fn of_bytes(value: &[u8], meaning: Meaning) -> String {
        let mut text = Vec::new();
        bytes(value, meaning, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn integers() {
        let timestamp = |unit, utc| Meaning::Timestamp { unit, utc };
        for (value, meaning, text) in [
            (0, Meaning::Plain, "0"),
            (i64::MIN, Meaning::Plain, "-9223372036854775808"),
            (-1, Meaning::Unsigned, "18446744073709551615"),
            (-1250, Meaning::Decimal(2), "-12.50"),
            (5, Meaning::Decimal(3), "0.005"),
            (-5, Meaning::Decimal(0), "-5"),
            (i64::MIN, Meaning::Decimal(18), "-9.223372036854775808"),
            (0, Meaning::Date, "1970-01-01"),
            (15_706, Meaning::Date, "2013-01-01"),
            (-1, Meaning::Date, "1969-12-31"),
            (11_016, Meaning::Date, "2000-02-29"),
            (-719_528, Meaning::Date, "0000-01-01"),
            (-719_529, Meaning::Date, "-0001-12-31"),
            (2_932_897, Meaning::Date, "+10000-01-01"),
            (36_000_000, Meaning::Time(1_000), "10:00:00"),
            (86_399_999_999, Meaning::Time(1_000_000), "23:59:59.999999"),
            (-1_500, Meaning::Time(1_000), "-00:00:02.5"),
            (1_357_034_400_000, timestamp(1_000, true), "2013-01-01T10:00:00Z"),
            (1_357_034_400_250_000, timestamp(1_000_000, false), "2013-01-01T10:00:00.25"),
            (-1, timestamp(1_000_000_000, true), "1969-12-31T23:59:59.999999999Z"),
            (i64::MAX, timestamp(1_000_000_000, true), "2262-04-11T23:47:16.854775807Z"),
        ] {
            assert_eq!(of_integer(value, meaning), text, "{value} {meaning:?}");
        }
        for extreme in [i64::MIN, i64::MAX] {
            assert!(of_integer(extreme, timestamp(1_000, true)).len() <= super::super::text_cache::LONGEST);
        }
    }

    #[test]
    fn every_day_of_eight_centuries_has_its_date() {
        let mut day = jiff::civil::date(1600, 1, 1);
        let mut days = i64::from((day - jiff::civil::date(1970, 1, 1)).get_days());
        while day.year() < 2400 {
            assert_eq!(of_integer(days, Meaning::Date), day.to_string());
            (day, days) = (day.tomorrow().unwrap(), days + 1);
        }
    }

    #[test]
    fn bytes_that_are_numbers() {
        for (value, scale, text) in [
            (&[][..], 0, "0"),
            (&[0xff], 1, "-0.1"),
            (&[0x80], 0, "-128"),
            (&[0, 0, 0x30, 0x39], 2, "123.45"),
            (&[0x0d, 0xe0, 0xb6, 0xb3, 0xa7, 0x64, 0, 0], 0, "1000000000000000000"),
        ] {
            assert_eq!(of_bytes(value, Meaning::Decimal(scale)), text);
        }
        let mut rng = crivo::rng::Rng::new(5);
        for _ in 0..1000 {
            let value = (i128::from(rng.next_u64()) << 64 | i128::from(rng.next_u64())) >> rng.below(120);
            assert_eq!(of_bytes(&value.to_be_bytes(), Meaning::Decimal(0)), value.to_string());
        }
        assert!(bytes(&[1; 65], Meaning::Decimal(0), &mut Vec::new()).is_err());
        for (bits, text) in [
            (0x3c00u16, "1.0"),
            (0xc500, "-5.0"),
            (0x2e66, "0.099975586"),
            (1, "5.9604645e-08"),
            (0xfc00, "-inf"),
            (0x7e00, "nan"),
        ] {
            assert_eq!(of_bytes(&bits.to_le_bytes(), Meaning::HalfFloat), text);
        }
        let uuid: Vec<u8> = (0..16).map(|i| 17 * i).collect();
        assert_eq!(of_bytes(&uuid, Meaning::Uuid), "00112233-4455-6677-8899-aabbccddeeff");
    }

    /// These are the results of Python 3's `repr` for these doubles.
    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (2.0, "2.0"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-5, "1.5e-05"),
            (-2.5e-9, "-2.5e-09"),
            (1e-10, "1e-10"),
            (5e-324, "5e-324"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.234_567_890_123_456_7e16, "1.2345678901234568e+16"),
            (1e22, "1e+22"),
            (1e100, "1e+100"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            let mut text = b"before ".to_vec();
            float(value, &mut text);
            assert_eq!(&text[7..], expected.as_bytes());
        }
    }

    #[test]
    fn old_timestamps() {
        let nanos = 36_000_500_000_000u64;
        let mut text = Vec::new();
        int96(&[nanos as u32, (nanos >> 32) as u32, 2_456_294], &mut text);
        assert_eq!(text, b"2013-01-01T10:00:00.5");
        int96(&[u32::MAX; 3], &mut Vec::new());
        int96(&[], &mut Vec::new());
    }
}
