//! Many columns, groups and names: the time grows with the input, not with its square. The limits of time are generous
//! guards, for a machine that does many other things too.

use crate::support::Dir;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// What would take minutes if each were looked for among all others, and takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Groups that are not kept apart are not looked for among those that are.
#[test]
fn more_groups_than_are_kept() {
    let dir = Dir::new();
    let (groups, more) = (12_000, 1_000_000);
    let rows: String = (0..groups + more).map(|i| format!("g{i},{}\n", i % 1000)).collect();
    let line = format!("distinct - --format csv --no-header -c 2 --by 1 --groups {groups} --top 1 --json -q");
    let begin = Instant::now();
    let answer = dir.run_with(&line, rows.as_bytes()).json();
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
    assert_eq!((answer[1]["group"].is_null(), &answer[1]["items"]), (true, &more.into()));
    assert_eq!(answer[2]["groups"], groups);
}

#[test]
fn tables_have_a_limit_of_columns() {
    let dir = Dir::new();
    let row = |columns: u32| (0..columns).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",");
    let table = format!("{}\n{}\n", row(65_537), row(65_537));
    dir.write("wide.csv", table);
    let limit = ["wide.csv: there are more than 65,536 columns", "--column"];
    dir.run("profile wide.csv").fails_with(&limit);
    assert_eq!(dir.run("profile wide.csv --column c65536 --json").json()[0]["rows"], 1);
    // As many as there may be of JSON.
    let names: String = (0..65_537).map(|i| format!("{{\"c{i}\":1}}\n")).collect();
    dir.run_with("profile --format jsonl", names.as_bytes()).fails_with(&["more than 65,536 columns"]);
}

#[test]
fn long_paths_are_refused() {
    let dir = Dir::new();
    let path = "a.".repeat(1000) + "a";
    let run = dir.run_with(&format!("distinct --format jsonl -c {path}"), b"{\"a\":1}\n");
    run.fails_with(&["--column", "at most 1,000 names"]);
}

/// What is no sequence is seen at its first byte, before it is copied to be read again.
#[test]
fn a_pipe_that_is_no_sequence_is_not_copied() {
    let dir = Dir::new();
    let verbs = [
        "kmers count",
        "kmers components",
        "kmers unitigs -o new.fa",
        "kmers contigs -o new.fa",
        "kmers partition -o parts",
    ];
    for verb in verbs {
        let mut command = dir.command(verb);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let (zeros, mut taken) = (vec![0; 1 << 20], 0);
        while taken < 64 && pipe.write_all(&zeros).is_ok() {
            taken += 1;
        }
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains("expected '>' (FASTA)"), "{verb}: {told}");
        assert!(taken < 16, "{verb}: {taken} MiB were taken");
    }
}
