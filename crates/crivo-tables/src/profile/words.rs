//! Figures of a profile in few characters, for tables and HTML pages.

use super::pairs::{Alike, Group, PairReport};
use super::points::median;
use super::report::{ColumnReport, Histogram, Kept, OUTER, ProfileReport, Top};
use super::semantic::Semantic;
use crivo::profile::Key;
use crivo::{DEFAULT_CONFIDENCE, Estimate};
use crivo_report::{number, percent, plural, shown, shown_column, significant, whole};

/// Returns an estimate in few characters: `6,936` if it is exact, `1.23 M ± 2 %` otherwise.
pub(super) fn about(estimate: &Estimate) -> String {
    if estimate.lower() >= estimate.upper() {
        return whole(estimate.value());
    }
    if estimate.is_swamped() {
        return format!("≤ {}", rough(estimate.upper()));
    }
    let reach = (estimate.upper() - estimate.value()).max(estimate.value() - estimate.lower());
    format!("{} ± {}", rough(estimate.value()), short_percent(reach / estimate.value()))
}

/// Rounds to three significant digits: `987`, `12.3 k`, `1.23 M`.
pub(super) fn rough(whole_number: f64) -> String {
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

/// Returns a share with two significant digits, or `0`: `2.5 %`, `0`.
pub(super) fn short_percent(share: f64) -> String {
    if share == 0.0 {
        return "0".into();
    }
    let percent = share * 100.0;
    if percent >= 99.5 && share < 1.0 {
        return "> 99 %".into();
    }
    format!("{} %", if percent >= 9.95 { format!("{percent:.0}") } else { significant(percent, 2) })
}

/// Returns a value as text. A value that was cut ends in `…`.
pub(super) fn kept_text(kept: &Kept) -> String {
    top_text(&kept.text, kept.truncated)
}

/// Like `kept_text`, for a frequent value.
pub(super) fn top_text(value: &[u8], truncated: bool) -> String {
    shown(value) + if truncated { "…" } else { "" }
}

/// Returns the share of the rows without a value, or their number if the share is tiny: `2.5 %`, `1 row`.
pub(super) fn missing(column: &ColumnReport) -> Option<String> {
    const LEAST: f64 = 0.001;
    let missing = column.missing?;
    let share = missing as f64 / column.rows.max(1) as f64;
    Some(if missing > 0 && share < LEAST { plural(missing, "row", "rows") } else { short_percent(share) })
}

/// Returns the bound on the values that are not listed.
pub(super) fn others(top: &Top) -> String {
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

/// Returns the title of a histogram: what the bars show, what they leave out, and which of two bins contains their
/// common end.
pub(super) fn histogram_title(histogram: &Histogram) -> String {
    let title = if histogram.middle {
        format!("histogram of the middle {}", percent(1.0 - 2.0 * OUTER))
    } else {
        "histogram".into()
    };
    let outside = histogram.outside.iter().zip(["below", "above"]).filter(|(count, _)| count.upper() > 0.0);
    let outside: Vec<String> = outside.map(|(count, side)| format!("{} {side}", about(count))).collect();
    let joined = histogram.bins.windows(2).any(|pair| pair[0].to == pair[1].from);
    let ends = joined.then(|| "a bin holds its lower end, the last one both".to_owned());
    let notes: Vec<String> =
        (!outside.is_empty()).then(|| outside.join(", ")).into_iter().chain(ends).collect();
    if notes.is_empty() { title } else { format!("{title}: {}", notes.join("; ")) }
}

/// Returns whether the bounds of a count are close enough to print the count as a single share.
pub(super) fn is_told(count: &Estimate) -> bool {
    count.lower() >= 0.9 * count.upper()
}

/// Returns the share of the most frequent value, and the value: `17 %` and `UA`. A value that may be as rare as any
/// other is not named.
pub(super) fn most_frequent(column: &ColumnReport) -> Option<[String; 2]> {
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

/// The words for a column in which no value occurred twice, although not all values were counted.
pub(crate) const MAY_BE_KEY: &str = "may be a key";

/// Returns the words for a key, if the column may be one.
pub(super) fn key(key: Key) -> Option<&'static str> {
    match key {
        Key::Certain => Some("key"),
        Key::Possible => Some(MAY_BE_KEY),
        Key::No => None,
    }
}

/// Returns a sentence such as `equal: fare and price have the same value in every row`.
pub(super) fn group(report: &ProfileReport, group: &Group) -> String {
    let names: Vec<String> = group.columns.iter().map(|&place| shown_column(&report.name(place))).collect();
    let names = and_names(&names);
    match group.alike {
        Alike::Equal => format!("equal: {names} have the same value in every row"),
        Alike::SameDistribution => format!("same distribution: {names} have the same values, each as often"),
    }
}

/// The largest number of names or pairs in a list. A reader does not read more.
pub(super) const MOST: usize = 8;

/// Returns the first of many names, and the number of the others.
pub(super) fn some_names(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

/// Returns `a, b and c`, or the first of many names and the number of the others.
fn and_names(names: &[String]) -> String {
    match names {
        [first @ .., last] if first.len() < MOST && !first.is_empty() => {
            format!("{} and {last}", first.join(", "))
        }
        names => some_names(names),
    }
}

/// Returns a sentence such as `joinable: tailnum and tail share 120 values, 100 % of the first and 98 % of the
/// second`.
pub(super) fn pair(report: &ProfileReport, pair: &PairReport) -> String {
    let [a, b] = [pair.a, pair.b].map(|place| shown_column(&report.name(place)));
    let overlap = &pair.overlap;
    format!(
        "joinable: {a} and {b} share {} values, {} of the first and {} of the second",
        about(&overlap.shared),
        share(&overlap.of_self),
        share(&overlap.of_other)
    )
}

/// Returns a share, `82 %`, or both its bounds if it is not exact: `80 to 84 %`.
fn share(estimate: &Estimate) -> String {
    let [lower, upper] = [estimate.lower(), estimate.upper()].map(short_percent);
    if lower == upper { lower } else { format!("{} to {upper}", lower.trim_end_matches(" %")) }
}

/// The marks of inexact numbers that a view contains.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    interval: bool,
    about: bool,
    /// Whether a share is not a share of all rows.
    share: bool,
}

impl Marks {
    fn see(&mut self, figure: &str) {
        self.interval |= figure.contains('±');
        self.about |= figure.starts_with('~');
    }

    /// Adds the marks of a column, in the fields that are shown.
    pub(super) fn see_column(&mut self, column: &ColumnReport, is_shown: impl Fn(&str) -> bool) {
        let figures = [
            ("distinct", column.distinct.as_ref().map(about)),
            ("median", median(column)),
            ("most frequent", most_frequent(column).map(|[share, _]| share)),
        ];
        let shown = figures.into_iter().filter(|(title, _)| is_shown(title));
        for (title, figure) in shown.filter_map(|(title, figure)| Some((title, figure?))) {
            self.see(&figure);
            self.share |= title == "most frequent" && column.values < column.rows;
        }
    }

    /// Adds the marks of pairs.
    pub(super) fn see_pairs(&mut self, pairs: &[PairReport]) {
        for pair in pairs {
            self.see(&about(&pair.overlap.shared));
        }
    }

    /// Returns the explanations of the marks that occur.
    pub(super) fn legend(self) -> Vec<String> {
        let interval =
            self.interval.then(|| format!("± half-width of a {} interval", percent(DEFAULT_CONFIDENCE)));
        let about = self.about.then(|| "~ approximate".to_owned());
        let marks: Vec<String> = interval.into_iter().chain(about).collect();
        let rest = "unmarked numbers are exact, apart from rounding";
        let marks = (!marks.is_empty()).then(|| format!("{}; {rest}", marks.join(", ")));
        let shares = self.share.then(|| "shares of the most frequent values exclude missing values".into());
        marks.into_iter().chain(shares).collect()
    }
}

/// Returns the type of a column, and what its values stand for: `text (mail)`.
pub(super) fn type_of(column: &ColumnReport) -> String {
    let name = column.column_type.name();
    column.semantic.map_or_else(|| name.into(), |it| format!("{name} ({})", it.meaning.words()))
}

/// Returns the share of the distinct values that fit what they stand for: `mail: 98 % of the distinct values`.
pub(super) fn semantic(column: &ColumnReport) -> Option<String> {
    let Semantic { meaning, share: of_values } = column.semantic?;
    Some(format!("{}: {} of the distinct values", meaning.words(), share(&of_values)))
}

/// Returns a size such as `336,776 rows, 19 columns`.
pub(super) fn size(rows: u64, columns: usize) -> String {
    format!("{}, {}", plural(rows, "row", "rows"), plural(columns as u64, "column", "columns"))
}

/// Returns the bars of a histogram, one character for each. An empty bin has no bar.
pub(super) fn spark(histogram: &Histogram, room: usize) -> String {
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
    fn many_names_are_shortened() {
        let names: Vec<String> = (0..10).map(|it| it.to_string()).collect();
        assert_eq!(some_names(&names[..8]), "0, 1, 2, 3, 4, 5, 6, 7");
        assert_eq!(and_names(&names[..3]), "0, 1 and 2");
        assert_eq!(some_names(&names), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
        assert_eq!(and_names(&names), some_names(&names));
    }
}
