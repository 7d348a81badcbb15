//! Entropy coding, in hardly more space than the entropy of the symbols.
//!
//! The code is a range asymmetric numeral system (Duda, arXiv:1311.2540): a symbol of probability p makes a
//! number, the state, 1/p times as large. Each step is a bijection, so symbols have exactly one code, and every
//! code that decodes completely is the code of its result. States of several lanes take turns, so that a
//! processor can work on all of them at once; they share the words of one code.

use super::BitVec;
use alloc::vec::Vec;

/// The initial state, and the lowest value that a state takes; the highest is 2⁶⁴ − 1.
const LEAST: u64 = 1 << 32;
const STATE_BYTES: usize = 8;

/// A symbol's part of all places, which are numbered from 0 to 2^bits − 1: its probability is its share of them. It
/// is not empty; if it is all of them, the symbol takes no space.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) start: u32,
    pub(crate) size: u32,
    /// ⌊(2⁶⁴ − 1)/size⌋: a multiplication by it is faster than a division by the size.
    inverse: u64,
}

impl Share {
    pub(crate) fn new(start: u32, size: u32) -> Self {
        Self { start, size, inverse: u64::MAX / u64::from(size) }
    }
}

/// Writes symbols, the last one first.
pub(crate) struct Encoder<const LANES: usize> {
    states: [u64; LANES],
    /// In the order in which they are written: the decoder reads the last one first. Beyond `len` there is room.
    words: Vec<u32>,
    len: usize,
}

impl<const LANES: usize> Encoder<LANES> {
    /// Creates an encoder whose states begin with these numbers, which the decoder returns at the end.
    pub(crate) fn new(last: [u32; LANES]) -> Self {
        Self { states: last.map(|number| LEAST | u64::from(number)), words: Vec::new(), len: 0 }
    }

    /// Writes a symbol with this share of 2^`bits` places.
    #[inline]
    pub(crate) fn put(&mut self, lane: usize, share: Share, bits: u32) {
        let state = self.states[lane];
        let size = u64::from(share.size);
        // Without a branch, which could not be predicted: a word that is not needed is overwritten.
        if self.len == self.words.len() {
            self.grow();
        }
        self.words[self.len] = state as u32;
        let is_large = state >> (64 - bits) >= size;
        self.len += usize::from(is_large);
        let state = if is_large { state >> 32 } else { state };
        // The product is the quotient or one less.
        let low = ((u128::from(state) * u128::from(share.inverse)) >> 64) as u64;
        let rest = state - low * size;
        let is_less = rest >= size;
        let places = (low << bits) + rest + u64::from(share.start);
        self.states[lane] = if is_less { places + (1 << bits) - size } else { places };
    }

    #[cold]
    fn grow(&mut self) {
        self.words.resize(2 * self.len + 64, 0);
    }

    /// Returns the code: the states, then the words in the order in which the decoder reads them.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut code = Vec::with_capacity(STATE_BYTES * LANES + 4 * self.len);
        code.extend(self.states.iter().flat_map(|state| state.to_le_bytes()));
        code.extend(self.words[..self.len].iter().rev().flat_map(|word| word.to_le_bytes()));
        code
    }
}

/// Reads the symbols that an [`Encoder`] wrote, the first one first.
pub(crate) struct Decoder<'a, const LANES: usize> {
    states: [u64; LANES],
    words: &'a [[u8; 4]],
    read: usize,
}

impl<'a, const LANES: usize> Decoder<'a, LANES> {
    /// Reads the states; `None` unless `code` starts with states.
    pub(crate) fn new(code: &'a [u8]) -> Option<Self> {
        let (states, words) = code.split_at_checked(STATE_BYTES * LANES)?;
        let mut states = states.as_chunks().0.iter().map(|&state| u64::from_le_bytes(state));
        let states = [(); LANES].map(|()| states.next().unwrap_or_default());
        let words = words.as_chunks().0;
        states.iter().all(|&state| state >= LEAST).then_some(Self { states, words, read: 0 })
    }

    /// Returns the place of the next symbol among 2^`bits`.
    #[inline]
    pub(crate) fn place(&self, lane: usize, bits: u32) -> u32 {
        self.states[lane] as u32 & ((1 << bits) - 1)
    }

    /// Moves past the next symbol, which has this share, of which [`place`](Self::place) is one place.
    #[inline]
    pub(crate) fn skip(&mut self, lane: usize, start: u32, size: u32, bits: u32) {
        let place = self.place(lane, bits);
        let state = u64::from(size) * (self.states[lane] >> bits) + u64::from(place - start);
        // Without a branch, which could not be predicted. Words beyond the last are noticed at the end.
        let word = self.words.get(self.read).map_or(0, |&word| u32::from_le_bytes(word));
        let is_small = state < LEAST;
        self.read += usize::from(is_small);
        self.states[lane] = if is_small { state << 32 | u64::from(word) } else { state };
    }

    /// Returns the numbers of [`Encoder::new`] and the number of bytes of the code; `None` if the symbols that
    /// were read have another code.
    pub(crate) fn finish(self) -> Option<([u32; LANES], usize)> {
        let last = self.states.map(|state| state as u32);
        let is_whole = self.read <= self.words.len() && self.states.iter().all(|&state| state >> 32 == 1);
        is_whole.then_some((last, STATE_BYTES * LANES + 4 * self.read))
    }
}

/// Shares of zeros and ones are expressed in units of 2⁻¹⁶.
const SHARE_BITS: u32 = 16;

/// Returns the shares of zeros and ones. Neither is empty, so that any bits can be coded.
fn shares_of_bits(ones: u64, len: u64) -> [Share; 2] {
    let share = ((u128::from(ones) << SHARE_BITS) + u128::from(len / 2)) / u128::from(len);
    let of_ones = (share as u32).clamp(1, (1 << SHARE_BITS) - 1);
    let of_zeros = (1 << SHARE_BITS) - of_ones;
    [Share::new(0, of_zeros), Share::new(of_zeros, of_ones)]
}

/// Encodes at least one bit, given the number of ones.
pub(crate) fn encode_bits(bits: &BitVec, ones: u64) -> Vec<u8> {
    let shares = shares_of_bits(ones, bits.len());
    let mut encoder = Encoder::new([0]);
    for index in (0..bits.len()).rev() {
        encoder.put(0, shares[usize::from(bits.get(index))], SHARE_BITS);
    }
    encoder.finish()
}

/// Decodes `len` bits (at least one) with `ones` ones, and returns them with the rest of the input after the
/// code. Returns `None` if the input does not start with such a code.
///
/// The caller must have checked `len` against the length of the input.
pub(crate) fn decode_bits(len: u64, ones: u64, code: &[u8]) -> Option<(BitVec, &[u8])> {
    let shares = shares_of_bits(ones, len);
    let mut decoder = Decoder::<1>::new(code)?;
    let mut bits = BitVec::new(len);
    for index in 0..len {
        let is_one = decoder.place(0, SHARE_BITS) >= shares[1].start;
        if is_one {
            bits.set(index);
        }
        let share = shares[usize::from(is_one)];
        decoder.skip(0, share.start, share.size, SHARE_BITS);
    }
    let (last, len) = decoder.finish()?;
    (last == [0] && bits.count_ones() == ones).then_some((bits, &code[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use libm::log2;

    fn random_bits(rng: &mut Rng, len: u64, share: f64) -> BitVec {
        let mut bits = BitVec::new(len);
        for index in 0..len {
            if rng.unit() < share {
                bits.set(index);
            }
        }
        bits
    }

    #[test]
    fn codes_round_trip_within_a_word_of_the_entropy() {
        let mut rng = Rng::new(8);
        for len in [1u64, 2, 63, 64, 65, 1000, 100_000] {
            for share in [0.0, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.999, 1.0] {
                let bits = random_bits(&mut rng, len, share);
                let ones = bits.count_ones();
                let code = encode_bits(&bits, ones);
                assert_eq!(decode_bits(len, ones, &code), Some((bits, &[][..])), "{len} {share}");
                let p = ones as f64 / len as f64;
                let cost = |p: f64| if p > 0.0 { -p * log2(p) } else { 0.0 };
                let entropy = len as f64 * (cost(p) + cost(1.0 - p)) / 8.0;
                // A share that cannot be 0 costs up to 2.2·10⁻⁵ bits for each bit.
                let most = entropy * 1.0001 + 9.0 + 3e-6 * len as f64;
                assert!(code.len() as f64 <= most, "{len} {share}: {} bytes, {most}", code.len());
            }
        }
    }

    /// Every code that decodes is the code of its result.
    #[test]
    fn codes_are_unique() {
        let mut rng = Rng::new(9);
        let mut accepted = 0;
        for _ in 0..20_000 {
            let len = 1 + rng.below(60);
            let share = rng.unit();
            let bits = random_bits(&mut rng, len, share);
            let mut code = encode_bits(&bits, bits.count_ones());
            for _ in 0..rng.below(3) {
                let place = rng.below(code.len() as u64) as usize;
                code[place] = code[place].wrapping_add(rng.below(3) as u8);
            }
            let ones = rng.below(len + 1);
            if let Some((read, rest)) = decode_bits(len, ones, &code) {
                let used = code.len() - rest.len();
                assert_eq!(encode_bits(&read, ones), code[..used]);
                accepted += 1;
            }
        }
        assert!(accepted > 100, "{accepted}");
    }
}
