//! Nothing in the data, in a header or in the name of a file is obeyed by a terminal, hides, or reverses the text next to
//! it: not in answers for people, not in JSON, not in messages.

use crate::support::Dir;
use crivo_testing::terminal::{HOSTILE, is_harmless};
use std::process::Command;

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Lines, a table whose header and values are hostile, one of names and numbers, edges, and files of hostile names.
fn dir() -> (Dir, Vec<String>) {
    let dir = Dir::new();
    let long = "L".repeat(100_000);
    let tower = format!("z{}", "\u{300}".repeat(3000));
    let all: Vec<&str> = HOSTILE.iter().copied().chain([&long[..], &tower]).collect();
    let lines: Vec<&str> = all.iter().copied().filter(|text| !text.contains('\n')).collect();
    dir.write("lines", lines.iter().map(|line| format!("{line}\n").repeat(3)).collect::<String>());
    let row =
        |end: &str| all.iter().map(|text| quoted(&format!("{text}{end}"))).collect::<Vec<_>>().join(",");
    let rows: String = (0..50).map(|i| format!("{},{i}\n", row(&(i % 3).to_string()))).collect();
    dir.write("wide.csv", format!("{},key\n{rows}", row("")));
    let rows: String =
        all.iter().flat_map(|text| (0..3).map(|i| format!("{},{i}\n", quoted(text)))).collect();
    dir.write("names.csv", format!("name,value\n{rows}"));
    let json = |text: &&str| format!("{}\n", serde_json::json!({ *text: text, "n": 1 }));
    dir.write("lines.jsonl", all.iter().map(json).collect::<String>());
    dir.write("edges", lines.iter().map(|line| format!("{line}\tx\n")).collect::<String>());
    let files: Vec<String> = HOSTILE.iter().enumerate().map(|(at, name)| format!("{name}{at}")).collect();
    for name in &files {
        dir.write(name, "one two three four five six ".repeat(5));
    }
    (dir, files)
}

#[test]
fn values_and_headers() {
    let (dir, _) = dir();
    for line in [
        "top lines -k 50",
        "top names.csv -c name -k 50",
        "top names.csv -c name --when count>1",
        "profile wide.csv",
        "profile wide.csv --column 1",
        "profile names.csv",
        "profile lines.jsonl",
        "profile lines",
        "compare names.csv wide.csv",
        "distinct names.csv -c value --by name",
        "distinct wide.csv -c nope",
        "distinct wide.csv -c nam",
        "quantiles names.csv -c name",
        "quantiles lines",
        "top names.csv -c value --weight name",
        "values build names.csv --key value --value name -o new.crv",
        "dups names.csv -c name",
        "dups names.csv --group name --item value",
        "dups lines --format lines --print groups",
        "graph stats edges --exact",
        "graph feasibility edges --not-edge 1/3",
        "graph labels edges",
        "spell lines --words edges",
        "spell lines --words edges --list",
        "distinct lines.jsonl -c nope",
        "distinct wide.csv names.csv -c 1",
        "distinct names.csv -c value --time name --every 1s",
    ] {
        for end in ["", " --json"] {
            let run = dir.run(&format!("{line}{end}"));
            is_harmless(&run.stdout, line);
            is_harmless(run.stderr.as_bytes(), line);
            assert!(run.code.is_some() && !(run.stdout.is_empty() && run.stderr.is_empty()), "{line}");
        }
    }
    let mut keys = vec!["count", "lines"];
    keys.extend(HOSTILE.iter().flat_map(|key| ["--key", *key]));
    is_harmless(&dir.run_words(&keys).stdout, "count");
    for query in HOSTILE {
        for arguments in [
            &["explain", "bloom", "--items", query, "--query", query][..],
            &["graph", "neighbors", "edges", query],
            &["graph", "query", "edges", query, "x"],
        ] {
            let run = dir.run_words(arguments);
            is_harmless(&run.stdout, "an argument");
            is_harmless(run.stderr.as_bytes(), "an argument");
        }
    }
}

#[test]
fn names_of_files() {
    let (dir, files) = dir();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    for verb in [
        &["similar"][..],
        &["similar", "--format", "csv", "--column", "1"],
        &["dups"],
        &["info"],
        &["verify"],
        &["merge", "-o", "new.crv"],
        &["profile"],
        &["distinct", "-c", "1"],
        &["distinct", "--format", "csv", "-c", "nope"],
        &["distinct", "--format", "jsonl"],
        &["quantiles"],
        &["join", "--on", "1"],
        &["kmers", "count"],
        &["spell", "--words", "edges"],
        &["distinct", "--union"],
        &["graph", "stats"],
        &["sample", "--format", "csv"],
    ] {
        for files in [&names[..2], &names] {
            let run = dir.run_words(&[verb, files].concat());
            is_harmless(&run.stdout, verb[0]);
            is_harmless(run.stderr.as_bytes(), verb[0]);
        }
    }
    for name in HOSTILE {
        for verb in
            [&["distinct"][..], &["info"], &["filter", "query"], &["top", "--from"], &["graph", "stats"]]
        {
            let run = dir.run_words(&[verb, &[name]].concat());
            assert_eq!(run.code, Some(2), "{verb:?}");
            is_harmless(run.stderr.as_bytes(), verb[0]);
            assert_eq!(run.stderr.lines().count(), 1, "a name with a line end makes no line of its own");
        }
    }
}

/// What the parser of arguments says of those that it cannot read.
#[test]
fn arguments() {
    let dir = Dir::new();
    for text in HOSTILE {
        let flag = format!("--{text}");
        for arguments in [
            &[text][..],
            &["distinct", &flag],
            &["distinct", "--error", text],
            &["distinct", "--kind", text],
            &["top", "--every", text],
            &["hyphenate", "--lang", text],
            &["explain", text],
            &["plan", "membership", "--items", text],
            &["count", "--when", text, "x"],
        ] {
            let run = dir.run_words(arguments);
            assert_eq!(run.code, Some(2), "{arguments:?}");
            is_harmless(run.stderr.as_bytes(), "arguments");
            assert!(!run.stderr.contains("\ngnp") && !run.stderr.contains("\nlines"), "{}", run.stderr);
        }
    }
}

/// Data pass as they are through verbs that copy records.
#[test]
fn records_are_copied_byte_for_byte() {
    let dir = Dir::new();
    let lines: String = HOSTILE.iter().map(|line| format!("{line}\n")).collect();
    dir.write("lines", &lines);
    for line in ["sample lines -k 100 -q", "seen lines --exact -q", "hyphenate lines --left 60 -q"] {
        assert_eq!(String::from_utf8(dir.run(line).stdout).unwrap(), lines, "{line}");
    }
}

#[test]
fn values_are_told_apart_and_cut() {
    let dir = Dir::new();
    let mut data = b"\xff\n\\xff\n\\xff\n".to_vec();
    data.extend(format!("{}\n", "x".repeat(300)).repeat(3).into_bytes());
    dir.write("lines", data);
    let top = |columns: &str| {
        let output = dir.command("top lines").env("COLUMNS", columns).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = top("240");
    assert!(text.lines().any(|line| line.ends_with("  \\xff")), "the byte: {text}");
    assert!(text.lines().any(|line| line.ends_with("  \\\\xff")), "the text: {text}");
    assert!(text.contains(&format!("  {}… (300 bytes)\n", "x".repeat(200))), "{text}");
    let first = top("60").lines().next().unwrap().to_owned();
    assert!(first.ends_with("xxx…") && first.chars().count() <= 60, "it takes one line: {first}");
    assert!(dir.run("top lines --json").json().iter().any(|row| row["item"] == "x".repeat(300)), "whole");
    // A page has none of it either.
    dir.write("wide.csv", "a\u{1b}\u{202e},b\n\u{7f}\u{0},2\n");
    let html = Command::new(env!("CARGO_BIN_EXE_crivo"))
        .args(["profile", "wide.csv", "--html", "page.html", "-q"])
        .current_dir(dir.path(""))
        .status();
    assert!(html.unwrap().success());
    is_harmless(&dir.read("page.html"), "the page");
}
