//! Entropy coding of sparse or dense bit vectors, in hardly more space than their entropy.
//!
//! The code is a static asymmetric numeral system over two symbols (Duda, arXiv:1311.2540). Each step is a
//! bijection, so a bit vector has exactly one code, and every code that decodes completely is the code of its
//! result.

use super::BitVec;
use alloc::vec::Vec;

/// Shares of zeros and ones are expressed in units of 2⁻¹⁶.
const SHARE_BITS: u32 = 16;
/// The initial state, and the lowest value that a state takes; the highest is 2⁶⁴ − 1.
const LEAST: u64 = 1 << 32;

/// Returns the share of ones in units of 2⁻¹⁶. It is never 0 or 1, so that any bits can be coded.
fn share_of_ones(ones: u64, len: u64) -> u64 {
    let share = ((u128::from(ones) << SHARE_BITS) + u128::from(len / 2)) / u128::from(len);
    (share as u64).clamp(1, (1 << SHARE_BITS) - 1)
}

/// Encodes at least one bit, given the number of ones: the last state, then the words in the order in which
/// the decoder reads them.
pub(crate) fn encode_bits(bits: &BitVec, ones: u64) -> Vec<u8> {
    let of_ones = share_of_ones(ones, bits.len());
    let of_zeros = (1 << SHARE_BITS) - of_ones;
    let mut state = LEAST;
    let mut words: Vec<u32> = Vec::new();
    // The decoder reads first what is coded last.
    for index in (0..bits.len()).rev() {
        let (share, start) = if bits.get(index) { (of_ones, of_zeros) } else { (of_zeros, 0) };
        if state >= share << (64 - SHARE_BITS) {
            words.push(state as u32);
            state >>= 32;
        }
        state = ((state / share) << SHARE_BITS) + state % share + start;
    }
    let mut code = Vec::with_capacity(8 + 4 * words.len());
    code.extend_from_slice(&state.to_le_bytes());
    code.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    code
}

/// Decodes `len` bits (at least one) with `ones` ones, and returns them with the rest of the input after the
/// code. Returns `None` if the input does not start with such a code.
///
/// The caller must have checked `len` against the length of the input.
pub(crate) fn decode_bits(len: u64, ones: u64, code: &[u8]) -> Option<(BitVec, &[u8])> {
    let of_ones = share_of_ones(ones, len);
    let of_zeros = (1 << SHARE_BITS) - of_ones;
    let (state, mut rest) = code.split_first_chunk::<8>()?;
    let mut state = u64::from_le_bytes(*state);
    if state < LEAST {
        return None;
    }
    let mut bits = BitVec::new(len);
    for index in 0..len {
        let place = state & ((1 << SHARE_BITS) - 1);
        if place >= of_zeros {
            bits.set(index);
            state = of_ones * (state >> SHARE_BITS) + place - of_zeros;
        } else {
            state = of_zeros * (state >> SHARE_BITS) + place;
        }
        if state < LEAST {
            let word;
            (word, rest) = rest.split_first_chunk::<4>()?;
            state = state << 32 | u64::from(u32::from_le_bytes(*word));
        }
    }
    (state == LEAST && bits.count_ones() == ones).then_some((bits, rest))
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
