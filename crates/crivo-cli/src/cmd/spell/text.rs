//! The unknown words of a text.

use super::dictionary::Dictionary;
use super::suggest::suggest;
use crate::words::{Token, words};
use std::collections::HashMap;
use std::sync::Arc;

/// A word that is not in the dictionary.
#[derive(Debug)]
pub(super) struct Unknown {
    pub(super) word: Box<str>,
    /// From 0 in its part of the text.
    pub(super) line: u64,
    /// From 1, in characters.
    pub(super) column: u64,
    pub(super) suggestions: Arc<[String]>,
}

/// What is in a part of a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) words: u64,
    pub(super) lines: u64,
    pub(super) unknown: Vec<Unknown>,
}

/// Suggestions that have been made: unknown words come again.
#[derive(Clone, Default)]
pub(super) struct Suggested(HashMap<Box<str>, Arc<[String]>>);

impl Suggested {
    fn of(&mut self, word: &str, dictionary: &Dictionary, most: usize) -> Arc<[String]> {
        /// A text with more unknown words is in another language.
        const KEPT: usize = 1 << 15;
        if let Some(suggestions) = self.0.get(word) {
            return Arc::clone(suggestions);
        }
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        let suggestions: Arc<[String]> = suggest(dictionary, word, most).into();
        self.0.insert(word.into(), Arc::clone(&suggestions));
        suggestions
    }
}

/// Looks up all words of whole lines, with at most this many suggestions for each unknown word.
pub(super) fn find(dictionary: &Dictionary, text: &[u8], most: usize, suggested: &mut Suggested) -> Found {
    let mut found = Found::default();
    let (mut token, mut cursor) = (Token::default(), Cursor { at: 0, line: 0, column: 1 });
    for word in words(text) {
        found.words += 1;
        let place = word.start..word.start + word.text.len();
        if dictionary.knows(word.text)
            || token.is_left(text, &place)
            || compound(text, place.start, place.end).is_some_and(|whole| dictionary.knows(whole))
        {
            continue;
        }
        cursor.go(text, word.start);
        found.unknown.push(Unknown {
            word: word.text.into(),
            line: cursor.line,
            column: cursor.column,
            suggestions: suggested.of(word.text, dictionary, most),
        });
    }
    found.lines = memchr::memchr_iter(b'\n', text).count() as u64;
    found
}

/// The word with hyphens that the one at these places is a part of.
fn compound(text: &[u8], start: usize, end: usize) -> Option<&str> {
    /// As long as a word may be to either side.
    const SIDE: usize = 64;
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || matches!(byte, b'-' | b'\'');
    let before = text[..start].iter().rev().take(SIDE).take_while(|byte| is_part(byte)).count();
    let after = text[end..].iter().take(SIDE).take_while(|byte| is_part(byte)).count();
    let whole = std::str::from_utf8(&text[start - before..end + after]).ok()?;
    let whole = whole.trim_matches(|letter: char| !letter.is_alphabetic());
    whole.contains('-').then_some(whole)
}

/// A place in a text, which only moves on.
struct Cursor {
    at: usize,
    line: u64,
    column: u64,
}

impl Cursor {
    fn go(&mut self, text: &[u8], to: usize) {
        let passed = &text[self.at..to];
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
            (self.at, self.column) = (self.at + last + 1, 1);
        }
        // As editors show it: a mark at the beginning of a file has no column, bytes that are no text have one.
        let columns = text[self.at..to].utf8_chunks().map(|chunk| {
            let letters = chunk.valid().chars().filter(|&letter| letter != '\u{feff}').count();
            letters as u64 + u64::from(!chunk.invalid().is_empty())
        });
        self.column += columns.sum::<u64>();
        self.at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::tests::dictionary;
    use super::*;

    fn unknown(text: &[u8]) -> Vec<(u64, u64, String)> {
        let known = dictionary(&["a", "sieve", "well-known", "known", "été"]);
        let found = find(&known, text, 0, &mut Suggested::default());
        found.unknown.into_iter().map(|unknown| (unknown.line, unknown.column, unknown.word.into())).collect()
    }

    #[track_caller]
    fn check(text: impl AsRef<[u8]>, expected: &[(u64, u64, &str)]) {
        let expected: Vec<_> =
            expected.iter().map(|&(line, column, word)| (line, column, word.to_owned())).collect();
        assert_eq!(unknown(text.as_ref()), expected);
    }

    #[test]
    fn places_are_as_in_an_editor() {
        check("a x\r\n\r\n sieve y a z", &[(0, 3, "x"), (2, 8, "y"), (2, 12, "z")]);
        check("été x 日本 y", &[(0, 5, "x"), (0, 7, "日本"), (0, 10, "y")]);
        check("\u{feff}x", &[(0, 1, "x")]);
        check(b"\xff\xfe x\n\xc3y", &[(0, 4, "x"), (1, 2, "y")]);
        check("", &[]);
    }

    #[test]
    fn what_is_no_word_of_a_language_is_left_alone() {
        check("x1 1x x_y https://x.y/z x@y.z www.x.y /x/y c:\\x", &[]);
        check("x\u{ad}y", &[]);
        check("(x) x/y", &[(0, 2, "x"), (0, 5, "x"), (0, 7, "y")]);
    }

    #[test]
    fn compounds_are_known_as_a_whole_or_by_their_parts() {
        check("well-known Well-Known's “well-known” sieve-known", &[]);
        check("well known", &[(0, 1, "well")]);
        check("well-a -well- x-sieve", &[(0, 1, "well"), (0, 9, "well"), (0, 15, "x")]);
        check("a-".repeat(100) + "x", &[(0, 201, "x")]);
    }
}
