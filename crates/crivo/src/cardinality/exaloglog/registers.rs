//! The large form: 28 bits a register, two in seven bytes.
//!
//! A hash has a register and a value k: four times its leading zeros, plus one to four. A register holds the
//! largest value that came, u, above a window of twenty bits that tell which of u−1 … u−20 came too. Where the window
//! reaches below 1, the bit of the value 0 is set as if that had come, and those below it are clear.

use super::tokens::hash_of;
use crate::cardinality::entries::Entries;
use alloc::boxed::Box;
use alloc::vec;

/// Bits of a hash that give the values between two counts of zeros.
const SUB_BITS: u32 = 2;
pub(super) const WINDOW_BITS: u32 = 20;
const WINDOW: u32 = (1 << WINDOW_BITS) - 1;
const STATE: u32 = (1 << 28) - 1;

/// The states of 2^precision registers: the even one of each seven bytes in the low bits.
#[derive(Clone, PartialEq)]
pub(super) struct Registers {
    bytes: Box<[u8]>,
}

/// The bytes that 2^`precision` registers take.
pub(super) const fn bytes_of(precision: u8) -> usize {
    7 << (precision - 1)
}

/// The largest value at a precision: no bit is left that could end the zeros.
pub(super) fn largest_value(precision: u32) -> u32 {
    4 * (63 - precision)
}

/// The register of a hash, from its low bits, and its value, from the high ones and the lowest two.
#[inline]
pub(super) fn place_of(hash: u64, precision: u32) -> (usize, u32) {
    let register = (hash >> SUB_BITS) & ((1 << precision) - 1);
    // The highest bit of the register's number ends the zeros.
    let zeros = (hash | 2 << precision).leading_zeros();
    (register as usize, (zeros << SUB_BITS | (hash & 3) as u32) + 1)
}

/// Whether a value changes a state. One branch only: those between far behind, in the window and ahead could not be
/// foretold.
#[inline]
fn is_new(state: u32, value: u32) -> bool {
    let behind = (state >> WINDOW_BITS).wrapping_sub(value);
    let is_ahead = u32::from((behind as i32) < 0);
    let is_in_view = u32::from(behind <= WINDOW_BITS);
    let came = (1 << WINDOW_BITS | state & WINDOW).wrapping_shr(WINDOW_BITS.wrapping_sub(behind));
    is_ahead | is_in_view & !came != 0
}

/// The window of a state as it looks from a value `distance` beyond its largest, which comes into view.
#[inline]
fn moved_back(state: u32, distance: u32) -> u32 {
    (1 << WINDOW_BITS | state & WINDOW).checked_shr(distance).unwrap_or(0) & WINDOW
}

/// The state of a register that saw what both saw.
#[inline]
fn merged(a: u32, b: u32) -> u32 {
    let (larger, smaller) = (a.max(b), a.min(b));
    larger | moved_back(smaller, (larger >> WINDOW_BITS) - (smaller >> WINDOW_BITS))
}

/// Whether a state can come up at a precision.
fn is_possible(state: u32, precision: u32) -> bool {
    let (largest, window) = (state >> WINDOW_BITS, state & WINDOW);
    let ends_at_zero = window.trailing_zeros() == WINDOW_BITS - largest.min(WINDOW_BITS);
    match largest {
        0 => window == 0,
        1..=WINDOW_BITS => ends_at_zero,
        _ => largest <= largest_value(precision),
    }
}

impl Registers {
    fn empty(precision: u8) -> Self {
        Self { bytes: vec![0; bytes_of(precision)].into_boxed_slice() }
    }

    pub(super) fn of_tokens(tokens: &Entries, precision: u8) -> Self {
        let mut registers = Self::empty(precision);
        registers.take_tokens(tokens, precision.into());
        registers
    }

    /// Takes one hash in; true when its register changed.
    #[inline]
    pub(super) fn take(&mut self, hash: u64, precision: u32) -> bool {
        let (register, value) = place_of(hash, precision);
        let (start, shift) = (register * 7 / 2, 4 * (register & 1));
        let Some(bytes) = self.bytes[start..].first_chunk_mut() else { return false };
        let word = u32::from_le_bytes(*bytes);
        let state = word >> shift & STATE;
        if !is_new(state, value) {
            return false;
        }
        // As if merging a register that saw this value alone.
        let next = merged(state, value << WINDOW_BITS);
        *bytes = (word ^ (state ^ next) << shift).to_le_bytes();
        true
    }

    /// The state of one register.
    #[inline]
    pub(super) fn state(&self, register: usize) -> u32 {
        unpack(self.bytes.as_chunks().0[register / 2])[register % 2]
    }

    pub(super) fn take_tokens(&mut self, tokens: &Entries, precision: u32) {
        for token in tokens.iter() {
            self.take(hash_of(token), precision);
        }
    }

    /// All states, two at a time.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.bytes.as_chunks().0.iter().map(|&bytes| unpack(bytes))
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let theirs = other.bytes.as_chunks().0;
        for (ours, theirs) in self.bytes.as_chunks_mut().0.iter_mut().zip(theirs) {
            let ([a, b], [c, d]) = (unpack(*ours), unpack(*theirs));
            *ours = pack([merged(a, c), merged(b, d)]);
        }
    }

    /// The registers at a lower precision: those whose numbers agree in their low bits become one.
    pub(super) fn fold(&self, from: u8, to: u8) -> Self {
        let mut folded = Self::empty(to);
        let target_pairs = folded.bytes.len() / 7;
        for (i, pair) in self.pairs().enumerate() {
            // The bits that no longer number the register: a hash without a one before them has its zeros go on here.
            let dropped = (2 * i) >> to;
            let more_zeros = u32::from(from - to) - (usize::BITS - dropped.leading_zeros());
            let [a, b] = pair.map(|state| with_more_zeros(state, from.into(), more_zeros));
            let target = &mut folded.bytes.as_chunks_mut().0[i % target_pairs];
            let [c, d] = unpack(*target);
            *target = pack([merged(a, c), merged(b, d)]);
        }
        folded
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Registers from their bytes; `None` unless their number is right and each is possible.
    pub(super) fn from_bytes(bytes: &[u8], precision: u8) -> Option<Self> {
        let registers = Self { bytes: bytes.into() };
        let possible = |state: u32| is_possible(state, precision.into());
        let all_possible = || registers.pairs().flatten().all(possible);
        (bytes.len() == bytes_of(precision) && all_possible()).then_some(registers)
    }
}

/// The state whose values that had no one before the register's bits get so many more zeros.
fn with_more_zeros(state: u32, precision: u32, more_zeros: u32) -> u32 {
    let largest = state >> WINDOW_BITS;
    let before_last = largest_value(precision) - 4;
    if largest <= before_last || more_zeros == 0 {
        return state;
    }
    // One to four values move ahead: the largest and those of its last few followers that were that far already.
    let moved = WINDOW & !(WINDOW >> (largest - before_last - 1));
    let distance = more_zeros << SUB_BITS;
    (largest + distance) << WINDOW_BITS | state & moved | (state & WINDOW & !moved) >> distance.min(31)
}

#[inline]
fn unpack([a, b, c, d, e, f, g]: [u8; 7]) -> [u32; 2] {
    [u32::from_le_bytes([a, b, c, d]) & STATE, u32::from_le_bytes([d, e, f, g]) >> 4]
}

#[inline]
fn pack([low, high]: [u32; 2]) -> [u8; 7] {
    let [bytes @ .., _] = (u64::from(low) | u64::from(high) << 28).to_le_bytes();
    bytes
}
