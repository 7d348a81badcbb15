//! Sketches of other libraries: recognised, merged and asked.

use crate::support::Dir;
use std::fs;
use std::path::Path;

/// A sketch that `DataSketches` has written.
pub(crate) fn golden(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crivo-interop/tests/golden");
    fs::read(folder.join(name)).unwrap()
}

fn dir(names: &[&str]) -> Dir {
    let dir = Dir::new();
    for name in names {
        dir.write(name, golden(name));
    }
    dir
}

#[test]
fn every_format_is_recognised() {
    for (name, format, fact) in [
        ("cpp-many.theta", "datasketches-theta", "hashes"),
        ("java-many-v4.theta", "datasketches-theta", "hashes"),
        ("cpp-list-8.hll", "datasketches-hll", "register_bits"),
        ("cpp-exceptions-4.hll", "datasketches-hll", "precision"),
        ("cpp-floats-many.kll", "datasketches-kll", "values"),
        ("java-longs-many.kll", "datasketches-kll", "rank_error"),
        ("redis-few.hyll", "redis-hll", "distinct"),
    ] {
        let dir = dir(&[name]);
        let info = &dir.run(&format!("info {name} --json")).json()[0];
        assert_eq!(
            (info["type"].as_str(), info["format"].as_str()),
            (Some("foreign"), Some(format)),
            "{name}"
        );
        assert!(!info["facts"][fact].is_null(), "{info}");
        let text = dir.run(&format!("info {name}")).text();
        assert!(text.starts_with(&format!("{name}: {format}, ")), "{text}");
    }
}

/// The peer has made the union of both, at its own number of hashes; there are 5,000 items.
#[test]
fn merged_sketches_count_the_union() {
    let dir = dir(&["cpp-a.theta", "cpp-b.theta", "cpp-registers-4.hll", "cpp-registers-8.hll"]);
    let merged = &dir.run("merge cpp-a.theta cpp-b.theta -o c.theta --json").json()[0];
    assert_eq!(
        (merged["kind"].as_str(), merged["law"].as_str()),
        (Some("datasketches-theta"), Some("exact"))
    );
    let union = &dir.run("distinct --union cpp-a.theta cpp-b.theta --json").json()[0];
    let count = &dir.run("distinct --from c.theta --json").json()[0];
    assert_eq!(count["distinct"], union["distinct"]);
    let bounds = |record: &serde_json::Value| {
        let bar = &record["distinct"];
        bar["lower"].as_f64().unwrap()..=bar["upper"].as_f64().unwrap()
    };
    assert!(bounds(count).contains(&5000.0), "{count}");
    for (verb, truth) in [("--intersect", 1000.0), ("--minus", 2000.0)] {
        let sets = &dir.run(&format!("distinct {verb} cpp-a.theta cpp-b.theta --json")).json()[0];
        assert!(bounds(sets).contains(&truth), "{sets}");
    }
    dir.run("merge c.theta --compact -o small.theta").text();
    assert!(dir.read("small.theta").len() < dir.read("c.theta").len());
    assert_eq!(dir.run("distinct --from small.theta").text(), dir.run("distinct --from c.theta").text());
    dir.run("merge cpp-registers-4.hll cpp-registers-8.hll -o c.hll").text();
    let count = &dir.run("distinct --from c.hll --json").json()[0];
    assert!(bounds(count).contains(&5000.0), "{count}");
}

#[test]
fn quantile_sketches_answer_percentiles() {
    let dir = dir(&["java-longs-many.kll", "cpp-doubles-many.kll", "cpp-floats-many.kll"]);
    for (name, least, greatest, median) in [
        ("java-longs-many.kll", -3000.0, 5997.0, 1497.0),
        ("cpp-doubles-many.kll", 0.0, 1499.5, 749.5),
        ("cpp-floats-many.kll", 0.0, 1499.5, 749.5),
    ] {
        let answers = dir.run(&format!("quantiles --from {name} -p 0,50,100 --json")).json();
        let value = |place: usize, name: &str| answers[place]["quantile"][name].as_f64().unwrap();
        assert_eq!((value(0, "value"), value(2, "value")), (least, greatest), "{name}");
        assert!(value(1, "lower") <= median && median <= value(1, "upper"), "{name}: {}", answers[1]);
        assert_eq!(answers[3]["items"], 3000);
    }
    dir.run("merge java-longs-many.kll java-longs-many.kll -o c.kll").text();
    assert_eq!(dir.run("info c.kll --json").json()[0]["facts"]["values"], 6000);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let dir = dir(&["cpp-a.theta", "cpp-list-4.hll", "cpp-texts-few.kll", "cpp-doubles-few.kll"]);
    dir.write("data", "1\n2\n");
    dir.run("distinct data --save own.crv").text();
    dir.write("bad.theta", &golden("cpp-a.theta")[..100]);
    for (line, words) in [
        ("distinct --from bad.theta", &["bad.theta", "corrupt"][..]),
        ("info bad.theta", &["bad.theta", "corrupt"]),
        ("filter info cpp-a.theta", &["cpp-a.theta"]),
        ("merge cpp-a.theta own.crv -o c.theta", &["own.crv", "hash differently"]),
        ("merge cpp-a.theta cpp-list-4.hll -o c.theta", &["differ in format"]),
        ("merge cpp-a.theta cpp-a.theta --fold -o c.theta", &["--fold"]),
        ("distinct --from cpp-a.theta data", &["cpp-a.theta", "answer from it alone"]),
        ("distinct --from cpp-doubles-few.kll", &["does not count distinct"]),
        ("distinct --intersect cpp-a.theta cpp-list-4.hll", &["cpp-list-4.hll", "a theta sketch has"]),
        ("distinct --minus cpp-a.theta own.crv", &["own.crv", "cpp-a.theta"]),
        ("quantiles --from cpp-texts-few.kll", &["cpp-texts-few.kll", "no quantiles of numbers"]),
        ("quantiles --from cpp-a.theta", &["no quantiles of numbers"]),
        ("quantiles --from cpp-doubles-few.kll data", &["cannot take in numbers"]),
        ("histogram --from cpp-doubles-few.kll", &["crivo quantiles --from"]),
    ] {
        dir.run(line).fails_with(words);
    }
}
