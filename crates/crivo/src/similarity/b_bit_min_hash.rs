//! A MinHash signature with a few bits per slot: see [`BBitMinHash`].

use super::signature::{MAX_K, Slots, is_empty};
use super::slot_agreement;
use super::{Scheme, Signature};
use crate::bits::PackedArray;
use crate::codec::put_u64_varint;
use crate::estimate::check_confidence;
use crate::hash::mix;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, check_same, narrow, shell};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp2, expm1, round, sqrt};

/// A b-bit MinHash signature: the Jaccard similarity of two sets, from a few bits per slot.
///
/// # Use when / not when
/// Use it to store many signatures that no longer change: at one bit per slot, similar sets are compared as well as by
/// a [`MinHash`](crate::MinHash) of fifteen times the size. Not while items arrive, since it takes none and does not
/// merge; not for sets that have little in common, where one or two bits per slot need many more slots.
///
/// # Guarantee
/// Two slots with distinct values still agree with probability C = 2⁻ᵇ, so the share f of agreeing slots has the mean
/// C + (1−C)J, and the estimate is (f−C)/(1−C), unbiased except that it is cut at 0. Its variance is that of the full
/// signature times 1 + C/((1−C)J). [`Guarantee::Approximate`], from Clopper and Pearson's bounds for f, cut to 0 to 1.
///
/// # Space
/// The number of slots, relative to a signature of 32 bits per slot with the same error, and the share of its memory:
///
/// | bits | J = 0.5 | J = 0.8 | J = 0.9 |
/// |---|---|---|---|
/// | 1 | 3.00 times, 9.4 % | 2.25 times, 7.0 % | 2.11 times, 6.6 % |
/// | 2 | 1.67 times, 10.4 % | 1.42 times, 8.9 % | 1.37 times, 8.6 % |
/// | 4 | 1.13 times, 14.2 % | 1.08 times, 13.5 % | 1.07 times, 13.4 % |
/// | 8 | 1.01 times, 25.2 % | 1.00 times, 25.1 % | 1.00 times, 25.1 % |
/// | 16 | 1.00 times, 50.0 % | 1.00 times, 50.0 % | 1.00 times, 50.0 % |
///
/// # Time
/// Construction reads the signature once; a comparison reads both once, 64 bits at a time.
///
/// # Merge
/// Not supported: a few bits do not show which of two values is smaller. Merge the signatures, and compress the result.
///
/// # Hostile input
/// As for the signature: an attacker who knows the seed can choose items that make sets look similar. Use
/// [`HashSpec::keyed`] for the signature.
///
/// # Example
/// ```
/// use crivo::OnePermutation;
/// use crivo::similarity::BBitMinHash;
/// let (mut first, mut second) = (OnePermutation::for_slots(1024)?, OnePermutation::for_slots(1024)?);
/// first.extend(0..9000u32);
/// second.extend(1000..10_000u32);
/// let first = BBitMinHash::freeze(&first, 2)?;
/// let second = BBitMinHash::freeze(&second, 2)?;
/// let alike = first.similarity(&second)?;
/// assert!(alike.contains(0.8), "{alike:.3}");
/// assert_eq!(first.to_bytes().len(), 290); // instead of 4 kB
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// slots    9c3f0b12  00418e77  3b90aa05  f21c6d34
///              |         |         |         |        mixed with the number of the slot
/// b = 2       10        01        11        00        the low bits are kept
/// ```
/// Mixing makes the bits of distinct values independent, within a slot and from slot to slot. A signature with empty
/// bins is [filled](Scheme::filled) first. The signature's estimate of the number of items is stored too: filled bins
/// repeat one another, the more so the fewer items there are, and hashes of huge sets collide. The interval accounts
/// for both.
///
/// # References
/// Li and König 2010, doi:10.1145/1772690.1772759. New here: signatures of bins, intervals, hash collisions.
///
/// # Measured
/// `crivo-lab run c-b-bit-min-hash`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BBitMinHash {
    cells: PackedArray,
    scheme: Scheme,
    /// The estimated number of items in the set; 0 if it is empty.
    items: u64,
    spec: HashSpec,
}

impl BBitMinHash {
    /// Keeps `bits` bits of each slot of a signature.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is 1, 2, 4, 8 or 16, and the signature has 1 to 65,536 slots.
    pub fn freeze<S: Signature + ?Sized>(signature: &S, bits: u32) -> Result<Self> {
        check_bits(bits)?;
        let (scheme, slots, spec) = (signature.scheme(), signature.slots(), *signature.hash_spec());
        if !(1..=MAX_SLOTS).contains(&slots.len()) {
            return Err(Error::invalid(format!("a signature has 1 to {MAX_K} slots, got {}", slots.len())));
        }
        let mut cells = PackedArray::new(bits, slots.len());
        if is_empty(slots) {
            return Ok(Self { cells, scheme, items: 0, spec });
        }
        for (i, &slot) in scheme.filled(slots).iter().enumerate() {
            cells.set(i, low_bits(i, slot, bits));
        }
        let items = round(slot_agreement::items(scheme, slots)).max(1.0) as u64;
        Ok(Self { cells, scheme, items, spec })
    }

    /// Estimates the similarity of the two sets, with a 95 % interval: Jaccard's similarity, or the one of the
    /// signature, from 0 to 1. Two empty sets have similarity 1.
    ///
    /// # Errors
    /// Returns `Incompatible` if k, bits, scheme or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        self.similarity_at(other, DEFAULT_CONFIDENCE)
    }

    /// Like [`similarity`](Self::similarity), at another confidence.
    ///
    /// # Errors
    /// Returns `Incompatible` if k, bits, scheme or hash differ; `InvalidArgument` unless `confidence` lies strictly
    /// between 0 and 1.
    pub fn similarity_at(&self, other: &Self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        check_same(self, other)?;
        if let Some(value) = slot_agreement::of_empty(self.is_empty(), other.is_empty()) {
            return Ok(Estimate::exact(value));
        }
        let k = f64::from(self.k());
        let by_chance = exp2(-f64::from(self.bits()));
        let share = self.cells.equal_numbers(&other.cells) as f64 / k;
        let slots_agree = |share: f64| ((share - by_chance) / (1.0 - by_chance)).max(0.0);
        let taken = [self.taken(), other.taken()];
        let alike = |agree: f64| slot_agreement::without_accidents(agree, taken);
        let agree = slots_agree(share);
        let union = (self.items as f64 + other.items as f64) / (1.0 + alike(agree));
        let worth = slot_agreement::worth_of_filled(self.scheme, k, union, by_chance);
        let (lower, upper) = slot_agreement::share_bounds(share, worth, confidence);
        // With few items, a single item that falls into no bin matters: the random draw alone may leave the bounds of a
        // smooth law.
        let (least, most) = slot_agreement::drawn_bounds(self.scheme, agree, k, union, confidence);
        let (lower, upper) = (slots_agree(lower).min(least), slots_agree(upper).max(most));
        let guarantee = Guarantee::Approximate { confidence };
        Ok(Estimate::new(alike(agree), alike(lower), alike(upper), guarantee))
    }

    /// Returns the standard error of a similarity estimated from `k` slots of `bits` bits each: √(a(1 − a)/k)/(1 −
    /// 2⁻ᵇ), where a = 2⁻ᵇ + (1 − 2⁻ᵇ)·similarity is the probability that two slots agree. This holds for slots with a
    /// hash function each; near 0 the estimate is cut, and the error is smaller.
    ///
    /// ```
    /// # use crivo::similarity::BBitMinHash;
    /// assert!((BBitMinHash::standard_error(256, 1, 0.5)? - 0.054).abs() < 1e-3);
    /// assert!((BBitMinHash::standard_error(256, 16, 0.5)? - 0.5 / 16.0).abs() < 1e-5);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is 1, 2, 4, 8 or 16, and `k` 1 to 65,536.
    pub fn standard_error(k: u32, bits: u32, similarity: f64) -> Result<f64> {
        check_bits(bits)?;
        if !(1..=MAX_SLOTS).contains(&(k as usize)) {
            return Err(Error::invalid(format!("a signature has 1 to {MAX_K} slots, got {k}")));
        }
        let by_chance = exp2(-f64::from(bits));
        let agree = by_chance + (1.0 - by_chance) * similarity;
        Ok(sqrt(agree * (1.0 - agree) / f64::from(k)) / (1.0 - by_chance))
    }

    /// Returns the probability that an item takes a given value of the signature.
    fn taken(&self) -> f64 {
        -expm1(-(self.items as f64) / slot_agreement::values(self.scheme, self.cells.len()))
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Returns the number of slots.
    pub fn k(&self) -> u32 {
        self.cells.len() as u32
    }

    /// Returns the bits of a slot.
    pub fn bits(&self) -> u32 {
        self.cells.width()
    }

    /// Returns the scheme of the original signature.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }
}

/// Returns the bits to keep of a slot: they are independent for distinct values, and from slot to slot.
pub(crate) fn low_bits(slot: usize, value: u32, bits: u32) -> u32 {
    mix((slot as u64) << 32 | u64::from(value)) as u32 & ((1 << bits) - 1)
}

const MAX_SLOTS: usize = MAX_K as usize;

fn check_bits(bits: u32) -> Result<()> {
    if matches!(bits, 1 | 2 | 4 | 8 | 16) {
        return Ok(());
    }
    Err(Error::invalid(format!("the bits of a slot must be 1, 2, 4, 8 or 16, got {bits}; 2 is usual")))
}

shell!(BBitMinHash: hashes);

impl Core for BBitMinHash {
    const KIND: Kind = Kind::BBitMinHash;

    fn heap_bytes(&self) -> usize {
        self.cells.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.items);
        self.cells.to_bytes(payload);
    }

    fn read(Size { slots, bits, scheme }: Size, file: &mut Payload<'_>) -> Result<Self> {
        let k = slots.count();
        let items = file.bytes.u64_varint()?;
        let most = slot_agreement::most_items(scheme, k);
        if items as f64 > most {
            return Err(Error::malformed(format!(
                "the file is corrupt: {items} items, but {most} is the most that can be estimated"
            )));
        }
        let cells = PackedArray::from_bytes(bits, k, file.bytes.take_rest()).ok_or_else(|| {
            Error::malformed(format!(
                "the file is corrupt: the payload does not hold {k} slots of {bits} bits"
            ))
        })?;
        if items == 0 && cells.iter().any(|cell| cell != 0) {
            return Err(Error::malformed("the file is corrupt: the slots of an empty set are not empty"));
        }
        Ok(Self { cells, scheme, items, spec: file.spec })
    }

    fn state(&self) -> Vec<Fact> {
        Vec::new()
    }
}

/// The number of slots, their bits, and the scheme of the signature.
#[derive(Clone)]
pub(crate) struct Size {
    slots: Slots,
    bits: u32,
    scheme: Scheme,
}

impl OfSize for BBitMinHash {
    type Params = Size;

    fn params(&self) -> Size {
        Size { slots: Slots::of_count(self.cells.len()), bits: self.bits(), scheme: self.scheme }
    }
}

impl Params for Size {
    const REMEDY: &str = "compress signatures of the same size and scheme to the same number of bits";
    const NAMES: &[&str] = &["k", "bits", "scheme"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.slots.count() as u64, self.bits.into(), self.scheme as u64]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let bits = narrow(numbers[1])?;
        check_bits(bits)?;
        Ok(Self { slots: Slots::of(&numbers[..1])?, bits, scheme: Scheme::from_id(numbers[2])? })
    }

    fn memory_bytes(&self) -> u64 {
        let words = (self.slots.count() * self.bits as usize).div_ceil(64) + 1;
        (size_of::<BBitMinHash>() + words * size_of::<u64>()) as u64
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("k", self.slots.count() as u64),
            Fact::count("bits", self.bits.into()),
            Fact::text("scheme", self.scheme.name()),
        ]
    }
}
