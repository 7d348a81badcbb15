//! A Bloom filter of the bands of signatures: see [`LshBloom`].

use super::LshParams;
use super::signature::{Scheme, Signature};
use super::signature_form::{Banded, Form};
use crate::hash::mix;
use crate::kind::Kind;
use crate::membership::{BloomFilter, BloomParams};
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{expm1, log1p};

/// The size of an [`LshBloom`]: bands and rows, and a Bloom filter for the keys of all bands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LshBloomParams {
    bands: LshParams,
    keys: BloomParams,
}

impl LshBloomParams {
    /// Returns the size for `items` sets at which a set that shares nothing with the others is reported with a
    /// probability of at most `fpr`.
    ///
    /// ```
    /// use crivo::similarity::{LshBloomParams, LshParams};
    /// let params = LshBloomParams::for_fpr(LshParams::exact(16, 8)?, 1_000_000, 0.01)?;
    /// assert!(params.fpr_at(1_000_000) <= 0.01);
    /// assert_eq!(params.memory_bytes(), 30_728_816); // about 31 bytes per set
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `items` is 1 or more, `fpr` lies strictly between 0 and 1, and 128 GiB suffice.
    pub fn for_fpr(bands: LshParams, items: u64, fpr: f64) -> Result<Self> {
        if !(fpr > 0.0 && fpr < 1.0) {
            return Err(Error::invalid(format!(
                "a false positive rate must lie strictly between 0 and 1, got {fpr}; 0.01 is usual"
            )));
        }
        // A false positive in at least one of b bands has the probability 1 − (1 − f)ᵇ.
        let of_a_band = -expm1(log1p(-fpr) / f64::from(bands.bands()));
        Ok(Self { bands, keys: BloomParams::for_fpr(keys_of(bands, items)?, of_a_band)? })
    }

    /// Returns the size of `bytes` bytes of bits with the lowest false-positive rate for `items` sets.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `items` is 1 or more, and `bytes` 8 bytes to 128 GiB.
    pub fn for_memory(bands: LshParams, items: u64, bytes: u64) -> Result<Self> {
        Ok(Self { bands, keys: BloomParams::for_memory(bytes, keys_of(bands, items)?)? })
    }

    /// Returns these bands, with a filter of this size for their keys.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if the filter is folded.
    pub fn exact(bands: LshParams, keys: BloomParams) -> Result<Self> {
        if keys.folds() > 0 {
            return Err(Error::invalid(
                "the filter of the keys must not be folded; create one of the folded size",
            ));
        }
        Ok(Self { bands, keys })
    }

    /// Returns the bands and rows.
    pub fn bands(&self) -> LshParams {
        self.bands
    }

    /// Returns the size of the filter of the keys.
    pub fn keys(&self) -> BloomParams {
        self.keys
    }

    /// Returns the probability that a set that shares nothing with any of `items` sets is reported: 1 − (1 − f)ᵇ for
    /// the rate f of the filter, which bounds the mean over all hash functions.
    pub fn fpr_at(&self, items: u64) -> f64 {
        self.detection(0.0, self.keys.fpr_at(items.saturating_mul(self.bands.bands().into())))
    }

    /// Returns the probability that a set is reported if one of this similarity was inserted, together with `items`
    /// sets that share nothing with it.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `similarity` is 0 to 1.
    pub fn detection_at(&self, similarity: f64, items: u64) -> Result<f64> {
        self.bands.probability(similarity)?;
        Ok(self.detection(similarity, self.keys.fpr_at(items.saturating_mul(self.bands.bands().into()))))
    }

    /// Returns the probability of detection. A band reports a set if it is shared, or on a false positive of the
    /// filter, at `key_fpr`.
    fn detection(&self, similarity: f64, key_fpr: f64) -> f64 {
        let shared = self.bands.chance(similarity);
        let none_errs = f64::from(self.bands.bands()) * log1p(-key_fpr);
        shared - (1.0 - shared) * expm1(none_errs)
    }

    /// Returns the memory of a filter of this size, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        size_of::<LshBloom>() as u64 + self.keys.memory_bytes()
    }
}

/// Returns the number of keys of this many sets.
fn keys_of(bands: LshParams, items: u64) -> Result<u64> {
    items.checked_mul(bands.bands().into()).ok_or_else(|| {
        Error::invalid(format!("{items} sets of {} bands are too many; ask for fewer", bands.bands()))
    })
}

/// A Bloom filter of LSH bands: reports whether a similar set was inserted before, in fixed memory.
///
/// # Use when / not when
/// Use it on a stream, to drop near-duplicates of earlier items when it does not matter which ones. To know which, and
/// to verify it, use an [`LshIndex`](crate::LshIndex), which stores the signatures and grows. For exact duplicates a
/// [`BloomFilter`] suffices. For a test of one distance with both error rates chosen, see
/// [`DistanceBloom`](crate::similarity::DistanceBloom).
///
/// # Guarantee
/// A set is reported if it shares a band with an inserted one, with probability 1 − (1 − sʳ)ᵇ for similarity s, or on a
/// false positive of the filter. [`detection`](Self::detection) is the probability of either at the present fill: exact
/// for one inserted set of that similarity, and a lower bound for more. [`fpr`](Self::fpr) is the probability for a set
/// that shares nothing with any. An inserted set is always found again. Nothing is verified: pairs below the threshold
/// are reported as often as the S-curve says.
///
/// # Space
/// b keys per set, each in 1.44·log₂(b/rate) bits. At 1 % for a set that shares nothing, with 1 million sets:
///
/// | bands × rows | found at 0.8 | at 0.5 | bytes per set |
/// |---|---|---|---|
/// | 9 × 13 | 40 % | 1.1 % | 16.0 |
/// | 16 × 8 | 95 % | 7.0 % | 30.7 |
/// | 25 × 5 | 99.995 % | 55.2 % | 50.9 |
///
/// # Time
/// One key per band, and the scattered bits of each key, prefetched together.
///
/// # Merge
/// Exact: the filter of both streams, bit for bit; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can construct sets that are reported, or fill the filter early. Create the signatures
/// with [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::MinHash;
/// use crivo::similarity::{LshBloom, LshBloomParams, LshParams};
/// let params = LshBloomParams::for_fpr(LshParams::exact(16, 8)?, 1000, 0.001)?;
/// let mut seen = LshBloom::with_params(params, &MinHash::for_slots(128)?)?;
/// let words = |text: &str| text.split(' ').collect::<MinHash>();
/// let text = "the quick brown fox jumps over the lazy dog while the slow red hen walks under a busy cat";
/// assert!(!seen.insert(&words(text))?);
/// assert!(seen.contains(&words(&text.replace("red", "old")))?);
/// assert!(!seen.contains(&words("something else altogether"))?);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///              band 1    band 2    band 3    band 4
/// set          6 1       8 0       2 0       5 4        each band is hashed, with its number, to a key;
///               ↓         ↓         ↓         ↓         one Bloom filter holds the keys of all sets;
///             no        no        no        yes         one key was inserted before: a similar set is reported
/// ```
///
/// # References
/// Bloom, doi:10.1145/362686.362692 · Indyk and Motwani 1998, doi:10.1145/276698.276876, for the bands. New here: one
/// filter for all bands, and the probability of detection including the errors of the filter.
///
/// # Measured
/// `crivo-lab run c-lsh-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct LshBloom {
    bands: LshParams,
    form: Form,
    keys: BloomFilter,
}

impl LshBloom {
    /// Creates an empty filter for signatures with the scheme, number of slots and hash of this one. The items in that
    /// signature do not matter.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if it has fewer slots than the bands need.
    pub fn with_params(params: LshBloomParams, like: &impl Signature) -> Result<Self> {
        let spec = *like.hash_spec();
        Self::with_scheme(params, like.scheme(), like.slots().len(), spec)
    }

    /// Creates an empty filter for signatures of this scheme, number of slots and hash.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `slots` is at least what the bands need, and at most 65,536.
    pub fn with_scheme(params: LshBloomParams, scheme: Scheme, slots: usize, spec: HashSpec) -> Result<Self> {
        let form = Form::new(scheme, slots, params.bands.slots())?;
        Ok(Self::empty(Size { banded: Banded { bands: params.bands, form }, keys: params.keys }, spec))
    }

    /// Inserts a set, and returns whether a similar one was already present.
    ///
    /// # Errors
    /// Returns `Incompatible` if the signature does not match those of this filter.
    pub fn insert(&mut self, signature: &impl Signature) -> Result<bool> {
        self.form.check(signature, self.keys.hash_spec())?;
        self.insert_slots(signature.slots())
    }

    /// Like [`insert`](Self::insert), for the slots of a signature. The caller must ensure that they have the filter's
    /// scheme and hash.
    ///
    /// # Errors
    /// Returns `Incompatible` if the number of slots differs.
    pub fn insert_slots(&mut self, slots: &[u32]) -> Result<bool> {
        self.form.check_slots(slots)?;
        let keys = self.keys_of(slots);
        let was_there = self.keys.contains_hashes(&keys).contains(&true);
        self.keys.insert_hashes(&keys);
        Ok(was_there)
    }

    /// Returns whether a similar set was inserted.
    ///
    /// # Errors
    /// Returns `Incompatible` if the signature does not match those of this filter.
    pub fn contains(&self, signature: &impl Signature) -> Result<bool> {
        self.form.check(signature, self.keys.hash_spec())?;
        self.contains_slots(signature.slots())
    }

    /// Like [`contains`](Self::contains), for the slots of a signature.
    ///
    /// # Errors
    /// Returns `Incompatible` if the number of slots differs.
    pub fn contains_slots(&self, slots: &[u32]) -> Result<bool> {
        self.form.check_slots(slots)?;
        Ok(self.keys.contains_hashes(&self.keys_of(slots)).contains(&true))
    }

    /// Returns the hash of each band with its number, so that equal slots in distinct bands have distinct keys.
    fn keys_of(&self, slots: &[u32]) -> Vec<u64> {
        let filled = self.form.scheme().filled(slots);
        self.bands.keys(&filled).zip(0..).map(|(key, band)| mix(key.wrapping_add(band))).collect()
    }

    /// Returns the probability that a set is reported at the present fill if one of this similarity was inserted.
    ///
    /// ```
    /// # use crivo::MinHash;
    /// # use crivo::similarity::{LshBloom, LshBloomParams, LshParams};
    /// let params = LshBloomParams::for_fpr(LshParams::exact(16, 8)?, 1000, 0.01)?;
    /// let filter = LshBloom::with_params(params, &MinHash::for_slots(128)?)?;
    /// assert_eq!(filter.detection(0.8)?, params.bands().probability(0.8)?); // an empty filter has no false positives
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `similarity` is 0 to 1.
    pub fn detection(&self, similarity: f64) -> Result<f64> {
        self.bands.probability(similarity)?;
        Ok(self.params().detection(similarity, self.keys.fpr().value()))
    }

    /// Returns the probability that a set that shares nothing with any inserted one is reported, exact for the present
    /// fill.
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params().detection(0.0, self.keys.fpr().value()))
    }

    /// Returns the share of set bits.
    pub fn fill(&self) -> f64 {
        self.keys.fill()
    }

    /// Returns the size.
    pub fn params(&self) -> LshBloomParams {
        LshBloomParams { bands: self.bands, keys: self.keys.params() }
    }

    /// Returns the scheme of the signatures.
    pub fn scheme(&self) -> Scheme {
        self.form.scheme()
    }

    /// Returns the number of slots of a signature.
    pub fn signature_slots(&self) -> usize {
        self.form.slots()
    }
}

shell!(LshBloom: hashes_by(self => self.keys.hash_spec()), starts, merges);

/// The parameters that two filters must share to be merged, except the hash.
#[derive(Clone)]
pub(crate) struct Size {
    banded: Banded,
    keys: BloomParams,
}

impl OfSize for LshBloom {
    type Params = Size;

    fn params(&self) -> Size {
        Size { banded: Banded { bands: self.bands, form: self.form }, keys: self.keys.params() }
    }
}

impl Params for Size {
    const REMEDY: &str = Banded::REMEDY;
    const NAMES: &[&str] = &["bands", "rows", "slots", "scheme", "bits", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        let mut numbers = self.banded.numbers();
        numbers.extend([self.keys.bits(), self.keys.hashes().into()]);
        numbers
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let keys = BloomParams::exact(numbers[4], narrow(numbers[5])?)?;
        Ok(Self { banded: Banded::of(&numbers[..4])?, keys })
    }

    fn memory_bytes(&self) -> u64 {
        LshBloomParams { bands: self.banded.bands, keys: self.keys }.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.banded.facts();
        facts.extend(self.keys.facts());
        facts
    }
}

impl Core for LshBloom {
    const KIND: Kind = Kind::LshBloom;

    fn heap_bytes(&self) -> usize {
        self.keys.heap_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.keys.write(payload);
    }

    fn read(size: Size, file: &mut Payload<'_>) -> Result<Self> {
        let Banded { bands, form } = size.banded;
        Ok(Self { bands, form, keys: BloomFilter::read(size.keys, file)? })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::number("fill", self.fill()), Fact::rate("fpr", self.fpr())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.keys.absorb(&other.keys)
    }
}

impl Empty for LshBloom {
    fn empty(size: Size, spec: HashSpec) -> Self {
        let Banded { bands, form } = size.banded;
        Self { bands, form, keys: BloomFilter::empty(size.keys, spec) }
    }

    fn has_nothing(&self) -> bool {
        self.keys.is_empty()
    }
}

#[cfg(test)]
mod tests;
