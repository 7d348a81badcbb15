//! SIGINT and SIGTERM, sent to the command while it waits for more input.

use crate::support::{Dir, Run, few_different, numbered};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

/// More than any pipe holds: when it is written, the command has begun to read.
const LINES: u32 = 300_000;

fn start(dir: &Dir, line: &str) -> (Child, ChildStdin) {
    let mut command = dir.command(line);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// The end of a command whose input is still open.
fn end(line: &str, child: Child, stdin: ChildStdin) -> Run {
    let run = Run::new(line, child.wait_with_output().unwrap());
    drop(stdin);
    run
}

/// What the command says to a pipe that has sent some lines, waits for ever, and is interrupted.
fn interrupted(dir: &Dir, line: &str, signal: &str, prefix: &str) -> Run {
    let (child, mut stdin) = start(dir, line);
    stdin.write_all(numbered(prefix, LINES).as_bytes()).unwrap();
    send(signal, &child);
    end(line, child, stdin)
}

fn plural(rows: u64) -> String {
    format!("{},{:03} rows", rows / 1000, rows % 1000)
}

fn last(run: &Run) -> Value {
    let text = String::from_utf8(run.stdout.clone()).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn an_interrupt_is_the_end_of_the_input() {
    let dir = Dir::new();
    dir.write("in", "1\n");
    dir.run("filter build in -o f.crv").text();
    for line in [
        "distinct --kind cuckoo-table --json --save s1.crv",
        "distinct --kind martingale-hyperloglog --json",
        "count 7 --json",
        "top --json --save s2.crv",
        "quantiles --json --save s3.crv",
        "histogram --json",
        "range 0 10 --json",
        "sample --seed 1 -k 5 --json",
        "filter query f.crv --json",
    ] {
        for jobs in [1, 3] {
            let line = &format!("{line} -j {jobs}{}", if line.contains("--save") { " --force" } else { "" });
            let run = interrupted(&dir, line, "-INT", "");
            assert_eq!(run.code, Some(130), "{line}");
            let answer = last(&run);
            let rows = answer["interrupted"]["rows"].as_u64().unwrap();
            assert!(0 < rows && rows <= u64::from(LINES), "{line}: {answer}");
            assert!(answer["interrupted"]["share"].is_null(), "nobody knows how long a pipe is");
            let saved = if answer["saved"].is_string() { "and what was saved are" } else { "is" };
            let rows = plural(rows);
            assert_eq!(
                run.stderr,
                format!("crivo: interrupted after {rows}; the answer {saved} for this part\n")
            );
            let number = |name: &str| answer[name].as_u64();
            let items = number("items").or(number("numbers")).or(number("absent")).unwrap();
            assert!(0 < items && items <= u64::from(LINES), "{line}: {answer}");
            if let Some(saved) = answer["saved"].as_str() {
                assert!(dir.run(&format!("info {saved}")).text().contains(saved), "{line}");
            }
        }
    }
}

/// What each thread has counted and what has been read are the same pieces.
#[test]
fn no_piece_is_counted_by_halves() {
    let dir = Dir::new();
    for jobs in 1..5 {
        let line = &format!("distinct --json --precision 18 -j {jobs}");
        let answer = last(&interrupted(&dir, line, "-INT", ""));
        let [items, lower, upper] =
            [&answer["items"], &answer["distinct"]["lower"], &answer["distinct"]["upper"]]
                .map(|number| number.as_f64().unwrap());
        // Five bars wide.
        let slack = 2.0 * (upper - lower);
        assert!(lower - slack <= items && items <= upper + slack, "{line}: {answer}");
    }
}

#[test]
fn lines_that_have_come_are_in_the_answer() {
    let dir = Dir::new();
    let (mut child, mut stdin) = start(&dir, "distinct --every 3");
    stdin.write_all(b"a\nb\nc\n").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut step = String::new();
    stdout.read_line(&mut step).unwrap();
    assert_eq!(step, format!("3 items: {}\n", few_different(3)));
    send("-TERM", &child);
    let mut answer = String::new();
    stdout.read_to_string(&mut answer).unwrap();
    assert_eq!(answer, few_different(3) + "\n");
    let run = end("distinct", child, stdin);
    let said = "crivo: interrupted after 3 rows; the answer is for this part\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(143), said));
}

#[test]
fn what_would_be_a_half_is_not_made() {
    let dir = Dir::new();
    dir.write("in", "0\n1\n");
    dir.run("filter build in --capacity 1e6 --kind cuckoo -o f.crv").text();
    dir.run("similar in --save g.crv").text();
    let (names, filter) = (dir.names(), dir.read("f.crv"));
    for line in [
        "filter build -o n.crv",
        "filter insert f.crv",
        "filter remove f.crv",
        "values build --delimiter . --no-header --key 1 --value 1 -o n.crv",
        "graph build -o n.crv",
        "similar g.crv -",
        "dups --format lines -o n.txt",
    ] {
        let prefix = if line.starts_with("values") { "1" } else { "1 " };
        let run = interrupted(&dir, line, "-INT", prefix);
        assert_eq!(run.code, Some(130), "{line}: {run:?}");
        assert_eq!(run.stderr, "crivo: interrupted; there is no result\n", "{line}");
        assert_eq!((dir.names(), dir.read("f.crv")), (names.clone(), filter.clone()), "{line}");
    }
}

/// As `timeout` sends it, to the command and to its group.
#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let dir = Dir::new();
    let (child, mut stdin) = start(&dir, "distinct");
    stdin.write_all(numbered("x", LINES).as_bytes()).unwrap();
    let id = child.id().to_string();
    let kill = format!("kill -INT {id}; kill -INT {id}");
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let run = end("distinct", child, stdin);
    assert_eq!(run.code, Some(130), "{run:?}");
    assert!(String::from_utf8_lossy(&run.stdout).contains(" distinct"), "{run:?}");
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let dir = Dir::new();
    let (mut child, mut stdin) = start(&dir, "sample -k 100000 --seed 1");
    stdin.write_all(numbered("some longer line of text ", LINES).as_bytes()).unwrap();
    send("-INT", &child);
    // The answer has begun, and nobody takes the rest of it.
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 10]).unwrap();
    // Two at once are one wish.
    std::thread::sleep(Duration::from_millis(300));
    send("-INT", &child);
    let run = end("sample", child, stdin);
    assert_eq!((run.code, run.stderr.as_str()), (Some(130), "crivo: interrupted twice; ended at once\n"));
}
