//! The only unsafe code of the library: bits read and set without a bounds check where the bound is known,
//! and hints to the memory system, which change no result.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::hash::Probes;

/// How many keys a batch prepares before it reads the first: enough for the memory to answer meanwhile,
/// few enough that the lines are still in the cache when they are read.
pub(crate) const BATCH: usize = 64;

/// Below this size a structure stays in the cache by itself, and asking for its lines costs more than it
/// saves.
pub(crate) const CACHED_BYTES: usize = 4 << 20;

/// Sets the `count` bits of a hash among the first `bits` of `words`; tells how many were clear.
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
    let mut were_set = 0;
    for _ in 0..count {
        let position = probes.next_of_parity::<ODD>();
        // SAFETY: a probe is below its range, and the assertion puts the range inside the words.
        let word = unsafe { words.get_unchecked_mut((position / 64) as usize) };
        were_set += (*word >> (position % 64)) as u32 & 1;
        *word |= 1 << (position % 64);
    }
    count - were_set
}

/// Whether the `count` bits of a hash among the first `bits` of `words` are all set.
#[inline]
pub(crate) fn probed_bits_are_set(words: &[u64], bits: u64, hash: u64, count: u32) -> bool {
    if bits % 2 == 1 {
        are_set_of_parity::<true>(words, bits, hash, count)
    } else {
        are_set_of_parity::<false>(words, bits, hash, count)
    }
}

#[inline]
fn are_set_of_parity<const ODD: bool>(words: &[u64], bits: u64, hash: u64, count: u32) -> bool {
    assert!(bits > 0 && bits <= words.len() as u64 * 64);
    let mut probes = Probes::new(hash, bits);
    let mut bit = || {
        let position = probes.next_of_parity::<ODD>();
        // SAFETY: a probe is below its range, and the assertion puts the range inside the words.
        let word = unsafe { words.get_unchecked((position / 64) as usize) };
        word >> (position % 64)
    };
    // Three bits at a time: a branch a bit would be mispredicted for every other absent item.
    let mut left = count;
    while left >= 3 {
        if bit() & bit() & bit() & 1 == 0 {
            return false;
        }
        left -= 3;
    }
    (0..left).all(|_| bit() & 1 == 1)
}

/// Asks for the cache lines of the `count` bits of a hash among the first `bits` of `words`.
#[inline]
pub(crate) fn prefetch_probed_bits(words: &[u64], bits: u64, hash: u64, count: u32) {
    let mut probes = Probes::new(hash, bits);
    for _ in 0..count {
        prefetch(words, (probes.next_position() / 64) as usize);
    }
}

/// Asks for the cache line of `slice[index]`. An index beyond the end is harmless.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetch never faults, whatever the address; `wrapping_add` computes it without the
        // promise that it lies inside the slice.
        unsafe { _mm_prefetch(slice.as_ptr().wrapping_add(index).cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitVec;
    use crate::rng::Rng;

    /// The checked twins, one bit at a time.
    #[test]
    fn unchecked_bits_are_the_checked_ones() {
        let mut rng = Rng::new(3);
        for bits in [1u64, 63, 64, 65, 1000, 4095] {
            let mut words = alloc::vec![0; bits.div_ceil(64) as usize];
            let mut twin = BitVec::new(bits);
            for count in 1..=20 {
                let hash = rng.next_u64();
                let asked = rng.next_u64();
                let is_set = Probes::new(asked, bits).take(count as usize).all(|position| twin.get(position));
                assert_eq!(probed_bits_are_set(&words, bits, asked, count), is_set);
                let probes = Probes::new(hash, bits).take(count as usize);
                let were_clear = probes.map(|position| u32::from(twin.set(position))).sum::<u32>();
                assert_eq!(set_probed_bits(&mut words, bits, hash, count), were_clear);
                assert_eq!(words, twin.words());
                assert!(probed_bits_are_set(&words, bits, hash, count));
            }
        }
    }
}
