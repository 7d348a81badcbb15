//! What the values are: numbers, or points in time.

use crate::input::TimeSorts;
use crate::input::profile::point;
use crivo::Number;
use crivo::profile::ColumnType;
use crivo_report::Point;

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Numbers,
    /// As seconds since 1970.
    Times(TimeSorts),
}

impl Scale {
    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::Times(_))
    }

    /// For people.
    pub(super) fn show(self, number: Number) -> String {
        match self {
            Self::Numbers => number.to_string(),
            Self::Times(TimeSorts { clocks, zones }) => {
                // What lies between two days has a time of day, whatever the days have.
                let is_day = !clocks && is_day(number);
                point(if is_day { ColumnType::Date } else { ColumnType::Timestamp }, zones, number)
            }
        }
    }

    /// For machines.
    pub(super) fn point(self, number: Number) -> Point {
        match self {
            Self::Numbers => Point::Number(number.into()),
            Self::Times(_) => Point::Time(self.show(number)),
        }
    }

    /// `numbers`, in words.
    pub(super) fn noun(self) -> [&'static str; 2] {
        match self {
            Self::Numbers => ["number", "numbers"],
            Self::Times(_) => ["time", "times"],
        }
    }
}

/// In seconds.
const DAY: i128 = 86_400;

/// Whether it is a midnight.
pub(super) fn is_day(second: Number) -> bool {
    second.to_integer().is_some_and(|second| second % DAY == 0)
}

/// A number or a time that a user gives, and whether it is a time.
pub(super) fn parse_value(text: &str) -> Option<(Number, bool)> {
    let time = || ColumnType::time(text.as_bytes()).map(|(_, seconds, _)| (seconds, true));
    let number = Number::parse(text.as_bytes()).map(|number| (number, false));
    number.or_else(time).filter(|(number, _)| number.to_f64().is_finite())
}

/// Edges of some 8 to 20 bins between two times: multiples of seconds, minutes, hours or days that people use.
pub(super) fn round_times(min: Number, max: Number) -> Option<Vec<Number>> {
    const MINUTE: i128 = 60;
    const HOUR: i128 = 60 * MINUTE;
    const MOST: i128 = 20;
    let widths = [
        [1, 2, 5, 10, 15, 30],
        [1, 2, 5, 10, 15, 30].map(|it| it * MINUTE),
        [1, 2, 3, 4, 6, 12].map(|it| it * HOUR),
        [1, 2, 7, 14, 28, 91].map(|it| it * DAY),
        [182, 365, 730, 1826, 3652, 36_524].map(|it| it * DAY),
    ];
    let (min, max) = (min.to_f64().floor() as i128, max.to_f64().ceil() as i128);
    let width = widths.into_iter().flatten().find(|width| (max - min) / width < MOST)?;
    let (first, last) = (min.div_euclid(width), -(-max).div_euclid(width));
    let edges = first..=last.max(first + 1);
    Some(edges.map(|edge| Number::from(edge * width)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_times_are_round_and_hold_all() {
        let second = |text: &str| parse_value(text).unwrap().0;
        let edges = round_times(second("2013-01-01T05:07:00"), second("2013-01-01T22:10:30")).unwrap();
        let scale = Scale::Times(TimeSorts { clocks: true, zones: false });
        let shown: Vec<String> = edges.iter().map(|&edge| scale.show(edge)).collect();
        assert_eq!((&*shown[0], &*shown[1], shown.len()), ("2013-01-01T05:00:00", "2013-01-01T06:00:00", 19));
        let days = round_times(second("2013-01-01"), second("2013-01-09")).unwrap();
        let scale = Scale::Times(TimeSorts::default());
        assert_eq!(scale.show(days[0]), "2013-01-01");
        assert!(days[0] <= second("2013-01-01") && second("2013-01-09") <= days[days.len() - 1]);
        assert_eq!(round_times(second("2013-01-01"), second("2013-01-01")).unwrap().len(), 2);
        assert!(round_times((-1e18).into(), 1e18.into()).is_none());
    }
}
