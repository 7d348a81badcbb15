//! The sparse form: the part of each hash that every precision needs.
//!
//! Registers need the low bits of a hash and its number of leading zeros. A token holds the low 26 bits, and
//! in six more bits the number of leading zeros of the other 38. So it is the same at every precision, and
//! one hash can stand for all hashes with the same token.

/// With the six bits of the zeros a token has 32 bits; the highest precision needs 20 low bits.
const LOW_BITS: u32 = 26;
/// The number of leading zeros of a hash that has only zeros above the low bits.
const MOST_ZEROS: u32 = 64 - LOW_BITS;
/// The low bits of a token. Half of all tokens have no zeros, a quarter one, and so on, as unary numbers suppose.
pub(super) const ZEROS_BITS: u32 = 6;

/// Two items share a token with probability 1/`PLACES`: the low bits agree once in 2²⁶, the zeros once in
/// three.
pub(super) const PLACES: f64 = 201_326_592.0;

pub(super) fn token_of(hash: u64) -> u32 {
    let low = hash as u32 & ((1 << LOW_BITS) - 1);
    let zeros = (hash | 1 << (LOW_BITS - 1)).leading_zeros();
    low << ZEROS_BITS | zeros
}

/// Returns a hash with this token.
pub(super) fn hash_of(token: u32) -> u64 {
    let first_one = 1u64 << 63 >> (token & 63);
    u64::from(token >> ZEROS_BITS) | first_one >> LOW_BITS << LOW_BITS
}

/// Returns how many of the 2⁶⁴ hashes have this token: the bits between the first one and the low ones are
/// free.
pub(super) fn hashes_of(token: u32) -> u64 {
    1 << (MOST_ZEROS - 1).saturating_sub(token & ((1 << ZEROS_BITS) - 1))
}

pub(super) fn is_valid(token: u32) -> bool {
    token & ((1 << ZEROS_BITS) - 1) <= MOST_ZEROS
}
