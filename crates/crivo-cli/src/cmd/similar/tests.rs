//! `crivo similar`, on small files.

use super::*;
use crate::testing::{Folder, printed, run};
use std::ops::Range;

fn lines(range: Range<u32>) -> String {
    range.map(|i| i.to_string() + "\n").collect()
}

#[test]
fn two_files_are_compared_as_sets_of_lines() {
    let folder = Folder::new();
    let few = [folder.write("c", lines(0..8_192)), folder.write("d", lines(4_096..12_288).repeat(2))];
    assert_eq!(printed::<Similar>(&[&few[0], &few[1]]).1, "similarity 0.333  (exact)\n");
    let a = folder.write("a", lines(0..30_000));
    let b = folder.write("b", lines(10_000..40_000).repeat(2));
    let (_, text) = printed::<Similar>(&[&a, &b]);
    assert!(text.starts_with("similarity 0.") && text.contains("  (95 %: 0."), "{text}");
    assert_eq!(text.lines().count(), 1);
    assert_eq!(printed::<Similar>(&[&a, &b, "--exact"]).1, "similarity 0.500  (exact)\n");
    assert_eq!(printed::<Similar>(&[&a, &a, "--exact"]).1, "similarity 1.000  (exact)\n");
    let (_, json) = printed::<Similar>(&[&a, &b, "--exact", "--json"]);
    let bar = r#"{"value":0.5,"lower":0.5,"upper":0.5,"exact":true,"guarantee":"certain","confidence":1}"#;
    let names = format!(r#""a":"{a}","b":"{b}""#);
    assert_eq!(json, format!("{{\"type\":\"similarity\",{names},\"similarity\":{bar}}}\n"));
}

#[test]
fn the_error_is_as_asked() {
    let folder = Folder::new();
    let (a, b) = (folder.write("a", lines(0..30_000)), folder.write("b", lines(10_000..40_000)));
    let bar = |flags: &[&str]| {
        let (_, json) = printed::<Similar>(&[&[&*a, &b, "--json"], flags].concat());
        let pair: serde_json::Value = serde_json::from_str(&json).unwrap();
        ["lower", "value", "upper"].map(|name| pair["similarity"][name].as_f64().unwrap())
    };
    let [lower, value, upper] = bar(&[]);
    assert!(lower < value && value < upper && (value - 0.5).abs() < 0.04, "within twice the error: {value}");
    assert!(upper - lower <= 0.0401, "the default error is 0.02: {lower} to {upper}");
    let width = |error: &str| {
        let [lower, _, upper] = bar(&["--error", error]);
        upper - lower
    };
    assert!(width("0.1") > 4.0 * width("0.01"));
}

#[test]
fn columns_and_texts_are_sets_too() {
    let folder = Folder::new();
    let exact = |words: &[&str]| printed::<Similar>(&[words, &["--exact"]].concat()).1;
    let a = folder.write("a.csv", "user,page\nann,1\nbob,2\n,3\n");
    let b = folder.write("b.jsonl", "{\"user\":\"bob\"}\n{\"user\":\"cid\"}\n");
    let told = format!("similarity 0.333  (exact)\n1 missing value of {a} left out\n");
    assert_eq!(exact(&[&a, &b, "--column", "user"]), told);
    assert_eq!(exact(&[&a, &b, "--column", "user", "--quiet"]), "similarity 0.333  (exact)\n");
    let a = folder.write("a.txt", "It was the best of times,\nit was the worst of times.");
    let b = folder.write("b.txt", "IT WAS THE BEST OF TIMES; it was the blurst of times");
    assert_eq!(exact(&[&a, &b, "--shingle", "words:3"]), "similarity 0.500  (exact)\n");
    assert_eq!(exact(&[&a, &b, "--shingle", "words:1"]), "similarity 0.750  (exact)\n");
    let cased = exact(&[&a, &b, "--shingle", "words:1", "--normalise", "none"]);
    assert!(*cased < *"similarity 0.750", "{cased}");
    // With a column, the texts of all records together.
    let table = folder.write("t.csv", "text\nit was the best of times\nit was the worst of times\n");
    let text = exact(&[&table, &table, "--column", "text", "--shingle", "words:2"]);
    assert_eq!(text, "similarity 1.000  (exact)\n");
}

#[test]
fn a_saved_sketch_says_nothing_of_runs() {
    let folder = Folder::new();
    let (text, saved) = (folder.write("text", "one two three four one two three"), folder.path("t.crv"));
    let (_, told) = printed::<Similar>(&[&text, "--shingle", "words:3", "--save", &saved]);
    assert!(told.starts_with(&format!("{saved}: one-permutation of 5 items, ")), "runs of words: {told}");
    for (flags, remarks) in [(&[][..], 1), (&["--json"], 1), (&["--quiet"], 0)] {
        let words = [&[&*saved, &text, "--shingle", "words:3"], flags].concat();
        let (report, recorded) = run::<Similar>(&words).unwrap();
        recorded.session.finish(&report).unwrap();
        assert_eq!(recorded.remarks().len(), remarks, "{flags:?}");
        let printed = recorded.printed();
        assert!(printed.contains("similarity 1.000") || printed.contains("\"value\":1,"), "{printed}");
    }
}

/// Lopes 2017, 2.3.6: {a, d, e} and {b, c, d, e}. As sets they share 2 of 5 items.
#[test]
fn few_items_are_compared_exactly_by_every_kind() {
    let folder =
        Folder::with(&[("a", "a\nd\ne\n"), ("b", "b\nc\nd\ne\n"), ("none", "x\n"), ("aa", "a\na\nd\n")]);
    let printed = |line: &str| folder.printed::<Similar>(line);
    for kind in ["one-permutation", "minhash", "b-bit", "weighted"] {
        assert_eq!(printed(&format!("@a @b --kind {kind}")), "similarity 0.400  (exact)\n", "{kind}");
    }
    let both = &folder.json::<Similar>("@a @b --kind simhash --json")[0];
    let value = |name: &str| both[name]["value"].as_f64().unwrap();
    assert!(
        (value("similarity") - 0.695_913).abs() < 1e-6 && (value("cosine") - 1.0 / 3f64.sqrt()).abs() < 1e-12
    );
    assert_eq!(printed("@a @none --kind simhash"), "similarity 0.500  (exact)\ncosine     0.000  (exact)\n");
    assert_eq!(printed("@a @a --kind simhash"), "similarity 1.000  (exact)\ncosine     1.000  (exact)\n");
    // Two of five: a, d and e against twice a and d.
    assert_eq!(printed("@a @aa --kind weighted"), "similarity 0.500  (exact)\n");
    assert_eq!(printed("@a @aa --kind minhash"), "similarity 0.667  (exact)\n");
}

/// A third, with an error of at most 0.05 at 95 %: outside of twice that once in about 10,000 draws, and the hash is fixed.
#[test]
fn many_items_are_estimated_by_every_kind() {
    let folder = Folder::with(&[("a", &lines(0..20_000)), ("b", &lines(10_000..30_000))]);
    for (kind, truth) in
        [("minhash", 1.0 / 3.0), ("b-bit", 1.0 / 3.0), ("weighted", 1.0 / 3.0), ("simhash", 2.0 / 3.0)]
    {
        folder.printed::<Similar>(&format!("@a --kind {kind} --error 0.05 --save @{kind}-a.crv"));
        folder.printed::<Similar>(&format!("@b --kind {kind} --error 0.05 --save @{kind}-b.crv"));
        let answer = |line: &str| folder.json::<Similar>(&format!("{line} --json"))[0]["similarity"].clone();
        let direct = answer(&format!("@a @b --kind {kind} --error 0.05"));
        let value = |name: &str| direct[name].as_f64().unwrap();
        assert!((value("value") - truth).abs() < 0.1, "{kind}: {direct}");
        assert!(
            value("upper") - value("lower") <= 0.105 && value("lower") < value("value"),
            "{kind}: {direct}"
        );
        assert_eq!(answer(&format!("@{kind}-a.crv @{kind}-b.crv")), direct, "{kind}: both saved");
        assert_eq!(answer(&format!("@{kind}-a.crv @b")), direct, "{kind}: one saved");
    }
}

#[test]
fn weights_are_for_the_kinds_that_have_them() {
    let table = |rows: &str| format!("item,n\n{rows}");
    let (a, b) = (table("tea,3\nrice,1\nbread,0.5\n"), table("tea,2\nrice,2\ndates,0.25\n"));
    let folder =
        Folder::with(&[("a.csv", &a), ("b.csv", &b), ("c.csv", &table("tea,-3\nrice,-1\nbread,-0.5\n"))]);
    let line = "@a.csv @b.csv --column item --weight n";
    // (2 + 1) of (3 + 2 + 0.5 + 0.25).
    assert_eq!(folder.printed::<Similar>(&format!("{line} --kind weighted")), "similarity 0.522  (exact)\n");
    let opposite = "@a.csv @c.csv --column item --weight n --kind";
    assert!(
        folder.printed::<Similar>(&format!("{opposite} simhash")).ends_with("cosine     -1.000  (exact)\n")
    );
    for (line, expected) in [
        (line.to_owned(), "--kind weighted"),
        (format!("{opposite} weighted"), "from 0 on"),
        (format!("{line} --kind simhash --error 0.001"), "0.0311"),
        ("@a.csv @b.csv --kind simhash --weight n --shingle words:2".into(), "leave out --weight"),
    ] {
        let error = folder.error::<Similar>(&line);
        assert!(error.contains(expected), "{line}: {error}");
    }
    folder.printed::<Similar>("@a.csv --column item --kind b-bit --save @bits.crv");
    let error = folder.error::<Similar>("@b.csv --column item --from @bits.crv --save @more.crv");
    assert!(error.contains("b-bit-min-hash") && error.contains("final"), "{error}");
}
