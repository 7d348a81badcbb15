use crate::support::{Dir, Run, numbered};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let dir = Dir::new();
    dir.write("in", numbered("some longer line of text ", 200_000));
    dir.run("filter build in -o f.crv").text();
    let mut child = dir
        .command("filter query f.crv in")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let run = Run::new("filter query | head -1", child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_pipe_closed_before_the_answer_is_a_quiet_end_and_the_sketch_is_saved() {
    let dir = Dir::new();
    let mut child = dir
        .command("distinct --save s.crv")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"a\nb\n").unwrap();
    let run = Run::new("distinct", child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(dir.read("s.crv").starts_with(b"CRVO"));
}

#[test]
fn a_slow_pipe_is_answered_line_by_line() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv").text();
    let mut child =
        dir.command("filter query f.crv").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in ["a\n", "b\n", "a\n"] {
        stdin.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, line);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_error_does_not_wait_for_the_rest_of_the_input() {
    let dir = Dir::new();
    let mut child = dir
        .command("distinct --format jsonl")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1\nx\n").unwrap();
    Run::new("distinct", child.wait_with_output().unwrap()).fails_with(&["standard input: line 2"]);
    drop(stdin);
}
