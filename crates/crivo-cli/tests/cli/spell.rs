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
fn unknown_words_have_places_and_suggestions() {
    let dir = Dir::new();
    dir.write("list", LIST);
    dir.write("one", "A seive is a tool.\r\n\r\nthe sand\n");
    dir.write("two.gz", gzip("É paris, well-known SEIVE".as_bytes()));
    let text = found(&dir.run("spell one two.gz one --words list"));
    let one = "one:1:3: seive → sieve\none:3:1: the → The\n";
    let two = "two.gz:1:1: É → a\ntwo.gz:1:3: paris → Paris\ntwo.gz:1:21: SEIVE → SIEVE\n";
    assert_eq!(text, format!("{one}{}{one}", two.replace("É → a", "É → A")), "a file may be named twice");
    let text = found(&dir.run_with("spell --words list --suggestions 0", b"sand xyzzy sand\nxyzzy"));
    assert_eq!(text, "-:1:6: xyzzy\n-:2:1: xyzzy\n");
    assert_eq!(
        dir.run_with("spell --words list", b"Sand's 3rd a1 https://xyzzy.org/ \xff the-sand SAND").code,
        Some(1)
    );
    assert_eq!(dir.run_with("spell --words list", b"Sand's 3rd a1 https://xyzzy.org/ \xff SAND").text(), "");
    assert_eq!(dir.run_with("spell --words list", b"").text(), "");
    assert_eq!(dir.run_with("spell --words list -i", b"the pARIs sAND").text(), "");
}

#[test]
fn lists_figures_and_json() {
    let dir = Dir::new();
    dir.write("list", LIST);
    let text = b"sand xyzzy seive sand\nxyzzy plugh xyzzy seive";
    assert_eq!(
        found(&dir.run_with("spell --words list --list", text)),
        "3  xyzzy\n2  seive → sieve\n1  plugh\n"
    );
    let stats = found(&dir.run_with("spell --words list --list --stats", text));
    let figures: Vec<&str> = stats.lines().skip(3).collect();
    assert_eq!(figures[0], "8 words, 6 unknown");
    // The narrowest fingerprints that do: 2^-27.
    assert_eq!(figures[1], "another word is taken for known: 7.45e-7 %  (exact)");
    assert_eq!(figures[2], "a word has a wrong suggestion: at most 0 %");
    let run = dir.run_with("spell --words list --json", b"sand\n seive");
    let text = String::from_utf8(run.stdout).unwrap();
    let answers: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["type"], "misspelt");
    assert_eq!((&answers[0]["file"], &answers[0]["word"]), (&"-".into(), &"seive".into()));
    assert_eq!((&answers[0]["line"], &answers[0]["column"]), (&2.into(), &2.into()));
    assert_eq!(answers[0]["suggestions"], serde_json::json!(["sieve"]));
    assert_eq!((&answers[1]["words"], &answers[1]["unknown"]), (&2.into(), &1.into()));
    let run = dir.run_with("spell --words list --json --list", b"seive\n seive");
    assert!(String::from_utf8(run.stdout).unwrap().starts_with(
        "{\"type\":\"misspelt_word\",\"word\":\"seive\",\"times\":2,\"suggestions\":[\"sieve\"]}\n"
    ));
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
