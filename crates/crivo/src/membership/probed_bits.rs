//! Sets and tests the bits of a hash without bounds checks, since the bound is known.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::hash::Probes;
use crate::memory::prefetch;

/// Sets the `count` bits of a hash among the first `bits` of `words`; returns how many were clear.
#[inline]
pub(crate) fn set_probed_bits(words: &mut [u64], bits: u64, hash: u64, count: u32) -> u32 {
    if bits % 2 == 1 {
        set_of_parity::<true>(words, bits, hash, count)
    } else {
        set_of_parity::<false>(words, bits, hash, count)
    }
}

#[inline]
fn set_of_parity<const ODD: bool>(words: &mut [u64], bits: u64, hash: u64, count: u32) -> u32 {
    assert!(bits > 0 && bits <= words.len() as u64 * 64);
    let mut probes = Probes::new(hash, bits);
    let mut were_clear = 0;
    for _ in 0..count {
        let position = probes.next_of_parity::<ODD>();
        // SAFETY: a probe is below its range, and the assertion ensures that the range lies inside the words.
        let word = unsafe { words.get_unchecked_mut((position / 64) as usize) };
        // A comparison is cheaper than a shift that moves the bit to the lowest place.
        let before = *word;
        *word |= 1 << (position % 64);
        were_clear += u32::from(*word != before);
    }
    were_clear
}

/// 64-bit words, in memory or in a file.
pub(crate) trait Words {
    /// Returns the number of words.
    fn len(&self) -> usize;

    /// Returns word `index`.
    ///
    /// # Safety
    /// `index` must be below `len`.
    unsafe fn word(&self, index: usize) -> u64;
}

impl Words for [u64] {
    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    unsafe fn word(&self, index: usize) -> u64 {
        // SAFETY: the caller ensures that the index is in bounds.
        unsafe { *self.get_unchecked(index) }
    }
}

/// The words of a file: little-endian bytes, followed by at least seven bytes that complete the last word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileWords<'a>(pub(crate) &'a [u8]);

impl Words for FileWords<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.0.len() / 8
    }

    #[inline]
    unsafe fn word(&self, index: usize) -> u64 {
        u64::from_le_bytes(self.0.as_chunks().0[index])
    }
}

/// Returns whether one bit of `words` is set.
#[inline]
pub(crate) fn bit_is_set<W: Words + ?Sized>(words: &W, position: u64) -> bool {
    let index = (position / 64) as usize;
    assert!(index < words.len());
    // SAFETY: the assertion ensures that the index is in bounds.
    let word = unsafe { words.word(index) };
    word >> (position % 64) & 1 == 1
}

/// Returns whether the `count` bits of a hash among the first `bits` of `words` are all set.
#[inline]
pub(crate) fn probed_bits_are_set<W: Words + ?Sized>(words: &W, bits: u64, hash: u64, count: u32) -> bool {
    if bits % 2 == 1 {
        are_set_of_parity::<true, W>(words, bits, hash, count)
    } else {
        are_set_of_parity::<false, W>(words, bits, hash, count)
    }
}

#[inline]
fn are_set_of_parity<const ODD: bool, W: Words + ?Sized>(
    words: &W,
    bits: u64,
    hash: u64,
    count: u32,
) -> bool {
    assert!(bits > 0 && bits <= words.len() as u64 * 64);
    let mut probes = Probes::new(hash, bits);
    let mut bit = || {
        let position = probes.next_of_parity::<ODD>();
        // SAFETY: a probe is below its range, and the assertion ensures that the range lies inside the words.
        let word = unsafe { words.word((position / 64) as usize) };
        word >> (position % 64)
    };
    // Three bits at a time: a branch for each bit would be mispredicted for every other absent item.
    let mut left = count;
    while left >= 3 {
        if bit() & bit() & bit() & 1 == 0 {
            return false;
        }
        left -= 3;
    }
    (0..left).all(|_| bit() & 1 == 1)
}

/// Prefetches the cache lines of the `count` bits of a hash among the first `bits` of `words`.
#[inline]
pub(crate) fn prefetch_probed_bits(words: &[u64], bits: u64, hash: u64, count: u32) {
    let mut probes = Probes::new(hash, bits);
    for _ in 0..count {
        prefetch(words, (probes.next_position() / 64) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitVec;
    use crate::rng::Rng;
    use alloc::vec;

    /// Compares with checked versions, one bit at a time.
    #[test]
    fn unchecked_bits_are_the_checked_ones() {
        let mut rng = Rng::new(3);
        for bits in [1u64, 63, 64, 65, 1000, 4095] {
            let mut words = vec![0; bits.div_ceil(64) as usize];
            let mut twin = BitVec::new(bits);
            for count in 1..=20 {
                let hash = rng.next_u64();
                let asked = rng.next_u64();
                let is_set = Probes::new(asked, bits).take(count as usize).all(|position| twin.get(position));
                assert_eq!(probed_bits_are_set(&words[..], bits, asked, count), is_set);
                // As in a file: the last word is cut short, and other bytes follow it.
                let mut bytes: alloc::vec::Vec<u8> =
                    words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
                bytes.truncate(bits.div_ceil(8) as usize);
                bytes.extend([0xff; 8]);
                assert_eq!(probed_bits_are_set(&FileWords(&bytes), bits, asked, count), is_set);
                let probes = Probes::new(hash, bits).take(count as usize);
                let were_clear = probes.map(|position| u32::from(twin.set(position))).sum::<u32>();
                assert_eq!(set_probed_bits(&mut words, bits, hash, count), were_clear);
                assert_eq!(words, twin.words());
                assert!(probed_bits_are_set(&words[..], bits, hash, count));
            }
        }
    }
}
