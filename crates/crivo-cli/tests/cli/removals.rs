//! Negative weights: `crivo count`, `crivo range` and its relatives where records remove occurrences.

use crate::support::Dir;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use serde_json::Value;
use std::collections::BTreeMap;

/// Rows of an item and a change, and what is left of each item in the end; some are below zero.
fn moves(seed: u64, rows: u32, items: u64) -> (String, BTreeMap<u64, i64>) {
    let (mut rng, mut left) = (Rng::new(seed), BTreeMap::new());
    let mut table = "item,delta\n".to_owned();
    for _ in 0..rows {
        let (item, delta) = (rng.below(items), rng.below(9) as i64 - 4);
        *left.entry(item).or_default() += delta;
        table += &format!("i{item},{delta}\n");
    }
    (table, left)
}

/// The bars of all records of this type, in order.
fn bars(answers: &[Value], kind: &str, name: &str) -> Vec<[f64; 3]> {
    let bar = |answer: &Value| ["lower", "value", "upper"].map(|end| answer[name][end].as_f64().unwrap());
    answers.iter().filter(|answer| answer["type"] == kind).map(bar).collect()
}

#[test]
fn named_keys_go_up_and_down() {
    let dir = Dir::new();
    dir.write("t.csv", "item,delta\nA,5\nB,+3\nA,-2\nC,-4.0\n,3\nA,1\n");
    let expected = "A   4  (exact)\nC  -4  (exact)\nof 9 items, 6 removed, 1 missing value not counted\n";
    assert_eq!(dir.run("count t.csv -c item --weight delta --key A --key C").text(), expected);
    let answers = dir.run("count t.csv -c item --weight delta --key A --key C --json").json();
    assert_eq!(bars(&answers, "frequency", "frequency"), [[4.0; 3], [-4.0; 3]]);
    assert_eq!((&answers[2]["items"], &answers[2]["removed"]), (&9.into(), &6.into()));
    let only_added = dir.run("count t.csv -c item --key A --json").json();
    assert!(only_added[1].get("removed").is_none(), "{only_added:?}");
    let text = dir.run("count t.csv -c item --weight delta --key A --when count>3").text();
    assert!(text.starts_with("count>3: item 1: A\t5  (exact)\nA  4  (exact)\n"), "{text}");
    let (table, left) = moves(1, 3_000, 40);
    dir.write("m.csv", &table);
    let keys: String = (0..40).map(|item| format!(" --key i{item}")).collect();
    for flags in ["", " -j 3", " --every 700"] {
        let answers = dir.run(&format!("count m.csv -c item --weight delta --json{keys}{flags}")).json();
        let found = bars(&answers[answers.len() - 41..], "frequency", "frequency");
        let expected: Vec<[f64; 3]> = left.values().map(|&left| [left as f64; 3]).collect();
        assert_eq!(found, expected, "{flags}");
    }
}

/// With 95 %, each interval contains the number that is left; the sketch of parts is the sketch of all.
#[test]
fn a_saved_sketch_of_removals_answers_with_its_interval() {
    const ITEMS: u64 = 2_000;
    for (kind, seed) in [("signed-count-min", 2), ("count-sketch", 3)] {
        let dir = Dir::new();
        let (table, left) = moves(seed, 30_000, ITEMS);
        let rows: Vec<&str> = table.lines().collect();
        dir.write("all.csv", &table);
        dir.write("1.csv", rows[..9_000].join("\n"));
        dir.write("2.csv", [&rows[..1], &rows[9_000..]].concat().join("\n"));
        dir.write("keys", left.keys().map(|item| format!("i{item}\n")).collect::<String>());
        let save = format!("-c item --weight delta --kind {kind} --error 0.05 --save");
        for name in ["all", "1", "2"] {
            dir.run(&format!("count {name}.csv {save} {name}.crv")).text();
        }
        dir.run("count --from 1.crv 2.csv -c item --weight delta --save on.crv").text();
        dir.run("merge 1.crv 2.crv -o merged.crv").text();
        assert!(dir.read("all.crv") == dir.read("on.crv") && dir.read("all.crv") == dir.read("merged.crv"));
        let answers = dir.run("count --from all.crv --keys keys --json").json();
        let found = bars(&answers, "frequency", "frequency");
        let missed = found.iter().zip(left.values()).filter(|([lower, _, upper], left)| {
            let left = **left as f64;
            left < *lower || *upper < left
        });
        let (_, most) = binomial_band(left.len() as u64, 0.05, 1e-9);
        assert!(missed.count() as f64 <= most, "{kind}");
        // A sketch this small cannot be right about all.
        assert!(
            found.iter().zip(left.values()).any(|([_, value, _], left)| *value != *left as f64),
            "{kind}"
        );
        let totals = answers.last().unwrap();
        let of_table = dir.run("count all.csv -c item --weight delta --key none --json").json();
        for name in ["items", "removed"] {
            assert_eq!(totals[name], of_table[1][name], "{kind} {name}");
        }
    }
}

#[test]
fn what_cannot_be_removed_is_told() {
    let dir = Dir::new();
    dir.write("t.csv", "item,delta\na,2\na,-3\n");
    let count = "count t.csv -c item --weight delta";
    let only_grows = ["weight -3", "count-min only grow", "signed-count-min"];
    dir.run(&format!("{count} --save s.crv")).fails_with(&only_grows);
    dir.run(&format!("{count} --save s.crv --kind signed-count-min --conservative"))
        .fails_with(&["--conservative", "count-min"]);
    dir.run("count t.csv -c item --save s.crv").text();
    dir.run("count --from s.crv t.csv -c item --weight delta --key a").fails_with(&only_grows);
    dir.run("filter build t.csv -c item --kind spectral -o f.crv").text();
    dir.run("count --from f.crv t.csv -c item --weight delta --key a")
        .fails_with(&["spectral-bloom only grow"]);
    dir.run("top t.csv -c item --weight delta").fails_with(&["t.csv: line 3", "'-3'", "removals"]);
    dir.write("bad.csv", "item,delta\na,-2.5\n");
    dir.run("count bad.csv -c item --weight delta --key a").fails_with(&[
        "bad.csv: line 2",
        "'-2.5'",
        "whole number",
    ]);
    // More is removed than was added, so there are no rows that could be joined.
    dir.run(&format!("{count} --kind signed-count-min --save s.crv --force")).text();
    dir.run("join s.crv s.crv").fails_with(&["s.crv", "3 occurrences", "no rows"]);
    dir.write("t.csv", "item,delta\na,6\nb,1\na,-2\n");
    dir.run(&format!("{count} --kind signed-count-min --save s.crv --force")).text();
    let joined = dir.run("join s.crv s.crv --json").json();
    assert_eq!((&joined[0]["rows_a"], joined[0]["pairs"]["value"].as_f64()), (&5.into(), Some(17.0)));
}

/// Values in steps of 0.5 that come and go, never below zero; what is left of each.
fn stock(seed: u64, values: u64) -> (String, BTreeMap<u64, u64>) {
    let (mut rng, mut left) = (Rng::new(seed), BTreeMap::<u64, u64>::new());
    let mut table = "price,delta\n".to_owned();
    for value in 0..values {
        let (added, half) = (1 + rng.below(5), value as f64 / 2.0 - 100.0);
        table += &format!("{half},{added}\n");
        left.insert(value, added);
    }
    for _ in 0..values {
        let value = rng.below(values);
        let removed = rng.below(left[&value] + 1);
        table += &format!("{},-{removed}\n", value as f64 / 2.0 - 100.0);
        *left.get_mut(&value).unwrap() -= removed;
    }
    (table, left)
}

/// A few values are counted exactly; the bounds of the sketch, also when it was saved, contain the numbers that are left.
#[test]
fn values_that_are_removed_lie_in_no_range() {
    for (seed, values, is_exact) in [(1, 500, true), (2, 20_000, false)] {
        let dir = Dir::new();
        let (table, left) = stock(seed, values);
        dir.write("t.csv", table);
        let total: u64 = left.values().sum();
        let inside = left.range(210..=900).map(|(_, left)| left).sum::<u64>() as f64;
        let numbers = "t.csv -c price --weight delta --kind dyadic-count-min";
        let read = dir.run(&format!("range 5 350 {numbers} --save s.crv --json")).json();
        let saved = dir.run("range 5 350 --from s.crv --json").json();
        for (answers, is_exact) in [(&read, is_exact), (&saved, false)] {
            let [[lower, value, upper]] = bars(answers, "range", "count").try_into().unwrap();
            assert!(lower <= inside && inside <= upper && lower <= value && value <= upper, "{answers:?}");
            assert!(!is_exact || lower == upper, "{answers:?}");
            assert!(upper - lower <= 0.02 * total as f64, "{answers:?}");
            assert_eq!(answers[0]["items"], total, "{seed}");
        }
        let shares = [0.0, 0.25, 0.5, 0.9, 1.0];
        let truth = shares.map(|share| {
            let rank = ((share * total as f64).ceil() as u64).max(1);
            let mut up_to = 0;
            let is_it = |&(_, left): &(&u64, &u64)| {
                up_to += left;
                up_to >= rank
            };
            *left.iter().find(is_it).unwrap().0 as f64 / 2.0 - 100.0
        });
        for line in [format!("quantiles {numbers}"), "quantiles --from s.crv".into()] {
            let answers = dir.run(&format!("{line} --quantiles 0,0.25,0.5,0.9,1 --json")).json();
            for ([lower, _, upper], truth) in bars(&answers, "quantile", "quantile").into_iter().zip(truth) {
                assert!(lower <= truth && truth <= upper, "{line}: {lower} {truth} {upper}");
            }
        }
        let bins = dir.run(&format!("histogram {numbers} --bins 5 --json")).json();
        let sum: f64 = bars(&bins, "bin", "count").iter().map(|[_, value, _]| value).sum();
        assert!((sum - total as f64).abs() <= if is_exact { 0.0 } else { 0.02 * total as f64 }, "{bins:?}");
    }
}

#[test]
fn a_sketch_of_ranges_goes_on_and_merges() {
    let dir = Dir::new();
    let (table, _) = stock(3, 900);
    let rows: Vec<&str> = table.lines().collect();
    dir.write("all.csv", &table);
    dir.write("1.csv", rows[..1_000].join("\n"));
    dir.write("2.csv", [&rows[..1], &rows[1_000..]].concat().join("\n"));
    let flags = "-c price --weight delta";
    let range = |words: &str| dir.run(&format!("range 0 100 {words}")).text();
    range(&format!("all.csv {flags} --kind dyadic --save all.crv"));
    range(&format!("1.csv {flags} --kind dyadic --save 1.crv"));
    range(&format!("--from 1.crv 2.csv {flags} --save on.crv"));
    assert!(dir.read("all.crv") == dir.read("on.crv"));
    dir.run("merge 1.crv 1.crv -o twice.crv").text();
    let items = |name: &str| dir.run(&format!("range 0 100 --from {name} --json")).json()[0]["items"].clone();
    assert_eq!(items("twice.crv").as_u64(), items("1.crv").as_u64().map(|items| 2 * items));
}

#[test]
fn only_what_was_added_is_removed() {
    let dir = Dir::new();
    let stock = "t.csv -c v --weight n";
    dir.write("t.csv", "v,n\n10,5\n20,1\n10,-7\n");
    dir.run(&format!("range 5 25 {stock} --kind dyadic-count-min")).fails_with(&["10", "5 times", "7"]);
    for verb in ["range 5 25", "quantiles", "histogram"] {
        dir.run(&format!("{verb} {stock}")).fails_with(&["weight -7", "--kind dyadic-count-min"]);
    }
    dir.run(&format!("quantiles {stock} --relative 1%")).fails_with(&["5 times", "7"]);
    dir.write("t.csv", "v,n\n10,5\n20,4\n10,-4\n");
    let text = dir.run(&format!("quantiles {stock} --relative 1% -p 0,50,100")).text();
    assert_eq!(text, "0    10  (exact)\n0.5  20  (exact)\n1    20  (exact)\nof 5 numbers\n");
    let text = dir.run(&format!("range 5 15 {stock} --kind dyadic-count-min")).text();
    assert_eq!(text, "1 from 5 to 15  (exact)\n20 % of 5 numbers\n");
    dir.write("t.csv", "v,n\n9007199254740993,1\n");
    dir.run(&format!("range 5 25 {stock} --kind dyadic-count-min")).fails_with(&["no finite double"]);
    dir.write("t.csv", "v,n\ninf,1\n");
    dir.run(&format!("range 5 25 {stock} --kind dyadic-count-min")).fails_with(&["no finite double"]);
    dir.write("t.csv", "v,n\n2013-01-05,3\n2013-01-05,-1\n2014-01-01,1\n");
    let text = dir.run(&format!("range 2013-01-01 2013-02-01 {stock} --kind dyadic-count-min")).text();
    assert!(text.starts_with("2 from 2013-01-01 to 2013-02-01  (exact)\n"), "{text}");
    dir.run(&format!("range 5 25 {stock} --kind dyadic-count-min --error 0.0001"))
        .fails_with(&["--max-memory"]);
}
