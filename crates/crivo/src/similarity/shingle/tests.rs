use super::*;
use crate::rng::Rng;
use std::string::ToString;
use std::vec;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The documented behaviour by the simplest algorithm: all shingles of a text as lists of their parts.
fn naive(shingles: Shingles, text: &[u8]) -> Vec<Vec<String>> {
    let Normalise { lower_case, white_space, nfc } = shingles.normalise;
    let mut text = String::from_utf8_lossy(text).into_owned();
    if nfc {
        text = text.nfc().collect();
    }
    // Words are cut before their case changes: a capital can become two characters.
    let lower =
        |char: char| if lower_case { char.to_lowercase().collect() } else { String::from_iter([char]) };
    let mut parts: Vec<String> = Vec::new();
    let mut inside = false;
    for char in text.chars() {
        match shingles.unit {
            Unit::Words | Unit::Tokens => {
                let belongs = if shingles.unit == Unit::Words {
                    char.is_alphanumeric() || inside && is_combining_mark(char)
                } else {
                    !char.is_whitespace()
                };
                if belongs && !inside {
                    parts.push(String::new());
                }
                if belongs {
                    parts.last_mut().unwrap().push_str(&lower(char));
                }
                inside = belongs;
            }
            Unit::Chars if white_space && char.is_whitespace() => {
                if inside {
                    parts.push(" ".into());
                }
                inside = false;
            }
            Unit::Chars => {
                parts.extend(lower(char).chars().map(String::from));
                inside = true;
            }
            Unit::Bytes => unreachable!("tested by itself"),
        }
    }
    if shingles.unit == Unit::Chars && white_space && parts.last().is_some_and(|last| last == " ") {
        parts.pop();
    }
    if parts.is_empty() {
        return vec![];
    }
    let size = (shingles.size as usize).min(parts.len());
    parts.windows(size).map(<[String]>::to_vec).collect()
}

fn naive_hashes(shingles: Shingles, text: &[u8], spec: &HashSpec) -> Vec<u64> {
    let hash = |parts: &Vec<String>| match shingles.unit {
        Unit::Words | Unit::Tokens => {
            let hashes: Vec<u8> = parts.iter().flat_map(|part| spec.hash(part).to_le_bytes()).collect();
            spec.framed(Domain::Tuple, &hashes)
        }
        Unit::Chars | Unit::Bytes => spec.hash(&parts.concat()),
    };
    naive(shingles, text).iter().map(hash).collect()
}

/// Texts of pieces that are hard to cut: marks, capitals that expand, all white space, long words, invalid UTF-8.
fn hard_text(rng: &mut Rng) -> Vec<u8> {
    const PIECES: [&[u8]; 26] = [
        b"a",
        b"Word",
        b"7",
        b" ",
        b"  ",
        b"\t\n",
        b"\x0b",
        b"\x1c",
        b"\0",
        b"-",
        b"_",
        "é".as_bytes(),
        "e\u{301}".as_bytes(),
        "\u{301}".as_bytes(),
        "\u{fe0f}".as_bytes(),
        "İ".as_bytes(),
        "ẞ".as_bytes(),
        "ΣΑΣ".as_bytes(),
        "\u{a0}".as_bytes(),
        "\u{3000}".as_bytes(),
        "’".as_bytes(),
        "漢字".as_bytes(),
        "한글".as_bytes(),
        "\u{1112}\u{1161}".as_bytes(),
        b"\xff",
        b"\xe2\x82",
    ];
    let mut text = Vec::new();
    for _ in 0..rng.below(60) {
        let piece = PIECES[rng.below(PIECES.len() as u64) as usize];
        let times = if rng.below(20) == 0 { rng.below(100) } else { 1 };
        (0..times).for_each(|_| text.extend_from_slice(piece));
    }
    text
}

#[test]
fn shingles_match_a_naive_implementation() {
    let mut rng = Rng::new(1);
    for spec in [HashSpec::default(), HashSpec::keyed([1; 16])] {
        for round in 0..4_000 {
            let text = hard_text(&mut rng);
            let size = 1 + rng.below(5) as u32;
            let flags = rng.next_u64();
            let normalise =
                Normalise { lower_case: flags & 1 != 0, white_space: flags & 2 != 0, nfc: flags & 4 != 0 };
            let all = [Shingles::words(size), Shingles::tokens(size), Shingles::chars(size)];
            for shingles in all.map(|shingles| shingles.unwrap().with_normalise(normalise)) {
                let context = (round, shingles, String::from_utf8_lossy(&text).into_owned());
                assert_eq!(
                    shingles.hashes(&text, &spec),
                    naive_hashes(shingles, &text, &spec),
                    "{context:?}"
                );
            }
            let bytes: Vec<u64> = match text.len() {
                0 => vec![],
                len => text.windows(len.min(size as usize)).map(|run| spec.hash(run)).collect(),
            };
            assert_eq!(Shingles::bytes(size).unwrap().hashes(&text, &spec), bytes, "{round}");
        }
    }
}

#[test]
fn shingles_hash_as_documented() {
    let spec = HashSpec::default();
    let hash = |shingles: &str, text: &str| shingles.parse::<Shingles>().unwrap().hashes(text, &spec);
    assert_eq!(
        hash("words:3", "To be, or not"),
        [spec.hash(&("to", "be", "or")), spec.hash(&("be", "or", "not"))]
    );
    assert_eq!(hash("words:3", "to BE"), [spec.hash(&("to", "be"))], "shorter than a shingle");
    assert_eq!(hash("tokens:2", "x+=1; y"), [spec.hash(&("x+=1;", "y"))]);
    assert_eq!(hash("chars:4", " a  B\nc"), [spec.hash("a b "), spec.hash(" b c")]);
    assert_eq!(hash("bytes:2", "aBc"), [spec.hash("aB"), spec.hash("Bc")]);
    assert_ne!(hash("words:2", "ab c"), hash("words:2", "a bc"));
    for shingles in ["words:3", "tokens:3", "chars:3", "bytes:3"] {
        assert_eq!(hash(shingles, ""), [], "{shingles}");
    }
    for shingles in ["words:3", "tokens:3", "chars:3"] {
        assert_eq!(hash(shingles, " \u{3000}\n "), [], "{shingles}");
    }
    assert_eq!(hash("words:3", "?!"), []);
}

/// Two machines must agree, so these values never change.
#[test]
fn frozen_shingles() {
    let spec = HashSpec::default();
    let all = ["words:3", "tokens:3", "chars:8", "bytes:8"].map(|shingles| {
        let shingles: Shingles = shingles.parse().unwrap();
        shingles.hashes("To be, or NOT", &spec)[..2].to_vec()
    });
    let frozen = [
        [0xe6fd_afd3_88c6_e424, 0x2dd2_e4b5_03c0_418c],
        [0x5a2c_b156_9f8a_88ca, 0xf6b4_0860_6887_1f3c],
        [0xc72c_df69_6919_3378, 0xbc6b_67a3_57ce_0fc7],
        [0x6963_1f4e_8afd_43db, 0xbc6b_67a3_57ce_0fc7],
    ];
    assert_eq!(all, frozen, "{all:#x?}");
}

#[test]
fn composed_or_not_is_one_text() {
    let spec = HashSpec::default();
    for shingles in ["words:2", "tokens:2", "chars:3"] {
        let shingles: Shingles = shingles.parse().unwrap();
        let (composed, marks) =
            ("Café Ångström à la carte", "Cafe\u{301} A\u{30a}ngstro\u{308}m a\u{300} la carte");
        assert_eq!(shingles.hashes(composed, &spec), shingles.hashes(marks, &spec), "{shingles}");
        let shingles = shingles.with_normalise(Normalise { nfc: false, ..Normalise::ALL });
        assert_ne!(shingles.hashes(composed, &spec), shingles.hashes(marks, &spec), "{shingles}");
    }
}

#[test]
fn written_as_it_is_read() {
    for text in ["words:1", "tokens:3", "chars:5", "bytes:255"] {
        assert_eq!(text.parse::<Shingles>().unwrap().to_string(), text);
    }
    for text in
        ["", "words", "words:", "words:0", "words:256", "words:-1", "Words:3", "lines:3", "words:3:3", "3"]
    {
        let error = text.parse::<Shingles>().unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::InvalidArgument, "{text}");
        assert!(error.to_string().contains("words:3 is usual"), "{error}");
    }
}

#[test]
fn texts_of_shingles_are_distinct_if_their_hashes_are() {
    let spec = HashSpec::default();
    let text = "Is 1.5 enough?  É a dúvida: is 1 5 enough, a a a a!";
    for unit in Unit::ALL {
        for (size, text) in [(1, text), (3, text), (200, text), (3, ""), (3, "a b"), (2, "\u{e9}")] {
            let shingles = Shingles::new(unit, size, Normalise::ALL).unwrap();
            let (hashes, mut texts) = (shingles.hashes(text, &spec), Vec::new());
            shingles.for_each_text(text, |shingle| texts.push(shingle.to_vec()));
            assert_eq!(texts.len(), hashes.len(), "{shingles} of {text}");
            for (one, first) in texts.iter().zip(&hashes) {
                for (other, second) in texts.iter().zip(&hashes) {
                    assert_eq!(one == other, first == second, "{shingles} of {text}");
                }
            }
        }
    }
}
