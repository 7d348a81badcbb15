//! Figures of a profile in few characters, for tables and pages.

use super::pairs::{PairReport, Relation};
use super::report::{ColumnReport, Histogram, OUTER, Report, Top};
use crate::output::{number, percent, plural, shown, value, whole};
use crivo::{Bin, ColumnType, Estimate, Key};

/// `6,936` where it is exact, `1.23 M ± 2 %` where it is not.
pub(crate) fn about(estimate: &Estimate) -> String {
    if estimate.lower() >= estimate.upper() {
        return whole(estimate.value());
    }
    if estimate.is_swamped() {
        return format!("≤ {}", rough(estimate.upper()));
    }
    let reach = (estimate.upper() - estimate.value()).max(estimate.value() - estimate.lower());
    format!("{} ± {}", rough(estimate.value()), short_percent(reach / estimate.value()))
}

/// Three significant digits: `987`, `12.3 k`, `1.23 M`.
pub(crate) fn rough(whole_number: f64) -> String {
    let mut size = whole_number;
    for unit in ["", " k", " M", " G", " T"] {
        // 999.5 and more would be rounded to four digits.
        if size < 999.5 {
            return if unit.is_empty() { whole(size) } else { format!("{}{unit}", number(size)) };
        }
        size /= 1000.0;
    }
    number(whole_number)
}

/// Two significant digits, and none where there is nothing: `2.5 %`, `0`.
pub(crate) fn short_percent(share: f64) -> String {
    if share == 0.0 {
        return "0".into();
    }
    let percent = share * 100.0;
    if percent >= 99.5 && share < 1.0 {
        return "> 99 %".into();
    }
    format!(
        "{} %",
        if percent >= 9.95 { format!("{percent:.0}") } else { crivo_lab::significant(percent, 2) }
    )
}

/// A number of the data in as many digits as a person compares; whole ones have all.
pub(crate) fn figure(figure: f64) -> String {
    if figure.fract() == 0.0 { value(figure) } else { crivo_lab::significant(figure, 5) }
}

/// A number of a column: a date or a time where it has such.
pub(crate) fn point(column_type: ColumnType, seconds: f64) -> String {
    if !matches!(column_type, ColumnType::Date | ColumnType::Timestamp) {
        return figure(seconds);
    }
    let Ok(time) = jiff::Timestamp::from_second(seconds as i64) else {
        return format!("{} s", value(seconds));
    };
    let text = time.to_string();
    let day = text.split('T').next().unwrap_or(&text);
    if column_type == ColumnType::Date { day.into() } else { text }
}

/// A value as people read it; one that was kept in part ends in `…`.
pub(crate) fn top_text(value: &[u8], truncated: bool) -> String {
    shown(value) + if truncated { "…" } else { "" }
}

/// What is known of the values that are not listed.
pub(crate) fn others(top: &Top) -> String {
    if top.listed().is_empty() {
        let most = top.values.first().map_or(0.0, |first| first.count.upper()).max(top.others_most);
        let once = "no value is known to occur more than once";
        return if most > 1.0 {
            format!("{once}; none occurs more than {} times", whole(most))
        } else {
            "each value occurs once".into()
        };
    }
    if top.others_most == 0.0 {
        "there are no others".into()
    } else {
        format!("no other has more than {}", whole(top.others_most))
    }
}

/// What the bars are of.
pub(crate) fn histogram_title(histogram: &Histogram) -> String {
    if !histogram.middle {
        return "histogram".into();
    }
    format!("histogram of the middle {}; the outer ones reach far", percent(1.0 - 2.0 * OUTER))
}

/// `10 to 19`, or the one number there is in it.
pub(crate) fn bin_ends(column: &ColumnReport, bin: &Bin) -> String {
    let [from, to] = [bin.from, bin.to].map(|edge| point(column.column_type, edge));
    if from == to { from } else { format!("{from} to {to}") }
}

/// Whether the bounds of a count are so near to each other that a share says what it is.
pub(crate) fn is_told(count: &Estimate) -> bool {
    count.lower() >= 0.9 * count.upper()
}

/// The share of all values that the most frequent one has, and which it is: `17 %` and `UA`. A value that may be as
/// rare as any other is not named.
pub(crate) fn most_frequent(column: &ColumnReport) -> Option<[String; 2]> {
    let first = column.top.as_ref()?.values.first()?;
    if first.count.upper() <= 1.0 {
        return None;
    }
    if !is_told(&first.count) {
        return Some([format!("≤ {}", short_percent(column.share(first.count.upper()))), String::new()]);
    }
    let mark = if first.count.lower() < first.count.upper() { "~" } else { "" };
    Some([
        format!("{mark}{}", short_percent(column.share(first.count.value()))),
        top_text(&first.value, first.truncated),
    ])
}

/// What a key is called, if it is one.
pub(crate) fn key(key: Key) -> Option<&'static str> {
    match key {
        Key::Certain => Some("key"),
        Key::Likely => Some("likely a key"),
        Key::No => None,
    }
}

/// `equal: tailnum and tail have the same values, each as often`
pub(crate) fn pair(report: &Report, pair: &PairReport) -> String {
    let [a, b] = [pair.a, pair.b].map(|place| shown(report.name(place).as_bytes()));
    let overlap = &pair.overlap;
    match pair.relation {
        Relation::Equal => format!("equal: {a} and {b} have the same values, each as often"),
        Relation::Joinable => format!(
            "joinable: {a} and {b} share {} values, {} of the first and {} of the second",
            about(&overlap.shared),
            share(&overlap.of_self),
            share(&overlap.of_other)
        ),
    }
}

/// `82 %`, or the two ends where it is not exact: `80 to 84 %`.
fn share(estimate: &Estimate) -> String {
    let [lower, upper] = [estimate.lower(), estimate.upper()].map(short_percent);
    if lower == upper { lower } else { format!("{} to {upper}", lower.trim_end_matches(" %")) }
}

/// What columns without ± are, and what those with it.
pub(crate) fn legend(report: &Report) -> Option<String> {
    let inexact = report
        .columns()
        .filter_map(|(_, column)| column.distinct)
        .find(|distinct| distinct.lower() < distinct.upper())?;
    let confidence = inexact.guarantee().confidence();
    Some(format!("± is half of a {} interval; numbers without it are exact", percent(confidence)))
}

/// `336,776 rows, 19 columns`
pub(crate) fn size(rows: u64, columns: usize) -> String {
    format!("{}, {}", plural(rows, "row", "rows"), plural(columns as u64, "column", "columns"))
}

/// The bars of a histogram in a character each; no bar where there is nothing.
pub(crate) fn spark(histogram: &Histogram, room: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bins = &histogram.bins;
    if bins.len() < 2 {
        return String::new();
    }
    let together = bins.len().div_ceil(room);
    let heights: Vec<f64> =
        bins.chunks(together).map(|bins| bins.iter().map(|bin| bin.count.value()).sum()).collect();
    let most = heights.iter().copied().fold(0.0, f64::max);
    let bar = |height: f64| BARS.get(((height / most * 8.0).ceil() as usize).wrapping_sub(1)).copied();
    heights.into_iter().map(|height| bar(height).unwrap_or(' ')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_numbers_have_three_digits() {
        let shown = [0.0, 999.4, 999.6, 12_345.0, 1_234_567.0, 999_600.0, 5e12, 1e18].map(rough);
        assert_eq!(shown, ["0", "999", "1 k", "12.3 k", "1.23 M", "1 M", "5 T", "1.00e18"]);
    }

    #[test]
    fn shares_are_short_and_never_a_wrong_hundred() {
        let shown = [0.0, 1.0, 0.9999, 0.174, 0.0245, 0.0999, 0.000_012].map(short_percent);
        assert_eq!(shown, ["0", "100 %", "> 99 %", "17 %", "2.5 %", "10 %", "0.0012 %"]);
    }

    #[test]
    fn points_of_time() {
        assert_eq!(point(ColumnType::Date, 86_400.0), "1970-01-02");
        assert_eq!(point(ColumnType::Timestamp, -1.0), "1969-12-31T23:59:59Z");
        assert_eq!(point(ColumnType::Timestamp, 1e300), "1e300 s");
        assert_eq!(
            [point(ColumnType::Integer, 2013.0), point(ColumnType::Float, 0.123_456_78)],
            ["2013", "0.12346"]
        );
    }
}
