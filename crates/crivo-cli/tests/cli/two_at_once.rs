//! Commands that change one file at the same time: no change is lost with exit code 0.

use crate::support::{Dir, Run, numbered};
use std::process::{Child, Stdio};

const AT_ONCE: usize = 8;
/// How many commands may end while another one begins.
const TRIES: usize = 500;

fn spawn(dir: &Dir, line: &str) -> Child {
    let mut command = dir.command(line);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs one command for each number at once. Returns the numbers of those that succeeded; the others have said why.
fn at_once(dir: &Dir, line: impl Fn(usize) -> String) -> Vec<usize> {
    let children: Vec<Child> = (0..AT_ONCE).map(|i| spawn(dir, &line(i))).collect();
    let runs = children.into_iter().enumerate().map(|(i, child)| {
        let run = Run::new(&line(i), child.wait_with_output().unwrap());
        if run.code != Some(0) {
            run.fails_with(&[".crv: ", "run the command again"]);
        }
        (i, run.code == Some(0))
    });
    let succeeded: Vec<usize> = runs.filter(|(_, success)| *success).map(|(i, _)| i).collect();
    assert!(!succeeded.is_empty());
    succeeded
}

#[test]
fn every_password_that_was_counted_is_there() {
    let dir = Dir::new();
    dir.write("p", "x\n".repeat(100));
    let add = "passwords add p --state s.crv --secret-file k";
    dir.run(add).text();
    let added = at_once(&dir, |_| add.into());
    let check = dir.run_with("passwords check --state s.crv --secret-file k --json", b"x\n").json();
    let times = 100.0 * (1 + added.len()) as f64;
    assert_eq!(check[0]["times"]["value"].as_f64(), Some(times), "{added:?}");
    assert_eq!(dir.names(), ["k", "p", "s.crv"]);
}

#[test]
fn every_item_that_was_inserted_is_there() {
    let dir = Dir::new();
    dir.write("first", numbered("first", 10));
    for kind in ["bloom", "cuckoo"] {
        let build = format!("filter build first -o f.crv --force --capacity 1e5 --kind {kind}");
        dir.run(&build).text();
        for i in 0..AT_ONCE {
            dir.write(&format!("in{i}"), numbered(&format!("{i}-"), 5_000));
        }
        for i in at_once(&dir, |i| format!("filter insert f.crv in{i}")) {
            let count = dir.run(&format!("filter query f.crv --keys in{i} --count")).text();
            assert_eq!(count, "5,000\n", "{kind}, in{i}");
        }
    }
}

#[test]
fn every_file_that_was_merged_or_read_is_in_the_sketch() {
    let dir = Dir::new();
    dir.write("first", numbered("first", 10));
    for i in 0..AT_ONCE {
        dir.write(&format!("in{i}"), numbered(&format!("{i}-"), 100));
        dir.run(&format!("distinct in{i} --save part{i}.crv")).text();
    }
    let merge = |i| format!("merge all.crv part{i}.crv -o all.crv --force");
    let go_on = |i| format!("distinct in{i} --from all.crv --save all.crv --force");
    for line in [&merge as &dyn Fn(usize) -> String, &go_on] {
        dir.run("distinct first --save all.crv --force").text();
        let done = at_once(&dir, line);
        let all = dir.run("distinct --from all.crv --json").json();
        let expected = 10.0 + 100.0 * done.len() as f64;
        assert_eq!(all[0]["distinct"]["value"].as_f64(), Some(expected), "{} {done:?}", line(0));
    }
}

/// Who has the file and waits for more does not keep others waiting for ever.
#[test]
fn a_file_in_use_is_waited_for_and_then_refused() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv").text();
    let mut command = dir.command("filter insert f.crv");
    let mut holder =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It has the lock when a second one does not get it at once; until then nothing tells.
    let mut runs = (0..TRIES).map(|_| dir.run("filter insert f.crv in"));
    let refused = runs.find(|run| run.code == Some(2)).expect("the first one has the lock");
    refused.fails_with(&["f.crv: another command is changing it; waiting", "run the command again later"]);
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    dir.run("filter insert f.crv in").text();
}

#[test]
fn who_keeps_to_no_lock_is_noticed() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv").text();
    let mut command = dir.command("filter insert f.crv in -");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Only who has read the filter waits; a second one that is refused tells.
    let mut tries = (0..TRIES).map(|_| spawn(&dir, "filter insert f.crv in").wait().unwrap());
    assert!(tries.any(|status| !status.success()), "the first one has the lock");
    dir.write("f.crv", "foreign");
    drop(child.stdin.take());
    Run::new("filter insert", child.wait_with_output().unwrap()).fails_with(&[
        "f.crv",
        "changed meanwhile",
        "not saved",
    ]);
    assert_eq!(dir.read("f.crv"), b"foreign");
}
