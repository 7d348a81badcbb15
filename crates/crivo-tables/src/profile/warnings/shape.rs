//! Warnings that follow from counts: missing, equal and distinct values, zeros and the mean.

use super::super::points::{mean, point};
use super::super::words::short_percent;
use super::words::{quoted, times};
use super::{CHANCE, Defect, Finding, kept};
use crivo::foreign::estimate;
use crivo::profile::{ColumnSummary, ColumnType, Key};
use crivo::{Estimate, Guarantee, Number};
use crivo_report::{count, plural};

/// The fewest rows for a warning about shares. Shares of fewer rows are chance.
const LEAST_ROWS: u64 = 20;
/// The share of missing values from which on a column is mostly missing.
const MOSTLY: f64 = 0.5;
/// The share of equal values from which on a column is nearly constant.
const NEARLY: f64 = 0.99;
/// The share of distinct values from which on a column looks like a key.
const LIKE_A_KEY: f64 = 0.99;
/// The fewest values of a column that looks like a key. The values of a short column are often distinct by chance.
const LEAST_KEYS: u64 = 100;

pub(super) fn all(summary: &ColumnSummary) -> Vec<Finding> {
    if summary.rows() < LEAST_ROWS {
        return Vec::new();
    }
    let of_shape = constant(summary).or_else(|| zeros(summary)).or_else(|| skewed(summary));
    let keys = key_with_missing(summary).or_else(|| key_with_duplicates(summary));
    mostly_missing(summary).into_iter().chain(of_shape).chain(keys).collect()
}

fn mostly_missing(summary: &ColumnSummary) -> Option<Finding> {
    let (missing, rows) = (summary.missing(), summary.rows());
    let share = missing as f64 / rows as f64;
    let evidence = if missing == rows {
        "no row has a value".to_owned()
    } else {
        format!("{} of the rows have no value", short_percent(share))
    };
    (share >= MOSTLY).then(|| Finding::certain(Defect::MostlyMissing, missing, evidence))
}

fn constant(summary: &ColumnSummary) -> Option<Finding> {
    let first = summary.known().next()?;
    let share = first.least as f64 / summary.values() as f64;
    let value = kept(first.value, first.truncated);
    let shown = quoted(&value);
    let (defect, evidence) = if first.least == summary.values() {
        let but = if summary.missing() > 0 { " or missing" } else { "" };
        (Defect::Constant, format!("always {shown}{but}"))
    } else if share >= NEARLY && summary.values() >= LEAST_KEYS {
        (Defect::NearlyConstant, format!("{} of the values are {shown}", short_percent(share)))
    } else {
        return None;
    };
    let (least, most) = (first.least as f64, first.most.min(summary.values()) as f64);
    let rows = Some(estimate(least, least, most, Guarantee::Certain));
    Some(Finding { defect, evidence, rows, values: vec![value], chance: 0.0 })
}

/// The fewest distinct values of numbers that are measured. Flags and small counts have fewer.
const LEAST_DISTINCT: f64 = 10.0;

/// Zeros often stand for missing values.
fn zeros(summary: &ColumnSummary) -> Option<Finding> {
    if !summary.column_type().is_number() || summary.distinct().lower() < LEAST_DISTINCT {
        return None;
    }
    let is_zero = |text: &[u8]| Number::parse(text.trim_ascii()) == Some(Number::from(0));
    let may_be_zero = |text: &[u8]| text.contains(&b'0');
    let zeros = summary.known().filter(|value| may_be_zero(value.value) && is_zero(value.value));
    let (least, most) = zeros.fold((0, 0), |(least, most), value| (least + value.least, most + value.most));
    let share = least as f64 / summary.values() as f64;
    let (fewest, largest) = (least as f64, most.min(summary.values()) as f64);
    let rows = estimate(fewest, fewest, largest, Guarantee::Certain);
    let evidence = format!("{} of the values are 0", short_percent(share));
    (share >= MOSTLY).then(|| Finding {
        defect: Defect::Zeros,
        evidence,
        rows: Some(rows),
        values: Vec::new(),
        chance: 0.0,
    })
}

/// A mean outside of the quartiles stands for none of the usual values. If most values are equal, so are the quartiles.
fn skewed(summary: &ColumnSummary) -> Option<Finding> {
    /// The standard errors by which the mean and the quartile may differ from those of more rows.
    const REACH: f64 = 3.0;
    let (average, values) = (summary.mean()?, summary.finite());
    if values < LEAST_KEYS || summary.distinct().lower() < LEAST_DISTINCT {
        return None;
    }
    let root = (values as f64).sqrt();
    let (reach, rank) = (REACH * summary.standard_deviation()? / root, REACH * 0.1875_f64.sqrt() / root);
    let quartile = |q: f64| summary.quantile_at(q, 1.0 - CHANCE);
    let (lower, upper) = (quartile(0.25)?, quartile(0.75)?);
    let (least, most) = (quartile((0.25 - rank).max(0.0))?, quartile((0.75 + rank).min(1.0))?);
    let (side, quartile) = if average.to_f64() - reach > most.upper().to_f64() {
        ("above the upper", *upper.value())
    } else if average.to_f64() + reach < least.lower().to_f64() {
        ("below the lower", *lower.value())
    } else {
        return None;
    };
    if lower.value() == upper.value() {
        return None;
    }
    let quartile = point(summary.column_type(), false, quartile);
    let evidence = format!("skewed: the mean {} is {side} quartile {quartile}", mean(average));
    let chance = if summary.is_exact() { 0.0 } else { CHANCE };
    Some(Finding { defect: Defect::Skewed, evidence, rows: None, values: Vec::new(), chance })
}

/// A key needs a value in every row.
fn key_with_missing(summary: &ColumnSummary) -> Option<Finding> {
    let (missing, values) = (summary.missing(), summary.values());
    let is_unique = summary.is_exact() && summary.distinct().value() == values as f64;
    let few = (missing as f64) < (1.0 - LIKE_A_KEY) * summary.rows() as f64;
    let is_key = missing > 0 && few && is_unique && values >= LEAST_KEYS && may_be_key(summary);
    is_key.then(|| {
        let rows = plural(missing, "row has", "rows have");
        Finding::certain(
            Defect::KeyWithMissing,
            missing,
            format!("each value occurs once, as in a key, but {rows} none"),
        )
    })
}

fn key_with_duplicates(summary: &ColumnSummary) -> Option<Finding> {
    let values = summary.values();
    let first = summary.known().next()?;
    if values < LEAST_KEYS || first.least < 2 || summary.key() != Key::No || !may_be_key(summary) {
        return None;
    }
    let distinct = summary.distinct_at(1.0 - CHANCE);
    // An interval of a sketch reaches below the limit even if all values are distinct.
    let limit = if summary.is_exact() { LIKE_A_KEY } else { LIKE_A_KEY - 2.0 * half_width(&distinct) };
    if distinct.lower() < limit * values as f64 || distinct.upper() < LIKE_A_KEY * values as f64 {
        return None;
    }
    if summary.column_type() == ColumnType::Integer && !repeats_rarely(summary, &distinct) {
        return None;
    }
    let value = kept(first.value, first.truncated);
    let shown = format!("{} occurs {}", quoted(&value), times(first.least));
    let (evidence, rows) = if summary.is_exact() {
        let repeats = values - distinct.value() as u64;
        let evidence = format!(
            "{} of {} values are distinct, as in a key with duplicates; {shown}",
            count(values - repeats),
            count(values)
        );
        (evidence, Estimate::exact(repeats as f64))
    } else {
        let most = values as f64 - distinct.lower();
        let evidence = format!("nearly all values are distinct, as in a key with duplicates; {shown}");
        (evidence, estimate(1.0, 1.0, most.max(1.0), Guarantee::Proven { confidence: 1.0 - CHANCE }))
    };
    let chance = if summary.is_exact() { 0.0 } else { CHANCE };
    Some(Finding {
        defect: Defect::KeyWithDuplicates,
        evidence,
        rows: Some(rows),
        values: vec![value],
        chance,
    })
}

fn half_width(estimate: &Estimate) -> f64 {
    (estimate.upper() - estimate.lower()) / (2.0 * estimate.value())
}

/// Measured values, times and prose are not keys, although they are nearly always distinct.
fn may_be_key(summary: &ColumnSummary) -> bool {
    match summary.column_type() {
        ColumnType::Integer => true,
        ColumnType::Text => {
            let sample = summary.sample();
            sample.iter().all(|text| !text.contains(&b' ')) && summary.classes().len() < 3
        }
        _ => false,
    }
}

/// Integers of a wide range are mostly distinct by chance. A key has far fewer repetitions than numbers drawn at random
/// from its range.
fn repeats_rarely(summary: &ColumnSummary, distinct: &Estimate) -> bool {
    const FAR_FEWER: f64 = 5.0;
    let end = |text: Option<&[u8]>| Some(Number::parse(text?.trim_ascii())?.to_f64());
    let (Some(least), Some(greatest)) = (end(summary.minimum()), end(summary.maximum())) else {
        return false;
    };
    let (range, values) = (greatest - least + 1.0, summary.values() as f64);
    // The expected number of distinct values of as many draws.
    let by_chance = range * -(-values / range).exp_m1();
    (values - distinct.lower()) * FAR_FEWER < values - by_chance
}
