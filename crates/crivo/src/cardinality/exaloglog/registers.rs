//! The dense form: 28 bits per register.
//!
//! A hash has a register and a value k: four times its leading zeros, plus one to four. A register holds the
//! largest value seen, u, above a window of twenty bits that show which of u−1 … u−20 were seen too. If the
//! window reaches below 1, the bit of the value 0 is set as if it had been seen, and those below it are
//! clear.
//!
//! In memory the largest values are stored apart from the windows, one byte each: most items of a long stream
//! are so far behind that this byte alone rules them out. A file stores register after register.

use super::tokens::hash_of;
use crate::cardinality::entries::Entries;
use crate::memory::BATCH;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The number of hash bits that select a value among those with equal numbers of zeros.
const SUB_BITS: u32 = 2;
/// The parameter d of the paper: with it and two sub-bits, two registers take seven bytes.
pub(super) const WINDOW_BITS: u32 = 20;
const WINDOW: u32 = (1 << WINDOW_BITS) - 1;

/// The states of 2^precision registers: the windows, two in five bytes, then the largest values.
#[derive(Clone, PartialEq)]
pub(super) struct Registers {
    bytes: Box<[u8]>,
}

/// The windows of an even register and the odd one after it.
type WindowPair = [u8; 5];

/// Returns the number of bytes that 2^`precision` registers take.
pub(super) const fn bytes_of(precision: u8) -> usize {
    7 << (precision - 1)
}

/// Returns where the largest values begin.
const fn largest_start(precision: u32) -> usize {
    5 << (precision - 1)
}

/// Returns the largest value at a precision, where no bit is left that could end the zeros.
pub(super) fn largest_value(precision: u32) -> u32 {
    4 * (63 - precision)
}

/// Returns the register of a hash, from its low bits.
#[inline]
pub(super) fn register_of(hash: u64, precision: u32) -> usize {
    ((hash >> SUB_BITS) & ((1 << precision) - 1)) as usize
}

/// Returns the value of a hash, from its high bits and the lowest two.
#[inline]
fn value_of(hash: u64, precision: u32) -> u32 {
    // The highest bit of the register's number ends the zeros.
    let zeros = (hash | 2 << precision).leading_zeros();
    (zeros << SUB_BITS | (hash & 3) as u32) + 1
}

/// The largest hash that is not far behind a register with this largest value: a load and a comparison instead of
/// shifts by distances that are known only at run time.
const LARGEST_NEAR: [u64; 256] = {
    let mut hashes = [u64::MAX; 256];
    let mut largest = 0;
    while largest < 256 {
        hashes[largest] >>= (largest / 4).saturating_sub(6);
        largest += 1;
    }
    hashes
};

/// Returns whether the value of a hash certainly lies below the window of a register with this largest value:
/// its zeros are at least six groups of four values behind. That does not require counting them.
#[inline]
fn is_far_behind(hash: u64, largest: u8) -> bool {
    hash > LARGEST_NEAR[usize::from(largest)]
}

/// Returns whether a value changes a state. It has a single branch: a distinction between values far behind,
/// in the window and ahead could not be predicted.
#[inline]
fn is_new(state: u32, value: u32) -> bool {
    let behind = (state >> WINDOW_BITS).wrapping_sub(value);
    let is_ahead = u32::from((behind as i32) < 0);
    let is_in_view = u32::from(behind <= WINDOW_BITS);
    let came = (1 << WINDOW_BITS | state & WINDOW).wrapping_shr(WINDOW_BITS.wrapping_sub(behind));
    is_ahead | is_in_view & !came != 0
}

/// Returns the window of a state as seen from a value `distance` above its largest; the largest value itself
/// enters the window.
#[inline]
fn moved_back(state: u32, distance: u32) -> u32 {
    (1 << WINDOW_BITS | state & WINDOW).checked_shr(distance).unwrap_or(0) & WINDOW
}

/// Returns the state of a register that saw the values of both.
#[inline]
fn merged(a: u32, b: u32) -> u32 {
    let (larger, smaller) = (a.max(b), a.min(b));
    larger | moved_back(smaller, (larger >> WINDOW_BITS) - (smaller >> WINDOW_BITS))
}

/// Returns whether a state can occur at a precision.
pub(super) fn is_possible(state: u32, precision: u32) -> bool {
    let (largest, window) = (state >> WINDOW_BITS, state & WINDOW);
    let ends_at_zero = window.trailing_zeros() == WINDOW_BITS - largest.min(WINDOW_BITS);
    match largest {
        0 => window == 0,
        1..=WINDOW_BITS => ends_at_zero,
        _ => largest <= largest_value(precision),
    }
}

impl Registers {
    pub(super) fn empty(precision: u8) -> Self {
        Self { bytes: vec![0; bytes_of(precision)].into_boxed_slice() }
    }

    pub(super) fn of_tokens(tokens: &Entries, precision: u8) -> Self {
        let mut registers = Self::empty(precision);
        registers.take_tokens(tokens, precision.into());
        registers
    }

    /// Takes in many hashes. Those far behind are filtered out first, without a branch, since it could not be
    /// predicted.
    pub(super) fn take_all(&mut self, hashes: &[u64], precision: u32) {
        let mut near = [0; BATCH];
        for batch in hashes.chunks(BATCH) {
            let mut count = 0;
            for &hash in batch {
                near[count] = hash;
                let largest = self.bytes[largest_start(precision) + register_of(hash, precision)];
                count += usize::from(!is_far_behind(hash, largest));
            }
            for &hash in &near[..count] {
                self.take(hash, precision);
            }
        }
    }

    /// Takes in one hash; returns true if its register changed.
    #[inline]
    pub(super) fn take(&mut self, hash: u64, precision: u32) -> bool {
        let (register, value) = (register_of(hash, precision), value_of(hash, precision));
        let largest_place = largest_start(precision) + register;
        let largest = u32::from(self.bytes[largest_place]);
        // Four bytes hold the window and some bits around it. After the last window come the largest values.
        let (start, shift) = (register * 5 / 2, 4 * (register & 1));
        let Some(bytes) = self.bytes[start..].first_chunk_mut() else { return false };
        let word = u32::from_le_bytes(*bytes);
        let state = largest << WINDOW_BITS | word >> shift & WINDOW;
        if !is_new(state, value) {
            return false;
        }
        // Equivalent to merging a register that saw this value alone.
        let next = merged(state, value << WINDOW_BITS);
        *bytes = (word ^ ((state ^ next) & WINDOW) << shift).to_le_bytes();
        self.bytes[largest_place] = (next >> WINDOW_BITS) as u8;
        true
    }

    /// Returns the state of one register.
    #[inline]
    pub(super) fn state(&self, register: usize) -> u32 {
        let (largest, windows) = self.parts();
        largest[register / 2].map(u32::from)[register % 2] << WINDOW_BITS
            | windows_of(windows[register / 2])[register % 2]
    }

    pub(super) fn take_tokens(&mut self, tokens: &Entries, precision: u32) {
        for token in tokens.iter() {
            self.take(hash_of(token), precision);
        }
    }

    /// Returns the largest values and the windows, in pairs.
    #[inline]
    fn parts(&self) -> (&[[u8; 2]], &[WindowPair]) {
        let (windows, largest) = self.bytes.split_at(self.bytes.len() / 7 * 5);
        (largest.as_chunks().0, windows.as_chunks().0)
    }

    /// Returns an iterator over all states, two at a time.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let (largest, windows) = self.parts();
        largest.iter().zip(windows).map(|(&largest, &windows)| states_of(largest, windows))
    }

    /// Returns the sum of the largest values of all registers.
    pub(super) fn sum_of_largest(&self) -> u64 {
        let (largest, _) = self.parts();
        largest.as_flattened().iter().map(|&value| u64::from(value)).sum()
    }

    /// Returns an iterator over all states, four at a time.
    pub(super) fn fours(&self) -> impl DoubleEndedIterator<Item = [u32; 4]> + '_ {
        let (largest, windows) = self.parts();
        let fours = largest.as_chunks::<2>().0.iter().zip(windows.as_chunks::<2>().0);
        fours.map(|(largest, windows)| {
            let [[a, b], [c, d]] = [0, 1].map(|i| states_of(largest[i], windows[i]));
            [a, b, c, d]
        })
    }

    /// Sets the states of registers 4i to 4i + 3.
    pub(super) fn set_four(&mut self, i: usize, [a, b, c, d]: [u32; 4]) {
        let (windows, largest) = self.bytes.split_at_mut(self.bytes.len() / 7 * 5);
        for (pair, states) in [(2 * i, [a, b]), (2 * i + 1, [c, d])] {
            largest.as_chunks_mut().0[pair] = states.map(|state| (state >> WINDOW_BITS) as u8);
            windows.as_chunks_mut().0[pair] = packed_windows(states.map(|state| state & WINDOW));
        }
    }

    /// Sets the registers, two at a time, by their present states.
    fn change_pairs(&mut self, mut next: impl FnMut(usize, [u32; 2]) -> [u32; 2]) {
        let (windows, largest) = self.bytes.split_at_mut(self.bytes.len() / 7 * 5);
        let pairs = largest.as_chunks_mut().0.iter_mut().zip(windows.as_chunks_mut().0);
        for (i, (largest, windows)) in pairs.enumerate() {
            let states = next(i, states_of(*largest, *windows));
            *largest = states.map(|state| (state >> WINDOW_BITS) as u8);
            *windows = packed_windows(states.map(|state| state & WINDOW));
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let mut theirs = other.pairs();
        self.change_pairs(|_, [a, b]| theirs.next().map_or([a, b], |[c, d]| [merged(a, c), merged(b, d)]));
    }

    /// Returns the registers at a lower precision: registers whose numbers agree in their low bits become
    /// one.
    pub(super) fn fold(&self, from: u8, to: u8) -> Self {
        let mut folded = Self::empty(to);
        let parts = self.pairs().collect::<Vec<_>>();
        for (part, states) in parts.chunks(1 << (to - 1)).enumerate() {
            // The bits that no longer number the register: if they are all zero, the zeros of a hash continue
            // here.
            let more_zeros = u32::from(from - to) - (usize::BITS - part.leading_zeros());
            folded.change_pairs(|i, [a, b]| {
                let [c, d] = states[i].map(|state| with_more_zeros(state, from.into(), more_zeros));
                [merged(a, c), merged(b, d)]
            });
        }
        folded
    }

    /// Writes register after register, two in seven bytes, with the even one of each pair in the low bits.
    pub(super) fn to_bytes(&self, out: &mut Vec<u8>) {
        for [low, high] in self.pairs() {
            out.extend_from_slice(&(u64::from(low) | u64::from(high) << 28).to_le_bytes()[..7]);
        }
    }

    /// Reads registers from bytes; `None` unless their number is right and each is possible.
    pub(super) fn from_bytes(bytes: &[u8], precision: u8) -> Option<Self> {
        if bytes.len() != bytes_of(precision) {
            return None;
        }
        let mut registers = Self::empty(precision);
        let mut states = bytes.as_chunks().0.iter().map(|&[a, b, c, d, e, f, g]| {
            [u32::from_le_bytes([a, b, c, d]) & ((1 << 28) - 1), u32::from_le_bytes([d, e, f, g]) >> 4]
        });
        let mut all_possible = true;
        registers.change_pairs(|_, empty| {
            let states = states.next().unwrap_or(empty);
            all_possible &= states.iter().all(|&state| is_possible(state, precision.into()));
            states
        });
        all_possible.then_some(registers)
    }
}

/// Returns the state in which the values without a one before the register's bits get `more_zeros` more
/// zeros.
fn with_more_zeros(state: u32, precision: u32, more_zeros: u32) -> u32 {
    let largest = state >> WINDOW_BITS;
    let before_last = largest_value(precision) - 4;
    if largest <= before_last || more_zeros == 0 {
        return state;
    }
    // One to four values move ahead: the largest, and those just below it that were that far already.
    let moved = WINDOW & !(WINDOW >> (largest - before_last - 1));
    let distance = more_zeros << SUB_BITS;
    (largest + distance) << WINDOW_BITS | state & moved | (state & WINDOW & !moved) >> distance.min(31)
}

#[inline]
fn windows_of([a, b, c, d, e]: WindowPair) -> [u32; 2] {
    [u32::from_le_bytes([a, b, c, 0]) & WINDOW, u32::from_le_bytes([c, d, e, 0]) >> 4]
}

#[inline]
fn packed_windows([low, high]: [u32; 2]) -> WindowPair {
    let [a, b, c, d, e, ..] = (u64::from(low) | u64::from(high) << WINDOW_BITS).to_le_bytes();
    [a, b, c, d, e]
}

#[inline]
fn states_of(largest: [u8; 2], windows: WindowPair) -> [u32; 2] {
    let (largest, windows) = (largest.map(u32::from), windows_of(windows));
    [largest[0] << WINDOW_BITS | windows[0], largest[1] << WINDOW_BITS | windows[1]]
}
