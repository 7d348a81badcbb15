//! Numbers that an `f64` cannot represent, infinite numbers, and columns whose values are nearly all distinct.

use super::{coarse, profile, profile_with};
use crate::profile::{ColumnProfile, ColumnSummary, ColumnType, ProfileParams};
use crate::rng::Rng;
use crate::{Guarantee, HashSpec, Number, QuantileEstimate, TableProfile};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

#[test]
fn large_integers_are_exact() {
    for params in [ProfileParams::default(), coarse()] {
        for first in [(1i128 << 53) - 500, (1 << 62) + 1, -(1 << 60) - 1001, (1 << 64) + 7, 1 << 100] {
            let wholes: Vec<i128> = (0..1001).map(|i| first + i).collect();
            let summary = profile_with(params, wholes.iter().map(ToString::to_string)).summary();
            for q in [0.0f64, 0.3, 0.5, 1.0] {
                let truth = Number::from(wholes[(q * 1001.0).ceil().max(1.0) as usize - 1]);
                let answer = summary.quantile(q).unwrap();
                assert!(*answer.lower() <= truth && truth <= *answer.upper(), "{q}: {answer} {truth}");
                if answer.guarantee() == Guarantee::Certain && answer.lower() == answer.upper() {
                    assert_eq!(*answer.value(), truth, "{q} of {first}…");
                }
            }
            assert_eq!(summary.mean(), Some(wholes[500].into()), "{first}");
            let deviation = (1001.0f64 * 1002.0 / 12.0).sqrt();
            assert!((summary.standard_deviation().unwrap() / deviation - 1.0).abs() < 1e-15, "{first}");
            let bins = summary.histogram(5);
            assert!(bins.windows(2).all(|pair| pair[0].to <= pair[1].from), "{bins:?}");
            for bin in bins.iter().filter(|_| summary.column_type() == ColumnType::Integer) {
                let is_inside =
                    |whole: &&i128| bin.from <= (**whole).into() && Number::from(**whole) <= bin.to;
                assert!(bin.count.contains(wholes.iter().filter(is_inside).count() as f64), "{bin:?}");
            }
        }
    }
}

fn table_of(column: ColumnProfile) -> TableProfile {
    let (params, spec, rows) = (column.params(), *column.hash_spec(), column.rows());
    TableProfile::from_columns(params, spec, rows, vec![("x".into(), column)]).unwrap()
}

/// Numbers from `first` on, and floats that are not finite, enough that they leave the counters too.
fn with_special(first: i128) -> Vec<String> {
    let special = ["inf", "-Infinity", "NaN", "nan"];
    (0..3000)
        .map(|i| if i % 10 == 0 { special[i / 10 % 4].into() } else { (first + i as i128).to_string() })
        .collect()
}

#[test]
fn infinite_values_and_nan_leave_a_column_of_floats() {
    for (params, first) in [(ProfileParams::default(), 0), (coarse(), 0), (coarse(), 1 << 60)] {
        let texts = with_special(first);
        let column = profile_with(params, &texts);
        let summary = column.summary();
        assert_eq!(summary.column_type(), ColumnType::Float);
        assert_eq!((summary.infinite(), summary.nans(), summary.finite()), (150, 150, 2700));
        assert_eq!(
            (summary.minimum().unwrap(), summary.maximum().unwrap()),
            (&b"-Infinity"[..], &b"inf"[..])
        );
        let wholes: Vec<i128> = (0..3000).filter(|i| i % 10 != 0).map(|i| first + i).collect();
        let mean = wholes.iter().map(|whole| whole - first).sum::<i128>() as f64 / 2700.0;
        assert!(
            (summary.mean().unwrap().to_f64() - (first as f64 + mean)).abs() <= 1e-15 * first as f64 + 1e-9
        );
        assert_eq!(*summary.quantile(0.0).unwrap().value(), f64::NEG_INFINITY);
        assert_eq!(*summary.quantile(1.0).unwrap().value(), f64::INFINITY);
        let median = summary.quantile(0.5).unwrap();
        assert!(*median.lower() <= wholes[1349].into() && Number::from(wholes[1349]) <= *median.upper());
        let bins = summary.histogram(10);
        assert_eq!(bins.len(), 10);
        assert!(bins.iter().all(|bin| bin.from.to_f64().is_finite() && bin.to.to_f64().is_finite()));

        let (mut one, other) = (profile_with(params, &texts[..999]), profile_with(params, &texts[999..]));
        one.merge(&other).unwrap();
        let merged = one.summary();
        assert_eq!((merged.infinite(), merged.nans(), merged.mean()), (150, 150, summary.mean()));
        for column in [column, one] {
            let table = table_of(column);
            assert_eq!(TableProfile::from_bytes(&table.to_bytes()).unwrap(), table);
        }
    }
    let only = profile(["inf", "NaN"]).summary();
    assert!(only.mean().is_none() && only.histogram(5).is_empty() && only.finite() == 0);
    assert_eq!(profile(["NaN"]).summary().quantile(0.5), None);
    assert_eq!(profile(["inf", "x"]).summary().infinite(), 0, "a column of texts");
}

#[test]
fn blanks_around_a_number_do_not_count() {
    let summary = profile([" 1000", "5", "-3 "]).summary();
    assert_eq!((summary.column_type(), summary.distinct().value()), (ColumnType::Integer, 3.0));
    assert_eq!(summary.maximum(), Some(&b" 1000"[..]), "as it was written");
}

/// A value that returns only after all others is not seen to repeat. If the sketch estimates more values than there are
/// rows, the correction must not leave an interval that looks exact.
#[test]
fn bars_of_nearly_unique_columns_hold_the_truth() {
    const SEEDS: u64 = 1000;
    let params = coarse();
    let confidence = 0.95;
    for rows in [200u32, 600, 3000] {
        for repeated in [0, 1, rows / 100, rows / 30] {
            let different = rows - repeated;
            let mut missed = 0u32;
            for seed in 0..SEEDS {
                let mut column = ColumnProfile::with_params(params).with_hash(HashSpec::seeded(seed));
                (0..different).chain(0..repeated).for_each(|row| column.add(format!("row {row}").as_bytes()));
                let distinct = column.summary().distinct();
                let holds = distinct.contains(different.into());
                let looks_exact =
                    distinct.lower() >= distinct.upper() || distinct.guarantee() == Guarantee::Certain;
                assert!(holds || !looks_exact, "{rows} rows, {different} different, seed {seed}: {distinct}");
                assert!(distinct.upper() <= rows.into(), "{distinct}");
                missed += u32::from(!holds);
            }
            // Five standard deviations of the number of misses: one false alarm in more than a million.
            let (expected, variance) =
                ((1.0 - confidence) * SEEDS as f64, confidence * (1.0 - confidence) * SEEDS as f64);
            assert!(
                f64::from(missed) <= expected + 5.0 * variance.sqrt(),
                "{rows} {repeated}: {missed} missed"
            );
        }
    }
}

/// The number of distinct integers and days is at most that from the least to the greatest, unless one is written in
/// two ways.
#[test]
fn no_more_different_values_than_there_is_room_for() {
    let (mut cut, numbers) = (0, 700i64);
    let day = |day: i64| format!("2{:03}-{:02}-{:02}", day / 100, 1 + day / 10 % 10, 1 + day % 10);
    for seed in 0..50 {
        let summary = |text: &dyn Fn(i64) -> String, odd: &str| {
            let mut column = ColumnProfile::with_params(coarse()).with_hash(HashSpec::seeded(seed));
            for number in (0..numbers).chain(0..numbers) {
                column.add(text(number).as_bytes());
            }
            column.add(odd.as_bytes());
            column.summary()
        };
        let plain = summary(&|number| (number - 350).to_string(), "0").distinct();
        assert!(plain.upper() <= 700.0 && plain.lower() < plain.upper(), "{plain}");
        assert!(plain.value() <= 700.0 && plain.guarantee() != Guarantee::Certain, "{plain}");
        let unlike = summary(&|number| (number - 350).to_string(), "+5");
        assert_eq!(unlike.column_type(), ColumnType::Integer);
        cut += u32::from(unlike.distinct().upper() > 700.0);
        let days = summary(&day, "2000-01-01");
        let most = 365.25 * 7.0;
        assert!(days.column_type() == ColumnType::Date && days.distinct().upper() < most, "{days:?}");
    }
    assert!(cut > 10, "texts of one number are not cut by the numbers there are");
}

#[test]
fn zones_are_remembered() {
    let texts = |zone: &'static str| {
        (0..600).map(move |row| format!("2013-01-01 {:02}:{:02}{zone}", row / 60, row % 60))
    };
    for (zone, has_zones) in [("", false), ("Z", true), ("+05:30", true)] {
        let column = profile_with(coarse(), texts(zone));
        let mut whole = profile_with(coarse(), texts(""));
        whole.merge(&column).unwrap();
        for column in [column, whole] {
            assert_eq!(column.summary().has_zones(), has_zones, "{zone}");
            let table = table_of(column);
            let read = TableProfile::from_bytes(&table.to_bytes()).unwrap();
            assert_eq!(read, table);
            assert_eq!(read.column("x").unwrap().summary().has_zones(), has_zones, "{zone}");
        }
    }
    assert!(!profile(["2013-01-01"]).summary().has_zones() && !profile(["Z"]).summary().has_zones());
}

/// A value at an edge is in the bin that begins there; only the last bin includes both its ends.
#[test]
fn bins_hold_their_lower_end() {
    let texts = (0..=1000).map(|i| format!("{}", f64::from(i) / 8.0));
    for params in [ProfileParams::default(), coarse()] {
        let summary = profile_with(params, texts.clone()).summary();
        let bins = summary.histogram(10);
        assert_eq!(bins.len(), 10);
        for (place, bin) in bins.iter().enumerate() {
            let truth = if place == 9 { 101.0 } else { 100.0 };
            assert!(bin.count.contains(truth), "{bin:?}");
            assert!(!summary.is_exact() || bin.count.value() == truth, "{bin:?}");
        }
        let middle = summary.histogram_between(12.5.into(), 112.5.into(), 8);
        let [below, above] = summary.outside(&middle).unwrap();
        assert!(below.contains(100.0) && above.contains(100.0), "{below} {above}");
        let inside: f64 = middle.iter().map(|bin| bin.count.value()).sum();
        assert!(!summary.is_exact() || inside + below.value() + above.value() == 1001.0);
    }
    assert!(profile(["x"]).summary().outside(&[]).is_none());
}

/// The q-quantile of ascending numbers.
fn truth(sorted: &[f64], q: f64) -> Number {
    sorted[((q * sorted.len() as f64).ceil() as usize).max(1) - 1].into()
}

/// Numbers over many orders of magnitude, of both signs, integers and others, in one pass and merged.
fn skewed(whole: bool, signed: bool) -> (Vec<f64>, [ColumnProfile; 2]) {
    let mut rng = Rng::new(u64::from(whole) + 2 * u64::from(signed));
    let mut draw = || {
        let size = libm::exp(20.0 * rng.unit() * rng.unit());
        let number = if signed && rng.below(3) == 0 { -size } else { size };
        if whole { libm::round(number) } else { number }
    };
    let mut numbers: Vec<f64> = (0..60_000).map(|_| draw()).collect();
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let pass = profile_with(ProfileParams::default(), &texts);
    let mut merged = profile_with(ProfileParams::default(), &texts[..7000]);
    merged.merge(&profile_with(ProfileParams::default(), &texts[7000..])).unwrap();
    numbers.sort_unstable_by(f64::total_cmp);
    (numbers, [pass, merged])
}

#[test]
fn quantiles_of_skewed_numbers_are_close_to_their_values() {
    for (whole, signed) in [(false, false), (false, true), (true, false), (true, true)] {
        let (sorted, columns) = skewed(whole, signed);
        for column in columns {
            let summary = column.summary();
            assert_eq!(summary.column_type() == ColumnType::Integer, whole);
            let early = column_without_values(&column);
            for q in [0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.9999] {
                let (truth, answer) = (truth(&sorted, q), summary.quantile(q).unwrap());
                assert!(*answer.lower() <= truth && truth <= *answer.upper(), "{q}: {answer}, not {truth}");
                assert!(*answer.lower() <= *answer.value() && *answer.value() <= *answer.upper(), "{answer}");
                let by_rank = early.quantile(q).unwrap();
                let length = |it: &QuantileEstimate<Number>| it.upper().to_f64() - it.lower().to_f64();
                assert!(length(&answer) <= length(&by_rank), "{q}: {answer}, longer than {by_rank}");
                if answer.guarantee() == Guarantee::Certain {
                    let error = (answer.value().to_f64() - truth.to_f64()).abs();
                    let rounded = if whole { 0.5 } else { 0.0 };
                    assert!(error <= 0.01 * truth.to_f64().abs() + rounded, "{q}: {answer}, not {truth}");
                    assert!(!whole || answer.lower().to_integer().is_some(), "{answer}");
                }
            }
            // The rank of p99.9 is known to 0.5 %, so the maximum cannot be excluded.
            let [close, early] = [&summary, &early].map(|summary| summary.quantile(0.999).unwrap());
            assert_eq!(close.guarantee(), Guarantee::Certain);
            assert!(early.upper().to_f64() > 2.0 * close.upper().to_f64(), "{early} {close}");
        }
    }
}

/// The summary of the same column as an early file has it.
fn column_without_values(column: &ColumnProfile) -> ColumnSummary {
    let mut column = column.clone();
    column.params = column.params.without_quantiles_by_value();
    if let Some(rest) = &mut column.rest {
        rest.values = None;
    }
    let table = table_of(column);
    let read = TableProfile::from_bytes(&table.to_bytes()).unwrap();
    assert_eq!(read, table);
    read.columns().next().unwrap().1.summary()
}

/// An infinite value has no magnitude, and integers beyond 2⁵³ are rounded: the answers allow for both.
#[test]
fn quantiles_by_value_know_their_limits() {
    let texts =
        |numbers: &mut dyn Iterator<Item = i128>| numbers.map(|it| it.to_string()).collect::<Vec<_>>();
    let mut infinite = texts(&mut (0..20_000).map(|i| i * i * i));
    infinite.push("inf".into());
    let summary = profile(&infinite).summary();
    assert_ne!(summary.quantile(0.5).unwrap().guarantee(), Guarantee::Certain);
    // All lie between two neighbours of an `f64`, or at one.
    let summary = profile(texts(&mut (0..20_000).map(|i| (1 << 62) + i % 10_000 - 5000))).summary();
    for (q, truth) in [(0.25, (1i128 << 62) - 2501), (0.5, (1 << 62) - 1), (0.75, (1 << 62) + 2499)] {
        let answer = summary.quantile(q).unwrap();
        assert!(*answer.lower() <= truth.into() && Number::from(truth) <= *answer.upper(), "{q}: {answer}");
    }
}

#[test]
fn profiles_with_and_without_quantiles_by_value_do_not_merge() {
    let make = |params| table_of(profile_with(params, ["1", "2"]));
    let early = ProfileParams::default().without_quantiles_by_value();
    let mut table = make(ProfileParams::default());
    let error = table.merge(&make(early)).unwrap_err();
    assert!(format!("{error}").contains("quantiles by value: 1 and 0"), "{error}");
    assert_eq!(table, make(ProfileParams::default()));
}
