//! A law: on a small table every verb gives the answer of a naive program, marked exact, and so all verbs agree.

use super::count::Count;
use super::distinct::Distinct;
use super::join::Join;
use super::numbers::{Histogram, Quantiles, RangeCount};
use super::profile::Profile;
use super::similar::Similar;
use super::tally::Tally;
use super::top::Top;
use crate::testing::Folder;
use crivo::rng::Rng;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a table: a group, a value and a number; some are missing.
struct Rows(Vec<[Option<String>; 3]>);

impl Rows {
    /// Up to `distinct` values, some far more frequent than others.
    fn random(seed: u64, rows: usize, distinct: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut row = || {
            let value = rng.below(distinct).min(rng.below(distinct));
            let number = i128::from(rng.below(distinct)) - i128::from(distinct / 3);
            let mut missing = |value: String| (rng.below(19) > 0).then_some(value);
            let value = missing(format!("v,{value}"));
            let number = missing(if number % 2 == 0 { number.to_string() } else { format!("{number}.5") });
            [Some(format!("g{}", rng.below(3))), value, number]
        };
        Self((0..rows).map(|_| row()).collect())
    }

    /// Missing values are written in one of many ways.
    fn write(&self, folder: &Folder, name: &str) {
        let missing = ["", "NA", "NULL", "nan", "\"\""];
        let cell = |cell: &Option<String>, row: usize| match cell {
            Some(text) => format!("\"{text}\""),
            None => missing[row % missing.len()].into(),
        };
        let row = |(row, cells): (usize, &[Option<String>; 3])| {
            cells.iter().map(|it| cell(it, row)).collect::<Vec<_>>().join(",") + "\n"
        };
        let rows: String = self.0.iter().enumerate().map(row).collect();
        folder.write(name, format!("group,value,number\n{rows}"));
    }

    /// The rows of a group, or all.
    fn of(&self, group: Option<&str>) -> Self {
        let is_of = |row: &&[Option<String>; 3]| group.is_none_or(|group| row[0].as_deref() == Some(group));
        Self(self.0.iter().filter(is_of).cloned().collect())
    }

    fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        self.0
            .iter()
            .filter_map(|row| row[1].as_deref())
            .for_each(|value| *counts.entry(value).or_default() += 1);
        counts
    }

    /// In order.
    fn numbers(&self) -> Vec<f64> {
        let mut numbers: Vec<f64> = self.0.iter().filter_map(|row| row[2].as_ref()?.parse().ok()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    }
}

/// The value of a bar that has no length and is certain.
#[track_caller]
fn exact(bar: &Value) -> f64 {
    assert_eq!((&bar["lower"], &bar["upper"]), (&bar["value"], &bar["value"]), "{bar}");
    assert_eq!((&bar["exact"], &bar["guarantee"]), (&true.into(), &"certain".into()), "{bar}");
    bar["value"].as_f64().unwrap()
}

/// All records of this type, of a group if there are groups.
fn of_type<'a>(
    answers: &'a [Value],
    kind: &'a str,
    group: Option<&'a str>,
) -> impl Iterator<Item = &'a Value> {
    answers.iter().filter(move |it| it["type"] == kind && group.is_none_or(|group| it["group"] == group))
}

const TABLES: [(u64, usize, u64); 5] =
    [(1, 0, 5), (2, 40, 7), (3, 3_000, 100), (4, 30_000, 5_000), (5, 40_000, 8_192)];

#[test]
fn values_are_counted_as_a_naive_program_counts_them() {
    for (seed, rows, distinct) in TABLES {
        let (folder, rows) = (Folder::new(), Rows::random(seed, rows, distinct));
        rows.write(&folder, "t.csv");
        for by in ["", "--by group"] {
            let found = ["distinct", "top", "count"].map(|verb| match verb {
                "distinct" => folder.json::<Distinct>(&format!("@t.csv -c value --json {by}")),
                "top" => folder.json::<Top>(&format!("@t.csv -c value -k 5 --json {by}")),
                _ => folder
                    .json::<Count>(&format!("@t.csv -c value --key v,0 --key v,1 --key none --json {by}")),
            });
            let tally = folder.json::<Tally>(&format!("@t.csv -c value --json {by}"));
            let tested = folder.json::<Tally>(&format!("@t.csv --where number>=3 --json {by}"));
            let profile = folder.json::<Profile>(&format!("@t.csv --json {by}"));
            let groups: &[Option<&str>] = match (by, rows.0.len()) {
                ("", _) => &[None],
                (_, 0) => &[],
                _ => &[Some("g0"), Some("g1"), Some("g2")],
            };
            for &group in groups {
                let (part, what) = (rows.of(group), format!("{seed} {group:?}"));
                let counts = part.counts();
                let answer = of_type(&found[0], "distinct", group).next().unwrap();
                assert_eq!(exact(&answer["distinct"]), counts.len() as f64, "{what}");
                assert_eq!(answer["items"], counts.values().sum::<u64>(), "{what}");
                let mut largest: Vec<u64> = counts.values().copied().collect();
                largest.sort_unstable_by_key(|&seen| std::cmp::Reverse(seen));
                largest.truncate(5);
                let top: Vec<u64> = of_type(&found[1], "item", group)
                    .map(|item| {
                        let seen = exact(&item["count"]) as u64;
                        assert_eq!(counts[item["item"].as_str().unwrap()], seen, "{what}");
                        seen
                    })
                    .collect();
                assert_eq!(top, largest, "{what}");
                for answer in of_type(&found[2], "frequency", group) {
                    let seen = counts.get(answer["key"].as_str().unwrap()).copied().unwrap_or(0);
                    assert_eq!(exact(&answer["frequency"]), seen as f64, "{what}");
                }
                let tallies: BTreeMap<&str, u64> = of_type(&tally, "frequency", group)
                    .map(|it| (it["key"].as_str().unwrap(), exact(&it["frequency"]) as u64))
                    .collect();
                assert_eq!(tallies, counts, "{what}");
                let at_least = part.numbers().into_iter().filter(|&number| number >= 3.0).count();
                let answer = of_type(&tested, "tally", group).next().unwrap();
                assert_eq!(exact(&answer["count"]), at_least as f64, "{what}");
                let column = of_type(&profile, "column", group).find(|it| it["column"] == "value").unwrap();
                assert_eq!(exact(&column["distinct"]), counts.len() as f64, "{what}");
                let missing = part.0.iter().filter(|row| row[1].is_none()).count();
                assert_eq!((&column["missing"], &column["rows"]), (&missing.into(), &part.0.len().into()));
                for value in column["top"].as_array().unwrap() {
                    let seen = counts[value["value"].as_str().unwrap()];
                    assert_eq!(exact(&value["count"]), seen as f64, "{what}");
                }
                if let Some(first) = largest.first() {
                    assert_eq!(exact(&column["top"][0]["count"]), *first as f64, "{what}");
                }
            }
        }
    }
}

#[test]
fn numbers_are_ranked_as_a_naive_program_ranks_them() {
    for (seed, rows, distinct) in TABLES.into_iter().skip(1) {
        let (folder, rows) = (Folder::new(), Rows::random(seed, rows, distinct));
        rows.write(&folder, "t.csv");
        for by in ["", "--by group"] {
            let quantiles = folder
                .json::<Quantiles>(&format!("@t.csv -c number --quantiles 0,0.1,0.5,0.999,1 --json {by}"));
            let histogram = folder.json::<Histogram>(&format!("@t.csv -c number --bins 7 --json {by}"));
            let range = folder.json::<RangeCount>(&format!("-3 20 @t.csv -c number --json {by}"));
            let profile = folder.json::<Profile>(&format!("@t.csv --json {by}"));
            for &group in if by.is_empty() { &[None][..] } else { &[Some("g0"), Some("g1"), Some("g2")] } {
                let (numbers, what) = (rows.of(group).numbers(), format!("{seed} {group:?}"));
                for answer in of_type(&quantiles, "quantile", group) {
                    let rank =
                        (answer["q"].as_f64().unwrap() * numbers.len() as f64).ceil().max(1.0) as usize;
                    assert_eq!(exact(&answer["quantile"]), numbers[rank - 1], "{what}");
                }
                let bins: Vec<&Value> = of_type(&histogram, "bin", group).collect();
                assert!(bins.len() == 7, "{what}");
                for (place, bin) in bins.iter().enumerate() {
                    let [from, to] = ["from", "to"].map(|name| bin[name].as_f64().unwrap());
                    let is_in =
                        |number: &&f64| **number >= from && (**number < to || place == 6 && **number <= to);
                    assert_eq!(exact(&bin["count"]), numbers.iter().filter(is_in).count() as f64, "{what}");
                }
                let inside = numbers.iter().filter(|number| (-3.0..=20.0).contains(*number)).count();
                let answer = of_type(&range, "range", group).next().unwrap();
                assert_eq!(exact(&answer["count"]), inside as f64, "{what}");
                let column = of_type(&profile, "column", group).find(|it| it["column"] == "number").unwrap();
                for quantile in column["quantiles"].as_array().unwrap() {
                    let share = quantile["q"].as_f64().unwrap() * numbers.len() as f64;
                    let rank = share.ceil().max(1.0) as usize;
                    assert_eq!(exact(&quantile["quantile"]), numbers[rank - 1], "{what}");
                }
                let ends = [numbers.first(), numbers.last()].map(|end| *end.unwrap());
                assert_eq!(["minimum", "maximum"].map(|name| column[name].as_f64().unwrap()), ends, "{what}");
                let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
                assert!(
                    (column["mean"].as_f64().unwrap() - mean).abs() < 1e-9 * (1.0 + mean.abs()),
                    "{what}"
                );
            }
        }
    }
}

/// Records that remove what earlier ones added.
#[test]
fn removals_are_undone_as_a_naive_program_undoes_them() {
    for (seed, rows, distinct) in TABLES {
        let (folder, mut rng) = (Folder::new(), Rng::new(seed));
        let (mut left, mut table) = (BTreeMap::<i64, i64>::new(), "number,delta\n".to_owned());
        for _ in 0..rows {
            let number = rng.below(distinct) as i64 - (distinct / 3) as i64;
            let seen = left.entry(number).or_default();
            let delta = rng.below(6) as i64 - (*seen).min(3);
            *seen += delta;
            table += &format!("{number},{delta}\n");
        }
        folder.write("t.csv", table);
        let numbers = "@t.csv -c number --weight delta --json";
        let of_dyadic = format!("{numbers} --kind dyadic-count-min");
        let count = |number: i64| left.get(&number).copied().unwrap_or(0);
        let between = |low: i64, high: i64| left.range(low..=high).map(|(_, left)| left).sum::<i64>();
        let total = between(i64::MIN, i64::MAX);
        let counts = folder.json::<Count>(&format!("{numbers} --key=-1 --key=0 --key=9999"));
        for (answer, number) in of_type(&counts, "frequency", None).zip([-1, 0, 9999]) {
            assert_eq!(exact(&answer["frequency"]), count(number) as f64, "{seed} {number}");
        }
        let totals = counts.last().unwrap();
        let [added, removed] = ["items", "removed"].map(|name| totals[name].as_i64().unwrap_or(0));
        assert_eq!(added - removed, total, "{seed}");
        let range = folder.json::<RangeCount>(&format!("-3 20 {of_dyadic}"));
        assert_eq!(exact(&range[0]["count"]), between(-3, 20) as f64, "{seed}");
        assert_eq!(range[0]["items"], total, "{seed}");
        for answer in of_type(&folder.json::<Histogram>(&format!("{of_dyadic} --edges=-9,0,9")), "bin", None)
        {
            let [from, to] = ["from", "to"].map(|name| answer[name].as_i64().unwrap());
            let last = to - i64::from(to < 9);
            assert_eq!(exact(&answer["count"]), between(from, last) as f64, "{seed} {from}");
        }
        for answer in of_type(&folder.json::<Quantiles>(&of_dyadic), "quantile", None) {
            let rank = (answer["q"].as_f64().unwrap() * total as f64).ceil().max(1.0) as i64;
            let number = left.keys().find(|&&number| between(i64::MIN, number) >= rank).unwrap();
            assert_eq!(exact(&answer["quantile"]), *number as f64, "{seed}");
        }
    }
}

#[test]
fn two_tables_are_compared_as_a_naive_program_compares_them() {
    for (seed, rows, distinct) in TABLES {
        let (folder, one) = (Folder::new(), Rows::random(seed, rows, distinct));
        let other = Rows::random(seed + 100, rows / 2, distinct);
        one.write(&folder, "a.csv");
        other.write(&folder, "b.csv");
        let (a, b) = (one.counts(), other.counts());
        let join = folder.json::<Join>("@a.csv @b.csv --on value --json");
        let pairs: u64 = a.iter().map(|(value, seen)| seen * b.get(value).unwrap_or(&0)).sum();
        assert_eq!(exact(&join[0]["pairs"]), pairs as f64, "{seed}");
        let similar = folder.json::<Similar>("@a.csv @b.csv -c value --json");
        let [a, b] = [&a, &b].map(|counts| counts.keys().copied().collect::<BTreeSet<_>>());
        let (common, all) = (a.intersection(&b).count(), a.union(&b).count());
        let truth = if all == 0 { 1.0 } else { common as f64 / all as f64 };
        // Reading JSON rounds.
        assert!((exact(&similar[0]["similarity"]) - truth).abs() < 1e-12, "{seed}");
        if rows == 0 {
            continue;
        }
        for answer in folder.json::<Similar>("@a.csv -c value --by group --json") {
            let sets = ["a", "b"].map(|side| one.of(answer[side].as_str()));
            let [a, b] = sets.each_ref().map(|part| part.counts().into_keys().collect::<BTreeSet<_>>());
            let truth = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
            assert!((exact(&answer["similarity"]) - truth).abs() < 1e-12, "{seed}");
        }
    }
}
