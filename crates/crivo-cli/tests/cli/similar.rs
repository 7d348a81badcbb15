//! `crivo similar`: one line for two files, a matrix for more.

use crate::support::{Dir, numbered};

/// Lines `from` to `to - 1`.
fn lines(from: u32, to: u32) -> String {
    (from..to).map(|i| format!("item {i}\n")).collect()
}

#[test]
fn saved_sketches_are_compared_with_each_other_and_with_data() {
    let dir = Dir::new();
    dir.write("a", lines(0, 30_000));
    dir.write("b", lines(10_000, 40_000));
    let text = dir.run("similar a --save a.crv").text();
    assert!(text.starts_with("a.crv: one-permutation of 30,000 items, "), "{text}");
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
    assert!(dir.run("similar a.kmv b.kmv").text().starts_with("similarity "));
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
    assert!(run.stdout.starts_with(b"similarity 1.000") && run.stderr.contains("same --shingle"), "{run:?}");
    assert!(dir.run("similar text.crv text --shingle words:3 -q").text().starts_with("similarity 1.000"));
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
    assert!(dir.run("similar none none").text().starts_with("similarity 1.000"));
    assert!(dir.run("similar none a").text().starts_with("similarity 0.000"));
}
