//! The only unsafe code of the library: bits and cells read and set without a bounds check where the bound is known,
//! code for instructions that not every processor has, used where it was found to have them, and hints to the memory
//! system. The last two change no result.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::bits::SplitBlock;
use crate::fuse::Shape;
use crate::hash::Probes;
use crate::similarity::directions::{BLOCK, components};
use crate::similarity::lots::{log2_limit, may_be_below};
use crate::similarity::multiplier;
use alloc::vec;
use alloc::vec::Vec;

/// How many keys a batch prepares before it reads the first: enough for the memory to answer meanwhile,
/// few enough that the lines are still in the cache when they are read.
pub(crate) const BATCH: usize = 64;

/// The answers for many hashes, with the lines of each batch asked for before the first is read.
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

/// 64-bit words, in memory or in a file.
pub(crate) trait Words {
    /// How many there are.
    fn len(&self) -> usize;

    /// Word `index`.
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
        // SAFETY: the caller's promise.
        unsafe { *self.get_unchecked(index) }
    }
}

/// The words of a file: little-endian bytes, and seven bytes or more behind them that complete the last word.
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

/// Whether one bit of `words` is set.
#[inline]
pub(crate) fn bit_is_set<W: Words + ?Sized>(words: &W, position: u64) -> bool {
    let index = (position / 64) as usize;
    assert!(index < words.len());
    // SAFETY: the assertion.
    let word = unsafe { words.word(index) };
    word >> (position % 64) & 1 == 1
}

/// Whether the `count` bits of a hash among the first `bits` of `words` are all set.
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
        // SAFETY: a probe is below its range, and the assertion puts the range inside the words.
        let word = unsafe { words.word((position / 64) as usize) };
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

/// The three cells of a spread hash, xored, where cell i starts at byte i << `shift`. Bits beyond a cell's mean
/// nothing. `cells` has four bytes or more from the start of the last cell on.
#[inline]
pub(crate) fn xor_of_byte_cells(cells: &[u8], shape: &Shape, shift: u32, spread: u64) -> u32 {
    let [first, second, third] = shape.places_in_bytes(spread, shift);
    assert!(third as usize + 4 <= cells.len());
    // SAFETY: places ascend (`Shape`), and the assertion puts the four bytes of the last inside.
    let read = |start: u64| unsafe { cells.as_ptr().add(start as usize).cast::<u32>().read_unaligned() };
    u32::from_le(read(first) ^ read(second) ^ read(third))
}

/// The three cells of a spread hash, xored, where cell i starts at bit i·`width`. Bits beyond a cell's mean nothing.
/// `cells` has eight bytes or more from the start of the last cell on.
#[inline]
pub(crate) fn xor_of_cells(cells: &[u8], shape: &Shape, width: u32, spread: u64) -> u64 {
    let [first, second, third] = shape.places(spread).map(|place| place * u64::from(width));
    assert!((third / 8) as usize + 8 <= cells.len());
    let read = |bit: u64| {
        // SAFETY: places ascend (`Shape::places`), and the assertion puts the eight bytes of the last inside.
        let word = unsafe { cells.as_ptr().add((bit / 8) as usize).cast::<u64>().read_unaligned() };
        u64::from_le(word) >> (bit % 8)
    };
    read(first) ^ read(second) ^ read(third)
}

/// The same of cells of up to 121 bits. `cells` has sixteen bytes or more from the start of the last cell on.
#[inline]
pub(crate) fn xor_of_wide_cells(cells: &[u8], shape: &Shape, width: u32, spread: u64) -> u128 {
    let [first, second, third] = shape.places(spread).map(|place| place * u64::from(width));
    assert!((third / 8) as usize + 16 <= cells.len());
    let read = |bit: u64| {
        // SAFETY: places ascend (`Shape::places`), and the assertion puts the sixteen bytes of the last inside.
        let word = unsafe { cells.as_ptr().add((bit / 8) as usize).cast::<u128>().read_unaligned() };
        u128::from_le(word) >> (bit % 8)
    };
    read(first) ^ read(second) ^ read(third)
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
cpufeatures::new!(avx2, "avx2");

/// A function that is compiled twice, unless AVX2 is certain: for every processor, and for those with AVX2, which are
/// known at run time. Eight lanes at once are three to five times as fast as one by one.
macro_rules! with_avx2 {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $answer:ty)? $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $type),*) $(-> $answer)? {
            // Takes the instruction set of its caller.
            #[inline(always)]
            fn plain($($arg: $type),*) $(-> $answer)? $body

            #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $type),*) $(-> $answer)? {
                    plain($($arg),*)
                }

                // Out of line, or its registers would burden the callers' loops.
                #[cold]
                #[inline(never)]
                fn narrow($($arg: $type),*) $(-> $answer)? {
                    plain($($arg),*)
                }

                if avx2::get() {
                    // SAFETY: this processor has AVX2, all that the function asks for.
                    unsafe { wide($($arg),*) }
                } else {
                    narrow($($arg),*)
                }
            }
            #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
            plain($($arg),*)
        }
    };
}

with_avx2! {
    /// Sets the bits of a hash in its block; tells whether any was clear.
    fn set_block_bits(blocks: &mut [SplitBlock], hash: u64) -> bool {
        let index = SplitBlock::index(hash, blocks.len());
        blocks[index].set(hash)
    }
}

with_avx2! {
    /// Whether the bits of a hash are all set in its block.
    fn block_bits_are_set(blocks: &[SplitBlock], hash: u64) -> bool {
        blocks[SplitBlock::index(hash, blocks.len())].has(hash)
    }
}

with_avx2! {
    /// Sets the bits of many hashes.
    fn set_bits_in_blocks(blocks: &mut [SplitBlock], hashes: &[u64]) {
        for batch in hashes.chunks(BATCH) {
            prefetch_blocks(blocks, batch);
            for &hash in batch {
                let index = SplitBlock::index(hash, blocks.len());
                blocks[index].set(hash);
            }
        }
    }
}

with_avx2! {
    /// Whether the bits of each of many hashes are all set.
    fn bits_in_blocks_are_set(blocks: &[SplitBlock], hashes: &[u64]) -> Vec<bool> {
        let mut answers = vec![false; hashes.len()];
        for (batch, answers) in hashes.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
            prefetch_blocks(blocks, batch);
            for (answer, &hash) in answers.iter_mut().zip(batch) {
                *answer = blocks[SplitBlock::index(hash, blocks.len())].has(hash);
            }
        }
        answers
    }
}

with_avx2! {
    /// Adds the components of an item, times `weight`, to the sums along all directions.
    fn add_weighted_to_directions(sums: &mut [f64], hash: u64, weight: f64) {
        for (block, sums) in (0..).zip(sums.as_chunks_mut::<BLOCK>().0) {
            for (sum, component) in sums.iter_mut().zip(components(hash, block)) {
                *sum += weight * f64::from(component);
            }
        }
    }
}

with_avx2! {
    /// The same of a few items, up to 2¹⁶, each with the weight 1.
    fn add_to_directions(sums: &mut [f64], hashes: &[u64]) {
        for (block, sums) in (0..).zip(sums.as_chunks_mut::<BLOCK>().0) {
            let mut totals = [0i32; BLOCK];
            for &hash in hashes {
                for (total, component) in totals.iter_mut().zip(components(hash, block)) {
                    *total += component;
                }
            }
            for (sum, total) in sums.iter_mut().zip(totals) {
                *sum += f64::from(total);
            }
        }
    }
}

with_avx2! {
    /// Marks the slots, from `first` on, that an item may win, where these are the ranks to beat, a batch at most.
    fn possible_winners(ranks: &[f64], first: u32, hash: u64, log_weight: f64) -> [u8; BATCH] {
        // Two loops: numbers of different sizes in one would take as much time again.
        let mut limits = [f32::NEG_INFINITY; BATCH];
        for (limit, rank) in limits.iter_mut().zip(ranks) {
            *limit = log2_limit(rank + log_weight);
        }
        let mut marks = [0; BATCH];
        for (slot, (mark, limit)) in (0..).zip(marks.iter_mut().zip(limits)) {
            *mark = u8::from(may_be_below(hash, first.wrapping_add(slot), limit));
        }
        marks
    }
}

with_avx2! {
    /// In how many bits a word differs from each of some others.
    fn count_differences(counts: &mut [u8], word: u64, others: &[u64]) {
        for (count, other) in counts.iter_mut().zip(others) {
            *count = (word ^ other).count_ones() as u8;
        }
    }
}

#[inline]
fn prefetch_blocks(blocks: &[SplitBlock], hashes: &[u64]) {
    if size_of_val(blocks) >= CACHED_BYTES {
        for &hash in hashes {
            prefetch(blocks, SplitBlock::index(hash, blocks.len()));
        }
    }
}

/// How many slots of a signature stay in registers while a batch of hashes passes: eight AVX2 registers' worth.
const SLOTS_AT_ONCE: usize = 64;

with_avx2! {
    /// Lowers each slot i of a signature to the smallest x + cᵢ·y of all hashes with the halves x and y, where cᵢ is
    /// the slot's multiplier; modulo 2³². Tells whether any slot changed.
    fn lower_slots(slots: &mut [u32], hashes: &[u64]) -> bool {
        let mut changed = false;
        for (block, slots) in slots.chunks_mut(SLOTS_AT_ONCE).enumerate() {
            let first = (block * SLOTS_AT_ONCE) as u32;
            let mut multipliers = [0; SLOTS_AT_ONCE];
            for (lane, factor) in (first..).zip(&mut multipliers) {
                *factor = multiplier(lane);
            }
            // Always a whole block: the compiler then keeps it in registers.
            let mut minima = [u32::MAX; SLOTS_AT_ONCE];
            minima[..slots.len()].copy_from_slice(slots);
            for &hash in hashes {
                let (x, y) = ((hash >> 32) as u32, hash as u32);
                for (least, factor) in minima.iter_mut().zip(&multipliers) {
                    *least = (*least).min(x.wrapping_add(factor.wrapping_mul(y)));
                }
            }
            let minima = &minima[..slots.len()];
            changed |= slots != minima;
            slots.copy_from_slice(minima);
        }
        changed
    }
}

with_avx2! {
    /// Lowers each slot to the other's, where that is smaller.
    fn lower_to_slots(slots: &mut [u32], others: &[u32]) {
        for (slot, &other) in slots.iter_mut().zip(others) {
            *slot = other.min(*slot);
        }
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

/// How bits of a word are counted and found.
pub(crate) trait Bits: Copy {
    /// The number of ones.
    fn ones(self, word: u64) -> u32;
    /// The place of the one with `rank` (below 64) others below it; 64 if there is none.
    fn select(self, word: u64, rank: u32) -> u32;
}

/// With what every processor has.
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

/// Elsewhere the plain way is the fast one.
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

    /// The instructions, if the processor has them.
    #[inline]
    pub(crate) fn fast_bits() -> Option<FastBits> {
        detected::get().then_some(FastBits(()))
    }

    // A function with `target_feature` is never inlined where the compiler does not know the feature: the call was
    // measured to cost a query of a quotient filter 5 to 10 % more than these instructions in place.
    impl Bits for FastBits {
        #[inline]
        fn ones(self, word: u64) -> u32 {
            let ones: u64;
            // SAFETY: the token is proof of the instruction, which touches registers alone.
            unsafe {
                asm!("popcnt {ones}, {word}", word = in(reg) word, ones = lateout(reg) ones,
                    options(pure, nomem, nostack));
            }
            ones as u32
        }

        #[inline]
        fn select(self, word: u64, rank: u32) -> u32 {
            let place: u64;
            // SAFETY: the token is proof of the instructions, which touch registers alone.
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
mod tests;
