//! Texts as sets of shingles: see [`Shingles`].

mod cut;
mod normalise;

pub use normalise::Normalise;

use crate::hash::Domain;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use cut::{for_each_run, is_token_byte, is_word_byte};

/// The largest size; longer runs are hardly ever repeated.
const MAX_SIZE: u32 = 255;

/// Shingling: turns a text into the set of all runs of `size` consecutive words, characters, tokens or bytes.
///
/// Texts with the same shingles in another order or number give the same set. Their similarity is the share of all
/// shingles that both have.
///
/// | | a shingle of 3 from `Is 1.5 enough?` | good for |
/// |---|---|---|
/// | [`words`](Self::words) | `is 1 5`, `1 5 enough` | prose, where only letters and digits matter |
/// | [`tokens`](Self::tokens) | `is 1.5 enough?` | code and logs, where punctuation matters |
/// | [`chars`](Self::chars) | `is `, `s 1`, ` 1.`, … | names, short texts, scripts without spaces |
/// | [`bytes`](Self::bytes) | `Is `, `s 1`, ` 1.`, … | data that are not text |
///
/// A text shorter than `size` is one shingle with all of its words, and a text without any words has no shingle;
/// likewise for the other units.
///
/// ```
/// use crivo::similarity::{ExactSet, Shingles};
/// use crivo::HashSpec;
/// let (shingles, spec) = (Shingles::words(3)?, HashSpec::default());
/// let first = shingles.hashes("It was the best of times, it was the worst of times.", &spec);
/// let second = shingles.hashes("IT WAS THE BEST OF TIMES; IT WAS THE BLURST OF TIMES", &spec);
/// assert_eq!(first.len(), 10); // it was the, was the best, ...; `it was the` comes twice
/// assert_eq!(first[0], spec.hash(&("it", "was", "the")));
/// assert_eq!(ExactSet::new(&first).similarity(&ExactSet::new(&second)), 6.0 / 12.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// Written and read as `words:3`:
/// ```
/// # use crivo::similarity::Shingles;
/// assert_eq!("chars:5".parse::<Shingles>()?, Shingles::chars(5)?);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shingles {
    unit: Unit,
    size: u32,
    normalise: Normalise,
}

/// The unit of a shingle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Words,
    Tokens,
    Chars,
    Bytes,
}

impl Unit {
    const ALL: [Self; 4] = [Self::Words, Self::Tokens, Self::Chars, Self::Bytes];

    fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Tokens => "tokens",
            Self::Chars => "chars",
            Self::Bytes => "bytes",
        }
    }
}

impl Shingles {
    /// Creates shingles of words: letters and digits of any script, with their marks. The default normalisation is
    /// [`Normalise::ALL`].
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `size` is 1 to 255.
    pub fn words(size: u32) -> Result<Self> {
        Self::new(Unit::Words, size, Normalise::ALL)
    }

    /// Creates shingles of tokens, which are separated by white space. The default normalisation is [`Normalise::ALL`].
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `size` is 1 to 255.
    pub fn tokens(size: u32) -> Result<Self> {
        Self::new(Unit::Tokens, size, Normalise::ALL)
    }

    /// Creates shingles of characters (Unicode code points). The default normalisation is [`Normalise::ALL`].
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `size` is 1 to 255.
    pub fn chars(size: u32) -> Result<Self> {
        Self::new(Unit::Chars, size, Normalise::ALL)
    }

    /// Creates shingles of raw bytes. The default normalisation is [`Normalise::NONE`].
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `size` is 1 to 255.
    pub fn bytes(size: u32) -> Result<Self> {
        Self::new(Unit::Bytes, size, Normalise::NONE)
    }

    fn new(unit: Unit, size: u32, normalise: Normalise) -> Result<Self> {
        if (1..=MAX_SIZE).contains(&size) {
            return Ok(Self { unit, size, normalise });
        }
        let name = unit.name();
        Err(Error::invalid(format!("a shingle has 1 to {MAX_SIZE} {name}, got {size}; words:3 is usual")))
    }

    /// Replaces the normalisation.
    #[must_use]
    pub fn with_normalise(self, normalise: Normalise) -> Self {
        Self { normalise, ..self }
    }

    /// Returns how texts are normalised before they are cut.
    pub fn normalise(&self) -> Normalise {
        self.normalise
    }

    /// Returns the hashes of a text's shingles in order, including repetitions.
    pub fn hashes(&self, text: impl AsRef<[u8]>, spec: &HashSpec) -> Vec<u64> {
        let text = text.as_ref();
        // Enough for words of seven letters; other texts make it grow.
        let mut hashes = Vec::with_capacity(text.len() / 8);
        self.for_each(text, spec, |hash| hashes.push(hash));
        hashes
    }

    /// Visits the hashes of a text's shingles in order, including repetitions.
    ///
    /// The text is UTF-8; invalid bytes count as the replacement character U+FFFD. Consecutive characters and bytes
    /// hash as the text that they form, words and tokens as a tuple (`docs/FORMAT.md`, 1.5).
    pub fn for_each(&self, text: impl AsRef<[u8]>, spec: &HashSpec, mut visit: impl FnMut(u64)) {
        let hasher = spec.bytes_hasher();
        let text = normalise::prepare(text.as_ref(), self.unit, self.normalise);
        match self.unit {
            Unit::Words => self.visit_runs(&text, is_word_byte, spec, visit),
            Unit::Tokens => self.visit_runs(&text, is_token_byte, spec, visit),
            Unit::Chars => self.visit_char_texts(&text, |shingle| visit(hasher.hash(shingle))),
            Unit::Bytes => windows(&text, self.size as usize).for_each(|shingle| visit(hasher.hash(shingle))),
        }
    }

    /// Visits the shingles themselves in order, including repetitions: the texts that [`for_each`](Self::for_each)
    /// hashes. Words and tokens are separated by a space.
    ///
    /// ```
    /// # use crivo::similarity::Shingles;
    /// let mut shingles = Vec::new();
    /// Shingles::words(3)?.for_each_text("Is 1.5 enough?", |shingle| shingles.push(shingle.to_vec()));
    /// assert_eq!(shingles, [b"is 1 5".to_vec(), b"1 5 enough".to_vec()]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn for_each_text(&self, text: impl AsRef<[u8]>, visit: impl FnMut(&[u8])) {
        let text = normalise::prepare(text.as_ref(), self.unit, self.normalise);
        match self.unit {
            Unit::Words => self.visit_run_texts(&text, is_word_byte, visit),
            Unit::Tokens => self.visit_run_texts(&text, is_token_byte, visit),
            Unit::Chars => self.visit_char_texts(&text, visit),
            Unit::Bytes => windows(&text, self.size as usize).for_each(visit),
        }
    }

    fn visit_run_texts(self, text: &[u8], is_part: impl Fn(u8) -> bool, mut visit: impl FnMut(&[u8])) {
        // All words, separated by a space: the shingles are windows on this text.
        let (mut joined, mut words) = (Vec::with_capacity(text.len()), Vec::new());
        for_each_run(text, is_part, |word| {
            if !words.is_empty() {
                joined.push(b' ');
            }
            words.push((joined.len(), joined.len() + word.len()));
            joined.extend_from_slice(word);
        });
        for shingle in windows(&words, self.size as usize) {
            if let [(start, _), .., (_, end)] | [(start, end)] = *shingle {
                visit(&joined[start..end]);
            }
        }
    }

    fn visit_runs(
        self,
        text: &[u8],
        is_part: impl Fn(u8) -> bool,
        spec: &HashSpec,
        mut visit: impl FnMut(u64),
    ) {
        // Each word is hashed once, and the shingles are windows on these hashes.
        let hasher = spec.bytes_hasher();
        let mut words: Vec<[u8; 8]> = Vec::with_capacity(text.len() / 4);
        for_each_run(text, is_part, |word| words.push(hasher.hash(word).to_le_bytes()));
        let hasher = spec.framed_hasher(Domain::Tuple);
        for shingle in windows(&words, self.size as usize) {
            visit(hasher.hash(shingle.as_flattened()));
        }
    }

    fn visit_char_texts(self, text: &[u8], mut visit: impl FnMut(&[u8])) {
        if text.is_ascii() {
            return windows(text, self.size as usize).for_each(visit);
        }
        let is_start = |byte: u8| byte & 0xc0 != 0x80;
        let starts = || (0..text.len()).filter(|&at| is_start(text[at])).chain([text.len()]);
        let ends = starts().skip(self.size as usize);
        let mut alone = true;
        for (start, end) in starts().zip(ends) {
            visit(&text[start..end]);
            alone = false;
        }
        if alone {
            visit(text);
        }
    }
}

/// Returns all runs of `size` consecutive elements, or everything at once if there are fewer.
fn windows<T>(all: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    all.windows(size.min(all.len()).max(1))
}

impl fmt::Display for Shingles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.unit.name(), self.size)
    }
}

impl FromStr for Shingles {
    type Err = Error;

    /// Parses `words:3`, `tokens:3`, `chars:5` or `bytes:8`.
    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once(':').and_then(|(name, size)| {
            let unit = Unit::ALL.into_iter().find(|unit| unit.name() == name)?;
            Some((unit, size.parse().ok()?))
        });
        match parts {
            Some((Unit::Words, size)) => Self::words(size),
            Some((Unit::Tokens, size)) => Self::tokens(size),
            Some((Unit::Chars, size)) => Self::chars(size),
            Some((Unit::Bytes, size)) => Self::bytes(size),
            None => {
                let units: Vec<&str> = Unit::ALL.iter().map(|unit| unit.name()).collect();
                let units: String = units.join(", ");
                Err(Error::invalid(format!(
                    "shingles are written as one of {units}, a colon and a number, got {text:?}; words:3 is usual"
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests;
