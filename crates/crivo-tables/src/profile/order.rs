//! What the rows of a column show as they pass: whether its values rise, in which steps, and in which rows they are
//! missing. A profile does not keep it, because rows have no numbers once profiles are merged.

use super::tracked::row_hash;
use crivo::Number;
use crivo::profile::ColumnType;

/// The number of values that decide on the direction and on the usual step.
const FIRST: usize = 64;
/// The share of steps that may be of another kind than the others.
const FEW: f64 = 0.01;
/// The fewest steps that show an order.
const LEAST_STEPS: u64 = 100;

/// The steps from value to value, as far as the values are numbers or times.
#[derive(Clone, Debug, Default)]
pub(super) struct RowOrder {
    /// The fingerprint of the rows without a value.
    missing: u64,
    /// Whether the values have no order worth reporting. Most columns have none, and are not parsed any further.
    is_over: bool,
    /// The hash of the last value. Equal values are not parsed again.
    last_hash: Option<u64>,
    /// The first values with their rows, until there are enough of them.
    first: Vec<(u64, f64)>,
    /// The usual step, negative if values fall, and 0 while it is unknown.
    step: f64,
    /// The farthest value so far.
    farthest: f64,
    /// The steps in the usual direction, and those of the usual length.
    forward: u64,
    usual: u64,
    /// The values that lie behind the farthest one, and the longer steps.
    back: Steps,
    long: Steps,
    /// The number of usual steps that the longer ones leave out.
    left_out: f64,
}

/// A number of steps, and the row of the first value behind them, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) number: u64,
    pub(super) first_row: u64,
}

impl Steps {
    fn add(&mut self, row: u64) {
        if self.number == 0 {
            self.first_row = row + 1;
        }
        self.number += 1;
    }
}

/// Longer steps in a column whose steps are otherwise equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gaps {
    pub(super) steps: Steps,
    /// The usual step.
    pub(super) step: f64,
    /// The number of values that are left out.
    pub(super) left_out: f64,
}

impl RowOrder {
    /// Takes the value of the next row.
    #[inline]
    pub(super) fn add(&mut self, row: u64, text: &[u8], hash: u64) {
        if !self.is_over && self.last_hash != Some(hash) {
            self.take(row, text, hash);
        }
    }

    /// Takes rows without a value. The two hashes of adjacent runs cancel, so that only the set of rows counts.
    pub(super) fn add_missing(&mut self, row: u64, rows: u64) {
        let end = |row| row_hash(row, 0);
        self.missing = self.missing.wrapping_add(end(row)).wrapping_sub(end(row + rows));
    }

    /// Returns the fingerprint of the set of rows without a value.
    pub(super) fn missing(&self) -> u64 {
        self.missing
    }

    /// Returns the values out of order, if nearly all are in order.
    pub(super) fn against(&self) -> Option<Steps> {
        let whole = self.whole()?;
        (whole.forward >= LEAST_STEPS && whole.back.number > 0).then_some(whole.back)
    }

    /// Returns the longer steps, if nearly all steps are equal.
    pub(super) fn gaps(&self) -> Option<Gaps> {
        let whole = self.whole()?;
        let others = whole.forward - whole.usual;
        let is_regular = others as f64 <= FEW * whole.forward as f64;
        let &Self { long, step, left_out, .. } = whole;
        // A value that is out of order leaves a gap at its right place.
        let is_in_order = whole.back.number == 0;
        (whole.usual >= LEAST_STEPS && is_regular && is_in_order && long.number > 0).then_some(Gaps {
            steps: long,
            step: step.abs(),
            left_out,
        })
    }

    fn whole(&self) -> Option<&Self> {
        (!self.is_over && self.first.is_empty() && self.step != 0.0).then_some(self)
    }

    #[inline(never)]
    fn take(&mut self, row: u64, text: &[u8], hash: u64) {
        let Some(position) = position(text) else {
            self.is_over = true;
            return;
        };
        self.last_hash = Some(hash);
        if self.step != 0.0 {
            self.place(row, position);
            return;
        }
        self.first.push((row, position));
        if self.first.len() == FIRST {
            let first = std::mem::take(&mut self.first);
            let mut steps: Vec<f64> = first.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
            steps.sort_by(f64::total_cmp);
            self.step = steps[steps.len() / 2];
            self.is_over = self.step == 0.0;
            self.farthest = first[0].1;
            first.into_iter().skip(1).for_each(|(row, position)| self.place(row, position));
        }
    }

    fn place(&mut self, row: u64, position: f64) {
        /// The relative rounding error of a step between times.
        const ROUNDING: f64 = 1e-6;
        let steps = (position - self.farthest) / self.step;
        if steps < 0.0 {
            self.back.add(row);
            let seen = (self.forward + self.back.number) as f64;
            self.is_over |= self.back.number as f64 > FEW * seen + 3.0;
        } else if steps > 0.0 {
            self.farthest = position;
            self.forward += 1;
            if (steps - 1.0).abs() <= ROUNDING {
                self.usual += 1;
            } else if steps > 1.5 {
                self.long.add(row);
                self.left_out += steps.round() - 1.0;
            }
        }
    }
}

/// Returns a number, or the seconds of a time.
fn position(text: &[u8]) -> Option<f64> {
    let number = match ColumnType::time(text) {
        Some((_, seconds, _)) => seconds,
        None => Number::parse(text.trim_ascii())?,
    };
    Some(number.to_f64()).filter(|position| position.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<T: ToString>(values: impl IntoIterator<Item = T>) -> RowOrder {
        let mut order = RowOrder::default();
        for (row, value) in values.into_iter().enumerate() {
            let text = value.to_string();
            let hash = crivo::HashSpec::default().hash_bytes(text.as_bytes());
            order.add(row as u64, text.as_bytes(), hash);
        }
        order
    }

    #[test]
    fn values_against_the_order_are_counted() {
        let planted = |row: i64| if row == 150 || row == 200 { 7 } else { row };
        let found = order((0..500).map(planted)).against();
        assert_eq!(found, Some(Steps { number: 2, first_row: 151 }));
        let falling = order((0..500).map(|row| -planted(row))).against();
        assert_eq!(falling, found, "a column may fall");
        assert_eq!(order(0..500).against(), None);
        assert_eq!(order((0..500).map(|row| row * 7919 % 500)).against(), None, "no order at all");
        assert_eq!(order((0..90).map(|row| if row == 70 { 7 } else { row })).against(), None, "too few");
        assert_eq!(order((0..2000).map(|row| row % 300)).against(), None, "it begins again and again");
        assert_eq!(
            order((0..500).map(|row| if row == 150 { "x".into() } else { row.to_string() })).gaps(),
            None
        );
    }

    #[test]
    fn gaps_are_found_between_equal_steps() {
        let skip = |row: u64| if row < 300 { row } else { row + 12 };
        let gaps = order((0..500).map(skip)).gaps();
        let steps = Steps { number: 1, first_row: 301 };
        assert_eq!(gaps, Some(Gaps { steps, step: 1.0, left_out: 12.0 }));
        let hours =
            |row: u64| format!("2013-{:02}-{:02} {:02}:00", 1 + row / 672, 1 + row / 24 % 28, row % 24);
        assert_eq!(order((0..600).map(hours)).gaps(), None);
        let gaps = order((0..600).filter(|row| row % 250 != 100).map(hours)).gaps().unwrap();
        assert_eq!((gaps.steps.number, gaps.step, gaps.left_out), (2, 3600.0, 2.0));
        assert_eq!(order((0..500u64).map(|row| row * row)).gaps(), None, "no usual step");
    }

    /// All sets of missing rows among eight have distinct fingerprints, however the rows come.
    #[test]
    fn a_set_of_missing_rows_has_a_fingerprint_of_its_own() {
        let fingerprint = |set: u32| {
            let mut order = RowOrder::default();
            (0..8).filter(|row| set >> row & 1 == 1).for_each(|row| order.add_missing(row, 1));
            order.missing()
        };
        let all: std::collections::HashSet<u64> = (0..256).map(fingerprint).collect();
        assert_eq!(all.len(), 256);
        let mut run = RowOrder::default();
        run.add_missing(2, 3);
        assert_eq!(run.missing(), fingerprint(0b11100));
    }
}
