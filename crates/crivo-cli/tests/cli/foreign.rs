//! Sketches of other libraries: recognised, merged and asked.

use crate::support::Dir;
use crivo_interop::UpdateTheta;
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

/// An object of Snowflake, of which no file may be taken over.
fn exported() -> Dir {
    let dir = Dir::new();
    let sparse = r#"{"indices": [17, 900, 4095], "maxLzCounts": [2, 1, 4]}"#;
    dir.write(
        "snowflake.json",
        format!("{{\n  \"precision\": 12,\n  \"sparse\": {sparse},\n  \"version\": 4\n}}\n"),
    );
    dir
}

#[test]
fn objects_of_snowflake_are_counted_and_merged() {
    let dir = exported();
    dir.run("merge snowflake.json snowflake.json -o both.json").text();
    let merged = r#"{"precision":12,"sparse":{"indices":[17,900,4095],"maxLzCounts":[2,1,4]},"version":4}"#;
    assert_eq!(dir.read("both.json"), merged.as_bytes());
    let count = &dir.run("distinct --from both.json --json").json()[0];
    assert_eq!(count["distinct"]["value"].as_f64().map(f64::round), Some(3.0), "{count}");
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
        ("postgres-sparse.pghll", "postgres-hll", "register_bits"),
        ("airlift-dense.airhll", "airlift-hll", "precision"),
        ("snowflake.json", "snowflake-hll", "form"),
        ("cpp-floats-high-many.req", "datasketches-req", "accurate_end"),
        ("cpp-texts-many.frequent", "datasketches-frequent-items", "error"),
        ("cpp-floats-many.tdigest", "datasketches-tdigest", "greatest"),
        ("cpp-many.countmin", "datasketches-count-min", "depth"),
        ("java-many.dsbloom", "datasketches-bloom", "fpr"),
    ] {
        let dir = if name == "snowflake.json" { exported() } else { dir(&[name]) };
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
    let names = ["java-longs-many.kll", "cpp-doubles-many.kll", "cpp-floats-many.kll", "cpp-ints-many.kll"];
    let dir = dir(&[&names[..], &["cpp-ints-low-many.req", "cpp-floats-high-many.req"]].concat());
    for (name, least, greatest, median) in [
        ("java-longs-many.kll", -3000.0, 5997.0, 1497.0),
        ("cpp-doubles-many.kll", 0.0, 1499.5, 749.5),
        ("cpp-floats-many.kll", 0.0, 1499.5, 749.5),
        ("cpp-ints-many.kll", -3000.0, 5997.0, 1497.0),
        ("cpp-ints-low-many.req", 0.0, 2999.0, 1499.0),
        ("cpp-floats-high-many.req", 0.0, 2999.0, 1499.0),
    ] {
        let answers = dir.run(&format!("quantiles --from {name} -p 0,50,100 --json")).json();
        let value = |place: usize, name: &str| answers[place]["quantile"][name].as_f64().unwrap();
        assert_eq!((value(0, "value"), value(2, "value")), (least, greatest), "{name}");
        assert!(value(1, "lower") <= median && median <= value(1, "upper"), "{name}: {}", answers[1]);
        assert_eq!(answers[3]["items"], 3000);
    }
    for name in ["java-longs-many.kll", "cpp-ints-low-many.req"] {
        let merged = &dir.run(&format!("merge {name} {name} -o c --force --json")).json()[0];
        assert_eq!(merged["law"], "bounded");
        assert_eq!(dir.run("info c --json").json()[0]["facts"]["values"], 6000);
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let names = ["cpp-a.theta", "cpp-list-4.hll", "cpp-texts-few.kll", "cpp-doubles-few.kll"];
    let dir = dir(&[&names[..], &["cpp-texts-few.frequent", "spark-counts.cms"]].concat());
    dir.write("data", "1\n2\n");
    dir.write("text", "a\n");
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
        ("top --from cpp-a.theta", &["cpp-a.theta", "most frequent items"]),
        ("top --from cpp-texts-few.frequent data", &["answer from it alone"]),
        ("count --from cpp-a.theta x", &["cpp-a.theta", "does not count occurrences"]),
        ("count --from spark-counts.cms --numbers x", &["'x' is no whole number"]),
        ("count data --key x --numbers", &["--numbers is for sketches of other libraries"]),
        ("count --from spark-counts.cms --key x --save c.crv", &["crivo merge"]),
        ("filter query cpp-a.theta x", &["cpp-a.theta", "is no filter"]),
        ("quantiles --from spark-counts.cms", &["no quantiles of numbers"]),
        ("distinct data --save x.theta --every 1", &["leave out --from, --by, --every"]),
        ("distinct data --save x.theta --kind exaloglog", &["leave out --kind", "users.crv"]),
        ("distinct data --save x.theta --error 5%", &["leave out --kind"]),
        ("distinct data --save x.theta --seed 1", &["leave out --kind"]),
        ("distinct data --save x.theta --items 9", &["leave out --kind"]),
        ("distinct data --save x.hyll --as redis-hll --precision 12", &["leave out --precision"]),
        ("distinct data --save x.hyll --as redis-hll --numbers", &["items of Redis are texts"]),
        ("distinct text --save x.theta --numbers", &["'a' is no whole number"]),
    ] {
        dir.run(line).fails_with(words);
    }
}

/// The golden files have 200 pages, of which the i-th came 3·(1 + 1000/(i + 1)) times.
#[test]
fn frequent_items_are_listed_and_looked_up() {
    let dir = dir(&["cpp-texts-many.frequent", "java-longs-many.frequent"]);
    let top = dir.run("top --from cpp-texts-many.frequent -n 3 --json").json();
    let bar = |record: &serde_json::Value, name: &str, end: &str| record[name][end].as_f64().unwrap();
    assert_eq!((top[0]["item"].as_str(), top[0]["rank_guaranteed"].as_bool()), (Some("page 0"), Some(true)));
    assert!(
        bar(&top[0], "count", "lower") <= 3003.0 && 3003.0 <= bar(&top[0], "count", "upper"),
        "{}",
        top[0]
    );
    assert_eq!((top.len(), top[3]["items"].as_u64()), (4, Some(17_958)));
    assert!(
        top[3]["floor"].as_f64() > Some(0.0) && top[3]["others_most"].as_f64() >= top[3]["floor"].as_f64()
    );
    for line in [
        "count --from java-longs-many.frequent --key=-3 --json",
        "count --from java-longs-many.frequent --key=-3 --numbers --json",
    ] {
        let found = &dir.run(line).json()[0];
        assert!(
            bar(found, "frequency", "lower") <= 3003.0 && 3003.0 <= bar(found, "frequency", "upper"),
            "{found}"
        );
    }
    dir.run("merge cpp-texts-many.frequent cpp-texts-many.frequent -o both.frequent").text();
    assert_eq!(dir.run("info both.frequent --json").json()[0]["facts"]["total"], 2 * 17_958);
}

#[test]
fn counts_and_filters_are_asked_for_texts_and_numbers() {
    let dir = dir(&["spark-counts.cms", "spark-2.bloom", "java-many.dsbloom", "cpp-many.countmin"]);
    let frequency = |line: &str| dir.run(line).json()[0]["frequency"]["value"].as_f64().unwrap();
    // As Spark and the peer answer in the files of answers.
    assert_eq!(frequency("count --from spark-counts.cms --numbers --key=-19 --json"), 21.0);
    dir.write("pages", "page 0\n");
    assert!(frequency("count --from cpp-many.countmin --keys pages --json") >= 3003.0);
    for (filter, present) in [("spark-2.bloom", "visitor 3"), ("java-many.dsbloom", "page 3")] {
        dir.write("keys", format!("{present}\nsomething else\n"));
        let text = dir.run(&format!("filter query {filter} --keys keys")).text();
        assert!(text.starts_with(&format!("{present}\n")), "{text}");
        let named = dir.run_words(&["filter", "query", filter, present]).text();
        assert!(named.contains("yes") && named.contains("false-positive rate"), "{named}");
        dir.run(&format!("filter query {filter} --numbers 13 --json")).json();
    }
}

/// What the command counts is what a program with the library would have counted, and other libraries read.
#[test]
fn counts_are_saved_in_formats_of_other_libraries() {
    let dir = Dir::new();
    dir.write("users.csv", "user,page\n3,a\n4,a\n,a\n5,a\n3,a\n");
    let saved = &dir.run("distinct users.csv --column user --save users.theta --json").json()[0];
    assert_eq!((saved["items"].as_u64(), saved["missing"].as_u64()), (Some(4), Some(1)));
    assert_eq!(saved["distinct"]["value"].as_f64(), Some(3.0));
    dir.run("distinct users.csv --column user --save numbers.theta --numbers").text();
    let mut texts = UpdateTheta::for_lg_k(12).unwrap();
    let mut numbers = UpdateTheta::for_lg_k(12).unwrap();
    for item in 3..6i64 {
        texts.insert(&item.to_string());
        numbers.insert(&item);
    }
    assert_eq!(dir.read("users.theta"), texts.sketch().to_bytes());
    assert_eq!(dir.read("numbers.theta"), numbers.sketch().to_bytes());
    for format in ["datasketches-theta", "datasketches-hll", "redis-hll", "postgres-hll", "airlift-hll"] {
        dir.run(&format!("distinct users.csv --column user --save {format} --as {format}")).text();
        let info = &dir.run(&format!("info {format} --json")).json()[0];
        assert_eq!(info["format"], format);
        let count = &dir.run(&format!("distinct --from {format} --json")).json()[0]["distinct"];
        // From registers, the value is not whole.
        assert_eq!(count["value"].as_f64().map(f64::round), Some(3.0), "{format}");
    }
}
