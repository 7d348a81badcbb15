//! Texts with hyphens in their words, and everything else as it was.

use super::exceptions::Asked;
use super::hyphenator::{Hyphenation, Hyphenator};
use crate::output::{Answer, json_text};
use crate::words::{Token, words};
use std::ops::AddAssign;

/// A part of the text, hyphenated.
#[derive(Debug, Default)]
pub(super) struct Hyphenated {
    pub(super) text: Vec<u8>,
    pub(super) tally: Tally,
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

/// How the words are written.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// In their text, with this at each break.
    Text(Vec<u8>),
    /// Each as a JSON object on a line.
    Json,
}

impl Form {
    /// `text`, which ends where a word ends.
    pub(super) fn write(&self, hyphenator: &Hyphenator, text: &[u8]) -> Hyphenated {
        let mut hyphenation = Hyphenation::new(hyphenator);
        let mut written = Vec::with_capacity(text.len() + text.len() / 4);
        let mut tally = Tally::default();
        let (mut end, mut token) = (0, Token::default());
        for word in words(text) {
            let place = word.start..word.start + word.text.len();
            let breaks = if token.is_left(text, &place) { &[] } else { hyphenation.breaks(word.text) };
            tally.words += 1;
            tally.broken += u64::from(!breaks.is_empty());
            tally.breaks += breaks.len() as u64;
            let ends = breaks.iter().copied().chain([word.text.len()]);
            let mut start = 0;
            let parts = ends.map(|end| &word.text[std::mem::replace(&mut start, end)..end]);
            match self {
                Self::Json => {
                    let answer = Answer::Hyphenated { word: word.text, parts: parts.collect() };
                    let text = json_text(&answer);
                    written.extend_from_slice(text.as_bytes());
                    written.push(b'\n');
                }
                Self::Text(hyphen) => {
                    written.extend_from_slice(&text[end..place.start]);
                    for (number, part) in parts.enumerate() {
                        written.extend_from_slice(if number > 0 { hyphen } else { b"" });
                        written.extend_from_slice(part.as_bytes());
                    }
                    end = place.end;
                }
            }
        }
        if let Self::Text(_) = self {
            written.extend_from_slice(&text[end..]);
        }
        tally.asked = hyphenation.asked;
        Hyphenated { text: written, tally }
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
        let exceptions = Exceptions::new(exceptions, None, 0.01, &limit).unwrap();
        Hyphenator { rules, left: 2, right: 3, exceptions }
    }

    fn written(hyphenator: &Hyphenator, text: impl AsRef<[u8]>) -> Vec<u8> {
        Form::Text(b"-".to_vec()).write(hyphenator, text.as_ref()).text
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
