//! Faster use of memory and processor: batches, prefetch hints, and instructions that not every processor
//! has, which are used where the processor reports them. None of these changes a result.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use alloc::vec::Vec;

/// The number of keys that a batch prepares before it reads the first one: enough to hide the memory latency,
/// and few enough that the cache lines are still in the cache when they are read.
pub(crate) const BATCH: usize = 64;

/// Returns the answers for many hashes. The cache lines of a batch are prefetched before the first one is
/// read.
#[inline]
pub(crate) fn answer_in_batches<R>(
    hashes: &[u64],
    prefetch: impl Fn(&[u64]),
    answer: impl Fn(u64) -> R,
) -> Vec<R> {
    let mut answers = Vec::with_capacity(hashes.len());
    for batch in hashes.chunks(BATCH) {
        prefetch(batch);
        answers.extend(batch.iter().map(|&hash| answer(hash)));
    }
    answers
}

/// Below this size a structure stays in the cache, and a prefetch costs more than it saves.
pub(crate) const CACHED_BYTES: usize = 4 << 20;

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
cpufeatures::new!(avx2, "avx2");

/// Declares a function that is compiled twice, unless AVX2 is enabled at compile time: once for every
/// processor, and once for processors with AVX2, which are detected at run time. Eight lanes are three to
/// five times as fast as one.
macro_rules! with_avx2 {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $answer:ty)? $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $type),*) $(-> $answer)? {
            // Inlined, so that it is compiled for the instruction set of its caller.
            #[inline(always)]
            fn plain($($arg: $type),*) $(-> $answer)? $body

            #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $type),*) $(-> $answer)? {
                    plain($($arg),*)
                }

                // Kept out of line: its registers would slow the loops of its callers down.
                #[cold]
                #[inline(never)]
                fn narrow($($arg: $type),*) $(-> $answer)? {
                    plain($($arg),*)
                }

                if crate::memory::has_avx2() {
                    // SAFETY: this processor has AVX2, which is all that the function requires.
                    #[allow(unsafe_code, reason = "the one call that the dispatch needs")]
                    unsafe {
                        wide($($arg),*)
                    }
                } else {
                    narrow($($arg),*)
                }
            }
            #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
            plain($($arg),*)
        }
    };
}
pub(crate) use with_avx2;

/// Returns whether this processor has AVX2, if that is unknown at compile time.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[inline]
pub(crate) fn has_avx2() -> bool {
    avx2::get()
}

/// Prefetches the cache line of `slice[index]`. An index beyond the end is harmless.
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

/// Counts and finds bits of a word.
pub(crate) trait Bits: Copy {
    /// Returns the number of ones in a word.
    fn ones(self, word: u64) -> u32;
    /// Returns the position of the one-bit with `rank` (below 64) ones below it; 64 if there is none.
    fn select(self, word: u64, rank: u32) -> u32;
}

/// Portable code for every processor.
#[derive(Clone, Copy)]
pub(crate) struct PlainBits;

impl Bits for PlainBits {
    #[inline]
    fn ones(self, word: u64) -> u32 {
        word.count_ones()
    }

    #[inline]
    fn select(self, mut word: u64, rank: u32) -> u32 {
        for _ in 0..rank {
            word &= word.wrapping_sub(1);
        }
        word.trailing_zeros()
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::fast_bits;

/// On other processors the portable code is the fastest.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn fast_bits() -> Option<PlainBits> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Bits;
    use core::arch::asm;

    cpufeatures::new!(detected, "popcnt", "bmi1", "bmi2");

    /// Proof that the processor has `popcnt`, `tzcnt`, `shlx` and `pdep`.
    #[derive(Clone, Copy)]
    pub(crate) struct FastBits(());

    /// Returns the token if the processor has the instructions.
    #[inline]
    pub(crate) fn fast_bits() -> Option<FastBits> {
        detected::get().then_some(FastBits(()))
    }

    // Inline assembly instead of `target_feature`: such a function is never inlined where the compiler does
    // not know the feature, and the call was measured to make a query of a quotient filter 5 to 10 % slower.
    impl Bits for FastBits {
        #[inline]
        fn ones(self, word: u64) -> u32 {
            let ones: u64;
            // SAFETY: the token proves that the processor has the instruction, which touches registers only.
            unsafe {
                asm!("popcnt {ones}, {word}", word = in(reg) word, ones = lateout(reg) ones,
                    options(pure, nomem, nostack));
            }
            ones as u32
        }

        #[inline]
        fn select(self, word: u64, rank: u32) -> u32 {
            let place: u64;
            // SAFETY: the token proves that the processor has the instructions, which touch registers only.
            unsafe {
                asm!("mov {place:e}, 1", "shlx {place}, {place}, {rank}", "pdep {place}, {place}, {word}",
                    "tzcnt {place}, {place}",
                    word = in(reg) word, rank = in(reg) u64::from(rank), place = out(reg) place,
                    options(pure, nomem, nostack));
            }
            place as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn fast_bits_are_the_plain_ones() {
        let Some(fast) = fast_bits() else { return };
        let mut rng = Rng::new(6);
        for round in 0..1000 {
            let word = if round == 0 { u64::MAX } else { rng.next_u64() & rng.next_u64() };
            assert_eq!(fast.ones(word), PlainBits.ones(word));
            for rank in 0..64 {
                assert_eq!(fast.select(word, rank), PlainBits.select(word, rank), "{word:#x} {rank}");
                let found = PlainBits.select(word, rank);
                assert!(
                    found == 64 || word >> found & 1 == 1 && (word << (63 - found)).count_ones() == rank + 1
                );
            }
        }
    }
}
