//! MurmurHash3 for 64-bit machines (`x64_128`), which Appleby placed in the public domain.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

fn mix_low(word: u64) -> u64 {
    word.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn mix_high(word: u64) -> u64 {
    word.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut word: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        word = (word ^ (word >> 33)).wrapping_mul(factor);
    }
    word ^ (word >> 33)
}

/// Returns both words of the hash; both start as `seed`.
pub(crate) fn murmur3_128(bytes: &[u8], seed: u64) -> [u64; 2] {
    let (mut low, mut high) = (seed, seed);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let word = u128::from_le_bytes(*block);
        low = (low ^ mix_low(word as u64)).rotate_left(27).wrapping_add(high);
        low = low.wrapping_mul(5).wrapping_add(0x52dc_e729);
        high = (high ^ mix_high((word >> 64) as u64)).rotate_left(31).wrapping_add(low);
        high = high.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // An absent byte of the tail counts as 0, and a word of zeros mixes to 0.
    let mut last = [0; 16];
    last[..tail.len()].copy_from_slice(tail);
    let word = u128::from_le_bytes(last);
    let length = bytes.len() as u64;
    low ^= mix_low(word as u64) ^ length;
    high ^= mix_high((word >> 64) as u64) ^ length;
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    low = finish(low);
    high = finish(high);
    low = low.wrapping_add(high);
    [low, high.wrapping_add(low)]
}

/// Returns the 16 bits by which a file names its seed.
pub(crate) fn seed_hash(seed: u64) -> u16 {
    murmur3_128(&seed.to_le_bytes(), 0)[0] as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors are those of the reference implementation.
    #[test]
    fn published_vectors() {
        let fox = b"The quick brown fox jumps over the lazy dog";
        assert_eq!(murmur3_128(fox, 0), [0xe34b_bc7b_bc07_1b6c, 0x7a43_3ca9_c49a_9347]);
        assert_eq!(murmur3_128(b"", 0), [0, 0]);
        assert_eq!(murmur3_128(b"hello", 0), [0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19]);
        assert_eq!(seed_hash(9001), 0x93cc);
    }
}
