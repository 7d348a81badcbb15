//! Martingale counting: see [`Martingale`].

mod history;

use super::precision::{self, Precision};
#[cfg(doc)]
use super::{ExaLogLog, HyperLogLog};
use crate::hash::Item;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload, Sketch, shell};
use crate::stats::normal_quantile;
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use history::{History, limit_reach};
use libm::sqrt;
pub(super) use watched::{ALL_HASHES, Watched};

mod watched {
    use crate::cardinality::precision::OfPrecision;
    use crate::kind::Kind;
    use crate::{Estimate, HashSpec};

    /// The probability 1, as a number of hashes.
    pub(in crate::cardinality) const ALL_HASHES: u128 = 1 << 64;

    /// A sketch whose probability of a change is known at any time, so that a
    /// [`Martingale`](super::Martingale) can watch it. The trait is sealed: other crates can neither call nor
    /// implement it.
    #[expect(private_bounds, reason = "the trait is sealed")]
    pub trait Watched: OfPrecision {
        /// The kind of the martingale counter of this sketch.
        const MARTINGALE: Kind;
        /// Returns how many of the 2⁶⁴ hashes would change the sketch.
        fn changing_hashes(&self) -> u128;
        /// Returns the relative variance of martingale counting far from empty.
        fn martingale_variance(precision: u8) -> f64;
        /// Inserts a hash into a sketch that a new item changes with `probability`; returns the new
        /// probability if it changed.
        fn insert_hash_watched(&mut self, hash: u64, probability: u128) -> Option<u128>;
        /// Returns the estimate of the sketch itself while it keeps the hashes and counts them exactly.
        fn exact_estimate(&self, confidence: f64) -> Option<Estimate>;
        /// Returns the least number of items that must have changed the sketch.
        fn least_changes(&self) -> u64;
        /// Returns the hash spec.
        fn hashing(&self) -> &HashSpec;
    }
}

/// Martingale counting: estimates the number of distinct items of one stream. It records how a sketch
/// changes, which makes the error smaller.
///
/// # Use when / not when
/// Use it to count one stream in one place: the error is a fifth smaller than that of the [`HyperLogLog`]
/// inside, or an eighth than that of the [`ExaLogLog`], and an estimate takes constant time at any precision.
/// Not for parts of a stream that are merged later, or for saved counters that are combined: use an
/// [`ExaLogLog`] alone.
///
/// # Guarantee
/// Unbiased at every number of items, with a standard error of 0.833/√m for a [`HyperLogLog`] of 2^precision
/// = m registers and 0.319/√m for an [`ExaLogLog`], and less for few items; small sets are counted exactly.
/// The 95 % interval follows from the waiting times between changes, including skewness; its coverage is
/// tested from empty to 10⁹ items, for a [`HyperLogLog`] from precision 4 to 12, for an [`ExaLogLog`] from 4
/// to 8. [`Guarantee::Approximate`].
///
/// # Space
/// The space of the sketch inside, and a few dozen bytes. An [`ExaLogLog`] of precision 12 takes 14 kB and
/// has an interval of ±1 %. For a [`HyperLogLog`]:
///
/// | precision | standard error | 95 % interval | memory | file |
/// |---|---|---|---|---|
/// | 10 | 2.6 % | ±5.3 % | 1 kB | 0.8 kB |
/// | 12 | 1.3 % | ±2.6 % | 4 kB | 3 kB |
/// | 14 | 0.65 % | ±1.3 % | 16 kB | 12 kB |
/// | 16 | 0.33 % | ±0.64 % | 64 kB | 49 kB |
///
/// # Time
/// An insertion that changes nothing costs what it costs the sketch; one that changes it adds a few
/// multiplications and a division, and after n items only about m/(1.4n) of them do. An estimate reads three
/// numbers.
///
/// # Merge
/// Not supported: two histories contain no information on how much the streams share. The
/// [`sketch`](Self::sketch) inside is the sketch of the same stream without martingale counting, in an
/// identical state, and merges exactly.
///
/// # Hostile input
/// As for the sketch inside: an attacker who knows the seed can choose items each of which changes it, and
/// which count for millions. Use [`HashSpec::keyed`]. The order of honest items does not matter.
///
/// # Example
/// ```
/// use crivo::HyperLogLog;
/// use crivo::cardinality::Martingale;
/// let mut visitors = Martingale::<HyperLogLog>::for_error(0.02)?; // ±2 % at 95 % confidence
/// assert_eq!(visitors.sketch().precision(), 13); // a HyperLogLog needs 14
/// visitors.extend(0..100_000u32);
/// assert!((visitors.estimate().value() / 1e5 - 1.0).abs() < 0.02);
/// let mergeable = visitors.into_sketch();
/// assert!((mergeable.estimate().value() / 1e5 - 1.0).abs() < 0.03);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// changes        ●  ●    ●         ●                ●         each change has waited for 1/q items on average,
/// items     ─────┴──┴────┴─────────┴────────────────┴────▶    where q is the probability that a new item changes
/// counted        1  +1/q₁ +1/q₂    +1/q₃            +1/q₄     the sketch, which is known exactly beforehand
/// ```
/// Which change comes next does not depend on how long it took. So, given the changes, the number of items is
/// a sum of independent waiting times. Their mean, variance and third cumulant are kept, and the interval
/// follows from these.
///
/// # References
/// Ting, doi:10.1145/2623330.2623669 · Cohen, doi:10.1109/TKDE.2015.2411606 (historic inverse probability).
/// New here: the interval, and exact counts of small sets.
///
/// # Measured
/// `crivo-lab run c-martingale-hyperloglog`, `c-martingale-exaloglog`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct Martingale<S> {
    sketch: S,
    history: History,
    /// The value of [`Watched::changing_hashes`] for the sketch.
    probability: u128,
}

impl<S: Watched> Martingale<S> {
    /// Creates a counter of the items that are inserted into `sketch` from now on.
    ///
    /// # Errors
    /// `InvalidArgument` unless `sketch` is empty: its earlier changes would be unknown.
    pub fn new(sketch: S) -> Result<Self> {
        if sketch.changing_hashes() == ALL_HASHES {
            return Ok(Self::watch(sketch));
        }
        Err(Error::invalid(
            "martingale counting must start with an empty sketch, got one with items; count with the \
             sketch itself, or start with an empty one",
        ))
    }

    fn watch(sketch: S) -> Self {
        Self { sketch, history: History::default(), probability: ALL_HASHES }
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let Some(after) = self.sketch.insert_hash_watched(hash, self.probability) else { return false };
        self.history.change(self.probability);
        self.probability = after;
        true
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        self.sketch.exact_estimate(confidence).unwrap_or_else(|| {
            let z = normal_quantile(0.5 + confidence / 2.0);
            let (lower, upper) = self.history.interval(self.probability, z);
            Estimate::new(self.history.items(), lower, upper, Guarantee::Approximate { confidence })
        })
    }

    /// Returns the sketch inside, which can be merged.
    pub fn sketch(&self) -> &S {
        &self.sketch
    }

    /// Returns the sketch inside and drops the history.
    pub fn into_sketch(self) -> S {
        self.sketch
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Self::of(self.precision(), *self.hash_spec());
    }

    /// Returns whether nothing has been inserted.
    pub fn is_empty(&self) -> bool {
        self.probability == ALL_HASHES
    }

    /// Returns the smallest counter whose 95 % interval extends at most `error` (relative) to either side, on
    /// average far from empty.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.0032 with a [`HyperLogLog`], 0.0013 with an
    /// [`ExaLogLog`].
    pub fn for_error(error: f64) -> Result<Self> {
        let reach = |precision| limit_reach(S::martingale_variance(precision), DEFAULT_CONFIDENCE);
        precision::for_error("error", error, reach).map(Self::of_precision)
    }

    /// Returns the smallest counter whose relative standard error is at most `error`.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00163 with a [`HyperLogLog`], 0.00063
    /// with an [`ExaLogLog`].
    pub fn for_standard_error(error: f64) -> Result<Self> {
        let standard_error = |precision| sqrt(S::martingale_variance(precision));
        precision::for_error("standard error", error, standard_error).map(Self::of_precision)
    }

    /// Returns the relative standard error of a counter of this precision far from empty; it is smaller for
    /// few items.
    ///
    /// ```
    /// use crivo::{ExaLogLog, HyperLogLog};
    /// use crivo::cardinality::Martingale;
    /// assert!((Martingale::<HyperLogLog>::standard_error(10)? - 0.833 / 32.0).abs() < 1e-4);
    /// assert!((Martingale::<ExaLogLog>::standard_error(10)? - 0.319 / 32.0).abs() < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn standard_error(precision: u8) -> Result<f64> {
        precision::check(precision, "±2.6 % with a HyperLogLog")?;
        Ok(sqrt(S::martingale_variance(precision)))
    }

    /// Returns the finest counter that never takes more than `bytes` bytes of memory.
    ///
    /// # Errors
    /// `InvalidArgument` if not even the coarsest sketch fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let beside = size_of::<Self>() - size_of::<S>();
        precision::for_memory(bytes, |precision| beside + S::most_bytes(precision)).map(Self::of_precision)
    }

    fn of_precision(precision: u8) -> Self {
        Self::of(precision, HashSpec::default())
    }

    fn of(precision: u8, spec: HashSpec) -> Self {
        Self::watch(S::empty(Precision(precision), spec))
    }

    /// Returns an empty counter of the same size with a custom hash.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self::of(self.precision(), spec)
    }

    fn precision(&self) -> u8 {
        self.sketch.params().0
    }
}

shell!(impl[S: Watched] Martingale<S>, Martingale: hashes_by(self => self.sketch.hashing()), set, counts);

impl<S: Watched> OfSize for Martingale<S> {
    type Params = ();

    /// The sketch inside has its own params.
    fn params(&self) {}
}

impl<S: Watched> Core for Martingale<S> {
    const KIND: Kind = S::MARTINGALE;

    fn heap_bytes(&self) -> usize {
        self.sketch.heap_bytes()
    }

    fn heap_bound(&self) -> Option<usize> {
        self.sketch.heap_bound()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.history.to_bytes());
        payload.extend(self.sketch.to_bytes());
    }

    fn write_compact(&self, payload: &mut Vec<u8>) {
        payload.extend(self.history.to_bytes());
        payload.extend(self.sketch.to_compact_bytes());
    }

    fn read((): (), file: &mut Payload<'_>) -> Result<Self> {
        let history = History::read(&mut file.bytes)?;
        // The memory limit applies to the counter and the sketch together.
        let options = file.options_beside(size_of::<Self>() - size_of::<S>());
        let sketch = S::from_bytes_with(file.bytes.take_rest(), &options)?;
        if sketch.hashing() != &file.spec {
            return Err(Error::malformed("the counter and its sketch have different hashes"));
        }
        let probability = sketch.changing_hashes();
        history.check(sketch.least_changes(), probability)?;
        Ok(Self { sketch, history, probability })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::text("sketch", S::KIND.name()),
            Fact::count("precision", self.precision().into()),
            Fact::number("standard_error", sqrt(S::martingale_variance(self.precision()))),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }
}

impl<S: Watched + FromIterator<T>, T: Item> FromIterator<T> for Martingale<S> {
    /// Creates a counter around a sketch of the default size.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut counter = Self::watch(core::iter::empty().collect());
        counter.extend(items);
        counter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, HyperLogLog};

    #[test]
    fn what_came_before_must_be_known() {
        let mut sketch = HyperLogLog::for_precision(10).unwrap();
        sketch.insert("seen");
        let error = Martingale::new(sketch.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        sketch.clear();
        assert!(Martingale::new(sketch).unwrap().is_empty());
    }

    #[test]
    fn targets_choose_the_precision() {
        let precision = |counter: Result<Martingale<HyperLogLog>>| counter.map(|c| c.sketch().precision());
        assert_eq!(precision(Martingale::for_error(0.01)), Ok(15));
        assert_eq!(precision(Martingale::for_standard_error(0.01)), Ok(13));
        assert_eq!(precision(Martingale::for_standard_error(0.833)), Ok(4));
        assert_eq!(precision(Martingale::for_memory(u64::MAX)), Ok(18));
        let least = (size_of::<Martingale<HyperLogLog>>() + 16) as u64;
        assert_eq!(precision(Martingale::for_memory(least)), Ok(4));
        assert!(Martingale::<HyperLogLog>::for_memory(least - 1).is_err());
        for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1e-9] {
            type Counter = Martingale<HyperLogLog>;
            assert!(Counter::for_error(bad).is_err() && Counter::for_standard_error(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_sketch_inside_is_that_of_the_stream() {
        for precision in [4, 8, 12] {
            let mut counter = Martingale::new(HyperLogLog::for_precision(precision).unwrap()).unwrap();
            let mut sketch = HyperLogLog::for_precision(precision).unwrap();
            for i in 0..20_000u32 {
                assert_eq!(counter.insert(&i), sketch.insert(&i));
            }
            assert_eq!(counter.sketch(), &sketch);
            assert_eq!(counter.probability, sketch.changing_hashes());
            assert_eq!(counter.into_sketch(), sketch);
        }
    }

    #[test]
    fn a_saturated_counter_has_a_lower_bound_only() {
        let mut counter = Martingale::new(HyperLogLog::for_precision(4).unwrap()).unwrap();
        (0..16u64).for_each(|register| {
            counter.insert_hash(register << 60);
        });
        let estimate = counter.estimate();
        assert!(estimate.upper().is_infinite() && estimate.value().is_finite(), "{estimate}");
        assert_eq!(Martingale::<HyperLogLog>::from_bytes(&counter.to_bytes()).unwrap(), counter);
    }

    #[test]
    fn any_confidence_has_an_answer() {
        let mut counter = Martingale::new(HyperLogLog::for_precision(4).unwrap()).unwrap();
        for i in 0..1000u32 {
            counter.insert(&i);
            let mut widest = counter.estimate_at(0.5).unwrap();
            for confidence in [0.9, 0.99, 1.0 - 1e-9, 1.0 - f64::EPSILON] {
                let wider = counter.estimate_at(confidence).unwrap();
                assert!(wider.lower() <= widest.lower() && widest.upper() <= wider.upper(), "{wider}");
                widest = wider;
            }
        }
    }
}
