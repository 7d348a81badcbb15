//! The time of a record.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Parses a time as microseconds since 1970: from seconds, with or without a fraction, or from a date and a time in
/// the form of RFC 3339 or ISO 8601. Without an offset, the time is in UTC.
pub(super) fn parse(text: &[u8]) -> Result<u64, String> {
    let parsed =
        std::str::from_utf8(text).ok().map(str::trim).and_then(|text| seconds(text).or_else(|| date(text)));
    parsed.ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(text).chars().take(40).collect();
        format!(
            "'{}' is not a time from 1970 on; expected seconds, or a date and time such as 2026-11-16T02:03:04Z",
            shown.escape_debug()
        )
    })
}

fn seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let micros = format!("{fraction:0<6.6}").parse::<u64>().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)
}

fn date(text: &str) -> Option<u64> {
    let timestamp = text.parse::<Timestamp>().or_else(|_| {
        text.parse::<DateTime>().and_then(|date| date.to_zoned(TimeZone::UTC)).map(|zoned| zoned.timestamp())
    });
    u64::try_from(timestamp.ok()?.as_microsecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates() {
        for (text, micros) in [
            ("0", 0),
            ("12", 12_000_000),
            (" 1.5 ", 1_500_000),
            ("1.0000019", 1_000_001),
            ("1700000000.25", 1_700_000_000_250_000),
            ("1970-01-01T00:00:01Z", 1_000_000),
            ("1970-01-01T01:00:00.000002+01:00", 2),
            ("1970-01-01 00:01:00", 60_000_000),
            ("1970-01-02", 86_400_000_000),
        ] {
            assert_eq!(parse(text.as_bytes()), Ok(micros), "{text}");
        }
    }

    #[test]
    fn everything_else_is_told() {
        for bad in
            ["", "-1", "1e9", "+1", "1.2.3", "noon", "1969-12-31T23:59:59Z", "18446744073709551615", "nan"]
        {
            assert!(parse(bad.as_bytes()).unwrap_err().contains("2026-11-16T02:03:04Z"), "{bad}");
        }
        assert!(parse(b"\xff").is_err());
    }
}
