//! A search for byte strings that collide under every seed.
//!
//! Fast hashes multiply words of the input, xored with constants, by one another. A word that makes a factor zero hides
//! its neighbour, and words that are xored or added into one state may cancel out. If the constants do not depend on
//! the seed, such strings collide under all seeds. So inputs of every length class are built from the hash's own
//! constants and then altered in ways that would cancel; strings that collide under two seeds are a finding. The search
//! is calibrated: it finds the collisions of rapidhash and of its protected variant.

use crivo::HashSpec;
use crivo::rng::Rng;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};
use std::collections::HashSet;
use xxhash_rust::const_xxh3::const_custom_default_secret;

const SEEDS: [u64; 2] = [0x0123_4567_89ab_cdef, 0xfeed_beef_1234_5678];

/// Every short length, and both sides of every length at which one of the hashes changes its algorithm.
const LENGTHS: [usize; 52] = [
    8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 23, 24, 25, 31, 32, 33, 40, 47, 48, 49, 56, 63, 64, 65, 72,
    80, 81, 95, 96, 97, 104, 112, 113, 120, 127, 128, 129, 144, 160, 192, 224, 225, 239, 240, 241, 256, 257,
    448, 512, 1024,
];

/// A hash with the constants that it xors words with.
struct Subject {
    hash: fn(&[u8], u64) -> u64,
    constants: Vec<u64>,
}

fn rapid(protected: bool) -> Subject {
    let hash = if protected {
        |bytes: &[u8], seed| rapidhash_v3_inline::<true, false, true>(bytes, &RapidSecrets::seed_cpp(seed))
    } else {
        |bytes: &[u8], seed| HashSpec::rapid(seed).hash_bytes(bytes)
    };
    Subject { hash, constants: RapidSecrets::seed_cpp(0).secrets.to_vec() }
}

/// The constants are the words of the secret at every offset, and the differences of neighbours, which short inputs meet.
fn xxh3() -> Subject {
    let secret = const_custom_default_secret(0);
    let mut constants: Vec<u64> =
        secret.windows(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    let differences: Vec<u64> = constants.iter().zip(&constants[8..]).map(|(a, b)| a ^ b).collect();
    constants.extend(differences);
    Subject { hash: |bytes, seed| HashSpec::seeded(seed).hash_bytes(bytes), constants }
}

/// Words of eight bytes, the last one ending with the input.
fn offsets(length: usize) -> Vec<usize> {
    let mut offsets: Vec<usize> = (0..length / 8).map(|word| 8 * word).collect();
    if !length.is_multiple_of(8) {
        offsets.push(length - 8);
    }
    offsets
}

fn change(bytes: &mut [u8], offset: usize, by: impl Fn(u64) -> u64) {
    let word = bytes[offset..].first_chunk_mut::<8>().unwrap();
    *word = by(u64::from_le_bytes(*word)).to_le_bytes();
}

/// Inputs of `length` bytes with constants in some words and noise in the others.
fn bases(length: usize, constants: &[u64], rng: &mut Rng) -> Vec<Vec<u8>> {
    let places = offsets(length);
    let mut bases = Vec::new();
    let mut make = |constant: &dyn Fn(usize) -> Option<u64>| {
        let mut base: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        for (index, &offset) in places.iter().enumerate() {
            if let Some(constant) = constant(index) {
                change(&mut base, offset, |_| constant);
            }
        }
        bases.push(base);
    };
    make(&|_| None);
    make(&|_| Some(0));
    for (start, &constant) in constants.iter().enumerate() {
        make(&|index| Some(constant).filter(|_| index.is_multiple_of(2)));
        make(&|index| Some(constant).filter(|_| !index.is_multiple_of(2)));
        // A constant for each lane: neighbours in the list, as words or as bytes of a secret.
        for step in [1, 8, 16] {
            let lane = |index: usize| constants[(start + step * (index / 2)) % constants.len()];
            make(&|index| Some(lane(index)).filter(|_| index.is_multiple_of(2)));
            make(&|index| Some(lane(index)).filter(|_| !index.is_multiple_of(2)));
        }
    }
    bases
}

/// Alters a byte, a word, two words, or two blocks of 16 or 64 bytes.
fn alterations(base: &[u8], delta: u64, mut take: impl FnMut(&[u8])) {
    let places = offsets(base.len());
    let mut altered = base.to_vec();
    for byte in 0..base.len() {
        altered[byte] ^= 0x55;
        take(&altered);
        altered[byte] ^= 0x55;
    }
    for block in [16, 64] {
        for second in 1..base.len() / block {
            for first in second.saturating_sub(8)..second {
                let (left, right) = altered.split_at_mut(second * block);
                left[first * block..][..block].swap_with_slice(&mut right[..block]);
                if altered != base {
                    take(&altered);
                }
                altered.copy_from_slice(base);
            }
        }
    }
    for (first, &one) in places.iter().enumerate() {
        change(&mut altered, one, |word| word ^ delta);
        take(&altered);
        altered[one..one + 8].copy_from_slice(&base[one..one + 8]);
        // The lanes of rapidhash repeat after 14 words, the stripes of XXH3 after 8.
        for &other in places[first + 1..].iter().take(16).filter(|&&other| other >= one + 8) {
            let [left, right] = [one, other].map(|at| u64::from_le_bytes(*base[at..].first_chunk().unwrap()));
            for (a, b) in [
                (left ^ delta, right ^ delta),
                (left.wrapping_add(delta), right.wrapping_sub(delta)),
                (right, left),
            ] {
                if (a, b) != (left, right) {
                    change(&mut altered, one, |_| a);
                    change(&mut altered, other, |_| b);
                    take(&altered);
                }
            }
            altered.copy_from_slice(base);
        }
    }
}

/// The lengths at which some string collides with another under both seeds.
fn lengths_with_collisions(subject: &Subject) -> Vec<usize> {
    let mut rng = Rng::new(1);
    let collides = |length: &usize| {
        bases(*length, &subject.constants, &mut rng).iter().any(|base| {
            let hash = (subject.hash)(base, SEEDS[0]);
            let mut found = false;
            alterations(base, 0x0040_0000_0010_0001, |altered| {
                found |= (subject.hash)(altered, SEEDS[0]) == hash
                    && (subject.hash)(altered, SEEDS[1]) == (subject.hash)(base, SEEDS[1]);
            });
            found
        })
    };
    LENGTHS.into_iter().filter(collides).collect()
}

#[test]
fn the_default_hash_has_no_collisions_under_every_seed() {
    assert_eq!(lengths_with_collisions(&xxh3()), Vec::<usize>::new());
}

fn from(start: usize) -> Vec<usize> {
    LENGTHS.into_iter().filter(|&length| length >= start).collect()
}

/// The search can find collisions: rapidhash hides a word wherever its neighbour makes a factor zero.
#[test]
fn the_search_finds_the_collisions_of_rapidhash() {
    let found = lengths_with_collisions(&rapid(false));
    assert!((9..=16).chain(from(31)).all(|length| found.contains(&length)), "{found:?}");
}

/// The protected variant hides no word, but where a factor is zero it keeps the other one unchanged: two such words
/// cancel each other out.
#[test]
fn the_search_finds_the_collisions_of_protected_rapidhash() {
    let found = lengths_with_collisions(&rapid(true));
    assert!(from(40).iter().all(|length| found.contains(length)), "{found:?}");
}

/// Below eight bytes there are few enough strings to try many: no pair may collide.
#[test]
fn short_strings_do_not_collide() {
    let mut rng = Rng::new(2);
    for seed in SEEDS {
        let spec = HashSpec::seeded(seed);
        let mut strings: HashSet<Vec<u8>> = (0..=u16::MAX).map(|two| two.to_le_bytes().to_vec()).collect();
        strings.extend((0..=u8::MAX).map(|one| vec![one]));
        strings.insert(Vec::new());
        for length in 3..8 {
            // Few bits set, one byte repeated, and noise.
            strings.extend((0..8 * length).flat_map(|i| {
                (0..8 * length).map(move |j| ((1u64 << i) | (1 << j)).to_le_bytes()[..length].to_vec())
            }));
            strings.extend((0..=u8::MAX).map(|byte| vec![byte; length]));
            strings.extend((0..20_000).map(|_| rng.next_u64().to_le_bytes()[..length].to_vec()));
        }
        let hashes: HashSet<u64> = strings.iter().map(|string| spec.hash_bytes(string)).collect();
        assert_eq!(hashes.len(), strings.len(), "seed {seed:#x}");
    }
}
