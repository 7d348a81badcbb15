//! A bit vector of fixed length.

use alloc::vec;
use alloc::vec::Vec;

/// A bit vector of fixed length in 64-bit words; bit i is bit i mod 64 of word i / 64.
///
/// ```
/// use crivo::bits::BitVec;
/// let mut bits = BitVec::new(100);
/// assert!(bits.set(99));
/// assert!(!bits.set(99)); // was set already
/// assert!(bits.get(99) && !bits.get(98));
/// assert_eq!(bits.count_ones(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitVec {
    words: Vec<u64>,
    len: u64,
}

impl BitVec {
    /// Creates a vector of `len` zero bits.
    pub fn new(len: u64) -> Self {
        Self { words: vec![0; len.div_ceil(64) as usize], len }
    }

    /// Returns the number of bits.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether the vector has no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns bit `index`; false beyond the end.
    #[inline]
    pub fn get(&self, index: u64) -> bool {
        index < self.len && self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Sets bit `index` and returns whether it was clear.
    ///
    /// # Panics
    /// When `index` lies beyond the end.
    #[inline]
    pub fn set(&mut self, index: u64) -> bool {
        assert!(index < self.len, "bit {index} of {}", self.len);
        let word = &mut self.words[(index / 64) as usize];
        let mask = 1 << (index % 64);
        let was_clear = *word & mask == 0;
        *word |= mask;
        was_clear
    }

    /// Returns the number of set bits.
    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the number of set bits in a range, which must lie inside the vector.
    pub(crate) fn count_ones_in(&self, range: core::ops::Range<u64>) -> u64 {
        let ones_below = |end: u64| {
            let (whole, rest) = ((end / 64) as usize, end % 64);
            let partial = if rest == 0 { 0 } else { self.words[whole] << (64 - rest) };
            (whole, u64::from(partial.count_ones()))
        };
        let ((first, before), (last, after)) = (ones_below(range.start), ones_below(range.end));
        self.words[first..last].iter().map(|word| u64::from(word.count_ones())).sum::<u64>() + after - before
    }

    /// Clears all bits.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Sets every bit that `other`, of the same length, has set.
    pub(crate) fn union_with(&mut self, other: &Self) {
        assert_eq!(self.len, other.len);
        for (word, &theirs) in self.words.iter_mut().zip(&other.words) {
            *word |= theirs;
        }
    }

    /// Clears every bit that `other`, of the same length, has clear.
    pub(crate) fn intersect_with(&mut self, other: &Self) {
        assert_eq!(self.len, other.len);
        for (word, &theirs) in self.words.iter_mut().zip(&other.words) {
            *word &= theirs;
        }
    }

    /// Returns a vector of half the length, rounded up: bit i is set if bit 2i or 2i + 1 was.
    pub(crate) fn fold(&self) -> Self {
        let len = self.len.div_ceil(2);
        let halves = |pair: &[u64]| {
            let high = pair.get(1).map_or(0, |&word| or_of_pairs(word));
            or_of_pairs(pair[0]) | high << 32
        };
        Self { words: self.words.chunks(2).map(halves).collect(), len }
    }

    /// Returns the number of bits that are set in either of two vectors of the same length.
    pub(crate) fn count_ones_of_union(&self, other: &Self) -> u64 {
        assert_eq!(self.len, other.len);
        self.words.iter().zip(&other.words).map(|(a, b)| u64::from((a | b).count_ones())).sum()
    }

    /// Returns the words, for batch reading.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Appends the bits as bytes: bit i is bit i mod 8 of byte i / 8.
    pub(crate) fn to_bytes(&self, out: &mut Vec<u8>) {
        let bytes = self.len.div_ceil(8) as usize;
        out.reserve(bytes);
        let end = out.len() + bytes;
        for word in &self.words {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.truncate(end);
    }

    /// Reads what `to_bytes` wrote; returns `None` unless `bytes` has the right length and no bit beyond
    /// `len`.
    pub(crate) fn from_bytes(len: u64, bytes: &[u8]) -> Option<Self> {
        if bytes.len() as u64 != len.div_ceil(8) {
            return None;
        }
        let (whole, rest) = bytes.as_chunks::<8>();
        let mut words = Vec::with_capacity(len.div_ceil(64) as usize);
        words.extend(whole.iter().map(|&word| u64::from_le_bytes(word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            words.push(u64::from_le_bytes(word));
        }
        let spare_bits_are_clear =
            len.is_multiple_of(64) || words.last().is_none_or(|last| last >> (len % 64) == 0);
        spare_bits_are_clear.then_some(Self { words, len })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// Returns 32 bits: bit i is set if bit 2i or 2i + 1 of the word is.
fn or_of_pairs(word: u64) -> u64 {
    let mut bits = (word | word >> 1) & 0x5555_5555_5555_5555;
    // Each step closes the gaps between groups of 1, 2, 4, 8 and 16 bits.
    for (shift, mask) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ] {
        bits = (bits | bits >> shift) & mask;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_and_spare_bits_are_refused() {
        for len in [0u64, 1, 7, 8, 9, 63, 64, 65, 100, 128] {
            let mut bits = BitVec::new(len);
            for i in (0..len).step_by(3) {
                bits.set(i);
            }
            let mut bytes = Vec::new();
            bits.to_bytes(&mut bytes);
            assert_eq!(BitVec::from_bytes(len, &bytes), Some(bits.clone()), "{len}");
            assert_eq!(BitVec::from_bytes(len + 8, &bytes), None);
            if len % 8 != 0 {
                *bytes.last_mut().unwrap() |= 0x80;
                assert_eq!(BitVec::from_bytes(len, &bytes), None, "{len}");
            }
        }
    }

    #[test]
    fn folding_joins_neighbours() {
        for len in [1u64, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 1003] {
            let mut bits = BitVec::new(len);
            for i in (0..len).filter(|i| i * i % 7 == 2) {
                bits.set(i);
            }
            let half = bits.fold();
            assert_eq!(half.len(), len.div_ceil(2));
            assert!(
                (0..half.len()).all(|i| half.get(i) == (bits.get(2 * i) || bits.get(2 * i + 1))),
                "{len}"
            );
            assert_eq!(half.words().len() as u64, half.len().div_ceil(64));
        }
    }

    #[test]
    fn union_and_its_count_agree() {
        let (mut a, mut b) = (BitVec::new(130), BitVec::new(130));
        (0..130).step_by(2).for_each(|i| {
            a.set(i);
        });
        (0..130).step_by(3).for_each(|i| {
            b.set(i);
        });
        let count = a.count_ones_of_union(&b);
        a.union_with(&b);
        assert_eq!(a.count_ones(), count);
        assert_eq!(count, (0..130).filter(|i| i % 2 == 0 || i % 3 == 0).count() as u64);
    }
}
