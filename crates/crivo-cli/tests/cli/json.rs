//! The shape of `--json`, which other programs rely on.

use crate::support::{Dir, numbered};
use crivo_testing::fields;
use serde_json::Value;

#[track_caller]
fn is_bar(bar: &Value) {
    fields(bar, &["value", "lower", "upper", "exact", "guarantee", "confidence"]);
    let certain = bar["guarantee"] == "certain";
    assert!(certain || bar["guarantee"] == "proven" || bar["guarantee"] == "approximate", "{bar}");
    assert_eq!(bar["confidence"] == 1, certain, "{bar}");
    assert_eq!(bar["exact"], certain && bar["lower"] == bar["upper"], "{bar}");
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
    fields(&answers[0], &["type", "distinct", "items", "missing", "saved"]);
    assert_eq!(answers[0]["type"], "distinct");
    is_bar(&answers[0]["distinct"]);

    let answers = dir.run("count in --json --keys keys --error 0.01 --save c.crv").json();
    fields(&answers[0], &["type", "key", "frequency"]);
    assert_eq!((&answers[0]["type"], &answers[0]["key"]), (&"frequency".into(), &"x1".into()));
    is_bar(&answers[0]["frequency"]);
    assert_eq!(answers[1]["key"], serde_json::json!({ "bytes": "/w==" }));
    fields(&answers[2], &["type", "items", "missing", "saved"]);
    assert_eq!((&answers[2]["type"], &answers[2]["items"]), (&"count".into(), &50_000.into()));

    let answers = dir.run("filter build in -o f.crv --json").json();
    let names = ["type", "saved", "kind", "items", "missing", "file_bytes", "memory_bytes", "fpr", "facts"];
    fields(&answers[0], &names);
    assert_eq!((&answers[0]["type"], &answers[0]["kind"]), (&"filter".into(), &"bloom-filter".into()));
    fields(&answers[0]["facts"], &["bits", "hashes", "fill", "cardinality", "fpr"]);
    is_bar(&answers[0]["fpr"]);

    let answers = dir.run_with("filter insert f.crv -o g.crv --json", b"x1\nnew\n").json();
    fields(&answers[0], &["type", "saved", "kind", "items", "missing", "inserted", "file_bytes", "fpr"]);
    assert_eq!((&answers[0]["type"], &answers[0]["inserted"]), (&"inserted".into(), &1.into()));

    let run = dir.run("filter diff f.crv g.crv --json");
    assert_eq!(run.code, Some(1));
    let answer: Value = serde_json::from_slice(&run.stdout).unwrap();
    fields(&answer, &["type", "a", "b", "same", "both", "either"]);
    assert_eq!((&answer["type"], &answer["same"]), (&"diff".into(), &false.into()));
    fields(&answer["a"], &["file", "kind", "facts"]);
    is_bar(&answer["both"]);
    let run = dir.run_with("filter diff f.crv g.crv - --json", b"x1\nnew\n");
    assert_eq!(run.code, Some(1));
    let lines: Vec<Value> =
        serde_json::Deserializer::from_slice(&run.stdout).into_iter().map(Result::unwrap).collect();
    assert_eq!(lines[0], serde_json::json!({ "type": "difference", "only": "b", "record": "new" }));
    let end = serde_json::json!({
        "type": "differences", "only_a": 0, "only_b": 1, "both": 1, "neither": 0, "missing": 0
    });
    assert_eq!(lines[1..], [end]);

    let answers = dir.run_with("filter query f.crv --json", b"x7\n").json();
    assert_eq!(answers[0], serde_json::json!({ "type": "record", "present": true, "record": "x7" }));
    fields(&answers[1], &["type", "present", "absent", "missing", "fpr"]);
    assert_eq!(answers[1]["type"], "query");
    is_bar(&answers[1]["fpr"]);
    let answers = dir.run("filter query f.crv --keys in --count --json").json();
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
            "items",
            "seed",
            "keyed",
            "authentic",
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
    dir.write_key("key", [7; 16]);
    dir.run("distinct in --secret-file key --save k.crv").text();
    let answer = &dir.run("info k.crv --json").json()[0];
    assert_eq!(
        (&answer["keyed"], &answer["facts"], &answer["hash"]),
        (&true.into(), &Value::Null, &"siphash".into())
    );

    let answers = dir.run("merge d.crv d.crv -o m.crv --json").json();
    fields(&answers[0], &["type", "saved", "kind", "files", "law", "folded", "file_bytes"]);
}

#[test]
fn every_plan() {
    let dir = Dir::new();
    let answers = dir.run("plan cardinality --json").json();
    let names = ["type", "kind", "asked", "target", "achieved", "memory_bytes", "parameters", "command"];
    let of_counters = ["items", "empty_bytes", "few_bytes", "file_bytes", "merges", "best_for"];
    for row in &answers {
        fields(row, &[&names[..], &of_counters].concat());
    }
    let answers = dir.run("plan membership --items 1000 --json").json();
    let (last, rows) = answers.split_last().unwrap();
    let names = ["type", "kind", "asked", "target", "achieved", "memory_bytes", "parameters", "command"];
    let of_filters = ["bits_per_item", "cache_lines", "inserts", "removes", "merges", "best_for"];
    for row in rows {
        fields(row, &[&names[..], &of_filters].concat());
    }
    fields(last, &["type", "target", "memory_bytes", "bits_per_item"]);
    assert_eq!(last["type"], "minimum");
    for row in &dir.run("plan frequency --json").json() {
        fields(row, &[&names[..], &["insert", "query", "merges", "best_for"]].concat());
    }
    fields(&dir.run("plan --json").json()[0], &["type", "question", "command"]);
}

#[test]
fn every_verb_of_streams() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 50_000));
    let answers = dir.run("top in --json --error 0.01 -k 1 --when count>=1 --every 50000").json();
    let (last, alerts) = answers.split_last().unwrap();
    fields(&alerts[0], &["type", "when", "items", "item", "estimate"]);
    is_bar(&alerts[0]["estimate"]);
    fields(&alerts[alerts.len() - 1], &["type", "rank", "item", "count", "share", "rank_guaranteed"]);
    is_bar(&alerts[alerts.len() - 1]["count"]);
    fields(last, &["type", "items", "missing", "floor", "others_most", "listed", "memory_bytes", "saved"]);
    let step = alerts.iter().find(|answer| answer["type"] == "step").unwrap();
    fields(step, &["type", "end", "items"]);

    let numbers: String = (0..50_000).map(|i| format!("{i}\n")).collect();
    let run = |line: &str| dir.run_with(&format!("{line} --json"), numbers.as_bytes()).json();
    let answers = run("quantiles --quantiles 0.5,0.9");
    fields(&answers[0], &["type", "q", "quantile"]);
    is_bar(&answers[0]["quantile"]);
    fields(&answers[2], &["type", "items", "missing", "not_numbers", "saved"]);
    let answers = run("histogram --bins 2");
    fields(&answers[0], &["type", "from", "to", "count", "share"]);
    is_bar(&answers[0]["count"]);
    let names = ["type", "items", "below", "above", "minimum", "maximum", "missing", "not_numbers", "saved"];
    fields(&answers[2], &names);
    let answers = run("range 3 4");
    let names = ["type", "low", "high", "count", "share", "items", "missing", "not_numbers", "saved"];
    fields(&answers[0], &names);
    is_bar(&answers[0]["count"]);
    let answers = run("sample -k 1");
    fields(&answers[0], &["type", "record"]);
    fields(&answers[1], &["type", "sampled", "items", "missing", "seed", "saved"]);
    let answers = dir.run("join in in --json").json();
    let names = ["type", "kind", "pairs", "swamped", "rows_a", "rows_b", "missing_a", "missing_b"];
    fields(&answers[0], &names);
    is_bar(&answers[0]["pairs"]);
}

#[test]
fn every_verb_of_similarity() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 500));
    dir.write("other", numbered("x", 900));
    let answers = dir.run("similar in other --json").json();
    fields(&answers[0], &["type", "a", "b", "similarity"]);
    is_bar(&answers[0]["similarity"]);
    let answers = dir.run("similar in --save in.crv --json").json();
    fields(&answers[0], &["type", "saved", "kind", "items", "missing", "file_bytes"]);
    dir.write("lines", "some words of text\nother words\nSome words, of text\n");
    let run = |flags: &str| dir.run(&format!("dups lines --format lines --json {flags}")).json();
    let [groups, pairs] = ["", "--print pairs"].map(run);
    fields(&groups[0], &["type", "keep", "drop"]);
    fields(&pairs[0], &["type", "a", "b", "similarity"]);
    for end in [&groups[1], &pairs[1]] {
        let names = [
            "type",
            "documents",
            "empty",
            "distinct",
            "candidates",
            "verified",
            "pairs",
            "expected_below",
            "groups",
            "dropped",
            "dropped_bytes",
            "threshold",
            "recall",
            "seconds",
            "search_seconds",
        ];
        fields(end, &names);
    }
    dir.write("query", "some words of text");
    fields(&run("--like query")[0], &["type", "document", "similarity"]);
}
