//! A filter for near items: see [`DistanceBloom`].

mod metric;
mod params;

pub use metric::Metric;
pub use params::DistanceParams;

use super::bands;
use super::signature::Signature;
use super::signature_form::Form;
use crate::bits::BitVec;
use crate::hash::{mix, reduce};
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use params::{hits_below_and_from, items_of};

/// A distance-sensitive Bloom filter: reports whether an item within some distance of a query was inserted. Bit strings
/// are compared by Hamming distance, sets by Jaccard distance.
///
/// # Use when / not when
/// Use it to ask a large collection, in a few bytes per item, whether it contains something close to a new item: known
/// pictures by their perceptual hashes, texts by their signatures. It has false positives and false negatives, at rates
/// that you choose. To get the closest item itself, use a [`HammingIndex`](crate::HammingIndex), which misses none, or
/// an [`LshIndex`](crate::LshIndex). [`LshBloom`](crate::similarity::LshBloom) is the special case with a threshold of
/// one band, smaller where missed pairs just below the threshold do not matter.
///
/// # Guarantee
/// A query within `near` of an inserted item is missed with a probability of at most
/// [`false_negative_rate`](Self::false_negative_rate)`(near)`, and a query at distance `far` or more from all inserted
/// items is reported with at most [`false_positive_rate`](Self::false_positive_rate)`(far)`, over the choice of the
/// hash function and at the present fill. In between, both answers are possible. An inserted item itself is always
/// found.
///
/// The samples of a function are independent for bits and for the slots of [`MinHash`](crate::MinHash), as far as its
/// hash functions are; the rate of misses is exact for a single item at that distance, and the second rate assumes the
/// worst case, all items at exactly that distance. A filter of signatures uses their hash.
///
/// # Space
/// Targets of 1 % each, with 1 million items:
///
/// | items | near | far | functions × samples | bytes per item |
/// |---|---|---|---|---|
/// | 256 bits | 4 | 96 | 31 × 38 | 24 |
/// | sets, 1,024 slots | 0.1 | 0.8 | 91 × 11 | 108 |
/// | sets, 1,024 slots | 0.1 | 0.7 | 67 × 15 | 415 |
///
/// Distances that lie close together cost far more: 256 bits with 16 and 96 take 2.6 kB per item.
///
/// # Time
/// One bit in the array of each function; for bit strings also one hash per sample of each function.
///
/// # Merge
/// Exact: the filter of both collections, bit for bit; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that are reported, or close ones that are not. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::similarity::{DistanceBloom, DistanceParams, Metric};
/// let params = DistanceParams::for_targets(Metric::Hamming { bits: 256 }, 1000, (10.0, 0.01), (100.0, 0.01))?;
/// let mut known = DistanceBloom::with_params(params);
/// let picture = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978, 0x8796_a5b4_c3d2_e1f0];
/// known.insert_bits(&picture)?;
/// let mut copy = picture;
/// copy[1] ^= 0b1011; // three bits differ
/// assert!(known.contains_bits(&copy)?);
/// assert!(!known.contains_bits(&[u64::MAX, 0, 5, 1 << 40])?);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// item      1 0 1 1 0 0 1 0 1 1
///             ↓       ↓ ↓          function 1: some of its bits, hashed to a place in array 1   0 0 1 0 0 1 …
///           ↓     ↓         ↓      function 2: others, in array 2                               1 0 0 0 1 0 …
/// ```
/// Items at distance d of ℓ bits agree in a sample with probability 1 − d/ℓ, in all r samples of a function with (1 −
/// d/ℓ)ʳ. A close query finds many of its bits set, others few more than by chance; the threshold lies between. The
/// number of set bits is binomial.
///
/// # References
/// Kirsch and Mitzenmacher 2006, Distance-sensitive Bloom filters, doi:10.1137/1.9781611972863.4 · Indyk and Motwani
/// 1998, doi:10.1145/276698.276876, for sampled bits. New here: sizes from exact binomial tails, and both rates at the
/// present fill.
///
/// # Measured
/// `crivo-lab run c-distance-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct DistanceBloom {
    params: DistanceParams,
    spec: HashSpec,
    /// The arrays, one after the other.
    bits: BitVec,
}

impl DistanceBloom {
    /// Inserts a set by its signature, and returns whether a close one was already present.
    ///
    /// # Errors
    /// Returns `Incompatible` if the filter is not one of sets, or if the signature does not match the others.
    pub fn insert(&mut self, signature: &impl Signature) -> Result<bool> {
        self.form()?.check(signature, &self.spec)?;
        self.insert_slots(signature.slots())
    }

    /// Like [`insert`](Self::insert), for the slots of a signature. The caller must ensure that they have the filter's
    /// scheme and hash.
    ///
    /// # Errors
    /// Returns `Incompatible` if the filter is not one of sets, or if the number of slots differs.
    pub fn insert_slots(&mut self, slots: &[u32]) -> Result<bool> {
        let places = self.places_of_slots(slots)?;
        Ok(self.insert_places(&places))
    }

    /// Inserts a bit string, the lowest bit of the first word first, and returns whether a close one was already
    /// present.
    ///
    /// # Errors
    /// Returns `Incompatible` if the filter is not one of bit strings, or of another length; `InvalidArgument` if bits
    /// beyond the length are set.
    pub fn insert_bits(&mut self, words: &[u64]) -> Result<bool> {
        let places = self.places_of_bits(words)?;
        Ok(self.insert_places(&places))
    }

    /// Returns whether a close set was inserted.
    ///
    /// # Errors
    /// Fails as [`insert`](Self::insert) does.
    pub fn contains(&self, signature: &impl Signature) -> Result<bool> {
        self.form()?.check(signature, &self.spec)?;
        self.contains_slots(signature.slots())
    }

    /// Like [`contains`](Self::contains), for the slots of a signature.
    ///
    /// # Errors
    /// Fails as [`insert_slots`](Self::insert_slots) does.
    pub fn contains_slots(&self, slots: &[u32]) -> Result<bool> {
        Ok(self.is_close(&self.places_of_slots(slots)?))
    }

    /// Returns whether a close bit string was inserted.
    ///
    /// # Errors
    /// Fails as [`insert_bits`](Self::insert_bits) does.
    pub fn contains_bits(&self, words: &[u64]) -> Result<bool> {
        Ok(self.is_close(&self.places_of_bits(words)?))
    }

    fn insert_places(&mut self, places: &[u64]) -> bool {
        let was_close = self.is_close(places);
        for &place in places {
            self.bits.set(place);
        }
        was_close
    }

    fn is_close(&self, places: &[u64]) -> bool {
        let hits = places.iter().filter(|&&place| self.bits.get(place)).count();
        hits >= self.params.threshold() as usize
    }

    /// Returns the bit of each function for a set. Each function samples its own slots.
    fn places_of_slots(&self, slots: &[u32]) -> Result<Vec<u64>> {
        let form = self.form()?;
        form.check_slots(slots)?;
        let filled = form.scheme().filled(slots);
        Ok(self.places(filled.chunks_exact(self.params.samples() as usize).map(bands::key)))
    }

    /// Returns the bit of each function for a bit string. The hash chooses the sampled bits.
    fn places_of_bits(&self, words: &[u64]) -> Result<Vec<u64>> {
        let Metric::Hamming { bits } = self.params.metric() else {
            return Err(self.another_metric("bit strings"));
        };
        if words.len() != bits.div_ceil(64) as usize {
            let remedy = "all bit strings of a filter must have the same length";
            return Err(Error::incompatible("words", bits.div_ceil(64), words.len(), remedy));
        }
        if bits % 64 > 0 && words.last().is_some_and(|word| word >> (bits % 64) > 0) {
            return Err(Error::invalid(format!("bits beyond the first {bits} must be 0; clear them")));
        }
        let sample = |number: u32| {
            let position = reduce(self.spec.unsigned(number.into()), bits.into());
            words[(position / 64) as usize] >> (position % 64) & 1
        };
        let samples = self.params.samples();
        let keys = (0..self.params.functions()).map(|function| {
            (0..samples).fold(0, |key, number| key << 1 | sample(function * samples + number))
        });
        Ok(self.places(keys))
    }

    /// Returns the place of each function's key in its array.
    fn places(&self, keys: impl Iterator<Item = u64>) -> Vec<u64> {
        let cells = self.params.cells();
        let place = |(function, key): (u32, u64)| {
            // Equal keys of two functions are placed differently.
            let own = self.spec.unsigned(u64::from(function) | 1 << 32);
            u64::from(function) * cells + reduce(mix(key ^ own), cells)
        };
        (0..self.params.functions()).zip(keys).map(place).collect()
    }

    /// Returns the probability that a query at this distance from one inserted item is missed, at the present fill.
    /// Further close items make it smaller.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `distance` is possible in the metric.
    pub fn false_negative_rate(&self, distance: f64) -> Result<f64> {
        let agrees = self.params.hit_near(distance)?;
        let hits = self.fills().map(|fill| agrees + (1.0 - agrees) * fill);
        Ok(hits_below_and_from(self.params.threshold(), hits).0)
    }

    /// Returns an upper bound on the probability that a query at this distance or more from all inserted items is
    /// reported, at the present fill.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `distance` is possible in the metric.
    pub fn false_positive_rate(&self, distance: f64) -> Result<f64> {
        self.params.hit_near(distance)?;
        let hits = self.fills().map(|fill| {
            let items = items_of(fill, self.params.cells());
            self.params.hit_far(distance, items, fill).unwrap_or(1.0)
        });
        Ok(hits_below_and_from(self.params.threshold(), hits).1)
    }

    /// Returns the share of set bits in each array.
    fn fills(&self) -> impl Iterator<Item = f64> + '_ {
        let cells = self.params.cells();
        (0..u64::from(self.params.functions())).map(move |function| {
            let ones = self.bits.count_ones_in(function * cells..(function + 1) * cells);
            ones as f64 / cells as f64
        })
    }

    /// Returns the share of set bits.
    pub fn fill(&self) -> f64 {
        self.bits.count_ones() as f64 / self.params.cells_of_all() as f64
    }

    fn form(&self) -> Result<Form> {
        match self.params.metric() {
            Metric::Jaccard { scheme, slots } => Form::new(scheme, slots as usize, 1),
            Metric::Hamming { .. } => Err(self.another_metric("signatures")),
        }
    }

    fn another_metric(&self, came: &str) -> Error {
        let remedy = "query a filter of bit strings with bits, and a filter of sets with signatures";
        Error::incompatible("metric", self.params.metric(), came, remedy)
    }
}

shell!(DistanceBloom: hashes, empty(DistanceParams), merges,
    for_target(DistanceParams::for_targets(metric: Metric, items: u64, near: (f64, f64), far: (f64, f64))));

impl Core for DistanceBloom {
    const KIND: Kind = Kind::DistanceBloom;

    fn heap_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.bits.to_bytes(payload);
    }

    fn read(params: DistanceParams, file: &mut Payload<'_>) -> Result<Self> {
        let bits = BitVec::from_bytes(params.cells_of_all(), file.bytes.take_rest()).ok_or_else(|| {
            Error::malformed("the file is corrupt: the number of bits does not match the parameters")
        })?;
        Ok(Self { params, spec: file.spec, bits })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::number("fill", self.fill())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.bits.union_with(&other.bits);
        Ok(())
    }
}

impl Empty for DistanceBloom {
    fn empty(params: DistanceParams, spec: HashSpec) -> Self {
        Self { params, spec, bits: BitVec::new(params.cells_of_all()) }
    }

    fn has_nothing(&self) -> bool {
        self.bits.words().iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests;
