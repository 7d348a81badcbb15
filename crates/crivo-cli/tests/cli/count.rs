//! The options of `crivo count`.

use crate::support::{Dir, Run, numbered};

#[test]
fn words_are_keys_unless_keys_are_given() {
    let dir = Dir::new();
    dir.write("fruit", "fig\nplum\nfig\n");
    let expected = "fig     2  (exact)\nquince  0  (exact)\nof 3 items\n";
    assert_eq!(dir.run_with("count fig quince", b"fig\nplum\nfig\n").text(), expected);
    assert_eq!(dir.run("count fruit --key fig --key quince").text(), expected);
    dir.write("keys", "fig\nquince\n");
    assert_eq!(dir.run("count fruit --keys keys").text(), expected);
    assert_eq!(dir.run("count fruit --save s.crv").text(), "of 3 items\n", "only saved");
    let expected = "fig     2  (at least 95 %: 2)\nquince  0  (exact)\nof 3 items\n";
    assert_eq!(dir.run("count --from s.crv fig quince").text(), expected);
    assert_eq!(dir.run("count --from s.crv --key fig --key quince").text(), expected);
    assert_eq!(
        dir.run("count --from s.crv fruit --key fig").text(),
        "fig  4  (at least 95 %: 4)\nof 6 items\n"
    );
}

#[test]
fn words_that_are_mistaken_are_told() {
    let dir = Dir::new();
    dir.write("fruit", "fig\n");
    dir.write("s", "");
    dir.run("count fruit").fails_with(&["'fruit' is a file", "--key"]);
    dir.run("count fig fruit").fails_with(&["'fruit' is a file"]);
    dir.run("count").fails_with(&["no keys", "--keys"]);
    dir.run("count fruit --save s.crv").text();
    dir.run("count --from s.crv").fails_with(&["no keys"]);
    for flags in ["--when count>3", "--error 0.1", "--seed 3"] {
        dir.run(&format!("count --from s.crv fig {flags}")).fails_with(&["cannot be used with"]);
    }
    for flags in ["--column a", "--weight a", "--every 3"] {
        dir.run(&format!("count --from s.crv fig {flags}")).fails_with(&["--from without files"]);
    }
    dir.run("distinct fruit --save d.crv").text();
    dir.run("count --from d.crv fig").fails_with(&["hyperloglog", "frequency", "crivo info d.crv"]);
}

/// The `frequency` of each key in a run with `--json`, when it must be exact.
fn values(run: &Run) -> Vec<f64> {
    let answers = run.json();
    answers.iter().filter_map(|answer| answer["frequency"]["value"].as_f64()).collect()
}

#[test]
fn weights_count_as_copies() {
    let dir = Dir::new();
    dir.write("t.csv", "fruit,n\nfig,3\nplum,0\nfig,40.0\n,x\nplum,18000000000\n");
    let run = dir.run("count t.csv -c fruit --weight n --key fig --key plum --json");
    assert_eq!(values(&run), [43.0, 18e9]);
    assert_eq!(run.json()[2]["items"], 18_000_000_043u64);
    dir.write("t.jsonl", "{\"f\":\"fig\",\"n\":3}\n{\"f\":\"fig\",\"n\":\"4\"}\n");
    assert_eq!(values(&dir.run("count t.jsonl -c f --weight n --key fig --json")), [7.0]);
    dir.write("bad.csv", "fruit,n\nfig,3\nfig,2.5\n");
    dir.run("count bad.csv -c fruit --weight n --key fig").fails_with(&[
        "bad.csv: line 3",
        "'2.5'",
        "whole number",
    ]);
    dir.run("count bad.csv -c fruit --weight m --key fig").fails_with(&["no column 'm'"]);
    dir.run_with("count --weight n fig", b"fig\n").fails_with(&["--weight needs a table"]);
}

#[test]
fn answers_come_every_so_many_items() {
    let dir = Dir::new();
    dir.write("in", "a\nb\na\na\nb\n");
    let text = dir.run("count in --key a --every 2").text();
    let expected = "2 items:\na  1  (exact)\nof 2 items\n4 items:\na  3  (exact)\nof 4 items\na  3  (exact)\nof 5 items\n";
    assert_eq!(text, expected);
    let answers = dir.run("count in --key a --every 2 --json").json();
    let types: Vec<&str> = answers.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(types.join(" "), "step frequency count step frequency count frequency count");
    assert_eq!((&answers[3]["items"], &answers[3]["end"]), (&4.into(), &serde_json::Value::Null));
    dir.write("t.csv", "k,t\na,1\na,2\n,3\na,11\na,25\n");
    let answers = dir.run("count t.csv -c k --key a --every 10s --time t --json").json();
    let steps: Vec<_> = answers.iter().filter(|answer| answer["type"] == "step").collect();
    assert_eq!(steps.iter().map(|step| step["items"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(steps[0]["end"], "1970-01-01T00:00:10Z");
    assert_eq!(answers[2]["missing"], 1, "what came before the record that ended the step");
}

/// The input comes in several pieces, and a step ends in the middle of one.
#[test]
fn steps_go_on_from_piece_to_piece() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 100_000));
    for jobs in [1, 3] {
        let answers = dir.run(&format!("count in --key a --every 30000 --json -j {jobs}")).json();
        let steps = answers.iter().filter(|answer| answer["type"] == "step");
        assert_eq!(
            steps.map(|step| step["items"].as_u64().unwrap()).collect::<Vec<_>>(),
            [30_000, 60_000, 90_000]
        );
    }
}

#[test]
fn alerts_come_at_the_record_that_passes_the_limit() {
    let dir = Dir::new();
    let text: String = (0..5000).map(|i| format!("k{}\n", i % 10)).collect();
    dir.write("in", text);
    for jobs in [1, 3] {
        let text =
            dir.run(&format!("count in --key k3 --key k0 --key none --when count>100 -j {jobs}")).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "count>100: item 1,001: k0\t101  (exact)", "{text}");
        assert_eq!(lines[1], "count>100: item 1,004: k3\t101  (exact)", "{text}");
        assert_eq!(lines[2], "k3    500  (exact)", "{text}");
    }
    let answers = dir.run("count in --key k3 --when count>=7 --json").json();
    let alert = &answers[0];
    assert_eq!(
        (&alert["type"], &alert["item"], &alert["when"]),
        (&"alert".into(), &"k3".into(), &"count>=7".into())
    );
    assert_eq!((&alert["items"], alert["estimate"]["value"].as_f64()), (&64.into(), Some(7.0)));
    assert_eq!(alert["estimate"]["guarantee"], "certain");
    assert_eq!(answers.iter().filter(|answer| answer["type"] == "alert").count(), 1);
    let weighted = "k,n\na,60\na,60\n";
    dir.write("t.csv", weighted);
    let answers = dir.run("count t.csv -c k --weight n --key a --when count>100 --json").json();
    assert_eq!((&answers[0]["items"], answers[0]["estimate"]["value"].as_f64()), (&2.into(), Some(120.0)));
}

#[test]
fn conditions_that_make_no_sense_are_told() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("count in --key a --when count").fails_with(&["--when", "count>1000"]);
    dir.run("count in --key a --when count<3").fails_with(&["only grows"]);
    dir.run("count in --key a --when p99>3").fails_with(&["'p99>3'", "'count>1000'"]);
    dir.run("distinct in --when count>3").fails_with(&["'count>3'", "'distinct>1e6'"]);
}

#[test]
fn distinct_says_when_a_limit_is_passed() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 100_000));
    let answers = dir.run("distinct in --when distinct>5e4 --json").json();
    assert_eq!(answers.len(), 2, "reported once");
    let (alert, end) = (&answers[0], &answers[1]);
    assert_eq!((&alert["type"], &end["type"]), (&"alert".into(), &"distinct".into()));
    let (items, lower) = (alert["items"].as_u64().unwrap(), alert["estimate"]["lower"].as_f64().unwrap());
    assert!(lower > 50_000.0 && (50_000..90_000).contains(&items), "{alert}");
    let text = dir.run("distinct in --when distinct>1e9").text();
    assert_eq!(text.lines().count(), 1, "never passed: {text}");
}

/// However many items there are, and however many share the hash of a key.
#[test]
fn named_keys_are_counted_exactly() {
    let dir = Dir::new();
    dir.write("many", (0..60_000u32).map(|i| format!("k{}\n", i % 30_000)).collect::<String>());
    dir.write("keys", numbered("k", 30_000));
    let answers = dir.run("count many --keys keys --key k7 --key none --json").json();
    assert_eq!(answers.len(), 30_003);
    let frequency = |answer: &serde_json::Value| {
        ["lower", "value", "upper"].map(|name| answer["frequency"][name].as_f64())
    };
    assert!(answers[2..30_002].iter().all(|answer| frequency(answer) == [Some(2.0); 3]));
    assert_eq!([&answers[0]["key"], &answers[1]["key"]], ["k7", "none"]);
    assert_eq!([frequency(&answers[0]), frequency(&answers[1])], [[Some(2.0); 3], [Some(0.0); 3]]);
    dir.run("count many --key k7 --error 0.1").fails_with(&["--save"]);
}
