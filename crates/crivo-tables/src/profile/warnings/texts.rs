//! Warnings about how values are written.

use super::super::report::Kept;
use super::super::words::short_percent;
use super::words::{quoted, rows_of};
use super::{Defect, Finding, MOST_VALUES, kept};
use crivo::foreign::estimate;
use crivo::profile::{ColumnProfile, ColumnSummary, ColumnType, KnownValue};
use crivo::{Estimate, Guarantee};
use crivo_report::{count, one_line, plural};
use std::collections::BTreeMap;

/// Texts that people and programs write instead of a missing value, in lower case. Those that are missing by default
/// are not among them.
const PLACEHOLDERS: [&[u8]; 24] = [
    b"?",
    b"-",
    b"--",
    b".",
    b"n.a.",
    b"n/d",
    b"na.",
    b"#n/a",
    b"#na",
    b"#null!",
    b"#ref!",
    b"#value!",
    b"#div/0!",
    b"#name?",
    b"<na>",
    b"nat",
    b"(null)",
    b"nil",
    b"undefined",
    b"unknown",
    b"missing",
    b"not available",
    b"tbd",
    b"0000-00-00",
];

/// Returns whether a value has a defect.
type Check = fn(&[u8]) -> bool;

pub(super) fn all(summary: &ColumnSummary) -> Vec<Finding> {
    let mut seen = [const { Vec::new() }; 4];
    let checks: [(Check, Defect); 4] = [
        (is_damaged, Defect::Encoding),
        (is_placeholder, Defect::Sentinel),
        (has_blanks, Defect::Blanks),
        (is_invisible, Defect::Invisible),
    ];
    for value in values(summary) {
        if is_plain(value.value) {
            continue;
        }
        for (seen, (is, _)) in seen.iter_mut().zip(checks) {
            if is(value.value) {
                seen.push(value);
            }
        }
    }
    let mut findings: Vec<Finding> = mixed_types(summary).into_iter().collect();
    for (seen, (_, defect)) in seen.iter().zip(checks) {
        findings.extend(spelt(defect, seen, summary));
    }
    // A text that stands for a missing value is often the only text of a column.
    let stands_for_all = |finding: &Finding| {
        finding.defect == Defect::Sentinel
            && finding.rows.is_some_and(|rows| rows.value() >= texts(summary) as f64)
    };
    if findings.iter().any(stands_for_all) {
        findings.retain(|finding| finding.defect != Defect::MixedTypes);
    }
    findings.extend(mixed_case(summary));
    findings
}

/// Returns the known values, and those of the sample of a column that is not exact, which may occur elsewhere.
fn values(summary: &ColumnSummary) -> impl Iterator<Item = KnownValue<'_>> {
    let sample = if summary.is_exact() { &[][..] } else { summary.sample() };
    let sampled = sample.iter().map(|text| KnownValue { value: text, truncated: false, least: 0, most: 1 });
    summary.known().chain(sampled)
}

/// Returns whether no check applies to a value, as to most: it is short ASCII that begins and ends with a letter or a
/// digit.
fn is_plain(text: &[u8]) -> bool {
    let ends = text.first().zip(text.last());
    let begins = |byte: &u8| byte.is_ascii_alphanumeric();
    ends.is_some_and(|(first, last)| begins(first) && begins(last))
        && text.iter().all(|byte| (b' '..=b'~').contains(byte))
        && !is_placeholder(text)
}

fn texts(summary: &ColumnSummary) -> u64 {
    let classes = summary.classes();
    classes.iter().find(|(class, _)| *class == ColumnType::Text).map_or(0, |(_, number)| *number)
}

/// Returns the finding about these values.
fn spelt(defect: Defect, seen: &[KnownValue<'_>], summary: &ColumnSummary) -> Option<Finding> {
    if seen.is_empty() {
        return None;
    }
    let rows = rows(seen.iter(), summary);
    let examples = examples(seen.iter());
    let shown = list(&examples);
    let values = rows_of(&rows, "value", "values");
    let one = rows.value() == 1.0;
    let evidence = match defect {
        Defect::Encoding if one => format!("{values} is in a wrong encoding: {shown}"),
        Defect::Encoding => format!("{values} are in a wrong encoding: {shown}"),
        Defect::Sentinel if one => format!("{values} may stand for a missing one: {shown}"),
        Defect::Sentinel => format!("{values} may stand for missing ones: {shown}"),
        Defect::Blanks if one => format!("{values} begins or ends with a blank: {shown}"),
        Defect::Blanks => format!("{values} begin or end with a blank: {shown}"),
        _ if one => format!("{values} has invisible characters: {shown}"),
        _ => format!("{values} have invisible characters: {shown}"),
    };
    Some(Finding { defect, evidence, rows: Some(rows), values: examples, chance: 0.0 })
}

/// Returns the number of rows with these values: at least those that were counted.
fn rows<'a>(seen: impl Iterator<Item = &'a KnownValue<'a>>, summary: &ColumnSummary) -> Estimate {
    let least = seen.map(|value| value.least).sum::<u64>().max(1) as f64;
    if summary.is_exact() {
        return Estimate::exact(least);
    }
    estimate(least, least, summary.values() as f64, Guarantee::Certain)
}

fn examples<'a>(seen: impl Iterator<Item = &'a KnownValue<'a>>) -> Vec<Kept> {
    seen.take(MOST_VALUES).map(|value| kept(value.value, value.truncated)).collect()
}

fn list(values: &[Kept]) -> String {
    values.iter().map(quoted).collect::<Vec<_>>().join(", ")
}

fn has_blanks(text: &[u8]) -> bool {
    text.trim_ascii().len() < text.len()
}

fn is_placeholder(text: &[u8]) -> bool {
    /// The length of the longest of them.
    const LONGEST: usize = 13;
    text.len() <= LONGEST && PLACEHOLDERS.iter().any(|known| known.eq_ignore_ascii_case(text))
}

/// Returns whether a text is not UTF-8, has the mark of bytes that could not be decoded, or is UTF-8 that was decoded
/// as Windows-1252: then `é` has become `Ã©`, and `’` has become `â€™`.
fn is_damaged(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        // The kept part of a long value may end within a character.
        return text.len() < ColumnProfile::LONGEST_KEPT;
    };
    if text.is_ascii() {
        return false;
    }
    let is_pair = |(first, second): (char, char)| match first {
        'Â' | 'Ã' => ('\u{80}'..='\u{bf}').contains(&second),
        'â' => second == '€',
        _ => false,
    };
    text.contains('\u{fffd}') || text.chars().zip(text.chars().skip(1)).any(is_pair)
}

/// Returns whether a text has a character that cannot be seen, other than the ends of lines and tabs.
fn is_invisible(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let without_lines = text.replace(['\n', '\r', '\t'], " ");
    without_lines.contains('\u{a0}') || one_line(&without_lines) != without_lines
}

/// Returns a finding about values of another type than nearly all others.
fn mixed_types(summary: &ColumnSummary) -> Option<Finding> {
    /// The largest share of such values. With more of them, the column simply is text.
    const FEW: f64 = 0.1;
    let classes = summary.classes();
    let (usual, most) = *classes.iter().max_by_key(|(_, number)| *number)?;
    if summary.column_type() != ColumnType::Text || usual == ColumnType::Text {
        return None;
    }
    let others = summary.values() - most;
    let are_few = (others as f64) < FEW * summary.values() as f64;
    let evidence = if are_few {
        let is_other = |value: &&KnownValue<'_>| ColumnType::of(value.value) != usual;
        let known: Vec<KnownValue<'_>> = values(summary).collect();
        let examples = examples(known.iter().filter(is_other));
        let names = classes.iter().filter(|(class, _)| *class != usual).map(|(class, _)| class.name());
        let names = names.collect::<Vec<_>>().join(" or ");
        let shown = list(&examples);
        let colon = if examples.is_empty() { "" } else { ": " };
        let are = if others == 1 { "is" } else { "are" };
        let of = format!("{} of {} values", count(others), count(summary.values()));
        let evidence = format!("{of} {are} {names}, most are {}{colon}{shown}", usual.name());
        return Some(Finding::certain(Defect::MixedTypes, others, evidence).with_values(examples));
    } else if texts(summary) == 0 {
        let shares = classes.iter().map(|(class, number)| {
            format!("{} {}", short_percent(*number as f64 / summary.values() as f64), class.name())
        });
        format!("values of several types: {}", shares.collect::<Vec<_>>().join(", "))
    } else {
        return None;
    };
    Some(Finding::certain(Defect::MixedTypes, others, evidence))
}

/// Returns a finding about values that differ only in case, in a column with few enough values to be categories. Single
/// letters are left out, since `m` and `M` are often two codes.
fn mixed_case(summary: &ColumnSummary) -> Option<Finding> {
    const MOST_CATEGORIES: f64 = 1000.0;
    let is_text = matches!(summary.column_type(), ColumnType::Text | ColumnType::Boolean);
    if !is_text || !summary.is_exact() || summary.distinct().value() > MOST_CATEGORIES {
        return None;
    }
    let mut spellings: BTreeMap<String, Vec<KnownValue<'_>>> = BTreeMap::new();
    for value in summary.known().filter(|value| value.value.len() > 1) {
        if let Ok(text) = std::str::from_utf8(value.value) {
            spellings.entry(text.trim_ascii().to_lowercase()).or_default().push(value);
        }
    }
    let differ_in_case = |values: &&Vec<KnownValue<'_>>| {
        let plain = values[0].value.trim_ascii();
        values.iter().any(|value| value.value.trim_ascii() != plain)
    };
    let mut groups: Vec<&Vec<KnownValue<'_>>> = spellings.values().filter(differ_in_case).collect();
    groups.sort_by_key(|values| std::cmp::Reverse(values.iter().map(|value| value.least).sum::<u64>()));
    let first = groups.first()?;
    let shown: Vec<String> = first
        .iter()
        .map(|it| format!("{} ({})", quoted(&kept(it.value, it.truncated)), count(it.least)))
        .collect();
    let more = groups.len() - 1;
    let more = if more == 0 {
        String::new()
    } else {
        format!(", and {}", plural(more as u64, "more such group", "more such groups"))
    };
    // The most frequent spelling of each group is taken to be the right one.
    let others = groups.iter().flat_map(|values| values.iter().skip(1));
    let rows = others.map(|value| value.least).sum();
    let evidence = format!("differ only in case: {}{more}", shown.join(", "));
    Some(Finding::certain(Defect::MixedCase, rows, evidence).with_values(examples(first.iter())))
}
