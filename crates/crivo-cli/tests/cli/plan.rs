//! What is planned is what is made: every command runs, and takes the memory that was told.

use crate::support::Dir;
use serde_json::Value;
use std::fs;

/// A plan for each question, small enough to be carried out at once.
const PLANS: [&str; 11] = [
    "membership --items 3000 --fpr 0.01",
    "cardinality --error 0.05 --items 20000",
    "frequency --error 0.01 --delta 0.05 -k 3",
    "quantiles --error 0.01",
    "sampling --error 0.1 --record 5",
    "similarity --error 0.05",
    "duplicates --items 1000 --threshold 0.7",
    "values --items 1000 --distortion 0.02",
    "graph --edges 999 --fpr 0.003",
    "kmers --kmers 2000 --fpr 0.02 -k 21",
    "profile --columns 1 --error 0.05",
];

/// A directory with what the commands name.
fn dir_of_files() -> Dir {
    let dir = Dir::new();
    let lines = |range: std::ops::Range<u32>| range.map(|i| format!("{i:05}\n")).collect::<String>();
    dir.write("FILE", lines(0..3000));
    dir.write("FILE2", lines(1000..3000));
    dir.write(
        "table.csv",
        format!("KEY,VALUE\n{}", (0..1000).map(|i| format!("k{i},{i}\n")).collect::<String>()),
    );
    dir.write("edges", (0..999).map(|i| format!("v{i} v{}\n", i + 1)).collect::<String>());
    let reads = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sample/reads.fa");
    dir.write("reads.fa", fs::read(reads).unwrap());
    dir
}

/// The rows of a plan that are for the target asked for.
fn asked(dir: &Dir, plan: &str) -> Vec<Value> {
    let mut rows = dir.run(&format!("plan {plan} --json")).json();
    rows.retain(|row| row["asked"] == true);
    assert!(!rows.is_empty(), "{plan}");
    rows
}

/// Runs a planned command on the files of this directory.
fn carry_out(dir: &Dir, row: &Value, more: &str) {
    let command = row["command"].as_str().unwrap().strip_prefix("crivo ").unwrap();
    let data = match command.split(' ').next().unwrap() {
        "values" => "table.csv ",
        "graph" => "edges ",
        "kmers" => "reads.fa ",
        _ => "FILE ",
    };
    let line = format!("{command} ").replace("FILE ", data).replace("LOW..HIGH", "0..1000");
    let run = dir.run(&format!("{line} {more}"));
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn every_command_runs() {
    let dir = dir_of_files();
    for plan in PLANS {
        for row in asked(&dir, plan) {
            let force = if row["command"].as_str().unwrap().contains(" -o ") { "--force" } else { "" };
            let _ = fs::remove_file(dir.path("FILE.crv"));
            carry_out(&dir, &row, force);
        }
    }
}

#[test]
fn a_target_is_met_and_not_far_exceeded() {
    let dir = Dir::new();
    for plan in PLANS.iter().filter(|plan| !plan.starts_with("cardinality")) {
        for row in asked(&dir, plan) {
            let (target, achieved) = (row["target"].as_f64().unwrap(), row["achieved"].as_f64().unwrap());
            // Whole numbers of bits, rows and counters do not hit every rate.
            assert!(achieved <= target && achieved > 0.15 * target, "{plan}: {row}");
        }
    }
}

/// As 'crivo info' tells it of what the command has saved. The parameters are the facts of the same name.
#[test]
fn the_memory_is_what_was_planned() {
    let dir = dir_of_files();
    for plan in PLANS {
        for row in asked(&dir, plan) {
            let command = row["command"].as_str().unwrap();
            let more = match command.split(' ').nth(1).unwrap() {
                // Tested where they are compared; what a search takes is told of no file.
                "filter" | "distinct" | "dups" | "similar" | "profile" => continue,
                "count" | "top" | "quantiles" | "sample" => "--save FILE.crv --force",
                _ => "--force",
            };
            carry_out(&dir, &row, more);
            let built = &dir.run("info FILE.crv --json").json()[0];
            assert_eq!(built["kind"], row["kind"], "{plan}");
            let bytes = |row: &Value| row["memory_bytes"].as_u64().unwrap();
            let (built_bytes, planned) = (bytes(built), bytes(&row));
            // Lists and levels keep room that a file does not have.
            let least = if ["misra-gries", "kll"].contains(&row["kind"].as_str().unwrap()) {
                planned / 8
            } else {
                planned
            };
            assert!(
                (least..=planned + 256).contains(&built_bytes),
                "{plan}: {built_bytes} bytes, planned {row}"
            );
            for (name, value) in row["parameters"].as_object().unwrap() {
                let fact = &built["facts"][name];
                assert!(fact.is_null() || fact == value, "{plan}: {name} is {fact}, planned {value}");
            }
        }
    }
}

/// But for near-duplicates, whose bands and rows are traded for each other.
#[test]
fn more_precision_takes_more_memory() {
    let dir = Dir::new();
    let others = ["membership", "cardinality", "duplicates"];
    for plan in PLANS.iter().filter(|plan| !others.iter().any(|other| plan.starts_with(other))) {
        let rows = dir.run(&format!("plan {plan} --json")).json();
        for pair in rows.windows(2).filter(|pair| pair[0]["target"].as_f64() > pair[1]["target"].as_f64()) {
            assert!(pair[0]["memory_bytes"].as_u64() <= pair[1]["memory_bytes"].as_u64(), "{plan}: {pair:?}");
        }
        let text = dir.run(&format!("plan {plan}")).text();
        for row in rows {
            let is_told = text.contains(row["command"].as_str().unwrap());
            assert_eq!(is_told, row["asked"] == true, "{plan}: {text}");
        }
    }
}

#[test]
fn alone_it_lists_the_questions_and_every_line_runs() {
    let dir = Dir::new();
    let rows = dir.run("plan --json").json();
    let text = dir.run("plan").text();
    assert_eq!(text.lines().count(), rows.len());
    for row in &rows {
        let command = row["command"].as_str().unwrap();
        assert!(row["type"] == "question" && text.contains(command), "{row}");
        dir.run(command.strip_prefix("crivo ").unwrap()).text();
    }
}

#[test]
fn targets_out_of_reach_are_refused() {
    let dir = Dir::new();
    for (plan, word) in [
        ("sampling --error 0.000001", "0.000015"),
        ("quantiles --error 0.0000001", "0.0000021"),
        ("similarity --error 0.0001", "too many slots"),
        ("duplicates --items 0", "at least 1"),
        ("duplicates --items 10 --threshold 0.0001", "slots"),
        ("values --items 0", "at least 1"),
        ("graph --edges 0", "at least 1"),
        ("kmers --kmers 0", "at least 1"),
        ("kmers --kmers 10 -k 64", "63"),
        ("values", "--items"),
    ] {
        dir.run(&format!("plan {plan}")).fails_with(&[word]);
    }
}
