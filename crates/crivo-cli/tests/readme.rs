//! What the documents show is true: examples are the same everywhere, commands work, bytes decode.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use crivo::hash::{DEFAULT_SEED, Probes};
use crivo::{DecodeOptions, HashSpec, HyperLogLog, decode};
use crivo_testing::{Shown, prints_what_it_shows};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "readme/links.rs"]
mod links;
#[path = "readme/picture.rs"]
mod picture;
#[path = "readme/recipes.rs"]
mod recipes;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The contents of all fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn both_readmes_show_the_same_example() {
    let [ours, crates] = ["README.md", "crates/crivo/README.md"].map(|path| blocks(&document(path), "rust"));
    assert_eq!(ours.len(), 1);
    assert_eq!(ours, crates, "the crate's README runs as a doc test; copy its example to the other");
}

/// Runs the commands of a document in a directory that holds the samples alone.
fn shows(path: &str) -> Shown {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("examples/sample")).unwrap();
    for sample in ["visits.csv", "reads.fa", "rules.toml", "first.theta", "second.theta", "ms.kll"] {
        let sample = Path::new("examples/sample").join(sample);
        fs::copy(root().join(&sample), dir.path().join(sample)).unwrap();
    }
    for (name, content) in recipes::files() {
        fs::write(dir.path().join(name), content).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_crivo"));
    prints_what_it_shows(&root().join(path), "cargo run --release -- ", program, dir.path())
}

#[test]
fn commands_of_the_readme_print_what_it_shows() {
    let Shown { ran, compared } = shows("README.md");
    assert!(ran >= 10 && compared >= 1, "only {ran} commands and {compared} outputs were found");
}

#[test]
fn commands_of_the_guide_print_what_it_shows() {
    let summary = document("docs/guide/SUMMARY.md");
    let listed = summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
    let chapters: BTreeSet<String> = listed.collect();
    let folder = fs::read_dir(root().join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
    let is_chapter =
        |path: &PathBuf| path.extension().is_some_and(|it| it == "md") && !path.ends_with("SUMMARY.md");
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let files: BTreeSet<String> = folder.filter(is_chapter).map(name).collect();
    assert_eq!(chapters, files, "SUMMARY.md lists every chapter");
    let shown: Vec<Shown> = chapters.iter().map(|chapter| shows(&format!("docs/guide/{chapter}"))).collect();
    let (ran, compared): (usize, usize) =
        (shown.iter().map(|it| it.ran).sum(), shown.iter().map(|it| it.compared).sum());
    assert!(ran >= 60 && compared >= 40, "only {ran} commands and {compared} outputs were found");
}

/// The pipeline of the guide is the file of the examples, and its commands do what it needs them for.
#[test]
fn the_pipeline_of_the_guide_runs() {
    let pipeline = document("examples/ci/data-quality.yml");
    assert_eq!(blocks(&document("docs/guide/data-quality.md"), "yaml"), [pipeline.as_str()]);
    let script = pipeline.split("script:\n").nth(1).unwrap().split("\n  artifacts:").next().unwrap();
    let commands: Vec<&str> = script.lines().map(|line| line.trim().strip_prefix("- ").unwrap()).collect();
    let report = pipeline.split("junit: ").nth(1).unwrap().trim();
    let folder = Path::new(env!("CARGO_BIN_EXE_crivo")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for (rows, code) in [("1,a\n2,b\n", 0), ("1,a\n1,b\n", 1)] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("rules.toml"), "[columns.id]\nunique = true\n").unwrap();
        fs::write(dir.path().join("today.csv"), format!("id,x\n{rows}")).unwrap();
        for command in &commands {
            let mut shell = Command::new("sh");
            let status = shell.arg("-c").arg(command).current_dir(dir.path()).env("PATH", &path).status();
            assert_eq!(status.unwrap().code(), Some(code), "{command}");
        }
        let verdicts = fs::read_to_string(dir.path().join(report)).unwrap();
        assert!(verdicts.contains(&format!("failures=\"{code}\"")), "{verdicts}");
    }
}

/// A stranger reads it in a few minutes; everything else is in the guide.
#[test]
fn the_readme_is_short() {
    let readme = document("README.md");
    let (bytes, lines) = (readme.len(), readme.lines().count());
    assert!(bytes <= 10_240 && lines <= 200, "README.md has {bytes} bytes and {lines} lines");
}

/// The numbers of its two tables of measurements are cells of the tables in docs/bench that are linked next to them.
#[test]
fn the_readme_quotes_what_was_measured() {
    let readme = document("README.md");
    let section = |title: &str| readme.split(title).nth(1).unwrap().split("\n## ").next().unwrap();
    let linked = ["## Instead of", "## Accurate"].map(|title| section(title).split("](").skip(1));
    let linked = linked.into_iter().flatten().map(|rest| rest.split(')').next().unwrap());
    let measured: String = linked.collect::<BTreeSet<&str>>().into_iter().map(document).collect();
    let rows = section("## Instead of").split(['|', ':', ','].as_slice());
    let figures =
        rows.filter_map(|part| [" s", " MiB"].iter().find_map(|unit| part.trim().strip_suffix(unit)));
    let rows = section("## Accurate")
        .lines()
        .filter(|line| line.contains("distinct |") || line.contains("median |"));
    let cells = rows.flat_map(|row| row.split('|').skip(2)).map(str::trim).filter(|cell| !cell.is_empty());
    let quoted: Vec<&str> = figures.chain(cells).collect();
    assert!(quoted.len() >= 40, "only {} numbers were found", quoted.len());
    for figure in quoted {
        assert!(measured.contains(&format!("| {figure} |")), "no table that is linked has {figure}");
    }
}

/// The dumps in the description of the format are sketches, and what it says of them holds.
#[test]
fn dumps_of_the_format_decode() {
    let dumps = blocks(&document("docs/FORMAT.md"), "hex");
    let mut expected = [HyperLogLog::for_precision(4).unwrap(), HyperLogLog::for_precision(4).unwrap()];
    expected[1].insert("crivo");
    assert_eq!(dumps.len(), expected.len());
    for (dump, expected) in dumps.iter().zip(&expected) {
        let is_digits = |word: &&str| word.len() == 2;
        let of_line = |line: &str| -> Vec<u8> {
            let digits = line.split("  ").next().unwrap().split(' ').filter(is_digits);
            digits.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
        };
        let bytes: Vec<u8> = dump.lines().flat_map(of_line).collect();
        let sketch = decode(&bytes, &DecodeOptions::default()).unwrap();
        assert_eq!(sketch.to_bytes(), bytes);
        assert_eq!(sketch.downcast_ref::<HyperLogLog>(), Some(expected));
    }
}

/// The vectors in the description of the format are those of the code.
#[test]
fn vectors_of_the_format_hold() {
    let text = document("docs/FORMAT.md");
    let (plain, keyed) = (HashSpec::default(), HashSpec::keyed([7; 16]));
    let early = HashSpec::rapid(DEFAULT_SEED);
    let rows = [
        ("`\"\"`", plain.hash("")),
        ("`\"a\"`", plain.hash("a")),
        ("`\"crivo\"`", plain.hash("crivo")),
        (
            "`\"The quick brown fox jumps over the lazy dog\"`",
            plain.hash("The quick brown fox jumps over the lazy dog"),
        ),
        ("`0`", plain.hash(&0u8)),
        ("`1`", plain.hash(&1u8)),
        ("`-1`", plain.hash(&-1i8)),
        ("`1.5`", plain.hash(&1.5f32)),
        ("`true`", plain.hash(&true)),
        ("`'a'`", plain.hash(&'a')),
        ("`(\"a\", 1)`", plain.hash(&("a", 1u8))),
        ("`Some(1)`", plain.hash(&Some(1u8))),
        ("`None`", plain.hash(&None::<u8>)),
        ("`2¹²⁸ − 1`", plain.hash(&u128::MAX)),
        ("`\"a\"`", keyed.hash("a")),
        ("`1`", keyed.hash(&1u8)),
        ("the key's fingerprint", keyed.fingerprint()),
    ];
    for (item, hash) in rows {
        let row = format!("| {item} | `{hash:#018x}` |");
        assert!(text.contains(&row), "docs/FORMAT.md lacks {row}");
    }
    let both = [
        ("`\"crivo\"`", [plain, early].map(|spec| spec.hash("crivo"))),
        ("`None`", [plain, early].map(|spec| spec.hash(&None::<u8>))),
    ];
    for (item, [hash, early]) in both {
        let row = format!("| {item} | `{hash:#018x}` | `{early:#018x}` |\n");
        assert!(text.contains(&row), "docs/FORMAT.md lacks {row}");
    }
    for range in [1000, 1001] {
        let positions: Vec<String> =
            Probes::new(0x0123_4567_89ab_cdef, range).take(3).map(|position| position.to_string()).collect();
        let words = format!("positions {}, … in the range {range}", positions.join(", "));
        assert!(text.replace('\n', " ").contains(&words), "docs/FORMAT.md lacks: {words}");
    }
}
