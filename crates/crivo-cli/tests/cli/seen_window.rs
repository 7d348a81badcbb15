//! `crivo seen --window`: what came longer ago is forgotten.

use crate::support::{Dir, numbered};

/// By number: an equal record within the last four, in generations of one each. The one before may be remembered too.
#[test]
fn a_window_of_records() {
    let dir = Dir::new();
    let input = b"a\nb\na\nc\nd\na\ne\nf\ng\nh\nb\na\n";
    for jobs in [1, 3] {
        // `a` comes every few records and each time anew; the last one is six after, and so is forgotten.
        let run = dir.run_with(&format!("seen --window 4 --jobs {jobs}"), input);
        assert_eq!(run.text(), "a\nb\nc\nd\ne\nf\ng\nh\nb\na\n");
        assert_eq!(dir.run_with("seen --window 40", input).text(), "a\nb\nc\nd\ne\nf\ng\nh\n");
    }
    let numbers = numbered("n", 100_000).repeat(2);
    let once = dir.run_with("seen --window 1e5", numbers.as_bytes()).text();
    assert_eq!(once.lines().count(), 100_000, "each came 100,000 records ago");
    let twice = dir.run_with("seen --window 79_999", numbers.as_bytes()).text();
    assert_eq!(twice, numbers, "a window and a quarter ago");
    // However the stream is cut: a number that is asked for again is 0 to 2,999 records old.
    let lines: Vec<String> =
        (0..60_000u64).map(|i| format!("n{}\n", i.saturating_sub(i * i % 3000))).collect();
    let whole = dir.run_with("seen --window 1000 --state w.crv", lines.concat().as_bytes()).text();
    let part =
        |lines: &[String]| dir.run_with("seen --window 1000 --state c.crv", lines.concat().as_bytes()).text();
    let parts: String = lines.chunks(17_777).map(part).collect();
    assert!(parts == whole && whole.len() < lines.concat().len());
    assert_eq!(dir.read("c.crv"), dir.read("w.crv"));
}

#[test]
fn a_window_of_the_datas_time() {
    let dir = Dir::new();
    dir.write("in.csv", "t,k\n100,a\n159,a\n219,a\n279,b\n295,a\n250,b\n355,b\n431,b\n");
    let minute = dir.run("seen in.csv --column k --time t --window 1m").text();
    // a at 219 is a minute after the one before, and at 295 76 seconds: more than a window and a quarter, which begin at
    // multiples of 15 s. b at 250 comes late, as if at 295, and so 355 is within a minute; 431 is not.
    assert_eq!(minute, "t,k\n100,a\n279,b\n295,a\n431,b\n");
    dir.run("seen in.csv -c k --time t --window 1000").fails_with(&["--time needs a window of time"]);
    dir.run("seen in.csv -c k --time t").fails_with(&["--window"]);
    dir.run("seen in.csv -c k --time k --window 1m").fails_with(&["line 2", "'a' is not a time"]);
    dir.run("seen in.csv --window 0").fails_with(&["--window"]);
    dir.run("seen in.csv --window 1h --exact").fails_with(&["--exact"]);
    // Before anything of that size is made.
    for capacity in ["1e7", "1e10"] {
        let line = format!("seen in.csv --window 1h --capacity {capacity} --max-memory 1MiB");
        dir.run(&line).fails_with(&["the memory of the records seen takes", "--max-memory 1 MiB; raise it"]);
    }
}

#[test]
fn a_window_of_the_clock_outlives_the_command() {
    let dir = Dir::new();
    assert_eq!(dir.run_with("seen --window 1d --state s.crv", b"a\na\nb\n").text(), "a\nb\n");
    assert_eq!(dir.run_with("seen --window 1d --state s.crv", b"b\nc\na\n").text(), "c\n");
    assert!(dir.run("info s.crv").text().contains("windowed-bloom"));
    for (flags, words) in [
        ("", &["s.crv", "created with --window"][..]),
        ("--window 2d", &["another --window"]),
        ("--window 1d --fpr 0.01", &["another --window, --fpr"]),
        ("--window 1d --capacity 5", &["--capacity"]),
    ] {
        dir.run_with(&format!("seen --state s.crv {flags}"), b"x\n").fails_with(words);
    }
    dir.run_with("seen --state plain.crv", b"a\n").text();
    dir.run_with("seen --state plain.crv --window 1d", b"a\n").fails_with(&["created with no --window"]);
    // After a pause that is longer than the window, all is new.
    dir.run_with("seen --window 10ms --state short.crv", b"a\n").text();
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(dir.run_with("seen --window 10ms --state short.crv", b"a\n").text(), "a\n");
}
