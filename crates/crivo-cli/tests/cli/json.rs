//! The shape of `--json`, which other programs rely on.

use crate::support::{Dir, numbered};
use serde_json::Value;

#[track_caller]
fn fields(object: &Value, expected: &[&str]) {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = expected.to_vec();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{object}");
}

#[track_caller]
fn is_bar(bar: &Value) {
    fields(bar, &["value", "lower", "upper", "guarantee", "confidence"]);
    let certain = bar["guarantee"] == "certain";
    assert!(certain || bar["guarantee"] == "proven" || bar["guarantee"] == "approximate", "{bar}");
    assert_eq!(bar["confidence"].is_null(), certain, "{bar}");
    assert!(bar["lower"].as_f64().unwrap() <= bar["value"].as_f64().unwrap(), "{bar}");
    assert!(bar["upper"].is_null() || bar["upper"].as_f64() >= bar["value"].as_f64(), "{bar}");
}

#[test]
fn every_verb() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 50_000));
    dir.write("keys", b"x1\n\xff\n");

    let answers = dir.run("distinct in --json --save d.crv").json();
    fields(&answers[0], &["type", "distinct", "items", "nulls", "saved"]);
    assert_eq!(answers[0]["type"], "distinct");
    is_bar(&answers[0]["distinct"]);

    let answers = dir.run("count in --json --keys keys --error 0.01").json();
    fields(&answers[0], &["type", "key", "frequency"]);
    assert_eq!((&answers[0]["type"], &answers[0]["key"]), (&"frequency".into(), &"x1".into()));
    is_bar(&answers[0]["frequency"]);
    assert_eq!(answers[1]["key"], serde_json::json!({ "bytes": "/w==" }));
    fields(&answers[2], &["type", "total", "nulls", "saved"]);
    assert_eq!((&answers[2]["type"], &answers[2]["total"]), (&"count".into(), &50_000.into()));

    let answers = dir.run("filter build in -o f.crv --json").json();
    fields(&answers[0], &["type", "saved", "items", "nulls", "bits", "hashes", "bytes", "wrong_yes"]);
    assert_eq!(answers[0]["type"], "filter");
    is_bar(&answers[0]["wrong_yes"]);

    let answers = dir.run_with("filter query f.crv --json", b"x7\n").json();
    assert_eq!(answers[0], serde_json::json!({ "type": "record", "present": true, "record": "x7" }));
    fields(&answers[1], &["type", "present", "absent", "nulls", "wrong_yes"]);
    assert_eq!(answers[1]["type"], "query");

    let answers = dir.run("info f.crv d.crv --json").json();
    assert_eq!(answers.len(), 2);
    for answer in &answers {
        let names = [
            "type",
            "file",
            "kind",
            "family",
            "hash",
            "seed",
            "keyed",
            "file_bytes",
            "memory_bytes",
            "facts",
        ];
        fields(answer, &names);
        let bars = answer["facts"].as_object().unwrap().values().filter(|value| value.is_object());
        assert!(bars.map(is_bar).count() > 0, "{answer}");
    }

    let answers = dir.run("merge d.crv d.crv -o m.crv --json").json();
    fields(&answers[0], &["type", "saved", "kind", "files", "bytes"]);

    let answers = dir.run("plan cardinality --json").json();
    fields(&answers[0], &["type", "kind", "asked", "target", "achieved", "bytes", "parameters", "command"]);
    fields(&dir.run("lab list --json").json()[0], &["type", "id", "title", "question"]);
}
