//! Texts that have a meaning by their shape.

use serde::de::IgnoredAny;

pub(super) fn is_uuid(text: &str) -> bool {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| {
            if HYPHENS.contains(&place) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}

/// Returns whether a text looks like a mail address: a name, and a domain with a point.
pub(super) fn is_mail(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let is_name = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    !name.is_empty() && name.chars().all(is_name) && is_domain(domain) && domain.contains('.')
}

fn is_domain(text: &str) -> bool {
    text.split('.')
        .all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_'))
}

pub(super) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let starts = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_scheme = starts && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    is_scheme && !rest.is_empty() && !rest.starts_with(['/', '?']) && !text.contains(char::is_whitespace)
}

pub(super) fn is_json(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Returns whether a text is a latitude and a longitude: `38.72,-9.14`.
pub(super) fn are_coordinates(text: &str) -> bool {
    let Some((latitude, longitude)) = text.split_once([',', ';']) else { return false };
    let within = |text: &str, most: f64| {
        let number = text.trim().parse::<f64>();
        text.contains('.') && number.is_ok_and(|number| number.abs() <= most)
    };
    within(latitude, 90.0) && within(longitude, 180.0)
}

/// Returns whether a text is a number with a decimal point or comma, possibly in groups of three digits.
pub(super) fn is_amount(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let begins_and_ends =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.ends_with(|c: char| c.is_ascii_digit());
    begins_and_ends
        && digits.chars().all(|c| c.is_ascii_digit() || ".,'\u{a0}\u{202f} ".contains(c))
        && is_grouped(digits)
}

/// Returns whether all separators but the last are followed by three digits.
fn is_grouped(digits: &str) -> bool {
    let groups: Vec<&str> = digits.split(|c: char| !c.is_ascii_digit()).collect();
    let (first, rest) = groups.split_first().expect("a split has a part");
    let middle = rest.split_last().map_or(&[][..], |(_, middle)| middle);
    (middle.is_empty() || first.len() <= 3) && middle.iter().all(|group| group.len() == 3)
}

/// Returns whether a text is an amount with the sign or the code of a currency before or behind it.
pub(super) fn is_money(text: &str) -> bool {
    let starts = text.find(|c: char| c.is_ascii_digit());
    let ends = text.rfind(|c: char| c.is_ascii_digit());
    let (Some(start), Some(end)) = (starts, ends) else { return false };
    let (before, amount, behind) = (&text[..start], &text[start..=end], &text[end + 1..]);
    let unsigned = before.trim_matches(|c: char| "+-−(".contains(c) || c.is_whitespace());
    let behind = behind.trim_matches(|c: char| c == ')' || c.is_whitespace());
    let is_sign = |text: &str| {
        super::codes::is_currency(text)
            || ["$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₫", "₴", "R$", "US$", "kr", "zł", "Kč", "Fr."]
                .contains(&text)
    };
    is_amount(amount) && (is_sign(unsigned) && behind.is_empty() || unsigned.is_empty() && is_sign(behind))
}

/// Returns whether a number has a decimal comma. Three digits behind a single comma may as well be a group.
pub(super) fn has_decimal_comma(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some((whole, decimals)) = unsigned.split_once(',') else { return false };
    let groups: Vec<&str> = whole.split('.').collect();
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let are_groups =
        groups[1..].iter().all(|group| group.len() == 3) && (groups.len() == 1 || groups[0].len() <= 3);
    groups.iter().all(|group| are_digits(group))
        && are_digits(decimals)
        && are_groups
        && (decimals.len() != 3 || groups.len() > 1)
}

/// Returns whether a text is a date of three numbers between equal separators, which `order` turns into year, month and
/// day. A time may follow.
pub(super) fn is_date(text: &str, order: fn([u32; 3]) -> [u32; 3]) -> bool {
    let (day, clock) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    let is_clock = clock.is_empty() || clock.contains(':') && clock.starts_with(|c: char| c.is_ascii_digit());
    let Some(separator) = day.chars().find(|c| !c.is_ascii_digit()) else { return false };
    let parts: Vec<&str> = day.split(separator).collect();
    let [first, second, third] = parts[..] else { return false };
    if !"/.-".contains(separator) || !is_clock {
        return false;
    }
    let number = |text: &str| {
        let is_short = matches!(text.len(), 1 | 2 | 4) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_short)
    };
    let (Some(a), Some(b), Some(c)) = (number(first), number(second), number(third)) else { return false };
    // The place of the year shows by its digits: it has two or four, and four if it comes first.
    let years = order([0, 1, 2])[0] as usize;
    let digits = parts[years].len();
    let others = (0..3).filter(|&place| place != years);
    let is_year = if years == 0 { digits == 4 } else { digits == 4 || digits == 2 };
    if !is_year || others.into_iter().any(|place| parts[place].len() > 2) {
        return false;
    }
    let [_, month, day] = order([a, b, c]);
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// Returns whether a text is base 64 of at least twelve bytes. Words and hexadecimal numbers lack one of the kinds of
/// letters.
pub(super) fn is_base64(text: &str) -> bool {
    const LEAST: usize = 16;
    let body = text.trim_end_matches('=');
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let has = |is: fn(&u8) -> bool| body.as_bytes().iter().any(is);
    text.len() >= LEAST
        && text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(is_letter)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
}
