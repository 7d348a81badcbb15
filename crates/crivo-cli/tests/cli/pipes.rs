use crate::support::{Dir, Run, numbered};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let dir = Dir::new();
    dir.write("in", numbered("some longer line of text ", 200_000));
    dir.run("filter build in -o f.crv").text();
    let mut child = dir
        .command("filter query f.crv --keys in")
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

#[test]
fn standard_input_is_read_once() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv").text();
    let sketch = dir.read("f.crv");
    for (line, input) in [
        ("count --keys -", &b"a\nb\n"[..]),
        ("count --keys - -", b"a\nb\n"),
        ("count --keys in --secret-file -", b"0123456789abcdef"),
        ("distinct --secret-file -", b"0123456789abcdef"),
        ("distinct - in -", b"a\n"),
        ("filter query - --count", &sketch),
        ("merge - - -o m.crv", &sketch),
        ("info - -", &sketch),
    ] {
        let run = dir.run_with(line, input);
        assert_eq!(run.code, Some(2), "{line}: {run:?}");
        assert!(run.stderr.contains("standard input can be read only once"), "{line}: {}", run.stderr);
    }
    assert!(dir.run_with("info -", &sketch).text().contains("bloom-filter"));
    assert_eq!(dir.run_with("filter query - --keys in", &sketch).text(), "a\nb\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_remark_that_nobody_can_read_is_no_error() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = dir.command("filter build in -o f.crv --capacity 1000");
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

/// The terminal is that of `script`, where there is one.
#[cfg(target_os = "linux")]
#[test]
fn no_progress_is_drawn_into_records() {
    let dir = Dir::new();
    let records = "a\n".repeat(1_000_000);
    dir.write("in", &records);
    dir.run("filter build in -o f.crv").text();
    let mut script = std::process::Command::new("script");
    let line = format!("{} filter query f.crv --keys in", env!("CARGO_BIN_EXE_crivo"));
    script.args(["-qec", &line, "/dev/null"]).current_dir(dir.path("")).env("TERM", "xterm");
    match script.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => {
            let shown = records.replace('\n', "\r\n");
            assert!(output.stdout == shown.as_bytes(), "something stands between the records");
        }
        _ => println!("skipped: there is no terminal to be had"),
    }
}
