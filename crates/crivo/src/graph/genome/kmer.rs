//! Words of k bases, with two bits per base.

use crate::hash::{Item, mix};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// The longest k-mer: 63 bases take 126 bits, and one more marks their beginning.
pub const MAX_K: u32 = 63;

const BASES: [u8; 4] = *b"ACGT";
const NO_BASE: u8 = 4;

/// The two bits of each letter.
const CODES: [u8; 256] = {
    let mut codes = [NO_BASE; 256];
    let mut code = 0;
    while code < BASES.len() {
        codes[BASES[code] as usize] = code as u8;
        codes[BASES[code].to_ascii_lowercase() as usize] = code as u8;
        code += 1;
    }
    codes
};

/// A k-mer: a word of 1 to 63 bases, read in one direction.
///
/// DNA has two strands, and a sequence does not say from which one it was read: a k-mer and its [reverse
/// complement](Self::reverse_complement) are the same place of a genome. The smaller of the two is the
/// [canonical](Self::canonical) one, and represents both. K-mers are ordered alphabetically.
///
/// ```
/// use crivo::graph::Kmer;
/// let kmer: Kmer = "TTGCA".parse()?;
/// assert_eq!(kmer.reverse_complement(), "TGCAA".parse()?);
/// assert_eq!(kmer.canonical().to_string(), "TGCAA");
/// # Ok::<(), crivo::Error>(())
/// ```
// A 1 bit followed by the bases: A is 00, C 01, G 10 and T 11, so that the complement flips both bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kmer(u128);

impl Kmer {
    /// A free slot; no k-mer has this value.
    pub(super) const NONE: Self = Self(0);

    /// Creates the k-mer of these letters, upper or lower case.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless there are 1 to 63, all of them A, C, G or T.
    pub fn from_bases(bases: &[u8]) -> Result<Self> {
        check_k(u32::try_from(bases.len()).unwrap_or(u32::MAX))?;
        let mut word = 1;
        for (place, &base) in bases.iter().enumerate() {
            let code = CODES[usize::from(base)];
            if code == NO_BASE {
                let letter = char::from(base).escape_default();
                return Err(Error::invalid(format!(
                    "a k-mer consists of A, C, G and T, but letter {} is '{letter}'; correct or drop it",
                    place + 1
                )));
            }
            word = word << 2 | u128::from(code);
        }
        Ok(Self(word))
    }

    /// Returns the number of bases.
    #[inline]
    pub fn k(self) -> u32 {
        self.0.ilog2() / 2
    }

    #[inline]
    fn marker(self) -> u128 {
        1 << (2 * self.k())
    }

    /// Returns the k-mer of the same place, read from the other strand.
    #[inline]
    #[must_use]
    pub fn reverse_complement(self) -> Self {
        const EVEN: u128 = u128::MAX / 3;
        let reversed = self.0.reverse_bits();
        // Reversing bit by bit has also swapped the two bits of each base.
        let reversed = reversed >> 1 & EVEN | (reversed & EVEN) << 1;
        Self(!reversed >> (128 - 2 * self.k()) | self.marker())
    }

    /// Returns the smaller of the k-mer and its reverse complement.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        self.min(self.reverse_complement())
    }

    /// Returns whether the k-mer is its own reverse complement, as `ACGT` is. This needs an even number of bases.
    #[inline]
    pub fn is_palindrome(self) -> bool {
        self == self.reverse_complement()
    }

    /// Returns the four possible successors: without the first base, and with each base appended.
    #[inline]
    pub(super) fn shifted_left(self) -> [Self; 4] {
        let marker = self.marker();
        let kept = self.0 << 2 & (marker - 1) | marker;
        [0, 1, 2, 3].map(|code| Self(kept | code))
    }

    /// Returns the four possible predecessors.
    #[inline]
    pub(super) fn shifted_right(self) -> [Self; 4] {
        let (marker, first) = (self.marker(), 2 * self.k() - 2);
        let kept = (self.0 ^ marker) >> 2 | marker;
        [0, 1, 2, 3].map(|code| Self(kept | code << first))
    }

    /// Returns a number for ordering k-mers independently of their bases.
    #[inline]
    pub(super) fn scattered(self) -> u64 {
        mix(self.0 as u64 ^ mix((self.0 >> 64) as u64))
    }

    /// Returns the last letter.
    #[inline]
    pub(super) fn last_base(self) -> u8 {
        BASES[(self.0 & 3) as usize]
    }

    /// Returns the letters, in upper case.
    pub fn to_bases(self) -> Vec<u8> {
        (0..self.k()).rev().map(|place| BASES[(self.0 >> (2 * place) & 3) as usize]).collect()
    }
}

impl core::str::FromStr for Kmer {
    type Err = Error;

    fn from_str(bases: &str) -> Result<Self> {
        Self::from_bases(bases.as_bytes())
    }
}

/// A k-mer is hashed as its number: a 1 bit and two bits per base. Under the default hash no two k-mers of up to 31
/// bases collide.
impl Item for Kmer {
    #[inline]
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        self.0.hash_item(spec)
    }
}

impl fmt::Display for Kmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bases().iter().try_for_each(|&base| fmt::Write::write_char(f, base.into()))
    }
}

impl fmt::Debug for Kmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kmer({self})")
    }
}

pub(super) fn check_k(k: u32) -> Result<()> {
    if (1..=MAX_K).contains(&k) {
        return Ok(());
    }
    Err(Error::invalid(format!("a k-mer has 1 to {MAX_K} bases, got {k}; 31 is usual")))
}

/// Returns the canonical k-mers of a sequence, one for each place with k consecutive known bases.
///
/// Case is ignored. Any letter other than A, C, G and T ends a run of bases: no k-mer spans it.
///
/// ```
/// use crivo::graph::kmers;
/// let found: Vec<String> = kmers(b"ACGGnACT", 3)?.map(|kmer| kmer.to_string()).collect();
/// assert_eq!(found, ["ACG", "CCG", "ACT"]); // CGG is CCG on the other strand
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` unless `k` is 1 to 63.
pub fn kmers(sequence: &[u8], k: u32) -> Result<Kmers<'_>> {
    check_k(k)?;
    Ok(Kmers { rest: sequence.iter(), k, known: 0, forward: 0, backward: 0, marker: 1 << (2 * k) })
}

/// An iterator over the canonical k-mers of a sequence: see [`kmers`].
#[derive(Clone, Debug)]
pub struct Kmers<'a> {
    rest: core::slice::Iter<'a, u8>,
    k: u32,
    /// How many of the last k letters are bases of one run.
    known: u32,
    forward: u128,
    /// The reverse complement of `forward`.
    backward: u128,
    marker: u128,
}

impl Kmers<'_> {
    /// Returns whether the last k-mer directly follows the one before it, in the same run of bases.
    #[inline]
    pub(super) fn goes_on(&self) -> bool {
        self.known > self.k
    }
}

impl Iterator for Kmers<'_> {
    type Item = Kmer;

    #[inline]
    fn next(&mut self) -> Option<Kmer> {
        loop {
            let code = CODES[usize::from(*self.rest.next()?)];
            if code == NO_BASE {
                // The rest of the old run is shifted out before k more bases are known.
                self.known = 0;
                continue;
            }
            let code = u128::from(code);
            self.forward = (self.forward << 2 | code) & (self.marker - 1);
            self.backward = self.backward >> 2 | (3 - code) << (2 * self.k - 2);
            self.known = (self.known + 1).min(self.k + 1);
            if self.known >= self.k {
                return Some(Kmer(self.forward.min(self.backward) | self.marker));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.rest.len()))
    }
}

#[cfg(test)]
pub(super) use tests::random_bases;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::string::{String, ToString};

    pub(in super::super) fn random_bases(rng: &mut Rng, count: usize) -> Vec<u8> {
        (0..count).map(|_| BASES[rng.below(4) as usize]).collect()
    }

    fn other_strand(bases: &[u8]) -> Vec<u8> {
        let complement = |base: &u8| match base {
            b'A' => b'T',
            b'C' => b'G',
            b'G' => b'C',
            _ => b'A',
        };
        bases.iter().rev().map(complement).collect()
    }

    #[test]
    fn every_length_is_packed_and_turned_round() {
        let mut rng = Rng::new(1);
        for k in 1..=MAX_K {
            for _ in 0..50 {
                let bases = random_bases(&mut rng, k as usize);
                let kmer = Kmer::from_bases(&bases).unwrap();
                assert_eq!((kmer.k(), kmer.to_bases()), (k, bases.clone()));
                let turned = Kmer::from_bases(&other_strand(&bases)).unwrap();
                assert_eq!((kmer.reverse_complement(), turned.reverse_complement()), (turned, kmer));
                assert_eq!(kmer.canonical(), turned.canonical());
                assert_eq!(kmer.canonical().to_bases(), bases.clone().min(other_strand(&bases)));
                for (next, base) in kmer.shifted_left().into_iter().zip(BASES) {
                    assert_eq!(next.to_bases(), [&bases[1..], &[base]].concat());
                    assert_eq!(next.last_base(), base);
                }
                for (previous, base) in kmer.shifted_right().into_iter().zip(BASES) {
                    assert_eq!(previous.to_bases(), [&[base], &bases[..k as usize - 1]].concat());
                }
            }
        }
    }

    #[test]
    fn palindromes_have_an_even_number_of_bases() {
        let is_palindrome = |bases: &str| bases.parse::<Kmer>().unwrap().is_palindrome();
        assert!(is_palindrome("AT") && is_palindrome("ACGT") && is_palindrome("GAATTC"));
        assert!(!is_palindrome("AA") && !is_palindrome("ACCT") && !is_palindrome("A"));
    }

    /// Cuts a window of k letters at every place, by the definition.
    #[test]
    fn rolling_is_cutting() {
        let mut rng = Rng::new(2);
        for k in 1..=MAX_K {
            for _ in 0..20 {
                let length = rng.below(200) as usize;
                let mut letters = random_bases(&mut rng, length);
                for letter in &mut letters {
                    match rng.below(60) {
                        0 => *letter = b"N-\n\0\xffR"[rng.below(6) as usize],
                        1..20 => letter.make_ascii_lowercase(),
                        _ => {}
                    }
                }
                let cut = letters.windows(k as usize).filter_map(|window| Kmer::from_bases(window).ok());
                let cut: Vec<Kmer> = cut.map(Kmer::canonical).collect();
                assert_eq!(kmers(&letters, k).unwrap().collect::<Vec<_>>(), cut, "{k}");
            }
        }
    }

    #[test]
    fn consecutive_runs_are_distinguished() {
        let mut all = kmers(b"ACGTNNACGT", 3).unwrap();
        let mut goes_on = Vec::new();
        while all.next().is_some() {
            goes_on.push(all.goes_on());
        }
        assert_eq!(goes_on, [false, true, false, true]);
    }

    #[test]
    fn bad_kmers_are_refused() {
        for (bases, said) in [("", "got 0"), ("ACNT", "letter 3 is 'N'"), ("AC\n", "letter 3 is '\\n'")] {
            let error = bases.parse::<Kmer>().unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
        let too_long: String = "A".repeat(64);
        assert!(too_long.parse::<Kmer>().unwrap_err().to_string().contains("got 64"));
        for k in [0, 64, u32::MAX] {
            assert!(kmers(b"ACGT", k).is_err());
        }
    }
}
