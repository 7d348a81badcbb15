//! Liang's patterns, compiled.
//!
//! A pattern is a run of letters with a level between each two, 0 where none is written: `hy3ph` has 3 between y and p.
//! Wherever its letters occur in a word, `.` being the edges of the word, its levels hold there; the greatest of all
//! levels at a place counts, and an odd one allows a break.

use super::letters::{EDGE, Letters, lower};
use super::trie::{PackedTrie, Trie};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, HashMap};

/// Patterns of a language.
#[derive(Debug)]
pub(super) struct Patterns {
    letters: Letters,
    /// The letters of each pattern, with the place of its marks.
    trie: PackedTrie,
    marks: Vec<Marks>,
    /// The levels of all marks.
    levels: Vec<u8>,
    /// Whether a pattern has an apostrophe, so that it belongs to words.
    has_apostrophe: bool,
}

/// Which levels a pattern raises: without the zeros before the first and after the last.
#[derive(Clone, Copy, Debug)]
struct Marks {
    /// How far behind the beginning of the pattern.
    skip: u32,
    /// Where in the levels of all.
    start: u32,
    end: u32,
}

/// Buffers to match with, used again for each word.
#[derive(Debug, Default)]
pub(super) struct Matching {
    numbers: Vec<u32>,
    levels: Vec<u8>,
}

impl Patterns {
    /// Patterns as TeX writes them, at most `limit` bytes when compiled.
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a str>, limit: u64) -> Result<Self> {
        let parsed = texts.into_iter().map(parse).collect::<Result<Vec<_>>>()?;
        let mut frequencies: BTreeMap<char, usize> = BTreeMap::from([(EDGE, 0)]);
        for &letter in parsed.iter().flat_map(|(letters, _)| letters) {
            *frequencies.entry(letter).or_default() += 1;
        }
        let mut by_frequency: Vec<char> = frequencies.keys().copied().collect();
        by_frequency.sort_by_key(|letter| std::cmp::Reverse(frequencies[letter]));
        let letters = Letters::new(&by_frequency);
        let has_apostrophe = ['\'', '’'].iter().any(|&letter| letters.number(letter) > 0);
        let (mut trie, mut all, mut marks) = (Trie::new(), Levels::default(), Vec::new());
        for (run, levels) in parsed {
            trie.insert(run.iter().map(|&letter| letters.number(letter)), marks.len() as u32);
            marks.push(all.marks(&levels));
        }
        Ok(Self { letters, trie: trie.pack(limit)?, marks, levels: all.levels, has_apostrophe })
    }

    /// After how many letters of `word` it may be broken, in order.
    pub(super) fn breaks<'a>(
        &self,
        word: &str,
        matching: &'a mut Matching,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let Matching { numbers, levels } = matching;
        let edge = self.letters.number(EDGE);
        numbers.clear();
        numbers.push(edge);
        numbers
            .extend(word.chars().map(|letter| if letter == EDGE { 0 } else { self.letters.number(letter) }));
        numbers.push(edge);
        levels.clear();
        levels.resize(numbers.len() + 1, 0);
        for start in 0..numbers.len() {
            self.trie.for_each_beginning(&numbers[start..], |place| {
                let Marks { skip, start: from, end } = self.marks[place as usize];
                let raised = levels[start + skip as usize..].iter_mut();
                let marks = &self.levels[from as usize..end as usize];
                raised.zip(marks).for_each(|(level, &mark)| *level = mark.max(*level));
            });
        }
        // The first level stands before the edge, the second before the first letter.
        let inner = levels.get(2..levels.len() - 2).unwrap_or_default();
        inner.iter().zip(1..).filter(|(level, _)| *level % 2 == 1).map(|(_, letters)| letters)
    }

    pub(super) fn has_apostrophe(&self) -> bool {
        self.has_apostrophe
    }
}

/// The levels of all patterns, those that are alike once.
#[derive(Default)]
struct Levels {
    levels: Vec<u8>,
    places: HashMap<Box<[u8]>, u32>,
}

impl Levels {
    fn marks(&mut self, levels: &[u8]) -> Marks {
        let first = levels.iter().position(|&level| level > 0).unwrap_or(levels.len());
        let end = levels.iter().rposition(|&level| level > 0).map_or(first, |last| last + 1);
        let kept = &levels[first..end];
        let start = *self.places.entry(kept.into()).or_insert_with(|| {
            let start = self.levels.len() as u32;
            self.levels.extend_from_slice(kept);
            start
        });
        Marks { skip: first as u32, start, end: start + kept.len() as u32 }
    }
}

/// The letters and the levels of a pattern.
fn parse(text: &str) -> Result<(Vec<char>, Vec<u8>)> {
    let (mut letters, mut levels) = (Vec::new(), vec![0]);
    let mut digit_before = false;
    for c in text.chars() {
        match c.to_digit(10) {
            Some(_) if digit_before => {
                bail!(
                    "'{text}' has two digits at one place; a pattern has one between two letters, such as hy3ph"
                );
            }
            Some(digit) => *levels.last_mut().expect("never empty") = digit as u8,
            None => {
                letters.push(lower(c));
                levels.push(0);
            }
        }
        digit_before = c.is_ascii_digit();
    }
    if letters.iter().all(|&letter| letter == EDGE) {
        bail!("'{text}' has no letter; a pattern is letters with digits between them, such as hy3ph");
    }
    Ok((letters, levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaks(patterns: &[&str], word: &str) -> Vec<usize> {
        let patterns = Patterns::new(patterns.iter().copied(), 1 << 30).unwrap();
        patterns.breaks(word, &mut Matching::default()).collect()
    }

    /// The example of Liang's thesis, which is that of The `TeXbook`.
    #[test]
    fn hyphenation_as_in_the_literature() {
        let patterns = ["hy3ph", "he2n", "hena4", "hen5at", "1na", "n2at", "1tio", "2io", "o2n"];
        for word in ["hyphenation", "HYPHENATION", "Hyphenation"] {
            assert_eq!(breaks(&patterns, word), [2, 6], "{word}");
        }
    }

    #[test]
    fn edges_and_greatest_levels() {
        assert_eq!(breaks(&[".a1b", "b1c."], "abcabc"), [1, 5]);
        assert!(breaks(&["a1b", "a2b", "xa1b"], "ab").is_empty());
        assert_eq!(breaks(&["a1b", "a2b", "xa3b"], "xab"), [2]);
        // What stands outside of a word is no break.
        assert_eq!(breaks(&["1a1", "1.a", "a1."], "aa"), [1]);
        assert_eq!(breaks(&["1çã"], "CORAÇÃO"), [4]);
        assert!(breaks(&["a1b"], "").is_empty());
        // A dot in a word is not its edge.
        assert!(breaks(&[".a1b"], "x.ab").is_empty());
    }

    #[test]
    fn bad_patterns_are_told() {
        for (bad, why) in
            [("a12b", "two digits"), ("1", "no letter"), (".1.", "no letter"), ("", "no letter")]
        {
            let error = Patterns::new([bad], 1 << 20).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}
