//! Letters as patterns know them: small, composed and numbered.

/// A letter in lower case. One whose small form is more than one letter stays: the places of the others must not move.
pub(super) fn lower(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(only), None) => only,
        _ => letter,
    }
}

/// What stands before and after a word.
pub(super) const EDGE: char = '.';

/// Numbers for all letters of the patterns, from 1.
#[derive(Debug)]
pub(super) struct Letters {
    ascii: [u32; 128],
    /// Sorted.
    others: Vec<(char, u32)>,
}

impl Letters {
    /// The lowest numbers are those of the most frequent.
    pub(super) fn new(by_frequency: &[char]) -> Self {
        let numbered = by_frequency.iter().copied().zip(1..);
        let (mut ascii, mut others) = ([0; 128], Vec::new());
        for (letter, number) in numbered {
            match ascii.get_mut(letter as usize) {
                Some(slot) => *slot = number,
                None => others.push((letter, number)),
            }
        }
        others.sort_unstable();
        Self { ascii, others }
    }

    /// 0 if no pattern has it, in upper or lower case.
    #[inline]
    pub(super) fn number(&self, letter: char) -> u32 {
        let small = lower(letter);
        if let Some(&number) = self.ascii.get(small as usize) {
            return number;
        }
        let found = self.others.binary_search_by_key(&small, |&(letter, _)| letter);
        found.map_or(0, |place| self.others[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_cases_have_one_number() {
        let letters = Letters::new(&['e', EDGE, 'ç', 'ß', 'ж']);
        for (letter, number) in [('e', 1), ('E', 1), ('.', 2), ('ç', 3), ('Ç', 3), ('ß', 4), ('Ж', 5)] {
            assert_eq!(letters.number(letter), number, "{letter}");
        }
        for unknown in ['a', '\0', '\'', 'é', '\u{10ffff}'] {
            assert_eq!(letters.number(unknown), 0, "{unknown:?}");
        }
    }

    #[test]
    fn a_letter_stays_one_letter() {
        assert_eq!(['A', 'É', 'İ', 'ß', '1'].map(lower), ['a', 'é', 'İ', 'ß', '1']);
    }
}
