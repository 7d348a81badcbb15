//! Sketches of Spark's own, which are not those of `DataSketches`.

mod bloom;
mod count_min;

pub use bloom::SparkBloom;
pub use count_min::SparkCountMin;

/// Returns the two hashes of an item that all others are made of: the second has the first as its seed.
fn two_hashes(bytes: &[u8], seed: i32) -> [i32; 2] {
    let first = murmur3_32(bytes, seed);
    [first, murmur3_32(bytes, first)]
}

/// MurmurHash3 for 32-bit machines, but with each byte after the last whole word as a signed word of its own.
fn murmur3_32(bytes: &[u8], seed: i32) -> i32 {
    let scramble = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let mix = |hash: u32, word: u32| {
        (hash ^ scramble(word)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    };
    let (words, tail) = bytes.as_chunks::<4>();
    let hash = words.iter().fold(seed as u32, |hash, word| mix(hash, u32::from_le_bytes(*word)));
    let hash = tail.iter().fold(hash, |hash, &byte| mix(hash, i32::from(byte as i8) as u32));
    let mut hash = hash ^ bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)) as i32
}
