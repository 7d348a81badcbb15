//! Profiles: coverage of the estimates beyond the counters, deterministic bounds, and a real table against exact
//! answers.

use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM};
use crivo::profile::{ColumnProfile, ColumnSummary, ColumnType, ProfileParams};
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo::{HashSpec, Number};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// A column of these numbers, written as texts.
fn column(params: ProfileParams, seed: u64, numbers: &[u64]) -> ColumnProfile {
    let mut column = ColumnProfile::with_params(params).with_hash(HashSpec::seeded(seed));
    for number in numbers {
        column.add(number.to_string().as_bytes());
    }
    column
}

fn few_counters() -> [ProfileParams; 2] {
    [1.0, 0.3].map(|error| ProfileParams::for_error(error).unwrap())
}

/// From empty to far beyond the counters. The intervals are cut to what is possible, so they may cover more than 95 %.
#[test]
fn counts_of_different_values_are_covered() {
    for params in few_counters() {
        let m = u64::from(params.counters());
        for items in [0, 1, m - 1, m, m + 1, 5 * m / 4, 5 * m, 20 * m] {
            let mut coverage = Coverage::default();
            for seed in 0..COVERAGE_TRIALS {
                let numbers: Vec<u64> = (0..items).chain(0..items / 2).collect();
                let summary = column(params, seed, &numbers).summary();
                assert_eq!(summary.is_exact(), items <= m);
                coverage.push(&summary.distinct(), items as f64);
            }
            coverage.assert_proven(&format!("{m} counters, {items} distinct values"));
        }
    }
}

/// A few values that make up most, and many others: quantiles are covered, and the bounds of frequencies always hold.
#[test]
fn quantiles_are_covered_and_counts_certain() {
    for params in few_counters() {
        let m = u64::from(params.counters());
        for length in [4 * m, 40 * m] {
            let mut covered = [0u64; 3];
            for seed in 0..COVERAGE_TRIALS {
                let mut rng = Rng::new(seed);
                let draw = |rng: &mut Rng| if rng.below(3) == 0 { rng.below(4) } else { rng.below(9 * m) };
                let numbers: Vec<u64> = (0..length).map(|_| draw(&mut rng)).collect();
                let summary = column(params, seed, &numbers).summary();
                assert_counts(&summary, &numbers);
                let mut sorted = numbers;
                sorted.sort_unstable();
                for (covered, q) in covered.iter_mut().zip([0.3, 0.5, 0.9]) {
                    let truth = Number::from(sorted[(q * length as f64).ceil() as usize - 1]);
                    let answer = summary.quantile(q).unwrap();
                    *covered += u64::from(*answer.lower() <= truth && truth <= *answer.upper());
                }
            }
            let (least, _) = binomial_band(COVERAGE_TRIALS, 0.95, FALSE_ALARM);
            assert!(
                covered.iter().all(|&covered| covered as f64 >= least),
                "{m} counters, {length}: {covered:?}"
            );
        }
    }
}

/// Every bound of a frequency holds, and no value outside the frequent ones exceeds the floor.
fn assert_counts(summary: &ColumnSummary, numbers: &[u64]) {
    let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for number in numbers {
        *counts.entry(number.to_string().into_bytes()).or_default() += 1;
    }
    for value in summary.top(usize::MAX) {
        let count = counts.remove(&value.value).unwrap();
        assert!(value.count.contains(count as f64), "{value:?}, but it came {count} times");
    }
    assert!(counts.values().all(|&count| count <= summary.floor()));
}

/// The columns of a table of New York's flights of 2013 with their values, `NA` missing.
fn flights() -> Option<Vec<(String, Vec<Option<String>>)>> {
    let name = "../../../shared/data/tables/nycflights13-flights.csv.gz";
    let Ok(file) = std::fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)) else {
        println!("skipped: {name} is not there");
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',');
    let mut columns: Vec<(String, Vec<Option<String>>)> =
        names.map(|name| (name.into(), Vec::new())).collect();
    for line in lines {
        for ((_, values), field) in columns.iter_mut().zip(line.split(',')) {
            values.push((field != "NA" && !field.is_empty()).then(|| field.into()));
        }
    }
    Some(columns)
}

#[test]
fn flights_are_within_their_bars() {
    let Some(columns) = flights() else { return };
    assert_eq!(columns.len(), 19);
    for (name, rows) in columns {
        let mut column = ColumnProfile::with_params(ProfileParams::default());
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for value in &rows {
            match value {
                Some(value) => {
                    column.add(value.as_bytes());
                    *counts.entry(value).or_default() += 1;
                }
                None => column.add_missing(1),
            }
        }
        let summary = column.summary();
        let values: Vec<&str> = rows.iter().flatten().map(String::as_str).collect();
        assert_eq!((summary.rows(), summary.values()), (336_776, values.len() as u64), "{name}");
        assert!(summary.distinct().contains(counts.len() as f64), "{name}: {}", summary.distinct());
        assert_eq!(summary.is_exact(), counts.len() <= 8192, "{name}");
        for value in summary.top(100) {
            let truth = counts[std::str::from_utf8(&value.value).unwrap()];
            assert!(value.count.contains(truth as f64), "{name}: {value:?} {truth}");
        }
        let mut numbers: Vec<f64> = values.iter().filter_map(|value| value.parse().ok()).collect();
        assert_eq!(summary.column_type().is_number(), numbers.len() == values.len(), "{name}");
        if !summary.column_type().is_number() {
            let is_time = name == "time_hour";
            assert_eq!(
                summary.column_type(),
                if is_time { ColumnType::Timestamp } else { ColumnType::Text },
                "{name}"
            );
            assert_eq!(summary.minimum(), values.iter().min().map(|value| value.as_bytes()), "{name}");
            continue;
        }
        numbers.sort_unstable_by(f64::total_cmp);
        let n = numbers.len() as f64;
        // All of them are integers, so sums are exact.
        let sum: f64 = numbers.iter().sum();
        let squares: f64 = numbers.iter().map(|number| number * number).sum();
        assert_eq!(summary.mean(), Some((sum / n).into()), "{name}");
        let variance = (n * squares - sum * sum) / (n * (n - 1.0));
        assert!(
            (summary.standard_deviation().unwrap() / variance.sqrt() - 1.0).abs() < 1e-9 || variance == 0.0,
            "{name}"
        );
        for q in [0.0, 0.25, 0.5, 0.75, 0.99, 1.0] {
            let truth = Number::from(numbers[((q * n).ceil() as usize).max(1) - 1]);
            let answer = summary.quantile(q).unwrap();
            assert!(*answer.lower() <= truth && truth <= *answer.upper(), "{name} {q}: {answer} {truth}");
            assert!(!summary.is_exact() || *answer.value() == truth, "{name} {q}: {answer} {truth}");
        }
    }
}
