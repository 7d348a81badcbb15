//! `crivo hyphenate`, compared with the rules of TeX written out.

use crate::support::{Dir, data, gzip, zstd};
use std::collections::HashMap;
use std::fmt::Write as _;

const FILTERS: [&str; 5] = ["bloom", "blocked", "cuckoo", "fuse", "none"];

/// The rules, with a map of all patterns and every run of letters of a word looked up in it.
struct Rules {
    patterns: HashMap<String, Vec<u8>>,
    /// Words with hyphens, by those without.
    exceptions: HashMap<String, String>,
    left: usize,
    right: usize,
}

impl Rules {
    fn new(patterns: &str, left: usize, right: usize) -> Self {
        let levels = |pattern: &str| {
            let mut levels = vec![0];
            for c in pattern.chars() {
                match c.to_digit(10) {
                    Some(digit) => *levels.last_mut().unwrap() = u8::try_from(digit).unwrap(),
                    None => levels.push(0),
                }
            }
            levels
        };
        let letters = |pattern: &str| pattern.replace(|c: char| c.is_ascii_digit(), "");
        let patterns =
            patterns.split_whitespace().map(|pattern| (letters(pattern), levels(pattern))).collect();
        Self { patterns, exceptions: HashMap::new(), left, right }
    }

    fn with_exceptions(self, list: &str) -> Self {
        let exceptions = list.lines().map(|word| (word.replace('-', ""), word.to_owned()));
        Self { exceptions: exceptions.collect(), ..self }
    }

    /// The word with hyphens.
    fn hyphenate(&self, word: &str) -> String {
        let letters: Vec<char> = word.chars().collect();
        if let Some(hyphenated) = self.exceptions.get(&word.to_lowercase()) {
            let mut letters = letters.iter();
            return hyphenated.chars().map(|c| if c == '-' { c } else { *letters.next().unwrap() }).collect();
        }
        let dotted: Vec<char> = format!(".{}.", word.to_lowercase()).chars().collect();
        assert_eq!(dotted.len(), letters.len() + 2, "{word}");
        let mut levels = vec![0; dotted.len() + 1];
        for start in 0..dotted.len() {
            for end in start + 1..=dotted.len() {
                let run: String = dotted[start..end].iter().collect();
                for (place, &level) in self.patterns.get(&run).into_iter().flatten().enumerate() {
                    levels[start + place] = level.max(levels[start + place]);
                }
            }
        }
        let mut hyphenated = String::new();
        for (place, letter) in letters.iter().enumerate() {
            let is_allowed = place >= self.left && letters.len() - place >= self.right;
            if place > 0 && is_allowed && levels[place + 1] % 2 == 1 {
                hyphenated.push('-');
            }
            hyphenated.push(*letter);
        }
        hyphenated
    }

    /// A text whose words are all runs of letters, except those next to a digit, an underscore or in an address.
    fn hyphenate_text(&self, text: &str) -> String {
        let mut hyphenated = String::new();
        for token in text.split_inclusive(['\n', ' ']) {
            let is_address = ["://", "@", "\\", "www."].iter().any(|part| token.contains(part));
            if is_address || token.starts_with('/') {
                hyphenated.push_str(token);
                continue;
            }
            let letters: Vec<char> = token.chars().collect();
            let mut end = 0usize;
            for run in letters.chunk_by(|a, b| a.is_alphabetic() == b.is_alphabetic()) {
                let before = end.checked_sub(1).map(|at| letters[at]);
                end += run.len();
                let ends = [before, letters.get(end).copied()];
                let is_name = ends.into_iter().flatten().any(|c| c.is_ascii_digit() || c == '_');
                let run: String = run.iter().collect();
                hyphenated.push_str(&if is_name { run } else { self.hyphenate(&run) });
            }
        }
        hyphenated
    }
}

fn assert_same_lines(found: &str, expected: &str) {
    assert_eq!(found.lines().count(), expected.lines().count());
    let mut differ = String::new();
    for (found, expected) in found.lines().zip(expected.lines()).filter(|(found, expected)| found != expected)
    {
        writeln!(differ, "{found} should be {expected}").unwrap();
    }
    assert!(differ.is_empty(), "{differ}");
}

/// A little of each language, so that the rules are tried where no other data are.
const PATTERNS: &str =
    "hy3ph he2n hena4 hen5at 1na n2at 1tio 2io o2n .com1 1pu 1ça 1çã 1ção 1ra s1s z4z1 .un1 4er. 1xx1";
const TEXT: &str = "Hyphenation, HYPHENATION; hyphenation-computer\n\ncoração CORAÇÃO corações mission 12 x\n\
                    unx unxxy xxunxx computer. https://hyphenation.org hyphenation@org hyphenation2 a_hyphenation\n";

#[test]
fn the_rules_of_tex() {
    let dir = Dir::new();
    dir.write("list", PATTERNS.replace(' ', "\n"));
    dir.write("file.tex", format!("% of a test\n\\patterns{{ % all\n{PATTERNS}}}\n"));
    dir.write("text", TEXT);
    for (left, right) in [(2, 3), (1, 1), (4, 2), (9, 9)] {
        let expected = Rules::new(PATTERNS, left, right).hyphenate_text(TEXT);
        assert!(
            (left, right) != (2, 3)
                || expected.starts_with("Hy-phen-ation, HY-PHEN-ATION; hy-phen-ation-com-puter")
        );
        for file in ["list", "file.tex"] {
            let line = format!("hyphenate text --patterns {file} --left {left} --right {right}");
            assert_same_lines(&dir.run(&line).text(), &expected);
        }
    }
    // By default, the limits of plain TeX.
    let expected = Rules::new(PATTERNS, 2, 3).hyphenate_text(TEXT);
    assert_eq!(dir.run("hyphenate --patterns list text").text(), expected);
}

/// All words of a list of half a million, by the file of patterns and by those that are built in, which are the same.
#[test]
fn every_word_of_a_large_list() {
    let (Some(words), Some(patterns), Some(exceptions), Some(tex)) = (
        data("words/dwyl-words.txt.gz"),
        data("hyphenation/hyph-en-us.pat.txt"),
        data("hyphenation/hyph-en-us.hyp.txt"),
        data("hyphenation/hyph-en-us.tex"),
    ) else {
        return;
    };
    let dir = Dir::new();
    let rules = Rules::new(&std::fs::read_to_string(&patterns).unwrap(), 2, 3);
    // The list as it is, with nothing to find.
    dir.write("none", "xx1yyzz");
    let text = dir.run(&format!("hyphenate {words} --patterns none")).text();
    assert_eq!(text.lines().count(), 466_551);
    let expected = rules.hyphenate_text(&text);
    assert_same_lines(&dir.run(&format!("hyphenate {words} --patterns {patterns}")).text(), &expected);
    assert_same_lines(&dir.run(&format!("hyphenate {words} --jobs 1")).text(), &expected);
    // The file of TeX has 14 exceptions too.
    let rules = rules.with_exceptions(&std::fs::read_to_string(&exceptions).unwrap());
    let with_exceptions = rules.hyphenate_text(&text);
    assert!(with_exceptions.contains("\nta-ble\n") && !expected.contains("\nta-ble\n"));
    assert_same_lines(&dir.run(&format!("hyphenate {words} --patterns {tex}")).text(), &with_exceptions);
}

#[test]
fn every_exception_whatever_the_filter() {
    let (Some(list), Some(tex), Some(words)) =
        (data("hyphenation/ushyphex.txt"), data("hyphenation/ushyphex.tex"), data("words/dwyl-words.txt.gz"))
    else {
        return;
    };
    let dir = Dir::new();
    let exceptions = std::fs::read_to_string(&list).unwrap();
    dir.write("plain", exceptions.replace('-', ""));
    dir.write("capitals", exceptions.replace('-', "").to_uppercase());
    let mut hyphenated = Vec::new();
    for filter in FILTERS {
        for file in [&list, &tex] {
            let line = format!("--exceptions {file} --filter {filter}");
            assert_same_lines(&dir.run(&format!("hyphenate plain {line}")).text(), &exceptions);
            let capitals = dir.run(&format!("hyphenate capitals {line} --fpr 0.3")).text();
            assert_same_lines(&capitals, &exceptions.to_uppercase());
        }
        let run = dir.run(&format!("hyphenate {words} --exceptions {list} --filter {filter} --stats"));
        assert_eq!(run.code, Some(0));
        assert!(run.stderr.contains("1,753 exceptions"), "{}", run.stderr);
        hyphenated.push(run.stdout);
    }
    assert!(hyphenated.iter().all(|text| *text == hyphenated[0]));
}

/// A look-up in vain comes with the probability that is stated, and none where there is no filter.
#[test]
fn what_a_filter_saves_and_costs() {
    let dir = Dir::new();
    let word = |number: u32| -> String {
        (0..6).map(|place| char::from(b'a' + u8::try_from(number / 5u32.pow(place) % 5).unwrap())).collect()
    };
    dir.write("exceptions", (0..1000).map(|i| format!("x-{}\n", word(i))).collect::<String>());
    // 1,000 exceptions among 11,000 words.
    dir.write("words", (0..11_000).map(|i| format!("x{}\n", word(i))).collect::<String>());
    for filter in FILTERS {
        let line = format!("hyphenate words --exceptions exceptions --filter {filter} --fpr 0.05 --json");
        let answers = dir.run(&line).json();
        assert_eq!(answers.len(), 11_001);
        assert_eq!(answers[0]["parts"], serde_json::json!(["x", "aaaaaa"]));
        let stats = answers.last().unwrap();
        let figure = |name: &str| stats[name].as_u64();
        assert_eq!(
            (figure("words"), figure("asked"), figure("found")),
            (Some(11_000), Some(11_000), Some(1000))
        );
        if filter == "none" {
            assert_eq!((figure("avoided"), figure("false_positives")), (Some(0), None));
            continue;
        }
        let wrong = figure("false_positives").unwrap();
        assert_eq!(figure("avoided"), Some(10_000 - wrong));
        // Within 6 standard deviations of a binomial, which is left with a probability of 2·10⁻⁹.
        let fpr = stats["fpr"]["value"].as_f64().unwrap();
        let (mean, deviation) = (10_000.0 * fpr, (10_000.0 * fpr * (1.0 - fpr)).sqrt());
        assert!((wrong as f64 - mean).abs() < 6.0 * deviation, "{filter}: {wrong}, {stats}");
        let said = dir.run(&line.replace("--json", "--stats")).stderr;
        assert!(said.contains(&format!("crivo: {wrong} false positives among 10,000 others, ")), "{said}");
        assert!(
            said.contains(&format!("{filter} filter of ")) && said.contains(" look-ups saved, "),
            "{said}"
        );
    }
}

#[test]
fn languages() {
    let dir = Dir::new();
    for (line, text, expected) in [
        ("", "hyphenation", "hy-phen-ation"),
        ("--lang EN", "Hyphenation's", "Hy-phen-ation's"),
        ("--lang pt", "coração informação", "co-ra-ção in-for-ma-ção"),
        ("--lang pt-BR", "CORAÇÃO INFORMAÇÃO", "CO-RA-ÇÃO IN-FOR-MA-ÇÃO"),
        ("--lang german", "Silbentrennung", "Sil-ben-tren-nung"),
        ("--lang fr", "aujourd'hui aujourd’hui", "au-jour-d'hui au-jour-d’hui"),
        ("--lang el", "διαμερίσματα", "δια-με-ρί-σμα-τα"),
        ("--lang ru", "информация", "ин-фор-ма-ция"),
    ] {
        assert_eq!(dir.run_with(&format!("hyphenate {line}"), text.as_bytes()).text(), expected, "{line}");
    }
    dir.run("hyphenate --lang xx").fails_with(&["'xx'", "--lang", "en-us", "pt"]);
    dir.run("hyphenate --lang portugese").fails_with(&["--lang", "did you mean 'portuguese'?"]);
    dir.run("hyphenate --lang en --patterns x").fails_with(&["--patterns", "cannot be used with"]);
}

#[test]
fn accents_of_portuguese() {
    let (Some(patterns), Some(tex)) = (data("hyphenation/hyph-pt.pat.txt"), data("hyphenation/hyph-pt.tex"))
    else {
        return;
    };
    let rules = Rules::new(&std::fs::read_to_string(&patterns).unwrap(), 2, 3);
    let text = "ação AÇÃO informações pingüim lingüística vovô avó às herói constituição excepcionalmente\n\
                pneumonia psicólogo transatlântico saída países iguais aguentou quê\n";
    let dir = Dir::new();
    for line in [format!("--patterns {patterns}"), format!("--patterns {tex}"), "--lang pt".into()] {
        let found = dir.run_with(&format!("hyphenate {line}"), text.as_bytes()).text();
        assert_eq!(found, rules.hyphenate_text(text), "{line}");
    }
    assert_eq!(dir.run_with(&format!("hyphenate --patterns {tex}"), b"hardware").text(), "hard-ware");
}

#[test]
fn everything_else_stays() {
    let dir = Dir::new();
    let text =
        b"\xef\xbb\xbfcomputer\r\n\r\n\tComputer \xff\xfe computer\0\n\n--no end: com\xc2\xadputer computer"
            .to_vec();
    let expected = b"\xef\xbb\xbfcom-puter\r\n\r\n\tCom-puter \xff\xfe com-puter\0\n\n--no end: com\xc2\xadputer com-puter";
    dir.write("text", &text);
    assert_eq!(dir.run("hyphenate text").stdout, expected);
    assert_eq!(dir.run_with("hyphenate", &text).stdout, expected);
    for (name, packed) in [("text.gz", gzip(&text)), ("text.zst", zstd(&text)), ("data.csv", text.clone())] {
        dir.write(name, packed);
        assert_eq!(dir.run(&format!("hyphenate {name}")).stdout, expected, "{name}");
    }
    let soft = dir.run_with("hyphenate --hyphen soft", b"computer").text();
    assert_eq!(soft, "com\u{ad}puter");
    // What was hyphenated by hand, or by us, is left alone.
    assert_eq!(dir.run_with("hyphenate", soft.as_bytes()).text(), soft);
    assert_eq!(dir.run_with("hyphenate --hyphen &shy;", b"computer").text(), "com&shy;puter");
    assert_eq!(dir.run_with("hyphenate", b"").text(), "");
    dir.run("hyphenate text --hyphen=").fails_with(&["--hyphen", "soft"]);
}

/// The same text whatever the number of threads, over many pieces and long lines.
#[test]
fn threads_do_not_matter() {
    let dir = Dir::new();
    let mut text = String::new();
    for i in 0..60_000 {
        let end = if i % 9 == 0 { "\n" } else { " " };
        write!(text, "hyphenation{}{end}", "computer".repeat(i % 4)).unwrap();
    }
    text.push_str(&"computer hyphenation ".repeat(100_000));
    dir.write("text", &text);
    let one = dir.run("hyphenate text --jobs 1").text();
    assert_eq!(one.replace('-', ""), text);
    for jobs in [2, 7] {
        assert!(dir.run(&format!("hyphenate text --jobs {jobs}")).text() == one);
    }
    let answers = dir.run("hyphenate text --json --jobs 3").json();
    let stats = answers.last().unwrap();
    assert_eq!(stats["breaks"].as_u64(), Some(one.matches('-').count() as u64));
    assert_eq!(stats["words"].as_u64(), Some(answers.len() as u64 - 1));
}

#[test]
fn bad_files_are_told() {
    let dir = Dir::new();
    for (name, text) in [
        ("latin1", &b"a1\xe9b\n"[..]),
        ("open.tex", b"\\patterns{a1b"),
        ("commands.tex", b"\\patterns{\\'e1b}"),
        ("empty.tex", b"\\input other\n"),
        ("digits", b"a12b"),
        ("exceptions", b"ta-ble\nhy3ph\n"),
        ("dashes", b"ta--ble"),
        ("nothing", b""),
    ] {
        dir.write(name, text);
    }
    for (line, words) in [
        ("--patterns absent", &["absent", "no such file"][..]),
        ("--patterns latin1", &["latin1", "line 1", "iconv"]),
        ("--patterns open.tex", &["open.tex", "never closed"]),
        ("--patterns commands.tex", &["commands.tex", "UTF-8"]),
        ("--patterns empty.tex", &["empty.tex", "no patterns"]),
        ("--patterns nothing", &["nothing", "no patterns"]),
        ("--patterns digits", &["digits", "'a12b'", "two digits"]),
        ("--exceptions absent", &["absent", "no such file"]),
        ("--exceptions exceptions", &["exceptions", "'hy3ph'", "digit"]),
        ("--exceptions dashes", &["dashes", "'ta--ble'", "hyphen"]),
        ("--exceptions dashes --max-memory 3", &["--max-memory"]),
        ("--filter sieve", &["'sieve'", "fuse", "none"]),
        ("--fpr 1", &["--fpr"]),
        ("--left 0", &["--left"]),
        ("--stats --quiet", &["--stats", "--quiet"]),
    ] {
        dir.run(&format!("hyphenate nothing {line}")).fails_with(words);
    }
    dir.run_with("hyphenate --exceptions -", b"ta-ble").fails_with(&["only once"]);
    // No exceptions are no error.
    assert_eq!(dir.run("hyphenate exceptions --exceptions nothing").code, Some(0));
}
