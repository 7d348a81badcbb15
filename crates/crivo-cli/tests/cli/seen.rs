//! `crivo seen`: each record once.

use crate::support::{Dir, data, gzip, numbered};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};

/// The first of each line, by a set that keeps them all.
fn once(text: &[u8]) -> Vec<u8> {
    let mut seen = HashSet::new();
    text.split_inclusive(|&byte| byte == b'\n').filter(|line| seen.insert(*line)).flatten().copied().collect()
}

fn gunzip(path: &str) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut text).unwrap();
    text
}

#[test]
fn bytes_order_and_line_ends_stay() {
    let dir = Dir::new();
    for (input, output) in [
        (&b"b\na\nb\n\n\na\nc"[..], &b"b\na\n\nc\n"[..]),
        (b"a\r\nb\r\na\r\n", b"a\r\nb\r\n"),
        // A carriage return belongs to the line end: the lines are equal, and the first is printed as it was.
        (b"a\r\na\n", b"a\r\n"),
        (b"\x80\xfe\n\xff\n\x80\xfe\n", b"\x80\xfe\n\xff\n"),
        (b"a\0b\na\0b\n", b"a\0b\n"),
        (b"", b""),
        (b"\n", b"\n"),
        (b"a", b"a\n"),
    ] {
        for flags in ["", "--exact", "--jobs 1", "--fpr 1e-8 --capacity 100"] {
            let run = dir.run_with(&format!("seen --format lines {flags}"), input);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{flags}");
            assert_eq!(run.stdout.escape_ascii().to_string(), output.escape_ascii().to_string(), "{flags}");
        }
    }
    let run = dir.run_with("seen --null", b"a\nb\0a\0a\nb\0c");
    assert_eq!(run.stdout, b"a\nb\0a\0c\0");
}

#[test]
fn several_files_are_one_stream() {
    let dir = Dir::new();
    dir.write("one", "a\nb");
    dir.write("two.gz", gzip(b"b\nc\na\nd\n"));
    assert_eq!(dir.run("seen one two.gz").text(), "a\nb\nc\nd\n");
    assert_eq!(dir.run_with("seen one - two.gz", b"d\nb\n").text(), "a\nb\nd\nc\n");
}

#[test]
fn a_column_decides() {
    let dir = Dir::new();
    dir.write("a.csv", "user,page\nu1,\"x\ny\"\nu2,p\n\nu1,q\n,r\n,s\nu3,t\n");
    dir.write("b.csv", "user,page\nu3,t\nu4,u\n");
    let first = "user,page\nu1,\"x\ny\"\nu2,p\n\n,r\n,s\nu3,t\n";
    assert_eq!(dir.run("seen a.csv --column user").text(), first);
    assert_eq!(dir.run("seen a.csv b.csv --column user --exact").text(), format!("{first}u4,u\n"));
    // Whole records, whatever their quotes.
    let run = dir.run_with("seen --format csv", b"user,page\na,b\n\"a\",b\na,\"b\"\n");
    assert_eq!(run.text(), "user,page\na,b\n");
    let run = dir
        .run_with("seen --format jsonl -c user.id", b"{\"user\":{\"id\":1}}\n{\"user\": {\"id\": 1}}\n{}\n");
    assert_eq!(run.text(), "{\"user\":{\"id\":1}}\n{}\n");
    dir.write("c.csv", "page,user\nq,u9\n");
    let run = dir.run("seen a.csv c.csv --column user");
    assert!(run.code == Some(2) && run.stderr.contains("c.csv: the header differs"), "{run:?}");
}

#[test]
fn real_data_pass_as_through_a_set() {
    let dir = Dir::new();
    for name in ["logs/apache_logs.gz", "words/dwyl-words.txt.gz"] {
        let Some(path) = data(name) else { continue };
        let text = gunzip(&path);
        // Words are different, lines of a log are not all: twice over, and fields of them.
        let words: Vec<u8> = text.iter().map(|&byte| if byte == b' ' { b'\n' } else { byte }).collect();
        for text in [&text, &words, &[&text[..], &words].concat()] {
            dir.write("in", text);
            let expected = once(text);
            for flags in ["--fpr 1e-9", "--exact", "--fpr 1e-8 --jobs 3 --capacity 1e6"] {
                let run = dir.run(&format!("seen in {flags}"));
                assert_eq!(run.code, Some(0), "{run:?}");
                assert!(run.stdout == expected, "{name}: {flags}");
            }
        }
    }
}

/// Lines that differ, in no order, of ten bytes with the line end.
fn line(number: u32) -> String {
    format!("{:09x}\n", u64::from(number.wrapping_mul(2_654_435_761)))
}

/// The stated rate: over 10⁷ distinct lines, each of which comes twice, at most as many are lost as chance allows with
/// 10⁻⁶ of false alarms, and none passes twice.
#[test]
fn no_more_is_lost_than_stated() {
    const LINES: u32 = 10_000_000;
    for (flags, fpr) in [("--fpr 0.001", 1e-3), ("--fpr 0.0001 --capacity 1e7", 1e-4)] {
        let dir = Dir::new();
        let mut command = dir.command(&format!("seen --stats {flags}"));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            for block in (0..LINES / 1000).chain(0..LINES / 1000) {
                let text: String = (block * 1000..(block + 1) * 1000).map(line).collect();
                stdin.write_all(text.as_bytes()).unwrap();
            }
        });
        let mut stdout = child.stdout.take().unwrap();
        let passed = std::io::copy(&mut stdout, &mut std::io::sink()).unwrap() / line(0).len() as u64;
        writer.join().unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        let lost = u64::from(LINES) - passed;
        let most = crivo::stats::binomial_quantile(LINES.into(), fpr, 1.0 - 1e-6);
        println!("{flags}: {lost} of {LINES} lines lost, {most} allowed: {said}");
        assert!(lost as f64 <= most, "{flags}: {lost} lost, {most} allowed");
        let numbers: Vec<f64> =
            said.replace(',', "").split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [records, told, held_back, expected] = numbers[..4] else { panic!("{said}") };
        assert_eq!((records, told), (2.0 * f64::from(LINES), passed as f64), "{said}");
        assert_eq!(held_back, records - told, "{said}");
        // A number of rare events has a variance as large as its mean; the reported mean is a little too high. Five
        // deviations.
        assert!(
            (lost as f64 - expected).abs() < 0.2 * expected + 5.0 * expected.sqrt() + 1.0,
            "{lost}: {said}"
        );
    }
}

/// Repeats take no memory: from 10⁵ to 10⁷ lines of 10³ distinct ones, at most the pieces of input come on top that a
/// short stream may never have needed. Two threads have two each, of 256 KiB with some 26,000 lines, whose hashes, places
/// and answers take 21 bytes each, in lists that may have doubled.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_flat() {
    const PIECES: u64 = 4 * (256 + 26 * 2 * 21);
    let peak = |lines: u32| {
        let dir = Dir::new();
        let (mut child, mut stdin, mut stdout) = start(&dir, "seen --jobs 2");
        let writer = std::thread::spawn(move || {
            for _ in 0..lines / 1000 {
                let text: String = (0..1000).map(line).collect();
                stdin.write_all(text.as_bytes()).unwrap();
            }
            stdin.write_all(b"the last\n").unwrap();
            stdin
        });
        let mut answer = String::new();
        while answer != "the last\n" {
            answer.clear();
            stdout.read_line(&mut answer).unwrap();
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak = peak.trim().strip_suffix("kB").unwrap().trim().parse::<u64>().unwrap();
        drop(writer.join().unwrap());
        assert!(child.wait().unwrap().success());
        peak
    };
    let [least, most] = [100_000, 10_000_000].map(peak);
    println!("{least} KiB at 10⁵ lines, {most} KiB at 10⁷");
    assert!(most <= least + PIECES, "{least} KiB at 10⁵ lines, {most} KiB at 10⁷");
}

#[test]
fn statistics() {
    let dir = Dir::new();
    dir.write("in.csv", "k,v\na,1\na,2\n,3\nb,4\n");
    let run = dir.run("seen in.csv --column k --stats");
    assert_eq!((run.code, run.stdout), (Some(0), b"k,v\na,1\n,3\nb,4\n".to_vec()));
    let said: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(said[0], "crivo: 4 records: 3 passed, 1 held back");
    assert_eq!(said[1], "crivo: 1 record without a value passed unchecked");
    assert!(said[2].starts_with("crivo: new records lost: ") && said.len() == 3, "{said:?}");
    let run = dir.run("seen in.csv --column k --stats --exact");
    assert!(run.stderr.ends_with("crivo: no new record was mistaken for a known one\n"), "{run:?}");
    let answers = dir.run("seen in.csv --column k --json").json();
    let records: Vec<&str> = answers[..3].iter().map(|answer| answer["record"].as_str().unwrap()).collect();
    assert_eq!(records, ["a,1", ",3", "b,4"]);
    assert_eq!((&answers[3]["type"], &answers[3]["held_back"]), (&"seen".into(), &1.into()));
}

fn start(dir: &Dir, line: &str) -> (Child, ChildStdin, impl BufRead + use<>) {
    let mut command = dir.command(line);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    (child, stdin, stdout)
}

#[test]
fn a_slow_pipe_gets_its_lines_at_once() {
    let dir = Dir::new();
    for flags in ["", "--jobs 1", "--exact", "--state s.crv --save-every 1"] {
        let (mut child, mut stdin, mut stdout) = start(&dir, &format!("seen {flags}"));
        for line in ["a\n", "b\n", "c\n"] {
            // The repeat is held back, so that the next answer is that of the next line.
            stdin.write_all(format!("{line}{line}").as_bytes()).unwrap();
            let mut answer = String::new();
            stdout.read_line(&mut answer).unwrap();
            assert_eq!(answer, line, "{flags}");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_state_goes_on() {
    let dir = Dir::new();
    assert_eq!(dir.run_with("seen --state s.crv", b"a\nb\n").text(), "a\nb\n");
    assert_eq!(dir.run_with("seen --state s.crv", b"b\nc\na\n").text(), "c\n");
    let state = dir.read("s.crv");
    assert_eq!(dir.run_with("seen --state s.crv --fpr 0.000001", b"a\nc\n").text(), "");
    assert_eq!(dir.read("s.crv"), state, "nothing is new");
    assert_eq!(dir.run_with("filter query s.crv", b"x\nc\n").text(), "c\n");
    assert!(dir.run("info s.crv").text().contains("hash-compaction"));
    assert_eq!(dir.names(), ["s.crv"]);
    for (flags, words) in [
        ("--fpr 0.0000001", &["s.crv", "created with a higher --fpr", "start another"][..]),
        ("--capacity 7", &["s.crv", "created with no --capacity"]),
        ("--seed 7", &["s.crv", "another seed or key", "--seed"]),
        ("--max-memory 1k", &["--max-memory"]),
        ("--exact", &["--exact", "--state"]),
    ] {
        dir.run_with(&format!("seen --state s.crv {flags}"), b"new\n").fails_with(words);
    }
    assert_eq!(dir.read("s.crv"), state, "a refused call changes nothing");
    dir.write("filter", "x\n");
    dir.run("filter build filter -o f.crv").text();
    dir.run_with("seen --state f.crv", b"x\n").fails_with(&["f.crv", "bloom-filter", "not a state"]);
    dir.run_with("seen --state filter", b"x\n").fails_with(&["filter", "not"]);
    dir.run_with("seen s.crv --state s.crv", b"x\n").fails_with(&["s.crv", "is read and would be replaced"]);
    dir.run_with("seen --state no/s.crv", b"x\n").fails_with(&["no/s.crv", "there is no directory"]);
    dir.run_with("seen --save-every 5", b"x\n").fails_with(&["--state"]);
}

#[test]
fn a_planned_state() {
    let dir = Dir::new();
    let planned = "seen --state s.crv --capacity 1000 --fpr 0.001";
    assert_eq!(dir.run_with(planned, b"a\nb\n").text(), "a\nb\n");
    assert_eq!(dir.run_with(planned, b"b\nc\n").text(), "c\n");
    assert_eq!(dir.run_with("seen --state s.crv", b"d\nc\n").text(), "d\n");
    for flags in ["--capacity 1100 --fpr 0.001", "--capacity 1000", "--capacity 1000 --fpr 0.0001"] {
        let run = dir.run_with(&format!("seen --state s.crv {flags}"), b"new\n");
        run.fails_with(&["s.crv", "created with another --capacity or --fpr"]);
    }
    let run = dir.run_with(planned, numbered("line ", 3000).as_bytes());
    assert!(run.code == Some(0) && run.stderr.contains("with a larger --capacity"), "{}", run.stderr);
    let quiet = dir.run_with(&format!("{planned} --quiet"), numbered("more ", 3000).as_bytes());
    assert!(quiet.code == Some(0) && quiet.stderr.is_empty(), "{quiet:?}");
    dir.run("seen --capacity 1e15").fails_with(&["leave out --capacity"]);
    dir.run("seen --capacity 0").fails_with(&["--capacity"]);
    dir.run("seen --capacity 1e8 --max-memory 1MiB").fails_with(&["--max-memory"]);
}

#[test]
fn a_state_with_a_key() {
    let dir = Dir::new();
    dir.write_key("key", "0123456789abcdef");
    dir.write("other", "0123456789abcdeF");
    let keyed = "seen --state s.crv --secret-file";
    assert_eq!(dir.run_with(&format!("{keyed} key"), b"a\n").text(), "a\n");
    assert_eq!(dir.run_with(&format!("{keyed} key"), b"a\nb\n").text(), "b\n");
    dir.run_with(&format!("{keyed} other"), b"b\n").fails_with(&["key"]);
    dir.run_with("seen --state s.crv", b"b\n").fails_with(&["--secret-file"]);
    dir.run_with("seen --state plain.crv", b"a\n").text();
    dir.run_with("seen --state plain.crv --secret-file key", b"b\n").fails_with(&["another seed or key"]);
}

/// What passed before an error in the data is known; what nobody has got is not.
#[test]
fn a_state_knows_what_was_written_out() {
    let dir = Dir::new();
    let run = dir.run_with("seen --format jsonl --state s.crv --jobs 1", b"1\n2\n");
    assert_eq!(run.text(), "1\n2\n");
    dir.write("good.jsonl", "3\n");
    dir.write("bad.jsonl", "4\nx\n");
    let run = dir.run("seen good.jsonl bad.jsonl --state s.crv");
    assert_eq!((run.code, run.stdout.as_slice()), (Some(2), &b"3\n"[..]), "{run:?}");
    dir.write("good.jsonl", "1\n2\n3\n4\n");
    assert_eq!(dir.run("seen good.jsonl --state s.crv").text(), "4\n");

    dir.write("in", numbered("some longer line of text ", 200_000));
    let (mut child, stdin, stdout) = start(&dir, "seen in --state t.crv");
    drop((stdin, stdout));
    assert!(child.wait().unwrap().success());
    assert!(!dir.path("t.crv").exists(), "nobody has got a line");

    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = dir.command("seen in --state t.crv").stdout(full).stderr(Stdio::null()).status().unwrap();
    assert!(status.code() == Some(2) && !dir.path("t.crv").exists());
}

/// A limit that is reached in mid-stream: what passed is known, and the rest can follow.
#[test]
fn memory_that_runs_out_is_told() {
    let dir = Dir::new();
    let text = numbered("line ", 400_000);
    dir.write("in", &text);
    let run = dir.run("seen in --max-memory 1MiB --state s.crv");
    assert_eq!(run.code, Some(2));
    let words = ["the rest of the input was not read", "--max-memory 1 MiB; raise it"];
    assert!(words.iter().all(|word| run.stderr.contains(word)), "{}", run.stderr);
    let passed = String::from_utf8_lossy(&run.stdout).lines().count();
    assert!(passed > 30_000 && text.as_bytes().starts_with(&run.stdout), "{passed}");
    let rest = dir.run("seen in --state s.crv").text();
    assert!(text[run.stdout.len()..] == rest);
    let run = dir.run("seen in --exact --max-memory 2MiB");
    assert!(run.code == Some(2) && run.stderr.contains("leave out --exact"), "{}", run.stderr);
}

/// Killed in mid-stream and started again from the beginning: nothing is lost, and only what passed since the last save
/// passes again.
#[cfg(unix)]
#[test]
fn a_killed_command_repeats_no_more_than_it_had_not_saved() {
    const SAVED: usize = 20_000;
    let dir = Dir::new();
    let text = numbered("a line that comes again ", 500_000);
    dir.write("in", &text);
    let line = format!("seen --state s.crv --save-every {SAVED}");
    let (mut child, mut stdin, mut stdout) = start(&dir, &line);
    let sent = text.clone();
    let writer = std::thread::spawn(move || {
        // Ends with the command.
        let _ = stdin.write_all(sent.as_bytes());
        stdin
    });
    // More than two saves, and a pipe that holds the rest of what is written until the end.
    let mut before = vec![0; 3 << 20];
    stdout.read_exact(&mut before).unwrap();
    child.kill().unwrap();
    stdout.read_to_end(&mut before).unwrap();
    child.wait().unwrap();
    drop(writer.join().unwrap());
    assert!(dir.path("s.crv").exists(), "it has been saved");
    let before = String::from_utf8(before).unwrap();
    assert!(text.starts_with(&before) && before.len() < text.len(), "it was killed in mid-stream");

    let after = dir.run("seen in --state s.crv").text();
    let whole = &before[..=before.rfind('\n').unwrap()];
    let (first, again) = (whole.lines().count(), after.lines().count());
    assert!(
        text.ends_with(&after),
        "no line is missing, and what passes again is the end of what passed before"
    );
    let repeated = first + again - 500_000;
    println!("{first} lines passed, then {again}: {repeated} of them again");
    // A save comes with the end of a batch, of 256 KiB at most; another may be on its way.
    assert!(repeated <= SAVED + 2 * (256 << 10) / 24, "{repeated} lines passed again");
    assert_eq!(dir.run("seen in --state s.crv").text(), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_state() {
    let dir = Dir::new();
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (mut child, mut stdin, mut stdout) = start(&dir, &format!("seen --state s{code}.crv"));
        stdin.write_all(b"a\nb\n").unwrap();
        for _ in 0..2 {
            stdout.read_line(&mut String::new()).unwrap();
        }
        let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        drop(stdin);
        assert_eq!(dir.run_with(&format!("seen --state s{code}.crv"), b"b\nc\na\n").text(), "c\n");
    }
}

/// Of two commands with one state, the one that finds it changed says so.
#[test]
fn two_commands_with_one_state() {
    let dir = Dir::new();
    let (child, mut stdin, mut stdout) = start(&dir, "seen --state s.crv --save-every 1h");
    stdin.write_all(b"a\n").unwrap();
    stdout.read_line(&mut String::new()).unwrap();
    dir.run_with("seen --state s.crv", b"b\n").text();
    let state = dir.read("s.crv");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(dir.read("s.crv"), state);
}
