//! What `--json` prints is what docs/crivo.schema.json and docs/JSON.md say.

use crate::every_verb::{CASES, dir};
use crate::support::Dir;
use crate::validator::Schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn docs(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The records of a command, whether it says yes or no.
fn records(dir: &Dir, line: &str) -> Vec<Value> {
    let run = dir.run(&format!("{line} --json"));
    assert!(matches!(run.code, Some(0 | 1)) && !run.stdout.is_empty(), "{line}: {run:?}");
    String::from_utf8(run.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_record_is_of_the_schema() {
    let text = docs("crivo.schema.json");
    let schema = Schema::parse(&text);
    let mut seen = BTreeSet::new();
    let mut check = |dir: &Dir, line: &str| {
        for record in records(dir, line) {
            schema.check(&record).unwrap_or_else(|error| panic!("{line}: {error}\n{record}"));
            seen.insert(record["type"].as_str().unwrap().to_owned());
        }
    };
    for case in CASES {
        let dir = dir();
        if case.has_json(&dir) {
            check(&dir, &case.good().0);
        }
    }
    let known: BTreeSet<String> = schema.types().into_iter().map(Into::into).collect();
    assert!(seen.is_subset(&known), "{seen:?}");
    let page = docs("JSON.md");
    for name in known {
        assert!(page.contains(&format!("\n| `{name}` |")), "docs/JSON.md: {name}");
    }
}

#[test]
fn the_type_comes_first_and_the_group_after_it() {
    let dir = dir();
    for line in ["top table.csv -c number --by name", "distinct table.csv -c number --by name"] {
        let text = dir.run(&format!("{line} --json")).text();
        let mut rows: Vec<&str> = text.lines().collect();
        let last = rows.pop().unwrap();
        assert!(last.starts_with("{\"type\":\"groups\",\"groups\":"), "{last}");
        for row in rows {
            let (kind, rest) = row.split_once(',').unwrap();
            assert!(kind.starts_with("{\"type\":") && rest.starts_with("\"group\":"), "{row}");
        }
    }
}

#[test]
fn a_wrong_record_is_refused() {
    let schema = Schema::parse(&docs("crivo.schema.json"));
    let good = json!({ "type": "quantiles", "items": 3, "missing": 0, "not_numbers": 0, "saved": null });
    assert_eq!(schema.check(&good), Ok(()));
    let with = |name: &str, value: Value| {
        let mut record = good.clone();
        record[name] = value;
        schema.check(&record).unwrap_err()
    };
    assert!(with("nulls", 0.into()).contains("unknown field nulls"));
    assert!(with("items", 3.5.into()).contains("record.items: type"));
    assert!(with("items", (-1).into()).contains("minimum"));
    assert!(with("saved", 7.into()).contains("record.saved"));
    assert!(with("type", "nothing".into()).contains("unknown type"));
    let mut short = good.clone();
    short.as_object_mut().unwrap().remove("missing");
    assert!(schema.check(&short).unwrap_err().contains("required"));
    let bar =
        json!({ "value": 1, "lower": 1, "upper": 1, "exact": true, "guarantee": "sure", "confidence": 1 });
    let wrong = json!({ "type": "frequency", "key": "a", "frequency": bar });
    assert!(schema.check(&wrong).unwrap_err().contains("guarantee: enum"));
}
