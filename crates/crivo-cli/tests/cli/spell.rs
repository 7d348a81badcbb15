//! `crivo spell`: unknown words where they stand, and what they may have been meant to be.

use crate::support::{Dir, Run, data, gzip};
use crivo::KINDS;
use crivo::rng::Rng;
use std::collections::HashSet;
use std::path::Path;

/// The output of a run that finds unknown words.
#[track_caller]
fn found(run: &Run) -> String {
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
    String::from_utf8(run.stdout.clone()).unwrap()
}

const LIST: &str = "a\nis\nsieve\ntool\nThe\nParis\nsand\nwell-known\n";

#[test]
fn standard_input_is_a_text() {
    let dir = Dir::new();
    dir.write("list", LIST);
    let text = found(&dir.run_with("spell --words list --suggestions 0", b"sand xyzzy \xff sand\nxyzzy"));
    assert_eq!(text, "-:1:6: xyzzy\n-:2:1: xyzzy\n");
    dir.write("packed.gz", gzip(b"SEIVE"));
    assert_eq!(found(&dir.run("spell packed.gz --words list")), "packed.gz:1:1: SEIVE → SIEVE\n");
    assert_eq!(dir.run_with("spell --words list", b"").text(), "");
}

#[test]
fn any_saved_filter_is_a_dictionary() {
    let dir = Dir::new();
    dir.write("list", LIST);
    dir.write_key("key", "0123456789abcdef");
    let text = "The seive is a TOOL; sandd\n".as_bytes();
    let expected = "-:1:5: seive → sieve\n-:1:22: sandd → sand\n";
    for info in KINDS.iter().filter(|info| info.filter.is_some()) {
        let build = format!("filter build list --kind {} --fpr 1e-6 -o f.crv --force", info.kind.name());
        dir.run(&build).text();
        assert_eq!(found(&dir.run_with("spell --words f.crv", text)), expected, "{}", info.kind.name());
    }
    dir.run("filter build list --fpr 1e-6 -o k.crv --secret-file key").text();
    dir.run("spell list --words k.crv").fails_with(&["k.crv", "--secret-file"]);
    assert_eq!(found(&dir.run_with("spell --words k.crv --secret-file key", text)), expected);
    dir.run("filter build list --fpr 0.01 -o rough.crv").text();
    let run = dir.run_with("spell --words rough.crv", b"sand");
    assert!(run.code == Some(0) && run.stderr.contains("--suggestions 0"), "{run:?}");
    assert_eq!(dir.run_with("spell --words rough.crv --suggestions 0", b"sand").text(), "");
}

#[test]
fn what_is_no_dictionary_is_told() {
    let dir = Dir::new();
    dir.write("list", LIST);
    dir.write("empty", "\n \n");
    dir.write("latin1", b"caf\xe9\n");
    dir.run("distinct list --save d.crv").text();
    dir.run("spell list --words absent").fails_with(&["absent", "no such file"]);
    dir.run("spell list --words empty").fails_with(&["empty", "no words"]);
    dir.run("spell list --words latin1").fails_with(&["latin1", "UTF-8"]);
    dir.run("spell list --words d.crv").fails_with(&["d.crv", "hyperloglog", "membership"]);
    dir.run("spell absent --words list").fails_with(&["absent", "no such file"]);
    dir.run("filter build list -o f.crv").text();
    dir.run("spell list --words f.crv --ignore-case").fails_with(&["f.crv", "--ignore-case", "lower case"]);
    dir.run("spell list --words list --fpr 0").fails_with(&["--fpr"]);
    dir.run("spell list --words list --fpr 1e-300").fails_with(&["out of reach"]);
    dir.run_with("spell --words -", b"a\n").fails_with(&["standard input", "only once"]);
    let many: String = (0..20_000).map(|i| format!("x{} ", "abcdefghij".repeat(1 + i % 7)) + "\n").collect();
    dir.write("many", many);
    dir.run("spell many --words f.crv --list --max-memory 300").fails_with(&["--max-memory", "--list"]);
    if !Path::new("/usr/share/dict/words").is_file() {
        dir.run("spell list").fails_with(&["/usr/share/dict/words", "--words", "filter build"]);
    }
}

/// The words of a list, by the rules of `--help`, exactly.
struct Exact(HashSet<String>);

impl Exact {
    fn knows(&self, word: &str) -> bool {
        let stem = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S"));
        [Some(word), stem].into_iter().flatten().any(|word| {
            let lower = word.to_lowercase();
            let is_upper = word.chars().all(|c| !c.is_lowercase());
            let title = lower[..1].to_uppercase() + &lower[1..];
            self.0.contains(word) || self.0.contains(&lower) || (is_upper && self.0.contains(&title))
        })
    }

    /// The unknown words of a line of ASCII, with their columns.
    fn unknown(&self, line: &str) -> Vec<(usize, String)> {
        let mut unknown = Vec::new();
        let bytes = line.as_bytes();
        let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
        let is_inner = |place: usize| {
            at(place) == b'\''
                && place > 0
                && at(place - 1).is_ascii_alphabetic()
                && at(place + 1).is_ascii_alphabetic()
        };
        let mut start = 0;
        while start < bytes.len() {
            let length = (start..bytes.len())
                .take_while(|&i| at(i).is_ascii_alphabetic() || (i > start && is_inner(i)))
                .count();
            let end = start + length;
            if length > 0 && !self.knows(&line[start..end]) {
                let near = [if start > 0 { at(start - 1) } else { b' ' }, at(end)];
                let part = |c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '\'');
                let from = line[..start].rfind(part).map_or(0, |i| i + 1);
                let to = line[end..].find(part).map_or(line.len(), |i| end + i);
                let whole = line[from..to].trim_matches(|c: char| !c.is_ascii_alphabetic());
                let is_name = near.iter().any(|c| c.is_ascii_digit() || *c == b'_');
                let is_left = is_name || (whole.contains('-') && self.knows(whole));
                if !is_left {
                    unknown.push((start + 1, line[start..end].to_owned()));
                }
            }
            start = end.max(start + 1);
        }
        unknown
    }
}

fn word_list() -> Option<(String, Vec<String>)> {
    let path = data("words/dwyl-words.txt.gz")?;
    let mut text = String::new();
    let mut reader = flate2::read::GzDecoder::new(std::fs::File::open(&path).unwrap());
    std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
    Some((path, text.lines().map(|line| line.trim().to_owned()).collect()))
}

/// Half a million words against all of Shakespeare: no word is unknown that is in the list, and none that is not is missed.
#[test]
fn shakespeare_is_spelt_as_an_exact_set_has_it() {
    let (Some((list, words)), Some(hamlet)) = (word_list(), data("shakespeare/works/hamlet.txt")) else {
        return;
    };
    let exact = Exact(words.into_iter().collect());
    let dir = Dir::new();
    let folder = Path::new(&hamlet).parent().unwrap();
    let mut works: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    works.sort();
    let mut expected = String::new();
    for work in &works {
        let text = std::fs::read_to_string(work).unwrap();
        assert!(
            text.is_ascii() && !text.contains(['@', '\\']) && !text.contains("://"),
            "beyond the rules above"
        );
        for (number, line) in text.lines().enumerate() {
            for (column, word) in exact.unknown(line) {
                expected += &format!("{}:{}:{column}: {word}\n", work.display(), number + 1);
            }
        }
    }
    let names: Vec<String> = works.iter().map(|work| work.display().to_string()).collect();
    let line = format!("spell {} --words {list} --suggestions 0", names.join(" "));
    let text = found(&dir.run(&line));
    let differs = text.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(text == expected, "{differs:?}, {} and {} lines", text.lines().count(), expected.lines().count());
    let suggested = format!("spell {} --words {list}", names[..4].join(" "));
    let alone = found(&dir.run(&format!("{suggested} -j 1")));
    assert_eq!(found(&dir.run(&format!("{suggested} -j 3"))), alone);
}

/// Whatever single slip turns a word into an unknown one, the word is among all that is suggested.
#[test]
fn a_slip_is_mended() {
    let Some((list, words)) = word_list() else { return };
    let mut rng = Rng::new(9);
    let mut below = |bound: usize| usize::try_from(rng.below(bound as u64)).unwrap();
    let plain: Vec<&String> =
        words.iter().filter(|word| word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase())).collect();
    let known: HashSet<&str> = words.iter().map(String::as_str).collect();
    let (mut text, mut meant) = (String::new(), Vec::new());
    while meant.len() < 1000 {
        let word = plain[below(plain.len())];
        let mut letters: Vec<char> = word.chars().collect();
        let (at, letter) = (below(letters.len() - 1), char::from(b'a' + below(26) as u8));
        match below(4) {
            0 => letters.swap(at, at + 1),
            1 => drop(letters.remove(at)),
            2 => letters.insert(at, letter),
            _ => letters[at] = letter,
        }
        let slip: String = letters.iter().collect();
        if !known.contains(slip.as_str()) {
            text += &(slip + "\n");
            meant.push(word);
        }
    }
    let dir = Dir::new();
    dir.write("text", text);
    let run = dir.run(&format!("spell text --words {list} --suggestions 10000"));
    let found = found(&run);
    assert_eq!(found.lines().count(), meant.len());
    for (line, word) in found.lines().zip(meant) {
        let (_, suggestions) = line.split_once(" → ").unwrap_or_else(|| panic!("{line}: {word}"));
        assert!(suggestions.split(", ").any(|suggestion| suggestion == word), "{line}: {word}");
    }
}

#[test]
fn no_word_is_suggested_for_itself() {
    let dir = Dir::new();
    dir.write("w", "Straße\nFlüsse\n");
    // In capitals, the word is that of the list.
    assert_eq!(dir.run_with("spell --words w", "STRASSE FLÜSSE\n".as_bytes()).code, Some(0));
    // Where case is ignored it is not, but what could be suggested would be written just so.
    for (flags, words) in [("", "STRASE Strasse\n"), ("--ignore-case", "STRASSE Strasse\n")] {
        let run = dir.run_with(&format!("spell --words w --json {flags}"), words.as_bytes());
        assert_eq!(run.code, Some(1));
        let text = String::from_utf8(run.stdout).unwrap();
        let (mut told, mut suggested) = (0, 0);
        for line in text.lines() {
            let answer: serde_json::Value = serde_json::from_str(line).unwrap();
            if let Some(word) = answer["word"].as_str() {
                let suggestions = answer["suggestions"].as_array().unwrap();
                assert!(suggestions.iter().all(|suggestion| suggestion != word), "{answer}");
                (told, suggested) = (told + 1, suggested + suggestions.len());
            }
        }
        assert!(told == 2 && suggested > 0, "{text}");
    }
}

/// However often the filter errs.
#[test]
fn suggestions_are_words_of_the_list() {
    let dir = Dir::new();
    dir.write("w", "house\nmouse\ngrouse\n");
    let run = dir.run_with("spell --words w --fpr 0.2 --suggestions 50 --json", b"hpuse mpuse grpuse xouse");
    let text = String::from_utf8(run.stdout).unwrap();
    let mut suggested = 0;
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap();
        for suggestion in answer["suggestions"].as_array().into_iter().flatten() {
            assert!(["house", "mouse", "grouse"].contains(&suggestion.as_str().unwrap()), "{answer}");
            suggested += 1;
        }
    }
    assert!(suggested > 0, "{text}");
}
