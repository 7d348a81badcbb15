//! Every example runs, checks itself, prints its result, and stays short.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A piece of the output of each example.
const SHOWN: [(&str, &str); 17] = [
    ("attack", "source  per minute  since  noticed"),
    ("cache_digest", "saved by digest"),
    ("communities", "communities, the largest:"),
    ("crawler", "pages visited  lost  expected at most"),
    ("fair_blue", "its drop probability is 0.97"),
    ("fast_flux", "half of all addresses have"),
    ("graph_similarity", "is kept in 128 bytes"),
    ("heavy_hitters", "are listed"),
    ("images", "other pictures      0            0"),
    ("join_size", "Count-Min"),
    ("kmer_counting", "too high  expected at most"),
    ("malicious_urls", "queries for good ones"),
    ("multihop", "hops  shortest"),
    ("port_scan", "source 77 scans"),
    ("recommend", "the hidden item is among"),
    ("routing", "filters queried  expected"),
    ("set_difference", "both know the 50000 common files"),
];

/// The longest example that is still readable as documentation.
const MOST_LINES: usize = 100;

fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The names of all files in the folder of examples.
fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(package().join("examples")).unwrap();
    entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Runs an example that was built together with this test, and returns its output.
fn output_of(name: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().join("examples");
    let output = Command::new(folder.join(format!("{name}{EXE_SUFFIX}"))).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}; build it with cargo test -p crivo"));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn all_run_and_print_their_results() {
    assert_eq!(names(), SHOWN.map(|(name, _)| name.to_owned()).into(), "the list above knows every example");
    for (name, shown) in SHOWN {
        let output = output_of(name);
        assert!(output.contains(shown), "{name} does not print {shown:?} but\n{output}");
    }
}

#[test]
fn all_are_short() {
    for name in names() {
        let text = fs::read_to_string(package().join("examples").join(format!("{name}.rs"))).unwrap();
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines");
    }
}

/// The guide lists every example, and the outputs that it shows are the real ones.
#[test]
fn the_guide_shows_them() {
    let Ok(chapter) = fs::read_to_string(package().join("../../docs/guide/rust-api.md")) else {
        println!("skipped: the guide is not part of this package");
        return;
    };
    for name in names() {
        let row = format!("| [`{name}`](../../crates/crivo/examples/{name}.rs) |");
        assert!(chapter.contains(&row), "rust-api.md has no row {row}");
    }
    let call = "$ cargo run --release -p crivo --example ";
    let shown: Vec<(&str, &str)> = chapter
        .split("```console\n")
        .filter_map(|block| block.strip_prefix(call))
        .map(|block| block.split("```").next().unwrap().split_once('\n').unwrap())
        .collect();
    assert!(shown.len() >= 2, "only {} examples are shown", shown.len());
    for (name, output) in shown {
        assert_eq!(output, output_of(name), "rust-api.md shows something else than {name} prints");
    }
}
