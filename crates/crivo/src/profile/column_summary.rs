//! The answers about a column: see [`ColumnSummary`].

use super::by_value;
use super::classify::{ColumnType, DAY, has_zone};
use super::column_profile::ColumnProfile;
use super::overlap::Overlap;
use super::ranks::{Bin, Ranks};
use super::top_value::{KnownValue, TopValue};
use super::value_summaries::{Line, Rest};
use super::value_table::{Counted, ValueTable};
use crate::estimate::{count_down, count_up};
use crate::stats::exact_sum::standard_deviation;
use crate::{DEFAULT_CONFIDENCE, Estimate, Number, QuantileEstimate, Result};
use alloc::vec::Vec;
use core::fmt;

/// Whether a column is a key: every row has a value, and no value is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Every row has a value, and all values are distinct.
    Certain,
    /// Every row has a value, none is known to be repeated, and the interval of the number of distinct values includes
    /// the number of rows. Repetitions may have gone undetected, as many as the interval allows.
    Possible,
    /// A value is missing or repeated.
    No,
}

impl Key {
    /// Returns `certain`, `possible` or `no`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Possible => "possible",
            Self::No => "no",
        }
    }
}

/// All answers about a column: the result of [`ColumnProfile::summary`].
#[derive(Clone)]
pub struct ColumnSummary {
    values: u64,
    missing: u64,
    exact: bool,
    table: ValueTable,
    /// The places of all values in the table, the most frequent first.
    by_frequency: Vec<u32>,
    distinct: Estimate,
    column_type: ColumnType,
    /// The summaries of all values.
    all: Rest,
    ranks: Ranks,
    sample: Vec<Vec<u8>>,
}

impl ColumnSummary {
    pub(super) fn of(column: &ColumnProfile) -> Self {
        let mut all =
            column.rest.as_deref().cloned().unwrap_or_else(|| Rest::none(column.params, column.spec));
        let exact = column.is_exact();
        all.feed_all(&column.table, !exact);
        let column_type = type_of(&all.classes);
        let mut summary = Self {
            values: column.values(),
            missing: column.missing,
            exact,
            table: column.table.clone(),
            by_frequency: by_frequency(&column.table),
            distinct: distinct(
                &column.table,
                &all,
                most_distinct(column.values(), column_type, &all),
                DEFAULT_CONFIDENCE,
            ),
            column_type,
            ranks: Ranks::None,
            sample: all.sample.iter().map(|one| one.text.clone()).collect(),
            all,
        };
        summary.ranks = match summary.line() {
            None => Ranks::None,
            Some(_) if exact => Ranks::exact(&column.table),
            Some(line) => Ranks::Sketch(line.ranks.clone()),
        };
        summary
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.values + self.missing
    }

    /// Returns the number of rows with a missing value.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Returns the number of rows with a value.
    pub fn values(&self) -> u64 {
        self.values
    }

    /// Returns the narrowest type that holds all values.
    pub fn column_type(&self) -> ColumnType {
        self.column_type
    }

    /// Returns the number of values of each type that occurs.
    pub fn classes(&self) -> Vec<(ColumnType, u64)> {
        let counts = ColumnType::OF_VALUES.into_iter().zip(self.all.classes);
        counts.filter(|&(_, count)| count > 0).collect()
    }

    /// Returns whether all values were counted one by one, so that every answer is exact.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Estimates the number of distinct values, with a 95 % interval. It is at most the number of rows with a value,
    /// and for integers and days at most the number from the least to the greatest.
    pub fn distinct(&self) -> Estimate {
        self.distinct
    }

    /// Like [`distinct`](Self::distinct), at this confidence, or at 95 % unless it lies strictly between 0 and 1.
    pub fn distinct_at(&self, confidence: f64) -> Estimate {
        let most = most_distinct(self.values, self.column_type, &self.all);
        distinct(&self.table, &self.all, most, confidence)
    }

    /// Returns an upper bound on the number of values that occur once.
    pub(super) fn singles(&self) -> u64 {
        if self.exact {
            return self.table.iter().filter(|value| value.seen == 1).count() as u64;
        }
        (self.distinct.upper() as u64).min(self.values)
    }

    /// Returns the lower and the upper bound of the frequency of a value.
    pub(super) fn count_of(&self, value: &Counted<'_>) -> [u64; 2] {
        match self.table.get(value) {
            Some(counted) => [counted.seen, counted.upper()],
            None => [0, self.table.floor()],
        }
    }

    pub(super) fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Returns the `k` most frequent values of the table.
    pub(super) fn top_counted(&self, k: usize) -> impl Iterator<Item = Counted<'_>> {
        self.by_frequency.iter().take(k).map(|&place| self.table.at(place as usize))
    }

    /// Returns the least value, as it was written: by number, by time or by bytes, according to the column's type. At
    /// most the first 128 bytes of a text are returned.
    pub fn minimum(&self) -> Option<&[u8]> {
        match self.line() {
            Some(line) => line.ends.as_ref().map(|(least, _)| least.text.as_slice()),
            None => self.all.texts.as_ref().map(|(first, _)| first.as_slice()),
        }
    }

    /// Returns the greatest value, as [`minimum`](Self::minimum) does the least.
    pub fn maximum(&self) -> Option<&[u8]> {
        match self.line() {
            Some(line) => line.ends.as_ref().map(|(_, greatest)| greatest.text.as_slice()),
            None => self.all.texts.as_ref().map(|(_, last)| last.as_slice()),
        }
    }

    /// Returns whether, in a column of times, any time has `Z` or an offset. Other times are taken as UTC.
    pub fn has_zones(&self) -> bool {
        let ends = self.all.times.ends.iter().flat_map(|(least, greatest)| [least, greatest]);
        // Early files do not store this, so the ends are checked too.
        self.column_type.is_time() && (self.all.has_zones || ends.into_iter().any(|end| has_zone(&end.text)))
    }

    /// Returns the number of infinite values, in a column of numbers.
    pub fn infinite(&self) -> u64 {
        if self.column_type.is_number() { self.all.infinite } else { 0 }
    }

    /// Returns the number of NaNs, in a column of numbers. They have no rank: ends, quantiles and bins ignore them.
    pub fn nans(&self) -> u64 {
        if self.column_type.is_number() { self.all.nans } else { 0 }
    }

    /// Returns the number of finite values, in a column of numbers. Mean and standard deviation are computed from
    /// these.
    pub fn finite(&self) -> u64 {
        if self.column_type.is_number() { self.values - self.all.infinite - self.all.nans } else { 0 }
    }

    /// Returns the mean of the finite values of a column of numbers. It is exact up to rounding, whatever the order of
    /// the values; from 2⁵³ on it is rounded to an integer.
    pub fn mean(&self) -> Option<Number> {
        let sums = self.all.sums.as_ref().filter(|_| self.finite() > 0)?;
        Some(sums.numbers.mean(self.finite()))
    }

    /// Returns the standard deviation, with n − 1, of the finite values of a column of numbers, if there are at least
    /// two. It is exact up to rounding, whatever the order of the values.
    pub fn standard_deviation(&self) -> Option<f64> {
        let sums = self.all.sums.as_ref().filter(|_| self.finite() > 1)?;
        Some(standard_deviation(&sums.numbers, &sums.squares, self.finite()))
    }

    /// Estimates the smallest value whose rank is at least `q` times the number of values, in a column of numbers or of
    /// times (in seconds since 1970). Returns `None` for other columns, and unless `q` is 0 to 1. Of two intervals it has
    /// the shorter one: of the ranks, at 95 % confidence, or within a relative error of the value, which is certain.
    pub fn quantile(&self, q: f64) -> Option<QuantileEstimate<Number>> {
        let by_rank = self.ranks.quantile(q)?;
        let length = |it: &QuantileEstimate<Number>| it.upper().to_f64() - it.lower().to_f64();
        let is_better =
            |it: &QuantileEstimate<Number>| it.lower() == it.upper() || length(it) < length(&by_rank);
        let by_value = self.quantile_by_value(q).filter(is_better);
        Some(by_value.unwrap_or(by_rank))
    }

    /// Estimates a quantile within a relative error, if all numbers are finite.
    fn quantile_by_value(&self, q: f64) -> Option<QuantileEstimate<Number>> {
        let is_known = !self.exact && self.column_type.is_number() && self.all.infinite == 0;
        let values = self.all.values.as_ref().filter(|_| is_known)?;
        let (least, greatest) = self.line()?.ends.as_ref()?;
        let ends = [least.position.number, greatest.position.number];
        by_value::quantile(values, q, ends, self.column_type == ColumnType::Integer)
    }

    /// Estimates the quantile of [`quantile`](Self::quantile) with the interval of the ranks at this confidence. Returns
    /// `None` also unless the confidence lies strictly between 0 and 1.
    pub fn quantile_at(&self, q: f64, confidence: f64) -> Option<QuantileEstimate<Number>> {
        self.ranks.quantile_at(q, confidence)
    }

    /// Estimates how many values are at most this number, or this point in time in seconds since 1970, with a 95 %
    /// interval. Returns `None` for columns of other types.
    pub fn rank(&self, number: Number) -> Option<Estimate> {
        self.line().map(|_| self.ranks.rank(number))
    }

    /// Returns up to this many classes of equal width from the least to the greatest finite value, in a column of
    /// numbers or of times; none for other columns. If a column that is not exact has infinite values, its outermost
    /// finite values may lie outside all classes. See [`Bin`].
    pub fn histogram(&self, bins: usize) -> Vec<Bin> {
        let Some((least, greatest)) = self.finite_ends() else { return Vec::new() };
        self.ranks.histogram(least, greatest, self.unit(), bins)
    }

    /// Returns the least and the greatest finite value, or, if infinite ones hide them, the least and the greatest kept
    /// ones.
    fn finite_ends(&self) -> Option<(Number, Number)> {
        let (least, greatest) = self.line()?.ends.as_ref()?;
        let kept = self.ranks.finite_ends()?;
        let or = |end: Number, kept: Number| if end.to_f64().is_finite() { end } else { kept };
        Some((or(least.position.number, kept.0), or(greatest.position.number, kept.1)))
    }

    /// Like [`histogram`](Self::histogram), for the values from `least` to `greatest` only; the last class may end
    /// beyond.
    pub fn histogram_between(&self, least: Number, greatest: Number, bins: usize) -> Vec<Bin> {
        let are_finite = least.to_f64().is_finite() && greatest.to_f64().is_finite();
        if self.line().is_none() || !are_finite || least > greatest {
            return Vec::new();
        }
        self.ranks.histogram(least, greatest, self.unit(), bins)
    }

    /// Estimates how many values lie below the first and above the last of these classes, in a column of numbers or of
    /// times.
    pub fn outside(&self, bins: &[Bin]) -> Option<[Estimate; 2]> {
        let (first, last) = (bins.first()?, bins.last()?);
        let (up_to, all) = (self.ranks.rank(last.to), count_up(self.ranks.total()));
        let [above, least, most] =
            [up_to.value(), up_to.upper(), up_to.lower()].map(|rank| (all - rank).max(0.0));
        let above = Estimate::new(above, least, most, up_to.guarantee());
        Some([self.ranks.rank(first.from.next_down()), above])
    }

    /// Returns the distance of neighbouring values of the type.
    fn unit(&self) -> Option<i128> {
        match self.column_type {
            ColumnType::Integer => Some(1),
            ColumnType::Date => Some(DAY.into()),
            _ => None,
        }
    }

    /// Returns the numbers or the times, if all values are of one kind.
    fn line(&self) -> Option<&Line> {
        if self.column_type.is_number() {
            Some(&self.all.numbers)
        } else {
            self.column_type.is_time().then_some(&self.all.times)
        }
    }

    /// Returns the `k` most frequent known values, the most frequent first. See [`others_most`](Self::others_most).
    pub fn top(&self, k: usize) -> Vec<TopValue> {
        self.top_counted(k).map(|value| TopValue::of(&value)).collect()
    }

    /// Returns the values with a counter, the most frequent first: all distinct values of an exact column, and the most
    /// frequent and the latest ones of any other.
    pub fn known(&self) -> impl ExactSizeIterator<Item = KnownValue<'_>> {
        self.by_frequency.iter().map(|&place| KnownValue::of(self.table.at(place as usize)))
    }

    /// Returns an upper bound on the frequency of any value without a counter. [`top`](Self::top) can only list values
    /// with a counter.
    pub fn floor(&self) -> u64 {
        self.table.floor()
    }

    /// Returns an upper bound on the frequency of any value outside [`top(k)`](Self::top).
    pub fn others_most(&self, k: usize) -> u64 {
        // The order is by the counted occurrences, so a later value may have a higher upper bound.
        let others = self.by_frequency.iter().skip(k).map(|&place| self.table.at(place as usize).upper());
        others.fold(self.floor(), u64::max)
    }

    /// Returns up to 20 of the distinct values, a uniform sample whatever their order and frequency.
    pub fn sample(&self) -> &[Vec<u8>] {
        &self.sample
    }

    /// Returns whether the column is a key.
    pub fn key(&self) -> Key {
        if self.missing > 0 || self.values == 0 {
            return Key::No;
        }
        match self.is_unique_at(DEFAULT_CONFIDENCE) {
            Some(true) => Key::Certain,
            None => Key::Possible,
            Some(false) => Key::No,
        }
    }

    /// Returns whether all values are distinct, missing ones aside, or `None` if the sketch does not know. `Some(true)`
    /// is certain, and `Some(false)` is right with at least this confidence, or 95 % unless it lies strictly between 0
    /// and 1.
    pub fn is_unique_at(&self, confidence: f64) -> Option<bool> {
        let (distinct, values) = (self.distinct_at(confidence), count_down(self.values));
        if self.all.repeats || distinct.upper() < values {
            return Some(false);
        }
        self.exact.then_some(true)
    }

    /// Returns the least, the mean and the greatest length of a value in bytes.
    pub fn lengths(&self) -> Option<(u64, f64, u64)> {
        let lengths = &self.all.lengths;
        (self.values > 0)
            .then(|| (lengths.least.into(), lengths.sum as f64 / self.values as f64, lengths.most.into()))
    }

    /// Estimates how many values two columns have in common.
    ///
    /// # Errors
    /// Returns `Incompatible` if their hashes differ.
    pub fn overlap(&self, other: &Self) -> Result<Overlap> {
        let same_counts = (self.values, self.all.fingerprint) == (other.values, other.all.fingerprint);
        Overlap::of(&self.all.kept, &other.all.kept, same_counts)
    }
}

/// Returns the narrowest type for values of these classes.
fn type_of(classes: &[u64; 6]) -> ColumnType {
    let present = ColumnType::OF_VALUES.into_iter().zip(classes).filter(|&(_, &count)| count > 0);
    present.fold(ColumnType::Empty, |all, (class, _)| all.with(class))
}

/// Returns the largest possible number of distinct values. Each integer and each day between the ends counts once,
/// unless one of them is written in two ways.
fn most_distinct(values: u64, column_type: ColumnType, all: &Rest) -> u64 {
    let (line, step) = match column_type {
        ColumnType::Integer => (&all.numbers, 1),
        ColumnType::Date => (&all.times, DAY.into()),
        _ => return values,
    };
    let ends = line.ends.as_ref().filter(|_| !all.has_variants);
    let span = ends.and_then(|(least, greatest)| {
        let [least, greatest] = [least, greatest].map(|end| end.position.number.to_integer());
        u64::try_from((greatest? - least?) / step + 1).ok()
    });
    span.map_or(values, |span| span.min(values))
}

/// Estimates the number of distinct values from the hashes, within deterministic bounds: more than were counted one by
/// one, and no more than possible.
fn distinct(table: &ValueTable, all: &Rest, most: u64, confidence: f64) -> Estimate {
    if table.floor() == 0 {
        return Estimate::exact(table.len() as f64);
    }
    let (least, most) = (table.most() as f64 + 1.0, count_up(most));
    if least == most {
        return Estimate::exact(most);
    }
    let estimate = all.kept.estimate_at(confidence).unwrap_or_else(|_| all.kept.estimate());
    let (value, lower, upper) = (estimate.value(), estimate.lower(), estimate.upper());
    if least <= lower && upper <= most {
        return estimate;
    }
    let within = |count: f64| count.max(least).min(most);
    // An impossible estimate is moved to the nearest possible one, and its interval is scaled with it, since its ends
    // are shares of the estimate. Cutting off the interval alone could leave it without length, so that it looks exact.
    let scale = within(value) / value;
    let (lower, upper) = (lower.min(lower * scale), upper.max(upper * scale));
    Estimate::new(within(value), within(lower), within(upper), estimate.guarantee())
}

fn by_frequency(table: &ValueTable) -> Vec<u32> {
    let mut places: Vec<u32> = (0..table.len() as u32).collect();
    places.sort_unstable_by(|&a, &b| {
        let (a, b) = (table.at(a as usize), table.at(b as usize));
        (b.seen, b.missed).cmp(&(a.seen, a.missed)).then_with(|| (a.text, a.hash).cmp(&(b.text, b.hash)))
    });
    places
}

impl fmt::Debug for ColumnSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, missing, name) = (self.rows(), self.missing, self.column_type.name());
        write!(f, "ColumnSummary({rows} rows, {missing} missing, {name}, {} different)", self.distinct)
    }
}
