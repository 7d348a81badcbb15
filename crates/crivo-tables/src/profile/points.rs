//! Numbers and times of the data in few characters.

use super::report::ColumnReport;
use crivo::profile::{Bin, ColumnType};
use crivo::{Guarantee, Number};
use crivo_report::{significant, value};

/// The number of digits in tables: readers do not compare more.
const DIGITS: usize = 5;

/// Returns a number of the data with [`DIGITS`] digits. Whole numbers have all their digits.
pub(super) fn figure(figure: impl Into<Number>) -> String {
    figure_of(figure.into(), DIGITS)
}

/// Like `figure`, with this many digits.
fn figure_of(figure: Number, digits: usize) -> String {
    if figure.to_integer().is_some() { figure.to_string() } else { rounded(figure.to_f64(), digits) }
}

/// Rounds to this many significant digits, and more if a fraction would look like a whole number: `9999.5`,
/// `1000000000.5`.
fn rounded(figure: f64, digits: usize) -> String {
    let size = figure.abs();
    if figure.fract() == 0.0 || !(1e-4..1e15).contains(&size) {
        return if size < 1e15 { significant(figure, digits) } else { value(figure) };
    }
    let decimals = (digits as f64 - 1.0 - size.log10().floor()).max(1.0) as usize;
    let text = format!("{figure:.decimals$}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.into() }
}

/// Returns a mean for a table.
pub(super) fn mean(mean: impl Into<Number>) -> String {
    let mean = mean.into();
    if mean.to_f64().abs() < 1e15 { rounded(mean.to_f64(), 4) } else { figure(mean) }
}

/// Returns a number of a column of this type: a date or a time if the column has them, with a zone if it has zones.
pub fn point(column_type: ColumnType, has_zones: bool, number: impl Into<Number>) -> String {
    point_of(column_type, has_zones, number.into(), DIGITS)
}

/// Returns a number of this column, with enough digits to distinguish it from other numbers of the column.
pub(super) fn place(column: &ColumnReport, number: Number) -> String {
    point_of(column.column_type, column.has_zones, number, digits(column))
}

fn point_of(column_type: ColumnType, has_zones: bool, number: Number, digits: usize) -> String {
    match column_type {
        ColumnType::Date | ColumnType::Timestamp => {
            time(column_type, has_zones, number.to_f64()).unwrap_or_else(|| format!("{number} s"))
        }
        _ => figure_of(number, digits),
    }
}

/// Returns a time from seconds since 1970, to the microsecond, or `None` for years beyond 9999. Times without a
/// zone are shown without one.
fn time(column_type: ColumnType, has_zones: bool, seconds: f64) -> Option<String> {
    // The conversion saturates at times beyond every representable year.
    let since = jiff::SignedDuration::from_micros((seconds * 1e6).round() as i64);
    let time = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0).checked_add(since).ok()?;
    Some(match column_type {
        ColumnType::Date => time.date().to_string(),
        _ if has_zones => format!("{time}Z"),
        _ => time.to_string(),
    })
}

/// Splits a time into the day and the rest. The day may begin with `~`.
pub(super) fn at_day(text: &str) -> (&str, &str) {
    let end = text.find('-').map_or(text.len(), |hyphen| hyphen + "-01-31".len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Returns the number of digits that show a thousandth of the column's range.
fn digits(column: &ColumnReport) -> usize {
    /// The largest number of digits of an `f64`.
    const MOST: f64 = 17.0;
    let bins = column.histogram.iter().flat_map(|histogram| &histogram.bins);
    let quantiles = column.quantiles.iter().flat_map(|(_, it)| [*it.lower(), *it.upper()]);
    let ends = bins.flat_map(|bin| [bin.from, bin.to]).chain(quantiles).map(Number::to_f64);
    let (least, greatest) = ends
        .filter(|end| end.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), end| (least.min(end), most.max(end)));
    if least >= greatest {
        return DIGITS;
    }
    let size = least.abs().max(greatest.abs());
    ((size / (greatest - least)).log10().ceil() + 4.0).clamp(DIGITS as f64, MOST) as usize
}

/// Returns the median, with `~` if it is not exact.
pub(super) fn median(column: &ColumnReport) -> Option<String> {
    let (_, median) = column.quantiles.iter().find(|(share, _)| *share == 0.5)?;
    let exact = median.lower() >= median.upper() && median.guarantee() == Guarantee::Certain;
    Some(format!("{}{}", if exact { "" } else { "~" }, place(column, *median.value())))
}

/// Returns the ends of a bin, `10 to 19`, or its only number.
pub(super) fn bin_ends(column: &ColumnReport, bin: &Bin) -> String {
    let [from, to] = [bin.from, bin.to].map(|edge| place(column, edge));
    if from == to { from } else { format!("{from} to {to}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_time() {
        assert_eq!(point(ColumnType::Date, false, 86_400.0), "1970-01-02");
        assert_eq!(point(ColumnType::Timestamp, true, -1.0), "1969-12-31T23:59:59Z");
        assert_eq!(point(ColumnType::Timestamp, false, -1.0), "1969-12-31T23:59:59", "no zone is made up");
        let shown = [0.25, -0.25, 1_357_034_400.123_456, 253_402_300_799.0, 1e300]
            .map(|it| point(ColumnType::Timestamp, true, it));
        assert_eq!(
            shown,
            [
                "1970-01-01T00:00:00.25Z",
                "1969-12-31T23:59:59.75Z",
                "2013-01-01T10:00:00.123456Z",
                "9999-12-31T23:59:59Z",
                "1e300 s"
            ]
        );
        let shown = [-1.0, 253_402_214_400.0, -62_167_219_200.0].map(|it| point(ColumnType::Date, false, it));
        assert_eq!(shown, ["1969-12-31", "9999-12-31", "0000-01-01"]);
    }

    #[test]
    fn days_of_times() {
        let parts = ["~2013-01-31T10:00:00Z", "2013-01-31 10:00", "2013-01-31", "1e300 s", "é-"].map(at_day);
        let expected = [
            ("~2013-01-31", "T10:00:00Z"),
            ("2013-01-31", " 10:00"),
            ("2013-01-31", ""),
            ("1e300 s", ""),
            ("é-", ""),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn numbers_of_the_data() {
        let shown =
            [2013.0, -9_223_372_036_854_775_808.0, 0.0].map(|it| point(ColumnType::Integer, false, it));
        assert_eq!(shown, ["2013", "-9223372036854775808", "0"]);
        let shown = [0.123_456_78, 1e9 + 0.5, 99_999.97, -2.5e-7, 1e18].map(figure);
        assert_eq!(shown, ["0.12346", "1000000000.5", "100000.0", "-2.5000e-7", "1000000000000000000"]);
        assert_eq!([9999.5, 12.345_67, 1234.0, 0.5].map(mean), ["9999.5", "12.35", "1234", "0.5"]);
    }
}
