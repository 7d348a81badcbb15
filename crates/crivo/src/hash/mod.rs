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
mod by_hash;
mod item;
mod item_types;
mod probe;

pub use by_hash::ByHash;
#[cfg(feature = "derive")]
pub use crivo_derive::Item;
pub use item::Item;
#[doc(hidden)]
pub use item::hash_fields;
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
    /// What `core::hash::Hash` writes: not part of the format, since no file may depend on it.
    ByHash = 0x3c79_ac49_2ba7_b653,
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
mod tests;
