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

/// Records that the plain case of a verb does not print; the first lines make files for the others.
const MORE: [&str; 58] = [
    "distinct table.csv -c name --save a.crv",
    "distinct other.csv -c name --save b.crv",
    "profile table.csv --save p.crv",
    "filter build table.csv -c name --kind bloom --capacity 1000 -o c.crv",
    "filter build other.csv -c name --kind bloom --capacity 1000 -o d.crv",
    "distinct table.csv -c number --by name --groups 2",
    "distinct table.csv -c name --every 10",
    "distinct table.csv -c name --when distinct>3",
    "distinct table.csv -c name --window 10s --time time",
    "distinct --union a.crv b.crv",
    "distinct --intersect a.crv b.crv",
    "count table.csv -c name --key n1 --by number",
    "count table.csv -c name --key n1 --when count>1",
    "count changes.csv -c name --key n1 --weight change",
    "range 1 50 table.csv -c number --weight time --kind dyadic-count-min",
    "tally table.csv --where number>50",
    "tally table.csv -c name --seed 1 --save t.crv",
    "tally --from t.crv --key n1",
    "top table.csv -c name --by number --groups 3",
    "top table.csv -c name --every 15",
    "quantiles table.csv -c number --by name",
    "quantiles days.csv -c day",
    "histogram days.csv -c day",
    "histogram table.csv -c number --by name",
    "range 2013-01-01 2013-02-01 days.csv -c day",
    "sample table.csv -n 2 --seed 1 --by name",
    "sample table.csv -n 2 --seed 1 --weight number --where name=n1 --by name",
    "sample table.csv --seed 1 --where number>3",
    "profile table.csv --by name --groups 3",
    "similar table.csv -c number --by name --groups 50",
    "similar table.csv table.csv -c name --kind simhash --weight number",
    "similar table.csv -c name --save s.crv",
    "similar table.csv -c number --by name --groups 50 --within 40",
    "profile twins.csv",
    "profile table.csv other.csv days.csv part.csv",
    "compare p.crv other.csv",
    "check other.csv --rules drift.toml",
    "dups docs --format lines --print pairs",
    "dups docs --format lines --print pairs --verify signature",
    "dups docs --format lines --chain",
    "dups --like query docs --format lines",
    "dups table.csv --group name --item number --threshold 1",
    "filter query filter.crv n1 none",
    "filter query filter.crv --keys table.csv -c name",
    "filter route c.crv d.crv --key n1 --key none",
    "filter build table.csv -c name --within 0.2 -o near.crv",
    "filter query near.crv n1 none",
    "filter diff c.crv d.crv",
    "filter diff c.crv d.crv table.csv -c name",
    "values query values.crv n1 none",
    "values build table.csv --key name --value number --kind bloomier -o bloomier.crv",
    "values query bloomier.crv n1 none",
    "graph labels edges --scheme two-sided",
    "info filter.crv values.crv graph.crv a.crv p.crv s.crv users.theta",
    "kmers count reads.fa -k 3 --most 1",
    "spell --words words text",
    "spell --words words text --list",
    "plan",
];

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
    let dir = dir();
    let table = String::from_utf8(dir.read("table.csv")).unwrap();
    dir.write("other.csv", table.replace("n1,", "n99,"));
    dir.write("changes.csv", "name,change\nn1,3\nn1,-4\n");
    dir.write("days.csv", "day,x\n2013-01-01,a\n2013-01-31,b\n,a\n");
    dir.write("twins.csv", "a,b\n1,1\n2,2\n1,1\n");
    dir.write("part.csv", "place\nn1\nn4\nn9\nn16\n");
    dir.write("docs", "some words of text\nother words\nSome words, of text\n");
    dir.write("query", "some words of text");
    dir.write("drift.toml", "[table]\nrows = { at_least = 1 }\n[drift]\nsince = \"p.crv\"\nat_least = 0.1\n");
    for line in MORE {
        check(&dir, line);
    }
    let known: BTreeSet<String> = schema.types().into_iter().map(Into::into).collect();
    assert_eq!(seen, known, "every type of the schema is printed by some verb");
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
