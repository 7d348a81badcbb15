//! A counter combined with a sample: see [`Joint`].

use crate::cardinality::k_min_values::{K, Overlap, Owner};
use crate::cardinality::precision::{self, MIN_PRECISION, OfPrecision, Precision};
use crate::cardinality::{HyperLogLog, KMinValues};
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, check_same, shell};
use crate::stats::{beta_i_inverse, clopper_pearson};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{hypot, sqrt};

/// A joint sketch: estimates the number of distinct items of streams, of their union, intersection and
/// difference. It combines a [`HyperLogLog`] with the k smallest hashes ([`KMinValues`]).
///
/// # Use when / not when
/// Use it to count sets and to compare sets of any overlap. Not if counts do not matter: [`KMinValues`] alone
/// has equally short intervals for small intersections, and proven ones. Not to count only, nor to compare
/// only sets that share more than a fifth of their items: a [`HyperLogLog`] does that, by inclusion and
/// exclusion ([`compare_sets`](crate::compare_sets)).
///
/// # Guarantee
/// Fewer than k items are counted and compared exactly. Beyond, counts have the error of the `HyperLogLog`.
/// Intersection and difference are a share of the union, observed among the k smallest hashes, times its
/// count. Which items have these hashes is independent of the hashes themselves, so the two errors are
/// independent, and combine as the root of the sum of their squares. (The sum ε + η + εη bounds them too, but
/// is longer.) [`Guarantee::Approximate`]; a similarity is [`Guarantee::Proven`].
///
/// With m registers and k hashes, the intersection J·n of two sets of equal size whose union has n items has
/// a standard error of n·√(J(1−J)/s + 1.08·J²/m), where s grows from k for equal sets to 2k for disjoint
/// ones. By inclusion and exclusion the error is about 0.7·n/√m from J = 0.05 to 0.6. With four registers per
/// hash, the joint sketch is more accurate if less than a fifth of all items is common
/// (`tests/it/accuracy/joint.rs` measures it). Its errors do not add up like those of inclusion and
/// exclusion.
///
/// # Space
/// | precision | k | count | similarity | memory | exact up to |
/// |---|---|---|---|---|---|
/// | 12 | 1,024 | ±3.2 % | ±0.031 | 12 kB | 1,023 |
/// | 14 | 4,096 | ±1.6 % | ±0.016 | 48 kB | 4,095 |
/// | 16 | 16,384 | ±0.8 % | ±0.008 | 192 kB | 16,383 |
///
/// # Time
/// An insertion is one of a `HyperLogLog` and a comparison. A merge or a query reads both parts once.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in bytes too; commutative,
/// associative, idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that count for millions, or that look common. Use [`HashSpec::keyed`].
///
/// # Example
/// Visitors of two days:
/// ```
/// use crivo::Joint;
/// let mut monday = Joint::for_error(0.02)?; // counts to ±2 %, similarities to ±0.02
/// let mut tuesday = monday.clone();
/// monday.extend(0..400_000u32);
/// tuesday.extend(300_000..700_000u32);
///
/// let came_back = monday.intersection(&tuesday)?;
/// assert!(came_back.contains(100_000.0), "{came_back}");
/// let only_monday = monday.difference(&tuesday)?;
/// assert!(only_monday.contains(300_000.0), "{only_monday}");
///
/// monday.merge(&tuesday)?;
/// let visitors = monday.estimate();
/// assert!(visitors.contains(700_000.0), "{visitors}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///             HyperLogLog     of all items: their number, |A∪B|
/// hash  ->
///             k smallest      a random sample: 2 of 7 common, so |A∩B| is about 2/7 of |A∪B|
///             a b ab a b ab a
/// ```
///
/// # References
/// Flajolet et al. 2007 (AofA) · Broder 1997, doi:10.1109/SEQUEN.1997.666900, the sample · Zou and Donner
/// 2008, doi:10.1002/sim.3095, the interval of a product of independent factors.
///
/// # Measured
/// `crivo-lab run c-joint`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Joint {
    counter: HyperLogLog,
    sample: KMinValues,
}

impl Joint {
    /// Returns the smallest sketch whose 95 % intervals extend at most `error` to either side: relative to a
    /// count, and absolute for a similarity.
    ///
    /// ```
    /// # use crivo::Joint;
    /// let sketch = Joint::for_error(0.02)?;
    /// assert_eq!((sketch.precision(), sketch.k()), (14, 2451));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.004.
    pub fn for_error(error: f64) -> Result<Self> {
        let precision = HyperLogLog::for_error(error)?.precision();
        let half = |k: u32| similarity_reach(k / 2, k) <= error;
        let k = KMinValues::first(half).and_then(|least| {
            (least..=KMinValues::MAX_K).find(|&k| similarity_reach(worst_common(k), k) <= error)
        });
        let k = k.ok_or_else(|| {
            Error::invalid(format!("an error of {error} needs too large a sample; 0.01 is usual"))
        })?;
        Self::for_precision(precision, k)
    }

    /// Returns the largest sketch that never takes more than `bytes` bytes of memory: the finest counter that
    /// fits into half, and as many hashes as fit in the rest.
    ///
    /// # Errors
    /// `InvalidArgument` if not even the smallest sketch fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        // About half for each part. The smallest sample takes more than the smallest counter.
        let finest = HyperLogLog::for_memory(bytes / 2).map_or(MIN_PRECISION, |counter| counter.precision());
        let sample_beside = |precision: u8| {
            let counter = size_of::<HyperLogLog>() as u64 + (1 << precision);
            Some((precision, KMinValues::for_memory(bytes.checked_sub(counter)?).ok()?.k()))
        };
        match (MIN_PRECISION..=finest).rev().find_map(sample_beside) {
            Some((precision, k)) => Self::for_precision(precision, k),
            None => {
                Err(Error::invalid(format!("a joint sketch does not fit into {bytes} bytes; allow more")))
            }
        }
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        self.counter.insert_hash(hash) | self.sample.insert_hash(hash)
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        self.counter.insert_hashes(hashes);
        self.sample.insert_hashes(hashes);
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        if self.sample.has_all() {
            self.sample.estimate_within(confidence)
        } else {
            self.counter.estimate_within(confidence)
        }
    }

    /// Returns the estimated number of distinct items in both streams, at 95 % confidence. Exact while both
    /// have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` if precision, k or hash differ.
    pub fn intersection(&self, other: &Self) -> Result<Estimate> {
        self.part(other, Owner::Both)
    }

    /// Returns the estimated number of distinct items in this stream but not in `other`, at 95 % confidence.
    /// Exact while both have fewer than k.
    ///
    /// # Errors
    /// `Incompatible` if precision, k or hash differ.
    pub fn difference(&self, other: &Self) -> Result<Estimate> {
        self.part(other, Owner::First)
    }

    /// Returns the Jaccard similarity, at 95 % confidence: the share of the common items among all, from 0 to
    /// 1. Two empty streams have the similarity 1.
    ///
    /// # Errors
    /// `Incompatible` if precision, k or hash differ.
    pub fn similarity(&self, other: &Self) -> Result<Estimate> {
        check_same(self, other)?;
        self.sample.similarity(&other.sample)
    }

    fn part(&self, other: &Self, owner: Owner) -> Result<Estimate> {
        let mut union = self.counter.clone();
        union.merge(&other.counter)?;
        Ok(share_of(&union.estimate(), &self.sample.overlap(&other.sample)?, owner))
    }

    /// Returns an upper bound on the relative standard error of an intersection of two sets with this
    /// similarity and far more than k items: √((1 − J)/(J·k) + 1.08/m) for m registers.
    ///
    /// ```
    /// # use crivo::Joint;
    /// // A third in common, 4,096 registers and 1,024 hashes: a share to 4.4 %, of a count to 1.6 %.
    /// assert!((Joint::intersection_error(12, 1024, 1.0 / 3.0)? - 0.0471).abs() < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18, k at least 1, and `similarity` above 0 and at most 1.
    pub fn intersection_error(precision: u8, k: u32, similarity: f64) -> Result<f64> {
        precision::check(precision, "±3.2 %")?;
        if k == 0 || !(similarity > 0.0 && similarity <= 1.0) {
            return Err(Error::invalid(format!(
                "an intersection needs at least 1 hash and a similarity above 0 and at most 1, got {k} and {similarity}"
            )));
        }
        let of_share = (1.0 - similarity) / (similarity * f64::from(k));
        let of_count = 1.08 / f64::from(1u32 << precision);
        Ok(sqrt(of_share + of_count))
    }

    /// Returns the precision of the counter: log₂ of the number of registers.
    pub fn precision(&self) -> u8 {
        self.counter.precision()
    }

    /// Returns the maximum number of hashes that it keeps.
    pub fn k(&self) -> u32 {
        self.sample.k()
    }

    /// Returns the counter of all items.
    pub fn counter(&self) -> &HyperLogLog {
        &self.counter
    }

    /// Returns the sample of the smallest hashes.
    pub fn sample(&self) -> &KMinValues {
        &self.sample
    }
}

/// The params: the precision of the counter, and the maximum number of hashes in the sample.
#[derive(Clone, Copy)]
pub(crate) struct JointSize {
    precision: Precision,
    k: K,
}

impl JointSize {
    fn new(precision: u8, k: u32) -> Result<Self> {
        precision::check(precision, HyperLogLog::REACH_AT_12)?;
        Ok(Self { precision: Precision(precision), k: K::new(k)? })
    }
}

impl Params for JointSize {
    const REMEDY: &str = "build both with the same precision and k";
    const NAMES: &[&str] = &["precision", "k"];

    fn numbers(&self) -> Vec<u64> {
        [self.precision.numbers(), self.k.numbers()].concat()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Ok(Self { precision: Precision::of(&numbers[..1])?, k: K::of(&numbers[1..])? })
    }
}

/// Estimates how many items of the `union` belong to this owner: their share of the sample times the count,
/// with the interval of a product of independent factors.
fn share_of(union: &Estimate, overlap: &Overlap, owner: Owner) -> Estimate {
    let Some(beyond) = overlap.share_beyond() else { return overlap.count(owner) };
    let (seen, all) = (overlap.seen(owner), overlap.all_seen());
    let share = seen as f64 / all as f64;
    let (low_share, high_share) = share_bounds(seen as f64, all as f64);
    // If a sample contains most of the union, only the part beyond it is uncertain.
    let unit = union.value() * sqrt(beyond);
    // Items are whole numbers: half an item at either end.
    let below = hypot(unit * (share - low_share) + 0.5, share * (union.value() - union.lower()));
    let above = hypot(unit * (high_share - share) + 0.5, share * (union.upper() - union.value()));
    let most = overlap.most(owner);
    let value = (share * union.value()).min(most);
    // At least the items seen exist.
    let lower = (value - below).max(seen as f64);
    let upper = (value + above).min(most);
    Estimate::new(value, lower, upper, Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE })
}

/// Returns the interval of a probability after `seen` of `all`. Clopper and Pearson's interval counts the
/// observed outcome as wholly beyond either bound, and covers too much; counting half of it covers too little
/// if few are seen. With three quarters the coverage is 94 to 97 % from eight seen on, and never less.
fn share_bounds(seen: f64, all: f64) -> (f64, f64) {
    const COUNTED: f64 = 0.75;
    let miss = (1.0 - DEFAULT_CONFIDENCE) / 2.0;
    let lower = |seen: f64| beta_i_inverse(seen + 1.0 - COUNTED, all - seen + COUNTED, miss);
    (if seen == 0.0 { 0.0 } else { lower(seen) }, if seen == all { 1.0 } else { 1.0 - lower(all - seen) })
}

/// Returns the length of the 95 % interval of a similarity if `common` of `k` hashes are common: the upper
/// side, and by symmetry the lower side of `k − common`.
fn similarity_reach(common: u32, k: u32) -> f64 {
    clopper_pearson(common.into(), k.into(), DEFAULT_CONFIDENCE).1 - f64::from(common) / f64::from(k)
}

/// Returns the number of common hashes whose interval is longest: a little below half. The length rises up to
/// it and falls after it.
fn worst_common(k: u32) -> u32 {
    let (mut low, mut high) = (0, k / 2);
    while low < high {
        let middle = low + (high - low) / 2;
        if similarity_reach(middle, k) < similarity_reach(middle + 1, k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

shell!(Joint: hashes_by(self => self.counter.hash_spec()), starts, merges, set, counts,
    for_numbers(for_precision, JointSize(precision: u8, k: u32),
        "Creates an empty sketch of 2^`precision` registers and the `k` smallest hashes.",
        "`precision` is 4 to 18 and `k` is 16 to 2²⁰"),
    collects(Self::for_precision(14, 4096),
        "Creates a sketch of precision 14 and k 4,096: counts to ±1.6 %, similarities to ±0.016."));

impl OfSize for Joint {
    type Params = JointSize;

    fn params(&self) -> JointSize {
        JointSize { precision: OfSize::params(&self.counter), k: OfSize::params(&self.sample) }
    }
}

impl Core for Joint {
    const KIND: Kind = Kind::Joint;

    fn heap_bytes(&self) -> usize {
        self.counter.heap_bytes() + self.sample.heap_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(self.counter.heap_bound()? + self.sample.heap_bound()?)
    }

    /// The counter follows from the hashes while all are kept, and is then omitted.
    fn write(&self, payload: &mut Vec<u8>) {
        let mut sample = Vec::new();
        self.sample.write(&mut sample);
        put_u64_varint(payload, sample.len() as u64);
        payload.extend(sample);
        if !self.sample.has_all() {
            self.counter.write(payload);
        }
    }

    fn read(size: JointSize, file: &mut Payload<'_>) -> Result<Self> {
        let sample = file.bytes.framed()?;
        let sample: KMinValues = file.inner(size.k, sample, size_of::<HyperLogLog>())?;
        let mut counter = HyperLogLog::empty(size.precision, file.spec);
        if sample.has_all() {
            sample.hashes().for_each(|hash| {
                counter.insert_hash(hash);
            });
        } else {
            let rest = file.bytes.take_rest();
            counter = file.inner(size.precision, rest, sample.memory_bytes())?;
            let mut joined = counter.clone();
            if sample.hashes().any(|hash| joined.insert_hash(hash)) {
                return Err(Error::malformed("the counter lacks a hash of the sample"));
            }
        }
        let joint = Self { counter, sample };
        file.check_memory(joint.memory_bytes() as u64)?;
        Ok(joint)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("hashes", self.sample.hashes().count() as u64),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.counter.absorb(&other.counter)?;
        self.sample.absorb(&other.sample)
    }
}

impl Empty for Joint {
    fn empty(size: JointSize, spec: HashSpec) -> Self {
        Self { counter: HyperLogLog::empty(size.precision, spec), sample: KMinValues::empty(size.k, spec) }
    }

    fn has_nothing(&self) -> bool {
        self.sample.is_empty()
    }
}

#[cfg(test)]
mod tests;
