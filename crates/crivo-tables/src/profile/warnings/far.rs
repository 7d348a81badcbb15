//! Warnings about values at the ends of a column: outliers, values that stand for missing ones, and the future.

use super::super::points::point;
use super::words::{quoted, rows_of, times};
use super::{CHANCE, Defect, Finding, kept};
use crivo::foreign::estimate;
use crivo::profile::{ColumnSummary, ColumnType};
use crivo::{Estimate, Guarantee, Number};

/// The fewest values for a warning about the distance to the others.
const LEAST_VALUES: u64 = 100;

const DAY: f64 = 86_400.0;

/// Numbers that programs write instead of missing ones.
const NUMBERS: [f64; 17] = [
    -9.0,
    -99.0,
    -999.0,
    -9999.0,
    -99_999.0,
    -999_999.0,
    99.0,
    999.0,
    9999.0,
    99_999.0,
    999_999.0,
    9_999_999.0,
    99_999_999.0,
    999_999_999.0,
    -32_768.0,
    -2_147_483_648.0,
    2_147_483_647.0,
];

/// Days that programs write instead of missing ones: the first days of their calendars, and days far in the future.
const DAYS: [&[u8]; 9] = [
    b"0001-01-01",
    b"1753-01-01",
    b"1899-12-30",
    b"1899-12-31",
    b"1900-01-01",
    b"1970-01-01",
    b"2099-12-31",
    b"2999-12-31",
    b"9999-12-31",
];

/// The end of a column that is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

impl End {
    /// Returns the share of the values up to a place that is this far from the end.
    fn share(self, from_end: f64) -> f64 {
        match self {
            Self::Low => from_end,
            Self::High => 1.0 - from_end,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Low => "below",
            Self::High => "above",
        }
    }
}

pub(super) fn all(summary: &ColumnSummary, now: Option<f64>) -> Vec<Finding> {
    let column_type = summary.column_type();
    if !(column_type.is_number() || column_type.is_time()) || summary.values() < LEAST_VALUES {
        return Vec::new();
    }
    let ends = [End::Low, End::High].into_iter();
    ends.filter_map(|end| {
        let column = Tail::new(summary, end)?;
        let future = || now.and_then(|now| future(&column, now));
        sentinel(&column).or_else(future).or_else(|| outliers(&column))
    })
    .collect()
}

/// A column with its values from one end on. Positions are distances from the median towards this end.
struct Tail<'a> {
    summary: &'a ColumnSummary,
    end: End,
    /// The outermost value, as written, and its number.
    text: &'a [u8],
    number: f64,
    median: [f64; 2],
}

impl<'a> Tail<'a> {
    /// Returns `None` if the outermost value is infinite.
    fn new(summary: &'a ColumnSummary, end: End) -> Option<Self> {
        let text = match end {
            End::Low => summary.minimum()?,
            End::High => summary.maximum()?,
        };
        let number = number_of(summary.column_type(), text)?;
        let mut tail = Self { summary, end, text, number, median: [0.0; 2] };
        tail.median = tail.quantile(0.5)?;
        number.is_finite().then_some(tail)
    }

    /// Returns the bounds of the value that has this share of all values between itself and the end.
    fn quantile(&self, from_end: f64) -> Option<[f64; 2]> {
        // Three quantiles decide together.
        let answer = self.summary.quantile_at(self.end.share(from_end), 1.0 - CHANCE / 3.0)?;
        Some([answer.lower(), answer.upper()].map(|bound| bound.to_f64()))
    }

    /// Returns the smallest and the largest possible distance of such a value from the median.
    fn distance(&self, from_end: f64) -> Option<[f64; 2]> {
        let ([low, high], [median_low, median_high]) = (self.quantile(from_end)?, self.median);
        Some(match self.end {
            End::Low => [median_low - high, median_high - low],
            End::High => [low - median_high, high - median_low],
        })
    }

    /// Returns the number of values from this point to the end.
    fn beyond(&self, point: f64) -> Option<Estimate> {
        let all = self.summary.finite().max(self.summary.values() - self.summary.nans()) as f64;
        let up_to = self.summary.rank(Number::from(point))?;
        let count = match self.end {
            End::Low => up_to,
            End::High => {
                let [value, lower, upper] =
                    [up_to.value(), up_to.upper(), up_to.lower()].map(|rank| (all - rank).max(0.0));
                estimate(value, lower, upper, up_to.guarantee())
            }
        };
        // The outermost value itself lies beyond.
        let [value, lower, upper] = [count.value(), count.lower(), count.upper()].map(|it| it.max(1.0));
        Some(estimate(value, lower, upper, count.guarantee()))
    }

    fn shown(&self, position: f64) -> String {
        // An outlier among fractions needs no more digits than they have.
        let digits = if position.abs() >= 1.0 { (position * 1000.0).round() / 1000.0 } else { position };
        point(self.summary.column_type(), self.summary.has_zones(), digits)
    }

    fn chance(&self) -> f64 {
        if self.summary.is_exact() { 0.0 } else { CHANCE }
    }

    fn finding(&self, defect: Defect, evidence: String, rows: Estimate) -> Finding {
        let values = vec![kept(self.text, false)];
        Finding { defect, evidence, rows: Some(rows), values, chance: self.chance() }
    }
}

/// Returns the position of a number or time.
fn number_of(column_type: ColumnType, text: &[u8]) -> Option<f64> {
    if column_type.is_time() {
        ColumnType::time(text).map(|(_, number, _)| number.to_f64())
    } else {
        Number::parse(text.trim_ascii()).map(Number::to_f64)
    }
}

/// Values beyond a tail that goes on as it begins. Between two quantiles of the tail the distance from the median grows
/// like a power of the rank; a tail of this power reaches the fence in one of a hundred tables of this size. Most tails
/// are lighter, so that they reach it more rarely.
fn outliers(tail: &Tail<'_>) -> Option<Finding> {
    /// The fraction of tables in which a tail of that power reaches the fence.
    const TABLES: f64 = 0.01;
    /// The least power: distances of few distinct numbers do not grow at all between two quantiles.
    const LEAST_POWER: f64 = 0.2;
    let values = tail.summary.values() as f64;
    // At least ten values lie beyond the outer quantile.
    let outer = (10.0 / values).max(0.01);
    let inner = (10.0 * outer).min(0.3);
    let (to_inner, to_outer) = (tail.distance(inner)?[0], tail.distance(outer)?[1]);
    if to_inner <= 0.0 || to_outer <= 0.0 {
        return None;
    }
    let power = ((to_outer / to_inner).ln() / (inner / outer).ln()).max(LEAST_POWER);
    let reach = to_outer * (outer * values / TABLES).powf(power);
    let [median_low, median_high] = tail.median;
    let fence = match tail.end {
        End::Low => median_low - reach,
        End::High => median_high + reach,
    };
    let is_beyond = if tail.end == End::Low { tail.number < fence } else { tail.number > fence };
    if !is_beyond {
        return None;
    }
    let count = tail.beyond(fence)?;
    let usual = tail.quantile(outer)?;
    let usual = if tail.end == End::Low { usual[0] } else { usual[1] };
    let (limit, most) = match tail.end {
        End::Low => ("at least", "down to"),
        End::High => ("at most", "up to"),
    };
    let share = crivo_report::percent(1.0 - outer);
    let [usual, fence] = [usual, fence].map(|it| tail.shown(it));
    let evidence = format!(
        "{} {} {fence}, far from the others, {most} {}; {share} are {limit} {usual}",
        rows_of(&count, "value", "values"),
        tail.end.word(),
        quoted(&kept(tail.text, false)),
    );
    Some(tail.finding(Defect::Outliers, evidence, count))
}

/// A value at the end of a column that programs write instead of a missing one, and that is far from the others.
fn sentinel(tail: &Tail<'_>) -> Option<Finding> {
    let summary = tail.summary;
    let is_listed = if summary.column_type().is_time() {
        DAYS.iter()
            .filter_map(|day| number_of(ColumnType::Date, day))
            .any(|day| (day..day + DAY).contains(&tail.number))
    } else {
        NUMBERS.contains(&tail.number)
    };
    if !is_listed && tail.number != -1.0 {
        return None;
    }
    let same = summary.known().filter(|it| number_of(summary.column_type(), it.value) == Some(tail.number));
    let (least, most) = same.fold((0, 0), |(least, most), it| (least + it.least, most + it.most));
    let least = least.max(1) as f64;
    let most = (most.max(summary.floor()) as f64).max(least);
    let values = summary.values() as f64;
    let is_alone =
        if is_listed { is_far_off(tail, most / values)? } else { is_only_negative(tail, least, values)? };
    if !is_alone {
        return None;
    }
    let rows = estimate(least, least, most, Guarantee::Certain);
    let evidence = format!(
        "{} occurs {} and may stand for missing values",
        quoted(&kept(tail.text, false)),
        times(least as u64)
    );
    Some(tail.finding(Defect::Sentinel, evidence, rows))
}

/// Returns whether the value is farther from the others than half of their own spread, few of them aside.
fn is_far_off(tail: &Tail<'_>, share: f64) -> Option<bool> {
    /// The share of other values that is left aside at either end.
    const FEW: f64 = 0.01;
    let (near, far) = (tail.quantile((share + FEW).min(0.5))?, tail.quantile(1.0 - FEW)?);
    let ([near_low, near_high], [far_low, far_high]) = (near, far);
    let (gap, spread) = match tail.end {
        End::Low => (near_low - tail.number, far_high - near_low),
        End::High => (tail.number - near_high, near_high - far_low),
    };
    Some(spread > 0.0 && gap > spread / 2.0)
}

/// Returns whether −1 is the only negative number of many, and more frequent than the small numbers that follow.
fn is_only_negative(tail: &Tail<'_>, count: f64, values: f64) -> Option<bool> {
    const LEAST_DISTINCT: f64 = 20.0;
    const LEAST_SHARE: f64 = 0.01;
    const MORE: f64 = 2.0;
    let summary = tail.summary;
    let up_to = |number: f64| Some(summary.rank(Number::from(number))?.upper());
    let each_of_ten = (up_to(9.5)? - count) / 10.0;
    let is_only = tail.end == End::Low && summary.is_exact() && up_to(-0.5)? == count;
    let is_frequent = count >= LEAST_SHARE * values && count > MORE * each_of_ten;
    Some(is_only && summary.distinct().lower() >= LEAST_DISTINCT && is_frequent)
}

/// A few times in the future, in a column of the past.
fn future(tail: &Tail<'_>, now: f64) -> Option<Finding> {
    /// The largest share of such times. A column with more is about the future.
    const FEW: f64 = 0.05;
    // Times without a zone may be a day ahead.
    let tomorrow = now + DAY;
    if tail.end == End::Low || !tail.summary.column_type().is_time() || tail.number <= tomorrow {
        return None;
    }
    let count = tail.beyond(tomorrow)?;
    let evidence = format!(
        "{} in the future, up to {}",
        rows_of(&count, "time", "times"),
        quoted(&kept(tail.text, false))
    );
    let few = count.upper() <= FEW * tail.summary.values() as f64;
    // The greatest time is known exactly.
    few.then(|| Finding { chance: 0.0, ..tail.finding(Defect::Future, evidence, count) })
}
