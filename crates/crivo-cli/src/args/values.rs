//! Values that flags take.

use crivo_tables::Step;
use std::time::Duration;

/// A number of bytes: `4096`, `64KiB`, `10M`, `1.5GB`. One letter means the binary unit, as in `ls -h`.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    const MIB: f64 = 1_048_576.0;
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "kb" => 1e3,
        "m" | "mib" => MIB,
        "mb" => 1e6,
        "g" | "gib" => MIB * 1024.0,
        "gb" => 1e9,
        "t" | "tib" => MIB * MIB,
        "tb" => 1e12,
        other => return Err(format!("unknown unit '{other}'; use KiB, MiB or GiB")),
    };
    let bytes =
        number.parse::<f64>().map_err(|_| "expected a number with a unit, for example 64MiB".to_string())?
            * factor;
    if !(1.0..=1e18).contains(&bytes) {
        return Err("expected between 1 byte and 10^18 bytes, for example 64MiB".into());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in 1..=1e18")]
    Ok(bytes as u64)
}

/// A number of things: `20000`, `20_000`, `2e4`, `1.5e6`, `10k`, `1.5M`, `2G`, `64KiB`. A small m is for minutes.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    const EXAMPLE: &str = "expected a whole number below 2^64, for example 1000000, 1_000_000, 1e6 or 1M";
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit());
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_');
    let (digits, unit) = text.split_at(text.find(|c: char| !is_digit(c)).unwrap_or(text.len()));
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let (factor, tens) = match unit.trim_start() {
        "" => (1, "0"),
        "k" | "K" => (1, "3"),
        "M" => (1, "6"),
        "G" => (1, "9"),
        "T" => (1, "12"),
        "Ki" | "KiB" => (1 << 10, "0"),
        "Mi" | "MiB" => (1 << 20, "0"),
        "Gi" | "GiB" => (1 << 30, "0"),
        "Ti" | "TiB" => (1 << 40, "0"),
        other => (1, other.strip_prefix(['e', 'E']).unwrap_or_default()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    // In whole numbers throughout: a float would round what it cannot hold.
    let count = || -> Option<u64> {
        let number = u128::from(format!("{whole}{fraction}").parse::<u64>().ok()?) * factor;
        let tens = tens.parse::<u32>().ok().filter(|&tens| tens < 20)?;
        let (tens, parts) = (10u128.pow(tens), 10u128.checked_pow(fraction.len().try_into().ok()?)?);
        let number = number.checked_mul(tens).filter(|number| number % parts == 0)?;
        u64::try_from(number / parts).ok()
    };
    count().filter(|_| starts_well).ok_or_else(|| EXAMPLE.into())
}

/// A length of time: `90s`, `10m`, `1.5h`, `250ms`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXAMPLE: &str = "expected a number with a unit, ms, s, m, h, d or w, for example 90s or 10m";
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds = match unit.trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        "w" => 604_800.0,
        _ => return Err(EXAMPLE.into()),
    };
    let seconds = number.parse::<f64>().map_err(|_| EXAMPLE.to_string())? * seconds;
    if !(0.001..=1e11).contains(&seconds) {
        return Err("expected between 1ms and 1000000d".into());
    }
    Ok(Duration::from_micros((seconds * 1e6).round() as u64))
}

/// A number of items, or a length of time.
pub(crate) fn parse_step(text: &str) -> Result<Step, String> {
    match (parse_count(text), parse_duration(text)) {
        (Ok(0), _) => Err("expected at least 1 item".into()),
        (Ok(items), _) => Ok(Step::Items(items)),
        (_, Ok(time)) => Ok(Step::Time(time)),
        _ => Err("expected a number of items such as 1e6, or a time such as 10s or 5m".into()),
    }
}

/// Parses a percentage: of `99.9` the double nearest to 0.999, which a division need not give.
fn parse_percent(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
    if is_plain { format!("{text}e-2").parse().ok() } else { None }
}

/// A number, or a percentage.
fn fraction(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => parse_percent(percent),
        None => text.parse::<f64>().ok(),
    }
}

/// A share or a probability: strictly between 0 and 1, or as a percentage.
pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    match fraction(text) {
        Some(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number above 0 and below 1, for example 0.01 or 1%".into()),
    }
}

/// A share that may be the whole: above 0, at most 1, or as a percentage.
pub(crate) fn parse_share_or_all(text: &str) -> Result<f64, String> {
    match fraction(text) {
        Some(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a number above 0 and at most 1, for example 0.8 or 80%".into()),
    }
}

/// A share of the ranks, from 0 to 1: `0.5`, `p50` or `50%`.
pub(crate) fn parse_quantile(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let share = marked_percentile(text).map_or_else(|| text.parse().ok(), parse_percent);
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected numbers from 0 to 1, for example 0.5,0.9,0.99".into())
}

/// Parses a percentile from 0 to 100: `50`, `p50` or `50%`.
pub(crate) fn parse_percentile(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let share = parse_percent(marked_percentile(text).unwrap_or(text));
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected numbers from 0 to 100, for example 50,90,99.9".into())
}

/// The digits of a text that says it is a percentile.
fn marked_percentile(text: &str) -> Option<&str> {
    text.strip_prefix(['p', 'P']).or_else(|| text.strip_suffix('%'))
}

/// One byte between fields: itself, `\t`, or `tab`.
pub(super) fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [b'"' | b'\n' | b'\r'] => Err("a quote or a line end cannot separate fields".into()),
        [byte] => Ok(*byte),
        _ => Err("expected one character, for example ';' or '\\t'".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases =
            [("1", 1), ("64KiB", 65_536), ("2 MB", 2_000_000), ("1.5g", 1_610_612_736), ("10M", 10_485_760)];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for bad in ["", "0", "-1", "x", "1XB", "nan", "inf", "1..2", "1e99", "99999999T"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts() {
        let cases = [
            ("0", 0),
            ("20000", 20_000),
            ("1_000_000", 1_000_000),
            ("1e9", 1_000_000_000),
            ("2.5E3", 2500),
            ("18446744073709551615", u64::MAX),
            ("1e19", 10_000_000_000_000_000_000),
            ("10k", 10_000),
            ("1.5M", 1_500_000),
            ("2 G", 2_000_000_000),
            ("1_0T", 10_000_000_000_000),
            ("64KiB", 65_536),
            ("10MiB", 10_485_760),
            ("1.5Gi", 1_610_612_736),
        ];
        for (text, count) in cases {
            assert_eq!(parse_count(text), Ok(count), "{text}");
        }
        for bad in [
            "",
            "_",
            "_1",
            "-1",
            "+1",
            "x",
            "1.5",
            "1.55e1",
            "1e",
            "e3",
            ".5e1",
            "1e-3",
            "1e20",
            "nan",
            "1e99",
            "2e19",
            "10m",
            "k",
            "1.5",
            "1.0001k",
            "1kk",
            "1e3k",
            "5 apples",
            "99999999T",
        ] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_and_steps() {
        for (text, micros) in
            [("90s", 90_000_000), ("10m", 600_000_000), ("1.5 h", 5_400_000_000), ("1ms", 1000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_micros(micros)), "{text}");
        }
        for bad in ["", "10", "s", "-1s", "0s", "1y", "1..5s", "1e99d", "9999999999d"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_step("1e6"), Ok(Step::Items(1_000_000)));
        assert_eq!(parse_step("10k"), Ok(Step::Items(10_000)));
        assert_eq!(parse_step("1m"), Ok(Step::Time(Duration::from_secs(60))), "a small m is for minutes");
        assert_eq!(parse_step("2s"), Ok(Step::Time(Duration::from_secs(2))));
        for bad in ["", "0", "0s", "x", "-1"] {
            assert!(parse_step(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares() {
        assert_eq!(parse_share("0.01"), Ok(0.01));
        assert_eq!(parse_share("1e-9"), Ok(1e-9));
        assert_eq!((parse_share("1%"), parse_share("2.5 %")), (Ok(0.01), Ok(0.025)));
        for bad in ["", "0", "1", "-0.5", "1.5", "nan", "inf", "100%", "0%", "%", "-1%", "1%%"] {
            assert!(parse_share(bad).is_err(), "{bad}");
        }
        let all = [parse_share_or_all("80%"), parse_share_or_all("100 %"), parse_share_or_all("1")];
        assert_eq!(all, [Ok(0.8), Ok(1.0), Ok(1.0)]);
        for bad in ["", "0", "1.01", "101%", "-80%", "80%%", "nan"] {
            assert!(parse_share_or_all(bad).unwrap_err().contains("80%"), "{bad}");
        }
    }

    #[test]
    fn ranks() {
        for text in ["0.999", "p99.9", "P99.9", "99.9%", "99.9 %"] {
            assert_eq!(parse_quantile(text), Ok(0.999), "{text}");
        }
        for text in ["99.9", "p99.9", "99.9%"] {
            assert_eq!(parse_percentile(text), Ok(0.999), "{text}");
        }
        assert_eq!((parse_percentile("0"), parse_percentile("100")), (Ok(0.0), Ok(1.0)));
        for bad in ["", "p", "%", "-1", "101", "p101", "101%", "nan", "x", "p50%"] {
            assert!(parse_percentile(bad).is_err() && parse_quantile(bad).is_err(), "{bad}");
        }
        assert!(parse_quantile("50").is_err());
    }

    #[test]
    fn delimiters() {
        assert_eq!(parse_delimiter(";"), Ok(b';'));
        assert_eq!(parse_delimiter("\\t"), Ok(b'\t'));
        for bad in ["", "\"", "\n", "ab", "é"] {
            assert!(parse_delimiter(bad).is_err(), "{bad}");
        }
    }
}
