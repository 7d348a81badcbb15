//! The options of `crivo distinct`.

use crate::support::{Dir, Run, exact_distinct, few_different, numbered};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// The names of all kinds that `--kind` takes.
fn kinds() -> Vec<&'static str> {
    crivo::KINDS.iter().filter(|info| info.counter.is_some()).map(|info| info.kind.name()).collect()
}

#[test]
fn every_kind_counts_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 60_000));
    for kind in kinds() {
        let run = |jobs| {
            dir.run(&format!("distinct in --kind {kind} --error 0.05 --items 60000 --json --jobs {jobs}"))
        };
        let answer = &run(1).json()[0];
        let bar = &answer["distinct"];
        let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
        // Twice the interval: one of many kinds may miss by chance, not by that much.
        let slack = upper - lower;
        assert!(lower - slack <= 60_000.0 && 60_000.0 <= upper + slack, "{kind}: {bar}");
        assert_eq!(answer["items"], 60_000, "{kind}");
        for jobs in [2, 5] {
            assert_eq!(run(jobs).text(), run(1).text(), "{kind}");
        }
    }
}

#[test]
fn every_kind_saves_what_it_counted() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 5000));
    for kind in kinds() {
        let line = format!("distinct in --kind {kind} --error 0.05 --items 5000 --json --save s.crv --force");
        assert_eq!(exact_distinct(&dir.run(&line)), 5000, "{kind}");
        let info = &dir.run("info s.crv --json").json()[0];
        let bar = &dir.run("distinct --from s.crv --json").json()[0]["distinct"];
        assert_eq!(&dir.run("distinct --union s.crv --json").json()[0]["distinct"], bar, "{kind}");
        let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
        // Twice the interval: one of many kinds may miss by chance, not by that much.
        assert!(2.0 * lower - upper <= 5000.0 && 5000.0 <= 2.0 * upper - lower, "{kind}: {bar}");
        assert_eq!(info["kind"], kind);
    }
}

#[test]
fn a_counter_that_keeps_all_items_is_bounded_too() {
    let Some(kind) = kinds().into_iter().find(|kind| *kind == "cuckoo-table") else { return };
    let dir = Dir::new();
    dir.write("in", numbered("item ", 100_000));
    dir.write("t.csv", "id,g\n1,a\n");
    assert_eq!(exact_distinct(&dir.run(&format!("distinct in --kind {kind} --json"))), 100_000);
    for flags in ["", "--every 1e6"] {
        let line = format!("distinct in --kind {kind} --max-memory 100KiB {flags}");
        dir.run(&line).fails_with(&["more than the limit of 100 KiB", "--max-memory"]);
    }
    dir.run(&format!("distinct t.csv --by g --kind {kind}")).fails_with(&["grows with its items", "--kind"]);
}

#[test]
fn bad_kinds_and_sizes() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --kind bloom").fails_with(&["--kind", "hyperloglog"]);
    dir.run("distinct in --precision 10 --items 5").fails_with(&["cannot be used with"]);
    dir.run("distinct in --precision 10 --kind k-min-values").fails_with(&["--precision is for", "--error"]);
    dir.run("distinct in --precision 30 --kind exaloglog").fails_with(&["precision", "30"]);
    dir.run("distinct in --items x").fails_with(&["--items"]);
    dir.run("distinct in --max-memory 10").fails_with(&["--max-memory"]);
}

#[test]
fn bad_groups() {
    let dir = Dir::new();
    dir.write("t.csv", "a,b\n1,2\n");
    dir.run("distinct t.csv --by a --save s.crv").fails_with(&["cannot be used with"]);
    dir.run("distinct t.csv --top 3").fails_with(&["--by"]);
    dir.run("distinct t.csv --groups 3").fails_with(&["--by"]);
}

#[test]
fn an_answer_every_so_many_items() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 25));
    let [ten, twenty, all] = [10, 20, 25].map(few_different);
    let expected = format!("10 items: {ten}\n20 items: {twenty}\n{all}\n");
    for jobs in [1, 2, 5] {
        assert_eq!(dir.run(&format!("distinct in --every 10 --jobs {jobs}")).text(), expected);
    }
    let answers = dir.run("distinct in --every 25 --json --save s.crv").json();
    assert_eq!(answers.len(), 2);
    assert_eq!((&answers[0]["type"], &answers[0]["items"]), (&"step".into(), &25.into()));
    assert_eq!(answers[0]["distinct"], answers[1]["distinct"]);
    dir.run("distinct in --save whole.crv").text();
    assert_eq!(dir.read("s.crv"), dir.read("whole.crv"));
}

#[test]
fn an_answer_every_so_often_while_a_pipe_is_silent() {
    let dir = Dir::new();
    for jobs in [1, 2] {
        let mut child = dir
            .command(&format!("distinct --every 100ms --json --jobs {jobs}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdin.write_all(b"a\nb\na\n").unwrap();
        let mut items = serde_json::Value::Null;
        while items != 3 {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["type"], "step");
            items = answer["items"].clone();
        }
        drop(stdin);
        let last = stdout.lines().last().unwrap().unwrap();
        let answer: serde_json::Value = serde_json::from_str(&last).unwrap();
        assert_eq!((&answer["type"], answer["distinct"]["value"].as_f64()), (&"distinct".into(), Some(2.0)));
        Run::new("distinct", child.wait_with_output().unwrap()).text();
    }
}

#[test]
fn steps_in_the_time_of_the_data() {
    let dir = Dir::new();
    let rows = "1970-01-01T00:00:05Z,a\n59.9,b\n61,a\n70,c\n65,d\n300,e\n";
    dir.write("t.csv", format!("time,id\n{rows}"));
    let [two, four, all] = [2, 4, 5].map(few_different);
    let expected =
        format!("1970-01-01T00:01:00Z, 2 items: {two}\n1970-01-01T00:02:00Z, 5 items: {four}\n{all}\n");
    for jobs in [1, 3] {
        assert_eq!(
            dir.run(&format!("distinct t.csv -c id --every 1m --time time --jobs {jobs}")).text(),
            expected
        );
    }
    let answers = dir.run("distinct t.csv -c id --every 1m --time time --json").json();
    assert_eq!(answers[0]["end"], "1970-01-01T00:01:00Z");
}

/// Text without its error bars.
fn without_bars(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.split("  (").next().unwrap())).collect()
}

#[test]
fn only_the_last_window_counts() {
    let dir = Dir::new();
    dir.write("t.csv", "time,id,who\n0,a,x\n50,b,x\n60,c,y\n70,d,x\n69.5,d,y\n1,e,x\n");
    let window = "distinct t.csv -c id --window 20s --time time";
    let expected =
        "2 distinct in 20s until 1970-01-01T00:01:10Z\n1 record too late for the window not counted\n";
    for jobs in [1, 3] {
        assert_eq!(without_bars(&dir.run(&format!("{window} --jobs {jobs}")).text()), expected);
    }
    let answer = &dir.run(&format!("{window} --json --save s.crv")).json()[0];
    assert_eq!(
        (&answer["type"], &answer["late"], &answer["items"]),
        (&"window".into(), &1.into(), &6.into())
    );
    assert_eq!(answer["until"], "1970-01-01T00:01:10Z");
    assert!(dir.run("info s.crv").text().contains("sliding-hyperloglog"));

    let steps = without_bars(&dir.run(&format!("{window} --every 1m")).text());
    let first = "1970-01-01T00:01:00Z, 2 items: 1 distinct in 20s until 1970-01-01T00:00:59.999999Z\n";
    assert_eq!(steps, format!("{first}{expected}"));

    let groups = without_bars(&dir.run(&format!("{window} --by who --error 0.1")).text());
    let rest = expected.strip_prefix("2 ").unwrap();
    assert_eq!(groups, format!("y  2 distinct\nx  1 distinct\n{rest}"));
    let end = dir.run(&format!("{window} --by who --error 0.1 --json")).json().pop().unwrap();
    assert_eq!((&end["until"], &end["late"]), (&"1970-01-01T00:01:10Z".into(), &1.into()));
}

#[test]
fn bad_steps_and_times() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("t.csv", "time,id\n1,a\n\"no\none\",b\n");
    dir.write("t.jsonl", "{\"t\":1}\n{\"t\":-5}\n");
    for step in ["0", "x", "-1", "10y"] {
        dir.run(&format!("distinct in --every={step}")).fails_with(&["--every"]);
    }
    dir.run("distinct in --time x").fails_with(&["--every", "--window"]);
    dir.run("distinct t.csv --window 1m").fails_with(&["--time"]);
    dir.run("distinct t.csv --window 1x --time time").fails_with(&["--window", "90s"]);
    dir.run("distinct t.csv --window 1m --time time --kind exaloglog").fails_with(&["cannot be used with"]);
    dir.run("distinct in --every 1m --time x").fails_with(&["in: --time needs a table"]);
    dir.run("distinct t.csv --every 1m --time time")
        .fails_with(&["t.csv: line 3: 'no\\none' is not a time", "seconds"]);
    dir.run("distinct t.jsonl --every 1m --time t").fails_with(&["t.jsonl: line 2: '-5' is not a time"]);
    dir.run("distinct t.csv --by id --every 10").fails_with(&["cannot be used with"]);
}

#[test]
fn a_union_of_sketches_is_the_sketch_of_all() {
    let dir = Dir::new();
    dir.write("a", numbered("x", 3000));
    dir.write("b", numbered("x", 5000));
    for name in ["a", "b"] {
        dir.run(&format!("distinct {name} --save {name}.crv")).text();
    }
    assert_eq!(dir.run("distinct --union a.crv b.crv").text(), dir.run("distinct --from b.crv").text());
    assert_eq!(dir.run("distinct --union a.crv").text(), dir.run("distinct --from a.crv").text());
    let answer = &dir.run("distinct --union a.crv b.crv --json").json()[0];
    assert_eq!(
        (&answer["type"], &answer["question"], &answer["files"]),
        (&"sets".into(), &"union".into(), &2.into())
    );
    dir.write("few", "a\nb\n");
    dir.run("distinct few --save few.crv").text();
    assert_eq!(exact_distinct(&dir.run("distinct --union few.crv few.crv --json")), 2);
}

#[test]
fn bad_unions() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --save a.crv").text();
    dir.run("distinct in --save b.crv --precision 10").text();
    dir.run("filter build in -o f.crv").text();
    dir.run("distinct --union").fails_with(&["name the sketch files"]);
    dir.run("distinct --union in").fails_with(&["in: "]);
    dir.run("distinct --union a.crv b.crv").fails_with(&["b.crv: does not merge with a.crv", "precision"]);
    dir.run("distinct --union f.crv").fails_with(&["f.crv: its kind is bloom-filter", "cardinality"]);
    dir.run("distinct --union a.crv --error 0.1").fails_with(&["cannot be used with"]);
    dir.run("distinct --union --minus a.crv").fails_with(&["cannot be used with"]);
    dir.run("distinct --minus a.crv").fails_with(&["--minus needs two sketches"]);
    dir.run("distinct --intersect a.crv").fails_with(&["--intersect needs two sketches, got 1"]);
    dir.run("distinct --intersect a.crv a.crv a.crv").fails_with(&["got 3"]);
    dir.run("distinct --minus a.crv b.crv")
        .fails_with(&["b.crv: cannot be compared with a.crv", "precision"]);
    dir.run("distinct --intersect a.crv f.crv").fails_with(&["f.crv: its kind is bloom-filter"]);
    dir.run("distinct --union a.crv --column x").fails_with(&["cannot be used with"]);
}

#[test]
fn sets_are_compared_by_their_sketches() {
    let dir = Dir::new();
    dir.write("a", numbered("x", 30));
    dir.write("b", (20..50).map(|i| format!("x{i}\n")).collect::<String>());
    dir.write("c", "x0\nx1\n");
    for kind in ["hyperloglog", "exaloglog", "k-min-values", "joint"] {
        for name in ["a", "b", "c"] {
            dir.run(&format!("distinct {name} --save {name}.crv --force --kind {kind} --error 0.05")).text();
        }
        let value = |line: &str| {
            let answer = &dir.run(&format!("distinct {line} --json")).json()[0];
            assert_eq!(
                (&answer["type"], &answer["swamped"]),
                (&"sets".into(), &false.into()),
                "{kind}: {answer}"
            );
            answer["distinct"]["value"].as_f64().unwrap()
        };
        assert_eq!(value("--union a.crv b.crv c.crv"), 50.0, "{kind}");
        assert_eq!(value("--intersect a.crv b.crv"), 10.0, "{kind}");
        assert_eq!(value("--minus a.crv b.crv"), 20.0, "{kind}");
        assert_eq!(value("--minus a.crv b.crv c.crv"), 18.0, "{kind}");
    }
    let text = dir.run("distinct --intersect a.crv b.crv").text();
    assert!(text.starts_with("10 in both  ("), "{text}");
    assert!(dir.run("distinct --minus a.crv b.crv").text().starts_with("20 only in the first  ("));
}

#[test]
fn an_answer_that_its_error_swamps_says_so() {
    let dir = Dir::new();
    dir.write("a", numbered("a", 100_000));
    dir.write("b", format!("{}a1\na2\n", numbered("b", 100_000)));
    for name in ["a", "b"] {
        dir.run(&format!("distinct {name} --save {name}.crv")).text();
    }
    let text = dir.run("distinct --intersect a.crv b.crv").text();
    assert!(text.contains("the error is as large as the value: there are at most"), "{text}");
    assert_eq!(dir.run("distinct --intersect a.crv b.crv --json").json()[0]["swamped"], true);
}

#[test]
fn the_plan_is_what_the_command_does() {
    let dir = Dir::new();
    let rows = dir.run("plan cardinality --error 0.05 --items 20000 --json").json();
    assert_eq!(rows.len(), kinds().len());
    dir.write("FILE", numbered("x", 20_000));
    for row in &rows {
        let achieved = row["achieved"].as_f64().unwrap();
        assert!(achieved <= 0.06, "{row}");
        let command = row["command"].as_str().unwrap().strip_prefix("crivo ").unwrap();
        dir.run(&format!("{command} --save s.crv --force")).text();
        let saved = &dir.run("info s.crv --json").json()[0];
        assert_eq!(saved["kind"], row["kind"]);
        let parameters = row["parameters"].as_object().unwrap();
        assert!(!parameters.is_empty(), "{row}");
    }
    let text = dir.run("plan cardinality --error 0.05 --items 20000").text();
    for kind in kinds() {
        assert!(text.contains(kind), "{kind}: {text}");
    }
    assert!(text.contains("at 20,000") && text.contains("# smallest"), "{text}");
}

#[test]
fn no_counter_exceeds_the_memory_allowed() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 1000));
    for kind in kinds().into_iter().filter(|kind| *kind != "cuckoo-table") {
        let line = format!("distinct in --kind {kind} --items 100000 --max-memory 1KiB");
        dir.run(&line).fails_with(&["more than the limit of 1 KiB"]);
    }
    dir.write("t.csv", "id,g\n1,a\n");
    let line = "distinct t.csv -c id --by g --max-memory 100KiB";
    dir.run(line).fails_with(&["--max-memory 100 KiB: a sketch for one key and one for the rest may take"]);
}

#[test]
fn a_full_sketch_says_so() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 50_000));
    dir.run("distinct in --kind linear-counting --items 100 --error 0.5 --save full.crv").text();
    let text = dir.run("distinct --union full.crv full.crv").text();
    assert!(text.contains("only a lower bound") && !text.contains("18,446"), "{text}");
}

#[test]
fn alerts_depend_on_the_items_alone() {
    let dir = Dir::new();
    dir.write("in", numbered("item ", 5000));
    for (limit, items) in [(700, 701), (1500, 2048), (4990, 5000)] {
        for jobs in [1, 3] {
            let line = format!("distinct in --when distinct>{limit} --json --jobs {jobs} --precision 16");
            assert_eq!(dir.run(&line).json()[0]["items"], items, "{line}");
        }
    }
}
