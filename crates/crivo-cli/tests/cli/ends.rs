//! How commands end: without memory, with closed descriptors, with files that change or are too large, by signals.

use crate::support::{Dir, Run, numbered};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a line of the shell, in which `crivo` is the command.
fn shell(dir: &Dir, line: &str) -> Output {
    let script = line.replace("crivo", env!("CARGO_BIN_EXE_crivo"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&script).current_dir(dir.path("")).stdin(Stdio::null()).output().unwrap()
}

fn fails(dir: &Dir, line: &str, words: &[&str]) {
    Run::new(line, shell(dir, line)).fails_with(words);
}

#[test]
fn what_was_asked_for_and_does_not_fit_is_an_error() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 100));
    dir.write("kv.csv", "k,v\na,1\n");
    for line in [
        "filter build in -o b.crv --capacity 1e9",
        "filter build in -o b.crv --capacity 5e8 --kind cuckoo",
        "filter build in -o b.crv --capacity 1e9 --kind blocked",
        "seen in --capacity 1.5e8",
        "count in --save c.crv --memory 1GiB",
        "passwords add in --state s.crv --secret-file k --memory 1GiB",
        "values build kv.csv --key k --value v -o b.crv --items 1e7",
    ] {
        let run = shell(&dir, &format!("ulimit -v 400000; exec crivo {line}"));
        assert_eq!(run.status.code(), Some(2), "{line}: {run:?}");
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.starts_with("crivo: out of memory: "), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
    }
    assert_eq!(dir.names(), ["in", "kv.csv"]);
}

#[test]
fn a_closed_standard_output_is_an_error() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    for line in [
        "distinct in",
        "top in",
        "sample in",
        "seen in",
        "distinct in --json",
        "plan membership --items 1e6 --fpr 0.01",
        "--help",
    ] {
        fails(&dir, &format!("exec crivo {line} >&-"), &["standard output: is closed"]);
        assert_eq!(shell(&dir, &format!("crivo {line} > /dev/null")).status.code(), Some(0), "{line}");
        // As programs do that start others.
        assert_eq!(shell(&dir, &format!("crivo {line} 1<> /dev/null")).status.code(), Some(0), "{line}");
    }
    // What is not used may be closed.
    assert!(shell(&dir, "crivo distinct in <&-").stdout.starts_with(b"2 distinct  (exact"));
    assert!(shell(&dir, "crivo filter build in -o f.crv").status.success());
    assert!(shell(&dir, "crivo filter query f.crv --keys in --quiet >&-").status.success());
}

#[test]
fn a_closed_standard_input_is_an_error() {
    let dir = Dir::new();
    for line in
        ["distinct", "top", "sample", "seen", "profile -", "filter build -o f.crv", "merge - -o m.crv"]
    {
        fails(&dir, &format!("exec crivo {line} <&-"), &["standard input is closed"]);
    }
    for redirect in ["< /dev/null", "0<> /dev/null"] {
        let answer = shell(&dir, &format!("crivo distinct {redirect}"));
        assert_eq!(answer.stdout, b"0 distinct  (exact)\n");
    }
    assert!(dir.names().is_empty());
}

/// The signal of a file that grows beyond its limit would end the command, and leave a draft.
#[test]
fn a_limit_on_files_is_an_error() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 20_000));
    fails(&dir, "ulimit -f 0; exec crivo filter build in -o f.crv", &["f.crv", "not saved"]);
    fails(&dir, "ulimit -f 0; exec crivo seen in --state s.crv -q > /dev/null", &["s.crv", "not saved"]);
    assert_eq!(dir.names(), ["in"]);
}

#[test]
fn a_mapped_filter_that_changes_is_an_error() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 500_000));
    dir.run("filter build in -o whole.crv").text();
    let whole = dir.read("whole.crv");
    for left in [0, whole.len() / 2, whole.len() - 10] {
        dir.write("f.crv", &whole);
        let mut command = dir.command("filter query f.crv --no-verify");
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // When the first answer comes, the file is mapped.
        let mut stdout = child.stdout.take().unwrap();
        stdin.write_all(b"x1\n").unwrap();
        std::io::Read::read_exact(&mut stdout, &mut [0; 3]).unwrap();
        std::fs::OpenOptions::new()
            .write(true)
            .open(dir.path("f.crv"))
            .unwrap()
            .set_len(left as u64)
            .unwrap();
        // The command may have ended.
        let _ = stdin.write_all(numbered("x", 1_000).as_bytes());
        drop(stdin);
        std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
        let run = Run::new("filter query", child.wait_with_output().unwrap());
        run.fails_with(&["f.crv: was changed while it was read", "run the command again"]);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_work() {
    let dir = Dir::new();
    dir.write("in.fa", ">a\nACGTACGTACGTACGTACGTACGTACGTACGTACGT\n");
    std::os::unix::fs::symlink("loop", dir.path("loop")).unwrap();
    let long = "x".repeat(300);
    for place in ["loop", &long] {
        for line in ["distinct --save", "profile --html", "seen --state", "filter build -o"] {
            let force = if line.starts_with("seen") { "" } else { "--force" };
            // The input stays open: who wanted to read it first would wait for ever.
            let mut child = dir
                .command(&format!("{line} {place} {force}"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let open_input = child.stdin.take();
            Run::new(line, child.wait_with_output().unwrap()).fails_with(&[place, "cannot write here"]);
            drop(open_input);
        }
    }
    dir.run("kmers partition in.fa -o no/such").fails_with(&["no/such", "no directory"]);
    assert!(std::fs::symlink_metadata(dir.path("loop")).unwrap().is_symlink());
    // As long as a name may be, so that the name of a draft cannot be it and more.
    let longest = "y".repeat(255);
    dir.run(&format!("distinct in.fa --format lines --save {longest}")).text();
    assert_eq!(dir.names(), ["in.fa", "loop", &longest]);
}

/// Ended at any time, a command leaves the old file and says that there is no result, or has put the new one in place and
/// succeeds; and no draft stays.
#[test]
fn a_signal_leaves_no_draft() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 200_000));
    dir.run("filter build in -o new.crv --fpr 1e-9 --kind counting").text();
    let new = dir.read("new.crv");
    let (mut ended, mut done) = (0, 0);
    for turn in 0..60 {
        dir.write("f.crv", "old");
        let mut command = dir.command("filter build in -o f.crv --fpr 1e-9 --kind counting --force");
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Around the time when a draft is there, which it is for the better part of the second half.
        if turn % 2 == 0 {
            while dir.names().len() == 3 && !dir.names().iter().any(|name| name.starts_with(".f.crv.")) {
                if dir.read("f.crv") != b"old" {
                    break;
                }
            }
        } else {
            std::thread::sleep(std::time::Duration::from_millis(turn * 5));
        }
        let signal = if turn % 4 < 2 { "-TERM" } else { "-INT" };
        let _ = Command::new("kill").arg(signal).arg(child.id().to_string()).output().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(dir.names(), ["f.crv", "in", "new.crv"], "{output:?}");
        match output.status.code() {
            Some(0) => {
                assert!(dir.read("f.crv") == new, "success without the new file");
                done += 1;
            }
            Some(130 | 143) => {
                assert_eq!(dir.read("f.crv"), b"old");
                ended += 1;
            }
            // Before the command listens.
            None => assert_eq!(dir.read("f.crv"), b"old"),
            _ => panic!("{output:?}"),
        }
    }
    println!("{ended} ended, {done} done");
}
