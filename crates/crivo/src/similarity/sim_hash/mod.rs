//! Signs along random directions: see [`SimHash`].

pub(crate) mod directions;

use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, check_same, shell};
use crate::stats::clopper_pearson;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Item, Result};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use directions::{BLOCK, add_to_directions, add_weighted_to_directions};
use libm::{cos, exp2};

const MAX_BITS: u32 = 1024;
/// The logarithm of the largest weight. Adding one more such weight times a component never makes a sum overflow: the
/// spacing of the largest numbers exceeds it.
const MAX_WEIGHT_LOG2: f64 = 900.0;

/// A SimHash sketch: the cosine similarity of two weighted sets or vectors, from the signs of their sums along random
/// directions.
///
/// # Use when / not when
/// Use it where the weights of items matter, for vectors of real numbers, and for 64-bit fingerprints that a
/// [`HammingIndex`](crate::HammingIndex) searches. It measures the angle, not Jaccard's similarity: sets of 1000 and
/// 500 items, the smaller a subset of the larger, have a cosine of 0.707 and a similarity of 0.75, and sets that share
/// nothing have a similarity of 0.5. For shares of common items, use a [`MinHash`](crate::MinHash) or, with weights, a
/// [`WeightedMinHash`](crate::WeightedMinHash).
///
/// # Guarantee
/// Two bits differ with probability θ/π, where θ is the angle between the vectors. So the share of equal bits is
/// unbiased and has the standard error of as many coin tosses: √(p(1−p)/bits). The interval is the exact one of these
/// tosses; [`Guarantee::Approximate`], since components are normal only to 0.0005 in the probability. The bits are only
/// a sample of the angle: 64 of them find near-duplicates, but hardly distinguish 0.8 from 0.9.
///
/// # Space
/// | bits | standard error at 0.5 | at 0.9 | 95 % interval at 0.9 | memory | signature |
/// |---|---|---|---|---|---|
/// | 64 | 6.3 % | 3.8 % | 0.81 to 0.96 | 560 B | 8 B |
/// | 256 | 3.1 % | 1.9 % | 0.85 to 0.93 | 2.1 kB | 32 B |
/// | 1,024 | 1.6 % | 0.9 % | 0.88 to 0.92 | 8.2 kB | 128 B |
///
/// The sums are only needed while items arrive. Of complete documents keep the [`signature`](Self::signature) or the
/// [`fingerprint`](Self::fingerprint).
///
/// # Time
/// A multiplication and some additions per bit, eight bits at a time: about 40 ns per item at 64 bits, 30 in a batch. A
/// comparison counts bits.
///
/// # Merge
/// Exact: the sums are added, so the merged sketch equals that of one pass over both streams, in bytes too, as long as
/// all weights are integers and add up to less than 2³⁸. Sums of other weights are rounded, and their last bits depend
/// on the order. Always commutative. Not idempotent: an item that is in both counts twice. A sum that overflows is
/// refused.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that flip any bit. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::SimHash;
/// let (mut first, mut second) = (SimHash::for_bits(1024)?, SimHash::for_bits(1024)?);
/// first.extend(["a", "d", "e"]);
/// second.extend(["b", "c", "d", "e"]);
///
/// let alike = first.similarity(&second)?; // 1 − θ/π
/// assert!(alike.contains(0.695913), "{alike:.3}");
/// let cosine = first.cosine(&second)?; // two in common: 2/√(3·4)
/// assert!(cosine.contains(0.57735), "{cosine:.3}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///            | bit 1
///         v  |                    items            a    b    c
///        . \ | . w                direction 1    1.2 -0.3  0.8 ...   as numbers from their hashes
///   bit 0   \|/                   direction 2   -0.7  0.1 -2.0
///   ---------+---------  the border of a direction
///                                 v = 2a + c:    3.2 > 0 -> 1,  -3.4 < 0 -> 0
/// ```
/// A plane through the origin, at a random slope, separates v and w with probability θ/π. Each direction has one.
/// Components are normal deviates, so that slopes are uniform in all directions: with plain signs, as often done, small
/// sets would have wrong angles and ties.
///
/// # References
/// Charikar 2002, doi:10.1145/509907.509965 · Goemans and Williamson 1995, doi:10.1145/227683.227684, for the probability ·
/// Manku, Jain and Das Sarma 2007, doi:10.1145/1242572.1242592, for documents.
///
/// # Measured
/// `crivo-lab run c-sim-hash`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct SimHash {
    /// The sum along each direction, in units of 1/8192. The length is a whole number of blocks.
    sums: Vec<f64>,
    spec: HashSpec,
}

impl SimHash {
    /// Creates an empty sketch of `bits` bits.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `bits` is a multiple of 64 from 64 to 1024.
    pub fn for_bits(bits: u32) -> Result<Self> {
        Ok(Self::empty(Bits::of(&[bits.into()])?, HashSpec::default()))
    }

    /// Creates the smallest sketch whose 95 % interval reaches at most `error` to either side, at every similarity.
    ///
    /// ```
    /// # use crivo::SimHash;
    /// assert_eq!(SimHash::for_error(0.05)?.bits(), 448);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `error` is a number and possible: at least 0.03112.
    pub fn for_error(error: f64) -> Result<Self> {
        let sizes = (1..=MAX_BITS / BLOCK as u32).map(|blocks| blocks * BLOCK as u32);
        match sizes.into_iter().find(|&bits| error.is_finite() && longest_reach(bits) <= error) {
            Some(bits) => Self::for_bits(bits),
            None => Err(Error::invalid(format!(
                "an error must be a number of at least {:.5}, got {error}; 0.05 is usual",
                longest_reach(MAX_BITS)
            ))),
        }
    }

    /// Adds an item. Its weight grows if it is added again or with a larger `weight`; a negative weight subtracts.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `weight` is a number between −2⁹⁰⁰ and 2⁹⁰⁰. On error nothing changes.
    #[inline]
    pub fn add<T: Item + ?Sized>(&mut self, item: &T, weight: f64) -> Result<()> {
        self.add_hash(self.spec.hash(item), weight)
    }

    /// Like [`add`](Self::add), for the hash of the item.
    ///
    /// # Errors
    /// Fails as [`add`](Self::add) does.
    #[inline]
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<()> {
        check_weight(weight)?;
        add_weighted_to_directions(&mut self.sums, hash, weight);
        Ok(())
    }

    /// Adds many items by their hashes, each with weight 1.
    pub fn add_hashes(&mut self, hashes: &[u64]) {
        for batch in hashes.chunks(BATCH) {
            add_to_directions(&mut self.sums, batch);
        }
    }

    /// Adds a vector: its coordinate i is the weight of item i.
    ///
    /// ```
    /// use crivo::SimHash;
    /// let (mut east, mut north_east) = (SimHash::for_bits(256)?, SimHash::for_bits(256)?);
    /// east.add_vector(&[1.0, 0.0])?;
    /// north_east.add_vector(&[0.3, 0.3])?;
    /// assert!(east.similarity(&north_east)?.contains(0.75)); // 45° of 180° apart
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`add`](Self::add) does, if any coordinate is invalid.
    pub fn add_vector(&mut self, coordinates: &[f64]) -> Result<()> {
        coordinates.iter().try_for_each(|&coordinate| check_weight(coordinate))?;
        for (place, &coordinate) in (0u64..).zip(coordinates) {
            add_weighted_to_directions(&mut self.sums, self.spec.hash(&place), coordinate);
        }
        Ok(())
    }

    /// Returns the bits, 64 per word; the first directions come first, in the lowest places.
    pub fn signature(&self) -> Vec<u64> {
        self.words().collect()
    }

    /// Returns the first 64 bits, for a [`HammingIndex`](crate::HammingIndex).
    pub fn fingerprint(&self) -> u64 {
        self.words().next().unwrap_or(0)
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let word = |sums: &[f64; BLOCK]| {
            (0..).zip(sums).fold(0, |word, (place, &sum)| word | u64::from(sum > 0.0) << place)
        };
        self.sums.as_chunks().0.iter().map(word)
    }

    /// Estimates the similarity 1 − θ/π of the vectors' directions, with a 95 % interval: 1 for parallel vectors, 0.5
    /// for a right angle and 0 for opposite ones. A zero vector has no direction: two such have similarity 1, and a
    /// zero vector is at a right angle to any other.
    ///
    /// # Errors
    /// Returns `Incompatible` if bits or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        check_same(self, other)?;
        match (self.is_empty(), other.is_empty()) {
            (false, false) => {}
            (true, true) => return Ok(Estimate::exact(1.0)),
            _ => return Ok(Estimate::exact(0.5)),
        }
        let different: u32 =
            self.words().zip(other.words()).map(|(one, other)| (one ^ other).count_ones()).sum();
        let (equal, bits) = (self.bits() - different, self.bits());
        let (lower, upper) = clopper_pearson(equal.into(), bits.into(), DEFAULT_CONFIDENCE);
        let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
        Ok(Estimate::new(f64::from(equal) / f64::from(bits), lower, upper, guarantee))
    }

    /// Estimates the cosine of the angle between the vectors, from −1 to 1, with a 95 % interval. For two sets it is
    /// the number of common items divided by the root of the product of their sizes. Zero vectors are treated as in
    /// [`similarity`](Self::similarity).
    ///
    /// # Errors
    /// Returns `Incompatible` if bits or hash differ.
    pub fn cosine(&self, other: &Self) -> Result<Estimate> {
        let alike = self.similarity(other)?;
        let [value, lower, upper] = [alike.value(), alike.lower(), alike.upper()].map(cosine_at);
        Ok(Estimate::new(value, lower, upper, alike.guarantee()))
    }

    /// Returns the sum of the components of all items along each direction, in standard deviations. A bit is 1 where its sum is
    /// positive.
    ///
    /// ```
    /// # use crivo::SimHash;
    /// let mut sketch = SimHash::for_bits(64)?;
    /// sketch.extend(["a", "b"]);
    /// let ones = sketch.sums().filter(|&sum| sum > 0.0).count();
    /// assert_eq!(ones, sketch.fingerprint().count_ones() as usize);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn sums(&self) -> impl Iterator<Item = f64> + '_ {
        self.sums.iter().map(|sum| sum / f64::from(directions::SCALE))
    }

    /// Returns the number of directions.
    pub fn bits(&self) -> u32 {
        self.sums.len() as u32
    }
}

fn check_weight(weight: f64) -> Result<()> {
    let most = exp2(MAX_WEIGHT_LOG2);
    if (-most..=most).contains(&weight) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a weight must be a number from -{most:.1e} to {most:.1e}, got {weight}; scale it"
    )))
}

/// Returns cos θ for 1 − θ/π, exact where the cosine is an integer.
fn cosine_at(similarity: f64) -> f64 {
    if similarity == 0.5 { 0.0 } else { cos(PI * (1.0 - similarity)) }
}

/// Returns how far the 95 % interval of this many bits reaches from the value, at the similarity where it reaches
/// farthest.
fn longest_reach(bits: u32) -> f64 {
    // The distributions of equal and of unequal bits mirror each other.
    let reach = |equal: u32| {
        let share = f64::from(equal) / f64::from(bits);
        let (lower, upper) = clopper_pearson(equal.into(), bits.into(), DEFAULT_CONFIDENCE);
        (share - lower).max(upper - share)
    };
    (0..=bits / 2).map(reach).fold(0.0, f64::max)
}

shell!(SimHash: hashes, starts, merges);

impl<T: Item> Extend<T> for SimHash {
    /// Adds each item with weight 1.
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        crate::hash::for_each_block(self.spec, items, |hashes| self.add_hashes(hashes));
    }
}

impl<T: Item> FromIterator<T> for SimHash {
    /// Collects items with weight 1 into a sketch of 64 bits.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut sketch = Self { sums: vec![0.0; BLOCK], spec: HashSpec::default() };
        sketch.extend(items);
        sketch
    }
}

impl Core for SimHash {
    const KIND: Kind = Kind::SimHash;

    fn heap_bytes(&self) -> usize {
        self.sums.len() * size_of::<f64>()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.sums.iter().flat_map(|sum| sum.to_le_bytes()));
    }

    fn read(Bits(bits): Bits, file: &mut Payload<'_>) -> Result<Self> {
        let sums = file.bytes.entries(bits.into(), |bytes| Ok(f64::from_bits(bytes.u64()?)))?;
        if let Some(sum) = sums.iter().find(|sum| !sum.is_finite() || sum.to_bits() == (-0.0f64).to_bits()) {
            return Err(Error::malformed(format!("the file is corrupt: {sum:?} is not a possible sum")));
        }
        Ok(Self { sums, spec: file.spec })
    }

    fn state(&self) -> Vec<Fact> {
        let signature = self.words().fold(String::new(), |text, word| text + &format!("{word:016x}"));
        vec![Fact::text("signature", &signature)]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        if self.sums.iter().zip(&other.sums).any(|(sum, more)| !(sum + more).is_finite()) {
            return Err(Error::full("a sum would exceed 1.8e308; scale the weights down"));
        }
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        Ok(())
    }
}

impl Empty for SimHash {
    fn empty(Bits(bits): Bits, spec: HashSpec) -> Self {
        Self { sums: vec![0.0; bits as usize], spec }
    }

    /// A sketch from which everything was subtracted again is empty too.
    fn has_nothing(&self) -> bool {
        self.sums.iter().all(|&sum| sum == 0.0)
    }
}

/// The number of directions.
#[derive(Clone)]
pub(crate) struct Bits(u32);

impl OfSize for SimHash {
    type Params = Bits;

    fn params(&self) -> Bits {
        Bits(self.bits())
    }
}

impl Params for Bits {
    const REMEDY: &str = "create both with the same number of bits";
    const NAMES: &[&str] = &["bits"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        match u32::try_from(numbers[0]) {
            Ok(bits @ 1..=MAX_BITS) if bits.is_multiple_of(BLOCK as u32) => Ok(Self(bits)),
            _ => Err(Error::invalid(format!(
                "bits must be a multiple of 64 from 64 to {MAX_BITS}, got {}; 64 is usual for near-duplicates",
                numbers[0]
            ))),
        }
    }

    fn memory_bytes(&self) -> u64 {
        size_of::<SimHash>() as u64 + u64::from(self.0) * size_of::<f64>() as u64
    }
}

#[cfg(test)]
mod tests;
