//! The memory ceiling: what is read does not stay.

use crate::support::Dir;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// The most memory that the command has held, in KiB, when it has taken in so many different lines.
fn peak(verb: &str, lines: u32) -> u64 {
    let dir = Dir::new();
    // The step ends with the last line: when its answer comes, all has been taken in, and the command waits for more.
    let mut child = dir
        .command(&format!("{verb} --jobs 2 --every {lines}"))
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
    stdout.read_line(&mut answer).unwrap();
    assert!(answer.contains("items"), "{verb}: {answer}");
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().strip_suffix("kB").unwrap().trim().parse().unwrap();
    drop(writer.join().unwrap());
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    peak
}

/// From 10⁵ to 10⁷ lines, at most the pieces of input come on top that a short stream may never have needed: two for
/// each of two threads, each of 256 KiB with some 30,000 lines, whose hashes, places and numbers take 24 bytes each.
#[test]
fn memory_is_flat() {
    const PIECES: u64 = 4 * (256 + 30 * 24);
    for verb in ["distinct", "top", "quantiles"] {
        let [few, many] = [100_000, 10_000_000].map(|lines| peak(verb, lines));
        println!("{verb}: {few} KiB at 10^5 lines, {many} KiB at 10^7");
        assert!(many <= few + PIECES, "{verb}: {few} KiB at 10^5 lines, {many} KiB at 10^7");
    }
}
