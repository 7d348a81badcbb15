//! Numbers in the data.

use crate::output::shown_within;

/// A finite number as people and programs write them; blanks around it do not count. What lies between two doubles
/// becomes the nearest.
#[inline]
pub(super) fn parse(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    if let Some(small) = small_integer(text) {
        return Some(small);
    }
    let number = std::str::from_utf8(text).ok()?.parse::<f64>().ok()?;
    number.is_finite().then_some(number)
}

/// The most common numbers, at a fraction of the time: so few digits are exact.
#[inline]
fn small_integer(text: &[u8]) -> Option<f64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !(1..=15).contains(&digits.len()) {
        return None;
    }
    let mut number = 0i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = 10 * number + i64::from(digit - b'0');
    }
    Some(if digits.len() < text.len() { -number } else { number } as f64)
}

/// How many copies: a whole number, exactly. Some programs write `3.0` for it.
pub(super) fn parse_copies(text: &[u8]) -> Result<u64, String> {
    let whole = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_whole = whole.bytes().all(|byte| byte.is_ascii_digit()) && fraction.bytes().all(|b| b == b'0');
        whole.parse().ok().filter(|_| is_whole)
    };
    std::str::from_utf8(text).ok().map(str::trim).and_then(whole).ok_or_else(|| {
        format!(
            "the weight '{}' is no whole number from 0 to 2^64 - 1; mend it, or leave out --weight",
            excerpt(text)
        )
    })
}

/// How much a record weighs.
pub(super) fn parse_weight(text: &[u8]) -> Result<f64, String> {
    parse(text).filter(|&weight| weight >= 0.0).ok_or_else(|| {
        format!("the weight '{}' is no number from 0 on; mend it, or leave out --weight", excerpt(text))
    })
}

/// Which number is kept with a value.
pub(super) fn parse_kept(text: &[u8]) -> Result<f64, String> {
    parse(text)
        .ok_or_else(|| format!("the value '{}' is no number; mend it, or name another column", excerpt(text)))
}

/// The beginning of a value, for messages.
pub(super) fn excerpt(text: &[u8]) -> String {
    shown_within(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, number) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("7", 7.0),
            (" -12 ", -12.0),
            ("+5", 5.0),
            ("2.50", 2.5),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("-1E-2", -0.01),
            ("999999999999999", 999_999_999_999_999.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("1e308", 1e308),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(number), "{text}");
        }
        for none in [
            "",
            "-",
            "NA",
            "nan",
            "inf",
            "-Infinity",
            "1e999",
            "1,5",
            "1 2",
            "0x10",
            "1_000",
            "--1",
            "\u{ff11}",
        ] {
            assert_eq!(parse(none.as_bytes()), None, "{none}");
        }
        assert_eq!(parse(b"\xff"), None);
    }

    #[test]
    fn every_short_integer_is_read_as_the_library_reads_it() {
        let mut rng = crivo::rng::Rng::new(4);
        for _ in 0..2000 {
            let number = (rng.next_u64() >> rng.below(64)).cast_signed();
            let text = number.to_string();
            assert_eq!(parse(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn weights() {
        for (text, copies) in [("0", 0), ("3", 3), (" 3.00 ", 3), ("18446744073709551615", u64::MAX)] {
            assert_eq!(parse_copies(text.as_bytes()), Ok(copies), "{text}");
        }
        for bad in ["", "-1", "+1", "2.5", "1e3", ".0", "18446744073709551616", "x"] {
            assert!(parse_copies(bad.as_bytes()).unwrap_err().contains("whole number"), "{bad}");
        }
        assert_eq!(parse_weight(b"2.5"), Ok(2.5));
        for bad in ["", "-1", "nan", "inf", "x"] {
            assert!(parse_weight(bad.as_bytes()).unwrap_err().contains("from 0 on"), "{bad}");
        }
    }
}
