//! The files of a reader's own that the recipes of the README ask for.

use std::fmt::Write;

/// Returns this many lines, each made from its number.
fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    (0..number).map(|i| line(i) + "\n").collect()
}

/// Their names and contents.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    let day = |seed: usize| {
        let mut table = String::from("user,ms\n");
        for row in 0..1000 {
            writeln!(table, "u{},{}", row * seed % 97, row * seed % 53).unwrap();
        }
        table
    };
    let text =
        |i: usize| format!("{{\"id\":{i},\"text\":\"a sieve is a simple tool for number {}\"}}", i / 2);
    let log = |i: usize| {
        format!("10.0.0.{} - - [01/Mar/2026:10:00:{:02} +0000] \"GET / HTTP/1.1\" 200 512", i % 7, i % 60)
    };
    vec![
        ("access.log", lines(100, log)),
        ("corpus.jsonl", lines(20, text)),
        ("monday.csv", day(31)),
        ("tuesday.csv", day(37)),
        ("app.log", lines(100, |i| format!("level=info ms={i}"))),
        ("orders.csv", format!("customer,total\n{}", lines(50, |i| format!("c{},{i}", i % 9)))),
        ("customers.csv", format!("customer,country\n{}", lines(9, |i| format!("c{i},PT")))),
        ("known.txt", lines(100, |i| format!("item {i}"))),
        ("today.txt", lines(20, |i| format!("item {}", i * 10))),
    ]
}
