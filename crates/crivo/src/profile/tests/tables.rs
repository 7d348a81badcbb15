//! Tables of columns: merges, bytes and drift.

use super::super::value_summaries::Sums;
use super::*;
use crate::stats::exact_sum::ExactSum;

fn table(columns: &[(&str, &ColumnProfile)]) -> TableProfile {
    let first = columns[0].1;
    let columns = columns.iter().map(|&(name, column)| (name.into(), column.clone())).collect();
    TableProfile::from_columns(first.params(), *first.hash_spec(), first.rows(), columns).unwrap()
}

#[test]
fn tables_are_made_of_columns_that_fit() {
    let (one, two) = (profile(["a"]), profile(["a", "b"]));
    let make = |rows, columns: &[(&str, &ColumnProfile)]| {
        let columns = columns.iter().map(|&(name, column)| (name.to_string(), column.clone())).collect();
        TableProfile::from_columns(ProfileParams::default(), HashSpec::default(), rows, columns)
    };
    assert!(make(1, &[("x", &one), ("x", &one)]).is_err(), "one name");
    assert!(make(1, &[("x", &one), ("y", &two)]).is_err(), "unlike rows");
    assert!(make(1, &[("x", &profile_with(coarse(), ["a"]))]).is_err(), "unlike params");
    let mut other_hash = ColumnProfile::with_params(ProfileParams::default()).with_hash(HashSpec::seeded(3));
    other_hash.add(b"a");
    assert!(make(1, &[("x", &other_hash)]).is_err(), "unlike hashes");
    let made = make(1, &[("x", &one), ("y", &one)]).unwrap();
    assert_eq!(made.columns().map(|(name, _)| name).collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!(made.into_columns().len(), 2);
    let none = TableProfile::from_columns(coarse(), HashSpec::seeded(3), 7, Vec::new()).unwrap();
    assert_eq!((none.params(), *none.hash_spec(), none.rows()), (coarse(), HashSpec::seeded(3), 7));
}

#[test]
fn columns_merge_by_name() {
    let mut first = table(&[("a", &profile(["1", "2"])), ("b", &profile(["x", "y"]))]);
    let second = table(&[("c", &profile(["7"])), ("a", &profile(["3"]))]);
    first.merge(&second).unwrap();
    assert_eq!(first.rows(), 3);
    assert_eq!(first.columns().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b", "c"]);
    let missing = |name: &str| (first.column(name).unwrap().rows(), first.column(name).unwrap().missing());
    assert_eq!((missing("a"), missing("b"), missing("c")), ((3, 0), (3, 1), (3, 2)));
    let before = first.clone();
    let other_hash = TableProfile::with_params(ProfileParams::default()).with_hash(HashSpec::seeded(3));
    assert!(first.merge(&other_hash).is_err() && first == before);
    assert!(first.merge(&TableProfile::with_params(coarse())).is_err() && first == before);
}

#[test]
fn tables_go_through_bytes() {
    let mut rng = Rng::new(3);
    let mut mixed = ColumnProfile::with_params(coarse());
    let mut long = ColumnProfile::with_params(coarse());
    for i in 0..3000u64 {
        let number = rng.below(900);
        mixed.add(
            match i % 5 {
                0 => format!("{number}.25"),
                1 => format!("-{number}"),
                2 => format!("2013-01-01 {:02}:{:02}", number % 24, number % 60),
                3 => "true".into(),
                _ => format!("text {number}"),
            }
            .as_bytes(),
        );
        long.add("long ".repeat(number as usize % 60).as_bytes());
    }
    let empty = {
        let mut column = ColumnProfile::with_params(coarse());
        column.add_missing(3000);
        column
    };
    let mut written = table(&[("mixed", &mixed), ("long", &long), ("", &empty)]);
    for _ in 0..2 {
        let bytes = written.to_bytes();
        let read = TableProfile::from_bytes(&bytes).unwrap();
        assert!(read == written);
        assert_eq!(read.to_bytes(), bytes);
        written.merge(&read).unwrap();
    }
    // Later values meet the same state.
    let mut read =
        TableProfile::from_bytes(&table(&[("mixed", &mixed)]).to_bytes()).unwrap().into_columns().remove(0).1;
    for i in 0..5000u32 {
        read.add(i.to_string().as_bytes());
        mixed.add(i.to_string().as_bytes());
    }
    assert!(read == mixed);
}

/// Bytes with sums that no numbers have are refused.
#[test]
fn sums_beyond_the_numbers_are_refused() {
    let written = |change: &dyn Fn(&mut Sums)| {
        let mut column = profile_with(coarse(), (0..1000u32).map(|i| format!("{}.5", i % 500)));
        change(column.rest.as_mut().unwrap().sums.as_mut().unwrap());
        TableProfile::from_bytes(&table(&[("x", &column)]).to_bytes())
    };
    let unchanged = written(&|_| ()).unwrap();
    assert!(unchanged.column("x").unwrap().summary().standard_deviation().is_some());
    // Beyond one end, beyond the other, negative squares, and beyond everything.
    assert!(written(&|sums| sums.numbers.add((-499.5).into(), 2000)).is_err());
    assert!(written(&|sums| sums.numbers.add(499.5.into(), 2000)).is_err());
    assert!(written(&|sums| sums.squares = sum_of(-1.0)).is_err());
    assert!(written(&|sums| sums.squares.add_square(1e300.into(), u64::MAX)).is_err());
}

fn sum_of(number: f64) -> ExactSum {
    let mut sum = ExactSum::new();
    sum.add(number.into(), 1);
    sum
}

/// The significant changes between two columns.
fn changed(old: &ColumnProfile, new: &ColumnProfile) -> Vec<(String, f64)> {
    let drift = table(&[("x", old)]).drift(&table(&[("x", new)]), 0.95).unwrap();
    let changes = drift.columns[0].changes.iter().filter(|change| change.significant);
    changes.map(|change| (change.measure.name().to_string(), change.effect)).collect()
}

#[test]
fn drift_is_distinguished_from_chance() {
    let sample = |seed: u64, rows: u64, make: &dyn Fn(&mut Rng) -> String| {
        let mut rng = Rng::new(seed);
        profile_with(coarse(), (0..rows).map(|_| make(&mut rng)))
    };
    let numbers = |shift: u64| move |rng: &mut Rng| (rng.below(1000) + shift).to_string();
    let old = sample(1, 20_000, &numbers(0));
    assert_eq!(changed(&old, &sample(2, 20_000, &numbers(0))), [], "chance");
    assert_eq!(changed(&old, &sample(2, 80_000, &numbers(0))), [], "more rows");
    assert_eq!(changed(&old, &old), [], "itself");
    let shifted: Vec<String> =
        changed(&old, &sample(2, 20_000, &numbers(300))).into_iter().map(|(name, _)| name).collect();
    assert!(
        shifted.contains(&"mean".to_string()) && shifted.contains(&"distribution".to_string()),
        "{shifted:?}"
    );
    let (_, effect) = changed(&old, &sample(2, 20_000, &numbers(300)))[0];
    assert!((effect - 300.0 / 288.7).abs() < 0.05, "in standard deviations: {effect}");

    let words = |share: u64| {
        move |rng: &mut Rng| if rng.below(100) < share { "yes".into() } else { "no".to_string() }
    };
    let old = sample(3, 5000, &words(50));
    assert_eq!(changed(&old, &sample(4, 5000, &words(50))), []);
    let other = changed(&old, &sample(4, 5000, &words(70)));
    assert_eq!(other.len(), 2);
    assert!(
        other.iter().all(|(name, effect)| name == "share" && (effect.abs() - 0.2).abs() < 0.03),
        "{other:?}"
    );

    // A key stays a key with more rows; a list of a few names does not grow with them.
    let keys = |rows: u32| profile_with(coarse(), (0..rows).map(|i| format!("k{i}")));
    assert_eq!(changed(&keys(5000), &keys(20_000)), []);
    let codes = |count: u64| move |rng: &mut Rng| format!("c{}", rng.below(count));
    let few = sample(5, 10_000, &codes(1000));
    assert_eq!(changed(&few, &sample(6, 40_000, &codes(1000))), []);
    let more = changed(&few, &sample(6, 10_000, &codes(5000)));
    assert!(more.iter().any(|(name, effect)| name == "distinct" && *effect > 2.0), "{more:?}");

    let mut with_missing = sample(3, 4000, &words(50));
    with_missing.add_missing(1000);
    let missing = changed(&old, &with_missing);
    assert!(
        missing[0].0 == "missing" && (missing[0].1 - 0.2).abs() < 1e-12 && missing.len() == 1,
        "{missing:?}"
    );
}

#[test]
fn drift_names_columns_and_types() {
    let drift = table(&[("a", &profile(["1"])), ("b", &profile(["1"]))])
        .drift(&table(&[("b", &profile(["x"])), ("c", &profile(["1"]))]), 0.95)
        .unwrap();
    assert_eq!((drift.added, drift.gone), (alloc::vec!["c".to_string()], alloc::vec!["a".to_string()]));
    assert_eq!(drift.columns[0].types, (ColumnType::Integer, ColumnType::Text));
    assert_eq!(drift.columns[0].minimum, (Some(b"1".to_vec()), Some(b"x".to_vec())));
    assert_eq!((&drift.columns[0].maximum, drift.rows), (&drift.columns[0].minimum, (1, 1)));
    assert_eq!(drift.comparisons, drift.columns[0].changes.len());
    let one = table(&[("a", &profile(["1"]))]);
    assert!(one.drift(&one, 1.0).is_err());
}

/// A few values that happen to be equal have no deviation, but others could have been drawn.
#[test]
fn means_of_few_values_are_no_alarm() {
    let of = |zeros: usize, ones: usize| profile(["0"].repeat(zeros).into_iter().chain(["1"].repeat(ones)));
    assert_eq!(changed(&of(2, 0), &of(0, 2)), [], "too few");
    // Nine tenths of all columns of ten have no 1, if one value in a hundred is 1.
    assert_eq!(changed(&of(10, 0), &of(9900, 100)), []);
    assert_eq!(changed(&of(9900, 100), &of(10, 0)), []);
    let many = changed(&of(1000, 0), &of(500, 500));
    assert!(many.iter().any(|(name, _)| name == "mean"), "{many:?}");
}

/// All comparisons of two samples of one table together give a false alarm in at most one of twenty pairs.
#[test]
fn false_alarms_of_drift_are_rare() {
    let alarms = (0..400u64)
        .filter(|&seed| {
            let mut rng = Rng::new(seed);
            let mut sample = |rows: u64| {
                let texts = (0..rows).map(|_| (rng.below(300) * rng.below(300) / 40).to_string());
                profile_with(coarse(), texts.collect::<Vec<_>>())
            };
            !changed(&sample(600), &sample(900)).is_empty()
        })
        .count();
    // With at most 5 % each, more than 36 of 400 have a probability below 1e-4.
    assert!(alarms <= 36, "{alarms}");
}

/// Sketches move an effect by no more than its error says, and exact columns have none.
#[test]
fn the_error_of_a_change_reaches_the_true_one() {
    let mut compared = 0;
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut texts = |scale: u64| -> Vec<String> {
            (0..1500).map(|_| (rng.below(scale) * rng.below(scale) / 30).to_string()).collect()
        };
        let (old, new) = (texts(200), texts(230));
        let changes = |params: ProfileParams| {
            let [old, new] = [&old, &new].map(|texts| table(&[("x", &profile_with(params, texts))]));
            old.drift(&new, 1.0 - 1e-6).unwrap().columns.remove(0).changes
        };
        let (sketched, exact) = (changes(coarse()), changes(ProfileParams::default()));
        assert!(exact.iter().all(|change| change.error == 0.0));
        for change in &sketched {
            let is_same = |other: &&Change| other.measure == change.measure;
            let Some(truth) = exact.iter().find(is_same) else { continue };
            let moved = (change.effect - truth.effect).abs();
            assert!(moved <= change.error + 1e-12, "{seed}: {change:?} {truth:?}");
            compared += usize::from(change.error > 0.0);
        }
    }
    assert!(compared > 60, "{compared}");
}
