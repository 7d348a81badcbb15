//! Numbers that belong to an item: weights, numbers of copies, values of keys.

use crivo::Number;
use crivo_report::shown_within;

/// Parses a finite number, as the nearest `f64`.
fn finite(text: &[u8]) -> Option<f64> {
    Number::parse(text).map(Number::to_f64).filter(|number| number.is_finite())
}

/// Parses a number of copies: an integer. Some programs write it as `3.0`.
pub(super) fn parse_copies(text: &[u8]) -> Result<u64, String> {
    std::str::from_utf8(text).ok().map(str::trim).and_then(whole).ok_or_else(|| {
        let hint = if parse_change(text).is_ok() { "; only some verbs and kinds take removals" } else { "" };
        format!(
            "the weight '{}' is not a whole number from 0 to 2^64 - 1{hint}; fix it, or leave out --weight",
            excerpt(text)
        )
    })
}

/// Parses the change of a count: an integer, with or without a sign.
pub(super) fn parse_change(text: &[u8]) -> Result<i128, String> {
    let signed = |text: &str| match text.strip_prefix('-') {
        Some(removed) => whole(removed).map(|removed| -i128::from(removed)),
        None => whole(text.strip_prefix('+').unwrap_or(text)).map(i128::from),
    };
    std::str::from_utf8(text).ok().map(str::trim).and_then(signed).ok_or_else(|| {
        format!(
            "the weight '{}' is not a whole number between -2^64 and 2^64; fix it, or leave out --weight",
            excerpt(text)
        )
    })
}

/// Parses an integer without a sign.
fn whole(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_whole = whole.bytes().all(|byte| byte.is_ascii_digit()) && fraction.bytes().all(|b| b == b'0');
    whole.parse().ok().filter(|_| is_whole)
}

/// Parses the weight of a record.
pub(super) fn parse_weight(text: &[u8]) -> Result<f64, String> {
    finite(text).filter(|&weight| weight >= 0.0).ok_or_else(|| {
        format!("the weight '{}' is not a number from 0 on; fix it, or leave out --weight", excerpt(text))
    })
}

/// Parses the number that is kept with a value.
pub(super) fn parse_kept(text: &[u8]) -> Result<f64, String> {
    finite(text).ok_or_else(|| {
        format!("the value '{}' is not a number; fix it, or name another column", excerpt(text))
    })
}

/// Returns the beginning of a value, for messages.
pub(super) fn excerpt(text: &[u8]) -> String {
    shown_within(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        for (text, copies) in [("0", 0), ("3", 3), (" 3.00 ", 3), ("18446744073709551615", u64::MAX)] {
            assert_eq!(parse_copies(text.as_bytes()), Ok(copies), "{text}");
        }
        for bad in ["", "-1", "+1", "2.5", "1e3", ".0", "18446744073709551616", "x"] {
            assert!(parse_copies(bad.as_bytes()).unwrap_err().contains("whole number"), "{bad}");
        }
        for (text, change) in [("0", 0), ("-3", -3), (" +3.00 ", 3), ("-18446744073709551615", 1 - (1 << 64))]
        {
            assert_eq!(parse_change(text.as_bytes()), Ok(change), "{text}");
        }
        for bad in ["", "-", "+", "--1", "+-1", "- 1", "-2.5", "-1e3", "-18446744073709551616", "x"] {
            assert!(parse_change(bad.as_bytes()).unwrap_err().contains("whole number"), "{bad}");
        }
        assert_eq!(parse_weight(b"2.5"), Ok(2.5));
        for bad in ["", "-1", "nan", "inf", "x"] {
            assert!(parse_weight(bad.as_bytes()).unwrap_err().contains("from 0 on"), "{bad}");
        }
    }
}
