//! What an unknown word may have been meant to be.
//!
//! A filter cannot be searched, only asked. So all words that a slip or two would have turned into the unknown one are
//! made, and those kept that it reports. It reports some of them wrongly: as many as its rate says, unless there is a list
//! to look them up in.

use super::dictionary::{Dictionary, title};
use crate::words::plain;

/// Longer words are no slips of the hand.
const LONGEST: usize = 64;
/// Of shorter words nearly everything is two slips away.
const SHORTEST_FOR_TWO: usize = 4;
/// How many candidates are asked for at most for one word.
pub(super) const MOST_CANDIDATES: usize = 20_000;

/// How likely a slip is, the likeliest first; that of two slips is their sum.
mod rank {
    /// A letter too many or too few next to its twin, or two that changed places.
    pub(super) const TWIN: u16 = 1;
    /// A vowel for another, or a sign inside the word that is missing.
    pub(super) const VOWEL: u16 = 2;
    /// A letter too many or too few.
    pub(super) const LETTER: u16 = 3;
    /// Another letter.
    pub(super) const OTHER: u16 = 4;
    /// Few get the first letter wrong.
    pub(super) const FIRST: u16 = 4;
    /// Comes after every single slip.
    pub(super) const SECOND: u16 = 10;
}

/// The likeliest words, at most `most`.
pub(super) fn suggest(dictionary: &Dictionary, word: &str, most: usize) -> Vec<String> {
    let word = plain(word);
    let (stem, end) = match word.strip_suffix("'s") {
        Some(stem) => (stem, "'s"),
        None => (&*word, ""),
    };
    let lower = stem.to_lowercase();
    let letters: Vec<char> = lower.chars().collect();
    if most == 0 || letters.len() > LONGEST {
        return Vec::new();
    }
    let case = Case::of(stem);
    let mut candidates = Candidates::default();
    // The word itself, as it should be written.
    candidates.push_text(&title(&lower), 0);
    candidates.push_text(&lower.to_uppercase(), 0);
    let alphabet = alphabet(dictionary, &letters);
    for_each_edit(&letters, &alphabet, |edit, rank| candidates.push(edit, case, rank));
    let written = |known: &str| case.apply(known) + end;
    // What would be written as the word is no other word.
    let is_other = |suggested: &str| suggested != &*word;
    let mut found = candidates.known(dictionary, most, written, is_other);
    if found.is_empty() && letters.len() >= SHORTEST_FOR_TWO {
        candidates.clear();
        // Only one of two slips puts another letter in: else there are too many to ask for.
        for_each_edit(&letters, &[], |once, first| {
            for_each_edit(once, &alphabet, |twice, second| {
                if twice != letters {
                    candidates.push(twice, case, rank::SECOND + first + second);
                }
            });
        });
        found = candidates.known(dictionary, most, written, is_other);
    }
    found
}

/// The letters of the dictionary, and of the word itself, which may be in another script.
fn alphabet(dictionary: &Dictionary, word: &[char]) -> Vec<char> {
    let mut alphabet = dictionary.alphabet.clone();
    for &letter in word {
        if !alphabet.contains(&letter) {
            alphabet.push(letter);
        }
    }
    alphabet
}

/// Tells each word that is one slip away, and how likely that slip is. Signs are put in only between letters.
fn for_each_edit(word: &[char], alphabet: &[char], mut tell: impl FnMut(&[char], u16)) {
    let first = |at: usize| if at == 0 { rank::FIRST } else { 0 };
    let copy = |edit: &mut Vec<char>| {
        edit.clear();
        edit.extend_from_slice(word);
    };
    let mut edit = Vec::with_capacity(word.len() + 1);
    for at in 0..word.len() {
        if at + 1 < word.len() && word[at] != word[at + 1] {
            copy(&mut edit);
            edit.swap(at, at + 1);
            tell(&edit, rank::TWIN + first(at) / 2);
        }
        copy(&mut edit);
        edit.remove(at);
        let is_twin = at > 0 && word[at] == word[at - 1];
        tell(&edit, if is_twin { rank::TWIN } else { rank::LETTER + first(at) });
        if !is_twin {
            copy(&mut edit);
            edit.insert(at, word[at]);
            tell(&edit, rank::TWIN);
        }
    }
    for at in 0..=word.len() {
        copy(&mut edit);
        edit.insert(at, ' ');
        let is_inner = 0 < at && at < word.len();
        for &letter in alphabet.iter().filter(|letter| is_inner || letter.is_alphabetic()) {
            edit[at] = letter;
            tell(&edit, if letter.is_alphabetic() { rank::LETTER + first(at) } else { rank::VOWEL });
        }
    }
    for at in 0..word.len() {
        copy(&mut edit);
        for &letter in alphabet.iter().filter(|&&letter| letter != word[at] && letter.is_alphabetic()) {
            edit[at] = letter;
            let are_vowels = [letter, word[at]].iter().all(|letter| "aeiouy".contains(*letter));
            tell(&edit, if are_vowels { rank::VOWEL } else { rank::OTHER } + first(at));
        }
    }
}

/// How a word is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Title,
    Upper,
}

impl Case {
    fn of(word: &str) -> Self {
        let mut letters = word.chars();
        if !letters.next().is_some_and(char::is_uppercase) {
            return Self::Lower;
        }
        let mut others = letters.filter(|letter| letter.is_alphabetic()).peekable();
        if others.peek().is_some() && others.all(char::is_uppercase) { Self::Upper } else { Self::Title }
    }

    /// A word of the dictionary, written so. What has capitals there keeps them.
    fn apply(self, word: &str) -> String {
        match self {
            Self::Lower => word.into(),
            Self::Title => title(word),
            Self::Upper => word.to_uppercase(),
        }
    }
}

/// Words to ask for, one after the other, each with its rank.
#[derive(Default)]
struct Candidates {
    text: String,
    ends: Vec<(usize, u16)>,
    /// How many were asked for before these.
    asked: usize,
}

impl Candidates {
    /// A word in lower case, which may also be a name if that is how the unknown one is written.
    fn push(&mut self, word: &[char], case: Case, rank: u16) {
        // One word may be two candidates.
        if self.asked + self.ends.len() + 2 > MOST_CANDIDATES || word.is_empty() {
            return;
        }
        self.text.extend(word);
        self.ends.push((self.text.len(), rank));
        if case != Case::Lower {
            self.text.extend(word[0].to_uppercase().chain(word[1..].iter().copied()));
            self.ends.push((self.text.len(), rank));
        }
    }

    fn push_text(&mut self, word: &str, rank: u16) {
        self.text.push_str(word);
        self.ends.push((self.text.len(), rank));
    }

    fn clear(&mut self) {
        self.asked += self.ends.len();
        self.text.clear();
        self.ends.clear();
    }

    /// The likeliest of those that the dictionary has, each once, as it is to be `written`.
    fn known(
        &self,
        dictionary: &Dictionary,
        most: usize,
        written: impl Fn(&str) -> String,
        is_other: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(end, _)| end));
        let words = starts.zip(&self.ends).map(|(start, &(end, rank))| (&self.text[start..end], rank));
        let hashes: Vec<u64> = words.clone().map(|(word, _)| dictionary.hash(word)).collect();
        let mut known: Vec<(&str, u16)> = words
            .zip(dictionary.has_all(&hashes).into_iter().zip(&hashes))
            .filter(|&((word, _), (known, &hash))| known && dictionary.confirms(hash, word))
            .map(|(word, _)| word)
            .collect();
        // Equals stay in the order in which they were made.
        known.sort_by_key(|&(_, rank)| rank);
        let mut found: Vec<String> = Vec::new();
        for word in known.into_iter().map(|(word, _)| written(word)) {
            if found.len() < most && is_other(&word) && !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::tests::dictionary;
    use super::*;

    #[test]
    fn the_likeliest_slip_comes_first() {
        let known = dictionary(&[
            "receive", "recede", "relieve", "sieve", "sieves", "seize", "steve", "don't", "sets",
        ]);
        assert_eq!(suggest(&known, "recieve", 9), ["receive", "relieve"]);
        assert_eq!(suggest(&known, "seive", 9), ["sieve", "seize"], "two that changed places");
        assert_eq!(suggest(&known, "siieve", 9), ["sieve"], "one too many");
        assert_eq!(suggest(&known, "dont", 9), ["don't"]);
        assert_eq!(suggest(&known, "ssets", 1), ["sets"]);
        assert_eq!(suggest(&known, "tseve", 2), ["steve"], "also at the beginning");
        assert_eq!(suggest(&known, "siev", 2), ["sieve"]);
        assert_eq!(suggest(&known, "seives", 2), ["sieves"]);
        assert_eq!(suggest(&known, "reiceve", 2), ["receive", "relieve"], "two slips");
        assert!(suggest(&known, "sieve", 0).is_empty());
        assert!(suggest(&known, &"sieve".repeat(13), 3).is_empty(), "too long to be a slip");
    }

    #[test]
    fn suggestions_are_written_as_the_word_is() {
        let known = dictionary(&["sieve", "Paris", "NATO", "école"]);
        for (word, meant) in [
            ("Seive", "Sieve"),
            ("SEIVE", "SIEVE"),
            ("seive's", "sieve's"),
            ("Pariss", "Paris"),
            ("PARSI", "PARIS"),
            ("paris", "Paris"),
            ("nato", "NATO"),
            ("ecole", "école"),
            ("Ecole", "École"),
        ] {
            assert_eq!(suggest(&known, word, 3), [meant], "{word}");
        }
    }

    /// All that is one slip away, and nothing else, as the distance of Damerau and Levenshtein has it.
    #[test]
    fn edits_are_all_at_distance_one() {
        let letters = ['a', 'b', 'c'];
        let words = |length: u32| {
            (0..3u32.pow(length)).map(move |code| -> Vec<char> {
                (0..length).map(|place| letters[(code / 3u32.pow(place) % 3) as usize]).collect()
            })
        };
        for word in ["a", "ab", "aab", "abca"].map(|word| word.chars().collect::<Vec<char>>()) {
            let mut edits = std::collections::BTreeSet::new();
            for_each_edit(&word, &letters, |edit, _| {
                edits.insert(edit.to_vec());
            });
            let text = |letters: &[char]| letters.iter().collect::<String>();
            let near =
                (0..6).flat_map(words).filter(|other| strsim::osa_distance(&text(&word), &text(other)) == 1);
            assert_eq!(edits, near.collect(), "{word:?}");
        }
    }

    #[test]
    fn candidates_are_bounded() {
        let known = dictionary(&["sieve"]);
        let mut candidates = Candidates::default();
        for number in 0..100_000 {
            candidates.push(&['a', char::from_digit(number % 36, 36).unwrap()], Case::Title, 1);
        }
        assert_eq!(candidates.ends.len(), MOST_CANDIDATES);
        candidates.clear();
        candidates.push(&['a'], Case::Lower, 1);
        assert!(candidates.ends.is_empty());
        assert!(suggest(&known, &"Abcdefghij".repeat(4), 3).is_empty());
    }
}
