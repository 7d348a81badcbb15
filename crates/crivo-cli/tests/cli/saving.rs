use crate::support::{Dir, Run, numbered};
use std::process::Stdio;

#[test]
fn a_file_is_replaced_only_when_forced() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.write("old.crv", "precious");
    for verb in ["distinct in --save old.crv", "count in --save old.crv", "filter build in -o old.crv"] {
        dir.run(verb).fails_with(&["old.crv", "exists", "--force"]);
        assert_eq!(dir.read("old.crv"), b"precious", "{verb}");
    }
    dir.run("distinct in --save old.crv --force").text();
    dir.run("merge old.crv -o old.crv").fails_with(&["exists"]);
    dir.run("merge old.crv -o old.crv --force").text();
    assert_eq!(dir.names(), ["in", "old.crv"]);
}

#[test]
fn the_place_is_checked_before_anything_is_read() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("old.crv", "precious");
    for (target, word) in [
        ("old.crv", "exists"),
        ("no/such/x.crv", "no directory"),
        (".", "directory"),
        ("-", "standard output"),
        ("/dev/stdout", "standard output"),
    ] {
        // The input stays open: a command that wanted to read it first would wait for ever.
        let mut child = dir
            .command(&format!("distinct --save {target}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let open_input = child.stdin.take();
        Run::new(target, child.wait_with_output().unwrap()).fails_with(&[word]);
        drop(open_input);
    }
    assert_eq!(dir.names(), ["in", "old.crv"]);
}

#[test]
fn bad_input_leaves_nothing_behind() {
    let dir = Dir::new();
    dir.write("bad.jsonl", "1\n{\n");
    dir.run("distinct bad.jsonl --save new.crv").fails_with(&["bad.jsonl: line 2"]);
    dir.run("filter build bad.jsonl -o new.crv").fails_with(&["bad.jsonl: line 2"]);
    assert_eq!(dir.names(), ["bad.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 2_000));
    let run = dir.run("distinct in --save /dev/full");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("/dev/full: not saved"), "{}", run.stderr);
    assert!(String::from_utf8_lossy(&run.stdout).contains("distinct"), "the answer is not lost");
    dir.run("filter build in -o /dev/full").fails_with(&["/dev/full: not saved"]);
    for line in ["distinct in --save /dev/full --json", "count in --key x1 --save /dev/full --json"] {
        let run = dir.run(line);
        let last = run.stdout.split_inclusive(|&byte| byte == b'\n').next_back().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(last).unwrap();
        assert_eq!((run.code, &answer["saved"]), (Some(2), &serde_json::Value::Null), "{line}");
    }
    assert_eq!(dir.names(), ["in"]);

    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = dir.command("distinct in").stdin(Stdio::null()).stdout(full).output().unwrap();
    let run = Run::new("distinct in > /dev/full", output);
    run.fails_with(&["standard output: No space left"]);
}

/// A limit on the size of files stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let dir = Dir::new();
    dir.write("in", numbered("x", 20_000));
    dir.write("old.crv", "precious");
    for target in ["new.crv", "old.crv"] {
        let crivo = env!("CARGO_BIN_EXE_crivo");
        let script = format!("trap '' XFSZ; ulimit -f 2; exec '{crivo}' filter build in -o {target} --force");
        let mut shell = std::process::Command::new("sh");
        let output = shell.arg("-c").arg(&script).current_dir(dir.path("")).output().unwrap();
        Run::new(&script, output).fails_with(&[target, "not saved"]);
        assert_eq!(dir.names(), ["in", "old.crv"]);
        assert_eq!(dir.read("old.crv"), b"precious");
    }
}

/// An answer of what was counted would be wrong.
#[cfg(target_os = "linux")]
#[test]
fn passwords_that_were_not_saved_are_not_said_to_be_added() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    for flags in ["", "--json"] {
        let crivo = env!("CARGO_BIN_EXE_crivo");
        let add = format!("'{crivo}' passwords add in --state s.crv --secret-file k {flags}");
        let script = format!("trap '' XFSZ; ulimit -f 2; exec {add}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.arg("-c").arg(&script).current_dir(dir.path("")).output().unwrap();
        let run = Run::new(&script, output);
        run.fails_with(&["s.crv: not saved"]);
        assert_eq!(String::from_utf8_lossy(&run.stdout), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_save_is_told_even_when_nobody_reads_the_answer() {
    let dir = Dir::new();
    for line in ["distinct --save /dev/full", "count --save /dev/full"] {
        let mut command = dir.command(line);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"a\nb\n").unwrap();
        Run::new(line, child.wait_with_output().unwrap()).fails_with(&["/dev/full: not saved"]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_may_be_read_by_those_who_may_read_other_new_files() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.run("distinct in --save s.crv").text();
    let [plain, sketch] =
        ["in", "s.crv"].map(|name| std::fs::metadata(dir.path(name)).unwrap().permissions().mode());
    assert_eq!(sketch, plain);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let dir = Dir::new();
    dir.write("in", "a\n");
    dir.write("real.crv", "old");
    std::os::unix::fs::symlink("real.crv", dir.path("link.crv")).unwrap();
    dir.run("distinct in --save link.crv --force").text();
    assert!(std::fs::symlink_metadata(dir.path("link.crv")).unwrap().is_symlink());
    assert!(dir.read("real.crv").starts_with(b"CRVO"));
    std::os::unix::fs::symlink("later.crv", dir.path("ahead.crv")).unwrap();
    dir.run("distinct in --save ahead.crv").text();
    assert!(std::fs::symlink_metadata(dir.path("ahead.crv")).unwrap().is_symlink());
    assert!(dir.read("later.crv").starts_with(b"CRVO"));
}

#[test]
fn the_input_is_never_replaced() {
    let dir = Dir::new();
    let text = "id,name\n1,a\n2,b\n";
    dir.write("in.csv", text);
    for line in [
        "profile in.csv --save in.csv --force",
        "profile in.csv --html ./in.csv --force",
        "distinct in.csv --save in.csv --force",
        "sample in.csv -k 1 --save in.csv --force",
        "filter build in.csv -o in.csv --force",
    ] {
        dir.run(line).fails_with(&["in.csv", "another file"]);
        assert_eq!(dir.read("in.csv"), text.as_bytes(), "{line}");
    }
    dir.write_key("key", [7; 16]);
    dir.run("distinct in.csv --secret-file key --save key --force").fails_with(&["key", "another file"]);
    assert_eq!(dir.read("key"), [7; 16]);
}

#[cfg(unix)]
#[test]
fn standard_input_is_never_replaced() {
    let dir = Dir::new();
    let text = "1,2\n2,3\n";
    dir.write("in.csv", text);
    std::fs::hard_link(dir.path("in.csv"), dir.path("same.csv")).unwrap();
    std::os::unix::fs::symlink("in.csv", dir.path("link.csv")).unwrap();
    for line in [
        "profile --save in.csv --force",
        "profile --html in.csv --force",
        "distinct --save in.csv --force",
        "distinct - --save link.csv --force",
        "distinct /dev/stdin --save in.csv --force",
        "distinct --save same.csv --force",
        "count --save in.csv --force",
        "top --save in.csv --force",
        "quantiles --save in.csv --force",
        "sample -k 1 --save in.csv --force",
        "similar - --save in.csv --force",
        "seen --state in.csv",
        "filter build -o in.csv --force",
        "values build --no-header --key 1 --value 2 -o in.csv --force",
        "graph build -o in.csv --force",
        "merge - -o in.csv --force",
    ] {
        dir.write("in2.csv", "3\n");
        let stdin = std::fs::File::open(dir.path("in.csv")).unwrap();
        let output = dir.command(line).stdin(stdin).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert_eq!(dir.read("in.csv"), text.as_bytes(), "{line}");
        let is_no_state = line.starts_with("seen");
        assert!(said.contains("another file") || is_no_state, "{line}: {said}");
    }
}
