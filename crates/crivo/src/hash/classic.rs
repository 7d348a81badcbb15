//! The classical hash functions of the founding documents, for their worked examples and experiments.
//!
//! No sketch uses them by default. To use one, pass its values to the `x_hash` methods, or its positions to
//! methods such as `insert_positions`.

use crate::rng::Rng;
use alloc::format;
use alloc::vec::Vec;
use sha1::{Digest, Sha1};

/// Returns Java's `String.hashCode` over bytes: `h = 31·h + b` modulo 2³².
///
/// ```
/// use crivo::hash::classic::java_string;
/// assert_eq!(java_string(b"BBB"), 65538);
/// assert_eq!(java_string(b"BBB"), java_string(b"AaB")); // collisions are easy to write down
/// ```
pub fn java_string(bytes: &[u8]) -> u32 {
    djb31ma(bytes, 0)
}

/// Returns DJB31MA: [`java_string`] with a seed as its initial value.
///
/// ```
/// use crivo::hash::classic::djb31ma;
/// assert_eq!(djb31ma(b"a", 1), 31 + 97);
/// ```
pub fn djb31ma(bytes: &[u8], seed: u32) -> u32 {
    bytes.iter().fold(seed, |h, &b| h.wrapping_mul(31).wrapping_add(u32::from(b)))
}

/// The characters that [`forge_djb31ma`] adds: digits of a 32-bit number in base 31.
const FORGED_DIGITS: usize = 7;

/// Returns a text that begins with `start` and whose [`djb31ma`] from this seed is `value`: seven characters from @ to ^
/// are added. DJB31MA is no signature.
///
/// The value of a text is a polynomial in 31. What the beginning and seven @ lack, written in base 31, has at most seven
/// digits, since 31⁷ > 2³², and the 31 characters from @ on are the digits.
///
/// ```
/// use crivo::hash::classic::{djb31ma, forge_djb31ma};
/// let forged = forge_djb31ma(b"1000 euros ", 7, djb31ma(b"10 euros", 7));
/// assert!(forged.starts_with(b"1000 euros "));
/// assert_eq!(djb31ma(&forged, 7), djb31ma(b"10 euros", 7));
/// ```
pub fn forge_djb31ma(start: &[u8], seed: u32, value: u32) -> Vec<u8> {
    let mut digits = [b'@'; FORGED_DIGITS];
    let mut missing = value.wrapping_sub(djb31ma(&digits, djb31ma(start, seed)));
    for digit in digits.iter_mut().rev() {
        *digit += (missing % 31) as u8;
        missing /= 31;
    }
    [start, &digits].concat()
}

/// Returns Jenkins' one-at-a-time hash.
///
/// ```
/// use crivo::hash::classic::one_at_a_time;
/// assert_eq!(one_at_a_time(b"a"), 0xca2e_9442);
/// ```
pub fn one_at_a_time(bytes: &[u8]) -> u32 {
    let mut h = 0u32;
    for &b in bytes {
        h = h.wrapping_add(u32::from(b));
        h = h.wrapping_add(h << 10);
        h ^= h >> 6;
    }
    h = h.wrapping_add(h << 3);
    h ^= h >> 11;
    h.wrapping_add(h << 15)
}

/// Returns the seeded MurmurHash3 for 32-bit machines (x86_32).
///
/// ```
/// use crivo::hash::classic::murmur3_32;
/// assert_eq!(murmur3_32(b"test", 0), 0xba6b_d213);
/// ```
pub fn murmur3_32(bytes: &[u8], seed: u32) -> u32 {
    let scramble = |k: u32| k.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (words, tail) = bytes.as_chunks::<4>();
    let mut h = words.iter().fold(seed, |h, &word| {
        let mixed = h ^ scramble(u32::from_le_bytes(word));
        mixed.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    if !tail.is_empty() {
        let k = tail.iter().rev().fold(0u32, |k, &b| (k << 8) | u32::from(b));
        h ^= scramble(k);
    }
    h ^= bytes.len() as u32;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// Returns the SHA-1 hash. It is slow, and collisions are known; it is here for historical comparisons only.
///
/// ```
/// use crivo::hash::classic::sha1;
/// assert_eq!(sha1(b"")[..4], [0xda, 0x39, 0xa3, 0xee]);
/// ```
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// A random function from Carter and Wegman's universal family: `((a·x + b) mod p) mod m` with the Mersenne
/// prime p = 2⁶¹ − 1. Two distinct keys below p collide with probability at most 1/m over the choice of the
/// function.
///
/// ```
/// use crivo::hash::classic::CarterWegman;
/// let h = CarterWegman::new(42, 100)?;
/// assert!(h.hash(7) < 100);
/// assert_eq!(h.hash(7), CarterWegman::new(42, 100)?.hash(7));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarterWegman {
    a: u64,
    b: u64,
    range: u64,
}

/// The Mersenne prime 2⁶¹ − 1.
const MERSENNE_61: u64 = (1 << 61) - 1;

impl CarterWegman {
    /// Draws a random function onto `0..range` with a seeded generator.
    ///
    /// # Errors
    /// `InvalidArgument` when `range` is 0 or reaches the prime.
    pub fn new(seed: u64, range: u64) -> crate::Result<Self> {
        if range == 0 || range >= MERSENNE_61 {
            return Err(crate::Error::invalid(format!(
                "a universal hash needs a range from 1 to 2^61 - 2, got {range}; choose the table size"
            )));
        }
        let mut rng = Rng::new(seed);
        Ok(Self { a: 1 + rng.below(MERSENNE_61 - 1), b: rng.below(MERSENNE_61), range })
    }

    /// Returns the hash of `key` (keys are taken modulo the prime).
    pub fn hash(&self, key: u64) -> u64 {
        let product = u128::from(self.a) * u128::from(key % MERSENNE_61) + u128::from(self.b);
        (product % u128::from(MERSENNE_61)) as u64 % self.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_band;

    const FOX: &[u8] = b"The quick brown fox jumps over the lazy dog";

    #[test]
    fn published_vectors() {
        assert_eq!(java_string(b"BAa"), 65538);
        assert_eq!(one_at_a_time(FOX), 0x519e_91f5);
        assert_eq!(murmur3_32(b"", 0), 0);
        assert_eq!(murmur3_32(b"", 1), 0x514e_28b7);
        assert_eq!(murmur3_32(b"Hello, world!", 0), 0xc036_3e43);
        assert_eq!(murmur3_32(FOX, 0), 0x2e4f_f723);
        let hex = sha1(FOX).iter().fold(alloc::string::String::new(), |text, b| text + &format!("{b:02x}"));
        assert_eq!(hex, "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12");
    }

    /// The values that need the fewest and the most digits are met, too.
    #[test]
    fn forged_texts_have_the_value() {
        for (start, seed) in [(&b""[..], 0), (b"I owe you 1000 ", 7), (FOX, u32::MAX)] {
            let blank = djb31ma(b"@@@@@@@", djb31ma(start, seed));
            for value in [0, 1, 0xdead_beef, u32::MAX, blank, blank.wrapping_sub(1)] {
                let forged = forge_djb31ma(start, seed, value);
                assert_eq!(djb31ma(&forged, seed), value);
                let (beginning, digits) = forged.split_at(start.len());
                assert!(beginning == start && digits.len() == FORGED_DIGITS);
                assert!(digits.iter().all(|digit| (b'@'..=b'^').contains(digit)));
            }
        }
    }

    #[test]
    fn universal_pairs_collide_at_most_once_in_m() {
        let (range, functions) = (50, 200_000);
        let (_, high) = binomial_band(functions, 1.0 / range as f64, 1e-6);
        for (x, y) in [(1, 2), (0, 50), (123, 123 + 50 * 7), (5, 1 << 60)] {
            let collides = |seed: &u64| {
                let h = CarterWegman::new(*seed, range).unwrap();
                h.hash(x) == h.hash(y)
            };
            let collisions = (0..functions).filter(collides).count() as u64;
            assert!(collisions as f64 <= high, "{x} {y}: {collisions} > {high}");
        }
        assert!(CarterWegman::new(1, 0).is_err());
        assert!(CarterWegman::new(1, u64::MAX).is_err());
    }
}
