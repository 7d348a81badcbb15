//! Texts cut into words.

use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A word and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// The byte at which it begins.
    pub(crate) start: usize,
}

/// The words of a text, in order: runs of letters, with the apostrophes between two letters.
///
/// Marks that combine with a letter belong to it. Bytes that are no UTF-8 are between words.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = Word<'_>> {
    let mut start = 0;
    text.utf8_chunks().flat_map(move |chunk| {
        let at = start;
        start += chunk.valid().len() + chunk.invalid().len();
        words_of(chunk.valid()).map(move |word| Word { start: at + word.start, ..word })
    })
}

fn words_of(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = place + text[place..].find(char::is_alphabetic)?;
        let end = start + length(&text[start..]);
        place = end;
        Some(Word { text: &text[start..end], start })
    })
}

/// The bytes of the word that `text` begins with.
fn length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = match letter {
            '\'' | '’' => letters.peek().is_some_and(|&(_, next)| next.is_alphabetic()),
            _ => letter.is_alphabetic() || is_mark(letter),
        };
        if !joins {
            return at;
        }
    }
    text.len()
}

/// Whether it belongs to the letter before it: an accent that was written apart, or a sign of an Indian script.
fn is_mark(letter: char) -> bool {
    !letter.is_ascii() && is_combining_mark(letter)
}

/// A word as lists have it: with accents in their letters, and with straight apostrophes.
pub(crate) fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || (is_nfc_quick(word.chars()) == IsNormalized::Yes && !word.contains('’')) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.nfc().map(|letter| if letter == '’' { '\'' } else { letter }).collect())
}

/// What stands between white space around a word.
#[derive(Debug, Default)]
pub(crate) struct Token {
    place: Range<usize>,
    is_address: bool,
}

impl Token {
    /// Whether the word at `place` is none of a language: a part that was hyphenated by hand, of a name with digits or
    /// underscores, or of an address or a path.
    pub(crate) fn is_left(&mut self, text: &[u8], place: &Range<usize>) -> bool {
        const SOFT_HYPHEN: &[u8] = "\u{ad}".as_bytes();
        let (before, after) = (&text[..place.start], &text[place.end..]);
        let ends = [before.last(), after.first()].map(|byte| byte.copied().unwrap_or(b' '));
        if ends.iter().all(|byte| byte.is_ascii_whitespace() || b",;!?()\"".contains(byte)) {
            return false;
        }
        if ends.iter().any(|&byte| byte.is_ascii_digit() || byte == b'_')
            || before.ends_with(SOFT_HYPHEN)
            || after.starts_with(SOFT_HYPHEN)
        {
            return true;
        }
        if !self.place.contains(&place.start) {
            let start = before.iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1);
            let length = after.iter().position(u8::is_ascii_whitespace).unwrap_or(after.len());
            self.place = start..place.end + length;
            self.is_address = is_address(&text[self.place.clone()]);
        }
        self.is_address
    }
}

/// Of the network, of a person, or of a file.
fn is_address(token: &[u8]) -> bool {
    let has = |part: &[u8]| token.windows(part.len()).any(|window| window == part);
    token.starts_with(b"/") || has(b"://") || has(b"@") || has(b"\\") || has(b"www.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8]) -> Vec<(usize, &str)> {
        words(text).map(|word| (word.start, word.text)).collect()
    }

    #[test]
    fn letters_and_apostrophes_between_them() {
        assert_eq!(
            found(b"don't 'quote' rock'n'roll' x''y"),
            [(0, "don't"), (7, "quote"), (14, "rock'n'roll"), (27, "x"), (30, "y"),]
        );
        assert_eq!(found("l’été".as_bytes()), [(0, "l’été")]);
        assert_eq!(
            found(b"well-known a1b2 3rd"),
            [(0, "well"), (5, "known"), (11, "a"), (13, "b"), (17, "rd")]
        );
        assert!(found(b"").is_empty());
        assert!(found(b" 12 -- ").is_empty());
    }

    #[test]
    fn marks_belong_to_their_letter() {
        assert_eq!(found("cafe\u{301}s".as_bytes()), [(0, "cafe\u{301}s")]);
        assert_eq!(found("\u{301}ab".as_bytes()), [(2, "ab")]);
        // The sign between its consonants is no letter.
        assert_eq!(found("हिन्दी".as_bytes()), [(0, "हिन्दी")]);
    }

    #[test]
    fn bytes_that_are_no_text_are_between_words() {
        assert_eq!(found(b"ab\xffcd\xc3 \xffe"), [(0, "ab"), (3, "cd"), (8, "e")]);
    }

    #[test]
    fn accents_are_in_their_letters() {
        assert_eq!(plain("corac\u{327}a\u{303}o"), "coração");
        assert_eq!(plain("l’homme"), "l'homme");
        assert!(matches!(plain("coração"), Cow::Borrowed(_)));
    }
}
