//! The worked examples as they were printed, and the user's own items.

use super::terminal::Look;
use super::{Explain, KINDS, Shown, kinds::KindInfo, terminal};
use crate::testing::{Folder, run};
use crivo_report::display_width;

/// What is said for a kind, in lines as long as they are.
pub(super) fn explain(arguments: &str) -> String {
    lines(&arguments.split_whitespace().collect::<Vec<_>>(), 1000)
}

/// What is said, in lines of this width.
pub(super) fn lines(arguments: &[&str], width: usize) -> String {
    let report = run::<Explain>(arguments).unwrap().0;
    let Shown::Drawing(drawing, _, parts) = report.0 else { panic!("no drawing of {arguments:?}") };
    let lines = terminal::lines(&drawing, parts, width, Look { colours: false, utf8: true });
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The lines of a step below its heading, which begins like this.
pub(super) fn step<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| !line.contains(&format!(". {heading}")));
    assert!(lines.next().is_some(), "no step '{heading}' in {text}");
    lines.take_while(|line| !line.is_empty()).collect()
}

/// The cells of a line of a grid, without its marks and the label before.
pub(super) fn cells<'a>(line: &'a str, label: &str) -> Vec<&'a str> {
    let line = line.trim_start().strip_prefix(label).unwrap_or_else(|| panic!("no {label} in {line}"));
    line.split(|c: char| c.is_whitespace() || "[]()<>".contains(c)).filter(|cell| !cell.is_empty()).collect()
}

/// The marked cells of a line, with their marks.
pub(super) fn marked(line: &str) -> Vec<&str> {
    let starts = line.match_indices(['[', '(', '<']);
    starts.map(|(start, _)| &line[start..=start + line[start..].find([']', ')', '>']).unwrap()]).collect()
}

#[test]
fn bloom_filters_as_printed() {
    let text = explain("bloom");
    let last = step(&text, "insert Marvin → 14, 4");
    assert_eq!(cells(last[1], "").concat(), "1011010011110100");
    assert_eq!(marked(last[1]), ["(1)", "[1]"], "the bit that is set already, and the new one");
    for (query, answer) in [
        ("is Ford Prefect there? → 3, 1", "yes, correctly"),
        ("is Slartibartfast there? → 14, 5", "no, and that is certain: 5 is 0"),
        (
            "is Fenchurch there? → 11, 3",
            "a false positive. Others filled its cells: 11 by Arthur Dent and 3 by Ford Prefect",
        ),
    ] {
        assert!(step(&text, query)[2].contains(answer), "{text}");
    }
    assert!(text.contains("9 of 16 bits are 1") && text.contains("(9/16)^2 = 31.6 %"), "{text}");

    let text = explain("bloom --example ferreira");
    assert_eq!(cells(step(&text, "insert c → 4, 7, 10")[1], "").concat(), "10110010010");
    assert!(step(&text, "is a there? → 1, 3, 7")[2].contains("correctly"), "{text}");
    assert!(step(&text, "is d there? → 1, 4, 10")[2].contains("a false positive"), "{text}");
}

#[test]
fn counting_filters_forget() {
    let text = explain("counting");
    assert_eq!(cells(step(&text, "insert Marvin")[1], "").concat(), "1012010011110100");
    let removed = step(&text, "remove Marvin → 14, 4");
    assert_eq!(cells(removed[1], "").concat(), "1011010011110000");
    assert_eq!(marked(removed[1]), ["[1]", "[0]"]);
    assert!(step(&text, "is Zaphod Beeblebrox there?")[2].contains("correctly"), "{text}");
    assert!(step(&text, "is Marvin there?")[2].contains("no, and that is certain: 14 is 0"), "{text}");
}

#[test]
fn counters_that_end_and_removals_that_lie() {
    let text = explain("counting --items a:20 --remove a:20 --query a");
    assert_eq!(text.matches("a counter at 15 is saturated").count(), 2, "{text}");
    assert!(
        step(&text, "is a there?")[2].contains("a false positive")
            && text.contains("by items that have left"),
        "{text}"
    );
    // Under the default hash, a and 169 share both positions of 16.
    let text = explain("counting --items a --remove 169 --query a,169");
    assert!(step(&text, "remove 169")[2].contains("it was never inserted"), "{text}");
    assert!(step(&text, "is a there?")[2].contains("no, incorrectly"), "{text}");
    let text = explain("counting --items a --remove x1 --query a");
    assert!(step(&text, "remove x1")[2].contains("refused"), "{text}");
}

#[test]
fn count_min_as_printed() {
    let text = explain("count-min");
    let last = step(&text, "add 1 × Marvin → 5, 3");
    assert_eq!(cells(last[1], "row 1").concat(), "02500600");
    assert_eq!(cells(last[2], "row 2").concat(), "70330000");
    let asked = step(&text, "how often Ford Prefect? → 2, 0");
    assert_eq!([marked(asked[1]), marked(asked[2])], [["<5>"], ["(7)"]], "the smallest decides");
    assert!(asked[3].contains("5 = the smallest, and right"), "{text}");
    let marvin = step(&text, "how often Marvin?")[3];
    assert!(marvin.contains("3 = the smallest; the truth is 1") && marvin.contains("Zaphod"), "{marvin}");
    assert!(step(&text, "how often Fenchurch? → 1, 7")[3].contains("0 = the smallest, and right"), "{text}");
}

#[test]
fn linear_bloom_as_printed() {
    let text = explain("linear-bloom");
    let last = step(&text, "insert c with 0.7 → 4, 7, 10");
    assert_eq!(cells(last[1], ""), ["0.3", "·", "0.5", "0.7", "·", "·", "0.7", "·", "·", "0.7", "·"]);
    assert!(step(&text, "is a there? → 1, 3, 7")[2].contains("0.3 = the smallest, and right"), "{text}");
    assert!(
        step(&text, "is d there?")[2].contains("0.3 = the smallest, but it was never inserted"),
        "{text}"
    );
    assert!(step(&text, "is d there with 0.4?")[2].contains("no, and that is certain"), "{text}");
}

#[test]
fn hyperloglog_as_printed() {
    let text = explain("hyperloglog");
    let last = step(&text, "insert Prostetnic Vogon Jeltz → 0010 000111110111");
    assert_eq!(cells(last[1], "").concat(), "0041000201002003");
    for words in ["= 14.74", "14.80 in the source", "16 · ln(16/10) = 7.52, rounded 8; there are 8"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
}

#[test]
fn minhash_as_printed() {
    let text = explain("minhash");
    let both = step(&text, "the signatures side by side");
    assert_eq!(cells(&both[1].replace('|', ""), "A"), ["11", "6", "1", "6", "71", "34", "57", "106"]);
    assert_eq!(cells(&both[2].replace('|', ""), "B"), ["11", "6", "1", "81", "80", "34", "73", "88"]);
    assert!(text.contains("similarity 4/8 = 0.5; the truth is 4/8 = 0.5"), "{text}");
    let bands = explain("minhash --example bands");
    assert!(
        bands.contains("candidates: S1 and S4 (bands 1 and 4), S2 and S5 (bands 2, 3 and 4)\n"),
        "{bands}"
    );
}

#[test]
fn dyadic_ranges_as_printed() {
    let text = explain("dyadic");
    let seven = step(&text, "add 7 → blocks from 7, 6, 4, 0");
    let changed: usize = seven.iter().map(|line| line.matches('[').count()).sum();
    assert_eq!(changed, 5, "a block of each size, and the whole");
    let asked = step(&text, "how many from 5 to 14?");
    assert!(
        asked.last().unwrap().contains("pieces 5, 6–7, 8–11, 12–13 and 14: 2 + 1 + 1 + 3 + 0 = 7"),
        "{text}"
    );
}

#[test]
fn cuckoos_make_room() {
    let text = explain("cuckoo");
    let lines = step(&text, "insert x");
    assert!(
        lines[lines.len() - 1]
            .contains("x takes the place of b in 1; b takes the place of c in 5; c goes to 4")
    );
    let after = |bucket: usize| lines[1 + bucket].split('|').nth(1).unwrap().trim();
    for (bucket, name) in [(0, "a"), (1, "x"), (4, "c"), (5, "b"), (6, "d"), (7, "e")] {
        assert!(after(bucket).trim_end_matches([')', ']']).ends_with(name), "{bucket}: {text}");
    }
    assert!(step(&text, "is b there?").last().unwrap().contains("correctly"), "{text}");
    let full = explain("cuckoo --items a,b,c,d,e,f --cells 2 --hashes 2");
    assert_eq!(full.matches("the filter is full").count(), 2, "four places and six items: {full}");
    let copies = explain("cuckoo --items a,a,a --query a --cells 8 --hashes 1");
    assert!(
        copies.contains("a is refused") && step(&copies, "is a there?").last().unwrap().contains("correctly")
    );
    let removed = explain("cuckoo --items a,b --remove a,a --query a,b");
    assert!(removed.contains("refused: its fingerprint is in neither bucket"), "{removed}");
}

/// The numbers drawn are those that the counter drew: it rises exactly where they are below the chance.
#[test]
fn morris_counters_rise_by_what_is_drawn() {
    for seed in 0..40 {
        let text = explain(&format!("morris --items event:24 --seed {seed}"));
        let lines = step(&text, "24 events");
        let chances = cells(lines[1], "rises below");
        let draws = cells(lines[2], "drawn");
        let registers: Vec<u32> = cells(lines[3], "register").iter().map(|it| it.parse().unwrap()).collect();
        let mut before = 0;
        for ((chance, draw), after) in chances.iter().zip(draws).zip(registers) {
            let chance = chance.strip_prefix("1/").map_or(1.0, |it| 1.0 / it.parse::<f64>().unwrap());
            assert_eq!(chance, 0.5f64.powi(before));
            let rises = draw.parse::<f64>().unwrap() < chance;
            assert_eq!(after.cast_signed(), before + i32::from(rises), "{text}");
            before = after.cast_signed();
        }
    }
    assert!(explain("morris --items e:1000000").contains("never wraps around"), "4 bits end at 32767");
}

/// Lists as hard as they come, for a kind that wants values, numbers, edges or names.
pub(super) fn lists(kind: &str) -> Vec<String> {
    let value = if kind == "linear-bloom" { ":0.5" } else { "" };
    let name = |number: usize| match kind {
        "dyadic" => (number % 16).to_string(),
        "kll" => format!("{}{number}.25", if number.is_multiple_of(2) { "-" } else { "" }),
        "tree-labels" => format!("v{}-v{}", number / 2, number + 1),
        _ => format!("item{number}{value}"),
    };
    // These two have a bound on the items that they are drawn with.
    let most = if ["quotient", "fuse"].contains(&kind) { 10 } else { 39 };
    let names: Vec<String> = (0..most).map(name).collect();
    let mut lists =
        vec![String::new(), names[0].clone(), vec![names[3].clone(); 5].join(","), names.join(",")];
    if !["dyadic", "kll", "tree-labels"].contains(&kind) {
        let hard = [
            "日本語の長い名前がここにあるとしたらどうなるのか",
            "👩‍👩‍👧",
            "\u{1b}[31mred",
            "tab\there",
            "<script>&\"'",
            "ש\u{202e}ab",
            "\u{ffff}",
            "]]>",
            "-5",
            "a:b:c",
            &"long".repeat(50),
        ];
        lists.push(hard.map(|name| format!("{name}{value}")).join(","));
    }
    lists
}

#[test]
fn items_of_ones_own_are_drawn_whatever_they_are() {
    for KindInfo { name: kind, .. } in KINDS {
        for list in lists(kind) {
            for (width, language) in [(120, "pt"), (30, "en"), (1, "en")] {
                let text = lines(&[kind, "--lang", language, "--items", &list, "--items", &list], width);
                let is_shown = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}' || c == '\u{ffff}');
                assert!(text.chars().all(is_shown), "{kind} {list}: {text:?}");
                let widest = text.lines().map(display_width).max().unwrap();
                assert!(widest <= width || width == 1, "{kind} at {width}: {widest} columns: {text}");
            }
        }
    }
}

#[test]
fn without_questions_strangers_are_asked_for() {
    let text = explain("bloom --items a,b,c,d,e,f");
    assert!(step(&text, "is a there?")[2].contains("correctly"), "{text}");
    assert!(text.contains("a false positive") && text.contains("no, and that is certain"), "{text}");
    let asked = explain("bloom --items a,b --query b");
    assert_eq!(asked.matches("there?").count(), 1, "{asked}");
    let none = explain("bloom --items , --query x");
    assert!(none.contains("0 of 16 bits are 1") && none.contains("no, and that is certain"), "{none}");
}

#[test]
fn seeds_and_sizes_are_heeded() {
    let [one, same, other] =
        ["1", "1", "2"].map(|seed| explain(&format!("bloom --items a,b,c --seed {seed}")));
    assert!(one == same && one != other);
    let text = explain("bloom --items a --cells 20 --hashes 5");
    assert!(text.starts_with("Bloom filter of 20 bits, 5 positions per item\n"), "{text}");
    // The library's own hash and positions: the filter of the command has the same bits.
    let positions: Vec<u64> =
        crivo::hash::Probes::new(crivo::HashSpec::default().hash("a"), 20).take(5).collect();
    let places = positions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    assert!(text.contains(&format!("insert a → {places}\n")), "{text}");
}

#[test]
fn the_list_has_every_kind_and_fits() {
    let text = Folder::new().printed::<Explain>("");
    for kind in KINDS {
        assert!(text.lines().any(|line| line.starts_with(&format!("{} ", kind.name))), "{text}");
    }
    assert!(text.lines().all(|line| display_width(line) <= 80 || line.contains("--items")), "{text}");
}

#[test]
fn wrong_wishes_are_told() {
    let folder = Folder::with(&[("there.svg", "old")]);
    for (line, words) in [
        ("bloom --example silva", &["no example 'silva'", "lopes and ferreira"][..]),
        ("bloom --items a --cells 0", &["--cells 0", "1 to 128 bits"]),
        ("bloom --items a --hashes 17", &["1 to 16 positions"]),
        ("cuckoo --items a --cells 9", &["a power of two"]),
        ("minhash --items a --items b --hashes 7", &["an even number"]),
        ("minhash --items a", &["minhash compares sets", "--items a,b,c --items b,c,d"]),
        ("minhash --items a --items b --cells 8", &["minhash has no cells", "bloom, counting"]),
        ("morris --items a --hashes 2", &["morris has no functions"]),
        ("bloom --items a --remove a", &["--remove is for counting, cuckoo and quotient"]),
        ("hyperloglog --items a --query a", &["--query is for bloom"]),
        ("linear-bloom --items a", &["'a' has no value", "a:0.3"]),
        ("linear-bloom --items a:nan", &["expected a number"]),
        ("count-min --items a:0", &["a count from 1"]),
        ("count-min --items a:1.5", &["a count from 1"]),
        ("dyadic --items x", &["'x'", "whole numbers from 0 to 15"]),
        ("dyadic --items 3 --query 9-2", &["empty range", "2-9"]),
        ("dyadic --items 16", &["from 0 to 15"]),
        ("kll --items x", &["'x'", "expected numbers"]),
        ("kll --items 1,2 --query 2", &["'2'", "quantiles from 0 to 1"]),
        ("tree-labels --items a", &["'a'", "an edge"]),
        ("tree-labels --items a-b,b-c,c-a", &["cycle"]),
        ("tree-labels --items a-b --query a-z", &["'z'", "a, b"]),
        ("fuse --items a,b,c,d,e,f,g,h,i,j,k,l,m --cells 12", &["13 items", "more --cells"]),
        ("fuse --items a --cells 13", &["a multiple of 4"]),
        ("simhash --items a", &["simhash compares sets"]),
        ("bloom --step", &["--step", "--html"]),
        ("bloom --svg @there.svg", &["there.svg", "--force"]),
        ("bloom --svg @none/there.svg", &["no directory"]),
        (&format!("bloom --items {}", ["a"; 101].join(",")), &["101 items", "at most 100"]),
    ] {
        let error = folder.error::<Explain>(line);
        assert!(words.iter().all(|word| error.contains(word)), "{line}: {error}");
    }
    assert_eq!(folder.read("there.svg"), b"old");
}
