//! Verdicts on made tables: exact ones, sketched ones, and many pairs of equal ones.

use super::drift;
use super::figures::Share;
use super::judge::Outcome;
use super::learn::rules_of;
use super::rules::{DriftRules, Rules};
use super::{Check, judge};
use crate::cmd::profile::Profile;
use crate::testing::Folder;
use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::rng::Rng;
use crivo::stats::binomial_quantile;
use crivo::{HashSpec, TableProfile};
use serde_json::Value;
use std::collections::HashMap;

/// The verdicts of a check, as records, without the totals.
fn verdicts(folder: &Folder, line: &str) -> Vec<Value> {
    let mut records = folder.json::<Check>(&format!("{line} --json"));
    assert_eq!(records.pop().unwrap()["type"], "checked");
    records
}

/// The outcome of the only rule with this name.
fn outcome(verdicts: &[Value], rule: &str) -> String {
    let of_rule: Vec<&Value> = verdicts.iter().filter(|verdict| verdict["rule"] == rule).collect();
    assert_eq!(of_rule.len(), 1, "{rule}: {verdicts:?}");
    of_rule[0]["outcome"].as_str().unwrap().to_owned()
}

/// A table of three columns, of which every rule is known to hold or to fail.
#[test]
fn every_rule_holds_or_fails_by_the_data() {
    let row =
        |i: i32| format!("{i},{},{},2026-01-{:02}\n", i % 7, ["a", "b", ""][i as usize % 3], 1 + i % 28);
    let table: String = (0..300).map(row).collect();
    let folder = Folder::with(&[
        ("t.csv", &format!("id,n,s,day\n{table}")),
        ("others.csv", "key\na\nb\nc\n"),
        ("few.csv", "key\na\n"),
    ]);
    for (column, rule, name, expected) in [
        ("n", "type = 'integer'", "type", "holds"),
        ("n", "type = 'float'", "type", "holds"),
        ("n", "type = 'text'", "type", "holds"),
        ("n", "type = 'boolean'", "type", "fails"),
        ("day", "type = 'timestamp'", "type", "holds"),
        ("s", "type = 'integer'", "type", "fails"),
        ("s", "missing = { at_most = '33.4%' }", "missing", "holds"),
        ("s", "missing = { at_most = '33.3%' }", "missing", "fails"),
        ("s", "missing = { at_least = 0.4 }", "missing", "fails"),
        ("n", "distinct = { at_least = 7, at_most = 7 }", "distinct", "holds"),
        ("n", "distinct = { at_least = 8 }", "distinct", "fails"),
        ("id", "unique = true", "unique", "holds"),
        ("s", "unique = true", "unique", "fails"),
        ("n", "range = { at_least = 0, at_most = 6 }", "range", "holds"),
        ("n", "range = { at_most = 5.5 }", "range", "fails"),
        ("n", "range = { at_most = 2026-01-01 }", "range", "fails"),
        ("day", "range = { at_most = 2026-01-28 }", "range", "holds"),
        ("day", "range = { at_least = '2026-01-02' }", "range", "fails"),
        ("s", "range = { at_least = 0 }", "range", "fails"),
        ("s", "values = ['a', 'b', 'c']", "values", "holds"),
        ("s", "values = ['a']", "values", "fails"),
        ("n", "values = [0, 1, 2, 3, 4, 5, 6]", "values", "holds"),
        ("n", "quantiles.'50%' = { at_least = 3, at_most = 3 }", "quantile 50 %", "holds"),
        ("n", "quantiles.p90 = { at_most = 5 }", "quantile 90 %", "fails"),
        ("day", "max_age = '2d'", "max_age", "holds"),
        ("day", "max_age = '1d'", "max_age", "fails"),
        ("n", "max_age = '1d'", "max_age", "fails"),
        ("s", "contained_in = { file = '@others.csv', column = 'key' }", "contained_in", "holds"),
        ("s", "contained_in = { file = '@few.csv', column = 'key' }", "contained_in", "fails"),
        ("x", "unique = true", "present", "fails"),
    ] {
        let rule = rule.replace('@', &folder.path(""));
        folder.write("r.toml", format!("[columns.{column}]\n{rule}\n"));
        let verdicts = verdicts(&folder, "@t.csv --rules @r.toml --now 2026-01-30");
        assert_eq!(outcome(&verdicts, name), expected, "{column} {rule}: {verdicts:?}");
    }
    for (rules, expected) in [
        ("[table]\nrows = { at_least = 300, at_most = 300 }", 0),
        ("[table]\nrows = { at_least = 301 }", 1),
        ("[table]\nother_columns = false\n[columns.id]\n[columns.n]\n[columns.s]\n[columns.day]", 0),
        ("[table]\nother_columns = false\n[columns.id]", 1),
        ("[columns.x]\noptional = true", 0),
    ] {
        folder.write("r.toml", rules);
        let report = folder.report::<Check>("@t.csv --rules @r.toml");
        assert_eq!(report.exit_code(), expected, "{rules}");
    }
}

/// What the sketch leaves open is not a failure, and the error that is named decides it.
#[test]
fn what_a_sketch_leaves_open_is_decided_by_the_error_that_is_named() {
    let folder = Folder::new();
    let rows: String = (0..12_000)
        .map(|i| format!("u{i},{}.5,d{},e{}\n", i * 7919 % 12_000, i % 11_990, i % 9000))
        .collect();
    folder.write("t.csv", format!("id,n,d,e\n{rows}"));
    folder.write("ids.csv", (0..12_000).fold("key\n".to_owned(), |all, i| all + &format!("u{i}\n")));
    let file = folder.path("ids.csv");
    for (column, rule, name, expected) in [
        ("id", "unique = true".to_owned(), "unique", "holds"),
        ("d", "distinct = { at_most = 11_995 }".to_owned(), "distinct", "holds"),
        ("d", "distinct = { at_most = 11_989 }".to_owned(), "distinct", "fails"),
        ("n", "quantiles.'50%' = { at_most = 6010 }".to_owned(), "quantile 50 %", "holds"),
        ("id", format!("contained_in = {{ file = '{file}', column = 'key' }}"), "contained_in", "holds"),
    ] {
        folder.write("r.toml", format!("[columns.{column}]\n{rule}\n"));
        let open = verdicts(&folder, "@t.csv --rules @r.toml");
        assert_eq!(outcome(&open, name), "unknown", "{rule}: {open:?}");
        let report = folder.report::<Check>("@t.csv --rules @r.toml");
        assert_eq!(report.exit_code(), 0, "{rule}");
        assert_eq!(folder.report::<Check>("@t.csv --rules @r.toml --strict").exit_code(), 1, "{rule}");
        let error = &open.iter().find(|verdict| verdict["rule"] == name).unwrap()["error"];
        let decided = verdicts(&folder, &format!("@t.csv --rules @r.toml --error {error}"));
        assert_eq!(outcome(&decided, name), expected, "{rule}: {decided:?}");
    }
    // What proves a failure needs no exact count.
    for (column, rule, name) in [
        ("e", "unique = true", "unique"),
        ("e", "distinct = { at_most = 8_500 }", "distinct"),
        ("id", "values = ['u1', 'u2']", "values"),
        ("n", "quantiles.'50%' = { at_most = 5000 }", "quantile 50 %"),
        ("d", "contained_in = { file = '@', column = 'key' }", "contained_in"),
    ] {
        folder.write("r.toml", format!("[columns.{column}]\n{}\n", rule.replace('@', &file)));
        let verdicts = verdicts(&folder, "@t.csv --rules @r.toml");
        assert_eq!(outcome(&verdicts, name), "fails", "{rule}: {verdicts:?}");
    }
}

/// A table of numbers, categories and missing values, `shift` away from the usual one.
fn table(rng: &mut Rng, rows: u64, params: ProfileParams, shift: f64) -> TableProfile {
    let mut columns =
        ["number", "category", "sparse"].map(|name| (name.to_owned(), ColumnProfile::with_params(params)));
    for _ in 0..rows {
        let mut uniform = || rng.unit();
        let number = uniform() + uniform() + uniform() + shift;
        columns[0].1.add(format!("{number:.6}").as_bytes());
        let share = uniform();
        columns[1].1.add(if share < 0.5 - shift {
            b"a"
        } else if share < 0.9 {
            b"b"
        } else {
            b"c"
        });
        match uniform() {
            share if share < 0.2 + shift => columns[2].1.add_missing(1),
            share => columns[2].1.add(((share * 40.0) as u64).to_string().as_bytes()),
        }
    }
    TableProfile::from_columns(params, HashSpec::default(), rows, columns.into()).unwrap()
}

/// How many of this many pairs of tables break a rule of drift.
fn alarms(pairs: u64, rows: u64, params: ProfileParams, shift: f64, at_least: f64) -> u64 {
    let rules = DriftRules {
        since: "old".into(),
        at_least: Share(at_least),
        false_alarms: Share(0.05),
        ignore: Vec::new(),
    };
    let is_alarm = |seed: u64| {
        let mut rng = Rng::new(seed);
        let old = table(&mut rng, rows, params, 0.0);
        let new = table(&mut rng, rows, params, shift);
        let judged = drift::judge(&rules, old, &new).unwrap();
        judged.iter().any(|judged| judged.outcome == Outcome::Fails)
    };
    (0..pairs).filter(|&seed| is_alarm(seed)).count() as u64
}

/// However small the changes that count, whatever the size, and whether the tables are exact or sketched.
#[test]
fn false_alarms_of_drift_are_as_rare_as_the_rule_says() {
    // With 5 % each, more than this many of 1,000 have a probability of 1e-6.
    let most = binomial_quantile(1000, 0.05, 1.0 - 1e-6) as u64;
    let coarse = ProfileParams::for_error(0.2).unwrap();
    for (rows, params) in [(20, ProfileParams::default()), (200, coarse), (1500, coarse)] {
        let alarms = alarms(1000, rows, params, 0.0, 0.0001);
        assert!(alarms <= most, "{alarms} of 1,000 pairs of {rows} rows");
    }
}

/// A shift of 12 points of 2,000 rows is found. The share of "a" falls from 0.5 to 0.38, with a standard error of 0.0156.
/// At 5 % for about 35 comparisons, the two intervals of a share are disjoint beyond 0.075, which is 2.9 standard errors
/// less: with a probability of 99.8 %. Smaller changes than the rule allows are never found.
#[test]
fn drift_has_the_power_that_its_intervals_promise() {
    let params = ProfileParams::default();
    let found = alarms(200, 2000, params, 0.12, 0.01);
    assert!(found >= 200 - binomial_quantile(200, 0.002, 1.0 - 1e-6) as u64, "{found} of 200");
    assert_eq!(alarms(50, 2000, params, 0.02, 0.9), 0, "no change is as large");
}

/// Rules hold for the table from which they were learnt, and for others of its distribution.
#[test]
fn learnt_rules_hold_for_equal_tables() {
    let (mut judged, mut failed) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let rows = [60, 400, 1500][seed as usize % 3];
        let [old, new] = [(); 2].map(|()| table(&mut rng, rows, ProfileParams::default(), 0.0));
        let rules = Rules::parse(&rules_of(&old, "old", None)).unwrap();
        let verdicts = |table| judge::judge(&rules, table, &HashMap::new(), 0.0).unwrap();
        assert!(verdicts(&old).iter().all(|judged| judged.outcome == Outcome::Holds), "{seed}");
        let verdicts = verdicts(&new);
        judged += verdicts.len() as u64;
        failed += verdicts.iter().filter(|judged| judged.outcome == Outcome::Fails).count() as u64;
    }
    // A rule fails by chance with a probability of 0.1 % at most.
    let most = binomial_quantile(judged, 0.001, 1.0 - 1e-6) as u64;
    assert!(judged > 2000 && failed <= most, "{failed} of {judged}");
}

#[test]
fn learnt_rules_say_what_the_table_is() {
    let rows: String =
        (0..100).map(|i| format!("k{i},{},{},2026-01-01\n", ["yes", "no"][i % 2], i % 10)).collect();
    let folder = Folder::with(&[("t.csv", &format!("id,\"a \"\"b\",n,day\n{rows}"))]);
    folder.report::<Profile>("@t.csv --save @t.crv");
    let text = folder.printed::<Check>("learn @t.crv");
    for line in [
        "rows = { at_least = 50, at_most = 200 }",
        "[columns.\"a \\\"b\"]\nmissing = { at_most = \"0%\" }\nvalues = [\"no\", \"yes\"]",
        "[columns.id]\nmissing = { at_most = \"0%\" }\nunique = true",
        "type = \"integer\"\nmissing = { at_most = \"0%\" }\nrange = { at_least = 0 }\nquantiles.\"50%\" = { at_least = ",
        "at_least = \"10%\"\nignore = [\"id\", \"day\"]",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!folder.printed::<Check>("learn @t.csv").contains("drift"), "a table may be gone tomorrow");
    folder.write("r.toml", &text);
    assert_eq!(folder.report::<Check>("@t.csv --rules @r.toml").exit_code(), 0);
}

/// As systems for continuous integration read it.
#[test]
fn verdicts_are_written_as_junit() {
    let folder = Folder::with(&[
        ("t.csv", "a<b,n\nx,1\nx,2\n"),
        ("r.toml", "[columns.\"a<b\"]\nunique = true\n[columns.n]\nunique = true\n"),
    ]);
    folder.report::<Check>("@t.csv --rules @r.toml --junit @report.xml");
    let text = String::from_utf8(folder.read("report.xml")).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("4"), Some("1")));
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(failure.parent().unwrap().attribute("name"), Some("a<b: unique"));
    let message = failure.attribute("message").unwrap();
    assert_eq!(message, "expected no value twice, found x occurs 2 times; 1 distinct of 2");
    assert!(folder.error::<Check>("@t.csv --rules @r.toml --junit @report.xml").contains("--force"));
}

#[test]
fn wrong_calls_are_refused() {
    let folder = Folder::with(&[
        ("t.csv", "a,b\n1,2\n"),
        ("u.csv", "c\n1\n"),
        ("drift.toml", "[drift]\nsince = \"absent.csv\"\nat_least = 0.1\n"),
        ("r.toml", "[columns.a]\nunique = true\n"),
    ]);
    for (line, words) in [
        ("@t.csv", "--rules needs a file of rules; 'crivo check learn FILE"),
        ("@t.csv --rules @absent.toml", "absent.toml"),
        ("@t.csv --rules @t.csv", "t.csv: line 1: "),
        ("@t.csv --rules @drift.toml", "absent.csv"),
        ("@t.csv @u.csv --rules @r.toml", "takes one table, but the files have 2"),
        ("learn @absent.csv", "absent.csv"),
    ] {
        let error = folder.error::<Check>(line);
        assert!(error.contains(words), "{line}: {error}");
    }
    folder.write(
        "in.toml",
        format!("[columns.a]\ncontained_in = {{ file = '{}', column = 'x' }}", folder.path("u.csv")),
    );
    let error = folder.error::<Check>("@t.csv --rules @in.toml");
    assert!(error.contains("u.csv") && error.contains("no column 'x'"), "{error}");
    folder.write(
        "ignore.toml",
        format!("[drift]\nsince = '{}'\nat_least = 0.1\nignore = ['z']", folder.path("t.csv")),
    );
    let error = folder.error::<Check>("@t.csv --rules @ignore.toml");
    assert!(error.contains("drift.ignore") && error.contains("has a column z"), "{error}");
}
