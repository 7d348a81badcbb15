//! What is planned is what is made: every command runs, and takes the memory that was printed.

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
    let line = line.replace(
        "--weight COLUMN --where COLUMN=VALUE",
        "--format csv --no-header --weight 1 --where 1=00007",
    );
    let run = dir.run(&format!("{line} {more}"));
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn every_command_runs() {
    let dir = dir_of_files();
    for plan in PLANS {
        for row in asked(&dir, plan) {
            let saves =
                [" -o ", " --save "].iter().any(|flag| row["command"].as_str().unwrap().contains(flag));
            let force = if saves { "--force" } else { "" };
            let _ = fs::remove_file(dir.path("FILE.crv"));
            carry_out(&dir, &row, force);
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
                // Tested where they are compared; no file states the memory of a search.
                "filter" | "distinct" | "dups" | "similar" | "profile" => continue,
                "top" | "quantiles" | "sample" => "--save FILE.crv --force",
                _ => "--force",
            };
            carry_out(&dir, &row, more);
            let built = &dir.run("info FILE.crv --json").json()[0];
            assert_eq!(built["kind"], row["kind"], "{plan}");
            let bytes = |row: &Value| row["memory_bytes"].as_u64().unwrap();
            let (built_bytes, planned) = (bytes(built), bytes(&row));
            // Lists and levels keep room that a file does not have; buckets are those between the values.
            let least = match row["kind"].as_str().unwrap() {
                "misra-gries" | "kll" => planned / 8,
                "log-quantiles" | "req-sketch" => 0,
                _ => planned,
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

#[test]
fn alone_it_lists_questions_and_every_line_runs() {
    let dir = Dir::new();
    for row in dir.run("plan --json").json() {
        dir.run(row["command"].as_str().unwrap().strip_prefix("crivo ").unwrap()).text();
    }
    dir.run("plan values").fails_with(&["--items"]);
    dir.run("plan --json quantiles").fails_with(&["--json"]);
}
