//! `crivo similar`: one line for two files, a matrix for more.

use crate::support::{Dir, numbered};

/// Lines `from` to `to - 1`.
fn lines(from: u32, to: u32) -> String {
    (from..to).map(|i| format!("item {i}\n")).collect()
}

#[test]
fn two_files_are_compared_as_sets_of_lines() {
    let dir = Dir::new();
    dir.write("a", lines(0, 30_000));
    dir.write("b", lines(10_000, 40_000) + &lines(10_000, 40_000));
    let text = dir.run("similar a b").text();
    assert!(
        text.starts_with("0.") && text.contains(" alike  (95 %: 0.") && text.lines().count() == 1,
        "{text}"
    );
    let answers = dir.run("similar a b --json").json();
    let bar = &answers[0]["similarity"];
    let [lower, value, upper] = ["lower", "value", "upper"].map(|name| bar[name].as_f64().unwrap());
    assert!(lower < value && value < upper && (value - 0.5).abs() < 0.04, "within twice the error: {bar}");
    assert!(upper - lower <= 0.0401, "the default error is 0.02: {bar}");
    assert_eq!(
        (&answers[0]["type"], &answers[0]["a"], &answers[0]["b"]),
        (&"similarity".into(), &"a".into(), &"b".into())
    );
    let width = |flags: &str| {
        let bar = &dir.run(&format!("similar a b --json {flags}")).json()[0]["similarity"];
        bar["upper"].as_f64().unwrap() - bar["lower"].as_f64().unwrap()
    };
    assert!(width("--error 0.1") > 4.0 * width("--error 0.01"));
    assert_eq!(dir.run("similar a b --exact").text(), "0.500 alike  (exact)\n");
    let exact = &dir.run("similar a b --exact --json").json()[0]["similarity"];
    assert_eq!((&exact["value"], &exact["lower"], &exact["upper"]), (&0.5.into(), &0.5.into(), &0.5.into()));
    assert_eq!(dir.run("similar a a --exact").text(), "1.000 alike  (exact)\n");
}

#[test]
fn columns_and_texts_are_sets_too() {
    let dir = Dir::new();
    dir.write("a.csv", "user,page\nann,1\nbob,2\n,3\n");
    dir.write("b.jsonl", "{\"user\":\"bob\"}\n{\"user\":\"cid\"}\n");
    let text = dir.run("similar a.csv b.jsonl --column user --exact").text();
    assert_eq!(text, "0.333 alike  (exact)\n1 empty value of a.csv left out\n");
    dir.write("a.txt", "It was the best of times,\nit was the worst of times.");
    dir.write("b.txt", "IT WAS THE BEST OF TIMES; it was the blurst of times");
    let text = dir.run("similar a.txt b.txt --shingle words:3 --exact").text();
    assert_eq!(text, "0.500 alike  (exact)\n");
    let text = dir.run("similar a.txt b.txt --shingle words:1 --exact").text();
    assert!(text.starts_with("0.750 alike"), "{text}");
    let cased = dir.run("similar a.txt b.txt --shingle words:1 --normalise none --exact").text();
    assert!(cased.starts_with("0.250") || cased < text, "{cased}");
    // With a column, the texts of all records together.
    dir.write("t.csv", "text\nit was the best of times\nit was the worst of times\n");
    let text = dir.run("similar t.csv t.csv --column text --shingle words:2 --exact").text();
    assert!(text.starts_with("1.000 alike"), "{text}");
}

#[test]
fn more_files_make_a_matrix_or_a_list_where_that_is_too_wide() {
    let dir = Dir::new();
    for (name, from) in [("a", 0), ("b", 5), ("c", 10)] {
        dir.write(name, lines(from, from + 10));
    }
    let text = dir.run("similar a b c --error 0.2").text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((&rows[0], &rows[1][0], &rows[3][0], rows.len()), (&vec!["a", "b"], &"b", &"c", 5), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let pairs = dir.run("similar a b c --exact --json").json();
    let values: Vec<f64> = pairs.iter().map(|pair| pair["similarity"]["value"].as_f64().unwrap()).collect();
    assert_eq!(values, [1.0 / 3.0, 0.0, 1.0 / 3.0]);
    let names: Vec<String> = (0..9).map(|i| format!("{}{i}", "long".repeat(4))).collect();
    for name in &names {
        dir.write(name, lines(0, 3));
    }
    let text = dir.run(&format!("similar --exact {}", names.join(" "))).text();
    assert_eq!(text.lines().count(), 36, "{text}");
    assert!(text.starts_with("1.000  (exact)  longlonglonglong0  longlonglonglong1\n"));
}

#[test]
fn saved_sketches_are_compared_with_each_other_and_with_data() {
    let dir = Dir::new();
    dir.write("a", lines(0, 3_000));
    dir.write("b", lines(1_000, 4_000));
    let text = dir.run("similar a --save a.crv").text();
    assert!(text.starts_with("a.crv: one-permutation of 3,000 items, "), "{text}");
    assert_eq!(dir.run("similar b --save b.crv --json").json()[0]["type"], "signature");
    let direct = dir.run("similar a b").text();
    for files in ["a.crv b.crv", "a b.crv", "a.crv b"] {
        assert_eq!(dir.run(&format!("similar {files}")).text(), direct, "{files}");
    }
    for (flag, value) in [("--error", "0.3"), ("--seed", "9")] {
        for files in ["a.crv b", "a b.crv", "a.crv b.crv"] {
            dir.run(&format!("similar {files} {flag} {value}")).fails_with(&[".crv", "leave out", flag]);
        }
    }
    for flag in ["--shingle words:2", "--normalise none", "--format lines"] {
        dir.run(&format!("similar a.crv b.crv {flag}")).fails_with(&["all files are sketches"]);
    }
    // Any kind that can tell.
    for name in ["a", "b"] {
        dir.run(&format!("distinct {name} --kind k-min-values --error 0.1 --save {name}.kmv")).text();
        dir.run(&format!("distinct {name} --save {name}.hll")).text();
    }
    assert!(dir.run("similar a.kmv b.kmv").text().contains(" alike  (at least 95 %: "));
    dir.run("similar a.hll b.hll").fails_with(&["a.hll", "hyperloglog"]);
    dir.run("similar a.kmv b.crv").fails_with(&["a.kmv and b.crv"]);
    dir.run("similar a.kmv b").fails_with(&["a.kmv", "one-permutation"]);
    dir.run("similar b --save other.crv --seed 5").text();
    dir.run("similar a.crv other.crv").fails_with(&["a.crv and other.crv", "seed"]);
    dir.run("similar b --save small.crv --error 0.1").text();
    dir.run("similar a.crv small.crv").fails_with(&["a.crv and small.crv"]);
    dir.run("similar a.crv b --exact").fails_with(&["a.crv", "--exact"]);
    dir.write("text", "one two three four one two three");
    let text = dir.run("similar text --shingle words:3 --save text.crv").text();
    assert!(text.starts_with("text.crv: one-permutation of 5 items, "), "runs of words: {text}");
    let run = dir.run("similar text.crv text --shingle words:3");
    assert!(run.stdout.starts_with(b"1.000 alike") && run.stderr.contains("same --shingle"), "{run:?}");
    assert!(dir.run("similar text.crv text --shingle words:3 -q").text().starts_with("1.000 alike"));
    dir.run("similar a.crv --save again.crv").fails_with(&["a.crv", "sketch already"]);
    dir.run("similar a b --save both.crv").fails_with(&["--save"]);
    dir.run("similar a").fails_with(&["two files", "--save"]);
}

#[test]
fn absurd_questions_are_refused() {
    let dir = Dir::new();
    dir.write("a", "x\n");
    dir.run("similar a absent").fails_with(&["absent", "no such file"]);
    dir.run("similar a a --column x").fails_with(&["--column needs a table"]);
    dir.run("similar a a --error 0").fails_with(&["--error"]);
    dir.run("similar a a --error 0.00001").fails_with(&["slots"]);
    dir.run("similar a a --shingle words:0").fails_with(&["--shingle"]);
    dir.run("similar - -").fails_with(&["only once"]);
    dir.write("many", numbered("x", 500_000));
    dir.run("similar many a --exact --max-memory 1MiB").fails_with(&["--max-memory"]);
    assert_eq!(dir.run_with("similar a -", b"x\n").text(), dir.run("similar a a").text());
    dir.write("none", "");
    assert!(dir.run("similar none none").text().starts_with("1.000 alike"));
    assert!(dir.run("similar none a").text().starts_with("0.000 alike"));
}
