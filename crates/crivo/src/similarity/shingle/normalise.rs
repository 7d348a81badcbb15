//! Text normalisation before shingling: see [`Normalise`].

use super::Unit;
use super::cut::is_word_byte;
use alloc::borrow::Cow;
use alloc::string::String;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The differences between texts that shingling ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalise {
    /// Converts to lower case, character by character, by Unicode's mapping.
    pub lower_case: bool,
    /// Collapses white space to one space, and removes it at both ends. This makes no difference for words and tokens.
    pub white_space: bool,
    /// Composes letters with their marks: Unicode's normalisation form NFC.
    pub nfc: bool,
}

impl Normalise {
    /// Ignores all of these differences.
    pub const ALL: Self = Self { lower_case: true, white_space: true, nfc: true };
    /// Ignores no difference.
    pub const NONE: Self = Self { lower_case: false, white_space: false, nfc: false };
}

/// Characters that combine with others start at U+0300, in UTF-8 `cc 80`, so none begins with a smaller byte.
const FIRST_COMBINING: u8 = 0xcc;

/// Normalises the text for a cut that looks at single bytes: beyond ASCII, no separator of words or tokens is left.
pub(super) fn prepare(text: &[u8], unit: Unit, normalise: Normalise) -> Cow<'_, [u8]> {
    if unit == Unit::Bytes && normalise == Normalise::NONE {
        return Cow::Borrowed(text);
    }
    // Most texts are valid UTF-8, and checking is much faster than repairing.
    let text = str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed);
    let mut text = fold(compose(text, normalise.nfc), unit, normalise.lower_case);
    if normalise.white_space && matches!(unit, Unit::Chars | Unit::Bytes) {
        text = Cow::Owned(squeeze(&text));
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn compose(text: Cow<'_, str>, nfc: bool) -> Cow<'_, str> {
    // ASCII combines with nothing, so each run of other characters can be composed separately.
    let composed = !nfc
        || text.bytes().fold(0, u8::max) < FIRST_COMBINING
        || runs(&text).all(|(_, other)| is_nfc_quick(other.chars()) == IsNormalized::Yes);
    if composed { text } else { Cow::Owned(text.nfc().collect()) }
}

/// Converts capitals to lower case, and separators beyond ASCII to spaces.
fn fold(mut text: Cow<'_, str>, unit: Unit, lower_case: bool) -> Cow<'_, str> {
    if text.is_ascii() {
        if lower_case {
            text.to_mut().make_ascii_lowercase();
        }
        return text;
    }
    let mut folded = String::with_capacity(text.len());
    for (ascii, other) in runs(&text) {
        let start = folded.len();
        folded.push_str(ascii);
        if lower_case {
            folded[start..].make_ascii_lowercase();
        }
        for char in other.chars() {
            if separates(char, unit, &folded) {
                folded.push(' ');
            } else if lower_case {
                folded.extend(char.to_lowercase());
            } else {
                folded.push(char);
            }
        }
    }
    Cow::Owned(folded)
}

/// Splits the text into pairs of runs: ASCII, and the following non-ASCII.
fn runs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let (ascii, after) = rest.split_at(ascii_prefix(rest.as_bytes()));
        let other = after.bytes().position(|byte| byte.is_ascii()).unwrap_or(after.len());
        let (other, after) = after.split_at(other);
        rest = after;
        (!ascii.is_empty() || !other.is_empty()).then_some((ascii, other))
    })
}

/// Returns the number of leading ASCII bytes.
fn ascii_prefix(text: &[u8]) -> usize {
    // Whole blocks pay off, because a text is nearly all ASCII or hardly any.
    let blocks = text.as_chunks::<32>().0.iter().take_while(|block| block.is_ascii()).count();
    let start = blocks * 32;
    text[start..].iter().position(|byte| !byte.is_ascii()).map_or(text.len(), |place| start + place)
}

fn separates(char: char, unit: Unit, before: &str) -> bool {
    match unit {
        Unit::Words => {
            // A mark belongs to the letter before it; alone it is a separator.
            let marks = || is_combining_mark(char) && before.bytes().next_back().is_some_and(is_word_byte);
            !(char.is_alphanumeric() || marks())
        }
        Unit::Tokens => char.is_whitespace(),
        Unit::Chars | Unit::Bytes => false,
    }
}

/// Collapses white space to one space, and removes it at the ends.
fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for piece in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(piece);
    }
    squeezed
}
