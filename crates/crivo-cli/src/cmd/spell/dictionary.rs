//! Which words there are.

use crate::args::{KeyArgs, LimitArgs};
use crate::cmd::filter::Saved;
use crate::cmd::item_set::ItemSet;
use crate::cmd::sketch_file::{self, is_sketch};
use crate::session::Session;
use crate::words::plain;
use anyhow::{Context, Result, bail};
use crivo::membership::BinaryFuseParams;
use crivo::{BinaryFuse, Estimate, HashSpec};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where many systems keep a list.
const USUAL: &str = "/usr/share/dict/words";

/// Letters that are tried at most. Scripts with more of them are not mended letter by letter.
const MOST_LETTERS: usize = 64;

/// How a list becomes a filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Make {
    pub(super) fpr: f64,
    pub(super) ignores_case: bool,
}

/// A filter of all words, and the letters that they are made of.
pub(super) struct Dictionary {
    filter: Saved<'static>,
    /// The words themselves, where they are a list.
    list: Option<ItemSet>,
    /// In lower case, the most frequent first.
    pub(super) alphabet: Vec<char>,
    pub(super) fpr: Estimate,
}

impl Dictionary {
    /// Opens the dictionary of a list or a filter; the list of the system if none is named.
    pub(super) fn open(
        path: Option<&PathBuf>,
        make: Make,
        limit: LimitArgs,
        key: &KeyArgs,
        session: &Session,
    ) -> Result<Self> {
        let usual = PathBuf::from(USUAL);
        let path = match path {
            Some(path) => path,
            None if usual.is_file() => &usual,
            None => bail!(
                "there is no list of words at {USUAL}; name one with --words, with one word per line, or a filter that \
                 'crivo filter build' made of one"
            ),
        };
        if !is_sketch(path, session)? {
            return Self::read(path, make, limit, session);
        }
        if make.ignores_case {
            bail!(
                "{}: is a filter, whose words have the case that they have; leave out --ignore-case, or build it of words \
                 in lower case",
                path.display()
            );
        }
        Self::load(path, limit, key, session)
    }

    fn load(path: &Path, limit: LimitArgs, key: &KeyArgs, session: &Session) -> Result<Self> {
        let options = key.decode_options(limit, session)?;
        let filter = Saved::load(path, &sketch_file::read(path, &options, session)?, &options)?;
        let fpr = filter.fpr().expect("a loaded filter knows its rate");
        // Nobody knows which letters its words have.
        Ok(Self { filter, list: None, alphabet: ('a'..='z').chain(['\'']).collect(), fpr })
    }

    fn read(path: &Path, make: Make, limit: LimitArgs, session: &Session) -> Result<Self> {
        let name = || path.display().to_string();
        let lines = session.read_lines(path, limit.max_memory)?;
        let lines: Result<Vec<&str>, _> = lines.iter().map(|line| std::str::from_utf8(line)).collect();
        let Ok(lines) = lines else {
            bail!(
                "{}: is not UTF-8 text; expected one word per line, or a filter of 'crivo filter build'",
                name()
            );
        };
        Self::freeze(lines, make, limit).with_context(name)
    }

    fn freeze<'a>(words: impl IntoIterator<Item = &'a str>, make: Make, limit: LimitArgs) -> Result<Self> {
        let spec = HashSpec::default();
        let mut letters = Letters::new();
        let (mut hashes, mut list) = (Vec::new(), ItemSet::default());
        let mut keep = |word: &str| {
            let hash = spec.hash_bytes(word.as_bytes());
            list.insert(hash, word.as_bytes());
            hashes.push(hash);
        };
        for word in words.into_iter().map(str::trim).filter(|word| !word.is_empty()) {
            let mut word = plain(word);
            if make.ignores_case {
                // Every word is known if it is there in lower case.
                word = word.to_lowercase().into();
            }
            letters.count(&word);
            keep(&word);
            // In capitals it may be another word, of which no case tells: Straße is STRASSE.
            let capitals = word.to_uppercase();
            if !make.ignores_case && capitals.to_lowercase() != word.to_lowercase() {
                keep(&capitals);
            }
        }
        if hashes.is_empty() {
            bail!("there are no words; expected one per line");
        }
        let params = BinaryFuseParams::for_fpr(hashes.len() as u64, make.fpr)?;
        limit.check(params.memory_bytes(hashes.len() as u64)? + list.memory_bytes() as u64)?;
        let filter = BinaryFuse::freeze_hashes(hashes, params, spec)?;
        let fpr = filter.fpr();
        let filter = Saved::Loaded(Box::new(filter), spec);
        Ok(Self { filter, list: Some(list), alphabet: letters.most_frequent(), fpr })
    }

    /// Whether there is such a word: as it stands, in lower case, if it is in capitals also with only the first one, or
    /// each of these before 's.
    pub(super) fn knows(&self, word: &str) -> bool {
        let word = plain(word);
        self.knows_cased(&word)
            || word
                .strip_suffix("'s")
                .or_else(|| word.strip_suffix("'S"))
                .is_some_and(|of| self.knows_cased(of))
    }

    fn knows_cased(&self, word: &str) -> bool {
        if self.has(word) {
            return true;
        }
        let lower = word.to_lowercase();
        lower != word && (self.has(&lower) || (word.to_uppercase() == word && self.has(&title(&lower))))
    }

    fn has(&self, word: &str) -> bool {
        self.filter.contains_hash(self.hash(word))
    }

    pub(super) fn hash(&self, word: &str) -> u64 {
        self.filter.spec().hash_bytes(word.as_bytes())
    }

    /// Whether each of many words is there just so, as far as the filter tells.
    pub(super) fn has_all(&self, hashes: &[u64]) -> Vec<bool> {
        self.filter.contains_hashes(hashes)
    }

    /// Whether a word that the filter reports is one, as far as that is known.
    pub(super) fn confirms(&self, hash: u64, word: &str) -> bool {
        self.list.as_ref().is_none_or(|list| list.contains(hash, word.as_bytes()))
    }

    /// Whether there is a list to confirm words by.
    pub(super) fn has_list(&self) -> bool {
        self.list.is_some()
    }
}

/// With a capital.
pub(super) fn title(lower: &str) -> String {
    let mut letters = lower.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// How often letters occur, in lower case.
struct Letters {
    ascii: [u64; 128],
    others: HashMap<char, u64>,
}

impl Letters {
    fn new() -> Self {
        Self { ascii: [0; 128], others: HashMap::new() }
    }

    fn count(&mut self, word: &str) {
        for letter in word.chars() {
            match self.ascii.get_mut(letter.to_ascii_lowercase() as usize) {
                Some(times) => *times += 1,
                None => letter.to_lowercase().for_each(|small| *self.others.entry(small).or_default() += 1),
            }
        }
    }

    /// With the signs that stand inside words.
    fn most_frequent(self) -> Vec<char> {
        let ascii = (0..128u8).map(char::from).zip(self.ascii);
        let is_letter = |letter: char| letter.is_alphabetic() || letter == '\'' || letter == '-';
        let mut letters: Vec<(char, u64)> =
            ascii.chain(self.others).filter(|&(letter, times)| times > 0 && is_letter(letter)).collect();
        letters.sort_unstable_by_key(|&(letter, times)| (Reverse(times), letter));
        letters.into_iter().take(MOST_LETTERS).map(|(letter, _)| letter).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::args::DEFAULT_MAX_MEMORY;

    pub(in crate::cmd::spell) fn dictionary(words: &[&str]) -> Dictionary {
        make(words, false)
    }

    fn make(words: &[&str], ignores_case: bool) -> Dictionary {
        let limit = LimitArgs { max_memory: DEFAULT_MAX_MEMORY };
        Dictionary::freeze(words.iter().copied(), Make { fpr: 1e-8, ignores_case }, limit).unwrap()
    }

    #[test]
    fn case_need_not_matter() {
        let known = make(&["OF", "Paris", "iPhone", "ÉTÉ"], true);
        for word in ["of", "Of", "OF", "paris", "PARIS", "iphone", "iPhone", "été", "Paris's"] {
            assert!(known.knows(word), "{word}");
        }
        assert!(!known.knows("off"));
    }

    #[test]
    fn words_are_known_in_any_case_that_fits() {
        let known = dictionary(&["sieve", "Paris", "NATO", "don't", "café", " sand\t", "", "l’été"]);
        for word in [
            "sieve",
            "Sieve",
            "SIEVE",
            "sieve's",
            "SIEVE'S",
            "sieve’s",
            "Paris",
            "PARIS",
            "Paris's",
            "NATO",
            "don't",
            "Don’t",
            "DON'T",
            "café",
            "CAFÉ",
            "cafe\u{301}",
            "sand",
            "l'été",
        ] {
            assert!(known.knows(word), "{word}");
        }
        let known = dictionary(&["Straße"]);
        assert!(known.knows("STRASSE") && known.knows("Straße") && !known.knows("Strasse"));
        let known = dictionary(&["sieve", "Paris", "NATO", "don't", "café"]);
        for word in ["seive", "paris", "nato", "Nato", "cafe", "'s", "s", "sieves", "dont", "sieve's's"] {
            assert!(!known.knows(word), "{word}");
        }
    }

    #[test]
    fn the_alphabet_is_that_of_the_list() {
        assert_eq!(dictionary(&["Bob's", "b-á", "x1", "Á"]).alphabet, ['b', 'á', '\'', '-', 'o', 's', 'x']);
        let many: Vec<String> = ('\u{4e00}'..='\u{4fff}').map(String::from).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(dictionary(&many).alphabet.len(), MOST_LETTERS);
    }
}
