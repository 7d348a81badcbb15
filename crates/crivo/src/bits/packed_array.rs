//! Packed arrays of small numbers of equal width.

use crate::memory::prefetch;
use alloc::vec;
use alloc::vec::Vec;

/// A fixed number of unsigned numbers of `width` bits each (1 to 32), packed without gaps: number i occupies
/// the bits from i·width on, lowest first.
///
/// ```
/// use crivo::bits::PackedArray;
/// let mut ranks = PackedArray::new(6, 10);
/// ranks.set(9, 63);
/// assert_eq!((ranks.get(8), ranks.get(9)), (0, 63));
/// assert_eq!(ranks.memory_bytes(), 16); // 60 bits in two words, one of them spare
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedArray {
    words: Vec<u64>,
    width: u32,
    len: usize,
}

impl PackedArray {
    /// Creates an array of `len` zeros of `width` bits.
    ///
    /// # Panics
    /// Panics if `width` is not 1 to 32: it is a constant, or the structure that uses the array has checked
    /// it.
    pub fn new(width: u32, len: usize) -> Self {
        assert!((1..=32).contains(&width), "the width of a packed number must be 1 to 32");
        // One spare word lets every number be read as a pair of words without its own bounds check.
        let words = vec![0; (len * width as usize).div_ceil(64) + 1];
        Self { words, width, len }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the width of each number in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Returns number `index`.
    ///
    /// # Panics
    /// When `index` lies far beyond the end.
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        let bit = index * self.width as usize;
        let (word, shift) = (bit / 64, bit % 64);
        let pair = u128::from(self.words[word]) | u128::from(self.words[word + 1]) << 64;
        ((pair >> shift) as u64 & self.mask()) as u32
    }

    /// Sets number `index` to the low bits of `value`.
    ///
    /// # Panics
    /// When `index` lies far beyond the end.
    #[inline]
    pub fn set(&mut self, index: usize, value: u32) {
        debug_assert!(u64::from(value) <= self.mask() && index < self.len);
        let bit = index * self.width as usize;
        let (word, shift) = (bit / 64, bit % 64);
        let keep = !(u128::from(self.mask()) << shift);
        let put = u128::from(u64::from(value) & self.mask()) << shift;
        self.words[word] = self.words[word] & keep as u64 | put as u64;
        self.words[word + 1] = self.words[word + 1] & (keep >> 64) as u64 | (put >> 64) as u64;
    }

    /// Changes number `index` and returns its old value.
    ///
    /// # Panics
    /// When `index` lies far beyond the end.
    #[inline]
    pub(crate) fn update(&mut self, index: usize, change: impl FnOnce(u32) -> u32) -> u32 {
        let bit = index * self.width as usize;
        let (mask, word, shift) = (self.mask(), bit / 64, bit % 64);
        // A number within one word, as bytes always are, takes half the work.
        if shift + self.width as usize <= 64 {
            let number = &mut self.words[word];
            let before = *number >> shift & mask;
            let after = u64::from(change(before as u32)) & mask;
            *number ^= (before ^ after) << shift;
            return before as u32;
        }
        let [low, high] = &mut self.words[word..word + 2] else { unreachable!("two words") };
        let pair = u128::from(*low) | u128::from(*high) << 64;
        let before = (pair >> shift) as u64 & mask;
        let after = u64::from(change(before as u32)) & mask;
        let pair = pair ^ u128::from(before ^ after) << shift;
        (*low, *high) = (pair as u64, (pair >> 64) as u64);
        before as u32
    }

    /// Prefetches the cache line of number `index`.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        prefetch(&self.words, index * self.width as usize / 64);
    }

    /// Returns an iterator over all numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len).map(|i| self.get(i))
    }

    /// Returns the number of positions at which two arrays agree. They have the same length and the same
    /// width, which divides 64.
    pub(crate) fn equal_numbers(&self, other: &Self) -> usize {
        assert!(self.len == other.len && self.width == other.width && 64 % self.width == 0);
        let lowest_bits = u64::MAX / self.mask();
        let different = |(one, other): (&u64, &u64)| {
            // ORs all bits of each number into its lowest bit, in steps of half the width.
            let mut bits = one ^ other;
            let mut step = self.width / 2;
            while step > 0 {
                bits |= bits >> step;
                step /= 2;
            }
            (bits & lowest_bits).count_ones() as usize
        };
        self.len - self.words.iter().zip(&other.words).map(different).sum::<usize>()
    }

    /// Returns the size in bytes, including the spare word.
    pub fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    fn byte_len(width: u32, len: usize) -> usize {
        (len * width as usize).div_ceil(8)
    }

    pub(crate) fn to_bytes(&self, out: &mut Vec<u8>) {
        let end = out.len() + Self::byte_len(self.width, self.len);
        for word in &self.words {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.truncate(end);
    }

    /// Reads what `to_bytes` wrote; returns `None` unless the length is right and the spare bits are clear.
    pub(crate) fn from_bytes(width: u32, len: usize, bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::byte_len(width, len) {
            return None;
        }
        let mut array = Self::new(width, len);
        for (i, &byte) in bytes.iter().enumerate() {
            array.words[i / 8] |= u64::from(byte) << (i % 8 * 8);
        }
        let used = len * width as usize;
        let spare = array.words[used / 64] >> (used % 64);
        (spare == 0).then_some(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn behaves_as_a_plain_array_of_every_width() {
        for width in 1..=32 {
            let mut rng = Rng::new(u64::from(width));
            let mut packed = PackedArray::new(width, 100);
            let mut plain = vec![0u32; 100];
            for _ in 0..1000 {
                let (i, value) = (rng.below(100) as usize, rng.below(1 << width) as u32);
                if rng.below(2) == 0 {
                    packed.set(i, value);
                } else {
                    assert_eq!(packed.update(i, |_| value), plain[i]);
                }
                plain[i] = value;
            }
            assert!(packed.iter().eq(plain.iter().copied()), "{width}");
            let mut bytes = Vec::new();
            packed.to_bytes(&mut bytes);
            assert_eq!(PackedArray::from_bytes(width, 100, &bytes), Some(packed), "{width}");
            assert_eq!(PackedArray::from_bytes(width, 108, &bytes), None, "{width}");
        }
        assert_eq!(PackedArray::from_bytes(3, 1, &[0b0000_1000]), None); // a bit beyond the end
    }

    #[test]
    fn equal_numbers_are_counted_word_by_word() {
        for width in [1, 2, 4, 8, 16, 32] {
            let mut rng = Rng::new(u64::from(width));
            let (mut first, mut second) = (PackedArray::new(width, 99), PackedArray::new(width, 99));
            for i in 0..99 {
                let value = rng.below(1 << width) as u32;
                first.set(i, value);
                // Some numbers differ in one bit only, so that each bit matters.
                let changed = if rng.below(2) == 0 { value ^ 1 << rng.below(width.into()) } else { value };
                second.set(i, changed);
            }
            let equal = first.iter().zip(second.iter()).filter(|(one, other)| one == other).count();
            assert_eq!(first.equal_numbers(&second), equal, "{width}");
            assert_eq!(first.equal_numbers(&first), 99);
        }
    }
}
