//! Hash functions: from items to 64-bit hashes, and from a hash to the positions that a sketch needs.
//!
//! A sketch hashes each item once, with the algorithm and seed of its [`HashSpec`], and derives positions,
//! ranks and rows from those 64 bits. The spec is part of the sketch's identity: it is stored, written to
//! files, and compared on merge, so that two sketches with incompatible hashes cannot be combined by mistake.
//!
//! # Hostile input
//! The default hash is fast and has no secret: anyone who knows the seed can choose items that collide, and
//! every file contains the seed. **A seed is no protection; a key is.** If the items come from an adversary,
//! use [`HashSpec::keyed`] with a secret random key.

mod by_hash;
#[cfg(feature = "classic")]
pub mod classic;
mod item;
mod item_form;
mod item_types;
mod probe;

pub use by_hash::ByHash;
#[cfg(feature = "derive")]
pub use crivo_derive::Item;
pub use item::Item;
#[doc(hidden)]
pub use item::hash_fields;
pub use item_form::ItemForm;
pub use probe::{Probes, reduce};

use crate::memory::BATCH;
use crate::{Error, Result};
use core::fmt;
use core::hash::Hasher;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_inline};
use siphasher::sip::SipHasher24;
use xxhash_rust::const_xxh3::const_custom_default_secret;
use xxhash_rust::xxh3::{xxh3_64_with_secret, xxh3_64_with_seed};

/// The number of 64-bit hashes.
pub(crate) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// The default seed of every sketch. It is fixed, so that sketches from independent processes can be merged.
pub const DEFAULT_SEED: u64 = 0x0043_5249_564f_0001;

/// A hash algorithm. The numbers belong to the file format and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Algorithm {
    /// rapidhash v3 for bytes and a bijective mixer for integers, with a 64-bit seed. It was the default of
    /// early versions, whose files stay readable. Some byte strings collide under every seed.
    Rapid = 1,
    /// SipHash-2-4 with a secret 128-bit key, for hostile input.
    SipHash = 2,
    /// XXH3 for bytes and a bijective mixer for integers, with a 64-bit seed: the fast default.
    Xxh3 = 3,
}

impl Algorithm {
    /// Returns the name that files, messages and the command use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rapid => "rapid",
            Self::SipHash => "siphash",
            Self::Xxh3 => "xxh3",
        }
    }
}

/// The type of a value: equal bytes of values of different types get different hashes. The constants are part
/// of the file format.
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
    /// The bytes that `core::hash::Hash` writes: not part of the format, since no file may depend on them.
    ByHash = 0x3c79_ac49_2ba7_b653,
    /// Belongs to no item: the key of a file's authentication tag is derived in this domain.
    FileTag = 0x2f0b_4c47_a2a8_6d5b,
}

/// A hash algorithm with its seed or key: how a sketch hashes items. Only sketches with equal specs can be
/// merged.
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
    /// The value that integers are mixed with (derived from the seed), or the second half of the key.
    second: u64,
    /// How values became items. It affects no hash.
    form: ItemForm,
}

impl Default for HashSpec {
    /// Returns the default algorithm with [`DEFAULT_SEED`].
    fn default() -> Self {
        Self::seeded(DEFAULT_SEED)
    }
}

impl HashSpec {
    /// Creates the default algorithm with a custom seed. Sketches with different seeds are independent even
    /// for the same items. A seed does not protect from chosen items; [`keyed`](Self::keyed) does.
    pub const fn seeded(seed: u64) -> Self {
        Self::with_mixer(Algorithm::Xxh3, seed)
    }

    /// Creates [`Algorithm::Rapid`] with a seed, as early versions hash. It is needed only to merge with
    /// their sketches.
    pub const fn rapid(seed: u64) -> Self {
        Self::with_mixer(Algorithm::Rapid, seed)
    }

    const fn with_mixer(algorithm: Algorithm, seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring mixers: under seeds that differ only in the low j
        // bits, the integers 0..2^j would have the same set of hashes.
        let mixer = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
        Self { algorithm, first: seed, second: mixer, form: ItemForm::Unmarked }
    }

    /// Creates SipHash-2-4 with a secret key. The key is never written to a file; only a fingerprint of it
    /// is.
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
        let (first, second) = (wide as u64, (wide >> 64) as u64);
        Self { algorithm: Algorithm::SipHash, first, second, form: ItemForm::Unmarked }
    }

    /// Returns the spec with a mark that says how values become items. The hashes stay as they are.
    #[must_use]
    pub const fn with_form(self, form: ItemForm) -> Self {
        Self { form, ..self }
    }

    /// Returns how values become items.
    pub const fn form(&self) -> ItemForm {
        self.form
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns what a file reveals of the spec: the seed, or the fingerprint of the key.
    pub fn fingerprint(&self) -> u64 {
        match self.algorithm {
            Algorithm::Rapid | Algorithm::Xxh3 => self.first,
            Algorithm::SipHash => self.sip(Domain::Bytes, b"crivo key fingerprint"),
        }
    }

    /// Returns the 64-bit hash of an item. Every structure has `x_hash` methods that take this number.
    #[inline]
    pub fn hash<T: Item + ?Sized>(&self, item: &T) -> u64 {
        item.hash_item(self)
    }

    /// Returns the hash of a byte string, which equals the hash of a `str` or `[u8]` item with these bytes.
    #[inline]
    pub fn hash_bytes(&self, bytes: &[u8]) -> u64 {
        self.framed(Domain::Bytes, bytes)
    }

    /// Returns [`hash_bytes`](Self::hash_bytes) prepared for a loop over many byte strings: their common work
    /// is done once.
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

    /// Returns [`framed`](Self::framed) prepared for a loop over many byte strings of one domain.
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

    /// Returns the hash of a 64-bit value of a domain other than the unsigned integers.
    #[inline]
    pub(crate) fn word(&self, domain: Domain, value: u64) -> u64 {
        match self.algorithm {
            Algorithm::Rapid | Algorithm::Xxh3 => mix(mix(value ^ self.second) ^ domain as u64),
            Algorithm::SipHash => self.sip(domain, &value.to_le_bytes()),
        }
    }

    /// Returns the hash of a byte string of a domain.
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

    /// Returns `Incompatible` unless both specs hash alike and their forms go together.
    pub(crate) fn check_same(&self, other: &Self) -> Result<()> {
        if self.with_form(other.form) == *other {
            return self.form.join(other.form).map(|_| ());
        }
        Err(Error::incompatible("hash", self, other, "build both with the same algorithm and seed or key"))
    }
}

/// A hash function for byte strings, equal to that of the [`HashSpec`] that made it
/// ([`HashSpec::bytes_hasher`]).
#[derive(Clone, Copy, Debug)]
pub struct BytesHasher(Prepared);

#[derive(Clone, Copy, Debug)]
enum Prepared {
    Rapid(RapidSecrets),
    SipHash(HashSpec, Domain),
    /// For long inputs XXH3 uses a secret that it derives from the seed.
    Xxh3 {
        seed: u64,
        secret: [u8; 192],
    },
}

/// Up to this length XXH3 uses the seed itself; beyond it, the secret derived from the seed.
const XXH3_SEEDED_BYTES: usize = 240;

impl BytesHasher {
    /// Returns the 64-bit hash of a byte string.
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
    /// Formats the spec without the secret key.
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

/// Hashes items in blocks, for the batch methods.
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

/// Returns a bijection of 64-bit words in which every input bit affects every output bit, so distinct
/// integers never collide. It consists of three xor-shifts and two multiplications, with the constants of
/// Maiga's `mx2` search.
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
