//! The tables of docs/documents name verbs and flags that the command has, and tests that the workspace has.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn flags(code: &str) -> impl Iterator<Item = &str> {
    code.split_whitespace().filter(|word| word.starts_with('-'))
}

/// The help of the verb that a command line names, or the error. A flag ends the words of the verb.
fn help(line: &str) -> Result<String, String> {
    let words = line.split_whitespace().take_while(|word| !word.starts_with('-'));
    let output = Command::new(env!("CARGO_BIN_EXE_crivo")).args(words).arg("--help").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// The commands in a part of a table's cell that the command does not know. A flag without a verb belongs to the verb before it, or, at
/// the beginning of the part, to all its verbs: "`--every` of `crivo count`, `crivo top`". Parts end with a semicolon.
fn unknown(part: &str, commands: &mut usize) -> Vec<String> {
    let (mut found, mut for_all, mut last) = (Vec::new(), Vec::new(), None);
    for code in part.split('`').skip(1).step_by(2) {
        if let Some(line) = code.strip_prefix("crivo ") {
            *commands += 1;
            match help(line) {
                Ok(text) => last = Some(text),
                Err(error) => found.push(format!("`{code}`: {error}")),
            }
        } else if last.is_none() {
            for_all.extend(flags(code));
        }
        let Some(help) = &last else { continue };
        let known: Vec<&str> = help.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        let missing = flags(code).chain(for_all.iter().copied()).filter(|flag| !known.contains(flag));
        found.extend(missing.map(|flag| format!("`{code}`: there is no {flag}")));
    }
    found
}

#[test]
fn the_tables_of_the_works_name_only_verbs_and_flags_that_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/documents");
    let (mut commands, mut found) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let rows = text.lines().filter(|line| line.starts_with('|'));
        for part in rows.flat_map(|row| row.split(['|', ';'])) {
            let unknown = unknown(part, &mut commands).into_iter();
            found.extend(unknown.map(|what| format!("{}: {what}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(commands > 200, "only {commands} commands were found");
}

#[test]
fn a_verb_or_a_flag_that_does_not_exist_is_noticed() {
    let complaints = |part: &str| unknown(part, &mut 0).len();
    assert_eq!(
        complaints("`--every` of `crivo count`, `crivo top -k 1`, `crivo filter build --kind quotient`"),
        1
    );
    assert_eq!(complaints("`crivo count --save`, then `--from`"), 0);
    for wrong in
        ["`crivo coutn`", "`crivo filter built`", "`crivo count --evry`", "`--evry` of `crivo count`"]
    {
        assert_eq!(complaints(wrong), 1, "{wrong}");
    }
}

/// The files of each test of the workspace, without their endings.
fn tests() -> HashMap<String, Vec<String>> {
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        let (inside, files): (Vec<PathBuf>, Vec<PathBuf>) =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
        folders.extend(inside.into_iter().filter(|path| !path.ends_with("target")));
        for file in files.iter().filter(|path| path.extension().is_some_and(|it| it == "rs")) {
            let text = fs::read_to_string(file).unwrap();
            let path = file.with_extension("").to_str().unwrap().replace('\\', "/");
            let path = path.strip_suffix("/mod").unwrap_or(&path);
            for test in text.split("#[test]").skip(1).filter_map(|rest| rest.split_once("fn ")) {
                let name = test.1.split('(').next().unwrap();
                found.entry(name.into()).or_default().push(path.into());
            }
        }
    }
    found
}

/// Whether a test is named by the end of its file's path and its name.
fn is_test(code: &str, tests: &HashMap<String, Vec<String>>) -> bool {
    let Some((module, name)) = code.rsplit_once("::") else { return false };
    let module = format!("/{}", module.replace("::", "/"));
    tests.get(name).is_some_and(|files| files.iter().any(|file| file.ends_with(&module)))
}

#[test]
fn the_tables_of_the_works_name_only_tests_that_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/documents");
    let tests = tests();
    let (mut named, mut found) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut column = None;
        for row in text.lines() {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            if !row.starts_with('|') {
                column = None;
            } else if let Some(place) = cells.iter().position(|cell| ["test", "teste"].contains(cell)) {
                column = Some(place);
            } else if let Some(cell) = column.and_then(|place| cells.get(place)) {
                let codes = cell.split('`').skip(1).step_by(2);
                named += codes.clone().count();
                let unknown = codes.filter(|code| !is_test(code, &tests));
                found.extend(unknown.map(|code| format!("{}: there is no test {code}", path.display())));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(named > 200, "only {named} tests were found");
}

#[test]
fn a_test_that_does_not_exist_is_noticed() {
    let tests = tests();
    assert!(is_test("hash::classic::published_vectors", &tests));
    for wrong in
        ["hash::classic::published_vector", "hash::probe::published_vectors", "published_vectors", "a::b"]
    {
        assert!(!is_test(wrong, &tests), "{wrong}");
    }
}
