//! How the code of the command is built.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that the command is made of, besides the library.
const CRATES: [&str; 5] = ["crivo-cli", "crivo-interop", "crivo-tables", "crivo-report", "crivo-program"];

/// Returns all Rust files of a folder next to this crate.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut files);
    assert!(!files.is_empty(), "{folder}");
    files
}

/// What was chosen is the renderer's business. Only the spectrum of k-mers has a CSV of its own, without types and with a line for
/// all that is above.
#[test]
fn no_verb_asks_for_the_form_of_its_answer() {
    for (path, text) in sources("crivo-cli/src/cmd") {
        let is_spectrum = path.ends_with("kmers/count.rs");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//") && !is_spectrum) {
            let words = line.replace("serde_json", "").replace(".jsonl", "");
            let asks = (words.contains("if ") || words.contains("match "))
                && ["json", "csv", "markdown"].iter().any(|form| words.contains(form));
            assert!(!asks, "{}: {line}", path.display());
            let imports = words.contains("use crivo_report::") && words.contains(" Form,");
            assert!(!imports, "{}: {line}", path.display());
        }
    }
}

/// Verbs that answer differently where people read: what is kept to be shown, or refused as it would be printed amid the data.
#[test]
fn few_verbs_ask_whether_people_read() {
    let asks = |(path, text): &(PathBuf, String)| {
        text.contains(".is_text()").then(|| path.file_name().unwrap().to_str().unwrap().to_owned())
    };
    let mut found: Vec<String> = sources("crivo-cli/src/cmd").iter().filter_map(asks).collect();
    found.sort();
    // Names and beginnings of near-duplicates; a filter that is asked in its file.
    assert_eq!(found, ["documents.rs", "like.rs", "mod.rs", "query.rs"]);
}

/// Those that are left are what a signal handler needs, and what can only be seen before `main`.
#[test]
fn statics_are_those_of_signals() {
    let mut found = Vec::new();
    for (path, text) in CRATES.iter().flat_map(|name| sources(&format!("{name}/src"))) {
        for line in text.lines().map(str::trim_start) {
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            if let Some(name) = line.strip_prefix("static ").and_then(|line| line.split(':').next()) {
                found.push(format!("{} {name}", path.file_name().unwrap().to_str().unwrap()));
            }
        }
    }
    found.sort();
    let expected = [
        "allocator.rs IS_ENDING",
        // A message may come from anywhere.
        "color.rs ASKED",
        "descriptors.rs LOOK",
        "descriptors.rs STDIN_IS_CLOSED",
        "descriptors.rs STDOUT_IS_CLOSED",
        // Of a thread: damaged data that makes a decoder panic is no news.
        "file.rs FENCED",
        "fuzzing.rs BEGIN",
        "interrupt.rs IS_FINISHING",
        "interrupt.rs RECEIVED",
        "interrupt.rs WILL_ANSWER",
        "main.rs MEMORY",
        "output.rs NAME",
        "write.rs DRAFTS",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_file_is_read_in_one_sitting() {
    for (path, text) in CRATES.iter().flat_map(|name| sources(name)) {
        let lines = text.lines().count();
        assert!(lines <= 400, "{}: {lines} lines", path.display());
    }
}
