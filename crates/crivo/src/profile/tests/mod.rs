mod numbers;
mod tables;

use super::*;
use crate::rng::Rng;
use crate::{HashSpec, KMinValues, Number};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

fn profile<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> ColumnProfile {
    profile_with(ProfileParams::default(), texts)
}

fn profile_with<T: AsRef<str>>(params: ProfileParams, texts: impl IntoIterator<Item = T>) -> ColumnProfile {
    let mut column = ColumnProfile::with_params(params);
    texts.into_iter().for_each(|text| column.add(text.as_ref().as_bytes()));
    column
}

/// Few counters, so that short streams overflow them.
fn coarse() -> ProfileParams {
    ProfileParams::for_error(0.2).unwrap()
}

#[test]
fn small_columns_are_exact_in_everything() {
    let mut column = profile(["3", "1", "2", "2", "10", "-4"]);
    column.add_missing(2);
    let summary = column.summary();
    assert_eq!((summary.rows(), summary.missing(), summary.values()), (8, 2, 6));
    assert!(summary.is_exact());
    assert_eq!(summary.column_type(), ColumnType::Integer);
    assert_eq!(summary.distinct(), crate::Estimate::exact(5.0));
    assert_eq!((summary.minimum(), summary.maximum()), (Some(&b"-4"[..]), Some(&b"10"[..])));
    assert_eq!(summary.mean(), Some((14.0 / 6.0).into()));
    let deviation = summary.standard_deviation().unwrap();
    assert!((deviation - (304.0f64 / 15.0).sqrt()).abs() < 1e-14, "{deviation}");
    let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| *summary.quantile(q).unwrap().value());
    assert_eq!(quantiles, [-4, 1, 2, 3, 10].map(Number::from));
    assert!(summary.quantile(1.5).is_none() && summary.quantile(f64::NAN).is_none());
    let top = summary.top(1);
    assert_eq!((top[0].value.as_slice(), top[0].count.value(), top[0].truncated), (&b"2"[..], 2.0, false));
    assert_eq!(summary.floor(), 0);
    assert_eq!(summary.sample().len(), 5);
    assert_eq!(summary.key(), Key::No);
    assert_eq!(summary.lengths(), Some((1, 8.0 / 6.0, 2)));
    assert_eq!(summary.classes(), [(ColumnType::Integer, 6)]);
}

/// Missing values aside, and whether or not the sketch knows all values.
#[test]
fn repetitions_are_known_or_unknown() {
    let unique = |column: &ColumnProfile| column.summary().is_unique_at(0.99);
    let mut column = profile(["a", "b"]);
    column.add_missing(2);
    assert_eq!((unique(&column), column.summary().key()), (Some(true), Key::No));
    assert_eq!(unique(&profile(["a", "b", "a"])), Some(false));
    assert_eq!(unique(&profile([""; 0])), Some(true));
    let numbers = |range: core::ops::Range<u32>| range.map(|i| format!("v{i}"));
    assert_eq!(unique(&profile_with(coarse(), numbers(0..1000))), None);
    assert_eq!(unique(&profile_with(coarse(), numbers(0..1000).chain(numbers(0..1000)))), Some(false));
}

#[test]
fn empty_columns_have_no_answers() {
    let mut column = ColumnProfile::with_params(ProfileParams::default());
    column.add_missing(3);
    let summary = column.summary();
    assert_eq!(summary.column_type(), ColumnType::Empty);
    assert_eq!((summary.distinct().value(), summary.key()), (0.0, Key::No));
    assert!(
        summary.minimum().is_none() && summary.mean().is_none() && summary.standard_deviation().is_none()
    );
    assert!(summary.quantile(0.5).is_none() && summary.histogram(10).is_empty() && summary.top(3).is_empty());
    assert!(summary.lengths().is_none() && summary.sample().is_empty() && summary.classes().is_empty());
}

#[test]
fn ends_follow_the_type() {
    let ends = |texts: &[&str]| {
        let summary = profile(texts).summary();
        let text = |end: Option<&[u8]>| String::from_utf8(end.unwrap().to_vec()).unwrap();
        (text(summary.minimum()), text(summary.maximum()))
    };
    assert_eq!(ends(&["9", "10", "1e1"]), ("9".into(), "10".into()), "numbers");
    assert_eq!(ends(&["9", "10", "x"]), ("10".into(), "x".into()), "texts");
    assert_eq!(ends(&["2013-01-01 10:00+02", "2013-01-01 09:00"]).1, "2013-01-01 09:00", "times");
    assert_eq!(ends(&["18446744073709551614", "18446744073709551615"]).0, "18446744073709551614");
}

#[test]
fn answers_beyond_the_counters_are_within_their_bars() {
    let mut rng = Rng::new(5);
    let numbers: Vec<u64> = (0..60_000).map(|_| rng.below(30_000) * rng.below(30_000) / 30_000).collect();
    let column = profile_with(coarse(), numbers.iter().map(ToString::to_string));
    assert!(!column.is_exact());
    let summary = column.summary();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for &number in &numbers {
        *counts.entry(number).or_default() += 1;
    }
    assert!(summary.distinct().contains(counts.len() as f64), "{}", summary.distinct());
    assert_eq!(summary.minimum().unwrap(), sorted[0].to_string().as_bytes());
    assert_eq!(summary.maximum().unwrap(), sorted.last().unwrap().to_string().as_bytes());
    let mean = numbers.iter().sum::<u64>() as f64 / numbers.len() as f64;
    assert_eq!(summary.mean(), Some(mean.into()));
    for q in [0.01, 0.25, 0.5, 0.9, 1.0] {
        let truth = Number::from(sorted[((q * 60_000.0) as usize).max(1) - 1]);
        let answer = summary.quantile(q).unwrap();
        assert!(*answer.lower() <= truth && truth <= *answer.upper(), "{q}: {answer} {truth}");
    }
    for value in summary.top(usize::MAX) {
        let number: u64 = core::str::from_utf8(&value.value).unwrap().parse().unwrap();
        assert!(value.count.contains(counts[&number] as f64), "{value:?}");
    }
    let histogram = summary.histogram(10);
    assert_eq!(histogram.len(), 10);
    for bin in histogram {
        let truth = numbers.iter().filter(|&&n| bin.from <= n.into() && Number::from(n) <= bin.to).count();
        assert!(bin.count.contains(truth as f64), "{bin:?} {truth}");
    }
    assert_eq!(summary.key(), Key::No);
}

#[test]
fn no_other_value_came_more_often() {
    // The late values came before, and lost their counters to others.
    let mut texts = ["many"; 1000].map(String::from).to_vec();
    texts.extend(["early"; 60].map(String::from));
    texts.extend(["late"; 20].map(String::from));
    texts.extend((0..2000u32).map(|i| format!("other {i}")));
    texts.extend(["late"; 45].map(String::from));
    let summary = profile_with(coarse(), texts).summary();
    let top = summary.top(2);
    assert_eq!((top[0].value.as_slice(), top[1].value.as_slice()), (&b"many"[..], &b"early"[..]));
    assert!(top[1].count.upper() < 65.0, "the next one is not the bound of all others: {:?}", top[1]);
    assert!(summary.others_most(1) >= 65 && summary.others_most(2) >= 65);
    assert!(summary.others_most(0) >= 1000);
    assert_eq!(summary.others_most(usize::MAX), summary.floor());
    assert_eq!(profile(["a", "a", "b"]).summary().others_most(1), 1);
}

#[test]
fn histograms_have_whole_steps_where_values_do() {
    let bins = |texts: &[&str], bins| {
        let histogram = profile(texts).summary().histogram(bins);
        histogram
            .iter()
            .map(|bin| (bin.from.to_f64(), bin.to.to_f64(), bin.count.value()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        bins(&["1", "2", "2", "4"], 10),
        [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (3.0, 3.0, 0.0), (4.0, 4.0, 1.0)]
    );
    assert_eq!(bins(&["1", "2", "2", "5"], 2), [(1.0, 3.0, 3.0), (4.0, 6.0, 1.0)]);
    assert_eq!(bins(&["0.0", "1.0", "2.0"], 2), [(0.0, 1.0, 1.0), (1.0, 2.0, 2.0)]);
    assert_eq!(bins(&["7"], 5), [(7.0, 7.0, 1.0)]);
    assert_eq!(bins(&["-1.7e308", "1.7e308"], 2).len(), 2);
    assert_eq!(bins(&["1.5", "1.5000000000000002"], 50), [(1.5, 1.500_000_000_000_000_2, 2.0)]);
    assert_eq!(bins(&["-9223372036854775808", "18446744073709551615"], 4).len(), 4);
    assert_eq!(bins(&["2013-01-01", "2013-01-03"], 9).len(), 3);
    assert!(bins(&["1", "2"], 0).is_empty() && bins(&["a", "b"], 4).is_empty());
}

#[test]
fn a_histogram_of_the_middle_leaves_the_ends_out() {
    let between = |texts: &[&str], least, greatest| {
        let (least, greatest) = (Number::from(least), Number::from(greatest));
        let histogram = profile(texts).summary().histogram_between(least, greatest, 2);
        histogram
            .iter()
            .map(|bin| (bin.from.to_f64(), bin.to.to_f64(), bin.count.value()))
            .collect::<Vec<_>>()
    };
    let whole = ["-900", "1", "2", "2", "4", "7000"];
    assert_eq!(between(&whole, 1.0, 4.0), [(1.0, 2.0, 3.0), (3.0, 4.0, 1.0)]);
    let parts = ["-900.5", "1.0", "2.0", "3.0", "7000.0"];
    assert_eq!(between(&parts, 1.0, 3.0), [(1.0, 2.0, 1.0), (2.0, 3.0, 2.0)]);
    assert!(between(&parts, 3.0, 1.0).is_empty() && between(&parts, f64::NAN, 1.0).is_empty());
    assert!(between(&["a", "b"], 0.0, 1.0).is_empty());
}

#[test]
fn keys_are_distinguished_from_repeated_values() {
    assert_eq!(profile(["a", "b", "c"]).summary().key(), Key::Certain);
    assert_eq!(profile(["a", "b", "a"]).summary().key(), Key::No);
    let all_different = || (0..5000u32).map(|i| format!("id-{i}"));
    assert_eq!(profile_with(coarse(), all_different()).summary().key(), Key::Possible);
    let mut with_missing = profile_with(coarse(), all_different());
    with_missing.add_missing(1);
    assert_eq!(with_missing.summary().key(), Key::No);
    assert_eq!(profile_with(coarse(), all_different().chain(all_different())).summary().key(), Key::No);
    // One repetition that the counters see, among values that leave them.
    assert_eq!(
        profile_with(coarse(), ["x".into(), "x".into()].into_iter().chain(all_different())).summary().key(),
        Key::No
    );
}

#[test]
fn columns_that_share_values() {
    let summary =
        |range: core::ops::Range<u32>| profile_with(coarse(), range.map(|i| i.to_string())).summary();
    let (one, part, none) = (summary(0..4000), summary(1000..3000), summary(10_000..10_050));
    let overlap = one.overlap(&part).unwrap();
    assert!(overlap.jaccard.contains(0.5) && overlap.shared.contains(2000.0), "{overlap:?}");
    assert!(
        overlap.of_self.contains(0.5) && overlap.of_other.value() == 1.0 && !overlap.same_counts,
        "{overlap:?}"
    );
    assert_eq!(one.overlap(&none).unwrap().jaccard.value(), 0.0);
    assert!(one.overlap(&summary(0..4000)).unwrap().same_counts);
    let mut backwards = profile_with(coarse(), (0..4000u32).rev().map(|i| i.to_string()));
    assert!(one.overlap(&backwards.summary()).unwrap().same_counts, "in any order");
    backwards.add(b"7");
    assert!(!one.overlap(&backwards.summary()).unwrap().same_counts);
    let finer = profile((0..4000u32).map(|i| i.to_string())).summary();
    assert!(one.overlap(&finer).unwrap().jaccard.contains(1.0), "with different sizes");
    let mut other_hash = ColumnProfile::with_params(coarse()).with_hash(HashSpec::seeded(9));
    other_hash.add(b"1");
    assert!(one.overlap(&other_hash.summary()).is_err());
}

#[test]
fn copies_are_as_many_values() {
    let spec = HashSpec::default();
    let (mut at_once, mut one_by_one) =
        (ColumnProfile::with_params(coarse()), ColumnProfile::with_params(coarse()));
    for i in 0..3000u64 {
        let text = (i % 700).to_string();
        at_once.add_hashed(text.as_bytes(), spec.hash_bytes(text.as_bytes()), i % 4);
        (0..i % 4).for_each(|_| one_by_one.add(text.as_bytes()));
    }
    assert!(at_once == one_by_one);
    assert_eq!(at_once.values(), 3 * 3000 / 2);
}

#[test]
fn long_values_are_cut_and_still_distinguished() {
    let long = "9".repeat(1000);
    let texts = [long.clone(), format!("{long}1"), format!("{}8", &long[..999])];
    let summary = profile(&texts).summary();
    assert_eq!((summary.distinct().value(), summary.column_type()), (3.0, ColumnType::Text));
    assert!(summary.top(3).iter().all(|value| value.truncated && value.value.len() == 128));
    assert_eq!(summary.lengths(), Some((1000, 3001.0 / 3.0, 1001)));
}

/// Everything that a merge preserves exactly.
fn exact_answers(summary: &ColumnSummary) -> impl PartialEq + core::fmt::Debug {
    (
        (summary.rows(), summary.missing(), summary.column_type(), summary.distinct(), summary.classes()),
        (summary.minimum().map(<[u8]>::to_vec), summary.maximum().map(<[u8]>::to_vec), summary.lengths()),
        (summary.mean(), summary.standard_deviation(), summary.sample().to_vec(), summary.is_exact()),
    )
}

#[test]
fn merged_parts_answer_as_the_whole() {
    let mut rng = Rng::new(11);
    for values in [30, 100, 200, 4000, 1_000_000] {
        let texts: Vec<String> = (0..9000).map(|_| format!("{}.5", rng.below(values))).collect();
        let whole = profile_with(coarse(), &texts);
        let mut merged = ColumnProfile::with_params(coarse());
        for part in texts.chunks(2001) {
            merged.merge(&profile_with(coarse(), part)).unwrap();
        }
        let (one, other) = (whole.summary(), merged.summary());
        assert_eq!(exact_answers(&one), exact_answers(&other), "{values}");
        assert!(one.overlap(&other).unwrap().same_counts);
        assert!(other.floor() <= 2 * 9000 / u64::from(coarse().counters()));
        if one.is_exact() {
            assert_eq!(one.top(500), other.top(500));
            assert_eq!(one.quantile(0.3), other.quantile(0.3));
        }
    }
    let mut other = ColumnProfile::with_params(ProfileParams::default());
    assert!(other.merge(&profile_with(coarse(), ["a"])).is_err());
    assert_eq!(other.rows(), 0);
}

#[test]
fn hashes_inserted_at_once_are_those_of_one_by_one() {
    let mut rng = Rng::new(2);
    let hashes: Vec<u64> = (0..500).map(|_| rng.next_u64() >> rng.below(60)).collect();
    let (mut at_once, mut one_by_one) = (KMinValues::for_k(100).unwrap(), KMinValues::for_k(100).unwrap());
    for part in hashes.chunks(130) {
        at_once.insert_new_hashes(part.to_vec());
        one_by_one.insert_hashes(part);
    }
    assert_eq!(at_once, one_by_one);
}
