//! The phrases that docs/GLOSSARY.md lists as no longer used occur in no document, comment or message.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

/// The files and folders with prose. In a folder, the test checks all Rust sources and Markdown documents.
const CHECKED: &[&str] =
    &["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "bench", "crates", "docs", "examples/rust/src", "fuzz"];

/// Files and folders that the test skips: the glossary, which lists the phrases, and the output of programs.
const EXEMPT: &[&str] = &["docs/GLOSSARY.md", "docs/bench", "docs/lab"];

/// Stands between words that code separates: no phrase continues over it.
const BREAK: &str = "\0";

/// A word of prose, without the punctuation around it, and its line.
type Word = (String, usize);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the phrases of the glossary, each as its words, with the words to use instead.
fn phrases() -> Vec<(Vec<String>, String)> {
    let glossary = fs::read_to_string(root().join("docs/GLOSSARY.md")).unwrap();
    let section =
        glossary.split("## Phrases that are no longer used").nth(1).expect("the glossary has the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (phrase, instead) = (cells.next().unwrap(), cells.next().expect("a row has two cells"));
        (phrase.split(' ').map(str::to_string).collect(), instead.to_string())
    })
    .collect()
}

fn add_break(words: &mut Vec<Word>, line: usize) {
    if words.last().is_none_or(|(word, _)| word != BREAK) {
        words.push((BREAK.to_string(), line));
    }
}

/// Appends the words of a line of prose. Inline code and placeholders such as `{name}` are not prose.
fn add_words(words: &mut Vec<Word>, prose: &str, line: usize) {
    for (place, part) in prose.split('`').enumerate() {
        if place % 2 == 1 {
            add_break(words, line);
            continue;
        }
        for word in part.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if word.contains('{') {
                add_break(words, line);
            } else if !bare.is_empty() {
                words.push((bare.to_string(), line));
            }
        }
    }
}

/// Where a character of a Rust source is.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Code,
    Comment,
    /// A string literal that ends with a quote and this many hashes; `None` if it has escapes.
    Text(Option<usize>),
}

/// Returns the words of the comments and string literals of a Rust source.
fn words_of_source(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut within = Within::Code;
    for (line, text) in source.lines().enumerate() {
        if within == Within::Comment {
            within = Within::Code;
        }
        let (mut prose, mut rest) = (String::new(), text);
        while let Some(c) = rest.chars().next() {
            let mut taken = c.len_utf8();
            match within {
                Within::Code => {
                    let raw = rest.strip_prefix('r').map(|after| after.trim_start_matches('#'));
                    if rest.starts_with("//") {
                        within = Within::Comment;
                        taken = rest.len() - rest.trim_start_matches(['/', '!']).len();
                    } else if let Some(after) = raw.filter(|after| after.starts_with('"')) {
                        taken = rest.len() - after.len() + 1;
                        within = Within::Text(Some(taken - 2));
                    } else if c == '"' {
                        within = Within::Text(None);
                    } else if let Some(quoted) =
                        ["'\"'", "'\\\"'"].iter().find(|quoted| rest.starts_with(**quoted))
                    {
                        taken = quoted.len();
                    }
                    // Indentation and comment markers do not end a sentence that goes on from the line before.
                    if within != Within::Comment && !c.is_whitespace() {
                        add_words(&mut words, &prose, line + 1);
                        prose.clear();
                        add_break(&mut words, line + 1);
                    }
                }
                Within::Text(None) if c == '\\' => {
                    prose.push(' ');
                    taken += rest[1..].chars().next().map_or(0, char::len_utf8);
                }
                Within::Text(hashes) if c == '"' => {
                    let end = "#".repeat(hashes.unwrap_or(0));
                    if rest[1..].starts_with(&end) {
                        within = Within::Code;
                        taken += end.len();
                    }
                    prose.push(' ');
                }
                Within::Text(_) | Within::Comment => prose.push(c),
            }
            rest = &rest[taken..];
        }
        add_words(&mut words, &prose, line + 1);
    }
    words
}

fn words_of(path: &Path) -> Vec<Word> {
    let text = fs::read_to_string(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "rs") {
        return words_of_source(&text);
    }
    let mut words = Vec::new();
    for (line, prose) in text.lines().enumerate() {
        add_words(&mut words, prose, line + 1);
    }
    words
}

/// Returns the lines at which a phrase occurs. A phrase with a capital letter is matched as it is written.
fn lines_with(words: &[Word], phrase: &[String]) -> Vec<usize> {
    let as_written = phrase.concat().chars().any(char::is_uppercase);
    let is_same = |word: &str, wanted: &str| {
        if as_written { word == wanted } else { word.eq_ignore_ascii_case(wanted) }
    };
    let runs = words.windows(phrase.len());
    runs.filter(|run| run.iter().zip(phrase).all(|((word, _), wanted)| is_same(word, wanted)))
        .map(|run| run[0].1)
        .collect()
}

/// Collects the sources and documents of a file or folder, except exempt ones.
fn collect(place: &str, found: &mut Vec<String>) {
    let path = root().join(place);
    if EXEMPT.contains(&place) {
        return;
    }
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        entries.sort();
        for name in entries {
            collect(&format!("{place}/{name}"), found);
        }
    } else if [".rs", ".md"].iter().any(|extension| place.ends_with(extension)) {
        found.push(place.to_string());
    }
}

#[test]
fn phrases_that_are_no_longer_used_do_not_occur() {
    let phrases = phrases();
    assert!(phrases.len() > 10, "the glossary was not read: {phrases:?}");
    let mut files = Vec::new();
    for place in CHECKED {
        collect(place, &mut files);
    }
    let mut hits = Vec::new();
    for file in &files {
        let words = words_of(&root().join(file));
        for (phrase, instead) in &phrases {
            for line in lines_with(&words, phrase) {
                hits.push(format!("{file}:{line}: \"{}\"; write {instead}", phrase.join(" ")));
            }
        }
    }
    assert!(files.len() > 100, "the sources were not found: {files:?}");
    assert!(
        hits.is_empty(),
        "{} phrases of docs/GLOSSARY.md that are no longer used:\n{}",
        hits.len(),
        hits.join("\n")
    );
}

#[test]
fn phrases_are_found_in_prose_only() {
    let source = "/// A blue\n/// Moon, and `blue moon`.\nlet blue = moon; // blue\nlet moon = '\"';\n\
                  f(\"Blue \\\n   moon, {blue} moon\"); g(r#\"blue \"moon\"#, blue, \"moon\");\n";
    let phrase = ["blue", "moon"].map(str::to_string);
    assert_eq!(lines_with(&words_of_source(source), &phrase), [1, 5, 6]);
    let opening = ["Blue", "moon"].map(str::to_string);
    assert_eq!(lines_with(&words_of_source(source), &opening), [5]);
}
