//! One axis of a figure, linear or logarithmic.

use std::ops::Range;

use libm::{ceil, floor, log10, pow};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// What an axis shows, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) log: bool,
}

impl Axis {
    /// All of these bounds, and this share of their range on both sides; from zero where they all but reach it.
    pub(crate) fn around(log: bool, bounds: impl Iterator<Item = (f64, f64)>, share: f64) -> Self {
        let shown = |value: &f64| !log || *value > 0.0;
        let (low, high) = bounds
            .flat_map(|(lower, upper)| [lower, upper])
            .filter(shown)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { low: if log { 0.1 } else { 0.0 }, high: 1.0, log };
        }
        if log {
            let margin = if low < high { pow(high / low, share) } else { 2.0 };
            return Self { low: low / margin, high: high * margin, log };
        }
        let margin = if low < high { (high - low) * share } else { 1.0 };
        let nearly_zero = low >= 0.0 && low < 0.25 * high;
        Self { low: if nearly_zero { 0.0 } else { low - margin }, high: high + margin, log }
    }

    /// Whether a value has a place on it.
    pub(crate) fn shows(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The shortest text that says which tick it is: neither `0.30000000000000004` nor `10.0`.
    pub(crate) fn tick(&self, value: f64) -> String {
        if self.log && !(1e-3..1e5).contains(&value) {
            let exponent = floor(log10(value) + 1e-9);
            let first = value / pow(10.0, exponent);
            let power = format!("10{}", superscript(&format!("{exponent:.0}")));
            return if first < 1.5 { power } else { format!("{first:.0}·{power}") };
        }
        let text = format!("{value:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    }

    /// The powers of ten; with 2 and 5 times them where there are few, and every n-th where there are many.
    fn decades(&self, most: usize) -> Vec<f64> {
        let (first, last) = (floor(log10(self.low)) as i32, ceil(log10(self.high)) as i32);
        let count = (last - first) as usize;
        let digits: &[f64] = if count <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = count.div_ceil(most.max(1)).max(1);
        let powers = (first..=last).step_by(every).map(|exponent| pow(10.0, f64::from(exponent)));
        let ticks = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
        ticks.filter(|value| self.shows(*value)).collect()
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        if self.log {
            let [low, high, value] = [self.low, self.high, value.max(self.low)].map(log10);
            RangedCoordf64::from(low..high).map(&value, limit)
        } else {
            RangedCoordf64::from(self.low..self.high).map(value, limit)
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let decades = if self.log { self.decades(hint.bold_points()) } else { Vec::new() };
        // Less than a decade may have none of them, or one.
        if decades.len() < 2 { RangedCoordf64::from(self.low..self.high).key_points(hint) } else { decades }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

fn superscript(number: &str) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        _ => c
            .to_digit(10)
            .map_or(c, |digit| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize]),
    };
    number.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEAR: Axis = Axis { low: 0.0, high: 1.0, log: false };

    fn log(low: f64, high: f64) -> Axis {
        Axis { low, high, log: true }
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(
            [0.1 + 0.2, 10.0, -0.0, 1e-3].map(|value| LINEAR.tick(value)),
            ["0.3", "10", "0", "0.001"]
        );
        let ticks = [1e-6, 2e-5, 0.01, 5.0, 1000.0, 1e5, 2e6].map(|value| log(1e-9, 1e9).tick(value));
        assert_eq!(ticks, ["10⁻⁶", "2·10⁻⁵", "0.01", "5", "1000", "10⁵", "2·10⁶"]);
    }

    #[test]
    fn decades_fit_their_range() {
        assert_eq!(log(0.9, 30.0).decades(10), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(log(1.0, 1e6).decades(10), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(log(1.0, 1e12).decades(6), [1.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12]);
        assert_eq!(log(1.0, 1e6).key_points(10).len(), 7);
        let short = log(2.1, 4.9).key_points(10);
        assert!(short.len() >= 2 && short.iter().all(|tick| (2.1..=4.9).contains(tick)), "{short:?}");
    }

    #[test]
    fn logarithms_have_equal_steps() {
        let axis = log(1.0, 1000.0);
        assert_eq!([1.0, 10.0, 100.0, 1000.0].map(|value| axis.map(&value, (0, 300))), [0, 100, 200, 300]);
        assert_eq!(axis.map(&0.0, (0, 300)), 0, "below the axis is its end");
        let around = |log| Axis::around(log, [(0.0, 1.0), (10.0, 100.0)].into_iter(), 0.0);
        assert_eq!((around(true).low, around(true).high), (1.0, 100.0));
        assert_eq!((around(false).low, around(false).high), (0.0, 100.0));
    }
}
