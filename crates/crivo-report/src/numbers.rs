//! Numbers as text for people.

/// Returns a number with commas: `1,234,567`.
pub fn count(number: u64) -> String {
    group(&number.to_string())
}

/// Returns a number with its noun: `1 item`, `2 items`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a number without decimals: `-1,234`.
pub fn whole(number: f64) -> String {
    let digits = group(&format!("{:.0}", number.abs()));
    if number < 0.0 && digits != "0" { format!("-{digits}") } else { digits }
}

/// Rounds `value` to this many significant digits, without trailing zeros. Only tiny and huge numbers have an
/// exponent.
pub fn significant(value: f64, digits: usize) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let magnitude = libm::floor(libm::log10(value.abs()));
    if !(-4.0..9.0).contains(&magnitude) {
        return format!("{value:.*e}", digits.saturating_sub(1));
    }
    let decimals = digits as f64 - 1.0 - magnitude;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and digits + 4")]
    let decimals = decimals.max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Rounds to three significant digits.
pub fn number(value: f64) -> String {
    significant(value, 3)
}

/// Returns a number of bytes with its unit: `559 KiB`.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    if unit == "bytes" { plural(bytes, "byte", "bytes") } else { format!("{} {unit}", number(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_sizes() {
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!([-0.4, -1.0, -123.0, -1234.0].map(whole), ["0", "-1", "-123", "-1,234"]);
        assert_eq!(
            [size(1), size(1023), size(1024), size(572_000)],
            ["1 byte", "1,023 bytes", "1 KiB", "559 KiB"]
        );
    }

    #[test]
    fn significant_digits() {
        let shown =
            [0.0, 1.0, 0.25, 1.000_01, -0.012_345_6, 123_456.7, 9.87e-9].map(|value| significant(value, 4));
        assert_eq!(shown, ["0", "1", "0.25", "1", "-0.01235", "123457", "9.870e-9"]);
    }
}
