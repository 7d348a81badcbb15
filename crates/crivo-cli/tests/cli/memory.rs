//! The memory ceiling: what is read does not stay.

use crate::support::Dir;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// The most memory that the command has held, in KiB, when it has read this many distinct lines, but for what may
/// be left in the pipe.
fn peak(verb: &str, lines: u32) -> u64 {
    let dir = Dir::new();
    // The step ends with the last line: when its answer comes, nothing is left, and the command waits for more. The steps
    // of a profile end with a piece.
    let has_steps = verb != "profile";
    let every = if has_steps { format!(" --every {lines}") } else { String::new() };
    let mut child = dir
        .command(&format!("{verb} --jobs 2{every}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let mut text = String::new();
        for line in 0..lines {
            // Each number below 2^32 once, in no order.
            writeln!(text, "{}", line.wrapping_mul(2_654_435_761)).unwrap();
            if text.len() > 1 << 16 || line + 1 == lines {
                stdin.write_all(text.as_bytes()).unwrap();
                text.clear();
            }
        }
        stdin
    });
    let mut answer = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    if has_steps {
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.contains("items"), "{verb}: {answer}");
    }
    let stdin = writer.join().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().strip_suffix("kB").unwrap().trim().parse().unwrap();
    drop(stdin);
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    peak
}

/// What is being read counts: no verb takes a record that is longer than it may hold.
#[test]
fn long_records_count() {
    let dir = Dir::new();
    let long = "x".repeat(12 << 20);
    dir.write("t.txt", format!("{long}\n{long}\n"));
    dir.write("t.csv", format!("x\n\"{long}\"\n"));
    dir.write("t.jsonl", format!("{{\"x\":\"{long}\"}}\n"));
    dir.write("t.fa", format!(">one\n{}\n", "ACGT".repeat(3 << 20)));
    dir.write("small", "a\n");
    dir.run("filter build small -o f.crv").text();
    for line in [
        "distinct t.txt",
        "distinct t.csv -c x",
        "distinct t.jsonl -c x",
        "distinct --by x t.csv",
        "top t.txt",
        "count t.txt -k a",
        "sample t.txt",
        "seen t.txt",
        "seen --exact t.txt",
        "dups t.txt --format lines",
        "dups t.txt small",
        "similar t.txt small",
        "quantiles t.txt",
        "profile t.csv",
        "filter build t.txt -o g.crv",
        "filter query f.crv --keys t.txt",
        "filter insert f.crv t.txt -o g.crv",
        "join t.csv t.csv --on x --memory 64KiB",
        "graph stats t.txt",
        "spell t.txt --words small",
    ] {
        for jobs in [1, 3] {
            dir.run(&format!("{line} --max-memory 4MiB --jobs {jobs}")).fails_with(&[
                "a long record would take",
                "more than the limit of 4 MiB",
                "--max-memory",
            ]);
        }
    }
    dir.run("kmers count t.fa --max-memory 4MiB -k 5")
        .fails_with(&["a sequence would take", "limit of 4 MiB"]);
    // Several threads wait for each other, and none is refused what one alone would get.
    for jobs in [1, 4] {
        let answer = dir.run(&format!("distinct t.txt t.txt t.txt --json --max-memory 48MiB --jobs {jobs}"));
        assert_eq!(crate::support::exact_distinct(&answer), 1);
    }
}

/// From 10⁵ to 10⁷ lines, or from 10⁶ where a megabyte may be left in the pipe, at most the pieces of input come on top that
/// a short stream may never have needed: two for each of two threads, each of 256 KiB with some 30,000 lines, whose
/// hashes, places and numbers take 24 bytes each.
#[test]
fn memory_is_flat() {
    const PIECES: u64 = 4 * (256 + 30 * 24);
    const MANY: u32 = 10_000_000;
    for (verb, few) in
        [("distinct", 100_000), ("top", 100_000), ("quantiles", 100_000), ("profile", 1_000_000)]
    {
        let [least, most] = [few, MANY].map(|lines| peak(verb, lines));
        println!("{verb}: {least} KiB at {few} lines, {most} KiB at {MANY}");
        assert!(most <= least + PIECES, "{verb}: {least} KiB at {few} lines, {most} KiB at {MANY}");
    }
}
