//! Where words may be broken.

use super::exceptions::{Asked, Exceptions, Lookup};
use super::language;
use super::letters::lower;
use super::patterns::{Matching, Patterns};
use crate::words::plain;
use hypher::Lang;
use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;

/// The rules of a language.
#[derive(Debug)]
pub(super) struct Hyphenator {
    pub(super) rules: Rules,
    /// The fewest letters before the first break, by patterns. Exceptions are as they are written.
    pub(super) left: usize,
    /// The fewest letters after the last.
    pub(super) right: usize,
    pub(super) exceptions: Exceptions,
}

/// Patterns.
#[derive(Debug)]
pub(super) enum Rules {
    BuiltIn(Lang),
    File(Box<Patterns>),
}

impl Rules {
    /// Whether an apostrophe belongs to words. If not, it is between them, as in TeX.
    fn has_apostrophe(&self) -> bool {
        match self {
            Self::BuiltIn(language) => language::has_apostrophe(*language),
            Self::File(patterns) => patterns.has_apostrophe(),
        }
    }
}

/// A hyphenator at work: with buffers that are used again for each word.
pub(super) struct Hyphenation<'a> {
    hyphenator: &'a Hyphenator,
    has_apostrophe: bool,
    /// None if there are no exceptions.
    exceptions: Option<Lookup<'a>>,
    pub(super) asked: Asked,
    small: String,
    matching: Matching,
    /// The bytes of the word before each break.
    breaks: Vec<usize>,
}

impl<'a> Hyphenation<'a> {
    pub(super) fn new(hyphenator: &'a Hyphenator) -> Self {
        let exceptions = &hyphenator.exceptions;
        Self {
            hyphenator,
            has_apostrophe: hyphenator.rules.has_apostrophe(),
            exceptions: (exceptions.len() > 0).then(|| exceptions.lookup()),
            asked: Asked::default(),
            small: String::new(),
            matching: Matching::default(),
            breaks: Vec::new(),
        }
    }

    /// The bytes of `word` before each place where it may be broken, in order.
    pub(super) fn breaks(&mut self, word: &str) -> &[usize] {
        self.breaks.clear();
        match plain(word) {
            Cow::Borrowed(word) => self.add_word(word),
            Cow::Owned(plain) => {
                self.add_word(&plain);
                move_breaks(&mut self.breaks, &plain, word);
            }
        }
        &self.breaks
    }

    fn add_word(&mut self, word: &str) {
        if self.has_apostrophe || !word.contains('\'') {
            self.add_part(word, 0);
        } else if !self.add_exception(word, 0) {
            let mut start = 0;
            for part in word.split('\'') {
                self.add_part(part, start);
                start += part.len() + 1;
            }
        }
    }

    /// The breaks of `part`, which begins after `start` bytes of the word.
    fn add_part(&mut self, part: &str, start: usize) {
        if !self.add_exception(part, start) {
            self.add_by_patterns(part, start);
        }
    }

    /// Whether there is an exception for it.
    fn add_exception(&mut self, part: &str, start: usize) -> bool {
        let Some(exceptions) = self.exceptions else { return false };
        self.small.clear();
        if part.is_ascii() {
            self.small.push_str(part);
            self.small.make_ascii_lowercase();
        } else {
            self.small.extend(part.chars().map(lower));
        }
        let Some(letters) = exceptions.find(&self.small, &mut self.asked) else { return false };
        add_places(part, start, letters.iter().map(|&letters| letters as usize), &mut self.breaks);
        true
    }

    fn add_by_patterns(&mut self, part: &str, start: usize) {
        let Hyphenator { rules, left, right, .. } = self.hyphenator;
        if part.len() < left + right {
            return;
        }
        let breaks = &mut self.breaks;
        match rules {
            Rules::BuiltIn(language) => {
                let mut at = start;
                for syllable in hypher::hyphenate_bounded(part, *language, *left, *right) {
                    at += syllable.len();
                    breaks.push(at);
                }
                // The last one is the end.
                breaks.pop();
            }
            Rules::File(patterns) => {
                let letters = part.chars().count();
                let allowed = *left..=letters.saturating_sub(*right);
                let found = patterns.breaks(part, &mut self.matching);
                add_places(part, start, found.filter(|place| allowed.contains(place)), breaks);
            }
        }
    }
}

/// The bytes before each of the letters that are counted, on top of `start`.
fn add_places(part: &str, start: usize, letters: impl Iterator<Item = usize>, breaks: &mut Vec<usize>) {
    if part.is_ascii() {
        breaks.extend(letters.map(|letters| start + letters));
        return;
    }
    let mut places = part.char_indices().map(|(place, _)| place).enumerate();
    for letters in letters {
        breaks.extend(places.find(|&(number, _)| number == letters).map(|(_, place)| start + place));
    }
}

/// Turns places in the plain form of `word` into those in the word itself, which has as many letters but for marks. There
/// is none before a mark.
fn move_breaks(breaks: &mut Vec<usize>, plain: &str, word: &str) {
    let letters = |text: &'_ str| -> Vec<usize> {
        text.char_indices()
            .filter(|(_, letter)| !is_combining_mark(*letter))
            .map(|(place, _)| place)
            .collect()
    };
    let [of_plain, of_word] = [letters(plain), letters(word)];
    if of_plain.len() != of_word.len() {
        return breaks.clear();
    }
    let moved = |place: &usize| of_plain.binary_search(place).ok().map(|number| of_word[number]);
    *breaks = breaks.iter().filter_map(moved).collect();
}
