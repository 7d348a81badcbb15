//! Texts with hyphens in their words, and everything else as it was.

use super::exceptions::Asked;
use super::hyphenator::{Hyphenation, Hyphenator};
use crate::words::{Token, words};
use crivo_report::{Page, Records, Report};
use serde::Serialize;
use serde::ser::Serializer;
use std::ops::AddAssign;

/// The words of a part of a text, and where they may be broken.
#[derive(Debug, Default)]
pub(super) struct Found {
    words: Vec<Word>,
    /// The places of all breaks in the text.
    breaks: Vec<u32>,
    pub(super) tally: Tally,
}

/// A word, from one place in the text to another.
#[derive(Debug)]
struct Word {
    start: u32,
    end: u32,
    /// How many of all breaks come before its end.
    breaks: u32,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) words: u64,
    /// Words that may be broken.
    pub(super) broken: u64,
    pub(super) breaks: u64,
    pub(super) asked: Asked,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.broken += other.broken;
        self.breaks += other.breaks;
        self.asked += other.asked;
    }
}

/// Finds the breaks of `text`, which ends where a word ends and is shorter than 4 GiB.
pub(super) fn hyphenate(hyphenator: &Hyphenator, text: &[u8]) -> Found {
    let mut hyphenation = Hyphenation::new(hyphenator);
    let mut found = Found::default();
    let mut token = Token::default();
    for word in words(text) {
        let place = word.start..word.start + word.text.len();
        let breaks = if token.is_left(text, &place) { &[] } else { hyphenation.breaks(word.text) };
        found.tally.broken += u64::from(!breaks.is_empty());
        found.breaks.extend(breaks.iter().map(|&at| (place.start + at) as u32));
        let breaks = found.breaks.len() as u32;
        found.words.push(Word { start: place.start as u32, end: place.end as u32, breaks });
    }
    found.tally.words = found.words.len() as u64;
    found.tally.breaks = found.breaks.len() as u64;
    found.tally.asked = hyphenation.asked;
    found
}

/// A part of a text with its breaks.
pub(super) struct Hyphenated<'a> {
    pub(super) text: &'a [u8],
    pub(super) found: &'a Found,
    pub(super) hyphen: &'a [u8],
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "hyphenated")]
struct WordRecord<'a> {
    word: &'a str,
    parts: Parts<'a>,
}

/// The parts of a word that begins and is broken at these places of its text.
struct Parts<'a> {
    word: &'a str,
    start: u32,
    breaks: &'a [u32],
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ends = self.breaks.iter().map(|at| (at - self.start) as usize).chain([self.word.len()]);
        let mut start = 0;
        serializer.collect_seq(ends.map(|end| &self.word[std::mem::replace(&mut start, end)..end]))
    }
}

impl Report for Hyphenated<'_> {
    fn text(&self, page: &mut Page) {
        let mut start = 0;
        for &at in &self.found.breaks {
            page.bytes(&self.text[start..at as usize]);
            page.bytes(self.hyphen);
            start = at as usize;
        }
        page.bytes(&self.text[start..]);
    }

    fn records(&self, records: &mut Records) {
        let mut before = 0;
        for &Word { start, end, breaks } in &self.found.words {
            let word = &self.text[start as usize..end as usize];
            let word = std::str::from_utf8(word).expect("words are of letters");
            let breaks = &self.found.breaks[std::mem::replace(&mut before, breaks as usize)..breaks as usize];
            records.row(&WordRecord { word, parts: Parts { word, start, breaks } });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exceptions::{Exceptions, parse};
    use super::super::hyphenator::Rules;
    use super::super::patterns::Patterns;
    use super::*;
    use crate::args::{DEFAULT_MAX_MEMORY, LimitArgs};
    use hypher::Lang;

    fn hyphenator(rules: Rules, exceptions: &[&str]) -> Hyphenator {
        let limit = LimitArgs { max_memory: DEFAULT_MAX_MEMORY };
        let exceptions = exceptions.iter().map(|entry| parse(entry).unwrap());
        let exceptions = Exceptions::new(exceptions, None, 0.01, limit).unwrap();
        Hyphenator { rules, left: 2, right: 3, exceptions }
    }

    fn written(hyphenator: &Hyphenator, text: impl AsRef<[u8]>) -> Vec<u8> {
        let text = text.as_ref();
        let mut page = Page::new(80, false);
        Hyphenated { text, found: &hyphenate(hyphenator, text), hyphen: b"-" }.text(&mut page);
        page.into_bytes()
    }

    fn english(text: &str) -> String {
        let english = hyphenator(Rules::BuiltIn(Lang::English), &["a-cad-e-my"]);
        String::from_utf8(written(&english, text)).unwrap()
    }

    #[test]
    fn words_alone_change() {
        assert_eq!(english("Hyphenation, \r\n\tCOMPUTER!\n"), "Hy-phen-ation, \r\n\tCOM-PUTER!\n");
        assert_eq!(english(""), "");
        assert_eq!(english("\n\n 12 --"), "\n\n 12 --");
        assert_eq!(english("computer-hyphenation (hyphenation)"), "com-puter-hy-phen-ation (hy-phen-ation)");
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let english = hyphenator(Rules::BuiltIn(Lang::English), &[]);
        assert_eq!(
            written(&english, b"\xffcomputer\xc3 \0computer\xfe"),
            b"\xffcom-puter\xc3 \0com-puter\xfe"
        );
    }

    #[test]
    fn addresses_names_and_what_has_hyphens_stay() {
        for left in [
            "https://example.com/hyphenation?computer=computer",
            "(www.computer.org)",
            "hyphenation.computer@example.org,",
            "/usr/share/hyphenation",
            "C:\\computer",
            "\\hyphenation{",
            "computer2",
            "hyphenation_computer",
            "hyphen\u{ad}ation",
        ] {
            assert_eq!(english(left), left);
            assert_eq!(english(&format!("computer {left} computer")), format!("com-puter {left} com-puter"));
        }
        assert_eq!(english("computer/hyphenation."), "com-puter/hy-phen-ation.");
    }

    #[test]
    fn exceptions_win_in_any_case_and_beside_apostrophes() {
        assert_eq!(english("academy ACADEMY Academy's"), "a-cad-e-my A-CAD-E-MY A-cad-e-my's");
        assert_eq!(english("computer's computer’s"), "com-puter's com-puter’s");
        let oclock = hyphenator(Rules::BuiltIn(Lang::English), &["o'-clock", "computer"]);
        assert_eq!(written(&oclock, "o'clock o’clock computer’s"), "o'-clock o’-clock computer’s".as_bytes());
    }

    #[test]
    fn accents_written_apart_are_letters() {
        let patterns = Patterns::new(["1çã", "1çõ", "1ra"], 1 << 20).unwrap();
        for rules in [Rules::File(Box::new(patterns)), Rules::BuiltIn(Lang::Portuguese)] {
            let portuguese = hyphenator(rules, &["in-for-ma-ções"]);
            for (text, expected) in [
                ("corações", "co-ra-ções"),
                ("CORAÇÃO", "CO-RA-ÇÃO"),
                ("corac\u{327}a\u{303}o", "co-ra-c\u{327}a\u{303}o"),
                ("informações", "in-for-ma-ções"),
                ("Informac\u{327}o\u{303}es", "In-for-ma-c\u{327}o\u{303}es"),
            ] {
                assert_eq!(String::from_utf8(written(&portuguese, text)).unwrap(), expected);
            }
        }
    }
}
