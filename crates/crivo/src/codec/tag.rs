//! The authentication tag of a keyed file: only the holder of the key can change a byte of the file.

use crate::HashSpec;
use crate::hash::Domain;
use core::hash::Hasher;
use siphasher::sip128::{Hasher128, SipHasher24};

pub(super) const TAG_BYTES: usize = 16;

/// Returns the tag: the 128-bit SipHash-2-4 under a derived key. The key of the sketch itself will not do:
/// files contain hashes of items under it, and an attacker who wants to forge a tag may choose items.
pub(super) fn tag(spec: &HashSpec, bytes: &[u8]) -> [u8; TAG_BYTES] {
    let [first, second] = [&b"first half"[..], b"second half"].map(|half| spec.framed(Domain::FileTag, half));
    let mut hasher = SipHasher24::new_with_keys(first, second);
    hasher.write(bytes);
    hasher.finish128().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siphash_of_128_bits_is_the_published_function() {
        // The first vectors of the reference: key 00..0f, inputs of length 0 and 1.
        let key = |from: u8| u64::from_le_bytes(core::array::from_fn(|i| from + i as u8));
        let hash = |bytes: &[u8]| {
            let mut hasher = SipHasher24::new_with_keys(key(0), key(8));
            hasher.write(bytes);
            hasher.finish128().as_bytes()
        };
        assert_eq!(u128::from_be_bytes(hash(&[])), 0xa381_7f04_ba25_a8e6_6df6_7214_c755_0293);
        assert_eq!(u128::from_be_bytes(hash(&[0])), 0xda87_c1d8_6b99_af44_3476_5911_9b22_fc45);
    }

    #[test]
    fn a_tag_depends_on_the_key_and_on_every_byte() {
        let [spec, other] = [[7; 16], [8; 16]].map(HashSpec::keyed);
        let bytes = [5; 40];
        let expected = tag(&spec, &bytes);
        assert_ne!(tag(&other, &bytes), expected);
        for place in 0..bytes.len() {
            let mut changed = bytes;
            changed[place] ^= 1;
            assert_ne!(tag(&spec, &changed), expected, "byte {place}");
        }
        assert_ne!(tag(&spec, &bytes[..39]), expected);
    }

    /// The tag that FORMAT.md shows.
    #[test]
    fn frozen_tag() {
        let tag = tag(&HashSpec::keyed([7; 16]), b"crivo");
        assert_eq!(u128::from_be_bytes(tag), 0xa16e_e9e4_0741_3ff3_3a93_fc4e_91d6_65fb);
    }
}
