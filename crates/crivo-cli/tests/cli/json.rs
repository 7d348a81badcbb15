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
    assert_eq!(bar["confidence"] == 1.0, certain, "{bar}");
    assert!(bar["confidence"].as_f64().unwrap() > 0.9, "{bar}");
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

    let answers = dir.run("count in --json --keys keys --error 0.01 --save c.crv").json();
    fields(&answers[0], &["type", "key", "frequency"]);
    assert_eq!((&answers[0]["type"], &answers[0]["key"]), (&"frequency".into(), &"x1".into()));
    is_bar(&answers[0]["frequency"]);
    assert_eq!(answers[1]["key"], serde_json::json!({ "bytes": "/w==" }));
    fields(&answers[2], &["type", "items", "nulls", "saved"]);
    assert_eq!((&answers[2]["type"], &answers[2]["items"]), (&"count".into(), &50_000.into()));

    let answers = dir.run("filter build in -o f.crv --json").json();
    fields(&answers[0], &["type", "saved", "items", "nulls", "bits", "hashes", "file_bytes", "fpr"]);
    assert_eq!(answers[0]["type"], "filter");
    is_bar(&answers[0]["fpr"]);

    let answers = dir.run_with("filter query f.crv --json", b"x7\n").json();
    assert_eq!(answers[0], serde_json::json!({ "type": "record", "present": true, "record": "x7" }));
    fields(&answers[1], &["type", "present", "absent", "nulls", "fpr"]);
    assert_eq!(answers[1]["type"], "query");
    is_bar(&answers[1]["fpr"]);
    let answers = dir.run("filter query f.crv in --count --json").json();
    assert_eq!(
        (answers.len(), &answers[0]["present"], &answers[0]["absent"]),
        (1, &50_000.into(), &0.into())
    );

    let answers = dir.run("info f.crv d.crv c.crv --json").json();
    assert_eq!(answers.len(), 3);
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
        answer["facts"].as_object().unwrap().values().filter(|value| value.is_object()).for_each(is_bar);
    }
    let facts: Vec<&Value> = answers.iter().map(|answer| &answer["facts"]).collect();
    fields(facts[0], &["bits", "hashes", "fill", "cardinality", "fpr"]);
    fields(facts[1], &["precision", "form", "standard_error", "cardinality"]);
    fields(facts[2], &["width", "depth", "counter_bits", "update", "total", "error_share"]);
    dir.write("key", [7; 16]);
    dir.run("distinct in --secret-file key --save k.crv").text();
    let answer = &dir.run("info k.crv --json").json()[0];
    assert_eq!(
        (&answer["keyed"], &answer["facts"], &answer["hash"]),
        (&true.into(), &Value::Null, &"siphash".into())
    );

    let answers = dir.run("merge d.crv d.crv -o m.crv --json").json();
    fields(&answers[0], &["type", "saved", "kind", "files", "file_bytes"]);

    let answers = dir.run("plan cardinality --json").json();
    fields(
        &answers[0],
        &["type", "kind", "asked", "target", "achieved", "memory_bytes", "parameters", "command"],
    );
    fields(&dir.run("lab list --json").json()[0], &["type", "id", "title", "question"]);
    let answers = dir.run("lab run E-F27 --quick --json").json();
    fields(&answers[0], &["type", "id", "claim", "passed", "detail"]);
    assert_eq!((&answers[0]["type"], &answers[0]["id"]), (&"verdict".into(), &"e-f27".into()));
}
