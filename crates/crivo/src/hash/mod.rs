//! From items to 64-bit hashes, and from one hash to everything a sketch needs.
//!
//! A sketch hashes each item once, with the algorithm and seed of its [`HashSpec`]; positions, ranks and
//! rows are all derived from those 64 bits. The spec is part of the sketch's identity: it is stored,
//! written to files, and compared on merge, so two sketches that would silently disagree cannot meet.
//!
//! # Hostile input
//! The default hash is fast and has no secret: whoever knows the seed can choose items that collide, and a seed
//! travels in every file. **A seed is no protection; a key is.** Where the items come from an adversary, use
//! [`HashSpec::keyed`] with a secret random key.

#[cfg(feature = "classic")]
pub mod classic;
mod item;
mod probe;

pub use item::Item;
pub use probe::{Probes, reduce};

use crate::memory::BATCH;
use crate::{Error, Result};
use core::fmt;
use core::hash::Hasher;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};
use siphasher::sip::SipHasher24;
use xxhash_rust::const_xxh3::const_custom_default_secret;
use xxhash_rust::xxh3::{xxh3_64_with_secret, xxh3_64_with_seed};

/// How many 64-bit hashes there are.
pub(crate) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// The seed of every sketch that does not ask for another: two processes that never met can merge.
pub const DEFAULT_SEED: u64 = 0x0043_5249_564f_0001;

/// How items are hashed. The numbers are those of the file format and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Algorithm {
    /// rapidhash v3 for bytes and a bijective mixer for integers, with a 64-bit seed: the default of early files,
    /// which stay readable. There are byte strings that share one hash under every seed.
    Rapid = 1,
    /// SipHash-2-4 with a secret 128-bit key, against hostile input.
    SipHash = 2,
    /// XXH3 for bytes and a bijective mixer for integers, with a 64-bit seed: the fast default.
    Xxh3 = 3,
}

impl Algorithm {
    /// The name that files, messages and the command show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rapid => "rapid",
            Self::SipHash => "siphash",
            Self::Xxh3 => "xxh3",
        }
    }
}

/// What a value is, so that equal bytes of unlike types stay unlike. The constants are part of the format.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Domain {
    Bytes = 0,
    Unsigned = 0x9ae1_6a3b_2f90_404f,
    Negative = 0xc949_d7c7_509e_6557,
    Wide = 0xff51_afd7_ed55_8ccd,
    WideNegative = 0xc4ce_b9fe_1a85_ec53,
    Float = 0x8764_000b_1f2c_ba7d,
    Bool = 0xd6e8_feb8_6659_fd93,
    Char = 0xa3b1_9535_4a39_b70d,
    Tuple = 0x1b03_7387_12fa_d5c9,
    Option = 0x589c_51b5_1f3b_a08b,
    /// Of no item: what the key of a file's tag is derived in.
    FileTag = 0x2f0b_4c47_a2a8_6d5b,
}

/// Algorithm and seed: how a sketch hashes, and with what it can be merged.
///
/// ```
/// use crivo::HashSpec;
/// let spec = HashSpec::default();
/// assert_eq!(spec.hash("sieve"), spec.hash(b"sieve".as_slice())); // same bytes, same item
/// assert_eq!(spec.hash(&7u8), spec.hash(&7i64)); // same number, same item
/// assert_ne!(spec.hash(&7u8), HashSpec::seeded(1).hash(&7u8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HashSpec {
    algorithm: Algorithm,
    /// The seed, or the first half of the key.
    first: u64,
    /// What integers are mixed with (it follows from the seed), or the second half of the key.
    second: u64,
}

impl Default for HashSpec {
    /// The default algorithm with [`DEFAULT_SEED`].
    fn default() -> Self {
        Self::seeded(DEFAULT_SEED)
    }
}

impl HashSpec {
    /// The default algorithm with a seed of one's own. Different seeds give independent sketches of the same items;
    /// they do not protect from chosen items, as [`keyed`](Self::keyed) does.
    pub const fn seeded(seed: u64) -> Self {
        Self::with_mixer(Algorithm::Xxh3, seed)
    }

    /// [`Algorithm::Rapid`] with a seed: how early files hash. Only sketches that are to merge with one of those need it.
    pub const fn rapid(seed: u64) -> Self {
        Self::with_mixer(Algorithm::Rapid, seed)
    }

    const fn with_mixer(algorithm: Algorithm, seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring mixers: 0..2^j under seeds that differ only in
        // the low j bits would be the same set of hashes.
        let mixer = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
        Self { algorithm, first: seed, second: mixer }
    }

    /// SipHash-2-4 with a secret key. The key never travels in a file; only a fingerprint of it does.
    ///
    /// ```
    /// use crivo::{BloomFilter, BloomParams, ErrorKind, HashSpec};
    /// let key = *b"sixteen secrets!";
    /// let filter = BloomFilter::with_params(BloomParams::for_fpr(100, 0.01)?).with_hash(HashSpec::keyed(key));
    /// let bytes = filter.to_bytes();
    /// assert_eq!(BloomFilter::from_bytes(&bytes).unwrap_err().kind(), ErrorKind::Unsupported);
    /// assert_eq!(BloomFilter::from_bytes_with_key(&bytes, key)?, filter);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub const fn keyed(key: [u8; 16]) -> Self {
        let wide = u128::from_le_bytes(key);
        Self { algorithm: Algorithm::SipHash, first: wide as u64, second: (wide >> 64) as u64 }
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What a file shows of the spec: the seed, or the fingerprint of the key.
    pub fn fingerprint(&self) -> u64 {
        match self.algorithm {
            Algorithm::Rapid | Algorithm::Xxh3 => self.first,
            Algorithm::SipHash => self.sip(Domain::Bytes, b"crivo key fingerprint"),
        }
    }

    /// The 64-bit hash of an item. Every structure's `x_hash` twin takes this number.
    #[inline]
    pub fn hash<T: Item + ?Sized>(&self, item: &T) -> u64 {
        item.hash_item(self)
    }

    /// The hash of a byte string: the same as hashing a `str` or `[u8]` item.
    #[inline]
    pub fn hash_bytes(&self, bytes: &[u8]) -> u64 {
        self.framed(Domain::Bytes, bytes)
    }

    /// [`hash_bytes`](Self::hash_bytes) for a loop over many byte strings: what they share is computed once.
    ///
    /// ```
    /// use crivo::HashSpec;
    /// let spec = HashSpec::default();
    /// let hasher = spec.bytes_hasher();
    /// assert_eq!(hasher.hash(b"sieve"), spec.hash_bytes(b"sieve"));
    /// ```
    #[inline]
    pub fn bytes_hasher(&self) -> BytesHasher {
        self.framed_hasher(Domain::Bytes)
    }

    /// [`framed`](Self::framed) for a loop over many byte strings of one domain.
    #[inline]
    pub(crate) fn framed_hasher(&self, domain: Domain) -> BytesHasher {
        let seed = self.first ^ domain as u64;
        BytesHasher(match self.algorithm {
            Algorithm::Rapid => Prepared::Rapid(RapidSecrets::seed_cpp(seed)),
            Algorithm::SipHash => Prepared::SipHash(*self, domain),
            Algorithm::Xxh3 => Prepared::Xxh3 { seed, secret: const_custom_default_secret(seed) },
        })
    }

    #[inline]
    pub(crate) fn unsigned(&self, value: u64) -> u64 {
        match self.algorithm {
            Algorithm::Rapid | Algorithm::Xxh3 => mix(value ^ self.second),
            Algorithm::SipHash => self.sip(Domain::Unsigned, &value.to_le_bytes()),
        }
    }

    /// A 64-bit value of a domain other than the unsigned integers.
    #[inline]
    pub(crate) fn word(&self, domain: Domain, value: u64) -> u64 {
        match self.algorithm {
            Algorithm::Rapid | Algorithm::Xxh3 => mix(mix(value ^ self.second) ^ domain as u64),
            Algorithm::SipHash => self.sip(domain, &value.to_le_bytes()),
        }
    }

    /// A byte string of a domain.
    #[inline]
    pub(crate) fn framed(&self, domain: Domain, bytes: &[u8]) -> u64 {
        match self.algorithm {
            Algorithm::Xxh3 => xxh3_64_with_seed(bytes, self.first ^ domain as u64),
            Algorithm::SipHash => self.sip(domain, bytes),
            Algorithm::Rapid => self.rapidhash(domain, bytes),
        }
    }

    #[cold]
    #[inline(never)]
    fn rapidhash(&self, domain: Domain, bytes: &[u8]) -> u64 {
        let secrets = RapidSecrets::seed_cpp(self.first ^ domain as u64);
        rapidhash_v3_inline::<true, false, false>(bytes, &secrets)
    }

    #[cold]
    #[inline(never)]
    fn sip(&self, domain: Domain, bytes: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_keys(self.first ^ domain as u64, self.second);
        hasher.write(bytes);
        hasher.finish()
    }

    /// `Incompatible` unless both hash alike.
    pub(crate) fn check_same(&self, other: &Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        Err(Error::incompatible("hash", self, other, "build both with the same algorithm and seed or key"))
    }
}

/// Hashes byte strings as a [`HashSpec`] does; from [`HashSpec::bytes_hasher`].
#[derive(Clone, Copy, Debug)]
pub struct BytesHasher(Prepared);

#[derive(Clone, Copy, Debug)]
enum Prepared {
    Rapid(RapidSecrets),
    SipHash(HashSpec, Domain),
    /// XXH3 derives a secret from the seed for long inputs.
    Xxh3 {
        seed: u64,
        secret: [u8; 192],
    },
}

/// Up to this length XXH3 uses the seed itself, beyond it the secret that follows from the seed.
const XXH3_SEEDED_BYTES: usize = 240;

impl BytesHasher {
    /// The 64-bit hash of a byte string.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        match &self.0 {
            Prepared::Rapid(secrets) => rapidhash_v3_inline::<true, false, false>(bytes, secrets),
            Prepared::SipHash(spec, domain) => spec.framed(*domain, bytes),
            Prepared::Xxh3 { seed, .. } if bytes.len() <= XXH3_SEEDED_BYTES => {
                xxh3_64_with_seed(bytes, *seed)
            }
            Prepared::Xxh3 { secret, .. } => xxh3_64_with_secret(bytes, secret),
        }
    }
}

impl fmt::Debug for HashSpec {
    /// Never shows a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HashSpec({self})")
    }
}

impl fmt::Display for HashSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.algorithm == Algorithm::SipHash { "key fingerprint" } else { "seed" };
        write!(f, "{} with {what} {:#018x}", self.algorithm.name(), self.fingerprint())
    }
}

/// Hashes items a block at a time, for the batch calls.
pub(crate) fn for_each_block<T: Item>(
    spec: HashSpec,
    items: impl IntoIterator<Item = T>,
    mut take: impl FnMut(&[u64]),
) {
    let mut items = items.into_iter();
    let mut hashes = [0; BATCH];
    loop {
        let mut filled = 0;
        for (slot, item) in hashes.iter_mut().zip(&mut items) {
            *slot = spec.hash(&item);
            filled += 1;
        }
        take(&hashes[..filled]);
        if filled < BATCH {
            return;
        }
    }
}

/// A bijection of 64-bit words in which every input bit moves every output bit: distinct integers never
/// collide. Three xor-shifts and two multiplications, with the constants of Maiga's `mx2` search.
#[inline]
pub(crate) const fn mix(mut x: u64) -> u64 {
    const ODD: u64 = 0x0e98_46af_9b1a_615d;
    x ^= x >> 32;
    x = x.wrapping_mul(ODD);
    x ^= x >> 32;
    x = x.wrapping_mul(ODD);
    x ^ (x >> 28)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_band;

    /// Results of the reference implementation of rapidhash v3 in C, with seed 5.
    #[test]
    fn rapidhash_is_the_published_function() {
        let bytes: alloc::vec::Vec<u8> = (0..1000usize).map(|i| (i * 7 + i / 256) as u8).collect();
        let reference = [
            (0, 0x5af5_c8a6_3a25_5ade),
            (250, 0xa3ce_05a7_7d1b_d6dc),
            (500, 0xd7d6_150d_e31b_68fb),
            (750, 0x0e37_c2b0_ae9a_786f),
            (1000, 0xdad0_3d43_54f3_7078),
        ];
        for (length, hash) in reference {
            assert_eq!(HashSpec::rapid(5).hash_bytes(&bytes[..length]), hash, "{length} bytes");
        }
    }

    /// Results of the reference implementation of XXH3 in C (xxHash 0.8.4), on both sides of every change of method.
    #[test]
    fn xxh3_is_the_published_function() {
        let bytes: alloc::vec::Vec<u8> = (0..2000usize).map(|i| (i * 7 + i / 256) as u8).collect();
        let reference = [
            (0, 0x388e_c5bd_0562_e095),
            (1, 0x88a9_1797_a140_efb7),
            (3, 0x1d33_cb74_e278_e585),
            (4, 0xfaae_4b29_b217_553e),
            (8, 0xb009_28a3_6bf9_0a42),
            (9, 0x47d1_0075_4187_68bf),
            (16, 0xd61b_e53e_bc55_ae1a),
            (17, 0x69f8_357d_845c_5591),
            (64, 0xb787_4b5b_1af5_a5e3),
            (128, 0x690c_e85d_24ed_557f),
            (129, 0x3b5c_eccc_7db8_df6d),
            (240, 0x555b_9974_5d22_b5ed),
            (241, 0x936a_2ed0_dfbe_eac9),
            (512, 0x536e_b1b8_3cbd_d034),
            (1024, 0x69ab_dcd0_1897_d001),
            (1025, 0xdaca_a0af_5dba_28b5),
            (2000, 0x4436_bdc3_e07b_e1aa),
        ];
        for (length, hash) in reference {
            assert_eq!(HashSpec::seeded(5).hash_bytes(&bytes[..length]), hash, "{length} bytes");
        }
    }

    /// The integers are hashed alike under both seeded algorithms.
    #[test]
    fn frozen_hashes() {
        for (spec, bytes, framed) in
            [(HashSpec::default(), BYTES, FRAMED), (HashSpec::rapid(DEFAULT_SEED), EARLY_BYTES, EARLY_FRAMED)]
        {
            let all = [
                spec.hash(""),
                spec.hash("a"),
                spec.hash("crivo"),
                spec.hash("The quick brown fox jumps over the lazy dog"),
            ];
            assert_eq!(all, bytes, "{all:#x?}");
            let all = [
                spec.hash(&0u64),
                spec.hash(&1u64),
                spec.hash(&-1i64),
                spec.hash(&1.5f64),
                spec.hash(&true),
                spec.hash(&'a'),
            ];
            assert_eq!(all, WORDS, "{all:#x?}");
            let all = [
                spec.hash(&("a", 1u8)),
                spec.hash(&Some(1u8)),
                spec.hash(&None::<u8>),
                spec.hash(&u128::MAX),
            ];
            assert_eq!(all, framed, "{all:#x?}");
        }
        let keyed = HashSpec::keyed([7; 16]);
        let others = [
            HashSpec::seeded(1).hash("a"),
            HashSpec::rapid(1).hash("a"),
            keyed.hash("a"),
            keyed.hash(&1u64),
            keyed.fingerprint(),
        ];
        assert_eq!(others, OTHERS, "{others:#x?}");
    }

    #[test]
    fn a_prepared_hasher_is_the_same_function() {
        let bytes = [7; 300];
        for spec in [HashSpec::default(), HashSpec::seeded(0), HashSpec::rapid(0), HashSpec::keyed([3; 16])] {
            for length in 0..bytes.len() {
                let item = &bytes[..length];
                assert_eq!(spec.bytes_hasher().hash(item), spec.hash_bytes(item), "{spec}, {length} bytes");
                let (hasher, hash) = (spec.framed_hasher(Domain::Tuple), spec.framed(Domain::Tuple, item));
                assert_eq!(hasher.hash(item), hash, "{spec}, a tuple of {length} bytes");
            }
        }
    }

    const BYTES: [u64; 4] =
        [0x7eb5_c2c0_82c4_af67, 0xb6c4_1d1e_e967_b49c, 0xd17b_a29b_46ae_cec3, 0xf34b_e984_b1eb_c229];
    const EARLY_BYTES: [u64; 4] =
        [0x1e08_0c93_955c_3a60, 0xd2b6_ba8b_240e_574e, 0xe324_a149_59f8_af2b, 0x5987_7fc9_e31e_adbb];
    #[rustfmt::skip]
    const WORDS: [u64; 6] = [
        0xedd0_bc52_b373_e6f1, 0x9dc0_5159_e46c_c43d, 0xc8c5_a152_6027_b14f, 0x61b4_c636_d6dd_ff61,
        0xec7f_05e3_aab9_3cef, 0x50db_00d4_2a0b_e24a,
    ];
    const FRAMED: [u64; 4] =
        [0xe3ec_be02_4c79_bd7c, 0xec94_bec8_5e0b_5a59, 0xcb9f_cf18_b4ca_3179, 0x080f_f7ed_b0eb_97d4];
    const EARLY_FRAMED: [u64; 4] =
        [0x96a1_9dad_cab7_819b, 0x683a_9a39_96db_727d, 0x3ed7_6444_2869_b471, 0x382c_e08d_8581_269c];
    #[rustfmt::skip]
    const OTHERS: [u64; 5] = [
        0xd2f6_d099_6f37_a720, 0x3312_1345_e29c_fadd, 0x96ca_9fc6_565c_653a, 0xdd7d_88d7_0bb8_5614,
        0xc78a_e8d4_614e_7b76,
    ];

    #[test]
    fn siphash_is_siphash_2_4() {
        // The first vectors of the SipHash reference: key 00..0f, inputs of length 0 and 1.
        let key: [u8; 16] = core::array::from_fn(|i| i as u8);
        let spec = HashSpec::keyed(key);
        assert_eq!(spec.hash_bytes(&[]), 0x726f_db47_dd0e_0e31);
        assert_eq!(spec.hash_bytes(&[0]), 0x74f8_39c5_93dc_67fd);
    }

    #[test]
    fn every_input_bit_flips_every_output_bit_half_the_time() {
        let trials = 4_000u64;
        let (low, high) = binomial_band(trials, 0.5, 1e-6 / 4096.0);
        for input_bit in 0..64 {
            let mut flips = [0u64; 64];
            for i in 0..trials {
                let difference =
                    mix(i.wrapping_mul(0x1234_5679)) ^ mix(i.wrapping_mul(0x1234_5679) ^ (1 << input_bit));
                for (bit, count) in flips.iter_mut().enumerate() {
                    *count += difference >> bit & 1;
                }
            }
            assert!(flips.iter().all(|&f| (low..=high).contains(&(f as f64))), "bit {input_bit}: {flips:?}");
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let shown = alloc::format!("{:?}", HashSpec::keyed(*b"abcdefghijklmnop"));
        assert!(shown.contains("fingerprint") && !shown.contains("6867666564636261"), "{shown}");
        let shown = alloc::format!("{:?}", HashSpec::keyed(*b"abcdefghijklmnop").bytes_hasher());
        assert!(shown.contains("fingerprint") && !shown.contains("6867666564636261"), "{shown}");
    }
}
